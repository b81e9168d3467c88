//! A document read in a process of its own: what is asked and what is found, as bytes between the two.

use std::time::Duration;

use toolwright_core::Cancel;
use toolwright_services::{Apart, ApartError, Bounds, Chore};

use super::Asked;
use super::pages::{self, BadPdf, Pictures, Read};

/// The document itself, the reader's tables, and what a page unpacks.
const MEMORY: u64 = 1 << 30;
const BOUNDS: Bounds = Bounds { memory: MEMORY, time: Duration::from_secs(30), answer: 32 << 20 };

const CHORE: Chore = Chore { name: "toolwright-tool-file-read/pdf", run };

toolwright_services::chore!(CHORE);

pub(super) async fn read(
    apart: &dyn Apart,
    bytes: &[u8],
    asked: Asked,
    cancel: &Cancel,
) -> Result<Read, BadPdf> {
    let mut input = serde_json::to_vec(&asked).map_err(|_| BadPdf::Damaged)?;
    input.push(b'\n');
    input.extend_from_slice(bytes);
    let answer = apart.run(&CHORE, input, BOUNDS, cancel).await.map_err(|error| match error {
        ApartError::Broke => BadPdf::Broke { mebibytes: MEMORY >> 20 },
        ApartError::TooSlow => BadPdf::TooLong { seconds: BOUNDS.time.as_secs() },
        ApartError::Cancelled => BadPdf::Cancelled,
        other => BadPdf::NotApart(other.to_string()),
    })?;
    serde_json::from_slice(&answer).unwrap_or(Err(BadPdf::Damaged))
}

/// In the process apart.
fn run(input: &[u8]) -> Vec<u8> {
    let parts = input.iter().position(|byte| *byte == b'\n').and_then(|at| input.split_at_checked(at));
    let asked = parts.and_then(|(asked, bytes)| Some((serde_json::from_slice(asked).ok()?, bytes.get(1..)?)));
    let read = match asked {
        Some((asked, bytes)) => pages::read(bytes.to_vec(), asked, Pictures::WhereNoText, &Cancel::default()),
        None => Err(BadPdf::Damaged),
    };
    serde_json::to_vec(&read).unwrap_or_default()
}
