//! Documents made to take all memory or time: what reads them is bounded, ends, and says why.

use std::fmt::Write as _;

use serde_json::json;
use toolwright_testkit::TempWorkspace;
use toolwright_tests::Calls;

/// The memory a document may take, in MiB, with what the program itself needs.
const MOST: u64 = 1_100;

#[test]
fn a_hostile_document_takes_bounded_memory_and_time() {
    let workspace = TempWorkspace::new();
    let mut calls = Calls::start(workspace.path(), workspace.path(), &[]);
    let page = |parent: usize, content: usize| {
        format!("<</Type/Page/Parent {parent} 0 R/MediaBox[0 0 612 792]/Contents {content} 0 R>>")
            .into_bytes()
    };
    let catalog = || b"<</Type/Catalog/Pages 2 0 R>>".to_vec();
    let one_page = |content: Vec<u8>| {
        pdf(&[catalog(), b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(), page(2, 4), content])
    };
    let zeros = deflated_zeros(2 << 30);
    let mut packed = format!("<</Length {}/Filter/FlateDecode>>stream\n", zeros.len()).into_bytes();
    packed.extend(&zeros);
    packed.extend(b"\nendstream");

    // Twelve levels of ten children that are one and the same.
    let mut laughs = vec![catalog()];
    for level in 2..14 {
        let kids = format!("{} 0 R ", level + 1).repeat(10);
        laughs.push(format!("<</Type/Pages/Kids[{kids}]/Count 1000000000000>>").into_bytes());
    }
    laughs.push(page(13, 15));
    laughs.push(b"<</Length 0>>stream\n\nendstream".to_vec());

    let nested = format!("<</Length 0/X {}{}>>stream\n\nendstream", "[".repeat(1 << 20), "]".repeat(1 << 20));
    let drawn = format!("<</Length {0}>>stream\n{1}\nendstream", 1 << 21, "q ".repeat(1 << 20));
    for (name, file) in [
        ("unpacks to 2 GiB", one_page(packed)),
        ("pages without end", pdf(&laughs)),
        ("lists in lists", one_page(nested.into_bytes())),
        ("states on states", one_page(drawn.into_bytes())),
    ] {
        workspace.write("a.pdf", file);
        let answer = calls.call(&json!({"tool": "Read", "input": {"file_path": "a.pdf"}}));
        let text = answer["content"][0]["text"].as_str().unwrap_or_default();
        println!(
            "{name}: {}; peak {} MiB, apart {:?} MiB",
            text.lines().next().unwrap_or_default(),
            answer["peak_mib"],
            peak_of_children()
        );
        let said = text.contains(" is a PDF that ")
            || text.contains(" is a PDF, but damaged")
            || text.contains("[page 1 of ");
        assert!(said, "{name}: {answer}");
        assert!(answer["peak_mib"].as_u64().is_some_and(|peak| peak < 400), "{name}: {answer}");
    }
    workspace.write("a.pdf", one_page(b"<</Length 0>>stream\n\nendstream".to_vec()));
    let answer = calls.call(&json!({"tool": "Read", "input": {"file_path": "a.pdf"}}));
    assert!(answer.to_string().contains("[page 1 of 1: no text"), "it goes on: {answer}");
    drop(calls);
    match peak_of_children() {
        Some(peak) => assert!(peak < MOST, "{peak} MiB"),
        None => println!("skipped: the memory of processes that ended, which this system does not tell"),
    }
}

fn pdf(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut file = b"%PDF-1.4\n".to_vec();
    let mut places = String::new();
    for (number, object) in (1..).zip(objects) {
        let _ = writeln!(places, "{:010} 00000 n ", file.len());
        file.extend(format!("{number} 0 obj\n").as_bytes());
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    let (start, count) = (file.len(), objects.len() + 1);
    let end = format!(
        "xref\n0 {count}\n0000000000 65535 f \n{places}trailer\n<</Size {count}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n"
    );
    file.extend(end.as_bytes());
    file
}

/// So many zeros as a zlib stream, about: one literal, then matches of 258 bytes at distance 1, in the fixed code.
fn deflated_zeros(count: usize) -> Vec<u8> {
    let mut bits = Bits::default();
    // The last block, fixed codes; the literal 0.
    bits.put(0b011, 3);
    bits.put(0b0000_1100, 8);
    for _ in 0..count / 258 {
        // 285, whose code is 11000101 from its highest bit, and distance 1.
        bits.put(0b1010_0011, 8);
        bits.put(0, 5);
    }
    // The end of the block.
    bits.put(0, 7);
    // Readers do without the checksum, or come to it too late.
    [b"\x78\x9c".as_slice(), &bits.done(), &[0; 4]].concat()
}

#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    held: u32,
    count: u32,
}

impl Bits {
    fn put(&mut self, bits: u32, count: u32) {
        self.held |= bits << self.count;
        self.count += count;
        while self.count >= 8 {
            self.bytes.push(self.held.to_le_bytes()[0]);
            self.held >>= 8;
            self.count -= 8;
        }
    }

    fn done(mut self) -> Vec<u8> {
        self.put(0, 7);
        self.bytes
    }
}

/// The most memory that one of the processes below this one had which ended and were waited for, in MiB.
fn peak_of_children() -> Option<u64> {
    use nix::sys::resource::{UsageWho, getrusage};
    let peak = getrusage(UsageWho::RUSAGE_CHILDREN).ok()?.max_rss();
    u64::try_from(peak / 1024).ok().filter(|peak| *peak > 0 && cfg!(target_os = "linux"))
}
