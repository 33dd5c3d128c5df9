//! The helper, and what it does to keep a program within its limits.
//!
//! The helper forks a process that becomes the agent. If there are namespaces, another one stands between them: the first process of
//! the agent's process namespace, with which everything ends that runs in it.

mod access_policy;
mod agent_process;
mod calls;
mod cgroup;
mod confinement;
mod file_tree;
mod filter;
mod process_tree;
mod shared_memory;
mod supervisor;
mod sys;

use std::fs;
use std::io::{self, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};

use agent_process::{AgentProcess, ScratchFolder};
use cgroup::ControlGroup;

use crate::order::{MAX_LINE, Order, Report};

/// Users that agents run as if we are root, one a helper: no other program is theirs, so that nothing of theirs is within reach.
const FIRST_USER: u32 = 1_900_000_000;
/// The user to be where there are no such users: `nobody`.
const NOBODY: u32 = 65_534;

/// The user that an agent runs as.
#[derive(Clone, Copy, Debug)]
struct User {
    uid: u32,
    gid: u32,
    /// Whether no other program runs as this user.
    is_own: bool,
}

impl User {
    fn choose() -> Self {
        let (uid, gid) = (rustix::process::geteuid(), rustix::process::getegid());
        if !uid.is_root() {
            return Self { uid: uid.as_raw(), gid: gid.as_raw(), is_own: false };
        }
        let id = FIRST_USER + std::process::id();
        let exists = |map: &str| {
            fs::read_to_string(map).is_ok_and(|text| {
                text.lines().any(|line| {
                    let mut numbers =
                        line.split_whitespace().map(|number| number.parse::<u64>().unwrap_or(0));
                    let (first, length) = (numbers.next().unwrap_or(0), numbers.nth(1).unwrap_or(0));
                    (first..first + length).contains(&u64::from(id))
                })
            })
        };
        let is_own = exists("/proc/self/uid_map") && exists("/proc/self/gid_map");
        let id = if is_own { id } else { NOBODY };
        Self { uid: id, gid: id, is_own }
    }
}

/// Removes what the helper with this number has left because it was killed.
pub(crate) fn clean_up_after(helper: u32) {
    drop(ControlGroup::of_helper(helper));
    drop(ScratchFolder::of_helper(helper));
}

/// The processor time that the program of the helper with this number has used, with all its processes that are running.
pub(crate) fn processor_time(helper: u32) -> Duration {
    process_tree::descendants(helper).into_iter().filter_map(sys::processor_time).sum()
}

/// Does a helper's work.
pub(crate) fn run_helper() -> ! {
    let is_done = serve().is_ok();
    std::process::exit(i32::from(!is_done))
}

fn serve() -> io::Result<()> {
    // Our standard input is the connection to whoever started us. Nothing that we start may inherit it.
    let control = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    rustix::stdio::dup2_stdin(fs::File::open("/dev/null")?)?;
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o022));
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    let (order, descriptors): (Order, _) = receive(&control)?;
    let pipes: [OwnedFd; 3] = descriptors.try_into().map_err(|_| io::ErrorKind::InvalidData)?;
    let order = &order;
    match AgentProcess::launch(order, &pipes) {
        Ok((agent, mechanisms)) => {
            // As long as we had these open, nobody would notice that the agent has closed them.
            drop(pipes);
            report(&control, &Report::Started(mechanisms))?;
            supervisor::supervise(agent, order, &control)
        }
        Err(fault) => report(&control, &fault),
    }
}

fn report(mut control: &UnixStream, report: &Report) -> io::Result<()> {
    let mut line = serde_json::to_vec(report)?;
    line.push(b'\n');
    control.write_all(&line)
}

/// Reads one line, and the descriptors that come with it.
fn receive<T: serde::de::DeserializeOwned>(mut stream: &UnixStream) -> io::Result<(T, Vec<OwnedFd>)> {
    let mut line = vec![0; 64 << 10];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let received =
        recvmsg(stream, &mut [IoSliceMut::new(&mut line)], &mut ancillary, RecvFlags::CMSG_CLOEXEC)?;
    line.truncate(received.bytes);
    let mut descriptors = Vec::new();
    for message in ancillary.drain() {
        if let RecvAncillaryMessage::ScmRights(rights) = message {
            descriptors.extend(rights);
        }
    }
    while !line.ends_with(b"\n") {
        let mut chunk = [0; 4096];
        let length = stream.read(&mut chunk)?;
        if length == 0 || line.len() > MAX_LINE {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        line.extend(&chunk[..length]);
    }
    Ok((serde_json::from_slice(&line)?, descriptors))
}
