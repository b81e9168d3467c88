//! Scenes as data: files before, runs of the binary against a model that answers from a script, and what must be true after
//! each. In every scene, said or not: every request is one a vendor accepts, the key is nowhere, and the script was used up.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use regex::Regex;
use serde::Deserialize;
use serde_json::{Value, json};
use toolwright_testkit::{ModelServer, Recorded};

use crate::cases::{Verdict, shell};
use crate::place::PATIENCE;
use crate::request::{faults, tools};
use crate::{Ended, KEY, Place, Wire};

/// One scene. In its texts `{cwd}` is the project and `{home}` the home.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Its name, once in a suite.
    pub id: String,
    /// Why it must be so.
    pub why: String,
    /// On which wires it is played.
    #[serde(default = "messages")]
    pub wires: Vec<Wire>,
    /// Files of the project before.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// Files of the home before.
    #[serde(default)]
    pub home: BTreeMap<String, String>,
    /// A script for `bash -e` in the project, after the files are there.
    #[serde(default)]
    pub setup: String,
    /// Runs, one after the other.
    pub runs: Vec<Run>,
}

fn messages() -> Vec<Wire> {
    vec![Wire::Messages]
}

/// One run of the binary.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The arguments. `{session}` is the id of the newest session.
    pub arguments: Vec<String>,
    /// What is piped in; none: nothing is.
    pub stdin: Option<String>,
    /// More variables.
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// What the model says, as a script's turns.
    #[serde(default)]
    pub turns: Vec<Value>,
    /// Settings of the model's client.
    #[serde(default)]
    pub model_options: BTreeMap<String, Value>,
    /// No model is named and no key is set.
    #[serde(default)]
    pub no_model: bool,
    /// Interrupts it (as Ctrl-C does) once its journal has a line of this type; `request`: once the model is asked.
    pub interrupt_at: Option<String>,
    /// What must be true after it.
    pub expect: After,
}

/// What must be true after a run. What is not said does not matter.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct After {
    /// The exit code.
    pub exit: i32,
    /// All of standard output.
    pub stdout: Option<String>,
    /// Patterns standard output has.
    pub stdout_has: Vec<String>,
    /// Patterns it has not.
    pub stdout_lacks: Vec<String>,
    /// Its one JSON object has at least these fields.
    pub stdout_json: Option<Value>,
    /// Among its JSON lines are such ones, in this order.
    pub stdout_lines: Vec<Value>,
    /// Patterns standard error has.
    pub stderr_has: Vec<String>,
    /// Patterns it has not.
    pub stderr_lacks: Vec<String>,
    /// Among the journal's lines in short form are these, in this order.
    pub events: Vec<String>,
    /// And none of these.
    pub no_events: Vec<String>,
    /// How many requests the model got.
    pub requests: Option<usize>,
    /// Patterns its last request has.
    pub request_has: Vec<String>,
    /// Patterns it has not.
    pub request_lacks: Vec<String>,
    /// Tools its last request offers.
    pub tools_have: Vec<String>,
    /// Tools it does not offer.
    pub tools_lack: Vec<String>,
    /// Turns of the script that were not asked for.
    pub turns_left: usize,
    /// However many that are.
    pub any_turns_left: bool,
    /// What files of the project hold; none: they are not there.
    pub files: BTreeMap<String, Option<String>>,
    /// Commands for `bash -e` in the project that end with 0.
    pub checks: Vec<String>,
}

/// The scenes of a file: a JSON list of them.
///
/// # Errors
/// With what is wrong where.
pub fn parse_scenes(text: &str) -> Result<Vec<Scene>, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

impl Scene {
    /// Plays it on each of its wires.
    #[must_use]
    pub fn play(&self, binary: &Path) -> Verdict {
        for wire in &self.wires {
            if let Err(what) = self.play_on(*wire, binary) {
                return Verdict::Failed(format!("{wire:?}: {what}"));
            }
        }
        Verdict::Passed
    }

    fn play_on(&self, wire: Wire, binary: &Path) -> Result<(), String> {
        let place = Place::new();
        for (path, text) in &self.files {
            place.write(path, &place.fill(text));
        }
        for (path, text) in &self.home {
            place.write_home(path, &place.fill(text));
        }
        shell(&place.fill(&self.setup), &place.project()).map_err(|error| format!("setup: {error}"))?;
        for (number, run) in (1..).zip(&self.runs) {
            run.go(wire, &place, binary).map_err(|what| format!("run {number}: {what}"))?;
        }
        Ok(())
    }
}

impl Run {
    fn go(&self, wire: Wire, place: &Place, binary: &Path) -> Result<(), String> {
        let turns =
            serde_json::to_string(&json!({"turns": self.turns})).map_err(|error| error.to_string())?;
        let script = place.fill(&turns);
        script.parse::<Value>().map_err(|error| format!("the case's own script: {error}"))?;
        let server = ModelServer::with_script(&script);
        let before = place.journal();
        let child = self.start(wire, place, binary, &server)?;
        if let Some(kind) = &self.interrupt_at {
            let before = before.of_type(kind).len();
            let there = || match kind.as_str() {
                "request" => !server.requests().is_empty(),
                kind => place.journal().of_type(kind).len() > before,
            };
            wait_for(kind, there)?;
            shell(&format!("kill -INT {}", child.id()), &place.project())?;
        }
        let ended = Ended::of(child, self.stdin.as_deref())?;
        let context = |what: String| format!("{what}\n  {}", told(&ended, place));
        self.expect.check(&ended, place).map_err(context)?;
        self.expect.check_requests(wire, &server).map_err(context)
    }

    fn start(&self, wire: Wire, place: &Place, binary: &Path, server: &ModelServer) -> Result<Child, String> {
        let session = place.journal().id();
        let mut command = place.command(binary);
        command
            .args(self.arguments.iter().map(|argument| place.fill(argument).replace("{session}", &session)));
        if !self.no_model {
            let names_model = self.arguments.iter().any(|argument| argument.starts_with("--model"));
            let model = if names_model { None } else { Some(wire.model()) };
            wire.ask(&mut command, &server.url(), model, &self.model_options);
        }
        command.envs(self.environment.iter().map(|(name, value)| (name, place.fill(value))));
        if self.stdin.is_some() {
            command.stdin(Stdio::piped());
        }
        command.spawn().map_err(|error| format!("the binary does not start: {error}"))
    }
}

fn wait_for(what: &str, there: impl Fn() -> bool) -> Result<(), String> {
    let begun = Instant::now();
    while !there() {
        if begun.elapsed() > PATIENCE {
            return Err(format!("`{what}` never came"));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(())
}

fn told(ended: &Ended, place: &Place) -> String {
    let cut = |text: &str| text.chars().take(2_000).collect::<String>();
    format!(
        "exit {:?}\n  stdout: {}\n  stderr: {}\n  events: {:#?}",
        ended.exit,
        cut(&ended.stdout),
        cut(&ended.stderr),
        place.journal().short()
    )
}

impl After {
    fn check(&self, ended: &Ended, place: &Place) -> Result<(), String> {
        if ended.exit != Some(self.exit) {
            return Err(format!("it should end with {}", self.exit));
        }
        if let Some(wanted) =
            self.stdout.as_ref().map(|text| place.fill(text)).filter(|text| *text != ended.stdout)
        {
            return Err(format!("standard output should be {wanted:?}"));
        }
        has("standard output", &self.stdout_has, &ended.stdout)?;
        lacks("standard output", &self.stdout_lacks, &ended.stdout)?;
        has("standard error", &self.stderr_has, &ended.stderr)?;
        lacks("standard error", &self.stderr_lacks, &ended.stderr)?;
        if let Some(wanted) = &self.stdout_json {
            let found: Value = serde_json::from_str(&ended.stdout)
                .map_err(|error| format!("standard output is no JSON: {error}"))?;
            if !includes(&found, wanted) {
                return Err(format!("standard output should have {wanted}"));
            }
        }
        if !self.stdout_lines.is_empty() {
            let lines: Result<Vec<Value>, _> = ended.stdout.lines().map(serde_json::from_str).collect();
            let lines = lines.map_err(|error| format!("a line of standard output is no JSON: {error}"))?;
            in_order("standard output", &self.stdout_lines, &lines, includes)?;
        }
        let journal = place.journal();
        let filled: Vec<String> = self.events.iter().map(|event| place.fill(event)).collect();
        in_order("the journal", &filled, &journal.short(), |found, wanted| found == wanted)?;
        if let Some(event) = journal.short().iter().find(|event| self.no_events.contains(event)) {
            return Err(format!("the journal should not have `{event}`"));
        }
        for (name, text) in [("standard output", &ended.stdout), ("standard error", &ended.stderr)]
            .into_iter()
            .chain([("the journal", &String::from_utf8_lossy(&journal.bytes).into_owned())])
        {
            if text.contains(KEY) {
                return Err(format!("{name} holds the key"));
            }
        }
        self.check_folder(place)
    }

    fn check_folder(&self, place: &Place) -> Result<(), String> {
        for (path, wanted) in &self.files {
            let found = std::fs::read_to_string(place.project().join(path)).ok();
            if found != wanted.as_ref().map(|text| place.fill(text)) {
                return Err(format!("{path} holds {found:?}"));
            }
        }
        self.checks.iter().try_for_each(|check| shell(&place.fill(check), &place.project()))
    }

    fn check_requests(&self, wire: Wire, server: &ModelServer) -> Result<(), String> {
        let requests = server.requests();
        for (number, request) in (1..).zip(&requests) {
            let wrong = faults(wire, &request.body);
            if !wrong.is_empty() {
                return Err(format!(
                    "request {number} is refused by its vendor: {wrong:?}\n  {}",
                    request.body
                ));
            }
        }
        if self.requests.is_some_and(|wanted| wanted != requests.len()) {
            return Err(format!("{} requests were made", requests.len()));
        }
        if !self.any_turns_left && server.left() != self.turns_left {
            return Err(format!("{} turns of the script are left", server.left()));
        }
        let last = requests.last().map(|request: &Recorded| request.body.to_string()).unwrap_or_default();
        has("the last request", &self.request_has, &last)?;
        lacks("the last request", &self.request_lacks, &last)?;
        let offered = requests.last().map(|request| tools(wire, &request.body)).unwrap_or_default();
        if let Some(tool) = self.tools_have.iter().find(|tool| !offered.contains(tool)) {
            return Err(format!("the last request does not offer {tool}, but {offered:?}"));
        }
        if let Some(tool) = self.tools_lack.iter().find(|tool| offered.contains(tool)) {
            return Err(format!("the last request offers {tool}"));
        }
        Ok(())
    }
}

fn has(what: &str, patterns: &[String], text: &str) -> Result<(), String> {
    match patterns.iter().find(|pattern| !matches(pattern, text)) {
        Some(pattern) => {
            Err(format!("`{pattern}` is not in {what}: {}", text.chars().take(60_000).collect::<String>()))
        }
        None => Ok(()),
    }
}

fn lacks(what: &str, patterns: &[String], text: &str) -> Result<(), String> {
    match patterns.iter().find(|pattern| matches(pattern, text)) {
        Some(pattern) => Err(format!("`{pattern}` is in {what}")),
        None => Ok(()),
    }
}

fn matches(pattern: &str, text: &str) -> bool {
    Regex::new(pattern).unwrap_or_else(|error| panic!("the case's own pattern: {error}")).is_match(text)
}

/// Whether `found` has at least what `wanted` says. Strings may be patterns written as `/../`.
fn includes(found: &Value, wanted: &Value) -> bool {
    match (found, wanted) {
        (Value::Object(found), Value::Object(wanted)) => {
            wanted.iter().all(|(name, wanted)| found.get(name).is_some_and(|found| includes(found, wanted)))
        }
        (Value::Array(found), Value::Array(wanted)) => {
            found.len() == wanted.len()
                && found.iter().zip(wanted).all(|(found, wanted)| includes(found, wanted))
        }
        (Value::String(found), Value::String(wanted)) => {
            match wanted.strip_prefix('/').and_then(|pattern| pattern.strip_suffix('/')) {
                Some(pattern) if pattern.len() > 1 => matches(pattern, found),
                _ => found == wanted,
            }
        }
        (found, wanted) => found == wanted,
    }
}

fn in_order<T: std::fmt::Debug, W: std::fmt::Debug>(
    what: &str,
    wanted: &[W],
    found: &[T],
    same: impl Fn(&T, &W) -> bool,
) -> Result<(), String> {
    let mut rest = found.iter();
    match wanted.iter().find(|wanted| !rest.any(|found| same(found, wanted))) {
        Some(missing) => Err(format!("{missing:?} does not come in its order in {what}")),
        None => Ok(()),
    }
}
