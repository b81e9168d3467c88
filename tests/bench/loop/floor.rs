//! A client that does nothing between two turns: it reads an answer to its end and asks again on the same connection.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::Command;

use toolwright_tests::Place;

pub(crate) const NAME: &str = "floor";

pub(crate) fn command(url: &str) -> Command {
    let program = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("bench-loop"));
    let mut command = Place::new().command(&program);
    let requests = crate::TURNS + 1;
    command.args([NAME, url.trim_start_matches("http://"), &requests.to_string()]).current_dir("/");
    command
}

pub(crate) fn ask(address: &str, requests: usize) {
    let Ok(stream) = TcpStream::connect(address) else { return };
    let _ = stream.set_nodelay(true);
    let Ok(mut to) = stream.try_clone() else { return };
    let mut from = BufReader::new(stream);
    let body = r#"{"model":"m","max_tokens":1,"stream":true,"messages":[{"role":"user","content":"hi"}]}"#;
    let length = body.len();
    let request = format!(
        "POST /v1/messages HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    );
    for _ in 0..requests {
        if to.write_all(request.as_bytes()).is_err() || !read_answer(&mut from) {
            return;
        }
    }
}

/// Reads head and chunks to the empty one that ends them.
fn read_answer(from: &mut impl BufRead) -> bool {
    let mut line = String::new();
    while line != "\r\n" {
        line.clear();
        if !from.read_line(&mut line).is_ok_and(|bytes| bytes > 0) {
            return false;
        }
    }
    loop {
        line.clear();
        if from.read_line(&mut line).is_err() {
            return false;
        }
        let Ok(size) = u64::from_str_radix(line.trim(), 16) else { return false };
        let mut chunk = Vec::new();
        if from.by_ref().take(size + 2).read_to_end(&mut chunk).is_err() {
            return false;
        }
        if size == 0 {
            return true;
        }
    }
}
