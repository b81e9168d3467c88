//! The loop: seeds first, then generated texts until the time or the number is over; every find made small and printed.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::CString;
use std::io::{self, Read as _};
use std::os::fd::AsRawFd as _;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use nix::sched::{CloneFlags, unshare};
use serde_json::json;

use crate::arguments::Arguments;
use crate::decide::{Allowed, Decider, Form, Named, form};
use crate::generate::{Case, Generator};
use crate::other::Other;
use crate::place::{Place, Seen};
use crate::trace::{End, Start, Watchdog, run as run_traced};
use crate::verdict::{Found, Judge, Kind};
use crate::{filter, seeds, smaller};

/// How long one command may take.
const LIMIT: Duration = Duration::from_millis(1_500);

/// After how many allowed commands the folder is compared with what it was.
const COMPARED: u64 = 500;

/// Decides and runs.
pub(crate) struct Prover {
    place: Place,
    decider: Decides,
    form: Form,
    watchdog: Watchdog,
    output: io::PipeWriter,
    before: BTreeMap<PathBuf, Seen>,
}

/// Whose decision it is.
enum Decides {
    Own(Box<Decider>),
    Other(Other),
}

impl Prover {
    fn new(arguments: &Arguments) -> io::Result<Self> {
        let place = Place::new()?;
        let form = form(&place)?;
        let decider = match &arguments.decider {
            Some(program) => Decides::Other(Other::start(program, &place)?),
            None => Decides::Own(Box::new(Decider::new(&place)?)),
        };
        let (mut reader, output) = io::pipe()?;
        thread::spawn(move || {
            let mut bytes = vec![0; 65_536];
            while reader.read(&mut bytes).is_ok_and(|read| read > 0) {}
        });
        let before = place.snapshot();
        Ok(Self { place, decider, form, watchdog: Watchdog::start(), output, before })
    }

    fn is_strict(&self) -> bool {
        matches!(self.decider, Decides::Own(_))
    }

    fn decide(&mut self, case: &Case) -> io::Result<Option<Allowed>> {
        let folder = self.place.project().join(case.folder);
        let text = case.text.replace("@ROOT@", &self.place.root().to_string_lossy());
        match &mut self.decider {
            Decides::Own(decider) => Ok(decider.decide(&text, &folder)),
            Decides::Other(other) => {
                let allows = other.allows(&text, &folder)?;
                Ok(allows.then(|| Allowed { runs: text, named: Named::default() }))
            }
        }
    }

    /// What it did that it may not.
    fn run(&self, case: &Case, allowed: &Allowed) -> io::Result<(End, Option<Found>)> {
        let folder = self.place.project().join(case.folder);
        let text = |text: String| CString::new(text).map_err(io::Error::other);
        let script = format!("{}{}", self.form.prologue, allowed.runs);
        let words = ["bash"].into_iter().chain(self.form.arguments.iter().map(String::as_str));
        let arguments: io::Result<Vec<CString>> = words.map(Into::into).chain([script]).map(text).collect();
        let shown = folder.to_string_lossy().into_owned();
        let variables: io::Result<Vec<CString>> = self
            .form
            .variables
            .iter()
            .map(
                |(name, value)| {
                    if name == "PWD" { format!("PWD={shown}") } else { format!("{name}={value}") }
                },
            )
            .map(text)
            .collect();
        let start = Start {
            program: c"/bin/bash".into(),
            arguments: arguments?,
            variables: variables?,
            folder: text(shown.clone())?,
            output: self.output.as_raw_fd(),
            report: report(&self.form.prologue),
            user: self.place.user,
        };
        let mut judge = Judge::new(&self.place, &allowed.named, self.is_strict());
        let end = run_traced(&start, LIMIT, &self.watchdog, |event| judge.allows(event))?;
        Ok((end, judge.found))
    }

    /// What it did that it may not, where it is let through.
    pub(crate) fn try_case(&mut self, case: &Case) -> io::Result<Option<(Allowed, End, Option<Found>)>> {
        let Some(allowed) = self.decide(case)? else { return Ok(None) };
        if allowed.runs.contains('\0') {
            return Ok(None);
        }
        let (end, found) = self.run(case, &allowed)?;
        Ok(Some((allowed, end, found)))
    }

    /// Whether everything is as it was.
    fn is_unchanged(&self) -> Option<String> {
        let now = self.place.snapshot();
        let differs = self
            .before
            .iter()
            .find(|(path, seen)| now.get(*path) != Some(*seen))
            .map(|(path, _)| path)
            .or_else(|| now.keys().find(|path| !self.before.contains_key(*path)));
        differs.map(|path| path.display().to_string())
    }
}

/// The descriptor that the report of the last folder goes to: what stands behind `>&` in the prologue.
fn report(prologue: &str) -> Option<i32> {
    let (_, behind) = prologue.split_once("2>/dev/null >&")?;
    let digits: String = behind.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Kinds by which the analysis once read a text otherwise than bash, and how many of them a run on that analysis must find.
const KNOWN: [&str; 14] = [
    "quotes in an expansion",
    "quotes in a here-document",
    "joined lines",
    "delimiter",
    "here-document in an expansion",
    "end of an expansion",
    "comment in a substitution",
    "back-quotes",
    "escaped dollar",
    "dollars and braces",
    "hash behind a bracket",
    "descriptor variable",
    "subscript of an element",
    "subscript of a length",
];
const AGAIN: usize = 12;

/// How many finds that did the same are shown.
const ALIKE: u64 = 3;

/// Counts, and what was found.
#[derive(Debug, Default)]
struct Tally {
    generated: u64,
    allowed: u64,
    timed_out: u64,
    finds: BTreeMap<Kind, u64>,
    holes: BTreeSet<&'static str>,
    /// What the texts began as: how many were made, how many allowed.
    sources: BTreeMap<&'static str, (u64, u64)>,
    finds_of: BTreeMap<&'static str, u64>,
    /// What was shown, and how often its like.
    shown: BTreeMap<(Kind, String), u64>,
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<bool> {
    let seed = arguments.seed.unwrap_or_else(|| {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(1, |now| u64::from(now.subsec_nanos()) ^ now.as_secs())
    });
    let mut generator = Generator::new(seed);
    if arguments.show {
        for _ in 0..arguments.commands.unwrap_or(100) {
            println!("{}", json!(generator.next().text));
        }
        return Ok(true);
    }
    println!("seed {seed}");
    if !filter::KNOWN_MACHINE {
        println!("skipped: the calls of this machine are not known here");
        return Ok(true);
    }
    without_network();
    let mut prover = Prover::new(arguments)?;
    let first = Case { text: "true".into(), ..Case::default() };
    if let Err(error) = prover.run(&first, &Allowed { runs: "true".into(), named: Named::default() }) {
        println!("skipped: processes cannot be traced here: {error}");
        return Ok(true);
    }
    if let Some(text) = &arguments.text {
        let case = Case { text: text.clone(), ..Case::default() };
        println!("{:#?}", prover.try_case(&case)?);
        return Ok(true);
    }
    let mut tally = Tally::default();
    for case in seeds::read() {
        try_one(&mut prover, &case, arguments, &mut tally)?;
    }
    let began = Instant::now();
    let mut told = began;
    let is_strict = prover.is_strict();
    let over = |tally: &Tally| {
        arguments.time.is_some_and(|time| began.elapsed() >= time)
            || arguments.commands.is_some_and(|commands| tally.allowed >= commands)
            || (tally.shown.len() >= arguments.finds && is_strict)
    };
    let mut compared = 0;
    while !over(&tally) {
        let case = generator.next();
        tally.generated += 1;
        try_one(&mut prover, &case, arguments, &mut tally)?;
        if tally.allowed >= compared + COMPARED {
            compared = tally.allowed;
            prover.place.clear_temporary();
            if let Some(path) = prover.is_unchanged() {
                println!("FIND: {path} is not as it was, and no call that changes it was seen");
                *tally.finds.entry(Kind::Writes).or_default() += 1;
                prover = Prover::new(arguments)?;
            }
        }
        if told.elapsed() > Duration::from_secs(30) {
            told = Instant::now();
            report_on(&tally, began);
        }
    }
    if let Some(path) = prover.is_unchanged() {
        println!("FIND: {path} is not as it was, and no call that changes it was seen");
        *tally.finds.entry(Kind::Writes).or_default() += 1;
    }
    report_on(&tally, began);
    let sources =
        tally.sources.iter().map(|(source, (made, allowed))| format!("{source} {allowed} of {made}"));
    println!("allowed by source: {}", sources.collect::<Vec<_>>().join(", "));
    if !tally.finds.is_empty() {
        let finds = tally.finds_of.iter().map(|(source, finds)| format!("{source} {finds}"));
        println!("finds by source: {}", finds.collect::<Vec<_>>().join(", "));
    }
    if !prover.is_strict() {
        let again = KNOWN.iter().filter(|hole| tally.holes.contains(**hole)).count();
        println!("kinds found again: {}", tally.holes.iter().copied().collect::<Vec<_>>().join(" "));
        println!("{again} of {} known kinds; at least {AGAIN} are to be found", KNOWN.len());
        return Ok(again >= AGAIN);
    }
    Ok(tally.finds.is_empty())
}

fn try_one(prover: &mut Prover, case: &Case, arguments: &Arguments, tally: &mut Tally) -> io::Result<()> {
    let source = tally.sources.entry(case.source).or_default();
    source.0 += 1;
    let Some((allowed, end, found)) = prover.try_case(case)? else { return Ok(()) };
    source.1 += 1;
    tally.allowed += 1;
    tally.timed_out += u64::from(end == End::TimedOut);
    let Some(found) = found else { return Ok(()) };
    *tally.finds.entry(found.kind).or_default() += 1;
    tally.holes.extend(&case.holes);
    *tally.finds_of.entry(case.source).or_default() += 1;
    // What did the same often enough is not made small again.
    if tally.shown.get(&(found.kind, found.what.clone())).is_some_and(|alike| *alike >= ALIKE) {
        return Ok(());
    }
    let (case, allowed, found) = smaller::smaller(prover, case.clone(), allowed, found)?;
    let alike = tally.shown.entry((found.kind, found.what.clone())).or_default();
    *alike += 1;
    if *alike > ALIKE {
        return Ok(());
    }
    println!("FIND in `{}`: {}", case.folder, json!(case.text));
    if allowed.runs != case.text {
        println!("  runs {}", json!(allowed.runs));
    }
    println!("  {} {}", found.kind.name(), found.what);
    if !case.holes.is_empty() {
        println!("  made from {}", case.holes.iter().copied().collect::<Vec<_>>().join(" "));
    }
    if let Some(file) = &arguments.keep {
        seeds::keep(file, &case, &found)?;
    }
    Ok(())
}

fn report_on(tally: &Tally, began: Instant) {
    let Tally { generated, allowed, timed_out, .. } = tally;
    let finds: Vec<String> =
        tally.finds.iter().map(|(kind, count)| format!("{count} {}", kind.name())).collect();
    let finds = if finds.is_empty() { "0 finds".into() } else { format!("finds: {}", finds.join(", ")) };
    let seconds = began.elapsed().as_secs_f64();
    println!(
        "{allowed} allowed of {generated} generated, {timed_out} stopped by time, {finds}; {seconds:.0} s"
    );
}

/// No network for all that follows. Where the system does not allow it, a socket is still seen before it is made.
fn without_network() {
    let mut flags = CloneFlags::CLONE_NEWNET | CloneFlags::CLONE_NEWIPC;
    if !nix::unistd::geteuid().is_root() {
        flags |= CloneFlags::CLONE_NEWUSER;
    }
    if let Err(error) = unshare(flags) {
        println!("note: without namespaces of its own ({error}); what connects is still stopped");
    }
}
