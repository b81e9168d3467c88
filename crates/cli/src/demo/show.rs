//! The demo's project, its script, and its showing.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;
use toolwright::core::{Block, Cancel, Detail, Environment, Role, View};
use toolwright::model::Scripted;
use toolwright::model::scripted::Script;
use toolwright::permissions::Mode;
use toolwright::runtime::TurnReport;
use toolwright::{Ready, Start};
use toolwright_render::{Layout, Line, LiveOptions, lines};

use crate::environment::Surroundings;
use crate::exit::Exit;
use crate::flags::Common;
use crate::setup::{self, Hands, ToolShelf};
use crate::signals::interruptible;
use crate::stdout::say;
use crate::terminal::Stream;
use crate::watch::Watch;

const SCRIPT: &str = include_str!("../../demo/script.json");

/// The sample project: path, text.
const PROJECT: [(&str, &str); 6] = [
    ("README.md", include_str!("../../demo/project/README.md")),
    ("week.txt", include_str!("../../demo/project/week.txt")),
    ("test.sh", include_str!("../../demo/project/test.sh")),
    (".env", include_str!("../../demo/project/station.env")),
    ("src/convert.sh", include_str!("../../demo/project/src/convert.sh")),
    ("src/report.sh", include_str!("../../demo/project/src/report.sh")),
];

/// The tools the script calls.
const NEEDED: [&str; 4] = ["Bash", "Edit", "Glob", "Read"];

const PROMPT: &str = "The tests fail. Find out why, and mend it.";

/// Runs it from start to end.
pub(super) async fn show(common: &Common, surroundings: Surroundings) -> Exit {
    // Gone when this ends, also where it is interrupted.
    let place = match lay_out() {
        Ok(place) => place,
        Err(error) => {
            say(&format!("the sample project cannot be written to the folder for temporary files: {error}"));
            return Exit::Failed;
        }
    };
    let project = place.path().join("weather");
    let terminal = Stream::Out;
    let environment = Environment::new(surroundings.variables.clone(), serde_json::Map::new());
    let options = LiveOptions {
        paint: terminal.paint(&environment),
        redraw: terminal.is_redrawable(&environment),
        detail: if common.verbose { Detail::Transcript } else { Detail::Verbose },
        facts: common.verbose,
        fold: Some(crate::run::FOLD),
        cwd: project.clone(),
    };
    let redraws = options.redraw;
    let shelf = ToolShelf::default();
    let watch = Watch::on(terminal, options, shelf.finder());
    watch.print(&opening(&project, &watch.layout()));
    let Ready { mut agent, .. } = match prepare(surroundings, &place, &project, &watch, redraws) {
        Ok(ready) => ready,
        Err(message) => {
            say(&message);
            return Exit::Failed;
        }
    };
    shelf.fill(&agent.pool());
    let missing: Vec<_> = NEEDED.into_iter().filter(|name| agent.pool().get(name).is_none()).collect();
    if !missing.is_empty() {
        say(&format!("the demo needs tools that this binary was built without: {}", missing.join(", ")));
        return Exit::Failed;
    }
    let cancel = Cancel::default();
    let moving = watch.keep_moving();
    let shown = async {
        let turn = agent.prompt(vec![Block::text(PROMPT)], &cancel).await;
        drop(moving);
        watch.finish();
        ending(turn, &cancel, &watch)
    };
    interruptible(&cancel, shown).await
}

fn ending(
    turn: Result<TurnReport, toolwright::runtime::RuntimeError>,
    cancel: &Cancel,
    watch: &Watch,
) -> Exit {
    match turn {
        _ if cancel.is_cancelled() => {
            say("interrupted");
            Exit::Interrupted
        }
        Err(error) => {
            say(&error.to_string());
            Exit::Failed
        }
        Ok(report) => match report.ending {
            toolwright::engine::Ending::Done => {
                watch.print(&closing(&report, &watch.layout()));
                Exit::Done
            }
            other => {
                say(&format!("the demo did not end as it should: {other:?}"));
                Exit::Failed
            }
        },
    }
}

/// The agent of the demo: its own home, so that neither settings nor sessions of the person are touched.
fn prepare(
    mut surroundings: Surroundings,
    place: &TempDir,
    project: &Path,
    watch: &Watch,
    paced: bool,
) -> Result<Ready, String> {
    let home = place.path().join("home").display().to_string();
    surroundings.variables.insert("TOOLWRIGHT_HOME".into(), format!("{home}/.toolwright"));
    surroundings.variables.insert("HOME".into(), home);
    surroundings.variables.remove("TOOLWRIGHT_SIMPLE");
    surroundings.cwd = project.into();
    let mut script: Script = SCRIPT.parse().map_err(|error| format!("the demo's script: {error}"))?;
    if !paced {
        script.turns.iter_mut().for_each(|turn| turn.pace_ms = None);
    }
    let common = Common {
        allowed_tools: vec!["Bash(bash test.sh)".into()],
        disallowed_tools: vec!["Read(./.env)".into()],
        permission_mode: Some(Mode::AcceptEdits),
        ..Common::default()
    };
    let model = Arc::new(Scripted::new(script, project));
    let hands = Hands { sink: Arc::new(watch.clone()), model: Some(model), ..Hands::default() };
    setup::prepare(&common, surroundings, hands, Start::New).map_err(|error| error.to_string())
}

fn lay_out() -> io::Result<TempDir> {
    let place = tempfile::Builder::new().prefix("toolwright-demo-").tempdir()?;
    for (name, text) in PROJECT {
        let file: PathBuf = place.path().join("weather").join(name);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(file, text)?;
    }
    fs::create_dir_all(place.path().join("home"))?;
    Ok(place)
}

fn opening(project: &Path, layout: &Layout) -> Vec<Line> {
    let about = format!(
        "The model of this demo reads its lines from a script; the tools are real. They work on a copy of a small project \
         in {}, which is removed at the end.",
        project.display()
    );
    let mut shown = lines(&View::words(Role::Muted, about), layout);
    shown.push(Line::default());
    shown.extend(lines(&View::words(Role::Name, format!("> {PROMPT}")), layout));
    shown
}

fn closing(report: &TurnReport, layout: &Layout) -> Vec<Line> {
    let about = format!(
        "{} requests to the model; one call was refused by a rule, Read(./.env). Your turn, with a model of your own: \
         toolwright -p \"what is this project?\"",
        report.requests
    );
    let mut shown = vec![Line::default()];
    shown.extend(lines(&View::words(Role::Muted, about), layout));
    shown
}
