//! What a model is told when its text is not there: the lines most like it, and what differs. Only tells, never matches.

use std::fmt::Write as _;

/// Below this two lines have too little in common to be shown (0 to 1).
const NEAR: f64 = 0.6;
/// Lines shown.
const MOST_LINES: usize = 12;
/// Bytes of a line that are shown, and compared.
const MOST_BYTES: usize = 300;
/// In larger texts only lines that differ in blanks, quotes or case are found: comparing all would take long.
const MOST_COMPARED: usize = 20_000;

/// A sentence or two for the model, with the closest lines.
pub(super) fn hint(text: &str, old: &str) -> String {
    if has_line_numbers(old) {
        return "It seems to have the line numbers that Read shows; leave them and the tab after them out"
            .into();
    }
    if text.is_empty() {
        return "The file is empty; an empty `old_string` fills it".into();
    }
    if let Some(spelling) = other_spelling(text, old) {
        return spelling.into();
    }
    let lines: Vec<_> = text.split('\n').collect();
    let wanted: Vec<_> = old.strip_suffix('\n').unwrap_or(old).split('\n').collect();
    let Some(first) = find(&lines, &wanted) else {
        return "Nothing in the file is like it; read the file again and copy the text exactly".into();
    };
    let found = lines.get(first..(first + wanted.len()).min(lines.len())).unwrap_or_default();
    let mut hint = format!("{} These lines are closest:", difference(found, &wanted));
    for (number, line) in (first + 1..).zip(found.iter().take(MOST_LINES)) {
        let shown = beginning(line);
        let cut = if shown.len() < line.len() { "…" } else { "" };
        let _ = write!(hint, "\n{number}\t{shown}{cut}");
    }
    hint
}

/// What to change in `old`, where the text has it in another spelling than in that of the file.
fn other_spelling(text: &str, old: &str) -> Option<&'static str> {
    let replaced = |pairs: &[(&str, &str)]| {
        pairs.iter().fold(old.to_owned(), |spelled, (from, to)| spelled.replace(from, to))
    };
    let in_file = |spelled: &str| spelled != old && text.contains(spelled);
    if in_file(&replaced(&[("\\n", "\n"), ("\\t", "\t"), ("\\\"", "\""), ("\\\\", "\\")])) {
        return Some(
            "The file has line ends, tabs or quotes where `old_string` has a backslash and a letter; give them as they are",
        );
    }
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    if in_file(&replaced(&entities)) {
        return Some(
            "The file has plain characters where `old_string` has entities such as `&lt;`; give them as they are",
        );
    }
    let mut encoded = entities.map(|(entity, character)| (character, entity));
    // What an entity begins with comes first.
    encoded.reverse();
    if in_file(&replaced(&encoded)) || in_file(&replaced(encoded.get(..1).unwrap_or_default())) {
        return Some(
            "The file has entities such as `&amp;` where `old_string` has plain characters; give them as they are",
        );
    }
    let visible = |text: &str| text.replace(is_invisible, "");
    let (seen, wanted) = (visible(text), visible(old));
    if !wanted.is_empty() && seen.contains(&wanted) {
        return Some(
            "It differs in characters that are not seen, such as a zero-width space; replace a shorter text beside them, or \
             use a command",
        );
    }
    None
}

fn is_invisible(character: char) -> bool {
    matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

/// The index of the line from which on the text is most like `wanted`.
fn find(lines: &[&str], wanted: &[&str]) -> Option<usize> {
    // The longest line says most about the place.
    let (anchor, longest) =
        wanted.iter().enumerate().max_by_key(|(index, line)| (line.trim().len(), usize::MAX - index))?;
    let bare = bared(longest);
    if bare.is_empty() {
        return None;
    }
    let like = |line: &str| {
        if bared(line) == bare {
            return 1.0;
        }
        if lines.len() > MOST_COMPARED {
            return 0.0;
        }
        strsim::sorensen_dice(beginning(line.trim()), beginning(longest.trim()))
    };
    let whole = |at: usize| {
        let around = lines.get(at.saturating_sub(anchor)..).unwrap_or_default();
        around.iter().zip(wanted).filter(|(line, wanted)| line.trim() == wanted.trim()).count()
    };
    let scored =
        lines.iter().enumerate().map(|(at, line)| (like(line), at)).filter(|(score, _)| *score > NEAR);
    let best = scored.max_by(|one, other| {
        one.0.total_cmp(&other.0).then_with(|| whole(one.1).cmp(&whole(other.1))).then(other.1.cmp(&one.1))
    });
    best.map(|(_, at)| at.saturating_sub(anchor))
}

/// What differs, where that can be said in a word.
fn difference(found: &[&str], wanted: &[&str]) -> &'static str {
    let same = |form: fn(&str) -> String| {
        found.len() == wanted.len() && found.iter().zip(wanted).all(|(one, other)| form(one) == form(other))
    };
    if same(|line| line.trim_end().to_owned()) {
        "It differs in blanks at line ends."
    } else if same(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")) {
        "It differs in blanks or tabs (the indentation, perhaps)."
    } else if same(straight) {
        "It differs in quotes or dashes: straight or typographic."
    } else if same(|line| line.to_lowercase()) {
        "It differs in capital letters."
    } else {
        "Copy the text exactly, blanks included."
    }
}

/// A line without what models most often get wrong.
fn bared(line: &str) -> String {
    let line = straight(line).to_lowercase();
    line.split_whitespace().collect()
}

/// Typographic quotes, dashes and spaces as the keyboard has them.
fn straight(line: &str) -> String {
    let straight = |character| match character {
        '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{a0}' | '\u{202f}' => ' ',
        other => other,
    };
    line.chars().map(straight).collect()
}

fn beginning(line: &str) -> &str {
    line.get(..line.floor_char_boundary(MOST_BYTES)).unwrap_or(line)
}

/// Whether every line begins as those of Read do: a number and a tab.
fn has_line_numbers(old: &str) -> bool {
    old.lines().all(|line| {
        line.trim_start()
            .split_once(['\t', '→'])
            .is_some_and(|(number, _)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_spelling_is_named() {
        let text = "if (a < b && c) {\n\tsay(\"hi\");\n}\na &lt; b &amp; c\nzero\u{200b}width\n";
        let check = |old: &str, expect: &str| {
            assert!(hint(text, old).contains(expect), "{old:?}: {}", hint(text, old))
        };
        check("{\\n\\tsay(", "give them as they are");
        check("say(\\\"hi\\\")", "a backslash and a letter");
        check("a &lt; b &amp;&amp; c", "has plain characters where");
        check("a < b & c", "has entities");
        check("zerowidth", "not seen");
        check("zero\u{200b}wid\u{200b}th", "not seen");
    }

    #[test]
    fn the_closest_lines_are_named_and_what_differs() {
        let text = "fn main() {\n\tlet a = 1;  \n    say(\u{201c}hi\u{201d});\n    let b = 2;\n}\n";
        let check = |old: &str, expect: &str| assert_eq!(hint(text, old), expect, "{old:?}");
        check(
            "\tlet a = 1;\n",
            "It differs in blanks at line ends. These lines are closest:\n2\t\tlet a = 1;  ",
        );
        check(
            "fn main() {\n  let a = 1;",
            "It differs in blanks or tabs (the indentation, perhaps). These lines are closest:\n1\tfn main() {\n2\t\tlet a = 1;  ",
        );
        check(
            "    say(\"hi\");",
            "It differs in quotes or dashes: straight or typographic. These lines are closest:\n3\t    say(\u{201c}hi\u{201d});",
        );
        check("    LET b = 2;", "It differs in capital letters. These lines are closest:\n4\t    let b = 2;");
        check(
            "    let bb = 22;",
            "Copy the text exactly, blanks included. These lines are closest:\n4\t    let b = 2;",
        );
        check("zzzz", "Nothing in the file is like it; read the file again and copy the text exactly");
        check(
            "1\tfn main() {\n2\t\tlet a",
            "It seems to have the line numbers that Read shows; leave them and the tab after them out",
        );
    }
}
