//! A run: several processes of this program, each with its share of the texts of one seed, and one report of all.

use std::io::{self, BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::linux::arguments::Arguments;
use crate::linux::tally::Tally;
use crate::linux::work::Told;

/// How often counts are shown.
const SHOWN: Duration = Duration::from_secs(30);

/// A process that tells nothing for so long stands still: making a find small takes the longest, a few seconds.
const SILENT: Duration = Duration::from_secs(120);

/// What is known of one process.
#[derive(Debug, Default, Clone)]
struct Worker {
    /// When it told something last.
    heard: Option<Instant>,
    tally: Tally,
    ended: bool,
    skipped: Option<String>,
}

/// Whether nothing was found that must not be. `words` are those of this process.
pub(crate) fn run(arguments: &Arguments, words: &[String], seed: u64) -> io::Result<bool> {
    // Some commands wait for what does not come.
    let jobs = arguments.jobs.unwrap_or_else(|| {
        2 * thread::available_parallelism().map_or(1, |number| u64::try_from(number.get()).unwrap_or(1))
    });
    println!("seed {seed}, {jobs} processes");
    let began = Instant::now();
    let (sender, receiver) = channel();
    let mut workers = Vec::new();
    let mut children = Vec::new();
    for worker in 0..jobs {
        let mut child = start(words, seed, worker, jobs)?;
        let index = workers.len();
        listen(&mut child, index, sender.clone())?;
        workers.push(Worker::default());
        children.push(child);
    }
    drop(sender);
    let sum = |workers: &[Worker]| {
        let mut all = Tally::default();
        workers.iter().for_each(|worker| all.add(&worker.tally));
        all
    };
    let mut shown = began;
    loop {
        match receiver.recv_timeout(SHOWN.saturating_sub(shown.elapsed())) {
            Ok((index, told)) => {
                let Some(worker) = workers.get_mut(index) else { continue };
                worker.heard = Some(Instant::now());
                match told {
                    Told::Line(line) => println!("{line}"),
                    Told::Skipped(why) => worker.skipped = Some(why),
                    Told::Tally(tally) => worker.tally = tally,
                    Told::End(tally) => (worker.tally, worker.ended) = (tally, true),
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if shown.elapsed() >= SHOWN {
            shown = Instant::now();
            println!("{}", sum(&workers).line(began.elapsed()));
            for (worker, child) in workers.iter().zip(&mut children) {
                let heard = worker.heard.unwrap_or(began);
                if !worker.ended && heard.elapsed() > SILENT && child.try_wait()?.is_none() {
                    println!("process {} stands still and is ended", child.id());
                    child.kill()?;
                }
            }
        }
    }
    for child in &mut children {
        child.wait()?;
    }
    if let Some(why) = workers.iter().find_map(|worker| worker.skipped.clone()) {
        println!("skipped: {why}");
        return Ok(workers.iter().all(|worker| worker.skipped.is_some()));
    }
    let all = sum(&workers);
    println!("{}", all.end(began.elapsed()));
    let broken = workers.iter().filter(|worker| !worker.ended).count();
    if broken > 0 {
        println!("{broken} of {jobs} processes ended before they were done");
        return Ok(false);
    }
    if arguments.decider.is_some() {
        let (text, enough) = all.again();
        println!("{text}");
        return Ok(enough);
    }
    Ok(all.finds.is_empty())
}

fn start(words: &[String], seed: u64, worker: u64, jobs: u64) -> io::Result<Child> {
    #[expect(clippy::disallowed_methods, reason = "the processes of a run are this program")]
    let mut command = Command::new(std::env::current_exe()?);
    command.args(words).arg("--seed").arg(seed.to_string());
    command.arg("--jobs").arg(jobs.to_string()).arg("--worker").arg(worker.to_string());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()
}

/// Hands on what it tells, until it ends.
fn listen(child: &mut Child, index: usize, sender: Sender<(usize, Told)>) -> io::Result<()> {
    let output = child.stdout.take().ok_or_else(|| io::Error::other("a process has no output"))?;
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            let told = serde_json::from_str(&line).unwrap_or(Told::Line(line));
            if sender.send((index, told)).is_err() {
                break;
            }
        }
    });
    Ok(())
}
