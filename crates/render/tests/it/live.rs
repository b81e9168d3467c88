//! A session on a terminal, and in a log.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use toolwright_core::{Detail, DynCall, DynTool, ErrorKind, Progress};
use toolwright_engine::event::{EventBody, SessionEvent};
use toolwright_render::{Live, LiveOptions, Paint};

use crate::fixtures::{
    Look, call, delta, event, finished, message, prompt, started, tool_failed, tool_finished, tool_started,
};

#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Written {
    fn take(&self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut *self.bytes())).into_owned()
    }

    fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl io::Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn options(redraw: bool) -> LiveOptions {
    LiveOptions {
        paint: Paint::Plain,
        redraw,
        detail: Detail::Condensed,
        facts: false,
        fold: Some(5),
        cwd: "/home/p".into(),
    }
}

fn retrying(wait_ms: u64, left_ms: Option<u64>) -> SessionEvent {
    let text = "openai (127.0.0.1:9): connection refused".into();
    event(EventBody::Retrying { attempt: 3, wait_ms, left_ms, text })
}

fn find_look(name: &str) -> Option<Arc<dyn DynTool>> {
    (name == "Look").then(|| Look::new() as Arc<dyn DynTool>)
}

fn log(events: &[(SessionEvent, Option<Arc<dyn DynCall>>)]) -> String {
    let written = Written::default();
    let mut live = Live::new(written.clone(), || None, options(false)).with_tools(Box::new(find_look));
    events.iter().for_each(|(event, call)| live.event(event, call.as_ref()));
    live.finish();
    written.take()
}

#[test]
fn a_log_has_each_thing_once() {
    insta::assert_snapshot!(log(&[
        (started(), None),
        (prompt(), None),
        (delta("I look "), None),
        (delta("around.\n\n- one"), None),
        (message("I look around.\n\n- one", &[("t1", "a"), ("t2", "b"), ("t3", "c")]), None),
        (tool_started("t1", "a"), Some(call("a"))),
        (tool_started("t2", "b"), Some(call("b"))),
        (tool_finished("t2", "b", "B"), Some(call("b"))),
        (tool_finished("t1", "a", "A"), Some(call("a"))),
        (tool_started("t3", "c"), Some(call("c"))),
        (tool_finished("t3", "c", "C"), Some(call("c"))),
        (message("", &[("t4", "d"), ("t5", "e"), ("t6", "f")]), None),
        (tool_failed("t4", "d", ErrorKind::Denied, "the rule `Look(d)` denies it"), Some(call("d"))),
        (tool_failed("t5", "e", ErrorKind::NotFound, "there is no e"), Some(call("e"))),
        (tool_failed("t6", "f", ErrorKind::InvalidInput, "`thing` is missing"), None),
        (retrying(2_000, Some(118_500)), None),
        (event(EventBody::Notice { text: "the model is busy: asking again in 2 s".into() }), None),
        (message("All seen.", &[]), None),
        (finished("done", None), None),
    ]));
}

#[test]
fn calls_that_start_early_wait_for_their_message() {
    let shown = log(&[
        (prompt(), None),
        (delta("Two at once."), None),
        (tool_started("t2", "b"), Some(call("b"))),
        (tool_finished("t2", "b", "B"), Some(call("b"))),
        (message("Two at once.", &[("t1", "a"), ("t2", "b")]), None),
        (tool_started("t1", "a"), Some(call("a"))),
        (tool_finished("t1", "a", "A"), Some(call("a"))),
        (finished("done", None), None),
    ]);
    assert_eq!(shown, "Two at once.\n\n● Look 2 things\n");
}

#[test]
fn a_session_in_detail_shows_the_text_that_ran() {
    let mut begun = tool_started("t1", "a");
    if let EventBody::ToolStarted { ran, .. } = &mut begun.body {
        *ran = Some("look 'a'\nlook b".into());
    }
    let written = Written::default();
    let detailed = LiveOptions { facts: true, ..options(false) };
    let mut live = Live::new(written.clone(), || None, detailed).with_tools(Box::new(find_look));
    live.event(&message("", &[("t1", "a")]), None);
    live.event(&begun, Some(&call("a")));
    live.event(&tool_finished("t1", "a", "A"), Some(&call("a")));
    live.finish();
    let shown = written.take();
    assert!(shown.contains("it runs as:\n  look 'a'\n  look b\n"), "{shown}");
}

#[test]
fn a_terminal_shows_what_is_going_on_and_takes_it_away() {
    let written = Written::default();
    let width = Arc::new(Mutex::new(41));
    let asked = Arc::clone(&width);
    let mut live = Live::new(written.clone(), move || Some(*asked.lock().unwrap()), options(true));
    let frame = || {
        let frame = written.take();
        frame
            .replace("\u{1b}[?2026h", "")
            .replace("\u{1b}[?2026l", "")
            .replace('\u{1b}', "^")
            .replace('\r', "<")
    };
    live.event(&prompt(), None);
    assert_eq!(frame(), "⠋ Waiting for the model");
    live.event(&delta("Words that stream in until the row is full"), None);
    assert_eq!(frame(), "<^[JWords that stream in until the row is\nfull");
    live.event(&delta(" and more"), None);
    assert_eq!(frame(), "<^[Jfull and more");
    live.event(&message("Words ..", &[("t1", "attic")]), None);
    assert_eq!(frame(), "<^[Jfull and more\n");
    live.event(&tool_started("t1", "attic"), Some(&call("attic")));
    assert_eq!(frame(), "⠋ Looking at attic");
    let progress = Progress { done: 3, total: Some(9), message: None, tail: Some("one\ntwo".into()) };
    live.event(&event(EventBody::ToolProgress { tool_use_id: "t1".into(), progress }), None);
    assert_eq!(frame(), "<^[J⠋ Looking at attic 3/9\n  one\n  two");
    live.tick(9_000);
    assert_eq!(frame(), "<^[2A^[J⠙ Looking at attic 3/9 8s\n  one\n  two");
    // Made narrower, the terminal has broken the first line into two rows.
    *width.lock().unwrap() = 21;
    live.suspend();
    assert_eq!(frame(), "<^[3A^[J");
    live.tick(10_000);
    assert_eq!(frame(), "");
    live.resume();
    assert_eq!(frame(), "⠹ Looking at attic …\n  one\n  two");
    live.event(&tool_finished("t1", "attic", "seen"), Some(&call("attic")));
    assert_eq!(frame(), "<^[2A^[J\n● Look attic\n  seen\n⠹ Waiting for the m…");
    live.event(&finished("done", None), None);
    assert_eq!(frame(), "<^[J");
}

#[test]
fn a_run_that_ends_during_a_question_is_still_shown_whole() {
    let written = Written::default();
    let mut live = Live::new(written.clone(), || Some(41), options(true));
    live.event(&prompt(), None);
    live.event(&message("", &[("t1", "a")]), None);
    live.suspend();
    written.take();
    live.event(&tool_failed("t1", "a", ErrorKind::Cancelled, "Not run: interrupted."), Some(&call("a")));
    assert_eq!(written.take(), "");
    live.event(&finished("interrupted", None), None);
    assert!(written.take().contains("\n\u{2717} Look a\n  Not run: interrupted.\n"));
}

#[test]
fn a_terminal_counts_down_to_the_next_attempt() {
    let written = Written::default();
    let mut live = Live::new(written.clone(), || Some(100), options(true));
    let rows = |live: &mut Live<Written>, now: u64| {
        live.tick(now);
        let text = written.take();
        let said = ["openai", "Waiting"].iter().find_map(|word| text.find(word).map(|at| &text[at..]));
        said.and_then(|text| text.split(['\u{1b}', '\r', '\n']).next()).unwrap_or_default().to_owned()
    };
    live.event(&prompt(), None);
    let at = retrying(2_000, Some(118_500));
    live.event(&at, None);
    let refused = "openai (127.0.0.1:9): connection refused. Trying again in";
    assert_eq!(rows(&mut live, at.at + 10), format!("{refused} 2 s, for 119 s at most"));
    assert_eq!(rows(&mut live, at.at + 1_900), format!("{refused} 1 s, for 117 s at most"));
    assert!(rows(&mut live, at.at + 2_000).starts_with("Waiting for the model"));
    live.event(&retrying(500, None), None);
    assert_eq!(rows(&mut live, at.at + 2_010), format!("{refused} 1 s"));
    live.event(&delta("so"), None);
    assert!(!rows(&mut live, at.at + 2_020).contains("Trying"));
}
