//! Which bot, and how it is set: `NAME` or `NAME:key=value,…`, read and written here and nowhere else.

use std::fmt;
use std::str::FromStr;

use agon_core::text::quote;
use agon_search::parameters::THREADS;

/// The longest specification, in bytes.
const MAX_LENGTH: usize = 1000;

/// The name of a bot and its settings. Whether a game has such a bot is for its rules to say.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BotSpec {
    name: String,
    /// Keys and values as they were given, no key twice.
    settings: Vec<(String, String)>,
}

/// Text that is not a bot specification.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bot {}: {fault}", quote(.text))]
pub struct BotSpecError {
    /// The text.
    pub text: String,
    /// What is wrong with it.
    pub fault: String,
}

impl BotSpec {
    /// The bot of this name without settings. For names that are known to be good; others are parsed.
    pub fn named(name: &'static str) -> Self {
        debug_assert!(is_word(name), "{name} is no name");
        Self { name: name.to_owned(), settings: Vec::new() }
    }

    /// The bot's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its settings, in the order in which they were given.
    pub fn settings(&self) -> impl Iterator<Item = (&str, &str)> {
        self.settings.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// The value of the setting `key`, if it is set.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.settings().find(|(known, _)| *known == key).map(|(_, value)| value)
    }

    /// Whether `key` is set.
    pub fn sets(&self, key: &str) -> bool {
        self.value(key).is_some()
    }

    /// In how many threads it thinks.
    pub fn threads(&self) -> usize {
        self.value(THREADS.key).and_then(|number| number.parse().ok()).unwrap_or(1)
    }

    /// The same bot with `key` set to `value`.
    ///
    /// # Errors
    /// If the result is not a specification, for example because of a comma in `value`.
    pub fn with(&self, key: &str, value: impl fmt::Display) -> Result<Self, BotSpecError> {
        let mut changed = self.clone();
        changed.settings.retain(|(known, _)| known != key);
        changed.settings.push((key.to_owned(), value.to_string()));
        let text = changed.to_string();
        if text.parse::<Self>()? != changed {
            return Err(BotSpecError { text, fault: format!("{} cannot be set so", quote(key)) });
        }
        Ok(changed)
    }

    /// The settings as options are written: `key=value,…`.
    pub(crate) fn settings_text(&self) -> String {
        let pairs: Vec<String> = self.settings().map(|(key, value)| format!("{key}={value}")).collect();
        pairs.join(",")
    }
}

impl fmt::Display for BotSpec {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.name)?;
        for (index, (key, value)) in self.settings.iter().enumerate() {
            let separator = if index == 0 { ':' } else { ',' };
            write!(formatter, "{separator}{key}={value}")?;
        }
        Ok(())
    }
}

impl FromStr for BotSpec {
    type Err = BotSpecError;

    fn from_str(text: &str) -> Result<Self, BotSpecError> {
        let fail = |fault: &str| BotSpecError { text: text.to_owned(), fault: fault.to_owned() };
        if text.len() > MAX_LENGTH {
            let fault = format!("a specification has at most {MAX_LENGTH} bytes");
            // The error need not carry what is too long.
            return Err(BotSpecError { text: text.chars().take(MAX_LENGTH / 10).collect(), fault });
        }
        if text.contains(char::is_control) {
            return Err(fail("a specification has no control characters"));
        }
        let (name, given) = match text.split_once(':') {
            None => (text, None),
            Some((name, given)) => (name, Some(given)),
        };
        if !is_word(name) {
            return Err(fail("expected a bot's name, or its name and settings as in expert:time=1s"));
        }
        let mut settings: Vec<(String, String)> = Vec::new();
        for pair in given.into_iter().flat_map(|given| given.split(',')) {
            let Some((key, value)) = pair.split_once('=').filter(|(key, _)| is_word(key)) else {
                return Err(fail(&match pair {
                    "" => "a setting is empty: there is a comma or colon too many".to_owned(),
                    _ => format!("{} is not of the form key=value", quote(pair)),
                }));
            };
            if settings.iter().any(|(known, _)| known == key) {
                return Err(fail(&format!("{key} is given twice")));
            }
            settings.push((key.to_owned(), value.to_owned()));
        }
        Ok(Self { name: name.to_owned(), settings })
    }
}

/// Whether `text` can stand where names stand.
fn is_word(text: &str) -> bool {
    !text.is_empty() && !text.contains(|char: char| char.is_whitespace() || ":,=".contains(char))
}

impl serde::Serialize for BotSpec {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for BotSpec {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifications_are_written_as_they_are_read() {
        for text in ["expert", "expert:time=1s", "mcts:time=0.5s,tt=off,c=", "a:k=x=y:z"] {
            let spec: BotSpec = text.parse().expect(text);
            assert_eq!(spec.to_string(), text);
        }
        for bad in
            ["", ":time=1s", "expert:", "expert:time", "a,b", "a b", "a:=1", "a:k=1,k=2", "a:k=1,", "a:k=\n"]
        {
            assert!(bad.parse::<BotSpec>().is_err(), "{bad:?} was taken");
        }
        let error = "x".repeat(1 << 20).parse::<BotSpec>().expect_err("too long");
        assert!(error.to_string().len() < 200);
    }

    #[test]
    fn settings_are_asked_for_and_replaced() {
        let spec: BotSpec = "expert:time=1s".parse().expect("a specification");
        assert!(spec.sets("time") && !spec.sets("tim") && !spec.sets("1s"));
        assert_eq!(spec.with("multi", 3).expect("it fits").to_string(), "expert:time=1s,multi=3");
        assert_eq!(spec.with("time", "2s").expect("it fits").to_string(), "expert:time=2s");
        for (key, value) in [("time", "2s,depth=3"), ("a b", "1"), ("a=b", "1"), ("depth", "\0")] {
            assert!(spec.with(key, value).is_err(), "{key}={value}");
        }
    }
}
