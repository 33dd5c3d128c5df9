//! Confines a process and turns it into the agent: it gives up every right that the agent must not have, then runs the program.

use std::convert::Infallible;
use std::ffi::CString;
use std::io::{self, IoSlice, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus,
    Scope, path_beneath_rules,
};
use rustix::fs::{Mode, OFlags, open};
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
use rustix::process::{Resource, Rlimit, Signal, chdir, set_parent_process_death_signal, setrlimit, setsid};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};
use rustix::thread::set_no_new_privs;
use serde::{Deserialize, Serialize};

use super::{User, file_tree, filter, sys};
use crate::capabilities::{Capabilities, Mechanism};
use crate::order::Order;

/// The most files that an agent may have open.
const MAX_OPEN: u64 = 1024;

/// What a process on its way to become the agent tells the helper.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Progress {
    /// It has no more rights than it should, by these mechanisms. With it come the listener, if there is one, and the root folder.
    Ready(Vec<Mechanism>),
    /// Namespaces exist but cannot be used.
    NoNamespaces(String),
    /// It cannot become the agent.
    Failed(String),
}

impl Progress {
    /// Tells the helper, and sends it these descriptors.
    pub(super) fn tell(&self, link: &UnixStream, descriptors: &[BorrowedFd]) -> io::Result<()> {
        let mut line = serde_json::to_vec(self)?;
        line.push(b'\n');
        if descriptors.is_empty() {
            return (&*link).write_all(&line);
        }
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(2))];
        let mut ancillary = SendAncillaryBuffer::new(&mut space);
        ancillary.push(SendAncillaryMessage::ScmRights(descriptors));
        sendmsg(link, &[IoSlice::new(&line)], &mut ancillary, SendFlags::NOSIGNAL)
            .map(drop)
            .map_err(Into::into)
    }
}

/// What an agent's process is confined to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Confinement<'a> {
    /// The program, and the limits that it runs under.
    pub(super) order: &'a Order,
    /// The user that it runs as.
    pub(super) user: User,
    /// Whether the process is in namespaces of its own, and its file tree therefore as well.
    pub(super) has_namespaces: bool,
    /// Whether it is in a control group that limits its memory.
    pub(super) has_group: bool,
    /// The only folder that it may write to.
    pub(super) scratch: &'a Path,
}

/// Becomes the agent.
///
/// # Errors
/// In words, if that fails.
pub(super) fn become_agent(
    confinement: Confinement,
    pipes: &[OwnedFd; 3],
    link: &UnixStream,
) -> Result<Infallible, String> {
    let Confinement { order, user, has_namespaces, has_group, scratch } = confinement;
    let fail = |step: &str, error: &dyn std::fmt::Display| format!("{step}: {error}");
    let mut mechanisms: Vec<Mechanism> =
        has_namespaces.then_some(Mechanism::Namespaces).into_iter().collect();
    mechanisms.extend(has_group.then_some(Mechanism::MemoryGroup));
    setsid().map_err(|error| fail("cannot leave the terminal", &error))?;
    let [input, output, error_output] = pipes;
    dup2_stdin(input)
        .and_then(|()| dup2_stdout(output))
        .and_then(|()| dup2_stderr(error_output))
        .map_err(|error| fail("cannot connect the agent", &error))?;
    limit_resources(confinement).map_err(|error| fail("cannot limit resources", &error))?;
    if rustix::process::geteuid().is_root() {
        sys::become_user(user.uid, user.gid)
            .map_err(|error| fail("cannot become another user than root", &error))?;
    }
    mechanisms.push(Mechanism::OtherUser);
    let home = order.folder.as_deref().unwrap_or(scratch);
    let cannot_enter = |error: &dyn std::fmt::Display| {
        format!(
            "the agent's user cannot enter the folder {}: {error} (chmod -R o+rX makes it readable)",
            home.display()
        )
    };
    chdir(home).map_err(|error| cannot_enter(&error))?;
    open(".", OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).map_err(|error| cannot_enter(&error))?;
    set_no_new_privs(true).map_err(|error| fail("cannot give up new privileges", &error))?;
    set_parent_process_death_signal(Some(Signal::KILL))
        .map_err(|error| fail("cannot follow the helper", &error))?;
    let root = open("/", OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
        .map_err(|error| fail("cannot open the root folder", &error))?;
    let is_wanted = |mechanism| !order.without.contains(&mechanism);
    if is_wanted(Mechanism::Landlock) && restrict_files(confinement).is_ok_and(|is_restricted| is_restricted)
    {
        mechanisms.push(Mechanism::Landlock);
    }
    let start = order.program.as_ref().map(|program| Start::new(program, confinement)).transpose()?;
    sys::reset_signals();
    sys::close_on_exec_from(3).map_err(|error| fail("cannot close files", &error))?;
    let mut listener = None;
    if is_wanted(Mechanism::Seccomp) && filter::IS_SUPPORTED {
        let mut listens = is_wanted(Mechanism::Notification);
        let install = |listens| {
            let terms = filter::Terms {
                listens,
                threads: order.limits.threads,
                pid: std::process::id(),
                has_namespaces,
                counts_shared: !has_group,
            };
            sys::install_filter(&mut filter::filter(terms), listens)
        };
        let mut installed = install(listens);
        if installed.is_err() && listens {
            listens = false;
            installed = install(false);
        }
        if let Ok(installed) = installed {
            listener = installed;
            mechanisms.push(Mechanism::Seccomp);
            mechanisms.extend(listens.then_some(Mechanism::Notification));
        }
    }
    let doubts = Capabilities::of(mechanisms.clone()).doubts();
    if order.strict && !doubts.is_empty() {
        return Err(format!("this machine cannot enforce every limit. {}", doubts.join(" ")));
    }
    let descriptors: Vec<BorrowedFd> =
        [Some(root.as_fd()), listener.as_ref().map(AsFd::as_fd)].into_iter().flatten().collect();
    Progress::Ready(mechanisms).tell(link, &descriptors).map_err(|error| fail("cannot report", &error))?;
    let Some(start) = start else { sys::exit_now(0) };
    let error = sys::execute(&start.program, &start.arguments, &start.environment);
    Err(fail("cannot start the agent", &error))
}

/// A program and what it is given, as the system takes it.
struct Start {
    program: CString,
    arguments: Vec<CString>,
    environment: Vec<CString>,
}

impl Start {
    fn new(program: &Path, confinement: Confinement) -> Result<Self, String> {
        let string = |bytes: &[u8]| CString::new(bytes).map_err(|_| "the command contains a NUL".to_owned());
        let order = confinement.order;
        let program = string(program.as_os_str().as_bytes())?;
        let arguments = order.arguments.iter().map(|argument| string(argument.as_bytes()));
        let arguments = std::iter::once(Ok(program.clone())).chain(arguments).collect::<Result<_, _>>()?;
        let scratch = confinement.scratch.to_string_lossy();
        let scratch = ["HOME", "TMPDIR"].map(|name| format!("{name}={scratch}"));
        let given = order.environment.iter().map(|(name, value)| format!("{name}={value}"));
        let environment =
            given.chain(scratch).map(|entry| string(entry.as_bytes())).collect::<Result<_, _>>()?;
        Ok(Self { program, arguments, environment })
    }
}

fn limit_resources(confinement: Confinement) -> io::Result<()> {
    let limit = |resource, value| {
        setrlimit(resource, Rlimit { current: Some(value), maximum: Some(value) }).map_err(io::Error::from)
    };
    let Confinement { order, user, has_namespaces, .. } = confinement;
    limit(Resource::Core, 0)?;
    limit(Resource::Nofile, MAX_OPEN)?;
    limit(Resource::Fsize, order.limits.scratch.max(4096))?;
    limit(Resource::Msgqueue, 0)?;
    // It counts the processes of a user, and is of use only if no other program has this one.
    if user.is_own {
        limit(Resource::Nproc, u64::from(order.limits.threads))
    } else if has_namespaces {
        // In a user namespace of its own, in which the first process counts, too.
        limit(Resource::Nproc, u64::from(order.limits.threads) + 1)
    } else {
        Ok(())
    }
}

/// Closes all files but those that the agent may use. False if the kernel cannot.
fn restrict_files(confinement: Confinement) -> Result<bool, RulesetError> {
    let Confinement { order, has_namespaces, scratch, .. } = confinement;
    // The kernel takes as much of it as it knows.
    let abi = ABI::V9;
    let all = AccessFs::from_all(abi);
    let read = AccessFs::from_read(abi);
    let mut readable = if has_namespaces { vec!["/".into()] } else { file_tree::readable(order) };
    if !has_namespaces {
        readable.push("/proc".into());
        readable.extend(order.folder.clone());
    }
    let status = Ruleset::default()
        .handle_access(all)?
        .handle_access(AccessNet::from_all(abi))?
        .scope(Scope::from_all(abi))?
        .create()?
        .add_rules(path_beneath_rules(readable, read))?
        .add_rules(path_beneath_rules(file_tree::DEVICES, AccessFs::ReadFile | AccessFs::WriteFile))?
        .add_rules(path_beneath_rules([scratch], all))?
        .restrict_self()?;
    Ok(status.ruleset != RulesetStatus::NotEnforced)
}
