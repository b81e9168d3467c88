//! What was read, as data: stored with the session, and the source of the answer and of every view.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Output {
    /// Lines of a text.
    Text(Text),
    /// Cells of a notebook.
    Notebook(Notebook),
    /// A picture.
    Image(Image),
    /// Pages of a PDF.
    Pdf(Pdf),
    /// The same as an earlier call showed, which is still in the conversation.
    Unchanged(Unchanged),
}

/// Lines of a text file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Text {
    /// The file, absolute.
    pub path: PathBuf,
    /// The number of the first line shown.
    pub first_line: u64,
    /// How many lines are shown.
    pub lines: u64,
    /// The lines, each followed by LF.
    pub text: String,
    /// Lines that were cut because they are too long.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cut: Vec<Cut>,
    /// How many lines the file has, where that is known.
    pub total_lines: Option<u64>,
    /// Whether lines follow that are not shown.
    pub more: bool,
    /// The text encoding, where it is not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
}

/// A line that was cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cut {
    /// Its number.
    pub line: u64,
    /// How many bytes were left out.
    pub omitted: u64,
}

/// Cells of a notebook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Notebook {
    /// The file, absolute.
    pub path: PathBuf,
    /// The language of its code, where it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// How many cells it has.
    pub cells: u64,
    /// The first cell shown, counted from 1.
    pub first_cell: u64,
    /// How many are shown.
    pub shown: u64,
    /// The cells as text, and the pictures among their outputs, in order.
    pub parts: Vec<Part>,
}

/// A piece of what is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Text.
    Text(String),
    /// A picture or a document.
    Media(Media),
}

/// A picture or a document as a model is sent it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Media {
    /// The MIME type.
    pub media_type: String,
    /// Base64, standard alphabet, padded.
    pub data: String,
}

/// A picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Image {
    /// The file, absolute.
    pub path: PathBuf,
    /// What the file is, as a MIME type.
    pub file_type: String,
    /// The file's width and height in pixels.
    pub size: (u32, u32),
    /// Those of the picture shown.
    pub shown_size: (u32, u32),
    /// The picture.
    pub media: Media,
}

/// Pages of a PDF.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pdf {
    /// The file, absolute.
    pub path: PathBuf,
    /// How many pages it has.
    pub pages: u64,
    /// The number of the first page shown.
    pub first_page: u64,
    /// The text of each page shown; empty where it has none.
    pub texts: Vec<String>,
    /// Pages without text, drawn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<PagePicture>,
    /// The document itself, where no page has text and it is small enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<Media>,
}

/// A page, drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PagePicture {
    /// Its number.
    pub page: u64,
    /// The picture.
    pub media: Media,
}

/// What would have been shown was shown before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unchanged {
    /// The file, absolute.
    pub path: PathBuf,
    /// The tool use whose result shows it.
    pub shown_by: String,
}
