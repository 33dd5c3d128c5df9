//! What players and server of the Bologna Tablut Challenge send each other over TCP: a length of four bytes, the
//! largest first, and so many bytes of JSON.

use std::io::{self, Read, Write};

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

/// The longest message that is read, in bytes: a state has about 700.
pub const MAX_MESSAGE: usize = 64 << 10;
/// The rows and columns of the board.
pub const SIZE: usize = 9;
/// The port for white; black's is the next.
pub const WHITE_PORT: u16 = 5800;
/// The port for black.
pub const BLACK_PORT: u16 = 5801;

/// Reads one message.
///
/// # Errors
/// If the connection fails or ends, also within a message (`UnexpectedEof`), or the message is too long (`InvalidData`).
pub fn read_message(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    input.read_exact(&mut length)?;
    let length = u32::from_be_bytes(length) as usize;
    if length > MAX_MESSAGE {
        let fault = format!("a message of {length} bytes was announced; at most {MAX_MESSAGE} are read");
        return Err(io::Error::new(io::ErrorKind::InvalidData, fault));
    }
    let mut message = vec![0; length];
    input.read_exact(&mut message)?;
    Ok(message)
}

/// Writes one message.
///
/// # Errors
/// If the connection fails.
pub fn write_message(out: &mut impl Write, message: &str) -> io::Result<()> {
    let length = u32::try_from(message.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
    // In one piece: a peer that reads half of it would wait for the next packet.
    let mut frame = length.to_be_bytes().to_vec();
    frame.extend(message.as_bytes());
    out.write_all(&frame)?;
    out.flush()
}

/// What stands on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Cell {
    /// Nothing.
    Empty,
    /// A defender.
    White,
    /// An attacker.
    Black,
    /// The king.
    King,
    /// The castle that the king has left.
    Throne,
}

/// Who is to move, or how the game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Turn {
    /// White is to move.
    White,
    /// Black is to move.
    Black,
    /// White has won.
    WhiteWin,
    /// Black has won.
    BlackWin,
    /// Nobody has won.
    Draw,
}

/// Where a game stands, as the server tells it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The rows from the top.
    pub board: [[Cell; SIZE]; SIZE],
    /// Whose turn it is.
    pub turn: Turn,
}

/// A move, as a player tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// The square it begins on, such as `e4`.
    pub from: String,
    /// The square it ends on.
    pub to: String,
}

#[derive(Serialize)]
struct SentAction<'a> {
    from: &'a str,
    to: &'a str,
    turn: Turn,
}

#[derive(Deserialize)]
struct ReadAction {
    from: String,
    to: String,
    /// May be missing or wrong: the server knows whose turn it is.
    #[serde(rename = "turn", default)]
    _turn: Option<IgnoredAny>,
}

/// A message that is not what the protocol expects.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}: {fault}")]
pub struct MessageError {
    expected: &'static str,
    fault: String,
}

fn parse<'a, T: Deserialize<'a>>(message: &'a [u8], expected: &'static str) -> Result<T, MessageError> {
    serde_json::from_slice(message).map_err(|error| {
        let fault = error.to_string().chars().take(120).collect();
        MessageError { expected, fault }
    })
}

impl State {
    /// Reads a state.
    ///
    /// # Errors
    /// If the message is none.
    pub fn parse(message: &[u8]) -> Result<Self, MessageError> {
        parse(message, "a state")
    }

    /// The state as a message.
    pub fn message(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl Action {
    /// Reads a move; capital column letters count as small ones.
    ///
    /// # Errors
    /// If the message is none.
    pub fn parse(message: &[u8]) -> Result<Self, MessageError> {
        let action: ReadAction = parse(message, "a move")?;
        Ok(Self { from: action.from.to_ascii_lowercase(), to: action.to.to_ascii_lowercase() })
    }

    /// The move as a message of the side to move.
    pub fn message(&self, turn: Turn) -> String {
        serde_json::to_string(&SentAction { from: &self.from, to: &self.to, turn }).unwrap_or_default()
    }
}

/// A player's name as a message.
pub fn name_message(name: &str) -> String {
    serde_json::to_string(name).unwrap_or_default()
}

/// The name in the first message of a client, a JSON string or a bare word: the letters and digits among its first
/// ten characters.
pub fn parse_name(message: &[u8]) -> String {
    let text = String::from_utf8_lossy(message);
    let name = serde_json::from_str::<String>(&text).unwrap_or_else(|_| text.trim().to_owned());
    name.chars().take(10).filter(|char| char.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_framed_and_bounded() {
        let mut bytes = Vec::new();
        write_message(&mut bytes, "é!").expect("a buffer takes everything");
        assert_eq!(bytes, [0, 0, 0, 3, 0xc3, 0xa9, b'!']);
        assert_eq!(read_message(&mut &*bytes).expect("it is whole"), "é!".as_bytes());
        let kind = |bytes: &[u8]| read_message(&mut &*bytes).expect_err("it is bad").kind();
        assert_eq!(kind(&[0, 0, 0, 3, b'a']), io::ErrorKind::UnexpectedEof);
        assert_eq!(kind(&[0, 0]), io::ErrorKind::UnexpectedEof);
        assert_eq!(kind(&[0xff; 8]), io::ErrorKind::InvalidData);
    }

    #[test]
    fn names_lose_what_is_no_letter_and_no_digit() {
        assert_eq!(parse_name(br#""Tablut 7!""#), "Tablut7");
        assert_eq!(parse_name(b"weakmind"), "weakmind");
        assert_eq!(
            parse_name(br#""../../etc/passwd""#),
            "etc",
            "ten characters are looked at, not ten letters"
        );
        assert_eq!(parse_name(b"\xff\n\""), "");
    }

    #[test]
    fn states_and_moves_are_read_as_players_write_them() {
        let state = State { board: [[Cell::Throne; SIZE]; SIZE], turn: Turn::WhiteWin };
        assert!(state.message().starts_with(r#"{"board":[["THRONE","#));
        assert!(state.message().ends_with(r#","turn":"WHITEWIN"}"#));
        assert_eq!(State::parse(state.message().as_bytes()), Ok(state));
        assert!(State::parse(br#"{"board": [["EMPTY"]], "turn": "WHITE"}"#).is_err());
        let action = Action { from: "e4".to_owned(), to: "f4".to_owned() };
        assert_eq!(action.message(Turn::White), r#"{"from":"e4","to":"f4","turn":"WHITE"}"#);
        for message in [
            r#"{"from": "e4", "to": "f4", "turn": "WHITE"}"#,
            r#"{"to": "F4", "from": "E4"}"#,
            r#"{"from": "e4", "to": "f4", "turn": {"odd": []}, "more": 1}"#,
        ] {
            assert_eq!(Action::parse(message.as_bytes()), Ok(action.clone()), "{message}");
        }
        assert!(Action::parse(b"e4f4").is_err());
        assert!(Action::parse(br#"{"from": "e4"}"#).is_err());
    }
}
