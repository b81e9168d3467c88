//! A host whose subagents answer with what they were asked.

use std::sync::Arc;

use toolwright_core::{BoxFuture, Services, ToolContext, ToolError, Usage};
use toolwright_services::{AgentKind, AgentReport, AgentRequest, AgentSpawner};
use toolwright_testkit::{TempWorkspace, test_services};

struct Repeats;

impl AgentSpawner for Repeats {
    fn kinds(&self) -> Vec<AgentKind> {
        let kind = |name: &str, when: &str| AgentKind { name: name.into(), when_to_use: when.into() };
        vec![kind("general-purpose", "any task"), kind("Explore", "finding things")]
    }

    fn spawn<'a>(
        &'a self,
        request: AgentRequest,
        cx: &'a ToolContext,
    ) -> BoxFuture<'a, Result<AgentReport, ToolError>> {
        Box::pin(async move {
            let lines: String = (1..=5).map(|line| format!("\nline {line}")).collect();
            Ok(AgentReport {
                agent_id: format!("agent-{}", cx.call_id),
                text: format!(
                    "{} of {} asked: {}{lines}\n",
                    request.kind.unwrap_or_default(),
                    request.model.unwrap_or_default(),
                    request.prompt
                ),
                tool_uses: 3,
                usage: Usage::new(1_000, 20),
            })
        })
    }
}

pub(crate) fn services(workspace: &TempWorkspace) -> Services {
    let mut services = test_services(workspace);
    services.offer::<dyn AgentSpawner>(Arc::new(Repeats));
    services
}
