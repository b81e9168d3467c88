//! Other agents that may be installed: found on the path, given our listener as their vendor and the same prompt.

use std::path::PathBuf;
use std::process::Command;

use toolwright_tests::{KEY, Place};

pub(crate) const NAMES: [&str; 2] = ["claude", "codex"];

pub(crate) struct Peer {
    pub(crate) name: &'static str,
    program: PathBuf,
}

pub(crate) fn installed() -> Vec<Peer> {
    #[expect(clippy::disallowed_methods, reason = "a bench looks for programs where a shell would")]
    let path = std::env::var_os("PATH").unwrap_or_default();
    let find = |name: &'static str| {
        let mut places = std::env::split_paths(&path).map(|folder| folder.join(name));
        places.find(|program| program.is_file()).map(|program| Peer { name, program })
    };
    NAMES.into_iter().filter_map(find).collect()
}

impl Peer {
    pub(crate) fn command(&self, place: &Place, address: &str) -> Command {
        let mut command = place.command(&self.program);
        let url = format!("http://{address}");
        match self.name {
            "codex" => {
                command.args(["exec", "--skip-git-repo-check", "hi"]);
                command.env("OPENAI_BASE_URL", format!("{url}/v1")).env("OPENAI_API_KEY", KEY);
            }
            _ => {
                command.args(["-p", "hi"]).env("ANTHROPIC_BASE_URL", url).env("ANTHROPIC_API_KEY", KEY);
                command.env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
            }
        }
        command
    }
}
