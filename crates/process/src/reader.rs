//! Reads a child's pipes into collectors and tells of the newest output, no more often than a person can see.
//!
//! Being woken for each of many small writes costs the child as much as it costs us. So after a small piece the pipe is left
//! alone for a moment, and what gathered in it is read at once.

use std::future::pending;
use std::io::{self, ErrorKind, PipeReader, Read as _};
use std::mem;
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

/// A piece with fewer bytes is small: more is let gather behind it.
const SMALL: usize = 1 << 10;
/// How long that takes.
const GATHER: Duration = Duration::from_millis(1);
/// When so much came meanwhile, the child writes so quickly that it might have to wait for room in the pipe ..
const QUICK: usize = 16 << 10;
/// .. and for so long it is read without a pause.
const NO_GATHERING: Duration = Duration::from_millis(50);

/// The output pipes of one child.
pub(crate) struct Outputs {
    stdout: Stream,
    stderr: Option<Stream>,
    on_output: Option<OnOutput>,
    next_report: Instant,
    owed: bool,
}

struct Stream {
    source: Source,
    /// Before this nothing is let gather.
    gathers_from: Instant,
    collector: Collector,
    buffer: Vec<u8>,
}

/// The reading end of a pipe.
enum Source {
    /// The runtime tells when something comes.
    Watched(Receiver),
    /// More is let gather until then. The runtime does not watch it: it would be woken for each write.
    Gathering(PipeReader, Instant),
    Ended,
}

/// Whether output may be let gather before it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gather {
    Allowed,
    /// Everything is read as soon as it comes.
    Never,
}

impl Outputs {
    pub(crate) fn new(
        stdout: PipeReader,
        stderr: Option<PipeReader>,
        capture: &Capture,
        on_output: Option<OnOutput>,
    ) -> io::Result<Self> {
        let stream = |pipe| {
            io::Result::Ok(Stream {
                source: Source::Watched(Receiver::from_owned_fd(OwnedFd::from(pipe))?),
                gathers_from: Instant::now(),
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
    pub(crate) async fn pump(&mut self, gather: Gather) {
        while !self.at_end() {
            tokio::select! {
                () = self.stdout.read(gather) => {}
                () = read_optional(self.stderr.as_mut(), gather) => {}
                () = sleep_until(self.next_report), if self.owed => {}
            }
            self.report();
        }
    }

    /// Whether every pipe is at its end.
    pub(crate) fn at_end(&self) -> bool {
        self.stdout.is_at_end() && self.stderr.as_ref().is_none_or(Stream::is_at_end)
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
    /// Takes what there is next; never completes at the end. May be dropped and called again: nothing is lost.
    async fn read(&mut self, gather: Gather) {
        let read = match &mut self.source {
            Source::Watched(pipe) => pipe.read(&mut self.buffer).await,
            Source::Gathering(pipe, until) => {
                if gather == Gather::Allowed {
                    sleep_until(*until).await;
                }
                pipe.read(&mut self.buffer)
            }
            Source::Ended => return pending().await,
        };
        if let Ok(length) = read {
            self.collector.push(self.buffer.get(..length).unwrap_or_default());
        }
        let now = Instant::now();
        let source = mem::replace(&mut self.source, Source::Ended);
        self.source = match (source, read) {
            (_, Ok(0)) => Source::Ended,
            (Source::Gathering(pipe, _), Ok(length)) => {
                if length >= QUICK {
                    self.gathers_from = now + NO_GATHERING;
                }
                if length < QUICK && gather == Gather::Allowed {
                    Source::Gathering(pipe, now + GATHER)
                } else {
                    Source::watched(pipe)
                }
            }
            (Source::Watched(pipe), Ok(length)) => {
                if length < SMALL && gather == Gather::Allowed && now >= self.gathers_from {
                    Source::gathering(pipe, now + GATHER)
                } else {
                    Source::Watched(pipe)
                }
            }
            (Source::Gathering(pipe, _), Err(error))
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) =>
            {
                Source::watched(pipe)
            }
            // An error of a pipe is its end: there is nobody to tell and nothing more to come.
            (_, Err(_)) | (Source::Ended, _) => Source::Ended,
        };
    }

    const fn is_at_end(&self) -> bool {
        matches!(self.source, Source::Ended)
    }

    fn finish(self) -> Captured {
        let source = match self.source {
            Source::Gathering(pipe, _) => Source::watched(pipe),
            source => source,
        };
        if let Source::Watched(pipe) = source {
            tokio::spawn(discard(pipe));
        }
        self.collector.finish()
    }
}

impl Source {
    fn watched(pipe: PipeReader) -> Self {
        Receiver::from_owned_fd_unchecked(pipe.into()).map_or(Self::Ended, Self::Watched)
    }

    fn gathering(pipe: Receiver, until: Instant) -> Self {
        pipe.into_nonblocking_fd().map_or(Self::Ended, |pipe| Self::Gathering(pipe.into(), until))
    }
}

async fn read_optional(stream: Option<&mut Stream>, gather: Gather) {
    match stream {
        Some(stream) => stream.read(gather).await,
        None => pending().await,
    }
}

async fn discard(mut pipe: Receiver) {
    let mut buffer = vec![0; 4 << 10];
    while pipe.read(&mut buffer).await.is_ok_and(|length| length > 0) {}
}

#[cfg(test)]
mod tests {
    use std::io::{PipeWriter, Write as _};

    use super::*;

    fn stream() -> (Stream, PipeWriter) {
        let (reader, writer) = io::pipe().unwrap();
        let outputs = Outputs::new(reader, None, &Capture::default(), None).unwrap();
        (outputs.stdout, writer)
    }

    /// Writes, and reads once: how many bytes that gave, and after how many milliseconds.
    async fn once(stream: &mut Stream, writer: &mut PipeWriter, bytes: usize, gather: Gather) -> (u64, u128) {
        writer.write_all(&vec![b'x'; bytes]).unwrap();
        let (before, began) = (stream.collector.total(), Instant::now());
        stream.read(gather).await;
        (stream.collector.total() - before, began.elapsed().as_millis())
    }

    #[tokio::test(start_paused = true)]
    async fn what_follows_a_small_piece_gathers() {
        let (mut stream, mut writer) = stream();
        assert_eq!(once(&mut stream, &mut writer, 1, Gather::Allowed).await, (1, 0));
        writer.write_all(b"a").unwrap();
        assert_eq!(once(&mut stream, &mut writer, 2000, Gather::Allowed).await, (2001, 1));
        assert_eq!(once(&mut stream, &mut writer, 3, Gather::Allowed).await, (3, 1));
        // Nothing came: the next piece is read as soon as it is there.
        stream.read(Gather::Allowed).await;
        assert!(matches!(stream.source, Source::Watched(_)));
        assert_eq!(once(&mut stream, &mut writer, 4, Gather::Allowed).await, (4, 0));
        drop(writer);
        stream.read(Gather::Allowed).await;
        assert!(stream.is_at_end());
    }

    #[tokio::test(start_paused = true)]
    async fn a_large_piece_is_followed_at_once() {
        let (mut stream, mut writer) = stream();
        for _ in 0..3 {
            assert_eq!(once(&mut stream, &mut writer, SMALL, Gather::Allowed).await, (SMALL as u64, 0));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_child_that_writes_quickly_is_not_held_up() {
        let (mut stream, mut writer) = stream();
        once(&mut stream, &mut writer, 1, Gather::Allowed).await;
        assert_eq!(once(&mut stream, &mut writer, QUICK, Gather::Allowed).await, (QUICK as u64, 1));
        for _ in 0..3 {
            assert_eq!(once(&mut stream, &mut writer, 1, Gather::Allowed).await, (1, 0));
        }
        tokio::time::advance(NO_GATHERING).await;
        assert_eq!(once(&mut stream, &mut writer, 1, Gather::Allowed).await, (1, 0));
        assert_eq!(once(&mut stream, &mut writer, 1, Gather::Allowed).await, (1, 1));
    }

    #[tokio::test(start_paused = true)]
    async fn where_it_must_not_nothing_gathers() {
        let (mut stream, mut writer) = stream();
        once(&mut stream, &mut writer, 1, Gather::Allowed).await;
        for _ in 0..3 {
            assert_eq!(once(&mut stream, &mut writer, 1, Gather::Never).await, (1, 0));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_dropped_read_loses_nothing() {
        let (mut stream, mut writer) = stream();
        for _ in 0..3 {
            once(&mut stream, &mut writer, 1, Gather::Allowed).await;
            writer.write_all(b"ab").unwrap();
            assert!(tokio::time::timeout(Duration::ZERO, stream.read(Gather::Allowed)).await.is_err());
        }
        drop(writer);
        while !stream.is_at_end() {
            stream.read(Gather::Never).await;
        }
        assert_eq!(stream.finish().head, b"xabxabxab");
    }
}
