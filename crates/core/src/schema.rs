//! The schemas a provider is sent: 2020-12, object root, nothing to look up, no noise. Vendor rewriting is not done here.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

/// The words in a schema that only lenient reading understands start so, and never reach a provider.
const OWN_WORD: &str = "x-aliases";

/// The schema of `T`, our own `x-aliases` included. Recursive types keep their `$defs`.
pub(crate) fn of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let generator = settings.with_transform(RecursiveTransform(plain)).into_generator();
    let mut schema = generator.into_root_schema_for::<T>();
    schema.remove("title");
    let root = schema.get("type").cloned().unwrap_or_else(|| "object".into());
    schema.insert("type".into(), root);
    schema.to_value()
}

/// The schema without the words that only lenient reading understands.
pub(crate) fn wire(schema: &Value) -> Value {
    match schema {
        Value::Object(map) => {
            let kept = map.iter().filter(|(key, _)| *key != OWN_WORD);
            Value::Object(kept.map(|(key, inner)| (key.clone(), wire(inner))).collect())
        }
        Value::Array(items) => items.iter().map(wire).collect(),
        other => other.clone(),
    }
}

/// An optional field is one that is not `required`: `null` beside its type, and Rust's integer formats, tell a model nothing.
fn plain(schema: &mut Schema) {
    let Some(map) = schema.as_object_mut() else { return };
    drop_null_type(map);
    let rust_format = |format: &str| format.starts_with("uint") || format.starts_with("int");
    if map.get("format").and_then(Value::as_str).is_some_and(rust_format) {
        map.remove("format");
    }
    if map.get("default").is_some_and(Value::is_null) {
        map.remove("default");
    }
    lift_only_choice(map);
    enumerate_constants(map);
}

fn drop_null_type(map: &mut Map<String, Value>) {
    let Some(Value::Array(types)) = map.get_mut("type") else { return };
    types.retain(|kind| kind != "null");
    if let [only] = types.as_slice() {
        let only = only.clone();
        map.insert("type".into(), only);
    }
}

/// `anyOf: [T, null]` is `T`.
fn lift_only_choice(map: &mut Map<String, Value>) {
    let Some(Value::Array(choices)) = map.get_mut("anyOf") else { return };
    choices.retain(|choice| choice.get("type").and_then(Value::as_str) != Some("null"));
    if let [Value::Object(only)] = choices.as_slice() {
        let only = only.clone();
        map.shift_remove("anyOf");
        for (key, value) in only {
            map.entry(key).or_insert(value);
        }
    }
}

/// An enum of unit variants with docs comes as `oneOf` constants: a plain `enum` says it in fewer tokens.
fn enumerate_constants(map: &mut Map<String, Value>) {
    let Some(Value::Array(choices)) = map.get("oneOf") else { return };
    if !choices.iter().all(|choice| choice.get("const").is_some_and(Value::is_string)) {
        return;
    }
    let mut values = Vec::new();
    let mut words = Vec::new();
    for choice in choices {
        let Some(name) = choice.get("const").and_then(Value::as_str) else { continue };
        values.push(Value::from(name));
        if let Some(meaning) = choice.get("description").and_then(Value::as_str) {
            words.push(format!("{name}: {meaning}"));
        }
    }
    map.shift_remove("oneOf");
    map.insert("type".into(), "string".into());
    map.insert("enum".into(), values.into());
    if !words.is_empty() {
        map.entry("description").or_insert(words.join("; ").into());
    }
}
