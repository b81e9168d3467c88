//! How values of several layers become one.

use serde_json::{Map, Value};

/// Objects whose entries are never mixed: half a server of one layer and half of another is a third one nobody agreed to.
const WHOLE_ENTRIES: [&str; 2] = ["agents", "mcpServers"];

/// Adds a weaker layer: objects are merged key by key, lists get what they lack, single values stay.
pub(crate) fn add_weaker(strong: &mut Map<String, Value>, weak: Map<String, Value>) {
    for (key, value) in weak {
        match (strong.get_mut(&key), value) {
            (Some(Value::Object(strong)), Value::Object(weak)) if WHOLE_ENTRIES.contains(&key.as_str()) => {
                for (name, entry) in weak {
                    strong.entry(name).or_insert(entry);
                }
            }
            (Some(Value::Object(strong)), Value::Object(weak)) => add_weaker(strong, weak),
            (Some(Value::Array(strong)), Value::Array(weak)) => {
                for item in weak {
                    if !strong.contains(&item) {
                        strong.push(item);
                    }
                }
            }
            (Some(_), _) => {}
            (None, value) => {
                strong.insert(key, value);
            }
        }
    }
}
