//! Makes text harmless: what a terminal would act on, or would not show, becomes something to see. What is shown is what is
//! there. Knows no colour and no width.

/// A run of text, or one character that must not reach a terminal and its stand-in.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Shows as it is.
    Clean(&'a str),
    /// A tab: how wide it is depends on where it stands.
    Tab,
    /// The stand-in of a hostile character.
    StandIn(String),
}

/// One line of text for a terminal or a log: characters that would act, hide or turn the text around are named instead.
///
/// ```
/// use toolwright_render::safe_line;
/// assert_eq!(safe_line("rm \u{1b}[2K\u{202e}x"), "rm ␛[2K⟨U+202E⟩x");
/// ```
#[must_use]
pub fn safe_line(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    each_piece(text, |piece| match piece {
        Piece::Clean(clean) => safe.push_str(clean),
        Piece::Tab => safe.push_str("    "),
        Piece::StandIn(stand_in) => safe.push_str(&stand_in),
    });
    safe
}

/// The same for text of several lines: line feeds stay.
#[must_use]
pub fn safe_text(text: &str) -> String {
    let lines: Vec<_> =
        text.split('\n').map(|line| safe_line(line.strip_suffix('\r').unwrap_or(line))).collect();
    lines.join("\n")
}

/// Cuts `text` into pieces, in order.
pub(crate) fn each_piece<'a>(text: &'a str, mut each: impl FnMut(Piece<'a>)) {
    let mut clean_from = 0;
    let mut previous = None;
    for (at, character) in text.char_indices() {
        let piece = piece_of(character, previous);
        previous = Some(character);
        let Some(piece) = piece else { continue };
        let clean = text.get(clean_from..at).unwrap_or_default();
        if !clean.is_empty() {
            each(Piece::Clean(clean));
        }
        clean_from = at + character.len_utf8();
        if piece != Piece::Clean("") {
            each(piece);
        }
    }
    let clean = text.get(clean_from..).unwrap_or_default();
    if !clean.is_empty() {
        each(Piece::Clean(clean));
    }
}

fn piece_of(character: char, previous: Option<char>) -> Option<Piece<'static>> {
    match character {
        '\t' => Some(Piece::Tab),
        // The presentation selector of a symbol changes nothing but its colour, and terminals disagree on its width.
        '\u{fe0e}' | '\u{fe0f}' if previous.is_some_and(is_symbol) => Some(Piece::Clean("")),
        '\u{0}'..='\u{1f}' | '\u{7f}' => Some(Piece::StandIn(control_picture(character).into())),
        _ if is_hidden(character) => Some(Piece::StandIn(format!("⟨U+{:04X}⟩", u32::from(character)))),
        _ => None,
    }
}

/// Removes whole colour sequences (`ESC [ .. m`): output of commands has them, and they say nothing. Anything else stays, to
/// be shown by its stand-in.
pub(crate) fn without_colours(text: &str) -> String {
    let mut rest = text;
    let mut plain = String::with_capacity(text.len());
    while let Some(at) = rest.find("\u{1b}[") {
        let (before, sequence) = rest.split_at(at);
        plain.push_str(before);
        let parameters = sequence.get(2..).unwrap_or_default();
        let end = parameters.find(|character: char| !matches!(character, '0'..='9' | ';' | ':'));
        match end {
            Some(end) if parameters.get(end..).is_some_and(|tail| tail.starts_with('m')) => {
                rest = parameters.get(end + 1..).unwrap_or_default();
            }
            _ => {
                plain.push_str("\u{1b}[");
                rest = parameters;
            }
        }
    }
    plain.push_str(rest);
    plain
}

fn control_picture(character: char) -> char {
    match character {
        '\u{7f}' => '␡',
        _ => char::from_u32(0x2400 + u32::from(character)).unwrap_or('\u{fffd}'),
    }
}

const fn is_symbol(character: char) -> bool {
    matches!(character, '\u{a9}' | '\u{ae}' | '\u{203c}'..='\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

/// Characters that show nothing, turn the direction of what follows, or break a line in a terminal's eyes alone.
const fn is_hidden(character: char) -> bool {
    matches!(
        character,
        '\u{80}'..='\u{9f}'
            | '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::{safe_line, safe_text, without_colours};

    #[test]
    fn what_acts_or_hides_is_named() {
        let check = |input: &str, expect: &str| assert_eq!(safe_line(input), expect, "{input:?}");
        check("plain, ünïcödé, 漢字", "plain, ünïcödé, 漢字");
        check("\u{1b}]0;title\u{7}", "␛]0;title␇");
        check("a\rb\nc\0d\u{7f}", "a␍b␊c␀d␡");
        check("\u{9b}31m", "⟨U+009B⟩31m");
        check("user\u{200b}name", "user⟨U+200B⟩name");
        check("\u{202e}gpj.exe\u{202c}", "⟨U+202E⟩gpj.exe⟨U+202C⟩");
        check("\u{2066}x\u{2069}", "⟨U+2066⟩x⟨U+2069⟩");
        check("\u{e0041}tag", "⟨U+E0041⟩tag");
        check("a\u{fe0f}", "a⟨U+FE0F⟩");
        check("⚠\u{fe0f} careful", "⚠ careful");
        check("e\u{301}", "e\u{301}");
        check("a\tb", "a    b");
    }

    #[test]
    fn lines_stay_lines() {
        assert_eq!(safe_text("a\r\nb\rc\n"), "a\nb␍c\n");
    }

    #[test]
    fn colours_go_and_all_else_stays() {
        let check = |input: &str, expect: &str| assert_eq!(without_colours(input), expect, "{input:?}");
        check("\u{1b}[1;31merror\u{1b}[0m: x", "error: x");
        check("\u{1b}[mx", "x");
        check("\u{1b}[2Kx", "\u{1b}[2Kx");
        check("\u{1b}[31", "\u{1b}[31");
        check("\u{1b}[\u{1b}[0m", "\u{1b}[");
    }
}
