//! `agon query`: one JSON object a line in, one out.

use std::fmt;

use serde::Serialize;
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

/// The longest line that is read, in bytes.
pub const MAX_LINE: usize = 4 << 20;
/// The deepest perft that is counted.
pub const MAX_PERFT_DEPTH: u32 = 20;
/// The largest count that perft answers with.
pub const MAX_PERFT_NODES: u64 = 10_000_000_000;

/// The fields of a request, in the order in which they are documented.
const FIELDS: [&str; 5] = ["game", "options", "position", "moves", "perft"];

/// A question about a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The game's name.
    pub game: String,
    /// Its options; empty for the defaults.
    pub options: String,
    /// Where to begin; `None` for the usual start.
    pub position: Option<String>,
    /// What to play from there.
    pub moves: Vec<String>,
    /// How deep to count, if at all.
    pub perft: Option<u32>,
}

/// A request that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RequestError(String);

impl Request {
    /// Reads one line.
    ///
    /// # Errors
    /// If the line is not one JSON object with just the documented fields, each of its type.
    pub fn parse(line: &[u8]) -> Result<Self, RequestError> {
        let text = std::str::from_utf8(line).map_err(|error| {
            RequestError(format!("the line is not UTF-8 from byte {} on", error.valid_up_to()))
        })?;
        if text.trim().is_empty() {
            return Err(RequestError("the line is empty: expected one JSON object".to_owned()));
        }
        let Fields(fields) = serde_json::from_str(text).map_err(|error| {
            let what =
                if error.is_data() { "the request is wrong" } else { "the line is not one JSON object" };
            RequestError(format!("{what}: {error}"))
        })?;
        let mut request = Self::default();
        let mut has_game = false;
        for (name, value) in fields {
            match name {
                "game" => {
                    request.game = string("game", value)?;
                    has_game = true;
                }
                "options" => request.options = string("options", value)?,
                "position" => request.position = Some(string("position", value)?),
                "moves" => request.moves = strings(value)?,
                _ => request.perft = Some(depth(&value)?),
            }
        }
        if has_game {
            Ok(request)
        } else {
            Err(RequestError("game is missing: expected the name of a game, such as \"othello\"".into()))
        }
    }
}

fn string(field: &str, value: Value) -> Result<String, RequestError> {
    match value {
        Value::String(text) => Ok(text),
        other => Err(wrong_type(field, "a string", &other)),
    }
}

fn strings(value: Value) -> Result<Vec<String>, RequestError> {
    let Value::Array(items) = value else {
        return Err(wrong_type("moves", "a list of strings", &value));
    };
    let numbered = items.into_iter().enumerate();
    numbered.map(|(index, item)| string(&format!("moves[{index}]"), item)).collect()
}

fn depth(value: &Value) -> Result<u32, RequestError> {
    let depth = value.as_u64().filter(|&depth| depth <= u64::from(MAX_PERFT_DEPTH));
    let expected = || wrong_type("perft", &format!("a whole number from 0 to {MAX_PERFT_DEPTH}"), value);
    depth.map(|depth| depth as u32).ok_or_else(expected)
}

fn wrong_type(field: &str, expected: &str, value: &Value) -> RequestError {
    let found = match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string().chars().take(40).collect(),
        Value::String(_) => "a string".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    };
    RequestError(format!("{field}: expected {expected}, found {found}"))
}

/// The fields of an object, known ones only and none twice, which a plain map would hide.
struct Fields(Vec<(&'static str, Value)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FieldsVisitor;

        impl<'de> Visitor<'de> for FieldsVisitor {
            type Value = Fields;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Fields, M::Error> {
                let mut fields: Vec<(&'static str, Value)> = Vec::new();
                while let Some(name) = map.next_key::<String>()? {
                    let known = FIELDS.into_iter().find(|field| *field == name);
                    let Some(known) = known else {
                        let name: String = name.chars().take(40).collect();
                        return Err(de::Error::custom(format!(
                            "unknown field {name:?}, expected one of {}",
                            FIELDS.join(", ")
                        )));
                    };
                    if fields.iter().any(|(field, _)| *field == known) {
                        return Err(de::Error::custom(format!("{known} is given twice")));
                    }
                    fields.push((known, map.next_value()?));
                }
                Ok(Fields(fields))
            }
        }

        deserializer.deserialize_map(FieldsVisitor)
    }
}

/// How a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Somebody is to move.
    Ongoing,
    /// Somebody has won.
    Won,
    /// Nobody has won.
    Drawn,
    /// The only player has lost.
    Lost,
}

/// The answer to a request that could be answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// Always true.
    pub ok: bool,
    /// The game.
    pub game: &'static str,
    /// Every option, in canonical order.
    pub options: String,
    /// The position after the moves.
    pub position: String,
    /// Plies played, as the position counts them or else as `moves` does.
    pub ply: u32,
    /// The seat to move, also after the end.
    pub to_move: String,
    /// How the game stands.
    pub status: Status,
    /// The seat that has won.
    pub winner: Option<String>,
    /// Why the game is over.
    pub reason: Option<&'static str>,
    /// Every legal move, sorted by bytes.
    pub legal: Vec<String>,
    /// The perft count, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// The answer to a request that could not be answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// Always false.
    pub ok: bool,
    /// What is wrong and what was expected.
    pub error: String,
}

impl Failure {
    /// A failure for a reason.
    pub fn new(error: impl fmt::Display) -> Self {
        Self { ok: false, error: error.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(line: &str) -> String {
        Request::parse(line.as_bytes()).expect_err(line).to_string()
    }

    #[test]
    fn a_full_request_is_read() {
        let line = r#"{"perft": 3, "moves": ["d3"], "position": "p", "options": "size=6", "game": "loa"}"#;
        let request = Request::parse(line.as_bytes()).expect("every field is right");
        assert_eq!(request.game, "loa");
        assert_eq!(request.options, "size=6");
        assert_eq!(request.position.as_deref(), Some("p"));
        assert_eq!(request.moves, ["d3"]);
        assert_eq!(request.perft, Some(3));
    }

    #[test]
    fn refusals_name_the_field_and_what_was_expected() {
        for (line, words) in [
            (r#"{"game": null}"#, "game: expected a string, found null"),
            (r#"{"options": ""}"#, "game is missing"),
            (r#"{"game": "loa", "options": null}"#, "options: expected a string, found null"),
            (r#"{"game": "loa", "moves": "d3"}"#, "moves: expected a list of strings, found a string"),
            (r#"{"game": "loa", "moves": ["d3", 4]}"#, "moves[1]: expected a string, found 4"),
            (r#"{"game": "loa", "perft": 21}"#, "perft: expected a whole number from 0 to 20, found 21"),
            (r#"{"game": "loa", "perft": -1}"#, "perft: expected a whole number from 0 to 20, found -1"),
            (r#"{"game": "loa", "perft": 2.0}"#, "perft: expected a whole number from 0 to 20, found 2.0"),
            (
                r#"{"game": "loa", "perft": "2"}"#,
                "perft: expected a whole number from 0 to 20, found a string",
            ),
            (
                r#"{"game": "loa", "perf": 2}"#,
                "unknown field \"perf\", expected one of game, options, position",
            ),
            (r#"{"game": "loa", "game": "loa"}"#, "game is given twice"),
            (r#"{"game": "loa"} {}"#, "trailing characters"),
            (r#"["loa"]"#, "expected an object"),
            ("", "the line is empty: expected one JSON object"),
            ("{", "EOF while parsing"),
        ] {
            let error = refusal(line);
            assert!(error.contains(words), "{line}: {error}");
        }
    }

    #[test]
    fn hostile_lines_are_refused() {
        assert!(refusal(&format!(r#"{{"game": {}"#, "[".repeat(1 << 20))).contains("recursion limit"));
        assert!(
            Request::parse(b"{\"game\": \"\xff\"}").is_err_and(|error| error.to_string().contains("UTF-8"))
        );
        assert!(refusal(&format!(r#"{{"{}": 1}}"#, "x".repeat(1 << 20))).len() < 300);
        assert!(refusal(&format!(r#"{{"game": "loa", "perft": 1{}}}"#, "0".repeat(1000))).len() < 300);
    }
}
