//! System calls that neither the standard library nor rustix offers as safe functions.

use std::ffi::CString;
use std::fs;
use std::io;
use std::mem::{self, MaybeUninit};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::ptr;
use std::time::Duration;

use libc::{c_int, c_long, c_uint, c_ulong, pid_t};
use rustix::process::Pid;

fn check(result: c_long) -> io::Result<c_long> {
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// Fails unless this process has a single thread. If it has, nobody but the caller can start another.
fn require_single_thread() -> io::Result<()> {
    if fs::read_dir("/proc/self/task")?.nth(1).is_some() {
        return Err(io::Error::new(io::ErrorKind::Unsupported, "this process has several threads"));
    }
    Ok(())
}

/// Flags of [`fork`] that put the child into new namespaces.
const NAMESPACE_FLAGS: c_int = libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWUSER;

/// Forks this process, with the child in new namespaces as the `CLONE_NEW…` flags in `namespaces` say. Gives the parent the child's
/// number, and the child `None`.
///
/// # Errors
/// Other flags and processes with several threads are refused, or the system refuses.
pub(super) fn fork(namespaces: c_int) -> io::Result<Option<Pid>> {
    if namespaces & !NAMESPACE_FLAGS != 0 {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    require_single_thread()?;
    let flags = c_long::from(namespaces | libc::SIGCHLD);
    // SAFETY: with these flags the child goes on where we are with a copy of our memory, as after fork(). We have just seen that there
    // is only one thread, so no other one holds a lock in that copy that nobody would release.
    let pid = check(unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) })?;
    Ok(Pid::from_raw(pid as pid_t))
}

/// Replaces this process by a program; returns only if that fails.
pub(super) fn execute(program: &CString, arguments: &[CString], environment: &[CString]) -> io::Error {
    let pointers = |strings: &[CString]| -> Vec<_> {
        strings.iter().map(|string| string.as_ptr()).chain([ptr::null()]).collect()
    };
    let (arguments, environment) = (pointers(arguments), pointers(environment));
    // SAFETY: all are strings that end in NUL, and the lists end in a null pointer.
    unsafe { libc::execve(program.as_ptr(), arguments.as_ptr(), environment.as_ptr()) };
    io::Error::last_os_error()
}

/// Ends this process at once.
pub(super) fn exit_now(code: c_int) -> ! {
    // SAFETY: it does not return, and nothing of ours must be cleaned up.
    unsafe { libc::_exit(code) }
}

/// Has every descriptor from this one on closed when a program is started.
pub(super) fn close_on_exec_from(first: c_uint) -> io::Result<()> {
    // SAFETY: it takes numbers only, and what it marks stays open in this process.
    check(unsafe { libc::syscall(libc::SYS_close_range, first, c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC) })
        .map(drop)
}

/// Closes every descriptor from this one on, whoever owns it.
///
/// # Safety
/// This process must not use, and not close by dropping its owner, any descriptor from `first` on that is open now: the number may
/// stand for another file by then.
pub(super) unsafe fn close_from(first: c_uint) -> io::Result<()> {
    // SAFETY: it takes numbers only; that nobody uses what it closes is the caller's promise.
    check(unsafe { libc::syscall(libc::SYS_close_range, first, c_uint::MAX, 0) }).map(drop)
}

/// Lets signals do again what they do by default, as a program expects at its start.
pub(super) fn reset_signals() {
    for signal in 1..=64 {
        // SAFETY: no handler is installed; for signals that cannot be changed the call fails, which is as well.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    let mut none = MaybeUninit::uninit();
    // SAFETY: the set is initialised by the first call before the second one reads it.
    unsafe {
        libc::sigemptyset(none.as_mut_ptr());
        libc::sigprocmask(libc::SIG_SETMASK, none.as_ptr(), ptr::null_mut());
    }
}

/// Gives up being root for good.
///
/// # Errors
/// Root itself is refused, and so are processes with several threads, because the kernel changes the calling thread only and the C
/// library knows nothing of processes that [`fork`] made; or the system refuses.
pub(super) fn become_user(uid: u32, gid: u32) -> io::Result<()> {
    if uid == 0 || gid == 0 {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    require_single_thread()?;
    // SAFETY: these take numbers and an empty list, of which nothing is read.
    unsafe {
        check(c_long::from(libc::setgroups(0, ptr::null())))?;
        check(c_long::from(libc::setresgid(gid, gid, gid)))?;
        check(c_long::from(libc::setresuid(uid, uid, uid)))?;
    }
    Ok(())
}

/// As the kernel defines it.
#[repr(C)]
struct MountAttributes {
    set: u64,
    clear: u64,
    propagation: u64,
    user_namespace: u64,
}

const READ_ONLY: u64 = 1;
const NO_SET_UID: u64 = 2;
const NO_DEVICES: u64 = 4;

/// Makes a mount read-only, without devices and programs that change the user.
pub(super) fn make_read_only(mount: BorrowedFd, with_devices: bool, recursive: bool) -> io::Result<()> {
    let devices = if with_devices { 0 } else { NO_DEVICES };
    let attributes = MountAttributes {
        set: READ_ONLY | NO_SET_UID | devices,
        clear: 0,
        propagation: 0,
        user_namespace: 0,
    };
    let recursively = if recursive { libc::AT_RECURSIVE } else { 0 };
    // SAFETY: the path is an empty string that ends in NUL, the structure is as the kernel expects and of the size that is said.
    check(unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            mount.as_raw_fd(),
            c"".as_ptr(),
            (libc::AT_EMPTY_PATH | recursively) as c_uint,
            &raw const attributes,
            mem::size_of::<MountAttributes>(),
        )
    })
    .map(drop)
}

/// Installs a filter of system calls; with a listener, calls can be decided by whoever holds it.
pub(super) fn install_filter(filter: &mut [libc::sock_filter], listen: bool) -> io::Result<Option<OwnedFd>> {
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_mut_ptr() };
    let install = |flags: c_ulong| {
        // SAFETY: the program points to a filter of the length that it says.
        check(unsafe {
            libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &raw const program)
        })
    };
    if !listen {
        return install(0).map(|_| None);
    }
    // So that signals do not restart calls that are being decided; older kernels have no such flag.
    let patient = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER | libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
    let listener = install(patient).or_else(|_| install(libc::SECCOMP_FILTER_FLAG_NEW_LISTENER))?;
    // SAFETY: the kernel has just given us this descriptor.
    Ok(Some(unsafe { OwnedFd::from_raw_fd(listener as RawFd) }))
}

/// Lets callers run on the listener's core, which halves the time of a decision; older kernels cannot.
pub(super) fn wake_up_in_step(listener: BorrowedFd) {
    const SYNC_WAKE_UP: c_ulong = 1;
    // SAFETY: this request takes its flags by value.
    unsafe { libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SET_FLAGS, SYNC_WAKE_UP) };
}

/// The next call that waits to be decided.
pub(super) fn next_call(listener: BorrowedFd) -> io::Result<libc::seccomp_notif> {
    // SAFETY: the structure consists of numbers, for which zero is a value, as the kernel wants them.
    let mut call: libc::seccomp_notif = unsafe { mem::zeroed() };
    // SAFETY: the kernel fills in the structure that belongs to this request.
    check(c_long::from(unsafe {
        libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut call)
    }))?;
    Ok(call)
}

/// Whether the caller still waits, and its process number therefore still means it.
pub(super) fn still_waits(listener: BorrowedFd, id: u64) -> bool {
    // SAFETY: the kernel reads one number.
    unsafe { libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_ID_VALID, &raw const id) == 0 }
}

/// Decides a call: it fails with an error, or goes on. A caller that is gone does not need to know.
pub(super) fn decide(listener: BorrowedFd, id: u64, error: Option<c_int>) {
    let flags = if error.is_none() { libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32 } else { 0 };
    let answer = libc::seccomp_notif_resp { id, val: 0, error: -error.unwrap_or(0), flags };
    // SAFETY: the kernel reads the structure that belongs to this request.
    unsafe { libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw const answer) };
}

/// The processor time that a process has used; `None` if there is none of that number.
pub(super) fn processor_time(pid: u32) -> Option<Duration> {
    // As the C library puts the number of a process and the kind of its clock together.
    const SCHEDULED: libc::clockid_t = 2;
    let clock = !(pid as libc::clockid_t) << 3 | SCHEDULED;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the kernel writes to the structure that belongs to this call.
    check(c_long::from(unsafe { libc::clock_gettime(clock, &raw mut time) })).ok()?;
    Some(Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
}

/// The string that ends in NUL at `address` in the memory of another process, up to the length of the longest path.
pub(super) fn read_string(pid: u32, address: u64) -> Option<Vec<u8>> {
    const PAGE: usize = 4096;
    let mut buffer = vec![0_u8; PAGE];
    // What lies behind the end of a page may not be readable.
    let first = PAGE - address as usize % PAGE;
    let part = |start: usize, length| libc::iovec {
        iov_base: ptr::without_provenance_mut((address as usize).wrapping_add(start)),
        iov_len: length,
    };
    let remote = [part(0, first), part(first, PAGE - first)];
    let local = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: buffer.len() };
    // SAFETY: the kernel writes to the buffer, which is as long as it says; the other addresses belong to the other process.
    let length = unsafe { libc::process_vm_readv(pid as pid_t, &raw const local, 1, remote.as_ptr(), 2, 0) };
    buffer.truncate(usize::try_from(length).ok()?);
    let end = buffer.iter().position(|byte| *byte == 0)?;
    buffer.truncate(end);
    Some(buffer)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What became of an attempt to fork; a child ends at once, so that it does not run the tests a second time.
    fn error_of_fork(flags: c_int) -> Option<io::ErrorKind> {
        match fork(flags) {
            Ok(None) => exit_now(0),
            Ok(Some(_)) => None,
            Err(error) => Some(error.kind()),
        }
    }

    /// Runs `body` while another thread exists.
    fn beside_another_thread<T>(body: impl FnOnce() -> T) -> T {
        let (stop, stopped) = std::sync::mpsc::channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || stopped.recv());
            let result = body();
            drop(stop);
            result
        })
    }

    #[test]
    fn a_process_with_several_threads_is_not_forked() {
        assert_eq!(beside_another_thread(|| error_of_fork(0)), Some(io::ErrorKind::Unsupported));
    }

    #[test]
    fn a_process_with_several_threads_stays_the_user_that_it_is() {
        let result = beside_another_thread(|| become_user(65_534, 65_534));
        assert_eq!(result.map_err(|error| error.kind()), Err(io::ErrorKind::Unsupported));
    }

    #[test]
    fn root_is_no_user_to_become() {
        for (uid, gid) in [(0, 65_534), (65_534, 0)] {
            let result = become_user(uid, gid);
            assert_eq!(result.map_err(|error| error.kind()), Err(io::ErrorKind::InvalidInput));
        }
    }

    #[test]
    fn a_child_never_shares_our_memory() {
        assert_eq!(error_of_fork(libc::CLONE_VM), Some(io::ErrorKind::InvalidInput));
    }
}
