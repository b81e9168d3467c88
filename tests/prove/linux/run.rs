//! What the arguments ask for: the texts of a seed shown, one text run, or a run of several processes.

use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::json;

use crate::linux::arguments::Arguments;
use crate::linux::generate::{Case, Generator};
use crate::linux::{jobs, work};

/// Whether nothing was found that must not be.
pub(crate) fn run(arguments: &Arguments, words: &[String]) -> io::Result<bool> {
    let seed = arguments.seed.unwrap_or_else(|| {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(1, |now| u64::from(now.subsec_nanos()) ^ now.as_secs())
    });
    if arguments.show {
        let mut generator = Generator::new(seed);
        for _ in 0..arguments.commands.unwrap_or(100) {
            println!("{}", json!(generator.next().text));
        }
        return Ok(true);
    }
    if let Some(worker) = arguments.worker {
        work::work(arguments, seed, worker, arguments.jobs.unwrap_or(1))?;
        return Ok(true);
    }
    let case = match (&arguments.text, arguments.number) {
        (Some(text), _) => Case { text: text.clone(), ..Case::default() },
        (None, Some(number)) => numbered(seed, number),
        (None, None) => return jobs::run(arguments, words, seed),
    };
    one(arguments, &case)
}

/// The text of a seed that has a number; the first has 1.
fn numbered(seed: u64, number: u64) -> Case {
    let mut generator = Generator::new(seed);
    for _ in 1..number {
        generator.next();
    }
    generator.next()
}

/// Decides and runs one text, and shows what came of it.
fn one(arguments: &Arguments, case: &Case) -> io::Result<bool> {
    if let Some(note) = work::without_network() {
        println!("{note}");
    }
    let mut prover = match work::prover(arguments)? {
        Ok(prover) => prover,
        Err(why) => {
            println!("skipped: {why}");
            return Ok(true);
        }
    };
    println!("in `{}`: {}", case.folder, json!(case.text));
    let tried = prover.try_case(case)?;
    println!("{tried:#?}");
    Ok(tried.is_none_or(|(.., found)| found.is_none()))
}
