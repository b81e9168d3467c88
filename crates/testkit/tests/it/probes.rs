//! Probes wait until released, and hear a cancellation.

use std::sync::Arc;

use serde_json::json;
use toolwright_core::{Cancel, DynTool, ErrorKind, ToolContext};
use toolwright_testkit::{ProbeEvent, Probes, TempWorkspace, block_on};

fn named(tools: &[Arc<dyn DynTool>], name: &str) -> Arc<dyn DynTool> {
    tools.iter().find(|tool| tool.definition().name == name).cloned().expect("a usual probe")
}

#[test]
fn a_waiting_probe_goes_on_when_released_and_ends_when_cancelled() {
    let workspace = TempWorkspace::new();
    let probes = Probes::default();
    let call = named(&probes.usual(), "Wait").parse(json!({})).expect("takes any object");
    let cancel = Cancel::default();
    let at = |id, cancel: &Cancel| ToolContext::new(id, "main", workspace.path(), cancel.clone(), |_| {});
    let (first, second) = (at("first", &cancel), at("second", &Cancel::default()));
    let (cancelled, released, ()) = block_on(async {
        let order = async {
            probes.until(|events| events.len() == 2).await;
            cancel.cancel();
            probes.until(|events| events.contains(&ProbeEvent::Cancelled("first".into()))).await;
            probes.release();
        };
        tokio::join!(call.run(&first), call.run(&second), order)
    });
    assert_eq!(cancelled.map_err(|error| error.kind), Err(ErrorKind::Cancelled));
    assert_eq!(released.expect("released").answer[0].as_text(), Some("released"));
    assert_eq!(probes.events().last(), Some(&ProbeEvent::Finished("second".into())));
}
