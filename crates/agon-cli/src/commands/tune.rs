//! `agon tune`: better weights and search parameters for a bot.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use agon_arena::experiment::{Host, RunEnd};
use agon_core::text::number;
use agon_erased::SystemClock;
use agon_registry::GAMES;
use agon_tune::{Limit, Order, Plan, Store, summary};

use crate::live::Live;
use crate::progress;
use crate::screen_args::Signalled;
use crate::times::duration_argument;
use crate::weights;

/// `agon tune`
#[derive(clap::Args)]
#[command(
    after_help = "By regression, the weights of a bot's evaluation are fitted to the results of games that it plays against itself from random \
openings. By spsa, numbers among its parameters (and weights that you name) are changed little by little in matches. Either way the \
tuned bot then plays a match against itself as it was, from openings that were set aside.

Ctrl-C lets the running games end and stops; a second Ctrl-C stops at once. The same command continues a tuning that was stopped or killed, \
plays nothing twice, and comes to the same result.

The directory gets report.html, summary.txt, results.json and, if weights were tuned, weights.toml, which bots can load: \
NAME:weights=DIR/weights.toml. docs/tuning.md tells more.

Examples:
  agon tune tablut --bot expert --out tuned
  agon tune loa --bot expert --options size=8 --games 4000 --match-time 100ms --out tuned
  agon tune tablut --bot expert --method spsa --parameters lmr=1..6,futility=100..600 --out tuned
  agon duel tablut expert:weights=tuned/weights.toml expert --time 100ms"
)]
pub(crate) struct Args {
    #[arg(help = crate::game_args::game_help())]
    game: String,
    /// The bot to tune
    #[arg(long, value_name = "SPEC", default_value = "expert")]
    bot: String,
    /// Directory for games, reports and weights: a new one, or that of the same tuning begun before
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// How to tune: fit weights to self-play, or try parameters in matches
    #[arg(long, value_enum, default_value = "regression")]
    method: Method,
    /// What to tune: names of weights for regression [default: all]; for spsa parameters and weights with their ranges, as in lmr=1..6
    /// [default: the numbers that the bot sets, from half to twice their values]
    #[arg(long, value_name = "NAMES", allow_hyphen_values = true)]
    parameters: Option<String>,
    /// Options of the game; if given several times, or separated by `;`, games alternate between them
    #[arg(long, value_name = "OPTIONS")]
    options: Vec<String>,
    /// Games to learn from [default: 2000; spsa: 3200]
    #[arg(long, value_name = "N", value_parser = games)]
    games: Option<usize>,
    /// Nodes per move in these games [default: 1000, or the bot's own limit of nodes or depth]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    nodes: Option<u32>,
    /// spsa: games between two steps, an even number [default: 16]
    #[arg(long, value_name = "N", value_parser = even)]
    batch: Option<usize>,
    /// Regression: positions used of each game, at most [default: 16]
    #[arg(long, value_name = "N", value_parser = positions)]
    positions: Option<usize>,
    /// Regression: how strongly weights are held to the present ones, in games that speak for them [default: 10]
    #[arg(long, value_name = "X", value_parser = ridge)]
    ridge: Option<f64>,
    /// Random plies before the bots take over [default: as in `agon duel`]
    #[arg(long, value_name = "N", value_parser = opening_plies)]
    opening_plies: Option<usize>,
    /// Games of the match at the end, an even number; 0 for none
    #[arg(long, value_name = "N", default_value = "200", value_parser = even_or_none)]
    match_games: usize,
    /// Nodes per move in the match [default: as in the other games]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "match_time")]
    match_nodes: Option<u32>,
    /// Time per move in the match, e.g. 100ms
    #[arg(long, value_name = "TIME", value_parser = duration_argument)]
    match_time: Option<Duration>,
    /// Seed of all randomness
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// What the weights are called in their file
    #[arg(long, value_name = "NAME", default_value = "tuned", value_parser = name)]
    name: String,
    /// Games played in parallel [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Print the results as JSON instead of a summary
    #[arg(long)]
    json: bool,
}

/// How to tune.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Method {
    Regression,
    Spsa,
}

/// Their positions are held in memory.
const MAX_GAMES: u64 = 100_000;

fn games(text: &str) -> Result<usize, String> {
    number(text, 1..=MAX_GAMES).map(|games| games as usize)
}

fn even(text: &str) -> Result<usize, String> {
    let games = number(text, 2..=10_000)? as usize;
    games.is_multiple_of(2).then_some(games).ok_or_else(|| "expected an even number".to_owned())
}

fn even_or_none(text: &str) -> Result<usize, String> {
    let games = number(text, 0..=MAX_GAMES)? as usize;
    games.is_multiple_of(2).then_some(games).ok_or_else(|| "expected an even number".to_owned())
}

fn positions(text: &str) -> Result<usize, String> {
    number(text, 1..=1000).map(|positions| positions as usize)
}

fn opening_plies(text: &str) -> Result<usize, String> {
    number(text, 1..=60).map(|plies| plies as usize)
}

fn ridge(text: &str) -> Result<f64, String> {
    let value = agon_core::text::decimal(text)?;
    (0.001..=1e6).contains(&value).then_some(value).ok_or_else(|| "expected 0.001 to 1000000".to_owned())
}

fn name(text: &str) -> Result<String, String> {
    let is_good = |char: char| char.is_ascii_lowercase() || char.is_ascii_digit() || char == '-';
    let is_name = (1..=40).contains(&text.len()) && text.chars().all(is_good);
    is_name.then(|| text.to_owned()).ok_or_else(|| "expected up to 40 of a-z, 0-9 and -".to_owned())
}

impl Args {
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let plan = Plan::new(self.order()?)?;
        let store = Store::open(&self.out, &plan.identity())?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = self.jobs.map_or(cores, usize::from);
        if jobs > cores && self.match_time.is_some() {
            let _ = writeln!(
                io::stderr(),
                "warning: {jobs} parallel games on {cores} cores: bots limited by time get less of it"
            );
        }
        let host = Host { jobs, clock: Arc::new(SystemClock::default()), stops: progress::stops()? };
        let mut live = Live::new(false);
        let run = plan.run(&store, &host, &mut |progress| live.show(progress));
        drop(live);
        let (end, results) = run?;
        if self.json {
            writeln!(out, "{}", serde_json::to_string_pretty(&results)?)?;
        } else {
            write!(out, "{}", summary(&results))?;
        }
        match end {
            RunEnd::Finished => {
                let _ = writeln!(io::stderr(), "The report is {}/report.html", store.dir().display());
                Ok(())
            }
            RunEnd::Stopped => {
                let _ = writeln!(io::stderr(), "Stopped. The same command continues it.");
                Err(Signalled(2).into())
            }
        }
    }

    fn order(&self) -> anyhow::Result<Order> {
        let entry = GAMES.find(&self.game)?;
        let options: Vec<String> = self
            .options
            .iter()
            .flat_map(|options| options.split(';'))
            .map(|text| text.trim().to_owned())
            .collect();
        let is_spsa = self.method == Method::Spsa;
        for (flag, is_given, needs_spsa) in [
            ("--batch", self.batch.is_some(), true),
            ("--positions", self.positions.is_some(), false),
            ("--ridge", self.ridge.is_some(), false),
        ] {
            let method = if needs_spsa { "spsa" } else { "regression" };
            anyhow::ensure!(!is_given || needs_spsa == is_spsa, "{flag} is for --method {method}");
        }
        let rules = entry.rules(options.first().map_or("", String::as_str))?;
        let bot = weights::bot(&self.bot, &*rules)?;
        let limit = self.match_nodes.map(Limit::Nodes).or(self.match_time.map(Limit::Time));
        Ok(Order {
            entry,
            options,
            bot,
            is_spsa,
            parameters: self.parameters.clone(),
            games: self.games,
            batch: self.batch,
            nodes: self.nodes,
            positions: self.positions,
            ridge: self.ridge,
            opening_plies: self.opening_plies,
            seed: self.seed,
            match_games: self.match_games,
            match_limit: limit,
            name: self.name.clone(),
        })
    }
}
