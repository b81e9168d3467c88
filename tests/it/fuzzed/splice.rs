//! Whatever is replaced in whatever text: bytes outside of the pieces stay, and the view becomes what plain code makes of it.

use toolwright_services::{LineEnds, Splice};
use toolwright_workspace::text::{Named, Stored};

/// Four numbers say where two pieces lie; the rest is what replaces each, and the file.
pub(super) fn check(data: &[u8]) {
    let Some((numbers, rest)) = data.split_first_chunk::<8>() else { return };
    let Some((file, new)) = file_and_pieces(rest) else { return };
    let Ok((view, stored)) = Stored::take_in(file.to_vec(), Named::default()) else { return };
    let mut places: Vec<_> = numbers
        .chunks_exact(2)
        .map(|pair| {
            view.floor_char_boundary(usize::from(pair[0]) * 256 + usize::from(pair[1])).min(view.len())
        })
        .collect();
    places.sort_unstable();
    let pieces: Vec<_> = places
        .chunks_exact(2)
        .zip(new)
        .map(|(pair, text)| Splice { range: pair[0]..pair[1], text })
        .collect();
    let [first, second] = pieces.as_slice() else { return };

    let (found, new_stored) = stored.splice(&view, pieces.clone()).expect("pieces within the text, in order");
    let mut expect = view.clone();
    expect.replace_range(second.range.clone(), &second.text);
    expect.replace_range(first.range.clone(), &first.text);
    assert_eq!(found, expect, "the view");

    let Ok(bytes) = new_stored.give_out(found) else { return };
    // One after the other is the same as both at once. Where line ends are mixed, a new line's follows a neighbour that the
    // other piece may have taken away.
    if stored.format().line_ends != LineEnds::Mixed {
        let (after_second, between) = stored.splice(&view, vec![second.clone()]).expect("within");
        let (after_both, last) = between.splice(&after_second, vec![first.clone()]).expect("within");
        assert_eq!(last.give_out(after_both).as_ref(), Ok(&bytes), "one after the other");
    }

    let stored_length = |at: usize| stored.give_out(view[..at].to_owned()).expect("it was taken in").len();
    let (head, tail) = (stored_length(first.range.start), stored_length(second.range.end));
    assert_eq!(bytes.get(..head), file.get(..head), "before the pieces");
    assert!(bytes.ends_with(file.get(tail..).unwrap_or_default()), "behind the pieces");
    let kept =
        file.get(stored_length(first.range.end)..stored_length(second.range.start)).unwrap_or_default();
    assert!(kept.is_empty() || bytes.windows(kept.len()).any(|window| window == kept), "between the pieces");

    // Read again, it is the same text, save where a CR came to stand before an LF or became what ends lines.
    if !expect.contains('\r')
        && let Ok((again, format)) = Stored::take_in(bytes, Named::default())
        && format.format().encoding == stored.format().encoding
        && format.format().bom == stored.format().bom
    {
        assert_eq!(again, expect, "read again");
    }
}

/// The parts of the input that stand between bytes no text has.
fn file_and_pieces(rest: &[u8]) -> Option<(&[u8], [String; 2])> {
    const BETWEEN: u8 = 0x1E;
    let mut parts = rest.splitn(3, |byte| *byte == BETWEEN);
    let mut text = || String::from_utf8(parts.next()?.to_vec()).ok().filter(|text| !text.contains('\r'));
    let new = [text()?, text()?];
    Some((parts.next()?, new))
}
