//! Redirects: what they write and read needs cover of its own.

use brush_parser::ast::{IoFileRedirectKind, IoFileRedirectTarget, IoRedirect, RedirectList};
use toolwright_core::{Cover, PathAccess};

use crate::parse;
use crate::walk::Walk;

impl Walk<'_> {
    pub(crate) fn redirects(&mut self, list: Option<&RedirectList>) {
        list.iter().flat_map(|list| &list.0).for_each(|redirect| self.redirect(redirect));
    }

    pub(crate) fn redirect(&mut self, redirect: &IoRedirect) {
        match redirect {
            IoRedirect::File(_, kind, target) => self.file_redirect(kind, target),
            IoRedirect::OutputAndError(word, _) => self.target(&word.value, PathAccess::Write),
            IoRedirect::HereString(_, word) => drop(self.word(&word.value)),
            IoRedirect::HereDocument(_, document) => {
                if document.requires_expansion {
                    match parse::heredoc_pieces(&document.doc.value) {
                        Ok(pieces) => self.heredoc(&pieces),
                        Err(error) => self.unreadable(format!("a here-document is not understood: {error}")),
                    }
                }
            }
        }
    }

    fn file_redirect(&mut self, kind: &IoFileRedirectKind, target: &IoFileRedirectTarget) {
        let access = match kind {
            IoFileRedirectKind::Read | IoFileRedirectKind::DuplicateInput => PathAccess::Read,
            IoFileRedirectKind::Write
            | IoFileRedirectKind::Append
            | IoFileRedirectKind::ReadAndWrite
            | IoFileRedirectKind::Clobber
            | IoFileRedirectKind::DuplicateOutput => PathAccess::Write,
        };
        match target {
            IoFileRedirectTarget::Fd(_) => {}
            IoFileRedirectTarget::Filename(word) => self.target(&word.value, access),
            IoFileRedirectTarget::ProcessSubstitution(_, subshell) => self.subshell(subshell),
            IoFileRedirectTarget::Duplicate(word) => {
                let digits = word.value.strip_suffix('-').unwrap_or(&word.value);
                if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                    self.target(&word.value, access);
                }
            }
        }
    }

    fn target(&mut self, raw: &str, access: PathAccess) {
        let tokens = self.word(raw);
        let [token] = tokens.as_slice() else {
            return self.unreadable(format!("the redirect target `{raw}` may be several files"));
        };
        if !token.exact || token.glob {
            return self.unreadable(format!("the redirect target `{raw}` is not known before it runs"));
        }
        match token.text.as_str() {
            "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/stdin" => {}
            network if network.starts_with("/dev/tcp/") || network.starts_with("/dev/udp/") => {
                let host = network.split('/').nth(3).unwrap_or_default();
                self.hosts.push(host.into());
            }
            path => self.path(Some(path), access, Cover::Own),
        }
    }
}
