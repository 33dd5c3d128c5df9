//! The record of a race, and the race of a record.
//!
//! The record itself is that of one board, the players' own: the first one, or the last where boards are played in turn and the
//! computer goes first. The other boards stand in further lines.

use agon_core::text::number;
use agon_erased::Games;
use agon_match::{Match, Millis, Race, RaceGoal, RaceOrder, RaceTerms, Seat, Setup};

use crate::record::{Record, RecordError};

const ORDER: &str = "x-race";
const TOGETHER: &str = "together";
const IN_TURN: &str = "first";
/// What decides the race: a number of moves, or the time that is left of it.
const GOAL: &str = "x-race-goal";
const MOVES: &str = " moves";
/// The most boards besides the record's own.
const MAX_RIVALS: usize = 5;

/// The lines that say who plays the rival with this index, and what has been played there.
fn headers(index: usize) -> [String; 2] {
    let name = if index == 0 { "x-rival".to_owned() } else { format!("x-rival-{}", index + 1) };
    let moves = format!("{name}-moves");
    [name, moves]
}

impl Record {
    /// The record of a race up to where it stands, without a date.
    pub fn of_race(race: &Race) -> Self {
        let (order, own) = match race.order() {
            RaceOrder::Together => (TOGETHER, 0),
            RaceOrder::InTurn => (IN_TURN, race.boards().len() - 1),
        };
        let mut record = Self::of(&race.boards()[own]);
        record.push(ORDER, order.to_owned());
        match race.goal() {
            RaceGoal::Finish => {}
            RaceGoal::Moves(moves) => record.push(GOAL, format!("{moves}{MOVES}")),
            RaceGoal::Time(time) => {
                let left = race.deadline().map_or(time, |deadline| deadline.minus(race.last_time()));
                record.push(GOAL, format!("{}ms", if race.is_over() { 0 } else { left.0 }));
            }
        }
        let rivals = race.boards().iter().enumerate().filter(|(index, _)| *index != own);
        for (index, (_, rival)) in rivals.enumerate() {
            let [name, moves] = headers(index);
            record.push(&name, occupant(rival));
            record.push(&moves, rival.session().history().join(" "));
        }
        record
    }

    /// Who plays the first board besides the record's own; `None` if the record is not one of a race.
    pub fn rival(&self) -> Option<&str> {
        self.header(ORDER).and(self.header(&headers(0)[0]))
    }

    /// The race that the record is of, as it stands, on a new time line that begins at `now`; `None` if it is not one of a race.
    /// `adjust` may change who plays the record's own board and what holds outside the rules on all boards.
    ///
    /// # Errors
    /// If the record does not hold.
    pub fn to_race(
        &self,
        games: Games,
        now: Millis,
        adjust: impl FnOnce(&mut Setup),
    ) -> Option<Result<Race, RecordError>> {
        let order = if self.header(ORDER)? == TOGETHER { RaceOrder::Together } else { RaceOrder::InTurn };
        let race = |goal| self.race(games, RaceTerms { order, goal }, now, adjust);
        Some(self.race_goal().and_then(race))
    }

    fn race_goal(&self) -> Result<RaceGoal, RecordError> {
        let Some(text) = self.header(GOAL) else { return Ok(RaceGoal::Finish) };
        let goal = match text.strip_suffix(MOVES) {
            Some(moves) => number(moves, 1..=u32::MAX.into()).map(|moves| RaceGoal::Moves(moves as u32)),
            None => Millis::parse(text).map(RaceGoal::Time),
        };
        goal.map_err(|error| RecordError::Setup(format!("{GOAL}: {error}")))
    }

    fn race(
        &self,
        games: Games,
        terms: RaceTerms,
        now: Millis,
        adjust: impl FnOnce(&mut Setup),
    ) -> Result<Race, RecordError> {
        let rules = self.rules(games)?;
        let mut own = self.setup(&*rules)?;
        adjust(&mut own);
        let mut boards = Vec::new();
        for [name, moves] in (0..MAX_RIVALS).map(headers) {
            let Some(rival) = self.header(&name) else { break };
            let occupant = rival.parse().map_err(|error| RecordError::Setup(format!("{name}: {error}")))?;
            let moves = self.header(&moves).unwrap_or_default();
            boards.push(Setup {
                position: own.position.clone(),
                moves: moves.split_whitespace().map(Into::into).collect(),
                seats: vec![Seat::of(occupant)],
                policy: own.policy.clone(),
                ..Setup::default()
            });
        }
        let place = if terms.order == RaceOrder::Together { 0 } else { boards.len() };
        boards.insert(place, own);
        Ok(Race::start(rules, boards, terms, self.seed.unwrap_or_default(), now)?)
    }
}

fn occupant(board: &Match) -> String {
    board.seats().iter().map(|seat| seat.occupant.to_string()).collect()
}
