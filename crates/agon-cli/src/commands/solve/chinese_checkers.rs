//! `agon solve chinese-checkers`: the shortest way home for one colour alone.

use std::io::Write;
use std::time::{Duration, Instant};

use agon_chinese_checkers::solo::solo;
use serde::Serialize;

/// `agon solve chinese-checkers`
#[derive(clap::Args)]
#[command(after_help = "Examples:
  agon solve chinese-checkers --solo
  agon solve chinese-checkers --solo --options seats=y/p --colour p --json")]
pub(super) struct Args {
    /// Only one colour moves; all other marbles are removed
    #[arg(long, required = true)]
    solo: bool,
    /// Options of the game, as key=value separated by commas
    #[arg(long, default_value = "", hide_default_value = true, value_name = "OPTIONS")]
    options: String,
    /// Start from this position [default: the start of the game]
    #[arg(long, value_name = "POSITION")]
    position: Option<String>,
    /// The letter of the colour [default: the first colour of the seat to move]
    #[arg(long, value_name = "LETTER")]
    colour: Option<String>,
    /// Seed that decides between equally good lines
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// How long to look for a shorter way where none is known to be the shortest.
const PATIENCE: Duration = Duration::from_secs(20);

#[derive(Serialize)]
struct Report {
    moves: usize,
    line: Vec<String>,
    paths: Vec<Vec<String>>,
    optimal: bool,
    nodes: u64,
    seconds: f64,
}

impl Args {
    pub(super) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let began = Instant::now();
        let mut stop = |_| began.elapsed() > PATIENCE;
        let (position, colour) = (self.position.as_deref(), self.colour.as_deref());
        let found = solo(&self.options, position, colour, self.seed, &mut stop)?;
        let report = Report {
            moves: found.moves.len(),
            line: found.moves,
            paths: found.paths,
            optimal: found.is_optimal,
            nodes: found.nodes,
            seconds: began.elapsed().as_secs_f64(),
        };
        if self.json {
            writeln!(out, "{}", serde_json::to_string(&report)?)?;
            return Ok(());
        }
        for (number, path) in report.paths.iter().enumerate() {
            writeln!(out, "{:>3}  {}", number + 1, path.join(" - "))?;
        }
        let known = if report.optimal { "proven minimal" } else { "possibly not minimal" };
        writeln!(out, "{} moves, {known}; {} nodes, {:.2} s", report.moves, report.nodes, report.seconds)?;
        Ok(())
    }
}
