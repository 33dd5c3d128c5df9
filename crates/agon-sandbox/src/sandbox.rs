//! Starting programs in a sandbox: our side of the helper.

use std::env;
use std::io::{self, IoSlice, Read};
use std::mem::MaybeUninit;
use std::net::Shutdown;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use agon_core::text::quote;
use agon_erased::Offence;
use agon_players::external::{CommandLine, Effort, Launched, Launcher, Life, OurFault};
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};

use crate::HELPER;
use crate::capabilities::{Capabilities, Mechanism};
use crate::limits::Limits;
use crate::linux::{clean_up_after, processor_time};
use crate::order::{MAX_LINE, Order, Report};
use crate::program::Needs;

/// How long a helper may take to start a program.
const START: Duration = Duration::from_secs(10);
/// How long it may take to end one before it is killed, and everything else with it.
const END: Duration = Duration::from_secs(5);

/// Starts programs under limits, each by a helper of its own.
#[derive(Clone, Debug)]
pub struct Sandbox {
    limits: Limits,
    folder: Option<PathBuf>,
    without: Vec<Mechanism>,
    strict: bool,
    helper: PathBuf,
}

impl Default for Sandbox {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            folder: None,
            without: Vec::new(),
            strict: false,
            helper: PathBuf::from("/proc/self/exe"),
        }
    }
}

impl Sandbox {
    /// A sandbox for the program whose folder is `folder`: it starts there, and may read what is in it. A program without a folder
    /// starts in its scratch folder.
    ///
    /// # Errors
    /// If there is no such folder, or it is the root folder.
    pub fn new(limits: Limits, folder: Option<&Path>) -> io::Result<Self> {
        let folder = folder.map(own_folder).transpose()?;
        Ok(Self { limits, folder, ..Self::default() })
    }

    /// Refuses to start programs unless every limit can be enforced, and memory by a control group.
    pub fn strict(self) -> Self {
        Self { strict: true, ..self }
    }

    /// Leaves out a mechanism, as if this machine had none such.
    pub fn without(mut self, mechanism: Mechanism) -> Self {
        self.without.push(mechanism);
        self
    }

    /// Names the executable that helpers run: one that calls [`run_helper_if_asked`](crate::run_helper_if_asked). By default it
    /// is that of this process.
    pub fn helper(self, executable: impl Into<PathBuf>) -> Self {
        Self { helper: executable.into(), ..self }
    }

    /// The mechanisms that work on this machine, tried out.
    ///
    /// # Errors
    /// If no helper can be started.
    pub fn mechanisms(&self) -> io::Result<Vec<Mechanism>> {
        let order = Order { program: None, strict: false, ..self.order(Needs::default(), &[]) };
        let (_launched, mechanisms) = self.start(&order)?;
        Ok(mechanisms)
    }

    fn order(&self, needs: Needs, arguments: &[String]) -> Order {
        let environment = environment(&needs, self.limits.threads);
        Order {
            program: Some(needs.program),
            arguments: arguments.to_vec(),
            environment,
            folder: self.folder.clone(),
            readable: needs.readable,
            limits: self.limits,
            without: self.without.clone(),
            strict: self.strict,
        }
    }

    fn start(&self, order: &Order) -> io::Result<(Launched, Vec<Mechanism>)> {
        let (control, theirs) = UnixStream::pair()?;
        let (stdin_of_it, stdin) = io::pipe()?;
        let (stdout, stdout_of_it) = io::pipe()?;
        let (stderr, stderr_of_it) = io::pipe()?;
        let mut builder = Command::new(&self.helper);
        // A process group of its own, so that Ctrl-C reaches us alone and games are ended in order.
        builder
            .arg(HELPER)
            .env_clear()
            .process_group(0)
            .stdin(Stdio::from(std::os::fd::OwnedFd::from(theirs)));
        builder.stdout(Stdio::null()).stderr(Stdio::null());
        // It makes its scratch folder where we would.
        builder.envs(env::var_os("TMPDIR").map(|folder| ("TMPDIR", folder)));
        let mut life = Confined {
            helper: builder.spawn()?,
            control,
            unread: Vec::new(),
            offence: None,
            notes: Vec::new(),
            memory: None,
            ended: None,
            is_reaped: false,
        };
        // From here on the helper is ended whatever happens.
        drop(builder);
        let pipes = [stdin_of_it.as_fd(), stdout_of_it.as_fd(), stderr_of_it.as_fd()];
        send_order(&life.control, order, &pipes)?;
        life.control.set_read_timeout(Some(START))?;
        let mechanisms = match life.next_report()? {
            Some(Report::Started(mechanisms)) => mechanisms,
            Some(Report::Failed(fault)) => return Err(io::Error::other(fault)),
            Some(Report::Unready(fault)) => return Err(OurFault::error(fault)),
            other => {
                let fault = format!(
                    "the sandbox helper {} failed ({other:?})",
                    quote(&self.helper.to_string_lossy())
                );
                return Err(OurFault::error(fault));
            }
        };
        life.control.set_nonblocking(true)?;
        let launched = Launched {
            stdin: Box::new(stdin),
            stdout: Box::new(stdout),
            stderr: Box::new(stderr),
            life: Box::new(life),
        };
        Ok((launched, mechanisms))
    }
}

impl Launcher for Sandbox {
    fn launch(&self, command: &CommandLine) -> io::Result<Launched> {
        let needs = Needs::of(command, self.folder.as_deref())?;
        let order = self.order(needs, &command.arguments);
        // Whatever the system refuses us until the helper answers is no fault of the program's.
        let (launched, mechanisms) = self.start(&order).map_err(|error| match error.get_ref() {
            Some(_) => error,
            None => OurFault::error(format!("the sandbox helper cannot be used: {error}")),
        })?;
        debug_assert!(!self.strict || Capabilities::of(mechanisms).doubts().is_empty());
        Ok(launched)
    }
}

/// The real path of a program's folder.
fn own_folder(folder: &Path) -> io::Result<PathBuf> {
    let fail =
        |fault: String| io::Error::other(format!("the folder {} {fault}", quote(&folder.to_string_lossy())));
    let real = folder.canonicalize().map_err(|error| fail(format!("cannot be used: {error}")))?;
    if !real.is_dir() {
        return Err(fail("is not a folder".to_owned()));
    }
    if real.parent().is_none() {
        return Err(fail("holds the whole system: an agent needs a folder of its own".to_owned()));
    }
    Ok(real)
}

/// What a program finds in its environment, besides its scratch folder.
fn environment(needs: &Needs, threads: u32) -> Vec<(String, String)> {
    let usual = ["/usr/local/bin", "/usr/bin", "/bin"].map(PathBuf::from);
    let mut search = needs.search.clone();
    search.extend(usual);
    search.dedup();
    let search = env::join_paths(search).unwrap_or_default().to_string_lossy().into_owned();
    let threads = threads.to_string();
    let mut variables = vec![
        ("PATH", search.as_str()),
        ("USER", "agent"),
        ("LOGNAME", "agent"),
        ("LANG", "C.UTF-8"),
        // Its own folder is read-only.
        ("PYTHONDONTWRITEBYTECODE", "1"),
    ];
    // Libraries that would otherwise start a thread per core, which is an offence.
    for name in [
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "NUMEXPR_NUM_THREADS",
        "RAYON_NUM_THREADS",
    ] {
        variables.push((name, &threads));
    }
    variables.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// Sends the order, and with it the ends of the pipes that the program is to have.
fn send_order(control: &UnixStream, order: &Order, pipes: &[BorrowedFd]) -> io::Result<()> {
    let mut line = serde_json::to_vec(order)?;
    line.push(b'\n');
    if line.len() > MAX_LINE {
        return Err(io::Error::other("the command line is too long"));
    }
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    ancillary.push(SendAncillaryMessage::ScmRights(pipes));
    let sent = sendmsg(control, &[IoSlice::new(&line)], &mut ancillary, SendFlags::NOSIGNAL)?;
    io::Write::write_all(&mut &*control, &line[sent..])
}

/// The life of a program in its sandbox.
struct Confined {
    helper: Child,
    control: UnixStream,
    unread: Vec<u8>,
    offence: Option<(Offence, String)>,
    notes: Vec<String>,
    memory: Option<u64>,
    ended: Option<ExitStatus>,
    is_reaped: bool,
}

impl Confined {
    /// The next report; `None` if the helper is gone.
    ///
    /// # Errors
    /// If there is none yet.
    fn next_report(&mut self) -> io::Result<Option<Report>> {
        loop {
            if let Some(end) = self.unread.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.unread.drain(..=end).collect();
                return Ok(Some(serde_json::from_slice(&line)?));
            }
            let mut chunk = [0; 1024];
            match self.control.read(&mut chunk) {
                Ok(0) => return Ok(None),
                Ok(length) => self.unread.extend(&chunk[..length]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Takes note of every report that is there. False if no more will come.
    fn catch_up(&mut self) -> bool {
        loop {
            match self.next_report() {
                Ok(Some(Report::Offence(offence, how))) => {
                    self.offence.get_or_insert((offence, how));
                }
                Ok(Some(Report::Note(note))) => self.notes.push(note),
                Ok(Some(Report::Used(memory))) => self.memory = Some(memory),
                Ok(Some(Report::Ended(status))) => self.ended = Some(ExitStatus::from_raw(status)),
                Ok(Some(_)) => {}
                Ok(None) => return false,
                Err(error) => {
                    let is_early =
                        matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut);
                    return is_early;
                }
            }
        }
    }
}

impl Life for Confined {
    fn has_ended(&mut self) -> bool {
        !self.catch_up() || self.ended.is_some()
    }

    fn end(&mut self) -> Option<ExitStatus> {
        if !self.is_reaped {
            self.is_reaped = true;
            // The helper ends everything when it hears no more from us, and hangs up when that is done.
            let _ = self.control.shutdown(Shutdown::Write);
            let _ = self.control.set_nonblocking(false);
            let _ = self.control.set_read_timeout(Some(END));
            if self.catch_up() {
                let _ = self.helper.kill();
            }
            let is_done = self.helper.wait().is_ok_and(|status| status.success());
            if !is_done {
                clean_up_after(self.helper.id());
            }
        }
        self.ended
    }

    fn offence(&mut self) -> Option<(Offence, String)> {
        if !self.is_reaped {
            self.catch_up();
        }
        self.offence.clone()
    }

    fn effort(&mut self) -> Effort {
        let processor = (!self.is_reaped).then(|| processor_time(self.helper.id()));
        Effort { processor, ..Effort::of_machine() }
    }

    fn notes(&mut self) -> Vec<String> {
        if !self.is_reaped {
            self.catch_up();
        }
        self.notes.clone()
    }

    fn memory(&mut self) -> Option<u64> {
        self.memory
    }
}

impl Drop for Confined {
    fn drop(&mut self) {
        self.end();
    }
}
