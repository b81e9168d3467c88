//! Redirects: what they write and read needs cover of its own.

use toolwright_bash_syntax::tree::{Descriptor, FileMode, Part, Redirect, RedirectKind, Word};
use toolwright_core::{Cover, PathAccess};

use crate::state::Variable;
use crate::walk::Walk;

impl Walk<'_> {
    pub(crate) fn redirect(&mut self, redirect: &Redirect) {
        match &redirect.kind {
            RedirectKind::File { mode, target } => {
                let access = match mode {
                    FileMode::Read => PathAccess::Read,
                    FileMode::Write
                    | FileMode::Append
                    | FileMode::Clobber
                    | FileMode::ReadWrite
                    | FileMode::WriteBoth
                    | FileMode::AppendBoth => PathAccess::Write,
                };
                self.target(target, access);
            }
            RedirectKind::Duplicate { input, source } => {
                let is_number = self.word_is_number(source);
                let tokens = self.value(source);
                let descriptor = |text: &str| {
                    let digits = text.strip_suffix('-').unwrap_or(text);
                    digits.bytes().all(|byte| byte.is_ascii_digit())
                };
                let known = tokens.iter().all(|token| token.literal().is_some_and(descriptor));
                if !known && !is_number {
                    self.target(source, if *input { PathAccess::Read } else { PathAccess::Write });
                }
            }
            RedirectKind::HereString(word) => drop(self.value(word)),
            RedirectKind::HereDocument { body, .. } => self.document(body),
        }
        // The number of the new descriptor is assigned to the variable.
        if let Some(Descriptor::Variable(name, subscript)) = &redirect.descriptor {
            self.subscript(name, subscript.as_ref());
            let value = if subscript.is_none() { Variable::Number } else { Variable::Unknown };
            self.sets_for_others(name, &format!("{name}="));
            self.set(name, value);
        }
    }

    fn target(&mut self, word: &Word, access: PathAccess) {
        let ways = self.word(word);
        let source = &word.source;
        for way in &ways {
            let [token] = way.as_slice() else {
                return self.unreadable(format!("the redirect target `{source}` may be several files"));
            };
            // The name that a loop took from a glob: whichever it is, it is one of those that the glob stands for.
            let is_one_of_glob = token.glob && access.is_read() && !token.text.starts_with("/dev");
            if is_one_of_glob && token.exact && !token.splits {
                self.token_path(token, access, Cover::Own);
                continue;
            }
            if !token.exact || token.glob || token.splits {
                return self
                    .unreadable(format!("the redirect target `{source}` is not known before it runs"));
            }
            match token.text.as_str() {
                "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/stdin" => {}
                crate::walk::SUBSTITUTION => {}
                network if network.starts_with("/dev/tcp/") || network.starts_with("/dev/udp/") => {
                    let host = network.split('/').nth(3).unwrap_or_default();
                    self.hosts.push(host.into());
                }
                path => self.path(Some(path), access, Cover::Own),
            }
        }
    }
}

/// Whether the command may not run because of it: only what is opened for sure leaves no doubt.
pub(crate) fn may_fail(redirect: &Redirect) -> bool {
    let text = |word: &Word| match word.parts.as_slice() {
        [Part::Text(text) | Part::Quoted(text)] => Some(text.clone()),
        _ => None,
    };
    match &redirect.kind {
        RedirectKind::File { target, .. } => text(target).as_deref() != Some("/dev/null"),
        RedirectKind::Duplicate { source, .. } => !matches!(text(source).as_deref(), Some("0" | "1" | "2")),
        RedirectKind::HereString(_) | RedirectKind::HereDocument { .. } => false,
    }
}
