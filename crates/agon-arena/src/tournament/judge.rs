//! From a game to its result.

use std::time::Duration;

use agon_core::{Player, Turn};
use agon_match::{Abort, Board, End, Fault, Match, Remark};

use super::plan::Tournament;
use crate::referee::Conduct;
use crate::results::{GameResult, Offence, Outcome};
use crate::runner::Played;

/// What a game is called in the schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    /// Its number from 0.
    pub(crate) number: usize,
    /// The number of its round from 1.
    pub(crate) round: usize,
    /// The players' indices in turn order.
    pub(crate) seats: Vec<usize>,
}

impl Tournament {
    /// The result of a game that was played; `None` if it was stopped.
    pub(crate) fn judge(&self, slot: &Slot, played: Played) -> Option<GameResult> {
        if !has_ended(&played.game) {
            return None;
        }
        let boards = played.game.boards();
        let outcome = if played.game.is_race() {
            self.outcome_of_race(boards)
        } else {
            self.outcome_of_board(played.game.board())
        };
        let points = |board: &Board| board.standing().map(|standing| standing.score);
        Some(GameResult {
            points: self.points.awarded(&outcome, slot.seats.len()),
            outcome,
            plies: boards.iter().map(|game| game.session().len()).sum(),
            scores: boards.iter().map(points).collect::<Option<_>>().unwrap_or_default(),
            conduct: played.conduct,
            overhead: played.overhead,
            ..self.unplayed(slot)
        })
    }

    /// The frame of a result.
    fn unplayed(&self, slot: &Slot) -> GameResult {
        GameResult {
            number: slot.number,
            round: slot.round,
            seats: slot.seats.iter().map(|player| self.players[*player].name.clone()).collect(),
            ..GameResult::default()
        }
    }

    /// The result of a game in which somebody may not play, having been disqualified for the fault given: a technical loss without
    /// a move.
    pub(crate) fn walkover(&self, slot: &Slot, disqualified: &[Option<Fault>]) -> GameResult {
        let offence = |(seat, player): (usize, &usize)| {
            disqualified[*player].map(|reason| Offence {
                seat,
                reason,
                sentence: "the player had been disqualified".to_owned(),
                ply: 0,
                disqualified: true,
            })
        };
        let outcome =
            Outcome::Technical { offences: slot.seats.iter().enumerate().filter_map(offence).collect() };
        let points = self.points.awarded(&outcome, slot.seats.len());
        GameResult { outcome, points, ..self.unplayed(slot) }
    }

    fn offence(&self, seat: usize, board: &Board, reason: Fault, detail: &str) -> Offence {
        Offence {
            seat,
            reason,
            sentence: detail.to_owned(),
            ply: board.session().len(),
            disqualified: self.disqualifies(reason),
        }
    }

    fn outcome_of_board(&self, board: &Board) -> Outcome {
        let seats = board.seats().len();
        match board.end() {
            // Giving up is no offence.
            Some(End::Forfeit { seat, reason, detail }) if *reason != Fault::Resigned => {
                Outcome::Technical { offences: vec![self.offence(seat.index(), board, *reason, detail)] }
            }
            end => {
                let mut places = vec![1; seats];
                let mut place = 1;
                for group in board.ranking() {
                    group.iter().for_each(|seat| places[seat.index()] = place);
                    place += group.len();
                }
                let reason = match end {
                    Some(End::Rules { reason, .. }) => reason.as_str(),
                    Some(End::Forfeit { reason, .. }) => reason.word(),
                    Some(End::Agreed) => "agreement",
                    Some(End::Goal) => "goal",
                    Some(End::Aborted { .. }) | None => "limit",
                };
                Outcome::Placed {
                    places,
                    reason: reason.to_owned(),
                    sentence: board.result_message().text.into_owned(),
                }
            }
        }
    }

    fn outcome_of_race(&self, boards: &[Board]) -> Outcome {
        let offences: Vec<Offence> = boards
            .iter()
            .enumerate()
            .filter_map(|(seat, board)| match board.end() {
                Some(End::Forfeit { reason, detail, .. }) => Some(self.offence(seat, board, *reason, detail)),
                _ => None,
            })
            .collect();
        if !offences.is_empty() {
            return Outcome::Technical { offences };
        }
        let points: Vec<u64> =
            boards.iter().map(|board| board.standing().map_or(0, |standing| standing.score)).collect();
        let place = |own: &u64| 1 + points.iter().filter(|other| *other > own).count();
        let texts: Vec<String> = points.iter().map(u64::to_string).collect();
        Outcome::Placed {
            places: points.iter().map(place).collect(),
            reason: "points".to_owned(),
            sentence: format!("{} points", texts.join(" to ")),
        }
    }
}

/// Whether a game was played to its end, and not stopped from outside.
fn has_ended(game: &Match) -> bool {
    let is_open = |board: &Board| matches!(board.end(), None | Some(End::Aborted { reason: Abort::Stopped }));
    !game.boards().iter().any(is_open)
}

/// A game that was found in its journal, with what players did as far as its events tell; `None` if it was cut short.
pub(super) fn found(game: Match) -> Option<Played> {
    let conduct = game.boards().iter().flat_map(conduct_of).collect();
    has_ended(&game).then(|| Played { game, conduct, overhead: None, telemetry: Vec::new(), doubt: None })
}

/// What the players of a board did, as far as its events tell.
fn conduct_of(board: &Board) -> Vec<Conduct> {
    let mut conduct = vec![Conduct::default(); board.seats().len()];
    for ply in board.plies() {
        if let (Turn::Player(seat), Some(spent)) = (ply.mover, ply.spent) {
            let Remark { depth, nodes, .. } = ply.remark.unwrap_or_default();
            let (depth, nodes) = (depth.unwrap_or(0), nodes.unwrap_or(0));
            conduct[seat.index()].note_move(Duration::from(spent), depth, nodes);
        }
    }
    if let Some(End::Forfeit { seat: Player(seat), reason, .. }) = board.end() {
        conduct[usize::from(*seat)].count(*reason);
    }
    conduct
}
