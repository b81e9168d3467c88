//! Probe tools: what they do is said by the test, and what happened to them can be asked and waited for.

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::watch;
use toolwright_core::{
    Cancel, Content, ContextChange, Definition, DynReply, DynTool, Effects, ErrorKind, Outcome, ToolContext,
    ToolError, tool_fn,
};

/// What a probe does when it is called.
#[derive(Debug, Clone)]
pub enum Behaviour {
    /// Answers its input as text, at once.
    Echo,
    /// Waits until [`Probes::release`], then answers `released`; ends at once when cancelled.
    Wait,
    /// Waits like [`Wait`](Self::Wait), and is deaf to cancellation.
    Deaf,
    /// A reply that tells the model it failed.
    FailingReply,
    /// An error with this message.
    Fail(String),
    /// A panic with this message.
    Panic(String),
    /// Answers `changed`, and asks for these changes.
    Change(Vec<ContextChange>),
}

/// What happened to a probe's call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProbeEvent {
    /// The call of this id began.
    Started(String),
    /// The call of this id was ready to answer.
    Finished(String),
    /// The call of this id saw its cancellation.
    Cancelled(String),
}

/// A set of probe tools with one log and one gate. Clones are the same set.
///
/// ```
/// use toolwright_core::Effects;
/// use toolwright_testkit::{Behaviour, Probes, TempWorkspace, block_on, context};
/// let probes = Probes::default();
/// let echo = probes.tool("Echo", Effects::READ_ONLY, Behaviour::Echo);
/// let call = echo.parse(serde_json::json!({"any": 1})).unwrap();
/// let workspace = TempWorkspace::new();
/// let reply = block_on(call.run(&context(&workspace))).unwrap();
/// assert_eq!(reply.answer[0].as_text(), Some(r#"{"any":1}"#));
/// assert_eq!(probes.events().len(), 2);
/// ```
#[derive(Debug, Clone)]
pub struct Probes {
    log: Arc<watch::Sender<Vec<ProbeEvent>>>,
    /// Cancelled is open.
    gate: Cancel,
}

impl Default for Probes {
    fn default() -> Self {
        Self { log: Arc::new(watch::Sender::new(Vec::new())), gate: Cancel::default() }
    }
}

impl Probes {
    /// A tool of this set that takes any object.
    #[must_use]
    pub fn tool(&self, name: &str, effects: Effects, behaviour: Behaviour) -> Arc<dyn DynTool> {
        let probes = self.clone();
        let definition = Definition::new(name, format!("The probe {name}."));
        tool_fn(definition, effects, move |input: Arc<Value>, cx| {
            let (probes, behaviour) = (probes.clone(), behaviour.clone());
            async move { probes.run(&behaviour, &input, &cx).await }
        })
    }

    /// The usual ones. Read-only: `Echo` `Wait` `Fail` `Panic`. Writing, so that they run alone: `Write` `SlowWrite`.
    #[must_use]
    pub fn usual(&self) -> Vec<Arc<dyn DynTool>> {
        vec![
            self.tool("Echo", Effects::READ_ONLY, Behaviour::Echo),
            self.tool("Fail", Effects::READ_ONLY, Behaviour::Fail("the probe failed".into())),
            self.tool("Panic", Effects::READ_ONLY, Behaviour::Panic("the probe panicked".into())),
            self.tool("SlowWrite", Effects::WRITES, Behaviour::Wait),
            self.tool("Wait", Effects::READ_ONLY, Behaviour::Wait),
            self.tool("Write", Effects::WRITES, Behaviour::Echo),
        ]
    }

    /// Lets all waiting calls go on, and all later ones through.
    pub fn release(&self) {
        self.gate.cancel();
    }

    /// What happened so far, in order.
    #[must_use]
    pub fn events(&self) -> Vec<ProbeEvent> {
        self.log.borrow().clone()
    }

    /// Waits until the events are as `enough` wants them.
    pub async fn until(&self, mut enough: impl FnMut(&[ProbeEvent]) -> bool) {
        // The sender lives in `self`, so waiting cannot fail.
        let _ = self.log.subscribe().wait_for(|events| enough(events)).await;
    }

    fn note(&self, event: ProbeEvent) {
        self.log.send_modify(|events| events.push(event));
    }

    async fn run(
        &self,
        behaviour: &Behaviour,
        input: &Value,
        cx: &ToolContext,
    ) -> Result<DynReply, ToolError> {
        let id = cx.call_id.to_string();
        self.note(ProbeEvent::Started(id.clone()));
        let result = match behaviour {
            Behaviour::Echo => Ok(DynReply::text(input.to_string())),
            Behaviour::Wait => tokio::select! {
                biased;
                () = cx.cancel.cancelled() => {
                    self.note(ProbeEvent::Cancelled(id));
                    return Err(ToolError::new(ErrorKind::Cancelled, "the probe was interrupted"));
                }
                () = self.gate.cancelled() => Ok(DynReply::text("released")),
            },
            Behaviour::Deaf => {
                self.gate.cancelled().await;
                Ok(DynReply::text("released"))
            }
            Behaviour::FailingReply => Ok(DynReply {
                outcome: Outcome::Failure,
                answer: vec![Content::text("the probe replies that it failed")],
                ..DynReply::text("failed")
            }),
            Behaviour::Fail(message) => Err(ToolError::new(ErrorKind::Failed, message)),
            Behaviour::Panic(message) => {
                self.note(ProbeEvent::Finished(id));
                panic!("{message}")
            }
            Behaviour::Change(changes) => {
                Ok(DynReply { changes: changes.clone(), ..DynReply::text("changed") })
            }
        };
        self.note(ProbeEvent::Finished(id));
        result
    }
}
