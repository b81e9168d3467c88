//! A listener that notes when the first bytes came, whatever they are. It answers nothing.

use std::io::Read;
use std::net::{SocketAddr, TcpListener};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

pub(crate) struct Listener {
    address: Option<SocketAddr>,
    came: Receiver<Instant>,
}

impl Listener {
    pub(crate) fn open() -> Self {
        let listener =
            TcpListener::bind("127.0.0.1:0").unwrap_or_else(|error| panic!("no free port: {error}"));
        let address = listener.local_addr().ok();
        let (send, came) = mpsc::channel();
        thread::spawn(move || {
            let Ok((mut stream, _)) = listener.accept() else { return };
            let mut bytes = [0; 16 * 1024];
            if stream.read(&mut bytes).is_ok_and(|count| count > 0) {
                let _ = send.send(Instant::now());
            }
            // Held open until the other side has enough of it.
            let _ = stream.read_to_end(&mut Vec::new());
        });
        Self { address, came }
    }

    pub(crate) fn address(&self) -> String {
        self.address.map(|address| address.to_string()).unwrap_or_default()
    }

    /// When they came; none when nothing does.
    pub(crate) fn first_bytes(&self) -> Option<Instant> {
        self.came.recv_timeout(Duration::from_secs(60)).ok()
    }
}
