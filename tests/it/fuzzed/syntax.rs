//! Whatever a text of bash is: it is read without a panic, and what is printed of it is read as what is printed the same again.

use toolwright_bash_syntax::{parse, print};

/// The whole input is the text.
pub(super) fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let parsed = parse(text);
    if parsed.error.is_some() {
        return;
    }
    let Ok(printed) = print(&parsed.script) else { return };
    let again = parse(&printed);
    assert!(again.error.is_none(), "{text:?} is printed as {printed:?}: {:?}", again.error);
    assert_eq!(print(&again.script).as_ref(), Ok(&printed), "{text:?} is printed in two ways");
}
