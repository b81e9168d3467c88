//! Programs that change files which no target of theirs names: what they do to their operands, and the folders below which they write
//! whatever they are given.

use toolwright_core::PathAccess;

use super::{Touches, has_flag, last_name, operands};
use crate::word::Token;
use crate::wrapper::base_name;

/// What the program changes: none for one that is not among these.
pub(super) fn changed(program: &str, arguments: &[Token]) -> Touches {
    use PathAccess::{Write, WriteBelow};
    let each = |access: PathAccess| -> Touches {
        operands(arguments).into_iter().map(|path| (path, access)).collect()
    };
    match program {
        "ed" | "red" | "ex" | "vim" | "vi" | "nvim" | "gvim" | "nano" | "pico" | "emacs" | "emacsclient"
        | "micro" | "helix" | "hx" | "joe" | "mg" | "kak" | "ne" | "sponge" | "chattr" | "setfacl"
        | "setfattr" | "chcon" | "xattr" | "strip" | "patchelf" | "install_name_tool" | "dos2unix"
        | "unix2dos" | "fallocate" => each(Write),
        "awk" | "gawk" | "mawk" if arguments.iter().any(|token| token.text.contains("inplace")) => {
            each(Write)
        }
        "gzip" | "gunzip" | "bzip2" | "bunzip2" | "xz" | "unxz" | "lzma" | "unlzma" | "zstd" | "unzstd"
        | "lz4" | "compress" | "uncompress"
            if !has_flag(arguments, "clt", &["--stdout", "--to-stdout", "--list", "--test"]) =>
        {
            let unpacked = |path: &Option<String>| {
                let (name, _) = path.as_deref()?.rsplit_once('.')?;
                Some((Some(name.to_owned()), Write))
            };
            let named = operands(arguments);
            named.iter().filter_map(unpacked).chain(each(Write)).collect()
        }
        // The second operand is what is written.
        "uniq" | "xxd" => operands(arguments).into_iter().skip(1).map(|path| (path, Write)).collect(),
        "objcopy" | "qpdf" | "ffmpeg" | "convert" | "magick" => {
            operands(arguments).into_iter().next_back().map(|path| (path, Write)).into_iter().collect()
        }
        "find" | "gfind" | "bfs" => by_find(arguments),
        "patch" => {
            let files = operands(arguments).into_iter().take(1).map(|path| (path, Write));
            let unnamed = !arguments.iter().any(|token| token.exact && !token.text.starts_with('-'))
                || has_flag(arguments, "ipd", &["--input", "--strip", "--directory"]);
            let tries = has_flag(arguments, "C", &["--dry-run", "--check"]);
            match tries {
                true => Vec::new(),
                false => files.chain(unnamed.then(|| (Some(".".into()), WriteBelow))).collect(),
            }
        }
        "split" | "csplit" => pieces(program, arguments),
        "tar" | "bsdtar" | "gtar" if unpacks(arguments) => {
            below_folders(arguments, &["-C", "--directory", "--cd"], true)
        }
        "unzip" if !has_flag(arguments, "lptvZz", &[]) => below_folders(arguments, &["-d"], true),
        "unrar" | "rar" | "7z" | "7za" | "7zz"
            if subcommand(arguments).is_some_and(|word| matches!(word, "x" | "e")) =>
        {
            let glued = |token: &Token| token.text.strip_prefix("-o").map(str::to_owned);
            let folders: Vec<String> = arguments.iter().filter_map(glued).collect();
            let last =
                arguments.last().filter(|token| token.text.ends_with('/')).map(|token| token.text.clone());
            below(folders.into_iter().chain(last).collect())
        }
        "cpio" | "afio" if has_flag(arguments, "ip", &["--extract", "--pass-through"]) => {
            let folders = operands(arguments).into_iter().flatten();
            below(folders.collect())
        }
        "pax" if has_flag(arguments, "rw", &[]) => below(Vec::new()),
        "ar" if subcommand(arguments).is_some_and(|word| word.contains('x')) => below(Vec::new()),
        "unsquashfs" | "jar" | "dpkg-deb" | "cabextract" | "ditto" | "unar" | "gem" | "wheel"
            if program != "jar" || subcommand(arguments).is_some_and(|word| word.contains('x')) =>
        {
            let named = operands(arguments).into_iter().map(|path| (path, WriteBelow));
            named.chain(below(Vec::new())).collect()
        }
        "chmod" | "chown" | "chgrp" if has_flag(arguments, "R", &["--recursive"]) => each(WriteBelow),
        "tsc" => below_folders(arguments, &["--outDir", "--outFile", "--declarationDir"], false),
        "protoc" => {
            let out = |token: &Token| {
                let (flag, value) = token.text.split_once('=')?;
                let folder = value.rsplit(':').next().unwrap_or(value);
                flag.ends_with("_out").then(|| folder.to_owned())
            };
            let folders: Vec<String> = arguments.iter().filter_map(out).collect();
            if folders.is_empty() { Vec::new() } else { below(folders) }
        }
        "wget" | "wget2" => {
            let recursive = has_flag(arguments, "rmx", &["--recursive", "--mirror", "--force-directories"]);
            let named = has_flag(arguments, "O", &["--output-document"]);
            let folders = below_folders(arguments, &["-P", "--directory-prefix"], recursive);
            let fetched = (!named).then(|| fetched(arguments)).into_iter().flatten();
            folders.into_iter().chain(fetched).collect()
        }
        "curl" if has_flag(arguments, "O", &["--remote-name", "--remote-name-all"]) => {
            let given = has_flag(arguments, "J", &["--remote-header-name"]);
            let folders = below_folders(arguments, &["--output-dir"], given);
            folders.into_iter().chain(fetched(arguments)).collect()
        }
        _ => super::formatters::changed(program, arguments),
    }
}

/// Below these folders, or below the one it is in.
pub(super) fn below(folders: Vec<String>) -> Touches {
    use PathAccess::{Write, WriteBelow};
    if folders.is_empty() {
        return vec![(Some(".".into()), WriteBelow)];
    }
    folders
        .into_iter()
        .flat_map(|folder| [(Some(folder.clone()), Write), (Some(folder), WriteBelow)])
        .collect()
}

/// Below the folders that these flags name; `here`: where none does, below the one it is in.
fn below_folders(arguments: &[Token], flags: &[&str], here: bool) -> Touches {
    let mut folders = Vec::new();
    for (at, token) in arguments.iter().enumerate() {
        let text = token.text.as_str();
        let glued = flags.iter().find_map(|flag| {
            let rest = text.strip_prefix(flag)?;
            if flag.starts_with("--") { rest.strip_prefix('=') } else { Some(rest) }
        });
        let next = arguments.get(at + 1);
        // `-xzC folder` has the flag in a cluster.
        let ends = |flag: &&str| {
            let letter = flag.strip_prefix('-').filter(|letter| letter.len() == 1);
            let cluster = !text.starts_with("--") && text.starts_with('-');
            cluster && letter.is_some_and(|letter| text.ends_with(letter))
        };
        let long = text.starts_with("--") && flags.contains(&text);
        let value = match glued {
            Some(value) if !value.is_empty() && !long => Some((value.to_owned(), token.exact)),
            _ if long || flags.iter().any(ends) => next.map(|next| (next.text.clone(), next.exact)),
            _ => None,
        };
        match value {
            Some((folder, true)) => folders.push(folder),
            Some((_, false)) => return vec![(None, PathAccess::WriteBelow)],
            None => {}
        }
    }
    if folders.is_empty() && !here { Vec::new() } else { below(folders) }
}

/// The first word that is no flag.
pub(super) fn subcommand(arguments: &[Token]) -> Option<&str> {
    arguments.iter().map(|token| token.text.as_str()).find(|text| !text.starts_with('-'))
}

fn unpacks(arguments: &[Token]) -> bool {
    let stdout = arguments.iter().any(|token| token.text == "--to-stdout");
    let old = arguments.first().is_some_and(|token| !token.text.starts_with('-') && token.text.contains('x'));
    !stdout && (old || has_flag(arguments, "x", &["--extract", "--get"]))
}

/// What `split` and `csplit` write: names that begin as they are told.
fn pieces(program: &str, arguments: &[Token]) -> Touches {
    let prefix = match program {
        "csplit" => {
            let behind = |at: usize| arguments.get(at + 1).map(|token| token.text.clone());
            let given = arguments.iter().enumerate().find_map(|(at, token)| {
                let text = token.text.as_str();
                match text.strip_prefix("--prefix=").or(text.strip_prefix("-f")) {
                    Some("") => behind(at),
                    Some(glued) => Some(glued.to_owned()),
                    None => (text == "--prefix").then(|| behind(at)).flatten(),
                }
            });
            given.unwrap_or_else(|| "xx".into())
        }
        // The last operand; a value of a flag before it is one prefix too many.
        _ => match operands(arguments).as_slice() {
            [_, .., last] => last.clone().unwrap_or_else(|| "/**".into()),
            _ => "x".into(),
        },
    };
    vec![(Some(format!("{prefix}*")), PathAccess::Write)]
}

/// The file that is called as the address ends.
fn fetched(arguments: &[Token]) -> Touches {
    let addresses = arguments.iter().filter(|token| token.text.contains("://") || token.text.contains('.'));
    let name = |token: &Token| {
        let path = token.text.split(['?', '#']).next().unwrap_or_default();
        last_name(path).filter(|_| !token.text.starts_with('-')).map(str::to_owned)
    };
    addresses.filter_map(name).map(|name| (Some(name), PathAccess::Write)).collect()
}

/// What `find` writes itself, and what it removes or gives to a program that is not known to only read it.
fn by_find(arguments: &[Token]) -> Touches {
    const RUNS: [&str; 4] = ["-exec", "-execdir", "-ok", "-okdir"];
    let text = |at: usize| arguments.get(at).map(|token| token.text.as_str()).unwrap_or_default();
    let behind = |names: &[&str]| {
        (0..arguments.len()).filter(|at| names.contains(&text(*at))).map(|at| at + 1).collect::<Vec<_>>()
    };
    let written = behind(&["-fprint", "-fprint0", "-fprintf", "-fls"]);
    let mut touched: Touches =
        written.iter().map(|at| (Some(text(*at).to_owned()), PathAccess::Write)).collect();
    let reads = |at: &usize| {
        let command = arguments.get(*at..).unwrap_or_default();
        let ends = |token: &Token| matches!(token.text.as_str(), ";" | "+");
        let end = command.iter().position(ends).unwrap_or(command.len());
        let Some((program, words)) = command.get(..end).and_then(<[Token]>::split_first) else {
            return false;
        };
        let name = base_name(&program.text);
        program.exact
            && (crate::table::read_only(name, words).is_some() || super::unchanged::reads_all(name, words))
    };
    let changes = arguments.iter().any(|token| !token.exact || token.text == "-delete")
        || !behind(&RUNS).iter().all(reads);
    if !changes {
        return touched;
    }
    let is_start = |token: &&Token| !token.text.starts_with(['-', '(', '!', ','].as_slice());
    let flags =
        arguments.iter().take_while(|token| matches!(token.text.as_str(), "-H" | "-L" | "-P")).count();
    let starts: Vec<String> =
        arguments.iter().skip(flags).take_while(is_start).map(|token| token.text.clone()).collect();
    let starts = if starts.is_empty() { vec![".".into()] } else { starts };
    touched.extend(starts.into_iter().map(|start| (Some(start), PathAccess::WriteBelow)));
    touched
}
