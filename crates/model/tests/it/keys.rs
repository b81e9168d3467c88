//! A key is sent, and shown nowhere.

use serde_json::json;
use toolwright_model::{Anthropic, OpenAi, select};
use toolwright_testkit::ModelServer;

use crate::support::{Ask, KEY, WIRES, environment, model};

#[test]
fn no_key_in_debug() {
    let environment = environment(&[("ANTHROPIC_API_KEY", KEY), ("OPENAI_API_KEY", KEY)], json!({}));
    let shown = [
        format!("{:?}", Anthropic::new("sonnet", &environment).unwrap()),
        format!("{:#?}", OpenAi::new("gpt", &environment).unwrap()),
    ];
    for text in shown {
        assert!(!text.contains("0123456789"), "{text}");
    }
}

#[test]
fn no_key_in_errors_though_the_server_repeats_it() {
    for wire in WIRES {
        for fail in [
            format!(r#"{{"http": {{"status": 401, "message": "wrong key {KEY}, look"}}}}"#),
            format!(r#"{{"http": {{"status": 400, "message": "{KEY}"}}}}"#),
        ] {
            let server = ModelServer::with_script(&format!(r#"{{"fail": {fail}}}"#));
            let answer = Ask::text("go").answer(&*model(wire, &server, json!({})));
            let shown = format!("{0} {0:?}", answer.error());
            assert!(shown.contains("[key]") && !shown.contains("0123456789"), "{shown}");
        }
    }
}

#[test]
fn the_key_goes_out_as_each_vendor_wants_it() {
    let sent = |variables: &[(&str, &str)], spec: &str, header: &str| {
        let server = ModelServer::with_script(r#"{"reply": [{"text": "ok"}]}"#);
        let url = server.url();
        let mut variables = variables.to_vec();
        variables.extend([("ANTHROPIC_BASE_URL", url.as_str()), ("OPENAI_BASE_URL", url.as_str())]);
        let model = select(Some(spec), &environment(&variables, json!({}))).unwrap();
        assert_eq!(Ask::text("go").answer(&*model).words(), "text:ok");
        server.requests()[0].headers.contains_key(header)
    };
    assert!(sent(&[("ANTHROPIC_API_KEY", KEY)], "claude-sonnet-5", "x-api-key"));
    assert!(sent(&[("ANTHROPIC_AUTH_TOKEN", KEY)], "anthropic:x", "authorization"));
    assert!(sent(&[("OPENAI_API_KEY", KEY)], "openai:x", "authorization"));
    // A local server needs none.
    assert!(!sent(&[], "openai:x", "authorization"));
    assert!(!sent(&[], "anthropic:x", "x-api-key"));
}

#[test]
fn a_key_that_cannot_be_sent_is_not_shown_either() {
    let environment = environment(&[("ANTHROPIC_API_KEY", "sk-01234\n56789")], json!({}));
    let error = Anthropic::new("sonnet", &environment).unwrap_err();
    assert_eq!(
        error.to_string(),
        "ANTHROPIC_API_KEY holds characters that no key has: set it to the key alone."
    );
}
