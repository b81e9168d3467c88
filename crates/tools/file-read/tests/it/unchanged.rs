//! What is still shown is not shown again.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use toolwright_core::{Cancel, DynTool, Message, ToolContext};
use toolwright_services::Conversation;
use toolwright_testkit::{TempWorkspace, block_on};

use crate::contract::services;

/// The calls whose answers are still there.
#[derive(Default)]
struct Kept(Mutex<Vec<String>>);

impl Conversation for Kept {
    fn still_shows(&self, tool_use_id: &str) -> bool {
        self.0.lock().expect("no panic").iter().any(|id| id == tool_use_id)
    }

    fn messages(&self) -> Vec<Message> {
        Vec::new()
    }
}

fn read(tool: &Arc<dyn DynTool>, workspace: &TempWorkspace, id: &str, input: Value) -> String {
    let call = Arc::clone(tool).parse(input).expect("an input");
    let cx = ToolContext::new(id, "main", workspace.path(), Cancel::default(), |_| {});
    let reply = block_on(call.run(&cx)).expect("a file");
    reply.answer.iter().filter_map(|content| content.as_text()).collect()
}

#[test]
fn a_note_stands_for_what_the_conversation_still_shows() {
    let workspace = TempWorkspace::new();
    let kept = Arc::new(Kept::default());
    let mut services = services(&workspace);
    services.offer::<dyn Conversation>(Arc::clone(&kept) as Arc<dyn Conversation>);
    let tool = (toolwright_tool_file_read::REGISTRATION.build)(&services).expect("a tool");
    let keep = |id: &str| kept.0.lock().expect("no panic").push(id.to_owned());
    let text = "some line\n".repeat(200);
    workspace.write("f.txt", &text);
    let all = || json!({"file_path": "f.txt"});
    let read = |id: &str, input: Value| read(&tool, &workspace, id, input);
    let is_note = |answer: &str| answer.starts_with("[unchanged since");

    assert!(!is_note(&read("one", all())));
    keep("one");
    assert!(!is_note(&read("part", json!({"file_path": "f.txt", "offset": 2}))), "another part");
    assert!(is_note(&read("two", all())));
    keep("two");
    assert!(!is_note(&read("three", all())), "whoever asks again did not find it");
    keep("three");
    workspace.write("f.txt", &text);
    assert!(is_note(&read("four", all())), "the same bytes written again are no change");
    read("five", all());
    assert!(!is_note(&read("six", all())), "the answer of `five` is no longer there");
    keep("six");
    workspace.write("f.txt", text.replace("some", "Some"));
    assert!(!is_note(&read("seven", all())));
    workspace.write("f.txt", "short\n");
    keep("eight");
    read("eight", all());
    assert!(!is_note(&read("nine", all())), "a note would be no shorter");
}
