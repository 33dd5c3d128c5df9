//! What a table is laid for, and why it cannot be.

use agon_arena::RecordError;
use agon_core::{MoveError, OptionsError, PositionError};
use agon_match::OccupantError;
use agon_registry::{SpecificationError, UnknownGame};

use super::TimeControl;

/// What a table is laid for.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The game's name.
    pub game: String,
    /// Its options.
    pub options: String,
    /// Where it begins; at the usual start if `None`.
    pub position: Option<String>,
    /// Moves that have been made already.
    pub moves: Vec<String>,
    /// [`HUMAN`](super::HUMAN) or a bot for every seat.
    pub seats: Vec<String>,
    /// What the people are called.
    pub person: String,
    /// How time is given.
    pub clock: TimeControl,
    /// Fixes all randomness.
    pub seed: u64,
}

/// A table that cannot be laid.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// The options do not hold.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The position does not hold.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A move does not hold.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A bot does not exist.
    #[error(transparent)]
    Bot(#[from] SpecificationError),
    /// The specification of a player is malformed.
    #[error(transparent)]
    Occupant(#[from] OccupantError),
    /// A record does not hold.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Somebody else is playing it.
    #[error("the game is being played elsewhere")]
    Taken,
    /// Too many or too few players.
    #[error("players: {given} given for the {} seats {}", .seats.len(), .seats.join(", "))]
    Players {
        /// How many were given.
        given: usize,
        /// The seats that there are.
        seats: Vec<String>,
    },
}
