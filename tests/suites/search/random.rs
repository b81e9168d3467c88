//! Random trees, and random questions about them.

use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Value, json};

/// What is in a tree: paths and bytes.
pub(crate) type Tree = Vec<(String, Vec<u8>)>;

const FOLDERS: &[&str] = &["", "a/", "b/", "a/b/", "a/.h/", "sub dir/", "b/target/", "a/b/c/", "ä/", "-d/"];
const FILES: &[&str] =
    &["x.rs", "y.txt", ".hid", "z.min.js", "ü.md", "Makefile", "X.RS", "-n", "a{b}.c", "t.tar.gz"];
const RULES: &[&str] = &[
    "*.txt",
    "a/",
    "!x.rs",
    "/b",
    "**/y.txt",
    "*.min.*",
    ".h",
    "a/x.rs",
    "# no rule",
    "!a/",
    "sub*",
    "\\!odd",
    "target",
    "*",
    "!*/",
    "!*.rs",
    "b/**",
    "a/**/c",
    "x.rs ",
    "[xy].*",
    "*.RS",
];
const IGNORE_FILES: &[&str] = &[
    ".gitignore",
    ".ignore",
    "a/.gitignore",
    "a/.ignore",
    "a/b/.gitignore",
    "b/.ignore",
    ".git/info/exclude",
];
const WORDS: &[&str] = &[
    "foo", "bar", "FOO", "foo_bar", "é", "É", "", " ", "\t", "x.rs", "foofoo", "(", "ſ", "K", "\u{2028}", "0",
];
const PATTERNS: &[&str] = &[
    "foo",
    "fo+",
    "(?i)bar",
    "^foo",
    "bar$",
    r"\bfoo\b",
    "f.o",
    "[a-f]oo",
    "foo|bar",
    r"\w+_bar",
    "é",
    r"o\s+b",
    "^$",
    ".",
    "foo.*bar",
    r"\(",
    r"^\s*$",
    "k",
    "(foo)+",
    r"[^a-z]$",
    r"\d",
    "foo bar",
    "x",
    r"\Bo",
    "(?-u)o",
    r"\p{L}{3}",
];
const GLOBS: &[&str] = &[
    "*.rs",
    "**/*.rs",
    "*.{rs,txt}",
    "a/*",
    "a/**",
    "**/b/*",
    "*",
    "**/*",
    "?.rs",
    "[xy].*",
    "a/b/**/*",
    "*.RS",
    "x*",
    "**/.h/*",
    "{a,b}/*.rs",
    "a/*/x.rs",
    "sub dir/*",
    "Makefile",
    "**/Makefile",
    "b/**/x.rs",
    "[!x].*",
    "ä/*",
];

/// A tree: some files in some folders, some ignore files, mostly a repository.
pub(crate) fn tree() -> impl Strategy<Value = Tree> {
    let file = (select(FOLDERS), select(FILES), content())
        .prop_map(|(folder, name, bytes)| (format!("{folder}{name}"), bytes));
    let rules = (select(IGNORE_FILES), subsequence(RULES, 1..4))
        .prop_map(|(file, rules)| (file.to_owned(), (rules.join("\n") + "\n").into_bytes()));
    let repository = prop::option::weighted(0.8, Just((".git/HEAD".to_owned(), b"ref: foo\n".to_vec())));
    let inner = prop::option::weighted(0.1, Just(("a/.git/HEAD".to_owned(), b"ref: foo\n".to_vec())));
    let parts = (prop::collection::vec(file, 1..12), prop::collection::vec(rules, 0..4), repository, inner);
    parts.prop_map(|(files, rules, outer, inner)| {
        files.into_iter().chain(rules).chain(outer).chain(inner).collect()
    })
}

/// A file's bytes: lines of words, as text is stored here and there.
fn content() -> impl Strategy<Value = Vec<u8>> {
    let line = prop::collection::vec(select(WORDS), 0..5).prop_map(|words| words.join(" "));
    let text = (prop::collection::vec(line, 0..8), any::<bool>(), prop::bool::weighted(0.2))
        .prop_map(|(lines, ends, crlf)| (lines.join("\n") + if ends { "\n" } else { "" }, crlf))
        .prop_map(|(text, crlf)| if crlf { text.replace('\n', "\r\n") } else { text });
    (text, 0..12_u8, any::<prop::sample::Index>()).prop_map(|(text, kind, index)| stored(&text, kind, index))
}

fn stored(text: &str, kind: u8, index: prop::sample::Index) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    let at = index.index(bytes.len() + 1);
    match kind {
        0 => [b"\xEF\xBB\xBF", text.as_bytes()].concat(),
        1 => format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect(),
        2 => format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_be_bytes).collect(),
        3 => {
            bytes.insert(at, 0);
            // rg searches a line that ends in the first three bytes, where it looks for a mark, before it looks for NUL bytes.
            [b"---", &bytes[..]].concat()
        }
        4 => {
            bytes.insert(at, 0xE9);
            bytes
        }
        // Larger than any buffer, with something to find at both ends.
        5 => [text, "\n", &filler(), text].concat().into_bytes(),
        6 => [text, "\n", &filler(), "\0\n", text].concat().into_bytes(),
        _ => bytes,
    }
}

/// More than a buffer holds, in fewer lines than are shown at most, none so long that it is cut.
fn filler() -> String {
    ("-".repeat(480) + "\n").repeat(500)
}

/// A search: our tool's input, and rg's arguments that ask the same.
pub(crate) fn search() -> impl Strategy<Value = (Value, Vec<String>)> {
    let mode = select(&["content", "files_with_matches", "count"][..]);
    let context = prop::option::weighted(0.3, 0..3_u32);
    (select(PATTERNS), mode, any::<bool>(), prop::bool::weighted(0.2), context).prop_map(
        |(pattern, mode, ignore_case, multiline, context)| {
            let mut input = json!({"pattern": pattern, "output_mode": mode, "head_limit": 0});
            let mut rg = vec![format!("--regexp={pattern}"), "--null".into(), "--no-heading".into()];
            // Where the end of a line matters, it is the same in files of all systems.
            if pattern.contains('$') {
                rg.push("--crlf".into());
            }
            if ignore_case {
                input["-i"] = json!(true);
                rg.push("-i".into());
            }
            // What is counted then are matches, in rg, and lines in which one begins, here.
            // And what matches nothing at all also matches after the last line break, where rg shows the lines around no line.
            if multiline && mode != "count" && !["^$", r"^\s*$"].contains(&pattern) {
                input["multiline"] = json!(true);
                rg.extend(["-U".into(), "--multiline-dotall".into()]);
            }
            match mode {
                "content" => rg.extend(["-n".into(), "-H".into()]),
                "count" => rg.extend(["-c".into(), "-H".into()]),
                _ => rg.push("-l".into()),
            }
            if let (Some(context), "content") = (context, mode) {
                input["-C"] = json!(context);
                rg.push(format!("-C{context}"));
            }
            (input, rg)
        },
    )
}

/// A glob.
pub(crate) fn glob() -> impl Strategy<Value = &'static str> {
    select(GLOBS)
}
