//! `agon analyze`: what a bot thinks of a position, and why.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use agon_answers::score::proven_text;
use agon_answers::{AnalysisRequest, COMPARED_MOVES, analyze};
use agon_protocol::analysis::{Analysis, NamedFeature, ScoredMove};
use agon_registry::{Budget, Limits, Rules, Session};
use agon_terminal::screens::{Mode, PlayScreen};
use agon_terminal::{GameDriver, NewGame};
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};

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
        let bot = self.bot.as_deref().map(str::parse).transpose()?;
        let request = AnalysisRequest { bot, seed: self.seed };
        let mut budget = Budget::new(Limits { time: self.time, ..Limits::default() });
        budget.stop = progress::interrupt()?;
        let players = rules.seats().len();
        let live = live_line();
        let analysis = analyze(&*rules, &mut *session, &request, budget, &mut |thought| {
            let score = thought.score.map(|score| score_text(score, players)).unwrap_or_default();
            live.set_message(format!("depth {}  {score}  {}", thought.depth, thought.line.join(" ")));
        });
        live.finish_and_clear();
        let analysis = analysis?;
        if self.json {
            writeln!(out, "{}", serde_json::to_string(&analysis)?)?;
            return Ok(());
        }
        Layout { session: &*session, analysis: &analysis, players }.write(out)
    }

    /// Opens the position on the full screen, as the menu does.
    fn lay_out(
        &self,
        rules: Arc<dyn Rules>,
        session: Box<dyn Session>,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        let mut context = self.screen.context();
        let new = NewGame::for_study(rules, &*session, context.home.person(), self.seed);
        let screen = PlayScreen::new(GameDriver::start(new)?, Mode::Analyse, &context);
        self.screen.show(Box::new(screen), &mut context, out)
    }
}

/// A line on standard error that shows how far the bot is.
fn live_line() -> ProgressBar {
    let live = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}") {
        live.set_style(style);
    }
    live.enable_steady_tick(Duration::from_millis(100));
    live
}

/// A score for people: in words where the end has been found. Games of one are counted in points, which may be many.
fn score_text(score: f64, players: usize) -> String {
    proven_text(score, players).unwrap_or_else(|| match score {
        _ if players == 1 => format!("{score:.0}"),
        _ if score.fract() == 0.0 => format!("{score:+.0}"),
        _ => format!("{score:+.2}"),
    })
}

/// An analysis for people.
struct Layout<'a> {
    session: &'a dyn Session,
    analysis: &'a Analysis,
    players: usize,
}

/// Where values begin beside their names.
const COLUMN: usize = 14;

impl Layout<'_> {
    fn write(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let Self { session, analysis, players } = *self;
        let width = layout::width();
        write!(out, "{}", session.diagram())?;
        writeln!(out, "position: {}", analysis.position)?;
        writeln!(out, "{} to move, {} thinks\n", session.turn_name(), analysis.bot)?;
        let mut row = |name: &str, text: &str| layout::entry(2, name, COLUMN, text, width, out);
        let score = analysis
            .score
            .map_or_else(|| "none: this bot does not judge".to_owned(), |score| score_text(score, players));
        row("best", &analysis.best)?;
        row("score", &score)?;
        row("depth", &analysis.depth.to_string())?;
        row("line", &analysis.line.join(" "))?;
        let (nodes, speed) = (grouped(analysis.nodes), grouped(analysis.nodes_per_second));
        row("nodes", &format!("{nodes} in {:.3}s, {speed} a second", analysis.seconds))?;
        if !analysis.statistics.is_empty() {
            row("statistics", &self.statistics())?;
        }
        if !analysis.moves.is_empty() {
            writeln!(out, "\n  moves at depth {}, the best first", analysis.moves_depth)?;
            let shown = &analysis.moves[..analysis.moves.len().min(COMPARED_MOVES)];
            let longest = shown.iter().map(|known| known.name.len()).max().unwrap_or(0);
            for (number, ScoredMove { name, score }) in (1..).zip(shown) {
                writeln!(out, "  {number:>3}  {name:<longest$}  {:>12}", score_text(*score, players))?;
            }
        }
        if !analysis.features.is_empty() {
            self.write_features(out)?;
        }
        Ok(())
    }

    /// What was counted, without what did not happen.
    fn statistics(&self) -> String {
        let counted = self.analysis.statistics.iter().filter(|(_, value)| *value != 0.0);
        let shown: Vec<String> = counted
            .map(|&(name, value)| match value {
                // Shares are of the whole table.
                share if name.ends_with("fill") => format!("{name} {:.1}%", 100.0 * share),
                count if count.fract() == 0.0 && count >= 0.0 => format!("{name} {}", grouped(count as u64)),
                other => format!("{name} {other:.3}"),
            })
            .collect();
        if shown.is_empty() { "nothing to count".to_owned() } else { shown.join(", ") }
    }

    fn write_features(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let features = &self.analysis.features;
        writeln!(out, "\n  what it sees here, for {}", self.session.turn_name())?;
        let longest = features.iter().map(|feature| feature.name.len()).max().unwrap_or(0).max(8);
        writeln!(out, "  {:<longest$}  {:>12}  {:>12}  {:>12}", "", "value", "weight", "worth")?;
        let mut sum = 0.0;
        for NamedFeature { name, value, weight } in features {
            // The sum does away with a negative zero.
            let worth = value * weight + 0.0;
            sum += worth;
            writeln!(out, "  {name:<longest$}  {value:>12.2}  {weight:>12.2}  {worth:>12.2}")?;
        }
        writeln!(out, "  {:<longest$}  {:>12}  {:>12}  {sum:>12.2}", "sum", "", "")?;
        Ok(())
    }
}
