//! `Files` on the local file system. Puts the parts together: opening, the text layer, the read state, replacing.

mod change;
mod look;
mod skip;
#[cfg(test)]
mod tests;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;
use toolwright_core::{BoxFuture, Cancel, Environment, ToolContext, Unavailable};
use toolwright_services::{
    Document, FileState, Files, FilesError, KeepsOld, PathPolicy, Splice, TextWindow, Window, Written,
};

use crate::aside;
use crate::path;
use crate::read_state::{Fingerprint, ReadState};
use crate::replace::Writer;
use crate::target::{Call, Target};
use crate::text::Named;

/// The local file system, as one agent sees it.
///
/// ```
/// use std::sync::Arc;
/// use toolwright_core::Services;
/// use toolwright_services::Files;
/// use toolwright_workspace::LocalFiles;
/// let mut services = Services::default();
/// services.offer_forked::<dyn Files>(Arc::new(LocalFiles::new(None)), |files| files.fork());
/// assert!(services.require::<dyn Files>().is_ok());
/// ```
#[derive(Clone)]
pub struct LocalFiles {
    inner: Arc<Inner>,
    call: Call,
}

/// How much is taken into memory.
#[derive(Clone, Copy)]
struct Limit {
    bytes: u64,
    /// The setting it comes from.
    setting: Option<&'static str>,
}

/// The largest text that is changed.
const LIMIT: Limit = Limit { bytes: 256 << 20, setting: Some("edit.maxFileBytes") };

struct Inner {
    home: Option<PathBuf>,
    limit: Limit,
    named: Named,
    read: ReadState,
    writer: Arc<Writer>,
    latest: change::Latest,
    /// Held while a file is compared and replaced, by all agents of the process: so none undoes another's change unseen.
    writing: Arc<Mutex<()>>,
    keeper: Mutex<Option<Arc<dyn KeepsOld>>>,
    policy: Option<Arc<dyn PathPolicy>>,
}

impl Inner {
    /// The same files, with a read state that is its own from now on.
    fn copy(&self) -> Self {
        Self {
            home: self.home.clone(),
            limit: self.limit,
            named: self.named,
            read: self.read.copy(),
            writer: Arc::clone(&self.writer),
            latest: change::Latest::default(),
            writing: Arc::clone(&self.writing),
            keeper: Mutex::new(self.keeper()),
            policy: self.policy.clone(),
        }
    }

    fn keeper(&self) -> Option<Arc<dyn KeepsOld>> {
        self.keeper.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl From<Inner> for LocalFiles {
    fn from(inner: Inner) -> Self {
        Self { inner: Arc::new(inner), call: Call::default() }
    }
}

impl LocalFiles {
    /// `home` is what `~` means; without it, `~` is a name like any other.
    #[must_use]
    pub fn new(home: Option<PathBuf>) -> Self {
        Self::from(Inner {
            home,
            limit: LIMIT,
            named: Named::default(),
            read: ReadState::default(),
            writer: Arc::default(),
            latest: change::Latest::default(),
            writing: Arc::default(),
            keeper: Mutex::default(),
            policy: None,
        })
    }

    /// As the settings have it.
    ///
    /// # Errors
    /// When the setting `edit` or `files` does not fit.
    pub fn of_settings(home: Option<PathBuf>, environment: &Environment) -> Result<Self, Unavailable> {
        #[derive(Default, Deserialize)]
        #[serde(default, rename_all = "camelCase")]
        struct Edit {
            max_file_bytes: Option<u64>,
        }
        #[derive(Default, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        struct Texts {
            encoding: Option<String>,
        }
        let set: Edit = environment.settings("edit")?;
        let files = Self::new(home).with_limit(set.max_file_bytes.unwrap_or(LIMIT.bytes));
        let texts: Texts = environment.settings("files")?;
        let Some(name) = texts.encoding else { return Ok(files) };
        let named = Named::of(&name).ok_or_else(|| {
            Unavailable(format!(
                "the setting `files.encoding` is \"{name}\": give the encoding of texts that are no Unicode, such as \"gbk\", \
                 \"euc-kr\" or \"windows-1252\""
            ))
        })?;
        Ok(files.with_encoding(named))
    }

    /// With an encoding for texts that are no Unicode, and of which it cannot be told for sure.
    #[must_use]
    pub fn with_encoding(self, named: Named) -> Self {
        Self::from(Inner { named, ..self.inner.copy() })
    }

    /// Keeps copies in `folder` (for the owner alone; made when first needed) as long as a file is written that cannot be
    /// replaced at one go: one with several names, or of somebody else. What a killed program left half written is put
    /// back: now, and whenever such a file is touched. Without such a folder it stays half.
    #[must_use]
    pub fn recovering_in(self, folder: PathBuf) -> Self {
        let writer = Arc::new(Writer::new(Some(folder)));
        Self::from(Inner { writer, ..self.inner.copy() })
    }

    /// Names nothing in errors that `policy` hides, and opens no file by another name that it denies by one.
    #[must_use]
    pub fn hiding(self, policy: Arc<dyn PathPolicy>) -> Self {
        Self::from(Inner { policy: Some(policy), ..self.inner.copy() })
    }

    /// With another limit, in bytes, for files that are opened for a change.
    #[must_use]
    pub fn with_limit(self, bytes: u64) -> Self {
        let limit = Limit { bytes, ..LIMIT };
        Self::from(Inner { limit, ..self.inner.copy() })
    }

    fn target(&self, path: &Path) -> Result<Target, FilesError> {
        Target::of(path, &self.call)
    }

    /// Does work that may take long on a thread for such work.
    async fn aside<T: Send + 'static>(
        &self,
        path: &Path,
        work: impl FnOnce(&Inner, &Target) -> Result<T, FilesError> + Send + 'static,
    ) -> Result<T, FilesError> {
        let (inner, target) = (Arc::clone(&self.inner), self.target(path)?);
        aside(move || work(&inner, &target)).await.unwrap_or_else(|| {
            let source = std::io::Error::other("the work on it ended before its time; try it again");
            Err(FilesError::Io { path: path.to_owned(), doing: "used", source })
        })
    }
}

impl fmt::Debug for LocalFiles {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("LocalFiles").field("read", &self.inner.read).finish_non_exhaustive()
    }
}

impl Files for LocalFiles {
    fn absolute(&self, cwd: &Path, spelled: &str) -> PathBuf {
        path::absolute(cwd, self.inner.home.as_deref(), spelled)
    }

    fn for_call(&self, cx: &ToolContext) -> Arc<dyn Files> {
        let denied = self.inner.policy.as_ref().map(|policy| policy.in_folder(&cx.cwd));
        Arc::new(Self { inner: Arc::clone(&self.inner), call: Call { decided: cx.decided.clone(), denied } })
    }

    fn read<'a>(
        &'a self,
        path: &'a Path,
        window: Window,
        cancel: &'a Cancel,
    ) -> BoxFuture<'a, Result<TextWindow, FilesError>> {
        Box::pin(async move {
            if let Some(seen) = look::small(&self.inner, &self.target(path)?, window)? {
                return Ok(seen);
            }
            let cancel = cancel.clone();
            self.aside(path, move |inner, target| look::window(inner, target, window, &cancel)).await
        })
    }

    fn read_bytes<'a>(
        &'a self,
        path: &'a Path,
        limit: u64,
        cancel: &'a Cancel,
    ) -> BoxFuture<'a, Result<Vec<u8>, FilesError>> {
        let cancel = cancel.clone();
        Box::pin(self.aside(path, move |inner, target| look::bytes(inner, target, limit, &cancel)))
    }

    fn shown(&self, path: &Path, bytes: &[u8]) -> Result<(), FilesError> {
        let target = self.target(path)?;
        if !target.is_there()? {
            return Err(target.not_found());
        }
        look::record(&self.inner, &target, Fingerprint::whole(bytes));
        Ok(())
    }

    fn open<'a>(&'a self, path: &'a Path, cancel: &'a Cancel) -> BoxFuture<'a, Result<Document, FilesError>> {
        let cancel = cancel.clone();
        Box::pin(self.aside(path, move |inner, target| change::open(inner, target, &cancel)))
    }

    fn splice<'a>(
        &'a self,
        document: &'a Document,
        splices: Vec<Splice>,
    ) -> BoxFuture<'a, Result<(), FilesError>> {
        Box::pin(async move {
            let bytes = change::spliced(document, splices)?;
            let origin = Arc::clone(&document.origin);
            let put_back =
                move |inner: &Inner, target: &Target| change::put_back(inner, target, &origin, bytes);
            self.aside(&document.path, put_back).await
        })
    }

    fn write<'a>(&'a self, path: &'a Path, text: &'a str) -> BoxFuture<'a, Result<Written, FilesError>> {
        let text = text.to_owned();
        Box::pin(self.aside(path, move |inner, target| change::write(inner, target, text)))
    }

    fn states(&self) -> Vec<FileState> {
        self.inner.read.all()
    }

    fn take_changed(&self) -> Vec<FileState> {
        self.inner.read.take_changed()
    }

    fn restore(&self, states: &[FileState]) {
        self.inner.read.restore(states);
    }

    fn keep_with(&self, keeper: Arc<dyn KeepsOld>) {
        *self.inner.keeper.lock().unwrap_or_else(PoisonError::into_inner) = Some(keeper);
    }

    fn fork(&self) -> Arc<dyn Files> {
        Arc::new(Self::from(self.inner.copy()))
    }
}
