//! Outputs of a cell: streams, results, pictures and errors, in the form of format 4 and of those before.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};
use toolwright_text::redrawn;

use super::{Page, shortened};
use crate::Part;
use crate::logic::picture;

/// Bytes of an output that are shown from its beginning and from its end.
const ENDS: (usize, usize) = (3_000, 1_000);
/// Pictures in one answer.
const MOST_PICTURES: usize = 8;
/// Characters of base64 in one answer.
const MOST_PICTURE_BYTES: usize = 8_000_000;
/// Those of one picture as it is stored.
const MOST_STORED: usize = 32 << 20;

/// The outputs of a cell; none where they are in no form that is known.
pub(super) fn of(json: &str) -> Vec<Value> {
    serde_json::from_str(json).unwrap_or_default()
}

impl Page {
    /// `place` finds the output in the file.
    pub(super) fn output(&mut self, output: &Value, place: &str) {
        let kind = output.get("output_type").and_then(Value::as_str).unwrap_or_default();
        match kind {
            "stream" => {
                let name = output.get("name").or_else(|| output.get("stream"));
                let name = name.and_then(Value::as_str).unwrap_or("stream");
                self.written(name, &text_of(output.get("text")), place);
            }
            "error" | "pyerr" => {
                let field = |key| output.get(key).and_then(Value::as_str).unwrap_or_default();
                let traceback = output.get("traceback").and_then(Value::as_array);
                let lines = traceback.into_iter().flatten().filter_map(Value::as_str);
                let traceback = redrawn(&lines.collect::<Vec<_>>().join("\n"));
                let last = format!("{}: {}", field("ename"), field("evalue"));
                let text = if traceback.contains(&last) { traceback } else { format!("{traceback}\n{last}") };
                self.written("error", text.trim_start(), place);
            }
            _ => match output.get("data").and_then(Value::as_object).or_else(|| output.as_object()) {
                Some(data) => self.shown(data, place),
                None => self.text("[an output in no known form]\n"),
            },
        }
    }

    /// The forms of one result: its picture, and the plainest of its texts.
    fn shown(&mut self, data: &Map<String, Value>, place: &str) {
        const PICTURES: [&str; 6] = ["image/png", "image/jpeg", "image/gif", "image/webp", "png", "jpeg"];
        const TEXTS: [&str; 5] = ["text/plain", "text/markdown", "text/latex", "text", "application/json"];
        let picture = PICTURES.iter().find_map(|key| Some((*key, data.get(*key)?)));
        if let Some((kind, picture)) = picture {
            self.picture(kind, &text_of(Some(picture)), place);
        }
        match TEXTS.iter().find_map(|key| data.get(*key)) {
            Some(text) => self.written("result", &text_of(Some(text)), place),
            None if picture.is_some() => {}
            None => {
                const OTHER: [&str; 2] = ["output_type", "metadata"];
                let kinds = data.keys().filter(|key| !OTHER.contains(&key.as_str()));
                let kinds = kinds.cloned().collect::<Vec<_>>().join(", ");
                self.text(&format!("[a result not shown ({kinds}): jq '{place}' FILE]\n"));
            }
        }
    }

    fn written(&mut self, name: &str, text: &str, place: &str) {
        let text = redrawn(text);
        self.text(&format!("<output type=\"{name}\">\n"));
        self.block(&shortened(&text, ENDS.0, ENDS.1));
        if text.len() > ENDS.0 + ENDS.1 {
            self.text(&format!("[for all of it: jq '{place}' FILE]\n"));
        }
        self.text("</output>\n");
    }

    fn picture(&mut self, kind: &str, base64: &str, place: &str) {
        let why = if self.pictures >= MOST_PICTURES || self.picture_bytes >= MOST_PICTURE_BYTES {
            "more pictures than fit one answer; read this cell alone with `offset` and `limit`"
        } else if base64.len() > MOST_STORED {
            "too large"
        } else {
            let base64: String = base64.split_ascii_whitespace().collect();
            match STANDARD.decode(base64).ok().and_then(|bytes| picture::embedded(bytes, self.limits)) {
                Some(picture) => {
                    self.pictures += 1;
                    self.picture_bytes += picture.media.data.len();
                    self.text(&format!("[output: picture {} of this answer]\n", self.pictures));
                    self.parts.push(Part::Media(picture.media));
                    return;
                }
                None => "damaged, or of a kind that is not shown",
            }
        };
        self.text(&format!("[a picture ({kind}) is not shown: {why} ({place})]\n"));
    }
}

/// A text that is stored as one string or as a list of its lines; anything else as JSON.
fn text_of(value: Option<&Value>) -> String {
    match value {
        None => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(lines)) if lines.iter().all(Value::is_string) => {
            lines.iter().filter_map(Value::as_str).collect()
        }
        Some(other) => other.to_string(),
    }
}
