//! What the files are that flags of programs name: written, or lists of files that are then read. That a flag's value is read
//! needs no row: every word that names a file is taken for one that is.

use toolwright_core::PathAccess;

use crate::word::Token;

/// The flags of some programs whose values are files: one-letter ones, glued to their value or before it, and long ones.
struct Row {
    programs: &'static [&'static str],
    /// The file names others, and those are read.
    lists: &'static [&'static str],
    /// The file is read, whichever it is: a value that is not known may be any.
    reads: &'static [&'static str],
    /// The file is written.
    writes: &'static [&'static str],
    /// Other one-letter flags with a value: what is glued to one is no flag.
    valued: &'static str,
}

impl Row {
    const fn of(programs: &'static [&'static str]) -> Self {
        Self { programs, lists: &[], reads: &[], writes: &[], valued: "" }
    }
}

const ROWS: &[Row] = &[
    Row {
        lists: &["-T", "--files-from"],
        reads: &["-X", "--exclude-from"],
        valued: "CFHIKLNVbf",
        ..Row::of(&["tar", "bsdtar", "gtar"])
    },
    Row {
        lists: &["--files-from", "--include-from"],
        reads: &["--exclude-from", "--password-file"],
        ..Row::of(&["rsync"])
    },
    Row { lists: &["-@", "--names-stdin"], writes: &["-O", "--out"], ..Row::of(&["zip"]) },
    Row { lists: &["-i", "--include"], ..Row::of(&["7z", "7za", "7zz"]) },
    Row { lists: &["--files0-from"], ..Row::of(&["wc", "du"]) },
    Row {
        lists: &["--files0-from"],
        reads: &["--random-source"],
        writes: &["-o", "--output"],
        valued: "STkt",
        ..Row::of(&["sort"])
    },
    Row {
        lists: &["-K", "--config"],
        reads: &[
            "-d",
            "--data",
            "--data-ascii",
            "--data-binary",
            "--data-urlencode",
            "--json",
            "-F",
            "--form",
            "-T",
            "--upload-file",
            "-b",
            "--cookie",
            "-E",
            "--cert",
            "--key",
            "--cacert",
            "--netrc-file",
        ],
        writes: &[
            "-o",
            "--output",
            "-D",
            "--dump-header",
            "-c",
            "--cookie-jar",
            "--trace",
            "--trace-ascii",
            "--stderr",
        ],
        valued: "ACHIPQUXYehmrtuwxyz",
        ..Row::of(&["curl"])
    },
    Row {
        lists: &["--config"],
        reads: &[
            "--post-file",
            "--body-file",
            "-i",
            "--input-file",
            "--load-cookies",
            "--certificate",
            "--private-key",
        ],
        writes: &[
            "-O",
            "--output-document",
            "-o",
            "--output-file",
            "-a",
            "--append-output",
            "--save-cookies",
        ],
        valued: "BDAIPQRTUXtw",
        ..Row::of(&["wget", "wget2"])
    },
    Row { lists: &["-i", "--input-file"], writes: &["-o", "--out"], ..Row::of(&["aria2c"]) },
    Row {
        writes: &["-o", "--output"],
        valued: "BDILTUWXefglmx",
        ..Row::of(&[
            "gcc", "g++", "cc", "c++", "clang", "clang++", "ld", "as", "rustc", "go", "shuf", "gpg", "age",
            "cpp",
        ])
    },
    Row { writes: &["-out", "-keyout"], ..Row::of(&["openssl"]) },
    Row { writes: &["-o", "-r"], ..Row::of(&["patch", "tree", "sdiff", "less", "iconv"]) },
    Row {
        lists: &["-a", "--arg-file"],
        valued: "EILPdeijlns",
        ..Row::of(&["xargs", "gxargs", "parallel", "rush"])
    },
    Row {
        lists: &["--pathspec-from-file"],
        reads: &["-F", "--file"],
        valued: "CGLSUcmn",
        ..Row::of(&["git"])
    },
    Row { reads: &["-f", "--slurpfile", "--rawfile", "--from-file"], ..Row::of(&["jq", "yq"]) },
    Row { reads: &["-init"], lists: &[], ..Row::of(&["sqlite3"]) },
    Row {
        reads: &["-f", "--filename", "--from-file", "--from-env-file"],
        ..Row::of(&["kubectl", "oc", "helm"])
    },
    Row { reads: &["--env-file"], ..Row::of(&["docker", "podman", "nerdctl", "node", "bun", "deno", "tsx"]) },
];

/// What the values of flags are. None: not known which file.
pub(super) fn named(program: &str, arguments: &[Token]) -> Vec<(Option<String>, PathAccess)> {
    let mut named = Vec::new();
    for row in ROWS.iter().filter(|row| row.programs.contains(&program)) {
        if !row.lists.is_empty() && values(row.lists, row.valued, arguments).next().is_some() {
            named.push((None, PathAccess::Read));
        }
        let unknown = |value: &Value<'_>| matches!(value, Value::Unknown);
        if !row.reads.is_empty() && values(row.reads, row.valued, arguments).any(|value| unknown(&value)) {
            named.push((None, PathAccess::Read));
        }
        if !row.writes.is_empty() {
            named.extend(values(row.writes, row.valued, arguments).map(|value| match value {
                Value::Known(text) => (Some(text.to_owned()), PathAccess::Write),
                Value::Unknown => (None, PathAccess::Write),
            }));
        }
    }
    // Compilers, linkers, archivers and what is written in Java take more words from a file: which, nobody sees here.
    if reads_response_file(program) && arguments.iter().any(|token| token.text.starts_with('@')) {
        named.push((None, PathAccess::Read));
    }
    named.retain(|(path, access)| *access != PathAccess::Write || path.as_deref() != Some("-"));
    named
}

enum Value<'t> {
    Known(&'t str),
    Unknown,
}

fn reads_response_file(program: &str) -> bool {
    const THOSE: [&str; 26] = [
        "gcc", "g++", "cc", "c++", "clang", "clang++", "ld", "lld", "gold", "as", "ar", "ranlib", "nm",
        "objdump", "objcopy", "strip", "size", "readelf", "java", "javac", "jar", "javadoc", "rustc", "7z",
        "7za", "7zz",
    ];
    THOSE.contains(&program)
}

/// The values of these flags. `--files-f` is `--files-from`; `-xTlist` and `-xT list` have one where `-T` takes one.
fn values<'t>(
    flags: &'static [&'static str],
    valued: &'static str,
    arguments: &'t [Token],
) -> impl Iterator<Item = Value<'t>> {
    let next = |at: usize| match arguments.get(at + 1) {
        Some(token) if token.exact && !token.glob => Value::Known(&token.text),
        _ => Value::Unknown,
    };
    arguments.iter().enumerate().filter_map(move |(at, token)| {
        let text = token.text.as_str();
        let glued = |value: &'t str| if token.exact { Value::Known(value) } else { Value::Unknown };
        if flags.contains(&text) {
            return Some(next(at));
        }
        if let Some(long) = text.strip_prefix("--") {
            let (name, value) =
                long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
            let means = |flag: &&str| flag.strip_prefix("--").is_some_and(|flag| flag.starts_with(name));
            let meant = name.len() > 2 && flags.iter().any(means);
            return meant.then(|| value.map_or_else(|| next(at), glued));
        }
        let cluster = text.strip_prefix('-')?;
        let letters = flags.iter().filter_map(|flag| flag.strip_prefix('-').filter(|flag| flag.len() == 1));
        let found = letters.filter_map(|letter| cluster.find(letter)).min()?;
        // What stands before it must be flags without a value; a longer word is a value of one.
        let before = cluster.get(..found)?;
        if !before.bytes().all(|byte| byte.is_ascii_alphanumeric())
            || before.contains(|letter| valued.contains(letter))
        {
            return None;
        }
        let value = cluster.get(found + 1..)?;
        Some(if value.is_empty() && token.exact { next(at) } else { glued(value) })
    })
}
