//! Weight files: a small TOML file with a name, the game and evaluation that it is for, and the weights.
//!
//! ```toml
//! name = "tuned"
//! game = "tablut"
//! evaluation = "s1"
//! command = "agon tune tablut --bot s1"
//!
//! [weights]
//! danger = 12
//! king-paths = 40.5
//! ```

use std::fmt::Write;
use std::ops::Range;
use std::path::Path;

use agon_arena::reader::{Mistakes, Section, bounded, parse};
use agon_core::text::{nearest, quote};
use agon_erased::{BotSpec, MAX_WEIGHT, Rules, WEIGHTS};

use crate::dimension::number_text;
use crate::sample::with_weights;

/// The largest file that is read, in bytes.
const MAX_BYTES: u64 = 64 << 10;
/// The longest name and command.
const MAX_NAME: usize = 60;
const MAX_COMMAND: usize = 4000;

/// Weights with a name, and where they come from.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightFile {
    /// What they are called.
    pub name: String,
    /// The game.
    pub game: String,
    /// The evaluation.
    pub evaluation: String,
    /// The command that made them; may be empty.
    pub command: String,
    /// The weights by name. Those that are not listed stay as they are.
    pub weights: Vec<(String, f64)>,
}

impl WeightFile {
    /// The file as text.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for (key, value) in [
            ("name", &self.name),
            ("game", &self.game),
            ("evaluation", &self.evaluation),
            ("command", &self.command),
        ] {
            // Writing to a text cannot fail.
            let _ = writeln!(text, "{key} = {}", toml_text(value));
        }
        text.push_str("\n[weights]\n");
        for (name, weight) in &self.weights {
            let is_bare = |char: char| char.is_ascii_alphanumeric() || "-_".contains(char);
            let key = if name.chars().all(is_bare) { name.clone() } else { toml_text(name) };
            let _ = writeln!(text, "{key} = {}", number_text(*weight));
        }
        text
    }

    /// Reads the text of a file, which messages call `file`, for a bot of a game.
    ///
    /// # Errors
    /// Everything that is wrong with it, each mistake with its line and column.
    pub fn parse(file: &str, text: &str, rules: &dyn Rules, bot: &BotSpec) -> Result<Self, Mistakes> {
        parse(file, text, |top| read(top, rules, bot))
    }

    /// Reads a file for a bot of a game.
    ///
    /// # Errors
    /// As [`WeightFile::parse`], or if the file cannot be read or is too large.
    pub fn load(path: &Path, rules: &dyn Rules, bot: &BotSpec) -> Result<Self, Mistakes> {
        let file = path.display().to_string();
        let text = bounded(path, MAX_BYTES).map_err(|fault| Mistakes::whole(&file, fault))?;
        Self::parse(&file, &text, rules, bot)
    }

    /// Whether the weights of a bot are to come from a file: they are named by a path or a name that ends in `.toml`.
    pub fn path(bot: &BotSpec) -> Option<&Path> {
        let text = bot.value(WEIGHTS.key)?;
        (text.contains('/') || text.ends_with(".toml")).then(|| Path::new(text))
    }

    /// The bot with the weights of the file that it names; others stay as they are. A specification that has gone through this names no file
    /// any more, and whoever plays it needs none.
    ///
    /// # Errors
    /// As [`WeightFile::load`].
    pub fn resolve(bot: &BotSpec, rules: &dyn Rules) -> Result<BotSpec, Mistakes> {
        let Some(path) = Self::path(bot) else { return Ok(bot.clone()) };
        let weights = Self::load(path, rules, bot)?.weights;
        with_weights(bot, weights.iter().map(|(name, value)| (name.as_str(), *value)))
            .map_err(|error| Mistakes::whole(&path.display().to_string(), error.fault))
    }
}

/// A text as TOML has it, in quotation marks: as JSON has it.
fn toml_text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn read(top: &Section, rules: &dyn Rules, bot: &BotSpec) -> Option<WeightFile> {
    let short = |most: usize| {
        move |text: &str| {
            let is_good = text.chars().count() <= most && !text.contains(char::is_control);
            is_good
                .then(|| text.to_owned())
                .ok_or_else(|| format!("expected a line of at most {most} characters"))
        }
    };
    let required = |key: &'static str| {
        if top.value(key).is_none() {
            top.doc.wrong(top.span(), format!("there is no {key}"));
        }
    };
    ["name", "game", "evaluation", "weights"].into_iter().for_each(required);
    let name = top.parsed("name", "tuned", short(MAX_NAME));
    let game = top.parsed("game", "tablut", |text| {
        let here = rules.spec().id;
        match nearest(text, [here]) {
            _ if text == here => Ok(text.to_owned()),
            Some(meant) => Err(format!("there is no game {}; did you mean {meant}?", quote(text))),
            None => Err(format!("these weights are for {}, not for {here}", quote(text))),
        }
    });
    let evaluation = top.parsed("evaluation", "s1", |text| evaluation(text, rules, bot));
    let command = top.parsed("command", "agon tune", short(MAX_COMMAND)).unwrap_or_default();
    let section = top.table("weights", "[weights]");
    top.close();
    let section = section?;
    let weights = section.numbers(MAX_WEIGHT);
    let (game, evaluation) = (game?, evaluation?);
    check_names(&section, &weights, rules, bot);
    let weights = weights.into_iter().map(|(name, _, value)| (name.to_owned(), value)).collect();
    Some(WeightFile { name: name?, game, evaluation, command, weights })
}

/// The bot without the file, whose own evaluation can be asked for.
fn without_file(bot: &BotSpec) -> BotSpec {
    let mut bare: BotSpec = bot.name().parse().unwrap_or_else(|_| bot.clone());
    for (key, value) in bot.settings().filter(|(key, _)| *key != WEIGHTS.key) {
        bare = bare.with(key, value).unwrap_or(bare);
    }
    bare
}

fn evaluation(text: &str, rules: &dyn Rules, bot: &BotSpec) -> Result<String, String> {
    let names = || rules.evaluations().iter().map(|evaluation| evaluation.name);
    if !names().any(|name| name == text) {
        let hint = match nearest(text, names()) {
            Some(meant) => format!("did you mean {meant:?}?"),
            None => format!("expected one of {}", names().collect::<Vec<_>>().join(", ")),
        };
        return Err(format!("there is no evaluation {}; {hint}", quote(text)));
    }
    let linear = rules.linear(&without_file(bot)).map_err(|error| error.to_string())?;
    if linear.evaluation != text {
        let own = if linear.evaluation.is_empty() { "none" } else { &linear.evaluation };
        return Err(format!("these weights are for {text}, and the evaluation of {} is {own}", bot.name()));
    }
    Ok(text.to_owned())
}

fn check_names(section: &Section, weights: &[(&str, Range<usize>, f64)], rules: &dyn Rules, bot: &BotSpec) {
    let Ok(linear) = rules.linear(&without_file(bot)) else { return };
    let names = || linear.weights.iter().map(|weight| weight.name.as_str());
    for (name, span, _) in weights.iter().filter(|(name, ..)| !names().any(|known| known == *name)) {
        let hint = match nearest(name, names()) {
            Some(meant) => format!("did you mean {meant}?"),
            None => format!("its weights are {}", names().collect::<Vec<_>>().join(", ")),
        };
        let what = format!("the evaluation {} has no weight {}; {hint}", linear.evaluation, quote(name));
        section.doc.wrong(span.clone(), what);
    }
    if weights.is_empty() {
        section.doc.wrong(section.span(), "there are no weights");
    }
}
