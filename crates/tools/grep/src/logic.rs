//! The search: a query made of an input, files walked or listed, each looked through by a worker of its thread.

mod as_met;
mod filter;
#[cfg(feature = "look-around")]
mod look_around;
mod ordered;
mod pattern;
mod source;
mod tally;
mod window;
mod worker;

use std::path::{Path, PathBuf};

use toolwright_core::DecidedPaths;
use toolwright_services::DeniedPaths;
use toolwright_workspace::walk::{
    Bounds, Opened, Rules, Start, Walk, WalkError, Walked, absolute, hidden_by_rules,
};

use crate::{FileHits, Input, Output, OutputMode};

use filter::Filter;
use pattern::matcher;
use tally::Tally;
use worker::{Plan, Worker};

pub(crate) use source::MOST_AT_ONCE;

/// Rows shown where no other number is asked for.
const USUAL_ROWS: u64 = 250;
/// Rows shown at most, whatever is asked for: memory does not grow with the number of matches.
const MOST_ROWS: u64 = 10_000;
/// Rows skipped at most: those that are skipped are held until all before them are known.
const MOST_SKIPPED: u32 = 100_000;
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
    /// The pattern has `\|`.
    escaped_bar: bool,
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
    #[error(
        "`offset` is at most {MOST_SKIPPED}; to see what comes after so much, narrow the pattern, `path` or `glob`"
    )]
    Offset,
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
        let offset = input.offset.unwrap_or(0);
        if offset > MOST_SKIPPED {
            return Err(QueryError::Offset);
        }
        let offset = u64::from(offset);
        let root = absolute(cwd, input.path.as_deref().unwrap_or("."));
        Ok(Self {
            cwd: cwd.to_owned(),
            filter: Filter::new(&root, input.glob.as_deref(), input.kind.as_deref())?,
            root,
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
            escaped_bar: has_escaped_bar(&input.pattern),
            offset,
            limit,
        })
    }
}

/// Whether a bar has a backslash that is not itself escaped: what other programs write for an alternative.
fn has_escaped_bar(pattern: &str) -> bool {
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        if character == '\\' && characters.next() == Some('|') {
            return true;
        }
    }
    false
}

/// Searches. Cancelled, it answers with what it has.
pub(crate) fn search(
    query: &Query,
    decided: &DecidedPaths,
    policy: &dyn DeniedPaths,
    bounds: &Bounds,
) -> Result<Output, WalkError> {
    let plan = &query.plan;
    let mut output = Output {
        cwd: query.cwd.clone(),
        root: query.root.clone(),
        mode: plan.mode,
        numbered: query.numbered,
        escaped_bar: query.escaped_bar,
        with_context: plan.before + plan.after > 0,
        offset: query.offset,
        ..Output::default()
    };
    let hits = match Start::open(&query.root, decided, policy)? {
        // Named outright, it is searched whatever its name, ignored or not.
        Start::File(opened) => {
            let Found { hits, total, tally, .. } = one_file(query, opened, bounds)?;
            tell(&mut output, total, tally, &Walked::default());
            hits
        }
        Start::Folder(root) => {
            let walk = Walk { root: &root, policy, bounds, rules: Rules::Obeyed };
            let Found { hits, total, tally, walked } = in_folder(query, &walk);
            tell(&mut output, total, tally, &walked);
            if hits.is_empty() && !bounds.cancel.is_cancelled() {
                let keep = |relative: &Path| query.filter.keeps(relative);
                output.hidden = hidden_by_rules(&walk, &walked, MOST_HIDDEN, keep);
            }
            hits
        }
    };
    output.interrupted = bounds.cancel.is_cancelled();
    cut(&mut output, hits, query);
    Ok(output)
}

/// What was found.
struct Found {
    hits: Vec<FileHits>,
    /// How many rows there are in all, where that is known.
    total: Option<u64>,
    tally: Tally,
    walked: Walked,
}

fn in_folder(query: &Query, walk: &Walk<'_>) -> Found {
    let plan = &query.plan;
    if plan.mode == OutputMode::Content {
        let ordered::Found { hits, tally, complete, walked } =
            ordered::search(walk, plan, |relative| query.filter.keeps(relative));
        let total = complete.then(|| all_rows(&hits, plan.mode));
        return Found { hits, total, tally, walked };
    }
    let most = usize::try_from(query.offset + query.limit).unwrap_or(usize::MAX);
    let as_met::Found { hits, total, tally, walked } = as_met::search(query, walk, most);
    Found { hits, total: Some(total), tally, walked }
}

fn one_file(query: &Query, mut opened: Opened, bounds: &Bounds) -> Result<Found, WalkError> {
    let path = &query.root;
    let unreadable =
        |error: std::io::Error| WalkError::Unreadable { path: path.clone(), reason: error.to_string() };
    let looked = Worker::for_named_file(&query.plan, &bounds.cancel).look(&mut opened).map_err(unreadable)?;
    let mut tally = Tally::default();
    let found = tally.count(Ok(looked), || path.clone());
    let cut = found.as_ref().is_some_and(|(_, cut)| *cut);
    let hits: Vec<_> = found.map(|(hits, _)| FileHits { path: path.clone(), ..hits }).into_iter().collect();
    let total = (!cut).then(|| all_rows(&hits, query.plan.mode));
    Ok(Found { hits, total, tally, walked: Walked::default() })
}

fn tell(output: &mut Output, total: Option<u64>, tally: Tally, walked: &Walked) {
    output.total = total;
    output.matching_lines = tally.matching_lines;
    output.searched = tally.searched;
    output.binary = tally.binary;
    output.unreadable = tally.unreadable + walked.unreadable;
    output.unfinished_total = tally.unfinished.total();
    output.unfinished = tally.unfinished.into_sorted();
}

/// Leaves the rows that are shown.
fn cut(output: &mut Output, hits: Vec<FileHits>, query: &Query) {
    let (mut skip, mut left) = (query.offset, query.limit);
    for mut file in hits {
        let rows = rows(&file, output.mode);
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
}

fn all_rows(hits: &[FileHits], mode: OutputMode) -> u64 {
    hits.iter().map(|file| rows(file, mode)).sum()
}

/// How many rows a file's hits are.
fn rows(file: &FileHits, mode: OutputMode) -> u64 {
    match mode {
        OutputMode::Content if !file.binary => file.lines.len() as u64,
        OutputMode::Content | OutputMode::FilesWithMatches | OutputMode::Count => 1,
    }
}
