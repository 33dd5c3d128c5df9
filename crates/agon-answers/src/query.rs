//! What the rules say of a position.

use agon_core::options::OptionsError;
use agon_core::perft::PerftError;
use agon_core::{MoveError, Outcome, PositionError, Verdict};
use agon_protocol::query::{Answer, MAX_PERFT_NODES, Request, Status};
use agon_registry::{UnknownGame, find};

/// Why a request has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// There is no such game.
    #[error("game: {0}")]
    Game(UnknownGame),
    /// The game has no such options.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The position cannot be read.
    #[error(transparent)]
    Position(#[from] PositionError),
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

/// Answers a request.
///
/// # Errors
/// If the request does not hold.
pub fn query(request: &Request) -> Result<Answer, QueryError> {
    let entry = find(&request.game).map_err(QueryError::Game)?;
    let rules = entry.rules(&request.options)?;
    let mut session = match &request.position {
        Some(position) => rules.start_from(position)?,
        None => rules.start(),
    };
    for (index, token) in request.moves.iter().enumerate() {
        session.play(token).map_err(|fault| QueryError::Move { index, fault })?;
    }
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
        game: entry.spec.id,
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
