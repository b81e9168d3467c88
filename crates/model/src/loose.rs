//! Fields of a server's JSON in whatever type the server gave them. Servers that call themselves compatible send `null`, lists
//! of parts and fractions where the API has text and whole numbers; one odd field must not cost a whole answer.

use serde_json::{Map, Value};

/// The text of a field: a string, or a list of parts that hold one. None where there is no text in it.
pub(crate) fn text(value: Option<Value>) -> Option<String> {
    match value? {
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        Value::Array(parts) => {
            let texts: Vec<String> = parts.into_iter().filter_map(|part| text(Some(part))).collect();
            (!texts.is_empty()).then(|| texts.concat())
        }
        Value::Object(mut part) => {
            ["text", "content", "value"].iter().find_map(|name| text(part.remove(*name)))
        }
        Value::Null | Value::Bool(_) => None,
    }
}

/// The text of a field that names something: none where it is empty.
pub(crate) fn name(value: Option<Value>) -> Option<String> {
    text(value).filter(|text| !text.is_empty())
}

/// A count: whole, with a fraction, or written as text. None for what cannot be one.
pub(crate) fn count(value: Option<&Value>) -> Option<u64> {
    let number = match value? {
        Value::Number(number) => match number.as_u64() {
            Some(whole) => return Some(whole),
            None => number.as_f64(),
        },
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    // The conversion drops the fraction and cannot overflow.
    number.filter(|number| number.is_finite() && *number >= 0.0).map(|number| number as u64)
}

/// The fields of an object; none for everything else.
pub(crate) fn fields(value: Option<Value>) -> Map<String, Value> {
    match value {
        Some(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

/// The items of a list; an object that stands alone where a list should is its one item.
pub(crate) fn items(value: Option<Value>) -> Vec<Value> {
    match value {
        Some(Value::Array(items)) => items,
        Some(item @ Value::Object(_)) => vec![item],
        _ => Vec::new(),
    }
}
