//! Schemas as strict mode wants them: every property required, what may be left out nullable, nothing further allowed. A schema
//! that cannot be said so (an object with free keys) stays as it is, and its tool is not strict.

use serde_json::{Map, Value, json};

/// The schema rewritten, if strict mode can say it.
pub(super) fn rewritten(schema: &Value) -> Option<Value> {
    let mut schema = schema.clone();
    rewrite(&mut schema)?;
    Some(schema)
}

fn rewrite(schema: &mut Value) -> Option<()> {
    let fields = schema.as_object_mut()?;
    // Words about the schema that strict mode refuses, and that change nothing it promises.
    for word in ["default", "examples", "title", "x-aliases", "format", "minLength", "maxLength"] {
        fields.remove(word);
    }
    for word in ["allOf", "not", "if", "patternProperties", "$ref", "oneOf"] {
        if fields.contains_key(word) {
            return None;
        }
    }
    for alternative in fields.get_mut("anyOf").and_then(Value::as_array_mut).into_iter().flatten() {
        rewrite(alternative)?;
    }
    if let Some(items) = fields.get_mut("items") {
        rewrite(items)?;
    }
    if fields.get("type").and_then(Value::as_str) == Some("object") {
        rewrite_object(fields)?;
    }
    Some(())
}

fn rewrite_object(fields: &mut Map<String, Value>) -> Option<()> {
    let further = fields.get("additionalProperties");
    let is_closed = further == Some(&Value::Bool(false));
    let has_free_keys = !is_closed && (further.is_some() || !fields.contains_key("properties"));
    if has_free_keys {
        return None;
    }
    let required = fields.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let mut names = Vec::new();
    for (name, property) in fields.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten()
    {
        rewrite(property)?;
        let name = Value::String(name.clone());
        if !required.contains(&name) {
            *property = json!({"anyOf": [property.take(), {"type": "null"}]});
        }
        names.push(name);
    }
    fields.insert("required".to_owned(), Value::Array(names));
    fields.insert("additionalProperties".to_owned(), Value::Bool(false));
    Some(())
}

/// An input without the nulls that stand for what is left out: the tools' own schemas know no null.
pub(super) fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(kept.map(|(name, value)| (name, without_nulls(value))).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(without_nulls).collect()),
        other => other,
    }
}
