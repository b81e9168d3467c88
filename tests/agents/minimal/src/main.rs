//! The smallest agent: its tools are the features its manifest chose, its model and rules those of the person's settings.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a binary meets its person and its environment"
)]

use std::{env, error::Error, process::ExitCode};

use toolwright::core::{Block, Cancel, Environment};
use toolwright::{App, Start};

#[tokio::main]
async fn main() -> ExitCode {
    let prompt = env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    match answer(&prompt.collect::<Vec<_>>().join(" ")).await {
        Ok(answer) => println!("{answer}"),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

async fn answer(prompt: &str) -> Result<String, Box<dyn Error>> {
    if prompt == "tools" {
        return Ok(toolwright::tools()?.registrations().map(|tool| tool.name).collect::<Vec<_>>().join("\n"));
    }
    ask(prompt).await
}

async fn ask(prompt: &str) -> Result<String, Box<dyn Error>> {
    let environment = Environment::of(env::vars_os());
    let mut ready = App::linked(environment, env::current_dir()?)?.build(Start::New)?;
    Ok(ready.agent.prompt(vec![Block::text(prompt)], &Cancel::default()).await?.text)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_readme_shows_what_is_compiled_here() {
        let ask = |text: &'static str| {
            let start = text.find("async fn ask").expect("the function");
            let rest = &text[start..];
            &rest[..rest.find("\n}\n").expect("its end")]
        };
        assert_eq!(ask(include_str!("../../../../README.md")), ask(include_str!("main.rs")));
    }
}
