//! Commands that were collected: everyday ones, and attacks.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::linux::generate::tokens;
use crate::linux::random::Random;

const EVERYDAY: &str = include_str!("../../../cases/security/everyday.jsonl");
const HANDED: [&str; 2] = [
    include_str!("../../../cases/security/handed.jsonl"),
    include_str!("../../../cases/security/handed-2.jsonl"),
];

/// A program, and words of its own that do more than reading, or nearly so.
const PROGRAMS: &str = include_str!("../../programs.txt");

/// By program: the flags its help names.
const FLAGS: &str = include_str!("../../flags.txt");

#[derive(Debug)]
pub(crate) struct Corpus {
    programs: Vec<(&'static str, Vec<&'static str>)>,
    documented: Vec<(String, Vec<String>)>,
    everyday: Vec<String>,
    attacks: Vec<String>,
    /// By program: flags it was seen with.
    flags: BTreeMap<String, Vec<String>>,
}

impl Corpus {
    pub(crate) fn read() -> Self {
        let lines =
            |text: &'static str| text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let everyday: Vec<String> = lines(EVERYDAY)
            .filter(|case| case["expected"] == "read")
            .filter_map(|case| case["command"].as_str().map(Into::into))
            .collect();
        let handed = HANDED.into_iter().flat_map(lines).filter(|case| case["input"]["tool"] == "Bash");
        let attacks: Vec<String> =
            handed.filter_map(|case| case["input"]["command"].as_str().map(Into::into)).collect();
        let mut flags: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for text in everyday.iter().chain(&attacks) {
            let mut program = None;
            for word in text.split_whitespace() {
                if matches!(word, "|" | "&&" | ";" | "||") {
                    program = None;
                } else if program.is_none() {
                    program = Some(word.to_owned());
                } else if let Some(program) = program.as_ref().filter(|_| word.starts_with('-')) {
                    flags.entry(program.clone()).or_default().insert(word.into());
                }
            }
        }
        let flags =
            flags.into_iter().map(|(program, flags)| (program, flags.into_iter().collect())).collect();
        let documented = FLAGS.lines().filter_map(|line| line.split_once('\t'));
        let documented = documented
            .map(|(program, flags)| (program.into(), flags.split(' ').map(Into::into).collect()))
            .collect();
        let programs = PROGRAMS.lines().filter_map(|line| {
            let mut words = line.split('\t');
            Some((words.next()?, words.collect()))
        });
        Self { programs: programs.collect(), documented, everyday, attacks, flags }
    }

    pub(crate) fn everyday(&self, random: &mut Random) -> String {
        random.of(&self.everyday).cloned().unwrap_or_default()
    }

    pub(crate) fn attack(&self, random: &mut Random) -> String {
        random.of(&self.attacks).cloned().unwrap_or_default()
    }

    /// A program, and words of its own.
    pub(crate) fn program(&self, random: &mut Random) -> Option<(&'static str, &[&'static str])> {
        let (program, words) = random.of(&self.programs)?;
        Some((program, words))
    }

    /// A flag that the program was seen with.
    pub(crate) fn flag(&self, random: &mut Random, program: &str) -> Option<String> {
        random.of(self.flags.get(program)?).cloned()
    }

    /// A program with the flags that its help names.
    pub(crate) fn documented(&self, random: &mut Random) -> Option<(&str, &[String])> {
        let (program, flags) = random.of(&self.documented)?;
        Some((program, flags))
    }

    /// Some pieces of a collected text.
    pub(crate) fn piece(&self, random: &mut Random) -> String {
        let text = if random.chance(50) { self.everyday(random) } else { self.attack(random) };
        let pieces = tokens(&text);
        let from = random.below(pieces.len());
        let length = 1 + random.below(8);
        pieces.iter().skip(from).take(length).copied().collect()
    }
}
