//! `agon study positions`: how many positions of a file bots solve, and how quickly.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use agon_erased::{BotSpec, Limits, SystemClock};
use agon_registry::GAMES;
use agon_study::positions::{self, Conditions, MAX_BYTES, Suite};
use anyhow::Context;

use crate::files::read_bounded;
use crate::progress;
use crate::screen_args::Signalled;
use crate::times::duration_argument;

/// `agon study positions`
#[derive(clap::Args)]
#[command(
    after_help = "A file has one position per line, as OBF files and FFO lists have it: a board of X, O and -, the side to move, and the best \
moves (`+38 a2,b1`, or `; a2:+38; b1:+12`). Files of other games begin with a line `game NAME OPTIONS`; then each line is `position \
POSITION`, `moves MOVE …` or both, followed by `best MOVE …`. What follows # is a comment.

A position is solved if the bot chooses one of its best moves. The time to solution is the moment from which on it stays with one.

Examples:
  agon study positions ffo.obf --bot expert --bot 'alphabeta:depth=8' --time 10s
  agon study positions mates.txt --bot expert:nodes=100000 --out results --json"
)]
pub(super) struct Args {
    /// The file of positions
    file: PathBuf,
    /// A bot that tries them; may be given several times
    #[arg(long = "bot", value_name = "SPEC", default_value = "expert")]
    bots: Vec<String>,
    /// Options of the game, if the file does not name them
    #[arg(long, default_value = "", hide_default_value = true, value_name = "OPTIONS")]
    options: String,
    /// Time for each position [default: 5s, unless --nodes or --depth is given or every bot has a limit of its own]
    #[arg(long, value_name = "TIME", value_parser = duration_argument)]
    time: Option<Duration>,
    /// Nodes for each position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth for each position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Seed of the bots' randomness
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Positions searched in parallel
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// Write positions.csv, bots.csv and positions.json to this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,
}

/// The time for a position if nothing else limits the search.
const USUAL_TIME: Duration = Duration::from_secs(5);

impl Args {
    pub(super) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let name = self.file.display();
        let text = String::from_utf8(read_bounded(&self.file, MAX_BYTES)?)
            .with_context(|| format!("{name} is not a text file in UTF-8"))?;
        let suite = Suite::parse(GAMES, &text, &self.options).with_context(|| name.to_string())?;
        let bots = self.bots.iter().map(|text| text.parse()).collect::<Result<Vec<BotSpec>, _>>()?;
        let has_own_limit = |bot: &BotSpec| ["time", "nodes", "depth"].iter().any(|key| bot.sets(key));
        let is_limited = self.nodes.is_some() || self.depth.is_some() || bots.iter().all(has_own_limit);
        let time = self.time.or(if is_limited { None } else { Some(USUAL_TIME) });
        let conditions = Conditions {
            limits: Limits { time, depth: self.depth, nodes: self.nodes },
            seed: self.seed,
            jobs: usize::from(self.jobs),
            clock: Arc::new(SystemClock::default()),
            stop: progress::interrupt()?,
            bots,
        };
        let bar = progress::bar((suite.positions.len() * conditions.bots.len()) as u64, "searches");
        let mut solved = 0;
        let outcome = suite.run(&conditions, &mut |attempt| {
            solved += u32::from(attempt.solved);
            bar.inc(1);
            bar.set_message(format!("{solved} solved"));
        });
        bar.finish_and_clear();
        let outcome = outcome?;
        if let Some(dir) = &self.out {
            positions::write(dir, &outcome).with_context(|| format!("cannot write to {}", dir.display()))?;
        }
        if self.json {
            out.write_all(positions::json(&outcome)?.as_bytes())?;
        } else {
            out.write_all(positions::table(&outcome).as_bytes())?;
        }
        if !outcome.complete {
            let _ = writeln!(io::stderr(), "Stopped; this is what had been searched.");
            return Err(Signalled(2).into());
        }
        Ok(())
    }
}
