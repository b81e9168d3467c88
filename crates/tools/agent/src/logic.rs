//! Which kind of subagent is meant, what it is asked, and what its report becomes. Spawns nothing.

use toolwright_core::{ErrorKind, ToolError};
use toolwright_services::{AgentKind, AgentReport, AgentRequest};

use crate::{Input, Output};

/// The kind that is meant where none is given.
pub(crate) const GENERAL: &str = "general-purpose";

/// The kind as its host spells it, whatever the letters' case: rules are written against that name, and another spelling must
/// not pass them by.
pub(crate) fn kind_name(kinds: &[AgentKind], asked: Option<&str>) -> String {
    let asked = given(asked).unwrap_or(GENERAL);
    let known = kinds.iter().find(|kind| kind.name.eq_ignore_ascii_case(asked));
    known.map_or(asked, |kind| kind.name.as_str()).to_owned()
}

/// Whether the call can be made at all.
pub(crate) fn check(kinds: &[AgentKind], input: &Input) -> Result<(), ToolError> {
    let wrong = |message: String| Err(ToolError::new(ErrorKind::InvalidInput, message));
    if input.prompt.trim().is_empty() {
        return wrong(
            "`prompt` is empty; give the whole task: the subagent sees nothing of this conversation".into(),
        );
    }
    let name = kind_name(kinds, input.subagent_type.as_deref());
    if kinds.iter().any(|kind| kind.name == name) {
        return Ok(());
    }
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name.as_str()).collect();
    wrong(format!("there is no `subagent_type` `{name}`; use one of {}", names.join(", ")))
}

pub(crate) fn request(kinds: &[AgentKind], input: &Input) -> AgentRequest {
    AgentRequest {
        description: input.description.trim().into(),
        prompt: input.prompt.clone(),
        kind: Some(kind_name(kinds, input.subagent_type.as_deref())),
        model: given(input.model.as_deref()).map(Into::into),
    }
}

pub(crate) fn output(report: AgentReport) -> Output {
    let AgentReport { agent_id, text, tool_uses, usage } = report;
    Output {
        agent_id,
        text,
        tool_uses,
        input_tokens: usage.input_tokens,
        output_tokens: usage.output_tokens,
        cache_read_input_tokens: usage.cache_read_input_tokens,
        cache_creation_input_tokens: usage.cache_creation_input_tokens,
    }
}

/// Models give an empty text where they mean nothing.
fn given(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}
