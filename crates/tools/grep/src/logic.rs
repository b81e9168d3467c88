//! The search: a query made of an input, files walked or listed, each looked through by a worker of its thread.

mod filter;
#[cfg(feature = "look-around")]
mod look_around;
mod ordered;
mod pattern;
mod window;
mod worker;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use toolwright_core::Cancel;
use toolwright_services::PathPolicy;
use toolwright_workspace::walk::{
    Bounds, Flow, Opened, Rules, Walk, WalkError, Walked, absolute, by_bytes, each_file, hidden_by_rules,
};

use crate::{FileHits, Input, Output, OutputMode};

use filter::Filter;
use pattern::matcher;
use worker::{Looked, Plan, Worker};

/// Rows shown where no other number is asked for.
const USUAL_ROWS: u64 = 250;
/// Rows shown at most, whatever is asked for: memory does not grow with the number of matches.
const MOST_ROWS: u64 = 10_000;
/// Hidden files are counted up to here.
pub(crate) const MOST_HIDDEN: u64 = 10_000;

/// What is searched for, checked.
#[derive(Debug)]
pub(crate) struct Query {
    cwd: PathBuf,
    root: PathBuf,
    filter: Filter,
    plan: Plan,
    numbered: bool,
    offset: u64,
    limit: u64,
}

/// Why there is no query.
#[derive(Debug, thiserror::Error)]
pub(crate) enum QueryError {
    #[error(transparent)]
    Pattern(#[from] pattern::PatternError),
    #[error(transparent)]
    Filter(#[from] filter::FilterError),
}

impl Query {
    pub(crate) fn new(input: &Input, cwd: &Path) -> Result<Self, QueryError> {
        let multiline = input.multiline.unwrap_or(false);
        let context_given = [input.after, input.before, input.context].iter().any(Option::is_some);
        let mode = input.output_mode.unwrap_or(if context_given {
            OutputMode::Content
        } else {
            OutputMode::default()
        });
        let lines = |own: Option<u32>| own.or(input.context).unwrap_or(0) as usize;
        let limit = match input.head_limit {
            None => USUAL_ROWS,
            Some(0) => MOST_ROWS,
            Some(limit) => u64::from(limit).min(MOST_ROWS),
        };
        let offset = u64::from(input.offset.unwrap_or(0));
        Ok(Self {
            cwd: cwd.to_owned(),
            root: absolute(cwd, input.path.as_deref().unwrap_or(".")),
            filter: Filter::new(input.glob.as_deref(), input.kind.as_deref())?,
            plan: Plan {
                matcher: matcher(&input.pattern, input.ignore_case.unwrap_or(false), multiline)?,
                multiline,
                mode,
                before: lines(input.before),
                after: lines(input.after),
                // One more than is shown tells whether there is more.
                most_lines: offset + limit + 1,
            },
            numbered: input.line_numbers.unwrap_or(true),
            offset,
            limit,
        })
    }
}

/// Searches. Cancelled, it answers with what it has.
pub(crate) fn search(query: &Query, policy: &dyn PathPolicy, bounds: &Bounds) -> Result<Output, WalkError> {
    let cancel = &bounds.cancel;
    let plan = &query.plan;
    let mut output = Output {
        cwd: query.cwd.clone(),
        root: query.root.clone(),
        mode: plan.mode,
        numbered: query.numbered,
        with_context: plan.before + plan.after > 0,
        offset: query.offset,
        ..Output::default()
    };
    let walk = Walk { root: &query.root, policy, cancel, rules: Rules::Obeyed };
    let (hits, walked) = if query.root.is_file() {
        (one_file(query, policy, cancel, &mut output)?, Walked::default())
    } else if plan.mode == OutputMode::Content {
        in_order(query, &walk, &bounds.seen, &mut output)?
    } else {
        as_met(query, &walk, &bounds.seen, &mut output)?
    };
    output.interrupted = cancel.is_cancelled();
    output.matching_lines = hits.iter().map(|hits| hits.count).sum();
    if hits.is_empty() && !output.interrupted {
        output.hidden = hidden_by_rules(&walk, &walked, MOST_HIDDEN, |relative| query.filter.keeps(relative));
    }
    cut(&mut output, hits, query);
    Ok(output)
}

/// A file named outright is searched whatever its name, ignored or not.
fn one_file(
    query: &Query,
    policy: &dyn PathPolicy,
    cancel: &Cancel,
    output: &mut Output,
) -> Result<Vec<FileHits>, WalkError> {
    if let Some(rule) = policy.denies_read(&query.root) {
        return Err(WalkError::Denied { path: query.root.clone(), rule });
    }
    output.searched = 1;
    let unreadable =
        |error: std::io::Error| WalkError::Unreadable { path: query.root.clone(), reason: error.to_string() };
    // Named, it may be a link.
    let file = std::fs::File::open(&query.root).map_err(unreadable)?;
    let opened = Opened { file, short_read_ends: false };
    match Worker::for_named_file(&query.plan, cancel).look(opened, || query.root.clone()) {
        Ok(looked) => {
            output.total = (!looked.cut).then_some(0);
            Ok(looked.hits.into_iter().collect())
        }
        Err(error) => Err(unreadable(error)),
    }
}

/// Lines: files are walked and searched in the order of their paths, so that the same rows come on every run and the search
/// can end once it has enough.
fn in_order(
    query: &Query,
    walk: &Walk<'_>,
    seen: &AtomicU64,
    output: &mut Output,
) -> Result<(Vec<FileHits>, Walked), WalkError> {
    let found = ordered::search(walk, &query.plan, |relative| {
        seen.fetch_add(1, Relaxed);
        query.filter.keeps(relative)
    })?;
    output.unreadable = found.unreadable;
    output.searched = found.searched;
    output.binary = found.binary;
    output.total = found.complete.then_some(0);
    Ok((found.hits, found.walked))
}

/// Files: every one must be seen, so they are searched as the walk meets them and sorted at the end.
fn as_met(
    query: &Query,
    walk: &Walk<'_>,
    seen: &AtomicU64,
    output: &mut Output,
) -> Result<(Vec<FileHits>, Walked), WalkError> {
    let found = Mutex::new(Vec::new());
    let (searched, binary, unreadable) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let walked = each_file(walk, || {
        let mut worker = Worker::new(&query.plan, walk.cancel);
        let (found, searched, binary, unreadable) = (&found, &searched, &binary, &unreadable);
        Box::new(move |file| {
            seen.fetch_add(1, Relaxed);
            if !query.filter.keeps(file.relative()) || !file.is_allowed() {
                return Flow::Continue;
            }
            searched.fetch_add(1, Relaxed);
            match file.open().and_then(|opened| worker.look(opened, || file.path().to_owned())) {
                Ok(Looked { hits: Some(hits), .. }) => {
                    let modified = match query.plan.mode {
                        OutputMode::FilesWithMatches => file.modified(),
                        OutputMode::Content | OutputMode::Count => None,
                    };
                    found.lock().unwrap_or_else(PoisonError::into_inner).push((modified, hits));
                }
                Ok(Looked { binary: is_binary, .. }) => {
                    binary.fetch_add(u64::from(is_binary), Relaxed);
                }
                Err(_) => {
                    unreadable.fetch_add(1, Relaxed);
                }
            }
            Flow::Continue
        })
    })?;
    output.searched = searched.into_inner();
    output.binary = binary.into_inner();
    output.unreadable = walked.unreadable + unreadable.into_inner();
    output.total = Some(0);
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_unstable_by(|(one_age, one), (other_age, other)| {
        other_age.cmp(one_age).then_with(|| by_bytes(&one.path, &other.path))
    });
    Ok((found.into_iter().map(|(_, hits)| hits).collect(), walked))
}

/// Leaves the rows that are shown, and counts all of them where all are known.
fn cut(output: &mut Output, hits: Vec<FileHits>, query: &Query) {
    let (mut skip, mut left, mut all) = (query.offset, query.limit, 0);
    for mut file in hits {
        let rows = rows(&file, output.mode);
        all += rows;
        let skipped = rows.min(skip);
        skip -= skipped;
        let taken = (rows - skipped).min(left);
        left -= taken;
        if taken == 0 {
            continue;
        }
        if !file.lines.is_empty() {
            let lines = file.lines.into_iter().skip(usize::try_from(skipped).unwrap_or(usize::MAX));
            file.lines = lines.take(usize::try_from(taken).unwrap_or(usize::MAX)).collect();
        }
        output.shown += taken;
        output.files.push(file);
    }
    // A search that ended early may have ended at its very end.
    output.total = output.total.map(|_| all);
}

/// How many rows a file's hits are.
fn rows(file: &FileHits, mode: OutputMode) -> u64 {
    match mode {
        OutputMode::Content if !file.binary => file.lines.len() as u64,
        OutputMode::Content | OutputMode::FilesWithMatches | OutputMode::Count => 1,
    }
}
