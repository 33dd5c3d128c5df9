//! The agent protocol: one JSON object a line between a referee and an agent.
//!
//! What a referee says may carry fields that an agent does not know, so that the protocol can grow; what it must say has
//! to be there and of its type. What an agent answers is held to the letter, because anything else is an offence.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::parameters::{ParameterValues, Parameters};

/// What a referee says to an agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ToAgent {
    /// A game begins; to be answered by [`FromAgent::Ready`].
    Setup {
        /// The game's name.
        game: String,
        /// Its options.
        options: String,
        /// The seat of the agent.
        seat: String,
        /// Where the game begins.
        position: String,
        /// Seconds for each move; `null` without a limit.
        time_per_move: Option<f64>,
        /// Seconds for the answer to this.
        setup_time: f64,
        /// All seats in playing order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        seats: Vec<String>,
        /// How many turns each player has before the game is drawn, if there is a limit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        turns: Option<u32>,
        /// How the board is laid out and how moves name its places.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        board: Option<AgentBoard>,
        /// What parameters are set to. They win over the command line.
        #[serde(default, skip_serializing_if = "ParameterValues::is_empty")]
        parameters: ParameterValues,
    },
    /// The agent is to move; to be answered by [`FromAgent::Move`].
    Move {
        /// Where the game stands.
        position: String,
        /// Plies played.
        ply: u32,
        /// What has been played since the position of the setup.
        history: Vec<String>,
        /// What may be played, sorted by bytes.
        legal: Vec<String>,
        /// Seconds for the answer; `null` without a limit.
        time: Option<f64>,
        /// The agent's clock, if it has a budget for the whole game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clock: Option<AgentClock>,
    },
    /// The game is over; not answered.
    Result {
        /// What that means for the agent.
        outcome: AgentOutcome,
        /// Why it is over.
        reason: String,
        /// The agent's place from 1, in games of three or more seats.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rank: Option<u32>,
    },
}

/// A board as an agent needs to know it to read positions and moves of any game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentBoard {
    /// How moves name a place, `{row}` and `{column}` standing for the names of its row and column.
    pub places: String,
    /// The names of the rows, from the top.
    pub rows: Vec<String>,
    /// The names of the columns, from the left.
    pub columns: Vec<String>,
    /// The rows from the top, a character per column: `.` where there is a place, a space where there is none.
    pub shape: Vec<String>,
}

/// What is left of an agent's time for the whole game, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentClock {
    /// What is left.
    pub left: f64,
    /// What each move adds.
    pub increment: f64,
}

/// The end of a game as an agent sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AgentOutcome {
    /// The agent has won.
    Won,
    /// Somebody else has won, or the agent has lost a game of one.
    Lost,
    /// Nobody has won.
    Drawn,
}

/// What an agent answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum FromAgent {
    /// Ready to play.
    Ready(Ready),
    /// A move, and whatever else the agent says about it.
    Move {
        /// The move.
        #[serde(rename = "move")]
        choice: String,
        /// What the move is worth to the agent, in a unit of its own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        score: Option<Value>,
        /// How many plies the agent looked ahead.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        depth: Option<Value>,
        /// How many positions it looked at.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        nodes: Option<Value>,
        /// Anything.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        comment: Option<Value>,
        /// Numbers under names of the agent's own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        counters: Option<Value>,
    },
}

/// The answer to a setup.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ready {
    /// What the agent calls itself.
    pub name: String,
    /// The parameters that it has.
    #[serde(default, skip_serializing_if = "Parameters::is_empty")]
    pub parameters: Parameters,
}

/// A line that is none of the protocol's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fault}")]
pub struct MessageError {
    fault: String,
    is_object: bool,
}

impl MessageError {
    /// Whether the line was a JSON object all the same: a malformed message, and not just something printed.
    pub fn is_object(&self) -> bool {
        self.is_object
    }
}

fn parse<T: for<'de> Deserialize<'de>>(line: &str) -> Result<T, MessageError> {
    serde_json::from_str(line).map_err(|error| {
        let what = if error.is_data() { "the message is wrong" } else { "the line is not one JSON object" };
        MessageError {
            fault: format!("{what}: {}", error.to_string().chars().take(200).collect::<String>()),
            // Duplicate fields make a message wrong, though not for a map.
            is_object: serde_json::from_str::<serde_json::Map<String, Value>>(line).is_ok(),
        }
    })
}

impl ToAgent {
    /// Reads what a referee says.
    ///
    /// # Errors
    /// If the line is no message, or a field is missing, of another type, or a time that is no time.
    pub fn parse(line: &str) -> Result<Self, MessageError> {
        let message = parse(line)?;
        let times = match &message {
            Self::Setup { time_per_move, setup_time, .. } => {
                vec![("time_per_move", *time_per_move), ("setup_time", Some(*setup_time))]
            }
            Self::Move { time, clock, .. } => vec![
                ("time", *time),
                ("clock.left", clock.map(|clock| clock.left)),
                ("clock.increment", clock.map(|clock| clock.increment)),
            ],
            Self::Result { .. } => Vec::new(),
        };
        let is_time = |seconds: f64| seconds.is_finite() && seconds >= 0.0;
        match times.into_iter().find_map(|(field, time)| Some((field, time.filter(|time| !is_time(*time))?)))
        {
            Some((field, seconds)) => {
                let fault = format!("{field}: expected seconds, 0 or more, found {seconds}");
                Err(MessageError { fault, is_object: true })
            }
            None => Ok(message),
        }
    }

    /// The message as one line, without its end.
    pub fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl FromAgent {
    /// Reads what an agent answers.
    ///
    /// # Errors
    /// If the line is no answer.
    pub fn parse(line: &str) -> Result<Self, MessageError> {
        parse(line)
    }

    /// The answer as one line, without its end.
    pub fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_messages_of_the_interface_are_read() {
        let setup = r#"{"type": "setup", "game": "loa", "options": "size=8", "seat": "b", "position": "p", "time_per_move": 5.0, "setup_time": 10}"#;
        assert!(matches!(ToAgent::parse(setup), Ok(ToAgent::Setup { setup_time: 10.0, .. })));
        let turn = r#"{"type": "move", "position": "p", "ply": 12, "history": ["a"], "legal": ["b"], "time": 5.0, "new": 1}"#;
        assert!(matches!(ToAgent::parse(turn), Ok(ToAgent::Move { ply: 12, .. })));
        let free = turn.replace("5.0", "null");
        assert!(matches!(ToAgent::parse(&free), Ok(ToAgent::Move { time: None, clock: None, .. })));
        let clock = turn.replace("5.0", r#"1.5, "clock": {"left": 9.5, "increment": 0.1}"#);
        let Ok(ToAgent::Move { clock: Some(clock), .. }) = ToAgent::parse(&clock) else { panic!("{clock}") };
        assert_eq!((clock.left, clock.increment), (9.5, 0.1));
        let result = r#"{"type": "result", "outcome": "drawn", "reason": "limit"}"#;
        let result = ToAgent::parse(result).expect("it is a result");
        assert_eq!(ToAgent::parse(&result.line()), Ok(result));
    }

    #[test]
    fn answers_are_held_to_the_letter() {
        let choice = r#"{"type": "move", "move": "7,6-5,6", "score": 3, "comment": ["any"], "mood": "good"}"#;
        assert!(
            matches!(FromAgent::parse(choice), Ok(FromAgent::Move { choice, .. }) if choice == "7,6-5,6")
        );
        let ready = FromAgent::Ready(Ready { name: "me".to_owned(), ..Ready::default() });
        assert_eq!(ready.line(), r#"{"type":"ready","name":"me"}"#);
        assert_eq!(FromAgent::parse(&ready.line()), Ok(ready));
        for bad in [
            "",
            "d3",
            "[]",
            r#"{"move": "d3"}"#,
            r#"{"type": "move"}"#,
            r#"{"type": "move", "move": 3}"#,
            r#"{"type": "move", "move": "d3", "move": "d4"}"#,
            r#"{"type": "move", "move": "d3"} {}"#,
            r#"{"type": "ready"}"#,
            r#"{"type": "ready", "name": "me", "move": "d3"}"#,
            r#"{"type": "setup"}"#,
        ] {
            assert!(FromAgent::parse(bad).is_err(), "{bad} was taken");
        }
        for bad in
            ["{", r#"{"type": "move", "position": "p", "ply": 1, "history": [], "legal": [], "time": -1}"#]
        {
            assert!(ToAgent::parse(bad).is_err(), "{bad} was taken");
        }
        assert!(FromAgent::parse(&"[".repeat(1 << 20)).is_err());
        let is_object = |line| FromAgent::parse(line).expect_err(line).is_object();
        assert!(is_object(r#"{"type": "move"}"#) && is_object("{}"));
        assert!(!is_object("d3") && !is_object("[]") && !is_object(r#"{"type": "move"} {}"#));
    }
}
