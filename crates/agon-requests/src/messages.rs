//! Messages that browsers send while they follow tables.

use agon_match::{Millis, MoveRequest};
use agon_messages::Refused;
use agon_protocol::web::{ClientMessage, MAX_MESSAGE_ID, RefusalCode};
use agon_table::{Command, ConnectionId, MoveAttempt, Question, TableId};

/// What a message asks of a table that its sender follows, and of which; `None` for messages that go elsewhere, actions included. A
/// message takes so long from the sender and back.
///
/// # Errors
/// If it asks for a move in no way or in several.
pub fn table_command(
    message: ClientMessage,
    from: ConnectionId,
    delay: Millis,
) -> Result<Option<(TableId, Command)>, Refused> {
    Ok(Some(match message {
        ClientMessage::Move { game, board, ply, token, typed, gesture, id } => {
            let request = match (token, gesture) {
                (Some(text), None) if typed => MoveRequest::Typed(text),
                (Some(token), None) => MoveRequest::Token(token),
                (None, Some(gesture)) if !typed => MoveRequest::Gesture(gesture),
                _ => return Err(Refused::plain(RefusalCode::Invalid, "refused.move-request")),
            };
            (game, Command::Move { from, id, attempt: MoveAttempt { board, ply, request, delay } })
        }
        ClientMessage::Explain { game, board, gesture, id } => {
            (game, Command::Ask { from, id, board, question: Question::Explain(gesture) })
        }
        ClientMessage::Look { game, board, ply, id } => {
            (game, Command::Ask { from, id, board, question: Question::Look(ply) })
        }
        ClientMessage::Hint { game, board, id } => {
            (game, Command::Ask { from, id, board, question: Question::Hint })
        }
        _ => return Ok(None),
    }))
}

/// The id of a message of which nothing else can be read or is wanted, so that its sender need not wait for another answer.
pub fn named(text: &str) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Named {
        id: String,
    }
    serde_json::from_str::<Named>(text).ok().map(|named| named.id).filter(|id| is_message_id(id))
}

/// Whether a message may have this id.
pub fn is_message_id(id: &str) -> bool {
    (1..=MAX_MESSAGE_ID).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic())
}

/// The id of a message.
pub fn message_id(message: &ClientMessage) -> &str {
    match message {
        ClientMessage::Hello { .. } => "",
        ClientMessage::Watch { id, .. }
        | ClientMessage::Unwatch { id, .. }
        | ClientMessage::Move { id, .. }
        | ClientMessage::Act { id, .. }
        | ClientMessage::Explain { id, .. }
        | ClientMessage::Look { id, .. }
        | ClientMessage::Hint { id, .. }
        | ClientMessage::WatchLobbies { id }
        | ClientMessage::UnwatchLobbies { id }
        | ClientMessage::WatchArena { id, .. }
        | ClientMessage::UnwatchArena { id, .. }
        | ClientMessage::Ping { id } => id,
    }
}
