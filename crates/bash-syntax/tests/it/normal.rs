//! A form in which a tree and the tree of its printed text are equal. What the printer writes in another way by design is
//! written in that way here too; everything else stays as it is, so that a part that is lost or read as another one shows.

use toolwright_bash_syntax::tree::{
    AndOr, Argument, Arithmetic, Assignment, BraceItem, Command, Compound, CompoundKind, Descriptor, Element,
    FileMode, List, Name, Operation, Parameter, Part, Pipeline, Place, Redirect, RedirectKind, Script,
    Simple, Statement, Subscript, Test, Value, Word,
};

/// Which unquoted characters of a word mean something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Active {
    /// None: the value of an assignment, a here-string, a subscript.
    Nothing,
    /// Those of patterns.
    Pattern,
    /// Those of patterns and of `@(..)` and its like: behind `==` in `[[ ]]`.
    Extended,
    /// Those of patterns and blanks: the word of `${name:-..}`.
    Split,
    /// Those of regular expressions.
    Expression,
}

/// What stands around an expansion.
#[derive(Debug, Clone, Copy, Default)]
struct Around {
    /// Double quotes or a here-document.
    quoted: bool,
    /// A here-document, which is printed as a here-string.
    document: bool,
}

const OUTSIDE: Around = Around { quoted: false, document: false };

/// The normal form of a whole script: what its printed text is read as.
pub(crate) fn normal(script: &Script) -> Script {
    let list = |list: &List| List { statements: list.statements.iter().map(statement).collect() };
    Script { lists: script.lists.iter().map(list).collect() }
}

/// A script within another command is printed on one line.
fn inner(script: &Script) -> Script {
    let statements: Vec<_> = script.lists.iter().flat_map(|list| &list.statements).map(statement).collect();
    Script { lists: if statements.is_empty() { Vec::new() } else { vec![List { statements }] } }
}

fn statement(one: &Statement) -> Statement {
    let AndOr { first, rest } = &one.and_or;
    let rest = rest.iter().map(|(connector, next)| (*connector, pipeline(next))).collect();
    Statement { and_or: AndOr { first: pipeline(first), rest }, background: one.background }
}

fn pipeline(one: &Pipeline) -> Pipeline {
    Pipeline {
        timing: one.timing,
        negated: one.negated,
        commands: one.commands.iter().map(command).collect(),
    }
}

fn command(one: &Command) -> Command {
    match one {
        Command::Simple(one) => Command::Simple(Simple {
            assignments: one.assignments.iter().map(assignment).collect(),
            words: one.words.iter().map(argument).collect(),
            redirects: redirects(&one.redirects),
        }),
        Command::Compound(one) => Command::Compound(Box::new(compound(one))),
        Command::Function(one) => {
            let mut one = one.clone();
            *one.body = compound(&one.body);
            Command::Function(one)
        }
    }
}

fn argument(one: &Argument) -> Argument {
    match one {
        Argument::Word(one) => Argument::Word(word(one, Active::Pattern, OUTSIDE)),
        Argument::Assignment(one) => Argument::Assignment(assignment(one)),
    }
}

fn assignment(one: &Assignment) -> Assignment {
    let element = |element: &Element| {
        let active = if element.subscript.is_some() { Active::Nothing } else { Active::Pattern };
        Element {
            subscript: element.subscript.as_ref().map(|one| subscript(one, OUTSIDE)),
            append: element.append,
            value: word(&element.value, active, OUTSIDE),
        }
    };
    Assignment {
        source: String::new(),
        name: one.name.clone(),
        subscript: one.subscript.as_ref().map(|one| subscript(one, OUTSIDE)),
        append: one.append,
        value: match &one.value {
            Value::Scalar(one) => Value::Scalar(word(one, Active::Nothing, OUTSIDE)),
            Value::Array(elements) => Value::Array(elements.iter().map(element).collect()),
        },
    }
}

fn compound(one: &Compound) -> Compound {
    let part = |part: &Option<Arithmetic>| part.as_ref().map(|one| arithmetic(one, OUTSIDE));
    let kind = match &one.kind {
        CompoundKind::Group(script) => CompoundKind::Group(inner(script)),
        CompoundKind::Subshell(script) => CompoundKind::Subshell(inner(script)),
        CompoundKind::If { branches, otherwise } => CompoundKind::If {
            branches: branches.iter().map(|(condition, body)| (inner(condition), inner(body))).collect(),
            otherwise: otherwise.as_ref().map(inner),
        },
        CompoundKind::While { until, condition, body } => {
            CompoundKind::While { until: *until, condition: inner(condition), body: inner(body) }
        }
        CompoundKind::For { name, words, body } => {
            let words = words
                .as_ref()
                .map(|words| words.iter().map(|one| word(one, Active::Pattern, OUTSIDE)).collect());
            CompoundKind::For { name: name.clone(), words, body: inner(body) }
        }
        CompoundKind::ArithmeticFor { start, condition, step, body } => CompoundKind::ArithmeticFor {
            start: part(start),
            condition: part(condition),
            step: part(step),
            body: inner(body),
        },
        CompoundKind::Case { word: value, arms } => {
            let mut arms = arms.clone();
            for arm in &mut arms {
                arm.patterns = arm.patterns.iter().map(|one| word(one, Active::Pattern, OUTSIDE)).collect();
                arm.body = inner(&arm.body);
            }
            CompoundKind::Case { word: word(value, Active::Nothing, OUTSIDE), arms }
        }
        CompoundKind::Arithmetic(one) => CompoundKind::Arithmetic(arithmetic(one, OUTSIDE)),
        CompoundKind::Test(one) => CompoundKind::Test(test(one)),
    };
    Compound { kind, redirects: redirects(&one.redirects) }
}

fn test(one: &Test) -> Test {
    let plain = |one: &Word| word(one, Active::Nothing, OUTSIDE);
    match one {
        Test::Not(operand) => Test::Not(Box::new(test(operand))),
        Test::And(left, right) => Test::And(Box::new(test(left)), Box::new(test(right))),
        Test::Or(left, right) => Test::Or(Box::new(test(left)), Box::new(test(right))),
        Test::Word(one) => Test::Word(plain(one)),
        Test::Unary { operator, word } => Test::Unary { operator: operator.clone(), word: plain(word) },
        Test::Binary { operator, left, right } => {
            let active = match operator.as_str() {
                "==" | "!=" => Active::Extended,
                "=~" => Active::Expression,
                _ => Active::Nothing,
            };
            Test::Binary {
                operator: operator.clone(),
                left: plain(left),
                right: word(right, active, OUTSIDE),
            }
        }
    }
}

/// `&>` and `&>>` are two redirections, a here-document is a here-string, an empty one an empty file.
fn redirects(all: &[Redirect]) -> Vec<Redirect> {
    let mut out = Vec::new();
    for Redirect { descriptor, kind } in all {
        let mut errors = false;
        let kind = match kind {
            RedirectKind::File { mode, target } => {
                errors = matches!(mode, FileMode::WriteBoth | FileMode::AppendBoth);
                let mode = match mode {
                    FileMode::WriteBoth => FileMode::Write,
                    FileMode::AppendBoth => FileMode::Append,
                    mode => *mode,
                };
                RedirectKind::File { mode, target: word(target, Active::Pattern, OUTSIDE) }
            }
            RedirectKind::Duplicate { input, source } => {
                RedirectKind::Duplicate { input: *input, source: word(source, Active::Nothing, OUTSIDE) }
            }
            RedirectKind::HereString(one) => RedirectKind::HereString(here_string(one)),
            RedirectKind::HereDocument { body, .. } => document(body),
        };
        let descriptor = match descriptor {
            Some(Descriptor::Variable(name, index)) => Some(Descriptor::Variable(
                name.clone(),
                index.as_ref().map(|index| subscript(index, OUTSIDE)),
            )),
            descriptor => descriptor.clone(),
        };
        out.push(Redirect { descriptor, kind });
        if errors {
            let source = literal("1");
            let kind = RedirectKind::Duplicate { input: false, source };
            out.push(Redirect { descriptor: Some(Descriptor::Number(2)), kind });
        }
    }
    out
}

fn literal(text: &str) -> Word {
    Word { source: String::new(), parts: vec![Part::Quoted(text.to_owned())] }
}

/// Single values are quoted: old versions split them.
fn here_string(one: &Word) -> Word {
    let mut out = word(one, Active::Nothing, OUTSIDE);
    for part in &mut out.parts {
        let splits = match part {
            Part::Command(_) | Part::Arithmetic(_) => true,
            Part::Parameter(one) => !is_list(one) && one.operation == Operation::Value,
            _ => false,
        };
        if splits {
            *part = Part::Double(vec![part.clone()]);
        }
    }
    out
}

fn is_list(one: &Parameter) -> bool {
    matches!(one.name, Name::Special('@' | '*'))
        || matches!(one.subscript, Some(Subscript::All | Subscript::Joined))
        || matches!(one.operation, Operation::Names { .. } | Operation::Keys)
}

/// Its last line feed is the one that a here-string adds.
fn document(body: &Word) -> RedirectKind {
    let around = Around { quoted: true, document: true };
    let mut parts = Vec::new();
    add(&mut parts, &[Part::Double(body.parts.clone())], Active::Nothing, around);
    if parts == [Part::Quoted(String::new())] {
        return RedirectKind::File { mode: FileMode::Read, target: literal("/dev/null") };
    }
    if let Some(Part::Quoted(last)) = parts.last_mut() {
        last.pop();
    }
    if matches!(parts.as_slice(), [_, .., Part::Quoted(last)] if last.is_empty()) {
        parts.pop();
    }
    RedirectKind::HereString(Word { source: String::new(), parts })
}

fn word(one: &Word, active: Active, around: Around) -> Word {
    let mut parts = Vec::new();
    add(&mut parts, &one.parts, active, around);
    Word { source: String::new(), parts }
}

/// Adds the normal form of parts: text that means nothing unquoted is quoted, each quoted expansion stands in quotes of its own.
fn add(out: &mut Vec<Part>, parts: &[Part], active: Active, around: Around) {
    let brackets = parts.iter().any(|part| matches!(part, Part::Text(text) if text.contains('[')));
    for part in parts {
        match part {
            Part::Text(text) => {
                let mut before = ' ';
                let mut characters = text.chars().peekable();
                while let Some(character) = characters.next() {
                    let negates = before == '['
                        && matches!(character, '!' | '^')
                        && active != Active::Nothing
                        || character == '!' && active == Active::Extended && characters.peek() == Some(&'(');
                    add_text(out, character, negates || is_active(character, active, brackets));
                    before = character;
                }
            }
            Part::Quoted(text) => add_quoted(out, text, around),
            Part::Double(inner) => {
                let around = Around { quoted: true, ..around };
                for part in inner {
                    match part {
                        Part::Quoted(text) if text.is_empty() => {}
                        Part::Quoted(text) => add_quoted(out, text, OUTSIDE),
                        part => out.push(Part::Double(vec![expansion(part, around)])),
                    }
                }
                if inner.is_empty() {
                    add_quoted(out, "", around);
                }
            }
            Part::Braces(items) => braces(out, items, active, brackets),
            part => out.push(expansion(part, around)),
        }
    }
}

/// Letters and their like are active where brackets may be around them.
fn is_active(character: char, active: Active, brackets: bool) -> bool {
    let in_brackets =
        brackets && (character.is_ascii_alphanumeric() || matches!(character, '-' | ':' | '.' | '_' | ']'));
    match active {
        Active::Nothing => false,
        Active::Pattern => in_brackets || matches!(character, '*' | '?' | '['),
        Active::Extended => in_brackets || "*?[()|+@".contains(character),
        Active::Split => in_brackets || matches!(character, '*' | '?' | '[' | ' ' | '\t' | '\n'),
        Active::Expression => in_brackets || ".+()|^$*?[{}".contains(character),
    }
}

fn add_text(out: &mut Vec<Part>, character: char, is_active: bool) {
    match out.last_mut() {
        Some(Part::Text(text)) if is_active => text.push(character),
        Some(Part::Quoted(text)) if !is_active => text.push(character),
        _ if is_active => out.push(Part::Text(character.to_string())),
        _ => out.push(Part::Quoted(character.to_string())),
    }
}

/// Within double quotes an empty text is nothing.
fn add_quoted(out: &mut Vec<Part>, text: &str, around: Around) {
    match out.last_mut() {
        Some(Part::Quoted(last)) => last.push_str(text),
        _ if text.is_empty() && around.quoted && !around.document => {}
        _ => out.push(Part::Quoted(text.to_owned())),
    }
}

/// Old versions know neither steps nor leading zeros, so such a sequence is a list.
fn braces(out: &mut Vec<Part>, items: &[BraceItem], active: Active, brackets: bool) {
    let quoted = |text: String| BraceItem::Parts(vec![Part::Quoted(text)]);
    let items: Vec<BraceItem> = match items {
        [BraceItem::Sequence(text)] => match listed(text) {
            None => items.to_vec(),
            Some(list) => match list.as_slice() {
                [one] => {
                    let add = |character| add_text(out, character, is_active(character, active, brackets));
                    return one.chars().for_each(add);
                }
                _ => list.into_iter().map(quoted).collect(),
            },
        },
        items => items.iter().map(|item| element(item, active)).collect(),
    };
    out.push(Part::Braces(items));
}

fn element(item: &BraceItem, active: Active) -> BraceItem {
    let BraceItem::Parts(parts) = item else { return item.clone() };
    let mut out = Vec::new();
    add(&mut out, parts, active, OUTSIDE);
    BraceItem::Parts(out)
}

/// The words of a sequence with a step or leading zeros.
fn listed(sequence: &str) -> Option<Vec<String>> {
    let terms: Vec<&str> = sequence.split("..").collect();
    let zeros =
        |text: &&str| text.trim_start_matches('-').len() > 1 && text.trim_start_matches('-').starts_with('0');
    let padded = terms.iter().take(2).any(zeros) || terms.contains(&"-0");
    if terms.len() < 3 && !padded {
        return None;
    }
    let step = terms.get(2).map_or(1, |step| step.parse().unwrap_or(1_i64)).unsigned_abs().max(1);
    let width = if padded { terms.iter().take(2).map(|term| term.len()).max() } else { None }.unwrap_or(0);
    let ends: Vec<Option<i64>> = terms.iter().take(2).map(|term| term.parse().ok()).collect();
    let letters = ends.iter().any(Option::is_none);
    let end = |index: usize| ends[index].unwrap_or_else(|| i64::from(terms[index].as_bytes()[0]));
    let (mut at, last) = (end(0), end(1));
    let mut words = Vec::new();
    loop {
        words.push(match u8::try_from(at) {
            Ok(byte) if letters => char::from(byte).to_string(),
            _ => format!("{at:0width$}"),
        });
        if at.abs_diff(last) < step {
            return Some(words);
        }
        let step = i64::try_from(step).ok()?;
        at += if last < at { -step } else { step };
    }
}

fn expansion(part: &Part, around: Around) -> Part {
    match part {
        Part::Parameter(one) => Part::Parameter(Box::new(parameter(one, around))),
        Part::Command(script) => Part::Command(inner(script)),
        Part::Arithmetic(one) => Part::Arithmetic(arithmetic(one, around)),
        Part::Process { input, script } => Part::Process { input: *input, script: inner(script) },
        part => part.clone(),
    }
}

fn parameter(one: &Parameter, around: Around) -> Parameter {
    let name = match &one.name {
        Name::Special('*') if around.document => Name::Special('@'),
        name => name.clone(),
    };
    let pattern = |one: &Word| word(one, Active::Pattern, around);
    let operation = match &one.operation {
        Operation::Default { kind, or_empty, word } => Operation::Default {
            kind: *kind,
            or_empty: *or_empty,
            word: self::word(word, Active::Split, around),
        },
        Operation::Remove { suffix, longest, pattern: one } => {
            Operation::Remove { suffix: *suffix, longest: *longest, pattern: pattern(one) }
        }
        Operation::Replace { anchor, pattern: one, with } => Operation::Replace {
            anchor: *anchor,
            pattern: without_empty(one, around),
            with: with.as_ref().map(|with| word(with, Active::Nothing, around)),
        },
        Operation::Substring { offset, length } => Operation::Substring {
            offset: arithmetic(offset, around),
            length: length.as_ref().map(|length| arithmetic(length, around)),
        },
        Operation::Case { kind, all, pattern: one } => {
            Operation::Case { kind: *kind, all: *all, pattern: one.as_ref().map(pattern) }
        }
        Operation::Names { separate } => Operation::Names { separate: *separate || around.document },
        operation => operation.clone(),
    };
    Parameter {
        name,
        subscript: one.subscript.as_ref().map(|one| subscript(one, around)),
        indirect: one.indirect,
        operation,
    }
}

/// Quotes around nothing are left out of a pattern that is replaced.
fn without_empty(pattern: &Word, around: Around) -> Word {
    let mut kept = pattern.clone();
    kept.parts.retain(|part| !matches!(part, Part::Quoted(text) if text.is_empty()));
    word(&kept, Active::Pattern, around)
}

/// Quotes in a subscript are left out.
fn subscript(one: &Subscript, around: Around) -> Subscript {
    match one {
        Subscript::Joined if around.document => Subscript::All,
        Subscript::Expression(one) => {
            let mut parts = Vec::new();
            for part in word(one, Active::Nothing, around).parts {
                match part {
                    Part::Double(inner) => parts.extend(inner),
                    part => parts.push(part),
                }
            }
            Subscript::Expression(Word { source: String::new(), parts })
        }
        one => one.clone(),
    }
}

/// The branches of `? :` stand in brackets where they are assignments or lists.
fn arithmetic(one: &Arithmetic, around: Around) -> Arithmetic {
    let boxed = |one: &Arithmetic| Box::new(arithmetic(one, around));
    let branch = |one: &Arithmetic| match one {
        Arithmetic::Assign(..) | Arithmetic::Comma(..) => Box::new(Arithmetic::Group(boxed(one))),
        one => boxed(one),
    };
    let place = |one: &Place| Place {
        name: one.name.clone(),
        subscript: one.subscript.as_ref().map(|one| subscript(one, around)),
    };
    match one {
        Arithmetic::Number(number) => Arithmetic::Number(number.clone()),
        Arithmetic::Value(one) => Arithmetic::Value(place(one)),
        Arithmetic::Expansion(part) => Arithmetic::Expansion(Box::new(expansion(part, around))),
        Arithmetic::Joined(parts) => {
            Arithmetic::Joined(parts.iter().map(|part| expansion(part, around)).collect())
        }
        Arithmetic::Group(inner) => Arithmetic::Group(boxed(inner)),
        Arithmetic::Unary(sign, inner) => Arithmetic::Unary(*sign, boxed(inner)),
        Arithmetic::Binary(operator, left, right) => Arithmetic::Binary(*operator, boxed(left), boxed(right)),
        Arithmetic::Conditional(condition, yes, no) => {
            Arithmetic::Conditional(boxed(condition), branch(yes), branch(no))
        }
        Arithmetic::Assign(target, operator, value) => {
            Arithmetic::Assign(place(target), *operator, boxed(value))
        }
        Arithmetic::Step { step, place: target } => Arithmetic::Step { step: *step, place: place(target) },
        Arithmetic::Comma(left, right) => Arithmetic::Comma(boxed(left), boxed(right)),
    }
}
