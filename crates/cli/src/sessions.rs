//! `sessions`: what there is to go on with.

use std::time::{Duration, SystemTime};

use serde_json::{Map, Value, json};
use toolwright::config::{Flags, Places, load};
use toolwright::core::Environment;
use toolwright::runtime::{self, SessionStore, SessionSummary, cleanup_period};
use toolwright_render::safe_line;

use crate::environment::Surroundings;
use crate::exit::Exit;
use crate::rewind::beginning;
use crate::stdout::{print, say};
use crate::terminal::Stream;

/// Characters of a prompt where no terminal says how many a line has.
const MOST_OF_PROMPT: usize = 100;

/// Lists the sessions, newest first, and says how long they stay.
pub(crate) fn sessions(store: &SessionStore, surroundings: &Surroundings, as_json: bool) -> Exit {
    let list = store.list();
    if as_json {
        let list = list.iter().map(|session| {
            json!({"id": session.id, "at": session.at, "cwd": session.cwd.to_string_lossy(), "prompt": session.prompt})
        });
        return print_json(list.collect());
    }
    if list.is_empty() {
        say(&format!("there is no session under {} yet", store.root().display()));
        return Exit::Done;
    }
    let width = Stream::Out.width();
    let lines: Vec<_> = list.iter().map(|session| line(session, SystemTime::now(), width)).collect();
    if print(&lines.join("\n")).is_err() {
        return Exit::Failed;
    }
    match kept(surroundings) {
        Ok(period) => {
            let days = period.as_secs() / (24 * 60 * 60);
            say(&format!(
                "what nobody goes on with for {days} days is removed, with what it kept (setting cleanupPeriodDays)"
            ));
        }
        Err(why) => say(&format!("warning: {why}")),
    }
    Exit::Done
}

/// How long sessions stay that nobody goes on with.
fn kept(surroundings: &Surroundings) -> Result<Duration, String> {
    let mut environment = Environment::new(surroundings.variables.clone(), Map::new());
    let places = Places::find(&environment, &surroundings.cwd);
    // Nothing that waits for trust has a say in this.
    let settings = load(&places, &Flags::default(), false, &[]).map_err(|error| error.to_string())?;
    environment.settings = settings.merged;
    cleanup_period(&environment).map_err(|why| why.0)
}

/// The prompts of one session, oldest first.
pub(crate) fn prompts(store: &SessionStore, session: &str, as_json: bool) -> Exit {
    let stored = match store.open(session) {
        Ok(stored) => stored,
        Err(error) => {
            say(&error.to_string());
            return Exit::Failed;
        }
    };
    let prompts = runtime::prompts(&stored.events);
    if as_json {
        let list = prompts
            .iter()
            .map(|mark| json!({"id": mark.id, "at": mark.at, "prompt": mark.text, "files": mark.files}));
        return print_json(list.collect());
    }
    let lines: Vec<_> = prompts
        .iter()
        .map(|mark| {
            let files = match mark.files {
                0 => String::new(),
                1 => "  (1 file changed)".into(),
                count => format!("  ({count} files changed)"),
            };
            safe_line(&format!("{}  {}{files}", mark.id, beginning(&mark.text)))
        })
        .collect();
    if lines.is_empty() {
        say("there is no prompt in this session");
    }
    print(&lines.join("\n")).map_or(Exit::Failed, |()| Exit::Done)
}

fn print_json(list: Value) -> Exit {
    let text = serde_json::to_string_pretty(&list).unwrap_or_default();
    print(&text).map_or(Exit::Failed, |()| Exit::Done)
}

fn line(session: &SessionSummary, now: SystemTime, width: Option<usize>) -> String {
    // What was piped into a prompt is part of it, and may be of any size.
    let start: String = session.prompt.chars().take(10 * MOST_OF_PROMPT).collect();
    let prompt = start.split_whitespace().collect::<Vec<_>>().join(" ");
    let prompt = cut(&prompt, width.unwrap_or(MOST_OF_PROMPT));
    let begun = SystemTime::UNIX_EPOCH + Duration::from_millis(session.at);
    let age = age(now.duration_since(begun).unwrap_or_default());
    let line = format!("{}  {age:>7}  {}  {prompt}", session.id, session.cwd.display());
    let line = safe_line(&line);
    match width {
        Some(width) => cut(&line, width),
        None => line,
    }
}

/// A line of so many characters at most, the last one a sign that there is more.
fn cut(line: &str, width: usize) -> String {
    if line.chars().count() <= width {
        return line.to_owned();
    }
    line.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

fn age(age: Duration) -> String {
    let minutes = age.as_secs() / 60;
    match (minutes, minutes / 60, minutes / 60 / 24) {
        (0, ..) => "now".into(),
        (minutes, 0, _) => format!("{minutes} min"),
        (_, hours, 0) => format!("{hours} h"),
        (_, _, days) => format!("{days} d"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    #[test]
    fn ages_are_said_in_one_unit() {
        let check = |seconds: u64, expect: &str| assert_eq!(super::age(Duration::from_secs(seconds)), expect);
        check(59, "now");
        check(61, "1 min");
        check(3_600, "1 h");
        check(49 * 3_600, "2 d");
    }
}
