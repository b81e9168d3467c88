//! Taking back what tools changed: every file as it was before a prompt. What to do is planned from the session's events and
//! from what lies on the disk, shown, and then done. Touches files alone: not the conversation, not git.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use toolwright_engine::event::{EventBody, FileBefore, MAIN_AGENT, SessionEvent};
use toolwright_workspace::restore::{self, Found};

use crate::checkpoints::{CheckpointLimits, Kept};
use crate::{RuntimeError, StoredSession};

/// A prompt of a session, as a place to go back to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptMark {
    /// Its message's id.
    pub id: String,
    /// When it was said, in milliseconds since 1970.
    pub at: u64,
    /// What was said.
    pub text: String,
    /// How many files tools changed before the next prompt.
    pub files: usize,
}

/// What a rewind would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RewindPlan {
    /// The prompt before which the files were so.
    pub prompt: PromptMark,
    /// Each file that changed since, by path.
    pub steps: Vec<RewindStep>,
}

/// What a rewind would do with one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RewindStep {
    /// The file.
    pub path: PathBuf,
    /// What becomes of it.
    pub action: RewindAction,
    /// Somebody else changed it too, between two changes of tools.
    pub others_too: bool,
    wanted: Option<FileBefore>,
    /// The hash of what lay there when it was planned.
    seen: Option<String>,
    made_folder: Option<PathBuf>,
}

/// What becomes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RewindAction {
    /// It gets the bytes it had.
    Restore,
    /// It was removed since, and is made again.
    Recreate,
    /// It was not there, and is removed.
    Remove,
    /// It is as it was.
    Nothing,
    /// It stays as it is: why.
    Leave(String),
}

/// What a rewind did.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Rewound {
    /// Files that are now as they were.
    pub done: Vec<PathBuf>,
    /// Files that are not, and what went wrong.
    pub failed: Vec<(PathBuf, io::Error)>,
}

/// The prompts of a session, oldest first.
#[must_use]
pub fn prompts(events: &[SessionEvent]) -> Vec<PromptMark> {
    let mut marks: Vec<(PromptMark, Vec<&Path>)> = Vec::new();
    for event in events {
        match &event.body {
            EventBody::Prompt { message } if event.agent == MAIN_AGENT => {
                let mark =
                    PromptMark { id: message.id.clone(), at: event.at, text: message.text(), files: 0 };
                marks.push((mark, Vec::new()));
            }
            EventBody::Checkpoint { tool_use_id, path, .. } if tool_use_id != REWIND => {
                if let Some((mark, paths)) = marks.last_mut().filter(|(_, paths)| !paths.contains(&&**path)) {
                    mark.files += 1;
                    paths.push(path);
                }
            }
            _ => {}
        }
    }
    marks.into_iter().map(|(mark, _)| mark).collect()
}

impl StoredSession {
    /// What would be done to have every file as it was before the prompt with the id `to`, or before the last one. With
    /// `force`, also files that somebody else changed since.
    ///
    /// # Errors
    /// When there is no such prompt.
    pub fn plan_rewind(&self, to: Option<&str>, force: bool) -> Result<RewindPlan, RuntimeError> {
        let prompt = self.prompt(to)?;
        // Half a file is nobody's change.
        restore::recover(&self.recovery);
        let kept = self.kept();
        let steps = changed_since(&self.events, &prompt.id)
            .into_iter()
            .map(|(path, change)| change.step(path, restore::look(path), &kept, force))
            .collect();
        Ok(RewindPlan { prompt, steps })
    }

    /// Does what was planned; what became different since is left alone. Each change is recorded before it is made, with what
    /// it takes away.
    ///
    /// # Errors
    /// When the journal cannot be written: what is not recorded is not done.
    pub fn rewind(&mut self, plan: &RewindPlan) -> Result<Rewound, RuntimeError> {
        let mut rewound = Rewound::default();
        let kept = self.kept();
        for step in &plan.steps {
            match step.action {
                RewindAction::Leave(_) => continue,
                // A rewind that was killed may have removed the file and not the folder that was made for it.
                RewindAction::Nothing => {
                    if let (None, Some(made)) = (&step.wanted, &step.made_folder) {
                        restore::remove_folders(&step.path, made);
                    }
                    continue;
                }
                _ => {}
            }
            match self.apply(step, &kept)? {
                Ok(()) => rewound.done.push(step.path.clone()),
                Err(error) => rewound.failed.push((step.path.clone(), error)),
            }
        }
        Ok(rewound)
    }

    fn apply(&mut self, step: &RewindStep, kept: &Kept) -> Result<io::Result<()>, RuntimeError> {
        let (now, bytes) = match ready(step, kept) {
            Ok(ready) => ready,
            Err(error) => return Ok(Err(error)),
        };
        let body = EventBody::Checkpoint {
            tool_use_id: REWIND.into(),
            path: step.path.clone(),
            before: now,
            after: step.wanted.as_ref().map(|wanted| wanted.hash.clone()),
            made_folder: None,
        };
        self.journal.append(MAIN_AGENT, None, body)?;
        Ok(match (&bytes, &step.wanted) {
            (Some(bytes), Some(wanted)) => restore::put(&step.path, bytes, wanted.mode, Some(&self.recovery)),
            _ => restore::remove(&step.path, step.made_folder.as_deref()),
        })
    }

    fn kept(&self) -> Kept {
        Kept::of(self.journal.folder().unwrap_or(Path::new("")), CheckpointLimits::default())
    }

    fn prompt(&self, to: Option<&str>) -> Result<PromptMark, RuntimeError> {
        let mut marks = prompts(&self.events);
        let found = match to {
            None => marks.pop(),
            Some(id) => marks.iter().rposition(|mark| mark.id == id).map(|at| marks.swap_remove(at)),
        };
        found.ok_or_else(|| RuntimeError::NoPrompt {
            id: to.unwrap_or_default().into(),
            session: self.journal.id().into(),
        })
    }
}

/// In place of a tool use, for changes that a rewind makes.
const REWIND: &str = "rewind";

/// What the file holds now, kept; and the bytes it is to get.
fn ready(step: &RewindStep, kept: &Kept) -> io::Result<(Option<FileBefore>, Option<Vec<u8>>)> {
    let found = restore::look(&step.path)?;
    if found.as_ref().map(|found| &found.sha256) != step.seen.as_ref() {
        return Err(io::Error::other("it changed at this moment; rewind again"));
    }
    let now = found.map(|found| kept.keep_file(&step.path, &found)).transpose()?;
    let bytes = match &step.wanted {
        None => None,
        Some(wanted) => Some(kept.get(&wanted.hash)?),
    };
    Ok((now, bytes))
}

/// What became of one file since a prompt.
struct Changed<'a> {
    /// Before the first change.
    first: Option<&'a FileBefore>,
    /// Around the last change: before and after.
    last: (Option<&'a str>, Option<&'a str>),
    others_too: bool,
    /// Whether the call of the last change ended well.
    ended: bool,
    made_folder: Option<&'a Path>,
}

fn changed_since<'a>(events: &'a [SessionEvent], prompt: &str) -> BTreeMap<&'a Path, Changed<'a>> {
    let is_prompt = |event: &SessionEvent| {
        event.agent == MAIN_AGENT
            && matches!(&event.body, EventBody::Prompt { message } if message.id == prompt)
    };
    let from = events.iter().rposition(is_prompt).unwrap_or(events.len());
    let well = |event: &'a SessionEvent| match &event.body {
        EventBody::ToolFinished { tool_use_id, result } => {
            (!result.outcome.is_failure()).then_some((&*event.agent, &**tool_use_id))
        }
        _ => None,
    };
    // An id is one call's within its agent alone.
    let ended: BTreeSet<(&str, &str)> = events.iter().filter_map(well).collect();
    let mut changed: BTreeMap<&Path, Changed<'_>> = BTreeMap::new();
    for event in events.get(from..).unwrap_or_default() {
        let EventBody::Checkpoint { tool_use_id, path, before, after, made_folder } = &event.body else {
            continue;
        };
        let ended = tool_use_id == REWIND || ended.contains(&(&*event.agent, &**tool_use_id));
        let hash = before.as_ref().map(|before| &*before.hash);
        let last = (hash, after.as_deref());
        let made_folder = made_folder.as_deref();
        changed
            .entry(path)
            .and_modify(|known| {
                // A change that was recorded may not have been made.
                known.others_too |= hash != known.last.1 && hash != known.last.0;
                known.last = last;
                known.ended = ended;
                known.made_folder = known.made_folder.or(made_folder);
            })
            .or_insert(Changed { first: before.as_ref(), last, others_too: false, ended, made_folder });
    }
    changed
}

impl Changed<'_> {
    fn step(&self, path: &Path, now: io::Result<Option<Found>>, kept: &Kept, force: bool) -> RewindStep {
        let is_kept = |before: &FileBefore| match (&before.not_kept, kept.get(&before.hash)) {
            (Some(why), _) => Err(format!("what it held was not kept: {why}")),
            (None, Ok(bytes)) if restore::sha256(&bytes) == before.hash => Ok(()),
            (None, Ok(_)) => Err("what was kept of it is damaged".into()),
            (None, Err(error)) => Err(format!("what was kept of it cannot be read: {error}")),
        };
        let seen = now.as_ref().ok().and_then(Option::as_ref).map(|found| found.sha256.clone());
        RewindStep {
            seen,
            path: path.into(),
            action: self.action(now, is_kept, force),
            others_too: self.others_too,
            wanted: self.first.cloned(),
            made_folder: self.made_folder.map(Into::into),
        }
    }

    /// What is to be done, from what lies there now.
    fn action(
        &self,
        now: io::Result<Option<Found>>,
        is_kept: impl Fn(&FileBefore) -> Result<(), String>,
        force: bool,
    ) -> RewindAction {
        let now = match now {
            Ok(now) => now,
            Err(error) => return RewindAction::Leave(error.to_string()),
        };
        let same_mode =
            |wanted: &FileBefore, found: &Found| wanted.mode.is_none() || wanted.mode == found.mode;
        match (self.first, &now) {
            (None, None) => return RewindAction::Nothing,
            (Some(wanted), Some(found)) if wanted.hash == found.sha256 && same_mode(wanted, found) => {
                return RewindAction::Nothing;
            }
            _ => {}
        }
        let ours = |found: &Found| {
            let hash = Some(&*found.sha256);
            hash == self.last.0 || hash == self.last.1
        };
        if now.as_ref().is_some_and(|found| !ours(found)) && !force {
            let why = if self.ended {
                "somebody else changed it since; --force overwrites it"
            } else {
                "the last change of it was interrupted, and it is neither what it was nor what it was to be; \
                 --force overwrites it"
            };
            return RewindAction::Leave(why.into());
        }
        match (self.first, now) {
            (None, _) => RewindAction::Remove,
            (Some(wanted), now) => match is_kept(wanted) {
                Err(why) => RewindAction::Leave(why),
                Ok(()) if now.is_some() => RewindAction::Restore,
                Ok(()) => RewindAction::Recreate,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolwright_core::{Message, Outcome};
    use toolwright_engine::event::ToolFinish;

    use super::*;

    fn before(hash: &str, mode: u32) -> FileBefore {
        FileBefore { hash: hash.into(), size: 1, mode: Some(mode), not_kept: None }
    }

    fn found(hash: &str) -> Option<Found> {
        Some(Found { sha256: hash.into(), size: 1, mode: Some(0o644) })
    }

    #[test]
    fn what_is_done_follows_from_what_lies_there() {
        let check = |first: Option<&FileBefore>, now: Option<Found>, force: bool, expect: &str| {
            // The last change went from `b` to `c`.
            let changed = Changed {
                first,
                last: (Some("b"), Some("c")),
                others_too: false,
                ended: true,
                made_folder: None,
            };
            let action = changed.action(Ok(now.clone()), |_| Ok(()), force);
            assert!(format!("{action:?}").starts_with(expect), "{first:?} {now:?} {force}: {action:?}");
        };
        let old = before("a", 0o644);
        check(Some(&old), found("c"), false, "Restore");
        // A change that was recorded and never made.
        check(Some(&old), found("b"), false, "Restore");
        check(Some(&old), found("x"), false, "Leave");
        check(Some(&old), found("x"), true, "Restore");
        check(Some(&old), found("a"), false, "Nothing");
        check(Some(&old), None, false, "Recreate");
        check(None, found("c"), false, "Remove");
        check(None, found("x"), false, "Leave");
        check(None, found("x"), true, "Remove");
        check(None, None, false, "Nothing");
        // The bits alone differ: somebody else changed them, or the change lost them.
        check(Some(&before("c", 0o755)), found("c"), false, "Restore");
        let lost = Changed {
            first: Some(&old),
            last: (None, Some("c")),
            others_too: false,
            ended: true,
            made_folder: None,
        };
        let action = lost.action(Ok(found("c")), |_| Err("gone".into()), true);
        assert_eq!(action, RewindAction::Leave("gone".into()));
        let half = Changed { ended: false, ..lost };
        let action = half.action(Ok(found("x")), |_| Ok(()), false);
        assert!(matches!(&action, RewindAction::Leave(why) if why.contains("interrupted")), "{action:?}");
    }

    #[test]
    fn a_change_has_ended_with_the_call_of_its_own_agent() {
        let event = |agent: &str, body: EventBody| SessionEvent {
            v: 1,
            seq: 0,
            at: 0,
            agent: agent.into(),
            parent_tool_use_id: None,
            body,
        };
        let prompt = EventBody::Prompt { message: Message::user("p", "go") };
        let changes = EventBody::Checkpoint {
            tool_use_id: "call_0".into(),
            path: "/a".into(),
            before: None,
            after: Some("b".into()),
            made_folder: None,
        };
        let result = ToolFinish {
            tool: "Write".into(),
            input: json!({}),
            output: json!({}),
            answer: Vec::new(),
            shortened: false,
            outcome: Outcome::Success,
            changes: Vec::new(),
            error: None,
        };
        let finished = EventBody::ToolFinished { tool_use_id: "call_0".into(), result };
        let check = |changed_by: &str, finished_by: &str, expect: bool| {
            let events = [
                event(MAIN_AGENT, prompt.clone()),
                event(changed_by, changes.clone()),
                event(finished_by, finished.clone()),
            ];
            let changed = changed_since(&events, "p");
            let ended = changed.values().map(|change| change.ended).collect::<Vec<_>>();
            assert_eq!(ended, [expect], "{changed_by} {finished_by}");
        };
        check(MAIN_AGENT, MAIN_AGENT, true);
        check("sub", "sub", true);
        check("sub", MAIN_AGENT, false);
        check(MAIN_AGENT, "sub", false);
    }
}
