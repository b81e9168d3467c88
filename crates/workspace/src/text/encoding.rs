//! Which encoding a text has, and decoding and encoding it strictly: what cannot be decoded or encoded exactly is an error,
//! and U+FFFD is never put in. Knows nothing of lines.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{DecoderResult, EncoderResult, UTF_16BE, UTF_16LE};

/// How characters are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    Utf16Le,
    Utf16Be,
    /// One of the encodings from before Unicode: ASCII is stored as ASCII, and no character has LF or CR among its bytes.
    Legacy(&'static encoding_rs::Encoding),
}

impl Encoding {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Utf16Le => UTF_16LE.name(),
            Self::Utf16Be => UTF_16BE.name(),
            Self::Legacy(encoding) => encoding.name(),
        }
    }

    /// Bytes of a line feed.
    pub(crate) const fn unit(self) -> usize {
        match self {
            Self::Utf16Le | Self::Utf16Be => 2,
            Self::Utf8 | Self::Legacy(_) => 1,
        }
    }
}

/// What the beginning of a file told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Detected {
    pub(crate) encoding: Encoding,
    /// The bytes of its byte order mark; none without one.
    pub(crate) bom: &'static [u8],
}

/// Why bytes are no text that can be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotText {
    /// What it seems to be.
    Binary(String),
    /// Why it cannot be decoded.
    Undecodable(String),
}

const UTF8_BOM: &[u8] = b"\xEF\xBB\xBF";
const UTF16LE_BOM: &[u8] = b"\xFF\xFE";
const UTF16BE_BOM: &[u8] = b"\xFE\xFF";

/// The encoding that a person says texts have that are no Unicode, and of which it cannot be told for sure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Named(Option<&'static encoding_rs::Encoding>);

impl Named {
    /// By a name as web pages give it (`gbk`, `euc-kr`, `windows-1252`); none for a name that means none, or one in which
    /// ASCII is not stored as ASCII.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        let encoding = encoding_rs::Encoding::for_label(name.as_bytes())?;
        (encoding.is_ascii_compatible() && encoding != encoding_rs::UTF_8).then_some(Self(Some(encoding)))
    }
}

/// Judges a file by its beginning; `whole` says that there is no more.
pub(crate) fn detect(head: &[u8], whole: bool, named: Named) -> Result<Detected, NotText> {
    let found = |encoding, bom| Ok(Detected { encoding, bom });
    if head.starts_with(b"\xFF\xFE\0\0") || head.starts_with(b"\0\0\xFE\xFF") {
        return Err(NotText::Undecodable("it is UTF-32".into()));
    }
    if head.starts_with(UTF8_BOM) {
        return found(Encoding::Utf8, UTF8_BOM);
    }
    if head.starts_with(UTF16LE_BOM) {
        return found(Encoding::Utf16Le, UTF16LE_BOM);
    }
    if head.starts_with(UTF16BE_BOM) {
        return found(Encoding::Utf16Be, UTF16BE_BOM);
    }
    // It may have no byte that text cannot have.
    if head.starts_with(b"%PDF-") {
        return Err(NotText::Binary(kind(head)));
    }
    if memchr::memchr(0, head).is_some() {
        return match utf16_without_mark(head) {
            Some(encoding) => found(encoding, b""),
            None => Err(NotText::Binary(kind(head))),
        };
    }
    match std::str::from_utf8(head) {
        Ok(_) => return found(Encoding::Utf8, b""),
        // A character that the end of the head cut.
        Err(error) if !whole && error.error_len().is_none() => return found(Encoding::Utf8, b""),
        Err(_) => {}
    }
    if infer::get(head).is_some_and(|kind| kind.matcher_type() != infer::MatcherType::Text)
        || head.iter().any(|byte| is_odd_control(*byte))
    {
        return Err(NotText::Binary(kind(head)));
    }
    if let Some(encoding) = legacy(head, whole) {
        return found(Encoding::Legacy(encoding), b"");
    }
    match named.0 {
        Some(encoding) if start(Encoding::Legacy(encoding), head).is_ok() => {
            found(Encoding::Legacy(encoding), b"")
        }
        Some(encoding) => {
            let name = encoding.name();
            Err(NotText::Undecodable(format!("it is neither UTF-8 nor {name} (the setting `files.encoding`)")))
        }
        None => Err(NotText::Undecodable(
            "it is not UTF-8, and which older encoding it has cannot be told for sure (the setting `files.encoding` may name it)"
                .into(),
        )),
    }
}

/// Control characters that no text has: all but tab, line ends, form feed, backspace and escape.
const fn is_odd_control(byte: u8) -> bool {
    byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0C | 0x08 | 0x1B)
}

fn kind(head: &[u8]) -> String {
    // What text it would be, had it no such bytes, says nothing.
    let kind = infer::get(head).filter(|kind| kind.matcher_type() != infer::MatcherType::Text);
    kind.map_or_else(|| "it has bytes that no text has".into(), |kind| kind.mime_type().into())
}

/// UTF-16 that has no mark, where that is sure: all of it is text in that byte order, and half of it or more is ASCII.
fn utf16_without_mark(head: &[u8]) -> Option<Encoding> {
    const ENOUGH: usize = 16;
    let sure = |encoding: &Encoding| {
        let Ok(text) = start(*encoding, head) else { return false };
        let odd = |character: char| {
            (character.is_control() && !matches!(character, '\t' | '\n' | '\r'))
                || matches!(character, '\u{e000}'..='\u{f8ff}' | '\u{fff0}'..='\u{ffff}')
        };
        !text.chars().any(odd) && text.chars().filter(char::is_ascii).count() * 4 >= head.len()
    };
    let whole = head.len() >= ENOUGH && head.len().is_multiple_of(2);
    [Encoding::Utf16Le, Encoding::Utf16Be].into_iter().find(sure).filter(|_| whole)
}

/// The encoding the detector names, if it is sure: nearly whatever country it is told the text is from, it names the same
/// (a guess that a hint can sway is none), or the text is plain western words.
fn legacy(head: &[u8], whole: bool) -> Option<&'static encoding_rs::Encoding> {
    const COUNTRIES: [&[u8]; 12] =
        [b"fr", b"de", b"pl", b"ru", b"gr", b"tr", b"il", b"jp", b"cn", b"tw", b"kr", b"th"];
    const ENOUGH: usize = 9;
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(head, whole);
    let guess = detector.guess(None, Utf8Detection::Deny);
    let agrees = |country: &&&[u8]| detector.guess(Some(country), Utf8Detection::Deny) == guess;
    let text = start(Encoding::Legacy(guess), head).ok()?;
    let plausible = |character: char| !character.is_control() || character.is_ascii();
    let sure = COUNTRIES.iter().filter(agrees).count() >= ENOUGH
        || (guess == encoding_rs::WINDOWS_1252 && is_western(&text));
    (sure && guess.is_ascii_compatible() && text.chars().all(plausible)).then_some(guess)
}

/// Whether all that is not ASCII are letters within words of ASCII letters, at most two on end.
fn is_western(text: &str) -> bool {
    text.split(|character: char| !character.is_alphabetic()).all(|word| {
        let foreign = |character: &char| !character.is_ascii();
        let longest = word.split(|character: char| character.is_ascii()).map(|run| run.chars().count()).max();
        longest.unwrap_or(0) <= 2 && (word.is_ascii() || !word.chars().all(|character| foreign(&character)))
    }) && text.chars().all(|character| character.is_ascii() || character.is_alphabetic())
}

/// The text of whole characters; what is no text in this encoding is an error.
pub(crate) fn decode(encoding: Encoding, bytes: &[u8]) -> Result<Cow<'_, str>, NotText> {
    let decoded = match encoding {
        Encoding::Utf8 => return std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|_| bad(encoding)),
        Encoding::Utf16Le => UTF_16LE.decode_without_bom_handling_and_without_replacement(bytes),
        Encoding::Utf16Be => UTF_16BE.decode_without_bom_handling_and_without_replacement(bytes),
        Encoding::Legacy(legacy) => legacy.decode_without_bom_handling_and_without_replacement(bytes),
    };
    decoded.ok_or_else(|| bad(encoding))
}

/// The text of bytes whose last character may be cut; a cut one is left out.
pub(crate) fn start(encoding: Encoding, bytes: &[u8]) -> Result<String, NotText> {
    let mut decoder = match encoding {
        Encoding::Utf8 => encoding_rs::UTF_8,
        Encoding::Utf16Le => UTF_16LE,
        Encoding::Utf16Be => UTF_16BE,
        Encoding::Legacy(legacy) => legacy,
    }
    .new_decoder_without_bom_handling();
    let room = decoder.max_utf8_buffer_length_without_replacement(bytes.len()).unwrap_or(0);
    let mut text = String::with_capacity(room);
    match decoder.decode_to_string_without_replacement(bytes, &mut text, false).0 {
        DecoderResult::InputEmpty => Ok(text),
        DecoderResult::Malformed(..) | DecoderResult::OutputFull => Err(bad(encoding)),
    }
}

fn bad(encoding: Encoding) -> NotText {
    NotText::Undecodable(format!("it begins as {}, and has bytes that are none", encoding.name()))
}

/// The bytes of a text, or the first character that the encoding lacks.
pub(crate) fn encode(encoding: Encoding, text: String) -> Result<Vec<u8>, char> {
    match encoding {
        Encoding::Utf8 => Ok(text.into_bytes()),
        Encoding::Utf16Le => Ok(text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        Encoding::Utf16Be => Ok(text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
        Encoding::Legacy(legacy) => {
            let mut encoder = legacy.new_encoder();
            let mut bytes = Vec::new();
            let mut rest = text.as_str();
            loop {
                let room = encoder.max_buffer_length_from_utf8_without_replacement(rest.len());
                bytes.reserve(room.unwrap_or(rest.len()).max(16));
                let (result, read) =
                    encoder.encode_from_utf8_to_vec_without_replacement(rest, &mut bytes, true);
                rest = rest.get(read..).unwrap_or_default();
                match result {
                    EncoderResult::InputEmpty => return Ok(bytes),
                    EncoderResult::OutputFull => {}
                    EncoderResult::Unmappable(character) => return Err(character),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expect: Result<&str, &str>) {
        let found = detect(bytes, true, Named::default());
        let found = match &found {
            Ok(detected) => Ok(detected.encoding.name()),
            Err(NotText::Binary(_)) => Err("binary"),
            Err(NotText::Undecodable(_)) => Err("undecodable"),
        };
        assert_eq!(found, expect, "{:?}", String::from_utf8_lossy(bytes));
    }

    #[test]
    fn an_encoding_is_told_by_its_mark_or_its_bytes() {
        check(b"", Ok("UTF-8"));
        check(b"plain\n", Ok("UTF-8"));
        check("h\u{e9}llo \u{fffd}".as_bytes(), Ok("UTF-8"));
        check(b"\xEF\xBB\xBFa", Ok("UTF-8"));
        check(b"\xFF\xFEa\0", Ok("UTF-16LE"));
        check(b"\xFE\xFF\0a", Ok("UTF-16BE"));
        check(b"\xFF\xFE\0\0a\0\0\0", Err("undecodable"));
        check(b"AB\0CD\nkey=1\n", Err("binary"));
        let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
        let swapped = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>();
        check(&wide("no mark\r\nh\u{e9}re\n"), Ok("UTF-16LE"));
        check(&swapped("no mark\r\nh\u{e9}re\n"), Ok("UTF-16BE"));
        check(&wide("short\n"), Err("binary"));
        check(&wide("a control\u{1} within"), Err("binary"));
        check(&wide("a NUL\0within it"), Err("binary"));
        check(&[wide("an odd byte"), vec![b'x']].concat(), Err("binary"));
        check(&wide("设定文件的名称和值写在一行 a b"), Err("binary"));
        check(&[1_u8, 0, 2, 0, 3, 0, 4, 0].repeat(9), Err("binary"));
        check(b"GIF89a is a format\nof pictures\n", Ok("UTF-8"));
        check(b"GIF89a\x01\x01\x01\x01\x80\xff", Err("binary"));
        check(b"\x7fELF\x01\x02\xff", Err("binary"));
        check(b"%PDF-1.4\n1 0 obj\n", Err("binary"));
        check(b"\xff\xd8\xff\xe0\x10JFIF", Err("binary"));
        check(b"a\x01\xff", Err("binary"));
    }

    #[test]
    fn an_older_encoding_is_told_only_where_it_is_sure() {
        let long =
            |encoding: &'static encoding_rs::Encoding, text: &str| encoding.encode(text).0.into_owned();
        let japanese = "設定ファイルを読み込みます。名前と値を一行ずつ書いてください。\n終わり\n";
        check(&long(encoding_rs::SHIFT_JIS, japanese), Ok("Shift_JIS"));
        check(b"x = 1;\n// caf\xe9 na\xefve\n", Ok("windows-1252"));
        check(b"// f\xfcr die Gr\xf6\xdfe\n", Ok("windows-1252"));
        check(b"abc \xff\xfe\xfa\xf1 def \x80\x81\n", Err("undecodable"));
        let russian = "Настройки программы хранятся в этом файле. Имя и значение пишутся в одной строке.\n";
        check(&long(encoding_rs::WINDOWS_1251, russian), Ok("windows-1251"));
        check(&long(encoding_rs::KOI8_R, russian), Ok("KOI8-U"));
        check(b"\x90\xdd \xff\n", Err("undecodable"));
    }

    #[test]
    fn a_named_encoding_is_that_of_what_cannot_be_told() {
        let chinese = "名称和值\n";
        let stored = encoding_rs::GBK.encode(chinese).0;
        let found = |bytes: &[u8], name: &str| {
            let named = Named::of(name).expect("an encoding");
            detect(bytes, true, named).map(|detected| detected.encoding.name()).map_err(|_| "undecodable")
        };
        assert_eq!(detect(&stored, true, Named::default()).map_err(|_| ()), Err(()));
        assert_eq!(found(&stored, "gb2312"), Ok("GBK"));
        assert_eq!(found(chinese.as_bytes(), "gbk"), Ok("UTF-8"));
        assert_eq!(
            found(b"x = 1;\n// caf\xe9 na\xefve\n", "gbk"),
            Ok("windows-1252"),
            "what is sure stays so"
        );
        assert_eq!(found(b"\x90\xdd \xff\n", "gbk"), Err("undecodable"));
        for none in ["utf-8", "utf-16", "iso-2022-jp", "nonsense", ""] {
            assert_eq!(Named::of(none), None, "{none}");
        }
    }

    #[test]
    fn what_an_encoding_lacks_is_named() {
        let legacy = Encoding::Legacy(encoding_rs::SHIFT_JIS);
        assert_eq!(encode(legacy, "a\u{7d42}".into()), Ok(b"a\x8f\x49".to_vec()));
        assert_eq!(encode(legacy, "a\u{1f600}".into()), Err('\u{1f600}'));
    }
}
