//! System calls that agents cannot make, and the network.

use std::os::unix::net::UnixDatagram;

use agon_erased::Offence;
use agon_sandbox::Limits;

use crate::Victim;
use crate::stage::{Agent, Folder, in_all_modes, judged, modes};

#[test]
fn the_network_is_closed_in_both_directions() {
    for attempt in [
        "socket.create_connection(('127.0.0.1', 80))",
        "socket.create_connection(('::1', 80))",
        "socket.create_server(('127.0.0.1', 0))",
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 53))",
        "[socket.socket() for _ in range(10000)]",
    ] {
        let script = format!("import socket\ntry: {attempt}\nexcept PermissionError: print('closed')\n");
        judged(&script, Some(Offence::Network), "closed");
    }
    // Libraries look for services of the machine; there are none, and it is no offence to look.
    for harmless in ["socket.AF_UNIX", "socket.AF_NETLINK, socket.SOCK_RAW"] {
        let script = format!(
            "import socket\ntry: socket.socket({harmless})\nexcept PermissionError: print('closed')\n"
        );
        judged(&script, None, "closed");
    }
}

/// Sends to a socket of the machine by one that was made as one of a pair, as a program in C may.
const DATAGRAMS: &str = "import ctypes, os, socket, sys\n\
    libc = ctypes.CDLL(None, use_errno=True)\n\
    address = socket.AF_UNIX.to_bytes(2, 'little') + PATH + bytes(1)\n\
    for kind in socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_STREAM, socket.SOCK_SEQPACKET:\n\
    \x20   try: one, other = socket.socketpair(socket.AF_UNIX, kind)\n\
    \x20   except OSError as error: print(error.strerror); continue\n\
    \x20   if libc.sendto(one.fileno(), b'help', 4, 0, address, len(address)) > 0: print(other.recv(4))\n\
    \x20   else: print(os.strerror(ctypes.get_errno()))\n";

#[test]
fn a_pair_of_sockets_reaches_nobody_else() {
    let folder = Folder::new();
    let path = folder.0.join("outside");
    let outside = UnixDatagram::bind(&path).expect("a socket can be made");
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o777)).expect("it is ours");
    outside.set_nonblocking(true).expect("it is ours");
    let script = DATAGRAMS.replace("PATH", &format!("b'{}'", path.display()));
    in_all_modes(Limits::default(), &script, |fate, _| {
        let denied = "Permission denied\nPermission denied";
        assert!(fate.output.starts_with(denied), "{fate:?}");
        // The others reach their own other half, or nobody.
        assert!(fate.output.ends_with("is already connected\nb'help'"), "{fate:?}");
        assert_eq!((fate.offence, fate.notes.len()), (None, 1), "{fate:?}");
    });
    assert!(outside.recv(&mut [0; 4]).is_err(), "nothing has arrived");
}

#[test]
fn connecting_one_of_a_pair_of_sockets_is_an_offence() {
    for attempt in ["connect('/run/x')", "bind('x')", "bind('\\0x')"] {
        let script = format!(
            "import socket\none, other = socket.socketpair()\ntry: one.{attempt}\nexcept PermissionError: print('closed')\n"
        );
        judged(&script, Some(Offence::Network), "closed");
    }
}

/// Tries system calls that the interpreter has no words for, and says how they fail.
const CALLS: &str = r#"
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static void say(const char *what, long result) { printf("%s %s\n", what, result == -1 ? strerror(errno) : "worked"); }

int main(int count, char **arguments) {
    int victim = atoi(arguments[1]);
    char byte;
    struct iovec here = {&byte, 1}, there = {(void *)main, 1};
    say("ptrace", ptrace(PTRACE_ATTACH, victim, 0, 0));
    say("memory", process_vm_readv(victim, &here, 1, &there, 1, 0));
    say("clone3", syscall(435, 0, 0));
    say("unshare", unshare(CLONE_NEWUSER));
    say("mount", syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, 0));
    say("io_uring", syscall(425, 1, 0));
    say("chroot", chroot("/tmp"));
    say("splice", splice(0, 0, 1, 0, 1, 0));
    say("unknown", syscall(9999));
    say("unknown", syscall(9999));
    return 0;
}
"#;

#[test]
fn calls_that_reach_further_fail_inside_the_agent() {
    let victim = Victim::new();
    for mode in modes() {
        let fate = Agent::c(mode, Limits::default(), CALLS, &victim.0.id().to_string()).fate();
        let (no, absent) = ("Operation not permitted", "Function not implemented");
        let expected = format!(
            "ptrace {no}\nmemory {no}\nclone3 {absent}\nunshare {no}\nmount {no}\n\
            io_uring {absent}\nchroot {no}\nsplice {absent}\nunknown {absent}\nunknown {absent}"
        );
        assert_eq!((fate.output, fate.offence), (expected, None));
        // Its author learns of each but those that libraries try as a matter of course.
        let noted: Vec<&str> = fate
            .notes
            .iter()
            .filter_map(|note| note.strip_prefix("agents cannot make the system call ")?.split(' ').next())
            .collect();
        let expected = ["ptrace", "process_vm_readv", "unshare", "mount", "chroot", "splice", "9999"];
        assert_eq!(noted, expected);
    }
}

/// Asks for every kind of interrupt, one at a time, and says how it fails.
const INTERRUPTS: &str = r#"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

int main(int count, char **arguments) {
    struct itimerval soon = {{0, 0}, {1, 0}};
    timer_t timer;
    sigset_t none;
    const char *what = arguments[1];
    sigemptyset(&none);
    errno = 0;
    if (!strcmp(what, "alarm")) alarm(1);
    else if (!strcmp(what, "setitimer")) setitimer(ITIMER_REAL, &soon, 0);
    else if (!strcmp(what, "timer_create")) timer_create(CLOCK_MONOTONIC, 0, &timer);
    else if (!strcmp(what, "timerfd_create")) timerfd_create(CLOCK_MONOTONIC, 0);
    else if (!strcmp(what, "signalfd")) signalfd(-1, &none, 0);
    else signal(SIGALRM, SIG_IGN);
    printf("%s\n", errno ? strerror(errno) : "worked");
    return 0;
}
"#;

#[test]
fn asking_to_be_interrupted_is_an_offence_and_handling_signals_is_none() {
    for mode in modes() {
        for call in ["alarm", "setitimer", "timer_create", "timerfd_create", "signalfd"] {
            let fate = Agent::c(mode, Limits::default(), INTERRUPTS, call).fate();
            assert_eq!(fate.offence, Some(Offence::Interrupts), "{call}: {fate:?}");
            assert_eq!(fate.output, "Operation not permitted", "{call}");
        }
        let fate = Agent::c(mode, Limits::default(), INTERRUPTS, "sigaction").fate();
        assert_eq!((fate.offence, fate.output.as_str()), (None, "worked"), "{fate:?}");
    }
}
