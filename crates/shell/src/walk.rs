//! Goes through the tree and collects, from everywhere a command can stand.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::rc::Rc;

use toolwright_bash_syntax::tree::{AndOr, Command, Connector, List, Part, Pipeline, Script, Word};
use toolwright_core::{CommandPart, Cover, PathAccess, Subject};

use crate::found::{self, Found};
use crate::state::{State, Variable};
use crate::{Names, Place, names};

/// Text that is nested deeper is not analysed: the walk is recursive, and the stack is limited.
const DEEPEST: usize = 60;
/// Texts within texts that shells would read anew.
const DEEPEST_TEXT: usize = 12;
/// Words within words.
const DEEPEST_WORD: usize = 80;
/// Bodies of loops are walked several times, so that nested loops multiply; this bounds the whole.
const MOST_STEPS: usize = 10 * MOST_PARTS;
/// More parts than this are not analysed.
const MOST_PARTS: usize = 300;

/// A path of which nothing is known, as a pattern.
const ANYWHERE: &str = "/**";

/// What a process substitution is to the command that gets it.
pub(crate) const SUBSTITUTION: &str = "/dev/fd/63";

/// The walk over one text and what it has collected.
#[derive(Debug)]
pub(crate) struct Walk<'a> {
    pub(crate) place: &'a Place,
    pub(crate) state: State,
    pub(crate) parts: Vec<CommandPart>,
    pub(crate) paths: Vec<Subject>,
    paths_seen: HashSet<(PathBuf, PathAccess, Cover)>,
    pub(crate) hosts: Vec<String>,
    pub(crate) unreadable: Vec<String>,
    /// What names mean may no longer be what the table knows.
    pub(crate) changes_state: bool,
    /// The script's own folder may be another at its end.
    pub(crate) moves: bool,
    pub(crate) critical: Option<String>,
    pub(crate) git_folders: Vec<PathBuf>,
    /// Programs that rows of the table were relied on for.
    pub(crate) programs: Vec<String>,
    /// Globs whose names may be flags, with their folders.
    pub(crate) globs: Vec<(PathBuf, String)>,
    /// Operands that must be files.
    pub(crate) files: Vec<PathBuf>,
    /// Names that are taken for words.
    pub(crate) names: Vec<Names>,
    /// What is read with everything below, links followed.
    pub(crate) followed: Vec<PathBuf>,
    /// Operands that are paths if they are there.
    pub(crate) looked_for: Vec<PathBuf>,
    /// A variable was set that names a program which others start.
    pub(crate) names_program: bool,
    /// Bash lists a folder of which nothing is known.
    pub(crate) lists_any: bool,
    /// An inherited variable that may be a secret was expanded by what is walked now.
    pub(crate) secret: bool,
    /// Functions that were defined, and the folders the script may have been in then.
    pub(crate) functions: HashMap<String, Option<Rc<Vec<PathBuf>>>>,
    /// Variables whose values are evaluated as arithmetic when they are set.
    pub(crate) integers: HashSet<String>,
    /// Variables of which an assignment is an error.
    pub(crate) fixed: HashSet<String>,
    /// A trap may set any variable at any time.
    pub(crate) unsteady: bool,
    /// What is known of the standard input of the command that is walked next.
    pub(crate) input: Option<String>,
    /// What `find` printed into it; after a simple command, what that one printed.
    pub(crate) found: Option<Found>,
    /// Bytes of text put together so far.
    pub(crate) text_made: usize,
    /// Words that braces and splitting made so far.
    pub(crate) words_made: usize,
    /// Characters of here-documents without expansions in the text that is analysed.
    pub(crate) document_characters: usize,
    /// Within a text that is the argument of a command, and read anew.
    inner_texts: usize,
    depth: usize,
    word_depth: usize,
    /// Nodes seen, those of loops more than once.
    steps: usize,
    /// Inside a subshell, a pipeline or a substitution.
    pub(crate) apart: usize,
    /// In a round of a loop that is only to show what the body changes.
    pub(crate) trial: usize,
    /// Every value given to a variable of this process so far: whether it is surely a number.
    pub(crate) sets: Vec<(String, bool)>,
    /// How often this process went to another folder so far.
    pub(crate) moves_made: usize,
    /// How often code ran that is not seen.
    pub(crate) forgotten: usize,
    /// How this process may be when bash gives up the rest of the line it is in.
    pub(crate) given_up: Option<State>,
    /// Scripts within scripts of this process.
    scripts_open: usize,
}

/// What a walk found besides commands.
#[derive(Debug)]
pub(crate) struct Touched {
    paths: Vec<Subject>,
    paths_seen: HashSet<(PathBuf, PathAccess, Cover)>,
    hosts: Vec<String>,
    unreadable: Vec<String>,
    critical: Option<String>,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(place: &'a Place) -> Self {
        Self {
            place,
            state: State::new(place),
            parts: Vec::new(),
            paths: Vec::new(),
            paths_seen: HashSet::new(),
            hosts: Vec::new(),
            unreadable: Vec::new(),
            changes_state: false,
            moves: false,
            critical: None,
            git_folders: Vec::new(),
            programs: Vec::new(),
            globs: Vec::new(),
            files: Vec::new(),
            names: Vec::new(),
            followed: Vec::new(),
            looked_for: Vec::new(),
            names_program: false,
            lists_any: false,
            secret: false,
            functions: HashMap::new(),
            integers: HashSet::new(),
            fixed: HashSet::new(),
            unsteady: false,
            input: None,
            found: None,
            text_made: 0,
            words_made: 0,
            document_characters: 0,
            inner_texts: 0,
            depth: 0,
            word_depth: 0,
            steps: 0,
            apart: 0,
            trial: 0,
            sets: Vec::new(),
            moves_made: 0,
            forgotten: 0,
            given_up: None,
            scripts_open: 0,
        }
    }

    /// The script goes to another folder; none: to one that is not known.
    pub(crate) fn go(&mut self, target: Option<&str>) {
        self.moves_made += 1;
        self.moves |= self.apart == 0;
        self.state.enter(target);
    }

    pub(crate) fn unreadable(&mut self, why: impl Into<String>) {
        let why = why.into();
        if !self.unreadable.contains(&why) {
            self.unreadable.push(why);
        }
    }

    pub(crate) fn script(&mut self, script: &Script) {
        self.nested(|walk| {
            walk.scripts_open += 1;
            for list in &script.lists {
                walk.list(list);
                walk.line_ends();
            }
            walk.scripts_open -= 1;
        });
    }

    /// Text that bash would parse anew: a literal `sh -c`.
    pub(crate) fn text(&mut self, text: &str) {
        if self.inner_texts >= DEEPEST_TEXT {
            return self.unreadable(format!("it holds texts of commands more than {DEEPEST_TEXT} deep"));
        }
        let parsed = toolwright_bash_syntax::parse(text);
        self.inner_texts += 1;
        self.script(&parsed.script);
        self.inner_texts -= 1;
        if let Some(error) = parsed.error {
            self.unreadable(format!("it is not understood as bash: {error}"));
        }
    }

    pub(crate) fn is_outermost_line(&self) -> bool {
        self.scripts_open == 1
    }

    pub(crate) fn is_in_text(&self) -> bool {
        self.inner_texts > 0
    }

    /// In a process of its own: folders and variables come back as they were.
    pub(crate) fn separately(&mut self, inner: impl FnOnce(&mut Self)) {
        let before = (self.state.clone(), self.sets.len(), self.moves_made);
        // What ends a line of it ends the whole process.
        let line = (self.given_up.take(), std::mem::take(&mut self.scripts_open));
        self.apart += 1;
        inner(self);
        self.apart -= 1;
        (self.given_up, self.scripts_open) = line;
        self.sets.truncate(before.1);
        (self.state, self.moves_made) = (before.0, before.2);
    }

    pub(crate) fn nested(&mut self, inner: impl FnOnce(&mut Self)) {
        if self.depth >= DEEPEST {
            return self.unreadable(format!("it is nested more than {DEEPEST} deep"));
        }
        self.steps += 1;
        if self.parts.len() > MOST_PARTS || self.steps > MOST_STEPS {
            return self.unreadable(format!("it has more than {MOST_PARTS} commands"));
        }
        self.depth += 1;
        inner(self);
        self.depth -= 1;
    }

    /// The same for words and arithmetic, which may hold more of their kind.
    pub(crate) fn nested_word<T: Default>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        if self.word_depth >= DEEPEST_WORD {
            self.unreadable(format!("its words are nested more than {DEEPEST_WORD} deep"));
            return T::default();
        }
        self.word_depth += 1;
        let found = inner(self);
        self.word_depth -= 1;
        found
    }

    fn list(&mut self, list: &List) {
        for statement in &list.statements {
            match statement.background {
                false => self.and_or(&statement.and_or),
                true => self.separately(|walk| walk.and_or(&statement.and_or)),
            }
        }
    }

    fn and_or(&mut self, list: &AndOr) {
        let folders = self.state.folders.clone();
        self.pipeline(&list.first);
        // After it the move of the first may have failed, and the list may end behind each of its parts.
        if list.rest.is_empty() {
            return self.state.or_folders(folders.as_ref());
        }
        let mut ends = self.state.clone();
        ends.or_folders(folders.as_ref());
        let mut branched = false;
        for (connector, pipeline) in &list.rest {
            // Within `cd x && ..` it is sure of x, as long as there is one way to get there.
            branched |= *connector == Connector::Or;
            if branched {
                self.state = ends.clone();
            }
            self.pipeline(pipeline);
            ends.or(&self.state);
        }
        self.state = ends;
    }

    fn pipeline(&mut self, pipeline: &Pipeline) {
        match pipeline.commands.as_slice() {
            [only] => {
                let folders = self.state.folders.clone();
                self.command(only);
                self.found = None;
                if pipeline.negated {
                    // What follows by `&&` runs where a move failed.
                    self.state.or_folders(folders.as_ref());
                }
            }
            several => {
                let (mut input, mut found) = (None, None);
                for command in several {
                    let keeps_input = match command {
                        Command::Simple(_) => true,
                        Command::Compound(compound) => compound.redirects.iter().all(found::keeps_input),
                        Command::Function(_) => false,
                    };
                    self.input = input.take().filter(|_| keeps_input);
                    self.found = found.take().filter(|_| keeps_input);
                    self.separately(|walk| walk.command(command));
                    self.input = None;
                    found = self.found.take().filter(|_| matches!(command, Command::Simple(_)));
                    input = crate::scripts::output(command);
                }
            }
        }
    }

    fn command(&mut self, command: &Command) {
        self.nested(|walk| match command {
            Command::Simple(simple) => walk.simple(simple),
            Command::Compound(compound) => {
                compound.redirects.iter().for_each(|redirect| walk.redirect(redirect));
                match compound.redirects.iter().any(crate::redirect::may_fail) {
                    true => walk.maybe(|walk| walk.compound(&compound.kind)),
                    false => walk.compound(&compound.kind),
                }
            }
            Command::Function(function) => {
                walk.changes_state = true;
                walk.functions.insert(function.name.clone(), walk.state.folders.clone());
                walk.separately(|walk| {
                    // It may be called with anything set.
                    walk.state.forget_variables();
                    function.body.redirects.iter().for_each(|redirect| walk.redirect(redirect));
                    walk.compound(&function.body.kind);
                });
            }
        });
    }

    /// Gives a variable a value; one that other programs or the shell itself act on changes what names mean.
    pub(crate) fn set(&mut self, name: &str, value: Variable) {
        let number = value == Variable::Number;
        self.set_surely(name, value, number);
    }

    /// `number`: that it is one does not depend on anything else the script does.
    pub(crate) fn set_surely(&mut self, name: &str, value: Variable, number: bool) {
        if !names::is_the_scripts_own(name) {
            self.changes_state = true;
        }
        if self.fixed.contains(name) || names::is_fixed(name) {
            self.may_give_up();
        }
        self.evaluated_when_set(name, &value);
        self.names_program |= names::may_start(name, &value);
        let value = match names::is_given_by_bash(name) {
            true if names::is_always_number(name) => Variable::Number,
            true => Variable::Unknown,
            false => value,
        };
        self.sets.push((name.into(), number));
        self.state.set(name, value);
    }

    /// What is assigned to a variable with the integer attribute is evaluated as arithmetic.
    pub(crate) fn evaluated_when_set(&mut self, name: &str, value: &Variable) {
        if (self.integers.contains(name) || names::is_integer(name)) && !value.is_number() {
            self.unreadable(format!("the value of the integer `{name}` is evaluated as code"));
        }
    }

    /// A variable is expanded: where the script may not have set it, what it holds was inherited and may be a secret.
    pub(crate) fn expands(&mut self, name: &str) {
        let inherited = matches!(self.state.get(name), None | Some(Variable::Inherited));
        self.secret |= inherited && !names::is_harmless(name);
    }

    /// Code ran that is not seen: it may have set anything.
    pub(crate) fn forget(&mut self) {
        self.changes_state = true;
        self.moves_made += 1;
        self.moves |= self.apart == 0;
        self.forgotten += 1;
        self.state.forget();
    }

    /// A path in every folder the script may be in; one that may be anywhere is a pattern for all.
    pub(crate) fn path(&mut self, path: Option<&str>, access: PathAccess, cover: Cover) {
        // The null device, and the file that stands for a process substitution whose commands were walked.
        if self.trial > 0 || (access.is_read() && matches!(path, Some("/dev/null" | SUBSTITUTION))) {
            return;
        }
        let folders = if self.unsteady { &None } else { &self.state.folders };
        let spelled = match (path, folders) {
            (Some(path), _) if path.starts_with('/') => vec![PathBuf::from(path)],
            (Some(path), Some(folders)) => folders.iter().map(|folder| folder.join(path)).collect(),
            _ => vec![PathBuf::from(ANYWHERE)],
        };
        for path in spelled {
            if self.paths_seen.insert((path.clone(), access, cover)) {
                self.paths.push(Subject::Path { path, access, cover });
            }
        }
    }

    /// Words that may name files, in every folder the script may be in; where that is not known, in the one it began in. What
    /// bash expands may become what a rule is about.
    pub(crate) fn mentions(&mut self, names: &[String], access: PathAccess) {
        let start = self.place.cwd.iter().cloned().collect();
        let folders = self.state.folders.clone().unwrap_or_else(|| Rc::new(start));
        for name in names {
            for folder in folders.iter() {
                let seen = (folder.join(name), access, Cover::IfPresent);
                if self.trial == 0 && !self.paths_seen.contains(&seen) {
                    let (path, access, cover) = seen.clone();
                    self.paths_seen.insert(seen);
                    self.paths.push(Subject::Path { path, access, cover });
                }
            }
        }
    }

    /// What was found so far besides commands.
    pub(crate) fn touched(&self) -> Touched {
        Touched {
            paths: self.paths.clone(),
            paths_seen: self.paths_seen.clone(),
            hosts: self.hosts.clone(),
            unreadable: self.unreadable.clone(),
            critical: self.critical.clone(),
        }
    }

    /// Forgets what was found since, commands apart: it is none of this machine's. Whether some of it could not be read.
    pub(crate) fn only_commands_since(&mut self, before: Touched) -> bool {
        let unread = self.unreadable.len() > before.unreadable.len();
        let Touched { paths, paths_seen, hosts, unreadable, critical } = before;
        (self.paths, self.paths_seen) = (paths, paths_seen);
        (self.hosts, self.unreadable, self.critical) = (hosts, unreadable, critical);
        unread
    }

    /// Names that are taken for words, in every folder the script may be in.
    pub(crate) fn taken_for_words(&mut self, spelled: &str, names: impl Fn(PathBuf) -> Names) {
        // Where the folder is not known, only what is spelled from the root matters: all else may be anywhere.
        let root = Rc::new(vec![PathBuf::from("/")]);
        for folder in self.state.folders.as_ref().unwrap_or(&root).iter() {
            let names = names(folder.join(spelled));
            if self.trial == 0 && !self.names.contains(&names) {
                self.names.push(names);
            }
        }
    }

    /// What `$(git rev-parse --show-toplevel)` is, in the folder the script began in.
    pub(crate) fn top_of_repository(&self, script: &Script) -> Option<String> {
        let top = self.place.repository.as_deref()?.to_str()?;
        let words = crate::scripts::only_command(script)?;
        let starts = State::new(self.place).folders == self.state.folders;
        (words == ["git", "rev-parse", "--show-toplevel"] && starts && !self.changes_state)
            .then(|| top.to_owned())
    }

    /// What `$(pwd)` is, where the script is in one folder.
    pub(crate) fn folder_printed(&self, script: &Script) -> Option<String> {
        let words = crate::scripts::only_command(script)?;
        let plain = words == ["pwd"] || words == ["pwd", "-L"];
        let known = plain && !self.changes_state && !self.unsteady;
        let folders = self.state.folders.as_ref().filter(|_| known)?;
        let [folder] = folders.as_slice() else { return None };
        // The substitution drops line ends behind it.
        folder.to_str().filter(|folder| !folder.ends_with('\n')).map(str::to_owned)
    }

    /// What a command substitution is known to print.
    pub(crate) fn printed_text(&self, script: &Script) -> Option<String> {
        let steady = !self.changes_state && !self.unsteady;
        steady.then(|| crate::scripts::printed_by(script)).flatten()
    }

    /// A word that may name any file there is, or one that a pattern matches, in every folder the script may be in.
    pub(crate) fn may_name(&mut self, patterns: &[Option<String>]) {
        let anything = [ANYWHERE.to_owned()];
        for pattern in patterns {
            self.mentions(pattern.as_ref().map_or(&anything, std::slice::from_ref), PathAccess::Read);
        }
    }

    /// A here-document, which counts towards no limit where it is plain text.
    pub(crate) fn document(&mut self, body: &Word) {
        let text = |part: &Part| match part {
            Part::Text(text) | Part::Quoted(text) => Some(text.chars().count()),
            _ => None,
        };
        let plain = body.parts.iter().map(text).sum::<Option<usize>>();
        if let Some(characters) = plain.filter(|_| self.trial == 0 && self.inner_texts == 0) {
            self.document_characters += characters;
        }
        self.value(body);
    }

    /// Whether what is found now is only to show what a loop changes.
    pub(crate) fn is_trial(&self) -> bool {
        self.trial > 0
    }
}
