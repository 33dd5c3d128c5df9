//! A race: boards of a game for one on one sequence of luck, each played by somebody else, and one ranking.

use std::cmp::Reverse;
use std::sync::Arc;

use agon_erased::Rules;
use serde::{Deserialize, Serialize};

use crate::action::{Action, Refusal};
use crate::clock::Millis;
use crate::end::End;
use crate::event::{Event, SCHEMA, seed_text};
use crate::model::Match;
use crate::replay::{ReplayError, follow};
use crate::setup::{Setup, StartError};

/// How many boards a race has.
const BOARDS: std::ops::RangeInclusive<usize> = 2..=6;

/// Who plays when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RaceOrder {
    /// All at once, side by side.
    Together,
    /// One whole game after the other, in the order of the boards.
    InTurn,
}

/// What decides a race. Whatever it is, a board ends when its game does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RaceGoal {
    /// The points at the end of the games.
    #[default]
    Finish,
    /// The points after so many moves on each board.
    Moves(u32),
    /// The points when so much time has passed since the race began.
    Time(Millis),
}

impl RaceGoal {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// What holds for all boards of a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RaceTerms {
    /// Who plays when.
    pub order: RaceOrder,
    /// What decides the race.
    pub goal: RaceGoal,
}

impl From<RaceOrder> for RaceTerms {
    fn from(order: RaceOrder) -> Self {
        Self { order, goal: RaceGoal::default() }
    }
}

/// Several matches of a game for one with the same luck: the k-th draw is made from the same number on every board.
#[derive(Debug)]
pub struct Race {
    terms: RaceTerms,
    /// When the race ends, wherever its boards stand.
    deadline: Option<Millis>,
    boards: Vec<Match>,
    /// How many boards have had their turn to begin.
    begun: usize,
    log: Vec<RaceEvent>,
}

/// Something that has happened in a race.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum RaceEvent {
    /// The race began: always the first event, and only that.
    Started {
        /// The version of the events' form, [`SCHEMA`].
        schema: u32,
        /// When.
        at: Millis,
        /// The game's name.
        game: String,
        /// All its options.
        options: String,
        /// Who plays when.
        order: RaceOrder,
        /// What decides the race.
        #[serde(default, skip_serializing_if = "RaceGoal::is_default")]
        goal: RaceGoal,
        /// What each board began with.
        boards: Vec<Setup>,
        /// What fixes the luck of all boards; hidden from the players until the race is over.
        #[serde(default, skip_serializing_if = "Option::is_none", with = "seed_text")]
        seed: Option<u64>,
    },
    /// Something happened on a board.
    Board {
        /// Which one.
        board: usize,
        /// What.
        event: Event,
    },
}

impl RaceEvent {
    /// When it happened.
    pub fn at(&self) -> Millis {
        match self {
            Self::Started { at, .. } => *at,
            Self::Board { event, .. } => event.at(),
        }
    }

    /// The event as players may see it before the race is over: without the seed.
    #[must_use]
    pub fn redacted(&self) -> Self {
        let mut event = self.clone();
        match &mut event {
            Self::Started { seed, .. } => *seed = None,
            Self::Board { event, .. } => *event = event.redacted(),
        }
        event
    }
}

impl Race {
    /// Starts a race at the moment `now`, a board for every setup. Where boards are played in turn, the clocks of those that
    /// wait are stopped.
    ///
    /// # Errors
    /// If the game is not one for a single player, the number of boards is not 2 to 6, they do not begin alike, the goal makes no
    /// sense, or anything in a setup does not hold.
    pub fn start(
        rules: Arc<dyn Rules>,
        setups: Vec<Setup>,
        terms: impl Into<RaceTerms>,
        seed: u64,
        now: Millis,
    ) -> Result<Self, StartError> {
        let terms = terms.into();
        let RaceTerms { order, goal } = terms;
        let refuse = |fault: &str| Err(StartError::Race(fault.to_owned()));
        if rules.seats().len() != 1 {
            return refuse("a race is of a game for one player");
        }
        if !BOARDS.contains(&setups.len()) {
            return refuse("a race has 2 to 6 boards");
        }
        if setups.iter().any(|setup| setup.position != setups[0].position) {
            return refuse("all boards of a race begin with the same position");
        }
        if goal == RaceGoal::Moves(0) {
            return refuse("a race by moves has at least one move on each board");
        }
        let deadline = match goal {
            RaceGoal::Time(_) if order == RaceOrder::InTurn => {
                return refuse("a race against time is played side by side");
            }
            RaceGoal::Time(time) => Some(now.plus(time)),
            RaceGoal::Finish | RaceGoal::Moves(_) => None,
        };
        let (game, options) = (rules.spec().id.to_owned(), rules.options());
        let started = RaceEvent::Started {
            schema: SCHEMA,
            at: now,
            game,
            options,
            order,
            goal,
            boards: setups.clone(),
            seed: Some(seed),
        };
        let mut race = Self { terms, deadline, boards: Vec::new(), begun: 0, log: vec![started] };
        for setup in setups {
            race.boards.push(Match::start(Arc::clone(&rules), setup, seed, now)?);
            race.note(race.boards.len() - 1, 0);
        }
        if order == RaceOrder::InTurn {
            for board in 1..race.boards.len() {
                // A board that is over already has nothing to wait with.
                let _ = race.act(board, Action::Pause, now);
            }
        }
        for board in 0..race.boards.len() {
            race.count_moves(board, now);
        }
        race.call_time(now);
        race.let_begin(now);
        Ok(race)
    }

    /// Who plays when.
    pub fn order(&self) -> RaceOrder {
        self.terms.order
    }

    /// What decides it.
    pub fn goal(&self) -> RaceGoal {
        self.terms.goal
    }

    /// When it ends, wherever its boards stand; `None` if no such moment was set.
    pub fn deadline(&self) -> Option<Millis> {
        self.deadline
    }

    /// The boards.
    pub fn boards(&self) -> &[Match] {
        &self.boards
    }

    /// Everything that has happened.
    pub fn log(&self) -> &[RaceEvent] {
        &self.log
    }

    /// Everything that has happened as players may see it: the seed stays hidden until the end.
    pub fn public_log(&self) -> Vec<RaceEvent> {
        let show = |event: &RaceEvent| if self.is_over() { event.clone() } else { event.redacted() };
        self.log.iter().map(show).collect()
    }

    /// The moment of the last event.
    pub fn last_time(&self) -> Millis {
        self.log.last().map_or(Millis::ZERO, RaceEvent::at)
    }

    /// Whether all boards have ended.
    pub fn is_over(&self) -> bool {
        self.boards.iter().all(|board| board.end().is_some())
    }

    /// Whether a board must wait for its turn.
    pub fn is_waiting(&self, board: usize) -> bool {
        board >= self.begun
    }

    /// The first moment at which a tick ends the game on some board, and which board that is.
    pub fn due(&self) -> Option<(usize, Millis)> {
        let due = |(index, board): (usize, &Match)| {
            let deadline = self.deadline.filter(|_| board.end().is_none());
            Some((index, board.due().into_iter().chain(deadline).min()?))
        };
        self.boards.iter().enumerate().filter_map(due).min_by_key(|(_, due)| *due)
    }

    /// The boards from first place to last by points, also while the race goes on; those with the same points share a place.
    /// Boards that were forfeited share the last one, whatever their points.
    pub fn ranking(&self) -> Vec<Vec<usize>> {
        let points = |board: &usize| {
            let game = &self.boards[*board];
            let is_forfeited = matches!(game.end(), Some(End::Forfeit { .. }));
            (!is_forfeited).then(|| game.standing().map_or(0, |standing| standing.score))
        };
        let mut boards: Vec<usize> = (0..self.boards.len()).collect();
        boards.sort_by_key(|board| Reverse(points(board)));
        boards.chunk_by(|one, other| points(one) == points(other)).map(<[usize]>::to_vec).collect()
    }

    /// Does what `action` says on a board; see [`Match::apply`]. A player whose turn has come by that may begin. Once the time of
    /// the race is up, it ends on all boards, and whatever else was to be done comes too late.
    ///
    /// # Errors
    /// If that is impossible; nothing has changed then.
    pub fn apply(&mut self, board: usize, action: Action, now: Millis) -> Result<&[RaceEvent], Refusal> {
        let now = now.max(self.last_time());
        let known = self.log.len();
        if board >= self.boards.len() {
            return Err(Refusal::NoSeat);
        }
        if self.is_waiting(board) && matches!(action, Action::Move(_) | Action::Pause | Action::Resume) {
            return Err(Refusal::NotYourTurn);
        }
        if self.call_time(now) {
            return Ok(&self.log[known..]);
        }
        self.act(board, action, now)?;
        self.count_moves(board, now);
        self.let_begin(now);
        Ok(&self.log[known..])
    }

    fn act(&mut self, board: usize, action: Action, now: Millis) -> Result<(), Refusal> {
        let known = self.boards[board].log().len();
        self.boards[board].apply(action, now)?;
        self.note(board, known);
        Ok(())
    }

    /// Ends the game of a board that has had its moves.
    fn count_moves(&mut self, board: usize, now: Millis) {
        let game = &self.boards[board];
        if matches!(self.terms.goal, RaceGoal::Moves(most) if game.moves_made() >= most as usize) {
            self.end(board, now);
        }
    }

    /// Ends the games of all boards if the time of the race is up, and says whether there were any to end.
    fn call_time(&mut self, now: Millis) -> bool {
        let is_up = self.deadline.is_some_and(|deadline| now >= deadline) && !self.is_over();
        if is_up {
            for board in 0..self.boards.len() {
                self.end(board, now);
            }
        }
        is_up
    }

    fn end(&mut self, board: usize, now: Millis) {
        let known = self.boards[board].log().len();
        self.boards[board].reach_goal(now);
        self.note(board, known);
    }

    /// Notes the events of a board from the one with this index on.
    fn note(&mut self, board: usize, from: usize) {
        let events = self.boards[board].log()[from..].iter().cloned();
        self.log.extend(events.map(|event| RaceEvent::Board { board, event }));
    }

    /// Lets those boards begin whose turn has come. A board that has begun is never stopped again, even if a board before it
    /// goes on after a move was taken back.
    fn let_begin(&mut self, now: Millis) {
        let is_over = |board: &Match| board.end().is_some();
        while self.begun < self.boards.len()
            && (self.terms.order == RaceOrder::Together || self.boards[..self.begun].iter().all(is_over))
        {
            let board = self.begun;
            self.begun += 1;
            if self.boards[board].is_paused() {
                let _ = self.act(board, Action::Resume, now);
            }
        }
    }

    /// Rebuilds the race of these events, as [`Match::replay`] does for a match.
    ///
    /// # Errors
    /// If no race of `rules` could have had these events.
    pub fn replay(rules: Arc<dyn Rules>, events: &[RaceEvent]) -> Result<Self, ReplayError> {
        let Some(RaceEvent::Started { schema, at, game, options, order, goal, boards, seed }) =
            events.first()
        else {
            return Err(ReplayError::NotStarted);
        };
        if *schema != SCHEMA {
            return Err(ReplayError::Schema(*schema));
        }
        if *game != rules.spec().id || *options != rules.options() {
            return Err(ReplayError::OtherRules);
        }
        let seed = seed.ok_or(ReplayError::HiddenSeed)?;
        let mut race =
            Self::start(rules, boards.clone(), RaceTerms { order: *order, goal: *goal }, seed, *at)?;
        race.follow(0, events)?;
        Ok(race)
    }

    /// Goes on as another race has, as [`Match::follow`] does for a match.
    ///
    /// # Errors
    /// If it could not have gone on in this way.
    pub fn follow(&mut self, from: usize, events: &[RaceEvent]) -> Result<(), ReplayError> {
        follow(
            self,
            from,
            events,
            |race| &race.log,
            |race, event| {
                let RaceEvent::Board { board, event } = event else { return None };
                let action = event.cause()?;
                Some(race.apply(*board, action, event.at()).map(|_| ()))
            },
        )
    }
}
