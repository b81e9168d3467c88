//! `rewind`: files as they were before a prompt. Says what it does; what it does is the runtime's.

use toolwright::runtime::{PromptMark, RewindAction, RewindPlan, RewindStep, RuntimeError, SessionStore};
use toolwright_render::safe_line;

use crate::environment::Surroundings;
use crate::exit::Exit;
use crate::setup;
use crate::stdout::{print, say};

/// What was asked for.
pub(crate) struct Asked<'a> {
    /// The session, or the beginning of its id.
    pub(crate) session: &'a str,
    /// The prompt to go back to before; none: the last.
    pub(crate) to: Option<&'a str>,
    /// Only say what would be done.
    pub(crate) dry_run: bool,
    /// Overwrite what somebody else changed.
    pub(crate) force: bool,
}

/// Takes back what tools changed since a prompt.
pub(crate) fn rewind(surroundings: &Surroundings, asked: &Asked<'_>) -> Exit {
    let store = setup::store(surroundings);
    match store.and_then(|store| run(&store, asked).map_err(|error| error.to_string())) {
        Ok((text, exit)) => print(&text).map_or(Exit::Failed, |()| exit),
        Err(message) => {
            say(&message);
            Exit::Failed
        }
    }
}

fn run(store: &SessionStore, asked: &Asked<'_>) -> Result<(String, Exit), RuntimeError> {
    let mut stored = store.open(asked.session)?;
    stored.warnings.iter().for_each(|warning| say(&format!("warning: {warning}")));
    let plan = stored.plan_rewind(asked.to, asked.force)?;
    let mut lines = vec![heading(&plan, asked.dry_run)];
    lines.extend(plan.steps.iter().map(line));
    let mut exit = Exit::Done;
    if !asked.dry_run {
        for (path, error) in stored.rewind(&plan)?.failed {
            say(&format!("{} could not be put back: {error}", path.display()));
            exit = Exit::Failed;
        }
    }
    lines.push("What commands changed is not kept, and the conversation stays as it is.".into());
    Ok((lines.join("\n"), exit))
}

fn heading(plan: &RewindPlan, dry_run: bool) -> String {
    let PromptMark { id, text, .. } = &plan.prompt;
    let changes = match plan.steps.len() {
        0 => "No tool changed a file since.",
        _ if dry_run => "This would be done:",
        _ => "This is done:",
    };
    safe_line(&format!("Files as they were before {id} ({}). {changes}", beginning(text)))
}

fn line(step: &RewindStep) -> String {
    let path = step.path.display();
    let what = match &step.action {
        RewindAction::Restore => format!("restore   {path}"),
        RewindAction::Recreate => format!("recreate  {path}"),
        RewindAction::Remove => format!("remove    {path}"),
        RewindAction::Nothing => format!("as it was {path}"),
        RewindAction::Leave(why) => format!("leave     {path}: {why}"),
        _ => format!("?         {path}"),
    };
    let others = if step.others_too { " (somebody else changed it too, in between)" } else { "" };
    format!("  {}", safe_line(&format!("{what}{others}")))
}

/// The beginning of a prompt on one line.
pub(crate) fn beginning(text: &str) -> String {
    const MOST: usize = 60;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= MOST { line } else { line.chars().take(MOST).chain(['…']).collect() }
}
