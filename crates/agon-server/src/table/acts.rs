//! What browsers do at a table, in the words of the game.

use agon_core::Player;
use agon_erased::Rules;
use agon_match::{Action, Board, Match, Move, Seat, TakeBackTo};
use agon_protocol::web::{ClientAction, RefusalCode};

use super::MoveWish;
use super::scene::board;
use crate::bots::{BotLimits, check_bot};
use crate::words::Refused;

/// What an action of a browser comes to.
#[derive(Debug, PartialEq)]
pub(super) enum Deed {
    /// Something happens in the game on a board.
    Play(usize, Action),
    /// The owner has set how the bots play.
    Set(Setting),
}

/// What the owner sets.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// The bots wait, or go on.
    Paused(bool),
    /// They make one move.
    Step,
    /// The least time between moves.
    Pace(u32),
    /// A bot plays its game to the end without waiting.
    Skip,
}

/// The move that whoever holds these seats means.
pub(super) fn deed_of_move(
    play: &Match,
    wish: MoveWish,
    holds: impl Fn(usize) -> bool,
) -> Result<Deed, Refused> {
    let MoveWish { board: index, ply, request } = wish;
    let game = board(play, index)?;
    let seat = seat_to_move(game, |seat| holds(play.seat(index, seat)))?;
    if ply != game.session().len() {
        return Err(Refused::plain(RefusalCode::Stale, "refused.stale"));
    }
    Ok(Deed::Play(index, Action::Move(Move::requested(seat, request))))
}

/// What whoever holds these seats means by `action`.
pub(super) fn deed(
    play: &Match,
    action: ClientAction,
    limits: &BotLimits,
    holds: impl Fn(usize) -> bool,
) -> Result<Deed, Refused> {
    let board = |index: usize| board(play, index);
    let person = |index: usize| person(board(index)?, |seat| holds(play.seat(index, seat)));
    Ok(match action {
        ClientAction::TakeBack { board: index } => {
            let seat = person(index)?;
            if play.is_race() {
                return Err(Refused::plain(RefusalCode::State, "refused.nothing-to-take-back"));
            }
            Deed::Play(index, Action::RequestTakeBack(seat, TakeBackTo::Choice))
        }
        ClientAction::AnswerTakeBack { accept } => {
            let seat = answering(play, &holds)?;
            let grant = if accept { Action::GrantTakeBack } else { Action::DeclineTakeBack };
            Deed::Play(0, grant(seat))
        }
        ClientAction::Resign { board: index } => Deed::Play(index, Action::Resign(person(index)?)),
        ClientAction::OfferDraw => Deed::Play(0, Action::OfferDraw(person(0)?)),
        ClientAction::AnswerDraw { accept } => {
            let seat = answering(play, &holds)?;
            let answer = if accept { Action::AcceptDraw } else { Action::DeclineDraw };
            Deed::Play(0, answer(seat))
        }
        ClientAction::Pause => Deed::Set(Setting::Paused(true)),
        ClientAction::Resume => Deed::Set(Setting::Paused(false)),
        ClientAction::Step => Deed::Set(Setting::Step),
        ClientAction::Skip => Deed::Set(Setting::Skip),
        ClientAction::Pace { millis } if millis <= super::MAX_PACE => Deed::Set(Setting::Pace(millis)),
        ClientAction::Pace { .. } => {
            let most = u64::from(super::MAX_PACE);
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
            Deed::Play(index, Action::ReplaceSeat(player, by))
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
