//! Options of games and parameters of bots, declared once: the declaration drives parsing, help, listings and
//! errors.

use std::time::Duration;

use crate::message::{ENGLISH, Messages};
use crate::text::{decimal, duration, duration_text, number, or_list, quote};
use crate::view::{Lesson, Style};

/// What a game is and which options it takes. What it is called and how it is explained is in its messages, under keys
/// that follow from the rest, see [`GameSpec::keys`].
#[derive(Clone, Copy, Debug)]
pub struct GameSpec {
    /// The name by which programs call it.
    pub id: &'static str,
    /// Its options, in the order in which they are printed.
    pub options: &'static [OptionSpec],
    /// What newcomers are taught, page by page.
    pub lessons: &'static [Lesson],
    /// How its grounds and pieces are drawn.
    pub styles: &'static [Style],
    /// What it says, in all its languages.
    pub messages: &'static Messages,
}

impl GameSpec {
    /// The name by which people call it.
    pub fn title(&self) -> &'static str {
        self.english("title")
    }

    /// One sentence about the game.
    pub fn summary(&self) -> &'static str {
        self.english("summary")
    }

    /// What people call one of its options.
    pub fn option_title(&self, option: &OptionSpec) -> &'static str {
        self.english(&format!("option.{}", option.key))
    }

    /// What people call a value of one of its options: a choice has a name, everything else is called as it is typed.
    pub fn value_title<'a>(&self, option: &OptionSpec, value: &'a str) -> &'a str {
        match option.kind {
            OptionKind::Choice(values) if values.contains(&value) => {
                self.english(&format!("choice.{}.{value}", option.key))
            }
            _ => value,
        }
    }

    /// What one of its options means.
    pub fn option_help(&self, option: &OptionSpec) -> &'static str {
        self.english(&format!("option.{}.help", option.key))
    }

    /// What the lesson with this index is about.
    pub fn lesson_title(&self, index: usize) -> &'static str {
        self.english(&format!("lesson.{}.title", index + 1))
    }

    /// The text of the lesson with this index, a paragraph a line.
    pub fn lesson_text(&self, index: usize) -> &'static str {
        self.english(&format!("lesson.{}.text", index + 1))
    }

    /// The keys of everything that must be said about a game of this description: `title`, `summary`, `option.KEY`,
    /// `option.KEY.help`, `option.KEY.form` where it is free text, `choice.KEY.VALUE`, `lesson.1.title`, `lesson.1.text` and so
    /// on, and the names of its styles. Its bots have messages too, `bot.NAME`.
    pub fn keys(&self) -> Vec<String> {
        let mut keys = vec!["title".to_owned(), "summary".to_owned()];
        for OptionSpec { key, kind, .. } in self.options {
            keys.extend([format!("option.{key}"), format!("option.{key}.help")]);
            match kind {
                OptionKind::Choice(values) => {
                    keys.extend(values.iter().map(|value| format!("choice.{key}.{value}")));
                }
                OptionKind::Text { .. } => keys.push(format!("option.{key}.form")),
                _ => {}
            }
        }
        for number in 1..=self.lessons.len() {
            keys.extend([format!("lesson.{number}.title"), format!("lesson.{number}.text")]);
        }
        keys.extend(self.styles.iter().map(|style| style.name.to_owned()));
        keys
    }

    /// The English text of a key that every game has.
    fn english(&self, key: &str) -> &'static str {
        let text = self.messages.find(ENGLISH, key);
        debug_assert!(text.is_some(), "{} has no message {key}", self.id);
        text.unwrap_or_default()
    }
}

/// One option.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// Its name.
    pub key: &'static str,
    /// Which values it takes.
    pub kind: OptionKind,
    /// The default, in words where it depends on other options.
    pub default: &'static str,
    /// What it means, if it is a parameter of a bot; options of games are explained by [`GameSpec::option_help`].
    pub help: &'static str,
}

/// The values that an option takes.
#[derive(Clone, Copy, Debug)]
pub enum OptionKind {
    /// A whole number from `min` to `max`, a multiple of `step`.
    Integer {
        /// The smallest.
        min: u32,
        /// The largest.
        max: u32,
        /// What it must be a multiple of.
        step: u32,
    },
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// `on` or `off`.
    Switch,
    /// A number that may have a fraction.
    Decimal {
        /// The smallest.
        min: f64,
        /// The largest.
        max: f64,
    },
    /// A span of time, such as `250ms`, `0.5s`, `2s` or `1m`.
    Duration {
        /// The shortest.
        min: Duration,
        /// The longest.
        max: Duration,
    },
    /// `off`, or what the kind within takes.
    OffOr(&'static OptionKind),
    /// Text that the game itself reads; `expected` says what it must look like.
    Text {
        /// The form, for help and errors.
        expected: &'static str,
        /// Usual values, for those who choose from a list; others are taken too.
        suggestions: &'static [&'static str],
    },
}

impl OptionKind {
    /// The allowed values, in words.
    pub fn allowed(&self) -> String {
        match self {
            Self::Integer { min, max, step: 1 } => format!("{min} to {max}"),
            Self::Integer { min, max, step: 2 } => format!("even, {min} to {max}"),
            Self::Integer { min, max, step } => format!("{min} to {max}, multiples of {step}"),
            Self::Choice(words) => or_list(*words),
            Self::Switch => "on or off".to_owned(),
            Self::Decimal { min, max } => format!("{min} to {max}"),
            Self::Duration { min, max } => {
                format!("{} to {}, with its unit (ms, s or m)", duration_text(*min), duration_text(*max))
            }
            Self::OffOr(kind) => format!("off or {}", kind.allowed()),
            Self::Text { expected, .. } => (*expected).to_owned(),
        }
    }

    fn accepts(&self, value: &str) -> bool {
        match *self {
            Self::Integer { min, max, step } => {
                number(value, u64::from(min)..=u64::from(max)).is_ok_and(|value| value % u64::from(step) == 0)
            }
            Self::Choice(words) => words.contains(&value),
            Self::Switch => matches!(value, "on" | "off"),
            Self::Decimal { min, max } => decimal(value).is_ok_and(|value| (min..=max).contains(&value)),
            Self::Duration { min, max } => duration(value).is_ok_and(|value| (min..=max).contains(&value)),
            Self::OffOr(kind) => value == "off" || kind.accepts(value),
            Self::Text { .. } => true,
        }
    }
}

impl OptionSpec {
    /// An option of a game.
    pub const fn of_game(key: &'static str, kind: OptionKind, default: &'static str) -> Self {
        Self { key, kind, default, help: "" }
    }

    /// The fault of an option whose `value` is not allowed.
    pub fn fault(&self, value: &str) -> String {
        let is_plain = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_graphic());
        let shown = if is_plain { value.chars().take(40).collect() } else { quote(value) };
        let allowed = self.kind.allowed();
        let form = match self.kind {
            // Text that is not a plain number may still look like one that is allowed.
            OptionKind::Integer { .. } if !number_is_plain(value) => {
                ", in plain digits without sign or leading zeros"
            }
            _ => "",
        };
        format!("{}={shown} is not allowed: {} must be {allowed}{form}", self.key, self.key)
    }
}

fn number_is_plain(text: &str) -> bool {
    number(text, 0..=u64::MAX).is_ok()
}

/// How many faults are listed: of a hostile list of a million they would help nobody.
const MAX_FAULTS: usize = 8;

/// Options that could not be read: every fault that was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("options: {}", .faults.join("; "))]
pub struct OptionsError {
    /// What is wrong, a phrase each.
    pub faults: Vec<String>,
}

impl OptionsError {
    /// An error with one fault.
    pub fn new(fault: impl Into<String>) -> Self {
        Self { faults: vec![fault.into()] }
    }
}

/// Options as somebody gave them: each known to their owner, each with an allowed value, none twice.
#[derive(Clone, Debug)]
pub struct Options {
    owner: &'static str,
    declared: &'static [OptionSpec],
    given: Vec<(&'static str, String)>,
}

impl Options {
    /// Reads options of a game: `key=value` pairs separated by commas; the empty text gives none.
    ///
    /// # Errors
    /// All unknown or repeated keys and all values that are not allowed.
    pub fn parse(spec: &'static GameSpec, text: &str) -> Result<Self, OptionsError> {
        Self::parse_declared(spec.id, spec.options, text)
    }

    /// Reads what `declared` allows to `owner`, a game or a bot.
    ///
    /// # Errors
    /// As [`Options::parse`].
    pub fn parse_declared(
        owner: &'static str,
        declared: &'static [OptionSpec],
        text: &str,
    ) -> Result<Self, OptionsError> {
        let mut given: Vec<(&'static str, String)> = Vec::new();
        let mut faults = Vec::new();
        for pair in text.split(',').filter(|_| !text.is_empty()) {
            if faults.len() == MAX_FAULTS {
                break;
            }
            let Some((key, value)) = pair.split_once('=') else {
                faults.push(match pair {
                    "" => "an option is empty: there is a comma too many".to_owned(),
                    _ => format!("{} is not of the form key=value", quote(pair)),
                });
                continue;
            };
            let Some(option) = declared.iter().find(|option| option.key == key) else {
                let keys = or_list(declared.iter().map(|option| option.key));
                let allowed = if keys.is_empty() { "no options".to_owned() } else { keys };
                faults.push(format!("{owner} has no option {}; it takes {allowed}", quote(key)));
                continue;
            };
            if given.iter().any(|(known, _)| *known == key) {
                faults.push(format!("{key} is given twice"));
            } else if option.kind.accepts(value) {
                given.push((option.key, value.to_owned()));
            } else {
                faults.push(option.fault(value));
            }
        }
        if faults.is_empty() { Ok(Self { owner, declared, given }) } else { Err(OptionsError { faults }) }
    }

    /// Whose options these are.
    pub fn owner(&self) -> &'static str {
        self.owner
    }

    /// These options, and those of `preset` that are not among them.
    #[must_use]
    pub fn over(mut self, preset: Self) -> Self {
        for (key, value) in preset.given {
            if self.value(key).is_none() {
                self.given.push((key, value));
            }
        }
        self
    }

    /// These options with another text for one that takes any.
    #[must_use]
    pub fn with(mut self, key: &str, value: String) -> Self {
        debug_assert!(self.spec(key).is_some_and(|option| matches!(option.kind, OptionKind::Text { .. })));
        if let Some(given) = self.given.iter_mut().find(|(known, _)| *known == key) {
            given.1 = value;
        }
        self
    }

    /// Whether there is an option `key`.
    pub fn declares(&self, key: &str) -> bool {
        self.spec(key).is_some()
    }

    /// The value of `key`, if it was given.
    pub fn value(&self, key: &str) -> Option<&str> {
        debug_assert!(self.spec(key).is_some(), "undeclared {key}");
        self.given.iter().find(|(known, _)| *known == key).map(|(_, value)| value.as_str())
    }

    /// The value of `key`: the given one, or else its declared default.
    pub fn text(&self, key: &str) -> &str {
        self.value(key).or_else(|| self.spec(key).map(|option| option.default)).unwrap_or_default()
    }

    /// The number given for `key`, or its declared default.
    pub fn integer(&self, key: &str) -> u32 {
        let value = self.optional_integer(key);
        debug_assert!(value.is_some(), "{key} is no number");
        value.unwrap_or_default()
    }

    /// The number given for `key`, or its declared default; `None` if that is `off`.
    pub fn optional_integer(&self, key: &str) -> Option<u32> {
        self.text(key).parse().ok()
    }

    /// Whether `key` is on.
    pub fn switch(&self, key: &str) -> bool {
        self.text(key) == "on"
    }

    /// The number given for `key`, or its declared default; `None` if that is `off`.
    pub fn decimal(&self, key: &str) -> Option<f64> {
        decimal(self.text(key)).ok()
    }

    /// The time given for `key`, or its declared default; `None` if that is `off`.
    pub fn duration(&self, key: &str) -> Option<Duration> {
        duration(self.text(key)).ok()
    }

    /// The fault of `key` having the value that was given for it.
    pub fn fault(&self, key: &str) -> OptionsError {
        let value = self.value(key).unwrap_or_default();
        OptionsError::new(self.spec(key).map_or_else(|| key.to_owned(), |option| option.fault(value)))
    }

    fn spec(&self, key: &str) -> Option<&'static OptionSpec> {
        self.declared.iter().find(|option| option.key == key)
    }
}
