//! What the product decides about a text in default mode without rules, and the form in which it would run: hooks, validation,
//! the look at paths, the tool's own check and the order of decision are those of a session, with a Bash tool that is asked
//! everything and runs nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use tokio::runtime::Runtime;
use toolwright_core::{
    BoxFuture, Cancel, Definition, Detail, DynCall, DynReply, DynTool, Effects, Environment, Registration,
    Registry, Services, Stage, Subject, ToolContext, ToolError, Unavailable, Verdict, View,
};
use toolwright_engine::event::{EventBody, SessionEvent};
use toolwright_model::scripted::{Script, Scripted};
use toolwright_permissions::Mode;
use toolwright_runtime::{Agent, AgentOptions, Session, SessionOptions, SessionRoots, Sink, resolved_folder};
use toolwright_services::WorkingFolders;
use toolwright_shell::analyse;
use toolwright_tool_bash::REGISTRATION;

use crate::linux::place::{PATH, Place};

/// A text that runs without a question.
#[derive(Debug, Clone)]
pub(crate) struct Allowed {
    /// What bash is handed, without what the tool puts before it.
    pub(crate) runs: String,
    pub(crate) named: Named,
}

/// What the analysis said of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Named {
    /// Programs, by their last name.
    pub(crate) programs: BTreeSet<String>,
    /// Paths it reads.
    pub(crate) reads: Vec<PathBuf>,
}

/// How bash is started: the arguments before the text, what stands before the text, the variables.
#[derive(Debug, Clone, Default)]
pub(crate) struct Form {
    pub(crate) arguments: Vec<String>,
    pub(crate) prologue: String,
    pub(crate) variables: BTreeMap<String, String>,
}

/// Answers for one folder.
pub(crate) struct Decider {
    runtime: Runtime,
    services: Services,
    roots: SessionRoots,
    agents: BTreeMap<PathBuf, (Agent, usize)>,
    events: Arc<Events>,
    home: PathBuf,
}

/// An agent keeps what it did: after so many calls there is a new one.
const CALLS: usize = 500;

impl Decider {
    pub(crate) fn new(place: &Place) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let mut roots = SessionRoots::at(&place.project());
        roots.home = Some(resolved_folder(&place.home()));
        let services = services(place, PATH);
        let home = place.home();
        Ok(Self { runtime, services, roots, agents: BTreeMap::new(), events: Arc::default(), home })
    }

    /// None where it asks.
    pub(crate) fn decide(&mut self, text: &str, folder: &Path) -> Option<Allowed> {
        let agent = match self.agents.remove(folder) {
            Some((agent, calls)) if calls < CALLS => Some((agent, calls)),
            _ => self.agent(folder).map(|agent| (agent, 0)),
        };
        let (mut agent, calls) = agent?;
        self.events.take();
        let cancel = Cancel::default();
        let called = agent.call("Bash", json!({"command": text}), &cancel);
        let called = self.runtime.block_on(called);
        self.agents.insert(folder.into(), (agent, calls + 1));
        called.ok()?;
        let runs = self.events.take().into_iter().find_map(|event| match event {
            EventBody::ToolStarted { ran, .. } => Some(ran),
            _ => None,
        })?;
        let mut place = toolwright_shell::Place::new(folder, Some(&self.home));
        // Asked only of what was allowed, so that it is enough to know where the repository begins.
        place.repository = folder.ancestors().find(|folder| folder.join(".git").exists()).map(Into::into);
        let analysis = analyse(text, &place);
        let last = |name: &str| Path::new(name).file_name().map(|name| name.to_string_lossy().into_owned());
        let reads = analysis.subjects.into_iter().filter_map(|subject| match subject {
            Subject::Path { path, access, .. } if access.is_read() => Some(path),
            _ => None,
        });
        let named = Named {
            programs: analysis.programs.iter().filter_map(|name| last(name)).collect(),
            reads: reads.collect(),
        };
        Some(Allowed { runs: runs.unwrap_or_else(|| text.into()), named })
    }

    fn agent(&self, folder: &Path) -> Option<Agent> {
        let registration = Registration { build: asked_only, ..REGISTRATION };
        let registry = Registry::of(&[registration]).ok()?;
        let mut options = SessionOptions::new(registry, self.roots.clone());
        options.sink = Arc::clone(&self.events) as Arc<dyn Sink>;
        let session = Session::new(options);
        let script: Script = "{\"turns\": []}".parse().ok()?;
        let model = Arc::new(Scripted::new(script, folder));
        let services = self.services.clone();
        Some(Agent::new(session, AgentOptions::main(services, model, Mode::Default, folder.into())))
    }
}

fn services(place: &Place, path: &str) -> Services {
    let text = |path: PathBuf| path.to_string_lossy().into_owned();
    // The harmless ones, and others that would make programs do what nobody analysed.
    let variables: BTreeMap<String, String> = [
        ("PATH", path.to_owned()),
        ("HOME", text(place.home())),
        ("TMPDIR", text(place.temporary())),
        ("USER", "nobody".into()),
        ("LOGNAME", "nobody".into()),
        ("SHELL", "/bin/bash".into()),
        // Characters of several bytes; the same order and messages as with `LANG`, without 24 files that each program opens.
        ("LC_CTYPE", "C.UTF-8".into()),
        ("LANG", "C".into()),
        ("TZ", "UTC".into()),
        ("GIT_EXTERNAL_DIFF", "touch pwned".into()),
        ("GIT_DIR", "hostile/.git".into()),
        ("LESSOPEN", "|touch pwned".into()),
        ("RIPGREP_CONFIG_PATH", ".ripgreprc".into()),
        ("BASH_ENV", "script.sh".into()),
        ("GREP_OPTIONS", "-r".into()),
        ("BASH_FUNC_ls%%", "() { touch pwned; }".into()),
        ("INHERITED", "a[$(touch pwned)]".into()),
    ]
    .map(|(name, value)| (name.into(), value))
    .into();
    let mut services = Services::new(Arc::new(Environment::new(variables, Default::default())));
    services.offer::<dyn WorkingFolders>(Arc::new(vec![place.project()]));
    services
}

/// How the tool itself starts bash for what only reads: seen by a program that is found in the place of bash and writes down
/// what it is given.
pub(crate) fn form(place: &Place) -> io::Result<Form> {
    // It moves, so that the tool puts before it what tells the folder at the end.
    const TEXT: &str = "cd src && echo here";
    let folder = place.root().join("recorder");
    fs::create_dir_all(&folder)?;
    let bash = folder.join("bash");
    let script = format!(
        "#!/bin/sh\nfor word; do printf '%s\\0' \"$word\"; done >{0}/words\nexec /usr/bin/env -0 >{0}/variables\n",
        folder.display()
    );
    fs::write(&bash, script)?;
    fs::set_permissions(&bash, fs::Permissions::from_mode(0o755))?;
    let path = format!("{}:{PATH}", folder.display());
    let built = Registry::of(&[REGISTRATION]).map_err(io::Error::other)?.build(&services(place, &path));
    let tool =
        built.tools.first().map(Arc::clone).ok_or_else(|| io::Error::other("there is no Bash tool"))?;
    let call = tool.parse(json!({"command": TEXT})).map_err(io::Error::other)?;
    let cx = ToolContext::new("call", "main", &place.project(), Cancel::default(), |_| {});
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime
        .block_on(async {
            call.validate(&cx).await?;
            call.run(&cx).await
        })
        .map_err(io::Error::other)?;
    let read = |name: &str| -> io::Result<Vec<String>> {
        let text = fs::read_to_string(folder.join(name))?;
        Ok(text.split_terminator('\0').map(Into::into).collect())
    };
    let mut arguments = read("words")?;
    let script = arguments.pop().unwrap_or_default();
    let text = call.runs(&cx).unwrap_or_else(|| TEXT.into());
    let prologue = script.strip_suffix(text.as_str()).map(Into::into);
    let prologue =
        prologue.ok_or_else(|| io::Error::other("the text is not the end of what bash is handed"))?;
    let mut variables: BTreeMap<String, String> = read("variables")?
        .into_iter()
        .filter_map(|entry| entry.split_once('=').map(|(name, value)| (name.into(), value.into())))
        .collect();
    variables.insert("PATH".into(), PATH.into());
    fs::remove_dir_all(&folder)?;
    Ok(Form { arguments, prologue, variables })
}

/// The events of a call.
#[derive(Default)]
struct Events(Mutex<Vec<EventBody>>);

impl Events {
    fn take(&self) -> Vec<EventBody> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Sink for Events {
    fn event(&self, event: &SessionEvent, _: Option<&Arc<dyn DynCall>>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(event.body.clone());
    }
}

fn asked_only(services: &Services) -> Result<Arc<dyn DynTool>, Unavailable> {
    Ok(Arc::new(Asked((REGISTRATION.build)(services)?)))
}

/// The tool, without running.
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

    fn runs(&self, cx: &ToolContext) -> Option<String> {
        self.0.runs(cx)
    }
}
