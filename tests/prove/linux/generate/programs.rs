//! Commands of programs that the analysis has rows for: with flags it knows and flags it does not, in clusters, glued to values,
//! shortened, and with operands that are files, folders, links, patterns and other programs.

mod operands;

use self::operands::{OPERANDS, VALUES};
use crate::linux::generate::corpus::Corpus;
use crate::linux::generate::grammar;
use crate::linux::random::Random;

pub(crate) use self::operands::redirect;

pub(crate) fn command(random: &mut Random, corpus: &Corpus) -> String {
    let mut text = simple(random, corpus);
    while random.chance(30) {
        text.push_str(random.word(&[" | ", " | ", " && ", "; ", " || ", "\n"]));
        text.push_str(&simple(random, corpus));
    }
    text
}

/// One program with flags and operands.
pub(crate) fn simple(random: &mut Random, corpus: &Corpus) -> String {
    if random.chance(45) {
        return documented(random, corpus);
    }
    let Some((program, own)) = corpus.program(random) else { return String::new() };
    let mut words = vec![spelled(random, program)];
    for _ in 0..random.below(4) {
        let word = match random.below(10) {
            0..4 => random.word(own).to_owned(),
            4 | 5 => corpus.flag(random, program).unwrap_or_default(),
            6 => letters(random),
            7 => {
                let word = random.word(own);
                shortened(random, word)
            }
            8 => glued(random, own),
            _ => grammar::word(random, corpus, 1),
        };
        words.push(word);
    }
    finished(random, words)
}

/// One with flags that its own help names: in clusters, shortened, with values and without.
fn documented(random: &mut Random, corpus: &Corpus) -> String {
    let Some((program, flags)) = corpus.documented(random) else { return String::new() };
    let short: Vec<&str> = flags.iter().map(|flag| &**flag).filter(|flag| flag.len() == 2).collect();
    let mut words = vec![program.to_owned()];
    for _ in 0..=random.below(3) {
        let Some(flag) = random.of(flags) else { break };
        let value = if random.chance(70) { random.word(OPERANDS) } else { random.word(VALUES) };
        let word = match (flag.strip_suffix('='), random.below(6)) {
            (Some(_), 0..4) => format!("{}{value}", shortened(random, flag)),
            (Some(name), 4) => format!("{name} {value}"),
            (Some(name), _) => name.into(),
            (None, 0) if flag.starts_with("--") => shortened(random, flag),
            (None, 0 | 1) => {
                let more: String =
                    (0..=random.below(3)).map(|_| random.word(&short).trim_start_matches('-')).collect();
                format!("{flag}{more}")
            }
            (None, 2) => format!("{flag} {value}"),
            (None, 3) => format!("{flag}{value}"),
            (None, _) => flag.clone(),
        };
        words.push(word);
    }
    finished(random, words)
}

fn finished(random: &mut Random, mut words: Vec<String>) -> String {
    for _ in 0..random.below(3) {
        words.push(random.word(OPERANDS).into());
    }
    if random.chance(10) {
        words.push(redirect(random).into());
    }
    words.retain(|word| !word.is_empty());
    words.join(" ")
}

fn spelled(random: &mut Random, program: &str) -> String {
    match random.below(30) {
        0 => format!("/bin/{program}"),
        1 => format!("/usr/bin/{program}"),
        2 => format!("\\{program}"),
        3 => format!("'{program}'"),
        4 => format!("command {program}"),
        5 => format!("env {program}"),
        6 => format!("timeout 1 {program}"),
        7 => format!("xargs {program}"),
        8 => format!("time {program}"),
        9 => format!("! {program}"),
        10 => format!("./{program}"),
        11 => format!("builtin {program}"),
        12 => format!("nice {program}"),
        _ => program.into(),
    }
}

/// Flags of one letter in a cluster.
fn letters(random: &mut Random) -> String {
    const LETTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    let mut flag = String::from("-");
    for _ in 0..=random.below(3) {
        let at = random.below(LETTERS.len());
        flag.push_str(LETTERS.get(at..=at).unwrap_or_default());
    }
    flag
}

fn shortened(random: &mut Random, word: &str) -> String {
    let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
    if !name.starts_with("--") {
        return word.into();
    }
    let length = 3 + random.below(name.len().saturating_sub(3) + 1);
    let name = name.get(..length).unwrap_or(name);
    value.map_or_else(|| name.into(), |value| format!("{name}={value}"))
}

/// A flag with the word behind it glued to it.
fn glued(random: &mut Random, own: &[&str]) -> String {
    let flag = random.word(own);
    let value = if random.chance(50) { random.word(own) } else { random.word(OPERANDS) };
    format!("{flag}{value}")
}
