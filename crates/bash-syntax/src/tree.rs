//! The syntax tree of a script. A node says what bash does, not how it was spelled: `|&` is a pipe and a duplication,
//! back-quotes are a command substitution, quotes are gone and what they did to the text is kept.
//!
//! Sections named in the documentation are those of the Bash Reference Manual, 5.3.

mod arithmetic;
mod command;
mod word;

pub use arithmetic::{Arithmetic, ArithmeticOperator, Place, Step};
pub use command::{
    AndOr, Argument, Arm, ArmEnd, Assignment, Command, Compound, CompoundKind, Connector, Descriptor,
    Element, FileMode, Function, List, Pipeline, Redirect, RedirectKind, Script, Simple, Statement, Test,
    Timing, Value,
};
pub use word::{BraceItem, Name, Operation, Parameter, Part, Subscript, Word};
