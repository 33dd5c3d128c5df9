//! `agon bench`: how fast the rules and the search are on this machine, and what the server costs.

use std::io::Write;
use std::time::{Duration, Instant};

use agon_core::Turn;
use agon_core::random::{RandomSource, seeded};
use agon_erased::{Budget, GameEntry, Limits, Rules, Threads};
use agon_registry::GAMES;
use indicatif::ProgressBar;
use serde::Serialize;

use super::lateness::Lateness;
use super::{bench_arena, bench_serve};
use crate::cores;

/// `agon bench`
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    after_help = "Examples:\n  agon bench\n  agon bench othello loa --json\n  agon bench loa --options size=30,rules=standard\n  agon bench --lateness --busy\n  agon bench loa --options size=30 --lateness --moves 100 --time 50ms\n  agon bench serve\n  agon bench arena"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    other: Option<Other>,
    /// The games [default: all games]
    games: Vec<String>,
    /// Options of the game, if only one is given
    #[arg(long, default_value = "", hide_default_value = true)]
    options: String,
    #[command(flatten)]
    lateness: Lateness,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

/// What else can be measured.
#[derive(clap::Subcommand)]
enum Other {
    /// Measure what the server costs under load
    Serve(bench_serve::Args),
    /// Measure what the referee of tournaments costs
    Arena(bench_arena::Args),
}

/// A count must run this long to be believed.
const ENOUGH: Duration = Duration::from_secs(1);
/// No single count is to take longer, in seconds.
const TOO_LONG: f64 = 2.0;
/// How many searches are timed.
const SEARCHES: usize = 3;
/// Where random games that would go on for ever are cut.
const MAX_PLIES: u64 = 100_000;

#[derive(Serialize)]
pub(super) struct Figure {
    pub(super) game: &'static str,
    pub(super) what: String,
    pub(super) value: f64,
    pub(super) unit: &'static str,
}

impl Figure {
    pub(super) fn write(&self, json: bool, out: &mut impl Write) -> anyhow::Result<()> {
        let Self { game, what, value, unit } = self;
        if json {
            writeln!(out, "{}", serde_json::to_string(self)?)?;
        } else {
            let digits = if value.fract() != 0.0 && value.abs() < 100.0 { 2 } else { 0 };
            writeln!(out, "{game:<18} {what:<28} {value:>16.digits$} {unit}")?;
        }
        Ok(())
    }
}

impl Args {
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        match &self.other {
            Some(Other::Serve(server)) => return server.run(out),
            Some(Other::Arena(arena)) => return arena.run(out),
            None => {}
        }
        let entries: Vec<&GameEntry> = match self.games.as_slice() {
            [] => GAMES.iter().collect(),
            names => names.iter().map(|name| GAMES.find(name)).collect::<Result<_, _>>()?,
        };
        anyhow::ensure!(self.options.is_empty() || entries.len() == 1, "--options needs exactly one game");
        if self.lateness.is_asked() {
            return self.lateness.run(&entries, &self.options, self.games.is_empty(), self.json, out);
        }
        // Progress goes to standard error and only where somebody sees it.
        let progress = ProgressBar::new(entries.len() as u64 * 3).with_message("measuring");
        for entry in entries {
            let rules = entry.rules(&self.options)?;
            for measure in [perft, playouts, search] {
                for figure in measure(entry, &*rules)? {
                    progress.suspend(|| figure.write(self.json, out))?;
                    out.flush()?;
                }
                progress.inc(1);
            }
        }
        progress.finish_and_clear();
        Ok(())
    }
}

/// The deepest count that is not too long, repeated until that takes long enough; the best run counts.
fn perft(entry: &GameEntry, rules: &dyn Rules) -> anyhow::Result<Vec<Figure>> {
    let session = rules.start();
    let count = |depth| {
        let began = Instant::now();
        let nodes = session.perft(depth, u64::MAX).unwrap_or(0);
        (nodes, began.elapsed().as_secs_f64().max(1e-9))
    };
    let (mut depth, mut fewer) = (1, 1);
    let (nodes, mut best) = loop {
        let (nodes, seconds) = count(depth);
        let growth = nodes as f64 / fewer as f64;
        let is_last = session.perft_shared(depth + 1, 0) == Ok(0);
        if seconds * growth > TOO_LONG || is_last {
            break (nodes, seconds);
        }
        (depth, fewer) = (depth + 1, nodes);
    };
    let mut spent = best;
    while spent < ENOUGH.as_secs_f64() && nodes > 0 {
        let (_, seconds) = count(depth);
        best = best.min(seconds);
        spent += seconds;
    }
    Ok(vec![Figure {
        game: entry.spec.id,
        what: "perft".to_owned(),
        value: nodes as f64 / best,
        unit: "nodes/s",
    }])
}

/// Twice as many until they take long enough.
fn playouts(entry: &GameEntry, rules: &dyn Rules) -> anyhow::Result<Vec<Figure>> {
    let session = rules.start();
    let mut games = 1;
    loop {
        let began = Instant::now();
        let tally = session.playouts(games, MAX_PLIES, games);
        let elapsed = began.elapsed();
        if elapsed > ENOUGH {
            let figure = |what: &str, count: u64, unit| Figure {
                game: entry.spec.id,
                what: what.to_owned(),
                value: count as f64 / elapsed.as_secs_f64(),
                unit,
            };
            return Ok(vec![
                figure("random playouts", tally.games, "playouts/s"),
                figure("random plies", tally.plies, "plies/s"),
            ]);
        }
        games *= 2;
    }
}

/// One second of the best search that the game has, from its start, in one thread and in as many as there are cores, by turns; the best
/// of several runs counts, as in [`perft`].
fn search(entry: &GameEntry, rules: &dyn Rules) -> anyhow::Result<Vec<Figure>> {
    let mut session = rules.start();
    let mut chance = seeded(0);
    while session.turn() == Turn::Chance && session.draw(chance.next_u64()).is_some() {}
    let mut budget = Budget::new(Limits::of_time(Duration::from_secs(1)));
    budget.keeps_own_limits = false;
    let (mut speed, mut shared_speed, mut depth) = (0.0_f64, 0.0_f64, 0);
    let mut search = |threads| {
        budget.threads = Threads::usually(threads);
        let mut bot = rules.bot(&searcher(rules).parse()?, 0)?;
        let began = Instant::now();
        let thought = bot.think(&*session, &budget, &mut |_| {})?;
        anyhow::Ok((thought.nodes as f64 / began.elapsed().as_secs_f64(), thought.depth))
    };
    let cores = cores();
    for _ in 0..SEARCHES {
        let (nodes, plies) = search(1)?;
        (speed, depth) = (speed.max(nodes), depth.max(plies));
        if cores > 1 {
            shared_speed = shared_speed.max(search(cores)?.0);
        }
    }
    let figure = |what: &str, value, unit| Figure { game: entry.spec.id, what: what.to_owned(), value, unit };
    let mut figures =
        vec![figure("search", speed, "nodes/s"), figure("depth in one second", f64::from(depth), "plies")];
    if cores > 1 {
        figures.insert(1, figure(&format!("search in {cores} threads"), shared_speed, "nodes/s"));
    }
    Ok(figures)
}

/// The bot whose search is measured: the expert, thinking for itself from the first move; the plain search where a game has none.
pub(super) fn searcher(rules: &dyn Rules) -> String {
    let bots = rules.bots();
    let Some(expert) = bots.iter().find(|bot| bot.name == "expert") else { return "plain".to_owned() };
    let has_book = expert.parameters.iter().any(|parameter| parameter.key == "book");
    if has_book { "expert:book=off" } else { "expert" }.to_owned()
}
