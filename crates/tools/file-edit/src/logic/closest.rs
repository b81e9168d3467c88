//! What a model is told when its text is not there: the lines most like it, and what differs. Only tells, never matches.

use std::fmt::Write as _;

use toolwright_text::look_alike;

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
    if let Some(characters) = look_alikes(text, old) {
        return characters;
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
    None
}

/// Names the characters, where a part of the text looks like `old` and is not the same.
fn look_alikes(text: &str, old: &str) -> Option<String> {
    let range = look_alike::find(text, old)?;
    let named = look_alike::difference(text.get(range.clone())?, old, "`old_string`")?;
    let line = 1 + text.get(..range.start)?.matches('\n').count();
    Some(format!(
        "Line {line} looks like it, but has {named}; give the characters that the file has (`\\u` and four digits, in JSON), or \
         replace a shorter text beside them"
    ))
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
fn difference(found: &[&str], wanted: &[&str]) -> String {
    let same = |form: fn(&str) -> String| {
        found.len() == wanted.len() && found.iter().zip(wanted).all(|(one, other)| form(one) == form(other))
    };
    if same(|line| line.trim_end_matches([' ', '\t']).to_owned()) {
        "It differs in blanks at line ends.".into()
    } else if same(|line| words(&straight(line)))
        && let Some(odd) = odd_blanks(found, wanted)
    {
        odd
    } else if same(words) {
        "It differs in blanks or tabs (the indentation, perhaps).".into()
    } else if same(straight) {
        "It differs in quotes or dashes: straight or typographic.".into()
    } else if same(|line| line.to_lowercase()) {
        "It differs in capital letters.".into()
    } else {
        "Copy the text exactly, blanks included.".into()
    }
}

/// The blanks and unseen characters that one of them has alone.
fn odd_blanks(found: &[&str], wanted: &[&str]) -> Option<String> {
    let (found, wanted) = (found.join("\n"), wanted.join("\n"));
    let in_file = look_alike::odd_blanks(&found, &wanted);
    in_file.map(|odd| format!("It differs in blanks: the file has {odd}.")).or_else(|| {
        let odd = look_alike::odd_blanks(&wanted, &found)?;
        Some(format!("It differs in blanks: `old_string` has {odd}, which the file has not."))
    })
}

fn words(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A line without what models most often get wrong.
fn bared(line: &str) -> String {
    straight(line).to_lowercase().split_whitespace().collect()
}

/// A line as it looks, its blanks as the keyboard has them.
fn straight(line: &str) -> String {
    look_alike::folded(line)
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
        check(
            "zerowidth",
            "Line 5 looks like it, but has U+200B (zero-width space), which `old_string` has not; give the",
        );
        check("zero\u{200b}wid\u{200b}th", "but has no U+200B (zero-width space), which `old_string` has;");
    }

    #[test]
    fn characters_that_look_alike_are_named() {
        let check = |text: &str, old: &str, expect: &str| {
            assert!(hint(text, old).contains(expect), "{old:?}: {}", hint(text, old))
        };
        check("x\na\u{a0}b\n", "a b", "Line 2 looks like it, but has U+00A0 (no-break space) where");
        check("a\u{3000}b", "a b", "U+3000 (ideographic space) where `old_string` has U+0020 (space)");
        check("a\u{2009}b", "a b", "U+2009 (thin space)");
        check("a\u{202f}b", "a b", "U+202F (narrow no-break space)");
        check("\u{a0} \u{a0}return x;", "   return x;", "U+00A0 (no-break space)");
        check(
            "\u{3000}return x;",
            "  return x;",
            "It differs in blanks: the file has U+3000 (ideographic space).",
        );
        check("\u{b}return x;", "  return x;", "the file has U+000B (vertical tab)");
        check("return x;", "return\u{a0}x;", "U+0020 (space) where `old_string` has U+00A0 (no-break space)");
        check("cafe\u{301} zu", "caf\u{e9} zu", "U+0301 (combining mark)");
        check("caf\u{e9} zu", "cafe\u{301} zu", "U+00E9 (\u{e9}) where");
        check("f\u{ff08}x\u{ff09}", "f(x)", "U+FF08 (full-width");
        check("p\u{430}y = 1", "pay = 1", "U+0430 (Cyrillic");
        check("a \u{2764}\u{fe0f}", "a \u{2764}", "");
        check("a \u{2764}", "a \u{2764}\u{fe0f}", "no U+FE0F (variation selector), which `old_string` has");
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
            "Line 3 looks like it, but has U+201C (\u{201c}) where `old_string` has U+0022 (\"); U+201D (\u{201d}) where `old_string` has \
             U+0022 (\"); give the characters that the file has (`\\u` and four digits, in JSON), or replace a shorter text beside them",
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
