//! Cancelling drops the connection at once, wherever the client waits.

use futures_util::StreamExt;
use serde_json::json;
use toolwright_core::Cancel;
use toolwright_model::{ModelErrorKind, ModelEvent};
use toolwright_testkit::ModelServer;

use crate::support::{Ask, WIRES, model};

#[tokio::test]
async fn a_stalled_stream_is_left() {
    for wire in WIRES {
        let server =
            ModelServer::with_script(r#"{"reply": [{"text": "some"}], "fail": {"stall": {"blocks": 1}}}"#);
        let model = model(wire, &server, json!({}));
        let cancel = Cancel::default();
        let mut stream = Ask::text("go").stream(&*model, cancel.clone());
        while let Some(event) = stream.next().await {
            if matches!(event, Ok(ModelEvent::TextDelta { .. })) {
                break;
            }
        }
        cancel.cancel();
        let error = loop {
            match stream.next().await.unwrap() {
                Ok(_) => {}
                Err(error) => break error,
            }
        };
        assert_eq!(error.kind, ModelErrorKind::Cancelled);
        assert!(stream.next().await.is_none());
        // The stream is still held: it is the cancelling that closed the connection, and the server sees it.
        while !server.requests()[0].abandoned {
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test]
async fn a_wait_before_a_repetition_is_left() {
    for wire in WIRES {
        let server = ModelServer::with_script(r#"{"fail": {"http": {"status": 429, "retry_after": 200}}}"#);
        let model = model(wire, &server, json!({}));
        let cancel = Cancel::default();
        let mut stream = Ask::text("go").stream(&*model, cancel.clone());
        let retrying = stream.next().await.unwrap().unwrap();
        assert!(matches!(retrying, ModelEvent::Retrying { attempt: 1, wait, .. } if wait.as_secs() == 200));
        cancel.cancel();
        assert_eq!(stream.next().await.unwrap().unwrap_err().kind, ModelErrorKind::Cancelled);
    }
}

#[tokio::test]
async fn nothing_is_sent_before_the_first_poll_or_after_a_cancel() {
    for wire in WIRES {
        let server = ModelServer::with_script(r#"{"reply": [{"text": "x"}]}"#);
        let model = model(wire, &server, json!({}));
        let cancel = Cancel::default();
        let mut stream = Ask::text("go").stream(&*model, cancel.clone());
        cancel.cancel();
        assert_eq!(stream.next().await.unwrap().unwrap_err().kind, ModelErrorKind::Cancelled);
        assert_eq!(server.requests().len(), 0);
    }
}
