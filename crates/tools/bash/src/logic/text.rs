//! Bytes of a command into text that neither a model nor a terminal stumbles over.

use toolwright_text::redrawn;

/// The text of a piece of output. Where the piece was cut (`cut_before`, `cut_after`), a character that lost bytes there is
/// left out; elsewhere bytes that are no UTF-8 become U+FFFD.
pub(crate) fn readable(bytes: &[u8], cut_before: bool, cut_after: bool) -> String {
    let bytes = if cut_before { without_torn_start(bytes) } else { bytes };
    let bytes = if cut_after { without_torn_end(bytes) } else { bytes };
    redrawn(&String::from_utf8_lossy(bytes))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expect: &str) {
        assert_eq!(readable(bytes, false, false), expect, "{bytes:?}");
    }

    #[test]
    fn codes_go_and_words_stay() {
        check(b"\x1b[31mred\x1b[0m \x1b]0;title\x07end", "red end");
        check(b"10%\r20%\r\ndone", "20%\ndone");
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
