//! One text file, in memory: what a notebook's tools need of `Files`, and no more.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use toolwright_core::{BoxFuture, Cancel, ToolContext};
use toolwright_services::{
    Document, FileState, Files, FilesError, KeepsOld, LineEnds, NoFiles, Splice, TextFormat, TextWindow,
    Window, Written,
};

/// The file.
#[derive(Clone)]
pub(super) struct OneFile(Arc<Mutex<String>>);

impl OneFile {
    pub(super) fn new(text: &str) -> Self {
        Self(Arc::new(Mutex::new(text.into())))
    }

    pub(super) fn text(&self) -> String {
        self.0.lock().expect("no panic").clone()
    }
}

impl Files for OneFile {
    fn absolute(&self, cwd: &Path, spelled: &str) -> PathBuf {
        cwd.join(spelled)
    }

    fn for_call(&self, _: &ToolContext) -> Arc<dyn Files> {
        Arc::new(self.clone())
    }

    fn read<'a>(
        &'a self,
        _: &'a Path,
        _: Window,
        _: &'a Cancel,
    ) -> BoxFuture<'a, Result<TextWindow, FilesError>> {
        Box::pin(async { Err(FilesError::NoFiles) })
    }

    fn read_bytes<'a>(
        &'a self,
        _: &'a Path,
        _: u64,
        _: &'a Cancel,
    ) -> BoxFuture<'a, Result<Vec<u8>, FilesError>> {
        Box::pin(async { Ok(self.text().into_bytes()) })
    }

    fn shown(&self, _: &Path, _: &[u8]) -> Result<(), FilesError> {
        Ok(())
    }

    fn open<'a>(&'a self, path: &'a Path, _: &'a Cancel) -> BoxFuture<'a, Result<Document, FilesError>> {
        let format = TextFormat { encoding: "UTF-8", bom: false, line_ends: LineEnds::Lf };
        Box::pin(async {
            Ok(Document { path: path.into(), text: self.text(), format, origin: Arc::new(()) })
        })
    }

    fn splice<'a>(
        &'a self,
        document: &'a Document,
        splices: Vec<Splice>,
    ) -> BoxFuture<'a, Result<(), FilesError>> {
        Box::pin(async move {
            let mut text = document.text.clone();
            for splice in splices.into_iter().rev() {
                text.replace_range(splice.range, &splice.text);
            }
            *self.0.lock().expect("no panic") = text;
            Ok(())
        })
    }

    fn write<'a>(&'a self, _: &'a Path, _: &'a str) -> BoxFuture<'a, Result<Written, FilesError>> {
        Box::pin(async { Err(FilesError::NoFiles) })
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
        Arc::new(NoFiles)
    }
}
