//! Whatever bytes a file has: what is taken in as text is given out again as the same bytes, and a window of it is a slice of
//! the whole, however its bytes come.

use toolwright_services::Window;
use toolwright_workspace::text::{self, Named, Stored};

/// Four bytes say which window is looked at and in what pieces; the rest is the file.
pub(super) fn check(data: &[u8]) {
    let Some((numbers, file)) = data.split_first_chunk::<4>() else { return };
    let [first, lines, line_bytes, piece] = *numbers;
    let taken = Stored::take_in(file.to_vec(), Named::default());
    if let Ok((view, stored)) = &taken {
        assert_eq!(stored.give_out(view.clone()).as_deref(), Ok(file), "the way back");
    }
    let wanted = Window {
        first_line: u64::from(first),
        lines: u64::from(lines),
        bytes: usize::from(first) * usize::from(lines),
        line_bytes: usize::from(line_bytes),
    };
    let at_once = text::window([file], wanted);
    // Even, as they are read from a file; the first is what the file is judged by.
    let piece = (usize::from(piece) + 1) * 2;
    let (head, rest) = file.split_at((piece * 4).min(file.len()));
    let in_pieces = text::window(std::iter::once(head).chain(rest.chunks(piece)), wanted);
    if let (Ok(at_once), Ok(in_pieces)) = (&at_once, &in_pieces)
        && judged_alike(head, file)
    {
        assert_eq!(
            (&at_once.text, &at_once.cut, at_once.total_lines, at_once.more),
            (&in_pieces.text, &in_pieces.cut, in_pieces.total_lines, in_pieces.more)
        );
    }
    let whole = Window { bytes: usize::MAX, line_bytes: usize::MAX, ..wanted };
    if let (Ok((view, _)), Ok(seen)) = (&taken, text::window([file], whole)) {
        let lines: Vec<_> =
            view.split_inclusive('\n').map(|line| line.strip_suffix('\n').unwrap_or(line)).collect();
        let skipped = usize::from(first.saturating_sub(1));
        let shown = lines.iter().skip(skipped).take(usize::from(wanted.lines as u8));
        assert_eq!(seen.text, shown.flat_map(|line| [line, "\n"]).collect::<String>());
        assert_eq!(seen.total_lines, Some(lines.len() as u64));
    }
}

/// Whether the beginning of a file says the same of it as all of it does.
fn judged_alike(head: &[u8], file: &[u8]) -> bool {
    let none = Window { first_line: 1, lines: 0, bytes: 0, line_bytes: 0 };
    let pieces = [head, file.get(head.len()..).unwrap_or_default()];
    let of = |pieces: &[&[u8]]| {
        text::window(pieces.iter().copied(), none).map(|seen| (seen.format, seen.total_lines))
    };
    of(&[file]) == of(&pieces)
}
