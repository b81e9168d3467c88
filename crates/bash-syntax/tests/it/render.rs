//! A short text for a tree: each word in `<>`, quoted text in `'`, everything else near to what bash writes.

use toolwright_bash_syntax::tree::{
    AndOr, Argument, Arithmetic, Assignment, BraceItem, Command, Compound, CompoundKind, Connector,
    Descriptor, Element, Name, Operation, Parameter, Part, Pipeline, Place, Redirect, RedirectKind, Script,
    Simple, Step, Subscript, Test, Timing, Value, Word,
};

pub(crate) fn script(script: &Script) -> String {
    let list = |list: &toolwright_bash_syntax::tree::List| {
        let statement = |statement: &toolwright_bash_syntax::tree::Statement| {
            format!("{}{}", and_or(&statement.and_or), if statement.background { " &" } else { "" })
        };
        join(list.statements.iter().map(statement), "; ")
    };
    join(script.lists.iter().map(list), " ⏎ ")
}

fn join(items: impl Iterator<Item = String>, between: &str) -> String {
    items.collect::<Vec<_>>().join(between)
}

fn and_or(and_or: &AndOr) -> String {
    let mut out = pipeline(&and_or.first);
    for (connector, next) in &and_or.rest {
        out.push_str(match connector {
            Connector::And => " && ",
            Connector::Or => " || ",
        });
        out.push_str(&pipeline(next));
    }
    out
}

fn pipeline(pipeline: &Pipeline) -> String {
    let timing = match pipeline.timing {
        None => "",
        Some(Timing::Bash) => "time ",
        Some(Timing::Posix) => "time -p ",
    };
    let negated = if pipeline.negated { "! " } else { "" };
    format!("{timing}{negated}{}", join(pipeline.commands.iter().map(command), " |> "))
}

fn command(command: &Command) -> String {
    match command {
        Command::Simple(one) => simple(one),
        Command::Compound(one) => compound(one),
        Command::Function(function) => format!("{}() {}", function.name, compound(&function.body)),
    }
}

fn simple(simple: &Simple) -> String {
    let mut all: Vec<_> = simple.assignments.iter().map(assignment).collect();
    all.extend(simple.words.iter().map(|argument| match argument {
        Argument::Word(one) => word(one),
        Argument::Assignment(one) => assignment(one),
    }));
    all.extend(simple.redirects.iter().map(redirect));
    all.join(" ")
}

fn assignment(assignment: &Assignment) -> String {
    let value = match &assignment.value {
        Value::Scalar(one) => word(one),
        Value::Array(elements) => format!("({})", join(elements.iter().map(element), " ")),
    };
    let index = assignment.subscript.as_ref().map(subscript).unwrap_or_default();
    format!("{}{index}{}{value}", assignment.name, if assignment.append { "+=" } else { "=" })
}

fn element(element: &Element) -> String {
    match &element.subscript {
        None => word(&element.value),
        Some(index) => {
            format!("{}{}{}", subscript(index), if element.append { "+=" } else { "=" }, word(&element.value))
        }
    }
}

fn compound(compound: &Compound) -> String {
    let mut out = match &compound.kind {
        CompoundKind::Group(body) => format!("{{ {} }}", script(body)),
        CompoundKind::Subshell(body) => format!("( {} )", script(body)),
        CompoundKind::If { branches, otherwise } => {
            let mut out = String::new();
            for (condition, body) in branches {
                let word = if out.is_empty() { "if" } else { " elif" };
                out.push_str(&format!("{word} {} then {}", script(condition), script(body)));
            }
            if let Some(body) = otherwise {
                out.push_str(&format!(" else {}", script(body)));
            }
            out + " fi"
        }
        CompoundKind::While { until, condition, body } => {
            let word = if *until { "until" } else { "while" };
            format!("{word} {} do {} done", script(condition), script(body))
        }
        CompoundKind::For { name, words, body } => {
            let words = words
                .as_ref()
                .map_or(String::new(), |words| format!(" in {}", join(words.iter().map(word), " ")));
            format!("for {name}{words} do {} done", script(body))
        }
        CompoundKind::ArithmeticFor { start, condition, step, body } => {
            let part = |part: &Option<Arithmetic>| part.as_ref().map(arithmetic).unwrap_or_default();
            format!("for (({};{};{})) do {} done", part(start), part(condition), part(step), script(body))
        }
        CompoundKind::Case { word: value, arms } => {
            let mut out = format!("case {} in", word(value));
            for arm in arms {
                let patterns = join(arm.patterns.iter().map(word), "|");
                out.push_str(&format!(" {patterns}) {} {:?}", script(&arm.body), arm.end));
            }
            out + " esac"
        }
        CompoundKind::Arithmetic(expression) => format!("(({}))", arithmetic(expression)),
        CompoundKind::Test(one) => format!("[[ {} ]]", test(one)),
    };
    for one in &compound.redirects {
        out.push(' ');
        out.push_str(&redirect(one));
    }
    out
}

fn test(one: &Test) -> String {
    match one {
        Test::Not(inner) => format!("!({})", test(inner)),
        Test::And(left, right) => format!("({} && {})", test(left), test(right)),
        Test::Or(left, right) => format!("({} || {})", test(left), test(right)),
        Test::Word(one) => word(one),
        Test::Unary { operator, word: one } => format!("{operator} {}", word(one)),
        Test::Binary { operator, left, right } => format!("{} {operator} {}", word(left), word(right)),
    }
}

fn redirect(redirect: &Redirect) -> String {
    let descriptor = match &redirect.descriptor {
        None => String::new(),
        Some(Descriptor::Number(number)) => number.to_string(),
        Some(Descriptor::Variable(name, index)) => {
            format!("{{{name}{}}}", index.as_ref().map(subscript).unwrap_or_default())
        }
    };
    let rest = match &redirect.kind {
        RedirectKind::File { mode, target } => format!("{mode:?}{}", word(target)),
        RedirectKind::Duplicate { input, source } => {
            format!("{}&{}", if *input { "<" } else { ">" }, word(source))
        }
        RedirectKind::HereString(one) => format!("<<<{}", word(one)),
        RedirectKind::HereDocument { delimiter, body } => format!("<<{delimiter}{}", word(body)),
    };
    descriptor + &rest
}

pub(crate) fn word(word: &Word) -> String {
    format!("<{}>", parts(&word.parts))
}

fn parts(all: &[Part]) -> String {
    join(all.iter().map(part), "")
}

fn part(part: &Part) -> String {
    match part {
        Part::Text(text) => text.clone(),
        Part::Quoted(text) => format!("'{text}'"),
        Part::Double(inner) => format!("\"{}\"", parts(inner)),
        Part::Tilde(prefix) => format!("[~{prefix}]"),
        Part::Parameter(one) => parameter(one),
        Part::Command(body) => format!("$({})", script(body)),
        Part::Arithmetic(expression) => format!("$(({}))", arithmetic(expression)),
        Part::Process { input, script: body } => {
            format!("{}({})", if *input { "<" } else { ">" }, script(body))
        }
        Part::Braces(items) => {
            let item = |item: &BraceItem| match item {
                BraceItem::Parts(inner) => parts(inner),
                BraceItem::Sequence(text) => format!("..{text}"),
            };
            format!("{{{}}}", join(items.iter().map(item), ","))
        }
    }
}

fn subscript(one: &Subscript) -> String {
    match one {
        Subscript::All => "[@]".to_owned(),
        Subscript::Joined => "[*]".to_owned(),
        Subscript::Expression(one) => format!("[{}]", parts(&one.parts)),
    }
}

fn parameter(one: &Parameter) -> String {
    let name = match &one.name {
        Name::Variable(name) => name.clone(),
        Name::Positional(number) => number.to_string(),
        Name::Special(character) => character.to_string(),
    };
    let name = format!("{name}{}", one.subscript.as_ref().map(subscript).unwrap_or_default());
    let name = if one.indirect { format!("!{name}") } else { name };
    let doubled = |character: char, doubled: bool| character.to_string().repeat(if doubled { 2 } else { 1 });
    let rest = match &one.operation {
        Operation::Value => String::new(),
        Operation::Length => return format!("${{#{name}}}"),
        Operation::Default { kind, or_empty, word: one } => {
            format!("{}{kind}{}", if *or_empty { ":" } else { "" }, word(one))
        }
        Operation::Remove { suffix, longest, pattern } => {
            format!("{}{}", doubled(if *suffix { '%' } else { '#' }, *longest), word(pattern))
        }
        Operation::Replace { anchor, pattern, with } => {
            let anchor = anchor.map(String::from).unwrap_or_default();
            format!(
                "/{anchor}{}{}",
                word(pattern),
                with.as_ref().map_or(String::new(), |with| format!("/{}", word(with)))
            )
        }
        Operation::Substring { offset, length } => {
            format!(
                ":{}{}",
                arithmetic(offset),
                length.as_ref().map_or(String::new(), |length| format!(":{}", arithmetic(length)))
            )
        }
        Operation::Case { kind, all, pattern } => {
            format!("{}{}", doubled(*kind, *all), pattern.as_ref().map(word).unwrap_or_default())
        }
        Operation::Transform(letter) => format!("@{letter}"),
        Operation::Names { separate } => return format!("${{!{name}{}}}", if *separate { "@" } else { "*" }),
        Operation::Keys => return format!("${{!{name}}}"),
    };
    format!("${{{name}{rest}}}")
}

fn place(place: &Place) -> String {
    format!("{}{}", place.name, place.subscript.as_ref().map(subscript).unwrap_or_default())
}

pub(crate) fn arithmetic(one: &Arithmetic) -> String {
    match one {
        Arithmetic::Number(number) => number.clone(),
        Arithmetic::Value(one) => place(one),
        Arithmetic::Expansion(one) => part(one),
        Arithmetic::Joined(all) => parts(all),
        Arithmetic::Group(inner) => format!("group{}", arithmetic(inner)),
        Arithmetic::Unary(sign, inner) => format!("({sign} {})", arithmetic(inner)),
        Arithmetic::Binary(operator, left, right) => {
            format!("({operator:?} {} {})", arithmetic(left), arithmetic(right))
        }
        Arithmetic::Conditional(condition, yes, no) => {
            format!("(? {} {} {})", arithmetic(condition), arithmetic(yes), arithmetic(no))
        }
        Arithmetic::Assign(target, operator, value) => {
            let operator = operator.map_or(String::new(), |operator| format!("{operator:?}"));
            format!("({}={operator} {})", place(target), arithmetic(value))
        }
        Arithmetic::Step { step, place: target } => match step {
            Step::IncrementFirst => format!("(++ {})", place(target)),
            Step::IncrementAfter => format!("({} ++)", place(target)),
            Step::DecrementFirst => format!("(-- {})", place(target)),
            Step::DecrementAfter => format!("({} --)", place(target)),
        },
        Arithmetic::Comma(left, right) => format!("({}, {})", arithmetic(left), arithmetic(right)),
    }
}
