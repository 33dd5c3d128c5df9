//! What browsers ask for besides following a game: the catalogue, new tables, positions, analyses, trees.
//!
//! Everything here is a function of the request and of the limits: the server answers with it, and so does a tab that plays by itself.
//! Whoever thinks is handed in with a budget, time and randomness by the caller.

pub mod catalogue;
pub mod ids;
pub mod messages;
pub mod statistics;
pub mod tables;
pub mod thinking;

use agon_erased::{Games, Opened};
use agon_messages::Refused;
use agon_protocol::web::api::{PositionAnswer, PositionRequest};
use agon_protocol::web::{BoardPicture, RefusalCode};
use agon_table::view::states::position_facts;
use serde::de::DeserializeOwned;

/// The most moves that a game can be opened with by a request; longer ones come as records.
const MAX_MOVES: usize = 10_000;

/// The body of a request.
///
/// # Errors
/// If it is not of that kind.
pub fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refused> {
    serde_json::from_slice(body)
        .map_err(|error| Refused::because(RefusalCode::Malformed, "refused.body", error))
}

/// The status by which HTTP tells why something is refused.
pub fn status(code: RefusalCode) -> u16 {
    match code {
        RefusalCode::Unknown | RefusalCode::Gone => 404,
        RefusalCode::Forbidden | RefusalCode::Disabled => 403,
        RefusalCode::TooLarge => 413,
        RefusalCode::TooFast | RefusalCode::Limit => 429,
        RefusalCode::State
        | RefusalCode::Stale
        | RefusalCode::NotYourTurn
        | RefusalCode::Taken
        | RefusalCode::Full
        | RefusalCode::Started => 409,
        RefusalCode::Storage | RefusalCode::Stopping => 503,
        RefusalCode::Malformed | RefusalCode::Illegal | RefusalCode::Invalid | RefusalCode::Version => 422,
    }
}

fn check_moves(moves: &[String]) -> Result<(), Refused> {
    let most = ("n", (MAX_MOVES as u64).into());
    let refused = || Refused::new(RefusalCode::TooLarge, "refused.moves", [most]).about("moves");
    if moves.len() > MAX_MOVES { Err(refused()) } else { Ok(()) }
}

/// One of `games` at a position, after some moves.
///
/// # Errors
/// If any of these does not hold.
pub fn opened(
    games: Games,
    game: &str,
    options: &str,
    position: Option<&str>,
    moves: &[String],
) -> Result<Opened, Refused> {
    check_moves(moves)?;
    let rules = catalogue::rules(games, game, options)?;
    let failed = |error| Refused::because(RefusalCode::Invalid, "refused.setup", error);
    let session = rules.open(position, moves).map_err(failed)?;
    Ok((rules, session))
}

/// What a position looks like, and what can be played there.
///
/// # Errors
/// If there is no such position.
pub fn position(games: Games, request: PositionRequest) -> Result<PositionAnswer, Refused> {
    let PositionRequest { game, options, position, moves } = request;
    let (rules, session) = opened(games, &game, &options, position.as_deref(), &moves)?;
    let mut seen = session.board();
    let picture = BoardPicture::of(&mut seen);
    Ok(PositionAnswer { picture, facts: position_facts(&*rules, &*session, seen) })
}
