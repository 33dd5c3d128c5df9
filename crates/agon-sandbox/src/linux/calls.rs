//! The system calls that agents may make, and what is said about the others.
//!
//! What is not listed does not exist for an agent. New calls of new kernels are therefore closed until somebody has looked at them.

use libc::c_long;

/// A system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Call {
    /// Its number on this kind of machine.
    pub(super) number: c_long,
    constant: &'static str,
}

impl Call {
    /// What it is called in manuals.
    pub(super) fn name(self) -> &'static str {
        self.constant.trim_start_matches("SYS_")
    }
}

/// A list of calls by the names of their constants.
macro_rules! calls {
    ($($constant:ident)*) => {
        &[$(Call { number: libc::$constant, constant: stringify!($constant) }),*]
    };
}

/// Calls whose arguments decide, so that each has a rule of its own in the filter.
pub(super) const RULED: &[Call] = calls![
    SYS_clone SYS_openat SYS_socket SYS_socketpair SYS_prlimit64 SYS_kill SYS_tgkill SYS_mmap
    // Whatever reaches further than a pair of sockets that the agent made itself.
    SYS_connect SYS_bind
];

/// Calls that start a thread or a process. The one with flags that a filter cannot read does not exist for agents.
#[cfg(target_arch = "x86_64")]
pub(super) const STARTING: &[Call] = calls![SYS_fork SYS_vfork];
/// Calls that open files, besides `openat`; the last one creates them.
#[cfg(target_arch = "x86_64")]
pub(super) const OPENING: &[Call] = calls![SYS_open SYS_creat];
#[cfg(not(target_arch = "x86_64"))]
pub(super) const STARTING: &[Call] = calls![];
#[cfg(not(target_arch = "x86_64"))]
pub(super) const OPENING: &[Call] = calls![];

/// Calls that agents may make as they like.
pub(super) const ALLOWED: &[Call] = calls![
    // Reading and writing.
    SYS_read SYS_write SYS_readv SYS_writev SYS_pread64 SYS_pwrite64 SYS_preadv SYS_pwritev SYS_preadv2 SYS_pwritev2
    SYS_lseek SYS_close SYS_close_range SYS_dup SYS_dup3 SYS_fcntl SYS_ioctl SYS_sendfile SYS_copy_file_range
    SYS_fsync SYS_fdatasync SYS_truncate SYS_ftruncate SYS_fallocate SYS_fadvise64 SYS_flock SYS_pipe2
    // Files by name; where they may be is up to the file tree and to Landlock.
    SYS_newfstatat SYS_fstat SYS_statx SYS_statfs SYS_fstatfs SYS_faccessat SYS_faccessat2 SYS_readlinkat
    SYS_getdents64 SYS_getcwd SYS_chdir SYS_fchdir SYS_umask SYS_mkdirat SYS_unlinkat SYS_renameat SYS_renameat2
    SYS_linkat SYS_symlinkat SYS_getxattr SYS_lgetxattr SYS_fgetxattr SYS_listxattr SYS_llistxattr SYS_flistxattr
    // Memory of its own.
    SYS_brk SYS_munmap SYS_mremap SYS_mprotect SYS_madvise SYS_msync SYS_mincore SYS_mlock SYS_mlock2
    SYS_munlock SYS_mlockall SYS_munlockall SYS_membarrier SYS_pkey_alloc SYS_pkey_free SYS_pkey_mprotect
    SYS_get_mempolicy
    // Its own processes and threads.
    SYS_execve SYS_execveat SYS_exit SYS_exit_group SYS_wait4 SYS_waitid SYS_pidfd_open SYS_getpid SYS_getppid
    SYS_gettid SYS_getpgid SYS_setpgid SYS_getsid SYS_setsid SYS_set_tid_address SYS_set_robust_list
    SYS_get_robust_list SYS_rseq SYS_futex SYS_futex_waitv SYS_sched_yield SYS_sched_getaffinity
    SYS_sched_getparam SYS_sched_getscheduler SYS_sched_getattr SYS_sched_get_priority_max
    SYS_sched_get_priority_min SYS_sched_rr_get_interval SYS_getpriority SYS_ioprio_get SYS_getcpu SYS_prctl
    SYS_getrlimit SYS_setrlimit SYS_getrusage SYS_times SYS_sysinfo SYS_uname SYS_capget
    SYS_getuid SYS_geteuid SYS_getgid SYS_getegid SYS_getgroups SYS_getresuid SYS_getresgid
    // Signals to itself; for those to others see below.
    SYS_rt_sigaction SYS_rt_sigprocmask SYS_rt_sigreturn SYS_rt_sigpending SYS_rt_sigsuspend SYS_rt_sigtimedwait
    SYS_sigaltstack SYS_restart_syscall
    // Time and chance.
    SYS_clock_gettime SYS_clock_getres SYS_clock_nanosleep SYS_nanosleep SYS_gettimeofday SYS_getitimer
    SYS_timer_settime SYS_timer_gettime SYS_timer_getoverrun SYS_timer_delete SYS_timerfd_settime
    SYS_timerfd_gettime SYS_getrandom
    // Waiting for several things at once.
    SYS_ppoll SYS_pselect6 SYS_epoll_create1 SYS_epoll_ctl SYS_epoll_pwait SYS_epoll_pwait2 SYS_eventfd2
    // Pairs of connected sockets, the only ones that an agent has: where they lead is settled when they are made.
    SYS_sendto SYS_recvfrom SYS_sendmsg SYS_recvmsg SYS_sendmmsg SYS_recvmmsg SYS_shutdown SYS_getsockopt
    SYS_setsockopt SYS_getsockname SYS_getpeername
];

/// Older forms of the calls above, which newer kinds of machines never had.
#[cfg(target_arch = "x86_64")]
pub(super) const ALLOWED_OLDER: &[Call] = calls![
    SYS_arch_prctl SYS_dup2 SYS_pipe SYS_stat SYS_lstat SYS_access SYS_readlink SYS_getdents SYS_mkdir SYS_rmdir
    SYS_unlink SYS_rename SYS_link SYS_symlink SYS_getpgrp SYS_time SYS_pause SYS_poll SYS_select
    SYS_epoll_create SYS_epoll_wait SYS_eventfd
];
#[cfg(not(target_arch = "x86_64"))]
pub(super) const ALLOWED_OLDER: &[Call] = calls![];

/// Calls by which a program has itself interrupted: timers, and descriptors that deliver signals. To say what becomes of a signal
/// (`rt_sigaction`) is none of them, because every runtime does so at its start.
pub(super) const INTERRUPTING: &[Call] =
    calls![SYS_setitimer SYS_timer_create SYS_timerfd_create SYS_signalfd4];
/// Older forms of these.
#[cfg(target_arch = "x86_64")]
pub(super) const INTERRUPTING_OLDER: &[Call] = calls![SYS_alarm SYS_signalfd];
#[cfg(not(target_arch = "x86_64"))]
pub(super) const INTERRUPTING_OLDER: &[Call] = calls![];

/// Whether an agent asks by this call to be interrupted.
pub(super) fn interrupts(number: c_long) -> bool {
    INTERRUPTING.iter().chain(INTERRUPTING_OLDER).any(|call| call.number == number)
}

/// Calls that send signals to processes other than by the number of a process, or not only. Allowed where an agent sees no others.
pub(super) const OTHER_SIGNALS: &[Call] =
    calls![SYS_tkill SYS_rt_sigqueueinfo SYS_rt_tgsigqueueinfo SYS_pidfd_send_signal];

/// Calls that change attributes of files, which Landlock leaves to their owner. Allowed in a file tree of the agent's own.
pub(super) const ATTRIBUTES: &[Call] = calls![
    SYS_fchmod SYS_fchmodat SYS_fchmodat2 SYS_fchown SYS_fchownat SYS_utimensat SYS_setxattr SYS_lsetxattr
    SYS_fsetxattr SYS_removexattr SYS_lremovexattr SYS_fremovexattr
];
/// Older forms of these.
#[cfg(target_arch = "x86_64")]
pub(super) const ATTRIBUTES_OLDER: &[Call] =
    calls![SYS_chmod SYS_chown SYS_lchown SYS_utime SYS_utimes SYS_futimesat];
#[cfg(not(target_arch = "x86_64"))]
pub(super) const ATTRIBUTES_OLDER: &[Call] = calls![];

/// Calls that programs try at their start and can do without, so that their absence is not worth a note: a filter cannot read the
/// arguments of the first two, the others hide memory, or work for a program that makes no calls.
pub(super) const ABSENT: &[Call] = calls![
    SYS_clone3 SYS_openat2 SYS_memfd_create SYS_memfd_secret SYS_io_uring_setup SYS_io_uring_enter
    SYS_io_uring_register
];

/// Calls that reach other processes, the machine, or parts of the kernel that were written for programs that are trusted. They are
/// no more closed than others that are not listed; but they exist, and are not permitted.
pub(super) const FORBIDDEN: &[Call] = calls![
    SYS_ptrace SYS_process_vm_readv SYS_process_vm_writev SYS_process_madvise SYS_process_mrelease SYS_pidfd_getfd
    SYS_kcmp SYS_move_pages SYS_migrate_pages SYS_perf_event_open SYS_bpf SYS_userfaultfd SYS_add_key
    SYS_request_key SYS_keyctl SYS_unshare SYS_setns SYS_chroot SYS_pivot_root SYS_mount SYS_umount2
    SYS_mount_setattr SYS_move_mount SYS_open_tree SYS_fsopen SYS_fsconfig SYS_fsmount SYS_fspick
    SYS_name_to_handle_at SYS_open_by_handle_at SYS_fanotify_init SYS_quotactl SYS_acct SYS_swapon SYS_swapoff
    SYS_reboot SYS_kexec_load SYS_kexec_file_load SYS_init_module SYS_finit_module SYS_delete_module SYS_syslog
    SYS_settimeofday SYS_clock_settime SYS_adjtimex SYS_clock_adjtime SYS_sethostname SYS_setdomainname SYS_vhangup
    // Memory that belongs to no process, and would not be counted.
    SYS_shmget SYS_shmat SYS_semget SYS_msgget SYS_mq_open
    // The referee says on which core an agent runs, and how urgently.
    SYS_sched_setaffinity SYS_sched_setscheduler SYS_sched_setparam SYS_sched_setattr SYS_setpriority
    SYS_ioprio_set
];

/// What an agent may do about a call that is not its to make: it fails with this error.
pub(super) fn error_of(number: c_long) -> i32 {
    if interrupts(number) || FORBIDDEN.iter().any(|call| call.number == number) {
        libc::EPERM
    } else if RULED.iter().any(|call| call.number == number) {
        libc::EACCES
    } else {
        libc::ENOSYS
    }
}

/// Every list.
const ALL: [&[Call]; 13] = [
    RULED,
    STARTING,
    OPENING,
    ALLOWED,
    ALLOWED_OLDER,
    INTERRUPTING,
    INTERRUPTING_OLDER,
    OTHER_SIGNALS,
    ATTRIBUTES,
    ATTRIBUTES_OLDER,
    ABSENT,
    FORBIDDEN,
    NAMED,
];

/// Calls that are not listed for any other reason than to be called by their names in notes.
const NAMED: &[Call] = calls![
    SYS_accept SYS_accept4 SYS_listen SYS_personality SYS_mknodat SYS_splice SYS_tee SYS_vmsplice SYS_inotify_init1
    SYS_io_setup SYS_seccomp SYS_landlock_create_ruleset SYS_landlock_restrict_self SYS_set_mempolicy SYS_mbind
    SYS_setuid SYS_setgid SYS_setreuid SYS_setregid SYS_setresuid SYS_setresgid SYS_setgroups SYS_setfsuid
    SYS_setfsgid SYS_capset SYS_readahead SYS_sync SYS_syncfs SYS_sync_file_range SYS_remap_file_pages
];

/// A call in words: its name if that is known, and its number.
pub(super) fn describe(number: c_long) -> String {
    match ALL.iter().copied().flatten().find(|call| call.number == number) {
        Some(call) => format!("{} ({number})", call.name()),
        None => format!("{number}"),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The number of a call by its name.
    pub(in crate::linux) fn number_of(name: &str) -> c_long {
        let found = ALL.iter().copied().flatten().find(|call| call.name() == name);
        found.unwrap_or_else(|| panic!("{name} is in no list")).number
    }

    #[test]
    fn no_call_is_in_two_lists() {
        let mut numbers: Vec<c_long> = ALL.iter().copied().flatten().map(|call| call.number).collect();
        let count = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), count);
    }

    #[test]
    fn calls_are_described_by_name_and_number() {
        assert_eq!(describe(libc::SYS_ptrace), format!("ptrace ({})", libc::SYS_ptrace));
        assert_eq!(describe(9999), "9999");
    }
}
