//! Who takes part in a match.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use agon_core::text::quote;
use agon_erased::{BotSpec, BotSpecError};
use serde::{Deserialize, Serialize};
use serde_json::Value;

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
    /// Somebody's program: `gtp:CMD`, `nboard:CMD`, `ugi:CMD` or `jsonl:CMD`, with parameters `jsonl(tt=22,ordering=history):CMD`.
    Program(ProgramSpec),
}

/// A program that plays, and the language it is spoken to in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProgramSpec {
    /// The language.
    pub language: Language,
    /// The command line that starts it.
    pub command: String,
    /// What its parameters are set to: numbers, texts, `true` and `false`.
    pub parameters: BTreeMap<String, Value>,
}

/// The protocols that programs are spoken to in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// The Go Text Protocol, for Othello.
    Gtp,
    /// The NBoard protocol, for Othello.
    Nboard,
    /// The Universal Game Interface, for games of two without chance.
    Ugi,
    /// The agent protocol, for every game.
    Jsonl,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Gtp, Self::Nboard, Self::Ugi, Self::Jsonl];

    /// The one of this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.name() == name)
    }

    /// Its name in specifications.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gtp => "gtp",
            Self::Nboard => "nboard",
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
    /// The parameters of a program are malformed.
    #[error("player {}: {fault}; parameters are written like jsonl(tt=22,ordering=history):CMD", quote(.text))]
    Parameters {
        /// The whole text.
        text: String,
        /// What is wrong.
        fault: String,
    },
}

impl FromStr for Occupant {
    type Err = OccupantError;

    fn from_str(text: &str) -> Result<Self, OccupantError> {
        if text == PERSON {
            return Ok(Self::Person);
        }
        let program = Language::ALL.into_iter().find_map(|language| {
            let rest = text.strip_prefix(language.name())?;
            rest.starts_with([':', '(']).then_some((language, rest))
        });
        let Some((language, rest)) = program else { return Ok(Self::Bot(text.parse()?)) };
        let shown = || text.chars().take(MAX_TEXT).collect();
        let (parameters, command) = match rest.strip_prefix(':') {
            Some(command) => (BTreeMap::new(), command),
            None => {
                parameters(&rest[1..]).map_err(|fault| OccupantError::Parameters { text: shown(), fault })?
            }
        };
        if is_text(text) && !command.trim().is_empty() {
            Ok(Self::Program(ProgramSpec { language, command: command.to_owned(), parameters }))
        } else {
            Err(OccupantError::Command(shown()))
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
        formatter.write_str(self.language.name())?;
        if !self.parameters.is_empty() {
            let pairs: Vec<String> =
                self.parameters.iter().map(|(name, value)| format!("{name}={}", written(value))).collect();
            write!(formatter, "({})", pairs.join(","))?;
        }
        write!(formatter, ":{}", self.command)
    }
}

/// What ends a value that is not in quotation marks.
const ENDS: [char; 2] = [',', ')'];

/// A value as people write it: a number, `true`, `false` or a text, which needs quotation marks only if it could be taken for
/// something else.
fn written(value: &Value) -> String {
    match value {
        Value::String(text)
            if !text.is_empty()
                && !text.contains([',', ')', '"', '\\'])
                && parameter_value(text) == *value =>
        {
            text.clone()
        }
        other => other.to_string(),
    }
}

/// The value that somebody means by a text: a number, `true`, `false`, or the text itself.
pub fn parameter_value(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(value @ (Value::Number(_) | Value::Bool(_))) => value,
        _ => Value::String(text.to_owned()),
    }
}

/// Reads `tt=22,ordering="a, b"):CMD`, what follows the parenthesis.
fn parameters(mut rest: &str) -> Result<(BTreeMap<String, Value>, &str), String> {
    let mut found = BTreeMap::new();
    loop {
        let (name, after) = rest.split_once('=').ok_or("a parameter has no value")?;
        if name.trim() != name || name.is_empty() || name.contains(['(', ')', ',', '"', '\\']) {
            return Err(format!("{} cannot name a parameter", quote(name)));
        }
        let (value, after) = if after.starts_with('"') {
            let mut texts = serde_json::Deserializer::from_str(after).into_iter::<String>();
            let text = texts.next().and_then(Result::ok);
            let text = text.ok_or_else(|| format!("the value of {name} has a quotation mark too few"))?;
            (Value::String(text), &after[texts.byte_offset()..])
        } else {
            let end = after.find(ENDS).ok_or("a ) is missing")?;
            (parameter_value(&after[..end]), &after[end..])
        };
        if found.insert(name.to_owned(), value).is_some() {
            return Err(format!("{name} is set twice"));
        }
        if let Some(command) = after.strip_prefix("):") {
            return Ok((found, command));
        }
        rest = after
            .strip_prefix(',')
            .ok_or_else(|| format!("after the value of {name}, expected a comma or ):"))?;
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
        for text in [
            "human",
            "expert",
            "expert:time=1s",
            "gtp:a --b | c",
            "ugi:x",
            "jsonl:python3 a.py",
            "jsonl(ordering=history,tt=22):python3 a.py",
            r#"ugi(Own Book=true,label="a, (b) \"c\"",number="22",share=0.5):x"#,
        ] {
            let occupant: Occupant = text.parse().expect(text);
            assert_eq!(occupant.to_string(), text);
            let json = serde_json::to_string(&occupant).expect("it can be written");
            assert_eq!(serde_json::from_str::<Occupant>(&json).expect("it can be read"), occupant);
        }
        assert!(matches!(
            "ugi:x".parse(),
            Ok(Occupant::Program(ProgramSpec { language: Language::Ugi, .. }))
        ));
        for bad in [
            "",
            "gtp:",
            "ugi: ",
            "jsonl:a\nb",
            "human bot",
            &format!("ugi:{}", "x".repeat(5000)),
            "jsonl(",
            "jsonl():x",
            "jsonl(tt):x",
            "jsonl(tt=1",
            "jsonl(tt=1)x",
            "jsonl(tt=1,tt=2):x",
            "jsonl(tt=\"1):x",
            "jsonl(tt=1): ",
            "jsonl(=1):x",
        ] {
            assert!(bad.parse::<Occupant>().is_err(), "{bad:?} was taken");
        }
        let Ok(Occupant::Program(spec)) = r#"jsonl(a=1,b="1",c=on,d=true):x"#.parse() else { panic!() };
        let values: Vec<Value> = spec.parameters.into_values().collect();
        assert_eq!(values, [Value::from(1), Value::from("1"), Value::from("on"), Value::from(true)]);
    }
}
