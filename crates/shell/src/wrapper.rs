//! Programs that run another: which are looked through for allowing, which for denying, and literal scripts.

use crate::parse;
use crate::simple::{Word, bare_text, raw_text};
use crate::word::Token;

/// What is left of a command without its transparent wrappers.
pub(crate) struct Stripped {
    pub(crate) words: Vec<Word>,
    /// `xargs` was among them: more words come from its input.
    pub(crate) piped: bool,
    /// Those that were taken away.
    pub(crate) wrappers: Vec<String>,
}

/// Takes away the wrappers that change nothing an allow rule speaks of. A flag that is not known stops it.
pub(crate) fn strip(words: &[Word]) -> Stripped {
    let mut rest = words;
    let mut piped = false;
    let mut wrappers = Vec::new();
    while let Some(after) = one_off(rest) {
        let wrapper = rest.first().and_then(Word::literal).unwrap_or_default();
        piped |= wrapper == "xargs";
        wrappers.push(wrapper.to_owned());
        rest = after;
    }
    let mut words = rest.to_vec();
    if piped {
        words.push(Word { raw: String::new(), tokens: vec![Token::unknown_words()] });
        // The unseen words are no part of the text that rules match.
        if let Some(last) = words.last_mut() {
            last.raw.clear();
        }
    }
    Stripped { words, piped, wrappers }
}

/// The words after one transparent wrapper; none where the first word is none, or nothing follows.
fn one_off(words: &[Word]) -> Option<&[Word]> {
    let mut rest = words.get(1..)?;
    let program = words.first()?.literal()?;
    match program {
        "time" | "nohup" | "command" | "builtin" | "noglob" | "xargs" => {
            if program == "time" && rest.first()?.literal() == Some("-p") {
                rest = rest.get(1..)?;
            }
            if rest.first()?.literal() == Some("--") && program != "xargs" {
                rest = rest.get(1..)?;
            }
        }
        "nice" => {
            if let Some(flag) = rest.first()?.literal().filter(|word| word.starts_with('-')) {
                let number = |text: &str| !text.is_empty() && text.parse::<i32>().is_ok();
                if flag == "-n" {
                    rest.get(1)?.literal().filter(|value| number(value))?;
                    rest = rest.get(2..)?;
                } else {
                    let value = flag
                        .strip_prefix("-n")
                        .or(flag.strip_prefix("--adjustment="))
                        .or(flag.strip_prefix('-'))?;
                    number(value).then_some(())?;
                    rest = rest.get(1..)?;
                }
            }
        }
        "stdbuf" => {
            let mut any = false;
            while let Some(flag) = rest.first()?.literal().filter(|word| word.starts_with('-')) {
                let mode = flag.strip_prefix("-o").or(flag.strip_prefix("-e")).or(flag.strip_prefix("-i"))?;
                (mode == "L" || (!mode.is_empty() && mode.bytes().all(|byte| byte.is_ascii_digit())))
                    .then_some(())?;
                rest = rest.get(1..)?;
                any = true;
            }
            any.then_some(())?;
        }
        "timeout" => {
            while let Some(flag) = rest.first()?.literal().filter(|word| word.starts_with('-')) {
                rest = match flag {
                    "-k" | "-s" | "--signal" | "--kill-after" => rest.get(2..)?,
                    "--foreground" | "--preserve-status" | "-v" | "--verbose" => rest.get(1..)?,
                    glued if glued.starts_with("--signal=") || glued.starts_with("--kill-after=") => {
                        rest.get(1..)?
                    }
                    _ => return None,
                };
            }
            let duration = rest.first()?.literal()?;
            duration.starts_with(|first: char| first.is_ascii_digit()).then_some(())?;
            rest = rest.get(1..)?;
        }
        _ => return None,
    }
    // What follows must be a program, not a flag of the wrapper (`command -v x`).
    let next = rest.first()?.literal()?;
    (!next.starts_with('-')).then_some(rest)
}

/// Programs that run what stands among their arguments. An allow rule for one of them is about it alone; rules that deny
/// look at everything that could be the command it runs.
const RUNNERS: [&str; 24] = [
    "env", "sudo", "doas", "watch", "ionice", "setsid", "flock", "busybox", "xargs", "chrt", "taskset",
    "runuser", "su", "unshare", "strace", "ltrace", "parallel", "find", "fd", "fdfind", "nsenter", "chroot",
    "exec", "toybox",
];

/// Every form a deny or ask rule may match.
pub(crate) fn deny_forms(words: &[Word]) -> Vec<String> {
    let mut forms = Vec::new();
    let mut rest = words;
    loop {
        add_forms(rest, &mut forms);
        match one_off(rest) {
            Some(after) => rest = after,
            None => break,
        }
    }
    let program = rest.first().and_then(Word::literal).map(base_name).unwrap_or_default();
    let wraps = ["timeout", "nice", "nohup", "stdbuf", "command", "builtin", "time", "script"];
    if RUNNERS.contains(&program) || wraps.contains(&program) {
        for start in 1..rest.len() {
            add_forms(rest.get(start..).unwrap_or_default(), &mut forms);
        }
    }
    forms.retain(|form| !form.is_empty());
    forms
}

fn add_forms(words: &[Word], forms: &mut Vec<String>) {
    let bare = bare_text(words);
    let short = base_name(&bare).to_owned();
    for form in [raw_text(words), bare.clone(), short] {
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
}

/// `/usr/bin/rm x` as `rm x`; the arguments stay.
fn base_name(text: &str) -> &str {
    let program = text.split(' ').next().unwrap_or_default();
    let start = program.rfind('/').map_or(0, |slash| slash + 1);
    text.get(start..).unwrap_or(text)
}

/// Whether only a rule with the exact text may allow it.
pub(crate) fn only_exact(program: &str, tokens: &[Token]) -> bool {
    const FIND_RUNS: [&str; 5] = ["-exec", "-execdir", "-ok", "-okdir", "-delete"];
    match base_name(program) {
        "watch" | "setsid" | "ionice" | "flock" => true,
        "find" => tokens.iter().any(|token| !token.exact || FIND_RUNS.contains(&token.text.as_str())),
        _ => false,
    }
}

/// The texts that shells and `eval` among the words would run, where they are literal.
pub(crate) fn literal_scripts(words: &[Word]) -> Vec<String> {
    let mut scripts = Vec::new();
    let runs = |word: &Word| {
        word.literal().map(base_name).is_some_and(|name| {
            RUNNERS.contains(&name)
                || name == "timeout"
                || name == "nice"
                || name == "nohup"
                || name == "command"
                || name == "builtin"
                || name == "stdbuf"
                || name == "time"
        })
    };
    let behind = words.first().is_some_and(runs);
    for (start, word) in words.iter().enumerate().take(if behind { words.len() } else { 1 }) {
        let rest = words.get(start + 1..).unwrap_or_default();
        match word.literal().map(base_name) {
            Some("eval" | "trap") => {
                let text = rest.iter().map(Word::literal).collect::<Option<Vec<_>>>();
                let text = text.map(|text| text.join(" "));
                scripts.extend(text.filter(|text| parse::program(text).is_ok()));
            }
            Some("sh" | "bash" | "dash" | "zsh" | "ksh") => {
                let flag = rest.iter().position(|word| {
                    word.literal().is_some_and(|flag| {
                        flag.starts_with('-') && !flag.starts_with("--") && flag.contains('c')
                    })
                });
                scripts.extend(flag.and_then(|flag| rest.get(flag + 1)?.literal()).map(str::to_owned));
            }
            _ => {}
        }
    }
    scripts
}
