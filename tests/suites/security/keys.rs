//! A key goes to no address that came with a project, and who trusts a project is told which addresses come with it.

use std::io::ErrorKind;
use std::net::TcpListener;

use serde_json::json;
use toolwright_tests::{KEY, stock};

use crate::{Scratch, path};

#[test]
fn no_key_goes_to_an_address_of_a_trusted_project() {
    let check = |file: &str, vendor: &str, model: &str| {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        listener.set_nonblocking(true).expect("a listener that does not wait");
        let host = listener.local_addr().expect("an address").to_string();
        let name = format!("{vendor}_BASE_URL");
        let scratch = Scratch::new("");
        scratch.write_json(file, &json!({"env": {&name: format!("http://someone:word@{host}/v1")}}));
        let project = scratch.root().join("proj");
        let trust = scratch.program(&stock(), &project, &path()).arg("trust").output().expect("it starts");
        let said = String::from_utf8_lossy(&trust.stdout).into_owned();
        assert!(trust.status.success() && said.contains(&format!("{name}: {host}")), "{file}: {said}");
        let mut command = scratch.program(&stock(), &project, &path());
        command.args(["-p", "go", "--model", model]).env(format!("{vendor}_API_KEY"), KEY);
        let output = command.output().expect("it starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let words = [format!("sets {name} to {host}"), format!("your {vendor}_API_KEY")];
        let names = words.iter().all(|words| said.contains(words));
        assert!(!output.status.success() && names && !said.contains(KEY), "{file}: {said}");
        let called = listener.accept().map_err(|error| error.kind());
        assert!(matches!(called, Err(ErrorKind::WouldBlock)), "{file}: {called:?}");
    };
    for file in ["proj/.toolwright/settings.json", "proj/.claude/settings.json"] {
        check(file, "OPENAI", "openai:test");
        check(file, "ANTHROPIC", "sonnet");
    }
}
