//! How a program is started, and ended together with everything that it has started.
//!
//! Protocols talk to whatever a [`Launcher`] gives them, so that programs of strangers can be run in a sandbox without a
//! change to any protocol.

use std::error::Error;
use std::fmt;
use std::io::{self, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};

use agon_erased::Offence;

use super::command::CommandLine;
use super::effort::Effort;

/// Starts programs.
pub trait Launcher: Send + Sync {
    /// Starts the program of `command`.
    ///
    /// # Errors
    /// If it cannot be started; an error of [`OurFault`] if that is not the program's fault, and may work another time.
    fn launch(&self, command: &CommandLine) -> io::Result<Launched>;
}

/// Why a program was not started that could have been: nothing that its author could do anything about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OurFault(pub String);

impl fmt::Display for OurFault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for OurFault {}

impl OurFault {
    /// The same as an error of the system, as launchers return them.
    pub fn error(fault: String) -> io::Error {
        io::Error::other(Self(fault))
    }

    /// What an error says if it is one of ours.
    pub fn of(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }
}

/// A program that has been started: its pipes and its life.
pub struct Launched {
    /// What the program reads.
    pub stdin: Box<dyn Write + Send>,
    /// What it writes.
    pub stdout: Box<dyn Read + Send>,
    /// What it says on standard error.
    pub stderr: Box<dyn Read + Send>,
    /// What ends it. Dropped, it must end the program, too.
    pub life: Box<dyn Life>,
}

/// The life of a program.
pub trait Life: Send {
    /// Whether the program has ended by itself.
    fn has_ended(&mut self) -> bool;

    /// Ends the program and everything that it has started, and says how it ended, if that is known. Asked again, it says the
    /// same.
    fn end(&mut self) -> Option<ExitStatus>;

    /// The first limit that the program has broken so far, and how, in words. `None` where the launcher sets no limits or does
    /// not know.
    fn offence(&mut self) -> Option<(Offence, String)> {
        None
    }

    /// What the program has cost so far.
    fn effort(&mut self) -> Effort {
        Effort::of_machine()
    }

    /// What the program's author should know about its life so far, a sentence each: what it tried in vain, for example.
    fn notes(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// The most memory that the program has used at a time, in bytes. Known once it has been ended, if at all.
    fn memory(&mut self) -> Option<u64> {
        None
    }
}

/// Starts programs as processes of this machine with all rights of ours, each in a process group of its own, so that whatever
/// it starts can be ended with it.
#[derive(Clone, Copy, Debug, Default)]
pub struct OwnGroup;

impl Launcher for OwnGroup {
    fn launch(&self, command: &CommandLine) -> io::Result<Launched> {
        let mut builder = Command::new(&command.program);
        builder.args(&command.arguments);
        builder.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut builder, 0);
        // From here on the program is ended whatever happens.
        let mut group = Group { leader: builder.spawn()?, is_reaped: false };
        let leader = &mut group.leader;
        let pipes = leader.stdin.take().zip(leader.stdout.take()).zip(leader.stderr.take());
        let ((stdin, stdout), stderr) = pipes.ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(Launched {
            stdin: Box::new(stdin),
            stdout: Box::new(stdout),
            stderr: Box::new(stderr),
            life: Box::new(group),
        })
    }
}

/// A process group, by the process that leads it.
struct Group {
    leader: Child,
    is_reaped: bool,
}

impl Life for Group {
    fn has_ended(&mut self) -> bool {
        self.is_reaped || has_ended(&mut self.leader)
    }

    fn end(&mut self) -> Option<ExitStatus> {
        if !self.is_reaped {
            // While the leader has not been waited for, its number belongs to no other.
            kill_group(&mut self.leader);
            self.is_reaped = true;
        }
        self.leader.wait().ok()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
    }
}

/// Whether a process has ended, without letting the system forget it.
#[cfg(unix)]
fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    // An error means that there is nothing to wait for.
    waitid(WaitId::Pid(Pid::from_child(child)), options).map_or(true, |status| status.is_some())
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> bool {
    child.try_wait().map_or(true, |status| status.is_some())
}

#[cfg(unix)]
fn kill_group(child: &mut Child) {
    // It may have ended already, which is as well.
    let _ = rustix::process::kill_process_group(
        rustix::process::Pid::from_child(child),
        rustix::process::Signal::KILL,
    );
    let _ = child.kill();
}

#[cfg(not(unix))]
fn kill_group(child: &mut Child) {
    let _ = child.kill();
}
