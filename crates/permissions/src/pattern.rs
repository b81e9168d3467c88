//! What may stand in a rule's brackets, form by form. Knows no rule and no order of decision.

mod command;
mod domain;
mod glob;
mod literal;
mod path;

pub(crate) use command::{CommandPattern, squeezed};
pub(crate) use domain::{DomainPattern, is_host_character, plain_host};
pub(crate) use glob::{Case, Glob, escape_path, escape_stars, folded};
pub(crate) use literal::Literal;
pub(crate) use path::{
    Anchor, Extent, PathName, PathPattern, Segment, Word, anchors, has_wildcard, names_of, normal_names,
    normalised, words_of,
};

/// Why a specifier could not be understood: the end of a sentence that begins with the rule.
pub(crate) type PatternError = String;
