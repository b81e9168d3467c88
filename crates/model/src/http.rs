//! What the vendor clients share: one connection pool, repetition of what nothing has come of, limits on silence, a secret
//! that cannot be printed. Knows no vendor's JSON beyond how errors are worded.

mod address;
mod events;
mod options;
mod refusal;
mod reply;
mod retry;
mod secret;
mod tls;
mod waits;

pub use options::Options;
pub(crate) use secret::Secret;

use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use reqwest::header::{ACCEPT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, Proxy, Url};
use tokio::task::JoinHandle;
use toolwright_core::Environment;

pub(crate) use events::Events;
pub(crate) use reply::Reply;

use crate::generate::Emitter;
use crate::{Delivery, ModelError, ModelErrorKind};

const CONNECT_LIMIT: Duration = Duration::from_secs(20);

/// The way to one vendor. The connection pool and TLS are built when the first request goes out.
#[derive(Debug)]
pub(crate) struct Http {
    vendor: &'static str,
    /// What to look at when the key is refused.
    key_variable: &'static str,
    base_variable: &'static str,
    url: Url,
    headers: HeaderMap,
    secret: Secret,
    proxies: Vec<Proxy>,
    /// What an answer in one piece always has.
    answer_field: &'static str,
    pub(crate) options: Options,
    client: OnceLock<Client>,
    /// The end of the answer before, which is being read.
    tail: Mutex<Option<JoinHandle<()>>>,
    /// The server does not end the body of a streamed answer.
    has_no_tail: Arc<AtomicBool>,
}

/// How to reach a vendor.
pub(crate) struct Way<'a> {
    pub(crate) vendor: &'static str,
    pub(crate) key_variable: &'static str,
    pub(crate) base_variable: &'static str,
    pub(crate) base: &'a str,
    /// The path of the address, out of that of `base`.
    pub(crate) path: fn(&str) -> String,
    pub(crate) answer_field: &'static str,
    pub(crate) secret: Secret,
    pub(crate) headers: HeaderMap,
}

impl Http {
    pub(crate) fn new(way: Way<'_>, environment: &Environment) -> Result<Self, ModelError> {
        let not_configured = |text: String| ModelError::new(ModelErrorKind::NotConfigured, text);
        let url = address::address(way.base, way.path);
        let url = url.ok_or_else(|| {
            not_configured(format!(
                "{} is no address of a server: it should look like https://host or http://127.0.0.1:8080.",
                way.base_variable
            ))
        })?;
        let mut headers = way.headers;
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        // Without it a server may compress.
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        Ok(Self {
            vendor: way.vendor,
            key_variable: way.key_variable,
            base_variable: way.base_variable,
            proxies: address::proxies(environment, &url)?,
            url,
            headers,
            secret: way.secret,
            answer_field: way.answer_field,
            options: Options::from_environment(environment)?,
            client: OnceLock::new(),
            tail: Mutex::default(),
            has_no_tail: Arc::default(),
        })
    }

    /// Whether the vendor's own host is asked.
    pub(crate) fn is_host(&self, host: &str) -> bool {
        self.url.host_str() == Some(host)
    }

    /// The answer, as the server gives it. Repeats what may succeed later, and says so through `emitter`.
    pub(crate) async fn send(
        &self,
        body: &Bytes,
        delivery: Delivery,
        emitter: &Emitter,
    ) -> Result<Reply<'_>, ModelError> {
        let client = self.client()?;
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(tail) = tail {
            // It takes a moment, and a new connection more.
            let _ = tail.await;
        }
        let answer = retry::repeated(&self.options, emitter, || self.once(client, body, delivery)).await;
        answer.map_err(|mut error| {
            if error.kind == ModelErrorKind::Unreachable {
                error.message.push_str(&format!(" Check that it runs, and {}.", self.base_variable));
            }
            error
        })
    }

    /// Reads the end of an answer that is whole, beside what follows. `rest` says whether the end came.
    fn read_on(&self, rest: impl Future<Output = bool> + Send + 'static) {
        if self.has_no_tail.load(Ordering::Relaxed) {
            return;
        }
        let has_no_tail = Arc::clone(&self.has_no_tail);
        let task = tokio::spawn(async move {
            if !rest.await {
                has_no_tail.store(true, Ordering::Relaxed);
            }
            // The connection is put back by tasks of its own.
            for _ in 0..4 {
                tokio::task::yield_now().await;
            }
        });
        *self.tail.lock().unwrap_or_else(PoisonError::into_inner) = Some(task);
    }

    async fn once(&self, client: &Client, body: &Bytes, delivery: Delivery) -> Result<Reply<'_>, ModelError> {
        let request = client.post(self.url.clone()).headers(self.headers.clone()).body(body.clone());
        let limit = Duration::from_millis(self.options.answer_timeout_ms);
        let response = match tokio::time::timeout(limit, request.send()).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err(self.unreachable(&error)),
            Err(_) => return Err(self.silent(limit)),
        };
        if response.status().as_u16() == 200 {
            return reply::read(self, response, delivery).await;
        }
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        // A refusal that does not end is a refusal all the same.
        let text = tokio::time::timeout(CONNECT_LIMIT, response.text()).await;
        let text = text.ok().and_then(Result::ok).unwrap_or_default();
        if (200..300).contains(&status) {
            let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
            return Err(reply::no_answer(self, status, content_type.unwrap_or_default(), text.as_bytes()));
        }
        let refusal = refusal::read(status, &headers, &text, SystemTime::now());
        let next = refusal::next_step(refusal.kind, self.key_variable);
        let said = if refusal.words.is_empty() { String::new() } else { format!(": {}", refusal.words) };
        let mut error = self.error(refusal.kind, format!("HTTP {status}{said}{next}"));
        error.status = Some(status);
        error.retry_after = refusal.retry_after;
        Err(error)
    }

    /// An error that names the server; whatever in `text` is secret is taken out.
    pub(crate) fn error(&self, kind: ModelErrorKind, text: impl AsRef<str>) -> ModelError {
        let host = self.url.host_str().unwrap_or_default();
        let port = self.url.port().map(|port| format!(":{port}")).unwrap_or_default();
        let text = self.secret.redacted(text.as_ref());
        ModelError::new(kind, format!("{} ({host}{port}): {text}", self.vendor))
    }

    /// What the vendor said in the middle of an answer.
    pub(crate) fn error_event(&self, data: &str) -> ModelError {
        let words = refusal::words(data);
        let words = if words.is_empty() { "no reason given" } else { &words };
        ModelError::lost(format!("{} ended it with an error: {}", self.vendor, self.secret.redacted(words)))
    }

    fn unreachable(&self, error: &reqwest::Error) -> ModelError {
        let words = self.words(error);
        if tls::is_untrusted(error) {
            let text = format!(
                "{words}. If a proxy stands between, set SSL_CERT_FILE to a file with its root certificate; otherwise check \
                 {}.",
                self.base_variable
            );
            return self.error(ModelErrorKind::NotConfigured, text);
        }
        self.error(ModelErrorKind::Unreachable, words)
    }

    fn silent(&self, limit: Duration) -> ModelError {
        ModelError::lost(format!(
            "{} said nothing for {} s (setting modelOptions.answerTimeoutMs)",
            self.vendor,
            limit.as_secs_f32()
        ))
    }

    /// The innermost cause says what happened; the outer ones repeat the address.
    fn words(&self, error: &reqwest::Error) -> String {
        self.without_secret(&events::innermost(error))
    }

    fn without_secret(&self, text: &str) -> String {
        self.secret.redacted(text)
    }

    fn client(&self) -> Result<&Client, ModelError> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        // A redirect would carry the key to another host.
        let mut builder = Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT_LIMIT)
            .tcp_nodelay(true)
            .user_agent(concat!("toolwright/", env!("CARGO_PKG_VERSION")));
        for proxy in &self.proxies {
            builder = builder.proxy(proxy.clone());
        }
        let tls = tls::configuration().map_err(|error| self.error(ModelErrorKind::NotConfigured, error))?;
        let client = builder.tls_backend_preconfigured(tls).build();
        let client = client.map_err(|error| self.error(ModelErrorKind::NotConfigured, self.words(&error)))?;
        Ok(self.client.get_or_init(|| client))
    }
}

/// A client for this machine alone: no key, no proxy.
#[cfg(feature = "openai")]
pub(crate) fn local_client() -> Option<Client> {
    let builder = Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
    builder.tls_backend_preconfigured(tls::configuration().ok()?).build().ok()
}
