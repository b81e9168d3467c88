//! What a model is sent of a tool, and how a wrong field is answered.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use toolwright_core::ErrorKind;

use super::Contract;

impl Contract {
    /// The schema is an object with described fields, nothing to look up and no null; two builds give equal definitions.
    pub fn definition_is_plain_and_still(&self) {
        let scene = self.scene();
        let definition = scene.tool.definition();
        let name = &definition.name;
        if let Some(fault) = definition.schema_fault() {
            panic!("{name}: {fault}");
        }
        if let Some(wrong) = noise(&definition.input_schema) {
            panic!("{name}: the schema has {wrong}, which a provider refuses or a model must read in vain");
        }
        for (field, schema) in properties(&definition.input_schema) {
            let described =
                schema.get("description").and_then(Value::as_str).is_some_and(|text| !text.is_empty());
            assert!(described, "{name}: the field `{field}` has no doc comment; the model reads it");
        }
        assert!(!definition.description.trim().is_empty(), "{name}: nothing tells the model what it is for");
        assert_eq!(
            definition,
            self.scene().tool.definition(),
            "{name}: its definition is another one in another place; its bytes must not move"
        );
    }

    /// A misspelt field is refused, with the name that was meant.
    pub fn unknown_fields_are_refused(&self) {
        for (example, scene, _) in self.examples() {
            let schema = scene.tool.definition().input_schema.clone();
            let known = properties(&schema);
            for name in known.keys().map(String::as_str).chain(["zzqxj"]) {
                let wrong = if known.contains_key(name) { format!("{name}q") } else { name.to_owned() };
                if known.contains_key(&wrong) {
                    continue;
                }
                let mut input = scene.input(example);
                input[&wrong] = json!(1);
                let Err(error) = Arc::clone(&scene.tool).parse(input) else {
                    panic!("the unknown field `{wrong}` was accepted; use #[serde(deny_unknown_fields)]")
                };
                assert_eq!(error.kind, ErrorKind::InvalidInput, "{error}");
                let expected =
                    if known.contains_key(name) { format!("did you mean `{name}`") } else { wrong };
                assert!(error.message.contains(&expected), "`{expected}` is not in: {error}");
            }
        }
    }

    /// An input that is no object is refused: hooks and rules look for fields by their names.
    pub fn lists_are_refused(&self) {
        for (example, scene, _) in self.examples() {
            let fields: Vec<Value> = scene
                .input(example)
                .as_object()
                .into_iter()
                .flatten()
                .map(|(_, value)| value.clone())
                .collect();
            for input in [Value::Array(fields), json!([]), json!("x"), json!(1), Value::Null] {
                let Err(error) = Arc::clone(&scene.tool).parse(input.clone()) else {
                    panic!("the input {input} was accepted; give its fields by their names")
                };
                assert_eq!(error.kind, ErrorKind::InvalidInput, "{error}");
                assert!(error.message.contains("give an object"), "{error}");
            }
        }
    }
}

fn properties(schema: &Value) -> Map<String, Value> {
    schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default()
}

/// The first thing in a schema that should not be there.
fn noise(schema: &Value) -> Option<String> {
    match schema {
        Value::Object(map) => map.iter().find_map(|(key, inner)| match key.as_str() {
            "$schema" | "$ref" | "$defs" | "x-aliases" => Some(format!("`{key}`")),
            "type"
                if inner == "null"
                    || inner.as_array().is_some_and(|kinds| kinds.contains(&json!("null"))) =>
            {
                Some("a null type".into())
            }
            _ => noise(inner),
        }),
        Value::Array(items) => items.iter().find_map(noise),
        _ => None,
    }
}
