//! Who takes part in a match.

use std::fmt;
use std::str::FromStr;

use agon_core::text::quote;
use agon_erased::{BotSpec, BotSpecError};
use serde::{Deserialize, Serialize};

/// The longest name, command or detail of a fault, in bytes.
pub(crate) const MAX_TEXT: usize = 4096;
/// How a person is written among bots.
const PERSON: &str = "human";

/// A seat as a match knows it. Who holds it (a screen, a browser, a process) is the driver's affair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seat {
    /// The name that is shown.
    pub name: String,
    /// Who plays.
    pub occupant: Occupant,
    /// Who decides for a person: people with the same controller, such as those who share a screen, need not ask one
    /// another. Meaningless for bots and programs.
    #[serde(default)]
    pub controller: u32,
}

impl Seat {
    /// A person. All people who are seated so share a controller.
    pub fn person(name: impl Into<String>) -> Self {
        Self { name: name.into(), occupant: Occupant::Person, controller: 0 }
    }

    /// Anybody else, named after its specification.
    pub fn of(occupant: Occupant) -> Self {
        Self { name: occupant.to_string(), occupant, controller: 0 }
    }

    /// Whether a person sits here.
    pub fn is_person(&self) -> bool {
        self.occupant == Occupant::Person
    }
}

/// Who plays a seat.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Occupant {
    /// A person: `human`.
    Person,
    /// A bot of the house: its specification.
    Bot(BotSpec),
    /// Somebody's program: `gtp:CMD`, `ugi:CMD` or `jsonl:CMD`.
    Program(ProgramSpec),
}

/// A program that plays, and the language it is spoken to in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProgramSpec {
    /// The language.
    pub language: Language,
    /// The command line that starts it.
    pub command: String,
}

/// The protocols that programs are spoken to in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// The Go Text Protocol, for Othello.
    Gtp,
    /// The Universal Game Interface, for games of two without chance.
    Ugi,
    /// The agent protocol, for every game.
    Jsonl,
}

impl Language {
    const ALL: [Self; 3] = [Self::Gtp, Self::Ugi, Self::Jsonl];

    /// Its name in specifications.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gtp => "gtp",
            Self::Ugi => "ugi",
            Self::Jsonl => "jsonl",
        }
    }
}

/// Text that names nobody who could play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OccupantError {
    /// The specification of a bot is malformed.
    #[error(transparent)]
    Bot(#[from] BotSpecError),
    /// The command of a program is malformed.
    #[error("player {}: a command has 1 to {MAX_TEXT} bytes and no control characters", quote(.0))]
    Command(String),
}

impl FromStr for Occupant {
    type Err = OccupantError;

    fn from_str(text: &str) -> Result<Self, OccupantError> {
        if text == PERSON {
            return Ok(Self::Person);
        }
        let program = text.split_once(':').and_then(|(name, command)| {
            let language = Language::ALL.into_iter().find(|language| language.name() == name)?;
            Some((language, command))
        });
        match program {
            None => Ok(Self::Bot(text.parse()?)),
            Some((language, command)) if is_text(command) && !command.trim().is_empty() => {
                Ok(Self::Program(ProgramSpec { language, command: command.to_owned() }))
            }
            Some(_) => Err(OccupantError::Command(text.chars().take(MAX_TEXT).collect())),
        }
    }
}

impl fmt::Display for Occupant {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Person => formatter.write_str(PERSON),
            Self::Bot(spec) => write!(formatter, "{spec}"),
            Self::Program(program) => write!(formatter, "{program}"),
        }
    }
}

impl fmt::Display for ProgramSpec {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{}:{}", self.language.name(), self.command)
    }
}

impl TryFrom<String> for Occupant {
    type Error = OccupantError;

    fn try_from(text: String) -> Result<Self, OccupantError> {
        text.parse()
    }
}

impl From<Occupant> for String {
    fn from(occupant: Occupant) -> Self {
        occupant.to_string()
    }
}

/// Whether `text` may be stored: of reasonable length, on one line.
pub(crate) fn is_text(text: &str) -> bool {
    text.len() <= MAX_TEXT && !text.contains(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn occupants_are_written_as_they_are_read() {
        for text in ["human", "expert", "expert:time=1s", "gtp:a --b | c", "ugi:x", "jsonl:python3 a.py"] {
            let occupant: Occupant = text.parse().expect(text);
            assert_eq!(occupant.to_string(), text);
            let json = serde_json::to_string(&occupant).expect("it can be written");
            assert_eq!(serde_json::from_str::<Occupant>(&json).expect("it can be read"), occupant);
        }
        assert!(matches!(
            "ugi:x".parse(),
            Ok(Occupant::Program(ProgramSpec { language: Language::Ugi, .. }))
        ));
        for bad in ["", "gtp:", "ugi: ", "jsonl:a\nb", "human bot", &format!("ugi:{}", "x".repeat(5000))] {
            assert!(bad.parse::<Occupant>().is_err(), "{bad:?} was taken");
        }
    }
}
