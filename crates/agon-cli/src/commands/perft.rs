//! `agon perft`: how many positions there are after n plies, and how fast they are counted.

use std::io::Write;
use std::time::Instant;

use agon_protocol::query::MAX_PERFT_DEPTH;
use serde::Serialize;

use crate::game_args::GameArgs;

/// `agon perft`
#[derive(clap::Args)]
#[command(after_help = "Examples:
  agon perft tablut --options rules=bologna --depth 4
  agon perft othello --position '8/8/2x5/3xx3/3oxx2/3o4/8/8 o' --depth 8 --json")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Depth in plies, 0 to 20
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_PERFT_DEPTH)))]
    depth: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    depth: u32,
    nodes: u64,
    seconds: f64,
    nodes_per_second: u64,
}

#[derive(Serialize)]
struct Report<'a> {
    game: &'a str,
    options: String,
    position: String,
    rows: Vec<Row>,
}

impl Args {
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let (rules, session) = self.game.open()?;
        let mut rows = Vec::new();
        if !self.json {
            writeln!(out, "{:>5}  {:>20}  {:>10}  {:>14}", "depth", "nodes", "seconds", "nodes/s")?;
        }
        for depth in self.depth.min(1)..=self.depth {
            let began = Instant::now();
            let nodes = session.perft(depth, u64::MAX)?;
            let seconds = began.elapsed().as_secs_f64();
            let nodes_per_second = if seconds > 0.0 { (nodes as f64 / seconds) as u64 } else { 0 };
            let row = Row { depth, nodes, seconds, nodes_per_second };
            if !self.json {
                writeln!(out, "{depth:>5}  {nodes:>20}  {seconds:>10.3}  {nodes_per_second:>14}")?;
                out.flush()?;
            }
            rows.push(row);
        }
        if self.json {
            let report = Report {
                game: rules.spec().id,
                options: rules.options(),
                position: session.position(),
                rows,
            };
            writeln!(out, "{}", serde_json::to_string(&report)?)?;
        } else if let Some(row) = rows.last() {
            writeln!(out, "nodes {}", row.nodes)?;
        }
        Ok(())
    }
}
