//! Goes through the tree once and collects, from everywhere a command can stand.

use std::path::PathBuf;

use brush_parser::ast::{
    AndOr, AndOrList, Assignment, Command, CompoundCommand, CompoundList, ExtendedTestExpr, FunctionBody,
    Pipeline, SeparatorOperator, UnaryPredicate,
};
use toolwright_core::{CommandPart, Cover, PathAccess, Subject};

use crate::state::{State, Variable};
use crate::word::Token;
use crate::{Place, parse};

/// Nested deeper than this is not analysed: no person writes it, and the stack is not for strangers to fill.
const DEEPEST: usize = 60;
/// Loops in loops are gone through again and again; this ends it.
const MOST_STEPS: usize = 10 * MOST_PARTS;
/// More parts than this are not analysed.
const MOST_PARTS: usize = 300;

/// A path of which nothing is known, as a pattern.
const ANYWHERE: &str = "/**";

/// What a process substitution is to the command that gets it.
pub(crate) const SUBSTITUTION: &str = "/dev/fd/63";

/// The collector.
#[derive(Debug)]
pub(crate) struct Walk<'a> {
    pub(crate) place: &'a Place,
    pub(crate) state: State,
    pub(crate) parts: Vec<CommandPart>,
    pub(crate) paths: Vec<Subject>,
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
    depth: usize,
    /// Nodes seen, loops twice.
    steps: usize,
    /// Inside a subshell, a pipeline or a substitution.
    pub(crate) apart: usize,
    /// Every value given to a variable of this process so far.
    sets: Vec<(String, Variable)>,
    /// How often this process went to another folder so far.
    moves_made: usize,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(place: &'a Place) -> Self {
        Self {
            place,
            state: State::new(place),
            parts: Vec::new(),
            paths: Vec::new(),
            hosts: Vec::new(),
            unreadable: Vec::new(),
            changes_state: false,
            moves: false,
            critical: None,
            git_folders: Vec::new(),
            programs: Vec::new(),
            depth: 0,
            steps: 0,
            apart: 0,
            sets: Vec::new(),
            moves_made: 0,
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

    /// Text that bash would parse anew: the whole, a substitution, a literal `sh -c`.
    pub(crate) fn script(&mut self, text: &str) {
        self.nested(|walk| match parse::program(text) {
            Ok(program) => program.complete_commands.iter().for_each(|list| walk.list(list)),
            Err(error) => walk.unreadable(format!("it is not understood as bash: {error}")),
        });
    }

    /// The same in a process of its own: folders and variables come back as they were.
    pub(crate) fn script_apart(&mut self, text: &str) {
        self.separately(|walk| walk.script(text));
    }

    pub(crate) fn separately(&mut self, inner: impl FnOnce(&mut Self)) {
        let before = (self.state.clone(), self.sets.len(), self.moves_made);
        self.apart += 1;
        inner(self);
        self.apart -= 1;
        self.sets.truncate(before.1);
        (self.state, self.moves_made) = (before.0, before.2);
    }

    fn nested(&mut self, inner: impl FnOnce(&mut Self)) {
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

    pub(crate) fn list(&mut self, list: &CompoundList) {
        for item in &list.0 {
            match item.1 {
                SeparatorOperator::Sequence => self.and_or(&item.0),
                SeparatorOperator::Async => self.separately(|walk| walk.and_or(&item.0)),
            }
        }
    }

    fn and_or(&mut self, list: &AndOrList) {
        let before = self.state.clone();
        self.pipeline(&list.first);
        // After it the move of the first may have failed, and the list may end behind each of its parts.
        let mut ends = self.state.clone();
        ends.or(&State { folders: before.folders.clone(), variables: ends.variables.clone() });
        let mut branched = false;
        for next in &list.additional {
            let pipeline = match next {
                // Within `cd x && ..` it is sure of x, as long as there is one way to get there.
                AndOr::And(pipeline) => pipeline,
                AndOr::Or(pipeline) => {
                    branched = true;
                    pipeline
                }
            };
            if branched {
                self.state = ends.clone();
            }
            self.pipeline(pipeline);
            ends.or(&self.state);
        }
        self.state = ends;
    }

    fn pipeline(&mut self, pipeline: &Pipeline) {
        match pipeline.seq.as_slice() {
            [only] => self.command(only),
            several => {
                for command in several {
                    self.separately(|walk| walk.command(command));
                }
            }
        }
    }

    fn command(&mut self, command: &Command) {
        self.nested(|walk| match command {
            Command::Simple(simple) => walk.simple(simple),
            Command::Compound(compound, redirects) => {
                walk.redirects(redirects.as_ref());
                walk.compound(compound);
            }
            Command::Function(function) => {
                walk.changes_state = true;
                let FunctionBody(body, redirects) = &function.body;
                walk.redirects(redirects.as_ref());
                walk.separately(|walk| walk.compound(body));
            }
            Command::ExtendedTest(test, redirects) => {
                walk.redirects(redirects.as_ref());
                walk.test(&test.expr);
            }
        });
    }

    fn compound(&mut self, compound: &CompoundCommand) {
        match compound {
            CompoundCommand::Arithmetic(arithmetic) => self.arithmetic(&arithmetic.expr.value),
            CompoundCommand::ArithmeticForClause(clause) => {
                for expression in
                    [&clause.initializer, &clause.condition, &clause.updater].into_iter().flatten()
                {
                    self.arithmetic(&expression.value);
                }
                self.repeated(|walk| walk.list(&clause.body.list));
            }
            CompoundCommand::BraceGroup(group) => self.list(&group.list),
            CompoundCommand::Subshell(subshell) => self.separately(|walk| walk.list(&subshell.list)),
            CompoundCommand::ForClause(clause) => {
                let values = clause.values.as_deref().map(|words| {
                    words.iter().flat_map(|word| self.word(&word.value)).collect::<Vec<Token>>()
                });
                self.set(&clause.variable_name, values.as_deref().map_or(Variable::Unknown, known));
                self.repeated(|walk| walk.list(&clause.body.list));
            }
            CompoundCommand::CaseClause(clause) => {
                self.word(&clause.value.value);
                for case in &clause.cases {
                    for pattern in &case.patterns {
                        self.word(&pattern.value);
                    }
                    if let Some(list) = &case.cmd {
                        self.maybe(|walk| walk.list(list));
                    }
                }
            }
            CompoundCommand::IfClause(clause) => {
                self.list(&clause.condition);
                self.maybe(|walk| walk.list(&clause.then));
                for other in clause.elses.iter().flatten() {
                    if let Some(condition) = &other.condition {
                        self.maybe(|walk| walk.list(condition));
                    }
                    self.maybe(|walk| walk.list(&other.body));
                }
            }
            CompoundCommand::WhileClause(clause) | CompoundCommand::UntilClause(clause) => {
                self.repeated(|walk| {
                    walk.list(&clause.0);
                    walk.list(&clause.1.list);
                });
            }
            CompoundCommand::Coprocess(coprocess) => {
                self.changes_state = true;
                self.separately(|walk| walk.command(&coprocess.body));
            }
        }
    }

    /// What may or may not run: both states count after it.
    fn maybe(&mut self, inner: impl FnOnce(&mut Self)) {
        let before = self.state.clone();
        inner(self);
        self.state.or(&before);
    }

    /// A loop's body: its second round starts where the first ended, so what a body moves or sets is not known in either.
    fn repeated(&mut self, inner: impl Fn(&mut Self)) {
        let before = self.state.clone();
        // One round to see what changes; what it collects is seen again, and worse, in the round that counts.
        let marks = (self.parts.len(), self.paths.len());
        let (sets, moves) = (self.sets.len(), self.moves_made);
        inner(self);
        // `break` and `continue` leave it anywhere, so all that it ever sets counts, not what it ends with.
        let set: Vec<(String, Variable)> = self.sets.iter().skip(sets).cloned().collect();
        if set.is_empty() && self.moves_made == moves {
            return;
        }
        self.state = before.clone();
        if self.moves_made != moves {
            self.state.folders = None;
        }
        for (name, value) in &set {
            let number = set.iter().all(|(other, value)| other != name || *value == Variable::Number);
            let value = if number { value.clone() } else { Variable::Unknown };
            self.state.variables.insert(name.clone(), value);
        }
        let entered = self.state.clone();
        self.parts.truncate(marks.0);
        self.paths.truncate(marks.1);
        inner(self);
        self.state.or(&entered);
        self.state.or(&before);
    }

    fn test(&mut self, expression: &ExtendedTestExpr) {
        match expression {
            ExtendedTestExpr::And(left, right) | ExtendedTestExpr::Or(left, right) => {
                self.nested(|walk| {
                    walk.test(left);
                    walk.test(right);
                });
            }
            ExtendedTestExpr::Not(inner) | ExtendedTestExpr::Parenthesized(inner) => {
                self.nested(|walk| walk.test(inner));
            }
            ExtendedTestExpr::UnaryTest(predicate, word) => {
                self.word(&word.value);
                if matches!(
                    predicate,
                    UnaryPredicate::ShellVariableIsSetAndAssigned
                        | UnaryPredicate::ShellVariableIsSetAndNameRef
                ) {
                    self.unreadable("`[[ -v .. ]]` evaluates its operand as code");
                }
            }
            ExtendedTestExpr::BinaryTest(predicate, left, right) => {
                let tokens = [self.word(&left.value), self.word(&right.value)];
                let arithmetic = predicate.to_string().starts_with('-')
                    && !matches!(predicate.to_string().as_str(), "-ef" | "-nt" | "-ot");
                let number = |token: &Token| token.exact && token.text.parse::<i64>().is_ok();
                if arithmetic && !tokens.iter().flatten().all(number) {
                    self.unreadable("a comparison of numbers in `[[ .. ]]` evaluates its operands as code");
                }
            }
        }
    }

    /// Gives a variable a value; one that other programs or the shell itself act on changes what names mean.
    pub(crate) fn set(&mut self, name: &str, value: Variable) {
        if !is_the_scripts_own(name) {
            self.changes_state = true;
        }
        self.sets.push((name.into(), value.clone()));
        self.state.variables.insert(name.into(), value);
    }

    pub(crate) fn assignment(&mut self, assignment: &Assignment) {
        use brush_parser::ast::{AssignmentName, AssignmentValue};
        let tokens = match &assignment.value {
            AssignmentValue::Scalar(word) => Some(self.value(&word.value)),
            AssignmentValue::Array(items) => {
                for (index, word) in items {
                    if let Some(index) = index {
                        self.arithmetic(&index.value);
                    }
                    if word.value.starts_with('[') {
                        self.unreadable("an element of an array may have a subscript");
                    }
                    self.word(&word.value);
                }
                None
            }
        };
        match &assignment.name {
            AssignmentName::VariableName(name) => {
                let value = match tokens {
                    Some(tokens) if !assignment.append => known(&tokens),
                    _ => Variable::Unknown,
                };
                self.set(name, value);
            }
            AssignmentName::ArrayElementName(name, index) => {
                self.arithmetic(index);
                self.set(name, Variable::Unknown);
            }
        }
    }

    /// A path in every folder the script may be in; one that may be anywhere is a pattern for all.
    pub(crate) fn path(&mut self, path: Option<&str>, access: PathAccess, cover: Cover) {
        // The null device, and the file that stands for a process substitution whose commands were walked.
        if access.is_read() && matches!(path, Some("/dev/null" | SUBSTITUTION)) {
            return;
        }
        let spelled = match (path, &self.state.folders) {
            (Some(path), _) if path.starts_with('/') => vec![PathBuf::from(path)],
            (Some(path), Some(folders)) => folders.iter().map(|folder| folder.join(path)).collect(),
            _ => vec![PathBuf::from(ANYWHERE)],
        };
        for path in spelled {
            let subject = Subject::Path { path, access, cover };
            if !self.paths.contains(&subject) {
                self.paths.push(subject);
            }
        }
    }
}

/// Names that a script gives its own variables: lower case, or a letter or two. Whatever else may be a variable that
/// the shell or a program obeys.
fn is_the_scripts_own(name: &str) -> bool {
    const OBEYED: [&str; 8] = [
        "http_proxy",
        "https_proxy",
        "ftp_proxy",
        "all_proxy",
        "no_proxy",
        "histchars",
        "auto_resume",
        "grep_options",
    ];
    let own_case =
        |character: char| character.is_ascii_lowercase() || character.is_ascii_digit() || character == '_';
    let short = name.len() <= 2 && name.chars().all(|character| character.is_ascii_uppercase());
    let starts = name.starts_with(|first: char| first.is_ascii_lowercase());
    short || (starts && name.chars().all(own_case) && !OBEYED.contains(&name))
}

/// A glob in a loop's list stands for the names it matches; as text it names the same folder.
fn known(tokens: &[Token]) -> Variable {
    if tokens.iter().all(|token| token.exact && !token.splits) {
        Variable::OneOf(tokens.iter().map(|token| token.text.clone()).collect())
    } else {
        Variable::Unknown
    }
}
