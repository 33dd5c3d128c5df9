//! The peer of the playout comparison: OpenSpiel as its users run it, from Python.
//!
//! The Python program is started once and waits without working while it is not its turn.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use agon_core::playout::Tally;
use anyhow::{Context, Result, bail};

/// The Python program, part of this binary so that it runs from any directory.
const SCRIPT: &str = include_str!("../open_spiel_playouts.py");

/// A running OpenSpiel.
#[derive(Debug)]
pub struct OpenSpiel {
    process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// The peer's name and version, as reports print it.
    pub name: String,
}

impl OpenSpiel {
    /// Starts it by the interpreter `python`.
    pub fn start(python: &Path) -> Result<Self> {
        let mut process = Command::new(python)
            .args(["-c", SCRIPT])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", python.display()))?;
        let requests = process.stdin.take().context("no standard input")?;
        let answers = BufReader::new(process.stdout.take().context("no standard output")?);
        let mut peer = Self { process, requests, answers, name: String::new() };
        let greeting = peer.answer()?;
        let version = greeting.trim_end().strip_prefix("ready ").context("no greeting")?;
        peer.name = format!("OpenSpiel {version}");
        Ok(peer)
    }

    /// Has it play `game`, in its own words for it, for at least `time`: what it played, and how
    /// long that took.
    pub fn play(&mut self, game: &str, time: Duration) -> Result<(Tally, Duration)> {
        writeln!(self.requests, "{} {game}", time.as_secs_f64())?;
        self.requests.flush()?;
        let answer = self.answer()?;
        let [games, plies, seconds] = answer.split_whitespace().collect::<Vec<_>>()[..] else {
            bail!("unexpected answer {answer:?}");
        };
        let tally = Tally { games: games.parse()?, plies: plies.parse()? };
        Ok((tally, Duration::try_from_secs_f64(seconds.parse()?)?))
    }

    fn answer(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.answers.read_line(&mut line)? == 0 {
            bail!("it ended without an answer");
        }
        Ok(line)
    }
}

impl Drop for OpenSpiel {
    fn drop(&mut self) {
        // It holds nothing that a hard end could harm, and must not outlive the run.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
