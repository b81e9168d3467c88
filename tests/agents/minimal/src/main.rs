//! The smallest agent: its tools are the features its manifest chose.
#![expect(clippy::print_stdout, reason = "a binary speaks to its person")]

fn main() -> Result<(), toolwright::core::RegistryError> {
    for tool in toolwright::tools()?.registrations() {
        println!("{}", tool.name);
    }
    Ok(())
}
