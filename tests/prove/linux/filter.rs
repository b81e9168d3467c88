//! The system calls that are looked at, as a seccomp program: it stops those and lets all others pass, so that tracing costs
//! next to nothing.

use libc::{c_long, sock_filter};

/// What a system call does, as far as the harness judges it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Starts a program: the argument that holds its path; before it a folder where `at`.
    Execute { at: bool },
    /// Opens a file: flags behind the path.
    Open { at: bool },
    /// `openat2`: flags in a structure.
    OpenHow,
    /// Creates, changes or removes what the path names.
    Change { at: bool },
    /// Changes an open file.
    ChangeOpen,
    /// Moves: both paths change.
    Rename { at: bool },
    /// Makes another name: the first path can be read by it, the second one changes.
    HardLink { at: bool },
    /// `symlink`: the path is the last argument.
    Link { at: bool },
    /// Speaks to a network or to another process.
    Network,
    /// Connects, binds or sends: an address decides, which is this argument.
    Address { index: usize },
    /// `sendmsg` and `sendmmsg`: the address, if there is one, is in a structure.
    Message,
    /// Sends a signal to a process, the argument.
    Signal { index: usize },
    /// Nothing that only reads has any business with it.
    Never,
}

/// The calls, with what they do.
pub(crate) const CALLS: &[(c_long, &str, Kind)] = &[
    (libc::SYS_execve, "execve", Kind::Execute { at: false }),
    (libc::SYS_execveat, "execveat", Kind::Execute { at: true }),
    (libc::SYS_openat, "openat", Kind::Open { at: true }),
    (libc::SYS_openat2, "openat2", Kind::OpenHow),
    (libc::SYS_mkdirat, "mkdirat", Kind::Change { at: true }),
    (libc::SYS_mknodat, "mknodat", Kind::Change { at: true }),
    (libc::SYS_unlinkat, "unlinkat", Kind::Change { at: true }),
    (libc::SYS_renameat2, "renameat2", Kind::Rename { at: true }),
    (libc::SYS_linkat, "linkat", Kind::HardLink { at: true }),
    (libc::SYS_symlinkat, "symlinkat", Kind::Link { at: true }),
    (libc::SYS_fchmodat, "fchmodat", Kind::Change { at: true }),
    (libc::SYS_fchownat, "fchownat", Kind::Change { at: true }),
    (libc::SYS_utimensat, "utimensat", Kind::Change { at: true }),
    (libc::SYS_truncate, "truncate", Kind::Change { at: false }),
    (libc::SYS_setxattr, "setxattr", Kind::Change { at: false }),
    (libc::SYS_lsetxattr, "lsetxattr", Kind::Change { at: false }),
    (libc::SYS_removexattr, "removexattr", Kind::Change { at: false }),
    (libc::SYS_lremovexattr, "lremovexattr", Kind::Change { at: false }),
    (libc::SYS_fsetxattr, "fsetxattr", Kind::ChangeOpen),
    (libc::SYS_fremovexattr, "fremovexattr", Kind::ChangeOpen),
    (libc::SYS_fchmod, "fchmod", Kind::ChangeOpen),
    (libc::SYS_fchown, "fchown", Kind::ChangeOpen),
    (libc::SYS_ftruncate, "ftruncate", Kind::ChangeOpen),
    (libc::SYS_socket, "socket", Kind::Network),
    (libc::SYS_connect, "connect", Kind::Address { index: 1 }),
    (libc::SYS_bind, "bind", Kind::Address { index: 1 }),
    (libc::SYS_sendto, "sendto", Kind::Address { index: 4 }),
    (libc::SYS_sendmsg, "sendmsg", Kind::Message),
    (libc::SYS_sendmmsg, "sendmmsg", Kind::Message),
    (libc::SYS_kill, "kill", Kind::Signal { index: 0 }),
    (libc::SYS_tkill, "tkill", Kind::Signal { index: 0 }),
    (libc::SYS_tgkill, "tgkill", Kind::Signal { index: 1 }),
    (libc::SYS_pidfd_send_signal, "pidfd_send_signal", Kind::Never),
    (libc::SYS_ptrace, "ptrace", Kind::Never),
    (libc::SYS_process_vm_writev, "process_vm_writev", Kind::Never),
    (FCHMODAT2, "fchmodat2", Kind::Change { at: true }),
    (SETXATTRAT, "setxattrat", Kind::Change { at: true }),
    (REMOVEXATTRAT, "removexattrat", Kind::Change { at: true }),
    (FILE_SETATTR, "file_setattr", Kind::Change { at: true }),
    (libc::SYS_mount, "mount", Kind::Never),
    (libc::SYS_open_tree, "open_tree", Kind::Never),
    (libc::SYS_move_mount, "move_mount", Kind::Never),
    (libc::SYS_fsopen, "fsopen", Kind::Never),
    (libc::SYS_umount2, "umount2", Kind::Never),
    (libc::SYS_pivot_root, "pivot_root", Kind::Never),
    (libc::SYS_chroot, "chroot", Kind::Never),
    (libc::SYS_open_by_handle_at, "open_by_handle_at", Kind::Never),
    (libc::SYS_io_uring_setup, "io_uring_setup", Kind::Never),
    (libc::SYS_bpf, "bpf", Kind::Never),
    (libc::SYS_init_module, "init_module", Kind::Never),
    (libc::SYS_finit_module, "finit_module", Kind::Never),
    (libc::SYS_reboot, "reboot", Kind::Never),
    (libc::SYS_swapon, "swapon", Kind::Never),
    (libc::SYS_sethostname, "sethostname", Kind::Never),
    (libc::SYS_settimeofday, "settimeofday", Kind::Never),
    (libc::SYS_clock_settime, "clock_settime", Kind::Never),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, "open", Kind::Open { at: false }),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_creat, "creat", Kind::Change { at: false }),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mkdir, "mkdir", Kind::Change { at: false }),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mknod, "mknod", Kind::Change { at: false }),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_rmdir, "rmdir", Kind::Change { at: false }),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_unlink, "unlink", Kind::Change { at: false }),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_rename, "rename", Kind::Rename { at: false }),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_renameat, "renameat", Kind::Rename { at: true }),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_link, "link", Kind::HardLink { at: false }),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_symlink, "symlink", Kind::Link { at: false }),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chmod, "chmod", Kind::Change { at: false }),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chown, "chown", Kind::Change { at: false }),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_lchown, "lchown", Kind::Change { at: false }),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_utime, "utime", Kind::Change { at: false }),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_utimes, "utimes", Kind::Change { at: false }),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_futimesat, "futimesat", Kind::Change { at: true }),
];

/// Calls without a name in the library; their numbers are the same on every machine.
const FCHMODAT2: c_long = 452;
const SETXATTRAT: c_long = 463;
const REMOVEXATTRAT: c_long = 466;
const FILE_SETATTR: c_long = 469;

/// The name and kind of a call that was stopped.
pub(crate) fn call(number: u64) -> Option<(&'static str, Kind)> {
    let number = c_long::try_from(number).ok()?;
    CALLS.iter().find(|(known, ..)| *known == number).map(|(_, name, kind)| (*name, *kind))
}

#[cfg(target_arch = "x86_64")]
const MACHINE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const MACHINE: u32 = 0xc000_00b7;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const MACHINE: u32 = 0;

/// Whether this machine's calls are known.
pub(crate) const KNOWN_MACHINE: bool = MACHINE != 0;

/// Offsets in what the program sees of a call.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
/// Numbers from here up are another set of calls (x32).
const OTHER_SET: u32 = 0x4000_0000;

/// The program: stop on the calls above, kill what calls by another architecture, let the rest pass.
pub(crate) fn program() -> Vec<sock_filter> {
    let mut program = vec![
        load(ARCHITECTURE),
        jump(libc::BPF_JEQ, MACHINE, 1, 0),
        answer(libc::SECCOMP_RET_KILL_PROCESS),
        load(NUMBER),
        jump(libc::BPF_JGE, OTHER_SET, 0, 1),
        answer(libc::SECCOMP_RET_KILL_PROCESS),
    ];
    for (number, ..) in CALLS {
        program.push(jump(libc::BPF_JEQ, u32::try_from(*number).unwrap_or(u32::MAX), 0, 1));
        program.push(answer(libc::SECCOMP_RET_TRACE));
    }
    program.push(answer(libc::SECCOMP_RET_ALLOW));
    program
}

fn load(offset: u32) -> sock_filter {
    step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset, 0, 0)
}

fn jump(condition: u32, value: u32, on_true: u8, on_false: u8) -> sock_filter {
    step(libc::BPF_JMP | condition | libc::BPF_K, value, on_true, on_false)
}

fn answer(value: u32) -> sock_filter {
    step(libc::BPF_RET | libc::BPF_K, value, 0, 0)
}

fn step(code: u32, k: u32, jt: u8, jf: u8) -> sock_filter {
    sock_filter { code: u16::try_from(code).unwrap_or_default(), jt, jf, k }
}
