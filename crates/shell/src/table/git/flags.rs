//! How the flags of a git command are told from its other words. Only exact names: git takes unique beginnings of long flags,
//! and which are unique differs between its versions, so those ask like everything that is not known.

use crate::word::Token;

/// Flags that are alike: of one command, or of a family of commands, and with one consequence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flags {
    /// Letters without a value.
    pub(super) short: &'static str,
    /// Letters with a value, glued or next.
    pub(super) short_value: &'static str,
    /// Letters with a value that is glued or none: the next word is never it.
    pub(super) short_optional: &'static str,
    pub(super) long: &'static [&'static str],
    /// With a value behind `=` or next.
    pub(super) long_value: &'static [&'static str],
    /// With a value behind `=` or none.
    pub(super) long_optional: &'static [&'static str],
    /// With a value behind `=` or next, or none where they stand last.
    pub(super) long_last: &'static [&'static str],
    /// `-5` is a number.
    pub(super) number: bool,
}

pub(super) const NONE: Flags = Flags {
    short: "",
    short_value: "",
    short_optional: "",
    long: &[],
    long_value: &[],
    long_optional: &[],
    long_last: &[],
    number: false,
};

/// One flag of a command.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Flag<'t> {
    /// Which of the tables has it.
    pub(super) table: usize,
    /// `p` of `-p`, `patch` of `--patch`.
    pub(super) name: &'t str,
    pub(super) value: Option<&'t str>,
}

/// The words of a command, told apart.
#[derive(Debug)]
pub(super) struct Given<'t> {
    pub(super) flags: Vec<Flag<'t>>,
    /// Operands before `--`, or all where it is not there.
    pub(super) operands: Vec<&'t Token>,
    /// Those behind `--`.
    pub(super) paths: Option<Vec<&'t Token>>,
}

impl Given<'_> {
    pub(super) fn has(&self, names: &[&str]) -> bool {
        self.flags.iter().any(|flag| names.contains(&flag.name))
    }

    pub(super) fn has_of(&self, table: usize) -> bool {
        self.flags.iter().any(|flag| flag.table == table)
    }

    /// How many operands there are.
    pub(super) fn count(&self) -> usize {
        self.operands.len() + self.paths.as_ref().map_or(0, Vec::len)
    }
}

/// None: a flag that is in no table, or a word of which it is not known whether it is one.
pub(super) fn read<'t>(tables: &[&Flags], words: &'t [Token]) -> Option<Given<'t>> {
    let mut given = Given { flags: Vec::new(), operands: Vec::new(), paths: None };
    let mut rest = words.iter();
    while let Some(token) = rest.next() {
        if !token.exact || token.splits {
            return None;
        }
        if let Some(paths) = &mut given.paths {
            paths.push(token);
            continue;
        }
        // A name that the glob stands for may be a flag.
        if token.glob && token.text.starts_with(['*', '?', '[', '-', '\\']) {
            return None;
        }
        let text = token.text.as_str();
        if text == "--" {
            given.paths = Some(Vec::new());
        } else if let Some(long) = text.strip_prefix("--") {
            let flag = long_flag(tables, long, &mut rest)?;
            given.flags.push(flag);
        } else if let Some(cluster) = text.strip_prefix('-').filter(|cluster| !cluster.is_empty()) {
            short_flags(tables, cluster, &mut rest, &mut given.flags)?;
        } else {
            given.operands.push(token);
        }
    }
    Some(given)
}

fn long_flag<'t>(
    tables: &[&Flags],
    long: &'t str,
    rest: &mut std::slice::Iter<'t, Token>,
) -> Option<Flag<'t>> {
    let (name, glued) = match long.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (long, None),
    };
    for (table, flags) in tables.iter().enumerate() {
        let flag = |value| Some(Flag { table, name, value });
        if glued.is_none() && (flags.long.contains(&name) || flags.long_optional.contains(&name)) {
            return flag(None);
        }
        if glued.is_some() && flags.long_optional.contains(&name) {
            return flag(glued);
        }
        let may_end = flags.long_last.contains(&name);
        if may_end || flags.long_value.contains(&name) {
            if glued.is_some() {
                return flag(glued);
            }
            return match rest.next() {
                Some(next) => flag(Some(value(next, name)?)),
                None if may_end => flag(None),
                None => None,
            };
        }
    }
    None
}

fn short_flags<'t>(
    tables: &[&Flags],
    cluster: &'t str,
    rest: &mut std::slice::Iter<'t, Token>,
    found: &mut Vec<Flag<'t>>,
) -> Option<()> {
    if cluster.bytes().all(|byte| byte.is_ascii_digit()) {
        let table = tables.iter().position(|flags| flags.number)?;
        found.push(Flag { table, name: "number", value: Some(cluster) });
        return Some(());
    }
    for (at, letter) in cluster.char_indices() {
        let after = at + letter.len_utf8();
        let (name, glued) = (cluster.get(at..after)?, cluster.get(after..)?);
        let has = |letters: fn(&Flags) -> &'static str| {
            tables.iter().position(|flags| letters(flags).contains(letter))
        };
        if let Some(table) = has(|flags| flags.short) {
            found.push(Flag { table, name, value: None });
            continue;
        }
        let glued = (!glued.is_empty()).then_some(glued);
        if let Some(table) = has(|flags| flags.short_optional) {
            found.push(Flag { table, name, value: glued });
            return Some(());
        }
        let table = has(|flags| flags.short_value)?;
        let value = match glued {
            Some(glued) => glued,
            None => value(rest.next()?, name)?,
        };
        found.push(Flag { table, name, value: Some(value) });
        return Some(());
    }
    Some(())
}

/// A value in a word of its own. One that begins with a dash may be a flag for some version of git; an order of sorting is none
/// for any.
fn value<'t>(token: &'t Token, of: &str) -> Option<&'t str> {
    token.literal().filter(|value| !value.starts_with('-') || of == "sort")
}
