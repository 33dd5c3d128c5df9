//! From a game to its result.

use std::time::Duration;

use agon_core::{Player, Turn};
use agon_match::{Abort, End, Fault, Match};

use super::plan::Tournament;
use crate::desk::Play;
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
        if !has_ended(&played.play) {
            return None;
        }
        let boards = played.play.boards();
        let outcome = match &played.play {
            Play::One(game) => self.outcome_of_match(game),
            Play::Race(race) => self.outcome_of_race(race.boards()),
        };
        let points = |game: &Match| game.standing().map(|standing| standing.score);
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

    fn offence(&self, seat: usize, game: &Match, reason: Fault, detail: &str) -> Offence {
        Offence {
            seat,
            reason,
            sentence: detail.to_owned(),
            ply: game.session().len(),
            disqualified: self.disqualifies(reason),
        }
    }

    fn outcome_of_match(&self, game: &Match) -> Outcome {
        let seats = game.seats().len();
        match game.end() {
            // Giving up is no offence.
            Some(End::Forfeit { seat, reason, detail }) if *reason != Fault::Resigned => {
                Outcome::Technical { offences: vec![self.offence(seat.index(), game, *reason, detail)] }
            }
            end => {
                let mut places = vec![1; seats];
                let mut place = 1;
                for group in game.ranking() {
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
                    sentence: game.result_message().text.into_owned(),
                }
            }
        }
    }

    fn outcome_of_race(&self, boards: &[Match]) -> Outcome {
        let offences: Vec<Offence> = boards
            .iter()
            .enumerate()
            .filter_map(|(seat, game)| match game.end() {
                Some(End::Forfeit { reason, detail, .. }) => Some(self.offence(seat, game, *reason, detail)),
                _ => None,
            })
            .collect();
        if !offences.is_empty() {
            return Outcome::Technical { offences };
        }
        let points: Vec<u64> =
            boards.iter().map(|game| game.standing().map_or(0, |standing| standing.score)).collect();
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
fn has_ended(play: &Play) -> bool {
    let is_open = |game: &Match| matches!(game.end(), None | Some(End::Aborted { reason: Abort::Stopped }));
    !play.boards().iter().any(is_open)
}

/// A game that was found in its journal, with what players did as far as its events tell; `None` if it was cut short.
pub(super) fn found(play: Play) -> Option<Played> {
    let conduct = play.boards().iter().flat_map(conduct_of).collect();
    has_ended(&play).then(|| Played { play, conduct, overhead: None, telemetry: Vec::new() })
}

/// What the players of a board did, as far as its events tell.
fn conduct_of(game: &Match) -> Vec<Conduct> {
    let mut conduct = vec![Conduct::default(); game.seats().len()];
    for ply in game.plies() {
        if let (Turn::Player(seat), Some(spent)) = (ply.mover, ply.spent) {
            let depth = ply.remark.and_then(|remark| remark.depth).unwrap_or(0);
            let nodes = ply.remark.and_then(|remark| remark.nodes).unwrap_or(0);
            conduct[seat.index()].note_move(Duration::from(spent), depth, nodes);
        }
    }
    if let Some(End::Forfeit { seat: Player(seat), reason, .. }) = game.end() {
        conduct[usize::from(*seat)].count(*reason);
    }
    conduct
}
