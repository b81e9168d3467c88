//! The live view of a session as a sink of the runtime: shared, ticking, quiet while a person is asked.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use toolwright::core::DynCall;
use toolwright::engine::event::SessionEvent;
use toolwright::runtime::Sink;
#[cfg(feature = "scripted")]
use toolwright_render::Line;
use toolwright_render::{FindTool, Layout, Live, LiveOptions};

use crate::echo::Echo;
use crate::stdout::Drawn;
use crate::terminal::Stream;

/// How often what moves is drawn again.
const FRAME: Duration = Duration::from_millis(100);

/// A session being watched.
#[derive(Clone)]
pub(crate) struct Watch {
    live: Arc<Mutex<Live<Box<dyn Write + Send>>>>,
    redraws: bool,
    /// There as long as something moves.
    echo: Arc<Mutex<Option<Echo>>>,
}

impl Watch {
    /// Draws on `stream`.
    pub(crate) fn on(stream: Stream, options: LiveOptions, find_tool: FindTool) -> Self {
        let writer: Box<dyn Write + Send> = match stream {
            Stream::Out => Box::new(Drawn),
            Stream::Err => Box::new(io::stderr()),
        };
        let redraws = options.redraw;
        let live = Live::new(writer, move || stream.width(), options).with_tools(find_tool);
        Self { live: Arc::new(Mutex::new(live)), redraws, echo: Arc::default() }
    }

    /// Draws what moves until it is dropped; needs the runtime.
    pub(crate) fn keep_moving(&self) -> Option<Moving> {
        let watch = self.redraws.then(|| self.clone())?;
        let echo = Echo::of_input();
        echo.off();
        *self.echo() = Some(echo);
        let ticking = tokio::spawn(async move {
            loop {
                tokio::time::sleep(FRAME).await;
                watch.live().tick(now());
            }
        });
        Some(Moving { ticking, watch: self.clone() })
    }

    /// Nothing moves until the guard is dropped.
    pub(crate) fn quiet(&self) -> Quiet {
        self.live().suspend();
        if let Some(echo) = &*self.echo() {
            echo.back();
        }
        Quiet(self.clone())
    }

    /// Where lines fit now.
    pub(crate) fn layout(&self) -> Layout {
        self.live().layout()
    }

    /// Prints lines above what moves.
    #[cfg(feature = "scripted")]
    pub(crate) fn print(&self, lines: &[Line]) {
        self.live().print(lines);
    }

    /// Prints what is left and takes away what moves.
    pub(crate) fn finish(&self) {
        self.live().finish();
    }

    fn echo(&self) -> MutexGuard<'_, Option<Echo>> {
        self.echo.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn live(&self) -> MutexGuard<'_, Live<Box<dyn Write + Send>>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sink for Watch {
    fn event(&self, event: &SessionEvent, call: Option<&Arc<dyn DynCall>>) {
        self.live().event(event, call);
    }
}

/// Ends the drawing when it is dropped.
pub(crate) struct Moving {
    ticking: tokio::task::JoinHandle<()>,
    watch: Watch,
}

impl Drop for Moving {
    fn drop(&mut self) {
        self.ticking.abort();
        *self.watch.echo() = None;
    }
}

/// Lets the drawing go on when it is dropped.
pub(crate) struct Quiet(Watch);

impl Drop for Quiet {
    fn drop(&mut self) {
        if let Some(echo) = &*self.0.echo() {
            echo.off();
        }
        self.0.live().resume();
    }
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
