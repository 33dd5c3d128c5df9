//! What the rules say of a position.

use agon_core::options::OptionsError;
use agon_core::perft::PerftError;
use agon_core::{MoveError, Outcome, PositionError, Verdict};
use agon_erased::{Games, OpenError, SetupError, UnknownGame};
use agon_protocol::query::{Answer, MAX_PERFT_NODES, Request, Status};

/// Why a request has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// There is no such game.
    #[error("game: {0}")]
    Game(UnknownGame),
    /// The game has no such options.
    #[error(transparent)]
    Options(OptionsError),
    /// The position cannot be read.
    #[error(transparent)]
    Position(PositionError),
    /// A move cannot be played.
    #[error("moves[{index}]: {fault}")]
    Move {
        /// Its place in the list, from 0.
        index: usize,
        /// What is wrong with it.
        fault: MoveError,
    },
    /// There is too much to count.
    #[error("perft: {0}; ask for a smaller depth")]
    Perft(PerftError),
}

impl From<SetupError> for QueryError {
    fn from(error: SetupError) -> Self {
        match error {
            SetupError::Game(error) => Self::Game(error),
            SetupError::Options(error) => Self::Options(error),
            SetupError::Open(OpenError::Position(error)) => Self::Position(error),
            SetupError::Open(OpenError::Move { number, error }) => {
                Self::Move { index: number - 1, fault: error }
            }
        }
    }
}

/// Answers a request about one of `games`.
///
/// # Errors
/// If the request does not hold.
pub fn query(games: Games, request: &Request) -> Result<Answer, QueryError> {
    let Request { game, options, position, moves, .. } = request;
    let (rules, session) = games.open(game, options, position.as_deref(), moves)?;
    let nodes = request.perft.map(|depth| session.perft_shared(depth, MAX_PERFT_NODES)).transpose();
    let nodes = nodes.map_err(QueryError::Perft)?;
    let outcome = session.outcome();
    let (status, winner) = match outcome.map(|outcome| outcome.verdict) {
        None => (Status::Ongoing, None),
        Some(Verdict::Won(player)) => (Status::Won, rules.seats().into_iter().nth(player.index())),
        Some(Verdict::Drawn) => (Status::Drawn, None),
        Some(Verdict::Lost) => (Status::Lost, None),
    };
    Ok(Answer {
        ok: true,
        game: rules.spec().id,
        options: rules.options(),
        position: session.position(),
        ply: session.ply(),
        to_move: session.turn_name(),
        status,
        winner,
        reason: outcome.map(|Outcome { reason, .. }| reason),
        legal: session.legal(),
        nodes,
    })
}
