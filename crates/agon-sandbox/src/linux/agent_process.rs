//! Launches an agent: forks its processes and sets them up in the order in which they can still do what each step needs.

use std::env;
use std::fs;
use std::io::{self, PipeReader, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use rustix::process::{
    DumpableBehavior, Pid, PidfdFlags, Signal, WaitOptions, pidfd_open, set_dumpable_behavior,
    set_parent_process_death_signal, wait,
};

use super::access_policy::AccessPolicy;
use super::cgroup::ControlGroup;
use super::confinement::{Confinement, Progress, become_agent};
use super::{User, file_tree, receive, sys};
use crate::capabilities::Mechanism;
use crate::order::{Order, Report};

/// The namespaces that an agent gets if the machine allows it.
const NAMESPACES: i32 =
    libc::CLONE_NEWNS | libc::CLONE_NEWPID | libc::CLONE_NEWNET | libc::CLONE_NEWIPC | libc::CLONE_NEWUTS;

/// A running agent, as the helper sees it: its process, the channels to it and the resources that are released with it.
pub(super) struct AgentProcess {
    /// Our child: the agent, or the first process of its namespace.
    pub(super) child: Pid,
    /// Readable when the child has ended.
    pub(super) ending: OwnedFd,
    /// Where the first process of a namespace tells how the agent has ended.
    pub(super) status: Option<PipeReader>,
    /// Where calls wait to be decided.
    pub(super) listener: Option<OwnedFd>,
    /// Which attempts to open files are offences.
    pub(super) access_policy: AccessPolicy,
    /// The control group that limits memory, processes and processor time, if the machine has one for us.
    pub(super) group: Option<ControlGroup>,
    /// The scratch folder, if it is one of the machine's.
    pub(super) scratch: Option<ScratchFolder>,
}

/// A scratch folder where there is no file system of limited size for it. Dropped, it is removed.
pub(super) struct ScratchFolder(pub(super) PathBuf);

impl ScratchFolder {
    /// The folder of the helper with this number.
    pub(super) fn of_helper(helper: u32) -> Self {
        Self(env::temp_dir().join(format!("agon-scratch-{helper}")))
    }

    fn new(user: User) -> io::Result<Self> {
        let folder = Self::of_helper(std::process::id());
        // One of that name can only be left from another process, which had the same number, and was killed.
        let _ = fs::remove_dir_all(&folder.0);
        fs::create_dir(&folder.0)?;
        fs::set_permissions(&folder.0, fs::Permissions::from_mode(0o700))?;
        if rustix::process::geteuid().is_root() {
            chown(&folder.0, Some(user.uid), Some(user.gid))?;
        }
        Ok(folder)
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        // Nobody is left to whom a failure would matter.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Why an agent was not launched.
enum StartError {
    /// Namespaces cannot be used; launching it without them may work.
    NoNamespaces,
    /// The system refused something that has nothing to do with the agent.
    Unready(io::Error),
    /// Anything else, in words.
    Failed(String),
}

impl From<io::Error> for StartError {
    fn from(error: io::Error) -> Self {
        Self::Unready(error)
    }
}

impl AgentProcess {
    /// Launches the agent of an order, in namespaces if possible, and says which mechanisms confine it.
    ///
    /// # Errors
    /// If that fails: what to report.
    pub(super) fn launch(order: &Order, pipes: &[OwnedFd; 3]) -> Result<(Self, Vec<Mechanism>), Report> {
        let mut result = Err(StartError::NoNamespaces);
        if !order.without.contains(&Mechanism::Namespaces) {
            result = Self::start(order, pipes, true);
        }
        if matches!(result, Err(StartError::NoNamespaces)) {
            result = Self::start(order, pipes, false);
        }
        result.map_err(|error| match error {
            StartError::NoNamespaces => Report::Unready("cannot do without namespaces".to_owned()),
            StartError::Unready(error) => Report::Unready(format!("cannot prepare the sandbox: {error}")),
            StartError::Failed(fault) => Report::Failed(fault),
        })
    }

    fn start(
        order: &Order,
        pipes: &[OwnedFd; 3],
        has_namespaces: bool,
    ) -> Result<(Self, Vec<Mechanism>), StartError> {
        let user = User::choose();
        let scratch = if has_namespaces { None } else { Some(ScratchFolder::new(user)?) };
        let scratch_path = scratch.as_ref().map_or(Path::new(file_tree::SCRATCH), |folder| &folder.0);
        let confinement =
            Confinement { order, user, has_namespaces, has_group: false, scratch: scratch_path };
        let (link, theirs) = UnixStream::pair()?;
        let (status, status_of_it) = io::pipe()?;
        let is_root = rustix::process::geteuid().is_root();
        let flags = match (has_namespaces, is_root) {
            (false, _) => 0,
            (true, true) => NAMESPACES,
            (true, false) => NAMESPACES | libc::CLONE_NEWUSER,
        };
        let child = match sys::fork(flags) {
            Ok(Some(child)) => child,
            Ok(None) => {
                drop(link);
                let fault = prepare(confinement, pipes, &theirs, status_of_it.as_fd());
                // If nobody listens any more, nobody needs to know.
                let _ = fault.tell(&theirs, &[]);
                sys::exit_now(1)
            }
            Err(_) if has_namespaces => return Err(StartError::NoNamespaces),
            Err(error) => return Err(error.into()),
        };
        drop((theirs, status_of_it));
        let mut group = None;
        if !order.without.contains(&Mechanism::MemoryGroup) {
            let made = ControlGroup::new(std::process::id(), order.limits);
            group = made.ok().filter(|group| group.add(child.as_raw_nonzero().get()).is_ok());
        }
        (&link).write_all(&[u8::from(group.is_some())])?;
        let mut fail = |error| {
            super::process_tree::end_all();
            group = None;
            Err(error)
        };
        let (mechanisms, descriptors) = match receive::<Progress>(&link) {
            Ok((Progress::Ready(mechanisms), descriptors)) => (mechanisms, descriptors),
            Ok((Progress::NoNamespaces(_), _)) => return fail(StartError::NoNamespaces),
            Ok((Progress::Failed(fault), _)) => return fail(StartError::Failed(fault)),
            Err(error) => return fail(error.into()),
        };
        // The link closes when the agent's program starts; whatever comes before that is a failure.
        let mut rest = String::new();
        let has_started = (&link).take(4096).read_to_string(&mut rest).is_ok() && rest.is_empty();
        if !has_started {
            let fault = match serde_json::from_str(rest.trim_end()) {
                Ok(Progress::Failed(fault)) => fault,
                _ => "the agent's process broke off".to_owned(),
            };
            return fail(StartError::Failed(fault));
        }
        let mut descriptors = descriptors.into_iter();
        let root = descriptors.next();
        let listener = descriptors.next();
        if let Some(listener) = &listener {
            sys::wake_up_in_step(listener.as_fd());
        }
        let access_policy = AccessPolicy {
            root: root.filter(|_| has_namespaces),
            readable: file_tree::readable(order),
            folder: order.folder.clone(),
            scratch: scratch_path.to_owned(),
        };
        let ending = pidfd_open(child, PidfdFlags::empty()).map_err(io::Error::from)?;
        let status = has_namespaces.then_some(status);
        Ok((Self { child, ending, status, listener, access_policy, group, scratch }, mechanisms))
    }
}

/// Turns our child into the agent, or into the first process of a namespace in which the agent is started. Returns only what went
/// wrong.
fn prepare(
    confinement: Confinement,
    pipes: &[OwnedFd; 3],
    link: &UnixStream,
    status: std::os::fd::BorrowedFd,
) -> Progress {
    // Until we are in the control group, nothing must happen.
    let mut has_group = [0];
    if (&*link).read_exact(&mut has_group).is_err() {
        sys::exit_now(1);
    }
    let confinement = Confinement { has_group: has_group == [1], ..confinement };
    if !confinement.has_namespaces {
        return failed(become_agent(confinement, pipes, link));
    }
    if let Err(error) = enclose(confinement) {
        return Progress::NoNamespaces(error.to_string());
    }
    match sys::fork(0) {
        Ok(None) => failed(become_agent(confinement, pipes, link)),
        Ok(Some(agent)) => reap(agent, status),
        Err(error) => Progress::Failed(format!("cannot start a process: {error}")),
    }
}

fn failed(result: Result<std::convert::Infallible, String>) -> Progress {
    match result {
        Ok(never) => match never {},
        Err(fault) => Progress::Failed(fault),
    }
}

/// Settles down in the namespaces that this process was started in.
fn enclose(confinement: Confinement) -> io::Result<()> {
    let User { uid, gid, .. } = confinement.user;
    if !rustix::process::geteuid().is_root() {
        fs::write("/proc/self/setgroups", "deny")?;
        fs::write("/proc/self/uid_map", format!("{uid} {uid} 1"))?;
        fs::write("/proc/self/gid_map", format!("{gid} {gid} 1"))?;
    }
    set_parent_process_death_signal(Some(Signal::KILL))?;
    file_tree::build_and_enter(confinement.order, confinement.user)?;
    // Our memory is none of the agent's business.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    Ok(())
}

/// The life of the first process of a namespace: it waits for the agent, tells how it has ended, and ends with everything.
fn reap(agent: Pid, status: std::os::fd::BorrowedFd) -> ! {
    // Nothing of ours must stay open, above all not the agent's pipes.
    if rustix::stdio::dup2_stdin(status).is_err() {
        sys::exit_now(1);
    }
    // SAFETY: from here on this process only waits, writes to its standard input and exits; nothing is dropped on the way.
    if unsafe { sys::close_from(1) }.is_err() {
        sys::exit_now(1);
    }
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid == agent => {
                let _ = rustix::io::write(io::stdin(), &status.as_raw().to_ne_bytes());
                break;
            }
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => break,
        }
    }
    sys::exit_now(0)
}
