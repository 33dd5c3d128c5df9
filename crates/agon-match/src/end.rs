//! How matches end, by the rules and otherwise.

use std::fmt;
use std::str::FromStr;

use agon_core::text::quote;
use agon_core::{Player, Verdict};
use serde::{Deserialize, Serialize};

/// Why a player has forfeited a game, in the words of records and tournaments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Fault {
    /// `late`: the time was up.
    Time,
    /// `resigned`: the player has given up.
    Resigned,
    /// `absent`: the player was away for longer than agreed.
    Absent,
    /// `illegal`: a move that is not legal.
    Illegal,
    /// `crash`: the player's program has ended or failed.
    Crash,
    /// `setup`: it could not get ready.
    Setup,
    /// `protocol`: it said something that the protocol does not know.
    Protocol,
    /// `printing`: it said something when nothing was asked.
    Printing,
    /// `memory`: it used more memory than allowed.
    Memory,
    /// `threads`: it used more threads than allowed.
    Threads,
    /// `network`: it used the network.
    Network,
    /// `files`: it touched files that are not its own.
    Files,
    /// `interrupts`: it asked to be interrupted.
    Interrupts,
}

impl Fault {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Time,
        Self::Resigned,
        Self::Absent,
        Self::Illegal,
        Self::Crash,
        Self::Setup,
        Self::Protocol,
        Self::Printing,
        Self::Memory,
        Self::Threads,
        Self::Network,
        Self::Files,
        Self::Interrupts,
    ];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Time => "late",
            Self::Resigned => "resigned",
            Self::Absent => "absent",
            Self::Illegal => "illegal",
            Self::Crash => "crash",
            Self::Setup => "setup",
            Self::Protocol => "protocol",
            Self::Printing => "printing",
            Self::Memory => "memory",
            Self::Threads => "threads",
            Self::Network => "network",
            Self::Files => "files",
            Self::Interrupts => "interrupts",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(self.word())
    }
}

/// A word that names no fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} is not a reason to forfeit a game", quote(.0))]
pub struct UnknownFault(pub String);

impl FromStr for Fault {
    type Err = UnknownFault;

    fn from_str(text: &str) -> Result<Self, UnknownFault> {
        let found = Self::ALL.into_iter().find(|fault| fault.word() == text);
        found.ok_or_else(|| UnknownFault(text.chars().take(100).collect()))
    }
}

impl TryFrom<String> for Fault {
    type Error = UnknownFault;

    fn try_from(text: String) -> Result<Self, UnknownFault> {
        text.parse()
    }
}

impl From<Fault> for String {
    fn from(fault: Fault) -> Self {
        fault.word().to_owned()
    }
}

/// Why a match was broken off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Abort {
    /// From outside; such a game does not count.
    Stopped,
    /// It had gone on for as long as its organiser allows.
    TooLong,
    /// No player could play.
    Void,
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case", deny_unknown_fields)]
pub enum End {
    /// By the rules of its game.
    Rules {
        /// Who has won, if anybody.
        verdict: Verdict,
        /// Why, in the words of records.
        reason: String,
    },
    /// By something that one player has done.
    Forfeit {
        /// Who has lost.
        seat: Player,
        /// Why, in one word.
        reason: Fault,
        /// Why, in a sentence for people; may be empty.
        detail: String,
    },
    /// As a draw to which all players have agreed.
    Agreed,
    /// At the goal of a race: the points count as they stand.
    Goal,
    /// Without a result.
    Aborted {
        /// Why.
        reason: Abort,
    },
}

/// A seat that a bot plays on because its player has forfeited the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forfeit {
    /// The seat.
    pub seat: Player,
    /// The number of plies that had been played by then.
    pub ply: usize,
    /// Why.
    pub reason: Fault,
}
