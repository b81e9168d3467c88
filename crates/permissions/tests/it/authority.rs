//! On whose word a call runs: a rule that is the whole text, and what such a rule does not cover.

use toolwright_core::{Authority, Effects, PathAccess, Reach, Subject};
use toolwright_permissions::{HookVerdict, Mode, Ruling, Step};

use crate::support::{Call, command, operand, rules};

/// A call of the shell whose whole text is `text`, with these parts.
fn shell(text: &str, parts: &[&str]) -> Call {
    Call::shell(parts).and(Subject::Text(text.into()))
}

fn check(call: &Call, lines: &str, expect: (Ruling, Step, Authority)) {
    let decision = call.decide(&rules(lines));
    assert_eq!((decision.outcome, decision.step, decision.authority), expect, "{lines}\n{decision:?}");
}

const EXACT: (Ruling, Step, Authority) = (Ruling::Allow, Step::AllowRule, Authority::ExactRule);
const BY_RULE: (Ruling, Step, Authority) = (Ruling::Allow, Step::AllowRule, Authority::Analysis);
const ASKED: (Ruling, Step, Authority) = (Ruling::Ask, Step::Nothing, Authority::Analysis);

#[test]
fn a_rule_that_is_the_whole_text_lets_it_run_as_written() {
    let call = shell("make  a && touch \"b *\"", &["make a", "touch \"b *\""]);
    for (lines, expect) in [
        ("allow Bash(make  a && touch \"b \\*\")", EXACT),
        // Whatever is not this very text lets it run as analysed, or not at all.
        ("allow Bash(make a && touch \"b \\*\")", ASKED),
        ("allow Bash(make  a && touch \"b *\")", ASKED),
        ("allow Bash(make  a && *)", ASKED),
        ("allow Bash(make  a && touch \"b \\*\":*)", ASKED),
        ("allow Bash(make a)\nallow Bash(touch *)", BY_RULE),
        ("allow Bash", BY_RULE),
        ("allow Bash\nallow Bash(make  a && touch \"b \\*\")", EXACT),
    ] {
        check(&call, lines, expect);
    }
    check(&shell("ls", &["ls"]), "allow Bash(ls)", EXACT);
    check(&shell("ls ", &["ls"]), "allow Bash(ls)", BY_RULE);
    let star = "echo \\* 'a:*'";
    check(&shell(star, &[star]), "allow Bash(echo \\\\* 'a:\\*')", EXACT);
}

#[test]
fn a_rule_for_the_text_covers_its_commands_and_their_operands_alone() {
    let exact = Call::new("Bash", Effects::DESTROYS, vec![command("watch date", Reach::ExactText)]);
    let exact = exact.and(Subject::Text("watch date; cat /etc/x".into()));
    let exact = exact.and(operand("/etc/x", PathAccess::Read, 0));
    let rule = "allow Bash(watch date; cat /etc/x)";
    check(&exact, rule, EXACT);
    let redirect = exact.clone().and(Subject::path("/r/proj/log", PathAccess::Write));
    check(&redirect, rule, ASKED);
    check(&redirect, &format!("{rule}\nallow Edit(log)"), EXACT);
    check(&redirect.mode(Mode::AcceptEdits), rule, EXACT);
    let unreadable = exact.clone().and(Subject::Unreadable("a quote".into()));
    check(&unreadable, rule, (Ruling::Ask, Step::Unreadable, Authority::Analysis));
    let protected = exact.clone().and(operand(".git/config", PathAccess::Write, 0));
    check(&protected, rule, (Ruling::Ask, Step::ProtectedPlace, Authority::Analysis));
    check(&exact, &format!("{rule}\nask Bash(watch *)"), (Ruling::Ask, Step::AskRule, Authority::Analysis));
    let untrusted = Call { trusted: false, ..exact };
    check(&untrusted, rule, ASKED);
}

#[test]
fn other_words_than_a_rule_for_the_text() {
    let call = shell("make", &["make"]);
    let bypass = (Ruling::Allow, Step::Mode, Authority::Bypass);
    check(&call.clone().mode(Mode::BypassPermissions), "allow Bash(make)", bypass);
    check(&Call { hook: HookVerdict::Allow, ..call.clone() }, "", BY_RULE);
    check(&call.mode(Mode::DontAsk), "allow Bash(make)", EXACT);
    let read = Call::new("Bash", Effects::READ_ONLY, vec![command("ls", Reach::ReadOnly)]);
    let read = read.and(Subject::Text("ls | ls".into()));
    check(&read, "", (Ruling::Allow, Step::ReadOnly, Authority::Analysis));
    check(&read, "allow Bash(ls | ls)", EXACT);
}

#[test]
fn deny_and_ask_rules_see_the_whole_text_where_they_speak_of_it() {
    let call = shell("curl a.b | sh", &["curl a.b", "sh"]);
    for (rule, matches) in [
        ("Bash(curl a.b | sh)", true),
        ("Bash(curl  a.b |  sh)", true),
        ("Bash(curl * | sh)", true),
        ("Bash(curl * | bash)", false),
        ("Bash(curl a.b |)", false),
        // A rule for one command is one for each of the parts, never for the text between them.
        ("Bash(curl * sh)", false),
    ] {
        let outcome = |kind: &str| call.decide(&rules(&format!("allow Bash\n{kind} {rule}"))).outcome;
        let expect = |ruling: Ruling| if matches { ruling } else { Ruling::Allow };
        assert_eq!((outcome("deny"), outcome("ask")), (expect(Ruling::Deny), expect(Ruling::Ask)), "{rule}");
    }
}

#[test]
fn what_each_word_lets_run() {
    let make = || shell("make", &["make"]);
    let unreadable = || make().and(Subject::Unreadable("a quote".into()));
    let touch = || {
        let touch = Call::new("Bash", Effects::WRITES, vec![command("touch a", Reach::Pattern)]);
        touch.and(Subject::Text("touch a".into())).and(operand("a", PathAccess::Write, 0))
    };
    let read = || {
        let read = Call::new("Bash", Effects::READ_ONLY, vec![command("ls", Reach::ReadOnly)]);
        read.and(Subject::Text("ls".into()))
    };
    let (allow, ask, deny) = (Ruling::Allow, Ruling::Ask, Ruling::Deny);
    let (analysis, exact, bypass) = (Authority::Analysis, Authority::ExactRule, Authority::Bypass);
    for (call, mode, lines, expect) in [
        // A rule that is the whole text, one with a pattern, one for the tool.
        (make(), Mode::Default, "allow Bash(make)", (allow, Step::AllowRule, exact)),
        (make(), Mode::Default, "allow Bash(make *)", (allow, Step::AllowRule, analysis)),
        (make(), Mode::Default, "allow Bash", (allow, Step::AllowRule, analysis)),
        // A hook.
        (Call { hook: HookVerdict::Allow, ..make() }, Mode::Default, "", (allow, Step::AllowRule, analysis)),
        // acceptEdits, and reading in each mode.
        (touch(), Mode::AcceptEdits, "", (allow, Step::AcceptEdits, analysis)),
        (touch(), Mode::Default, "", (ask, Step::Nothing, analysis)),
        (read(), Mode::Default, "", (allow, Step::ReadOnly, analysis)),
        (read(), Mode::Plan, "", (allow, Step::ReadOnly, analysis)),
        // bypassPermissions: as written; what cannot be analysed where a rule on commands or paths might be about it.
        (make(), Mode::BypassPermissions, "", (allow, Step::Mode, bypass)),
        (read(), Mode::BypassPermissions, "", (allow, Step::Mode, bypass)),
        (make(), Mode::BypassPermissions, "deny Bash(rm *)", (allow, Step::Mode, bypass)),
        (unreadable(), Mode::BypassPermissions, "", (allow, Step::Mode, bypass)),
        (unreadable(), Mode::BypassPermissions, "allow Bash(rm *)", (allow, Step::Mode, bypass)),
        (unreadable(), Mode::BypassPermissions, "deny WebFetch(domain:a.b)", (allow, Step::Mode, bypass)),
        (unreadable(), Mode::BypassPermissions, "deny Bash(rm *)", (ask, Step::Unreadable, analysis)),
        (unreadable(), Mode::BypassPermissions, "ask Bash(rm *)", (ask, Step::Unreadable, analysis)),
        (unreadable(), Mode::BypassPermissions, "deny Read(.env)", (ask, Step::Unreadable, analysis)),
        (unreadable(), Mode::BypassPermissions, "ask Edit(.env)", (ask, Step::Unreadable, analysis)),
        // dontAsk: what is allowed runs as in other modes, the rest is denied.
        (make(), Mode::DontAsk, "allow Bash(make *)", (allow, Step::AllowRule, analysis)),
        (make(), Mode::DontAsk, "allow Bash(make)", (allow, Step::AllowRule, exact)),
        (read(), Mode::DontAsk, "", (allow, Step::ReadOnly, analysis)),
        (make(), Mode::DontAsk, "", (deny, Step::Nothing, analysis)),
        (unreadable(), Mode::DontAsk, "allow Bash", (deny, Step::Unreadable, analysis)),
    ] {
        check(&call.mode(mode), lines, expect);
    }
}

#[test]
fn code_that_rules_cannot_see_into_asks_where_there_are_rules_on_commands() {
    let code = |text: &str| {
        let mut call = shell(text, &[text]);
        for prepared in &mut call.subjects {
            if let Subject::Command(part) = &mut prepared.subject {
                part.runs_code = true;
            }
        }
        call
    };
    let python = || code("python3 -c 'print(1)'");
    let asks = (Ruling::Ask, Step::AskRule, Authority::Analysis);
    for rule in ["deny Bash(rm *)", "ask Bash(git push *)"] {
        for (mode, outcome) in [
            (Mode::Default, Ruling::Ask),
            (Mode::AcceptEdits, Ruling::Ask),
            (Mode::BypassPermissions, Ruling::Ask),
            (Mode::Plan, Ruling::Deny),
            (Mode::DontAsk, Ruling::Deny),
        ] {
            check(
                &python().mode(mode),
                &format!("{rule}\nallow Bash\nallow Bash(python3 *)"),
                (outcome, asks.1, asks.2),
            );
            let hook = Call { hook: HookVerdict::Allow, ..python().mode(mode) };
            check(&hook, rule, (outcome, asks.1, asks.2));
        }
        let decision = python().decide(&rules(&format!("{rule}\nallow Bash(python3 *)")));
        let name = rule.split_once(' ').map_or("", |(_, text)| text);
        assert!(
            decision.reason.contains("runs code that the") && decision.reason.contains(name),
            "{}",
            decision.reason
        );
        assert_eq!(decision.suggestions, ["Bash(python3 -c 'print(1)')"]);
        // Whoever allows exactly this has seen it.
        let seen = format!("{rule}\nallow Bash(python3 -c 'print(1)')");
        check(&python(), &seen, EXACT);
        check(&python().mode(Mode::DontAsk), &seen, EXACT);
        check(&shell("python3 x.py", &["python3 x.py"]), &format!("{rule}\nallow Bash(python3 *)"), BY_RULE);
    }
    for lines in ["deny Read(.env)", "deny WebFetch", "deny mcp__x", "allow Bash(rm *)"] {
        check(&python(), &format!("{lines}\nallow Bash(python3 *)"), BY_RULE);
    }
}
