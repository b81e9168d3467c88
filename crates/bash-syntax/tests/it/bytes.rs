//! Any bytes as a text: no panic, and what is printed is read and printed the same again.

use super::printed::{printed, setting};
use super::random::Random;
use super::{generate, pieces};

/// Bytes that mean something to bash, and some that mean nothing anywhere.
const SPECIAL: &[u8] = b"'\"`$\\{}()<>&|;# \n\t~=[]!*?:,\x01\x7f\xff";

/// A text with some of its bytes left out, doubled, moved or replaced.
fn changed(seed: u64) -> String {
    let mut random = Random::new(seed);
    let text = if random.once_in(3) { pieces::text(seed) } else { generate::command(seed) };
    let mut bytes = text.into_bytes();
    for _ in 0..=random.below(4) {
        if bytes.is_empty() {
            break;
        }
        let (at, to) = (random.below(bytes.len()), random.below(bytes.len()));
        match random.below(4) {
            0 => drop(bytes.remove(at)),
            1 => bytes.insert(at, SPECIAL[random.below(SPECIAL.len())]),
            2 => bytes.insert(to, bytes[at]),
            _ => {
                let piece: Vec<u8> = bytes[at.min(to)..at.max(to)].to_vec();
                bytes.splice(at..at, piece);
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn changed_texts_are_read_and_printed_the_same_again() {
    let mut read = 0;
    for seed in 0..setting("TOOLWRIGHT_PRINTED_BYTES", 3_000) {
        let text = changed(seed);
        match printed(&text) {
            Ok(Some(_)) => read += 1,
            Ok(None) => {}
            Err(why) => panic!("seed {seed}: {text:?}\n{why}"),
        }
    }
    println!("{read} are printed");
    assert!(read > 300, "{read}");
}
