//! What may stand in a rule's brackets, form by form. Knows no rule and no order of decision.

mod command;
mod domain;
mod glob;
mod path;

pub(crate) use command::CommandPattern;
pub(crate) use domain::{DomainPattern, is_host_character, plain_host};
pub(crate) use glob::{Case, Glob, escape_path, escape_stars};
pub(crate) use path::{PathPattern, Reading, has_wildcard, normalised};

/// Why a specifier could not be understood: the end of a sentence that begins with the rule.
pub(crate) type Misread = String;
