//! `agon bench arena`: what the referee and the tournament runner cost.

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_arena::experiment::{Host, Stops};
use agon_arena::results::{GameResult, Results};
use agon_arena::tournament::{Kind, Store, Tournament, TournamentHost};
use agon_erased::{Bot, SystemClock};
use agon_players::external::{Launcher, OwnGroup};
use agon_registry::GAMES;
use agon_sandbox::{Limits, Sandbox};
use anyhow::Context;

use super::bench::Figure;
use crate::temporary::TemporaryFolder;

/// `agon bench arena`
#[derive(clap::Args)]
pub(super) struct Args {
    /// Number of games of the large tournament whose memory is measured
    #[arg(long, value_name = "N", default_value = "10000", value_parser = clap::value_parser!(u32).range(2..=100_000))]
    games: u32,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

const GAME: &str = "othello";
/// The games that are timed.
const TIMED: u32 = 500;
/// The games between programs.
const PIPED: u32 = 20;

impl Args {
    pub(super) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let mut tell = |what: &str, value: f64, unit: &'static str| {
            let figure = Figure { game: GAME, what: what.to_owned(), value, unit };
            figure.write(self.json, out).and_then(|()| Ok(out.flush()?))
        };
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        let (results, time) = tournament(&bots(), TIMED)?;
        tell("500 games between bots", time.as_secs_f64() * 1e3, "ms")?;
        tell("overhead per move, bots", micros(overhead(&results)), "us")?;
        let (results, time) = tournament(&programs()?, PIPED)?;
        let moves: u64 = results.games.iter().flat_map(|game| &game.conduct).map(|seat| seat.moves).sum();
        anyhow::ensure!(moves > 0, "the programs did not play: {:?}", results.games.first());
        tell("overhead per move, piped", micros(overhead(&results)), "us")?;
        let taken: Duration = results.games.iter().flat_map(|game| &game.conduct).map(|seat| seat.time).sum();
        tell("mean answer, piped", micros(taken) / moves as f64, "us")?;
        tell("game between programs", time.as_secs_f64() * 1e3 / f64::from(PIPED), "ms")?;
        let (_, time) = tournament(&bots(), self.games)?;
        tell("large tournament", f64::from(self.games) / time.as_secs_f64(), "games/s")?;
        if let Some(bytes) = peak_memory() {
            tell("peak memory after it", bytes / f64::from(1 << 20), "MiB")?;
        }
        Ok(())
    }
}

fn bots() -> String {
    player("one", "bot = \"greedy\"") + &player("other", "bot = \"greedy\"")
}

/// This program as an agent that answers at once.
fn programs() -> anyhow::Result<String> {
    let this = std::env::current_exe().context("cannot find this program")?;
    let words = ["engine", "--game", GAME, "--protocol", "jsonl", "--bot", "random"];
    let words: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
    let command = format!("command = [{:?}, {}]\nthreads = 8", this.display().to_string(), words.join(", "));
    Ok(player("one", &command) + &player("other", &command))
}

fn player(name: &str, plays: &str) -> String {
    format!("[[players]]\nname = {name:?}\n{plays}\n")
}

/// The median of the games' medians.
fn overhead(results: &Results) -> Duration {
    let median = |game: &GameResult| game.overhead.map(|overhead| overhead.median);
    let mut medians: Vec<Duration> = results.games.iter().filter_map(median).collect();
    medians.sort_unstable();
    medians.get(medians.len() / 2).copied().unwrap_or_default()
}

/// Plays a tournament between two players in a folder of its own, and says how long that took.
fn tournament(players: &str, games: u32) -> anyhow::Result<(Results, Duration)> {
    let folder = TemporaryFolder::new("bench-arena")?;
    let file = folder.path().join("bench.toml");
    let round = format!("[[rounds]]\ngame = {GAME:?}\nopenings = \"random\"\nrepetitions = {}\n", games / 2);
    std::fs::write(&file, format!("{players}{round}"))?;
    let began = Instant::now();
    let tournament = Tournament::read(GAMES, &file)?;
    let store = Store::create(&folder.path().join("out"), &file)?;
    let launcher = |kind: &Kind| -> anyhow::Result<Arc<dyn Launcher>> {
        Ok(match kind {
            Kind::Program(program) => {
                let limits = Limits { threads: 8, ..Limits::default() };
                Arc::new(Sandbox::new(limits, program.folder.as_deref())?)
            }
            Kind::Bot(_) | Kind::Person(_) => Arc::new(OwnGroup),
        })
    };
    let person = |_: &str, _| -> Box<dyn Bot> { unreachable!("only bots and programs are measured") };
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let host = TournamentHost {
        host: Host {
            jobs: jobs.div_ceil(tournament.cores_per_game()),
            clock: Arc::new(SystemClock::default()),
            stops: Stops::default(),
        },
        launchers: tournament
            .players
            .iter()
            .map(|player| launcher(&player.kind))
            .collect::<Result<_, _>>()?,
        person: &person,
        notes: Vec::new(),
    };
    let (_, results) = tournament.run(&store, &host, &mut |_| {})?;
    Ok((results, began.elapsed()))
}

/// The most memory that this process has had at once, in bytes.
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<f64>().ok().map(|kilobytes| kilobytes * 1024.0)
}
