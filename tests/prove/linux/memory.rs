//! What a stopped process is about to call, read from its registers and memory.

use std::io::IoSliceMut;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::sys::ptrace;
use nix::sys::uio::{RemoteIoVec, process_vm_readv};
use nix::unistd::Pid;

/// A call at its stop.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call {
    pub(crate) number: u64,
    arguments: [u64; 6],
}

/// The call that a stop by the filter is about.
pub(crate) fn call_at_stop(pid: Pid) -> nix::Result<Call> {
    let information = ptrace::syscall_info(pid)?;
    if information.op != libc::PTRACE_SYSCALL_INFO_SECCOMP {
        return Err(Errno::EINVAL);
    }
    #[expect(unsafe_code, reason = "a union of the system; `op` says which member it holds")]
    // SAFETY: `op` was compared.
    let (number, arguments) = unsafe { (information.u.seccomp.nr, information.u.seccomp.args) };
    Ok(Call { number, arguments })
}

/// Bytes of the longest path.
const LONGEST: usize = 4096;
const PAGE: usize = 4096;

impl Call {
    pub(crate) fn argument(&self, index: usize) -> u64 {
        self.arguments.get(index).copied().unwrap_or_default()
    }

    /// The path that an argument points to, made absolute: from the folder that argument `folder` holds, else from the
    /// current one.
    pub(crate) fn path(&self, pid: Pid, folder: Option<usize>, index: usize) -> PathBuf {
        let bytes = text(pid, self.argument(index));
        let spelled = PathBuf::from(std::ffi::OsString::from_vec(bytes));
        if spelled.is_absolute() {
            return own(pid, &spelled);
        }
        let from = folder.map(|folder| self.argument(folder)).and_then(descriptor);
        let from = match from {
            Some(descriptor) => format!("/proc/{pid}/fd/{descriptor}"),
            None => format!("/proc/{pid}/cwd"),
        };
        let base = std::fs::read_link(from).unwrap_or_default();
        if spelled.as_os_str().is_empty() { base } else { base.join(spelled) }
    }

    /// The file behind a descriptor.
    pub(crate) fn open_file(&self, pid: Pid, index: usize) -> PathBuf {
        let descriptor = self.argument(index);
        std::fs::read_link(format!("/proc/{pid}/fd/{descriptor}")).unwrap_or_default()
    }

    /// The first word of what an argument points to.
    pub(crate) fn word(&self, pid: Pid, index: usize) -> u64 {
        let mut word = [0; 8];
        _ = read(pid, self.argument(index), &mut word);
        u64::from_ne_bytes(word)
    }

    /// The texts of a list that ends with a null pointer.
    pub(crate) fn arguments(&self, pid: Pid, index: usize) -> Vec<String> {
        let mut at = self.argument(index);
        let mut texts = Vec::new();
        while texts.len() < 16 {
            let mut word = [0; 8];
            if read(pid, at, &mut word).is_none() || word == [0; 8] {
                break;
            }
            texts.push(String::from_utf8_lossy(&text(pid, u64::from_ne_bytes(word))).into_owned());
            at = at.wrapping_add(8);
        }
        texts
    }

    /// The address of a socket, as far as it names a file. None for one at which the kernel tells of this machine, and where there
    /// is none.
    pub(crate) fn socket_address(&self, pid: Pid, address: u64) -> Option<String> {
        if address == 0 {
            return None;
        }
        let mut bytes = [0; 110];
        if read(pid, address, &mut bytes).is_none() {
            _ = bytes.get_mut(..2).and_then(|family| read(pid, address, family));
        }
        let [first, second, path @ ..] = bytes;
        let family = u16::from_ne_bytes([first, second]);
        if i32::from(family) == libc::AF_UNIX {
            let path: Vec<u8> = path.iter().copied().take_while(|byte| *byte != 0).collect();
            return Some(String::from_utf8_lossy(&path).into_owned());
        }
        (i32::from(family) != libc::AF_NETLINK).then(|| format!("an address of family {family}"))
    }
}

/// None for "the current folder".
fn descriptor(argument: u64) -> Option<u32> {
    #[expect(clippy::cast_possible_truncation, reason = "the system looks at the lower half alone")]
    u32::try_from(argument as i32).ok()
}

/// What a process calls itself is that process, seen from here.
fn own(pid: Pid, path: &Path) -> PathBuf {
    let below = |rest: &Path, folder: &str| PathBuf::from(format!("/proc/{pid}{folder}")).join(rest);
    let standard = [("/dev/stdin", 0), ("/dev/stdout", 1), ("/dev/stderr", 2)];
    let descriptor = if let Some((_, number)) = standard.iter().find(|(name, _)| path == Path::new(name)) {
        below(Path::new(&number.to_string()), "/fd")
    } else if let Ok(rest) = path.strip_prefix("/dev/fd") {
        below(rest, "/fd")
    } else if let Ok(rest) = path.strip_prefix("/proc/self") {
        below(rest, "")
    } else if let Ok(rest) = path.strip_prefix("/proc/thread-self") {
        below(rest, "")
    } else {
        return path.into();
    };
    // A pipe has no other name.
    let is_open_file = descriptor.parent().is_some_and(|folder| folder.ends_with("fd"));
    std::fs::read_link(&descriptor).ok().filter(|_| is_open_file).unwrap_or(descriptor)
}

/// The bytes up to NUL.
fn text(pid: Pid, address: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let Ok(mut at) = usize::try_from(address) else { return bytes };
    while bytes.len() < LONGEST {
        // No further than the page: the next one may not be there.
        let length = (PAGE - at % PAGE).min(256);
        let mut piece = vec![0; length];
        if read(pid, u64::try_from(at).unwrap_or_default(), &mut piece).is_none() {
            break;
        }
        match piece.iter().position(|byte| *byte == 0) {
            Some(end) => {
                bytes.extend(piece.get(..end).unwrap_or_default());
                break;
            }
            None => bytes.extend(piece),
        }
        at = at.wrapping_add(length);
    }
    bytes
}

fn read(pid: Pid, address: u64, into: &mut [u8]) -> Option<()> {
    let remote = RemoteIoVec { base: usize::try_from(address).ok()?, len: into.len() };
    let wanted = into.len();
    let done = process_vm_readv(pid, &mut [IoSliceMut::new(into)], &[remote]).ok()?;
    (done == wanted).then_some(())
}
