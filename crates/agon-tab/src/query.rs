//! Paths with their queries.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// A path, its parts decoded, and what its query says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Path {
    pub(crate) parts: Vec<String>,
    query: Vec<(String, String)>,
}

impl Path {
    pub(crate) fn parse(text: &str) -> Self {
        let (path, query) = text.split_once('?').unwrap_or((text, ""));
        let parts =
            path.split('/').filter(|part| !part.is_empty()).map(|part| decoded(part, false)).collect();
        let pair = |pair: &str| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decoded(key, true), decoded(value, true))
        };
        Self { parts, query: query.split('&').filter(|pair| !pair.is_empty()).map(pair).collect() }
    }

    /// What the query says of a key.
    pub(crate) fn value(&self, key: &str) -> Option<&str> {
        self.query.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// The query as a type whose fields are numbers and words; `None` if it is none of that type.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Option<T> {
        let value = |text: &str| match text.parse::<u64>() {
            Ok(number) => Value::from(number),
            Err(_) => Value::from(text),
        };
        let fields: Map<String, Value> =
            self.query.iter().map(|(key, text)| (key.clone(), value(text))).collect();
        serde_json::from_value(Value::Object(fields)).ok()
    }
}

/// Text of which a URL consists, with `%` and, in queries, `+` undone.
fn decoded(text: &str, is_query: bool) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, others @ ..] = rest {
        let digit = |index: usize| char::from(*others.get(index)?).to_digit(16);
        match (first, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((16 * high + low) as u8);
                rest = &others[2..];
            }
            (b'+', ..) if is_query => {
                bytes.push(b' ');
                rest = others;
            }
            _ => {
                bytes.push(*first);
                rest = others;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use agon_requests::tables::PlyQuery;

    use super::*;

    #[test]
    fn paths_are_taken_apart() {
        let path = Path::parse("/api/v1/games/abc/plies?board=1&from=20&by=moves");
        assert_eq!(path.parts, ["api", "v1", "games", "abc", "plies"]);
        let query: PlyQuery = path.read().expect("numbers and a word");
        assert_eq!((query.board, query.from, query.to), (1, 20, None));
        assert!(Path::parse("/plies?board=x").read::<PlyQuery>().is_none());
        let path = Path::parse("/catalogue/chinese%2Dcheckers?options=seats%3Dg%2Fy+x%zz%");
        assert_eq!(path.parts, ["catalogue", "chinese-checkers"]);
        assert_eq!(path.value("options"), Some("seats=g/y x%zz%"));
        assert_eq!(path.value("option"), None);
        assert_eq!(Path::parse("%ff"), Path { parts: vec!["\u{fffd}".to_owned()], query: Vec::new() });
    }
}
