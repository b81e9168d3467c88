//! What is too large for an answer lies with its session.

use std::fs;

use serde_json::json;

use crate::place::Place;

#[test]
fn the_whole_output_of_a_command_lies_in_the_session_and_can_be_read() {
    let place = Place::new();
    let script = json!({"turns": [
        {"reply": [{"tool": "Bash", "input": {"command": "seq 1 20000"}}]},
        {"reply": [{"text": "done"}]},
    ]});
    place.write("script.json", &script.to_string());
    let ran = place.run(&["-p", "count", "--model=scripted:script.json", "--allowedTools", "Bash"]);
    assert_eq!((ran.exit, ran.out.as_str()), (0, "done\n"), "{ran:?}");
    assert_eq!(place.left_behind(), 0, "nothing is left in the folder for temporary files");
    let sessions = fs::read_dir(place.work().join("../home/.toolwright/sessions")).unwrap();
    let session = sessions.map(|entry| entry.unwrap().path().canonicalize().unwrap()).next().unwrap();
    let journal = fs::read_to_string(session.join("session.jsonl")).unwrap();
    let mut results = fs::read_dir(session.join("results")).unwrap().map(|entry| entry.unwrap().path());
    let whole = results.next().unwrap();
    assert_eq!(fs::read_to_string(&whole).unwrap().lines().count(), 20_000);
    let name = whole.file_name().unwrap().to_str().unwrap();
    assert!(journal.contains("the whole output is in ") && journal.contains(name), "{name}");
    // Without a question, though it is outside the working folder.
    let spelled = place.work().join("../home/.toolwright/sessions").join(session.file_name().unwrap());
    let spelled = spelled.join("results").join(name);
    let script = json!({"turns": [
        {"reply": [{"tool": "Read", "input": {"file_path": spelled, "offset": 19999}}]},
        {"reply": [{"text": "done"}]},
    ]});
    place.write("script.json", &script.to_string());
    let ran =
        place.run(&["-p", "read it", "-c", "--model=scripted:script.json", "--output-format=stream-json"]);
    assert!(ran.exit == 0 && ran.out.contains("20000"), "{ran:?}");
}
