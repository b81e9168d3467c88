//! What a condition of a script may speak of, read out of either API's JSON.

use serde_json::Value;
use toolwright_model::scripted::Asked;

pub(super) fn asked(body: &Value) -> Asked {
    let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let role = |message: &Value| message["role"].as_str().unwrap_or_default().to_owned();
    let mut asked = Asked {
        system: texts(&body["system"]).join("\n"),
        delivery: if body["stream"] == true { "stream" } else { "whole" },
        ..Asked::default()
    };
    let tools = body["tools"].as_array().into_iter().flatten();
    let name = |tool: &Value| tool["name"].as_str().or(tool["function"]["name"].as_str()).map(str::to_owned);
    asked.tools = tools.filter_map(name).collect();
    for message in messages {
        match role(message).as_str() {
            "system" => asked.system = texts(&message["content"]).join("\n"),
            "assistant" => {
                asked.tool_results.clear();
                let ids = |list: &Value| -> Vec<String> {
                    let items = list.as_array().into_iter().flatten();
                    items.filter_map(|item| item["id"].as_str().map(str::to_owned)).collect()
                };
                asked.tool_uses.extend(ids(&message["content"]));
                asked.tool_uses.extend(ids(&message["tool_calls"]));
            }
            "tool" => asked.tool_results.push(texts(&message["content"]).join("\n")),
            _ => {
                for block in message["content"].as_array().into_iter().flatten() {
                    if block["type"] == "tool_result" {
                        asked.tool_results.push(texts(&block["content"]).join("\n"));
                    }
                }
                let said = texts(&message["content"]).join("\n");
                if !said.is_empty() {
                    if asked.first_user_text.is_empty() {
                        asked.first_user_text.clone_from(&said);
                    }
                    asked.last_user_text = said;
                }
            }
        }
    }
    asked
}

/// A string, or the texts of a list of blocks.
fn texts(content: &Value) -> Vec<String> {
    match content {
        Value::String(text) => vec![text.clone()],
        Value::Array(blocks) => {
            blocks.iter().filter_map(|block| block["text"].as_str().map(str::to_owned)).collect()
        }
        _ => Vec::new(),
    }
}
