//! The security cases that need this crate alone: paths, hosts, remote tools.

use serde::Deserialize;
use toolwright_core::{Effects, Subject, Verdict};
use toolwright_permissions::{Mode, Ruling};

use crate::support::{Call, rules};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    why: String,
    mode: Mode,
    #[serde(default)]
    allow: Vec<String>,
    #[serde(default)]
    ask: Vec<String>,
    #[serde(default)]
    deny: Vec<String>,
    tool: String,
    path: Option<String>,
    host: Option<String>,
    server: Option<String>,
    server_tool: Option<String>,
    #[serde(default)]
    needs_person: bool,
    expect: Vec<Ruling>,
}

#[test]
fn security_cases() {
    let mut wrong = Vec::new();
    for line in include_str!("../cases/security.jsonl").lines() {
        let case: Case = serde_json::from_str(line).expect("a case");
        let list = |kind: &str, texts: &[String]| -> String {
            texts.iter().map(|text| format!("{kind} {text}\n")).collect()
        };
        let lines = list("allow", &case.allow) + &list("ask", &case.ask) + &list("deny", &case.deny);
        let mut call = call(&case).mode(case.mode);
        if case.needs_person {
            call.verdict = Verdict::AskPerson("the tool needs a person".into());
        }
        let decision = call.decide(&rules(&lines));
        if !case.expect.contains(&decision.outcome) {
            wrong.push(format!("{} ({}): {decision:?}", case.id, case.why));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn call(case: &Case) -> Call {
    if let Some(path) = &case.path {
        return Call::file(&case.tool, path);
    }
    if let Some(host) = &case.host {
        return Call::new(&case.tool, Effects::READ_ONLY, vec![Subject::Domain(host.clone())]);
    }
    let server = case.server.as_deref().expect("a path, a host or a server");
    Call::remote(server, case.server_tool.as_deref().expect("the server's tool"))
}
