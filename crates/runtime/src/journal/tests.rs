//! A journal whose file cannot be written, and what is left of it once it can.
use std::fs::{self, File, OpenOptions};

use toolwright_engine::event::{EventBody, SessionEvent};

use super::Journal;
use crate::RuntimeError;

fn notice(text: &str) -> EventBody {
    EventBody::SystemPrompt { blocks: vec![text.into()] }
}

#[test]
fn what_could_not_be_written_leaves_no_gap_and_spoils_no_line() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::open("id".into(), folder.path().into(), 0).unwrap();
    let path = folder.path().join(super::JOURNAL);
    journal.append("main", None, notice("first")).unwrap();
    let whole = journal.file.take();
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let read_only = File::open(&path).unwrap();
    for unwritable in [full, read_only] {
        journal.file = Some(unwritable);
        let error = journal.append("main", None, notice("lost")).unwrap_err();
        assert!(matches!(error, RuntimeError::Storage { .. }), "{error}");
        assert!(error.to_string().contains("check that the disk has room"), "{error}");
    }
    // Half of a line got through before the disk was full.
    let mut text = fs::read_to_string(&path).unwrap();
    text.push_str("{\"v\":1,\"seq\":1,\"ty");
    fs::write(&path, text).unwrap();
    journal.file = whole;
    journal.append("main", None, notice("second")).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let events: Vec<_> = text.lines().filter_map(|line| SessionEvent::from_line(line).ok()).collect();
    assert_eq!(events.iter().map(|event| event.seq).collect::<Vec<_>>(), [0, 1], "{text}");
}

#[test]
fn half_a_stored_result_is_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open("id".into(), folder.path().into(), 0).unwrap();
    let path = journal.keep_result("name.txt", "the whole").unwrap();
    for left in ["the wh", "\0\0\0\0\0\0\0\0\0"] {
        fs::write(&path, left).unwrap();
        journal.keep_result("name.txt", "the whole").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "the whole");
    }
}
