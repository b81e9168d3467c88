//! What a text that was let through as reading may do, beyond what the analysis named: the list of the harness.

use std::path::{Path, PathBuf};

use crate::linux::decide::Named;
use crate::linux::place::Place;
use crate::linux::resolve::Resolved;
use crate::linux::trace::Event;

/// Programs of the system lie there.
const SYSTEM: [&str; 8] = [
    "/usr/bin",
    "/bin",
    "/usr/sbin",
    "/sbin",
    "/usr/lib/git-core",
    "/usr/libexec/git-core",
    "/usr/local/bin",
    "/usr/lib/x86_64-linux-gnu",
];

/// Programs that a named one is known to start: the named one, what it starts.
const HELPERS: [(&str, &[&str]); 12] = [
    ("git", &["git", "git-remote-http", "git-submodule", "sh", "sed", "basename", "uname", "cut", "tr"]),
    ("zcat", &["gzip", "sh"]),
    ("zgrep", &["gzip", "grep", "sed", "sh", "cat"]),
    ("zegrep", &["gzip", "grep", "sed", "sh", "cat", "zgrep"]),
    ("zfgrep", &["gzip", "grep", "sed", "sh", "cat", "zgrep"]),
    ("zdiff", &["gzip", "diff", "sh"]),
    ("zcmp", &["gzip", "cmp", "sh"]),
    ("bzcat", &["bzip2"]),
    ("xzcat", &["xz"]),
    ("tar", &["gzip", "bzip2", "xz", "sh"]),
    ("egrep", &["grep", "sh"]),
    ("fgrep", &["grep", "sh"]),
];

/// Files and folders that programs read by themselves: the loader, locales, time zones, users, terminals, types of files, git's own.
const READ_BY_ALL: [&str; 32] = [
    // How many processors there are.
    "/sys/devices/system/cpu",
    // Which kinds of file systems there are: asked by what knows security labels.
    "/proc/filesystems",
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/bin",
    "/bin",
    "/usr/share/locale",
    "/usr/share/zoneinfo",
    "/usr/share/terminfo",
    "/usr/share/misc",
    "/usr/share/file",
    "/usr/share/git-core",
    "/usr/share/perl",
    "/usr/share/awk",
    "/usr/share/i18n",
    "/usr/share/bash-completion",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/locale.alias",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/passwd",
    "/etc/group",
    "/etc/nsswitch.conf",
    "/etc/magic",
    "/etc/magic.mime",
    "/etc/terminfo",
    "/etc/gitconfig",
    "/etc/inputrc",
];

/// Devices that hold nothing.
const DEVICES: [&str; 6] = ["/dev/null", "/dev/zero", "/dev/tty", "/dev/urandom", "/dev/random", "/dev/full"];

/// What a program reads of the system itself: the named one, where.
const READ_BY: [(&str, &[&str]); 21] = [
    ("openssl", &["/etc/ssl/openssl.cnf", "/etc/ssl/certs", "/usr/lib/ssl/openssl.cnf"]),
    // Names of folders in which programs, manuals and sources lie.
    ("whereis", &["/opt", "/usr", "/etc", "/sbin", "/var/lib"]),
    // How many processors it may use.
    ("rg", &["/sys/fs/cgroup", "/proc/self/cgroup"]),
    ("fdfind", &["/sys/fs/cgroup", "/proc/self/cgroup"]),
    ("fd", &["/sys/fs/cgroup", "/proc/self/cgroup"]),
    ("ps", &["/proc", "/sys", "/usr/share/procps"]),
    ("pgrep", &["/proc", "/sys"]),
    ("pidof", &["/proc"]),
    ("top", &["/proc", "/sys"]),
    ("free", &["/proc", "/sys"]),
    ("uptime", &["/proc", "/run/utmp", "/var/run/utmp", "/run/systemd"]),
    ("w", &["/proc", "/run/utmp", "/var/run/utmp"]),
    ("who", &["/run/utmp", "/var/run/utmp", "/run/systemd"]),
    ("nproc", &["/sys", "/proc"]),
    ("lscpu", &["/sys", "/proc"]),
    ("lsblk", &["/sys", "/proc", "/run/udev", "/etc/fstab", "/dev"]),
    ("df", &["/proc"]),
    ("lsof", &["/proc"]),
    ("ss", &["/proc", "/etc/iproute2", "/usr/share/iproute2"]),
    ("vmstat", &["/proc", "/sys"]),
    ("id", &["/proc"]),
];

/// What the C library itself reads under `/proc`.
const OWN: [&str; 6] = ["maps", "status", "stat", "cgroup", "mountinfo", "fd"];

/// What obeys the person's settings of git.
const GITS: [&str; 4] = ["git", "rg", "fd", "fdfind"];

/// Settings of the person that git reads.
const GIT_HOME: [&str; 3] = [".gitconfig", ".config/git", ".config"];

/// What one text may do.
#[derive(Debug)]
pub(crate) struct Judge<'a> {
    place: &'a Place,
    project: PathBuf,
    temporary: PathBuf,
    home: PathBuf,
    named: &'a Named,
    resolved: &'a Resolved,
    /// Whether programs and reads that the analysis did not name are finds; else writes and what lies outside the system alone.
    strict: bool,
    first: bool,
    /// What it did that it may not.
    pub(crate) found: Option<Found>,
}

/// What happened that must not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) kind: Kind,
    pub(crate) what: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Writes,
    Executes,
    ReadsOutside,
    Other,
}

impl Kind {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Writes => "writes",
            Self::Executes => "executes",
            Self::ReadsOutside => "reads outside",
            Self::Other => "does",
        }
    }
}

impl<'a> Judge<'a> {
    pub(crate) fn new(place: &'a Place, named: &'a Named, resolved: &'a Resolved, strict: bool) -> Self {
        Self {
            place,
            project: place.project(),
            temporary: place.temporary(),
            home: place.home(),
            named,
            resolved,
            strict,
            first: true,
            found: None,
        }
    }

    /// Whether it may go on.
    pub(crate) fn allows(&mut self, event: &Event) -> bool {
        let found = match event {
            Event::Execute { path, arguments } => self.execute(path, arguments),
            Event::Open { path, writes: false, .. } if self.resolved.is_read_by_all(path) => None,
            // It does not open what is a link.
            Event::Open { path, follows: false, .. } if path.is_symlink() => None,
            Event::Open { path, writes: true, .. } => self.write("opens for writing", path),
            Event::Open { path, writes: false, .. } => self.read(path),
            Event::Change { call, path } => self.write(call, path),
            Event::Name { call, from, to, moves } => {
                let first = if *moves { self.write(call, from) } else { self.read(from) };
                first.or_else(|| self.write(call, to))
            }
            Event::Other(what) => self.other(what),
        };
        let allowed = found.is_none();
        if self.found.is_none() {
            self.found = found;
        }
        allowed
    }

    fn execute(&mut self, path: &Path, arguments: &[String]) -> Option<Found> {
        if std::mem::take(&mut self.first) {
            return None;
        }
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let of_system =
            path.parent().is_some_and(|folder| SYSTEM.iter().any(|system| folder == Path::new(system)));
        let helps = || {
            HELPERS.iter().any(|(named, helpers)| {
                self.named.programs.contains(*named) && helpers.contains(&name.as_str())
            })
        };
        if of_system && (!self.strict || self.named.programs.contains(&name) || helps()) {
            return None;
        }
        // What is looked for in one folder after the other and is not there starts nothing.
        if of_system && !path.exists() {
            return None;
        }
        Some(Found { kind: Kind::Executes, what: format!("{} {arguments:?}", self.short(path)) })
    }

    fn write(&self, call: &str, path: &Path) -> Option<Found> {
        let real = self.resolved.real(path);
        let text = real.to_string_lossy();
        let allowed = real.starts_with(&self.temporary)
            || DEVICES.contains(&text.as_ref())
            || text.starts_with("pipe:")
            || text.starts_with("/proc/") && is_own_descriptor(&real);
        (!allowed).then(|| Found { kind: Kind::Writes, what: format!("{call} {}", self.short(&real)) })
    }

    fn read(&self, path: &Path) -> Option<Found> {
        let real = self.resolved.real(path);
        let text = real.to_string_lossy();
        let inside = real.starts_with(&self.project) || real.starts_with(&self.temporary);
        if inside || text.starts_with("pipe:") || DEVICES.contains(&text.as_ref()) {
            return None;
        }
        if !self.strict && !real.starts_with(self.place.root()) && !text.starts_with("/etc/shadow") {
            return None;
        }
        let by_all = READ_BY_ALL.iter().any(|known| real.starts_with(known));
        if by_all {
            self.resolved.read_by_all(path);
            return None;
        }
        let by_named = READ_BY.iter().any(|(name, folders)| {
            self.named.programs.contains(*name) && folders.iter().any(|known| real.starts_with(known))
        });
        let own = real.starts_with("/proc")
            && real.file_name().is_some_and(|name| OWN.iter().any(|own| name == *own));
        let gits = (!self.strict || GITS.iter().any(|name| self.named.programs.contains(*name)))
            && GIT_HOME.iter().any(|name| real.starts_with(self.home.join(name)));
        // What lies beside the project is for a person to allow, and a name in the project that leads elsewhere is no name of it.
        let root = self.place.root();
        let named = !real.starts_with(root)
            && self
                .named
                .reads
                .iter()
                .any(|named| real == *named || (path == *named && !path.starts_with(root)));
        if by_named || own || gits || named || self.is_only_held(&real) {
            return None;
        }
        // What is not there shows nothing.
        if !real.exists() {
            return None;
        }
        Some(Found { kind: Kind::ReadsOutside, what: self.short(&real) })
    }

    /// Whether it is a folder that a program opens and does not list: `find` tries with the root folder how the system opens, and
    /// `gzip` opens a file from the folder that it lies in. What `find` lists it would open next.
    fn is_only_held(&self, real: &Path) -> bool {
        let holds = |name: &str| self.named.programs.contains(name);
        let of_operand = || self.named.reads.iter().any(|operand| operand.parent() == Some(real));
        (holds("find") && real == Path::new("/")) || (holds("gzip") && real.is_dir() && of_operand())
    }

    fn other(&self, what: &str) -> Option<Found> {
        // Names of users and groups may be asked of services of this machine.
        let asks_for_names =
            ["nscd/socket", "systemd/userdb", "sssd"].iter().any(|known| what.contains(known));
        (!asks_for_names).then(|| Found { kind: Kind::Other, what: what.into() })
    }

    /// Without the place of this run.
    fn short(&self, path: &Path) -> String {
        match path.strip_prefix(self.place.root()) {
            Ok(rest) => format!("@ROOT@/{}", rest.display()),
            Err(_) => path.display().to_string(),
        }
    }
}

/// `/proc/N/fd/M`: a file that is open already.
fn is_own_descriptor(path: &Path) -> bool {
    path.parent().is_some_and(|folder| folder.ends_with("fd"))
}
