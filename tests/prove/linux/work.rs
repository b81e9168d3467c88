//! One process of a run: every so many-th text of the seed is decided and run; what it sees is told as lines of JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use nix::sched::{CloneFlags, CpuSet, sched_getaffinity, sched_setaffinity, unshare};
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::linux::arguments::Arguments;
use crate::linux::decide::{Allowed, Named};
use crate::linux::generate::{Case, Generator};
use crate::linux::prover::Prover;
use crate::linux::tally::Tally;
use crate::linux::trace::End;
use crate::linux::verdict::{Found, Kind};
use crate::linux::{filter, known, place, seeds, smaller};

/// After how many allowed commands the folder is compared with what it was.
const COMPARED: u64 = 500;

/// How many finds that did the same are shown.
const ALIKE: u64 = 3;

/// How often counts are told.
const TOLD: Duration = Duration::from_secs(1);

/// What a process tells.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Told {
    /// For a person to read.
    Line(String),
    /// Nothing can be run here.
    Skipped(String),
    /// Counts so far.
    Tally(Tally),
    /// Counts at its end.
    End(Tally),
}

/// Fails where nobody reads it any more: then this process ends.
fn tell(told: &Told) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", serde_json::to_string(told)?)?;
    out.flush()
}

/// A prover that was seen to trace, or why there is none.
pub(crate) fn prover(arguments: &Arguments) -> io::Result<Result<Prover, String>> {
    if !filter::KNOWN_MACHINE {
        return Ok(Err("the calls of this machine are not known here".into()));
    }
    if let Some(why) = place::none() {
        return Ok(Err(why));
    }
    let prover = Prover::new(arguments)?;
    let first = Case { text: "true".into(), ..Case::default() };
    if let Err(error) = prover.run(&first, &Allowed { runs: "true".into(), named: Named::default() }) {
        return Ok(Err(format!("processes cannot be traced here: {error}")));
    }
    // Without the names of the analysis there is no finding what it does not name.
    if let Some(wrong) = known::wrong(&prover)?.filter(|_| prover.is_strict()) {
        return Err(io::Error::other(wrong));
    }
    Ok(Ok(prover))
}

/// The part of it that is number `worker` of `jobs`.
pub(crate) fn work(arguments: &Arguments, seed: u64, worker: u64, jobs: u64) -> io::Result<()> {
    if let Some(note) = without_network().filter(|_| worker == 0) {
        tell(&Told::Line(note))?;
    }
    on_one_processor(worker);
    let mut prover = match prover(arguments)? {
        Ok(prover) => prover,
        Err(why) => return tell(&Told::Skipped(why)),
    };
    let mut work = Work { arguments, seed, tally: Tally::default(), shown: BTreeMap::new() };
    // Each has its share: how many it is must not depend on which of them is faster.
    let commands = arguments.commands.map(|commands| commands / jobs + u64::from(worker < commands % jobs));
    let most_finds = arguments.finds.div_ceil(usize::try_from(jobs).unwrap_or(1));
    if worker == 0 {
        for case in seeds::read() {
            work.try_one(&mut prover, &case, None)?;
        }
    }
    let began = Instant::now();
    let (mut told, mut compared, mut number) = (began, 0, 0);
    let mut generator = Generator::new(seed);
    loop {
        let is_over = arguments.time.is_some_and(|time| began.elapsed() >= time)
            || commands.is_some_and(|commands| work.tally.allowed >= commands)
            || (work.shown.len() >= most_finds && prover.is_strict());
        if is_over || work.tally.allowed >= compared + COMPARED {
            compared = work.tally.allowed;
            if let Some(path) = prover.compare() {
                *work.tally.finds.entry(Kind::Writes.name().into()).or_default() += 1;
                tell(&Told::Line(format!(
                    "FIND: {path} is not as it was, and no call that changes it was seen; seed {seed}, up to text {number}"
                )))?;
                let took = prover.took;
                prover = Prover::new(arguments)?;
                prover.took = took;
            }
        }
        (work.tally.deciding, work.tally.running) = prover.took;
        if is_over {
            return tell(&Told::End(work.tally));
        }
        if told.elapsed() > TOLD {
            told = Instant::now();
            tell(&Told::Tally(work.tally.clone()))?;
        }
        let case = generator.next();
        number += 1;
        if number % jobs == worker {
            work.tally.generated += 1;
            work.try_one(&mut prover, &case, Some(number))?;
        }
    }
}

struct Work<'a> {
    arguments: &'a Arguments,
    seed: u64,
    tally: Tally,
    /// What was shown, and how often its like.
    shown: BTreeMap<(Kind, String), u64>,
}

impl Work<'_> {
    fn try_one(&mut self, prover: &mut Prover, case: &Case, number: Option<u64>) -> io::Result<()> {
        let Self { arguments, tally, .. } = self;
        let source = tally.sources.entry(case.source.into()).or_default();
        source.0 += 1;
        let Some((allowed, end, found)) = prover.try_case(case)? else { return Ok(()) };
        source.1 += 1;
        tally.allowed += 1;
        tally.timed_out += u64::from(end == End::TimedOut);
        let Some(found) = found else { return Ok(()) };
        source.2 += 1;
        *tally.finds.entry(found.kind.name().into()).or_default() += 1;
        tally.holes.extend(case.holes.iter().map(|hole| (*hole).to_owned()));
        // What did the same often enough is not made small again.
        if self.shown.get(&(found.kind, found.what.clone())).is_some_and(|alike| *alike >= ALIKE) {
            return Ok(());
        }
        let (small, allowed, found) = smaller::smaller(prover, case.clone(), allowed, found)?;
        let alike = self.shown.entry((found.kind, found.what.clone())).or_default();
        *alike += 1;
        if *alike > ALIKE {
            return Ok(());
        }
        if let Some(file) = &arguments.keep {
            seeds::keep(file, &small, &found)?;
        }
        tell(&Told::Line(shown(&small, &allowed, &found, number.map(|number| (self.seed, number)))))
    }
}

fn shown(case: &Case, allowed: &Allowed, found: &Found, from: Option<(u64, u64)>) -> String {
    let mut text = format!("FIND in `{}`: {}", case.folder, json!(case.text));
    if allowed.runs != case.text {
        _ = write!(text, "\n  runs {}", json!(allowed.runs));
    }
    _ = write!(text, "\n  {} {}", found.kind.name(), found.what);
    if !case.holes.is_empty() {
        let holes: Vec<&str> = case.holes.iter().copied().collect();
        _ = write!(text, "\n  made from {}", holes.join(", "));
    }
    _ = match from {
        Some((seed, number)) => write!(text, "\n  made small from --seed {seed} --number {number}"),
        None => write!(text, "\n  a text of seeds.jsonl"),
    };
    text
}

/// Keeps this process and what it traces on one processor: they take turns, and waking one on another processor takes longer
/// than most calls. Where the system does not allow it, it only takes longer.
fn on_one_processor(worker: u64) {
    let Ok(usable) = sched_getaffinity(Pid::from_raw(0)) else { return };
    let usable: Vec<usize> =
        (0..CpuSet::count()).filter(|processor| usable.is_set(*processor).unwrap_or(false)).collect();
    let index = usize::try_from(worker).unwrap_or(0) % usable.len().max(1);
    let mut own = CpuSet::new();
    if usable.get(index).is_some_and(|processor| own.set(*processor).is_ok()) {
        _ = sched_setaffinity(Pid::from_raw(0), &own);
    }
}

/// No network for all that follows; says what it could not do. Where the system does not allow it, a socket is still seen
/// before it is made.
pub(crate) fn without_network() -> Option<String> {
    let mut flags = CloneFlags::CLONE_NEWNET | CloneFlags::CLONE_NEWIPC;
    if !nix::unistd::geteuid().is_root() {
        flags |= CloneFlags::CLONE_NEWUSER;
    }
    let error = unshare(flags).err()?;
    Some(format!("note: without namespaces of its own ({error}); what connects is still stopped"))
}
