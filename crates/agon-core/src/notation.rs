//! How positions and moves are written.

use crate::game::{Game, Player};
use crate::message::Message;
use crate::text::quote;

/// A position that could not be read: every fault that was found, in reading order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("position: {}", .faults.join("; "))]
pub struct PositionError {
    /// What is wrong, a phrase each.
    pub faults: Vec<String>,
}

impl PositionError {
    /// An error with one fault.
    pub fn new(fault: impl Into<String>) -> Self {
        Self { faults: vec![fault.into()] }
    }

    /// `Ok` if no fault was found.
    ///
    /// # Errors
    /// If there is any fault, all of them.
    pub fn check(faults: Vec<String>) -> Result<(), Self> {
        if faults.is_empty() { Ok(()) } else { Err(Self { faults }) }
    }
}

/// A move that could not be read or may not be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {}: {reason}", quote(.token))]
pub struct MoveError {
    /// The text of the move.
    pub token: String,
    /// What is wrong with it and what was expected.
    pub reason: String,
    /// The same as messages, where it is a rule of the game that the move breaks.
    pub messages: Vec<Message>,
}

impl MoveError {
    /// An error about `token`.
    pub fn new(token: &str, reason: impl Into<String>) -> Self {
        Self { token: token.to_owned(), reason: reason.into(), messages: Vec::new() }
    }

    /// An error about a move that breaks a rule: which, and what could be played instead.
    pub fn illegal(token: &str, messages: Vec<Message>) -> Self {
        let sentences: Vec<&str> = messages.iter().map(|message| &*message.text).collect();
        Self { reason: sentences.join(" "), messages, ..Self::new(token, "") }
    }
}

/// A game whose positions and moves have a written form. Reading is strict: whatever is not
/// written exactly as the game would write it is refused.
pub trait Notation: Game {
    /// The game's options as they were set, in the order of their declaration, without those
    /// that do not apply.
    fn options(&self) -> Vec<(&'static str, String)>;

    /// Options that go well with those of this game, for people who have not chosen them: what holds by default is what the rules say, and
    /// forms may suggest something else. None unless the game says otherwise.
    fn suggested_options(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The seat's name as positions, records and interfaces write it.
    fn seat(&self, player: Player) -> &str;

    /// The position as one line of text.
    fn position_text(&self, position: &Self::Position) -> String;

    /// Reads a position.
    ///
    /// # Errors
    /// If the text is malformed or the position impossible.
    fn parse_position(&self, text: &str) -> Result<Self::Position, PositionError>;

    /// The move as one token.
    fn move_text(&self, mv: Self::Move) -> String;

    /// Reads a move that is well-formed on this board; whether it is legal is another question.
    ///
    /// # Errors
    /// If the token is malformed or names what this board does not have.
    fn parse_move(&self, token: &str) -> Result<Self::Move, MoveError>;

    /// Reads a move as people type it, where they are used to more than [`Notation::parse_move`] takes.
    ///
    /// # Errors
    /// If it is a move in none of the ways.
    fn parse_typed_move(&self, text: &str) -> Result<Self::Move, MoveError> {
        self.parse_move(text)
    }

    /// The draw of chance as one token.
    fn chance_text(&self, _chance: Self::Chance) -> String {
        String::new()
    }

    /// Reads a draw of chance.
    ///
    /// # Errors
    /// If the token is malformed, or the game knows no chance.
    fn parse_chance(&self, token: &str) -> Result<Self::Chance, MoveError> {
        Err(MoveError::new(token, "this game has no chance moves"))
    }

    /// The position drawn in plain text.
    fn diagram(&self, position: &Self::Position) -> Diagram;
}

/// A position drawn in plain text. The caller adds whose turn it is and whether the game is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// The board with its coordinates, several lines, each ended by a newline.
    pub board: String,
    /// What else is worth knowing, without a full stop: `discs: Black 2, White 2`.
    pub facts: String,
}
