//! The traced process between fork and exec: its own session, empty input, limits, another user, no new rights, traced and
//! filtered. Only calls that are safe there.

use std::io;
use std::ptr;

use nix::unistd::Pid;

use crate::linux::filter;
use crate::linux::trace::Start;

const PROCESSES: u64 = 256;
const SECONDS: u64 = 4;
const MEMORY: u64 = 2 << 30;
const FILE: u64 = 64 << 20;

/// What it exits with where its user cannot enter the folder that it runs in.
pub(crate) const NO_FOLDER: i32 = 125;

/// Starts it; it stops itself before it executes anything.
pub(crate) fn fork(start: &Start) -> io::Result<Pid> {
    let list = |texts: &[std::ffi::CString]| {
        let mut pointers: Vec<*const libc::c_char> = texts.iter().map(|text| text.as_ptr()).collect();
        pointers.push(ptr::null());
        pointers
    };
    let (arguments, variables) = (list(&start.arguments), list(&start.variables));
    let mut filter = filter::program();
    let length = u16::try_from(filter.len()).map_err(io::Error::other)?;
    let program = libc::sock_fprog { len: length, filter: filter.as_mut_ptr() };
    #[expect(unsafe_code, reason = "a traced process can be made by fork alone")]
    // SAFETY: the child makes only system calls on memory that was made before, and ends by exec or _exit.
    unsafe {
        match libc::fork() {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                become_traced(start, &program);
                libc::execve(start.program.as_ptr(), arguments.as_ptr(), variables.as_ptr());
                libc::_exit(127)
            }
            pid => Ok(Pid::from_raw(pid)),
        }
    }
}

#[expect(unsafe_code, reason = "system calls between fork and exec")]
/// # Safety
/// To be called in a child between fork and exec.
unsafe fn become_traced(start: &Start, program: &libc::sock_fprog) {
    // SAFETY: each is a system call on memory of the caller; those that matter end the child where they fail.
    unsafe {
        libc::setsid();
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
        libc::dup2(null, 0);
        libc::dup2(start.output, 1);
        libc::dup2(start.output, 2);
        match start.report {
            Some(report) if report != null => {
                libc::dup2(null, report);
                libc::close(null);
            }
            Some(_) => {}
            None => {
                libc::close(null);
            }
        }
        for (resource, most) in [
            (libc::RLIMIT_NPROC, PROCESSES),
            (libc::RLIMIT_CPU, SECONDS),
            (libc::RLIMIT_AS, MEMORY),
            (libc::RLIMIT_FSIZE, FILE),
            (libc::RLIMIT_CORE, 0),
        ] {
            libc::setrlimit(resource, &libc::rlimit { rlim_cur: most, rlim_max: most });
        }
        libc::umask(0o022);
        if let Some(user) = start.user {
            must(libc::setgroups(0, ptr::null()));
            must(libc::setgid(user));
            must(libc::setuid(user));
        }
        if libc::chdir(start.folder.as_ptr()) != 0 {
            libc::_exit(NO_FOLDER);
        }
        must(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
        if libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) != 0 {
            libc::_exit(126);
        }
        libc::kill(libc::getpid(), libc::SIGSTOP);
        must(libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, ptr::from_ref(program)));
    }
}

#[expect(unsafe_code, reason = "the way out of a child that is not set up")]
/// # Safety
/// To be called in a child between fork and exec.
unsafe fn must(result: libc::c_int) {
    if result != 0 {
        // SAFETY: ends the child.
        unsafe { libc::_exit(126) }
    }
}
