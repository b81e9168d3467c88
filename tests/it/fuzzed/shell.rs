//! Whatever a command is: it is read without a panic, and what it removes is never overseen for what else it says.

use std::path::Path;

use toolwright_core::Subject;
use toolwright_shell::{Analysis, Place, analyse};

/// The whole input is the command.
pub(super) fn check(data: &[u8]) {
    let Ok(command) = std::str::from_utf8(data) else { return };
    let place = Place::new(Path::new("/work/project"), Some(Path::new("/home/ann")));
    let alone = analyse(command, &place);
    assert_eq!(alone, analyse(command, &place), "the same text, the same answer");
    if alone.effects.is_read_only() {
        assert!(alone.critical.is_none(), "read-only and critical: {command:?}");
    }
    // What stands first runs first, whatever follows.
    let removed = analyse(&format!("rm -f kept.txt\n{command}"), &place);
    assert!(!removed.effects.is_read_only(), "{command:?}");
    assert!(removes(&removed), "{command:?}: {:?}", removed.subjects);
}

fn removes(analysis: &Analysis) -> bool {
    analysis.subjects.iter().any(|subject| match subject {
        Subject::Command(part) => part.program == "rm",
        Subject::Unreadable(_) => true,
        _ => false,
    })
}
