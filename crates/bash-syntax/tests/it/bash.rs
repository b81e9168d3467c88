//! Runs texts by real bash, each in a fresh folder, without the rights of an administrator.

use std::collections::BTreeMap;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Runs before a text: variables of each kind, and positional parameters.
const SETUP: &str = "x='a  b'; y='it*s.txt'; e=; n=2; s=x; p=/d/e.txt; l='1 2 3'; a=(q 'r s' t); \
     eval 'declare -A m=([k]=v)' 2>/dev/null; set -- A 'B  C' 'd*'\n";

const FILES: [(&str, &str); 7] = [
    ("a.txt", "first\nsecond  line\n"),
    ("b c.txt", "with a blank\n"),
    ("d/e.txt", "below\n"),
    ("f1", "1\n"),
    ("f2", "2\n"),
    (".hidden", "h\n"),
    ("it's.txt", "q\n"),
];

/// Somebody who owns nothing.
const NOBODY: u32 = 54_321;

/// What a text did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) code: i32,
    pub(crate) output: String,
    pub(crate) errors: String,
    pub(crate) files: BTreeMap<String, String>,
}

impl Outcome {
    /// It was stopped because it did not end, or used too much.
    pub(crate) fn was_stopped(&self) -> bool {
        self.code >= 128 || self.code == 124 || self.errors.contains("fork: ")
    }
}

/// A bash and a folder that it works in.
pub(crate) struct Bash {
    program: PathBuf,
    parent: PathBuf,
    folder: PathBuf,
    unprivileged: bool,
}

impl Bash {
    /// `name` keeps the folders of tests that run at the same time apart.
    pub(crate) fn new(program: &Path, name: &str) -> Self {
        let parent = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        std::fs::create_dir_all(&parent).expect("a folder");
        let unprivileged = std::fs::metadata(&parent).expect("a folder").uid() == 0;
        // Others have no way into the folder of an administrator, but by the working directory.
        Self { program: program.to_owned(), folder: parent.join("folder"), parent, unprivileged }
    }

    /// Another bash in the same folder, one after the other.
    pub(crate) fn with_program(&self, program: &Path) -> Self {
        Self {
            program: program.to_owned(),
            parent: self.parent.clone(),
            folder: self.folder.clone(),
            unprivileged: self.unprivileged,
        }
    }

    pub(crate) fn run(&self, text: &str) -> Outcome {
        self.make_folder();
        self.run_here(&format!("{SETUP}{text}"))
    }

    fn make_folder(&self) {
        drop(std::fs::remove_dir_all(&self.folder));
        for folder in [self.folder.clone(), self.folder.join("d")] {
            std::fs::create_dir_all(&folder).expect("a folder");
            std::fs::set_permissions(&folder, PermissionsExt::from_mode(0o777)).expect("rights");
        }
        for (name, text) in FILES {
            std::fs::write(self.folder.join(name), text).expect("a file");
        }
    }

    /// A project as `fixture.sh` makes it and a case changes it, for `run_in_project`.
    pub(crate) fn make_project(&self, fixture: &str, setup: &str) {
        drop(std::fs::remove_dir_all(&self.folder));
        let template = self.parent.join("template");
        drop(std::fs::remove_dir_all(&template));
        for folder in [&self.folder, &template] {
            std::fs::create_dir_all(folder).expect("a folder");
            std::fs::set_permissions(folder, PermissionsExt::from_mode(0o777)).expect("rights");
        }
        let root = format!("ROOT={}; export ROOT HOME=$ROOT/home\n", self.folder.display());
        self.start(&format!("{root}{fixture}"), &self.folder);
        self.start(&format!("{root}{setup}"), &self.folder.join("proj"));
        self.start(&format!("cp -a '{}/.' .", self.folder.display()), &template);
    }

    /// In the working directory `cwd` of a fresh copy of the project.
    pub(crate) fn run_in_project(&self, text: &str, cwd: &str) -> Outcome {
        drop(std::fs::remove_dir_all(&self.folder));
        std::fs::create_dir_all(&self.folder).expect("a folder");
        std::fs::set_permissions(&self.folder, PermissionsExt::from_mode(0o777)).expect("rights");
        self.start(&format!("cp -a '{}/template/.' .", self.parent.display()), &self.folder);
        self.start(text, &self.folder.join(cwd))
    }

    fn run_here(&self, text: &str) -> Outcome {
        self.start(text, &self.folder)
    }

    #[expect(clippy::disallowed_methods, reason = "a real bash is what the parser is compared with")]
    fn start(&self, text: &str, folder: &Path) -> Outcome {
        let mut command = Command::new("/usr/bin/prlimit");
        command
            .args(["--cpu=1", "--fsize=1000000", "--nproc=400", "--as=1000000000", "--core=0"])
            .args(["timeout", "-s", "KILL", "2"])
            .arg(&self.program)
            .args(["--norc", "--noprofile", "-c", text, "bash", "A", "B  C"])
            .current_dir(folder)
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", "/home/somebody")
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::null());
        if self.unprivileged {
            command.uid(NOBODY).gid(NOBODY);
        }
        let output = command.output().expect("bash");
        let code = output.status.code().unwrap_or(128 + output.status.signal().unwrap_or(0));
        Outcome {
            code,
            output: normal_text(&String::from_utf8_lossy(&output.stdout)),
            errors: normal_errors(&String::from_utf8_lossy(&output.stderr)),
            files: self.files(),
        }
    }

    fn files(&self) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.folder.clone()];
        while let Some(folder) = folders.pop() {
            for entry in folder.read_dir().into_iter().flatten().flatten() {
                let path = entry.path();
                let name = path.strip_prefix(&self.folder).unwrap_or(&path).to_string_lossy().into_owned();
                if path.is_dir() {
                    folders.push(path);
                    files.insert(name, "a folder".to_owned());
                } else {
                    let text = std::fs::read(&path).unwrap_or_default();
                    files.insert(name, normal_text(&String::from_utf8_lossy(&text)));
                }
            }
        }
        files
    }
}

impl Drop for Bash {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.parent));
    }
}

/// Messages without numbers of lines, times, and the text of the script that some of them quote.
fn normal_errors(errors: &str) -> String {
    let time = |line: &str| {
        ["real", "user", "sys"].iter().any(|word| {
            line.strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', '\t']) && rest.contains('.'))
        })
    };
    let mut lines: Vec<String> = Vec::new();
    for line in errors.lines().filter(|line| !line.is_empty() && !time(line)) {
        let normal = normal_message(line);
        // The word that it names has a line feed: its beginning is what stands on the line before.
        if !line.starts_with("bash: ") && normal.as_ref().is_some_and(|normal| normal.starts_with("..: ")) {
            lines.pop();
        }
        lines.extend(normal);
    }
    // Commands of a pipeline write at the same time.
    lines.sort();
    lines.join("\n")
}

/// One line of a message; nothing where what it says follows on the next line, behind the text of an expression that begins
/// with a line feed.
fn normal_message(line: &str) -> Option<String> {
    let begins = line.strip_suffix(": ").and_then(|line| line.rsplit(": line ").next());
    if line.ends_with(": ((: ") || begins.is_some_and(|number| number.parse::<u32>().is_ok()) {
        return None;
    }
    for end in [": ambiguous redirect", ": bad substitution", ": substring expression < 0"] {
        if line.ends_with(end) {
            return Some(format!("..{end}"));
        }
    }
    // The text of an expression is quoted as it was written: blanks in it are not those that are printed.
    if let Some(at) = line.find(" (error token is ") {
        let message = line[..at].rsplit(": ").next().unwrap_or_default();
        return Some(format!("..{message}"));
    }
    Some(without_numbers(line))
}

impl Outcome {
    /// Without the wording of messages, which versions differ in.
    pub(crate) fn without_messages(mut self) -> Self {
        self.errors = String::new();
        for text in self.files.values_mut().chain([&mut self.output]) {
            if text.contains("bash: ") {
                *text = "a message".to_owned();
            }
        }
        self
    }

    /// It has something that this version of bash does not know.
    pub(crate) fn is_unsupported(&self) -> bool {
        let words = [
            "bad substitution",
            "invalid option",
            "invalid shell option",
            "syntax error",
            "substring expression < 0",
            "invalid arithmetic operator",
        ];
        words.iter().any(|words| self.errors.contains(words))
    }
}

/// Output or a file that messages may have been written to, and those of them that went through `tr a-z A-Z`.
fn normal_text(text: &str) -> String {
    let has_message = text.to_lowercase().contains("bash:");
    let line = |line: &str| {
        let lower = line.to_lowercase();
        if lower.contains(": line ") {
            normal_message(&lower)
        } else if has_message {
            // Its words may have become arguments: the number of the line is one of them.
            Some(lower.replace(|character: char| character.is_ascii_digit(), ""))
        } else {
            Some(line.to_owned())
        }
    };
    text.split('\n').filter_map(line).collect::<Vec<_>>().join("\n")
}

/// `line 12:` is `line:`.
fn without_numbers(line: &str) -> String {
    let Some((before, after)) = line.split_once("line ") else { return line.to_owned() };
    let digits = after.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 && after[digits..].starts_with(':') {
        return format!("{before}line{}", &after[digits..]);
    }
    line.to_owned()
}
