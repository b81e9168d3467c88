//! `demo`: a scripted model drives the real tools through a small task on a throw-away copy of a sample project.

#[cfg(feature = "scripted")]
mod show;

use crate::environment::Surroundings;
use crate::exit::Exit;
use crate::flags::Common;

/// Shows the whole; leaves nothing behind.
#[cfg(feature = "scripted")]
pub(crate) fn demo(common: &Common, surroundings: Surroundings) -> Exit {
    crate::run::in_runtime(show::show(common, surroundings))
}

/// Says what is missing.
#[cfg(not(feature = "scripted"))]
pub(crate) fn demo(_: &Common, _: Surroundings) -> Exit {
    crate::stdout::say("this binary was built without the feature `scripted`, which the demo needs");
    Exit::Failed
}
