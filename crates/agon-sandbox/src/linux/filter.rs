//! The filter of system calls, as a program for the kernel's packet filter.
//!
//! Written by hand because a call can be left to the helper to decide, which libraries for such filters do not offer.

use libc::{c_long, sock_filter};

use super::calls::{self, Call};

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
const SECOND_ARGUMENT_AT: u32 = 24;
const FOURTH_ARGUMENT_AT: u32 = 40;

const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const IF_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const IF_AT_LEAST: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
const IF_ANY_BIT: u16 = (libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K) as u16;
const KEEP_BITS: u16 = (libc::BPF_ALU | libc::BPF_AND | libc::BPF_K) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

/// Flags of `clone` that make namespaces.
const NEW_NAMESPACES: u32 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u32;

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
    /// Whether memory that processes share is counted when it is mapped, because nobody counts it when it is used.
    pub(super) counts_shared: bool,
}

/// The filter for an agent.
pub(super) fn filter(terms: Terms) -> Vec<sock_filter> {
    let allow = give(libc::SECCOMP_RET_ALLOW);
    let fail = |error: i32| give(libc::SECCOMP_RET_ERRNO | error as u32);
    // What would be decided by the helper, if there were one that listens.
    let decide = |otherwise: sock_filter| {
        if terms.listens { give(libc::SECCOMP_RET_USER_NOTIF) } else { otherwise }
    };
    let refuse = |call: c_long| decide(fail(calls::error_of(call)));
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
    for call in calls::ALLOWED.iter().chain(calls::ALLOWED_OLDER) {
        rule(call.number, &[allow]);
    }
    for call in calls::STARTING {
        rule(call.number, &[start]);
    }
    rule(
        libc::SYS_clone,
        &[load(FIRST_ARGUMENT_AT), jump(IF_ANY_BIT, NEW_NAMESPACES, 0, 1), fail(libc::EPERM), start],
    );
    let open = decide(allow);
    rule(libc::SYS_openat, &[open]);
    for call in calls::OPENING {
        rule(call.number, &[open]);
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
            refuse(libc::SYS_socket),
        ],
    );
    // Sockets of other kinds than these two send to whatever address they are told, although they are one of a pair.
    rule(
        libc::SYS_socketpair,
        &[
            load(FIRST_ARGUMENT_AT),
            jump(IF_EQUAL, libc::AF_UNIX as u32, 0, 4),
            load(SECOND_ARGUMENT_AT),
            keep_bits(!(libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK) as u32),
            jump(IF_EQUAL, libc::SOCK_STREAM as u32, 2, 0),
            jump(IF_EQUAL, libc::SOCK_SEQPACKET as u32, 1, 0),
            refuse(libc::SYS_socketpair),
            allow,
        ],
    );
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
    let map = if terms.counts_shared { decide(allow) } else { allow };
    let shared = libc::MAP_SHARED as u32;
    rule(libc::SYS_mmap, &[load(FOURTH_ARGUMENT_AT), jump(IF_ANY_BIT, shared, 0, 1), map, allow]);
    let not_permitted = fail(libc::EPERM);
    let only_itself = [load(FIRST_ARGUMENT_AT), jump(IF_EQUAL, terms.pid, 1, 0), not_permitted, allow];
    let others: [&[Call]; 3] = [calls::OTHER_SIGNALS, calls::ATTRIBUTES, calls::ATTRIBUTES_OLDER];
    let (signal, other): (&[_], _) =
        if terms.has_namespaces { (&[allow], allow) } else { (&only_itself, not_permitted) };
    rule(libc::SYS_kill, signal);
    rule(libc::SYS_tgkill, signal);
    for call in others.into_iter().flatten() {
        rule(call.number, &[other]);
    }
    for call in calls::ABSENT {
        rule(call.number, &[fail(libc::ENOSYS)]);
    }
    for call in calls::FORBIDDEN.iter().chain(calls::INTERRUPTING).chain(calls::INTERRUPTING_OLDER) {
        rule(call.number, &[refuse(call.number)]);
    }
    for call in [libc::SYS_connect, libc::SYS_bind] {
        rule(call, &[refuse(call)]);
    }
    // Everything else does not exist.
    program.push(decide(fail(libc::ENOSYS)));
    program
}

fn load(offset: u32) -> sock_filter {
    sock_filter { code: LOAD, jt: 0, jf: 0, k: offset }
}

/// Skips so many instructions if the condition holds, or does not.
fn jump(condition: u16, value: u32, if_true: u8, if_false: u8) -> sock_filter {
    sock_filter { code: condition, jt: if_true, jf: if_false, k: value }
}

/// Keeps these bits of what was loaded.
fn keep_bits(bits: u32) -> sock_filter {
    sock_filter { code: KEEP_BITS, jt: 0, jf: 0, k: bits }
}

fn give(action: u32) -> sock_filter {
    sock_filter { code: RETURN, jt: 0, jf: 0, k: action }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the filter says about a call, as the kernel would run it.
    fn verdict(terms: Terms, architecture: u32, call: c_long, argument: u32) -> u32 {
        verdict_on(terms, architecture, call, [argument, 0, 0, 0])
    }

    fn verdict_on(terms: Terms, architecture: u32, call: c_long, arguments: [u32; 4]) -> u32 {
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
                        FIRST_ARGUMENT_AT => arguments[0],
                        SECOND_ARGUMENT_AT => arguments[1],
                        FOURTH_ARGUMENT_AT => arguments[3],
                        offset => panic!("an unknown part of a call: {offset}"),
                    };
                    continue;
                }
                KEEP_BITS => {
                    value &= step.k;
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

    const TERMS: Terms =
        Terms { listens: true, threads: 1, pid: 2, has_namespaces: true, counts_shared: false };

    fn fails(error: i32) -> u32 {
        libc::SECCOMP_RET_ERRNO | error as u32
    }

    #[test]
    fn calls_are_allowed_forbidden_absent_or_decided() {
        let says = |call, argument| verdict(TERMS, ARCHITECTURE, call, argument);
        assert_eq!(says(libc::SYS_read, 0), libc::SECCOMP_RET_ALLOW);
        assert_eq!(says(libc::SYS_clone3, 0), fails(libc::ENOSYS));
        // The helper lets these fail, and takes a note.
        for closed in [libc::SYS_ptrace, libc::SYS_splice, libc::SYS_connect, libc::SYS_bind, 9999] {
            assert_eq!(says(closed, 0), libc::SECCOMP_RET_USER_NOTIF, "{closed}");
        }
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
        assert_eq!(says(deaf, libc::SYS_setitimer, 0), fails(libc::EPERM));
        assert_eq!(says(Terms { threads: 2, ..deaf }, libc::SYS_clone, 0), libc::SECCOMP_RET_ALLOW);
    }

    #[test]
    fn a_call_that_is_not_listed_does_not_exist() {
        let deaf = Terms { listens: false, ..TERMS };
        let says = |call| verdict(deaf, ARCHITECTURE, call, 0);
        for unknown in [libc::SYS_splice, libc::SYS_listen, 9999] {
            assert_eq!(says(unknown), fails(libc::ENOSYS), "{unknown}");
        }
        for dangerous in [libc::SYS_ptrace, libc::SYS_mount, libc::SYS_bpf] {
            assert_eq!(says(dangerous), fails(libc::EPERM), "{dangerous}");
        }
        assert_eq!(says(libc::SYS_connect), fails(libc::EACCES));
        assert_eq!(says(libc::SYS_bind), fails(libc::EACCES));
    }

    #[test]
    fn shared_memory_is_decided_where_the_helper_counts_it() {
        let says =
            |terms, flags: i32| verdict_on(terms, ARCHITECTURE, libc::SYS_mmap, [0, 4096, 0, flags as u32]);
        let counts = Terms { counts_shared: true, ..TERMS };
        assert_eq!(says(counts, libc::MAP_SHARED | libc::MAP_ANONYMOUS), libc::SECCOMP_RET_USER_NOTIF);
        assert_eq!(says(counts, libc::MAP_SHARED_VALIDATE), libc::SECCOMP_RET_USER_NOTIF);
        assert_eq!(says(counts, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS), libc::SECCOMP_RET_ALLOW);
        assert_eq!(says(TERMS, libc::MAP_SHARED), libc::SECCOMP_RET_ALLOW);
        let deaf = Terms { listens: false, ..counts };
        assert_eq!(says(deaf, libc::MAP_SHARED), libc::SECCOMP_RET_ALLOW);
    }

    #[test]
    fn pairs_of_sockets_lead_to_each_other_only() {
        let deaf = Terms { listens: false, ..TERMS };
        let says = |family: i32, kind: i32| {
            verdict_on(deaf, ARCHITECTURE, libc::SYS_socketpair, [family as u32, kind as u32, 0, 0])
        };
        for flags in [0, libc::SOCK_CLOEXEC, libc::SOCK_NONBLOCK, libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK] {
            for connected in [libc::SOCK_STREAM, libc::SOCK_SEQPACKET] {
                assert_eq!(says(libc::AF_UNIX, connected | flags), libc::SECCOMP_RET_ALLOW);
                assert_eq!(says(libc::AF_INET, connected | flags), fails(libc::EACCES));
            }
            // The kernel takes the second for the first.
            for addressed in [libc::SOCK_DGRAM, libc::SOCK_RAW, 0] {
                assert_eq!(says(libc::AF_UNIX, addressed | flags), fails(libc::EACCES), "{addressed}");
            }
        }
    }

    /// What the starters' runtimes call, as `strace -f` shows on Debian 12: from their start to the end of a game.
    #[cfg(target_arch = "x86_64")]
    const USED: [(&str, &str); 5] = [
        (
            "every program",
            "access arch_prctl brk close execve exit_group getrandom mmap mprotect munmap newfstatat openat pread64 prlimit64 read rseq \
            set_robust_list set_tid_address write",
        ),
        ("C", "fstat lseek"),
        ("Rust", "gettid poll rt_sigaction sched_getaffinity sigaltstack"),
        (
            "Python",
            "dup dup2 fcntl fstat futex getcwd getdents64 getegid geteuid getgid gettid getuid ioctl lseek madvise mremap readlink \
            rt_sigaction rt_sigprocmask sysinfo",
        ),
        (
            "Java",
            "clock_getres clock_nanosleep clone clone3 exit faccessat2 fchdir fcntl flock ftruncate futex getcwd getdents64 geteuid \
            getpid getrusage gettid getuid ioctl lseek madvise mkdir prctl readlink rt_sigaction rt_sigprocmask rt_sigreturn \
            sched_getaffinity sched_yield socket sysinfo uname unlink",
        ),
    ];

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn what_the_starters_runtimes_use_is_there_for_them() {
        for (runtime, used) in USED {
            for name in used.split_whitespace() {
                let call = calls::tests::number_of(name);
                let says = verdict(Terms { threads: 24, listens: false, ..TERMS }, ARCHITECTURE, call, 0);
                // Those that runtimes only try: threads can be started by another call, and there is no name service.
                let expected = match name {
                    "clone3" => fails(libc::ENOSYS),
                    "socket" => fails(libc::EACCES),
                    _ => libc::SECCOMP_RET_ALLOW,
                };
                assert_eq!(says, expected, "{runtime} uses {name}");
            }
        }
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
