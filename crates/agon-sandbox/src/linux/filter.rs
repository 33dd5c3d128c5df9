//! The filter of system calls, as a program for the kernel's packet filter.
//!
//! Written by hand because a call can be left to the helper to decide, which libraries for such filters do not offer.

use libc::{c_long, sock_filter};

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xC000_003E;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xC000_00B7;

/// Whether this filter knows the machine's system calls.
pub(super) const IS_SUPPORTED: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const ARCHITECTURE: u32 = 0;

/// System calls of the x32 interface have this bit, and are unknown to our rules.
const X32: u32 = 0x4000_0000;

/// Where the kernel puts the parts of a call.
const NUMBER_AT: u32 = 0;
const ARCHITECTURE_AT: u32 = 4;
const FIRST_ARGUMENT_AT: u32 = 16;

const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const IF_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const IF_AT_LEAST: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
const IF_ANY_BIT: u16 = (libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

/// Flags of `clone` that make namespaces.
const NEW_NAMESPACES: u32 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u32;

/// Calls that start a thread or a process. The one with flags that a filter cannot read does not exist for agents.
#[cfg(target_arch = "x86_64")]
const STARTING: [c_long; 2] = [libc::SYS_fork, libc::SYS_vfork];
#[cfg(not(target_arch = "x86_64"))]
const STARTING: [c_long; 0] = [];

/// Calls that open files, besides `openat`.
#[cfg(target_arch = "x86_64")]
pub(super) const OPENING: [c_long; 2] = [libc::SYS_open, libc::SYS_creat];
#[cfg(not(target_arch = "x86_64"))]
pub(super) const OPENING: [c_long; 0] = [];

/// Calls that no agent needs, and that reach other processes, the machine, or parts of the kernel that were written for programs
/// that are trusted.
const FORBIDDEN: &[c_long] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_move_pages,
    libc::SYS_migrate_pages,
    libc::SYS_perf_event_open,
    libc::SYS_bpf,
    libc::SYS_userfaultfd,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_chroot,
    libc::SYS_pivot_root,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_fanotify_init,
    libc::SYS_quotactl,
    libc::SYS_acct,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_syslog,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_vhangup,
    // Memory that belongs to no process, and would not be counted.
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
    // The referee says on which core an agent runs, and how urgently.
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_modify_ldt,
];

/// Calls that programs try and can do without, so that they must seem not to exist.
const ABSENT: &[c_long] = &[
    libc::SYS_clone3,
    libc::SYS_openat2,
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
];

/// Calls that send signals to processes other than by the number of a process, or not only.
const OTHER_SIGNALS: &[c_long] =
    &[libc::SYS_tkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo, libc::SYS_pidfd_send_signal];

/// Calls that change attributes of files, which Landlock leaves to their owner.
const ATTRIBUTES: &[c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchmodat2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
];

/// What a filter depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    /// Whether the helper decides calls.
    pub(super) listens: bool,
    /// Whether threads may be started at all.
    pub(super) threads: u32,
    /// The number of the agent's process.
    pub(super) pid: u32,
    /// Whether it has namespaces of its own, in which it cannot see other processes.
    pub(super) has_namespaces: bool,
}

/// The filter for an agent.
pub(super) fn filter(terms: Terms) -> Vec<sock_filter> {
    let allow = give(libc::SECCOMP_RET_ALLOW);
    let fail = |error: i32| give(libc::SECCOMP_RET_ERRNO | error as u32);
    // What would be decided by the helper, if there were one that listens.
    let decide = |otherwise: sock_filter| {
        if terms.listens { give(libc::SECCOMP_RET_USER_NOTIF) } else { otherwise }
    };
    let start = decide(if terms.threads > 1 { allow } else { fail(libc::EAGAIN) });
    let mut program = vec![
        load(ARCHITECTURE_AT),
        jump(IF_EQUAL, ARCHITECTURE, 1, 0),
        fail(libc::ENOSYS),
        load(NUMBER_AT),
        jump(IF_AT_LEAST, X32, 0, 1),
        fail(libc::ENOSYS),
    ];
    let mut rule = |call: c_long, body: &[sock_filter]| {
        program.push(jump(IF_EQUAL, call as u32, 0, body.len() as u8));
        program.extend(body);
    };
    for &call in STARTING.iter() {
        rule(call, &[start]);
    }
    rule(
        libc::SYS_clone,
        &[load(FIRST_ARGUMENT_AT), jump(IF_ANY_BIT, NEW_NAMESPACES, 0, 1), fail(libc::EPERM), start],
    );
    for &call in OPENING.iter().chain(&[libc::SYS_openat]) {
        rule(call, &[decide(allow)]);
    }
    let families = [libc::AF_INET, libc::AF_INET6, libc::AF_PACKET].map(|family| family as u32);
    rule(
        libc::SYS_socket,
        &[
            load(FIRST_ARGUMENT_AT),
            jump(IF_EQUAL, families[0], 3, 0),
            jump(IF_EQUAL, families[1], 2, 0),
            jump(IF_EQUAL, families[2], 1, 0),
            // Sockets of the machine itself are closed as well, but asking for one means no harm: libraries look for services.
            fail(libc::EACCES),
            decide(fail(libc::EACCES)),
        ],
    );
    let only_own =
        |fails: sock_filter| [load(FIRST_ARGUMENT_AT), jump(IF_EQUAL, terms.pid, 1, 0), fails, allow];
    rule(
        libc::SYS_prlimit64,
        &[
            load(FIRST_ARGUMENT_AT),
            jump(IF_EQUAL, 0, 2, 0),
            jump(IF_EQUAL, terms.pid, 1, 0),
            fail(libc::EPERM),
            allow,
        ],
    );
    if !terms.has_namespaces {
        rule(libc::SYS_kill, &only_own(fail(libc::EPERM)));
        rule(libc::SYS_tgkill, &only_own(fail(libc::EPERM)));
        for &call in OTHER_SIGNALS.iter().chain(ATTRIBUTES) {
            rule(call, &[fail(libc::EPERM)]);
        }
    }
    for &call in FORBIDDEN {
        rule(call, &[fail(libc::EPERM)]);
    }
    for &call in ABSENT {
        rule(call, &[fail(libc::ENOSYS)]);
    }
    program.push(allow);
    program
}

fn load(offset: u32) -> sock_filter {
    sock_filter { code: LOAD, jt: 0, jf: 0, k: offset }
}

/// Skips so many instructions if the condition holds, or does not.
fn jump(condition: u16, value: u32, if_true: u8, if_false: u8) -> sock_filter {
    sock_filter { code: condition, jt: if_true, jf: if_false, k: value }
}

fn give(action: u32) -> sock_filter {
    sock_filter { code: RETURN, jt: 0, jf: 0, k: action }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the filter says about a call, as the kernel would run it.
    fn verdict(terms: Terms, architecture: u32, call: c_long, argument: u32) -> u32 {
        let program = filter(terms);
        let (mut at, mut value) = (0, 0);
        loop {
            let step = program[at];
            at += 1;
            let holds = match step.code {
                LOAD => {
                    value = match step.k {
                        NUMBER_AT => call as u32,
                        ARCHITECTURE_AT => architecture,
                        _ => argument,
                    };
                    continue;
                }
                RETURN => return step.k,
                IF_EQUAL => value == step.k,
                IF_AT_LEAST => value >= step.k,
                IF_ANY_BIT => value & step.k != 0,
                code => panic!("an unknown instruction: {code}"),
            };
            at += usize::from(if holds { step.jt } else { step.jf });
        }
    }

    const TERMS: Terms = Terms { listens: true, threads: 1, pid: 2, has_namespaces: true };

    fn fails(error: i32) -> u32 {
        libc::SECCOMP_RET_ERRNO | error as u32
    }

    #[test]
    fn calls_are_allowed_forbidden_absent_or_decided() {
        let says = |call, argument| verdict(TERMS, ARCHITECTURE, call, argument);
        assert_eq!(says(libc::SYS_read, 0), libc::SECCOMP_RET_ALLOW);
        assert_eq!(says(libc::SYS_ptrace, 0), fails(libc::EPERM));
        assert_eq!(says(libc::SYS_clone3, 0), fails(libc::ENOSYS));
        assert_eq!(says(libc::SYS_openat, 0), libc::SECCOMP_RET_USER_NOTIF);
        assert_eq!(says(libc::SYS_socket, libc::AF_INET as u32), libc::SECCOMP_RET_USER_NOTIF);
        assert_eq!(says(libc::SYS_socket, libc::AF_INET6 as u32), libc::SECCOMP_RET_USER_NOTIF);
        assert_eq!(says(libc::SYS_socket, libc::AF_UNIX as u32), fails(libc::EACCES));
        assert_eq!(says(libc::SYS_socket, libc::AF_NETLINK as u32), fails(libc::EACCES));
        assert_eq!(says(libc::SYS_clone, libc::SIGCHLD as u32), libc::SECCOMP_RET_USER_NOTIF);
        assert_eq!(says(libc::SYS_clone, libc::CLONE_NEWUSER as u32), fails(libc::EPERM));
        assert_eq!(says(libc::SYS_prlimit64, 0), libc::SECCOMP_RET_ALLOW);
        assert_eq!(says(libc::SYS_prlimit64, 2), libc::SECCOMP_RET_ALLOW);
        assert_eq!(says(libc::SYS_prlimit64, 3), fails(libc::EPERM));
        assert_eq!(says(libc::SYS_kill, 1), libc::SECCOMP_RET_ALLOW, "nobody else is in its namespace");
    }

    #[test]
    fn other_interfaces_to_the_kernel_are_closed() {
        const I386: u32 = 0x4000_0003;
        assert_eq!(verdict(TERMS, I386, libc::SYS_read, 0), fails(libc::ENOSYS));
        let x32 = libc::SYS_ptrace | c_long::from(X32);
        assert_eq!(verdict(TERMS, ARCHITECTURE, x32, 0), fails(libc::ENOSYS));
    }

    #[test]
    fn without_a_helper_that_listens_calls_fail_or_pass() {
        let deaf = Terms { listens: false, ..TERMS };
        let says = |terms, call, argument| verdict(terms, ARCHITECTURE, call, argument);
        assert_eq!(says(deaf, libc::SYS_openat, 0), libc::SECCOMP_RET_ALLOW);
        assert_eq!(says(deaf, libc::SYS_socket, libc::AF_INET as u32), fails(libc::EACCES));
        assert_eq!(says(deaf, libc::SYS_clone, 0), fails(libc::EAGAIN));
        assert_eq!(says(Terms { threads: 2, ..deaf }, libc::SYS_clone, 0), libc::SECCOMP_RET_ALLOW);
    }

    #[test]
    fn where_others_are_in_sight_an_agent_signals_itself_only() {
        let terms = Terms { has_namespaces: false, pid: 7, ..TERMS };
        let says = |call, argument| verdict(terms, ARCHITECTURE, call, argument);
        assert_eq!(says(libc::SYS_kill, 7), libc::SECCOMP_RET_ALLOW);
        assert_eq!(says(libc::SYS_tgkill, 7), libc::SECCOMP_RET_ALLOW);
        for other in [0, 1, 8, u32::MAX] {
            assert_eq!(says(libc::SYS_kill, other), fails(libc::EPERM), "{other}");
        }
        assert_eq!(says(libc::SYS_pidfd_send_signal, 7), fails(libc::EPERM));
    }
}
