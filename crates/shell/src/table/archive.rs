//! What archives and compressed files hold, and certificates.

use crate::arguments::{Reads, begins_as_glob, lets_start};
use crate::word::Token;

/// Programs that decompress for others.
const DECOMPRESSORS: &[&str] = &["gzip", "bzip2", "xz", "lzip", "lzma", "lzop", "zstd", "compress"];

/// Onto standard output, or a list. A name with a suffix that is known is the file that is opened.
pub(super) fn gzip(program: &str, arguments: &[Token]) -> Option<Reads> {
    let mut letters = String::from(if program == "gzip" { "" } else { "d" });
    if program == "zcat" || program == "gzcat" {
        letters.push('c');
    }
    let mut paths = Vec::new();
    let mut flags = true;
    for token in arguments {
        if token.splits || (flags && !lets_start(token)) {
            return None;
        }
        match token.text.as_str() {
            "--" if flags => flags = false,
            text if flags && text.starts_with('-') && text.len() > 1 => {
                let cluster = token.literal()?.get(1..)?;
                cluster.chars().all(|flag| "cdlktqv".contains(flag)).then_some(())?;
                letters.push_str(cluster);
            }
            _ => paths.push(token.clone()),
        }
    }
    letters.contains(['c', 'l', 't']).then_some(())?;
    let suffixed =
        |path: &Token| path.exact && [".gz", ".tgz", ".Z"].iter().any(|suffix| path.text.ends_with(suffix));
    let packs = !letters.contains(['d', 'l', 't']);
    (packs || paths.iter().all(suffixed)).then_some(())?;
    // All but one are scripts that start it.
    let starts: &[&str] = if program == "gzip" { &[] } else { &["gzip"] };
    Some(Reads { starts, ..Reads::of(paths) })
}

/// `tar tf x`: a list of an archive. A colon in its name would be another machine.
pub(super) fn tar(arguments: &[Token]) -> Option<Reads> {
    let (letters, rest) = arguments.split_first()?;
    let letters = letters.literal()?;
    let letters = letters.strip_prefix('-').unwrap_or(letters);
    let plain = letters.strip_suffix('f')?;
    (plain.contains('t') && plain.chars().all(|letter| "tvzjJ".contains(letter))).then_some(())?;
    let (archive, members) = rest.split_first()?;
    let name = archive.literal()?;
    let fine = |name: &str| !name.is_empty() && !name.starts_with('-');
    (fine(name) && !name.contains(':')).then_some(())?;
    members.iter().all(|member| member.literal().is_some_and(fine)).then_some(())?;
    Some(Reads { starts: DECOMPRESSORS, ..Reads::of(vec![archive.clone()]) })
}

/// `unzip -l x`: a list of an archive. Where the name leads nowhere, ones with a suffix are tried.
pub(super) fn unzip(arguments: &[Token]) -> Option<Reads> {
    let (flag, rest) = arguments.split_first()?;
    matches!(flag.literal()?, "-l" | "-lv" | "-v" | "-lq" | "-Z1").then_some(())?;
    let (archive, members) = rest.split_first()?;
    let name = archive.literal()?;
    let fine = |name: &str| !name.is_empty() && !name.starts_with('-');
    (fine(name) && !name.contains(['*', '?', '[', '\\'])).then_some(())?;
    members.iter().all(|member| member.literal().is_some_and(fine)).then_some(())?;
    let suffixed = |suffix: &str| Token::plain(format!("{name}{suffix}"));
    Some(Reads::of(vec![archive.clone(), suffixed(".zip"), suffixed(".ZIP")]))
}

/// Programs that do nothing but write what a file holds onto standard output.
pub(super) fn decompressed(arguments: &[Token]) -> Option<Reads> {
    let plain = |token: &Token| lets_start(token) && token.exact && !token.text.starts_with('-');
    arguments.iter().all(plain).then(|| Reads::of(arguments.to_vec()))
}

/// `openssl x509 -in x -noout -text`: a certificate as text. The name of a file is no address.
pub(super) fn certificate(arguments: &[Token]) -> Option<Reads> {
    const PLAIN: [&str; 20] = [
        "-noout",
        "-text",
        "-subject",
        "-issuer",
        "-dates",
        "-startdate",
        "-enddate",
        "-fingerprint",
        "-serial",
        "-email",
        "-purpose",
        "-modulus",
        "-pubkey",
        "-hash",
        "-subject_hash",
        "-issuer_hash",
        "-alias",
        "-ocsp_uri",
        "-sha256",
        "-sha1",
    ];
    const VALUED: [&str; 5] = ["-ext", "-nameopt", "-certopt", "-checkend", "-dateopt"];
    const FORMS: [&str; 2] = ["PEM", "DER"];
    let (first, rest) = arguments.split_first()?;
    (first.literal()? == "x509").then_some(())?;
    let mut paths = Vec::new();
    let mut rest = rest.iter();
    while let Some(token) = rest.next() {
        match token.literal()? {
            "-in" => {
                let file = rest.next()?;
                let plain = !file.text.contains(':') && !file.text.starts_with('-') && !begins_as_glob(file);
                (plain && !file.splits && !file.glob).then_some(())?;
                paths.push(file.clone());
            }
            "-inform" => drop(rest.next()?.literal().filter(|form| FORMS.contains(form))?),
            flag if VALUED.contains(&flag) => drop(rest.next()?.literal()?),
            flag if PLAIN.contains(&flag) => {}
            _ => return None,
        }
    }
    Some(Reads::of(paths))
}
