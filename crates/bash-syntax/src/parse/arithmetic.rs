//! Arithmetic expressions. 6.5.

use super::cursor::{END, is_name, is_name_start};
use super::quote::{Ends, Quote};
use super::{Parser, Read};
use crate::tree::{Arithmetic, ArithmeticOperator, Part, Place, Step};

use ArithmeticOperator as Operator;

/// Binary operators, the longest of each beginning first, and how tightly each binds.
const BINARY: [(&[u8], Operator, u8); 19] = [
    (b"**", Operator::Power, 11),
    (b"<<", Operator::ShiftLeft, 8),
    (b">>", Operator::ShiftRight, 8),
    (b"<=", Operator::LessOrEqual, 7),
    (b">=", Operator::GreaterOrEqual, 7),
    (b"==", Operator::Equal, 6),
    (b"!=", Operator::NotEqual, 6),
    (b"&&", Operator::And, 2),
    (b"||", Operator::Or, 1),
    (b"*", Operator::Multiply, 10),
    (b"/", Operator::Divide, 10),
    (b"%", Operator::Remainder, 10),
    (b"+", Operator::Add, 9),
    (b"-", Operator::Subtract, 9),
    (b"<", Operator::Less, 7),
    (b">", Operator::Greater, 7),
    (b"&", Operator::BitAnd, 5),
    (b"^", Operator::BitXor, 4),
    (b"|", Operator::BitOr, 3),
];

impl Parser<'_> {
    /// Blanks and line feeds.
    pub(super) fn skip_space(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\n') {
            self.at += 1;
        }
    }

    /// An expression and what ends it. None at all is zero.
    pub(super) fn arithmetic_until(&mut self, end: &[u8]) -> Read<Arithmetic> {
        self.skip_space();
        if self.eat(end) {
            return Ok(Arithmetic::Number("0".to_owned()));
        }
        let expression = self.arithmetic()?;
        if self.eat(end) {
            return Ok(expression);
        }
        let end = String::from_utf8_lossy(end);
        Err(self.unexpected(&format!("an operator or `{end}` of arithmetic")))
    }

    /// An expression with the blanks around it.
    pub(super) fn arithmetic(&mut self) -> Read<Arithmetic> {
        self.enter()?;
        let mut left = self.assigning()?;
        while self.peek() == b',' {
            self.count_operator()?;
            self.at += 1;
            let right = self.assigning()?;
            left = Arithmetic::Comma(Box::new(left), Box::new(right));
        }
        self.leave();
        Ok(left)
    }

    fn assigning(&mut self) -> Read<Arithmetic> {
        let left = self.conditional()?;
        let Some(operator) = self.assignment_operator() else { return Ok(left) };
        let Arithmetic::Value(place) = left else {
            return Err(self.wrong("an assignment to something else than a variable"));
        };
        self.enter()?;
        let right = self.assigning()?;
        self.leave();
        Ok(Arithmetic::Assign(place, operator, Box::new(right)))
    }

    /// Goes over `=` or `+=` and the like.
    #[expect(clippy::option_option, reason = "no assignment, a plain one, one with an operator")]
    fn assignment_operator(&mut self) -> Option<Option<Operator>> {
        const ASSIGNING: [(&[u8], Operator); 10] = [
            (b"<<=", Operator::ShiftLeft),
            (b">>=", Operator::ShiftRight),
            (b"*=", Operator::Multiply),
            (b"/=", Operator::Divide),
            (b"%=", Operator::Remainder),
            (b"+=", Operator::Add),
            (b"-=", Operator::Subtract),
            (b"&=", Operator::BitAnd),
            (b"^=", Operator::BitXor),
            (b"|=", Operator::BitOr),
        ];
        if self.peek() == b'=' && self.peek_second() != b'=' {
            self.at += 1;
            return Some(None);
        }
        let found = ASSIGNING.iter().find(|(text, _)| self.looking_at(text))?;
        self.eat(found.0);
        Some(Some(found.1))
    }

    fn conditional(&mut self) -> Read<Arithmetic> {
        let condition = self.binary(0)?;
        if self.peek() != b'?' {
            return Ok(condition);
        }
        self.at += 1;
        let yes = self.arithmetic()?;
        if self.peek() != b':' {
            return Err(self.unexpected("`:` of `? :`"));
        }
        self.at += 1;
        self.enter()?;
        let no = self.conditional()?;
        self.leave();
        Ok(Arithmetic::Conditional(Box::new(condition), Box::new(yes), Box::new(no)))
    }

    fn binary_operator(&self) -> Option<(&'static [u8], Operator, u8)> {
        let found = BINARY.iter().find(|(text, ..)| self.looking_at(text))?;
        let end = self.behind(self.at, found.0)?;
        let assigns = self.byte(self.joined(end)) == b'='
            && !matches!(
                found.1,
                Operator::LessOrEqual
                    | Operator::GreaterOrEqual
                    | Operator::Equal
                    | Operator::NotEqual
                    | Operator::Power
            );
        (!assigns).then_some(*found)
    }

    /// Operators that bind at least as tightly as `least`.
    fn binary(&mut self, least: u8) -> Read<Arithmetic> {
        let mut left = self.unary()?;
        while let Some((text, operator, binds)) = self.binary_operator() {
            if binds < least {
                break;
            }
            self.count_operator()?;
            self.eat(text);
            let right = if operator == Operator::Power {
                self.enter()?;
                let right = self.binary(binds)?;
                self.leave();
                right
            } else {
                self.binary(binds + 1)?
            };
            left = Arithmetic::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Read<Arithmetic> {
        self.count()?;
        self.skip_space();
        let sign = self.peek();
        if !matches!(sign, b'+' | b'-' | b'!' | b'~') {
            let operand = self.operand()?;
            self.skip_space();
            return Ok(operand);
        }
        self.at += 1;
        if matches!(sign, b'+' | b'-') && self.peek() == sign {
            self.at += 1;
            self.skip_space();
            if !is_name_start(self.peek()) {
                return Err(self.wrong("a step of something else than a variable"));
            }
            let place = self.place()?;
            self.skip_space();
            let step = if sign == b'+' { Step::IncrementFirst } else { Step::DecrementFirst };
            return Ok(Arithmetic::Step { step, place });
        }
        self.enter()?;
        let operand = self.unary()?;
        self.leave();
        Ok(Arithmetic::Unary(char::from(sign), Box::new(operand)))
    }

    fn operand(&mut self) -> Read<Arithmetic> {
        let byte = self.peek();
        match byte {
            b'(' => {
                self.at += 1;
                let inner = self.arithmetic()?;
                if self.peek() != b')' {
                    return Err(self.unexpected("`)` or an operator of arithmetic"));
                }
                self.at += 1;
                Ok(Arithmetic::Group(Box::new(inner)))
            }
            b'0'..=b'9' | b'$' | b'`' | b'"' => self.joined_operand(),
            _ if is_name_start(byte) => self.variable(),
            b'\'' => Err(self.wrong("a single quote in arithmetic")),
            END => Err(self.wrong("unclosed arithmetic")),
            _ => Err(self.unexpected("a number, a variable or an expansion of arithmetic")),
        }
    }

    fn variable(&mut self) -> Read<Arithmetic> {
        let place = self.place()?;
        if matches!(self.peek(), b'$' | b'`') {
            if place.subscript.is_some() {
                return Err(self.wrong("an expansion right behind a subscript"));
            }
            return self.joined_from(vec![Part::Text(place.name)]);
        }
        self.skip_space();
        for (text, step) in [(&b"++"[..], Step::IncrementAfter), (b"--", Step::DecrementAfter)] {
            if self.eat(text) {
                return Ok(Arithmetic::Step { step, place });
            }
        }
        Ok(Arithmetic::Value(place))
    }

    fn place(&mut self) -> Read<Place> {
        let name = self.name();
        let mut subscript = None;
        if self.peek() == b'[' {
            self.at += 1;
            subscript = Some(self.subscript(true)?);
        }
        Ok(Place { name, subscript })
    }

    fn joined_operand(&mut self) -> Read<Arithmetic> {
        let operand = self.joined_from(Vec::new())?;
        self.skip_space();
        if self.looking_at(b"++") || self.looking_at(b"--") {
            return Err(self.wrong("a step of something else than a variable"));
        }
        Ok(operand)
    }

    /// Digits, names and expansions side by side.
    fn joined_from(&mut self, mut parts: Vec<Part>) -> Read<Arithmetic> {
        loop {
            let byte = self.peek();
            match byte {
                b'$' | b'`' => {
                    let part = if byte == b'$' {
                        self.dollar(Quote::Double)?
                    } else {
                        Some(Part::Command(self.back_quotes(Quote::None)?))
                    };
                    match part {
                        Some(part) => parts.push(part),
                        None => return Err(self.wrong("`$` in arithmetic")),
                    }
                }
                b'"' if parts.is_empty() => parts.push(self.quoted_operand()?),
                _ if is_name(byte) || (matches!(byte, b'#' | b'@') && !parts.is_empty()) => {
                    let start = self.at;
                    while is_name(self.byte(self.at)) || matches!(self.byte(self.at), b'#' | b'@') {
                        self.at += 1;
                    }
                    super::parts::push_text(&mut parts, self.slice(start, self.at));
                }
                b'[' | b'"' | b'\'' | b'\\' | b'#' | b'@' | b'.' => {
                    return Err(self.unexpected("an operator of arithmetic"));
                }
                _ => break,
            }
        }
        match parts.as_mut_slice() {
            [Part::Text(number)] => {
                let number = std::mem::take(number);
                if number.contains('@') && !number.contains('#') {
                    return Err(self.wrong("no number"));
                }
                Ok(Arithmetic::Number(number))
            }
            [_] => Ok(parts
                .pop()
                .map_or(Arithmetic::Number(String::new()), |part| Arithmetic::Expansion(Box::new(part)))),
            _ => Ok(Arithmetic::Joined(parts)),
        }
    }

    /// `"$x"`: bash removes the quotes.
    fn quoted_operand(&mut self) -> Read<Part> {
        let at = self.at;
        self.at += 1;
        let mut parts = self.double(Ends::AtQuote)?;
        match (parts.pop(), parts.is_empty()) {
            (Some(part), true) if !matches!(part, Part::Quoted(_)) => Ok(part),
            _ => Err(self.wrong_at(at, "double quotes in arithmetic")),
        }
    }
}
