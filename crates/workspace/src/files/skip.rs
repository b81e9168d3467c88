//! Finding a far line of a large file: its newlines are counted by several threads, because one that waits for each piece
//! before it asks for the next leaves the disk idle. Knows bytes and offsets, no text.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use toolwright_core::Cancel;

/// Bytes that are read at once.
const BLOCK: u64 = 1 << 20;
/// More ask for no more than a disk gives.
const THREADS: usize = 4;

/// A place in a file, and how many lines have ended before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) offset: u64,
    pub(super) ended: u64,
}

/// A place at or behind `from`, as far on as can be with at most `lines` lines ended between the two, in steps of a block. It is
/// never the end of the file.
pub(super) fn lines(file: &File, from: u64, size: u64, lines: u64, cancel: &Cancel) -> io::Result<Place> {
    // The last block is left to whoever looks at what is in it.
    let blocks = size.saturating_sub(from).div_ceil(BLOCK).saturating_sub(1);
    #[cfg(target_os = "linux")]
    {
        // The system reads further ahead then. It is advice: a system that does not take it is no fault.
        let _ = rustix::fs::fadvise(file, from, None, rustix::fs::Advice::Sequential);
    }
    let (next, enough) = (AtomicU64::new(0), AtomicBool::new(false));
    let counted = Mutex::new(Counted::default());
    let count = || -> io::Result<()> {
        let mut block = vec![0; usize::try_from(BLOCK).unwrap_or(0)];
        while !enough.load(Ordering::Relaxed) && !cancel.is_cancelled() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= blocks {
                break;
            }
            read_at(file, &mut block, from + index * BLOCK)?;
            let newlines = memchr::memchr_iter(b'\n', &block).count() as u64;
            let mut counted = counted.lock().unwrap_or_else(PoisonError::into_inner);
            if counted.add(index, newlines, lines) {
                enough.store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    };
    thread::scope(|scope| {
        let others: Vec<_> =
            (1..THREADS).map_while(|_| thread::Builder::new().spawn_scoped(scope, count).ok()).collect();
        let mut all = count();
        for other in others {
            let ended = other.join().unwrap_or_else(|_| Err(io::Error::other("a thread was lost")));
            all = all.and(ended);
        }
        match all {
            // It became shorter meanwhile; what there is of it is found from here on.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(()),
            all => all,
        }
    })?;
    let counted = counted.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Place { offset: from + counted.blocks * BLOCK, ended: counted.ended })
}

/// Blocks from the first on without a gap, and those that were counted before one in front of them was.
#[derive(Default)]
struct Counted {
    blocks: u64,
    ended: u64,
    ahead: Vec<(u64, u64)>,
}

impl Counted {
    /// Whether the block after those without a gap goes beyond `most`.
    fn add(&mut self, index: u64, newlines: u64, most: u64) -> bool {
        self.ahead.push((index, newlines));
        while let Some(at) = self.ahead.iter().position(|(index, _)| *index == self.blocks) {
            let (_, newlines) = self.ahead.swap_remove(at);
            if self.ended + newlines > most {
                return true;
            }
            self.ended += newlines;
            self.blocks += 1;
        }
        false
    }
}

#[cfg(unix)]
fn read_at(file: &File, block: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, block, offset)
}

#[cfg(windows)]
fn read_at(file: &File, mut block: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !block.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, block, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        block = block.get_mut(read..).unwrap_or_default();
        offset += read as u64;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::{Seek as _, Write as _};

    use super::*;

    #[test]
    fn the_place_is_the_last_block_before_the_line() {
        let mut file = tempfile::tempfile().expect("a file");
        // Lines of 16 bytes: 65,536 of them a block.
        for _ in 0..5 {
            file.write_all("0123456789abcde\n".repeat(1 << 16).as_bytes()).expect("room");
        }
        file.write_all(b"rest").expect("room");
        file.rewind().expect("a file");
        let check = |from: u64, wanted: u64, expect: (u64, u64)| {
            let size = 5 * BLOCK + 4;
            let place = lines(&file, from, size, wanted, &Cancel::default()).expect("a place");
            assert_eq!((place.offset, place.ended), expect, "{wanted} lines from {from}");
        };
        let per = 1 << 16;
        check(0, 0, (0, 0));
        check(0, per - 1, (0, 0));
        check(0, per, (BLOCK, per));
        check(0, 3 * per + 5, (3 * BLOCK, 3 * per));
        check(16, 3 * per + 5, (3 * BLOCK + 16, 3 * per));
        // Past the end: the last block is left.
        check(0, u64::MAX, (5 * BLOCK, 5 * per));
        check(8, u64::MAX, (4 * BLOCK + 8, 4 * per));
        check(5 * BLOCK, u64::MAX, (5 * BLOCK, 0));
        // A file that became shorter than it was said to be.
        let place = lines(&file, 0, 50 * BLOCK, u64::MAX, &Cancel::default()).expect("a place");
        assert!(place.offset <= 5 * BLOCK && place.ended == place.offset / 16, "{place:?}");
    }
}
