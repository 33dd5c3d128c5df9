//! `agon analyze`: what a bot thinks of a position, and why.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use agon_arena::RecordResult;
use agon_core::Turn;
use agon_core::random::{RandomSource, seeded};
use agon_players::{default_bot, player, sets, with_several_moves};
use agon_registry::{Bot, Budget, Feature, Limits, Rules, Session, SystemClock, Thought, proven_in};
use agon_terminal::screens::{Mode, PlayScreen};
use agon_terminal::{HUMAN, Setup, Table, TimeControl};
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::game_args::GameArgs;
use crate::layout::{self, grouped};
use crate::screen_args::ScreenArgs;
use crate::{progress, times};

/// `agon analyze`
#[derive(clap::Args)]
#[command(
    after_help = "The limits of the bot itself are set aside for --time, unless the specification sets some.
Scores are in the unit of the bot's evaluation, for the player to move. Ctrl-C ends the thinking and prints what was found.

Examples:
  agon analyze othello --moves 'd3 c3 c4' --time 2s
  agon analyze loa --options size=6 --bot alphabeta:depth=6,tt=off --json
  agon analyze tablut --board                 move the pieces on the full screen
  agon analyze 2048 --position '2,4,8,16/0,0,2,0/0,0,0,0/0,0,0,0 36'"
)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Moves to play from the position on, separated by spaces
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// The bot that thinks [default: expert, or the last that `agon bots` lists]
    #[arg(long, value_name = "SPEC")]
    bot: Option<String>,
    /// How long it thinks [default: 1s, or as the bot's specification says]
    #[arg(long, value_name = "TIME", value_parser = times::duration_argument)]
    time: Option<Duration>,
    /// Fixes all randomness, also that of chance where it is to act before a player
    #[arg(long, value_name = "N", default_value = "0")]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Lay the position out on the full screen: all sides are yours, and the best bot judges every position
    #[arg(long, conflicts_with_all = ["json", "bot", "time"])]
    board: bool,
    #[command(flatten)]
    screen: ScreenArgs,
}

/// How many moves are shown and, if the bot can, given their true scores.
const SHOWN_MOVES: usize = 5;
/// How long a bot thinks that was told nothing.
const USUAL_TIME: Duration = Duration::from_secs(1);

#[derive(Serialize)]
struct ScoredMove<'a> {
    #[serde(rename = "move")]
    name: &'a str,
    score: f64,
}

#[derive(Serialize)]
struct NamedFeature {
    name: &'static str,
    value: f64,
    weight: f64,
}

#[derive(Serialize)]
struct Report<'a> {
    best: &'a str,
    score: Option<f64>,
    depth: u32,
    nodes: u64,
    nodes_per_second: u64,
    line: &'a [String],
    moves: Vec<ScoredMove<'a>>,
    features: Vec<NamedFeature>,
    /// The score in words where the end has been found.
    proven: Option<String>,
    /// The depth at which the moves were compared.
    moves_depth: u32,
    statistics: serde_json::Map<String, serde_json::Value>,
    seconds: f64,
    bot: &'a str,
    position: String,
}

impl Args {
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let (rules, mut session) = self.game.open()?;
        let moves = self.moves.as_deref().unwrap_or_default();
        for (index, token) in moves.split_whitespace().enumerate() {
            session.play(token).with_context(|| format!("--moves, number {}", index + 1))?;
        }
        if self.board && self.screen.fills() {
            return self.lay_out(rules, session, out);
        }
        let mut chance = seeded(self.seed);
        while session.outcome().is_none() && session.turn() == Turn::Chance {
            session.draw(chance.next_u64()).context("chance has nothing to draw")?;
        }
        if session.outcome().is_some() {
            let result = RecordResult::of(&*rules, session.outcome());
            anyhow::bail!("the game is over in this position: {result}; there is nothing to analyze");
        }
        let specification = match &self.bot {
            Some(specification) => specification.clone(),
            None => default_bot(&*rules).to_owned(),
        };
        // A bot that was told how long to think is taken at its word.
        let limits_itself = ["time", "depth", "nodes"].iter().any(|key| sets(&specification, key));
        let time = self.time.or_else(|| (!limits_itself).then_some(USUAL_TIME));
        let mut bot = player(&*rules, &with_several_moves(&*rules, &specification, SHOWN_MOVES), self.seed)?;
        let mut budget = Budget::new(Limits { time, ..Limits::default() });
        budget.keeps_own_limits = limits_itself;
        budget.stop = progress::interrupt()?;
        let (thought, moves_depth) = self.think(&mut *bot, &*session, &budget, rules.seats().len())?;
        let seconds = thought.elapsed.as_secs_f64();
        let features = bot.features(&*session);
        if self.json {
            let report = Report {
                moves_depth,
                ..report(&thought, &features, &specification, &*session, rules.seats().len())
            };
            writeln!(out, "{}", serde_json::to_string(&report)?)?;
            return Ok(());
        }
        let view = View {
            session: &*session,
            thought: &thought,
            moves_depth,
            players: rules.seats().len(),
            seconds,
        };
        view.write(&specification, &features, out)
    }

    /// Opens the position on the full screen, as the menu does.
    fn lay_out(
        &self,
        rules: Arc<dyn Rules>,
        session: Box<dyn Session>,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        let mut context = self.screen.context();
        let setup = Setup {
            game: rules.spec().id.to_owned(),
            options: rules.options(),
            position: self.game.position.clone(),
            moves: Vec::new(),
            seats: vec![HUMAN.to_owned(); rules.seats().len()],
            person: context.home.person().to_owned(),
            clock: TimeControl::None,
            seed: self.seed,
        };
        let table = Table::around(rules, session, &setup, Arc::new(SystemClock::default()))?;
        let screen = PlayScreen::new(table, Mode::Analyse, &context);
        self.screen.show(Box::new(screen), &mut context, out)
    }

    /// Has the bot think, with a line on standard error that shows how far it is. Gives its thought and the depth at which the
    /// moves were compared.
    fn think(
        &self,
        bot: &mut dyn Bot,
        session: &dyn Session,
        budget: &Budget,
        players: usize,
    ) -> anyhow::Result<(Thought<String>, u32)> {
        let live = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}") {
            live.set_style(style);
        }
        live.enable_steady_tick(Duration::from_millis(100));
        let began = budget.clock.now();
        let (mut known, mut known_depth) = (Vec::new(), 0);
        let thought = bot.think(session, budget, &mut |thought| {
            if thought.moves.len() >= known.len() {
                known.clone_from(&thought.moves);
                known_depth = thought.depth;
            }
            let score = thought.score.map(|score| score_text(score, players)).unwrap_or_default();
            live.set_message(format!("depth {}  {score}  {}", thought.depth, thought.line.join(" ")));
        });
        live.finish_and_clear();
        let mut thought = thought.context("the bot has not answered")?;
        // An iteration that was cut short knows its first moves only: then all are shown as the last whole one saw them.
        let moves_depth = if thought.moves.len() < known.len() {
            thought.moves = known;
            known_depth
        } else {
            thought.depth
        };
        // Other people's programs do not say how long they took.
        thought.elapsed = budget.clock.now().saturating_sub(began);
        Ok((thought, moves_depth))
    }
}

/// A score for people: in words where the end has been found. Games of one are counted in points, which may be many.
fn score_text(score: f64, players: usize) -> String {
    proven_text(score, players).unwrap_or_else(|| match score {
        _ if players == 1 => format!("{score:.0}"),
        _ if score.fract() == 0.0 => format!("{score:+.0}"),
        _ => format!("{score:+.2}"),
    })
}

fn proven_text(score: f64, players: usize) -> Option<String> {
    let plies = proven_in(score).filter(|_| players > 1)?;
    let word = if score > 0.0 { "win" } else { "loss" };
    Some(format!("{word} in {}", plies.abs()))
}

fn per_second(nodes: u64, seconds: f64) -> u64 {
    if seconds > 0.0 { (nodes as f64 / seconds) as u64 } else { 0 }
}

fn report<'a>(
    thought: &'a Thought<String>,
    features: &[Feature],
    specification: &'a str,
    session: &dyn Session,
    players: usize,
) -> Report<'a> {
    let seconds = thought.elapsed.as_secs_f64();
    Report {
        best: &thought.best,
        score: thought.score,
        depth: thought.depth,
        nodes: thought.nodes,
        nodes_per_second: per_second(thought.nodes, seconds),
        line: &thought.line,
        moves: thought.moves.iter().map(|(name, score)| ScoredMove { name, score: *score }).collect(),
        features: features
            .iter()
            .map(|&Feature { name, value, weight }| NamedFeature { name, value, weight })
            .collect(),
        moves_depth: thought.depth,
        proven: thought.score.and_then(|score| proven_text(score, players)),
        statistics: thought
            .statistics
            .iter()
            .map(|statistic| (statistic.name.to_owned(), serde_json::json!(statistic.value)))
            .collect(),
        seconds,
        bot: specification,
        position: session.position(),
    }
}

/// An analysis for people.
struct View<'a> {
    session: &'a dyn Session,
    thought: &'a Thought<String>,
    moves_depth: u32,
    players: usize,
    seconds: f64,
}

/// Where values begin beside their names.
const COLUMN: usize = 14;

impl View<'_> {
    fn write(&self, specification: &str, features: &[Feature], out: &mut impl Write) -> anyhow::Result<()> {
        let Self { session, thought, moves_depth, players, seconds } = self;
        let width = layout::width();
        write!(out, "{}", session.diagram())?;
        writeln!(out, "position: {}", session.position())?;
        writeln!(out, "{} to move, {specification} thinks\n", session.turn_name())?;
        let mut row = |name: &str, text: &str| layout::entry(2, name, COLUMN, text, width, out);
        let score = thought
            .score
            .map_or_else(|| "none: this bot does not judge".to_owned(), |score| score_text(score, *players));
        row("best", &thought.best)?;
        row("score", &score)?;
        row("depth", &thought.depth.to_string())?;
        row("line", &thought.line.join(" "))?;
        let speed = grouped(per_second(thought.nodes, *seconds));
        row("nodes", &format!("{} in {seconds:.3}s, {speed} a second", grouped(thought.nodes)))?;
        if !thought.statistics.is_empty() {
            row("statistics", &self.statistics())?;
        }
        if !thought.moves.is_empty() {
            writeln!(out, "\n  moves at depth {moves_depth}, the best first")?;
            let longest =
                thought.moves.iter().take(SHOWN_MOVES).map(|(name, _)| name.len()).max().unwrap_or(0);
            for (number, (name, score)) in (1..).zip(thought.moves.iter().take(SHOWN_MOVES)) {
                writeln!(out, "  {number:>3}  {name:<longest$}  {:>12}", score_text(*score, *players))?;
            }
        }
        if !features.is_empty() {
            self.write_features(features, out)?;
        }
        Ok(())
    }

    /// What was counted, without what did not happen.
    fn statistics(&self) -> String {
        let shown =
            self.thought.statistics.iter().filter(|statistic| statistic.value != 0.0).map(|statistic| {
                let value = match statistic.value {
                    // Shares are of the whole table.
                    share if statistic.name.ends_with("fill") => format!("{:.1}%", 100.0 * share),
                    count if count.fract() == 0.0 && count >= 0.0 => grouped(count as u64),
                    other => format!("{other:.3}"),
                };
                format!("{} {value}", statistic.name)
            });
        let shown: Vec<String> = shown.collect();
        if shown.is_empty() { "nothing to count".to_owned() } else { shown.join(", ") }
    }

    fn write_features(&self, features: &[Feature], out: &mut impl Write) -> anyhow::Result<()> {
        writeln!(out, "\n  what it sees here, for {}", self.session.turn_name())?;
        let longest = features.iter().map(|feature| feature.name.len()).max().unwrap_or(0).max(8);
        writeln!(out, "  {:<longest$}  {:>12}  {:>12}  {:>12}", "", "value", "weight", "worth")?;
        let mut sum = 0.0;
        for Feature { name, value, weight } in features {
            // The sum does away with a negative zero.
            let worth = value * weight + 0.0;
            sum += worth;
            writeln!(out, "  {name:<longest$}  {value:>12.2}  {weight:>12.2}  {worth:>12.2}")?;
        }
        writeln!(out, "  {:<longest$}  {:>12}  {:>12}  {sum:>12.2}", "sum", "", "")?;
        Ok(())
    }
}
