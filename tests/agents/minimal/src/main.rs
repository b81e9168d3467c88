//! The smallest agent: its tools are the features its manifest chose, its model and rules those of the person's settings.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a binary meets its person and its environment"
)]

use std::env;

use toolwright::core::{Block, Cancel, Environment};
use toolwright::{App, Start};

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let prompt = env::args().skip(1).collect::<Vec<_>>().join(" ");
    if prompt == "tools" {
        toolwright::tools()?.registrations().for_each(|tool| println!("{}", tool.name));
        return Ok(());
    }
    let variables =
        env::vars_os().filter_map(|(name, value)| name.into_string().ok().zip(value.into_string().ok()));
    let app = App::linked(Environment::new(variables.collect(), Default::default()), env::current_dir()?)?;
    let report = app.build(Start::New)?.agent.prompt(vec![Block::text(prompt)], &Cancel::default()).await?;
    println!("{}", report.text);
    Ok(())
}
