//! Each aid with what it forgives and, beside it, look-alikes that must not be taken.

use proptest::prelude::*;

use super::*;
use crate::logic::overlapping;

/// What the text is after the edit, and what was forgiven; nothing where no place is taken.
fn edited(text: &str, old: &str, new: &str) -> Option<(String, Aid)> {
    assert!(!text.contains(old), "an exact place needs no aid: {old:?}");
    find(text, old, new).map(|found| {
        let mut text = text.to_owned();
        text.replace_range(found.splice.range, &found.splice.text);
        (text, found.aid)
    })
}

fn check(aid: Aid, text: &str, (old, new): (&str, &str), expect: &str) {
    assert_eq!(edited(text, old, new), Some((expect.to_owned(), aid)), "{text:?} {old:?}");
}

fn check_not(text: &str, (old, new): (&str, &str)) {
    assert_eq!(edited(text, old, new), None, "{text:?} {old:?}");
}

#[test]
fn the_last_line_may_lack_its_end() {
    let check = |text, change, expect| check(Aid::LineEnd, text, change, expect);
    check("one\ntwo", ("two\n", "three\n"), "one\nthree");
    check("one\ntwo", ("one\ntwo\n", "one\n"), "one");
    check("one\n  two", ("two\n", ""), "one\n  ");
    check_not("one\ntattoo", ("too\n", "three\n"));
    check_not("one\ntwo\n", ("two\n\n", "three\n"));
    // Without the newline nothing is left to change.
    check_not("one\ntwo", ("two\n", "two"));
    check_not("one\ntwo", ("one\ntwo\n", "one\ntwo"));
}

#[test]
fn blanks_at_line_ends_are_forgiven_and_kept() {
    let check = |text, change, expect| check(Aid::TrailingBlanks, text, change, expect);
    check("one  \ntwo\t\nthree\n", ("one\ntwo\n", "one\n2\n"), "one  \n2\nthree\n");
    check("one  \ntwo\nthree\n", ("one\ntwo", "one\nand\ntwo"), "one  \nand\ntwo\nthree\n");
    check("one  \ntwo\n", ("one\ntwo", "one\ntwo\nmore"), "one  \ntwo\nmore\n");
    check("one \ntwo\nend\n", ("one\ntwo\n", "one\n"), "one \nend\n");
    check("one \ntwo", ("one\ntwo", "one"), "one ");
    check("one\ntwo\nend\n", ("one  \ntwo\nend", "two\nend"), "two\nend\n");
    check("a1 = b \n\n\nc\n", ("a1 = b\n\n\nc\n", "a1 = b\n\nc\n"), "a1 = b \n\nc\n");
    check_not("one two \n", ("two\n", "2\n"));
    check_not("one \ntwo\none\t\ntwo\n", ("one\ntwo\n", "x\n"));
    check_not("}  \n", ("}\n", "};\n"));
}

#[test]
fn quotes_are_forgiven_where_the_new_ones_are_clear() {
    let check = |text, change, expect| check(Aid::Quotes, text, change, expect);
    check(
        "he said \u{201c}no\u{201d} twice\n",
        ("said \"no\" twice", "said \"no\" thrice"),
        "he said \u{201c}no\u{201d} thrice\n",
    );
    check(
        "a \u{201c}b\u{201d} c\n",
        ("a \"b\" c", "a \"b\" (\"d e\", f) c"),
        "a \u{201c}b\u{201d} (\u{201c}d e\u{201d}, f) c\n",
    );
    check("don\u{2019}t go\n", ("don't go", "can't go, won't stay"), "can\u{2019}t go, won\u{2019}t stay\n");
    check("print(\"hey\")\n", ("print(\u{201c}hey\u{201d})", "print(\u{201c}ho\u{201d})"), "print(\"ho\")\n");
    // No quote is in what is new: nothing is to be known.
    check("it\u{2019}s \"so\"\n", ("it's \"so\"", "it's \"so\" now"), "it\u{2019}s \"so\" now\n");
    // One form there, and another kind of quote here.
    check("it\u{2019}s now\n", ("it's now", "it's \"now\""), "it\u{2019}s \"now\"\n");
    check_not("say \u{201c}hi\u{201d} \"hi\"\n", ("say \"hi\" \u{201c}hi\u{201d}", "say \"ho\""));
    check_not(
        "the \u{2018}90s \u{2019}n\u{2019} such\n",
        ("the '90s 'n' such", "the '80s and '70s 'n' such"),
    );
    check_not("key \u{2019}a\u{2019}\nkey \u{2018}a\u{2019}\n", ("key 'a'", "key 'b'"));
    check_not("a \u{2013} b and c\n", ("a - b and c", "a"));
    check_not("f(\u{201a}a\u{2018}, abc)\n", ("f('a', abc)", "f('b', abc)"));
}

#[test]
fn indentation_is_forgiven_where_one_relation_holds() {
    let check = |text, change, expect| check(Aid::Indentation, text, change, expect);
    // Shifted as a whole.
    check(
        "class A:\n    def f():\n        return 1\n",
        ("def f():\n    return 1\n", "def f():\n    x = 2\n    return x\n"),
        "class A:\n    def f():\n        x = 2\n        return x\n",
    );
    check("if a:\n  run()\n", ("    run()\n", "    if b:\n      run()\n"), "if a:\n  if b:\n    run()\n");
    // Tabs for blanks, and the other way round.
    check(
        "f {\n\tone();\n\t\ttwo();\n}\n",
        ("    one();\n        two();\n", "    one();\n\n        three();\n"),
        "f {\n\tone();\n\n\t\tthree();\n}\n",
    );
    check(
        "f {\n    one();\n}\n",
        ("f {\n\tone();\n}", "f {\n\tone();\n\t\ttwo();\n}"),
        "f {\n    one();\n        two();\n}\n",
    );
    check("all:\n\tmake one\n", ("all:\n    make one\n", "all:\n    make two\n"), "all:\n\tmake two\n");
    // Two blanks a step for four.
    check(
        "a:\n  bcd:\n    e: 1\n",
        ("a:\n    bcd:\n        e: 1\n", "a:\n    bcd:\n        e: 2\n    f: 3\n"),
        "a:\n  bcd:\n    e: 2\n  f: 3\n",
    );
    // Lines do not move together: another structure.
    check_not("if a:\n    bcd()\n    e()\n", ("if a:\n    bcd()\ne()\n", "if a:\n    bcd()\n"));
    check_not("  a_one\n   b_two\n", ("a_one\n  b_two\n", "x\n"));
    // The new text does not say how deep: two blanks are no whole tab of four.
    check_not("f {\n\tone();\n}\n", ("    one();\n", "    one();\n  two();\n"));
    check_not("if a:\n  run()\n", ("      run()\n", "  stop()\n"));
    // Twice: which one is not known.
    check_not("a:\n  run(1)\nb:\n    run(1)\n", ("\trun(1)\n", "\trun(2)\n"));
    // Alike, and not the same.
    check_not("    x = compute(a, b)\n", ("\tx = compute(a,b)\n", "\tx = 1\n"));
    check_not("    return Value\n", ("\treturn value\n", "\treturn 1\n"));
    check_not("  }\n", ("\t}\n", "\t})\n"));
}

#[test]
fn blanks_that_only_look_like_those_of_the_keyboard_are_not_forgiven() {
    for indent in ["\u{a0}\u{a0}", "\u{3000}", "\u{2003}", "\u{b}", " \u{a0}", "\u{a0} ", "\t\u{a0}"] {
        check_not(&format!("{indent}return x;\n"), ("  return x;", "  return y;"));
        check_not(&format!("{indent}return x;\n"), ("    return x;\n", "    return y;\n"));
        check_not(&format!("return x;{indent}\n"), ("return x;\n", "return y;\n"));
    }
    // The same on both sides is text.
    check(
        Aid::Indentation,
        "\t\u{a0}x = one;\n",
        ("  \u{a0}x = one;", "  \u{a0}x = two;"),
        "\t\u{a0}x = two;\n",
    );
}

/// Without all that is ever forgiven.
fn bare(text: &str) -> String {
    let straight = |character: char| match character {
        '\u{2018}' | '\u{2019}' => '\'',
        '\u{201c}' | '\u{201d}' => '"',
        other => other,
    };
    text.chars().map(straight).filter(|character| !character.is_whitespace()).collect()
}

const TEXT: &str = "([ab1 \t\n]|[\u{201c}\u{201d}\u{2019}\"']|  |\n\t|\n    |one|two){0,24}";

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is found is the text that was asked for, but for blanks and quotes, and becomes what was wanted.
    #[test]
    fn what_is_taken_differs_in_nothing_else(
        text in TEXT, from in any::<prop::sample::Index>(), to in any::<prop::sample::Index>(),
        noise in "[ \t]{0,3}", new in TEXT, any_old in TEXT,
    ) {
        let lines: Vec<_> = text.split('\n').collect();
        let (from, to) = (from.index(lines.len()), to.index(lines.len()));
        // Some lines of the text, disturbed; or anything at all.
        let part = lines[from.min(to)..=from.max(to)].join(&format!("{noise}\n{noise}"));
        for old in [format!("{noise}{part}"), format!("{part}\n"), part.replace(['\u{201c}', '\u{201d}'], "\""), any_old] {
            if text.contains(&old) || old == new {
                continue;
            }
            if let Some(found) = find(&text, &old, &new) {
                let Splice { range, text: replacement } = found.splice;
                prop_assert!(text.is_char_boundary(range.start) && text.is_char_boundary(range.end));
                let mut after = text.clone();
                after.replace_range(range, &replacement);
                prop_assert_ne!(&after, &text, "nothing was changed");
                let (before, after) = (bare(&text), bare(&after));
                let (old, new) = (bare(&old), bare(&new));
                let possible = overlapping(&before, &old).any(|at| {
                    [&before[..at], &new, &before[at + old.len()..]].concat() == after
                });
                prop_assert!(possible, "{:?} of {:?} became {:?}", old, before, after);
            }
        }
    }
}
