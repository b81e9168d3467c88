//! Cases from the field (`tests/data/cases.jsonl`): what people who use agents report of shell tools.

use std::time::Instant;

use regex::Regex;
use serde_json::{Value, json};
use toolwright_core::Authority;
use toolwright_testkit::TempWorkspace;

use crate::session::{Answer, Session, variables};

const CASES: &str = include_str!("../data/cases.jsonl");

#[tokio::test]
async fn cases_from_the_field() {
    let mut wrong = Vec::new();
    for line in CASES.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let id = case["id"].as_str().unwrap().to_owned();
        match check(&case).await {
            Ok(()) => {}
            Err(why) => wrong.push(format!("{id}: {why}")),
        }
    }
    assert!(wrong.is_empty(), "{} cases are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

async fn check(case: &Value) -> Result<(), String> {
    let workspace = TempWorkspace::new();
    let folder = workspace.path().to_str().unwrap().to_owned();
    let filled = case.to_string().replace("{D}", &folder);
    let case: Value = serde_json::from_str(&filled).unwrap();
    let mut given = variables();
    for need in case["needs"].as_array().unwrap() {
        let need = need.as_str().unwrap();
        let Some((name, value)) = need.strip_prefix("env:").and_then(|pair| pair.split_once('=')) else {
            println!("skipped: {} needs {need}", case["id"]);
            return Ok(());
        };
        given.insert(name.into(), value.into());
    }
    shell(&workspace, case["setup"].as_str().unwrap()).await?;
    let mut session = Session::new(workspace.path(), given);
    for step in case["prior"].as_array().unwrap() {
        match step.get("shell") {
            Some(script) => shell(&workspace, script.as_str().unwrap()).await?,
            None => drop(session.call(step["input"].clone()).await),
        }
    }
    let began = Instant::now();
    let mut answer = session.call(case["input"]["input"].clone()).await;
    if answer.text.starts_with("Bash was not run: nobody has seen this command") {
        session.authority = Authority::Person;
        answer = session.call(case["input"]["input"].clone()).await;
    }
    let took = began.elapsed().as_millis();
    let expect = &case["expect"];
    judge(expect, &answer).map_err(|why| format!("{why}; answer: {:.600}", answer.text))?;
    if let Some(most) = expect["max_ms"].as_u64()
        && took > u128::from(most)
    {
        return Err(format!("took {took} ms of {most}"));
    }
    for script in texts(&expect["checks"]) {
        shell(&workspace, script).await?;
    }
    Ok(())
}

fn judge(expect: &Value, answer: &Answer) -> Result<(), String> {
    if let Some(wanted) = expect["is_error"].as_bool()
        && wanted != answer.is_error
    {
        return Err(format!("is_error is {}", answer.is_error));
    }
    for pattern in texts(&expect["contains_re"]) {
        if !Regex::new(pattern).unwrap().is_match(&answer.text) {
            return Err(format!("lacks {pattern}"));
        }
    }
    for pattern in texts(&expect["not_contains_re"]) {
        if Regex::new(pattern).unwrap().is_match(&answer.text) {
            return Err(format!("holds {pattern}"));
        }
    }
    let mut rest = answer.text.as_str();
    for word in texts(&expect["order"]) {
        rest = rest.split_once(word).ok_or_else(|| format!("{word} is not in its place"))?.1;
    }
    if let Some(most) = expect["max_result_bytes"].as_u64()
        && answer.text.len() as u64 > most
    {
        return Err(format!("answer has {} bytes", answer.text.len()));
    }
    if expect["block_nonempty"] == true && answer.text.is_empty() {
        return Err("answer is empty".into());
    }
    Ok(())
}

fn texts(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

async fn shell(workspace: &TempWorkspace, script: &str) -> Result<(), String> {
    let mut session = Session::new(workspace.path(), variables());
    let answer = session.call(json!({"command": format!("set -e\n{script}")})).await;
    if answer.is_error { Err(format!("`{script}`: {}", answer.text)) } else { Ok(()) }
}
