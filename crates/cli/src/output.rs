//! The result of a run on standard output, in the format asked for, and the run on the terminal beside it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use toolwright::core::{Cancel, DynCall};
use toolwright::engine::event::SessionEvent;
use toolwright::runtime::Sink;
use toolwright_render::{RunEnd, StreamJson, Summary, safe_text};

use crate::exit::Exit;
use crate::flags::OutputFormat;
use crate::stdout::{ReaderGone, print, say};
use crate::terminal::Stream;
use crate::watch::Watch;

enum Projection {
    Text(Summary),
    Json(Summary),
    Stream(Box<StreamJson>),
}

/// Takes a run's events in; gives its result.
pub(crate) struct Output {
    projection: Mutex<Projection>,
    watch: Option<Watch>,
    /// Cancelled when nobody reads the result any more.
    cancel: Cancel,
}

impl Output {
    /// Output of `format`; `watch` shows the run too.
    pub(crate) fn new(format: OutputFormat, watch: Option<Watch>, cancel: Cancel) -> Arc<Self> {
        let projection = match format {
            OutputFormat::Text => Projection::Text(Summary::default()),
            OutputFormat::Json => Projection::Json(Summary::default()),
            OutputFormat::StreamJson => Projection::Stream(Box::default()),
        };
        Arc::new(Self { projection: Mutex::new(projection), watch, cancel })
    }

    /// The run could not begin, or could not go on: says why, to programs too.
    pub(crate) fn fail(&self, message: &str) -> Exit {
        match &mut *self.projection() {
            Projection::Text(summary) | Projection::Json(summary) => summary.fail(message),
            Projection::Stream(stream) => stream.fail(message),
        }
        self.finish(None)
    }

    /// The run is over: prints what is left of it.
    pub(crate) fn finish(&self, duration: Option<Duration>) -> Exit {
        if let Some(watch) = &self.watch {
            watch.finish();
        }
        let (end, complaint, printed) = match &mut *self.projection() {
            Projection::Text(summary) => (summary.end(), summary.complaint(), self.print_text(summary)),
            Projection::Json(summary) => {
                (summary.end(), summary.complaint(), print_line(&summary.result(duration)))
            }
            Projection::Stream(stream) => {
                (stream.end(), stream.complaint(), print_line(&stream.finish(duration)))
            }
        };
        if let Some(complaint) = complaint {
            say(&complaint);
        }
        match (end, printed) {
            (RunEnd::Interrupted, _) => Exit::Interrupted,
            (RunEnd::Done, Ok(())) => Exit::Done,
            _ => Exit::Failed,
        }
    }

    /// On a terminal on which the run was watched the text stands there already.
    fn print_text(&self, summary: &Summary) -> Result<(), ReaderGone> {
        match (Stream::Out.is_terminal(), &self.watch) {
            (true, Some(_)) if Stream::Err.is_terminal() => Ok(()),
            (true, _) => print(&safe_text(summary.text())),
            (false, _) => print(summary.text()),
        }
    }

    fn projection(&self) -> MutexGuard<'_, Projection> {
        self.projection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sink for Output {
    fn event(&self, event: &SessionEvent, call: Option<&Arc<dyn DynCall>>) {
        match &self.watch {
            Some(watch) => watch.event(event, call),
            None => SaidNotices.event(event, call),
        }
        match &mut *self.projection() {
            Projection::Text(summary) | Projection::Json(summary) => summary.event(event),
            Projection::Stream(stream) => {
                let gone = stream.event(event).iter().any(|line| print_line(line).is_err());
                if gone {
                    self.cancel.cancel();
                }
            }
        }
    }
}

/// Says what a person should know on standard error, and nothing else: where nobody watches the run.
pub(crate) struct SaidNotices;

impl Sink for SaidNotices {
    fn event(&self, event: &SessionEvent, _: Option<&Arc<dyn DynCall>>) {
        if let Some(text) = event.body.notice() {
            say(&text);
        }
    }
}

fn print_line(line: &Value) -> Result<(), ReaderGone> {
    print(&line.to_string())
}
