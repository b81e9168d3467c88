//! How long it takes to decide on a text and to print it, beside the analysis alone; how much time and memory texts take that
//! are made to take much; and a Bash call beside the same text that bash is started with. All in one run, each row with its
//! baseline and its limit. An argument is a text to measure alone, or the number of a hostile one: what it took is printed.
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a bench fails by panicking and prints its report"
)]

#[path = "shell/calls.rs"]
mod calls;
#[path = "shell/shapes.rs"]
mod shapes;

use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use toolwright_core::{Definition, Verdict};
use toolwright_permissions::{
    HookVerdict, Mode, Request, ResolvedSubject, Roots, RuleKind, RuleSet, Scope, Source, ToolIdentity,
    decide,
};
use toolwright_shell::{Place, analyse};
use toolwright_tests::bench::median;
use toolwright_tests::peak_kib;

/// How often a typical command is decided.
const ROUNDS: usize = 2_000;
/// Rules of a person who has many.
const MANY: usize = 10_000;
/// What a typical command may take, and what where there are many rules.
const MOST_TYPICAL: Duration = Duration::from_micros(100);
const MOST_WITH_RULES: Duration = Duration::from_micros(150);
/// What a long text of plain commands may take.
const MOST_PLAIN: Duration = Duration::from_millis(5);
/// What a hostile text may take.
const MOST_TIME: Duration = Duration::from_millis(100);
const MOST_MIB: u64 = 64;

const TYPICAL: [&str; 9] = [
    "ls -la src",
    "cd src && git status --short | head -20",
    "git log --oneline -5 | cat",
    "grep -rn TODO src --include=*.ts | sort | uniq -c | head",
    "for f in a b c; do echo \"$f: $(wc -l < $f)\"; done",
    "if [ -f package.json ]; then cat package.json | jq '.name'; else echo none; fi",
    "npm test 2>&1 | tail -20",
    "git add -A && git commit -m \"$(cat <<'EOF'\nfix: the thing\n\nIt did (not) work.\nEOF\n)\"",
    "find . -name '*.rs' -not -path './target/*' | xargs wc -l | tail -1",
];

fn main() {
    let texts = shapes::all();
    if let Some(which) = std::env::args().nth(1) {
        let numbered = which.parse().ok().and_then(|number: usize| texts.get(number));
        println!("{}", one(numbered.map_or(&which, |(_, text)| text)));
        return;
    }
    report_typical();
    report_plain();
    report_hostile(&texts);
    calls::report();
}

fn report_typical() {
    let (none, many) = (RuleSet::default(), rules(MANY));
    println!(
        "{:>10} {:>10} {:>10} {:>10} {:>10} {:>7}  median of {ROUNDS}; baseline: the analysis alone",
        "baseline", "decided", "limit", "10k rules", "limit", "ratio"
    );
    for text in TYPICAL {
        let alone = measured(|| drop(black_box(analyse(text, &place()))));
        let decided = measured(|| decided(text, &none));
        let with_rules = measured(|| self::decided(text, &many));
        let ratio = with_rules.as_secs_f64() / alone.as_secs_f64();
        let [alone, decided, with_rules] = [alone, decided, with_rules].map(microseconds);
        let [limit, limit_with_rules] = [MOST_TYPICAL, MOST_WITH_RULES].map(microseconds);
        println!(
            "{alone:>10} {decided:>10} {limit:>10} {with_rules:>10} {limit_with_rules:>10} {ratio:>7.2}  {}",
            text.replace('\n', " ")
        );
    }
}

fn report_plain() {
    let none = RuleSet::default();
    println!(
        "\n{:>10} {:>10} {:>10}  quickest of 50; baseline: the analysis alone",
        "baseline", "decided", "limit"
    );
    for piece in ["echo word; ", "ls -la src | head -3\n", "git log --oneline -5 && "] {
        let text = piece.repeat(shapes::LONG / piece.len());
        let text = text.trim_end_matches([' ', '&']);
        // The quickest counts, so that a busy machine does not.
        let quickest = |what: &dyn Fn()| (0..50).map(|_| timed(what)).min().unwrap_or_default();
        let alone = quickest(&|| drop(black_box(analyse(text, &place()))));
        let decided = quickest(&|| decided(text, &none));
        let [alone, decided, limit] = [alone, decided, MOST_PLAIN].map(microseconds);
        println!("{alone:>10} {decided:>10} {limit:>10}  {} characters of {piece:?}", text.len());
    }
}

/// Each in a process of its own, so that one's memory is not another's.
fn report_hostile(texts: &[(String, String)]) {
    let mut all: Vec<_> = texts.iter().enumerate().map(|(number, (name, _))| (alone(number), name)).collect();
    all.sort_unstable_by(|one, other| other.cmp(one));
    let over = all.iter().filter(|((time, mib), _)| *time > MOST_TIME || *mib > MOST_MIB);
    println!(
        "\n{} hostile texts, limit {MOST_TIME:?} and {MOST_MIB} MiB, baseline: the plain ones above; {} over it; the slowest:",
        all.len(),
        over.clone().count()
    );
    for ((time, mib), name) in all.iter().take(8).chain(over.skip(8)) {
        println!("{:>10} {mib:>4} MiB  {name}", microseconds(*time));
    }
}

#[expect(clippy::disallowed_methods, reason = "a bench starts itself")]
fn alone(number: usize) -> (Duration, u64) {
    let program = std::env::current_exe().expect("its own name");
    let output = Command::new(program).arg(number.to_string()).output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let numbers: Vec<u64> = said.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    match numbers.as_slice() {
        [nanoseconds, kib] => (Duration::from_nanos(*nanoseconds), kib / 1024),
        _ => (Duration::MAX, u64::MAX),
    }
}

/// Nanoseconds, and the KiB that the process held at most.
fn one(text: &str) -> String {
    let none = RuleSet::default();
    let time = timed(|| decided(text, &none));
    format!("{} {}", time.as_nanos(), peak_kib(std::process::id()).unwrap_or_default())
}

fn measured(what: impl Fn()) -> Duration {
    median((0..ROUNDS).map(|_| timed(&what)).collect())
}

fn timed(what: impl FnOnce()) -> Duration {
    let begun = Instant::now();
    what();
    begun.elapsed()
}

fn microseconds(time: Duration) -> String {
    format!("{:.1} µs", time.as_secs_f64() * 1e6)
}

fn place() -> Place {
    Place::new(Path::new("/work/project"), Some(Path::new("/home/person")))
}

/// Understood, printed and decided, as for a call.
fn decided(text: &str, rules: &RuleSet) {
    let analysis = analyse(text, &place());
    let subjects: Vec<ResolvedSubject> = analysis.subjects.into_iter().map(Into::into).collect();
    let definition = Definition::new("Bash", "Runs bash commands.");
    let verdict = analysis.critical.map_or(Verdict::Defer, Verdict::AskPerson);
    let request = Request {
        tool: ToolIdentity::from(&definition),
        input: &json!({"command": text}),
        effects: analysis.effects,
        subjects: &subjects,
        verdict: &verdict,
        hook: &HookVerdict::None,
        mode: Mode::Default,
        roots: &Roots::at(Path::new("/work/project"), None),
        trusted: true,
    };
    black_box((decide(rules, &request), analysis.printed));
}

/// Rules of every kind, none of which is about the typical commands.
fn rules(many: usize) -> RuleSet {
    let source = Arc::new(Source::new(Scope::User, Path::new("/home/person")));
    let mut rules = RuleSet::default();
    for (kind, form) in [
        (RuleKind::Deny, "Bash(program% *)"),
        (RuleKind::Deny, "Read(**/secret%/*.key)"),
        (RuleKind::Deny, "Read(//srv/data%/**)"),
        (RuleKind::Ask, "Bash(tool% push *)"),
        (RuleKind::Allow, "Bash(task% run *)"),
    ] {
        let texts: Vec<String> = (0..many / 5).map(|number| form.replace('%', &number.to_string())).collect();
        rules.add_all(kind, texts.iter().map(String::as_str), &source);
    }
    rules
}
