//! Programs that run another: which are looked through for allowing, and which for denying.

use std::borrow::Cow;

use crate::simple::Word;
use crate::word::Token;

/// What is left of a command without its transparent wrappers.
#[derive(Debug)]
pub(crate) struct Stripped<'w> {
    pub(crate) words: Cow<'w, [Word]>,
    /// `xargs` was among them: more words come from its input.
    pub(crate) piped: bool,
    /// Those that were taken away.
    pub(crate) wrappers: Vec<String>,
}

/// Takes away the wrappers that change nothing an allow rule speaks of. A flag that is not known stops it.
pub(crate) fn strip(words: &[Word]) -> Stripped<'_> {
    let mut rest = words;
    let mut piped = false;
    let mut wrappers = Vec::new();
    while let Some(after) = one_off(rest) {
        let wrapper = rest.first().and_then(Word::literal).unwrap_or_default();
        piped |= wrapper == "xargs";
        wrappers.push(wrapper.to_owned());
        rest = after;
    }
    let mut words = Cow::Borrowed(rest);
    if piped {
        // The unseen words are no part of the text that rules match.
        words.to_mut().push(Word::new("", vec![Token::handed_words()]));
    }
    Stripped { words, piped, wrappers }
}

/// The words after one transparent wrapper; none where the first word is none, or nothing follows.
pub(crate) fn one_off(words: &[Word]) -> Option<&[Word]> {
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

/// `/usr/bin/rm x` as `rm x`; the arguments stay.
pub(crate) fn base_name(text: &str) -> &str {
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
