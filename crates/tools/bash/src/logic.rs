//! What happens: on plain values, without the tool's context.

mod folder;
mod git;
mod limits;
mod run;
mod text;
mod variables;

pub(crate) use git::what_git_would_start;
pub(crate) use limits::{Limits, validate};
pub(crate) use run::{Run, run};
pub(crate) use variables::{temporary_folder, variables, variables_for};
