//! A tree to text that bash 3.2 to 5.3 read in one way: as the tree says. What has no such text is [`Unprintable`].
//!
//! Literal text stands in single quotes, or bare where it is made of characters that mean nothing to any bash. Expansions
//! stand between braces. Where single quotes are not quotes (a word of `"${name:-..}"`), double quotes are used. There are no
//! here-documents in printed text: within `$( )` old versions lose track of them, and a here-string gives the same bytes.

mod arithmetic;
mod braces;
mod compound;
mod options;
mod parameter;
mod redirect;
mod simple;
mod test;
mod text;
mod word;

use crate::Unprintable;
use crate::tree::{AndOr, Command, Connector, List, Pipeline, Script, Statement, Timing};

/// How deep commands and expansions may stand within each other.
const DEPTH: usize = 200;

/// Prints a script, one complete command a line (quoted text may hold further line feeds).
///
/// The text is for a bash that was started with `--norc --noprofile -c` and without the variables that set options (`BASHOPTS`,
/// `BASH_COMPAT`, `BASH_ENV`, `ENV`, `POSIXLY_CORRECT`, `SHELLOPTS`): with `braceexpand`, and without `posix`, `noglob`, `keyword`,
/// `verbose`, `history`, `histexpand`, `extglob`, `expand_aliases`, `nullglob`, `failglob`, `dotglob`, `nocaseglob` and `nocasematch`.
///
/// The text is read back before it is given: the parser refuses what two versions of bash read differently, and what it refuses or
/// reads as another script is no printed form.
///
/// # Errors
/// Where a part of the tree has no text that every bash reads in the same way.
pub fn print(script: &Script) -> Result<String, Unprintable> {
    let printed = write(script)?;
    read_back(&printed)?;
    Ok(printed)
}

/// Refuses a printed text that the parser refuses, or reads as something that is printed in another way.
fn read_back(printed: &str) -> Printed {
    let read = crate::parse(printed);
    if let Some(error) = read.error {
        return unprintable(format!("its printed form is not read in one way: {error}"));
    }
    if write(&read.script)? != printed {
        return unprintable("its printed form is read as another command");
    }
    Ok(())
}

fn write(script: &Script) -> Result<String, Unprintable> {
    let mut printer = Printer::default();
    for list in &script.lists {
        printer.list(list)?;
        printer.out.push('\n');
    }
    if printer.out.contains('\0') {
        return unprintable("a NUL character cannot be part of a command");
    }
    if printer.splits_at_others && printer.out.contains("IFS") {
        return unprintable("a character in a word of `${..}` at which `IFS` could split it");
    }
    // Old versions mark quoted characters with these two, and double them in the values of arrays.
    if printer.out.contains(['\u{1}', '\u{7f}']) {
        return unprintable("the control characters 1 and 127 are not kept by every bash");
    }
    Ok(printer.out)
}

type Printed = Result<(), Unprintable>;

fn unprintable<T>(message: impl Into<String>) -> Result<T, Unprintable> {
    Err(Unprintable { message: message.into() })
}

#[derive(Debug, Default)]
struct Printer {
    out: String,
    depth: usize,
    /// Where the last single quote that ends a text stands, so that text behind it goes on in the same quotes.
    quote_end: usize,
    /// The same for double quotes without expansions.
    double_end: usize,
    /// Within a word with braces, where an expansion may have none of the characters that the search for them looks at.
    in_braces: bool,
    /// Within a here-document: `$*` and `${name[*]}` are joined with a blank there, as `$@` is within double quotes.
    document: bool,
    /// A character stands in quotes at which an unquoted expansion is split where `IFS` has it.
    splits_at_others: bool,
    /// Where the last braces end that bash before 4.4 expands too early within `${..}`, and 3.2 within `<( )`.
    braces_end: usize,
}

impl Printer {
    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// What comes next begins quotes of its own.
    fn quotes_are_closed(&mut self) {
        self.quote_end = 0;
        self.double_end = 0;
    }

    /// Runs `print` one level deeper.
    fn deeper(&mut self, print: impl FnOnce(&mut Self) -> Printed) -> Printed {
        if self.depth == DEPTH {
            return unprintable("commands and expansions are nested too deeply");
        }
        self.depth += 1;
        let printed = print(self);
        self.depth -= 1;
        printed
    }

    fn list(&mut self, list: &List) -> Printed {
        if list.statements.is_empty() {
            return unprintable("a command is missing");
        }
        for (index, statement) in list.statements.iter().enumerate() {
            if index > 0 {
                self.out.push(' ');
            }
            self.statement(statement)?;
            if statement.background {
                self.push(" &");
            } else if index + 1 < list.statements.len() {
                self.out.push(';');
            }
        }
        Ok(())
    }

    fn statement(&mut self, statement: &Statement) -> Printed {
        let AndOr { first, rest } = &statement.and_or;
        self.pipeline(first)?;
        for (connector, pipeline) in rest {
            self.push(match connector {
                Connector::And => " && ",
                Connector::Or => " || ",
            });
            self.pipeline(pipeline)?;
        }
        Ok(())
    }

    fn pipeline(&mut self, pipeline: &Pipeline) -> Printed {
        match pipeline.timing {
            None => {}
            Some(Timing::Bash) => self.push("time "),
            Some(Timing::Posix) => self.push("time -p "),
        }
        if pipeline.negated {
            self.push("! ");
        }
        if pipeline.commands.is_empty() {
            return unprintable("a command is missing");
        }
        for (index, command) in pipeline.commands.iter().enumerate() {
            if index > 0 {
                self.push(" | ");
            }
            self.command(command)?;
        }
        Ok(())
    }

    fn command(&mut self, command: &Command) -> Printed {
        match command {
            Command::Simple(simple) => self.simple(simple),
            Command::Compound(compound) => self.deeper(|printer| printer.compound(compound)),
            Command::Function(function) => self.deeper(|printer| printer.function(function)),
        }
    }

    /// A script within another command: on one line, and ended so that a reserved word or bracket may follow.
    fn body(&mut self, script: &Script) -> Printed {
        if script.lists.is_empty() {
            return unprintable("a command is missing");
        }
        for (index, list) in script.lists.iter().enumerate() {
            if index > 0 {
                self.out.push(' ');
            }
            self.list(list)?;
            if list.statements.last().is_some_and(|last| !last.background) {
                self.out.push(';');
            }
        }
        Ok(())
    }

    /// The condition of `if`, `while` or `until`.
    fn condition(&mut self, script: &Script) -> Printed {
        if times_a_compound(script) {
            return unprintable(
                "`time` before a compound command in a condition, which bash before 4.3 does not read",
            );
        }
        self.body(script)
    }

    /// Refuses braces since `start`: there old versions expand them first, and then run what came of it.
    fn no_braces_since(&self, start: usize) -> Printed {
        if self.braces_end > start {
            return unprintable(
                "braces in a command within `${..}` or `<( )`, which old versions expand before they run it",
            );
        }
        Ok(())
    }

    /// A script within brackets, where nothing needs to end the last command. The caller has written the opening bracket.
    /// A blank follows it where the script begins with a bracket of its own: `((` would begin arithmetic.
    fn substituted(&mut self, script: &Script) -> Printed {
        if starts_with_time(script) {
            return unprintable(
                "`time` at the beginning of a command substitution, which bash 5.2 does not know there",
            );
        }
        let document = std::mem::replace(&mut self.document, false);
        let in_braces = std::mem::replace(&mut self.in_braces, false);
        let start = self.out.len();
        let printed = self.deeper(|printer| {
            for (index, list) in script.lists.iter().enumerate() {
                if index > 0 {
                    let background =
                        script.lists[index - 1].statements.last().is_some_and(|last| last.background);
                    printer.push(if background { " " } else { "; " });
                }
                printer.list(list)?;
            }
            Ok(())
        });
        self.document = document;
        self.in_braces = in_braces;
        if self.out[start..].starts_with('(') {
            self.out.insert(start, ' ');
            self.quotes_are_closed();
        }
        printed
    }
}

/// Whether `time` stands before a compound command there.
fn times_a_compound(script: &Script) -> bool {
    let first = script.lists.first().and_then(|list| list.statements.first());
    first.is_some_and(|statement| {
        let pipeline = &statement.and_or.first;
        pipeline.timing.is_some() && !matches!(pipeline.commands.first(), Some(Command::Simple(_)))
    })
}

fn starts_with_time(script: &Script) -> bool {
    let first = script.lists.first().and_then(|list| list.statements.first());
    first.is_some_and(|statement| statement.and_or.first.timing.is_some())
}

#[cfg(test)]
mod tests {
    use super::read_back;

    #[test]
    fn only_what_is_printed_again_the_same_is_taken() {
        for text in ["a b\n", "a 'b c' | d\n", "a <<<'b'\n", "(( 1 + 2 ))\n"] {
            assert_eq!(read_back(text), Ok(()), "{text}");
        }
        for text in ["a  b\n", "a", "a \"b c\" | d\n", "a <<E\nb\nE\n", "(( 1+2 ))\n", "a; b\n( c )\n"] {
            let refused = read_back(text).map_err(|why| why.message);
            assert_eq!(refused, Err("its printed form is read as another command".to_owned()), "{text}");
        }
        for text in ["a (\n", "coproc a\n", "a ${b[\n", "a $\"b\"\n"] {
            let refused = read_back(text).map_err(|why| why.message).expect_err(text);
            assert!(refused.starts_with("its printed form is not read in one way: "), "{text}: {refused}");
        }
    }
}
