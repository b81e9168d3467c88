//! Reads a child's pipes into collectors and tells of the newest output, no more often than a person can see.

use std::future::pending;
use std::io::{self, PipeReader};
use std::os::fd::OwnedFd;
use std::time::Duration;

use tokio::io::AsyncReadExt as _;
use tokio::net::unix::pipe::Receiver;
use tokio::time::{Instant, sleep_until};

use crate::capture::{Capture, Captured, Collector};
use crate::process::OnOutput;

const BUFFER: usize = 64 << 10;
const NEWEST: usize = 4 << 10;
const BETWEEN_REPORTS: Duration = Duration::from_millis(100);

/// The output pipes of one child.
pub(crate) struct Outputs {
    stdout: Stream,
    stderr: Option<Stream>,
    on_output: Option<OnOutput>,
    next_report: Instant,
    owed: bool,
}

struct Stream {
    /// None at its end.
    pipe: Option<Receiver>,
    collector: Collector,
    buffer: Vec<u8>,
}

impl Outputs {
    pub(crate) fn new(
        stdout: PipeReader,
        stderr: Option<PipeReader>,
        capture: &Capture,
        on_output: Option<OnOutput>,
    ) -> io::Result<Self> {
        let stream = |pipe| {
            let pipe = Some(Receiver::from_owned_fd(OwnedFd::from(pipe))?);
            io::Result::Ok(Stream {
                pipe,
                collector: Collector::new(capture.clone()),
                buffer: vec![0; BUFFER],
            })
        };
        Ok(Self {
            stdout: stream(stdout)?,
            stderr: stderr.map(stream).transpose()?,
            on_output,
            next_report: Instant::now(),
            owed: false,
        })
    }

    /// Reads until every pipe is at its end. May be dropped and called again: nothing is lost.
    pub(crate) async fn pump(&mut self) {
        while !self.at_end() {
            tokio::select! {
                () = self.stdout.read() => {}
                () = read_optional(self.stderr.as_mut()) => {}
                () = sleep_until(self.next_report), if self.owed => {}
            }
            self.report();
        }
    }

    /// Whether every pipe is at its end.
    pub(crate) fn at_end(&self) -> bool {
        self.stdout.pipe.is_none() && self.stderr.as_ref().is_none_or(|stream| stream.pipe.is_none())
    }

    /// What was kept. A pipe that is still open is read on and dropped, so that what holds it does not die of writing.
    pub(crate) fn finish(self) -> (Captured, Captured) {
        let stderr = self.stderr.map(Stream::finish).unwrap_or_default();
        (self.stdout.finish(), stderr)
    }

    fn report(&mut self) {
        let Some(on_output) = &self.on_output else { return };
        let total =
            self.stdout.collector.total() + self.stderr.as_ref().map_or(0, |stream| stream.collector.total());
        if total == 0 {
            return;
        }
        let now = Instant::now();
        self.owed = now < self.next_report;
        if !self.owed {
            on_output(&self.stdout.collector.newest(NEWEST), total);
            self.next_report = now + BETWEEN_REPORTS;
        }
    }
}

impl Stream {
    /// Takes what there is next; never completes at the end.
    async fn read(&mut self) {
        let Some(pipe) = &mut self.pipe else { return pending().await };
        match pipe.read(&mut self.buffer).await {
            Ok(length @ 1..) => self.collector.push(self.buffer.get(..length).unwrap_or_default()),
            // An error of a pipe is its end: there is nobody to tell and nothing more to come.
            Ok(0) | Err(_) => self.pipe = None,
        }
    }

    fn finish(self) -> Captured {
        if let Some(pipe) = self.pipe {
            tokio::spawn(discard(pipe));
        }
        self.collector.finish()
    }
}

async fn read_optional(stream: Option<&mut Stream>) {
    match stream {
        Some(stream) => stream.read().await,
        None => pending().await,
    }
}

async fn discard(mut pipe: Receiver) {
    let mut buffer = vec![0; 4 << 10];
    while pipe.read(&mut buffer).await.is_ok_and(|length| length > 0) {}
}
