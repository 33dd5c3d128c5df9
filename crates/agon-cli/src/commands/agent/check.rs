//! `agon agent check`: what would cost an agent its games.

use std::collections::BTreeSet;
use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use agon_agents::check::{Finding, Subject, Trial, check};
use agon_agents::program::least_threads;
use agon_agents::submissions;
use agon_arena::tournament::resolve_command;
use agon_core::text::{counted, duration_text};
use agon_erased::GameEntry;
use agon_players::external::CommandLine;
use agon_registry::GAMES;
use agon_sandbox::{Capabilities, Limits, Sandbox};
use serde_json::json;

use crate::game_args::game_help;
use crate::layout::{entry, width};
use crate::temporary::TemporaryFolder;
use crate::times::duration_argument;

/// The protocol that agents are checked in.
const PROTOCOL: &str = "jsonl";

/// `agon agent check`
#[derive(clap::Args)]
#[command(after_help = "Examples:
  agon agent check 'python3 -m agon_agent agent.py' --game loa
  agon agent check ./agent --game othello --options size=10 --time 1s
  agon agent check . --game loa            the submission in this folder, as it would be imported

The exit code is 1 if the agent would lose games by its own fault, otherwise 0.")]
pub(crate) struct Args {
    /// The agent's command, in quotes, as a referee runs it; or a folder or ZIP with a submission
    #[arg(value_name = "CMD")]
    command: String,
    #[arg(long, value_delimiter = ',', help = game_help() + ", or several of them separated by commas [default: all]")]
    game: Vec<String>,
    /// Options of the game, as key=value separated by commas [default: all kinds of them]
    #[arg(long, value_name = "OPTIONS", requires = "game")]
    options: Option<String>,
    /// Time for a move
    #[arg(long, value_parser = duration_argument, default_value = "200ms", value_name = "TIME")]
    time: Duration,
    /// Time for getting ready
    #[arg(long, value_parser = duration_argument, default_value = "10s", value_name = "TIME")]
    setup: Duration,
    /// Threads that it may have [default: 1, or 64 for Java and Node, which have some of their own]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Seed of the other players' moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        // Lives until the last trial has ended.
        let copy = TemporaryFolder::new("check")?;
        let (command, folder) = self.program(copy.path())?;
        let games: Vec<&GameEntry> = if self.game.is_empty() {
            GAMES.iter().collect()
        } else {
            self.game.iter().map(|game| GAMES.find(game)).collect::<Result<_, _>>()?
        };
        // As in tournaments: the same limits, the same folder.
        let threads = self.threads.unwrap_or_else(|| least_threads(&command.program));
        let sandbox = Sandbox::new(Limits { threads, ..Limits::default() }, folder.as_deref())?;
        for missing in Capabilities::detect().missing() {
            let _ = writeln!(io::stderr(), "warning: {missing} This is not checked.");
        }
        let subject = Subject {
            command: &command,
            launcher: &sandbox,
            time: self.time,
            setup: self.setup,
            seed: self.seed,
        };
        let mut trials = Vec::new();
        for game in &games {
            let mut printer = Printer::default();
            if !self.json {
                writeln!(out, "{}, {} per move", game.spec.title(), duration_text(self.time))?;
            }
            // Whoever watches sees each trial as it ends; a reader who has gone is noticed at the end.
            let mut tell = |trial: &Trial| {
                if !self.json {
                    let _ = printer.print(trial, out).and_then(|()| out.flush());
                }
            };
            trials.extend(check(&subject, game, self.options.as_deref(), &mut tell)?);
        }
        let failed = trials.iter().filter(|trial| !trial.ok).count();
        if self.json {
            let report = json!({"command": self.command, "ok": failed == 0, "trials": trials});
            writeln!(out, "{report}")?;
        } else if failed == 0 {
            writeln!(
                out,
                "\nNothing was found in {} that would cost this agent a game.",
                counted(trials.len(), "trial")
            )?;
        } else if self.game.is_empty() {
            writeln!(
                out,
                "\nIf the agent is not meant to play all of these games, name those that it plays: --game loa"
            )?;
        }
        out.flush()?;
        anyhow::ensure!(
            failed == 0,
            "this agent would lose games by its own fault: {failed} of {} failed",
            counted(trials.len(), "trial")
        );
        Ok(())
    }

    /// The agent's program and its folder: those of a command, or of a submission, of which a copy is made as an import would make it.
    fn program(&self, copy: &Path) -> anyhow::Result<(CommandLine, Option<PathBuf>)> {
        let path = Path::new(&self.command);
        let fail = |fault: String| anyhow::anyhow!("{}: {fault}", self.command);
        let is_zip = path.is_file() && path.extension().is_some_and(|end| end.eq_ignore_ascii_case("zip"));
        let words = if path.is_dir() || is_zip {
            let entry = submissions::copy(path, copy).map_err(fail)?;
            anyhow::ensure!(
                entry.protocol == PROTOCOL,
                "{}: its agent.toml says that it speaks {}; only agents that speak {PROTOCOL} can be checked",
                self.command,
                entry.protocol
            );
            entry.from(&copy.display().to_string())
        } else {
            CommandLine::words(&self.command).map_err(fail)?
        };
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        resolve_command(&words, &env::current_dir()?).map_err(|(_, fault)| {
            let is_python = self.command.ends_with(".py") && path.is_file();
            let hint = format!("; try 'python3 -m agon_agent {}'", self.command);
            anyhow::anyhow!("{fault}{}", if is_python { hint.as_str() } else { "" })
        })
    }
}

/// Tells people of trials, and of nothing twice.
#[derive(Default)]
struct Printer {
    /// The options of the first trial.
    usual: Option<String>,
    /// What was said already about mending.
    fixes: BTreeSet<String>,
}

impl Printer {
    fn print(&mut self, trial: &Trial, out: &mut impl Write) -> io::Result<()> {
        let verdict = match &trial.finding {
            None => "ok",
            Some(finding) if finding.costs_games() => "LOSS",
            Some(_) => "note",
        };
        let mut text = format!("{} {}", trial.seat, trial.trial);
        let usual = self.usual.get_or_insert_with(|| trial.options.clone());
        if *usual != trial.options {
            text += &format!(" ({})", trial.options);
        }
        if trial.moves > 0 {
            text += &format!(": {}, slowest {:.3} s", counted(trial.moves, "move"), trial.slowest);
        }
        entry(2, verdict, 8, &text, width(), out)?;
        let Some(Finding { reason, what, fix, errors }) = &trial.finding else { return Ok(()) };
        let reason = reason.map_or_else(String::new, |reason| format!(" Reason in the table: {reason}."));
        entry(8, "", 8, &format!("{what}{reason}"), width(), out)?;
        for line in errors {
            writeln!(out, "        | {line}")?;
        }
        if self.fixes.insert(fix.clone()) {
            entry(8, "", 8, &format!("To fix it: {fix}"), width(), out)?;
        }
        Ok(())
    }
}
