//! What a person sees: roles and words.

use toolwright_core::{Detail, Progress, Role, Ui, View};

use crate::{Bash, End, Input, Output};

/// Lines shown of a command or an output where detail is condensed.
const FEW: usize = 3;
const SOME: usize = 12;

impl Ui for Bash {
    fn call_view(&self, input: &Input, detail: Detail) -> View {
        let command = match detail {
            Detail::Condensed => first_lines(&input.command, FEW),
            Detail::Verbose | Detail::Transcript => input.command.clone(),
        };
        let mut line = vec![(Role::Name, "Bash".into()), (Role::Plain, " ".into())];
        if !command.contains('\n') {
            line.push((Role::Command, command));
            line.extend(description(input).map(|words| (Role::Muted, format!("  {words}"))));
            return View::Line(line);
        }
        line.extend(description(input).map(|words| (Role::Muted, words.into())));
        View::List(vec![View::Line(line), View::code(Some("bash"), command)])
    }

    fn progress_view(&self, _: &Input, progress: &Progress, detail: Detail) -> View {
        let tail = progress.tail.as_deref().unwrap_or_default().trim_end();
        let lines = if detail == Detail::Condensed { FEW } else { SOME };
        let shown = View::code(None, last_lines(tail, lines));
        let size = View::words(Role::Muted, format!("{} bytes so far", progress.done));
        if tail.is_empty() {
            View::words(Role::Muted, "no output yet")
        } else {
            View::List(vec![shown, size])
        }
    }

    fn result_view(&self, _: &Input, output: &Output, detail: Detail) -> View {
        let text = match detail {
            Detail::Condensed => fold(&output.text, FEW),
            Detail::Verbose => fold(&output.text, SOME * 4),
            Detail::Transcript => output.text.clone(),
        };
        let mut views = Vec::new();
        if !text.is_empty() {
            views.push(View::code(None, text));
        }
        let state = state(output);
        if let Some(state) = &state {
            views.push(View::words(Role::Error, state));
        }
        if views.is_empty() {
            views.push(View::words(Role::Muted, "no output"));
        }
        views.extend(output.notes.iter().map(|note| View::words(Role::Warning, note)));
        View::List(views)
    }

    fn rejected_view(&self, input: &Input, _: Detail) -> View {
        View::Line(vec![(Role::Muted, "not run: ".into()), (Role::Command, first_lines(&input.command, 1))])
    }

    fn error_view(&self, input: &Input, message: &str, _: Detail) -> View {
        View::List(vec![
            View::words(Role::Command, first_lines(&input.command, 1)),
            View::words(Role::Error, message),
        ])
    }

    fn activity(&self, input: &Input) -> String {
        let words = description(input).map_or_else(|| first_lines(&input.command, 1), Into::into);
        format!("Running {words}")
    }

    fn summary(&self, _: &Input, output: &Output) -> Option<String> {
        let lines = output.text.lines().count();
        let size = match lines {
            0 => "no output".into(),
            1 => "1 line".into(),
            many => format!("{many} lines"),
        };
        Some(state(output).map_or_else(|| size.clone(), |state| format!("{state}, {size}")))
    }
}

fn description(input: &Input) -> Option<&str> {
    input.description.as_deref().map(str::trim).filter(|words| !words.is_empty())
}

/// How it ended, where that was not well.
fn state(output: &Output) -> Option<String> {
    match (output.end, output.exit_code, output.signal) {
        (End::TimedOut, ..) => Some("timed out".into()),
        (End::Interrupted, ..) => Some("interrupted".into()),
        (End::Exited, Some(0), _) => None,
        (End::Exited, Some(code), _) => Some(format!("exit code {code}")),
        (End::Exited, None, signal) => Some(format!("signal {}", signal.unwrap_or_default())),
    }
}

fn first_lines(text: &str, most: usize) -> String {
    let text = text.trim();
    let mut lines: Vec<&str> = text.lines().take(most).collect();
    let rest = text.lines().count() - lines.len();
    let more = format!("… {rest} more lines");
    if rest > 0 && most > 1 {
        lines.push(&more);
    }
    let shown = lines.join("\n");
    if rest > 0 && most == 1 { format!("{shown} …") } else { shown }
}

fn last_lines(text: &str, most: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines.get(lines.len().saturating_sub(most)..).unwrap_or_default().join("\n")
}

/// The beginning and the end, and how much is between them.
fn fold(text: &str, most: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let hidden = lines.len().saturating_sub(2 * most);
    if hidden < 2 {
        return text.into();
    }
    let head = lines.get(..most).unwrap_or_default().join("\n");
    let tail = lines.get(lines.len() - most..).unwrap_or_default().join("\n");
    format!("{head}\n… {hidden} lines …\n{tail}")
}
