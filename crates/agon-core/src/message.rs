//! What a game says to people, ready for translation: a key, named arguments, and the English text.
//!
//! The texts live in catalogues, one file per language in the game's folder, a line `key = text with {argument}` each.
//! What several games say in the same words is in the catalogues of this crate, [`COMMON`]. A front end shows
//! [`Message::text`], or asks [`Messages::text`] for another language; it holds no copies.
//!
//! A text may have a second form for one thing, under the key with `.one` behind it: it is used if the argument `n` is
//! the number 1, and spells that number out. A `\n` in a text begins a new paragraph.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter, Write};
use std::sync::OnceLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::quote;

/// The language that every message is written in first.
pub const ENGLISH: &str = "en";

/// What all games say in the same words.
pub static COMMON: Messages =
    Messages::new(&[("en", include_str!("messages/en.txt")), ("he", include_str!("messages/he.txt"))]);

/// The argument that chooses between a text and its form for one thing.
const NUMBER: &str = "n";
/// What is added to a key for the form for one thing.
const ONE: &str = ".one";

/// Something to be said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Message {
    /// What is said, whatever the language.
    pub key: Cow<'static, str>,
    /// What is filled into the text.
    #[serde(default, skip_serializing_if = "Arguments::is_empty")]
    pub arguments: Arguments,
    /// The English text.
    pub text: Cow<'static, str>,
}

impl Message {
    /// What is said in English only, such as what a program reports.
    pub fn english(text: impl Into<Cow<'static, str>>) -> Self {
        Self { key: Cow::Borrowed(""), arguments: Arguments::default(), text: text.into() }
    }
}

impl Display for Message {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

/// What is filled into a text, by name. There are hardly ever more than three, so they stand in a row, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "BTreeMap<Cow<'static, str>, Value>")]
pub struct Arguments(Vec<(Cow<'static, str>, Value)>);

impl Arguments {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The argument of this name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.iter().find(|argument| argument.0 == name).map(|(_, value)| value)
    }

    /// All of them, sorted by their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (&**name, value))
    }
}

impl From<BTreeMap<Cow<'static, str>, Value>> for Arguments {
    fn from(arguments: BTreeMap<Cow<'static, str>, Value>) -> Self {
        Self(arguments.into_iter().collect())
    }
}

impl<const N: usize> From<[(&'static str, Value); N]> for Arguments {
    fn from(mut arguments: [(&'static str, Value); N]) -> Self {
        arguments.sort_unstable_by_key(|(name, _)| *name);
        Self(arguments.into_iter().map(|(name, value)| (Cow::Borrowed(name), value)).collect())
    }
}

impl Serialize for Arguments {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl JsonSchema for Arguments {
    fn schema_name() -> Cow<'static, str> {
        BTreeMap::<String, Value>::schema_name()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        BTreeMap::<String, Value>::json_schema(generator)
    }
}

/// What is filled into a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Value {
    /// A number.
    Number(u64),
    /// Text that is the same in all languages: a square, a move, a person's name.
    Text(String),
    /// What is itself to be translated, such as the title of a seat.
    Message(Message),
}

impl Display for Value {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(out),
            Self::Text(text) => out.write_str(text),
            Self::Message(message) => message.fmt(out),
        }
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Message> for Value {
    fn from(message: Message) -> Self {
        Self::Message(message)
    }
}

/// The texts of one language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalogue {
    texts: BTreeMap<String, String>,
}

/// A catalogue that is not written as one is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the catalogue: {fault}")]
pub struct CatalogueError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub fault: String,
}

impl Catalogue {
    /// Reads a catalogue: lines of `key = text`, blank ones, and comments that begin with `#`. Keys are made of small
    /// letters, digits, `.` and `-`; texts name their arguments in braces.
    ///
    /// # Errors
    /// If a line is none of these, a key comes twice, or a brace stands alone.
    pub fn parse(text: &str) -> Result<Self, CatalogueError> {
        let mut texts = BTreeMap::new();
        for (number, line) in (1..).zip(text.lines()) {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let fail = |fault: String| CatalogueError { line: number, fault };
            let (key, text) = line
                .split_once(" = ")
                .ok_or_else(|| fail(format!("{} is not of the form key = text", quote(line))))?;
            if key.is_empty() || !key.chars().all(is_key_char) {
                return Err(fail(format!("{} is not a key of a-z, 0-9, '.' and '-'", quote(key))));
            }
            if text.trim() != text || text.is_empty() {
                return Err(fail(format!("the text of {key} is empty or has spaces around it")));
            }
            for piece in pieces(text) {
                piece.map_err(|fault| fail(format!("the text of {key} has {fault}")))?;
            }
            if texts.insert(key.to_owned(), text.replace("\\n", "\n")).is_some() {
                return Err(fail(format!("{key} comes twice")));
            }
        }
        Ok(Self { texts })
    }

    /// The text of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.texts.get(key).map(String::as_str)
    }

    /// Every key with its text.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().map(|(key, text)| (key.as_str(), text.as_str()))
    }

    /// The names of the arguments that the text of a key asks for, sorted.
    pub fn placeholders(&self, key: &str) -> Vec<&str> {
        let text = self.get(key).unwrap_or_default();
        let mut names: Vec<&str> = pieces(text)
            .filter_map(|piece| match piece {
                Ok(Piece::Argument(name)) => Some(name),
                Ok(Piece::Text(_)) | Err(_) => None,
            })
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

fn is_key_char(char: char) -> bool {
    char.is_ascii_lowercase() || char.is_ascii_digit() || matches!(char, '.' | '-')
}

/// A part of a text.
#[derive(Clone, Copy)]
enum Piece<'a> {
    Text(&'a str),
    Argument(&'a str),
}

/// The text as what is between braces and what is not. After a fault nothing comes any more.
fn pieces(text: &str) -> impl Iterator<Item = Result<Piece<'_>, String>> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest.take().filter(|text| !text.is_empty())?;
        let Some(brace) = text.find(['{', '}']) else { return Some(Ok(Piece::Text(text))) };
        if brace > 0 {
            let (before, after) = text.split_at(brace);
            rest = Some(after);
            return Some(Ok(Piece::Text(before)));
        }
        let Some((name, after)) = text.strip_prefix('{').and_then(|text| text.split_once('}')) else {
            return Some(Err("a brace that stands alone".to_owned()));
        };
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return Some(Err(format!("an argument {} that is not made of a-z", quote(name))));
        }
        rest = Some(after);
        Some(Ok(Piece::Argument(name)))
    })
}

/// What a game can say, in all its languages.
#[derive(Debug)]
pub struct Messages {
    /// Each language by its code and its catalogue as written, English among them.
    sources: &'static [(&'static str, &'static str)],
    catalogues: OnceLock<Vec<(&'static str, Catalogue)>>,
}

impl Messages {
    /// The messages in these languages, given by their codes and catalogues.
    pub const fn new(sources: &'static [(&'static str, &'static str)]) -> Self {
        Self { sources, catalogues: OnceLock::new() }
    }

    /// The codes of the languages.
    pub fn languages(&self) -> impl Iterator<Item = &'static str> {
        self.sources.iter().map(|(language, _)| *language)
    }

    /// Reads every catalogue. They are part of the program, so this is for tests: elsewhere a catalogue that does not
    /// hold is as good as empty.
    ///
    /// # Errors
    /// If a catalogue does not hold.
    pub fn check(&self) -> Result<(), CatalogueError> {
        self.sources.iter().try_for_each(|(_, text)| Catalogue::parse(text).map(|_| ()))
    }

    /// The game's own texts in a language.
    pub fn own(&self, language: &str) -> Option<&Catalogue> {
        let catalogues = self.catalogues.get_or_init(|| {
            let parsed =
                |(language, text): &(_, &str)| (*language, Catalogue::parse(text).unwrap_or_default());
            self.sources.iter().map(parsed).collect()
        });
        catalogues.iter().find(|(code, _)| *code == language).map(|(_, catalogue)| catalogue)
    }

    /// The text of a key, which may be one that all games share; in English where the language lacks it.
    pub fn find(&self, language: &str, key: &str) -> Option<&str> {
        let in_language =
            |language| [self, &COMMON].into_iter().find_map(|messages| messages.own(language)?.get(key));
        in_language(language).or_else(|| in_language(ENGLISH))
    }

    /// All that can be said, what all games share included, in a language; in English where it lacks a text.
    pub fn catalogue(&self, language: &str) -> BTreeMap<&str, &str> {
        let sources = [(&COMMON, ENGLISH), (self, ENGLISH), (&COMMON, language), (self, language)];
        sources
            .into_iter()
            .filter_map(|(messages, language): (&Self, _)| messages.own(language))
            .flat_map(Catalogue::iter)
            .collect()
    }

    /// A message with its arguments.
    pub fn say<const N: usize>(
        &'static self,
        key: impl Into<Cow<'static, str>>,
        arguments: [(&'static str, Value); N],
    ) -> Message {
        let (key, arguments) = (key.into(), arguments.into());
        debug_assert!(self.find(ENGLISH, &key).is_some(), "there is no message {key}");
        let mut message = Message { key, arguments, text: Cow::Borrowed("") };
        message.text = self.text_of(ENGLISH, &message).unwrap_or_default();
        message
    }

    /// A message in a language. One that is in none of these catalogues is left in English, and an argument that is not
    /// given stays in braces.
    pub fn text(&self, language: &str, message: &Message) -> String {
        self.text_of(language, message).map_or_else(|| message.text.to_string(), Cow::into_owned)
    }

    fn text_of(&self, language: &str, message: &Message) -> Option<Cow<'_, str>> {
        let Message { key, arguments, .. } = message;
        let is_one = arguments.get(NUMBER) == Some(&Value::Number(1));
        let one = if is_one { self.find(language, &format!("{key}{ONE}")) } else { None };
        let text = one.or_else(|| self.find(language, key))?;
        if !text.contains('{') {
            return Some(Cow::Borrowed(text));
        }
        let mut filled = String::with_capacity(2 * text.len());
        // Catalogues whose texts have faults are not read in the first place.
        for piece in pieces(text).flatten() {
            // Writing to a string cannot fail.
            let _ = match piece {
                Piece::Text(text) => filled.write_str(text),
                Piece::Argument(name) => match arguments.get(name) {
                    Some(Value::Number(number)) => write!(filled, "{number}"),
                    Some(Value::Text(text)) => filled.write_str(text),
                    Some(Value::Message(message)) => filled.write_str(&self.text(language, message)),
                    None => write!(filled, "{{{name}}}"),
                },
            };
        }
        Some(Cow::Owned(filled))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static MESSAGES: Messages = Messages::new(&[
        (
            "en",
            "# Greetings\nhello = Hello, {name}.\n\npair = {first} and {second}\ngreen = Green\nleft = {n} left\nleft.one = the last one",
        ),
        ("he", "hello = שלום, {name}.\npair = {second} + {first}\nleft = נותרו {n}\nleft.one = האחרון"),
    ]);

    #[test]
    fn messages_are_filled_in_and_fall_back_to_english() {
        MESSAGES.check().expect("the catalogues hold");
        let green = MESSAGES.say("green", []);
        let blue = Value::from("Blue".to_owned());
        let pair = MESSAGES.say("pair", [("first", green.into()), ("second", blue)]);
        assert_eq!(pair.text, "Green and Blue");
        assert_eq!(MESSAGES.text("he", &pair), "Blue + Green", "within, English where there is no Hebrew");
        let hello = MESSAGES.say("hello", [("name", pair.into())]);
        assert_eq!(hello.to_string(), "Hello, Green and Blue.");
        assert_eq!(MESSAGES.text("xx", &hello), hello.text, "a language that nobody has is English");
        let over = COMMON.say("illegal.over", [("reason", hello.into())]);
        assert_eq!(
            over.text, "The game is over: Hello, Green and Blue..",
            "within what all games share, too"
        );
        assert!(MESSAGES.text("he", &over).contains("שלום"), "and so in another language");
    }

    #[test]
    fn one_thing_has_a_form_of_its_own() {
        let left = |count: u64| MESSAGES.say("left", [("n", count.into())]);
        assert_eq!((left(2).text, left(1).text), ("2 left".into(), "the last one".into()));
        assert_eq!(MESSAGES.text("he", &left(1)), "האחרון");
    }

    #[test]
    fn what_all_games_share_is_found_too() {
        assert_eq!(MESSAGES.find("he", "illegal.not-yours"), COMMON.find("he", "illegal.not-yours"));
        let all = MESSAGES.catalogue("he");
        assert_eq!(all["green"], "Green");
        assert_eq!(all["left.one"], "האחרון");
        assert!(all.contains_key("illegal.not-yours"));
    }

    #[test]
    fn bad_catalogues_are_refused_with_their_line() {
        for (text, line, fault) in [
            ("a = b\nno text", 2, "not of the form"),
            ("a =", 1, "not of the form"),
            ("a =  b", 1, "spaces around"),
            ("a = b ", 1, "spaces around"),
            ("A = b", 1, "not a key"),
            (" = b", 1, "not a key"),
            ("a = b\n# a\n\na = c", 4, "twice"),
            ("a = {b", 1, "brace"),
            ("a = b}", 1, "brace"),
            ("a = {}", 1, "argument"),
            ("a = {B}", 1, "argument"),
            ("a = {b {c}}", 1, "argument"),
        ] {
            let error = Catalogue::parse(text).expect_err(text);
            assert_eq!(error.line, line, "{text}: {error}");
            assert!(error.fault.contains(fault), "{text}: {error}");
        }
        let catalogue = Catalogue::parse("a = {to}{from} {to}\nb = one\\ntwo").expect("it holds");
        assert_eq!(catalogue.get("b"), Some("one\ntwo"));
        assert_eq!(catalogue.placeholders("a"), ["from", "to"]);
    }
}
