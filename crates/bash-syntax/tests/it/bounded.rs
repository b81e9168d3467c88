//! Texts of any shape are read in time that grows with their length alone, and without a deep stack.

use std::time::{Duration, Instant};

use toolwright_bash_syntax::{parse, print};

/// What opens, what stands within, what closes: nested as deep as the length lets it.
const NESTED: &[(&str, &str, &str)] = &[
    ("(", "a", ")"),
    ("((", "1", "))"),
    ("( ", "a", " )"),
    ("{ ", "a; ", "} "),
    ("$(", "a", ")"),
    ("echo $(", "a", ")"),
    ("\"$(echo ", "a", ")\""),
    ("$((", "1", "))"),
    ("$[", "1", "]"),
    ("echo $((1+(", "1", ")))"),
    ("${a:-", "b", "}"),
    ("\"${a:-", "b", "}\""),
    ("${a#", "b", "}"),
    ("${a/", "b", "}"),
    ("${a[", "1", "]}"),
    ("<(", "a", ")"),
    ("`", "a", "`"),
    ("echo {a,", "b", "}"),
    ("{a,{b,", "c", "}}"),
    ("a=(", "b", ")"),
    ("[[ ( ", "a", " ) ]]"),
    ("[[ ! ", "a", " ]]"),
    ("if a; then ", "b; ", "fi;"),
    ("while a; do ", "b; ", "done;"),
    ("for i in a; do ", "b; ", "done;"),
    ("case a in a) ", "b ", ";; esac;"),
    ("f() { ", "a; ", "};"),
    ("cat <(cat <<<\"$(", "a", ")\")"),
    ("! ", "a", ""),
    ("time ", "a", ""),
    ("a[", "1", "]=1"),
    ("((a=", "1", "))"),
    ("$((a?", "1", ":2))"),
    ("$((-", "1", "))"),
];

/// Repeated as often as the length lets it.
const REPEATED: &[&str] = &[
    "a ",
    "a;",
    "a\n",
    "a|",
    "a&&",
    "a & ",
    "'",
    "\"",
    "'a'",
    "\"a\"",
    "\\",
    "\\\n",
    "$",
    "$$",
    "$a",
    "${a}",
    "{a,b}",
    "{",
    "}",
    ",",
    "{,",
    "{1..2}",
    "..",
    "#",
    " # ",
    "a # b\n",
    "<<a ",
    "cat <<a\nb\na\n",
    "cat <<-'a'\n\tb\na\n",
    "<<<a ",
    ">a ",
    "2>&1 ",
    "a=b ",
    "a[1]=b ",
    "a=(b) ",
    "[",
    "]",
    "a[",
    "[[ a == b ]]\n",
    "((1))\n",
    "$((1+1))",
    "`a`",
    "\\`",
    "$'a'",
    "~",
    "~:",
    "*",
    "?",
    "!",
    "! ",
    "(",
    ")",
    "$(",
    "${",
    "$((",
    "$[",
    "<(",
    "é",
    "\t",
    "\u{1}",
    "((",
    "[[ ",
    "case a in ",
    "a) ;; ",
    "f() ",
    "if ",
    "x=$(a) ",
    "\"${a:-'b'}\"",
    "${a/b/c}",
    "${a:1:2}",
    "1+",
    "$((1+",
    "a='",
    "a=\"",
    "in ",
    "do ",
    "&&",
    "||",
    ";;",
    "{a}>b ",
];

fn shapes(length: usize) -> impl Iterator<Item = (String, String)> {
    let nested = NESTED.iter().flat_map(move |(open, inner, close)| {
        let times = length / (open.len() + close.len()).max(1);
        let whole = format!("{}{inner}{}", open.repeat(times), close.repeat(times));
        let half = open.repeat(length / open.len());
        [(format!("nested {open}"), whole), (format!("open {open}"), half)]
    });
    let repeated = REPEATED.iter().flat_map(move |piece| {
        let text = piece.repeat(length / piece.len());
        [(format!("word {piece:?}"), format!("echo {text}")), (format!("repeated {piece:?}"), text)]
    });
    nested.chain(repeated)
}

/// The longest time of all shapes, and whose it was.
fn slowest(length: usize) -> (Duration, String) {
    let mut slowest = (Duration::ZERO, String::new());
    for (name, text) in shapes(length) {
        // The best of three, where the first is slow: other tests run at the same time.
        let mut taken = time(&text);
        if taken > slowest.0 {
            taken = taken.min(time(&text)).min(time(&text));
        }
        if taken > slowest.0 {
            slowest = (taken, name);
        }
    }
    slowest
}

fn time(text: &str) -> Duration {
    let start = Instant::now();
    let parsed = parse(text);
    if parsed.error.is_none() {
        drop(print(&parsed.script));
    }
    start.elapsed()
}

/// In a thread with the stack of a thread, not that of the first one.
fn in_small_stack(check: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(check).expect("a thread");
    thread.join().expect("no stack is overflown");
}

#[test]
fn ten_thousand_characters_of_any_shape() {
    in_small_stack(|| {
        let (taken, shape) = slowest(10_000);
        println!("10,000 characters: at most {taken:?}, {shape}");
        // Without optimisation and beside other tests; optimised, it is a fiftieth of that.
        assert!(taken < Duration::from_secs(1), "{shape} takes {taken:?}");
    });
}

#[test]
fn long_texts_take_no_quadratic_time() {
    in_small_stack(|| {
        let (taken, shape) = slowest(100_000);
        println!("100,000 characters: at most {taken:?}, {shape}");
        assert!(taken < Duration::from_secs(5), "{shape} takes {taken:?}");
    });
}
