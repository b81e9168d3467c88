//! `-p`: one prompt from start to end. And the two commands that only list.

use std::sync::Arc;
use std::time::{Instant, SystemTime};

use toolwright::core::{Block, Cancel, Detail, Environment};
use toolwright::services::{Approver, DenyAll};
use toolwright::{AppError, Ready, Start};
use toolwright_render::LiveOptions;

use crate::approver::AtTerminal;
use crate::environment::Surroundings;
use crate::exit::Exit;
use crate::flags::{CommandLine, Common};
use crate::output::Output;
use crate::setup::{Hands, ToolShelf};
use crate::signals::interruptible;
use crate::stdout::{print, say};
use crate::terminal::Stream;
use crate::watch::Watch;
use crate::{prompt, sessions, setup, tools};

/// Lines of one block shown of a call or its result.
pub(crate) const FOLD: usize = 16;

/// Runs the prompt of a command line.
pub(crate) fn prompt(line: &CommandLine, surroundings: Surroundings) -> Exit {
    let text = match prompt::read(&line.prompt()) {
        Ok(text) => text,
        Err(message) => {
            say(&message);
            return Exit::Usage;
        }
    };
    in_runtime(run(line, surroundings, text))
}

/// Lists the tools.
pub(crate) fn tools(common: &Common, surroundings: Surroundings, json: bool, explain: bool) -> Exit {
    let ready = match setup::prepare(common, surroundings, Hands::default(), Start::Unrecorded) {
        Ok(ready) => ready,
        Err(error) => {
            say(&error.to_string());
            return Exit::Failed;
        }
    };
    say_what_counts(&ready.warnings, &ready.waiting);
    let listed = match (json, explain) {
        (true, _) => tools::json(&ready.agent.pool()),
        (_, true) => tools::explained(&ready.agent.explain_tools()),
        _ => tools::names(&ready.agent.pool()),
    };
    print(&listed).map_or(Exit::Failed, |()| Exit::Done)
}

/// Lists the sessions, or the prompts of one.
pub(crate) fn sessions(surroundings: &Surroundings, session: Option<&str>, json: bool) -> Exit {
    match setup::store(surroundings) {
        Ok(store) => match session {
            Some(session) => sessions::prompts(&store, session, json),
            None => sessions::sessions(&store, surroundings, json),
        },
        Err(message) => {
            say(&message);
            Exit::Failed
        }
    }
}

async fn run(line: &CommandLine, surroundings: Surroundings, text: String) -> Exit {
    let begun = Instant::now();
    let cancel = Cancel::default();
    let environment = Environment::new(surroundings.variables.clone(), serde_json::Map::new());
    let shelf = ToolShelf::default();
    let watch = watch(&line.common, &surroundings, &environment, &shelf);
    let approver = approver(watch.as_ref(), &environment);
    let output = Output::new(line.common.output_format, watch.clone(), cancel.clone());
    let start = match (&line.resume, line.go_on) {
        (Some(id), _) => Start::Resume(id.clone()),
        (None, true) => Start::Continue,
        (None, false) => Start::New,
    };
    let hands = Hands { sink: output.clone(), approver, model: None };
    let Ready { mut agent, warnings, waiting, places, cleanup_period, .. } =
        match setup::prepare(&line.common, surroundings, hands, start) {
            Ok(ready) => ready,
            Err(error) => return output.fail(&with_local_servers(&error).await),
        };
    say_what_counts(&warnings, &waiting);
    shelf.fill(&agent.pool());
    let moving = watch.as_ref().and_then(Watch::keep_moving);
    let turn = async {
        let turn = agent.prompt(vec![Block::text(text)], &cancel).await;
        drop(moving);
        match turn {
            Ok(_) => output.finish(Some(begun.elapsed())),
            Err(error) => output.fail(&error.to_string()),
        }
    };
    let exit = interruptible(&cancel, turn).await;
    if matches!(exit, Exit::Signal(_)) {
        return exit;
    }
    // Now that the answer is out, nobody waits for it.
    if let Some((period, store)) = cleanup_period.zip(toolwright::sessions(&places).ok()) {
        for (id, error) in store.clean(period, SystemTime::now()).failed {
            say(&format!("warning: the old session {id} could not be removed: {error}"));
        }
    }
    exit
}

/// What is wrong. Where no model is configured, with the model servers that answer on this machine.
async fn with_local_servers(error: &AppError) -> String {
    let message = error.to_string();
    #[cfg(feature = "openai")]
    if let AppError::Model(model) = error
        && model.kind == toolwright::model::ModelErrorKind::NotConfigured
    {
        let servers = toolwright::model::local_servers().await;
        return servers.iter().fold(message, |message, server| {
            let model = server.models.first().map_or("NAME", String::as_str);
            let (name, url) = (server.name, &server.base_url);
            format!("{message}\n{name} answers here: OPENAI_BASE_URL={url} toolwright --model openai:{model} -p ..")
        });
    }
    message
}

/// The run on standard error, where a person is there to see it or asked for it.
fn watch(
    common: &Common,
    surroundings: &Surroundings,
    environment: &Environment,
    shelf: &ToolShelf,
) -> Option<Watch> {
    if !Stream::Err.is_terminal() && !common.verbose {
        return None;
    }
    let options = LiveOptions {
        paint: Stream::Err.paint(environment),
        redraw: Stream::Err.is_redrawable(environment),
        detail: if common.verbose { Detail::Verbose } else { Detail::Condensed },
        facts: common.verbose,
        fold: Some(if common.verbose { FOLD * 4 } else { FOLD }),
        cwd: surroundings.cwd.clone(),
    };
    Some(Watch::on(Stream::Err, options, shelf.finder()))
}

/// The person, where one is at the terminal.
pub(crate) fn approver(watch: Option<&Watch>, environment: &Environment) -> Arc<dyn Approver> {
    match watch {
        Some(watch) if Stream::Err.is_terminal() => {
            Arc::new(AtTerminal { watch: watch.clone(), paint: Stream::Err.paint(environment) })
        }
        _ => Arc::new(DenyAll),
    }
}

/// Runs on one thread: what waits does so beside each other all the same, and it starts in no time. Threads that read a
/// terminal or a pipe are not waited for.
pub(crate) fn in_runtime(work: impl Future<Output = Exit>) -> Exit {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            say(&format!("the system gives no event queue: {error}; close some programs and try again"));
            return Exit::Failed;
        }
    };
    let exit = runtime.block_on(work);
    runtime.shutdown_background();
    exit
}

/// Settings that do not do what they seem to.
pub(crate) fn say_what_counts(warnings: &[String], waiting: &[String]) {
    warnings.iter().for_each(|warning| say(&format!("warning: {warning}")));
    if !waiting.is_empty() {
        let waiting = waiting.join(", ");
        say(&format!(
            "this project is not trusted, so these wait: {waiting}; read them, then run `toolwright trust`"
        ));
    }
}
