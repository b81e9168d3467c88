//! Models misspell. The schema says what a value should have been; a value that already fits is never touched.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Coerces `json` to what `schema` says and reads it. Gives the input as it was understood beside the typed one.
pub(crate) fn read<T: DeserializeOwned>(schema: &Value, mut json: Value) -> Result<(Value, T), String> {
    if let Some(twice) = given_twice(schema, &json, "") {
        return Err(twice);
    }
    coerce(schema, &mut json);
    if let Some(wrong) = no_object(schema, &json, "") {
        return Err(wrong);
    }
    match serde_path_to_error::deserialize(&json) {
        Ok(input) => Ok((json, input)),
        Err(error) => {
            let at = error.path().to_string();
            let inner = error.inner().to_string();
            let plain = || match (at.as_str(), wanted(&inner), at_path(&json, &at)) {
                (".", ..) => inner.clone(),
                (at, Some(wanted), Some(value)) => format!("`{at}` is {value}; give {wanted}"),
                (at, Some(wanted), None) => format!("`{at}`: give {wanted}"),
                (at, None, _) => format!("`{at}`: {inner}"),
            };
            Err(unknown_field(schema, &json, "").unwrap_or_else(plain))
        }
    }
}

/// The value at a path of names and numbers, where it is short.
fn at_path(json: &Value, at: &str) -> Option<String> {
    let value = at.split('.').try_fold(json, |value, step| value.get(step))?;
    Some(value.to_string()).filter(|text| text.len() <= 60)
}

/// What a value should have been, without the names of types: of an error that ends with what was expected.
pub(crate) fn wanted(error: &str) -> Option<String> {
    let (_, wanted) = error.rsplit_once(", expected ")?;
    let (nonzero, name) = wanted.strip_prefix("a nonzero ").map_or((false, wanted), |name| (true, name));
    Some(match name {
        "u64" | "u32" | "u16" | "u8" | "usize" => {
            format!("a whole number from {}", if nonzero { 1 } else { 0 })
        }
        "i64" | "i32" | "isize" => "a whole number".into(),
        "f64" | "f32" => "a number".into(),
        "a boolean" => "true or false".into(),
        "a string" => "a text".into(),
        _ => return None,
    })
}

/// Where an object is wanted and something else was given. Reading would take a list for the fields in their order, and whoever
/// looks for a field by its name, a hook or a rule, would not find it.
fn no_object(schema: &Value, value: &Value, at: &str) -> Option<String> {
    let here = if at.is_empty() { "the input".to_owned() } else { format!("`{at}`") };
    match value {
        Value::Object(fields) => fields.iter().find_map(|(name, field)| {
            let known = schema.get("properties").and_then(|known| known.get(name));
            let inner = known.or_else(|| schema.get("additionalProperties"))?;
            let at = if at.is_empty() { name.clone() } else { format!("{at}.{name}") };
            no_object(inner, field, &at)
        }),
        Value::Array(_) if fits(schema, "object") && !fits(schema, "array") => {
            Some(format!("{here} is a list; give an object{}", with_fields(schema)))
        }
        Value::Array(items) => {
            let inner = schema.get("items")?;
            let mut numbered = items.iter().enumerate();
            numbered.find_map(|(index, item)| no_object(inner, item, &format!("{at}[{index}]")))
        }
        other if at.is_empty() => {
            let kind = match other {
                Value::String(_) => "a text",
                Value::Number(_) => "a number",
                Value::Bool(_) => "a boolean",
                _ => "null",
            };
            Some(format!("{here} is {kind}; give an object{}", with_fields(schema)))
        }
        _ => None,
    }
}

fn with_fields(schema: &Value) -> String {
    let Some(known) = schema.get("properties").and_then(Value::as_object) else { return String::new() };
    let names: Vec<_> = known.keys().map(|name| format!("`{name}`")).collect();
    if names.is_empty() { String::new() } else { format!(" with {}", names.join(", ")) }
}

fn coerce(schema: &Value, value: &mut Value) {
    if let Value::String(text) = value
        && !fits(schema, "string")
        && let Some(coerced) = from_text(schema, text.trim())
    {
        *value = coerced;
    }
    if let Some(whole) = whole_number(schema, value) {
        *value = whole.into();
    }
    match value {
        Value::Object(fields) => coerce_fields(schema, fields),
        Value::Array(items) => {
            if let Some(inner) = schema.get("items") {
                items.iter_mut().for_each(|item| coerce(inner, item));
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// A number, boolean, object or array that was written as a JSON string.
fn from_text(schema: &Value, text: &str) -> Option<Value> {
    let coerced = match text.to_ascii_lowercase().as_str() {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => serde_json::from_str::<Value>(text).ok()?,
    };
    let wanted = match &coerced {
        Value::Number(_) => fits(schema, "integer") || fits(schema, "number"),
        Value::Bool(_) => fits(schema, "boolean"),
        Value::Object(_) => fits(schema, "object"),
        Value::Array(_) => fits(schema, "array"),
        Value::Null | Value::String(_) => false,
    };
    wanted.then_some(coerced)
}

/// `2.0` where an integer is wanted.
fn whole_number(schema: &Value, value: &Value) -> Option<i64> {
    /// Beyond this a double no longer holds every integer.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let float = value.as_f64().filter(|_| value.is_f64())?;
    let wanted = fits(schema, "integer") && !fits(schema, "number");
    #[expect(
        clippy::cast_possible_truncation,
        reason = "whole and within the exact range, checked just here"
    )]
    (wanted && float.fract() == 0.0 && float.abs() < EXACT).then_some(float as i64)
}

fn coerce_fields(schema: &Value, fields: &mut Map<String, Value>) {
    let Some(known) = schema.get("properties").and_then(Value::as_object) else { return };
    for (name, field) in known {
        let given = |alias: &&str| fields.contains_key(*alias) && !known.contains_key(*alias);
        let other = aliases(field).find(given).map(str::to_owned);
        if let Some(other) = other
            && !fields.contains_key(name)
            && let Some(moved) = fields.shift_remove(&other)
        {
            fields.insert(name.clone(), moved);
        }
    }
    // An optional field given as null is one that was not given.
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    fields.retain(|name, value| {
        !(value.is_null()
            && known.get(name).is_some_and(|field| !allows_null(field))
            && !required.contains(&name.as_str()))
    });
    for (name, field) in fields.iter_mut() {
        if let Some(inner) = known.get(name) {
            coerce(inner, field);
        }
    }
}

fn allows_null(schema: &Value) -> bool {
    fits(schema, "null")
}

fn aliases(field: &Value) -> impl Iterator<Item = &str> {
    field.get("x-aliases").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

fn fits(schema: &Value, kind: &str) -> bool {
    let one = |word: &Value| word == kind;
    match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(one),
        Some(word) => one(word),
        None => {
            let choices =
                ["anyOf", "oneOf", "allOf"].iter().filter_map(|key| schema.get(key)?.as_array()).flatten();
            let open = schema.as_object().is_some_and(|map| {
                !map.contains_key("$ref")
                    && !map.contains_key("enum")
                    && !["anyOf", "oneOf", "allOf"].iter().any(|key| map.contains_key(*key))
            });
            open || schema == &Value::Bool(true) || choices.into_iter().any(|choice| fits(choice, kind))
        }
    }
}

/// A field and another spelling of it, here or below: which one was meant cannot be known.
fn given_twice(schema: &Value, value: &Value, at: &str) -> Option<String> {
    match value {
        Value::Object(fields) => {
            let known = schema.get("properties")?.as_object()?;
            fields.iter().find_map(|(name, value)| {
                let field = known.get(name)?;
                let given = |alias: &&str| fields.contains_key(*alias) && !known.contains_key(*alias);
                match aliases(field).find(given) {
                    Some(other) => Some(format!(
                        "`{at}{other}` is another name for `{at}{name}`, and both were given; give `{at}{name}` alone"
                    )),
                    None => given_twice(field, value, &format!("{at}{name}.")),
                }
            })
        }
        Value::Array(items) => {
            let inner = schema.get("items")?;
            let at = at.strip_suffix('.').unwrap_or(at);
            let mut numbered = items.iter().enumerate();
            numbered.find_map(|(index, item)| given_twice(inner, item, &format!("{at}[{index}].")))
        }
        _ => None,
    }
}

fn unknown_field(schema: &Value, value: &Value, at: &str) -> Option<String> {
    let known = schema.get("properties")?.as_object()?;
    let fields = value.as_object()?;
    let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
    if closed && let Some(wrong) = fields.keys().find(|name| !known.contains_key(*name)) {
        return Some(format!("there is no field `{at}{wrong}`; {}", what_it_takes(known, wrong)));
    }
    fields.iter().find_map(|(name, field)| match field {
        Value::Array(items) => items.iter().enumerate().find_map(|(index, item)| {
            unknown_field(known.get(name)?.get("items")?, item, &format!("{at}{name}[{index}]."))
        }),
        field => unknown_field(known.get(name)?, field, &format!("{at}{name}.")),
    })
}

fn what_it_takes(known: &Map<String, Value>, wrong: &str) -> String {
    /// Below this two names have too little in common for a guess (Jaro-Winkler, 0 to 1).
    const NEAR: f64 = 0.75;
    let scored = known.keys().map(|name| (strsim::jaro_winkler(name, wrong), name));
    let nearest = scored.filter(|(score, _)| *score > NEAR).max_by(|one, other| one.0.total_cmp(&other.0));
    match nearest {
        Some((_, name)) => format!("did you mean `{name}`?"),
        None if known.is_empty() => "it takes none".into(),
        None => {
            let names: Vec<_> = known.keys().map(|name| format!("`{name}`")).collect();
            format!("it takes {}", names.join(", "))
        }
    }
}
