//! What an earlier commit decides about a text in default mode without rules: one line of JSON in, `true` or `false` out. Built
//! in a checkout of that commit, whose Bash tool is asked everything and runs nothing.

use std::collections::BTreeMap;
use std::io::{BufRead as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use serde_json::{Value, json};
use toolwright_core::{
    BoxFuture, Cancel, Definition, Detail, DynCall, DynReply, DynTool, Effects, Environment, Registration, Registry,
    Services, Stage, Subject, ToolContext, ToolError, Unavailable, Verdict, View,
};
use toolwright_engine::event::{EventBody, SessionEvent};
use toolwright_model::scripted::{Script, Scripted};
use toolwright_permissions::Mode;
use toolwright_runtime::{Agent, AgentOptions, Session, SessionOptions, SessionRoots, Sink};
use toolwright_tool_bash::REGISTRATION;

const CALLS: usize = 500;

#[derive(Default)]
struct Started(AtomicBool);

impl Sink for Started {
    fn event(&self, event: &SessionEvent, _: Option<&Arc<dyn DynCall>>) {
        if matches!(event.body, EventBody::ToolStarted { .. }) {
            self.0.store(true, Ordering::SeqCst);
        }
    }
}

fn main() {
    let variables: BTreeMap<String, String> = std::env::vars().collect();
    let project = PathBuf::from(variables.get("PROJECT").cloned().unwrap_or_default());
    let services = Services::new(Arc::new(Environment::new(variables, Default::default())));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let started = Arc::new(Started::default());
    let mut agents: BTreeMap<PathBuf, (Agent, usize)> = BTreeMap::new();
    for line in std::io::stdin().lock().lines() {
        let Ok(case) = serde_json::from_str::<Value>(&line.unwrap_or_default()) else { break };
        let folder = PathBuf::from(case["folder"].as_str().unwrap_or_default());
        if agents.get(&folder).is_none_or(|(_, calls)| *calls >= CALLS) {
            agents.insert(folder.clone(), (agent(&project, &folder, &services, &started), 0));
        }
        let (agent, calls) = agents.get_mut(&folder).unwrap();
        *calls += 1;
        started.0.store(false, Ordering::SeqCst);
        let cancel = Cancel::default();
        let called = runtime.block_on(agent.call("Bash", json!({"command": case["text"]}), &cancel));
        let allows = called.is_ok() && started.0.load(Ordering::SeqCst);
        let mut out = std::io::stdout().lock();
        _ = writeln!(out, "{allows}");
        _ = out.flush();
    }
}

fn agent(project: &Path, folder: &Path, services: &Services, started: &Arc<Started>) -> Agent {
    let registration = Registration { build: asked_only, ..REGISTRATION };
    let mut options = SessionOptions::new(Registry::of(&[registration]).unwrap(), SessionRoots::at(project));
    options.sink = Arc::clone(started) as Arc<dyn Sink>;
    let script: Script = "{\"turns\": []}".parse().unwrap();
    let model = Arc::new(Scripted::new(script, folder));
    Agent::new(Session::new(options), AgentOptions::main(services.clone(), model, Mode::Default, folder.into()))
}

fn asked_only(services: &Services) -> Result<Arc<dyn DynTool>, Unavailable> {
    Ok(Arc::new(Asked((REGISTRATION.build)(services)?)))
}

struct Asked(Arc<dyn DynTool>);

impl DynTool for Asked {
    fn definition(&self) -> &Definition {
        self.0.definition()
    }

    fn parse(self: Arc<Self>, input: Value) -> Result<Arc<dyn DynCall>, ToolError> {
        Ok(Arc::new(AskedCall(Arc::clone(&self.0).parse(input)?)))
    }
}

struct AskedCall(Arc<dyn DynCall>);

impl DynCall for AskedCall {
    fn input(&self) -> &Value {
        self.0.input()
    }

    fn effects(&self) -> Effects {
        self.0.effects()
    }

    fn subjects(&self, cx: &ToolContext) -> Vec<Subject> {
        self.0.subjects(cx)
    }

    fn validate<'a>(&'a self, cx: &'a ToolContext) -> BoxFuture<'a, Result<(), ToolError>> {
        self.0.validate(cx)
    }

    fn check<'a>(&'a self, cx: &'a ToolContext) -> BoxFuture<'a, Verdict> {
        self.0.check(cx)
    }

    fn run<'a>(&'a self, _: &'a ToolContext) -> BoxFuture<'a, Result<DynReply, ToolError>> {
        Box::pin(async { Ok(DynReply::text("allowed")) })
    }

    fn view(&self, stage: Stage<'_>, detail: Detail) -> View {
        self.0.view(stage, detail)
    }
}
