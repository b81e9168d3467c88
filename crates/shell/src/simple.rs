//! Simple commands: the forms rules match, and what reaches them.

use brush_parser::ast::{CommandPrefixOrSuffixItem, SimpleCommand, SubshellCommand};
use toolwright_core::{CommandPart, Cover, PathAccess, Reach};

use crate::arguments::Reads;
use crate::walk::{SUBSTITUTION, Walk};
use crate::word::Token;
use crate::wrapper::Stripped;
use crate::{critical, files, table, wrapper};

/// One word of a command: as written, and as it expands.
#[derive(Debug, Clone)]
pub(crate) struct Word {
    pub(crate) raw: String,
    pub(crate) tokens: Vec<Token>,
}

impl Word {
    pub(crate) fn literal(&self) -> Option<&str> {
        match self.tokens.as_slice() {
            [only] => only.literal(),
            _ => None,
        }
    }
}

impl Walk<'_> {
    pub(crate) fn simple(&mut self, command: &SimpleCommand) {
        let mut assignments = Vec::new();
        let mut words = Vec::new();
        let prefix = command.prefix.iter().flat_map(|prefix| &prefix.0);
        let suffix = command.suffix.iter().flat_map(|suffix| &suffix.0);
        let names_descriptor = |word: &str| word.starts_with('{') && word.ends_with('}');
        let mut before = command.word_or_name.as_ref().is_some_and(|name| names_descriptor(&name.value));
        for item in suffix.clone() {
            if before && matches!(item, CommandPrefixOrSuffixItem::IoRedirect(_)) {
                self.unreadable("a redirection may assign its descriptor to a variable");
            }
            before = matches!(item, CommandPrefixOrSuffixItem::Word(word) if names_descriptor(&word.value));
        }
        for item in prefix {
            match item {
                CommandPrefixOrSuffixItem::AssignmentWord(assignment, word) => {
                    assignments.push((assignment, word))
                }
                other => self.item(other, &mut words),
            }
        }
        if let Some(name) = &command.word_or_name {
            let tokens = self.word(&name.value);
            words.push(Word { raw: name.value.clone(), tokens });
        }
        for item in suffix {
            self.item(item, &mut words);
        }
        if words.is_empty() {
            assignments.iter().for_each(|(assignment, _)| self.assignment(assignment));
            return;
        }
        let mut safe = true;
        for (assignment, word) in &assignments {
            // It holds for this command alone: what it says is looked at, and forgotten.
            let before = (self.state.clone(), self.changes_state);
            self.assignment(assignment);
            (self.state, self.changes_state) = before;
            // `IFS= read -r line` splits that line and nothing else.
            let of_read =
                word.value.starts_with("IFS=") && words.first().and_then(Word::literal) == Some("read");
            safe &= !assignment.append && (of_read || is_safe_name(&word.value));
        }
        let assigned: Vec<&str> = assignments.iter().map(|(_, word)| word.value.as_str()).collect();
        self.part(&assigned, safe, &words);
    }

    fn item(&mut self, item: &CommandPrefixOrSuffixItem, words: &mut Vec<Word>) {
        match item {
            CommandPrefixOrSuffixItem::IoRedirect(redirect) => self.redirect(redirect),
            CommandPrefixOrSuffixItem::Word(word) => {
                let tokens = self.word(&word.value);
                words.push(Word { raw: word.value.clone(), tokens });
            }
            CommandPrefixOrSuffixItem::AssignmentWord(assignment, word) => {
                // `declare x=..`, `env A=1 ..`: an argument that may also be an assignment.
                let before = (self.state.clone(), self.changes_state);
                self.assignment(assignment);
                (self.state, self.changes_state) = before;
                let tokens = self.word(&word.value);
                words.push(Word { raw: word.value.clone(), tokens });
            }
            CommandPrefixOrSuffixItem::ProcessSubstitution(_, subshell) => {
                self.subshell(subshell);
                // A file below /dev/fd: read or written through the command just walked.
                let token = Token { text: SUBSTITUTION.into(), exact: true, glob: false, splits: false };
                words.push(Word { raw: "<(..)".into(), tokens: vec![token] });
            }
        }
    }

    pub(crate) fn subshell(&mut self, subshell: &SubshellCommand) {
        self.separately(|walk| walk.list(&subshell.list));
    }

    /// One command, its assignments before it.
    fn part(&mut self, assigned: &[&str], safe: bool, words: &[Word]) {
        let whole = words.iter().map(|word| word.raw.as_str()).collect::<Vec<_>>().join(" ");
        let shown = assigned.iter().copied().chain([whole.as_str()]).collect::<Vec<_>>().join(" ");
        let stripped = wrapper::strip(words);
        let tokens: Vec<Token> = stripped.words.iter().flat_map(|word| word.tokens.iter().cloned()).collect();
        let program = stripped.words.first().and_then(Word::literal).unwrap_or_default().to_owned();

        let mut for_deny = wrapper::deny_forms(words);
        for_deny.insert(0, shown.clone());
        let for_allow = match safe {
            true => raw_text(&stripped.words),
            false => shown.clone(),
        };
        if program.is_empty() {
            self.unreadable(format!("the program of `{whole}` is not known before it runs"));
        }
        let index = self.parts.len();
        let cover = Cover::With(index);
        let mut reach = Reach::Pattern;
        if wrapper::only_exact(&program, &tokens) {
            reach = Reach::ExactText;
        }
        // Kept in its place: what a literal script holds comes after it.
        self.parts.push(CommandPart {
            shown,
            program: program.clone(),
            for_allow,
            for_deny: Vec::new(),
            reach,
            runs_code: false,
        });
        let arguments = tokens.get(1..).unwrap_or_default();
        // Behind a program that starts it, it is not the shell's own command, and moves or sets nothing.
        let own = ["cd", "pushd", "popd", "read"].contains(&program.as_str());
        let started = stripped.words.len() < words.len()
            && !matches!(words.first().and_then(Word::literal), Some("command" | "builtin"));
        let reads = if safe && !(own && started) { table::read_only(&program, arguments) } else { None };
        match reads {
            Some(reads) => self.reads(index, &program, arguments, &reads, &stripped),
            None => self.acts(&program, arguments, cover),
        }
        self.literal_scripts(index, words, &mut for_deny);
        if let Some(part) = self.parts.get_mut(index) {
            for_deny.dedup();
            part.for_deny = for_deny;
        }
    }

    /// A command the table knows as reading: where it reads must be known too.
    fn reads(
        &mut self,
        index: usize,
        program: &str,
        arguments: &[Token],
        reads: &Reads,
        stripped: &Stripped,
    ) {
        let cover = Cover::With(index);
        let access = if reads.below { PathAccess::ReadBelow } else { PathAccess::Read };
        let mut known = !stripped.piped || reads.any_words;
        for path in &reads.paths {
            known &= path.exact;
            // `~/x`, a glob, a plain name: the path as spelled, globs included, lies below the folder it names.
            let cover = if files::is_public(path) { Cover::Unneeded } else { cover };
            self.path(path.exact.then_some(path.text.as_str()), access, cover);
        }
        if reads.here {
            self.path(Some("."), access, cover);
        }
        if program == "git" {
            known &= self.stays();
            self.git_folders.extend(self.place.cwd.clone());
        }
        if let Some(part) = self.parts.get_mut(index)
            && known
        {
            part.reach = Reach::ReadOnly;
            for name in stripped.wrappers.iter().map(String::as_str).chain([program]) {
                if !table::is_builtin(name) && !self.programs.iter().any(|known| known == name) {
                    self.programs.push(name.into());
                }
            }
        }
        self.steps(program, arguments);
    }

    /// Whether the script is still in the folder it began in.
    fn stays(&self) -> bool {
        let start = crate::state::State::new(self.place).folders;
        self.state.folders == start
    }

    /// Built-ins that move or set variables.
    fn steps(&mut self, program: &str, arguments: &[Token]) {
        let operands = arguments.iter().filter(|token| token.exact && !token.text.starts_with('-'));
        match program {
            "cd" | "pushd" => {
                let target = match arguments.last() {
                    None => self.place.home.as_deref().and_then(|home| home.to_str()),
                    Some(last) => last.literal().filter(|text| !text.starts_with('-')),
                };
                let target = target.map(str::to_owned);
                self.go(target.as_deref());
            }
            "popd" => self.go(None),
            "read" => {
                let names: Vec<String> = operands.map(|token| token.text.clone()).collect();
                names.iter().for_each(|name| self.set(name, crate::state::Variable::Unknown));
            }
            _ => {}
        }
    }

    /// A command that may do anything: the paths it is known to touch, and what no rule may wave through.
    fn acts(&mut self, program: &str, arguments: &[Token], cover: Cover) {
        if table::changes_state(program) {
            self.changes_state = true;
        }
        if program == "cd" || program == "pushd" || program == "popd" {
            self.go(None);
        }
        for (path, access) in files::touched(program, arguments) {
            self.path(path.as_deref(), access, cover);
        }
        if let Some(why) = critical::removal(program, arguments, &self.state, self.place) {
            self.critical.get_or_insert(why);
        }
    }

    /// `sh -c 'text'` and `eval text`, also behind other programs: rules that deny see what is in the text.
    fn literal_scripts(&mut self, index: usize, words: &[Word], for_deny: &mut Vec<String>) {
        for script in wrapper::literal_scripts(words) {
            let first = self.parts.len();
            self.script_apart(&script);
            let inner: Vec<CommandPart> = self.parts.drain(first.min(self.parts.len())..).collect();
            for part in inner {
                for_deny.extend(part.for_deny);
            }
            // The parts are gone, so their paths are the outer command's.
            for subject in &mut self.paths {
                if let toolwright_core::Subject::Path { cover: Cover::With(number), .. } = subject
                    && *number >= first
                {
                    *number = index;
                }
            }
        }
    }
}

pub(crate) fn raw_text(words: &[Word]) -> String {
    words.iter().map(|word| word.raw.as_str()).collect::<Vec<_>>().join(" ")
}

/// The words without their quotes, as far as they are known.
pub(crate) fn bare_text(words: &[Word]) -> String {
    let bare = |word: &Word| match word.tokens.as_slice() {
        [only] if only.exact => only.text.clone(),
        tokens if tokens.iter().all(|token| token.exact) => {
            tokens.iter().map(|token| token.text.clone()).collect::<Vec<_>>().join(" ")
        }
        _ => word.raw.clone(),
    };
    words.iter().map(bare).collect::<Vec<_>>().join(" ")
}

fn is_safe_name(assignment: &str) -> bool {
    const SAFE: [&str; 13] = [
        "LANG",
        "TZ",
        "TERM",
        "NO_COLOR",
        "FORCE_COLOR",
        "CLICOLOR",
        "COLUMNS",
        "LINES",
        "CI",
        "NODE_ENV",
        "RUST_BACKTRACE",
        "RUST_LOG",
        "LC_ALL",
    ];
    const CATEGORIES: [&str; 6] =
        ["LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_MONETARY", "LC_NUMERIC", "LC_TIME"];
    let name = assignment.split('=').next().unwrap_or_default();
    SAFE.contains(&name) || CATEGORIES.contains(&name)
}
