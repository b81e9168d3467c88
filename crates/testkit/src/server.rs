//! A local server that speaks both model APIs from a script, streamed or whole, with the faults the script orders. It listens
//! on a free port of this machine, keeps every request, and serves from a thread of its own, so that a test with or without a
//! runtime, or a bench, can use it. Knows no client.

mod asked;
mod chat;
mod handler;
mod messages;
mod parts;

use std::collections::BTreeMap;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::sync::oneshot;
use toolwright_model::scripted::{Script, Turns};

/// A running server. Dropping it closes all its connections.
#[derive(Debug)]
pub struct ModelServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// A request as it came.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Recorded {
    /// The path it asked for.
    pub path: String,
    /// Its headers, names in lower case; a key's value is `[key]`.
    pub headers: BTreeMap<String, String>,
    /// Its body.
    pub body: Value,
    /// Its body's bytes.
    pub bytes: Vec<u8>,
    /// When its body was whole.
    pub received: Instant,
    /// When the last byte of the answer was handed to the connection.
    pub answered: Option<Instant>,
    /// Whether the client went away before the answer was whole.
    pub abandoned: bool,
}

#[derive(Debug)]
pub(crate) struct Shared {
    turns: Mutex<Turns>,
    requests: Mutex<Vec<Recorded>>,
    cwd: String,
}

impl ModelServer {
    /// Serves `script`, whose `{cwd}` is `cwd`. Each request takes a turn; one that fits none is answered with status 400 and
    /// the reason.
    #[must_use]
    pub fn start(script: Script, cwd: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port on 127.0.0.1");
        listener.set_nonblocking(true).expect("a socket that does not block");
        let address = listener.local_addr().expect("the address of an open socket");
        let shared = Arc::new(Shared {
            turns: Mutex::new(Turns::new(script)),
            requests: Mutex::default(),
            cwd: cwd.display().to_string(),
        });
        let (stop, stopped) = oneshot::channel();
        let served = Arc::clone(&shared);
        let thread = std::thread::spawn(move || serve(listener, served, stopped));
        Self { address, shared, stop: Some(stop), thread: Some(thread) }
    }

    /// The server of a script given as text.
    ///
    /// # Panics
    /// When the text is no script.
    #[must_use]
    pub fn with_script(script: &str) -> Self {
        Self::start(script.parse().expect("a script"), Path::new("/work"))
    }

    /// `http://127.0.0.1:PORT`: what to set `ANTHROPIC_BASE_URL` or `OPENAI_BASE_URL` to.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The requests so far, in the order in which they came.
    #[must_use]
    pub fn requests(&self) -> Vec<Recorded> {
        locked(&self.shared.requests).clone()
    }

    /// How many turns of the script have not been asked for.
    #[must_use]
    pub fn left(&self) -> usize {
        locked(&self.shared.turns).left()
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic of the server has been printed by its own thread.
            let _ = thread.join();
        }
    }
}

fn serve(listener: TcpListener, shared: Arc<Shared>, stopped: oneshot::Receiver<()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener).expect("a listener of this runtime");
        let accept = async {
            loop {
                let Ok((stream, _)) = listener.accept().await else { continue };
                let _ = stream.set_nodelay(true);
                let shared = Arc::clone(&shared);
                let answer = service_fn(move |request| handler::answer(Arc::clone(&shared), request));
                tokio::spawn(async move {
                    // It ends with an error wherever the script breaks it.
                    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), answer).await;
                });
            }
        };
        tokio::select! {
            () = accept => {}
            _ = stopped => {}
        }
    });
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
