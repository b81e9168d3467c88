//! What the vendor clients share: one connection pool, repetition of what nothing has come of, limits on silence, a secret
//! that cannot be printed. Knows no vendor's JSON beyond how errors are worded.

mod events;
mod options;
mod refusal;
mod secret;
mod tls;

pub use options::Options;
pub(crate) use secret::Secret;

use std::sync::OnceLock;
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBuilder};
use bytes::Bytes;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, NoProxy, Proxy, Response, Url};
use toolwright_core::Environment;

pub(crate) use events::Events;

use crate::generate::Emitter;
use crate::{ModelError, ModelErrorKind, ModelEvent};

/// A longer wait than this is not waited out: the person should know.
const LONGEST_WAIT: Duration = Duration::from_secs(300);
/// A server that is not there seldom appears within minutes.
const UNREACHABLE_RETRIES: u32 = 3;
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
    pub(crate) options: Options,
    client: OnceLock<Client>,
}

/// How to reach a vendor.
pub(crate) struct Way<'a> {
    pub(crate) vendor: &'static str,
    pub(crate) key_variable: &'static str,
    pub(crate) base_variable: &'static str,
    pub(crate) base: &'a str,
    pub(crate) path: &'static str,
    pub(crate) secret: Secret,
    pub(crate) headers: HeaderMap,
}

impl Http {
    pub(crate) fn new(way: Way<'_>, environment: &Environment) -> Result<Self, ModelError> {
        let not_configured = |text: String| ModelError::new(ModelErrorKind::NotConfigured, text);
        let joined = format!("{}{}", way.base.trim_end_matches('/'), way.path);
        let url = Url::parse(&joined)
            .ok()
            .filter(|url| ["http", "https"].contains(&url.scheme()) && url.has_host());
        let url = url.ok_or_else(|| {
            not_configured(format!(
                "{} is no address of a server: it should look like https://host or http://127.0.0.1:8080.",
                way.base_variable
            ))
        })?;
        let mut headers = way.headers;
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        Ok(Self {
            vendor: way.vendor,
            key_variable: way.key_variable,
            base_variable: way.base_variable,
            url,
            headers,
            secret: way.secret,
            proxies: proxies(environment)?,
            options: Options::from_environment(environment)?,
            client: OnceLock::new(),
        })
    }

    /// Whether the vendor's own host is asked.
    pub(crate) fn is_host(&self, host: &str) -> bool {
        self.url.host_str() == Some(host)
    }

    /// The answer's head, 200. Repeats what may succeed later, and says so through `emitter`.
    pub(crate) async fn send(&self, body: &Bytes, emitter: &Emitter) -> Result<Response, ModelError> {
        let client = self.client()?;
        let schedule = ExponentialBuilder::default()
            .with_min_delay(Duration::from_millis(self.options.first_wait_ms))
            .with_max_delay(Duration::from_secs(32))
            .with_max_times(usize::try_from(self.options.max_retries).unwrap_or(usize::MAX))
            .with_jitter()
            .build();
        let mut attempt = 0;
        for scheduled in schedule.map(Some).chain(std::iter::once(None)) {
            let mut error = match self.once(client, body).await {
                Ok(response) => return Ok(response),
                Err(error) => error,
            };
            attempt += 1;
            // Lost means here that no answer came in time: asking for it again, in one piece, is the driver's to decide.
            let pointless = !error.is_retryable()
                || error.kind == ModelErrorKind::Lost
                || (error.kind == ModelErrorKind::Unreachable && attempt > UNREACHABLE_RETRIES);
            let Some(scheduled) = scheduled.filter(|_| !pointless) else {
                if attempt > 1 {
                    error.message.push_str(&format!(" (Tried {attempt} times.)"));
                }
                return Err(error);
            };
            let wait = error.retry_after.unwrap_or(scheduled);
            if wait > LONGEST_WAIT {
                error.message.push_str(&format!(" It asks to wait {} s.", wait.as_secs()));
                return Err(error);
            }
            emitter.emit(ModelEvent::Retrying { attempt, wait, reason: error.kind });
            tokio::time::sleep(wait).await;
        }
        Err(self.error(ModelErrorKind::Unreachable, "no request was sent"))
    }

    /// The whole answer.
    pub(crate) async fn whole(&self, body: &Bytes, emitter: &Emitter) -> Result<Vec<u8>, ModelError> {
        let response = self.send(body, emitter).await?;
        let limit = Duration::from_millis(self.options.answer_timeout_ms);
        match tokio::time::timeout(limit, response.bytes()).await {
            Ok(Ok(bytes)) => Ok(bytes.into()),
            Ok(Err(error)) => Err(ModelError::lost(self.words(&error))),
            Err(_) => Err(self.silent(limit)),
        }
    }

    /// The events of the answer.
    pub(crate) async fn events(&self, body: &Bytes, emitter: &Emitter) -> Result<Events, ModelError> {
        Ok(Events::new(self.send(body, emitter).await?, &self.options))
    }

    async fn once(&self, client: &Client, body: &Bytes) -> Result<Response, ModelError> {
        let request = client.post(self.url.clone()).headers(self.headers.clone()).body(body.clone());
        let limit = Duration::from_millis(self.options.answer_timeout_ms);
        let response = match tokio::time::timeout(limit, request.send()).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err(self.unreachable(&error)),
            Err(_) => return Err(self.silent(limit)),
        };
        if response.status().as_u16() == 200 {
            return Ok(response);
        }
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        // A refusal that does not end is a refusal all the same.
        let text = tokio::time::timeout(CONNECT_LIMIT, response.text()).await;
        let text = text.ok().and_then(Result::ok).unwrap_or_default();
        let refusal = refusal::read(status, &headers, &text);
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
        let text = format!("{words}. Check that it runs, and {}.", self.base_variable);
        self.error(ModelErrorKind::Unreachable, text)
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
        self.secret.redacted(&events::innermost(error))
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

/// The proxies that the variables name, in either case as is the custom.
fn proxies(environment: &Environment) -> Result<Vec<Proxy>, ModelError> {
    type Build = fn(&str) -> reqwest::Result<Proxy>;
    let variable =
        |name: &str| environment.variable(name).or_else(|| environment.variable(&name.to_ascii_lowercase()));
    let except = variable("NO_PROXY").and_then(NoProxy::from_string);
    let kinds: [(&str, Build); 3] = [
        ("HTTPS_PROXY", |address| Proxy::https(address)),
        ("HTTP_PROXY", |address| Proxy::http(address)),
        ("ALL_PROXY", |address| Proxy::all(address)),
    ];
    let mut proxies = Vec::new();
    for (name, build) in kinds {
        if let Some(address) = variable(name) {
            // The address may hold a password, so it is not repeated.
            let proxy = build(address).map_err(|_| {
                let text = format!("{name} is no address of a proxy: it should look like http://host:3128.");
                ModelError::new(ModelErrorKind::NotConfigured, text)
            })?;
            proxies.push(proxy.no_proxy(except.clone()));
        }
    }
    Ok(proxies)
}
