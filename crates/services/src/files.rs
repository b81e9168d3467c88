//! Files as file tools see them: text in an LF view, the read state of the asking agent, and safe replacement. Knows no
//! encoding, no system call and no tool.

mod error;
mod keeping;

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use toolwright_core::{BoxFuture, Cancel, ToolContext};

pub use error::FilesError;
pub use keeping::{FileChange, KeepsOld, OldFile};

/// Reads and changes text files for one agent, and keeps what that agent has read.
///
/// Text is seen without its byte order mark and with LF alone between lines (the *view*); what is written back has the
/// file's own encoding and line endings. A host offers it with
/// `services.offer_forked::<dyn Files>(files, |files| files.fork())`: a subagent gets a copy of the read state.
pub trait Files: Send + Sync {
    /// The absolute path a spelled one means: absolute as it is, `~` and `~/..` below the home folder, anything else below
    /// `cwd`; `.` and `..` are taken out by name alone. Touches no file.
    fn absolute(&self, cwd: &Path, spelled: &str) -> PathBuf;

    /// The same files for one call, with the same read state: each path leads where it led when the call was decided, or
    /// nothing is opened. What rules hide is named in no error. A tool asks for it as its call begins.
    fn for_call(&self, cx: &ToolContext) -> Arc<dyn Files>;

    /// Some lines of a text file, at a cost that follows the window and not the file. Counts as having read the file.
    ///
    /// # Errors
    /// When it is missing, no regular file, no text, or cannot be read.
    fn read<'a>(
        &'a self,
        path: &'a Path,
        window: Window,
        cancel: &'a Cancel,
    ) -> BoxFuture<'a, Result<TextWindow, FilesError>>;

    /// A whole file as it lies on the disk. Counts as having read it only once [`shown`](Self::shown) says that it was.
    ///
    /// # Errors
    /// As [`read`](Self::read), save that any bytes will do; and when it has more than `limit` bytes.
    fn read_bytes<'a>(
        &'a self,
        path: &'a Path,
        limit: u64,
        cancel: &'a Cancel,
    ) -> BoxFuture<'a, Result<Vec<u8>, FilesError>>;

    /// These bytes of a file were shown, in whatever form. Counts as having read it; a file that could not be shown does not.
    ///
    /// # Errors
    /// When it is no longer there.
    fn shown(&self, path: &Path, bytes: &[u8]) -> Result<(), FilesError>;

    /// A whole text file, to be changed with [`splice`](Self::splice).
    ///
    /// # Errors
    /// As [`read`](Self::read); when this agent has not read it or it changed since; and when its bytes could not be
    /// written back exactly.
    fn open<'a>(&'a self, path: &'a Path, cancel: &'a Cancel) -> BoxFuture<'a, Result<Document, FilesError>>;

    /// Writes an opened document back with pieces of its view replaced. Every byte outside the pieces stays as it is; new
    /// lines get the line ending of the lines around them. Counts as having read the result.
    ///
    /// # Errors
    /// When the file changed since [`open`](Self::open), when pieces overlap or lie outside, when the file's encoding
    /// lacks a character, or when it cannot be written. The file is then as it was.
    fn splice<'a>(
        &'a self,
        document: &'a Document,
        splices: Vec<Splice>,
    ) -> BoxFuture<'a, Result<(), FilesError>>;

    /// Writes a whole text: a new file (its folders are made) or in the place of one, whose encoding, byte order mark and
    /// line ending are kept. Counts as having read the result.
    ///
    /// # Errors
    /// When there is a file with content that this agent has not read or that changed since, and as [`splice`](Self::splice).
    fn write<'a>(&'a self, path: &'a Path, text: &'a str) -> BoxFuture<'a, Result<Written, FilesError>>;

    /// What this agent has read: for a session's end and for tests. In the order of the paths.
    fn states(&self) -> Vec<FileState>;

    /// The states recorded since this was last asked, oldest first: for a journal.
    fn take_changed(&self) -> Vec<FileState>;

    /// Puts journaled states back, the last one of a path counts. They are not given by
    /// [`take_changed`](Self::take_changed) again.
    fn restore(&self, states: &[FileState]);

    /// From now on `keeper` is told of every change before it is made. A fork begins with the same keeper.
    fn keep_with(&self, keeper: Arc<dyn KeepsOld>);

    /// The same files for a spawned agent: the read state is copied, and from then on its own.
    fn fork(&self) -> Arc<dyn Files>;
}

/// Which lines are wanted, and how much of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// The first line, from 1.
    pub first_line: u64,
    /// How many lines.
    pub lines: u64,
    /// Bytes of view text after which no further line is begun.
    pub bytes: usize,
    /// Bytes of view text above which a line is cut.
    pub line_bytes: usize,
}

/// Lines of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextWindow {
    /// The lines, each followed by LF.
    pub text: String,
    /// How many lines `text` has.
    pub lines: u64,
    /// Lines that were cut, in order.
    pub cut: Vec<CutLine>,
    /// How many lines the file has, where that is known: always if the window reaches its end.
    pub total_lines: Option<u64>,
    /// Whether lines follow that a larger window would give.
    pub more: bool,
    /// The file's size in bytes, as far as it is known (files of the kernel's say 0).
    pub size: u64,
    /// How the text is stored.
    pub format: TextFormat,
}

/// A line that was cut because it is too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CutLine {
    /// Its number in the file, from 1.
    pub line: u64,
    /// How many bytes of the file were left out.
    pub omitted: u64,
}

/// How a text is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextFormat {
    /// The encoding's name (`UTF-8`, `UTF-16LE`, `Shift_JIS`).
    pub encoding: &'static str,
    /// Whether it begins with a byte order mark.
    pub bom: bool,
    /// What ends its lines, as far as it was looked at.
    pub line_ends: LineEnds,
}

/// What ends the lines of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineEnds {
    /// LF alone; also a text of one line.
    Lf,
    /// CR LF alone.
    CrLf,
    /// Lone CR, in a file that has no LF where it begins.
    Cr,
    /// Some of each.
    Mixed,
}

/// A whole text, as opened for a change.
#[derive(Clone)]
pub struct Document {
    /// The path it was opened by.
    pub path: PathBuf,
    /// The view: no byte order mark, LF between lines.
    pub text: String,
    /// How it is stored.
    pub format: TextFormat,
    /// What the implementation needs to write it back; nobody else's.
    pub origin: Arc<dyn Any + Send + Sync>,
}

impl Document {
    /// `text` as this document's view would show it: what a model wrote with CR LF is found in a view of LF.
    #[must_use]
    pub fn in_view<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if !text.contains('\r') {
            return Cow::Borrowed(text);
        }
        let text = text.replace("\r\n", "\n");
        Cow::Owned(if self.format.line_ends == LineEnds::Cr { text.replace('\r', "\n") } else { text })
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Document")
            .field("path", &self.path)
            .field("text", &self.text)
            .field("format", &self.format)
            .finish_non_exhaustive()
    }
}

/// A piece of a document's view to be replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Splice {
    /// Bytes of [`Document::text`], on character boundaries.
    pub range: Range<usize>,
    /// What stands there from now on. CR LF in it counts as LF.
    pub text: String,
}

/// What a write did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The view of the file before; none where there was no file.
    pub before: Option<String>,
    /// How the text is stored now.
    pub format: TextFormat,
}

/// That an agent has read a file, as plain data.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FileState {
    /// The file, absolute, links resolved.
    pub path: PathBuf,
    /// A hash of what was read; its form is the implementation's.
    pub hash: String,
}

/// There are no files.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoFiles;

impl NoFiles {
    fn refuse<'a, T: Send + 'a>() -> BoxFuture<'a, Result<T, FilesError>> {
        Box::pin(async { Err(FilesError::NoFiles) })
    }
}

impl Files for NoFiles {
    fn absolute(&self, cwd: &Path, spelled: &str) -> PathBuf {
        cwd.join(spelled)
    }

    fn for_call(&self, _: &ToolContext) -> Arc<dyn Files> {
        Arc::new(*self)
    }

    fn read<'a>(
        &'a self,
        _: &'a Path,
        _: Window,
        _: &'a Cancel,
    ) -> BoxFuture<'a, Result<TextWindow, FilesError>> {
        Self::refuse()
    }

    fn read_bytes<'a>(
        &'a self,
        _: &'a Path,
        _: u64,
        _: &'a Cancel,
    ) -> BoxFuture<'a, Result<Vec<u8>, FilesError>> {
        Self::refuse()
    }

    fn shown(&self, _: &Path, _: &[u8]) -> Result<(), FilesError> {
        Err(FilesError::NoFiles)
    }

    fn open<'a>(&'a self, _: &'a Path, _: &'a Cancel) -> BoxFuture<'a, Result<Document, FilesError>> {
        Self::refuse()
    }

    fn splice<'a>(&'a self, _: &'a Document, _: Vec<Splice>) -> BoxFuture<'a, Result<(), FilesError>> {
        Self::refuse()
    }

    fn write<'a>(&'a self, _: &'a Path, _: &'a str) -> BoxFuture<'a, Result<Written, FilesError>> {
        Self::refuse()
    }

    fn states(&self) -> Vec<FileState> {
        Vec::new()
    }

    fn take_changed(&self) -> Vec<FileState> {
        Vec::new()
    }

    fn restore(&self, _: &[FileState]) {}

    fn keep_with(&self, _: Arc<dyn KeepsOld>) {}

    fn fork(&self) -> Arc<dyn Files> {
        Arc::new(*self)
    }
}
