//! Supervises an agent until its end: deciding its calls, measuring what it uses, and ending all of it.

use std::fs;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use agon_erased::Offence;
use libc::{c_int, c_long};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Signal, WaitOptions, kill_process, waitpid};

use super::access_policy::Attempt;
use super::agent_process::AgentProcess;
use super::cgroup::ControlGroup;
use super::shared_memory::{SharedMemory, mapped};
use super::{calls, process_tree, report, sys};
use crate::order::{Order, Report};

/// How often an agent is looked at if the kernel counts its memory.
const SELDOM: Duration = Duration::from_millis(100);
/// How often if we measure it.
const OFTEN: Duration = Duration::from_millis(20);
/// How often if it uses much already.
const VERY_OFTEN: Duration = Duration::from_millis(2);

/// How many calls are noted.
const MAX_NOTES: usize = 32;

/// Supervises an agent until it ends, or whoever started us has no more use for it; then ends all of it.
pub(super) fn supervise(mut agent: AgentProcess, order: &Order, control: &UnixStream) -> io::Result<()> {
    let mut supervisor = Supervisor {
        order,
        control,
        offended: false,
        noted: Vec::new(),
        shared: SharedMemory::default(),
        most_used: 0,
        first: agent.child.as_raw_nonzero().get() as u32,
    };
    let mut listener = agent.listener.take();
    let mut measure_at = Instant::now() + OFTEN;
    loop {
        let mut sources =
            vec![PollFd::new(control, PollFlags::IN), PollFd::new(&agent.ending, PollFlags::IN)];
        sources.extend(listener.as_ref().map(|listener| PollFd::new(listener, PollFlags::IN)));
        let pause = measure_at.saturating_duration_since(Instant::now());
        let timeout = Timespec { tv_sec: 0, tv_nsec: pause.subsec_nanos().into() };
        match poll(&mut sources, Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let happened: Vec<PollFlags> = sources.iter().map(PollFd::revents).collect();
        drop(sources);
        if !happened[0].is_empty() || !happened[1].is_empty() {
            break;
        }
        match happened.get(2) {
            Some(event) if event.contains(PollFlags::IN) => supervisor.decide_next(&agent, listener.as_ref()),
            // Everybody whose calls we could decide has ended.
            Some(event) if !event.is_empty() => listener = None,
            _ => {}
        }
        // Also while there are calls without end to be decided.
        if Instant::now() >= measure_at {
            let Some(pause) = supervisor.measure(&agent) else { break };
            measure_at = Instant::now() + pause;
        }
    }
    // What it uses in the end counts as well.
    supervisor.measure(&agent);
    // Calls that wait fail from now on, so that nothing new is started.
    drop(listener);
    let status = supervisor.end(&mut agent);
    supervisor.measure(&agent);
    let counted = agent.group.as_ref().and_then(ControlGroup::most_used);
    let used = counted.unwrap_or(supervisor.most_used);
    // A program that has ended before it could be looked at has used nobody knows how much.
    if used > 0 {
        report(control, &Report::Used(used))?;
    }
    drop(agent);
    report(control, &Report::Ended(status))
}

/// What supervising one agent needs to know and remember.
struct Supervisor<'a> {
    order: &'a Order,
    control: &'a UnixStream,
    /// Whether an offence has been reported; only the first one is.
    offended: bool,
    /// Calls that notes have been sent about.
    noted: Vec<c_long>,
    /// What the agent's processes share, if no control group counts it.
    shared: SharedMemory,
    /// The most memory that was seen in use, if no control group counts it.
    most_used: u64,
    /// Our child, see [`AgentProcess::child`].
    first: u32,
}

impl Supervisor<'_> {
    /// Reports an offence, unless there was one before.
    fn accuse(&mut self, offence: Offence, how: String) {
        if !self.offended {
            self.offended = true;
            // If nobody listens, we notice that soon enough.
            let _ = report(self.control, &Report::Offence(offence, how));
        }
    }

    /// The agent's processes.
    fn processes(&self, agent: &AgentProcess) -> Vec<u32> {
        let mut processes =
            process_tree::descendants(if agent.status.is_some() { self.first } else { std::process::id() });
        processes.sort_unstable();
        processes
    }

    /// Measures what the agent uses; says when to do so again, or `None` if it must end.
    fn measure(&mut self, agent: &AgentProcess) -> Option<Duration> {
        let limits = self.order.limits;
        let mut pause = SELDOM;
        let uses_too_much = if let Some(group) = &agent.group {
            group.has_run_out()
        } else {
            let processes = self.processes(agent);
            let used = process_tree::memory(&processes, limits.memory) + self.shared.count(&processes).0;
            self.most_used = self.most_used.max(used);
            pause = if used > limits.memory / 2 { VERY_OFTEN } else { OFTEN };
            used > limits.memory
        };
        if uses_too_much {
            self.accuse(Offence::Memory, format!("it used more than {} MB of memory", limits.memory >> 20));
            return None;
        }
        if let Some(scratch) = &agent.scratch
            && size(&scratch.0) > limits.scratch
        {
            let how = format!("it wrote more than {} MB to its scratch folder", limits.scratch >> 20);
            self.accuse(Offence::Files, how);
            return None;
        }
        Some(pause)
    }

    /// Decides the next call that waits.
    fn decide_next(&mut self, agent: &AgentProcess, listener: Option<&OwnedFd>) {
        let Some(listener) = listener.map(AsFd::as_fd) else { return };
        // The caller may have been ended by a signal.
        let Ok(call) = sys::next_call(listener) else { return };
        let (number, arguments) = (c_long::from(call.data.nr), call.data.args);
        // Before the agent goes on, so that whatever it says comes later.
        let error = match number {
            libc::SYS_socket | libc::SYS_connect | libc::SYS_bind => {
                self.accuse(Offence::Network, "it tried to use the network".to_owned());
                Some(libc::EACCES)
            }
            _ if calls::interrupts(number) => {
                let name = calls::describe(number);
                self.accuse(Offence::Interrupts, format!("it asked to be interrupted by {name}"));
                Some(calls::error_of(number))
            }
            libc::SYS_mmap => {
                let length = mapped(call.pid, arguments);
                length.and_then(|length| self.refusal_to_share(agent, call.pid, length))
            }
            _ if is_start(number) => self.refusal_to_start(agent),
            _ => match Opened::of(number, arguments) {
                Some(opened) => {
                    let path = opened.path(call.pid).filter(|_| sys::still_waits(listener, call.id));
                    match path.and_then(|path| agent.access_policy.judge(&path, opened.flags)) {
                        Some(Attempt::Offence(fault)) => {
                            self.accuse(Offence::Files, fault);
                            Some(libc::EACCES)
                        }
                        Some(Attempt::Futile(how)) => {
                            self.note(number, || how.clone());
                            None
                        }
                        None => None,
                    }
                }
                None => Some(self.refuse(number)),
            },
        };
        sys::decide(listener, call.id, error);
    }

    /// The error with which a further thread or process cannot be started; `None` if it can.
    fn refusal_to_start(&mut self, agent: &AgentProcess) -> Option<c_int> {
        let allowed = self.order.limits.threads;
        if allowed >= 2 && process_tree::threads(&self.processes(agent)) < allowed as usize {
            return None;
        }
        let plural = if allowed == 1 { "" } else { "s" };
        self.accuse(Offence::Threads, format!("it tried to use more than {allowed} thread{plural}"));
        Some(libc::EAGAIN)
    }

    /// The error with which more shared memory than allowed cannot be mapped; `None` if it can.
    fn refusal_to_share(&mut self, agent: &AgentProcess, thread: u32, length: u64) -> Option<c_int> {
        let processes = self.processes(agent);
        let limit = self.order.limits.memory;
        let (shared, sees_all) = self.shared.count(&processes);
        if sees_all && shared.saturating_add(length) <= limit {
            self.shared.expect(thread, length);
            return None;
        }
        let how = "on this machine shared memory counts when it is mapped, and agents cannot map more than they may use";
        self.note(libc::SYS_mmap, || how.to_owned());
        Some(libc::ENOMEM)
    }

    /// The error with which a call fails that agents cannot make. The author is told once.
    fn refuse(&mut self, number: c_long) -> c_int {
        self.note(number, || format!("agents cannot make the system call {}", calls::describe(number)));
        calls::error_of(number)
    }

    /// Takes a note about a call, unless there was one before.
    fn note(&mut self, number: c_long, note: impl Fn() -> String) {
        if !self.noted.contains(&number) && self.noted.len() < MAX_NOTES {
            self.noted.push(number);
            let _ = report(self.control, &Report::Note(note()));
        }
    }

    /// Ends the agent and everything that it has started, and says how it ended.
    fn end(&mut self, agent: &mut AgentProcess) -> i32 {
        // It may have ended already.
        let _ = kill_process(agent.child, Signal::KILL);
        let mut raw = 0;
        loop {
            match waitpid(Some(agent.child), WaitOptions::empty()) {
                Ok(Some((_, status))) => {
                    raw = status.as_raw();
                    break;
                }
                Ok(None) | Err(rustix::io::Errno::INTR) => {}
                Err(_) => break,
            }
        }
        let mut told = [0; 4];
        if agent.status.as_mut().is_some_and(|status| status.read_exact(&mut told).is_ok()) {
            raw = i32::from_ne_bytes(told);
        }
        process_tree::end_all();
        raw
    }
}

/// Whether a call starts a thread or a process.
fn is_start(number: c_long) -> bool {
    number == libc::SYS_clone || calls::STARTING.iter().any(|call| call.number == number)
}

/// A file that is to be opened.
struct Opened {
    /// The folder that a relative path starts from, as a descriptor of the caller's.
    folder: c_int,
    address: u64,
    flags: c_int,
}

impl Opened {
    fn of(call: c_long, arguments: [u64; 6]) -> Option<Self> {
        let [first, second, third, ..] = arguments;
        if call == libc::SYS_openat {
            return Some(Self { folder: first as c_int, address: second, flags: third as c_int });
        }
        let is_creation = calls::OPENING.last().is_some_and(|last| last.number == call);
        let flags =
            if is_creation { libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC } else { second as c_int };
        let opens = calls::OPENING.iter().any(|opening| opening.number == call);
        opens.then_some(Self { folder: libc::AT_FDCWD, address: first, flags })
    }

    /// The path as the caller sees it, from the root; `None` if it cannot be read.
    fn path(&self, pid: u32) -> Option<PathBuf> {
        let name = sys::read_string(pid, self.address).filter(|name| !name.is_empty())?;
        let name = PathBuf::from(std::ffi::OsString::from_vec(name));
        if name.is_absolute() {
            return Some(name);
        }
        let folder = match self.folder {
            libc::AT_FDCWD => format!("/proc/{pid}/cwd"),
            descriptor => format!("/proc/{pid}/fd/{descriptor}"),
        };
        fs::read_link(folder).ok().map(|folder| folder.join(name))
    }
}

/// How much is in a folder, in bytes; links are not followed.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => 4096 + size(&entry.path()),
            Ok(metadata) => metadata.len(),
            Err(_) => 0,
        })
        .sum()
}
