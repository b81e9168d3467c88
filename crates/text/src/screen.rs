//! Output of programs as a terminal would show it once it is complete: lines that were drawn again leave their last state, codes
//! for colours and titles leave nothing. Only lines: no width, no scrolling.

use std::iter::Peekable;
use std::str::Chars;

/// Lines above the last one that a program can go back to. What is further up stays as it is.
const MOST_ROWS_UP: usize = 200;
/// Columns a program can jump to: further ones are not filled with blanks.
const MOST_COLUMNS: usize = 2_000;

/// The text without terminal codes and control characters, every line in the state in which it was left. NUL is made visible.
#[must_use]
pub fn redrawn(text: &str) -> String {
    if text.bytes().all(|byte| byte >= b' ' && byte != 0x7f || byte == b'\n' || byte == b'\t')
        && !text.chars().any(|character| character.is_control() && !character.is_ascii())
    {
        return text.to_owned();
    }
    let mut screen = Screen::default();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\x1b' => screen.escape(&mut characters),
            // The one-character form of ESC [.
            '\u{9b}' => screen.code(&mut characters),
            '\r' => screen.column = 0,
            '\x08' => screen.column = screen.column.saturating_sub(1),
            '\n' => screen.next_line(),
            '\0' => screen.put('␀'),
            '\t' => screen.put(character),
            control if control.is_control() => {}
            other => screen.put(other),
        }
    }
    screen.text()
}

/// The last lines, and what is above them.
struct Screen {
    above: String,
    rows: Vec<Vec<char>>,
    row: usize,
    column: usize,
}

impl Default for Screen {
    fn default() -> Self {
        Self { above: String::new(), rows: vec![Vec::new()], row: 0, column: 0 }
    }
}

impl Screen {
    fn put(&mut self, character: char) {
        let column = self.column;
        let Some(row) = self.rows.get_mut(self.row) else { return };
        if row.len() < column {
            row.resize(column, ' ');
        }
        match row.get_mut(column) {
            Some(place) => *place = character,
            None => row.push(character),
        }
        self.column += 1;
    }

    fn next_line(&mut self) {
        (self.row, self.column) = (self.row + 1, 0);
        if self.row == self.rows.len() {
            self.rows.push(Vec::new());
        }
        // In pieces, so that each line is moved but once or twice.
        if self.rows.len() > 2 * MOST_ROWS_UP {
            let gone = self.rows.len() - MOST_ROWS_UP;
            // Not below the line that is written to.
            let gone = gone.min(self.row);
            for row in self.rows.drain(..gone) {
                self.above.extend(row);
                self.above.push('\n');
            }
            self.row -= gone;
        }
    }

    fn escape(&mut self, characters: &mut Characters<'_>) {
        match characters.next_if(|next| *next != '\n') {
            Some('[') => self.code(characters),
            // Strings for the terminal (title, clipboard, links): up to BEL or ESC \.
            Some(']' | 'P' | 'X' | '^' | '_') => {
                while let Some(character) = characters.next_if(|next| *next != '\n') {
                    if character == '\x07' || character == '\u{9c}' {
                        return;
                    }
                    if character == '\x1b' {
                        _ = characters.next_if_eq(&'\\');
                        return;
                    }
                }
            }
            Some(' '..='/') => _ = until(characters, |end| ('0'..='~').contains(&end)),
            Some('M') => self.row = self.row.saturating_sub(1),
            _ => {}
        }
    }

    /// A code after ESC [: those that move within the lines or clear them are carried out.
    fn code(&mut self, characters: &mut Characters<'_>) {
        let Some((parameters, end)) = until(characters, |end| ('@'..='~').contains(&end)) else { return };
        let first = parameters.split(';').next().unwrap_or_default();
        let number = first.parse::<usize>().ok();
        let count = number.unwrap_or(1).max(1);
        match end {
            'A' | 'F' => {
                self.row = self.row.saturating_sub(count);
                self.column = if end == 'F' { 0 } else { self.column };
            }
            'B' | 'E' => {
                self.row = self.row.saturating_add(count).min(self.rows.len() - 1);
                self.column = if end == 'E' { 0 } else { self.column };
            }
            'C' => self.column = (self.column.saturating_add(count)).min(MOST_COLUMNS.max(self.column)),
            'D' => self.column = self.column.saturating_sub(count),
            'G' | '`' => self.column = (count - 1).min(MOST_COLUMNS),
            'K' => self.clear(number.unwrap_or(0)),
            'J' if matches!(number, None | Some(0)) => {
                self.clear(0);
                self.rows.truncate(self.row + 1);
            }
            'P' => {
                let column = self.column;
                if let Some(row) = self.rows.get_mut(self.row)
                    && column < row.len()
                {
                    let to = column.saturating_add(count).min(row.len());
                    row.drain(column..to);
                }
            }
            _ => {}
        }
    }

    /// Clears from the column on (0), up to it (1) or the whole line (2).
    fn clear(&mut self, part: usize) {
        let column = self.column;
        let Some(row) = self.rows.get_mut(self.row) else { return };
        match part {
            0 => row.truncate(column),
            1 => row.iter_mut().take(column + 1).for_each(|place| *place = ' '),
            2 => row.clear(),
            _ => {}
        }
    }

    fn text(self) -> String {
        let Self { above: mut text, rows, .. } = self;
        for (index, row) in rows.iter().enumerate() {
            if index > 0 {
                text.push('\n');
            }
            text.extend(row);
        }
        text
    }
}

type Characters<'a> = Peekable<Chars<'a>>;

/// What stands before the end of a code, and the end. An unfinished code ends with its line, so that a torn one takes no more
/// than that.
fn until(characters: &mut Characters<'_>, ends: impl Fn(char) -> bool) -> Option<(String, char)> {
    let mut before = String::new();
    while let Some(character) = characters.next_if(|next| *next != '\n') {
        if ends(character) {
            return Some((before, character));
        }
        before.push(character);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_go_and_words_stay() {
        let check = |text: &str, expect: &str| assert_eq!(redrawn(text), expect, "{text:?}");
        check("plain\n\ttext", "plain\n\ttext");
        check("\x1b[31mred\x1b[0m \x1b]0;title\x07end", "red end");
        check("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link");
        check("\x1b(Bascii\x1b7\x1b8", "ascii");
        check("torn \x1b[31\nnext", "torn \nnext");
        check("torn \x1b\nnext", "torn \nnext");
        check("a\0b\x07", "a␀b");
        check("\u{9b}31mred", "red");
        check("Ä日🎉", "Ä日🎉");
        check("one\r\ntwo\r\n", "one\ntwo\n");
    }

    #[test]
    fn a_line_that_is_drawn_again_is_its_last_state() {
        let check = |text: &str, expect: &str| assert_eq!(redrawn(text), expect, "{text:?}");
        check("10%\r50%\r100%\n", "100%\n");
        check("10%\r20%\r\ndone", "20%\ndone");
        check("downloading\rdone\x1b[K\n", "done\n");
        // A terminal leaves what was not written over.
        check("downloading\rdone\n", "doneloading\n");
        check("ab\x08c", "ac");
        check("|\x08/\x08-\x08\\\x08 \x08done\n", "done\n");
        check("a\x1b[1Gb\n", "b\n");
        check("10%\n\x1b[1A\x1b[2K20%\n\x1b[1A\x1b[2K30%\n", "30%\n");
        check("one\ntwo\n\x1b[2A\x1b[2KONE\n\x1b[2KTWO\n", "ONE\nTWO\n");
        check("one\ntwo\nthree\x1b[2F\x1b[Jnew\n", "new\n");
        check("a\x1b[3Cb", "a   b");
        check("\x1b[2K\x1b[99A\x1b[99Bx", "x");
        check("\x1b[99999999999999999999Ax\x1b[4294967295Cy\x08z", &format!("x{}z", " ".repeat(1_999)));
    }

    #[test]
    fn a_long_output_keeps_every_line() {
        let text: String = (0..5_000).map(|number| format!("{number}\r{number}\n")).collect();
        let expect: String = (0..5_000).map(|number| format!("{number}\n")).collect();
        assert_eq!(redrawn(&text), expect);
        let bar: String = (0..2_000).map(|number| format!("\r{number}/2000")).collect();
        assert_eq!(redrawn(&(bar + "\ndone")), "1999/2000\ndone");
    }
}
