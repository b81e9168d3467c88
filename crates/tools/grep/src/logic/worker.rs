//! Looking through one file. Each thread has a worker of its own: its searcher's buffers serve file after file.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use grep_matcher::Matcher as _;
use grep_regex::RegexMatcher;
use grep_searcher::{
    BinaryDetection, MmapChoice, Searcher, SearcherBuilder, Sink, SinkContext, SinkFinish, SinkMatch,
};
use toolwright_core::Cancel;

use super::window::{Shown, shorten};
use crate::{FileHits, Line, OutputMode};

/// How files are looked through.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) matcher: RegexMatcher,
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
    pub(crate) hits: Option<FileHits>,
    /// It ended at the most lines that are kept.
    pub(crate) cut: bool,
    /// It ended at a NUL byte with nothing found before.
    pub(crate) binary: bool,
}

/// One thread's matcher and searcher.
pub(crate) struct Worker<'a> {
    plan: &'a Plan,
    cancel: &'a Cancel,
    matcher: RegexMatcher,
    searcher: Searcher,
}

impl<'a> Worker<'a> {
    /// For files that were met: a NUL byte ends the look, as it does in `rg`.
    pub(crate) fn new(plan: &'a Plan, cancel: &'a Cancel) -> Self {
        Self::with(plan, cancel, BinaryDetection::quit(b'\0'))
    }

    /// For a file named outright: NUL bytes are read over.
    pub(crate) fn for_named_file(plan: &'a Plan, cancel: &'a Cancel) -> Self {
        Self::with(plan, cancel, BinaryDetection::convert(b'\0'))
    }

    fn with(plan: &'a Plan, cancel: &'a Cancel, binary: BinaryDetection) -> Self {
        let mut builder = SearcherBuilder::new();
        // Mapped memory costs more than reading: page faults, and every thread pays for an unmapping.
        builder
            .memory_map(MmapChoice::never())
            .binary_detection(binary)
            .multi_line(plan.multiline)
            .line_number(false);
        if plan.mode == OutputMode::Content {
            builder.line_number(true).before_context(plan.before).after_context(plan.after);
        }
        Self { plan, cancel, matcher: plan.matcher.clone(), searcher: builder.build() }
    }

    /// Looks through one file.
    ///
    /// # Errors
    /// When it cannot be read. An interrupted look is no error: it gives what it has.
    pub(crate) fn look(&mut self, path: &Path) -> io::Result<Looked> {
        let reader = Interruptible { file: File::open(path)?, cancel: self.cancel };
        let mut sink =
            Collect { plan: self.plan, matcher: &self.matcher, hits: FileHits::default(), cut: false };
        let result = self.searcher.search_reader(&self.matcher, reader, &mut sink);
        if let Err(error) = result
            && !self.cancel.is_cancelled()
        {
            return Err(error);
        }
        let Collect { mut hits, cut, .. } = sink;
        if hits.count == 0 {
            return Ok(Looked { hits: None, cut: false, binary: hits.binary });
        }
        if hits.binary {
            hits.lines.clear();
        }
        hits.path = path.to_owned();
        Ok(Looked { hits: Some(hits), cut, binary: false })
    }
}

/// A file whose reading ends when the call is cancelled: one huge file does not hold a search up.
struct Interruptible<'a> {
    file: File,
    cancel: &'a Cancel,
}

impl Read for Interruptible<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.cancel.is_cancelled() {
            return Err(io::Error::other("interrupted"));
        }
        self.file.read(buffer)
    }
}

struct Collect<'a> {
    plan: &'a Plan,
    matcher: &'a RegexMatcher,
    hits: FileHits,
    cut: bool,
}

impl Collect<'_> {
    fn push(&mut self, line: Line) -> bool {
        self.hits.lines.push(line);
        self.cut = self.hits.lines.len() as u64 >= self.plan.most_lines;
        !self.cut
    }

    /// The matches in a piece of text, as byte ranges.
    fn ranges(&self, bytes: &[u8]) -> Vec<(usize, usize)> {
        let mut ranges = Vec::new();
        // The matcher has no error of its own.
        let _ = self.matcher.find_iter(bytes, |found| {
            ranges.push((found.start(), found.end()));
            true
        });
        ranges
    }
}

impl Sink for Collect<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        self.hits.count += 1;
        match self.plan.mode {
            OutputMode::FilesWithMatches => return Ok(false),
            OutputMode::Count => return Ok(true),
            OutputMode::Content if self.hits.binary => return Ok(true),
            OutputMode::Content => {}
        }
        let ranges = self.ranges(found.bytes());
        let (mut start, first) = (0, found.line_number().unwrap_or(1));
        for (number, bytes) in (first..).zip(found.lines()) {
            let end = start + bytes.len();
            let inside = ranges.iter().filter(|(from, to)| *from < end && *to >= start);
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
        if self.hits.binary {
            return Ok(true);
        }
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
