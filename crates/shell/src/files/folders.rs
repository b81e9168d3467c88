//! Programs that read everything below a folder, to store or to send it.

use toolwright_core::PathAccess;

use super::has_flag;
use crate::word::Token;

/// A program, or one of its commands, and where the folders stand.
struct Row {
    program: &'static str,
    /// The first words that are no flags: one of these sets. None: whatever they are.
    commands: &'static [&'static [&'static str]],
    /// It reads below the folder it is in where it is told no other.
    here: bool,
}

const fn every_word(program: &'static str) -> Row {
    Row { program, commands: &[], here: false }
}

const fn of(program: &'static str, commands: &'static [&'static [&'static str]]) -> Row {
    Row { program, commands, here: false }
}

const fn here(program: &'static str, commands: &'static [&'static [&'static str]]) -> Row {
    Row { program, commands, here: true }
}

const ROWS: &[Row] = &[
    of("docker", &[&["build"], &["buildx", "build"], &["image", "build"], &["cp"], &["container", "cp"]]),
    of("podman", &[&["build"], &["cp"]]),
    of("nerdctl", &[&["build"], &["cp"]]),
    of("buildah", &[&["bud"], &["build"], &["add"], &["copy"]]),
    of("kubectl", &[&["cp"]]),
    of("oc", &[&["cp"], &["rsync"]]),
    of("aws", &[&["s3", "cp"], &["s3", "sync"], &["s3", "mv"]]),
    of("gsutil", &[&["cp"], &["rsync"], &["mv"]]),
    of("gcloud", &[&["storage", "cp"], &["storage", "rsync"], &["compute", "scp"]]),
    of("az", &[&["storage", "blob"], &["storage", "copy"]]),
    of(
        "rclone",
        &[&["copy"], &["sync"], &["move"], &["bisync"], &["cat"], &["copyto"], &["moveto"], &["serve"]],
    ),
    of("mc", &[&["cp"], &["mirror"], &["mv"]]),
    of("borg", &[&["create"]]),
    of("restic", &[&["backup"]]),
    of("kopia", &[&["snapshot"]]),
    here("npm", &[&["pack"], &["publish"]]),
    here("pnpm", &[&["pack"], &["publish"]]),
    here("yarn", &[&["pack"], &["publish"], &["npm", "publish"]]),
    here("cargo", &[&["package"], &["publish"]]),
    here("vsce", &[&["package"], &["publish"]]),
    here("vercel", &[]),
    here("netlify", &[&["deploy"]]),
    here("fly", &[&["deploy"]]),
    here("flyctl", &[&["deploy"]]),
    every_word("duplicity"),
    every_word("mksquashfs"),
    every_word("genisoimage"),
    every_word("mkisofs"),
    every_word("xorriso"),
    every_word("ditto"),
    every_word("unison"),
    here("dar", &[]),
    here("pax", &[]),
    here("ugrep", &[]),
    here("ug", &[]),
    here("rgrep", &[]),
    here("sift", &[]),
    here("pt", &[]),
    here("http-server", &[]),
    here("serve", &[]),
];

/// The folders. None: any path, whose names come from elsewhere.
pub(super) fn read_below(program: &str, arguments: &[Token]) -> Vec<(Option<String>, PathAccess)> {
    use PathAccess::{Read, ReadBelow};
    let words: Vec<&Token> = arguments.iter().filter(|token| !token.text.starts_with('-')).collect();
    let begins = |command: &[&str]| {
        command.len() <= words.len() && command.iter().zip(&words).all(|(name, word)| word.text == *name)
    };
    let row = ROWS.iter().find(|row| {
        row.program == program
            && (row.commands.is_empty() || row.commands.iter().any(|command| begins(command)))
    });
    if let Some(row) = row {
        let named = words.iter().map(|token| (token.exact.then(|| token.text.clone()), ReadBelow));
        return named.chain(row.here.then(|| (Some(".".into()), ReadBelow))).collect();
    }
    let mounted = super::mounts::mounted(program, arguments);
    if !mounted.is_empty() {
        return mounted;
    }
    let here = || vec![(Some(".".into()), ReadBelow)];
    match program {
        // What it stores is what its standard input names.
        "cpio" | "afio" if has_flag(arguments, "op", &["--create", "--pass-through"]) => vec![(None, Read)],
        "python" | "python3"
            if arguments
                .iter()
                .any(|token| matches!(token.text.as_str(), "http.server" | "SimpleHTTPServer")) =>
        {
            here()
        }
        "python" | "python3"
            if arguments
                .iter()
                .any(|token| matches!(token.text.as_str(), "zipfile" | "tarfile" | "shutil")) =>
        {
            words.iter().map(|token| (token.exact.then(|| token.text.clone()), ReadBelow)).collect()
        }
        "php" if has_flag(arguments, "S", &[]) => here(),
        "fd" | "fdfind" if has_flag(arguments, "xX", &["--exec", "--exec-batch"]) => here(),
        "git" => git(&words, arguments),
        _ => Vec::new(),
    }
}

/// What git stores, or removes, though it is told to ignore it: those are the files that rules are about. What it stores besides is
/// shown by commands that name it.
fn git(words: &[&Token], arguments: &[Token]) -> Vec<(Option<String>, PathAccess)> {
    let Some((command, paths)) = words.split_first() else { return Vec::new() };
    let stores = match command.text.as_str() {
        "add" | "stage" => has_flag(arguments, "f", &["--force"]),
        "stash" => has_flag(arguments, "a", &["--all"]),
        "clean" => has_flag(arguments, "xX", &[]),
        _ => false,
    };
    let paths: &[&Token] = if command.text == "stash" { &[] } else { paths };
    let all = paths.is_empty().then(|| (Some(".".into()), PathAccess::ReadBelow));
    let named = paths.iter().map(|token| (token.exact.then(|| token.text.clone()), PathAccess::ReadBelow));
    if stores { named.chain(all).collect() } else { Vec::new() }
}
