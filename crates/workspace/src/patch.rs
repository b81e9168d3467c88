//! What changed in a text, as pieces with the lines around them: for diff views and for short answers. Works on views (LF
//! between lines) and opens no file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use toolwright_services::Splice;

/// Lines of context on either side.
const CONTEXT: usize = 3;
/// Pieces kept; more tell a person nothing.
const MOST_HUNKS: usize = 50;
/// Bytes of all pieces kept, before and after together.
const MOST_BYTES: usize = 60_000;
/// Texts with more lines than this are compared by their beginning and end alone.
const MOST_COMPARED: usize = 8_000;

/// One changed piece.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hunk {
    /// The number of its first line in the new text, from 1.
    pub first_line: usize,
    /// Its lines before, context included.
    pub before: String,
    /// Its lines after, context included.
    pub after: String,
}

/// What changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Patch {
    /// The changed pieces, from the top; those near each other are one.
    pub hunks: Vec<Hunk>,
    /// How many pieces are left out, because they are too many or too large.
    #[serde(default)]
    pub left_out: usize,
}

/// What replacing pieces of `text` changes. The pieces are in order and do not overlap.
#[must_use]
pub fn of_splices(text: &str, splices: &[Splice]) -> Patch {
    let mut patch = Patch::default();
    let (mut bytes, mut grown) = (0, 0_isize);
    // Where the lines were last counted, and how many lie before.
    let (mut counted, mut line) = (0, 0);
    let mut rest = splices;
    while let Some((first, others)) = rest.split_first() {
        let start = lines_back(text, first.range.start);
        let mut end = lines_on(text, first.range.end);
        // A line may be long and have many pieces: it is looked through once.
        let mut same_line = rest_of_line(text, first.range.end);
        let near = others.iter().take_while(|next| {
            let joins = next.range.start <= end || lines_back(text, next.range.start) <= end;
            if joins && next.range.end > same_line {
                end = end.max(lines_on(text, next.range.end));
                same_line = rest_of_line(text, next.range.end);
            }
            joins
        });
        let together = 1 + near.count();
        let (group, after) = rest.split_at(together);
        rest = after;
        line += count(text.get(counted..start).unwrap_or_default());
        counted = start;
        let first_line = (line + 1).saturating_add_signed(grown);
        let before = text.get(start..end).unwrap_or_default();
        let after = replaced(text, start, end, group);
        grown += count(&after).cast_signed() - count(before).cast_signed();
        bytes += before.len() + after.len();
        if patch.hunks.len() >= MOST_HUNKS || bytes > MOST_BYTES {
            bytes -= before.len() + after.len();
            patch.left_out += 1;
            continue;
        }
        patch.hunks.push(Hunk { first_line, before: before.into(), after });
    }
    patch
}

/// What turns one text into another, line by line.
#[must_use]
pub fn of_texts(before: &str, after: &str) -> Patch {
    let old: Vec<_> = before.split_inclusive('\n').collect();
    let new: Vec<_> = after.split_inclusive('\n').collect();
    let front = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let (old_rest, new_rest) = (old.get(front..).unwrap_or_default(), new.get(front..).unwrap_or_default());
    let back = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(old, new)| old == new).count();
    let old_rest = old_rest.get(..old_rest.len() - back).unwrap_or_default();
    let new_rest = new_rest.get(..new_rest.len() - back).unwrap_or_default();
    let all =
        DiffOp::Replace { old_index: 0, old_len: old_rest.len(), new_index: 0, new_len: new_rest.len() };
    let operations = if old_rest.is_empty() && new_rest.is_empty() {
        Vec::new()
    } else if old_rest.len() + new_rest.len() > MOST_COMPARED {
        vec![all]
    } else {
        capture_diff_slices(Algorithm::Patience, old_rest, new_rest)
    };
    let skipped: usize = old.iter().take(front).map(|line| line.len()).sum();
    let mut at = skipped;
    let mut splices = Vec::new();
    for operation in operations {
        let (_, old_range, new_range) = operation.as_tag_tuple();
        let length: usize = old_rest.get(old_range).unwrap_or_default().iter().map(|line| line.len()).sum();
        if !matches!(operation, DiffOp::Equal { .. }) {
            let text = new_rest.get(new_range).unwrap_or_default().concat();
            splices.push(Splice { range: at..at + length, text });
        }
        at += length;
    }
    of_splices(before, &splices)
}

/// Where the line that many lines of context before `at` begins.
fn lines_back(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    memchr::memrchr_iter(b'\n', before).nth(CONTEXT).map_or(0, |end| end + 1)
}

/// Where the line that many lines of context after `at` ends.
fn lines_on(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    // A piece that ends with its line does not reach into the next.
    let ends_line = at > 0 && bytes.get(at - 1) == Some(&b'\n');
    let lines = if ends_line { CONTEXT - 1 } else { CONTEXT };
    let after = bytes.get(at..).unwrap_or_default();
    memchr::memchr_iter(b'\n', after).nth(lines).map_or(text.len(), |end| at + end + 1)
}

/// Up to where the same lines come after a piece as after one that ends at `at`.
fn rest_of_line(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    if at > 0 && bytes.get(at - 1) == Some(&b'\n') {
        return at;
    }
    memchr::memchr(b'\n', bytes.get(at..).unwrap_or_default()).map_or(text.len(), |end| at + end)
}

fn replaced(text: &str, start: usize, end: usize, splices: &[Splice]) -> String {
    let mut result = String::new();
    let mut at = start;
    for splice in splices {
        result.push_str(text.get(at..splice.range.start).unwrap_or_default());
        result.push_str(&splice.text);
        at = splice.range.end;
    }
    result.push_str(text.get(at..end).unwrap_or_default());
    result
}

fn count(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &str, after: &str, expect: &[(usize, &str, &str)]) {
        let patch = of_texts(before, after);
        let found: Vec<_> = patch
            .hunks
            .iter()
            .map(|hunk| (hunk.first_line, hunk.before.as_str(), hunk.after.as_str()))
            .collect();
        assert_eq!(found, expect, "{before:?} -> {after:?}");
    }

    #[test]
    fn pieces_have_their_lines_around_them() {
        check("a\nb\nc\n", "a\nB\nc\n", &[(1, "a\nb\nc\n", "a\nB\nc\n")]);
        check("1\n2\n3\n4\n5\n6\n", "1\n2\n3\n4\n5\n6\n7\n", &[(4, "4\n5\n6\n", "4\n5\n6\n7\n")]);
        check("", "new\n", &[(1, "", "new\n")]);
        check("same\n", "same\n", &[]);
        check("no end", "no end\n", &[(1, "no end", "no end\n")]);
        let (before, after) =
            ("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n", "1\nx\ny\n3\n4\n5\n6\n7\n8\n9\n10\n11\n");
        check(
            before,
            after,
            &[(1, "1\n2\n3\n4\n5\n", "1\nx\ny\n3\n4\n5\n"), (10, "9\n10\n11\n12\n", "9\n10\n11\n")],
        );
    }

    #[test]
    fn many_pieces_of_one_long_line_are_no_more_work_than_one() {
        // Looked through for each piece, this would take hours.
        let text = "ab".repeat(1 << 20) + "\n1\n2\n3\n4\nab\n";
        let splices: Vec<_> = text
            .match_indices("ab")
            .map(|(start, piece)| Splice { range: start..start + piece.len(), text: "c".into() })
            .collect();
        let patch = of_splices(&text, &splices);
        assert_eq!((patch.hunks.len(), patch.left_out), (0, 1));
        let apart: Vec<_> =
            [0, 2, text.len() - 3].map(|start| Splice { range: start..start + 2, text: "c".into() }).into();
        assert_eq!(of_splices(&text, &apart).left_out, 1, "the lines around the one reach the other");
        assert_eq!(
            of_splices(
                "abab\nab\n1\n2\n3\n4\n5\n6\n7\nab",
                &[0..2, 2..4, 5..7, 22..24].map(|range| Splice { range, text: "c".into() })
            )
            .hunks,
            [
                Hunk {
                    first_line: 1,
                    before: "abab\nab\n1\n2\n3\n".into(),
                    after: "cc\nc\n1\n2\n3\n".into()
                },
                Hunk { first_line: 7, before: "5\n6\n7\nab".into(), after: "5\n6\n7\nc".into() },
            ]
        );
    }

    #[test]
    fn too_many_pieces_are_counted() {
        let text = "line\n".repeat(10_000);
        let splices: Vec<_> = (0..100)
            .map(|index| Splice { range: index * 500..index * 500 + 4, text: "new".into() })
            .collect();
        let patch = of_splices(&text, &splices);
        assert_eq!((patch.hunks.len(), patch.left_out), (MOST_HUNKS, 50));
    }
}
