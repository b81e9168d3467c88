//! A session on a bench: scripted model, probes, events written down as short lines.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use toolwright_core::{
    Block, Cancel, Definition, DynCall, DynReply, DynTool, Effects, Origin, Registration, Registry, Services,
    tool_fn,
};
use toolwright_engine::event::{EventBody, SessionEvent};
use toolwright_model::Model;
use toolwright_model::scripted::{Script, Scripted};
use toolwright_permissions::{Mode, RuleKind, RuleSet, Scope, Source};
use toolwright_runtime::{
    Agent, AgentOptions, Journal, RuntimeError, Session, SessionOptions, SessionRoots, Sink, TurnReport,
};
use toolwright_services::{AgentRequest, AgentSpawner, Approver};
use toolwright_testkit::{ProbeEvent, Probes, TempWorkspace};

/// Events as they came.
#[derive(Default)]
pub(crate) struct Recorder(Mutex<Vec<SessionEvent>>);

impl Sink for Recorder {
    fn event(&self, event: &SessionEvent, _: Option<&Arc<dyn DynCall>>) {
        self.0.lock().unwrap().push(event.clone());
    }
}

impl Recorder {
    pub(crate) fn events(&self) -> Vec<SessionEvent> {
        self.0.lock().unwrap().clone()
    }

    /// The same of one agent.
    pub(crate) fn of(&self, agent: &str) -> Vec<String> {
        self.events()
            .iter()
            .filter(|event| event.agent == agent)
            .filter_map(|event| line(&event.body))
            .collect()
    }

    /// The kept events as lines: what matters of each.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().iter().filter_map(|event| line(&event.body)).collect()
    }
}

fn line(body: &EventBody) -> Option<String> {
    Some(match body {
        EventBody::Prompt { message } => format!("prompt {}", message.text()),
        EventBody::Message { message, .. } => {
            let uses: Vec<_> = message.tool_uses().map(|(id, name, _)| format!("{name}:{id}")).collect();
            format!("message {} [{}]", message.text(), uses.join(" "))
        }
        EventBody::Decision { tool_use_id, outcome, .. } => format!("decision {tool_use_id} {outcome}"),
        EventBody::Approval { tool_use_id, allowed, .. } => format!("approval {tool_use_id} {allowed}"),
        EventBody::ToolStarted { tool_use_id, .. } => format!("started {tool_use_id}"),
        EventBody::ToolFinished { tool_use_id, result } => {
            let text = result.answer.first().and_then(|content| content.as_text()).unwrap_or_default();
            let first: String = text.lines().next().unwrap_or_default().chars().take(60).collect();
            format!("finished {tool_use_id} {:?} {first}", result.outcome)
        }
        EventBody::Compacted { reason, kept, .. } => format!("compacted {reason:?}, {kept} kept"),
        EventBody::Finished { reason, .. } => format!("end {reason}"),
        _ => return None,
    })
}

/// What a test changes of the usual session.
pub(crate) struct Bench {
    pub(crate) probes: Probes,
    pub(crate) recorder: Arc<Recorder>,
    pub(crate) workspace: TempWorkspace,
    pub(crate) cancel: Cancel,
    pub(crate) mode: Mode,
    pub(crate) allow: Vec<&'static str>,
    pub(crate) deny: Vec<&'static str>,
    pub(crate) approver: Option<Arc<dyn Approver>>,
    pub(crate) hooks: Option<Arc<dyn toolwright_runtime::Hooks>>,
    pub(crate) requests: Option<u64>,
    pub(crate) journal: Option<Journal>,
    /// Tools beside the probes.
    pub(crate) tools: Vec<Arc<dyn DynTool>>,
    pub(crate) registry: Registry,
    /// Another model than the scripted one.
    pub(crate) model: Option<Arc<dyn Model>>,
    pub(crate) sink: Option<Arc<dyn Sink>>,
    pub(crate) ask: Vec<&'static str>,
}

impl Default for Bench {
    fn default() -> Self {
        Self {
            probes: Probes::default(),
            recorder: Arc::default(),
            workspace: TempWorkspace::new(),
            cancel: Cancel::default(),
            mode: Mode::BypassPermissions,
            allow: Vec::new(),
            deny: Vec::new(),
            approver: None,
            hooks: None,
            requests: None,
            journal: None,
            tools: Vec::new(),
            registry: Registry::default(),
            model: None,
            sink: None,
            ask: Vec::new(),
        }
    }
}

impl Bench {
    pub(crate) fn agent(&mut self, script: Value) -> Agent {
        let script: Script = script.to_string().parse().unwrap();
        let model = Arc::new(Scripted::new(script, self.workspace.path()));
        let model = self.model.take().unwrap_or(model);
        let mut options = SessionOptions::new(self.registry.clone(), SessionRoots::at(self.workspace.path()));
        options.host_tools = self.probes.usual();
        options.host_tools.push(self.probes.tool(
            "Deaf",
            Effects::WRITES,
            toolwright_testkit::Behaviour::Deaf,
        ));
        options.host_tools.append(&mut self.tools);
        options.sink = self.sink.take().unwrap_or_else(|| Arc::clone(&self.recorder) as Arc<dyn Sink>);
        options.grace = Duration::from_millis(100);
        options.limits.requests = self.requests;
        options.rules = self.rules();
        if let Some(journal) = self.journal.take() {
            options.journal = journal;
        }
        if let Some(approver) = self.approver.take() {
            options.approver = approver;
        }
        if let Some(hooks) = self.hooks.take() {
            options.hooks = hooks;
        }
        let cwd = self.workspace.path().to_path_buf();
        let session = Session::new(options);
        Agent::new(session, AgentOptions::main(Services::default(), model, self.mode, cwd))
    }

    fn rules(&self) -> RuleSet {
        let source = Arc::new(Source::new(Scope::Flags, self.workspace.path()));
        let mut rules = RuleSet::default();
        rules.add_all(RuleKind::Allow, self.allow.iter().copied(), &source);
        rules.add_all(RuleKind::Deny, self.deny.iter().copied(), &source);
        rules.add_all(RuleKind::Ask, self.ask.iter().copied(), &source);
        rules
    }

    /// Runs one turn and gives its report.
    pub(crate) fn turn(&mut self, script: Value, prompt: &str) -> (Agent, TurnReport) {
        let mut agent = self.agent(script);
        agent.begin(vec!["system".into()]).unwrap();
        let report = block_on(say(&mut agent, prompt, &self.cancel)).unwrap();
        (agent, report)
    }
}

pub(crate) async fn say(
    agent: &mut Agent,
    prompt: &str,
    cancel: &Cancel,
) -> Result<TurnReport, RuntimeError> {
    agent.prompt(vec![Block::text(prompt)], cancel).await
}

/// A tool `Spawn` that gives its input's `prompt` to a subagent of the kind it names: what the Agent tool does.
pub(crate) fn spawning() -> Registry {
    Registry::of(&[Registration {
        name: "Spawn",
        package: "bench",
        build: |services| {
            let spawner = services.require::<dyn AgentSpawner>()?;
            let mut definition = Definition::new("Spawn", "Spawns.");
            definition.origin = Origin::BuiltIn { package: "bench".into() };
            Ok(tool_fn(definition, Effects::DELEGATES, move |input: Arc<Value>, cx| {
                let spawner = Arc::clone(&spawner);
                async move {
                    let text = |name: &str| input.get(name).and_then(Value::as_str).map(str::to_owned);
                    let request = AgentRequest {
                        description: "a task".into(),
                        prompt: text("prompt").unwrap_or_default(),
                        kind: text("kind"),
                        model: text("model"),
                    };
                    let report = spawner.spawn(request, &cx).await?;
                    let said =
                        format!("{} said: {} ({} uses)", report.agent_id, report.text, report.tool_uses);
                    Ok(DynReply::text(said))
                }
            }))
        },
        examples: || &[],
    }])
    .unwrap()
}

/// On several threads, as the program runs.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap()
        .block_on(future)
}

/// Runs one turn and interrupts it as soon as the probes are as `enough` wants them.
pub(crate) fn interrupted(
    bench: &mut Bench,
    agent: &mut Agent,
    enough: impl FnMut(&[ProbeEvent]) -> bool,
) -> TurnReport {
    let (probes, cancel) = (bench.probes.clone(), bench.cancel.clone());
    within(async {
        let stop = async {
            probes.until(enough).await;
            cancel.cancel();
        };
        tokio::join!(say(agent, "go", &cancel), stop).0.unwrap()
    })
}

/// As [`block_on`], for what may hang: a guard against a test that never ends, not a measure.
pub(crate) fn within<T>(future: impl Future<Output = T>) -> T {
    block_on(async { tokio::time::timeout(Duration::from_secs(20), future).await.expect("it hangs") })
}
