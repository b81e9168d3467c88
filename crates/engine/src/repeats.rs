//! A model that makes the same call again and again and learns nothing from it: when somebody has to look at it.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

use crate::event::ToolFinish;

/// So many equal calls with equal results in a row are taken for a model that does not get on.
pub const MOST_REPEATS: u32 = 10;

/// A call as the model made it, whatever hooks make of its input later.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CallHash(u64);

impl CallHash {
    /// Of a tool's name and the input.
    #[must_use]
    pub fn of(tool: &str, input: &Value) -> Self {
        let mut hasher = DefaultHasher::new();
        (tool, input).hash(&mut hasher);
        Self(hasher.finish())
    }
}

/// Counts how often the newest call of a turn was made in a row with the same result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Repeats {
    call: CallHash,
    result: u64,
    count: u32,
}

impl Repeats {
    /// Takes in the result of a call.
    pub fn finished(&mut self, call: CallHash, result: &ToolFinish) {
        let mut hasher = DefaultHasher::new();
        result.outcome.is_failure().hash(&mut hasher);
        for content in &result.answer {
            serde_json::to_string(content).unwrap_or_default().hash(&mut hasher);
        }
        let result = hasher.finish();
        self.count =
            if (self.call, self.result) == (call, result) { self.count.saturating_add(1) } else { 1 };
        (self.call, self.result) = (call, result);
    }

    /// Whether this call was made [`MOST_REPEATS`] times in a row, each time with the same result.
    #[must_use]
    pub fn is_repeated(&self, call: CallHash) -> bool {
        self.count >= MOST_REPEATS && self.call == call
    }

    /// Begins to count anew: somebody looked at it.
    pub fn reset(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolwright_core::{Content, ErrorKind};

    use super::*;

    fn result(text: &str) -> ToolFinish {
        let mut result = ToolFinish::error("Read", json!({}), ErrorKind::Failed, "");
        result.answer = vec![Content::text(text)];
        result
    }

    #[test]
    fn equal_calls_with_equal_results_in_a_row() {
        let (one, other) = (json!({"path": "a"}), json!({"path": "b"}));
        let asked = CallHash::of("Read", &one);
        let mut repeats = Repeats::default();
        for _ in 0..MOST_REPEATS {
            assert!(!repeats.is_repeated(asked));
            repeats.finished(asked, &result("x"));
        }
        assert!(repeats.is_repeated(asked));
        assert!(!repeats.is_repeated(CallHash::of("Read", &other)));
        assert!(!repeats.is_repeated(CallHash::of("Glob", &one)));
        repeats.finished(asked, &result("y"));
        assert!(!repeats.is_repeated(asked));
        for text in ["x", "y"].iter().cycle().take(30) {
            repeats.finished(asked, &result(text));
        }
        assert!(!repeats.is_repeated(asked));
        for _ in 0..MOST_REPEATS {
            repeats.finished(asked, &result("x"));
        }
        repeats.reset();
        assert!(!repeats.is_repeated(asked));
    }
}
