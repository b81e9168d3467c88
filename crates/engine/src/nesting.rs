//! How deeply JSON from outside may be nested. It is stored and sent inside other JSON, and what reads that stops at 128 levels:
//! a value that comes in at 127 levels could be written and never read back.

use serde_json::Value;

/// How many levels of lists and objects an input, a tool's output or a vendor's block may have.
pub const NESTING_LIMIT: usize = 100;

/// Whether `value` has more than [`NESTING_LIMIT`] levels.
#[must_use]
pub fn is_too_deep(value: &Value) -> bool {
    is_deeper_than(value, NESTING_LIMIT)
}

/// The same of JSON text, whole or cut.
#[must_use]
pub fn is_too_deep_text(json: &str) -> bool {
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut escaped = false;
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => {
                depth += 1;
                if depth > NESTING_LIMIT {
                    return true;
                }
            }
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    false
}

fn is_deeper_than(value: &Value, limit: usize) -> bool {
    let Some(left) = limit.checked_sub(1) else { return matches!(value, Value::Array(_) | Value::Object(_)) };
    match value {
        Value::Array(items) => items.iter().any(|item| is_deeper_than(item, left)),
        Value::Object(fields) => fields.values().any(|field| is_deeper_than(field, left)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_counted_alike_in_values_and_in_text() {
        let lists = |levels: usize| format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
        let objects = |levels: usize| format!("{}1{}", r#"{"a":"#.repeat(levels), "}".repeat(levels));
        let check = |json: &str, expect: bool| {
            let value: Value = serde_json::from_str(json).unwrap();
            assert_eq!(is_too_deep(&value), expect, "{json}");
            assert_eq!(is_too_deep_text(json), expect, "{json}");
        };
        check("1", false);
        check(&lists(NESTING_LIMIT), false);
        check(&lists(NESTING_LIMIT + 1), true);
        check(&objects(NESTING_LIMIT), false);
        check(&objects(NESTING_LIMIT + 1), true);
        check(&format!("[{0},{0}]", lists(NESTING_LIMIT - 1)), false);
        check(&format!("{:?}", "[".repeat(500)), false);
        check(&format!(r#"["\"{}"]"#, "{".repeat(500)), false);
        assert!(is_too_deep_text(&"[".repeat(500)));
    }
}
