//! Commands of the shell itself: where they go, what they set, and what they would evaluate as code.

use toolwright_core::{Cover, PathAccess};

use crate::names::is_name;
use crate::simple::Word;
use crate::state::Variable;
use crate::walk::Walk;
use crate::word::Token;

impl Walk<'_> {
    /// `index`: of the command part.
    pub(crate) fn builtin(&mut self, program: &str, index: usize, arguments: &[Word]) {
        if let Some(folders) = self.functions.get(program).cloned() {
            // Its body was seen where it was defined; here its paths may mean others, and it may set anything.
            if folders != self.state.folders || self.state.folders.is_none() {
                self.path(None, PathAccess::Write, Cover::With(index));
            }
            return self.forget();
        }
        match program {
            "cd" | "pushd" | "popd" => self.moved(program, arguments),
            "read" => self.names_behind("read", "adinNptu", arguments),
            "mapfile" | "readarray" => self.names_behind(program, "dnOsuCc", arguments),
            "getopts" => {
                self.names(program, arguments.get(1..2).unwrap_or_default());
                self.set("OPTARG", Variable::Unknown);
                self.set("OPTIND", Variable::Number);
            }
            "wait" => self.flagged_name(program, "-p", arguments),
            "printf" => self.flagged_name(program, "-v", arguments.get(..2).unwrap_or(arguments)),
            "declare" | "typeset" | "local" | "export" | "readonly" => self.declared(program, arguments),
            "unset" => {
                let operands = arguments
                    .iter()
                    .filter(|word| !matches!(word.literal(), Some("-v" | "-f" | "-n" | "--")));
                let operands: Vec<Word> = operands.cloned().collect();
                self.names(program, &operands);
            }
            "let" => self.let_(arguments),
            "test" | "[" => self.tested(arguments),
            "set" if !set_keeps_reading(arguments) => {
                self.unreadable("`set` may change how the shell reads what follows");
            }
            "shopt" if !shopt_keeps_reading(arguments) => {
                self.unreadable("`shopt` may change how the shell reads what follows");
            }
            "source" | "." => self.forget(),
            "trap" => {
                let resets =
                    matches!(arguments.first().and_then(Word::literal), None | Some("-" | "-p" | "-l" | ""));
                let quiet = arguments.first().and_then(Word::literal).is_some_and(is_quiet);
                self.unsteady |= !resets && !quiet;
            }
            "fc" => self.unreadable("`fc` runs what stands in the history"),
            "history" if !arguments.is_empty() => self.unreadable("`history` changes the history"),
            _ => {}
        }
    }

    fn moved(&mut self, program: &str, arguments: &[Word]) {
        let operands: Vec<&Word> = arguments.iter().filter(|word| word.literal() != Some("--")).collect();
        let target = match operands.as_slice() {
            [] if program == "cd" && self.state.get("HOME").is_none() => {
                self.place.home.as_deref().and_then(|home| home.to_str()).map(str::to_owned)
            }
            [target] => target.literal().filter(|text| !text.starts_with(['-', '+'])).map(str::to_owned),
            _ => None,
        };
        let is_known = program != "popd"
            && target
                .as_deref()
                .is_some_and(|target| target.starts_with(['/', '.']) || self.state.get("CDPATH").is_none());
        self.go(target.as_deref().filter(|_| is_known));
    }

    /// Names behind flags, of which these letters take a value.
    fn names_behind(&mut self, program: &str, valued: &str, arguments: &[Word]) {
        let mut words = arguments.iter();
        let mut names = Vec::new();
        let mut flags = true;
        while let Some(word) = words.next() {
            match word.literal() {
                Some("--") if flags => flags = false,
                Some(text) if flags && text.starts_with('-') && text.len() > 1 => {
                    let cluster = text.get(1..).unwrap_or_default();
                    let Some(at) = cluster.find(|letter| valued.contains(letter)) else { continue };
                    let letter = cluster.get(at..=at);
                    let glued = cluster.get(at + 1..).unwrap_or_default();
                    let value = match glued.is_empty() {
                        true => words.next().cloned(),
                        false => Some(Word::new(glued, vec![Token::plain(glued)])),
                    };
                    // The array that is read into.
                    if letter == Some("a") && program == "read" {
                        names.extend(value);
                    }
                }
                _ => {
                    flags = false;
                    names.push(word.clone());
                }
            }
        }
        if names.is_empty() {
            let default = if program == "read" { "REPLY" } else { "MAPFILE" };
            self.set(default, Variable::Unknown);
        }
        self.names(program, &names);
    }

    /// Words that name variables which are then not known. A subscript in one is evaluated as code.
    fn names(&mut self, program: &str, words: &[Word]) {
        for word in words {
            let name = word.literal().map(|text| text.split_once('[').unwrap_or((text, "")));
            match name {
                Some((name, subscript)) if is_name(name) && is_index(subscript) => {
                    self.set(name, Variable::Unknown);
                }
                // Not a name: the shell refuses it.
                Some((_, "")) => {}
                _ => self.unreadable(format!("`{program}` evaluates a word that is not a plain name")),
            }
        }
    }

    fn flagged_name(&mut self, program: &str, flag: &str, arguments: &[Word]) {
        for (index, word) in arguments.iter().enumerate() {
            let Some(glued) = word.literal().and_then(|text| text.strip_prefix(flag)) else { continue };
            let word = match glued.is_empty() {
                true => arguments.get(index + 1).cloned(),
                false => Some(Word::new(glued, vec![Token::plain(glued)])),
            };
            self.names(program, word.as_slice());
        }
    }

    fn declared(&mut self, program: &str, arguments: &[Word]) {
        let mut flags = String::from(if program == "readonly" { "-r" } else { "" });
        for word in arguments {
            if let Some(assigned) = &word.assigned {
                self.declared_value(&flags, &assigned.name, assigned.value.clone(), assigned.number);
                continue;
            }
            match word.literal() {
                Some(text) if text.starts_with(['-', '+']) => flags.push_str(text),
                Some(text) => match text.split_once('=') {
                    Some((name, value)) if is_name(name.trim_end_matches('+')) => {
                        let value = Self::known(&[Token::plain(value)]);
                        let value = if name.ends_with('+') { Variable::Unknown } else { value };
                        self.declared_value(&flags, name.trim_end_matches('+'), value, false);
                    }
                    None if is_name(text) => self.declared_name(&flags, text),
                    _ => self.unreadable(format!("`{program}` evaluates a word that is not a plain name")),
                },
                None => {
                    let names =
                        word.tokens.iter().map(|token| token.text.split_once('=').map(|(name, _)| name));
                    match names.collect::<Option<Vec<_>>>() {
                        Some(names) if names.iter().all(|name| is_name(name)) => {
                            let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
                            names.iter().for_each(|name| {
                                self.declared_value(&flags, name, Variable::Unknown, false);
                            });
                        }
                        _ => self.unreadable(format!("`{program}` evaluates a word that is not known")),
                    }
                }
            }
        }
    }

    fn declared_name(&mut self, flags: &str, name: &str) {
        if flags.contains('r') {
            self.fixed.insert(name.into());
        }
        if flags.contains('i') {
            self.integers.insert(name.into());
        }
        if flags.contains('n') && !flags.starts_with('+') {
            self.unreadable("a name that stands for another variable is not followed");
        }
        self.state.set_keyed(name, flags.contains('A'));
    }

    fn declared_value(&mut self, flags: &str, name: &str, value: Variable, number: bool) {
        self.declared_name(flags, name);
        let kept = !flags.contains(['l', 'u', 'c']);
        self.set_surely(name, if kept || number { value } else { Variable::Unknown }, number);
    }

    /// Each word is arithmetic, in text that is read when it runs: only the plainest is followed.
    fn let_(&mut self, arguments: &[Word]) {
        for word in arguments {
            let Some(text) = word.literal() else {
                self.unreadable("`let` evaluates a word that is not known");
                continue;
            };
            let fine = |character: char| {
                character.is_ascii_alphanumeric() || " _+-*/%<>=!&|^~?:(),".contains(character)
            };
            if !text.chars().all(fine) {
                self.unreadable(format!("`let` evaluates `{text}` as code"));
                continue;
            }
            let names = text.split(|character: char| !character.is_ascii_alphanumeric() && character != '_');
            let first = text.trim_start().split_once('=').filter(|(_, rest)| !rest.starts_with('='));
            let assigned = first.map(|(name, _)| name.trim_end()).filter(|name| is_name(name));
            for name in names.filter(|name| is_name(name)) {
                if assigned != Some(name) && !self.holds_number(name) {
                    self.unreadable(format!("`let` evaluates the value of `{name}` as code"));
                }
                self.set(name, Variable::Number);
            }
        }
    }

    fn tested(&mut self, arguments: &[Word]) {
        for pair in arguments.windows(2) {
            let [operator, operand] = pair else { continue };
            if matches!(operator.literal(), Some("-v" | "-R"))
                && !operand.literal().is_some_and(|text| is_name(text) || text == "]" || !text.contains('['))
            {
                self.unreadable("`test -v` evaluates its operand as code");
            }
        }
    }
}

/// A number, or nothing, before the closing bracket.
fn is_index(subscript: &str) -> bool {
    subscript.is_empty()
        || subscript.strip_suffix(']').is_some_and(|index| {
            matches!(index, "@" | "*")
                || (!index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit()))
        })
}

/// Whether an action of a trap sets nothing: removing, printing and leaving are the usual ones.
fn is_quiet(action: &str) -> bool {
    const QUIET: [&str; 9] = ["rm", "echo", "kill", "exit", "rmdir", "true", ":", "printf", "wait"];
    let plain = action
        .chars()
        .all(|character| character.is_ascii_alphanumeric() || " _-./\"$;&|{}0?>:".contains(character));
    let commands = action.split([';', '&', '|']).map(str::trim).filter(|command| !command.is_empty());
    plain
        && commands.into_iter().all(|command| {
            command.split(' ').next().is_some_and(|name| QUIET.contains(&name) || name.parse::<u8>().is_ok())
        })
}

const FLAGS: &str = "euxaEThbCm";
const OPTIONS: [&str; 11] = [
    "errexit",
    "nounset",
    "pipefail",
    "xtrace",
    "errtrace",
    "functrace",
    "noclobber",
    "allexport",
    "notify",
    "monitor",
    "noexec",
];

/// Whether the shell reads what follows as it did before.
fn set_keeps_reading(arguments: &[Word]) -> bool {
    let words: Vec<Option<&str>> = arguments.iter().map(Word::literal).collect();
    options(&words, FLAGS, &OPTIONS)
}

/// `set -euo pipefail` and less: it ends earlier, and does nothing else.
pub(crate) fn set_is_harmless(arguments: &[Token]) -> bool {
    let words: Vec<Option<&str>> = arguments.iter().map(Token::literal).collect();
    let flags = words
        .iter()
        .all(|word| word.is_some_and(|word| word.starts_with(['-', '+']) || OPTIONS.contains(&word)));
    !words.is_empty()
        && !words.contains(&Some("--"))
        && flags
        && options(&words, "eu", &["errexit", "nounset", "pipefail"])
}

fn options(words: &[Option<&str>], letters: &str, names: &[&str]) -> bool {
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let Some(word) = word else { return false };
        if *word == "--" || *word == "-" {
            return true;
        }
        let Some(flags) = word.strip_prefix(['-', '+']) else { return true };
        for flag in flags.chars() {
            let known = match flag {
                'o' => words.next().is_none_or(|name| name.is_some_and(|name| names.contains(&name))),
                flag => letters.contains(flag),
            };
            if !known {
                return false;
            }
        }
    }
    true
}

fn shopt_keeps_reading(arguments: &[Word]) -> bool {
    const FREE: [&str; 9] = [
        "globstar",
        "inherit_errexit",
        "checkwinsize",
        "cmdhist",
        "histappend",
        "progcomp",
        "execfail",
        "shift_verbose",
        "huponexit",
    ];
    // What is off already, and stays so.
    const OFF: [&str; 8] = [
        "extglob",
        "expand_aliases",
        "nullglob",
        "failglob",
        "dotglob",
        "nocaseglob",
        "nocasematch",
        "lastpipe",
    ];
    let words: Option<Vec<&str>> = arguments.iter().map(Word::literal).collect();
    let Some(words) = words else { return false };
    let unsets = words.first() == Some(&"-u");
    let only_tells = words.iter().all(|word| matches!(*word, "-p" | "-q") || !word.starts_with('-'));
    only_tells
        || words.iter().all(|word| {
            matches!(*word, "-s" | "-u" | "-q" | "-p")
                || FREE.contains(word)
                || (unsets && OFF.contains(word))
        })
}
