//! Words and the expansions in them.

use super::{Arithmetic, Script};

/// A word before expansion.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Word {
    /// As written, quotes included: what permission rules match.
    pub source: String,
    /// What it is made of, in order.
    pub parts: Vec<Part>,
}

/// A piece of a word. Adjacent parts are joined without a blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Unquoted text: pattern characters (`*`, `?`, `[..]`) are active where the place of the word lets them. Without
    /// quotes, backslashes, dollar signs that begin an expansion, and unescaped line feeds.
    Text(String),
    /// Text that was quoted or escaped: each character stands for itself. May be empty (`''`).
    Quoted(String),
    /// `".."` with at least one expansion in it: results are neither split nor globbed. Holds [`Part::Quoted`],
    /// [`Part::Parameter`], [`Part::Command`] and [`Part::Arithmetic`] alone.
    Double(Vec<Part>),
    /// An unquoted tilde prefix: the text between `~` and the end of the prefix (empty: home; `+`, `-`, a login name).
    Tilde(String),
    /// `$name`, `${..}`
    Parameter(Box<Parameter>),
    /// `$( )`, and back-quotes after their own round of backslash removal; `$(< file)` is a script with that redirection alone.
    Command(Script),
    /// `$(( ))`, and the old form `$[ ]`.
    Arithmetic(Arithmetic),
    /// `<( )` and `>( )`
    Process {
        /// `<( )`: its output is read.
        input: bool,
        /// What runs.
        script: Script,
    },
    /// `{a,b}` and `{1..3}` where bash expands them (3.5.1): one word for each item.
    Braces(Vec<BraceItem>),
}

/// What a brace expansion lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BraceItem {
    /// An element between commas; may hold further braces.
    Parts(Vec<Part>),
    /// `x..y` or `x..y..step` as written, without the braces: the only item then.
    Sequence(String),
}

/// A parameter expansion. 3.5.3.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Whose value.
    pub name: Name,
    /// `${name[subscript]}`
    pub subscript: Option<Subscript>,
    /// `${!name}`: the value is the name of another parameter.
    pub indirect: bool,
    /// What is done with the value.
    pub operation: Operation,
}

/// A parameter's name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Name {
    /// A variable.
    Variable(String),
    /// A positional parameter, from 1.
    Positional(u32),
    /// One of `@ * # ? - $ ! 0`.
    Special(char),
}

/// What stands between the brackets of an array's subscript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subscript {
    /// `[@]`
    All,
    /// `[*]`
    Joined,
    /// Anything else. An expression that bash evaluates as arithmetic for an indexed array, and a key for an associative one:
    /// which of them the text alone does not tell. Its parts are read as within double quotes, quotes of its own removed.
    Expression(Word),
}

/// What a parameter expansion does with the value. Words in it that stand within double quotes or a here-document were read by
/// the rules for that place: single quotes are text there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    /// Nothing: `${name}`.
    Value,
    /// `${#name}`, and the number of elements for `[@]` and `[*]`.
    Length,
    /// `${name:-word}`, `:=`, `:?`, `:+`, and the forms without the colon.
    Default {
        /// `-`, `=`, `?` or `+`.
        kind: char,
        /// With a colon: an empty value counts as unset.
        or_empty: bool,
        /// The word.
        word: Word,
    },
    /// `${name#pattern}`, `##`, `%`, `%%`.
    Remove {
        /// `%`: at the end.
        suffix: bool,
        /// Doubled: the longest match.
        longest: bool,
        /// The pattern.
        pattern: Word,
    },
    /// `${name/pattern/with}`
    Replace {
        /// None, `/` for all matches, `#` at the beginning, `%` at the end.
        anchor: Option<char>,
        /// The pattern.
        pattern: Word,
        /// What takes its place.
        with: Option<Word>,
    },
    /// `${name:offset}` and `${name:offset:length}`
    Substring {
        /// From where.
        offset: Arithmetic,
        /// How many.
        length: Option<Arithmetic>,
    },
    /// `${name^pattern}`, `^^`, `,`, `,,`.
    Case {
        /// `^` or `,`.
        kind: char,
        /// Doubled: every character.
        all: bool,
        /// Which characters; none: any.
        pattern: Option<Word>,
    },
    /// `${name@Q}` and the like: the letter.
    Transform(char),
    /// `${!prefix*}` and `${!prefix@}`: names of variables.
    Names {
        /// `@`
        separate: bool,
    },
    /// `${!name[@]}` and `${!name[*]}`: subscripts of an array; the subscript tells which.
    Keys,
}
