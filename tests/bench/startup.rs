//! From the start of the process to its first request: the stock binary over http and https, beside a program that does no more
//! than connect and write, and whatever peers are installed. Rounds are interleaved, so that a busy machine disturbs all alike.
#![expect(clippy::print_stdout, reason = "a bench prints its report")]

#[path = "startup/first_bytes.rs"]
mod first_bytes;
#[path = "startup/peers.rs"]
mod peers;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use toolwright_testkit::ModelServer;
use toolwright_tests::bench::{median, milliseconds};
use toolwright_tests::{KEY, Place, peak_kib, stock};

use first_bytes::Listener;

const ROUNDS: usize = 31;

/// Says nothing, so that the process can be looked at while it waits.
const SILENT: &str = r#"{"turns": [{"reply": [{"text": "nothing"}], "fail": {"stall": {"bytes": 0}}}]}"#;

/// What the program is asked to be that only connects and writes.
const FLOOR: &str = "floor";

/// One thing that is measured.
struct Row {
    name: String,
    goal: &'static str,
    times: Vec<Duration>,
    peaks: Vec<u64>,
}

impl Row {
    fn new(name: impl Into<String>, goal: &'static str) -> Self {
        Self { name: name.into(), goal, times: Vec::new(), peaks: Vec::new() }
    }

    fn add(&mut self, (time, peak): (Duration, Option<u64>)) {
        self.times.push(time);
        self.peaks.extend(peak);
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, floor, address] = arguments.as_slice()
        && floor == FLOOR
    {
        return ask(address);
    }
    let place = Place::new();
    let peers = peers::installed();
    let mut floor = Row::new("connects and writes", "");
    let mut http = Row::new("toolwright, http, Messages", "< 10 ms, < 20 MiB");
    let mut chat = Row::new("toolwright, http, Chat", "");
    let mut https = Row::new("toolwright, https", "< 10 ms, < 20 MiB");
    let mut others: Vec<Row> = peers.iter().map(|peer| Row::new(peer.name, "")).collect();
    for round in 0..=ROUNDS {
        let samples = [
            (&mut floor, on_server(bare)),
            (
                &mut http,
                on_server(|url| {
                    stock_run(&place, &[("ANTHROPIC_BASE_URL", url), ("ANTHROPIC_API_KEY", KEY)], &[])
                }),
            ),
            (
                &mut chat,
                on_server(|url| stock_run(&place, &[("OPENAI_BASE_URL", url)], &["--model", "openai:test"])),
            ),
            (
                &mut https,
                on_listener(|address| {
                    let url = format!("https://{address}");
                    stock_run(&place, &[("ANTHROPIC_BASE_URL", &url), ("ANTHROPIC_API_KEY", KEY)], &[])
                }),
            ),
        ];
        for (row, sample) in samples {
            // The first of each finds nothing in the system's cache.
            if round > 0 {
                row.add(sample);
            }
        }
        for (row, peer) in others.iter_mut().zip(&peers) {
            let sample = on_listener(|address| peer.command(&place, &address));
            if round > 0 {
                row.add(sample);
            }
        }
    }
    report(&floor, [&http, &chat, &https].into_iter().chain(&others));
    if peers.is_empty() {
        println!("peers: none of {} is installed", peers::NAMES.join(", "));
    }
}

fn report<'r>(floor: &'r Row, rows: impl Iterator<Item = &'r Row>) {
    println!("start of the process to its first request, median of {ROUNDS}\n");
    println!("{:<28} {:>10} {:>10} {:>7} {:>10}  goal", "", "median", "fastest", "ratio", "peak");
    let base = median(floor.times.clone());
    for row in std::iter::once(floor).chain(rows) {
        let middle = median(row.times.clone());
        let fastest = row.times.iter().min().copied().unwrap_or_default();
        let ratio = middle.as_secs_f64() / base.as_secs_f64().max(f64::EPSILON);
        let mut peaks = row.peaks.clone();
        peaks.sort_unstable();
        let peak = peaks.get(peaks.len() / 2).copied().unwrap_or_default();
        let mib = format!("{}.{} MiB", peak / 1024, peak % 1024 * 10 / 1024);
        println!(
            "{:<28} {:>10} {:>10} {ratio:>6.1}x {mib:>10}  {}",
            row.name,
            milliseconds(middle),
            milliseconds(fastest),
            row.goal
        );
    }
}

fn stock_run(place: &Place, variables: &[(&str, &str)], arguments: &[&str]) -> Command {
    let mut command = place.command(&stock());
    command.args(["-p", "hi"]).args(arguments).envs(variables.iter().copied());
    command
}

fn bare(url: &str) -> Command {
    let place = Place::new();
    let program = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("bench-startup"));
    let mut command = place.command(&program);
    command.args([FLOOR, url.trim_start_matches("http://")]).current_dir("/");
    command
}

/// The floor: what a process must do at least.
fn ask(address: &str) {
    let body = r#"{"model":"m","max_tokens":1,"stream":true,"messages":[{"role":"user","content":"hi"}]}"#;
    let Ok(mut stream) = TcpStream::connect(address) else { return };
    let head = format!(
        "POST /v1/messages HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all(format!("{head}{body}").as_bytes());
    let _ = stream.read_to_end(&mut Vec::new());
}

fn on_server(command: impl FnOnce(&str) -> Command) -> (Duration, Option<u64>) {
    let server = ModelServer::with_script(SILENT);
    let mut command = command(&server.url());
    let begun = Instant::now();
    let child = started(&mut command);
    let received = loop {
        if let Some(request) = server.requests().first() {
            break request.received;
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "no request came from {command:?}");
        std::thread::sleep(Duration::from_micros(500));
    };
    (received - begun, ended(child))
}

fn on_listener(command: impl FnOnce(String) -> Command) -> (Duration, Option<u64>) {
    let listener = Listener::open();
    let mut command = command(listener.address());
    let begun = Instant::now();
    let child = started(&mut command);
    let came = listener.first_bytes().unwrap_or_else(|| panic!("nothing came from {command:?}"));
    (came - begun, ended(child))
}

fn started(command: &mut Command) -> Child {
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    command.spawn().unwrap_or_else(|error| panic!("{command:?} does not start: {error}"))
}

/// The most memory it had until now; then it is ended.
fn ended(mut child: Child) -> Option<u64> {
    let peak = peak_kib(child.id());
    let _ = child.kill();
    let _ = child.wait();
    peak
}
