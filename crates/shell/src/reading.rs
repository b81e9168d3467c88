//! Commands that only read: what they read, where, and on which programs that depends.

use toolwright_core::{Cover, PathAccess};

use crate::arguments::Reads;
use crate::found::{self, Below, Found, Handed};
use crate::simple::system_name;
use crate::walk::Walk;
use crate::word::Token;
use crate::wrapper::Stripped;
use crate::{Names, files, table};

/// A command whose program is known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call<'a> {
    pub(crate) program: &'a str,
    pub(crate) arguments: &'a [Token],
    /// The command without its wrappers.
    pub(crate) stripped: &'a Stripped<'a>,
    /// No program starts it: it may be the shell's own.
    pub(crate) own: bool,
    /// Only its exact text is allowed by a rule.
    pub(crate) exact: bool,
}

/// What a command reads, and the programs that were relied on.
#[derive(Debug)]
pub(crate) struct Reading {
    reads: Vec<Reads>,
    pub(crate) programs: Vec<String>,
    /// Where the names come from that it hands on.
    below: Vec<Below>,
}

impl Walk<'_> {
    /// What the table says; of a program by its path, where that is a folder of the system.
    pub(crate) fn read_only(&self, call: &Call<'_>, found: Option<&Found>) -> Option<Reading> {
        let &Call { program, arguments, stripped, own, exact } = call;
        let needs_shell = ["cd", "pushd", "popd", "read", "set"].contains(&program);
        if needs_shell && !own || self.functions.contains_key(program) {
            return None;
        }
        let mut programs: Vec<String> =
            stripped.wrappers.iter().filter(|name| !is_prefix(name)).cloned().collect();
        if !own || !table::is_builtin(program) {
            programs.push(program.to_owned());
        }
        if program == "set" {
            let harmless = crate::builtins::set_is_harmless(arguments);
            return harmless.then(|| Reading { reads: vec![Reads::nothing()], programs, below: Vec::new() });
        }
        let name = system_name(program).filter(|name| !table::is_builtin(name)).unwrap_or(program);
        let (outer, handed) = match name {
            // `xargs` without a flag, whose names come from `find`: those words stand behind the others.
            _ if stripped.piped && found.is_some() => {
                let (_, known) = stripped.words.split_last()?;
                let words: Vec<Token> = known.iter().flat_map(|word| word.tokens.clone()).collect();
                (None, Some(found::behind_xargs(&words, found)?))
            }
            "find" if exact => {
                let (conditions, handed) = found::behind_exec(arguments)?;
                (Some(table::read_only("find", &conditions)?), Some(handed))
            }
            "xargs" => (None, Some(found::behind_xargs(arguments, found)?)),
            _ if exact => return None,
            _ => (Some(table::read_only(name, arguments)?), None),
        };
        let mut reads: Vec<Reads> = outer.into_iter().collect();
        let mut below = Vec::new();
        if let Some(Handed { program, arguments, names }) = handed {
            below = names;
            let mut inner = table::read_only(&program, &arguments)?;
            // What comes from elsewhere may be any word.
            if arguments.iter().any(|token| token.splits) && !inner.any_words {
                return None;
            }
            // Without a word it reads where it is.
            inner.here |= !inner.any_words;
            reads.push(inner);
            programs.push(program);
        }
        programs.extend(reads.iter().flat_map(|reads| reads.starts).map(|name| (*name).to_owned()));
        Some(Reading { reads, programs, below })
    }

    /// A command the table knows as reading: whether where it reads is known too.
    pub(crate) fn reads(&mut self, index: usize, call: &Call<'_>, reading: &Reading) -> bool {
        let cover = Cover::With(index);
        let Call { program, arguments, stripped, .. } = *call;
        let any_words = reading.reads.iter().all(|reads| reads.any_words);
        let mut known = !stripped.piped || any_words || !reading.below.is_empty();
        known &= !arguments.iter().any(Token::lists_any);
        for reads in &reading.reads {
            let access = if reads.below { PathAccess::ReadBelow } else { PathAccess::Read };
            for path in &reads.paths {
                known &= path.exact || path.found;
                // `~/x`, a glob, a plain name: the path as spelled, globs included, lies below the folder it names.
                let cover = if files::is_public(path) { Cover::Unneeded } else { cover };
                self.token_path(path, access, cover);
            }
            if reads.here {
                self.path(Some("."), access, cover);
            }
            if reads.followed {
                known &= self.follows_none(reads, cover);
            }
            if reads.files && !self.is_trial() {
                reads.paths.iter().for_each(|token| self.file(&token.text));
            }
        }
        if program == "cd" && arguments.is_empty() {
            let home = self.place.home.as_deref().and_then(|home| home.to_str()).map(str::to_owned);
            known &= home.is_some();
            self.path(home.as_deref(), PathAccess::Read, cover);
        }
        // It changes places on the stack of folders.
        known &= program != "pushd" || !arguments.is_empty();
        for Below { start, split, followed } in &reading.below {
            let (split, followed) = (*split, *followed);
            self.taken_for_words(start, |folder| Names::Below { folder, split, followed });
        }
        for git in reading.reads.iter().filter_map(|reads| reads.git.as_ref()) {
            known &= self.git_reads(git, cover);
        }
        if !any_words && !self.is_trial() {
            arguments.iter().for_each(|token| self.glob(token));
        }
        known
    }

    /// Links below what is read would be followed, so that the host has to look for them. Whether there are none, as far as is
    /// known: else what is read may be anywhere.
    fn follows_none(&mut self, reads: &Reads, cover: Cover) -> bool {
        let here = reads.here.then_some(".");
        let starts = reads.paths.iter().map(Token::literal).collect::<Option<Vec<_>>>();
        let places = starts.zip(self.state.folders.clone()).filter(|_| !self.place.links && !self.unsteady);
        let Some((starts, folders)) = places else {
            self.path(None, PathAccess::Read, cover);
            return false;
        };
        for start in starts.into_iter().chain(here) {
            let read = folders.iter().map(|folder| folder.join(start));
            let new = read.filter(|path| !self.followed.contains(path)).collect::<Vec<_>>();
            self.followed.extend(new);
        }
        true
    }

    /// Globs among words that are no arguments: the names they stand for are read from their folders.
    pub(crate) fn globs_read(&mut self, tokens: &[Token]) {
        self.lists_any |= tokens.iter().any(Token::lists_any);
        for token in tokens.iter().filter(|token| token.glob) {
            self.token_path(token, PathAccess::Read, Cover::Own);
        }
    }

    /// A path, and what a glob in it may stand for besides: on some versions of bash `.*` is the folder above too.
    pub(crate) fn token_path(&mut self, token: &Token, access: PathAccess, cover: Cover) {
        if token.found {
            return self.path(Some(&token.text), PathAccess::ReadBelow, cover);
        }
        let known = token.exact.then_some(token.text.as_str());
        self.path(known, access, cover);
        let climbs = |part: &str| {
            part.strip_prefix('.').is_some_and(|rest| rest.starts_with(['*', '?', '[']))
                && !part.starts_with("..")
        };
        if token.glob
            && let Some(text) = known.filter(|text| text.split('/').any(climbs))
        {
            let above =
                text.split('/').map(|part| if climbs(part) { ".." } else { part }).collect::<Vec<_>>();
            self.path(Some(&above.join("/")), access, cover);
        }
    }

    /// A glob whose names may be flags: the host looks whether there is one.
    fn glob(&mut self, token: &Token) {
        if !token.glob || !token.text.starts_with(['*', '?', '[']) {
            return;
        }
        let pattern = token.text.split('/').next().unwrap_or_default();
        for folder in self.state.folders.iter().flat_map(|folders| folders.iter()) {
            let glob = (folder.clone(), pattern.to_owned());
            if !self.globs.contains(&glob) {
                self.globs.push(glob);
            }
        }
    }

    /// An operand that must not be a folder, in every folder it may be spelled from.
    fn file(&mut self, spelled: &str) {
        for folder in self.state.folders.iter().flat_map(|folders| folders.iter()) {
            let file = folder.join(spelled);
            if !self.files.contains(&file) {
                self.files.push(file);
            }
        }
    }

    pub(crate) fn rely_on(&mut self, programs: Vec<String>) {
        for name in programs {
            if !self.programs.contains(&name) {
                self.programs.push(name);
            }
        }
    }
}

/// Words of the shell itself before a command.
pub(crate) fn is_prefix(name: &str) -> bool {
    matches!(name, "command" | "builtin")
}
