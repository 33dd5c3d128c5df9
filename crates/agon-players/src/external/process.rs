//! A program of somebody else's as a child process: we write lines and read lines, and nothing that it does holds us up.
//!
//! Three threads stand between it and us: one writes, because a program that does not read would block us; one reads lines, none
//! longer than [`MAX_LINE`], notes when each arrived, and waits when we do not take them, so that a flood drowns nobody; one keeps the
//! end of what it says on standard error, for the message about its failure. Both readers also feed the [`Transcript`], if there is one.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use agon_core::text::quote;
use agon_erased::Offence;

use super::effort::Effort;
use super::launcher::{Launched, Life};
use super::transcript::{Stream, Transcript};

/// The longest line that a program may say, in bytes.
const MAX_LINE: usize = 64 << 10;
/// How many lines wait for us before the program must.
const LINES_WAITING: usize = 16;
/// How many messages may wait for a program that does not read.
const MESSAGES_WAITING: usize = 64;
/// How much of standard error is kept.
const MAX_ERRORS: usize = 4 << 10;
/// How often somebody who waits looks whether it should stop.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// How long a program that has closed its output is given to end by itself and to be heard, so that its end can be named.
const LAST_BREATH: Duration = Duration::from_secs(1);

/// Why there is no line from a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoLine {
    /// It took too long.
    Late,
    /// We were told to stop waiting.
    Stopped,
    /// It has ended.
    Ended(String),
    /// It has sent something that is not a line.
    Garbage(String),
    /// It does not read what it is told.
    Deaf,
}

enum Output {
    /// A line, and when it arrived.
    Line(String, Instant),
    /// It ended in the middle of a line; nothing is read after it.
    Cut,
    /// Something that is not a line; nothing is read after it.
    Garbage(String),
}

/// How long standard error is left unread after each piece once the transcript is full: a flood must not keep us busy.
const FLOOD_PAUSE: Duration = Duration::from_millis(10);

/// A running program.
pub(crate) struct Process {
    life: Box<dyn Life>,
    input: Option<SyncSender<String>>,
    output: Receiver<Output>,
    /// When the line that was received last had arrived.
    heard: Instant,
    errors: Arc<Mutex<VecDeque<u8>>>,
    /// The thread that keeps them.
    listener: JoinHandle<()>,
    transcript: Option<Arc<Transcript>>,
}

impl Process {
    /// Talks to a program that has just been started.
    ///
    /// # Errors
    /// If the system has no threads for it; the program is then ended.
    pub(crate) fn new(launched: Launched, transcript: Option<Arc<Transcript>>) -> io::Result<Self> {
        let Launched { stdin, stdout, stderr, life } = launched;
        let (input, messages) = mpsc::sync_channel(MESSAGES_WAITING);
        let (lines, output) = mpsc::sync_channel(LINES_WAITING);
        let errors = Arc::default();
        let kept = Arc::clone(&errors);
        thread::Builder::new().spawn(move || write_messages(stdin, &messages))?;
        let copy = transcript.clone();
        thread::Builder::new().spawn(move || read_lines(stdout, &lines, copy.as_deref()))?;
        let copy = transcript.clone();
        let listener = thread::Builder::new().spawn(move || keep_errors(stderr, &kept, copy.as_deref()))?;
        Ok(Self { life, input: Some(input), output, heard: Instant::now(), errors, listener, transcript })
    }

    /// Says a line.
    ///
    /// # Errors
    /// If the program has ended or does not read.
    pub(crate) fn send(&mut self, line: &str) -> Result<(), NoLine> {
        let sent = self.input.as_ref().map(|input| input.try_send(format!("{line}\n")));
        match sent {
            Some(Ok(())) => Ok(()),
            Some(Err(mpsc::TrySendError::Full(_))) => Err(NoLine::Deaf),
            _ => Err(self.ended()),
        }
    }

    /// The next line that the program says, if it comes before `deadline` and before `stop` is set.
    ///
    /// # Errors
    /// If it does not.
    pub(crate) fn receive(&mut self, deadline: Instant, stop: Option<&AtomicBool>) -> Result<String, NoLine> {
        loop {
            if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Err(NoLine::Stopped);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let wait = if stop.is_some() { left.min(LOOK_EVERY) } else { left };
            match self.output.recv_timeout(wait) {
                // Whoever never stops talking would otherwise be listened to for ever.
                Ok(Output::Line(_, arrived)) if arrived > deadline => return Err(NoLine::Late),
                Ok(output) => return self.take(output),
                // A line that is there by now may have come in time: when it did, it says itself.
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(NoLine::Late),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
            }
        }
    }

    /// A line that the program has said already.
    ///
    /// # Errors
    /// If it has ended, or has sent something that is not a line.
    pub(crate) fn said(&mut self) -> Result<Option<String>, NoLine> {
        match self.output.try_recv() {
            Ok(output) => self.take(output).map(Some),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(self.ended()),
        }
    }

    /// When the line that was received last had arrived: a moment that does not depend on how busy we are.
    pub(crate) fn heard(&self) -> Instant {
        self.heard
    }

    fn take(&mut self, output: Output) -> Result<String, NoLine> {
        match output {
            Output::Line(line, arrived) => {
                self.heard = arrived;
                Ok(line)
            }
            Output::Garbage(fault) => Err(NoLine::Garbage(fault)),
            Output::Cut => Err(match self.ended() {
                NoLine::Ended(how) => NoLine::Ended(format!("{how}, in the middle of a line")),
                other => other,
            }),
        }
    }

    /// Closes the program's input and lets it end by itself for as long as `grace`; then it is ended.
    pub(crate) fn close(mut self, grace: Duration) {
        self.input = None;
        wait_until(grace, || self.life.has_ended());
    }

    /// The fault of a program that has closed its output, with its last words.
    fn ended(&mut self) -> NoLine {
        let by_itself = wait_until(LAST_BREATH, || self.life.has_ended());
        let status = self.life.end();
        wait_until(LAST_BREATH, || self.listener.is_finished());
        let how = match (by_itself, status) {
            (true, Some(status)) => format!("it ended ({status})"),
            _ => "it closed its output".to_owned(),
        };
        // Where there is a transcript, it is for the author, and this sentence for everybody.
        NoLine::Ended(match self.last_words().filter(|_| self.transcript.is_none()) {
            Some(words) => format!("{how}; the last line of its standard error was {}", quote(&words)),
            None => how,
        })
    }

    /// The first limit that the program has broken, and how, as far as its launcher knows.
    pub(crate) fn offence(&mut self) -> Option<(Offence, String)> {
        self.life.offence()
    }

    /// What the program has cost so far.
    pub(crate) fn effort(&mut self) -> Effort {
        self.life.effort()
    }

    /// Tells the author something about the program.
    pub(crate) fn note(&self, note: &str) {
        if let Some(transcript) = &self.transcript {
            transcript.keep(Stream::Note, format!("{note}\n").as_bytes());
        }
    }

    /// The last line that the program has said on standard error.
    pub(crate) fn last_words(&self) -> Option<String> {
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = errors.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        text.lines().map(str::trim).rfind(|line| !line.is_empty()).map(str::to_owned)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.input = None;
        self.life.end();
        for note in self.life.notes() {
            self.note(&note);
        }
    }
}

/// Waits until something `is_so`, but no longer than `grace`, and says whether it is.
fn wait_until(grace: Duration, mut is_so: impl FnMut() -> bool) -> bool {
    let deadline = Instant::now() + grace;
    loop {
        if is_so() {
            return true;
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return false;
        }
        thread::sleep(left.min(Duration::from_millis(2)));
    }
}

fn write_messages(mut stdin: impl Write, messages: &Receiver<String>) {
    for message in messages {
        if stdin.write_all(message.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: impl Read, lines: &SyncSender<Output>, transcript: Option<&Transcript>) {
    let mut input = BufReader::new(stdout);
    let mut line = Vec::new();
    let mut arrived = Instant::now();
    loop {
        line.clear();
        // What came together with the line before was there when that came.
        let is_there = input.buffer().contains(&b'\n');
        // Of a line that never ends no more is awaited than what makes it too long.
        let mut piece = input.by_ref().take(MAX_LINE as u64 + 1);
        if !piece.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
            return;
        }
        if !is_there {
            arrived = Instant::now();
        }
        let output = if let Some(text) = line.strip_suffix(b"\n") {
            match std::str::from_utf8(text) {
                Ok(text) => Output::Line(text.trim_end_matches('\r').to_owned(), arrived),
                Err(_) => Output::Garbage("it printed a line that is not UTF-8".to_owned()),
            }
        } else if line.len() > MAX_LINE {
            Output::Garbage(format!("it printed a line of more than {MAX_LINE} bytes"))
        } else {
            Output::Cut
        };
        let is_last = !matches!(output, Output::Line(..));
        let is_gone = lines.send(output).is_err();
        // After the answer has been handed on: writing the transcript is not to cost the program time.
        if let Some(transcript) = transcript {
            transcript.keep(Stream::Output, &line);
        }
        if is_gone || is_last {
            return;
        }
    }
}

fn keep_errors(mut stderr: impl Read, errors: &Mutex<VecDeque<u8>>, transcript: Option<&Transcript>) {
    let mut chunk = [0; 4096];
    while let Ok(length @ 1..) = stderr.read(&mut chunk) {
        if let Some(transcript) = transcript
            && !transcript.keep(Stream::Error, &chunk[..length])
        {
            thread::sleep(FLOOD_PAUSE);
        }
        let mut errors = errors.lock().unwrap_or_else(PoisonError::into_inner);
        errors.extend(&chunk[..length]);
        let excess = errors.len().saturating_sub(MAX_ERRORS);
        errors.drain(..excess);
    }
}
