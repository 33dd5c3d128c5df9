//! Help for players: hints, evaluations, and a review of the moves.
//!
//! The game's best bot does it all, in its own thread and one question at a time. Hints take precedence.

use std::cell::OnceCell;
use std::sync::Arc;
use std::time::Duration;

use agon_answers::review::{Assessment, Mark, final_result, final_score, mark, review_limits, reviewer};
use agon_answers::score::{ScoreScale, Unit, chances, expectation};
use agon_core::Turn;
use agon_core::view::{Board, Step};
use agon_erased::{BotSpec, Budget, Games, Limits, Rules, Session, Thought, Yardstick, default_bot};
use agon_match::Occupant;
use agon_players::{News, Thinker};
use ratatui::text::Line;

use super::parts::{Fault, chances_lines, expectation_line, unknown_line};
use crate::theme::Theme;

/// Node limits for a hint and for the position on the board. Nodes are counted instead of time, so that the answer is the same each time. On
/// a slow machine the clock stops it instead, as in a review.
const HINT_NODES: u64 = 2_000_000;
const PRESENT_NODES: u64 = 500_000;

/// A move that was recommended.
#[derive(Clone, Debug)]
pub(crate) struct Hint {
    pub(crate) token: String,
    pub(crate) step: Step,
    pub(crate) thought: Thought<String>,
}

/// What the assistant is asked to do by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Duty {
    /// Nothing.
    None,
    /// To judge the position on the board.
    Present,
    /// To judge all positions of the game.
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    Hint,
    Position,
}

pub(crate) struct Assistant {
    rules: Arc<dyn Rules>,
    yardstick: Yardstick,
    scale: Option<f64>,
    /// How its scores are shown.
    /// Computed on first use, because it needs the evaluation, which takes time to load.
    scores: OnceCell<ScoreScale>,
    thinker: Thinker,
    /// What is being asked, about the position after this many plies.
    asked: Option<(Question, usize)>,
    hint_wanted: bool,
    /// Whether it reviews a finished game.
    looks_back: bool,
    /// What each position was found to be, by the number of plies before it.
    known: Vec<Option<Assessment>>,
    /// What it thought of each position, as it was shown.
    thoughts: Vec<Option<Thought<String>>>,
    marks: Vec<Option<Mark>>,
    pub(crate) live: Option<Thought<String>>,
    pub(crate) hint: Option<Hint>,
    /// Why it is of no help.
    pub(crate) failure: Option<String>,
}

/// A bot that gives advice, always the same.
fn adviser(rules: &Arc<dyn Rules>, bot: BotSpec) -> Thinker {
    Thinker::lazy(Arc::clone(rules), Occupant::Bot(bot), 0)
}

impl Assistant {
    pub(crate) fn new(games: Games, rules: Arc<dyn Rules>) -> Self {
        Self {
            yardstick: games.find(rules.spec().id).map_or(Yardstick::Expectation, |entry| entry.yardstick),
            thinker: adviser(&rules, default_bot(&*rules)),
            scale: None,
            scores: OnceCell::new(),
            rules,
            asked: None,
            hint_wanted: false,
            looks_back: false,
            known: Vec::new(),
            thoughts: Vec::new(),
            marks: Vec::new(),
            live: None,
            hint: None,
            failure: None,
        }
    }

    /// How its scores are shown.
    pub(crate) fn scores(&self) -> ScoreScale {
        let of_adviser = || ScoreScale::of(&*self.rules, &Occupant::Bot(default_bot(&*self.rules)));
        *self.scores.get_or_init(of_adviser)
    }

    /// Takes over what another one has found out about the same game.
    pub(crate) fn remember(&mut self, other: &Self) {
        self.known.clone_from(&other.known);
        self.marks.clone_from(&other.marks);
        self.looks_back = other.looks_back;
        if self.looks_back {
            self.thinker = self.reviewer();
        }
    }

    /// Whether it has marked any move.
    pub(crate) fn has_marks(&self) -> bool {
        self.marks.iter().any(Option::is_some)
    }

    /// A fresh bot: what it learnt during the game must not influence the review.
    fn reviewer(&self) -> Thinker {
        adviser(&self.rules, reviewer(&*self.rules))
    }

    /// Asks for a hint.
    pub(crate) fn want_hint(&mut self) {
        self.hint = None;
        self.hint_wanted = true;
        if self.asked.is_some_and(|(question, _)| question != Question::Hint) {
            self.thinker.cancel();
            self.asked = None;
        }
    }

    /// Whether a hint is on its way.
    pub(crate) fn is_searching(&self) -> bool {
        self.hint_wanted || self.asked.is_some_and(|(question, _)| question == Question::Hint)
    }

    /// Notes that the game has moved on or back.
    pub(crate) fn follow(&mut self, plies: usize) {
        self.hint = None;
        self.hint_wanted = false;
        self.thoughts.truncate(plies + 1);
        self.live = self.thoughts.get(plies).cloned().flatten();
        if std::mem::take(&mut self.looks_back) {
            self.thinker = adviser(&self.rules, default_bot(&*self.rules));
            self.asked = None;
        }
        self.known.truncate(plies + 1);
        self.marks.truncate(plies);
        if self.asked.is_some_and(|(question, at)| question == Question::Hint || at > plies) {
            self.thinker.cancel();
            self.asked = None;
        }
    }

    /// Does what is due; says whether anything has changed.
    pub(crate) fn tick(&mut self, session: &dyn Session, duty: Duty) -> bool {
        let mut changed = false;
        if duty == Duty::All && !std::mem::replace(&mut self.looks_back, true) {
            self.thinker = self.reviewer();
            (self.known, self.marks, self.asked) = (Vec::new(), Vec::new(), None);
        }
        while let Some(news) = self.thinker.news(Duration::ZERO) {
            changed = true;
            match news {
                News::Thought(thought) => self.live = Some(thought),
                News::Answer(thought, _) => self.note(thought, session),
                News::Failure(reason) => self.failure = Some(reason),
            }
        }
        if self.asked.is_none() && self.failure.is_none() && self.thinker.is_free() {
            self.ask(session, duty);
        }
        changed
    }

    fn note(&mut self, thought: Thought<String>, session: &dyn Session) {
        let Some((question, plies)) = self.asked.take() else { return };
        match question {
            Question::Hint => {
                let step = session.steps().into_iter().find(|(token, _)| *token == thought.best);
                self.hint = step.map(|(token, step)| Hint { token, step, thought });
            }
            Question::Position => {
                let mover = match session.movers().get(plies).copied().unwrap_or_else(|| session.turn()) {
                    Turn::Player(player) => player,
                    Turn::Chance => return,
                };
                self.learn(plies, Assessment::of(&thought, mover));
                if self.thoughts.len() <= plies {
                    self.thoughts.resize(plies + 1, None);
                }
                self.thoughts[plies] = Some(thought.clone());
                self.live = Some(thought);
            }
        }
    }

    /// Takes over what somebody has found out about the position after this many plies.
    pub(crate) fn learn(&mut self, plies: usize, assessment: Option<Assessment>) {
        if self.known.len() <= plies {
            self.known.resize(plies + 1, None);
        }
        self.known[plies] = assessment;
    }

    fn ask(&mut self, session: &dyn Session, duty: Duty) {
        let plies = session.history().len();
        let is_open = session.outcome().is_none() && matches!(session.turn(), Turn::Player(_));
        let budget = |nodes: Option<u64>| {
            let past = review_limits();
            let limits = Limits { nodes: nodes.or(past.nodes), ..past };
            Budget { keeps_own_limits: false, ..Budget::new(limits) }
        };
        if self.hint_wanted && is_open {
            let Turn::Player(player) = session.turn() else { return };
            if self.thinker.ask(session, player, budget(Some(HINT_NODES))) {
                self.hint_wanted = false;
                self.asked = Some((Question::Hint, plies));
            }
            return;
        }
        let is_known = |at: usize| self.known.get(at).is_some_and(Option::is_some);
        let (at, nodes) = match duty {
            Duty::None => return,
            Duty::Present if is_open && !is_known(plies) => (Some(plies), Some(PRESENT_NODES)),
            Duty::Present => return,
            Duty::All => {
                let movers = session.movers();
                let missing = (0..plies).find(|&at| movers[at] != Turn::Chance && !is_known(at));
                (missing, None)
            }
        };
        let Some(at) = at else { return };
        let mut past = session.fork();
        while past.history().len() > at && past.undo() {}
        if let Turn::Player(player) = past.turn()
            && self.thinker.ask(&*past, player, budget(nodes))
        {
            self.asked = Some((Question::Position, at));
        }
    }

    /// What the position after this many plies promises the first player, 0 to 1; in games of two.
    pub(crate) fn expected(&mut self, plies: usize, session: &dyn Session) -> Option<f64> {
        if self.rules.seats().len() != 2 {
            return None;
        }
        if plies == session.history().len()
            && let Some(result) = final_result(session)
        {
            return Some(result);
        }
        let score = self.for_first(plies, session)?;
        Some(expectation(score, self.scale()?))
    }

    fn scale(&mut self) -> Option<f64> {
        if self.scale.is_none() {
            self.scale = self.rules.scale();
        }
        self.scale
    }

    /// A bar of who is ahead in `here`, a position of the game `whole`; none in games of one. With two players it says by how much, in
    /// discs where the evaluation counts those, else as an expected result. With more, it shows every seat's chance by the static
    /// evaluation: what a search expects is what the player to move expects.
    pub(crate) fn bar(
        &mut self,
        whole: &dyn Session,
        here: &dyn Session,
        board: &Board,
        width: u16,
        theme: Theme,
    ) -> Vec<Line<'static>> {
        let titles = self.rules.titles();
        if let [first, _] = titles.as_slice() {
            let plies = here.history().len();
            let Some(expected) = self.expected(plies, whole) else { return vec![unknown_line(theme)] };
            let worth = match (self.scores().unit, self.for_first(plies, whole)) {
                (Some(Unit::Amount { .. }), Some(score)) => self.scores().text(score),
                _ => format!("{:>3.0}%", 100.0 * expected),
            };
            return vec![expectation_line(expected, &format!("{first} {worth} "), width, theme)];
        }
        let Some(scale) = self.scale() else { return Vec::new() };
        chances_lines(board, &titles, &chances(&here.prospects(), scale), width, theme)
    }

    fn for_first(&self, plies: usize, session: &dyn Session) -> Option<f64> {
        if plies == session.history().len()
            && let Some(score) = final_score(session)
        {
            return Some(score);
        }
        self.known.get(plies)?.as_ref().map(Assessment::for_first)
    }

    /// How many of the game's positions have been judged, and how many there are to judge.
    pub(crate) fn progress(&self, session: &dyn Session) -> (usize, usize) {
        let movers = session.movers();
        let wanted = movers.iter().filter(|mover| **mover != Turn::Chance).count();
        let known = (0..movers.len())
            .filter(|&at| movers[at] != Turn::Chance && self.known.get(at).is_some_and(Option::is_some))
            .count();
        (known, wanted)
    }

    /// What was wrong with a ply, and what would have been better, once enough is known.
    pub(crate) fn fault(&mut self, ply: usize, session: &dyn Session, token: &str) -> Option<Fault> {
        let mark = self.mark(ply, session, token)?;
        Some(Fault { mark, better: self.known.get(ply)?.as_ref()?.best.clone() })
    }

    /// The mark of a ply, once enough is known.
    fn mark(&mut self, ply: usize, session: &dyn Session, token: &str) -> Option<Mark> {
        if self.marks.len() <= ply {
            self.marks.resize(ply + 1, None);
        }
        if self.marks[ply].is_none() {
            let before = self.known.get(ply)?.as_ref()?;
            let after = self.for_first(ply + 1, session);
            self.marks[ply] = mark(&*self.rules, self.yardstick, before, token, after);
        }
        self.marks[ply]
    }
}
