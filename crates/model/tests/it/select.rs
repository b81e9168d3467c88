//! Which client a name means, and the words where it means none.

use serde_json::json;
use toolwright_model::{ModelErrorKind, select};

use crate::support::{KEY, environment};

fn check(spec: Option<&str>, variables: &[(&str, &str)], expect: &str) {
    let shown = match select(spec, &environment(variables, json!({}))) {
        Ok(model) => model.name().to_owned(),
        Err(error) => {
            assert!(matches!(error.kind, ModelErrorKind::NotConfigured | ModelErrorKind::Script));
            error.to_string()
        }
    };
    assert_eq!(shown, expect);
}

#[test]
fn names() {
    let key = [("ANTHROPIC_API_KEY", KEY), ("OPENAI_API_KEY", KEY)];
    check(Some("claude-opus-4-6"), &key, "claude-opus-4-6");
    check(Some("anthropic:house-model"), &key, "house-model");
    check(Some("haiku"), &key, "claude-haiku-4-5");
    check(Some("openai:gpt-9"), &key, "gpt-9");
    check(Some("openai:org/model:7b"), &key, "org/model:7b");
    check(None, &[("ANTHROPIC_API_KEY", KEY), ("ANTHROPIC_MODEL", "opus")], "claude-opus-5-5");
    check(None, &[("ANTHROPIC_AUTH_TOKEN", KEY)], "claude-sonnet-5-5");
}

#[test]
fn what_to_do_when_there_is_none() {
    let nothing = "No model is configured.\n\
        Set ANTHROPIC_API_KEY to your key, or\n\
        give --model openai:NAME with OPENAI_BASE_URL (a local server needs no key); or\n\
        run `toolwright demo`, which needs neither key nor network.";
    check(None, &[], nothing);
    check(Some(" "), &[("ANTHROPIC_API_KEY", "")], nothing);
    check(Some("sonnet"), &[], "claude-sonnet-5-5 needs a key: set ANTHROPIC_API_KEY.");
    check(
        Some("openai:x"),
        &[],
        "openai: needs a key or a server: set OPENAI_API_KEY, or OPENAI_BASE_URL to a local server \
         (http://127.0.0.1:11434/v1).",
    );
    check(
        Some("gpt-9"),
        &[],
        "no model is called `gpt-9`. Write anthropic:NAME (or a name that begins with claude-), openai:NAME, or \
         scripted:FILE.",
    );
    check(
        Some("openai:x"),
        &[("OPENAI_BASE_URL", "localhost:8080")],
        "OPENAI_BASE_URL is no address of a server: it should look like https://host or http://127.0.0.1:8080.",
    );
    check(Some("scripted:/no/such"), &[], "script /no/such: No such file or directory (os error 2)");
}

#[test]
fn a_wrong_setting_is_named() {
    let environment = environment(&[("ANTHROPIC_API_KEY", KEY)], json!({"idleTimeout": 5}));
    let error = select(Some("sonnet"), &environment).err().unwrap().to_string();
    assert!(error.starts_with("the setting `modelOptions") && error.contains("idleTimeout"), "{error}");
}
