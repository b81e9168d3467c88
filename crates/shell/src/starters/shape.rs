//! Where the command stands that a program starts: behind its own flags, their values and its operands.

use super::{Runs, rows};
use crate::simple::Word;
use crate::started::Place;
use crate::wrapper::base_name;

/// How the flags and operands of a program stand before the command it starts.
struct Shape {
    names: &'static [&'static str],
    /// Letters of flags without a value, and of flags with one.
    plain: &'static str,
    valued: &'static str,
    /// Long flags without a value, and with one that may stand in the next word.
    long: &'static [&'static str],
    long_valued: &'static [&'static str],
    operands: usize,
}

const fn shape(
    names: &'static [&'static str],
    plain: &'static str,
    valued: &'static str,
    operands: usize,
) -> Shape {
    Shape { names, plain, valued, long: &[], long_valued: &[], operands }
}

const SHAPES: &[Shape] = &[
    Shape {
        long: &["--ignore-environment", "--null", "--debug"],
        long_valued: &["--unset", "--chdir", "--argv0"],
        ..shape(&["env", "genv"], "i0v", "uCaP", 0)
    },
    shape(&["nohup", "gnohup", "command", "builtin", "noglob", "nocorrect", "unbuffer"], "pvV", "", 0),
    Shape { long: &["--fork", "--ctty", "--wait"], ..shape(&["setsid"], "cfw", "", 0) },
    shape(&["exec"], "cl", "a", 0),
    Shape { long_valued: &["--adjustment"], ..shape(&["nice", "gnice"], "0123456789", "n", 0) },
    Shape {
        long: &["--foreground", "--preserve-status", "--verbose"],
        long_valued: &["--signal", "--kill-after"],
        ..shape(&["timeout", "gtimeout"], "vfp", "ks", 1)
    },
    Shape { long_valued: &["--input", "--output", "--error"], ..shape(&["stdbuf", "gstdbuf"], "", "ioe", 0) },
    Shape {
        long: &["--ignore"],
        long_valued: &["--class", "--classdata"],
        ..shape(&["ionice"], "t", "cn", 0)
    },
    Shape {
        long: &["--portability", "--verbose", "--append", "--quiet"],
        long_valued: &["--format", "--output"],
        ..shape(&["time", "gtime"], "pvaq", "fo", 0)
    },
    Shape {
        long: &["--preserve-env", "--non-interactive", "--set-home", "--login", "--background"],
        long_valued: &["--user", "--group", "--host", "--prompt", "--chroot", "--chdir"],
        ..shape(&["sudo", "doas"], "AbEHnPSiskBK", "ughpCRDTrt", 0)
    },
    shape(&["npx", "bunx", "pnpx", "uvx", "dotenv", "env-cmd", "cross-env"], "yqs", "p", 0),
    Shape {
        long: &[
            "--null",
            "--no-run-if-empty",
            "--verbose",
            "--interactive",
            "--exit",
            "--open-tty",
            "--show-limits",
            "--replace",
            "--max-lines",
        ],
        long_valued: &[
            "--arg-file",
            "--delimiter",
            "--max-args",
            "--max-procs",
            "--max-chars",
            "--process-slot-var",
        ],
        ..shape(&["xargs", "gxargs"], "0rtpxoeil", "aEILnPsdRJS", 0)
    },
];

/// Where the command stands that the program starts.
pub(crate) fn place_of_command(words: &[Word]) -> Place {
    let Some(program) = words.first().and_then(Word::literal).map(base_name) else { return Place::Nowhere };
    if matches!(program, "find" | "gfind") {
        return Place::BehindActions;
    }
    if let Some(shape) = SHAPES.iter().find(|shape| shape.names.contains(&program)) {
        return shape.place(words);
    }
    if program.starts_with("ld-linux") || program.starts_with("ld.so") {
        return Place::Anywhere;
    }
    let Some(row) = rows(words).next() else { return Place::Nowhere };
    let Some(behind) =
        words.iter().position(|word| word.literal().is_some_and(|word| row.behind.contains(&word)))
    else {
        return if row.runs == Runs::Here { Place::Anywhere } else { behind_host(words, 1) };
    };
    if row.runs == Runs::Elsewhere {
        return behind_host(words, behind + 1);
    }
    let is_flag = |word: &Word| word.literal().is_some_and(|text| text.starts_with('-'));
    let flags = words.iter().skip(behind + 1).take_while(|word| is_flag(word)).count();
    Place::At(behind + 1 + flags)
}

/// The first word that is not known, other than one in the place of the host or container.
fn behind_host(words: &[Word], first: usize) -> Place {
    let mut unknown = (first..words.len())
        .filter(|at| words.get(*at).is_some_and(|word| word.literal().is_none() && word.may_be_flag()));
    let host = unknown.next();
    match (host, unknown.next()) {
        (Some(host), None) if host == first => Place::Nowhere,
        (Some(_), None) | (None, _) => Place::Nowhere,
        (Some(_), Some(at)) => Place::At(at),
    }
}

impl Shape {
    fn place(&self, words: &[Word]) -> Place {
        let mut at = 1;
        let mut operands = 0;
        let mut flags = true;
        while let Some(word) = words.get(at) {
            let text = word.tokens.first().map(|token| token.text.as_str()).unwrap_or_default();
            let sets = self.operands == 0
                && text.split_once('=').is_some_and(|(name, _)| !name.is_empty() && !name.starts_with('-'));
            if flags && text.starts_with('-') && text.len() > 1 {
                if text == "--" {
                    flags = false;
                    at += 1;
                    continue;
                }
                match self.width(text) {
                    Some(width) => at += width,
                    None => return Place::Anywhere,
                }
            } else if sets
                && !matches!(words.first().and_then(Word::literal).map(base_name), Some("xargs" | "gxargs"))
            {
                // `env name=value`, behind which flags are none.
                flags = false;
                at += 1;
            } else if operands < self.operands
                && !(word.literal().is_none()
                    && text.is_empty()
                    && word.tokens.iter().any(|token| token.splits))
            {
                operands += 1;
                flags = false;
                at += 1;
            } else if text == "-" && flags {
                at += 1;
            } else {
                return Place::At(at);
            }
        }
        Place::At(words.len())
    }

    /// How many words a flag takes with its value; none where it is not known.
    fn width(&self, text: &str) -> Option<usize> {
        if text.starts_with("--") {
            let (name, glued) = text.split_once('=').map_or((text, false), |(name, _)| (name, true));
            let is = |names: &[&str]| names.iter().filter(|long| long.starts_with(name)).count() > 0;
            return match (is(self.long), is(self.long_valued)) {
                (_, true) if glued => Some(1),
                (true, false) => Some(1),
                (false, true) => Some(2),
                _ => None,
            };
        }
        let cluster = text.get(1..)?;
        for (index, letter) in cluster.char_indices() {
            if self.valued.contains(letter) {
                let is_last = index + letter.len_utf8() == cluster.len();
                return Some(if is_last { 2 } else { 1 });
            }
            // The rest is its value, which is never another word.
            if self.names.contains(&"xargs") && matches!(letter, 'e' | 'i' | 'l') {
                return Some(1);
            }
            if !self.plain.contains(letter) {
                return None;
            }
        }
        Some(1)
    }
}
