//! Arithmetic expressions. 6.5, Shell Arithmetic: bash evaluates the value of a variable as an expression again, so an
//! expression is only as harmless as the values of the names in it.

use super::{Part, Subscript};

/// An arithmetic expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Arithmetic {
    /// A constant as written: decimal, `0x..`, octal, `base#digits`.
    Number(String),
    /// The value of a variable.
    Value(Place),
    /// `$name`, `${..}`, `$(..)`, `$((..))`: bash puts the text in its place before it evaluates the expression.
    Expansion(Box<Part>),
    /// Constant text and expansions side by side, which make one operand: `10#$x`, `0x$digits`. Holds [`Part::Text`] and
    /// what [`Arithmetic::Expansion`] holds.
    Joined(Vec<Part>),
    /// `( .. )`. Kept, because an expansion in it may bring operators of its own: `($x)*2` is not `$x*2`.
    Group(Box<Arithmetic>),
    /// `- + ! ~`
    Unary(char, Box<Arithmetic>),
    /// Any binary operator but assignments.
    Binary(ArithmeticOperator, Box<Arithmetic>, Box<Arithmetic>),
    /// `a ? b : c`
    Conditional(Box<Arithmetic>, Box<Arithmetic>, Box<Arithmetic>),
    /// `name = x`, `name += x` and the like: the operator without `=`, none for `=` alone.
    Assign(Place, Option<ArithmeticOperator>, Box<Arithmetic>),
    /// `++name`, `name++`, `--name`, `name--`
    Step {
        /// Which.
        step: Step,
        /// What changes.
        place: Place,
    },
    /// `a, b`
    Comma(Box<Arithmetic>, Box<Arithmetic>),
}

/// What arithmetic reads or assigns: a variable or an element of an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The variable.
    pub name: String,
    /// The element.
    pub subscript: Option<Subscript>,
}

/// Increments and decrements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// `++name`
    IncrementFirst,
    /// `name++`
    IncrementAfter,
    /// `--name`
    DecrementFirst,
    /// `name--`
    DecrementAfter,
}

/// Binary operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArithmeticOperator {
    /// `**`
    Power,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
    /// `&&`
    And,
    /// `||`
    Or,
}
