//! A file of git's settings, read as git reads it. Knows no meaning of a setting.

/// One setting. Names are in lower case, as git compares them; that of a subsection is as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Setting {
    /// `filter` of `[filter "lfs"]`, `a` of `[a.b]`.
    pub(super) section: String,
    /// `lfs`, `b`; none where there is none.
    pub(super) subsection: Option<String>,
    pub(super) key: String,
    /// None: the key stands without `=`, which is true.
    pub(super) value: Option<String>,
}

/// Something in the file that git does not read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Malformed;

/// All settings in their order. Bytes that are no UTF-8 become U+FFFD: no name or value that matters has one.
pub(super) fn settings(bytes: &[u8]) -> Result<Vec<Setting>, Malformed> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = Reader { rest: bytes };
    let mut section = None;
    let mut found = Vec::new();
    while let Some(byte) = reader.next() {
        match byte {
            b'#' | b';' => reader.skip_line(),
            b'[' => section = Some(reader.section()?),
            _ if byte.is_ascii_whitespace() => {}
            _ if byte.is_ascii_alphabetic() => {
                let Some((section, subsection)) = section.clone() else { return Err(Malformed) };
                let key = reader.key(byte);
                found.push(Setting { section, subsection, key, value: reader.value()? });
            }
            _ => return Err(Malformed),
        }
    }
    Ok(found)
}

struct Reader<'b> {
    rest: &'b [u8],
}

impl Reader<'_> {
    /// The next byte; the end of a line is one line feed, however it is written.
    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        if *first == b'\r' && matches!(rest.first(), Some(b'\n') | None) {
            self.rest = rest.get(1..).unwrap_or_default();
            return Some(b'\n');
        }
        Some(*first)
    }

    fn skip_line(&mut self) {
        while self.next().is_some_and(|byte| byte != b'\n') {}
    }

    /// What stands between `[` and `]`.
    fn section(&mut self) -> Result<(String, Option<String>), Malformed> {
        let mut name = Vec::new();
        loop {
            match self.next().ok_or(Malformed)? {
                b']' => break,
                b' ' | b'\t' => {
                    let subsection = self.quoted_subsection()?;
                    return Ok((lower(&name), Some(subsection)));
                }
                byte if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.') => name.push(byte),
                _ => return Err(Malformed),
            }
        }
        let name = lower(&name);
        Ok(match name.split_once('.') {
            Some((section, subsection)) => (section.into(), Some(subsection.into())),
            None => (name, None),
        })
    }

    fn quoted_subsection(&mut self) -> Result<String, Malformed> {
        let mut byte = self.next();
        while matches!(byte, Some(b' ' | b'\t')) {
            byte = self.next();
        }
        if byte != Some(b'"') {
            return Err(Malformed);
        }
        let mut name = Vec::new();
        loop {
            match self.next().ok_or(Malformed)? {
                b'\n' => return Err(Malformed),
                b'"' => break,
                b'\\' => match self.next().ok_or(Malformed)? {
                    b'\n' => return Err(Malformed),
                    escaped => name.push(escaped),
                },
                byte => name.push(byte),
            }
        }
        if self.next() != Some(b']') {
            return Err(Malformed);
        }
        Ok(String::from_utf8_lossy(&name).into_owned())
    }

    fn key(&mut self, first: u8) -> String {
        let is_key = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'-';
        let length = self.rest.iter().take_while(is_key).count();
        let (rest_of_it, rest) = self.rest.split_at_checked(length).unwrap_or_default();
        self.rest = rest;
        lower(&[&[first], rest_of_it].concat())
    }

    fn value(&mut self) -> Result<Option<String>, Malformed> {
        loop {
            match self.next() {
                Some(b' ' | b'\t') => {}
                Some(b'\n') | None => return Ok(None),
                Some(b'=') => break,
                Some(_) => return Err(Malformed),
            }
        }
        let mut value: Vec<u8> = Vec::new();
        let mut quoted = false;
        // The length without blanks at the end that stand in no quotes.
        let mut length = 0;
        loop {
            let byte = self.next().unwrap_or(b'\n');
            match byte {
                b'\n' if quoted => return Err(Malformed),
                b'\n' => break,
                b'#' | b';' if !quoted => {
                    self.skip_line();
                    break;
                }
                b'"' => quoted = !quoted,
                b'\\' => match self.next().unwrap_or(b'\n') {
                    // The line goes on; the blanks before this are kept where more follows.
                    b'\n' => continue,
                    b't' => value.push(b'\t'),
                    b'n' => value.push(b'\n'),
                    b'b' => value.push(8),
                    escaped @ (b'"' | b'\\') => value.push(escaped),
                    _ => return Err(Malformed),
                },
                _ if byte.is_ascii_whitespace() && !quoted => {
                    if !value.is_empty() {
                        value.push(byte);
                    }
                    continue;
                }
                _ => value.push(byte),
            }
            length = value.len();
        }
        value.truncate(length);
        Ok(Some(String::from_utf8_lossy(&value).into_owned()))
    }
}

fn lower(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each setting as `section/subsection/key=value`.
    fn check(text: &str, expected: Option<&[&str]>) {
        let found = settings(text.as_bytes()).ok().map(|settings| {
            let line = |setting: &Setting| {
                let Setting { section, subsection, key, value } = setting;
                let subsection = subsection.as_ref().map(|name| format!("/{name}")).unwrap_or_default();
                let value = value.as_ref().map(|value| format!("={value}")).unwrap_or_default();
                format!("{section}{subsection}/{key}{value}")
            };
            settings.iter().map(line).collect::<Vec<_>>()
        });
        let expected = expected.map(|lines| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>());
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn settings_are_read_as_git_reads_them() {
        check("", Some(&[]));
        check("[core]\n\tbare = false\n", Some(&["core/bare=false"]));
        check("\u{feff}[CORE] FileMode\r\n", Some(&["core/filemode"]));
        check("[diff \"a]b\"] textconv = x", Some(&["diff/a]b/textconv=x"]));
        check("[diff \"a\"] textconv = ./evil #]", Some(&["diff/a/textconv=./evil"]));
        check("[diff \"a\\\"b\\\\\"]\nk=1", Some(&["diff/a\"b\\/k=1"]));
        check("[Diff.Sub.X]\nk=1", Some(&["diff/sub.x/k=1"]));
        check("# [a]\n; x = 1\n[b] # c\nk = v ; c", Some(&["b/k=v"]));
        check("[a]\nk = one \\\n   two  \nl = \" x \" y\\tz\n", Some(&["a/k=one    two", "a/l= x  y\tz"]));
        check("[a]\nk = \"a;b#c\"d", Some(&["a/k=a;b#cd"]));
        check("[a]\nk =\nl=\"\"", Some(&["a/k=", "a/l="]));
        check("[a]\nk-1=2", Some(&["a/k-1=2"]));
        for malformed in [
            "k = 1",
            "[a",
            "[a]\nk_l = 1",
            "[a]\nk = \"x\n",
            "[a]\nk = \\x",
            "[a \"b\" ]",
            "[a b]",
            "[a]\n1=2",
        ] {
            check(malformed, None);
        }
    }
}
