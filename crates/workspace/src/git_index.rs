//! The entries of git's index (`gitformat-index`, versions 2 to 4). Reads the bytes it is given, and no more of them than it takes
//! to go from entry to entry.

/// The mode of an entry that is another repository.
const GITLINK: u32 = 0o160_000;

/// The mode of an entry that stands for a folder with all that is in it: a sparse index has such.
pub const FOLDER: u32 = 0o040_000;

/// The paths of the repositories within; none where that cannot be told. `hash`: bytes of an object's name, 20 or 32.
#[must_use]
pub fn repositories(index: &[u8], hash: usize) -> Option<Vec<String>> {
    let mut found = Vec::new();
    let mut is_text = true;
    entries(index, hash, |mode, name| {
        if mode == GITLINK {
            match std::str::from_utf8(name) {
                Ok(name) => found.push(name.to_owned()),
                Err(_) => is_text = false,
            }
        }
    })?;
    is_text.then_some(found)
}

/// Gives the mode and the name of each entry, told from the top of the repository; none where they cannot be told, also where some
/// are in another file (a split index). `hash`: bytes of an object's name, 20 or 32.
#[must_use]
pub fn entries(index: &[u8], hash: usize, mut each: impl FnMut(u32, &[u8])) -> Option<()> {
    let mut rest = index.strip_prefix(b"DIRC")?;
    let version = number(&mut rest)?;
    let entries = number(&mut rest)?;
    (2..=4).contains(&version).then_some(())?;
    let mut name = Vec::new();
    for _ in 0..entries {
        let start = rest.len();
        // Times, device and inode; then the mode; owner, size and the object's name.
        take(&mut rest, 24)?;
        let mode = number(&mut rest)?;
        take(&mut rest, 12 + hash)?;
        let flags = take(&mut rest, 2)?;
        if version >= 3 && flags.first().is_some_and(|first| first & 0x40 != 0) {
            take(&mut rest, 2)?;
        }
        if version == 4 {
            let drop = offset(&mut rest)?;
            name.truncate(name.len().checked_sub(drop)?);
        } else {
            name.clear();
        }
        let end = rest.iter().position(|byte| *byte == 0)?;
        name.extend_from_slice(take(&mut rest, end)?);
        if version == 4 {
            take(&mut rest, 1)?;
        } else {
            // One to eight zeros, to a multiple of eight.
            let length = start - rest.len();
            take(&mut rest, 8 - length % 8)?;
        }
        each(mode, &name);
    }
    // Entries may be in another file, which an extension names.
    while rest.len() > hash {
        let kind = take(&mut rest, 4)?;
        (kind != b"link").then_some(())?;
        let length = number(&mut rest)?;
        take(&mut rest, usize::try_from(length).ok()?)?;
    }
    Some(())
}

fn take<'b>(rest: &mut &'b [u8], length: usize) -> Option<&'b [u8]> {
    let (taken, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(taken)
}

fn number(rest: &mut &[u8]) -> Option<u32> {
    take(rest, 4)?.try_into().ok().map(u32::from_be_bytes)
}

/// Seven bits a byte, the highest first, each byte but the last adding one.
fn offset(rest: &mut &[u8]) -> Option<usize> {
    let mut value = 0_usize;
    loop {
        let byte = *take(rest, 1)?.first()?;
        value = value.checked_shl(7)?.checked_add(usize::from(byte & 0x7f))?;
        if byte & 0x80 == 0 {
            return Some(value);
        }
        value = value.checked_add(1)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An index of entries with these modes and names, as version 2 has them.
    fn index(entries: &[(u32, &str)], extension: &[u8]) -> Vec<u8> {
        let mut bytes = [&b"DIRC\0\0\0\x02\0\0\0"[..], &[u8::try_from(entries.len()).unwrap()]].concat();
        for (mode, name) in entries {
            let start = bytes.len();
            bytes.extend([0; 24]);
            bytes.extend(mode.to_be_bytes());
            bytes.extend([0; 32]);
            bytes.extend(u16::try_from(name.len()).unwrap().to_be_bytes());
            bytes.extend(name.as_bytes());
            bytes.resize(bytes.len() + 8 - (bytes.len() - start) % 8, 0);
        }
        bytes.extend(extension);
        bytes.extend([7; 20]);
        bytes
    }

    #[test]
    fn names_and_modes() {
        let mut found = Vec::new();
        let bytes = index(&[(0o100_644, "a"), (FOLDER, "b/"), (0o120_000, "longer name")], b"");
        assert!(entries(&bytes, 20, |mode, name| found.push((mode, name.to_vec()))).is_some());
        let expect = [(0o100_644, &b"a"[..]), (FOLDER, b"b/"), (0o120_000, b"longer name")];
        assert_eq!(found, expect.map(|(mode, name)| (mode, name.to_vec())));
        assert!(entries(&bytes[..60], 20, |_, _| {}).is_none());
    }

    #[test]
    fn entries_that_are_repositories() {
        let check = |index: &[u8], expect: Option<&[&str]>| {
            let expect = expect.map(|names| names.iter().map(|name| (*name).to_owned()).collect());
            assert_eq!(repositories(index, 20), expect);
        };
        check(&index(&[], b""), Some(&[]));
        check(
            &index(&[(0o100_644, "a"), (0o160_000, "b/sub"), (0o100_644, "longer name")], b""),
            Some(&["b/sub"]),
        );
        check(&index(&[(0o160_000, "a")], b"TREE\0\0\0\x02xy"), Some(&["a"]));
        check(&index(&[], b"link\0\0\0\0"), None);
        check(b"DIRC\0\0\0\x05\0\0\0\0", None);
        check(b"", None);
        let whole = index(&[(0o160_000, "a")], b"");
        check(&whole[..40], None);
    }
}
