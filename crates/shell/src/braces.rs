//! Sequences within braces: `{1..5}`, `{a..e}`.

/// Longer sequences are not followed.
const MOST: i64 = 64;

/// The words of `x..y` or `x..y..step`; none where there are too many, or it is not known which.
pub(crate) fn sequence(text: &str) -> Option<Vec<String>> {
    let mut bounds = text.split("..");
    let (first, last) = (bounds.next()?, bounds.next()?);
    let step = bounds.next();
    if bounds.next().is_some() {
        return None;
    }
    if let (Some(from), Some(to), None) = (letter(first), letter(last), step) {
        return letters(from, to);
    }
    let (from, to) = (number(first)?, number(last)?);
    let step = step.map_or(Some(1), number)?.checked_abs()?.max(1);
    // A number that begins with a zero makes all of them as wide as the widest.
    let padded = |text: &str| {
        let digits = text.trim_start_matches(['-', '+']);
        digits.len() > 1 && digits.starts_with('0')
    };
    let width = if padded(first) || padded(last) { first.len().max(last.len()) } else { 0 };
    if from.checked_sub(to)?.checked_abs()? / step >= MOST {
        return None;
    }
    let mut words = Vec::new();
    let mut at = from;
    while (from <= to && at <= to) || (from > to && at >= to) {
        words.push(match at < 0 {
            true => format!("-{:0width$}", at.unsigned_abs(), width = width.saturating_sub(1)),
            false => format!("{at:0width$}"),
        });
        at = if from <= to { at.checked_add(step)? } else { at.checked_sub(step)? };
    }
    Some(words)
}

/// Whether it stands for numbers, however many.
pub(crate) fn is_of_numbers(text: &str) -> bool {
    text.split("..").all(|bound| number(bound).is_some())
}

fn number(text: &str) -> Option<i64> {
    // Where a sign or a great width is written, versions of bash pad in different ways.
    let plain = !text.starts_with('+') && text.len() <= 12;
    plain.then(|| text.parse().ok()).flatten()
}

fn letter(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [only] if only.is_ascii_alphabetic() => Some(*only),
        _ => None,
    }
}

/// Between capitals and small letters lie characters that bash treats in its own way.
fn letters(from: u8, to: u8) -> Option<Vec<String>> {
    (from.is_ascii_lowercase() == to.is_ascii_lowercase()).then_some(())?;
    let word = |byte: u8| char::from(byte).to_string();
    Some(if from <= to { (from..=to).map(word).collect() } else { (to..=from).rev().map(word).collect() })
}
