//! Tools of another hand that panic wherever they are asked: their own error, and nobody else's.

use std::sync::Arc;

use serde_json::{Value, json};
use toolwright_core::{
    BoxFuture, Definition, Detail, DynCall, DynReply, DynTool, Effects, Label, Stage, Subject, ToolContext,
    ToolError, Verdict, View,
};
use toolwright_engine::acceptable;
use toolwright_engine::event::SessionEvent;
use toolwright_permissions::Mode;
use toolwright_runtime::Sink;

use crate::bench::{Bench, Recorder, block_on, say, within};

#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    Parse,
    Effects,
    Subjects,
    Validate,
    /// Not at once: what waits first is polled elsewhere.
    ValidateLater,
    Check,
    View,
    Run,
}

struct Fragile(Definition, Place);
struct FragileCall(Value, Place);

impl FragileCall {
    fn at(&self, place: Place) {
        assert!(self.1 != place, "it panics in {place:?}");
    }
}

impl DynTool for Fragile {
    fn definition(&self) -> &Definition {
        &self.0
    }

    fn parse(self: Arc<Self>, input: Value) -> Result<Arc<dyn DynCall>, ToolError> {
        assert!(self.1 != Place::Parse, "it panics in parse");
        Ok(Arc::new(FragileCall(input, self.1)))
    }
}

impl DynCall for FragileCall {
    fn input(&self) -> &Value {
        &self.0
    }

    fn effects(&self) -> Effects {
        self.at(Place::Effects);
        Effects::WRITES
    }

    fn subjects(&self, _: &ToolContext) -> Vec<Subject> {
        self.at(Place::Subjects);
        vec![Subject::Whole]
    }

    fn validate<'a>(&'a self, _: &'a ToolContext) -> BoxFuture<'a, Result<(), ToolError>> {
        Box::pin(async {
            self.at(Place::Validate);
            tokio::task::yield_now().await;
            self.at(Place::ValidateLater);
            Ok(())
        })
    }

    fn check<'a>(&'a self, _: &'a ToolContext) -> BoxFuture<'a, Verdict> {
        self.at(Place::Check);
        Box::pin(async { Verdict::Defer })
    }

    fn run<'a>(&'a self, _: &'a ToolContext) -> BoxFuture<'a, Result<DynReply, ToolError>> {
        self.at(Place::Run);
        Box::pin(async { Ok(DynReply::text("ran")) })
    }

    fn view(&self, _: Stage<'_>, _: Detail) -> View {
        self.at(Place::View);
        View::Nothing
    }
}

/// Asks for views, as what draws does.
struct Drawing(Arc<Recorder>);

impl Sink for Drawing {
    fn event(&self, event: &SessionEvent, call: Option<&Arc<dyn DynCall>>) {
        self.0.event(event, None);
        if let Some(call) = call {
            call.view(Stage::Call, Detail::Verbose);
            call.label(Label::Activity);
        }
    }
}

fn fragile(place: Place, mode: Mode) -> Bench {
    let mut bench = Bench { mode, ..Bench::default() };
    bench.tools = vec![Arc::new(Fragile(Definition::new("Fragile", "Breaks."), place))];
    bench.sink = Some(Arc::new(Drawing(Arc::clone(&bench.recorder))));
    bench
}

#[test]
fn a_panic_is_the_calls_own_error() {
    let check = |place: Place, mode: Mode, expect: &str| {
        let script = json!([
            {"reply": [
                {"tool": "Fragile", "input": {}, "id": "f"},
                {"tool": "Echo", "input": {"after": 1}, "id": "e"},
            ]},
            {"reply": [{"text": "done"}]},
        ]);
        let mut bench = fragile(place, mode);
        let mut agent = bench.agent(script);
        agent.begin(vec![]).unwrap();
        let report = within(say(&mut agent, "go", &bench.cancel)).unwrap();
        assert_eq!(report.text, "done", "{place:?}");
        assert_eq!(acceptable(&agent.state().messages), Ok(()), "{place:?}");
        let lines = bench.recorder.lines();
        assert!(lines.iter().any(|line| line.starts_with(expect)), "{place:?}: {lines:?}");
        assert!(lines.iter().any(|line| line.starts_with("finished e ")), "{place:?}: {lines:?}");

        let mut bench = fragile(place, mode);
        let mut agent = bench.agent(json!([]));
        let result = block_on(agent.call("Fragile", json!({}), &bench.cancel)).unwrap().result;
        let text = result.answer[0].as_text().unwrap();
        assert!(expect.ends_with("Success ran") == (text == "ran"), "{place:?}: {text}");
    };
    let failed = "finished f Failure Fragile failed with a fault of its own";
    for place in [
        Place::Parse,
        Place::Effects,
        Place::Subjects,
        Place::Validate,
        Place::ValidateLater,
        Place::Check,
        Place::Run,
    ] {
        check(place, Mode::BypassPermissions, failed);
    }
    // A view is asked for the question to a person; where nobody is asked, only what draws it sees the panic.
    check(Place::View, Mode::Default, failed);
    check(Place::View, Mode::BypassPermissions, "finished f Success ran");
}
