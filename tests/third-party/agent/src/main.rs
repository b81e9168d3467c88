//! An agent of another author: Read and Glob of ours, a tool of a crate of his, and his own Glob in the place of ours.

extern crate third_party_tool as _;

mod glob;

use std::process::ExitCode;

use toolwright::core::{Registry, RegistryError};

fn main() -> ExitCode {
    let registry = match registry() {
        Ok(registry) => registry,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    for tool in registry.registrations() {
        println!("{} {}", tool.name, tool.package);
    }
    ExitCode::SUCCESS
}

fn registry() -> Result<Registry, RegistryError> {
    toolwright::tools()?.replace(glob::REGISTRATION)
}

#[cfg(test)]
mod tests {
    use toolwright_testkit::{TempWorkspace, block_on, context, test_services};

    #[test]
    fn the_replacement_is_what_runs() {
        let workspace = TempWorkspace::new();
        let built = super::registry().unwrap().build(&test_services(&workspace));
        let glob = built.tools.iter().find(|tool| tool.definition().name == "Glob").unwrap();
        let call = glob.clone().parse(serde_json::json!({"pattern": "*.rs"})).unwrap();
        let reply = block_on(call.run(&context(&workspace))).unwrap();
        assert_eq!(reply.output, "nothing matches *.rs here");
    }
}
