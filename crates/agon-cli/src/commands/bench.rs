//! `agon bench`: how fast the rules and the search are on this machine.

use std::io::Write;
use std::time::{Duration, Instant};

use agon_registry::{GAMES, GameEntry, Session, find};
use indicatif::ProgressBar;
use serde::Serialize;

/// `agon bench`
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  agon bench\n  agon bench othello loa --json\n  agon bench loa --options size=30,rules=standard"
)]
pub(crate) struct Args {
    /// The games; all of them if none is named
    games: Vec<String>,
    /// Options of the game, if just one is named
    #[arg(long, default_value = "", hide_default_value = true)]
    options: String,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

/// A count must run this long to be believed.
const ENOUGH: Duration = Duration::from_secs(1);
/// No single count is to take longer, in seconds.
const TOO_LONG: f64 = 2.0;
/// How often the search looks at the clock, in nodes.
const NODES_A_LOOK: u64 = 256;
/// Where random games that would go on for ever are cut.
const MAX_PLIES: u64 = 100_000;

#[derive(Serialize)]
struct Figure {
    game: &'static str,
    what: &'static str,
    value: f64,
    unit: &'static str,
}

impl Figure {
    fn write(&self, json: bool, out: &mut impl Write) -> anyhow::Result<()> {
        let Self { game, what, value, unit } = self;
        if json {
            writeln!(out, "{}", serde_json::to_string(self)?)?;
        } else {
            writeln!(out, "{game:<18} {what:<20} {value:>16.0} {unit}")?;
        }
        Ok(())
    }
}

impl Args {
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let entries: Vec<&GameEntry> = match self.games.as_slice() {
            [] => GAMES.iter().collect(),
            names => names.iter().map(|name| find(name)).collect::<Result<_, _>>()?,
        };
        anyhow::ensure!(
            self.options.is_empty() || entries.len() == 1,
            "--options belong to one game: name just one"
        );
        // Progress goes to standard error and only where somebody sees it.
        let progress = ProgressBar::new(entries.len() as u64 * 3).with_message("measuring");
        for entry in entries {
            let session = entry.rules(&self.options)?.start();
            for measure in [perft, playouts, search] {
                for figure in measure(entry, &*session) {
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
fn perft(entry: &GameEntry, session: &dyn Session) -> Vec<Figure> {
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
    vec![Figure { game: entry.spec.id, what: "perft", value: nodes as f64 / best, unit: "nodes/s" }]
}

/// Twice as many until they take long enough.
fn playouts(entry: &GameEntry, session: &dyn Session) -> Vec<Figure> {
    let mut games = 1;
    loop {
        let began = Instant::now();
        let tally = session.playouts(games, MAX_PLIES, games);
        let elapsed = began.elapsed();
        if elapsed > ENOUGH {
            let figure = |what, count: u64, unit| Figure {
                game: entry.spec.id,
                what,
                value: count as f64 / elapsed.as_secs_f64(),
                unit,
            };
            return vec![
                figure("random playouts", tally.games, "playouts/s"),
                figure("random plies", tally.plies, "plies/s"),
            ];
        }
        games *= 2;
    }
}

/// One second of plain search.
fn search(entry: &GameEntry, session: &dyn Session) -> Vec<Figure> {
    let began = Instant::now();
    let report = session.search(64, &mut |nodes| {
        nodes.is_multiple_of(NODES_A_LOOK) && began.elapsed() >= Duration::from_secs(1)
    });
    let figure = |what, value, unit| Figure { game: entry.spec.id, what, value, unit };
    vec![
        figure("search", report.nodes as f64 / began.elapsed().as_secs_f64(), "nodes/s"),
        figure("depth in one second", f64::from(report.depth), "plies"),
    ]
}
