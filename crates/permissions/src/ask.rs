//! A question about one call, and its answer, as data: a terminal, an editor or another program may be the one to answer.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolwright_core::View;

/// What the rules left open about one call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PermissionAsk {
    /// The tool use.
    pub call_id: String,
    /// The agent that wants to make the call.
    pub agent_id: String,
    /// The tool's name.
    pub tool: String,
    /// The input as it was understood and will run.
    pub input: Value,
    /// What a person is shown: what is displayed is what runs.
    pub view: View,
    /// The commands of a text as they were understood, where they are several or not the text itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
    /// Why it is asked, in a sentence that names the subject.
    pub reason: String,
    /// Rules any of which would allow this call from now on, narrowest first; empty where no rule may.
    pub suggestions: Vec<String>,
    /// Rules that together allow exactly this call: what "do not ask again" keeps. Empty where rules cannot help.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub together: Vec<String>,
    /// Rules that together allow this call and others of its kind. Empty where none are wider than [`always`](Self::always).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub of_kind: Vec<String>,
}

impl PermissionAsk {
    /// What is kept when a person wants to hear no more of exactly this: all the rules it takes, or where one rule covers it
    /// whole and no others together do, that one. Empty where no rule helps.
    #[must_use]
    pub fn always(&self) -> &[String] {
        if self.together.is_empty() { self.suggestions.get(..1).unwrap_or_default() } else { &self.together }
    }

    /// The refusal for the model where nobody can be asked: says which rule would allow the call.
    #[must_use]
    pub fn nobody_to_ask(&self) -> String {
        let wider = match (self.suggestions.get(1..), self.of_kind.as_slice()) {
            (Some(wider @ [_, ..]), _) => format!(", and more of its kind with `{}`,", wider.join("` or `")),
            (_, []) => String::new(),
            (_, [rule]) => format!(", and more of its kind with `{rule}`,"),
            (_, rules) => format!(", and more of its kind with `{}` together,", rules.join("`, `")),
        };
        let way = match (self.suggestions.as_slice(), self.together.as_slice()) {
            ([rule, ..], _) => {
                format!(
                    " A person can allow it with the rule `{rule}`{wider} or with another permission mode."
                )
            }
            ([], []) => " No single rule can allow it, but a person who is asked can.".into(),
            ([], rules) => format!(
                " A person can allow it with the rules `{}` together{wider} or with another permission mode.",
                rules.join("`, `")
            ),
        };
        format!("{} was not run: {}; nobody can be asked here.{way}", self.tool, self.reason)
    }
}

/// The answer to a [`PermissionAsk`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Approval {
    /// It may run.
    Allow {
        /// Another input to run instead: parsed, validated and decided again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        input: Option<Value>,
        /// Rules to keep for the session.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        remember: Vec<String>,
    },
    /// It must not run.
    Refuse {
        /// For the model: why, or what to do instead.
        message: String,
        /// Whether the whole turn ends.
        #[serde(default)]
        interrupt: bool,
    },
}

impl Approval {
    /// Allows the call as it is, this once.
    #[must_use]
    pub fn allow() -> Self {
        Self::Allow { input: None, remember: Vec::new() }
    }

    /// Refuses the call alone.
    #[must_use]
    pub fn refuse(message: impl Into<String>) -> Self {
        Self::Refuse { message: message.into(), interrupt: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn always_keeps_what_covers_the_call_and_the_refusal_says_it() {
        let check =
            |suggestions: &[&str], together: &[&str], of_kind: &[&str], always: &[&str], said: &str| {
                let owned = |rules: &[&str]| rules.iter().map(|rule| (*rule).to_owned()).collect::<Vec<_>>();
                let ask = PermissionAsk {
                    call_id: "c".into(),
                    agent_id: "main".into(),
                    tool: "Bash".into(),
                    input: Value::Null,
                    view: View::Line(Vec::new()),
                    parts: Vec::new(),
                    reason: "no rule allows it".into(),
                    suggestions: owned(suggestions),
                    together: owned(together),
                    of_kind: owned(of_kind),
                };
                assert_eq!(ask.always(), owned(always));
                assert!(ask.nobody_to_ask().contains(said), "{}", ask.nobody_to_ask());
            };
        check(
            &["Bash(a b)", "Bash(a b *)", "Bash(a *)"],
            &["Bash(a b)"],
            &["Bash(a b *)"],
            &["Bash(a b)"],
            "the rule `Bash(a b)`, and more of its kind with `Bash(a b *)` or `Bash(a *)`, or",
        );
        check(
            &[],
            &["Bash(a)", "Bash(b)"],
            &["Bash(a *)", "Bash(b)"],
            &["Bash(a)", "Bash(b)"],
            "the rules `Bash(a)`, `Bash(b)` together, and more of its kind with `Bash(a *)`, `Bash(b)` together, or",
        );
        check(&["Read"], &[], &[], &["Read"], "the rule `Read` or");
        check(&[], &[], &[], &[], "No single rule");
    }

    #[test]
    fn a_question_that_knows_nothing_of_parts_and_of_rules_together_is_read() {
        let old = r#"{"call_id":"c","agent_id":"main","tool":"T","input":{},"view":null,"reason":"r","suggestions":[]}"#;
        let mut value: Value = serde_json::from_str(old).unwrap();
        value["view"] = serde_json::to_value(View::Line(Vec::new())).unwrap();
        let ask: PermissionAsk = serde_json::from_value(value).unwrap();
        assert!(ask.together.is_empty() && ask.of_kind.is_empty() && ask.parts.is_empty());
    }
}
