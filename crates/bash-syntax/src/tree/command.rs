//! Commands, from a whole script down to simple commands and redirections.

use super::{Arithmetic, Subscript, Word};

/// A sequence of complete commands: a whole text, or what stands within a group, a substitution or a body.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Script {
    /// Each complete command: bash reads and runs them one after the other. A line feed ends one where the grammar lets it.
    pub lists: Vec<List>,
}

/// One complete command: and-or lists separated by `;` and `&` on one line. 3.2.4, Lists of Commands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct List {
    /// In their order; never empty.
    pub statements: Vec<Statement>,
}

/// One and-or list of a [`List`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// What runs.
    pub and_or: AndOr,
    /// It ends with `&` and runs in the background, in a subshell.
    pub background: bool,
}

/// Pipelines connected by `&&` and `||`, of equal precedence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AndOr {
    /// The first.
    pub first: Pipeline,
    /// The others, each with what stands before it.
    pub rest: Vec<(Connector, Pipeline)>,
}

/// What connects two pipelines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Connector {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// Commands connected by `|`. 3.2.3, Pipelines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pipeline {
    /// The reserved word `time` before it.
    pub timing: Option<Timing>,
    /// `!` before it (an even number of them is none).
    pub negated: bool,
    /// In their order; never empty. `a |& b` has the redirection `2>&1` as the last of `a`.
    pub commands: Vec<Command>,
}

/// The reserved word `time`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Timing {
    /// `time`
    Bash,
    /// `time -p`
    Posix,
}

/// One command of a pipeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Words, assignments and redirections.
    Simple(Simple),
    /// A group, a loop, a condition.
    Compound(Box<Compound>),
    /// A function definition.
    Function(Function),
}

/// A simple command. 3.7.1: its words are expanded first, then its redirections are performed, then its assignments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Simple {
    /// Assignments before the first word.
    pub assignments: Vec<Assignment>,
    /// The command's name and its arguments; empty where there are only assignments or redirections.
    pub words: Vec<Argument>,
    /// In their order, wherever they stood.
    pub redirects: Vec<Redirect>,
}

/// A word of a simple command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    /// An ordinary word.
    Word(Word),
    /// An assignment as the argument of a declaration builtin whose name is spelled bare (`declare`, `export`, `local`,
    /// `readonly`, `typeset`): its value is neither split nor globbed.
    Assignment(Assignment),
}

/// An assignment. 3.4, Shell Parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// As written, `name=value` whole.
    pub source: String,
    /// The variable.
    pub name: String,
    /// `name[subscript]=`
    pub subscript: Option<Subscript>,
    /// `+=`
    pub append: bool,
    /// What is assigned.
    pub value: Value,
}

/// What an assignment assigns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// One word: tilde expansion also after each unquoted `:`; neither split nor globbed, no brace expansion.
    Scalar(Word),
    /// `(..)`: each element is expanded like a command's argument unless it has a subscript.
    Array(Vec<Element>),
}

/// An element of an array assignment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// `[subscript]=` before it.
    pub subscript: Option<Subscript>,
    /// `[subscript]+=`
    pub append: bool,
    /// Its value.
    pub value: Word,
}

/// A compound command. 3.2.5.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compound {
    /// Which.
    pub kind: CompoundKind,
    /// Redirections behind it.
    pub redirects: Vec<Redirect>,
}

/// The compound commands. `select` and `coproc` are not among them: a text that has one is not parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CompoundKind {
    /// `{ ..; }`
    Group(Script),
    /// `( .. )`
    Subshell(Script),
    /// `if`, each `elif`, `else`.
    If {
        /// Each condition with its body; never empty.
        branches: Vec<(Script, Script)>,
        /// The body of `else`.
        otherwise: Option<Script>,
    },
    /// `while` and `until`.
    While {
        /// `until`: goes on as long as the condition fails.
        until: bool,
        /// The condition.
        condition: Script,
        /// The body.
        body: Script,
    },
    /// `for name in ..; do ..; done`
    For {
        /// The variable.
        name: String,
        /// The words behind `in`; none where `in` is left out, which stands for `"$@"`.
        words: Option<Vec<Word>>,
        /// The body.
        body: Script,
    },
    /// `for ((..; ..; ..)); do ..; done`
    ArithmeticFor {
        /// Evaluated once.
        start: Option<Arithmetic>,
        /// Evaluated before each round.
        condition: Option<Arithmetic>,
        /// Evaluated after each round.
        step: Option<Arithmetic>,
        /// The body.
        body: Script,
    },
    /// `case word in ..`
    Case {
        /// Expanded without splitting, globbing and braces.
        word: Word,
        /// In their order.
        arms: Vec<Arm>,
    },
    /// `(( .. ))`
    Arithmetic(Arithmetic),
    /// `[[ .. ]]`
    Test(Test),
}

/// A branch of `case`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arm {
    /// Patterns; unquoted pattern characters are active, braces are not.
    pub patterns: Vec<Word>,
    /// What runs where one matches.
    pub body: Script,
    /// What happens after it.
    pub end: ArmEnd,
}

/// How a branch of `case` ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArmEnd {
    /// `;;`
    Break,
    /// `;&`: the body of the next one runs.
    FallThrough,
    /// `;;&`: the patterns of the next ones are tried.
    Continue,
}

/// A function definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Its name: a literal.
    pub name: String,
    /// Its body.
    pub body: Box<Compound>,
}

/// An expression of `[[ .. ]]`. Words in it are neither split nor globbed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Test {
    /// `! x`
    Not(Box<Test>),
    /// `x && y`
    And(Box<Test>, Box<Test>),
    /// `x || y`
    Or(Box<Test>, Box<Test>),
    /// A word alone: whether it is not empty.
    Word(Word),
    /// A primary with one operand.
    Unary {
        /// With its dash: `-f`.
        operator: String,
        /// The operand.
        word: Word,
    },
    /// A primary with two operands.
    Binary {
        /// `==` (also for `=`), `!=`, `=~`, `<`, `>`, `-eq`, `-nt` and the like.
        operator: String,
        /// Left of it.
        left: Word,
        /// Right of it: a pattern behind `==` and `!=`, a regular expression behind `=~`; text in it that was quoted is literal.
        right: Word,
    },
}

/// A redirection. 3.6.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    /// What stands before the operator.
    pub descriptor: Option<Descriptor>,
    /// The rest.
    pub kind: RedirectKind,
}

/// The file descriptor that a redirection names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Descriptor {
    /// `2>`
    Number(u32),
    /// `{name}>`: bash assigns the number of a new descriptor to the variable.
    Variable(String, Option<Subscript>),
}

/// What a redirection does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RedirectKind {
    /// Opens a file.
    File {
        /// How.
        mode: FileMode,
        /// Its name: one word after expansion.
        target: Word,
    },
    /// `<&word` and `>&word`, where `>&` with a word that is no number and not `-` is [`FileMode::WriteBoth`] instead.
    Duplicate {
        /// `<&`
        input: bool,
        /// A descriptor's number, a number and `-`, or `-`; or a word with expansions.
        source: Word,
    },
    /// `<<< word`: neither split nor globbed; bash adds a line feed.
    HereString(Word),
    /// `<<` and `<<-`. Leading tabs of `<<-` are already removed.
    HereDocument {
        /// The delimiter as written.
        delimiter: String,
        /// Expansions are in it where the delimiter was unquoted; otherwise it is one literal text.
        body: Word,
    },
}

/// How a redirection opens a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileMode {
    /// `<`
    Read,
    /// `>`
    Write,
    /// `>>`
    Append,
    /// `>|`
    Clobber,
    /// `<>`
    ReadWrite,
    /// `&>` and `>&word`: standard output and standard error.
    WriteBoth,
    /// `&>>`
    AppendBoth,
}
