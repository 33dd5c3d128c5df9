//! What is tuned, by which method, and how the match afterwards is played.

use std::time::Duration;

use agon_arena::runner::Variant;
use agon_core::text::{counted, decimal, duration_text};
use agon_erased::{BotSpec, GameEntry, Linear};
use agon_study::bots::Cast;
use serde::Serialize;

use crate::dimension::{Dimension, chosen_weights, dimensions, is_whole};
use crate::sample::with_weights;

/// What somebody asks for. What is `None` is up to the method and the bot.
#[derive(Clone, Debug)]
pub struct Order {
    /// The game.
    pub entry: &'static GameEntry,
    /// Its options; games alternate between several.
    pub options: Vec<String>,
    /// The bot that is tuned.
    pub bot: BotSpec,
    /// Whether SPSA is used instead of regression.
    pub is_spsa: bool,
    /// What is tuned.
    pub parameters: Option<String>,
    /// How many games tuning learns from.
    pub games: Option<usize>,
    /// How many of them SPSA plays between two steps.
    pub batch: Option<usize>,
    /// How many nodes the bot searches per move in these games.
    pub nodes: Option<u32>,
    /// How many positions of a game regression uses at most.
    pub positions: Option<usize>,
    /// How strongly regression holds weights to the present ones, in games.
    pub ridge: Option<f64>,
    /// Random plies before the bots take over.
    pub opening_plies: Option<usize>,
    /// Fixes all randomness.
    pub seed: u64,
    /// How many games the match has.
    pub match_games: usize,
    /// The limit in the match.
    pub match_limit: Option<Limit>,
    /// What the weights are called in their file.
    pub name: String,
}

/// How long a bot may think about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// So many nodes.
    Nodes(u32),
    /// So long.
    Time(Duration),
}

/// The match at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contest {
    /// How many games it has, an even number.
    pub games: usize,
    /// The limit of both sides; that of tuning if there is none.
    pub limit: Option<Limit>,
}

/// By regression.
#[derive(Clone, Debug, PartialEq)]
pub struct Regression {
    /// Games of the bot against itself.
    pub games: usize,
    /// The most positions of a game.
    pub positions: usize,
    /// How strongly weights are held to the present ones, in games.
    pub ridge: f64,
    /// Which weights may change.
    pub is_free: Vec<bool>,
    /// Which weights are whole numbers.
    pub is_whole: Vec<bool>,
}

/// By SPSA.
#[derive(Clone, Debug, PartialEq)]
pub struct Climb {
    /// How many steps.
    pub iterations: usize,
    /// Games between two steps, an even number.
    pub batch: usize,
    /// What is tuned.
    pub dimensions: Vec<Dimension>,
}

/// How it is tuned.
#[derive(Clone, Debug, PartialEq)]
pub enum Method {
    /// The weights are fitted to the results of self-play.
    Regression(Regression),
    /// Parameters and weights are changed little by little in matches.
    Spsa(Climb),
}

/// A tuning that can be run.
#[derive(Clone)]
pub struct Plan {
    order: Order,
    /// What is played.
    pub variants: Vec<Variant>,
    /// The bot with its limits in tuning.
    pub bot: BotSpec,
    /// By what it judges.
    pub linear: Linear,
    /// How it is tuned.
    pub method: Method,
    /// The match at the end.
    pub contest: Contest,
}

/// A tuning that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PlanError(String);

/// The limit where none is given, for bots without one.
const NODES: u32 = 1000;
const REGRESSION_GAMES: usize = 2000;
const SPSA_GAMES: usize = 3200;
const BATCH: usize = 16;
const POSITIONS: usize = 16;
const RIDGE: f64 = 10.0;
/// One game in so many is held out of the fit.
pub(crate) const HELD_OUT: usize = 5;
/// The fewest games that are fitted.
const LEAST_GAMES: usize = 2 * HELD_OUT;
/// After so many plies a game is a draw.
pub(crate) const MAX_PLIES: usize = 2000;

/// What tells a tuning from others.
#[derive(Serialize)]
struct Identity<'a> {
    version: u32,
    command: &'a str,
}

impl Plan {
    /// A plan, if what is asked for can be done.
    ///
    /// # Errors
    /// If it cannot, with what is wrong.
    pub fn new(order: Order) -> Result<Self, PlanError> {
        let fail = |fault: String| PlanError(fault);
        let variants = variants(&order).map_err(fail)?;
        let rules = &variants[0].rules;
        rules.bot(&order.bot, 0).map_err(|error| fail(error.to_string()))?;
        let linear = rules.linear(&order.bot).map_err(|error| fail(error.to_string()))?;
        if !order.is_spsa && linear.weights.is_empty() {
            let evaluation = if linear.evaluation.is_empty() { "none" } else { &linear.evaluation };
            return Err(fail(format!(
                "regression fits weights, and the evaluation of {} ({evaluation}) has none that can be set; choose another one by eval=, or \
                 tune by --method spsa",
                order.bot.name()
            )));
        }
        let bot = limited(&order, &Cast::of(&**rules)).map_err(fail)?;
        for variant in &variants {
            let here = variant.rules.linear(&bot).map_err(|error| fail(error.to_string()))?;
            if here.weights != linear.weights {
                let options = variant.rules.options();
                return Err(fail(format!(
                    "with {options} the evaluation has other weights; tune one at a time"
                )));
            }
        }
        let text = order.parameters.as_deref();
        let method = if order.is_spsa {
            let batch = order.batch.unwrap_or(BATCH);
            let dimensions = dimensions(&**rules, &bot, &linear, text).map_err(fail)?;
            let iterations = order.games.unwrap_or(SPSA_GAMES) / batch;
            if iterations == 0 {
                return Err(fail(format!("a step takes {batch} games; expected at least as many --games")));
            }
            Method::Spsa(Climb { iterations, batch, dimensions })
        } else {
            let games = order.games.unwrap_or(REGRESSION_GAMES);
            if games < LEAST_GAMES {
                return Err(fail(format!(
                    "one game in {HELD_OUT} is held out; expected at least {LEAST_GAMES} --games"
                )));
            }
            // All weights at once must fit into a specification.
            let all = linear.weights.iter().map(|weight| (weight.name.as_str(), -12_345.67));
            with_weights(&bot, all).map_err(|error| fail(error.fault))?;
            Method::Regression(Regression {
                games,
                positions: order.positions.unwrap_or(POSITIONS),
                ridge: order.ridge.unwrap_or(RIDGE),
                is_free: chosen_weights(&linear, text).map_err(fail)?,
                is_whole: linear
                    .weights
                    .iter()
                    .map(|weight| is_whole(&**rules, &bot, &weight.name))
                    .collect(),
            })
        };
        let contest = Contest { games: order.match_games, limit: order.match_limit };
        Ok(Self { order, variants, bot, linear, method, contest })
    }

    /// The game.
    pub fn entry(&self) -> &'static GameEntry {
        self.order.entry
    }

    /// Fixes all randomness.
    pub fn seed(&self) -> u64 {
        self.order.seed
    }

    /// What the weights are called in their file.
    pub fn name(&self) -> &str {
        &self.order.name
    }

    /// The command that does the same again, without the directory.
    pub fn command(&self) -> String {
        let Order { entry, options, bot, is_spsa, parameters, opening_plies, seed, name, .. } = &self.order;
        let mut command = format!("agon tune {} --bot {}", entry.spec.id, shell_word(&bot.to_string()));
        let mut add =
            |flag: &str, value: String| command.push_str(&format!(" --{flag} {}", shell_word(&value)));
        for options in options {
            add("options", options.clone());
        }
        if *is_spsa {
            add("method", "spsa".to_owned());
        }
        if let Some(parameters) = parameters {
            add("parameters", parameters.clone());
        }
        match &self.method {
            Method::Regression(Regression { games, positions, ridge, .. }) => {
                add("games", games.to_string());
                add("positions", positions.to_string());
                add("ridge", ridge.to_string());
            }
            Method::Spsa(Climb { iterations, batch, .. }) => {
                add("games", (iterations * batch).to_string());
                add("batch", batch.to_string());
            }
        }
        if let Some(nodes) = self.bot.value("nodes").filter(|_| !bot.sets("nodes")) {
            add("nodes", nodes.to_owned());
        }
        if let Some(plies) = opening_plies {
            add("opening-plies", plies.to_string());
        }
        add("seed", seed.to_string());
        add("match-games", self.contest.games.to_string());
        match self.contest.limit {
            Some(Limit::Nodes(nodes)) => add("match-nodes", nodes.to_string()),
            Some(Limit::Time(time)) => add("match-time", duration_text(time)),
            None => {}
        }
        add("name", name.clone());
        command
    }

    /// What tells this tuning from others: a directory that was begun with another text is not continued.
    pub fn identity(&self) -> String {
        let identity = Identity { version: 1, command: &self.command() };
        serde_json::to_string(&identity).unwrap_or_default() + "\n"
    }

    /// How many games tuning plays.
    pub fn tuning_games(&self) -> usize {
        match &self.method {
            Method::Regression(regression) => regression.games,
            Method::Spsa(climb) => climb.iterations * climb.batch,
        }
    }

    /// A bot with the limit of the match.
    pub(crate) fn in_match(&self, bot: &BotSpec) -> Result<BotSpec, PlanError> {
        let cast = Cast::of(&*self.variants[0].rules);
        let limit = match self.contest.limit {
            None => return Ok(bot.clone()),
            Some(Limit::Nodes(nodes)) => [("nodes", nodes.to_string()), ("time", "off".to_owned())],
            Some(Limit::Time(time)) => [("time", duration_text(time)), ("nodes", "off".to_owned())],
        };
        let mut bot = bot.clone();
        for (key, value) in limit {
            if cast.declares(&bot, key) {
                bot = bot.with(key, value).map_err(|error| PlanError(error.to_string()))?;
            }
        }
        Ok(bot)
    }
}

/// A word as shells read it.
fn shell_word(word: &str) -> String {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "-_=.,:/+%@".contains(char);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

fn variants(order: &Order) -> Result<Vec<Variant>, String> {
    let usual = [String::new()];
    let texts = if order.options.is_empty() { &usual[..] } else { &order.options };
    texts
        .iter()
        .map(|text| {
            let rules = order.entry.rules(text).map_err(|error| error.to_string())?;
            if rules.seats().len() != 2 {
                let (title, seats) = (order.entry.spec.title(), counted(rules.seats().len(), "seat"));
                return Err(format!("{title} has {seats} here; bots are tuned in games of two"));
            }
            let usual = order.entry.opening_rounds * 2;
            Ok(Variant { opening_plies: order.opening_plies.unwrap_or(usual), rules })
        })
        .collect()
}

/// The bot with a limit that does not depend on the machine.
fn limited(order: &Order, cast: &Cast) -> Result<BotSpec, String> {
    let bot = &order.bot;
    if bot.sets("time") {
        return Err("games that tuning learns from are limited by nodes or depth, so that they can be repeated; use nodes= instead of \
                    time=, and --match-time for a match at equal time"
            .to_owned());
    }
    let is_timed = cast.declares(bot, "time") && cast.value(bot, "time").is_some_and(|value| value != "off");
    let needs = cast.is_unlimited(bot) || is_timed;
    if !needs && order.nodes.is_none() {
        return Ok(bot.clone());
    }
    if !cast.declares(bot, "nodes") {
        return Err(format!("the bot {} cannot be limited by nodes", bot.name()));
    }
    let set = |bot: &BotSpec, key: &str, value: &str| bot.with(key, value).map_err(|error| error.to_string());
    let has_nodes = cast.value(bot, "nodes").is_some_and(|value| decimal(value).is_ok());
    let mut limited = bot.clone();
    if is_timed {
        limited = set(&limited, "time", "off")?;
    }
    match order.nodes {
        Some(nodes) => set(&limited, "nodes", &nodes.to_string()),
        None if has_nodes => Ok(limited),
        None => set(&limited, "nodes", &NODES.to_string()),
    }
}
