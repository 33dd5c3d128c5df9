//! Talking to an agent so that nothing it does is missed: every line with the moment it came, and how it ended.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::ExitStatus;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use agon_erased::Offence;
use agon_players::external::{CommandLine, Launched, Launcher, Life};

/// The longest line that is taken, in bytes.
const MAX_LINE: u64 = 64 << 10;
/// How many lines wait for us before the agent must.
const LINES_WAITING: usize = 64;
/// How long an agent that has closed its output is given to end, so that its end can be named.
const LAST_BREATH: Duration = Duration::from_secs(1);

/// What an agent has written on its standard output.
#[derive(Debug)]
pub(super) enum Heard {
    /// A line, and when it came.
    Line(String, Instant),
    /// Something that is no line, in words; nothing is read after it.
    Garbage(&'static str),
    /// The beginning of a line, after which the output was closed.
    Half,
}

/// Why nothing was heard.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Silence {
    /// The time is up.
    Late,
    /// The agent has closed its output.
    Ended,
}

/// How an agent behaved after its input was closed.
#[derive(Debug)]
pub(super) struct Farewell {
    /// What it still wrote.
    pub(super) said: Option<Heard>,
    /// Whether it ended by itself in time.
    pub(super) ended: bool,
}

/// A running agent.
pub(super) struct Conversation {
    life: Box<dyn Life>,
    input: Option<Sender<String>>,
    output: Receiver<Heard>,
}

impl Conversation {
    /// Starts an agent.
    pub(super) fn start(command: &CommandLine, launcher: &dyn Launcher) -> io::Result<Self> {
        let Launched { stdin, stdout, mut stderr, life } = launcher.launch(command)?;
        let (input, messages) = mpsc::channel();
        let (lines, output) = mpsc::sync_channel(LINES_WAITING);
        thread::Builder::new().spawn(move || write_all(stdin, &messages))?;
        thread::Builder::new().spawn(move || read_lines(stdout, &lines))?;
        // Whoever starts programs may listen to it.
        thread::Builder::new().spawn(move || io::copy(&mut stderr, &mut io::sink()))?;
        Ok(Self { life, input: Some(input), output })
    }

    /// Says a line. One that the agent never reads is not waited for.
    pub(super) fn say(&self, line: String) {
        if let Some(input) = &self.input {
            // An agent that has ended is found out when it does not answer.
            let _ = input.send(line + "\n");
        }
    }

    /// What the agent has written without being asked since the last answer.
    pub(super) fn unasked(&self) -> Option<Heard> {
        self.output.try_recv().ok()
    }

    /// The next thing that it writes.
    pub(super) fn hear(&self, deadline: Instant) -> Result<Heard, Silence> {
        match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(heard) => Ok(heard),
            Err(RecvTimeoutError::Timeout) => Err(Silence::Late),
            Err(RecvTimeoutError::Disconnected) => Err(Silence::Ended),
        }
    }

    /// Closes the agent's input and waits until it has ended, but no longer than `grace`.
    pub(super) fn close(&mut self, grace: Duration) -> Farewell {
        self.input = None;
        let deadline = Instant::now() + grace;
        let said = self.hear(deadline).ok();
        let ended = self.wait(deadline);
        Farewell { said, ended }
    }

    /// How it ended; `None` if that had to be forced.
    pub(super) fn exit_status(&mut self) -> Option<ExitStatus> {
        let by_itself = self.wait(Instant::now() + LAST_BREATH);
        let status = self.life.end();
        status.filter(|_| by_itself)
    }

    fn wait(&mut self, deadline: Instant) -> bool {
        loop {
            if self.life.has_ended() {
                return true;
            }
            if Instant::now() >= deadline {
                return false;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// The first limit that it has broken, and how.
    pub(super) fn offence(&mut self) -> Option<(Offence, String)> {
        self.life.offence()
    }

    /// What it tried in vain, a sentence each, without blame.
    pub(super) fn notes(&mut self) -> Vec<String> {
        self.life.notes()
    }
}

fn write_all(mut stdin: impl Write, messages: &Receiver<String>) {
    for message in messages {
        if stdin.write_all(message.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: impl Read, lines: &SyncSender<Heard>) {
    let mut input = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let read = input.by_ref().take(MAX_LINE + 1).read_until(b'\n', &mut line);
        if !read.is_ok_and(|length| length > 0) {
            return;
        }
        let arrived = Instant::now();
        let heard = match line.strip_suffix(b"\n").map(|text| String::from_utf8(text.to_vec())) {
            Some(Ok(text)) => Heard::Line(text.trim_end_matches('\r').to_owned(), arrived),
            Some(Err(_)) => Heard::Garbage("a line that is not UTF-8"),
            None if line.len() as u64 > MAX_LINE => Heard::Garbage("a line of more than 64 KiB"),
            None => Heard::Half,
        };
        let is_last = !matches!(heard, Heard::Line(..));
        if lines.send(heard).is_err() || is_last {
            return;
        }
    }
}
