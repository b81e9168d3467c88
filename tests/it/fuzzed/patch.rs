//! Whatever two texts are: the pieces of what changed, taken back out of the new text, give the old one.

use toolwright_workspace::patch;

/// The two texts stand on either side of a byte that no text has.
pub(super) fn check(data: &[u8]) {
    let Ok(data) = std::str::from_utf8(data) else { return };
    let Some((before, after)) = data.split_once('\u{1e}') else { return };
    let patch = patch::of_texts(before, after);
    if patch.left_out > 0 {
        return;
    }
    let mut text = after.to_owned();
    for hunk in patch.hunks.iter().rev() {
        let lines: usize = text.split_inclusive('\n').take(hunk.first_line - 1).map(str::len).sum();
        let rest = &text[lines..];
        assert!(rest.starts_with(&hunk.after), "{hunk:?} of {before:?} -> {after:?}");
        text.replace_range(lines..lines + hunk.after.len(), &hunk.before);
    }
    assert_eq!(text, before, "taken back from {after:?}: {patch:?}");
}
