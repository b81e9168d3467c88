//! Looking through one file. Each thread has a worker of its own: its searcher's buffers serve file after file.

use std::io::{self, Read};

use grep_matcher::Matcher as _;
use grep_searcher::{
    BinaryDetection, MmapChoice, Searcher, SearcherBuilder, Sink, SinkContext, SinkFinish, SinkMatch,
};
use toolwright_core::Cancel;
use toolwright_workspace::walk::Opened;

use super::pattern::Expression;
use super::source::Source;
use super::window::{Shown, shorten};
use crate::{FileHits, Line, OutputMode, Why};

/// How files are looked through.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) matcher: Expression,
    pub(crate) multiline: bool,
    pub(crate) mode: OutputMode,
    pub(crate) before: usize,
    pub(crate) after: usize,
    /// Lines kept of one file at most.
    pub(crate) most_lines: u64,
}

/// What a look gave.
#[derive(Debug, Default)]
pub(crate) struct Looked {
    /// Without their path, which only those that are kept get.
    pub(crate) hits: Option<FileHits>,
    /// Why the file was not searched to its end.
    pub(crate) unfinished: Option<Why>,
    /// It ended at the most lines that are kept.
    pub(crate) cut: bool,
    /// It ended at a NUL byte with nothing found before.
    pub(crate) binary: bool,
}

/// A file of at least so many bytes is searched as it is read, a smaller one with one read. It is also how far `rg` looks for
/// a NUL byte before it begins to search.
const AT_ONCE: usize = 64 * 1024;
/// Matches marked in what matched at once: a line, or lines that one match or several touch.
const MOST_MARKS: usize = 20_000;

/// One thread's matcher, searchers and buffer.
pub(crate) struct Worker<'a> {
    plan: &'a Plan,
    cancel: &'a Cancel,
    matcher: Expression,
    /// For what is in memory as a whole, NUL bytes already looked for.
    slices: Searcher,
    /// For what is read bit by bit, what has to be decoded, and matches over several lines.
    streams: Searcher,
    /// A NUL byte ends the look, as it does in `rg`; in a file named outright it is read over.
    ends_at_nul: bool,
    start: Vec<u8>,
}

impl<'a> Worker<'a> {
    /// For files that were met.
    pub(crate) fn new(plan: &'a Plan, cancel: &'a Cancel) -> Self {
        Self::with(plan, cancel, true)
    }

    /// For a file named outright.
    pub(crate) fn for_named_file(plan: &'a Plan, cancel: &'a Cancel) -> Self {
        Self::with(plan, cancel, false)
    }

    fn with(plan: &'a Plan, cancel: &'a Cancel, ends_at_nul: bool) -> Self {
        let searcher = |binary| {
            let mut builder = SearcherBuilder::new();
            // Mapped memory costs more than reading: page faults, and every thread pays for an unmapping.
            builder.memory_map(MmapChoice::never()).multi_line(plan.multiline).line_number(false);
            if plan.mode == OutputMode::Content {
                builder.line_number(true).before_context(plan.before).after_context(plan.after);
            }
            builder.binary_detection(binary).build()
        };
        let detection =
            if ends_at_nul { BinaryDetection::quit(b'\0') } else { BinaryDetection::convert(b'\0') };
        Self {
            plan,
            cancel,
            matcher: plan.matcher.for_worker(cancel),
            slices: searcher(BinaryDetection::none()),
            streams: searcher(detection),
            ends_at_nul,
            start: vec![0; AT_ONCE],
        }
    }

    /// Looks through one file.
    ///
    /// # Errors
    /// When it cannot be read. An interrupted look is no error: it gives what it has.
    pub(crate) fn look(&mut self, opened: &mut Opened) -> io::Result<Looked> {
        let (filled, whole) = fill(&mut self.start, opened)?;
        let mut sink =
            Collect { plan: self.plan, matcher: &self.matcher, hits: FileHits::default(), cut: false };
        let start = self.start.get(..filled).unwrap_or_default();
        let (mut unfinished, plain) = (None, whole && self.ends_at_nul && !has_mark(start));
        let nul = plain && memchr::memchr(0, start).is_some();
        if nul && !self.plan.multiline {
            return Ok(Looked { binary: true, ..Looked::default() });
        }
        if plain && !nul {
            self.slices.search_slice(&self.matcher, start, &mut sink)?;
        } else if whole {
            self.streams.search_reader(&self.matcher, start, &mut sink)?;
        } else {
            let lines = (!self.plan.multiline).then_some(self.ends_at_nul);
            let mut source = Source::new(start, &mut opened.file, self.cancel, lines);
            let result = self.streams.search_reader(&self.matcher, &mut source, &mut sink);
            unfinished = source.too_long().then_some(Why::TooLong);
            if unfinished.is_none() && !self.cancel.is_cancelled() {
                result?;
            }
        }
        let Collect { mut hits, cut, .. } = sink;
        if self.matcher.has_given_up() {
            unfinished = Some(Why::GaveUp);
        }
        // A binary file that was met is none of the files searched; only lines before its first NUL byte are shown.
        let left_out = hits.binary && self.ends_at_nul && self.plan.mode != OutputMode::Content;
        if hits.count == 0 || left_out {
            return Ok(Looked { hits: None, unfinished, cut: false, binary: hits.binary });
        }
        if self.ends_at_nul {
            hits.ended_at_nul = std::mem::take(&mut hits.binary);
        } else if hits.binary {
            hits.lines.clear();
        }
        Ok(Looked { hits: Some(hits), unfinished, cut, binary: false })
    }
}

/// Reads the start of a file; says how much it is, and whether it is all.
fn fill(start: &mut [u8], opened: &mut Opened) -> io::Result<(usize, bool)> {
    let mut filled = 0;
    loop {
        let Some(free) = start.get_mut(filled..).filter(|free| !free.is_empty()) else {
            return Ok((filled, false));
        };
        let wanted = free.len();
        match opened.file.read(free) {
            Ok(0) => return Ok((filled, true)),
            Ok(read) => {
                filled += read;
                if opened.short_read_ends && read < wanted {
                    return Ok((filled, true));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Whether it begins with a byte order mark: it is then decoded.
fn has_mark(start: &[u8]) -> bool {
    [&b"\xEF\xBB\xBF"[..], b"\xFF\xFE", b"\xFE\xFF"].iter().any(|mark| start.starts_with(mark))
}

struct Collect<'a> {
    plan: &'a Plan,
    matcher: &'a Expression,
    hits: FileHits,
    cut: bool,
}

impl Collect<'_> {
    fn push(&mut self, line: Line) -> bool {
        self.hits.lines.push(line);
        self.cut = self.hits.lines.len() as u64 >= self.plan.most_lines;
        !self.cut
    }

    /// The first matches in a piece of text, as byte ranges.
    fn ranges(&self, bytes: &[u8]) -> Vec<(usize, usize)> {
        let mut ranges = Vec::new();
        // The matcher has no error of its own.
        let _ = self.matcher.find_iter(bytes, |found| {
            ranges.push((found.start(), found.end()));
            ranges.len() < MOST_MARKS
        });
        ranges
    }
}

impl Sink for Collect<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        // Lines that follow each other are given as one, where matches may be of several.
        self.hits.count += if self.plan.multiline { found.lines().count() as u64 } else { 1 };
        match self.plan.mode {
            OutputMode::FilesWithMatches => return Ok(false),
            OutputMode::Count => return Ok(true),
            OutputMode::Content => {}
        }
        let ranges = self.ranges(found.bytes());
        let (mut start, mut ranges) = (0, ranges.as_slice());
        for (number, bytes) in (found.line_number().unwrap_or(1)..).zip(found.lines()) {
            let end = start + bytes.len();
            ranges = ranges.get(ranges.partition_point(|(_, to)| *to < start)..).unwrap_or_default();
            let inside = ranges.iter().take_while(|(from, _)| *from < end);
            let marks = inside.map(|(from, to)| (from.saturating_sub(start), to.min(&end) - start)).collect();
            let Shown { text, marks } = shorten(bytes, marks);
            if !self.push(Line { number, text, marks, matches: true }) {
                return Ok(false);
            }
            start = end;
        }
        Ok(true)
    }

    fn context(&mut self, _: &Searcher, context: &SinkContext<'_>) -> io::Result<bool> {
        let Shown { text, marks } = shorten(context.bytes(), Vec::new());
        let number = context.line_number().unwrap_or(1);
        Ok(self.push(Line { number, text, marks, matches: false }))
    }

    fn binary_data(&mut self, _: &Searcher, _: u64) -> io::Result<bool> {
        self.hits.binary = true;
        Ok(true)
    }

    fn finish(&mut self, _: &Searcher, finish: &SinkFinish) -> io::Result<()> {
        self.hits.binary |= finish.binary_byte_offset().is_some();
        Ok(())
    }
}
