//! `agon solve othello`: the exact result of a position.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use agon_core::options::Options;
use agon_core::{Game, Notation, memory};
use agon_othello::expertise::solver::{Effort, Solution, Solver};
use agon_othello::expertise::weights::Weights;
use agon_othello::{AnyOthello, Move, Othello, Position, SPEC};
use anyhow::Context;
use indicatif::ProgressBar;
use serde::Serialize;

use crate::cores;
use crate::files::read_bounded;

/// `agon solve othello`
#[derive(clap::Args)]
#[command(after_help = "Examples:
  agon solve othello --position '2oooooo/1xxxxoox/xxxoxoox/xxoxooox/xooxooox/1xxooxox/2oooxx1/1o1ooo2 x'
  agon solve othello --file endgames.obf --json

A file has one position per line, `board side …`: the squares row by row as X, O and -, then X or O to move. The rest of the line \
is ignored, and so are a number before the board, empty lines, and lines that begin with #.")]
pub(super) struct Args {
    /// Options of the game, e.g. size=6
    #[arg(long, default_value = "", hide_default_value = true, value_name = "OPTIONS")]
    options: String,
    /// The position to solve
    #[arg(long, value_name = "POSITION", required_unless_present = "file", conflicts_with = "file")]
    position: Option<String>,
    /// Solve the positions of a file instead
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Size of the transposition table in megabytes
    #[arg(long, default_value_t = 128, value_parser = clap::value_parser!(u32).range(1..=65536), value_name = "MB")]
    table: u32,
    /// Threads that solve together; with one, the nodes and the line are the same every time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Determine only who wins
    #[arg(long)]
    outcome: bool,
    /// Print one JSON object per position
    #[arg(long)]
    json: bool,
}

/// The longest file that is read, in bytes.
const MAX_FILE: u64 = 16 << 20;

#[derive(Serialize)]
struct Answer {
    score: i32,
    best: Option<String>,
    line: Vec<String>,
    nodes: u64,
    seconds: f64,
}

impl Args {
    pub(super) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let options = Options::parse(&SPEC, &self.options)?;
        let AnyOthello::Small(game) = AnyOthello::new(&options)? else {
            anyhow::bail!("only boards up to 8×8 can be solved");
        };
        let positions = match (&self.position, &self.file) {
            (Some(text), _) => vec![game.parse_position(text)?],
            (None, Some(file)) => read_file(&game, file)?,
            (None, None) => anyhow::bail!("--position or --file is required"),
        };
        let bytes = u64::from(self.table) << 20;
        anyhow::ensure!(
            memory::available().is_none_or(|available| bytes <= available),
            "--table {}: not that much memory (in MB) is available",
            self.table
        );
        let mut solver = Solver::with_weights(&game, self.table as usize, Some(Weights::builtin()));
        solver.use_threads(self.threads.map_or_else(cores, usize::from));
        for position in &positions {
            anyhow::ensure!(
                game.outcome(position).is_none(),
                "the game is over in {}",
                game.position_text(position)
            );
            let (solution, took) = self.solve(&mut solver, position);
            self.write(&game, position, &solution, took, out)?;
            out.flush()?;
        }
        Ok(())
    }

    fn solve(&self, solver: &mut Solver, position: &Position<u64>) -> (Solution, Duration) {
        let progress = ProgressBar::new_spinner();
        let effort = if self.outcome { Effort::Outcome } else { Effort::Score };
        let began = Instant::now();
        let solution = solver.solve(position, effort, &mut |nodes| {
            progress.set_message(format!("{nodes} nodes, {:.0} s", began.elapsed().as_secs_f64()));
            progress.tick();
            false
        });
        progress.finish_and_clear();
        (solution.expect("never told to stop"), began.elapsed())
    }

    fn write(
        &self,
        game: &Othello<u64>,
        position: &Position<u64>,
        solution: &Solution,
        took: Duration,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        let line: Vec<String> = solution.line.iter().map(|mv: &Move| game.move_text(*mv)).collect();
        let seconds = took.as_secs_f64();
        let nodes = solution.nodes;
        if self.json {
            let answer = Answer { score: solution.score, best: line.first().cloned(), line, nodes, seconds };
            writeln!(out, "{}", serde_json::to_string(&answer)?)?;
        } else {
            writeln!(out, "position {}", game.position_text(position))?;
            writeln!(out, "score    {:+}", solution.score)?;
            writeln!(out, "line     {}", line.join(" "))?;
            writeln!(out, "nodes    {nodes} in {seconds:.3} s")?;
        }
        Ok(())
    }
}

/// Reads the positions of a file.
fn read_file(game: &Othello<u64>, file: &std::path::Path) -> anyhow::Result<Vec<Position<u64>>> {
    let name = file.display();
    let text = String::from_utf8(read_bounded(file, MAX_FILE)?)
        .with_context(|| format!("{name} is not a text file in UTF-8"))?;
    let mut positions = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        // FFO lists number their positions.
        let board = match line.split_once(' ') {
            Some((first, rest)) if first.bytes().all(|byte| byte.is_ascii_digit()) => rest.trim_start(),
            _ => line,
        };
        let position =
            game.parse_board_string(board).with_context(|| format!("{name}, line {}", number + 1))?;
        positions.push(position);
    }
    anyhow::ensure!(!positions.is_empty(), "{name} has no position");
    Ok(positions)
}
