//! Simple commands: the forms rules match, and what reaches them.

use std::collections::HashSet;

use toolwright_bash_syntax::tree::{Argument, Simple};
use toolwright_core::{CommandPart, Cover, PathAccess, Reach, Subject};

use crate::assignment::Assigned;
use crate::found::{self, Found};
use crate::state::MOST_VALUES;
use crate::walk::Walk;
use crate::word::{Token, Ways};
use crate::wrapper::Stripped;
use crate::{
    critical, deny, files, inline, names, reading, redirect, scripts, started, starters, table, wrapper,
};

/// Words of all the ways of a command above which they are not told apart.
const MOST_WORDS: usize = 4_096;

/// One word of a command: as written, and as it expands in one way.
#[derive(Debug, Clone)]
pub(crate) struct Word {
    pub(crate) raw: String,
    pub(crate) tokens: Vec<Token>,
    /// What a process substitution is known to print.
    pub(crate) printed: Option<String>,
    /// The argument of `declare` and the like.
    pub(crate) assigned: Option<Assigned>,
}

impl Word {
    pub(crate) fn new(raw: &str, tokens: Vec<Token>) -> Self {
        Self { raw: raw.into(), tokens, printed: None, assigned: None }
    }

    pub(crate) fn literal(&self) -> Option<&str> {
        match self.tokens.as_slice() {
            [only] => only.literal(),
            _ => None,
        }
    }

    /// Whether it may begin with a dash.
    pub(crate) fn may_be_flag(&self) -> bool {
        let may = |token: &Token| {
            let open = !token.exact && token.text.is_empty();
            open || token.text.starts_with('-') || (token.glob && token.text.starts_with(['*', '?', '[']))
        };
        self.tokens.iter().any(may)
    }
}

/// A word with every way it may expand.
struct Expanded {
    word: Word,
    ways: Ways,
}

/// A command with its words.
struct Whole<'a> {
    /// Assignments before it, as written.
    assigned: Vec<&'a str>,
    /// Their names.
    names: Vec<&'a str>,
    /// None of them makes a difference to an allow rule.
    safe: bool,
    /// None of them makes a program that only reads do anything else.
    only_looks: bool,
    /// One of them names a program that the command may start.
    names_program: bool,
    /// Every way its words may expand.
    ways: Vec<Vec<Word>>,
    /// What is known of its standard input.
    input: Option<String>,
    /// The names that come from its standard input, where `find` is known to give them.
    found: Option<Found>,
    /// It shows a variable that may be a secret.
    secret: bool,
}

impl Walk<'_> {
    pub(crate) fn simple(&mut self, command: &Simple) {
        let (piped, found) = (self.input.take(), self.found.take());
        let outer = std::mem::take(&mut self.secret);
        let words: Vec<Expanded> = command.words.iter().map(|word| self.argument(word)).collect();
        command.redirects.iter().for_each(|redirect| self.redirect(redirect));
        let may_fail = command.redirects.iter().any(redirect::may_fail).then(|| self.state.clone());
        if words.is_empty() {
            command.assignments.iter().for_each(|assignment| self.assignment(assignment));
            self.secret |= outer;
            if let Some(before) = may_fail {
                self.state.or(&before);
            }
            return;
        }
        let ways = combined(words);
        let (mut safe, mut only_looks) = (true, true);
        let mut names_program = false;
        let reads = ways.first().and_then(|words| words.first()).and_then(Word::literal) == Some("read");
        for assignment in &command.assignments {
            // It holds for this command alone: what it says is looked at, and forgotten.
            let (assigned, _) = self.assigned(assignment);
            self.evaluated_when_set(&assigned.name, &assigned.value);
            let names_one = names::names_program(&assigned.name);
            names_program |= names::may_start(&assigned.name, &assigned.value);
            for value in assigned.value.known() {
                self.mentions(&files::mentioned_in_value(&value.text, names_one), PathAccess::Read);
            }
            // `IFS= read -r line` splits that line and nothing else.
            let of_read = assignment.name == "IFS" && reads;
            let plain = !assignment.append && assignment.subscript.is_none();
            let value = match assigned.value.known() {
                [value] => Some(&*value.text),
                _ => None,
            };
            let is_safe = plain && (of_read || names::is_safe_to_set(&assignment.name, value));
            safe &= is_safe;
            only_looks &= is_safe || (plain && names::changes_looks_alone(&assignment.name, value));
        }
        let whole = Whole {
            assigned: command.assignments.iter().map(|assignment| assignment.source.as_str()).collect(),
            names: command.assignments.iter().map(|assignment| assignment.name.as_str()).collect(),
            safe,
            only_looks,
            names_program,
            ways,
            found: found.filter(|_| command.redirects.iter().all(found::keeps_input)),
            input: scripts::input(command).or(piped),
            secret: self.secret,
        };
        self.secret = outer;
        self.part(&whole);
        if let Some(before) = may_fail {
            self.state.or(&before);
        }
        self.found = match whole.ways.as_slice() {
            [only] if command.redirects.iter().all(found::keeps_output) => match whole.found {
                Some(found) if found.are_lines() && found::keeps_lines(&all_tokens(only)) => Some(found),
                None if found::may_print(only) => found::printed(&all_tokens(only)),
                _ => None,
            },
            _ => None,
        };
    }

    fn argument(&mut self, argument: &Argument) -> Expanded {
        match argument {
            Argument::Word(word) => {
                let ways = self.word(word);
                let printed = scripts::printed(word);
                Expanded { word: Word { printed, ..Word::new(&word.source, Vec::new()) }, ways }
            }
            Argument::Assignment(assignment) => {
                let (assigned, tokens) = self.assigned(assignment);
                let word = Word { assigned: Some(assigned), ..Word::new(&assignment.source, Vec::new()) };
                Expanded { word, ways: crate::word::alone(tokens) }
            }
        }
    }

    /// One command, its assignments before it.
    fn part(&mut self, whole: &Whole<'_>) {
        let Some(first) = whole.ways.first() else { return };
        let text = raw_text(first);
        let shown = whole.assigned.iter().copied().chain([text.as_str()]).collect::<Vec<_>>().join(" ");
        let stripped: Vec<Stripped<'_>> = whole.ways.iter().map(|words| wrapper::strip(words)).collect();
        let program = program_of(&stripped);
        if program.is_empty() {
            self.unreadable(format!("the program of `{text}` is not known before it runs"));
        }
        let same = stripped.windows(2).all(|pair| match pair {
            [one, other] => one.words.len() == other.words.len(),
            _ => true,
        });
        let for_allow = match (whole.safe && same, stripped.first()) {
            (true, Some(stripped)) => raw_text(&stripped.words),
            _ => shown.clone(),
        };
        let tokens: Vec<Vec<Token>> = stripped.iter().map(|stripped| all_tokens(&stripped.words)).collect();
        let exact = tokens.iter().any(|tokens| wrapper::only_exact(&program, tokens));
        let index = self.parts.len();
        // Kept in its place: what a literal script holds comes after it.
        self.parts.push(CommandPart {
            shown: shown.clone(),
            program: program.clone(),
            for_allow,
            for_deny: Vec::new(),
            reach: if exact { Reach::ExactText } else { Reach::Pattern },
            runs_code: false,
        });
        let mut for_deny = vec![shown];
        let mut runs_code = whole.names_program;
        let mut reads_only = whole.only_looks && !whole.secret;
        let mut programs: Vec<String> = Vec::new();
        let before = self.state.clone();
        let mut after: Option<crate::state::State> = None;
        for ((words, stripped), tokens) in whole.ways.iter().zip(&stripped).zip(&tokens) {
            if after.is_some() {
                self.state = before.clone();
            }
            let arguments = tokens.get(1..).unwrap_or_default();
            // Behind a program that starts it, it is not the shell's own command, and moves or sets nothing.
            let own = stripped.wrappers.iter().all(|name| reading::is_prefix(name));
            let call = reading::Call { program: &program, arguments, stripped, own, exact };
            let code = inline::runs_code(words);
            match whole.only_looks.then(|| self.read_only(&call, whole.found.as_ref())).flatten() {
                Some(reading) => {
                    reads_only &= self.reads(index, &call, &reading);
                    programs.extend(reading.programs);
                }
                None => {
                    reads_only = false;
                    self.acts(&call, Cover::With(index), whole.found.as_ref(), code);
                    if let Some(text) = whole.input.as_deref() {
                        let name = program.rsplit('/').next().unwrap_or(&program);
                        let names = files::mentioned_in_input(name, text, code);
                        self.mentions(&names, PathAccess::MayWrite);
                    }
                }
            }
            let forms = deny::forms(words);
            for_deny.extend(forms.texts);
            if !inline::only_names(words) {
                runs_code |= forms.cut | code | started::is_unknown(words);
                runs_code |= self.inner_scripts(index, whole, words, own, &mut for_deny);
            }
            if own {
                self.builtin(&program, index, stripped.words.get(1..).unwrap_or_default());
                if whole.names.iter().any(|name| matches!(*name, "CDPATH" | "HOME"))
                    && matches!(program.as_str(), "cd" | "pushd")
                {
                    self.go(None);
                }
            }
            match &mut after {
                None => after = Some(self.state.clone()),
                Some(all) if whole.ways.len() > 1 => all.or(&self.state),
                Some(_) => {}
            }
        }
        if let Some(after) = after {
            self.state = after;
        }
        if reads_only && !program.is_empty() {
            self.rely_on(programs);
        }
        runs_code |= for_deny.len() > 256;
        if let Some(part) = self.parts.get_mut(index) {
            part.for_deny = once_each(for_deny);
            part.runs_code = runs_code;
            if reads_only {
                part.reach = Reach::ReadOnly;
            }
        }
    }

    /// A command that may do anything: the paths it is known to touch, and what no rule may allow.
    fn acts(&mut self, call: &reading::Call<'_>, cover: Cover, found: Option<&Found>, is_code: bool) {
        let &reading::Call { program, arguments, own, .. } = call;
        let piped_in = call.stripped.piped;
        if own && table::changes_state(program) {
            self.changes_state = true;
        }
        let name = program.rsplit('/').next().unwrap_or(program);
        let mut touched = files::touched(name, arguments);
        if starters::starts_its_words(name) {
            touched.extend(files::touched_behind(arguments));
        }
        if starters::hands_words_on(name, arguments) {
            let handed = [arguments, &[Token::handed_words()]].concat();
            let behind = files::touched_behind(&handed);
            // What is handed on may be any file.
            let changes = behind.is_empty() || behind.iter().any(|(_, access)| !access.is_read());
            touched.extend(changes.then_some((None, PathAccess::WriteBelow)));
            touched.extend(behind.into_iter().filter(|(_, access)| access.is_read()));
        }
        // What is handed on to a program that is not known may be any file.
        let is_handed = |token: &Token| *token == Token::handed_words();
        if touched.is_empty() && arguments.iter().any(is_handed) && !files::reads_all(name, arguments) {
            touched.push((None, PathAccess::WriteBelow));
        }
        for (path, access) in &touched {
            self.path(path.as_deref(), *access, cover);
        }
        if name == "git" {
            self.git_acts(arguments, cover);
        } else if starters::starts_its_words(name)
            && let Some(at) = arguments.iter().position(|token| token.text == "git")
        {
            self.git_changes(arguments.get(at + 1..).unwrap_or_default(), cover);
        }
        let checks_out = |word: &Token| matches!(word.text.as_str(), "checkout" | "co" | "sync");
        if matches!(name, "gh" | "glab" | "hub") && arguments.iter().any(checks_out) {
            self.repository_changes("", cover);
        }
        let known = |writes: bool| {
            let known = touched.iter().filter(move |(_, access)| !writes || !access.is_read());
            known.filter_map(|(path, _)| path.as_deref()).collect::<HashSet<&str>>()
        };
        let [mut read, mut changed] = files::mentioned(name, arguments, is_code);
        let (any, written) = (known(false), known(true));
        read.retain(|name| !any.contains(name.as_str()));
        changed.retain(|name| !written.contains(name.as_str()));
        self.mentions(&read, PathAccess::Read);
        self.mentions(&changed, PathAccess::MayWrite);
        if !(own && self.functions.contains_key(program)) {
            let words = if piped_in {
                arguments.get(..arguments.len().saturating_sub(1)).unwrap_or_default()
            } else {
                arguments
            };
            self.may_name(&files::unknown(name, words));
            let opens = if piped_in {
                files::opens_handed(name, words)
            } else {
                starters::hands_words_on(name, arguments) && files::opens_handed_behind(arguments)
            };
            if opens {
                self.may_name(&found.and_then(Found::patterns).unwrap_or_else(|| vec![None]));
            }
        }
        if let Some(why) = critical::removal(program, arguments, &self.state, self.place) {
            self.critical.get_or_insert(why);
        }
    }

    /// `sh -c 'text'` and `eval text`, also behind other programs: rules that deny see what is in the text. Whether there is
    /// code that they do not see.
    fn inner_scripts(
        &mut self,
        index: usize,
        whole: &Whole<'_>,
        words: &[Word],
        own: bool,
        for_deny: &mut Vec<String>,
    ) -> bool {
        let found = scripts::of(words, whole.input.as_deref());
        let mut unseen = found.unseen;
        if found.unseen && own {
            self.forget();
        }
        for script in found.found {
            let first = self.parts.len();
            let here = script.here && own;
            let before = self.state.clone();
            let kept = script.elsewhere.then(|| self.touched());
            whole.names.iter().for_each(|name| self.state.set(name, crate::state::Variable::Unknown));
            if here {
                self.text(&script.text);
            } else {
                self.separately(|walk| {
                    walk.state.clear_variables();
                    walk.text(&script.text);
                });
                self.state = before;
            }
            if let Some(kept) = kept {
                unseen |= self.only_commands_since(kept);
            }
            let inner: Vec<CommandPart> = self.parts.drain(first.min(self.parts.len())..).collect();
            for part in inner {
                for_deny.extend(part.for_deny);
                unseen |= part.runs_code;
            }
            // The parts are gone, so their paths are the outer command's.
            for subject in &mut self.paths {
                if let Subject::Path { cover: Cover::With(number), .. } = subject
                    && *number >= first
                {
                    *number = index;
                }
            }
        }
        unseen
    }
}

/// Every way the words of a command may expand together; words that are not known where there are too many.
fn combined(words: Vec<Expanded>) -> Vec<Vec<Word>> {
    let count = words.iter().fold(1_usize, |count, word| count.saturating_mul(word.ways.len().max(1)));
    let too_many = count > MOST_VALUES || count.saturating_mul(words.len()) > MOST_WORDS && count > 1;
    let mut all: Vec<Vec<Word>> = vec![Vec::new()];
    for Expanded { word, mut ways } in words {
        if too_many && ways.len() > 1 {
            ways = vec![vec![Token::unknown_words()]];
        }
        match (ways.as_slice(), all.as_mut_slice()) {
            ([_], [only]) => only.push(Word { tokens: ways.pop().unwrap_or_default(), ..word }),
            ([_], _) => {
                let tokens = ways.pop().unwrap_or_default();
                for words in &mut all {
                    words.push(Word { tokens: tokens.clone(), ..word.clone() });
                }
            }
            (several, _) => {
                let with = |words: &Vec<Word>, tokens: &Vec<Token>| {
                    let mut words = words.clone();
                    words.push(Word { tokens: tokens.clone(), ..word.clone() });
                    words
                };
                all = all
                    .iter()
                    .flat_map(|words| several.iter().map(|way| with(words, way)).collect::<Vec<_>>())
                    .collect();
            }
        }
    }
    all
}

/// The program, if it is the same in every way.
fn program_of(ways: &[Stripped<'_>]) -> String {
    fn name<'s>(stripped: &'s Stripped<'_>) -> Option<&'s str> {
        stripped.words.first().and_then(Word::literal)
    }
    let first = ways.first().and_then(name).unwrap_or_default();
    match ways.iter().all(|stripped| name(stripped) == Some(first)) {
        true => first.to_owned(),
        false => String::new(),
    }
}

/// `/usr/bin/ls` as `ls`.
pub(crate) fn system_name(program: &str) -> Option<&str> {
    let name = program.strip_prefix("/usr/bin/").or(program.strip_prefix("/bin/"))?;
    (!name.contains('/')).then_some(name)
}

/// Without those that stand further in front already.
fn once_each(mut forms: Vec<String>) -> Vec<String> {
    let mut seen = HashSet::with_capacity(forms.len());
    let first: Vec<bool> = forms.iter().map(|form| seen.insert(form.as_str())).collect();
    let mut first = first.into_iter();
    forms.retain(|_| first.next().unwrap_or_default());
    forms
}

fn all_tokens(words: &[Word]) -> Vec<Token> {
    words.iter().flat_map(|word| word.tokens.iter().cloned()).collect()
}

pub(crate) fn raw_text(words: &[Word]) -> String {
    joined(words.iter().map(|word| word.raw.as_str()))
}

fn joined<'t>(texts: impl Iterator<Item = &'t str> + Clone) -> String {
    let length = texts.clone().map(|text| text.len() + 1).sum();
    let mut joined = String::with_capacity(length);
    for (index, text) in texts.enumerate() {
        if index > 0 {
            joined.push(' ');
        }
        joined.push_str(text);
    }
    joined
}

/// The words without their quotes, as far as they are known.
pub(crate) fn bare_text(words: &[Word]) -> String {
    let mut bare = String::new();
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            bare.push(' ');
        }
        match word.tokens.as_slice() {
            [only] if only.exact => bare.push_str(&only.text),
            tokens if tokens.iter().all(|token| token.exact) => {
                bare.push_str(&joined(tokens.iter().map(|token| token.text.as_str())));
            }
            _ => bare.push_str(&word.raw),
        }
    }
    bare
}
