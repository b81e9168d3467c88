//! The examples, run: they work, read-only ones change nothing, outputs survive JSON, cancellation ends them.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use toolwright_core::{DynCall, DynReply, ErrorKind, Stage, View};

use super::views::views_of;
use super::{Contract, Scene};
use crate::fakes::runtime;

/// A guard against a hanging test, not a measure of speed.
const HANGS: Duration = Duration::from_secs(60);

impl Scene {
    /// Validates and runs; `Err` is the error's text.
    pub(super) fn run(&self, call: &dyn DynCall) -> Result<DynReply, toolwright_core::ToolError> {
        let work = async {
            call.validate(&self.context).await?;
            call.run(&self.context).await
        };
        runtime().block_on(async {
            tokio::time::timeout(HANGS, work)
                .await
                .unwrap_or_else(|_| panic!("the call hangs: {}", call.input()))
        })
    }

    pub(super) fn reply(&self, title: &str, call: &dyn DynCall) -> DynReply {
        self.run(call).unwrap_or_else(|error| panic!("the example `{title}` does not run: {error}"))
    }
}

impl Contract {
    /// Every example is valid, runs, and answers the model something.
    pub fn examples_run(&self) {
        for (example, scene, call) in self.examples() {
            let reply = scene.reply(example.title, &*call);
            assert!(!reply.answer.is_empty(), "the example `{}` answers the model nothing", example.title);
            let again = Arc::clone(&scene.tool).parse(call.input().clone());
            let again =
                again.unwrap_or_else(|error| panic!("`{}`, stored and read again: {error}", example.title));
            assert_eq!(
                again.input(),
                call.input(),
                "the input of `{}` is another one when read again",
                example.title
            );
            assert_eq!(
                again.effects(),
                call.effects(),
                "the effects of `{}` are not its input's alone",
                example.title
            );
        }
    }

    /// What a call says of itself is true: where it says read-only, not a byte of the workspace changes.
    pub fn read_only_examples_change_nothing(&self) {
        for (example, scene, call) in self.examples().filter(|(_, _, call)| call.effects().is_read_only()) {
            let before = scene.workspace.tree();
            scene.reply(example.title, &*call);
            let changed = before.changed(&scene.workspace.tree());
            assert!(
                changed.is_empty(),
                "the example `{}` says read-only and changed {changed:?}",
                example.title
            );
        }
    }

    /// An output read again from its stored text is the same output and gives the same views.
    pub fn output_survives_json(&self) {
        for (example, scene, call) in self.examples() {
            let output = scene.reply(example.title, &*call).output;
            let stored: Value = serde_json::from_str(&output.to_string()).expect("a value's own text");
            assert_eq!(stored, output, "the output of `{}` is another one after storing", example.title);
            assert_eq!(
                views_of(&*call, Stage::Result(&stored)),
                views_of(&*call, Stage::Result(&output)),
                "the views of `{}` are others after storing",
                example.title
            );
            let as_stored = View::code(Some("json"), output.to_string());
            let unreadable = views_of(&*call, Stage::Result(&output)).contains(&as_stored);
            let plain = output.as_object().is_none_or(serde_json::Map::is_empty);
            assert!(
                plain || !unreadable,
                "the output of `{}` cannot be read back into its type: {output}",
                example.title
            );
        }
    }

    /// A call that is cancelled before it begins ends by itself, without a panic, and changes nothing.
    pub fn cancelled_calls_end(&self) {
        for (example, scene, call) in self.examples() {
            scene.context.cancel.cancel();
            let before = scene.workspace.tree();
            if let Err(error) = scene.run(&*call) {
                assert_ne!(error.kind, ErrorKind::Panicked, "{error}");
            }
            let changed = before.changed(&scene.workspace.tree());
            assert!(
                changed.is_empty(),
                "the example `{}` was cancelled before it began and changed {changed:?}",
                example.title
            );
        }
    }
}
