//! What the terminal is: whether there is one, how wide, whether colours are wanted.

use std::io::{self, IsTerminal};

use toolwright::core::Environment;
use toolwright_render::Paint;

/// Where something is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

impl Stream {
    /// Whether a person sees it.
    pub(crate) fn is_terminal(self) -> bool {
        match self {
            Self::Out => io::stdout().is_terminal(),
            Self::Err => io::stderr().is_terminal(),
        }
    }

    /// Its columns now; none where it is no terminal.
    pub(crate) fn width(self) -> Option<usize> {
        let size = match self {
            Self::Out => terminal_size::terminal_size_of(io::stdout()),
            Self::Err => terminal_size::terminal_size_of(io::stderr()),
        };
        // A terminal that does not say is taken to be the usual one.
        let columns = size.map(|(width, _)| usize::from(width.0)).filter(|columns| *columns > 0);
        columns.or_else(|| self.is_terminal().then_some(80))
    }

    /// Whether it takes cursor movements.
    pub(crate) fn is_redrawable(self, environment: &Environment) -> bool {
        self.is_terminal() && environment.variable("TERM") != Some("dumb")
    }

    /// Whether colours are used: on a terminal, unless `NO_COLOR` or a dumb terminal says no.
    pub(crate) fn paint(self, environment: &Environment) -> Paint {
        if self.is_redrawable(environment) && environment.variable("NO_COLOR").is_none() {
            Paint::Ansi
        } else {
            Paint::Plain
        }
    }
}
