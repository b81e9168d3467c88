//! A whole text taken in as a view and given out as bytes: exactly, or not at all. Opens no file.

use toolwright_services::{Splice, TextFormat};

use super::{
    Detected, Encoding, Ends, HEAD, Layout, LineEnd, Named, NotText, decode, encode, from_view, splice,
    to_view,
};

/// How a text lies on the disk: its encoding, its byte order mark and what ends each of its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    detected: Detected,
    ends: Ends,
}

impl Stored {
    /// What a file without content is taken for.
    pub(crate) const NEW: Self =
        Self { detected: Detected { encoding: Encoding::Utf8, bom: b"" }, ends: Ends::Same(LineEnd::Lf) };

    /// Bytes as a view (no byte order mark, LF between lines), if they can be given out again exactly.
    ///
    /// # Errors
    /// When they are no text, or a text that would not be written back as it is.
    pub fn take_in(mut bytes: Vec<u8>, named: Named) -> Result<(String, Self), NotText> {
        let whole = bytes.len() as u64 <= HEAD;
        let Layout { detected, lone_cr, .. } = Layout::of(&bytes, whole, named)?;
        let body = bytes.split_off(detected.bom.len());
        if detected.encoding.unit() == 1 && memchr::memchr(0, &body).is_some() {
            return Err(NotText::Binary("it has a NUL byte".into()));
        }
        let text = match (detected.encoding, body) {
            (Encoding::Utf8, body) => String::from_utf8(body).map_err(|error| {
                let at = error.utf8_error().valid_up_to() + detected.bom.len();
                NotText::Undecodable(format!("it begins as UTF-8, but not at byte {at}"))
            })?,
            (encoding, body) => {
                let text = decode(encoding, &body)?.into_owned();
                if encode(encoding, text.clone()).as_ref() != Ok(&body) {
                    let name = encoding.name();
                    let reason = format!("it is {name}, in a form that could not be written back");
                    return Err(NotText::Undecodable(reason));
                }
                text
            }
        };
        let (view, ends) = to_view(text, lone_cr);
        Ok((view, Self { detected, ends }))
    }

    /// The view with pieces replaced, and how that is stored; nothing when pieces overlap, lie outside or cut a character.
    #[must_use]
    pub fn splice(&self, view: &str, splices: Vec<Splice>) -> Option<(String, Self)> {
        let (view, ends) = splice(view, &self.ends, splices)?;
        Some((view, Self { ends, ..self.clone() }))
    }

    /// A view as the bytes that are stored.
    ///
    /// # Errors
    /// The first character that the encoding lacks.
    pub fn give_out(&self, view: String) -> Result<Vec<u8>, char> {
        let body = encode(self.detected.encoding, from_view(view, &self.ends))?;
        let bom = self.detected.bom;
        Ok(if bom.is_empty() { body } else { [bom, &body].concat() })
    }

    /// A text that takes the whole file's place, and how it is stored. One that was given with CR LF is meant so; one without
    /// gets what the file has.
    pub(crate) fn in_its_place(&self, text: String) -> (String, Self) {
        let ends = if text.contains("\r\n") { Ends::Same(LineEnd::Lf) } else { self.ends.for_new_text() };
        let text = match text.strip_prefix('\u{feff}') {
            Some(bare) if !self.detected.bom.is_empty() => bare.to_owned(),
            _ => text,
        };
        (text, Self { ends, ..self.clone() })
    }

    /// The same, told in the words of those who ask for files.
    #[must_use]
    pub fn format(&self) -> TextFormat {
        TextFormat {
            encoding: self.detected.encoding.name(),
            bom: !self.detected.bom.is_empty(),
            line_ends: self.ends.kind(),
        }
    }
}
