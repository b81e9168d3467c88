//! Words of a command that may name files, whatever the program does with them: each as a whole, and what stands in it behind signs
//! that part a name from what it is for (`x=@name`, `name:/in/the/container`, `-fname`).

use crate::word::Token;

/// Places in one word where a name may begin that are looked at.
const MOST_PLACES: usize = 512;
/// Letters of flags before a value that is glued to the last.
const MOST_FLAGS: usize = 8;
/// A longer path is none, and neither is a longer name in one: no system has such files.
const LONGEST_PATH: usize = 4_096;
const LONGEST_NAME: usize = 255;

/// Signs behind which a name may begin.
pub(super) const BEFORE: [char; 9] = ['=', '@', ':', ',', ';', '<', '>', '!', '+'];
/// Signs before which a name may end.
const BEHIND: [char; 5] = [':', ',', ';', '@', '='];

/// Flags whose value is the folder that a program goes to before it does anything, of whichever program.
const FOLDER_FLAGS: [&str; 7] = ["-C", "-D", "--directory", "--chdir", "--cwd", "--prefix", "--work-tree"];
/// Such flags of one command that are looked at.
const MOST_FOLDERS: usize = 4;

/// Built-in commands of the shell whose words are text and names of variables, and programs that print their words.
pub(super) const TEXT_ALONE: [&str; 22] = [
    "echo", "printf", "kill", "sleep", "true", "false", ":", "wait", "shift", "return", "exit", "unset",
    "unalias", "umask", "ulimit", "getopts", "shopt", "set", "break", "continue", "trap", "eval",
];

/// Programs whose words, or some of them, are texts in a language that names files.
const LANGUAGES: [&str; 31] = [
    "awk",
    "gawk",
    "mawk",
    "nawk",
    "sqlite3",
    "duckdb",
    "psql",
    "mysql",
    "mariadb",
    "mongosh",
    "redis-cli",
    "tex",
    "latex",
    "pdflatex",
    "xelatex",
    "lualatex",
    "lftp",
    "sftp",
    "ftp",
    "gnuplot",
    "octave",
    "convert",
    "magick",
    "ffmpeg",
    "bc",
    "dc",
    "m4",
    "tclsh",
    "expect",
    "jq",
    "yq",
];

/// Programs that take names of files from their standard input.
const TAKE_NAMES: [&str; 13] = [
    "xargs", "gxargs", "parallel", "rush", "cpio", "pax", "git", "tar", "bsdtar", "gtar", "zip", "rsync",
    "7z",
];

/// What may be names in the standard input of a program, where that is known.
pub(super) fn of_input(program: &str, input: &str, is_code: bool) -> Vec<String> {
    let mut names = Vec::new();
    if is_code || LANGUAGES.contains(&program) {
        of_word(input, true, &mut names);
    } else if TAKE_NAMES.contains(&program) {
        input.split(['\n', '\0', ' ']).take(MOST_PLACES).for_each(|name| of_word(name, false, &mut names));
    }
    names
}

/// The names; those that a shell expands with their wildcards.
pub(super) fn names(program: &str, arguments: &[Token], is_code: bool) -> Vec<String> {
    let mut names = Vec::new();
    if TEXT_ALONE.contains(&program) {
        return names;
    }
    let is_code = is_code || LANGUAGES.contains(&program);
    for token in arguments.iter().filter(|token| token.exact) {
        of_word(&token.text, is_code, &mut names);
    }
    // A program that is told another folder takes names from there.
    let folders = folders(arguments);
    let relative = names.iter().filter(|name| !name.starts_with('/'));
    let there: Vec<String> = folders
        .iter()
        .flat_map(|folder| relative.clone().map(move |name| format!("{folder}/{name}")))
        .collect();
    names.extend(there);
    names
}

/// What may be names in one word. `is_code`: it is text in a language of the program, and names stand in it among others.
pub(super) fn of_word(text: &str, is_code: bool, names: &mut Vec<String>) {
    let mut add = |name: &str| {
        let name = name.strip_prefix("file://").or(name.strip_prefix("fileb://")).unwrap_or(name);
        // Names with signs that cannot be shown are refused where they are sure to be names.
        let shown = |name: &str| !name.contains(char::is_control);
        if may_exist(name) && shown(name) && !name.contains("://") && !name.starts_with('-') {
            names.push(name.to_owned());
        }
    };
    add(text);
    let flags = text.strip_prefix('-').filter(|flags| !flags.starts_with('-')).unwrap_or_default();
    for (at, letter) in flags.char_indices().take(MOST_FLAGS) {
        if !letter.is_ascii_alphanumeric() {
            break;
        }
        flags.get(at + 1..).into_iter().for_each(&mut add);
    }
    if is_code {
        let ends = |character: char| {
            character.is_whitespace()
                || BEFORE.contains(&character)
                || "'\"`()[]{}|&$#%^*?\\".contains(character)
        };
        text.split(ends).take(MOST_PLACES).for_each(&mut add);
    }
    for (at, sign) in
        text.char_indices().filter(|(_, character)| BEFORE.contains(character)).take(MOST_PLACES)
    {
        let Some(rest) = text.get(at + sign.len_utf8()..) else { continue };
        // `file://` is a way to say that it is a file.
        let rest = rest
            .strip_prefix("//")
            .filter(|_| {
                text.get(..at).is_some_and(|before| before.ends_with("file") || before.ends_with("fileb"))
            })
            .unwrap_or(rest);
        add(rest);
        rest.find(BEHIND).and_then(|end| rest.get(..end)).into_iter().for_each(&mut add);
    }
    text.find(BEHIND).and_then(|end| text.get(..end)).into_iter().for_each(&mut add);
}

/// The values of those flags: behind them, behind `=`, or glued to a letter.
fn folders(arguments: &[Token]) -> Vec<&str> {
    let behind = arguments.iter().skip(1).map(Some).chain([None]);
    let values = arguments.iter().zip(behind).filter_map(|(flag, next)| {
        let text = flag.text.as_str();
        if FOLDER_FLAGS.contains(&text) {
            return next.filter(|token| token.exact).map(|token| token.text.as_str());
        }
        let valued = text.split_once('=').filter(|(name, _)| FOLDER_FLAGS.contains(name));
        let glued = || text.strip_prefix("-C").or_else(|| text.strip_prefix("-D"));
        valued.map(|(_, value)| value).or_else(glued).filter(|_| flag.exact)
    });
    values.filter(|folder| may_exist(folder)).take(MOST_FOLDERS).collect()
}

/// Whether a file may be called so. Ends at the first name that is too long, so that a long word costs little.
fn may_exist(path: &str) -> bool {
    let mut length = 0;
    let fits = |byte: u8| {
        length = if byte == b'/' { 0 } else { length + 1 };
        length <= LONGEST_NAME
    };
    !path.is_empty() && path.len() < LONGEST_PATH && path.bytes().all(fits)
}
