//! Rules whose tool does not exist.

use toolwright_permissions::RuleKind;

use crate::support::rules;

const TOOLS: [&str; 5] = ["Bash", "Read", "Edit", "Note", "Task"];

/// The only warning on a rule, of all that are given where the tools are known.
fn said(line: &str) -> Option<String> {
    let rules = rules(line);
    let plain = rules.warnings().map(|(_, warning)| warning.to_owned());
    let mut warnings = plain.chain(rules.warnings_on_tools(&TOOLS).into_iter().map(|(_, warning)| warning));
    let first = warnings.next();
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
            let said = said(&format!("{kind} {rule}")).unwrap_or_default();
            assert!(!said.contains("no tool there is"), "{kind} {rule}: {said}");
        }
    }
}

#[test]
fn one_warning_says_what_a_rule_does() {
    let several = "holds more than one rule; write each as a rule of its own";
    let no_name = "is no tool's name; write `Tool` or `Tool(specifier)`";
    let open = "has no closing bracket at its end";
    let none = "names no tool there is and";
    for (rule, expect) in [
        ("deny bash(rm *)", format!("{none} denies nothing; did you mean `Bash`?")),
        ("deny bash", format!("{none} denies nothing; did you mean `Bash`?")),
        ("deny read(.env)", format!("{none} denies nothing; did you mean `Read`?")),
        ("deny READ(.env)", format!("{none} denies nothing; did you mean `Read`?")),
        ("deny Reed(.env)", format!("{none} denies nothing; did you mean `Read`?")),
        ("deny View(.env)", format!("{none} denies nothing; did you mean `Read`?")),
        ("deny Execute(ls *)", format!("{none} denies nothing; did you mean `Bash`?")),
        ("deny Execute(ls", format!("{none} denies nothing; did you mean `Bash`?")),
        ("ask A B", format!("{none} asks about nothing")),
        ("ask x*(a)", format!("{none} asks about nothing")),
        ("allow Zsh(git *)", format!("{none} allows nothing")),
        ("allow bash(git *), read(.env)", format!("{none} allows nothing; did you mean `Bash`?")),
        ("deny Bash(ls", format!("{open}; to be safe it denies every use of Bash")),
        ("deny Note(ls", format!("{open}; to be safe it denies every use of Note")),
        ("ask Note x", format!("{no_name}; to be safe it asks about every use of Note")),
        ("deny Bash(ls *),Read(.env)", format!("{several}; to be safe it denies every use of Bash")),
        ("allow Bash(ls *), Read(.env)", format!("{several}; it allows nothing")),
        ("deny Read(a) Edit(b)", format!("{several}; to be safe it denies every use of Read")),
        ("deny Bash rm", format!("{no_name}; to be safe it denies every use of Bash")),
    ] {
        assert_eq!(said(rule).as_deref(), Some(expect.as_str()), "{rule}");
    }
    // Brackets of a command's own are no second rule.
    for rule in
        ["Bash(f (x), g(y))", "Bash(python3 -c 'f(1),g(2)')", "Bash(echo a) , b)", "Bash((cd x) && make)"]
    {
        assert_eq!(said(&format!("deny {rule}")), None, "{rule}");
    }
    assert_eq!(rules("deny A\u{a0}B").rules(RuleKind::Deny).len(), 1);
}
