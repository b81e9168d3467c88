//! What characters are called, and which letters of other scripts look like Latin ones.

/// Code point and name of each.
pub(super) fn all(characters: &[char]) -> String {
    let named: Vec<_> = characters.iter().copied().map(of).collect();
    named.join(" ")
}

/// `U+00A0 (no-break space)`.
pub(super) fn of(character: char) -> String {
    let code = u32::from(character);
    let known = match character {
        '\t' => "tab",
        '\n' => "newline",
        '\u{b}' => "vertical tab",
        '\u{c}' => "form feed",
        '\r' => "carriage return",
        ' ' => "space",
        '\u{85}' => "next line",
        '\u{a0}' => "no-break space",
        '\u{ad}' => "soft hyphen",
        '\u{1680}' => "ogham space",
        '\u{2000}' | '\u{2002}' => "en space",
        '\u{2001}' | '\u{2003}' => "em space",
        '\u{2007}' => "figure space",
        '\u{2009}' => "thin space",
        '\u{2004}'..='\u{200a}' => "narrow space",
        '\u{200b}' => "zero-width space",
        '\u{200c}' => "zero-width non-joiner",
        '\u{200d}' => "zero-width joiner",
        '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            "mark of direction"
        }
        '\u{2028}' => "line separator",
        '\u{2029}' => "paragraph separator",
        '\u{202f}' => "narrow no-break space",
        '\u{205f}' => "mathematical space",
        '\u{2060}' => "word joiner",
        '\u{3000}' => "ideographic space",
        '\u{fe00}'..='\u{fe0f}' => "variation selector",
        '\u{feff}' => "zero-width no-break space",
        '\u{300}'..='\u{36f}' => "combining mark",
        _ => "",
    };
    if !known.is_empty() {
        return format!("U+{code:04X} ({known})");
    }
    let kind = match code {
        0x370..=0x3ff => "Greek ",
        0x400..=0x52f => "Cyrillic ",
        0xff01..=0xffee => "full-width ",
        _ => "",
    };
    if character.is_control() {
        return format!("U+{code:04X}");
    }
    format!("U+{code:04X} ({kind}{character})")
}

/// The Latin letter that a letter of another script looks like.
pub(super) const fn latin(character: char) -> char {
    match character {
        'а' => 'a',
        'е' => 'e',
        'о' | 'ο' => 'o',
        'р' | 'ρ' => 'p',
        'с' => 'c',
        'у' => 'y',
        'х' => 'x',
        'і' => 'i',
        'ј' => 'j',
        'ѕ' => 's',
        'һ' => 'h',
        'ԁ' => 'd',
        'ԛ' => 'q',
        'ԝ' => 'w',
        'ν' => 'v',
        'А' | 'Α' => 'A',
        'В' | 'Β' => 'B',
        'Е' | 'Ε' => 'E',
        'Ζ' => 'Z',
        'К' | 'Κ' => 'K',
        'М' | 'Μ' => 'M',
        'Н' | 'Η' => 'H',
        'Ν' => 'N',
        'О' | 'Ο' => 'O',
        'Р' | 'Ρ' => 'P',
        'С' => 'C',
        'Т' | 'Τ' => 'T',
        'Υ' => 'Y',
        'Х' | 'Χ' => 'X',
        'І' | 'Ι' => 'I',
        'Ј' => 'J',
        'Ѕ' => 'S',
        other => other,
    }
}
