//! Keeps the beginning and the end of an output in bounded memory, and the whole in a file where one is wanted.

use std::collections::VecDeque;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Which output goes where.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Streams {
    /// Standard output and error through one pipe, in the order written; both are in [`Finished::stdout`](crate::Finished).
    #[default]
    Merged,
    /// Each for itself.
    Separate,
}

/// How much of an output is kept.
#[derive(Debug, Clone)]
pub struct Capture {
    /// Bytes kept of the beginning.
    pub head: usize,
    /// Bytes kept of the end.
    pub tail: usize,
    /// A folder for the whole output once it is larger than both; made when first needed. None: the middle is lost.
    pub spill_to: Option<PathBuf>,
    /// Bytes after which the file takes no more.
    pub spill_limit: u64,
    /// Bytes that this file and others may still take together; what is written is taken from it. None: no such limit.
    pub spill_room: Option<Arc<AtomicU64>>,
}

impl Default for Capture {
    /// 16 KiB of the beginning, 16 KiB of the end, no file; a file takes at most 64 MiB.
    fn default() -> Self {
        Self { head: 16 << 10, tail: 16 << 10, spill_to: None, spill_limit: 64 << 20, spill_room: None }
    }
}

/// What was kept of an output.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Captured {
    /// The beginning; the whole where nothing was omitted.
    pub head: Vec<u8>,
    /// The end; empty where nothing was omitted.
    pub tail: Vec<u8>,
    /// Bytes the child wrote.
    pub total: u64,
    /// Bytes between head and tail that are not here.
    pub omitted: u64,
    /// The file that holds the whole (up to its limit), where something was omitted.
    pub spilled_to: Option<PathBuf>,
    /// Whether that file ends before the output did.
    pub spill_cut: bool,
}

/// Takes an output piece by piece.
#[derive(Debug)]
pub(crate) struct Collector {
    capture: Capture,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    total: u64,
    spill: Option<Spill>,
    spill_failed: bool,
}

#[derive(Debug)]
struct Spill {
    file: File,
    path: PathBuf,
    written: u64,
    room: Option<Arc<AtomicU64>>,
    cut: bool,
}

impl Collector {
    pub(crate) fn new(capture: Capture) -> Self {
        Self { capture, head: Vec::new(), tail: VecDeque::new(), total: 0, spill: None, spill_failed: false }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let room = self.capture.head.saturating_sub(self.head.len());
        let (first, rest) = bytes.split_at(room.min(bytes.len()));
        let before = self.total;
        self.total = self.total.saturating_add(bytes.len() as u64);
        self.spill(bytes, before);
        self.head.extend_from_slice(first);
        let (dropped, last) = rest.split_at(rest.len().saturating_sub(self.capture.tail));
        if !dropped.is_empty() {
            self.tail.clear();
        }
        let surplus = (self.tail.len() + last.len()).saturating_sub(self.capture.tail);
        self.tail.drain(..surplus.min(self.tail.len()));
        self.tail.extend(last);
    }

    /// The newest bytes, at most `limit`.
    pub(crate) fn newest(&self, limit: usize) -> Vec<u8> {
        let from_tail = self.tail.len().min(limit);
        let from_head = if self.omitted() > 0 { 0 } else { (limit - from_tail).min(self.head.len()) };
        let mut newest = Vec::with_capacity(from_head + from_tail);
        newest.extend(self.head.iter().skip(self.head.len() - from_head));
        newest.extend(self.tail.iter().skip(self.tail.len() - from_tail));
        newest
    }

    pub(crate) const fn total(&self) -> u64 {
        self.total
    }

    pub(crate) fn finish(self) -> Captured {
        let omitted = self.omitted();
        let Self { mut head, tail, total, spill, .. } = self;
        let mut tail = Vec::from(tail);
        if omitted == 0 {
            head.append(&mut tail);
        }
        let (spilled_to, spill_cut) = spill.map_or((None, false), |spill| (Some(spill.path), spill.cut));
        Captured { head, tail, total, omitted, spilled_to, spill_cut }
    }

    fn omitted(&self) -> u64 {
        self.total.saturating_sub((self.head.len() + self.tail.len()) as u64)
    }

    /// Begins the file when memory is about to lose bytes; until then everything is in head and tail.
    fn spill(&mut self, bytes: &[u8], before: u64) {
        let Some(folder) = self.capture.spill_to.as_deref() else { return };
        let kept = (self.capture.head + self.capture.tail) as u64;
        if self.spill.is_none() && !self.spill_failed && before + bytes.len() as u64 > kept {
            self.spill = Spill::begin(folder, self.capture.spill_room.clone(), &self.head, &self.tail);
            self.spill_failed = self.spill.is_none();
        }
        if let Some(spill) = &mut self.spill
            && !spill.take(bytes, self.capture.spill_limit)
        {
            self.spill = None;
            self.spill_failed = true;
        }
    }
}

impl Spill {
    fn begin(folder: &Path, room: Option<Arc<AtomicU64>>, head: &[u8], tail: &VecDeque<u8>) -> Option<Self> {
        let needed = (head.len() + tail.len()) as u64;
        if room.as_ref().is_some_and(|room| room.load(Ordering::Relaxed) <= needed) {
            return None;
        }
        std::fs::create_dir_all(folder).ok()?;
        let named = tempfile::Builder::new().prefix("output-").suffix(".txt").tempfile_in(folder).ok()?;
        let (file, path) = named.keep().ok()?;
        let mut spill = Self { file, path, written: 0, room, cut: false };
        let (one, two) = tail.as_slices();
        [head, one, two].iter().all(|piece| spill.take(piece, u64::MAX)).then_some(spill)
    }

    /// Whether the file is still good.
    fn take(&mut self, bytes: &[u8], limit: u64) -> bool {
        let wanted = limit.saturating_sub(self.written).min(bytes.len() as u64);
        let allowed = self.room.as_ref().map_or(wanted, |room| take_room(room, wanted));
        let fitting =
            usize::try_from(allowed).ok().and_then(|allowed| bytes.get(..allowed)).unwrap_or_default();
        self.cut |= fitting.len() < bytes.len();
        self.written += fitting.len() as u64;
        if self.file.write_all(fitting).is_ok() {
            return true;
        }
        // A full disk: half a file would be taken for the whole.
        _ = std::fs::remove_file(&self.path);
        false
    }
}

/// Takes at most `wanted` bytes from what is left, and gives how many.
fn take_room(room: &AtomicU64, wanted: u64) -> u64 {
    let left =
        room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(left.saturating_sub(wanted)));
    left.unwrap_or_else(|left| left).min(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(head: usize, tail: usize, pieces: &[&str], expect: (&str, &str, u64)) {
        let mut collector = Collector::new(Capture { head, tail, ..Capture::default() });
        pieces.iter().for_each(|piece| collector.push(piece.as_bytes()));
        let newest = collector.newest(3);
        let whole = pieces.concat();
        if tail >= 3 {
            assert_eq!(newest, &whole.as_bytes()[whole.len().saturating_sub(3)..], "newest of {pieces:?}");
        }
        let kept = collector.finish();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        assert_eq!((text(&kept.head).as_str(), text(&kept.tail).as_str(), kept.omitted), expect);
        assert_eq!(kept.total, whole.len() as u64);
    }

    #[test]
    fn keeps_both_ends() {
        check(4, 4, &["abcdefgh"], ("abcdefgh", "", 0));
        check(4, 4, &["abcdefghi"], ("abcd", "fghi", 1));
        check(4, 4, &["ab", "cd", "e", "fg", "hij"], ("abcd", "ghij", 2));
        check(4, 4, &["abcdefghijklmnop", "q"], ("abcd", "nopq", 9));
        check(0, 4, &["abcdefghijklmnop", "q"], ("", "nopq", 13));
        check(4, 0, &["abcdef"], ("abcd", "", 2));
        check(4, 4, &[], ("", "", 0));
    }

    #[test]
    fn the_file_holds_the_whole_up_to_its_limit() {
        let folder = tempfile::tempdir().unwrap();
        let spill_to = Some(folder.path().join("new"));
        for (limit, file, cut) in [(100, "abcdefghij", false), (9, "abcdefghi", true)] {
            let capture = Capture {
                head: 2,
                tail: 2,
                spill_to: spill_to.clone(),
                spill_limit: limit,
                ..Capture::default()
            };
            let mut collector = Collector::new(capture);
            ["abc", "d", "ef", "ghij"].iter().for_each(|piece| collector.push(piece.as_bytes()));
            let kept = collector.finish();
            assert_eq!(std::fs::read_to_string(kept.spilled_to.unwrap()).unwrap(), file);
            assert_eq!((kept.spill_cut, kept.omitted), (cut, 6));
        }
    }

    #[test]
    fn files_share_their_room() {
        let folder = tempfile::tempdir().unwrap();
        let room = Arc::new(AtomicU64::new(25));
        let written = |length: usize| {
            let capture = Capture {
                head: 2,
                tail: 2,
                spill_to: Some(folder.path().into()),
                spill_room: Some(Arc::clone(&room)),
                ..Capture::default()
            };
            let mut collector = Collector::new(capture);
            collector.push(&b"x".repeat(length));
            let Captured { spilled_to, spill_cut, .. } = collector.finish();
            let length = spilled_to.map(|path| std::fs::metadata(path).unwrap().len());
            (length, spill_cut)
        };
        assert_eq!(written(10), (Some(10), false));
        assert_eq!(written(10), (Some(10), false));
        assert_eq!(written(10), (Some(5), true));
        assert_eq!(written(10), (None, false));
        assert_eq!(room.load(Ordering::Relaxed), 0);
    }
}
