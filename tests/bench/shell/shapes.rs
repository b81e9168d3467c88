//! Texts of 10,000 characters, made to take time or memory: each a piece again and again, or one within another.

/// Characters of a text.
pub(crate) const LONG: usize = 10_000;

/// A piece, again and again. `%` in it is a number that counts up.
const REPEATED: [&str; 62] = [
    "a%=1; ",
    "a%=$a%; ",
    "a=$a$a; ",
    "a=x$a; ",
    "a+=$a; ",
    "a%=$((a%+1)); ",
    "((a%++)); ",
    "export a%=1; ",
    "f%() { f%; }; ",
    "unset a%; ",
    "env ",
    "env a=b ",
    "nice timeout 1 ",
    "sudo ",
    "xargs ",
    "bash -c ",
    "eval ",
    "command ",
    "! ",
    "time ",
    "a=b ",
    "cat a/a/a; ",
    "a/",
    "../",
    "~/",
    "cat a%; ",
    "cd a%; ",
    "cd ..; ",
    "ls | ",
    "ls && ",
    "ls; ",
    "ls & ",
    ">a% ",
    "<a ",
    "2>&1 ",
    "<<<a ",
    "<(ls) ",
    "$(ls) ",
    "`ls` ",
    "$a",
    "${a:-b}",
    "${a[%]}",
    "$((%+1)) ",
    "'a'\"b\"\\c",
    "{a,b}",
    "{1..9}",
    "{a..z} ",
    "* ",
    "?*[a-z]",
    "**/",
    "-name a -o ",
    "-exec cat {} + ",
    "s/a/b/;",
    "(",
    "((",
    "[[ ",
    "\\\n",
    "#\n",
    "\n",
    "é🎉",
    "\"",
    "'",
];

/// One within another: what opens, what stands innermost, what closes.
const NESTED: [(&str, &str, &str); 18] = [
    ("(", "ls", ")"),
    ("{ ", "ls; ", "}; "),
    ("$(", "ls", ")"),
    ("echo \"$(", "ls", ")\""),
    ("echo ${a:-", "b", "}"),
    ("echo \"${a:-", "b", "}\""),
    ("for i in a b; do ", "ls; ", "done; "),
    ("while ls; do ", "ls; ", "done; "),
    ("if ls; then ", "ls; ", "fi; "),
    ("case a in (a) ", "ls ", ";; esac; "),
    ("f() { ", "ls; ", "}; "),
    ("cat <(", "ls", ")"),
    ("echo $((", "1", "))"),
    ("((1+(", "1", ")))"),
    ("{a,", "b", "}"),
    ("[[ ! (", " a ", ") ]]"),
    ("bash -c '", "ls", "'"),
    ("echo ${a[", "1", "]}"),
];

/// What stands before a repeated piece.
const BEFORE: [(&str, &str); 14] = [
    ("find . ", "-name a -o "),
    ("find . ", "-o -type f "),
    ("sed -e '", "s/a/b/;"),
    ("awk '", "{print $1} "),
    ("jq '", ".a|"),
    ("git log ", "--format=%H "),
    ("git -c a=b ", "-c a=b "),
    ("grep -r x ", "a "),
    ("grep ", "-e a "),
    ("echo ", "a* "),
    ("echo \"", "$(ls)"),
    ("cat <<EOF\n", "$a `ls`\n"),
    ("a=x; ", "a=$a$a; cat $a; "),
    ("for i in a b c; do ", "b=$b$i; "),
];

/// All: a name and the text.
pub(crate) fn all() -> Vec<(String, String)> {
    let again = REPEATED.iter().map(|piece| (format!("{piece:?} repeated"), repeated("", piece)));
    let before = BEFORE
        .iter()
        .map(|(before, piece)| (format!("{before:?}, then {piece:?} repeated"), repeated(before, piece)));
    let nested = NESTED.iter().map(|(open, core, close)| {
        let depth = LONG.saturating_sub(core.len()) / (open.len() + close.len());
        let text = format!("{}{core}{}", open.repeat(depth), close.repeat(depth));
        (format!("{open:?} .. {close:?} nested"), text)
    });
    let shallow = [30, 100].into_iter().flat_map(|depth| {
        NESTED.iter().map(move |(open, core, close)| {
            let one = format!("{}{core}{}; ", open.repeat(depth), close.repeat(depth));
            (format!("{open:?} .. {close:?}, {depth} deep, repeated"), repeated("", &one))
        })
    });
    again.chain(before).chain(nested).chain(shallow).collect()
}

/// `before`, then `piece` to the length of a text.
fn repeated(before: &str, piece: &str) -> String {
    let mut text = before.to_owned();
    let mut length = text.chars().count();
    for number in 0.. {
        let next = piece.replace('%', &number.to_string());
        let characters = next.chars().count();
        if length + characters > LONG {
            break;
        }
        length += characters;
        text.push_str(&next);
    }
    text
}
