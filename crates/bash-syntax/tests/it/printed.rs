//! Printed text does what the text as written does, run by a real bash; and it is read again as the same tree.

use std::path::{Path, PathBuf};

use toolwright_bash_syntax::{parse, print};

use super::bash::{Bash, Outcome};
use super::normal::normal;
use super::{generate, pieces, render};

/// What came of a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is not read, or has no printed form.
    Refused,
    /// It did not end by itself, so nothing can be compared.
    Stopped,
    Same,
    Different(String),
}

/// Reads and prints a text, and looks whether the printed one is read as the same tree.
pub(crate) fn printed(text: &str) -> Result<Option<String>, String> {
    let parsed = parse(text);
    if parsed.error.is_some() {
        return Ok(None);
    }
    let Ok(first) = print(&parsed.script) else { return Ok(None) };
    let again = parse(&first);
    if let Some(error) = again.error {
        return Err(format!("the printed text is not read: {error} at {}\n{first}", error.at));
    }
    let (written, read) = (normal(&parsed.script), normal(&again.script));
    if written != read {
        let (written, read) = (render::script(&written), render::script(&read));
        return Err(format!("the printed text is read as another tree:\n{first}\n{written}\n{read}"));
    }
    match print(&again.script) {
        Err(error) => Err(format!("the printed text is not printed again: {error}\n{first}")),
        Ok(second) if second != first => Err(format!("printed twice:\n{first}\n{second}")),
        Ok(_) => Ok(Some(first)),
    }
}

/// Compares a text with what is printed of it.
pub(crate) fn compare(bash: &Bash, text: &str) -> Verdict {
    match printed(text) {
        Ok(None) => Verdict::Refused,
        Err(why) => Verdict::Different(why),
        Ok(Some(printed)) => {
            let written = bash.run(text);
            let ours = bash.run(&printed);
            if written == ours {
                Verdict::Same
            } else if text.contains("<<")
                && ["command substitution: ", "no closing `)'"].iter().any(|why| written.errors.contains(why))
            {
                // Before its patch 21, bash 5.2 does not read a substitution within `${..}` in a here-document.
                Verdict::Stopped
            } else if written.was_stopped()
                || ours.was_stopped()
                || may_be_same((bash, text, &written), (bash, &printed, &ours))
            {
                Verdict::Stopped
            } else {
                Verdict::Different(difference(&printed, &written, &ours))
            }
        }
    }
}

/// Whether two texts that did not do the same once do it another time: parts of them run at the same time, and a command whose
/// output nobody reads any more is ended at some time or other. Process numbers are another thing each time.
fn may_be_same(one: (&Bash, &str, &Outcome), other: (&Bash, &str, &Outcome)) -> bool {
    let (mut first, mut second) = (vec![one.2.clone()], vec![other.2.clone()]);
    (0..REPEATS).any(|_| {
        first.push(one.0.run(one.1));
        second.push(other.0.run(other.1));
        first.iter().any(|outcome| second.contains(outcome))
    }) || first.iter().enumerate().all(|(index, outcome)| !first[..index].contains(outcome))
}

/// How often two texts that are not the same are run again.
const REPEATS: u32 = 6;

/// Compares what two versions of bash make of the printed form of a text.
fn compare_versions(system: &Bash, other: &Bash, text: &str) -> Verdict {
    let Ok(Some(printed)) = printed(text) else { return Verdict::Refused };
    let (here, there) = (system.run(&printed), other.run(&printed));
    if there.is_unsupported() || here.was_stopped() || there.was_stopped() {
        return Verdict::Stopped;
    }
    if here.clone().without_messages() == there.clone().without_messages() {
        return Verdict::Same;
    }
    let mut others = (0..REPEATS).map(|_| (system.run(&printed), other.run(&printed)));
    if others.any(|(here, there)| here.without_messages() == there.without_messages()) {
        return Verdict::Stopped;
    }
    Verdict::Different(difference(&printed, &here, &there))
}

fn difference(printed: &str, written: &Outcome, ours: &Outcome) -> String {
    format!("printed:\n{printed}\nas written: {written:?}\nas printed: {ours:?}")
}

/// The shortest text found that still differs: pieces are left out as long as it does.
fn shrink(compare: impl Fn(&str) -> Verdict, text: &str) -> (String, String) {
    let mut best = text.to_owned();
    let mut why = match compare(&best) {
        Verdict::Different(why) => why,
        _ => "it differs only sometimes".to_owned(),
    };
    let mut length = best.len() / 2;
    let mut tries = 0;
    while length > 0 && tries < MOST_TRIES {
        let mut at = 0;
        while at < best.len() && tries < MOST_TRIES {
            tries += 1;
            let end = (at + length).min(best.len());
            if best.is_char_boundary(at) && best.is_char_boundary(end) {
                let shorter = format!("{}{}", &best[..at], &best[end..]);
                if let Verdict::Different(new) = compare(&shorter) {
                    (best, why) = (shorter, new);
                    continue;
                }
            }
            at += length;
        }
        length /= 2;
    }
    (best, why)
}

/// How often a text is made shorter.
const MOST_TRIES: u32 = 300;

/// How many texts came out how.
#[derive(Debug, Default)]
struct Tally {
    refused: usize,
    stopped: usize,
    same: usize,
    finds: Vec<String>,
}

fn check_all(program: &Path, name: &str, texts: impl Iterator<Item = (u64, String)>) -> Tally {
    let system = Bash::new(Path::new(SYSTEM), name);
    let other = system.with_program(program);
    let compare = |text: &str| match program.to_str() {
        Some(SYSTEM) => compare(&system, text),
        _ => compare_versions(&system, &other, text),
    };
    let mut tally = Tally::default();
    for (index, (seed, text)) in texts.enumerate() {
        if index > 0 && index % 1_000 == 0 {
            println!("{name}: {index} texts, {} the same", tally.same);
        }
        match compare(&text) {
            Verdict::Refused => tally.refused += 1,
            Verdict::Stopped => tally.stopped += 1,
            Verdict::Same => tally.same += 1,
            Verdict::Different(_) => {
                let (short, why) = shrink(compare, &text);
                let find = format!("{} seed {seed}: {short:?}\n{short}\n{why}\n", program.display());
                println!("== {find}");
                tally.finds.push(find);
            }
        }
    }
    tally
}

/// The bash of the system.
pub(crate) const SYSTEM: &str = "/bin/bash";

/// Runs a range of seeds in as many threads as are asked for.
fn run(kind: &str, make: fn(u64) -> String, first: u64, count: u64) -> Tally {
    let threads = setting("TOOLWRIGHT_PRINTED_THREADS", 1);
    let programs = bashes();
    let mut all = Tally::default();
    for program in &programs {
        let tallies: Vec<_> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads)
                .map(|thread| {
                    let seeds = (first..first + count).filter(move |seed| seed % threads == thread);
                    let name = format!("{kind}-{thread}");
                    scope.spawn(move || check_all(program, &name, seeds.map(|seed| (seed, make(seed)))))
                })
                .collect();
            workers.into_iter().map(|worker| worker.join().expect("a worker")).collect()
        });
        for tally in tallies {
            all.refused += tally.refused;
            all.stopped += tally.stopped;
            all.same += tally.same;
            all.finds.extend(tally.finds);
        }
    }
    println!(
        "{kind}: {} same, {} refused, {} stopped, {} finds",
        all.same,
        all.refused,
        all.stopped,
        all.finds.len()
    );
    all
}

#[expect(clippy::disallowed_methods, reason = "how long to look is said by whoever starts the test")]
pub(crate) fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// The programs named by `TOOLWRIGHT_BASHES`, separated by colons; that of the system where none is. With another one, the
/// printed texts are run by both.
#[expect(
    clippy::disallowed_methods,
    reason = "other versions are where whoever starts the test has put them"
)]
fn bashes() -> Vec<PathBuf> {
    match std::env::var("TOOLWRIGHT_BASHES") {
        Ok(names) => names.split(':').map(PathBuf::from).collect(),
        Err(_) => vec![PathBuf::from(SYSTEM)],
    }
}

#[test]
fn generated_commands_do_the_same_when_printed() {
    let count = setting("TOOLWRIGHT_PRINTED_COMMANDS", 300);
    let tally = run("generated", generate::command, setting("TOOLWRIGHT_PRINTED_SEED", 0), count);
    assert!(tally.finds.is_empty(), "{}", tally.finds.join("\n"));
    assert!(tally.same > tally.refused, "most of what is generated is printed: {tally:?}");
}

#[test]
fn loose_pieces_do_the_same_when_printed_or_are_refused() {
    let count = setting("TOOLWRIGHT_PRINTED_PIECES", 2_000);
    let tally = run("pieces", pieces::text, setting("TOOLWRIGHT_PRINTED_SEED", 0), count);
    assert!(tally.finds.is_empty(), "{}", tally.finds.join("\n"));
}
