//! What reads everything below a folder, and rules for something that may lie there.

use std::path::{Path, PathBuf};

use toolwright_core::{Effects, PathAccess, Reach, Subject};
use toolwright_permissions::{Folder, HiddenPaths, Mode, Ruling, Step};

use crate::support::{Call, command, operand, rules};

/// `grep -r x PATH` from the project.
fn search(path: &str) -> Call {
    let grep = Call::new("Bash", Effects::READ_ONLY, vec![command("grep -r x", Reach::ReadOnly)]);
    grep.and(operand(path, PathAccess::ReadBelow, 0))
}

const RUNS: (Ruling, Step) = (Ruling::Allow, Step::ReadOnly);
const ASKS: (Ruling, Step) = (Ruling::Ask, Step::AskRule);
const REFUSED: (Ruling, Step) = (Ruling::Deny, Step::DenyRule);

#[test]
fn a_rule_for_what_may_lie_below_asks_and_one_for_elsewhere_does_not() {
    for (path, rule, expect) in [
        (".", "Read(.env)", ASKS),
        (".", "Read(**/*.pem)", ASKS),
        (".", "Read(*.key)", ASKS),
        (".", "Read(./secrets/**)", ASKS),
        (".", "Read(/secrets/**)", ASKS),
        (".", "Read(//r/proj/secrets/x)", ASKS),
        (".", "Read(src/*/key)", ASKS),
        (".", "Read(//elsewhere/**)", RUNS),
        (".", "Read(//r/projects/**)", RUNS),
        (".", "Read(~/.ssh/**)", RUNS),
        (".", "Read(../other/**)", RUNS),
        ("src", "Read(.env)", ASKS),
        ("src", "Read(**/*.pem)", ASKS),
        ("src", "Read(src/*/key)", ASKS),
        ("src", "Read(SRC/a)", ASKS),
        ("src", "Read(/secrets/**)", RUNS),
        ("src", "Read(./secrets/x)", RUNS),
        ("src", "Read(./secrets/**)", ASKS),
        ("src", "Read(secrets/**)", ASKS),
        ("src", "Read(./config/secrets/**)", RUNS),
        ("src", "Read(//r/proj/secrets/**)", RUNS),
        ("src", "Read(//r/proj/src2/**)", RUNS),
        ("src", "Read(src/**)", REFUSED),
        ("src", "Read(//r/proj)", REFUSED),
        ("src", "Read(//r/**)", REFUSED),
        ("src/lib", "Read(src/**)", REFUSED),
        // What may be read may not be changed: no matter here.
        (".", "Edit(.env)", RUNS),
    ] {
        for kind in ["deny", "ask"] {
            let expect = if kind == "ask" && expect == REFUSED { ASKS } else { expect };
            let decision = search(path).decide(&rules(&format!("{kind} {rule}")));
            assert_eq!((decision.outcome, decision.step), expect, "{kind} {rule} on {path}");
            if decision.outcome == Ruling::Ask {
                let named = decision.rule.map(|rule| rule.text);
                assert!(
                    named.as_deref() == Some(rule) && decision.reason.contains(rule),
                    "{}",
                    decision.reason
                );
            }
        }
    }
}

#[test]
fn it_asks_in_every_mode_and_whatever_allows() {
    let lines = "deny Read(.env)\nallow Bash(grep *)\nallow Bash";
    for (mode, outcome) in [
        (Mode::Default, Ruling::Ask),
        (Mode::AcceptEdits, Ruling::Ask),
        (Mode::Plan, Ruling::Ask),
        (Mode::BypassPermissions, Ruling::Ask),
        (Mode::DontAsk, Ruling::Deny),
    ] {
        let decision = search(".").mode(mode).decide(&rules(lines));
        assert_eq!((decision.outcome, decision.step), (outcome, Step::AskRule), "{mode}");
        assert!(decision.suggestions.is_empty() && decision.together.is_empty(), "no rule helps");
    }
}

#[test]
fn what_there_is_below_is_what_counts_where_the_host_looked() {
    let looked = |found: &[&str]| {
        let mut call = search(".");
        for prepared in &mut call.subjects {
            if matches!(prepared.subject, Subject::Path { .. }) {
                prepared.below = Some(found.iter().map(PathBuf::from).collect());
            }
        }
        let decision = call.decide(&rules("deny Read(.env)"));
        (decision.outcome, decision.step)
    };
    assert_eq!(looked(&[]), RUNS);
    assert_eq!(looked(&["/r/proj/src/.env"]), ASKS);
}

#[test]
fn what_is_moved_is_no_longer_where_a_rule_says() {
    for (path, rule, outcome) in [
        ("a", "Read(./a/secrets/**)", Ruling::Ask),
        ("a", "Read(a/key)", Ruling::Ask),
        ("a", "Read(//r/proj/a/b)", Ruling::Ask),
        ("a", "Edit(./a/x/y)", Ruling::Ask),
        ("a/*", "Read(./a/secrets/x)", Ruling::Ask),
        ("a/conf", "Read(**/conf/key)", Ruling::Ask),
        ("linkdir", "Read(./secrets/deep/key)", Ruling::Ask),
        // These are meant at any place.
        ("a", "Read(.env)", Ruling::Allow),
        ("a", "Read(**/*.pem)", Ruling::Allow),
        ("a", "Read(**/conf/key)", Ruling::Allow),
        ("b", "Read(./a/secrets/**)", Ruling::Allow),
        ("build", "Read(./secrets/**)", Ruling::Allow),
        ("a", "Read(./a)", Ruling::Deny),
    ] {
        let call = Call::shell(&["mv a x"]).and(operand(path, PathAccess::Remove, 0));
        let decision = call.decide(&rules(&format!("allow Bash(mv *)\ndeny {rule}")));
        assert_eq!(decision.outcome, outcome, "{rule} on {path}: {}", decision.reason);
    }
}

#[test]
fn what_may_be_written_below_asks_about_rules_for_changing() {
    for (path, access, rule, outcome) in [
        (".", PathAccess::WriteBelow, "Edit(/gen/**)", Ruling::Ask),
        (".", PathAccess::WriteBelow, "Edit(.env)", Ruling::Ask),
        (".", PathAccess::WriteBelow, "Edit(**)", Ruling::Deny),
        ("gen", PathAccess::WriteBelow, "Edit(/gen/**)", Ruling::Deny),
        ("src", PathAccess::WriteBelow, "Edit(/gen/**)", Ruling::Allow),
        ("src", PathAccess::WriteBelow, "Edit(src/*/a)", Ruling::Ask),
        (".", PathAccess::WriteBelow, "Edit(//elsewhere/**)", Ruling::Allow),
        ("/**", PathAccess::WriteBelow, "Edit(//elsewhere/**)", Ruling::Ask),
        // It shows nothing of what is there.
        (".", PathAccess::WriteBelow, "Read(.env)", Ruling::Allow),
        (".env", PathAccess::WriteBelow, "Read(.env)", Ruling::Deny),
        ("gen/a", PathAccess::MayWrite, "Edit(/gen/**)", Ruling::Ask),
        ("gen", PathAccess::MayWrite, "Edit(/gen/a)", Ruling::Allow),
        ("src/a", PathAccess::MayWrite, "Edit(/gen/**)", Ruling::Allow),
        ("gen/a", PathAccess::MayWrite, "Read(gen/**)", Ruling::Deny),
        ("**/*.ts", PathAccess::MayWrite, "Edit(/gen/*.ts)", Ruling::Ask),
        ("**/*.ts", PathAccess::MayWrite, "Edit(.env)", Ruling::Allow),
        ("*.ts", PathAccess::Write, "Edit(a.ts)", Ruling::Ask),
        ("gen/a", PathAccess::Read, "Edit(/gen/**)", Ruling::Allow),
    ] {
        let call = Call::shell(&["run x"]).and(operand(path, access, 0));
        let decide = |kind: &str| call.decide(&rules(&format!("allow Bash(run *)\n{kind} {rule}")));
        let decision = decide("deny");
        assert_eq!(decision.outcome, outcome, "{rule} on {path}: {}", decision.reason);
        let asked = if outcome == Ruling::Deny { Ruling::Ask } else { outcome };
        assert_eq!(decide("ask").outcome, asked, "{rule} on {path}");
    }
}

#[test]
fn folders_reached_by_a_link_are_looked_below_in_both_forms() {
    let decision = search("linkdir").decide(&rules("deny Read(//r/proj/secrets/deep/key)"));
    assert_eq!((decision.outcome, decision.step), ASKS);
    let decision = search("linkdir").decide(&rules("deny Read(./linkdir/deep/key)"));
    assert_eq!((decision.outcome, decision.step), ASKS);
}

#[test]
fn a_walk_is_told_the_same() {
    let roots = Call::file("Read", "a").roots;
    let hidden = |lines: &str| HiddenPaths::new(&rules(lines), roots.clone());
    let env = hidden("deny Read(.env)");
    assert_eq!(env.rule(Path::new("/r/proj/a/.env")), Some("Read(.env)"));
    assert_eq!(env.rule(Path::new("/r/proj/a/.env/b")), Some("Read(.env)"));
    assert_eq!(env.rule(Path::new("/r/proj/a/x/../.env")), Some("Read(.env)"));
    assert_eq!(env.rule(Path::new("/r/proj/a")), None);
    assert_eq!(env.rule(Path::new("/r/out/.env")), None);
    assert_eq!(env.rule_below(Path::new("/r/proj/a")), Some("Read(.env)"));
    assert_eq!(env.rule_below(Path::new("/r/out")), None);
    assert_eq!(env.rule_below(Path::new("/r")), Some("Read(.env)"));
    assert!(
        !env.is_empty()
            && hidden("deny Bash(rm *)\nask Read(.env)\ndeny Edit(x)").rule(Path::new("/r/proj/x")).is_none()
    );
    let wider = HiddenPaths::new(&rules("deny Read(.env)"), {
        let mut roots = roots.clone();
        roots.additional.push(Folder::from("/r/out"));
        roots
    });
    assert_eq!(wider.rule(Path::new("/r/out/.env")), Some("Read(.env)"));
}
