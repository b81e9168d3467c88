//! What a person types while something is drawn is not shown by the terminal: it would leave a line in the middle of what
//! moves. It is not lost; whoever reads next gets it.

use std::io;

use nix::sys::termios::{LocalFlags, SetArg, Termios, tcgetattr, tcsetattr};
use nix::unistd::{getpgrp, tcgetpgrp};

/// The echo of the terminal on standard input, put back as it was when it is dropped.
#[derive(Debug)]
pub(crate) struct Echo(Option<Termios>);

impl Echo {
    /// As it is now; of no terminal there is none.
    pub(crate) fn of_input() -> Self {
        Self(tcgetattr(io::stdin()).ok())
    }

    /// Turns it off, signals and lines stay as they are.
    pub(crate) fn off(&self) {
        if let Some(mut mode) = self.0.clone() {
            mode.local_flags.remove(LocalFlags::ECHO);
            set(&mode);
        }
    }

    /// Puts it back.
    pub(crate) fn back(&self) {
        if let Some(mode) = &self.0 {
            set(mode);
        }
    }
}

impl Drop for Echo {
    fn drop(&mut self) {
        self.back();
    }
}

fn set(mode: &Termios) {
    // A job in the background would be stopped for it.
    if tcgetpgrp(io::stdin()).is_ok_and(|foreground| foreground == getpgrp()) {
        let _ = tcsetattr(io::stdin(), SetArg::TCSANOW, mode);
    }
}
