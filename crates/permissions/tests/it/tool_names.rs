//! Rules whose tool does not exist.

use toolwright_permissions::RuleKind;

use crate::support::rules;

const TOOLS: [&str; 5] = ["Bash", "Read", "Edit", "Note", "Task"];

fn said(line: &str) -> Option<String> {
    let rules = rules(line);
    let mut warnings = rules.warnings_on_tools(&TOOLS).into_iter();
    let first = warnings.next().map(|(_, warning)| warning);
    assert_eq!(warnings.next(), None, "{line}");
    first
}

#[test]
fn a_rule_for_no_tool_is_told_with_the_nearest_name() {
    for (rule, nearest) in [
        ("bash(rm *)", "Bash"),
        ("BASH", "Bash"),
        ("Bsah", "Bash"),
        ("Bsh(oops)", "Bash"),
        ("Execute(ls *)", "Bash"),
        ("Shell", "Bash"),
        ("read(./a)", "Read"),
        ("READ(./a)", "Read"),
        ("Reed(./a)", "Read"),
        ("Raed(./a.txt)", "Read"),
        ("View(./a)", "Read"),
        ("note", "Note"),
        ("webfetch(domain:a.b)", "WebFetch"),
        ("Eidt(a)", "Edit"),
        ("bash rm", "Bash"),
        ("reed\trm", "Read"),
    ] {
        let expect = format!("names no tool there is and denies nothing; did you mean `{nearest}`?");
        assert_eq!(said(&format!("deny {rule}")), Some(expect), "{rule}");
    }
    for rule in ["A B", "Frobnicate(x)", "toString", "x*", "Execute*"] {
        let expect = "names no tool there is and asks about nothing";
        assert_eq!(said(&format!("ask {rule}")).as_deref(), Some(expect), "{rule}");
    }
    assert_eq!(said("allow Qux(a)").as_deref(), Some("names no tool there is and allows nothing"));
}

#[test]
fn a_rule_for_a_tool_of_another_build_or_a_server_is_none_of_these() {
    for rule in [
        "Bash(rm *)",
        "Read",
        "Note(x)",
        "Task(Explore)",
        "WebFetch(domain:a.b)",
        "Skill(x)",
        "TodoWrite",
        "mcp__github",
        "mcp__github__*",
        "mcp__*",
        "*",
        "B*",
        "mcp*",
        "m*",
        "Not*",
        "(x)",
    ] {
        for kind in ["deny", "ask", "allow"] {
            assert_eq!(said(&format!("{kind} {rule}")), None, "{kind} {rule}");
        }
    }
}

#[test]
fn what_is_not_understood_promises_nothing_for_a_tool_that_may_not_be() {
    for (kind, rule, effect) in [
        ("deny", "Bash(ls", "to be safe it denies every use of Bash"),
        ("ask", "Read(!a)", "to be safe it asks about every use of Read"),
        ("deny", "Execute(ls *)", "to be safe it denies every use of a tool called Execute"),
        ("ask", "A B", "to be safe it asks about every use of a tool called A"),
        ("allow", "Zsh(git *)", "it allows nothing"),
        ("deny", "Bash(ls *),Read(.env)", "to be safe it denies every use of Bash"),
        ("allow", "Bash(ls *), Read(.env)", "it allows nothing"),
        ("deny", "Read(a) Edit(b)", "to be safe it denies every use of Read"),
    ] {
        let rules = rules(&format!("{kind} {rule}"));
        let said: Vec<&str> = rules.warnings().map(|(_, warning)| warning).collect();
        assert!(matches!(said.as_slice(), [only] if only.ends_with(effect)), "{rule}: {said:?}");
    }
    // Brackets of a command's own are no second rule.
    for rule in
        ["Bash(f (x), g(y))", "Bash(python3 -c 'f(1),g(2)')", "Bash(echo a) , b)", "Bash((cd x) && make)"]
    {
        assert_eq!(rules(&format!("deny {rule}")).warnings().count(), 0, "{rule}");
    }
    assert_eq!(rules("deny A\u{a0}B").rules(RuleKind::Deny).len(), 1);
}
