//! What followers ask for, as actions in the match and settings of the table.

use agon_core::Player;
use agon_erased::Rules;
use agon_match::{Action, Board, Match, Move, Seat, TakeBackTo};
use agon_messages::Refused;
use agon_protocol::web::{ClientAction, RefusalCode};

use crate::command::MoveAttempt;
use crate::limits::{BotLimits, check_bot};
use crate::settings::MAX_PACE;
use crate::view::changes::board;

/// What a follower asks for.
#[derive(Debug, PartialEq)]
pub(crate) enum TableAction {
    /// Something happens in the match on a board.
    Play(usize, Action),
    /// How the bots play is set.
    Set(Setting),
}

/// How the bots of a table play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// The bots wait, or go on.
    Paused(bool),
    /// They make one move.
    Step,
    /// The least time between moves.
    Pace(u32),
    /// A bot plays its game to the end without waiting.
    Skip,
}

/// The move that whoever holds these seats means, and its board.
pub(crate) fn requested_move(
    play: &Match,
    attempt: MoveAttempt,
    holds: impl Fn(usize) -> bool,
) -> Result<(usize, Move), Refused> {
    let MoveAttempt { board: index, ply, request, .. } = attempt;
    let game = board(play, index)?;
    let seat = seat_to_move(game, |seat| holds(play.seat(index, seat)))?;
    if ply != game.session().len() {
        return Err(Refused::plain(RefusalCode::Stale, "refused.stale"));
    }
    Ok((index, Move::requested(seat, request)))
}

/// What whoever holds these seats means by `action`.
pub(crate) fn requested_action(
    play: &Match,
    action: ClientAction,
    limits: &BotLimits,
    holds: impl Fn(usize) -> bool,
) -> Result<TableAction, Refused> {
    let board = |index: usize| board(play, index);
    let person = |index: usize| person(board(index)?, |seat| holds(play.seat(index, seat)));
    Ok(match action {
        ClientAction::TakeBack { board: index } => {
            let seat = person(index)?;
            if play.is_race() {
                return Err(Refused::plain(RefusalCode::State, "refused.nothing-to-take-back"));
            }
            TableAction::Play(index, Action::RequestTakeBack(seat, TakeBackTo::Choice))
        }
        ClientAction::AnswerTakeBack { accept } => {
            let seat = answering(play, &holds)?;
            let grant = if accept { Action::GrantTakeBack } else { Action::DeclineTakeBack };
            TableAction::Play(0, grant(seat))
        }
        ClientAction::Resign { board: index } => TableAction::Play(index, Action::Resign(person(index)?)),
        ClientAction::OfferDraw => TableAction::Play(0, Action::OfferDraw(person(0)?)),
        ClientAction::AnswerDraw { accept } => {
            let seat = answering(play, &holds)?;
            let answer = if accept { Action::AcceptDraw } else { Action::DeclineDraw };
            TableAction::Play(0, answer(seat))
        }
        ClientAction::Pause => TableAction::Set(Setting::Paused(true)),
        ClientAction::Resume => TableAction::Set(Setting::Paused(false)),
        ClientAction::Step => TableAction::Set(Setting::Step),
        ClientAction::Skip => TableAction::Set(Setting::Skip),
        ClientAction::Pace { millis } if millis <= MAX_PACE => TableAction::Set(Setting::Pace(millis)),
        ClientAction::Pace { .. } => {
            let most = u64::from(MAX_PACE);
            return Err(Refused::new(RefusalCode::Invalid, "refused.pace", [("n", most.into())]));
        }
        ClientAction::Seat { seat, occupant } => {
            let (index, player) =
                play.locate(seat).ok_or_else(|| Refused::plain(RefusalCode::Unknown, "refused.seat"))?;
            let game = board(index)?;
            let seat = player.index();
            let occupant = check_bot(&**play.rules(), &occupant, limits)?;
            let known = &game.seats()[seat];
            let by = if occupant == agon_match::Occupant::Person {
                Seat::person(person_name(&**play.rules(), game, seat))
            } else {
                Seat::of(occupant)
            };
            let by = Seat { controller: known.controller, ..by };
            TableAction::Play(index, Action::ReplaceSeat(player, by))
        }
        // What is no part of the game is not asked for here.
        _ => {
            return Err(Refused::plain(RefusalCode::Started, "refused.lobby-started"));
        }
    })
}

/// What a person is called who takes over a seat: as others at the browser are, or as the seat is.
fn person_name(rules: &dyn Rules, game: &Board, seat: usize) -> String {
    let other = game.seats().iter().find(|seat| seat.is_person()).map(|seat| seat.name.clone());
    other.or_else(|| rules.titles().get(seat).cloned()).unwrap_or_default()
}

/// The seat to move, if a person is to move there who holds it.
fn seat_to_move(game: &Board, holds: impl Fn(Player) -> bool) -> Result<Player, Refused> {
    let seat = game.to_move().ok_or_else(|| Refused::plain(RefusalCode::State, "refused.over"))?;
    let is_person = game.seats()[seat.index()].is_person();
    if is_person && holds(seat) {
        Ok(seat)
    } else {
        Err(Refused::plain(RefusalCode::NotYourTurn, "refused.not-your-turn"))
    }
}

/// The person who answers an offer: the first one of these seats who has not made it.
fn answering(play: &Match, holds: impl Fn(usize) -> bool) -> Result<Player, Refused> {
    let game = board(play, 0)?;
    let offered = game.draw_offer().or_else(|| game.take_back_request().map(|(seat, _)| seat));
    let answers = person(game, |seat| holds(play.seat(0, seat)) && Some(seat) != offered);
    // Whoever has made the offer may withdraw it.
    answers.or_else(|_| person(game, |seat| holds(play.seat(0, seat))))
}

/// The person who acts where several share a screen: the one to move, or else the first one who still plays.
fn person(game: &Board, holds: impl Fn(Player) -> bool) -> Result<Player, Refused> {
    let is_person = |seat: &Player| game.seats()[seat.index()].is_person() && holds(*seat);
    let mut people = (0..game.seats().len() as u8).map(Player).filter(is_person);
    let first = people.next().ok_or_else(|| Refused::plain(RefusalCode::Forbidden, "refused.not-seated"))?;
    Ok(game.to_move().filter(is_person).unwrap_or(first))
}
