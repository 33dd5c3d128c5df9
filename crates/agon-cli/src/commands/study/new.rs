//! `agon study new`: a study file for an agent, with a forecast of what the study costs.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_agents::program::least_threads;
use agon_agents::submissions::{Entry, Files};
use agon_arena::ProcessorClock;
use agon_arena::experiment::{Host, RunEnd, Stops};
use agon_arena::program_keys::{DEFAULT_MEMORY, Program};
use agon_arena::tournament::resolve_command;
use agon_core::text::{counted, number};
use agon_erased::{Rules, SystemClock};
use agon_files::replace;
use agon_match::{Occupant, ProgramSpec};
use agon_players::external::Launcher;
use agon_registry::GAMES;
use agon_study::{Circumstance, Forecast, Means, Proposal, Store, Study};
use anyhow::{Context, ensure};
use indicatif::ProgressBar;

use super::run::launchers;
use crate::game_args::game_help;
use crate::programs;
use crate::progress;
use crate::screen_args::Signalled;
use crate::temporary::TemporaryFolder;
use crate::times::duration_argument;

/// The name of the file, beside the agent.
const FILE: &str = "study.toml";

/// `agon study new`
#[derive(clap::Args)]
#[command(
    after_help = "The agent is started once and asked for its parameters. DIR/study.toml then varies each of them: other choices, the other of true \
and false, a few numbers of the range. If the agent has a parameter `nodes` or `depth`, that limits its moves, so that the study has \
the same result on every machine; otherwise each move has 200 ms. Two games of the agent against itself show how long the study will take.

Examples:
  agon study new --agent my-agent
  agon study new --agent . --game othello --options size=6 --games 60
  agon study new --agent my-agent --time 100ms"
)]
pub(super) struct Args {
    /// The agent's folder, as it would be handed in: with agent.py or agent.toml
    #[arg(long, value_name = "DIR")]
    agent: PathBuf,
    #[arg(long, default_value = "loa", help = game_help())]
    game: String,
    /// Options of the game, as key=value separated by commas; see `agon games`
    #[arg(long, default_value = "", hide_default_value = true, value_name = "OPTIONS")]
    options: String,
    /// The most games of each comparison, an even number
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = even_games)]
    games: usize,
    /// Time for each move, instead of a parameter of the agent that counts
    #[arg(long, value_name = "TIME", value_parser = duration_argument)]
    time: Option<Duration>,
}

/// Reads how many games a comparison has.
fn even_games(text: &str) -> Result<usize, String> {
    let games = number(text, 2..=100_000)? as usize;
    games
        .is_multiple_of(2)
        .then_some(games)
        .ok_or_else(|| "games are played in pairs; expected an even number".to_owned())
}

impl Args {
    pub(super) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let (dir, file) = (self.agent.display(), self.agent.join(FILE));
        refuse_to_overwrite(&file)?;
        let rules = GAMES.find(&self.game)?.rules(&self.options)?;
        ensure!(
            self.agent.is_dir(),
            "{dir} is not a folder; expected that of an agent, with agent.py or agent.toml"
        );
        let fail = |fault: String| anyhow::anyhow!("{dir}: {fault}");
        let entry = Files::read(&self.agent).and_then(|files| Entry::of(&files)).map_err(fail)?;
        let program = program(&entry, &self.agent).map_err(fail)?;
        let declared = programs::ask(&*rules, &program).map_err(|fault| {
            let misses_kit = entry.needs_kit && !self.agent.join("agon_agent").exists();
            let hint = if misses_kit {
                "; the kit is missing: copy the folder agon_agent beside agent.py"
            } else {
                ""
            };
            fail(format!("the agent cannot be asked for its parameters: {fault}{hint}"))
        })?;
        let proposal = Proposal {
            game: &self.game,
            options: &self.options,
            command: &words(&entry),
            protocol: &entry.protocol,
            threads: program.threads,
            games: self.games,
            time: self.time,
            declared: &declared,
        };
        // What was declared a moment ago is not asked again.
        let ask = |_: &dyn Rules, _: &Program| Ok(declared.clone());
        let text = proposal.text(&[]).map_err(fail)?;
        let name = file.display().to_string();
        let read = |is_quick| Study::parse_asking(GAMES, &name, &text, "study", &self.agent, is_quick, &ask);
        let study = read(false)?;
        let quick = if proposal.has_quick() { Some(read(true)?) } else { None };
        let costs = Rehearsals::of(&study, quick.as_ref())?.costs(&study, quick.as_ref());
        // Somebody may have written one in the meantime.
        refuse_to_overwrite(&file)?;
        let text = proposal.text(&costs.lines(FILE)).map_err(fail)?;
        replace(&file, text.as_bytes()).with_context(|| format!("cannot write {name}"))?;
        writeln!(out, "{name} varies {}.", proposal.varied().join(", "))?;
        for line in costs.lines(&name) {
            writeln!(out, "{line}")?;
        }
        Ok(())
    }
}

fn refuse_to_overwrite(file: &Path) -> anyhow::Result<()> {
    let is_there = file.symlink_metadata().is_ok();
    ensure!(!is_there, "{} is there already; move or remove it, or change it by hand", file.display());
    Ok(())
}

/// The agent's command, as a file beside it has it.
fn words(entry: &Entry) -> Vec<String> {
    let mut words = entry.command.clone();
    if entry.own.first() == Some(&true) {
        words[0] = format!("./{}", words[0]);
    }
    words
}

/// The agent's program, as a study would find it.
fn program(entry: &Entry, dir: &Path) -> Result<Program, String> {
    let words = words(entry);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (command, folder) = resolve_command(&words, dir).map_err(|(_, fault)| fault)?;
    let spec = format!("{}:{}", entry.protocol, words.join(" "));
    let spec = match spec.parse::<Occupant>().map_err(|error| error.to_string())? {
        Occupant::Program(spec) => ProgramSpec { parameters: Default::default(), ..spec },
        _ => return Err("its command names no program".to_owned()),
    };
    let threads = least_threads(&command.program);
    Ok(Program { spec, command, folder, memory: DEFAULT_MEMORY, threads })
}

/// How long games of the reference against itself took.
struct Rehearsals<'a> {
    launchers: Vec<Arc<dyn Launcher>>,
    stops: Stops,
    bar: ProgressBar,
    /// By circumstance.
    known: Vec<(&'a Circumstance, Duration)>,
}

impl<'a> Rehearsals<'a> {
    /// Plays two games under each circumstance of a study and its quick version.
    fn of(study: &'a Study, quick: Option<&'a Study>) -> anyhow::Result<Self> {
        let circumstances =
            || [Some(study), quick].into_iter().flatten().flat_map(|study| &study.circumstances);
        let mut rehearsals = Self {
            launchers: launchers(study)?,
            stops: progress::stops()?,
            bar: progress::bar(2 * circumstances().count() as u64, "games"),
            known: Vec::new(),
        };
        let _ = writeln!(io::stderr(), "The agent plays against itself, to see how long games take …");
        for circumstance in circumstances() {
            if rehearsals.time(circumstance).is_none() {
                let time = rehearsals.play(study, circumstance)?;
                rehearsals.known.push((circumstance, time));
            }
        }
        rehearsals.bar.finish_and_clear();
        Ok(rehearsals)
    }

    /// How long a game takes under a circumstance, if that is known.
    fn time(&self, circumstance: &Circumstance) -> Option<Duration> {
        let is_same = |known: &Circumstance| {
            known.rules.options() == circumstance.rules.options()
                && known.bots.first() == circumstance.bots.first()
        };
        self.known.iter().find(|(known, _)| is_same(known)).map(|(_, time)| *time)
    }

    /// Plays two games and says how long one takes.
    fn play(&self, study: &Study, circumstance: &Circumstance) -> anyhow::Result<Duration> {
        let rehearsal = study.rehearsal(circumstance);
        let folder = TemporaryFolder::new("study")?;
        let store = Store::open(folder.path(), "", false)?;
        let host = Host { jobs: 1, clock: Arc::new(SystemClock::default()), stops: self.stops.clone() };
        let means = Means { launchers: &self.launchers, clock: Arc::new(ProcessorClock::default()) };
        let began = Instant::now();
        let mut took = Duration::ZERO;
        let (end, results) = rehearsal.run(&store, &host, &means, &mut |progress| {
            took = began.elapsed();
            self.bar.inc(u64::from(progress.is_new));
        })?;
        if end == RunEnd::Stopped {
            let _ = writeln!(io::stderr(), "Stopped; nothing was written.");
            return Err(Signalled(2).into());
        }
        if let Some(fault) = results.comparisons.iter().find_map(|comparison| comparison.fault.as_ref()) {
            let _ = writeln!(
                io::stderr(),
                "warning: the agent lost a game by a fault of its own: {fault}. `agon agent check` finds such faults, and the \
                 forecast is not to be relied on before they are mended."
            );
        }
        Ok(took / 2)
    }

    fn costs(&self, study: &Study, quick: Option<&Study>) -> Costs {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let forecast = |study: &Study| {
            let times: Vec<Duration> = study
                .circumstances
                .iter()
                .map(|circumstance| self.time(circumstance).unwrap_or_default())
                .collect();
            let jobs = study.usual_jobs(cores);
            (Forecast::of(study, &times, jobs), jobs)
        };
        let times = self.known.iter().map(|(_, time)| *time);
        Costs {
            full: forecast(study),
            quick: quick.map(forecast),
            longest: times.max().unwrap_or_default(),
            promise: study.promise(),
        }
    }
}

/// What a study and its quick version cost, with so many games at once.
struct Costs {
    full: (Forecast, usize),
    quick: Option<(Forecast, usize)>,
    longest: Duration,
    /// What the games can show.
    promise: String,
}

impl Costs {
    /// The same for people, with the commands that run the file.
    fn lines(&self, file: &str) -> Vec<String> {
        let told = |(forecast, jobs): &(Forecast, usize)| {
            format!("    {forecast}, with {} at a time", counted(*jobs, "game"))
        };
        let mut lines = vec![
            String::new(),
            format!(
                "On this machine, where a game of the agent against itself takes up to {:.1} s, it costs:",
                self.longest.as_secs_f64()
            ),
            String::new(),
        ];
        match &self.quick {
            Some(quick) => {
                lines.extend([format!("  agon study run {file} --quick --out quick"), told(quick)]);
            }
            None => lines.push(
                "  There is no quick version: it would count instead of taking time, so the agent needs a parameter `nodes`."
                    .to_owned(),
            ),
        }
        lines.extend([format!("  agon study run {file} --out results"), told(&self.full), String::new()]);
        lines.push(
            "Settings that become clear end earlier; values that make the agent slower take longer."
                .to_owned(),
        );
        lines.push(self.promise.clone());
        lines
    }
}
