//! `agon bots`: who plays, what it is made of, and what can be set.

use std::io::Write;

use agon_core::OptionSpec;
use agon_erased::{BotListing, GameEntry, Rules};
use agon_registry::GAMES;
use serde_json::json;

use super::games::option_json;
use crate::layout;

/// `agon bots`
#[derive(clap::Args)]
#[command(
    after_help = "A bot is given by a specification: its name, or NAME:key=value,… to set its parameters.

Examples:
  agon bots othello
  agon play othello --players human,greedy
  agon duel loa alphabeta:nodes=10000 alphabeta:nodes=10000,tt=off"
)]
pub(crate) struct Args {
    /// The game [default: all games]
    game: Option<String>,
    /// Options of the game, since some bots need certain ones
    #[arg(long, default_value = "", hide_default_value = true, value_name = "OPTIONS", requires = "game")]
    options: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// An algorithm as the listings of several games show it.
struct Algorithm {
    name: &'static str,
    summary: String,
    parameters: &'static [OptionSpec],
}

impl Args {
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let entries: Vec<&GameEntry> = match &self.game {
            Some(name) => vec![GAMES.find(name)?],
            None => GAMES.iter().collect(),
        };
        let mut games = Vec::new();
        for entry in entries {
            games.push(entry.rules(&self.options)?);
        }
        let games: Vec<&dyn Rules> = games.iter().map(|rules| &**rules).collect();
        let algorithms = algorithms(&games);
        if self.json { print_json(&games, &algorithms, out) } else { print_text(&games, &algorithms, out) }
    }
}

/// Every algorithm that plays one of the games, once.
fn algorithms(games: &[&dyn Rules]) -> Vec<Algorithm> {
    let mut algorithms: Vec<Algorithm> = Vec::new();
    for bot in games.iter().flat_map(|rules| rules.bots()).filter(is_algorithm) {
        if algorithms.iter().all(|known| known.name != bot.name) {
            let BotListing { name, summary, parameters, .. } = bot;
            algorithms.push(Algorithm { name, summary: summary.text.into_owned(), parameters });
        }
    }
    algorithms
}

fn is_algorithm(bot: &BotListing) -> bool {
    bot.name == bot.algorithm
}

/// Where the text begins beside the names of bots, and of parameters.
const COLUMN: usize = 18;

fn print_text(games: &[&dyn Rules], algorithms: &[Algorithm], out: &mut impl Write) -> anyhow::Result<()> {
    let width = layout::width();
    for rules in games {
        let spec = rules.spec();
        let options = rules.options();
        let options = if options.is_empty() { options } else { format!(" ({options})") };
        layout::entry(0, "", 0, &format!("{}{options}", spec.title()), width, out)?;
        writeln!(out)?;
        for bot in rules.bots() {
            layout::entry(2, bot.name, COLUMN, &bot.summary.text, width, out)?;
            if !is_algorithm(&bot) {
                let settings = bot.settings.replace(',', ", ");
                let colon = if settings.is_empty() { "" } else { ": " };
                layout::entry(2, "", COLUMN, &format!("= {}{colon}{settings}", bot.algorithm), width, out)?;
            }
        }
        writeln!(out, "\n  Evaluations, best first:")?;
        for evaluation in rules.evaluations() {
            layout::entry(2, &format!("eval={}", evaluation.name), COLUMN, evaluation.summary, width, out)?;
        }
        if !rules.weight_sets().is_empty() {
            writeln!(out, "\n  Sets of weights:")?;
        }
        for set in rules.weight_sets() {
            let text = format!("For eval={}. {}", set.evaluation, set.summary);
            layout::entry(2, &format!("weights={}", set.name), COLUMN, &text, width, out)?;
        }
        writeln!(out)?;
    }
    let others = "Other programs can play too, named by protocol and command: gtp:CMD and nboard:CMD (Othello), ugi:CMD, jsonl:CMD, for example \
                  'gtp:gtp-rhino'. docs/protocols.md describes the protocols.";
    layout::entry(0, "", 0, others, width, out)?;
    writeln!(out)?;
    let advice = "Algorithms and their parameters. A parameter can be set for any bot of its algorithm, after a colon: \
                  NAME:key=value,key=value";
    layout::entry(0, "", 0, advice, width, out)?;
    for algorithm in algorithms.iter().filter(|algorithm| !algorithm.parameters.is_empty()) {
        writeln!(out)?;
        layout::entry(2, algorithm.name, COLUMN, &algorithm.summary, width, out)?;
        for OptionSpec { key, kind, default, help } in algorithm.parameters {
            let text = format!("{help}; {}; default {default}", kind.allowed());
            layout::entry(4, &format!("{key}="), COLUMN + 4, &text, width, out)?;
        }
    }
    Ok(())
}

fn print_json(games: &[&dyn Rules], algorithms: &[Algorithm], out: &mut impl Write) -> anyhow::Result<()> {
    let games: Vec<_> = games
        .iter()
        .map(|rules| {
            let bots: Vec<_> = rules
                .bots()
                .iter()
                .map(|bot| {
                    json!({
                        "name": bot.name,
                        "summary": bot.summary.text,
                        "algorithm": bot.algorithm,
                        "settings": bot.settings,
                    })
                })
                .collect();
            let evaluations: Vec<_> = rules
                .evaluations()
                .iter()
                .map(|evaluation| json!({ "name": evaluation.name, "summary": evaluation.summary }))
                .collect();
            let weight_sets: Vec<_> = rules
                .weight_sets()
                .iter()
                .map(|set| json!({ "name": set.name, "evaluation": set.evaluation, "summary": set.summary }))
                .collect();
            json!({
                "game": rules.spec().id,
                "options": rules.options(),
                "bots": bots,
                "evaluations": evaluations,
                "weight_sets": weight_sets,
            })
        })
        .collect();
    let algorithms: Vec<_> = algorithms
        .iter()
        .map(|algorithm| {
            let parameters: Vec<_> =
                algorithm.parameters.iter().map(|option| option_json(option, option.help)).collect();
            json!({ "name": algorithm.name, "summary": algorithm.summary, "parameters": parameters })
        })
        .collect();
    writeln!(out, "{}", json!({ "games": games, "algorithms": algorithms }))?;
    Ok(())
}
