//! Views as lines, at a width or none.

use toolwright_core::{Role, View};
use toolwright_render::{Layout, Paint, lines};

fn layout(width: Option<usize>, fold: Option<usize>) -> Layout {
    Layout { width, fold, cwd: "/home/p".into() }
}

fn drawn(view: &View, layout: &Layout, paint: Paint) -> String {
    let lines: Vec<_> = lines(view, layout).iter().map(|line| line.paint(paint)).collect();
    lines.join("\n")
}

fn check(view: View, width: Option<usize>, fold: Option<usize>, expect: &str) {
    assert_eq!(drawn(&view, &layout(width, fold), Paint::Plain), expect, "{view:?}");
}

fn line(words: &[(Role, &str)]) -> View {
    View::Line(words.iter().map(|(role, text)| (*role, (*text).to_owned())).collect())
}

fn diff(before: &str, after: &str) -> View {
    View::Diff { path: "/home/p/src/a.rs".into(), first_line: 9, before: before.into(), after: after.into() }
}

#[test]
fn words_stand_apart_and_paths_are_relative() {
    check(line(&[(Role::Name, "Read"), (Role::Path, "/home/p/src/a.rs")]), None, None, "Read src/a.rs");
    check(line(&[(Role::Name, "Read"), (Role::Path, "/etc/hosts")]), None, None, "Read /etc/hosts");
    check(line(&[(Role::Plain, "in"), (Role::Path, "/home/p")]), None, None, "in .");
    check(line(&[(Role::Path, "/home/people/x")]), None, None, "/home/people/x");
    check(line(&[(Role::Name, "Bash"), (Role::Plain, " "), (Role::Command, "ls")]), None, None, "Bash ls");
    check(line(&[(Role::Path, "a.rs"), (Role::Muted, ", "), (Role::Count, "3")]), None, None, "a.rs, 3");
    check(line(&[(Role::Plain, "")]), None, None, "");
    check(View::Nothing, None, None, "");
}

#[test]
fn no_word_makes_a_line_that_is_not_its_own() {
    check(line(&[(Role::Path, "a\n● Read b")]), None, None, "a␊● Read b");
    check(line(&[(Role::Command, "echo a\nrm b")]), None, None, "echo a\n  rm b");
    check(line(&[(Role::Command, "ls \u{202e}x\u{1b}[8m")]), None, None, "ls ⟨U+202E⟩x␛[8m");
}

#[test]
fn a_paragraph_is_a_block_and_a_call_is_set_in() {
    check(View::words(Role::Error, "one two three\nfour"), Some(10), None, "one two\nthree\nfour");
    check(
        line(&[(Role::Name, "Read"), (Role::Plain, "one two three")]),
        Some(10),
        None,
        "Read one\n  two\n  three",
    );
}

#[test]
fn long_output_is_folded_with_a_mark() {
    let text: String = (1..=125).map(|number| format!("line {number}\n")).collect();
    check(View::code(None, text), None, Some(2), "line 1\nline 2\n… 123 more lines");
    check(View::code(None, "a\nb\nc"), None, Some(2), "a\nb\nc");
    check(View::code(None, "a\n\nb\n"), None, None, "a\n\nb");
    check(View::code(None, ""), None, None, "");
}

#[test]
fn a_line_without_end_takes_a_few_rows() {
    let rows = format!("{}… 40 more columns", "xxxxxxxxxx\n".repeat(6));
    check(View::code(None, "x".repeat(100)), Some(10), Some(20), &rows);
    check(View::code(None, "x".repeat(25)), Some(10), None, "xxxxxxxxxx\nxxxxxxxxxx\nxxxxx");
}

#[test]
fn code_has_the_numbers_of_its_file() {
    let code = |first_line| View::Code {
        language: Some("rust".into()),
        text: "fn a() {\n\tb()\n}\n".into(),
        first_line,
    };
    check(code(Some(9)), None, None, " 9  fn a() {\n10      b()\n11  }");
    check(code(None), None, None, "fn a() {\n    b()\n}");
    check(code(Some(9)), Some(12), None, " 9  fn a() {\n10      b()\n11  }");
    check(
        View::Code { language: None, text: "漢字漢字漢字".into(), first_line: Some(1) },
        Some(11),
        None,
        "1  漢字漢字\n   漢字",
    );
}

#[test]
fn colours_of_output_go_and_those_of_code_show() {
    check(View::code(None, "\u{1b}[31mred\u{1b}[0m"), None, None, "red");
    check(View::code(Some("bash"), "\u{1b}[31mred"), None, None, "␛[31mred");
}

#[test]
fn a_diff_has_numbers_and_counts() {
    check(
        diff("a\nb\nc\n", "a\nB\nc\nd\n"),
        None,
        None,
        "src/a.rs +2 -1\n 9    a\n10  - b\n10  + B\n11    c\n12  + d",
    );
    check(diff("", "new\n"), None, None, "src/a.rs +1\n9  + new");
    check(diff("same\n", "same"), None, None, "src/a.rs unchanged");
    check(diff("a\r\nb\r\n", "a\r\nc\r\n"), None, None, "src/a.rs +1 -1\n 9    a\n10  - b\n10  + c");
    check(diff("a\r\n", "a\n"), None, None, "src/a.rs +1 -1\n9  - a␍\n9  + a");
}

#[test]
fn far_parts_of_a_diff_are_left_out() {
    let before: String = (0..20).map(|number| format!("{number}\n")).collect();
    let after = before.replacen("0\n", "zero\n", 1).replace("19\n", "nineteen\n");
    insta::assert_snapshot!(drawn(&diff(&before, &after), &layout(None, None), Paint::Plain));
}

#[test]
fn changed_words_are_marked() {
    let painted = drawn(
        &diff("let total = add(one, two);\n", "let total = sub(one, two);\n"),
        &layout(Some(60), None),
        Paint::Ansi,
    );
    insta::assert_snapshot!(painted.replace('\u{1b}', "^"));
}

#[test]
fn a_match_is_part_of_its_line() {
    let found = [(Role::Muted, "2 "), (Role::Plain, "let pre"), (Role::Match, "fix"), (Role::Plain, "ed;")];
    check(line(&found), None, None, "2 let prefixed;");
    check(
        line(&[(Role::Name, "Grep"), (Role::Match, "fix"), (Role::Muted, "in")]),
        None,
        None,
        "Grep fix in",
    );
}

#[test]
fn roles_have_styles() {
    let view = View::List(vec![
        line(&[(Role::Name, "Name"), (Role::Path, "path"), (Role::Command, "command"), (Role::Count, "3")]),
        line(&[
            (Role::Match, "match"),
            (Role::Muted, "muted"),
            (Role::Warning, "warning"),
            (Role::Error, "error"),
        ]),
        line(&[(Role::Plain, "plain \u{200b}")]),
    ]);
    insta::assert_snapshot!(drawn(&view, &layout(None, None), Paint::Ansi).replace('\u{1b}', "^"));
}
