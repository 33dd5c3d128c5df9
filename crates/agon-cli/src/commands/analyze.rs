//! `agon analyze`: what a bot thinks of a position, and why.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use agon_answers::score::ScoreScale;
use agon_answers::{Analyst, COMPARED_MOVES, analyze};
use agon_core::Turn;
use agon_core::text::grouped;
use agon_erased::{Budget, Limits, Rules, Session, Threads, default_bot};
use agon_match::Occupant;
use agon_players::player;
use agon_protocol::analysis::{Analysis, Bound, NamedFeature, ScoredMove};
use agon_terminal::screens::{Mode, PlayScreen};
use agon_terminal::{MatchDriver, NewGame};
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};

use crate::game_args::GameArgs;
use crate::layout;
use crate::screen_args::ScreenArgs;
use crate::{cores, progress, times, weights};

/// `agon analyze`
#[derive(clap::Args)]
#[command(
    after_help = "--time overrides the bot's own limits, unless its specification sets some. Scores are for the player to move: discs in \
Othello, points in 2048, the expected result in per cent in other games. Bots with an evaluation of their own use its unit. \
Ctrl-C stops the search and prints the analysis so far. By the clock, the search uses all cores; with a limit of nodes or depth, or with
--threads 1, it uses one, and the same question has the same answer.

Examples:
  agon analyze othello --moves 'd3 c3 c4' --time 2s
  agon analyze loa --options size=6 --bot alphabeta:depth=6,tt=off --json
  agon analyze tablut --board                 move the pieces on the full screen
  agon analyze 2048 --position '2,4,8,16/0,0,2,0/0,0,0,0/0,0,0,0 36'"
)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Moves to play from the position, separated by spaces
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// The bot that analyses [default: expert, or the last one listed by `agon bots`]
    #[arg(long, value_name = "SPEC")]
    bot: Option<String>,
    /// Thinking time [default: 1s, or what the bot's specification sets]
    #[arg(long, value_name = "TIME", value_parser = times::duration_argument)]
    time: Option<Duration>,
    /// Threads for a search that is limited by time alone; a bot whose specification sets threads= uses those [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Seed of all randomness, including tiles drawn before the player moves
    #[arg(long, value_name = "N", default_value = "0")]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Open the position on the full screen, where you move all sides and the best bot evaluates every position
    #[arg(long, conflicts_with_all = ["json", "bot", "time", "threads"])]
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
        let bot = match &self.bot {
            Some(text) => weights::occupant(text.parse()?, &*rules)?,
            None => Occupant::Bot(default_bot(&*rules)),
        };
        let scale = ScoreScale::of(&*rules, &bot);
        let mut analyst = Analyst::of_occupant(&*rules, &bot, self.seed, player)?;
        let mut budget = Budget::new(Limits { time: self.time, ..Limits::default() });
        budget.stop = progress::interrupt()?;
        let threads = self.threads.map_or_else(cores, usize::from);
        budget.threads = Threads::usually(threads);
        let live = live_line();
        let analysis = analyze(&*rules, &mut *session, &mut analyst, self.seed, budget, &mut |thought| {
            let score = thought.score.map(|score| scale.text(score)).unwrap_or_default();
            live.set_message(format!("depth {}  {score}  {}", thought.depth, thought.line.join(" ")));
        });
        live.finish_and_clear();
        let analysis = analysis?;
        if self.json {
            writeln!(out, "{}", serde_json::to_string(&analysis)?)?;
            return Ok(());
        }
        Layout { rules: &*rules, session: &*session, analysis: &analysis }.write(out)
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
        let screen = PlayScreen::new(MatchDriver::start(new)?, Mode::Analyse, &context);
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

/// An analysis for people.
struct Layout<'a> {
    rules: &'a dyn Rules,
    session: &'a dyn Session,
    analysis: &'a Analysis,
}

/// Where values begin beside their names.
const COLUMN: usize = 14;

impl Layout<'_> {
    fn write(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let Self { session, analysis, .. } = *self;
        let width = layout::width();
        write!(out, "{}", session.diagram())?;
        writeln!(out, "Position: {}", analysis.position)?;
        writeln!(out, "Analysis by {}, for {}\n", analysis.bot, self.mover())?;
        let mut row = |name: &str, text: &str| layout::entry(2, name, COLUMN, text, width, out);
        row("best", &analysis.best)?;
        row("score", analysis.text.as_deref().unwrap_or("none: this bot does not evaluate positions"))?;
        if let Some(chances) = &analysis.chances {
            let titles = self.rules.titles().into_iter();
            let shown: Vec<String> =
                titles.zip(chances).map(|(title, chance)| format!("{title} {chance:.1}%")).collect();
            row("chances", &shown.join(", "))?;
        }
        row("depth", &analysis.depth.to_string())?;
        row("line", &analysis.line.join(" "))?;
        let (nodes, speed) = (grouped(analysis.nodes), grouped(analysis.nodes_per_second));
        row("nodes", &format!("{nodes} in {:.3} s, {speed} per second", analysis.seconds))?;
        if !analysis.statistics.is_empty() {
            row("statistics", &self.statistics())?;
        }
        if !analysis.moves.is_empty() {
            writeln!(out, "\n  Moves at depth {}, best first", analysis.moves_depth)?;
            let shown = &analysis.moves[..analysis.moves.len().min(COMPARED_MOVES)];
            let longest = shown.iter().map(|known| known.name.len()).max().unwrap_or(0);
            for (number, ScoredMove { name, bound, text, .. }) in (1..).zip(shown) {
                let bound = match bound {
                    None => "",
                    Some(Bound::Lower) => "at least ",
                    Some(Bound::Upper) => "at most ",
                };
                writeln!(out, "  {number:>3}  {name:<longest$}  {:>14}", format!("{bound}{text}"))?;
            }
        }
        if !analysis.features.is_empty() {
            self.write_features(out)?;
        }
        Ok(())
    }

    /// What people call the player to move.
    fn mover(&self) -> String {
        let titles = self.rules.titles();
        match self.session.turn() {
            Turn::Player(player) => titles.into_iter().nth(player.index()).unwrap_or_default(),
            Turn::Chance => String::new(),
        }
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
        if shown.is_empty() { "none".to_owned() } else { shown.join(", ") }
    }

    fn write_features(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let features = &self.analysis.features;
        writeln!(out, "\n  Features of the evaluation, for {}, in its internal unit", self.mover())?;
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
