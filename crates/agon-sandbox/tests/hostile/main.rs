//! Agents that want more than they may have. Every test runs with all mechanisms of this machine and with those alone that containers
//! leave, and once more as a user who is not root, if root runs the tests.

#![cfg(target_os = "linux")]

mod calls;
mod files;
mod memory;
mod runtimes;
mod stage;

use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use agon_erased::Offence;
use agon_players::external::{CommandLine, Launcher};
use agon_sandbox::{Limits, Mechanism, Sandbox};

use stage::{Agent, Folder, HELPER, helper, in_all_modes, judged, modes, processes_of, python, wait_until};

/// A user who is not root, for whom nothing on the machine is set up.
const SOMEBODY: u32 = 54_321;
/// Is set if whoever runs the tests must be able to make control groups.
const GROUP: &str = "AGON_TEST_GROUP";

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|process| std::os::unix::fs::MetadataExt::uid(&process) == 0)
}

#[test]
fn all_of_this_holds_for_a_user_who_is_not_root() {
    if !is_root() {
        return;
    }
    // The folder of build results may be closed to others.
    let folder = Folder::new();
    let own = std::env::current_exe().expect("a program has a path");
    let (tests, helper) = (folder.0.join("tests"), folder.0.join("helper"));
    fs::copy(own, &tests).expect("it can be copied");
    fs::copy(stage::helper(), &helper).expect("it can be copied");
    for file in [&tests, &helper] {
        fs::set_permissions(file, fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
    let again = |command: &mut Command| {
        command.current_dir("/").env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin").env(HELPER, &helper);
        let output = command.output().expect("it can be run again");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    };
    again(Command::new(&tests).uid(SOMEBODY).gid(SOMEBODY));
    // Once more with a control group that is left to him.
    let Some(group) = memory::Delegated::to(SOMEBODY) else { return };
    let enter = "echo $$ > \"$0\" && exec setpriv --reuid \"$1\" --regid \"$1\" --clear-groups \"$2\"";
    let processes = group.0.join("cgroup.procs");
    again(
        Command::new("sh")
            .args(["-c", enter])
            .arg(processes)
            .arg(SOMEBODY.to_string())
            .arg(&tests)
            .env(GROUP, "1"),
    );
}

#[test]
fn a_decent_agent_notices_nothing() {
    let script = "import sys\n\
        for line in sys.stdin:\n    print('you said', line.strip(), flush=True)\n\
        print('bye'); sys.exit(3)\n";
    for mode in modes() {
        let mut agent = Agent::python(mode, Limits::default(), script);
        agent.say("hello");
        assert_eq!(agent.hear(), "you said hello");
        assert!(!agent.life.has_ended());
        let fate = agent.fate();
        assert_eq!((fate.output.as_str(), fate.code, fate.offence), ("bye", Some(3), None), "{fate:?}");
    }
}

#[test]
fn libraries_that_agents_need_start() {
    let script = "import asyncio, ctypes, decimal, getpass, hashlib, json, multiprocessing, pwd, random, socket, sqlite3, ssl\n\
        import os, subprocess, tempfile, threading, time, urllib.request, uuid\n\
        time.localtime(); hashlib.sha256(b''); random.random(); uuid.uuid4(); getpass.getuser()\n\
        socket.socketpair(); asyncio.new_event_loop().close(); os.path.expanduser('~')\n\
        print(open(tempfile.mkstemp()[1], 'w').write('four'))\n";
    judged(script, None, "4");
}

#[test]
fn an_agent_starts_with_nothing_but_what_it_needs() {
    let script = "import os, resource\n\
        status = dict(line.split(':', 1) for line in open('/proc/self/status'))\n\
        print(status['NoNewPrivs'].strip(), int(status['CapEff'], 16), status['Seccomp'].strip(), os.getuid() != 0)\n\
        print(resource.getrlimit(resource.RLIMIT_CORE), sorted(os.listdir('/proc/self/fd')), os.getsid(0) == os.getpid())\n\
        print([name for name in os.environ if name.startswith('CARGO') or name.startswith('AGON')], os.getgroups())\n\
        print(os.getcwd() == os.path.dirname(os.path.realpath(__file__)))\n";
    // The fourth descriptor is the folder that is listed.
    judged(script, None, "1 0 2 True\n(0, 0) ['0', '1', '2', '3'] True\n[] []\nTrue");
}

#[test]
fn threads_and_processes_beyond_the_limit_are_an_offence() {
    let thread = "import threading\n\
        try: threading.Thread(target=print).start()\n\
        except RuntimeError as error: print(error)\n";
    judged(thread, Some(Offence::Threads), "can't start new thread");
    let process = "import subprocess\n\
        try: subprocess.run(['true'])\n\
        except OSError as error: print(error.strerror)\n";
    judged(process, Some(Offence::Threads), "Resource temporarily unavailable");
}

#[test]
fn as_many_threads_as_allowed_can_be_used() {
    let script = "import subprocess, threading\n\
        barrier = threading.Barrier(3)\n\
        def wait(): barrier.wait(); barrier.wait()\n\
        two = [threading.Thread(target=wait) for _ in range(2)]\n\
        [thread.start() for thread in two]; barrier.wait()\n\
        try: threading.Thread(target=print).start()\n\
        except RuntimeError: print('no')\n\
        barrier.wait(); [thread.join() for thread in two]\n";
    let limits = Limits { threads: 3, ..Limits::default() };
    in_all_modes(limits, script, |fate, _| {
        assert_eq!((fate.offence, fate.output.as_str()), (Some(Offence::Threads), "no"), "{fate:?}");
    });
    let script = "import subprocess\nprint(subprocess.run(['echo', 'yes'], capture_output=True).stdout)\n";
    in_all_modes(limits, script, |fate, _| {
        assert_eq!((fate.offence, fate.output.as_str()), (None, r"b'yes\n'"), "{fate:?}");
    });
}

#[test]
fn a_fork_bomb_is_ended_with_all_its_fragments() {
    let script = "import os\nprint('now', flush=True)\n\
        while True:\n    try: os.fork()\n    except OSError: pass\n";
    for mode in modes() {
        let mut agent = Agent::python(mode, Limits { threads: 8, ..Limits::default() }, script);
        assert_eq!(agent.hear(), "now");
        wait_until("it is an offence", || agent.life.offence().is_some());
        let fate = agent.end_now();
        assert_eq!((fate.offence, fate.code), (Some(Offence::Threads), None), "{fate:?}");
    }
}

#[test]
fn orphans_end_with_their_agent() {
    let script = "import os, signal, sys, time\n\
        if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        signal.signal(signal.SIGTERM, signal.SIG_IGN)\n\
        \x20       os.write(1, b'away\\n'); os.close(0); os.close(1); os.close(2); time.sleep(1000)\n    os._exit(0)\n\
        os.wait(); sys.stdin.readline()\n";
    for mode in modes() {
        let mut agent = Agent::python(mode, Limits { threads: 4, ..Limits::default() }, script);
        assert_eq!(agent.hear(), "away");
        // That nothing is left is part of every fate.
        let fate = agent.fate();
        assert_eq!((fate.offence, fate.code), (None, Some(0)), "{fate:?}");
    }
}

#[test]
fn an_endless_loop_that_ignores_requests_to_end_is_ended() {
    let script = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN); signal.signal(signal.SIGINT, signal.SIG_IGN)\n\
        print('loop', flush=True)\nwhile True: pass\n";
    for mode in modes() {
        let mut agent = Agent::python(mode, Limits::default(), script);
        assert_eq!(agent.hear(), "loop");
        assert!(!agent.life.has_ended());
        let fate = agent.end_now();
        assert_eq!((fate.offence, fate.code), (None, None), "{fate:?}");
    }
}

#[test]
fn processor_time_is_known_while_an_agent_runs() {
    let script = "import time\nprint('up', flush=True)\ninput()\n\
        end = time.process_time() + 0.1\nwhile time.process_time() < end: pass\nprint('done', flush=True)\ninput()\n";
    for mode in modes() {
        let mut agent = Agent::python(mode, Limits::default(), script);
        assert_eq!(agent.hear(), "up");
        let before = agent.life.effort();
        agent.say("go");
        assert_eq!(agent.hear(), "done");
        let used = agent.life.effort().since(before).processor.expect("the sandbox knows it");
        assert!(used >= std::time::Duration::from_millis(100), "{used:?}");
        assert_eq!(agent.end_now().offence, None);
    }
}

/// Another process of the same user.
pub(crate) struct Victim(pub(crate) Child);

impl Victim {
    pub(crate) fn new() -> Self {
        let mut sleep = Command::new("sleep");
        sleep.arg("1000").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Self(sleep.spawn().expect("there is sleep"))
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn other_processes_cannot_be_signalled() {
    let mut victim = Victim::new();
    let script = format!(
        "import os\n\
        for process in [-1, 0, os.getppid(), {}, {}]:\n    if process == 0: continue\n    try: os.kill(process, 9); print('done')\n    except OSError: pass\n\
        print('alive')\n",
        victim.0.id(),
        std::process::id()
    );
    judged(&script, None, "alive");
    assert!(victim.0.try_wait().expect("it is ours").is_none(), "the victim is alive");
}

#[test]
fn one_agents_offence_does_not_disturb_another() {
    let decent = "import sys\nfor line in sys.stdin: print(line.strip(), flush=True)\n";
    let hog = "hog = bytearray(b'x') * (400 << 20)\nimport time; time.sleep(1000)\n";
    for mode in modes() {
        let limits = Limits { memory: 100 << 20, ..Limits::default() };
        let mut other = Agent::python(mode, limits, decent);
        other.say("before");
        assert_eq!(other.hear(), "before");
        assert_eq!(Agent::python(mode, limits, hog).fate().offence, Some(Offence::Memory));
        other.say("after");
        assert_eq!(other.hear(), "after");
        let fate = other.fate();
        assert_eq!((fate.offence, fate.code), (None, Some(0)), "{fate:?}");
    }
}

#[test]
fn agents_end_with_whoever_started_them_even_if_that_is_killed() {
    if modes().is_empty() {
        return;
    }
    let folder = Folder::new();
    let script = folder.write("agent.py", "import sys, time\nprint('up', flush=True)\ntime.sleep(1000)\n");
    let mut referee = Command::new(helper());
    referee.arg(python()).arg(&script).current_dir(&folder.0);
    let mut referee =
        referee.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it can be started");
    let mut said = [0; 2];
    referee.stdout.take().expect("it is piped").read_exact(&mut said).expect("it speaks");
    assert_eq!(&said, b"up");
    assert!(processes_of(&folder.0).len() >= 2);
    referee.kill().and_then(|()| referee.wait()).expect("it is ours");
    wait_until("the agent has ended", || processes_of(&folder.0).is_empty());
}

/// The parent of a process.
fn parent(process: u32) -> u32 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("it is running");
    let line = status.lines().find_map(|line| line.strip_prefix("PPid:")).expect("it has a parent");
    line.trim().parse().expect("a number")
}

#[test]
fn agents_end_with_their_helper_even_if_that_is_killed() {
    for mode in modes() {
        let script = "import os, time\nprint('up', flush=True)\ntime.sleep(1000)\n";
        let mut agent = Agent::python(mode, Limits::default(), script);
        assert_eq!(agent.hear(), "up");
        let mut helper = parent(agent.processes()[0]);
        if parent(helper) != std::process::id() {
            helper = parent(helper);
        }
        let killed = Command::new("sh").args(["-c", &format!("kill -9 {helper}")]).status();
        assert!(killed.expect("there is a shell").success());
        wait_until("the agent has ended", || agent.processes().is_empty());
        let fate = agent.end_now();
        assert_eq!((fate.offence, fate.code), (None, None), "{fate:?}");
        assert!(!std::env::temp_dir().join(format!("agon-scratch-{helper}")).exists());
        let groups = fs::read_to_string("/proc/self/cgroup").expect("the system says our groups");
        let memory = groups.lines().find_map(|line| line.split_once(":memory:")).map_or("", |(_, path)| path);
        assert!(!fs::exists(format!("/sys/fs/cgroup/memory{memory}/agon-{helper}")).expect("it is readable"));
    }
}

#[test]
fn the_interpreter_of_a_script_is_found() {
    for mode in modes() {
        let folder = Folder::new();
        let program = folder.write("agent", &format!("#!{}\nprint('found')\n", python().display()));
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it is ours");
        let command = CommandLine { program, arguments: Vec::new() };
        let fate = Agent::start(mode, Limits::default(), folder, command).fate();
        assert_eq!((fate.output.as_str(), fate.offence), ("found", None), "{fate:?}");
    }
}

#[test]
fn what_cannot_be_started_is_refused_in_words() {
    let folder = Folder::new();
    let launch = |sandbox: Sandbox, program: &str| {
        let command = CommandLine { program: program.into(), arguments: Vec::new() };
        sandbox.helper(helper()).launch(&command).err().map(|error| error.to_string())
    };
    let sandbox = || Sandbox::new(Limits::default(), Some(&folder.0)).expect("the folder exists");
    let missing = launch(sandbox(), "/no/such/program").expect("there is no such program");
    assert!(missing.contains("No such file"), "{missing}");
    folder.write("text", "no program");
    let text = launch(sandbox(), "text").expect("it is no program");
    assert!(text.contains("cannot start the agent"), "{text}");
    for bad in ["/no/such/folder", "/"] {
        let fault =
            Sandbox::new(Limits::default(), Some(bad.as_ref())).expect_err("it is refused").to_string();
        assert!(fault.contains(bad), "{fault}");
    }
    // Nothing closes files, so that a strict referee does not start.
    let open = sandbox().strict().without(Mechanism::Namespaces).without(Mechanism::Landlock);
    let refused = launch(open, "/bin/true").expect("it is refused");
    assert!(refused.contains("Files cannot be closed"), "{refused}");
    // Nor if memory is only looked at now and then.
    let refused =
        launch(sandbox().strict().without(Mechanism::MemoryGroup), "/bin/true").expect("it is refused");
    assert!(refused.contains("Memory is sampled"), "{refused}");
}
