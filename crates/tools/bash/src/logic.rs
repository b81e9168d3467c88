//! What happens: on plain values, without the tool's context.

mod folder;
mod git;
mod globs;
mod limits;
mod not_analysable;
mod programs;
mod run;
mod text;
mod variables;

pub(crate) use git::{there, top_of_repository, what_git_would_start};
pub(crate) use globs::{folder_taken_for_a_file, links_below, name_taken_for_a_flag, name_taken_for_words};
pub(crate) use limits::{Limits, validate};
pub(crate) use not_analysable::not_analysable;
pub(crate) use programs::what_is_no_systems;
pub(crate) use run::{Run, run};
pub(crate) use variables::{calm, known, temporary_folder, variables};
