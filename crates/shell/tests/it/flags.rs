//! Flags and words for every program of the read-only table, each flag by itself and many at random: what passes for reading is
//! run, and must write nothing, start nothing and show nothing from outside. `TOOLWRIGHT_FLAG_RUNS` sets how many random ones are
//! run, `TOOLWRIGHT_FLAG_SEED` which.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use toolwright_core::{Cover, Subject};
use toolwright_shell::{Place, analyse};

const PROGRAMS: &[&str] = &[
    "ls",
    "dir",
    "vdir",
    "stat",
    "du",
    "df",
    "file",
    "readlink",
    "realpath",
    "basename",
    "dirname",
    "tree",
    "cat",
    "tac",
    "rev",
    "head",
    "tail",
    "wc",
    "cut",
    "paste",
    "tr",
    "uniq",
    "column",
    "od",
    "hexdump",
    "hd",
    "xxd",
    "nl",
    "fold",
    "expand",
    "unexpand",
    "md5sum",
    "sha256sum",
    "b2sum",
    "cksum",
    "base64",
    "base32",
    "numfmt",
    "bc",
    "sort",
    "comm",
    "cmp",
    "diff",
    "strings",
    "grep",
    "egrep",
    "fgrep",
    "rg",
    "fd",
    "fdfind",
    "which",
    "find",
    "sed",
    "awk",
    "gawk",
    "mawk",
    "jq",
    "uname",
    "id",
    "groups",
    "hostname",
    "uptime",
    "free",
    "pgrep",
    "lscpu",
    "date",
    "ps",
    "gzip",
    "gunzip",
    "zcat",
    "bzcat",
    "xzcat",
    "unzip",
    "tar",
    "openssl",
    "less",
    "more",
    "batcat",
    "whereis",
    "whoami",
    "nproc",
    "seq",
    "expr",
    "factor",
];

#[rustfmt::skip]
const WORDS: &[&str] = &[
    "a.txt", "b.txt", "d", ".", "-", "--", "@args", "+1", "+!touch new", "c.gz", "a.tar", "new", "-new", "x=1", "1",
    "2", "x", "list", "cache", "d/inner", "name=new", "-o", "-e", "-f", "list0",
];

const LONG: &[&str] = &[
    "--output=new",
    "--out=new",
    "--o=new",
    "--files0-from=list0",
    "--files0=list0",
    "--compress-program=touch",
    "--comp=touch",
    "--pre=touch",
    "--hostname-bin=touch",
    "--to-command=touch",
    "--exclude-from=list",
    "--from-file=list",
    "--dereference",
    "--follow",
    "--recursive",
    "--no-dereference",
    "--random-source=list",
    "--file=list",
    "--magic-file=list",
    "--dereference-recursive",
    "--expression=p",
    "--expression=w new",
    "--in-place",
    "--files",
    "--check",
    "--files-from=list",
    "--compile",
    "--temporary-directory=d",
    "--fromfile",
    "--exec=touch",
    "--use-compress-program=touch",
    "--set=x",
    "--reference=a.txt",
    "--color",
    "--sort=size",
    "--ignore-case",
    "--count",
    "--all",
    "--version",
    "--help",
    "--width=3",
    "--lines=1",
    "--pager=touch",
];

/// Scripts of the programs that have a language.
const SCRIPTS: &[(&str, &[&str])] = &[
    (
        "sed",
        &[
            "p",
            "1{p;q}",
            "w new",
            "s/a/b/w new",
            "s/a/touch new/e",
            "1e touch new",
            "r list",
            "$!d",
            "{p;w new\n}",
        ],
    ),
    ("awk", AWK),
    ("gawk", AWK),
    ("mawk", AWK),
    ("jq", &[".", "env", "$ENV", ".env", "input_filename", "import \"a\" as a; .", "[limit(3; repeat(1))]"]),
    ("bc", &["1+1"]),
    (
        "find",
        &["-name", "-delete", "-exec", "-fprint", "-newermt", "-L", "-files0-from", "-print", "-ls", "-fls"],
    ),
    ("openssl", &["x509", "-in", "-text", "-noout", "-out", "-CAcreateserial", "-config", "req"]),
    (
        "tar",
        &[
            "tf",
            "-tf",
            "tvf",
            "xf",
            "cf",
            "-xf",
            "tIf",
            "--checkpoint-action=exec=touch new",
            "--checkpoint=1",
        ],
    ),
    ("ps", &["aux", "e", "axe", "-eo", "pid,comm", "environ", "pid,args", "-p"]),
];

const AWK: &[&str] = &[
    "{print $1}",
    "{print > \"new\"}",
    "{ # }\nprint > \"new\" }",
    "BEGIN { system(\"touch new\") }",
    "{ print ($1 > 2) }",
    "/[/]/ { print > \"new\" } /]/",
    "{ \"touch new\" | getline }",
    "BEGIN { while ((getline l < \"list\") > 0) print l }",
    "{ print $1 > 2 ? \"a\" : \"new\" }",
    "{ x = \"a\" /\"b\"/ 2; print }",
    "{ if (/a/) print $1 / 2 }",
    "END { printf \"%d\\n\", NR > 1 }",
];

/// What shows that a file outside or a variable was read.
const SECRET: &str = "S3CR3T";

struct Scratch {
    root: PathBuf,
    project: PathBuf,
}

impl Scratch {
    fn new() -> Self {
        let root = std::env::temp_dir().join(format!("toolwright-flags-{}", std::process::id()));
        let scratch = Self { project: root.join("project"), root };
        scratch.fill();
        scratch
    }

    /// Makes all of it anew.
    fn fill(&self) {
        let Self { root, project } = self;
        _ = fs::remove_dir_all(root);
        for folder in ["project/d", "out", "home", "tmp", "bin"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        let files = [
            ("project/a.txt", "a b\nb 2\nc 3\n"),
            ("project/b.txt", "a b\nd 4\n"),
            ("project/x", "x\n"),
            ("project/1", "1\n"),
            ("project/args", "../out/hidden.txt\n"),
            ("project/list", "../out/hidden.txt\n"),
            ("project/list0", "../out/hidden.txt\0"),
            ("project/d/inner", "a\n"),
            ("project/d/x", "x\n"),
            ("out/hidden.txt", "S3CR3T inside\n"),
            ("out/S3CR3T-name", ""),
        ];
        for (name, text) in files {
            fs::write(root.join(name), text).unwrap();
            open(&root.join(name), 0o666);
        }
        fs::write(project.join("c.gz"), GZIPPED).unwrap();
        fs::write(project.join("a.tar"), vec![0_u8; 1024]).unwrap();
        symlink(root.join("out"), project.join("d/link")).unwrap();
        symlink(root.join("out/hidden.txt"), project.join("d/b.txt")).unwrap();
        // Programs that others start.
        for name in ["touch", "pr", "ssh", "rsh", "vi", "lesspipe", "evil"] {
            let program = root.join("bin").join(name);
            fs::write(&program, format!("#!/bin/sh\n: > {}/project/started\n", root.display())).unwrap();
            open(&program, 0o777);
        }
        for folder in ["", "project", "project/d", "out", "home", "tmp", "bin"] {
            open(&root.join(folder), 0o777);
        }
    }

    /// Every file with what it holds and when it was changed.
    fn state(&self) -> BTreeMap<PathBuf, (Vec<u8>, i64, i64)> {
        let mut state = BTreeMap::new();
        let mut folders = vec![self.project.clone(), self.root.join("out"), self.root.join("home")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
                let data = entry.metadata().unwrap();
                let content = if data.is_file() { fs::read(entry.path()).unwrap() } else { Vec::new() };
                if data.is_dir() {
                    folders.push(entry.path());
                }
                state.insert(entry.path(), (content, data.mtime(), data.mtime_nsec()));
            }
        }
        state
    }

    /// Whether it would run without a question, the looks of the host among the reasons.
    fn passes(&self, words: &[&str]) -> bool {
        let quoted: Vec<String> =
            words.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''"))).collect();
        // The program's name without quotes: in quotes a reserved word is another.
        let text = format!("{} {}", words.first().unwrap(), quoted.get(1..).unwrap().join(" "));
        let analysis = analyse(&text, &Place::new(&self.project, Some(&self.root.join("home"))));
        let inside = |subject: &Subject| match subject {
            Subject::Path { path, access, cover } => {
                let real = path.canonicalize().unwrap_or_else(|_| path.clone());
                let climbs = path.components().any(|part| part == std::path::Component::ParentDir);
                access.is_read()
                    && !climbs
                    && (matches!(cover, Cover::Unneeded | Cover::IfPresent)
                        || real.starts_with(&self.project))
            }
            _ => true,
        };
        analysis.effects.is_read_only()
            && analysis.subjects.iter().all(inside)
            && analysis.files.iter().all(|file| !file.is_dir())
    }

    /// What it says, on both streams.
    #[expect(
        clippy::disallowed_methods,
        reason = "real programs, as another user and without the tree of processes"
    )]
    fn run(&self, program: &Path, words: &[&str]) -> String {
        let mut command = Command::new(program);
        let path = format!("{}:/usr/bin:/bin:/usr/sbin:/sbin", self.root.join("bin").display());
        let (output, written) = std::io::pipe().unwrap();
        command
            .args(words.get(1..).unwrap())
            .current_dir(&self.project)
            .env_clear()
            .env("PATH", path)
            .env("HOME", self.root.join("home"))
            .env("TMPDIR", self.root.join("tmp"))
            .env("TERM", "dumb")
            .env("PAGER", "cat")
            .env("KEY", SECRET)
            .stdin(Stdio::null())
            .stderr(written.try_clone().unwrap())
            .stdout(written);
        // Files that only the owner may write are not what keeps them.
        if fs::metadata("/proc/self").is_ok_and(|data| data.uid() == 0) {
            command.uid(65_534).gid(65_534);
        }
        let mut child = command.spawn().unwrap();
        drop(command);
        let reader = std::thread::spawn(move || {
            let mut output = output;
            let mut said = Vec::new();
            std::io::Read::read_to_end(&mut output, &mut said).unwrap();
            said
        });
        let ends = Instant::now() + Duration::from_secs(5);
        while child.try_wait().unwrap().is_none() {
            if Instant::now() > ends {
                child.kill().unwrap();
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        String::from_utf8_lossy(&reader.join().unwrap()).into_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.root);
    }
}

/// `a` with gzip.
const GZIPPED: &[u8] =
    &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x4b, 0xe4, 2, 0, 7, 0xa1, 0xea, 0xdd, 2, 0, 0, 0];

fn open(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// The same numbers for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    fn words(&mut self, program: &str) -> Vec<String> {
        let mut words = vec![program.to_owned()];
        let scripts =
            SCRIPTS.iter().find(|(name, _)| *name == program).map_or(&[][..], |(_, scripts)| scripts);
        let letters: Vec<char> = ('a'..='z')
            .chain('A'..='Z')
            .chain('0'..='9')
            .filter(|letter| program != "tail" || !"fF".contains(*letter))
            .collect();
        for _ in 0..=self.below(4) {
            let word = match self.below(10) {
                0..4 => {
                    let length = 1 + self.below(3);
                    let cluster: String = (0..length).map(|_| letters[self.below(letters.len())]).collect();
                    format!("-{cluster}")
                }
                4 => self.of(LONG).to_owned(),
                5..8 if !scripts.is_empty() => self.of(scripts).to_owned(),
                _ => self.of(WORDS).to_owned(),
            };
            if program != "tail" || word != "--follow" {
                words.push(word);
            }
        }
        words
    }
}

#[expect(clippy::disallowed_methods, reason = "how long the test runs is no setting of the product")]
fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
}

fn find(program: &str) -> Option<PathBuf> {
    ["/usr/bin", "/bin"].iter().map(|folder| Path::new(folder).join(program)).find(|file| file.is_file())
}

/// Those that passed and were run, and what they did that is more than reading.
struct Runs {
    scratch: Scratch,
    before: BTreeMap<PathBuf, (Vec<u8>, i64, i64)>,
    wrong: Vec<String>,
}

impl Runs {
    fn new() -> Self {
        let scratch = Scratch::new();
        Self { before: scratch.state(), scratch, wrong: Vec::new() }
    }

    /// Runs it if it passes, and says whether it did.
    fn run(&mut self, file: &Path, words: &[&str]) -> bool {
        if !self.scratch.passes(words) {
            return false;
        }
        let said = self.scratch.run(file, words);
        let after = self.scratch.state();
        if after != self.before {
            let before = &self.before;
            let changed: Vec<&PathBuf> = after
                .iter()
                .filter(|(path, state)| before.get(*path) != Some(*state))
                .map(|(path, _)| path)
                .chain(before.keys().filter(|path| !after.contains_key(*path)))
                .collect();
            self.wrong.push(format!("{words:?} changes {changed:?}"));
            self.scratch.fill();
            self.before = self.scratch.state();
        } else if said.contains(SECRET) && !words.iter().any(|word| word.contains(SECRET)) {
            self.wrong.push(format!("{words:?} shows {said:?}"));
        }
        true
    }
}

#[test]
fn whatever_flags_pass_only_read() {
    let programs: Vec<(&str, PathBuf)> =
        PROGRAMS.iter().filter_map(|name| Some((*name, find(name)?))).collect();
    let mut runs = Runs::new();
    // By chance most flags that need a value stand without one.
    for (name, file) in &programs {
        for letter in ('a'..='z').chain('A'..='Z').filter(|letter| *name != "tail" || !"fF".contains(*letter))
        {
            let flag = format!("-{letter}");
            runs.run(file, &[*name, &flag, "new", "a.txt"]);
        }
        for flag in LONG.iter().filter(|flag| *name != "tail" || **flag != "--follow") {
            runs.run(file, &[*name, *flag, "a.txt"]);
        }
    }
    let mut random = Random(number("TOOLWRIGHT_FLAG_SEED", 88_172_645_463_325_252).max(1));
    let wanted = number("TOOLWRIGHT_FLAG_RUNS", 300);
    let mut ran = 0;
    while ran < wanted && runs.wrong.len() < 20 {
        let (name, file) = &programs[random.below(programs.len())];
        let words = random.words(name);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        ran += u64::from(runs.run(file, &words));
    }
    assert!(runs.wrong.is_empty(), "{}", runs.wrong.join("\n"));
}
