//! The further boards of a match in its record.

use agon_core::text::number;
use agon_match::{Board, BoardOrder, Goal, Match, MatchSetup, Millis, Seat, Setup};

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

/// The board of a match that its record itself is of. The others stand in further lines.
pub fn recorded_board(game: &Match) -> &Board {
    &game.boards()[own_board(game.order(), game.boards().len())]
}

/// The index of the board that the record itself is of.
pub(crate) fn own_board(order: BoardOrder, boards: usize) -> usize {
    match order {
        BoardOrder::Together => 0,
        BoardOrder::InTurn => boards - 1,
    }
}

impl Record {
    /// Adds the lines of the boards besides the record's own.
    pub(crate) fn push_rivals(&mut self, game: &Match) {
        if !game.is_race() {
            return;
        }
        let order = match game.order() {
            BoardOrder::Together => TOGETHER,
            BoardOrder::InTurn => IN_TURN,
        };
        self.push(ORDER, order.to_owned());
        match game.goal() {
            Goal::Finish => {}
            Goal::Moves(moves) => self.push(GOAL, format!("{moves}{MOVES}")),
            Goal::Time(_) => {
                let left = game.deadline().map_or(0, |deadline| deadline.minus(game.last_time()).0);
                self.push(GOAL, format!("{left}ms"));
            }
        }
        let own = own_board(game.order(), game.boards().len());
        let rivals = game.boards().iter().enumerate().filter(|(index, _)| *index != own);
        for (index, (_, rival)) in rivals.enumerate() {
            let [name, moves] = headers(index);
            self.push(&name, occupant(rival));
            self.push(&moves, rival.session().history().join(" "));
        }
    }

    /// Who plays the first board besides the record's own; `None` if there is none.
    pub fn rival(&self) -> Option<&str> {
        self.header(ORDER).and(self.header(&headers(0)[0]))
    }

    /// What the match is started with: its own board, and those of the further lines.
    pub(crate) fn with_rivals(&self, own: Setup) -> Result<MatchSetup, RecordError> {
        let Some(order) = self.header(ORDER) else { return Ok(own.into()) };
        let order = if order == TOGETHER { BoardOrder::Together } else { BoardOrder::InTurn };
        let goal = self.goal()?;
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
        if boards.is_empty() {
            return Err(RecordError::Setup(format!("{ORDER}: there is no rival")));
        }
        boards.insert(own_board(order, boards.len() + 1), own);
        Ok(MatchSetup { boards, order, goal })
    }

    fn goal(&self) -> Result<Goal, RecordError> {
        let Some(text) = self.header(GOAL) else { return Ok(Goal::Finish) };
        let goal = match text.strip_suffix(MOVES) {
            Some(moves) => number(moves, 1..=u32::MAX.into()).map(|moves| Goal::Moves(moves as u32)),
            None => Millis::parse(text).map(Goal::Time),
        };
        goal.map_err(|error| RecordError::Setup(format!("{GOAL}: {error}")))
    }
}

fn occupant(board: &Board) -> String {
    board.seats().iter().map(|seat| seat.occupant.to_string()).collect()
}
