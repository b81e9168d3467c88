//! Ids of tool uses as a vendor takes them. A session may have begun with another vendor, whose ids (`functions.Bash:0`) this
//! one refuses in every later request. An id always becomes the same one, so that results keep naming their tool uses.

use std::borrow::Cow;

/// `id` with nothing but letters, digits, `_` and `-` in it.
#[cfg(feature = "anthropic")]
pub(crate) fn plain(id: &str) -> Cow<'_, str> {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    if !id.is_empty() && id.chars().all(fits) {
        return Cow::Borrowed(id);
    }
    let letters = id.chars().map(|letter| if fits(letter) { letter } else { '_' });
    Cow::Owned(marked(&letters.collect::<String>(), id))
}

/// `id` with at most `limit` characters.
#[cfg(feature = "openai")]
pub(crate) fn short(id: &str, limit: usize) -> Cow<'_, str> {
    if id.chars().count() <= limit {
        return Cow::Borrowed(id);
    }
    let room = limit.saturating_sub(MARK);
    Cow::Owned(marked(&id.chars().take(room).collect::<String>(), id))
}

/// Characters of a mark.
#[cfg(feature = "openai")]
const MARK: usize = 17;

/// What keeps an id apart from others that differ in what was changed: FNV-1a of the whole id.
fn marked(changed: &str, id: &str) -> String {
    let hash = id.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{changed}_{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids() {
        let check = |id: &str, expect: &str| {
            let found = plain(id);
            assert!(found.starts_with(expect) && plain(&found) == found, "{id}: {found}");
            assert_eq!(found == id, expect == id);
        };
        check("toolu_01-A", "toolu_01-A");
        check("functions.Bash:0", "functions_Bash_0_");
        check("", "_");
        check("ä b", "__b_");
        assert_ne!(plain("a.b"), plain("a:b"));
        assert_eq!(short("call_1", 40), "call_1");
        let long = "x".repeat(41);
        assert_eq!((short(&long, 40).len(), short(&long, 40) == short(&"x".repeat(42), 40)), (40, false));
        assert_eq!(short("functions.Bash:0", 40), "functions.Bash:0");
    }
}
