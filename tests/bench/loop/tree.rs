//! Files to read and to search: 2,000 of 10 KB with words to find, and small ones.

use toolwright_tests::Place;

pub(crate) const SMALL_FILES: usize = 240;
const FILES: usize = 2_000;
const BYTES: usize = 10_000;

pub(crate) fn make(place: &Place) {
    for file in 0..SMALL_FILES {
        let lines: String = (1..=20).map(|line| format!("line {line} of the small file {file}\n")).collect();
        place.write(&format!("small/{file}.txt"), &lines);
    }
    for file in 0..FILES {
        let mut text = String::with_capacity(BYTES + 100);
        let mut line = 0;
        while text.len() < BYTES {
            text.push_str(&format!(
                "    let value_{line} = compute(file_{file}, {line}); // nothing to be found here\n"
            ));
            line += 1;
        }
        // Each word is in a few files.
        text.push_str(&format!("needle_{}\n", file % 400));
        place.write(&format!("tree/part{}/module{}/file{file}.rs", file / 200, file / 20 % 10), &text);
    }
}
