//! Asks the person at the terminal. What is shown is what runs.

use std::io::{self, BufRead, BufReader, Write};
use std::thread;

use nix::sys::termios::{FlushArg, tcflush};
use tokio::sync::oneshot;
use toolwright::core::{BoxFuture, Role, View};
use toolwright::permissions::{Approval, PermissionAsk};
use toolwright::services::Approver;
use toolwright_render::{Layout, Line, Paint, Style, lines};

use crate::stdout::{no_thread, say};
use crate::watch::Watch;

/// Lines shown of a command, and of a reason that names it: the text is shown whole.
const MOST_LINES: usize = 6;
/// How many of them are the last.
const LAST_LINES: usize = 2;
/// Characters of a rule above which it is not written out where it is the text that stands above it.
const LONGEST_RULE: usize = 60;
/// Blank lines of a text that are shown as they are.
const MOST_BLANK: usize = 3;

/// A person at the controlling terminal.
pub(crate) struct AtTerminal {
    pub(crate) watch: Watch,
    pub(crate) paint: Paint,
}

impl Approver for AtTerminal {
    fn approve<'a>(&'a self, ask: &'a PermissionAsk) -> BoxFuture<'a, Approval> {
        Box::pin(async move {
            // Drawing goes on when the question is over, however it ends: an interrupt drops this future.
            let _quiet = self.watch.quiet();
            let question: Vec<_> =
                question(ask, &self.watch.layout()).iter().map(|line| line.paint(self.paint)).collect();
            let mut question = question.join("\n");
            loop {
                let (answered, answer) = oneshot::channel();
                let asked = question + " ";
                // A read from a terminal cannot be taken back, so it has a thread of its own that nothing waits for.
                let reader = thread::Builder::new().spawn(move || {
                    let _ = answered.send(ask_terminal(&asked));
                });
                if let Err(error) = reader {
                    say(&no_thread("the answer", &error));
                    return Approval::refuse(ask.nobody_to_ask());
                }
                match answer.await.map(|line| line.map(|line| understood(&line, ask))) {
                    Ok(Ok(Answer::Given(approval))) => return approval,
                    Ok(Ok(Answer::Unclear(why))) => {
                        let lines = asked_again(&why, &self.watch.layout());
                        question =
                            lines.iter().map(|line| line.paint(self.paint)).collect::<Vec<_>>().join("\n");
                    }
                    Ok(Err(_)) | Err(_) => return Approval::refuse(ask.nobody_to_ask()),
                }
            }
        })
    }
}

fn ask_terminal(question: &str) -> io::Result<String> {
    let terminal = std::fs::File::open("/dev/tty")?;
    // What was typed before the question was there is no answer to it.
    tcflush(&terminal, FlushArg::TCIFLUSH)?;
    let mut error = io::stderr().lock();
    error.write_all(question.as_bytes()).and_then(|()| error.flush())?;
    drop(error);
    let mut line = String::new();
    if BufReader::new(terminal).read_line(&mut line)? == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(line)
}

fn question(ask: &PermissionAsk, layout: &Layout) -> Vec<Line> {
    let whole = Layout { fold: None, ..layout.clone() };
    let mut shown = vec![Line::default()];
    let head = match ask.agent_id.as_str() {
        "main" => format!("May {} do this?", ask.tool),
        agent => format!("May {} do this for the agent {agent}?", ask.tool),
    };
    shown.push(Line::of(Style::Role(Role::Warning), "? ").and(Style::Role(Role::Name), &head));
    let indent = Line::of(Style::Gutter, "  ");
    let view = without_long_gaps(lines(&ask.view, &whole.narrower(2)));
    shown.extend(view.into_iter().map(|line| line.after(&indent)));
    if !ask.parts.is_empty() {
        let words = if ask.parts.len() == 1 { "understood as" } else { "understood as these commands:" };
        let parts = ask.parts.iter().map(|part| (4, View::words(Role::Command, part)));
        let views = std::iter::once((2, View::words(Role::Muted, words))).chain(parts);
        for (by, view) in views {
            let indent = Line::of(Style::Gutter, &" ".repeat(by));
            let part = folded(lines(&view, &whole.narrower(by)));
            shown.extend(part.into_iter().map(|line| line.after(&indent)));
        }
    }
    let why = folded(lines(&View::words(Role::Muted, &ask.reason), &whole.narrower(2)));
    shown.extend(why.into_iter().map(|line| line.after(&indent)));
    let word = |role: Role, text: &str| (role, text.to_owned());
    let mut choice = vec![word(Role::Name, "y"), word(Role::Muted, "yes ·")];
    if !ask.always().is_empty() {
        choice.extend([word(Role::Name, "a"), word(Role::Muted, "always in this session:")]);
        // Every rule that is kept is shown, however many.
        for rule in ask.always() {
            choice.extend(shown_rule(rule, ask));
        }
    }
    if !ask.of_kind.is_empty() {
        choice.extend([word(Role::Name, "k"), word(Role::Muted, "and all of its kind:")]);
        for rule in &ask.of_kind {
            choice.extend(shown_rule(rule, ask));
        }
    }
    choice.extend([word(Role::Name, "n"), word(Role::Muted, "no, or say what to do instead ·")]);
    choice.extend([word(Role::Name, "?"), word(Role::Muted, "help")]);
    let choice = lines(&View::Line(choice), &whole.narrower(2));
    shown.extend(choice.into_iter().map(|line| line.after(&indent)));
    shown.push(Line::of(Style::Role(Role::Warning), "  >"));
    shown
}

/// A rule that is the text above, which is shown whole, is not written out a second time where it is long.
fn shown_rule(rule: &str, ask: &PermissionAsk) -> [(Role, String); 2] {
    let text = rule.strip_prefix(&ask.tool).and_then(|rest| rest.strip_prefix('(')?.strip_suffix(')'));
    let is_text = |text: &str| {
        let asked = ask.input.as_object().into_iter().flat_map(|fields| fields.values());
        asked.filter_map(serde_json::Value::as_str).any(|asked| asked == text.replace("\\*", "*"))
    };
    let long = rule.contains('\n') || rule.chars().count() > LONGEST_RULE;
    let shown = match text.filter(|text| long && is_text(text)) {
        Some(_) => (Role::Muted, "exactly this text".to_owned()),
        None => (Role::Command, rule.to_owned()),
    };
    [shown, (Role::Muted, "·".to_owned())]
}

/// Blank lines that would move what stands before them out of sight are counted instead.
fn without_long_gaps(lines: Vec<Line>) -> Vec<Line> {
    let mut shown = Vec::new();
    for group in lines.chunk_by(|one, other| one.is_blank() == other.is_blank()) {
        if group.len() > MOST_BLANK && group.iter().all(Line::is_blank) {
            let words = format!("… {} blank lines …", group.len());
            shown.push(Line::of(Style::Role(Role::Muted), &words));
        } else {
            shown.extend_from_slice(group);
        }
    }
    shown
}

/// The beginning and the end of what stands whole above it.
fn folded(mut lines: Vec<Line>) -> Vec<Line> {
    let hidden = lines.len().saturating_sub(MOST_LINES);
    if hidden > 1 {
        let words = format!("… {hidden} lines, as above …");
        let mark = Line::of(Style::Role(Role::Muted), &words);
        lines.splice(MOST_LINES - LAST_LINES..MOST_LINES - LAST_LINES + hidden, [mark]);
    }
    lines
}

/// What a line of answer comes to.
#[derive(Debug, PartialEq)]
enum Answer {
    Given(Approval),
    /// What the person is told before they are asked again.
    Unclear(String),
}

/// What a line of answer means. Anything that is no clear yes is a no; words are for the model. A question is answered, and what
/// is not offered is said to be so.
fn understood(line: &str, ask: &PermissionAsk) -> Answer {
    let answer = line.trim();
    let approval = match (answer.to_lowercase().as_str(), ask.always()) {
        ("?" | "h" | "help", _) => return Answer::Unclear(help(ask)),
        ("y" | "yes", _) => Approval::allow(),
        ("a" | "always", []) => {
            return Answer::Unclear("no rule can allow this from now on: answer y or n".into());
        }
        ("a" | "always", rules) => Approval::Allow { input: None, remember: rules.to_vec() },
        ("k" | "kind", _) if ask.of_kind.is_empty() => {
            return Answer::Unclear("no rule is known for others of its kind: answer y or n".into());
        }
        ("k" | "kind", _) => Approval::Allow { input: None, remember: ask.of_kind.clone() },
        ("" | "n" | "no", _) => Approval::refuse(
            "The person refused this call. Do not try it in another way; ask what they want, or go on without it.",
        ),
        _ => Approval::refuse(format!("The person refused this call and says: {answer}")),
    };
    Answer::Given(approval)
}

/// What each answer does.
fn help(ask: &PermissionAsk) -> String {
    let mut lines = vec!["y  runs it, this once"];
    if !ask.always().is_empty() {
        lines.push("a  runs it, and asks no more for exactly this until the session ends");
    }
    if !ask.of_kind.is_empty() {
        lines.push(
            "k  runs it, and asks no more for whatever the rules behind `k` cover until the session ends",
        );
    }
    lines.push("n  refuses it, and the agent goes on without it; Enter alone does the same");
    lines.push("any other words refuse it too, and the agent reads them: say what to do instead");
    lines.join("\n")
}

fn asked_again(why: &str, layout: &Layout) -> Vec<Line> {
    let indent = Line::of(Style::Gutter, "  ");
    let whole = Layout { fold: None, ..layout.clone() }.narrower(2);
    let said = why.lines().flat_map(|line| lines(&View::words(Role::Muted, line), &whole));
    let mut shown: Vec<Line> = said.map(|line| line.after(&indent)).collect();
    shown.push(Line::of(Style::Role(Role::Warning), "  >"));
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(suggestions: &[&str]) -> PermissionAsk {
        PermissionAsk {
            call_id: "c".into(),
            agent_id: "main".into(),
            tool: "Bash".into(),
            input: serde_json::json!({"command": "rm x"}),
            view: View::Line(vec![(Role::Name, "Bash".into()), (Role::Command, "rm x\u{202e}".into())]),
            parts: Vec::new(),
            reason: "no rule allows `rm x`".into(),
            suggestions: suggestions.iter().map(|rule| (*rule).into()).collect(),
            together: Vec::new(),
            of_kind: suggestions.get(1).map(|rule| (*rule).into()).into_iter().collect(),
        }
    }

    #[test]
    fn only_a_clear_yes_is_a_yes() {
        let check = |line: &str, suggestions: &[&str], allowed: bool, remembered: &[&str]| {
            let (is_allowed, kept) = match understood(line, &ask(suggestions)) {
                Answer::Given(Approval::Allow { remember, .. }) => (true, remember),
                _ => (false, Vec::new()),
            };
            assert_eq!(
                (is_allowed, kept),
                (allowed, remembered.iter().map(|rule| (*rule).into()).collect()),
                "{line:?}"
            );
        };
        let rule = ["Bash(rm *)"];
        check("y\n", &rule, true, &[]);
        check(" YES \n", &rule, true, &[]);
        check("a\n", &rule, true, &rule);
        check("a\n", &[], false, &[]);
        check("k\n", &rule, false, &[]);
        check("k\n", &["Bash(rm x)", "Bash(rm *)", "Bash(r *)"], true, &["Bash(rm *)"]);
        check("a\n", &["Bash(rm x)", "Bash(rm *)"], true, &["Bash(rm x)"]);
        check("\n", &rule, false, &[]);
        check("n\n", &rule, false, &[]);
        check("yy\n", &rule, false, &[]);
        check("use git rm\n", &rule, false, &[]);
        assert!(
            matches!(understood("use git rm\n", &ask(&rule)), Answer::Given(Approval::Refuse { message, .. }) if message.ends_with("use git rm"))
        );
    }

    #[test]
    fn always_keeps_all_the_rules_that_are_shown() {
        let together: Vec<String> = vec!["Bash(touch a)".into(), "Bash(rm x)".into()];
        let ask = PermissionAsk { together: together.clone(), ..ask(&[]) };
        let kept = Approval::Allow { input: None, remember: together.clone() };
        assert_eq!(understood("a\n", &ask), Answer::Given(kept));
        let layout = Layout { width: None, fold: Some(1), cwd: "/".into() };
        let shown: String = question(&ask, &layout).iter().map(|line| line.paint(Paint::Plain)).collect();
        assert!(together.iter().all(|rule| shown.contains(rule)), "{shown}");
    }

    #[test]
    fn who_asks_back_is_told_and_asked_again() {
        let told = |line: &str, suggestions: &[&str]| match understood(line, &ask(suggestions)) {
            Answer::Unclear(why) => {
                let layout = Layout { width: Some(60), fold: Some(1), cwd: "/".into() };
                let lines = asked_again(&why, &layout);
                lines.iter().map(|line| line.paint(Paint::Plain) + "\n").collect::<String>()
            }
            Answer::Given(approval) => panic!("{line:?} is {approval:?}"),
        };
        let rules = ["Bash(rm x)", "Bash(rm *)"];
        assert_eq!(told("?\n", &rules), told("help\n", &rules));
        let shown = [told("?\n", &rules), told("?\n", &[]), told("a\n", &[]), told("k\n", &[])].join("---\n");
        insta::assert_snapshot!(shown);
    }

    #[test]
    fn a_long_rule_that_is_the_text_is_not_written_twice() {
        let text = format!("python3 - <<'E'\nprint({})\nE", "1 * ".repeat(30));
        let rule = format!("Bash({})", text.replace('*', "\\*"));
        let ask = PermissionAsk {
            input: serde_json::json!({"command": text}),
            view: View::code(Some("bash"), text.as_str()),
            ..ask(&[rule.as_str()])
        };
        let layout = Layout { width: None, fold: Some(1), cwd: "/".into() };
        let shown: String =
            question(&ask, &layout).iter().map(|line| line.paint(Paint::Plain) + "\n").collect();
        assert!(shown.contains("a always in this session: exactly this text · n no"), "{shown}");
        let other = PermissionAsk { input: serde_json::json!({"command": "x"}), ..ask };
        let shown: String = question(&other, &layout).iter().map(|line| line.paint(Paint::Plain)).collect();
        assert!(shown.contains("1 \\* 1 \\*"), "{shown}");
    }

    #[test]
    fn the_question_shows_the_commands_as_understood() {
        let check = |parts: &[&str], expected: &str| {
            let ask = PermissionAsk { parts: parts.iter().map(|part| (*part).into()).collect(), ..ask(&[]) };
            let layout = Layout { width: None, fold: Some(1), cwd: "/".into() };
            let shown = question(&ask, &layout)
                .iter()
                .map(|line| line.paint(Paint::Plain) + "\n")
                .collect::<String>();
            assert!(shown.contains(expected), "{shown}");
        };
        check(&[], "Bash rm x⟨U+202E⟩\n  no rule allows");
        check(&[], "  y yes · n no, or say");
        check(&["rm x", "ls"], "  understood as these commands:\n    rm x\n    ls\n  no rule allows");
        check(&["rm x"], "  understood as\n    rm x\n");
        check(&["a\nb\nc\nd\ne\nf\ng"], "    a\n      b\n      c\n      d\n      e\n      f\n      g\n");
        check(
            &["a\nb\nc\nd\ne\nf\ng\nh"],
            "    a\n      b\n      c\n      d\n    … 2 lines, as above …\n      g\n      h\n",
        );
    }

    #[test]
    fn blank_lines_move_nothing_out_of_sight() {
        let check = |text: &str, expected: &str| {
            let ask = PermissionAsk { view: View::code(Some("bash"), text), ..ask(&[]) };
            let layout = Layout { width: Some(40), fold: Some(1), cwd: "/".into() };
            let lines = question(&ask, &layout);
            let shown: String = lines.iter().map(|line| line.paint(Paint::Plain) + "\n").collect();
            assert!(shown.contains(expected), "{shown}");
        };
        check("ls\n\n\ntouch x", "  ls\n  \n  \n  touch x\n");
        check(&format!("ls{}touch x", "\n".repeat(80)), "  ls\n  … 79 blank lines …\n  touch x\n");
        check(&format!("ls\n{}\ntouch x", " ".repeat(400)), "blank lines …\n");
    }

    #[test]
    fn the_question_shows_what_runs_and_why() {
        let layout = Layout { width: Some(60), fold: Some(1), cwd: "/".into() };
        let shown: Vec<_> =
            question(&ask(&["Bash(rm *)"]), &layout).iter().map(|line| line.paint(Paint::Plain)).collect();
        insta::assert_snapshot!(shown.join("\n"));
    }
}
