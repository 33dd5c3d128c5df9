//! `agon agent check`: what would cost an agent its games.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use std::{env, fs};

use agon_agents::check::{Dialogue, Finding, Subject, Trial, check};
use agon_agents::program::least_threads;
use agon_agents::submissions::{self, CHECK_FOLDER};
use agon_arena::program_keys::memory_amount;
use agon_arena::tournament::{quoted_word, resolve_command};
use agon_core::text::{counted, duration_text};
use agon_erased::GameEntry;
use agon_match::Language;
use agon_players::external::{CommandLine, suits_ugi};
use agon_registry::GAMES;
use agon_sandbox::{Capabilities, Limits, Sandbox};
use serde_json::json;

use crate::game_args::game_help;
use crate::layout::{entry, width};
use crate::temporary::TemporaryFolder;
use crate::times::duration_argument;

/// From this share of its memory on an agent is told that it comes close to the limit.
const CLOSE: f64 = 0.8;

/// `agon agent check`
#[derive(clap::Args)]
#[command(after_help = "Examples:
  agon agent check 'python3 -m agon_agent agent.py' --game loa
  agon agent check ./agent --game othello --options size=10 --time 1s
  agon agent check . --game loa            the submission in this folder, as it would be imported
  agon agent check ugi:./engine --game loa an agent that speaks UGI

What was said when a fault was found first is written to files in the folder agon-check (--save names another one), with a command that
has the agent hear the same again.

The exit code is 1 if the agent would lose games by its own fault, otherwise 0.")]
pub(crate) struct Args {
    /// The agent's command, in quotes, as a referee runs it, after ugi:, gtp: or nboard: if it speaks that; or a folder or ZIP with a submission
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
    /// Memory that it may use
    #[arg(long, value_parser = memory_amount, default_value = "1GB", value_name = "SIZE")]
    memory: u64,
    /// Seed of the other players' moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Folder for what was said when a fault was found
    #[arg(long, value_name = "DIR", default_value = CHECK_FOLDER)]
    save: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        // Lives until the last trial has ended.
        let copy = TemporaryFolder::new("check")?;
        let Agent { command, words, language, folder, place, names } = self.agent(copy.path())?;
        let games = self.games(language)?;
        // As in tournaments: the same limits, the same folder.
        let threads = self.threads.unwrap_or_else(|| least_threads(&command.program));
        let limits = Limits { threads, memory: self.memory, ..Limits::default() };
        let sandbox = Sandbox::new(limits, folder.as_deref())?;
        for missing in Capabilities::detect().missing() {
            let _ = writeln!(io::stderr(), "warning: {missing} This is not checked.");
        }
        let subject = Subject {
            command: &command,
            language,
            launcher: Arc::new(sandbox),
            memory: limits.memory,
            names: &names,
            time: self.time,
            setup: self.setup,
            seed: self.seed,
        };
        let mut saved = Saved::new(self.save.clone(), repeated(&place, &words));
        let mut trials: Vec<Trial> = Vec::new();
        for game in &games {
            let mut printer = Printer::default();
            if !self.json {
                writeln!(out, "{}, {} per move", game.spec.title(), duration_text(self.time))?;
            }
            // Whoever watches sees each trial as it ends; a reader who has gone is noticed at the end.
            let mut tell = |trial: &Trial| {
                let commands = trial.dialogue.as_ref().and_then(|dialogue| saved.save(dialogue));
                if !self.json {
                    let _ = printer.print(trial, commands.as_ref(), out).and_then(|()| out.flush());
                }
            };
            trials.extend(check(&subject, game, self.options.as_deref(), &mut tell)?);
        }
        let failed = trials.iter().filter(|trial| !trial.ok).count();
        let memory = trials.iter().filter_map(|trial| trial.memory).max();
        if self.json {
            let report = json!({
                "command": self.command,
                "ok": failed == 0,
                "memory": memory,
                "memory_limit": limits.memory,
                "dialogues": saved.files,
                "trials": trials,
            });
            writeln!(out, "{report}")?;
        } else {
            writeln!(out)?;
            if let Some(used) = memory {
                writeln!(out, "{}", memory_text(used, limits.memory))?;
            }
            if failed == 0 {
                let trials = counted(trials.len(), "trial");
                writeln!(out, "Nothing was found in {trials} that would cost this agent a game.")?;
            } else if self.game.is_empty() {
                let hint = "If the agent is not meant to play all of these games, name those that it plays: --game loa";
                writeln!(out, "{hint}")?;
            }
        }
        out.flush()?;
        anyhow::ensure!(
            failed == 0,
            "this agent would lose games by its own fault: {failed} of {} failed ({})",
            counted(trials.len(), "trial"),
            tally(&trials)
        );
        Ok(())
    }

    /// The games that the agent is to play.
    fn games(&self, language: Language) -> anyhow::Result<Vec<&'static GameEntry>> {
        let suits = |game: &GameEntry| -> anyhow::Result<()> {
            let rules = game.rules(self.options.as_deref().unwrap_or_default())?;
            match language {
                Language::Ugi if !suits_ugi(&*rules) => {
                    anyhow::bail!(
                        "UGI is for games of two players without chance, and {} is none",
                        game.spec.id
                    )
                }
                Language::Gtp if game.spec.id != agon_protocol::gtp::GAME => {
                    anyhow::bail!("GTP is for Othello only; expected --game {}", agon_protocol::gtp::GAME)
                }
                Language::Nboard if game.spec.id != agon_protocol::nboard::GAME => anyhow::bail!(
                    "the NBoard protocol is for Othello only; expected --game {}",
                    agon_protocol::nboard::GAME
                ),
                _ => Ok(()),
            }
        };
        if self.game.is_empty() {
            return Ok(GAMES.iter().filter(|game| suits(game).is_ok()).collect());
        }
        let named = self.game.iter().map(|name| {
            let game = GAMES.find(name)?;
            suits(game).map(|()| game)
        });
        named.collect()
    }

    /// The agent of a command, or of a submission, of which a copy is made as an import would make it.
    fn agent(&self, copy: &Path) -> anyhow::Result<Agent> {
        let path = Path::new(&self.command);
        let fail = |fault: String| anyhow::anyhow!("{}: {fault}", self.command);
        let is_zip = path.is_file() && path.extension().is_some_and(|end| end.eq_ignore_ascii_case("zip"));
        let (words, shown, language, names) = if path.is_dir() || is_zip {
            let entry = submissions::copy(path, copy).map_err(fail)?;
            let unknown = || fail(format!("there is no protocol {}", entry.protocol));
            let language = Language::of_name(&entry.protocol).ok_or_else(unknown)?;
            // The copy is ours: its author knows the files by their names.
            let mut names = Vec::new();
            for place in [copy.to_path_buf(), copy.canonicalize()?] {
                names.push((format!("{}/", place.display()), String::new()));
                names.push((place.display().to_string(), ".".to_owned()));
            }
            (entry.from(&copy.display().to_string()), entry.command.clone(), language, names)
        } else {
            let (language, command) = spoken(&self.command);
            let words = CommandLine::words(command).map_err(fail)?;
            (words.clone(), words, language, Vec::new())
        };
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (command, folder) = resolve_command(&words, &env::current_dir()?).map_err(|(_, fault)| {
            let is_python = self.command.ends_with(".py") && path.is_file();
            let hint = format!("; try 'python3 -m agon_agent {}'", self.command);
            let fault = names.iter().fold(fault, |fault, (place, name)| fault.replace(place, name));
            anyhow::anyhow!("{fault}{}", if is_python { hint.as_str() } else { "" })
        })?;
        let place = if path.is_dir() { path.to_path_buf() } else { PathBuf::from(".") };
        Ok(Agent { command, words: shown, language, folder, place, names })
    }
}

/// An agent that is to be checked.
struct Agent {
    command: CommandLine,
    /// The command as its author writes it, in its folder.
    words: Vec<String>,
    language: Language,
    /// The folder that it may read.
    folder: Option<PathBuf>,
    /// The folder in which its author runs it.
    place: PathBuf,
    /// Places that its author does not know, and what to call them.
    names: Vec<(String, String)>,
}

/// The protocol of a command, and the command without its name.
fn spoken(command: &str) -> (Language, &str) {
    let named = command.split_once(':').and_then(|(word, rest)| Some((Language::of_name(word)?, rest)));
    named.unwrap_or((Language::Jsonl, command))
}

/// The beginning of a command by which an author runs the agent again; its input comes after it.
fn repeated(place: &Path, words: &[String]) -> String {
    let own = |word: &String| {
        let is_own = place.join(word).is_file() && !word.contains('/');
        if is_own && word == &words[0] { format!("./{word}") } else { quoted_word(word) }
    };
    let command = words.iter().map(own).collect::<Vec<_>>().join(" ");
    if place == Path::new(".") {
        command
    } else {
        format!("cd {} && {command}", quoted_word(&place.display().to_string()))
    }
}

/// How much memory an agent has used, and whether that is much.
fn memory_text(used: u64, limit: u64) -> String {
    let (shown, share) = (used.div_ceil(1 << 20), used as f64 / limit as f64);
    let percent = (100.0 * share).round();
    let close = "That is close: a longer game, or another machine, may take it over the limit.";
    let more = if share >= CLOSE { format!(" {close}") } else { String::new() };
    format!("It used at most {shown} MB of memory, {percent} % of the {} MB that it may.{more}", limit >> 20)
}

/// What was found, and how often: `illegal 3, late 1`.
fn tally(trials: &[Trial]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for reason in trials.iter().filter_map(|trial| trial.finding.as_ref()?.reason) {
        *counts.entry(reason).or_default() += 1;
    }
    counts.iter().map(|(reason, count)| format!("{reason} {count}")).collect::<Vec<_>>().join(", ")
}

/// Where dialogues are kept for the agent's author.
struct Saved {
    folder: PathBuf,
    /// What runs the agent.
    command: String,
    /// The files with both sides, in the order of the faults.
    files: Vec<PathBuf>,
    is_broken: bool,
}

/// Where a dialogue is, and what repeats it.
struct Repeat {
    file: PathBuf,
    command: Option<String>,
}

impl Saved {
    fn new(folder: PathBuf, command: String) -> Self {
        Self { folder, command, files: Vec::new(), is_broken: false }
    }

    /// Writes a dialogue to two files: one to read, one to be the agent's input once more. What cannot be written is told once.
    fn save(&mut self, dialogue: &Dialogue) -> Option<Repeat> {
        if self.is_broken {
            return None;
        }
        let number = self.files.len() + 1;
        let (file, input) = (
            self.folder.join(format!("{number}-dialogue.txt")),
            self.folder.join(format!("{number}-input.txt")),
        );
        let written = fs::create_dir_all(&self.folder)
            .and_then(|()| fs::write(&file, &dialogue.text))
            .and_then(|()| fs::write(&input, &dialogue.input));
        if let Err(error) = written {
            self.is_broken = true;
            let _ = writeln!(
                io::stderr(),
                "warning: what was said cannot be kept in {}: {error}",
                self.folder.display()
            );
            return None;
        }
        self.files.push(file.clone());
        let input = input.canonicalize().unwrap_or(input);
        let is_here = env::current_dir()
            .ok()
            .and_then(|here| input.strip_prefix(here.canonicalize().ok()?).ok().map(Path::to_path_buf));
        let from = if self.command.starts_with("cd ") { input } else { is_here.unwrap_or(input) };
        let again = || format!("{} < {}", self.command, quoted_word(&from.display().to_string()));
        Some(Repeat { file, command: (!dialogue.input.is_empty()).then(again) })
    }
}

/// Tells people of the trials of a game, and of no fault twice.
#[derive(Default)]
struct Printer {
    /// The options of the first trial.
    usual: Option<String>,
    /// How many trials there have been.
    count: usize,
}

impl Printer {
    fn print(&mut self, trial: &Trial, repeat: Option<&Repeat>, out: &mut impl Write) -> io::Result<()> {
        self.count += 1;
        let verdict = match &trial.finding {
            None => "ok",
            Some(finding) if finding.costs_games() => "LOSS",
            Some(_) => "note",
        };
        let mut text = format!("{}. {} {}", self.count, trial.seat, trial.trial);
        let usual = self.usual.get_or_insert_with(|| trial.options.clone());
        if *usual != trial.options {
            text += &format!(" ({})", trial.options);
        }
        if trial.moves > 0 {
            text += &format!(": {}, slowest {:.3} s", counted(trial.moves, "move"), trial.slowest);
        }
        if let (Some(first), Some(reason)) =
            (trial.same_as, trial.finding.as_ref().map(|finding| finding.reason))
        {
            text += &format!(": {}, as in trial {first}", reason.unwrap_or("the same"));
            return entry(2, verdict, 8, &text, width(), out);
        }
        entry(2, verdict, 8, &text, width(), out)?;
        let Some(Finding { reason, what, fix, errors }) = &trial.finding else { return Ok(()) };
        let reason = reason.map_or_else(String::new, |reason| format!(" Reason in the table: {reason}."));
        entry(8, "", 8, &format!("{what}{reason}"), width(), out)?;
        for line in errors {
            writeln!(out, "        | {line}")?;
        }
        entry(8, "", 8, &format!("To fix it: {fix}"), width(), out)?;
        if let Some(Repeat { file, command }) = repeat {
            writeln!(out, "        What was said: {}", file.display())?;
            if let Some(command) = command {
                writeln!(out, "        To repeat it:  {command}")?;
            }
        }
        Ok(())
    }
}
