//! `$'..'`: the text its escapes stand for.

/// The text; none where an escape is not one we are sure of.
pub(crate) fn decoded(text: &str) -> Option<String> {
    let mut decoded = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character != '\\' {
            decoded.push(character);
            continue;
        }
        let plain = match characters.next()? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'e' | 'E' => '\x1b',
            same @ ('\\' | '\'' | '"' | '?') => same,
            'x' => number(&mut characters, 16, 2, 0)?,
            'u' => number(&mut characters, 16, 4, 0)?,
            'U' => number(&mut characters, 16, 8, 0)?,
            digit @ '0'..='7' => number(&mut characters, 8, 2, digit.to_digit(8)?)?,
            _ => return None,
        };
        decoded.push(plain);
    }
    Some(decoded)
}

type Characters<'a> = std::iter::Peekable<std::str::Chars<'a>>;

/// Bytes above ASCII may be half a character, and NUL ends the word: neither is followed.
fn number(characters: &mut Characters<'_>, radix: u32, most: usize, first: u32) -> Option<char> {
    let mut value = first;
    let mut seen = usize::from(radix == 8);
    for _ in 0..most {
        let Some(digit) = characters.next_if(|next| next.is_digit(radix)) else { break };
        value = value.checked_mul(radix)?.checked_add(digit.to_digit(radix)?)?;
        seen += 1;
    }
    (seen > 0 && (1..0x80).contains(&value)).then(|| char::from_u32(value)).flatten()
}
