//! A server that sends bytes as a test gives them, for what the local model server is too well-behaved to do.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex};

/// A part of a reply.
pub(crate) enum Part {
    Bytes(String),
    /// Until the test says so.
    Wait(Receiver<()>),
}

#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) connections: usize,
    /// The first line of each request.
    pub(crate) requests: Vec<String>,
}

/// Answers requests with `replies` in order, from a thread that ends with the test's process.
pub(crate) fn serve(replies: Vec<Vec<Part>>) -> (String, Arc<Mutex<Seen>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let replies = Arc::new(Mutex::new(replies.into_iter()));
    let seen = Arc::new(Mutex::new(Seen::default()));
    let shared = Arc::clone(&seen);
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            shared.lock().unwrap().connections += 1;
            let (replies, seen) = (Arc::clone(&replies), Arc::clone(&shared));
            std::thread::spawn(move || {
                let mut input = BufReader::new(stream.try_clone().unwrap());
                while let Some(line) = request(&mut input) {
                    seen.lock().unwrap().requests.push(line);
                    let Some(reply) = replies.lock().unwrap().next() else { return };
                    if answer(&stream, reply).is_err() {
                        return;
                    }
                }
            });
        }
    });
    (address, seen)
}

fn request(input: &mut BufReader<TcpStream>) -> Option<String> {
    let mut first = None;
    let mut length = 0;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim().to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line.is_empty() {
            break;
        }
        first.get_or_insert(line);
    }
    input.read_exact(&mut vec![0; length]).ok()?;
    first
}

fn answer(mut stream: &TcpStream, reply: Vec<Part>) -> std::io::Result<()> {
    for part in reply {
        match part {
            Part::Bytes(bytes) => stream.write_all(bytes.as_bytes())?,
            Part::Wait(until) => drop(until.recv()),
        }
    }
    Ok(())
}
