//! The hooks of the settings become commands that run. What never runs is said.

use std::path::Path;
use std::sync::Arc;

use toolwright_config::{Hook, HookEvent};
use toolwright_core::Environment;
use toolwright_runtime::{CommandEvent, CommandHook, CommandHooks, HookError, Hooks, NoHooks};

/// Runs those of events that happen here; a warning for each of another event.
pub(super) fn hooks(
    hooks: Vec<Hook>,
    environment: &Environment,
    project: &Path,
    warnings: &mut Vec<String>,
) -> Result<Arc<dyn Hooks>, HookError> {
    let mut commands = Vec::new();
    for hook in hooks {
        let origin = origin(&hook);
        match event(hook.event) {
            Some(event) => {
                let Hook { matcher, command, timeout, .. } = hook;
                commands.push(CommandHook { event, matcher, command, timeout, origin });
            }
            None => {
                let event = hook.event.name();
                warnings.push(format!(
                    "{origin}: hooks of the event {event} do not run yet; this one never does"
                ));
            }
        }
    }
    if commands.is_empty() {
        return Ok(Arc::new(NoHooks));
    }
    Ok(Arc::new(CommandHooks::new(commands, environment, project)?))
}

const fn event(event: HookEvent) -> Option<CommandEvent> {
    match event {
        HookEvent::PreToolUse => Some(CommandEvent::PreToolUse),
        HookEvent::PostToolUse => Some(CommandEvent::PostToolUse),
        HookEvent::UserPromptSubmit => Some(CommandEvent::UserPromptSubmit),
        _ => None,
    }
}

fn origin(hook: &Hook) -> String {
    match &hook.source.file {
        Some(file) => format!("{}:{}", file.display(), hook.line),
        None => format!("{}:{}", hook.source.scope, hook.line),
    }
}
