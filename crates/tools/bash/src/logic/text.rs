//! Bytes of a command into text that neither a model nor a terminal stumbles over.

/// The text of a piece of output. Where the piece was cut (`cut_before`, `cut_after`), a character that lost bytes there is
/// left out; elsewhere bytes that are no UTF-8 become U+FFFD.
pub(crate) fn readable(bytes: &[u8], cut_before: bool, cut_after: bool) -> String {
    let bytes = if cut_before { without_torn_start(bytes) } else { bytes };
    let bytes = if cut_after { without_torn_end(bytes) } else { bytes };
    plain(&String::from_utf8_lossy(bytes))
}

fn without_torn_start(bytes: &[u8]) -> &[u8] {
    let torn = bytes.iter().take(3).take_while(|byte| **byte & 0b1100_0000 == 0b1000_0000).count();
    bytes.get(torn..).unwrap_or_default()
}

fn without_torn_end(bytes: &[u8]) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => bytes.get(..error.valid_up_to()).unwrap_or(bytes),
        // Invalid earlier on: only the last character matters here.
        Err(_) => {
            let from = bytes.len().saturating_sub(3);
            let lead = bytes.iter().skip(from).rposition(|byte| *byte >= 0b1100_0000);
            let whole = lead
                .and_then(|at| bytes.get(from + at..))
                .is_none_or(|last| std::str::from_utf8(last).is_ok());
            let end = lead.filter(|_| !whole).map_or(bytes.len(), |at| from + at);
            bytes.get(..end).unwrap_or(bytes)
        }
        Ok(_) => bytes,
    }
}

/// Without terminal codes and control characters. A lone carriage return begins a line; NUL is made visible.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\x1b' => skip_escape(&mut characters),
            // The one-character form of ESC [.
            '\u{9b}' => skip_until(&mut characters, |end| ('@'..='~').contains(&end)),
            '\r' => {
                if characters.peek() != Some(&'\n') {
                    plain.push('\n');
                }
            }
            '\0' => plain.push('␀'),
            '\n' | '\t' => plain.push(character),
            control if control.is_control() => {}
            other => plain.push(other),
        }
    }
    plain
}

type Characters<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn skip_escape(characters: &mut Characters<'_>) {
    match characters.next() {
        Some('[') => skip_until(characters, |end| ('@'..='~').contains(&end)),
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
        Some(' '..='/') => skip_until(characters, |end| ('0'..='~').contains(&end)),
        _ => {}
    }
}

/// An unfinished code ends with its line, so that a torn one takes no more than that.
fn skip_until(characters: &mut Characters<'_>, ends: impl Fn(char) -> bool) {
    while let Some(character) = characters.next_if(|next| *next != '\n') {
        if ends(character) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expect: &str) {
        assert_eq!(readable(bytes, false, false), expect, "{bytes:?}");
    }

    #[test]
    fn codes_go_and_words_stay() {
        check(b"plain\n\ttext", "plain\n\ttext");
        check(b"\x1b[31mred\x1b[0m \x1b]0;title\x07end", "red end");
        check(b"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link");
        check(b"\x1b(Bascii\x1b7\x1b8", "ascii");
        check(b"torn \x1b[31\nnext", "torn \nnext");
        check(b"a\0b\x07\x08", "a␀b");
        check(b"10%\r20%\r\ndone", "10%\n20%\ndone");
        check(b"\xffbad", "\u{fffd}bad");
        check("Ä日🎉".as_bytes(), "Ä日🎉");
    }

    #[test]
    fn a_cut_splits_no_character() {
        let text = "あいう".as_bytes();
        for start in 0..3 {
            for end in 7..=9 {
                let cut = readable(&text[start..end], true, true);
                assert!(!cut.contains('\u{fffd}') && cut.contains('い'), "{start}..{end}: {cut}");
            }
        }
        assert_eq!(readable(b"\xff-\xe3\x81", false, true), "\u{fffd}-");
    }
}
