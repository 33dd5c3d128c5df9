//! What can be done in a match, and why it may be refused.

use agon_core::view::Gesture;
use agon_core::{MoveError, Player};
use agon_erased::Thought;

use crate::clock::Millis;
use crate::end::{End, Fault};
use crate::seats::Seat;
use crate::setup::Remark;

/// Something that a player or a driver does. The driver checks who may act for a seat.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// A player moves.
    Move(Move),
    /// A player gives up.
    Resign(Player),
    /// A player offers a draw.
    OfferDraw(Player),
    /// A player accepts the draw that was offered.
    AcceptDraw(Player),
    /// A player declines it, or withdraws an offer of their own.
    DeclineDraw(Player),
    /// A player asks for moves to be taken back.
    RequestTakeBack(Player, TakeBackTo),
    /// A player agrees to that.
    GrantTakeBack(Player),
    /// A player does not, or withdraws the request.
    DeclineTakeBack(Player),
    /// Time has passed: a flag may have fallen.
    Tick,
    /// The driver stops the clocks; nobody moves until they run again.
    Pause,
    /// The clocks run again.
    Resume,
    /// Nothing has been heard of a player's connection since this moment.
    Interrupt(Player, Millis),
    /// The player is heard again.
    Reconnect(Player),
    /// Somebody else takes a seat.
    ReplaceSeat(Player, Seat),
    /// A player has failed in a way that only the driver sees.
    Fault {
        /// Who.
        seat: Player,
        /// How.
        reason: Fault,
        /// The same in a sentence for people.
        detail: String,
    },
    /// The driver ends the match, whatever its policy says about faults. The rules' own ends come by themselves.
    Conclude(End),
}

/// How a move is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveRequest {
    /// As records have it.
    Token(String),
    /// As people type it.
    Typed(String),
    /// By pointing at it.
    Gesture(Gesture),
}

/// A move that a player makes.
#[derive(Clone, Debug, PartialEq)]
pub struct Move {
    /// Who moves.
    pub seat: Player,
    /// The move.
    pub request: MoveRequest,
    /// How long it took; measured on the match's time line if not given.
    pub spent: Option<Millis>,
    /// What the player thought of it.
    pub remark: Option<Remark>,
}

impl Move {
    /// A move as records have it, whose time is measured on the match's time line.
    pub fn new(seat: Player, token: impl Into<String>) -> Self {
        Self::requested(seat, MoveRequest::Token(token.into()))
    }

    /// A move as somebody asks for it, whose time is measured on the match's time line.
    pub fn requested(seat: Player, request: MoveRequest) -> Self {
        Self { seat, request, spent: None, remark: None }
    }

    /// The move that a bot has found in `spent`.
    pub fn of_thought(seat: Player, thought: &Thought<String>, spent: Millis) -> Self {
        let remark = Some(Remark::from(thought));
        Self { spent: Some(spent), remark, ..Self::new(seat, thought.best.as_str()) }
    }
}

/// How far moves are taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakeBackTo {
    /// To the last real choice of the player who asks: passes, draws and the replies of others go too. A resignation that ended the
    /// game is taken back alone. Where only bots play, to the last choice of any of them.
    Choice,
    /// Until this many plies are left.
    Ply(usize),
}

/// Why an action was refused; nothing has changed then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The match has ended.
    #[error("the game is over")]
    Over,
    /// The match is paused.
    #[error("the game is paused")]
    Paused,
    /// The match is not paused.
    #[error("the game is not paused")]
    NotPaused,
    /// There is no such seat.
    #[error("there is no such seat")]
    NoSeat,
    /// Another player is to move.
    #[error("it is not your turn")]
    NotYourTurn,
    /// The move cannot be read or is not legal.
    #[error(transparent)]
    Illegal(#[from] MoveError),
    /// The player has left the game; a bot plays on.
    #[error("this player has left the game")]
    NotPlaying,
    /// There is nobody to agree on a draw with.
    #[error("a draw needs an opponent")]
    NoOpponent,
    /// An offer or request is still to be answered.
    #[error("the last offer has not been answered yet")]
    OfferPending,
    /// There is nothing to answer, or not for this player.
    #[error("there is no offer to answer")]
    NoOffer,
    /// There is no moment to go back to.
    #[error("there is nothing to take back")]
    NothingToTakeBack,
    /// The rules alone end a game so.
    #[error("only the rules end a game so")]
    NotByRules,
    /// A name is too long or holds a control character.
    #[error("a name is too long or holds a control character")]
    Name,
    /// The log is full.
    #[error("the game has gone on for too long")]
    TooLong,
}
