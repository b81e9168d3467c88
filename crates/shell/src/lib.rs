//! Bash text into a syntax tree, and that into what a command touches. Pure: it opens no file, starts nothing, knows no rule.
//!
//! [`analyse`] reads a text once and gives an [`Analysis`]: the command parts in the forms rules match, the paths, what it
//! may do, and what only a person should allow. Whatever is not understood makes the whole not analysable, and
//! that is a subject of its own: it asks.

mod analysis;
mod arguments;
mod arithmetic;
mod assignment;
mod braces;
mod builtins;
mod compound;
mod critical;
mod deny;
mod files;
mod found;
mod git_commands;
mod git_writes;
mod given_up;
mod inline;
mod names;
mod parameter;
mod place;
mod reading;
mod redirect;
mod repository;
mod scripts;
mod simple;
mod started;
mod starters;
mod state;
mod table;
mod unread;
mod walk;
mod word;
mod wrapper;

pub use analysis::{Analysis, Names, analyse};
pub use place::Place;
