//! Everything that is said between us and an agent, written down, so that its author can look at it and say it again.
//!
//! A [`Recorder`] starts programs like the launcher in it, and listens at the pipes. No protocol has to know of it.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::process::ExitStatus;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use agon_erased::Offence;
use agon_players::external::{CommandLine, Effort, Launched, Launcher, Life};

/// How much of what is said is kept, in bytes. More than whole games on the largest boards need.
const MAX_KEPT: usize = 16 << 20;
/// How much of standard error is kept for findings.
const MAX_ERRORS: usize = 4 << 10;
/// How many lines of it are shown.
const SHOWN_ERRORS: usize = 6;

/// What an agent was told, and what came of it.
#[derive(Clone, Debug, Default)]
pub struct Dialogue {
    /// Both sides line by line, each with its time in seconds: `>` is what the agent was told, `<` what it answered, `!` what it wrote to
    /// standard error.
    pub text: String,
    /// What the agent was told, as it was sent: the same input has a program say the same again. Empty if it was too long to be kept.
    pub input: Vec<u8>,
}

/// A launcher that listens.
#[derive(Clone)]
pub(super) struct Recorder {
    launcher: Arc<dyn Launcher>,
    record: Arc<Mutex<Record>>,
}

/// What was heard of one program.
struct Record {
    began: Instant,
    dialogue: Dialogue,
    is_full: bool,
    /// The end of its standard error.
    errors: VecDeque<u8>,
    ended_by_itself: bool,
    memory: Option<u64>,
    notes: Vec<String>,
}

impl Recorder {
    /// Listens to the next program that `launcher` starts.
    pub(super) fn new(launcher: &Arc<dyn Launcher>) -> Self {
        let record = Record {
            began: Instant::now(),
            dialogue: Dialogue::default(),
            is_full: false,
            errors: VecDeque::new(),
            ended_by_itself: false,
            memory: None,
            notes: Vec::new(),
        };
        Self { launcher: Arc::clone(launcher), record: Arc::new(Mutex::new(record)) }
    }

    fn record(&self) -> MutexGuard<'_, Record> {
        lock(&self.record)
    }

    /// What was said.
    pub(super) fn dialogue(&self) -> Dialogue {
        self.record().dialogue.clone()
    }

    /// Whether the program ended before it was ended.
    pub(super) fn ended_by_itself(&self) -> bool {
        self.record().ended_by_itself
    }

    /// The most memory that the program has used, if that is known. It is once it has ended.
    pub(super) fn memory(&self) -> Option<u64> {
        self.record().memory
    }

    /// What its launcher noted about it, once it has ended.
    pub(super) fn notes(&self) -> Vec<String> {
        self.record().notes.clone()
    }

    /// The last lines of its standard error.
    pub(super) fn last_words(&self) -> Vec<String> {
        let bytes: Vec<u8> = self.record().errors.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<String> = text.lines().filter(|line| !line.trim().is_empty()).map(printable).collect();
        lines[lines.len().saturating_sub(SHOWN_ERRORS)..].to_vec()
    }
}

fn lock(record: &Mutex<Record>) -> MutexGuard<'_, Record> {
    record.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A line without the control characters by which it could take over a terminal.
fn printable(line: &str) -> String {
    line.chars()
        .map(|char| if char.is_control() && char != '\t' { '\u{fffd}' } else { char })
        .take(200)
        .collect()
}

impl Launcher for Recorder {
    fn launch(&self, command: &CommandLine) -> io::Result<Launched> {
        let Launched { stdin, stdout, stderr, life } = self.launcher.launch(command)?;
        self.record().began = Instant::now();
        Ok(Launched {
            stdin: Box::new(Tap::new(stdin, '>', self)),
            stdout: Box::new(Tap::new(stdout, '<', self)),
            stderr: Box::new(Tap::new(stderr, '!', self)),
            life: Box::new(Witnessed { life, is_over: false, record: Arc::clone(&self.record) }),
        })
    }
}

/// A pipe that is listened to.
struct Tap<T> {
    pipe: T,
    sign: char,
    record: Arc<Mutex<Record>>,
    /// What has come of a line whose end has not.
    line: Vec<u8>,
}

impl<T> Tap<T> {
    fn new(pipe: T, sign: char, recorder: &Recorder) -> Self {
        Self { pipe, sign, record: Arc::clone(&recorder.record), line: Vec::new() }
    }

    fn heard(&mut self, bytes: &[u8]) {
        let mut record = lock(&self.record);
        match self.sign {
            '>' if record.dialogue.input.len() + bytes.len() <= MAX_KEPT => {
                record.dialogue.input.extend(bytes)
            }
            '>' => record.is_full = true,
            '!' => {
                record.errors.extend(bytes);
                let excess = record.errors.len().saturating_sub(MAX_ERRORS);
                record.errors.drain(..excess);
            }
            _ => {}
        }
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            // A line without end is written down as far as there is room.
            self.line.extend(&part[..part.len().min(MAX_KEPT - self.line.len().min(MAX_KEPT))]);
            if part.ends_with(b"\n") {
                record.write(self.sign, &std::mem::take(&mut self.line));
            }
        }
        if record.is_full {
            record.dialogue.input = Vec::new();
        }
    }
}

impl<T> Drop for Tap<T> {
    fn drop(&mut self) {
        if !self.line.is_empty() {
            lock(&self.record).write(self.sign, &std::mem::take(&mut self.line));
        }
    }
}

impl Record {
    fn write(&mut self, sign: char, line: &[u8]) {
        let text = &mut self.dialogue.text;
        if text.len() + line.len() > MAX_KEPT {
            self.is_full = true;
            return;
        }
        let shown: String = String::from_utf8_lossy(line)
            .trim_end_matches(['\n', '\r'])
            .chars()
            .map(|char| if char.is_control() && char != '\t' { '\u{fffd}' } else { char })
            .collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:9.3} {sign} {shown}", self.began.elapsed().as_secs_f64());
    }
}

impl<T: Write> Write for Tap<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.pipe.write(bytes)?;
        self.heard(&bytes[..length]);
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pipe.flush()
    }
}

impl<T: Read> Read for Tap<T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let length = self.pipe.read(bytes)?;
        self.heard(&bytes[..length]);
        Ok(length)
    }
}

/// A program of whose end something is remembered.
struct Witnessed {
    life: Box<dyn Life>,
    is_over: bool,
    record: Arc<Mutex<Record>>,
}

impl Life for Witnessed {
    fn has_ended(&mut self) -> bool {
        self.life.has_ended()
    }

    fn end(&mut self) -> Option<ExitStatus> {
        let by_itself = self.life.has_ended();
        let status = self.life.end();
        if !self.is_over {
            self.is_over = true;
            let mut record = lock(&self.record);
            record.ended_by_itself = by_itself;
            record.notes = self.life.notes();
            record.memory = self.life.memory();
        }
        status
    }

    fn offence(&mut self) -> Option<(Offence, String)> {
        self.life.offence()
    }

    fn effort(&mut self) -> Effort {
        self.life.effort()
    }

    fn notes(&mut self) -> Vec<String> {
        self.life.notes()
    }

    fn memory(&mut self) -> Option<u64> {
        self.life.memory()
    }
}

impl Drop for Witnessed {
    fn drop(&mut self) {
        self.end();
    }
}
