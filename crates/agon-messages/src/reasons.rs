//! Why options, bots and records do not hold, as messages.
//!
//! The crates below say it in English sentences; people at a browser read it in their language. What is wrong is found again from the
//! declarations that those crates judge by, so that there is no second set of rules here.

use agon_core::message::{Message, Value};
use agon_core::text::duration_text;
use agon_core::{OptionKind, OptionSpec, Options};
use agon_erased::{BotSpec, GameEntry, Games, OpenError, Rules, SpecificationError, nearest};
use agon_protocol::web::RefusalCode;
use agon_records::{Record, RecordError};

use crate::{MESSAGES, Refused};

/// How much of a text is repeated to the person who wrote it.
const MAX_QUOTED: usize = 60;

/// The refusal of `options` for a game, given how the game itself refuses them.
pub fn bad_options(entry: &GameEntry, options: &str, error: impl ToString) -> Refused {
    let label = |option: &OptionSpec| entry.spec.messages.say(format!("option.{}", option.key), []).into();
    let written = || options.split(',').filter(|_| !options.is_empty());
    let reason = option_fault(entry.spec.id, entry.spec.options, written(), label).map(Value::from);
    // Text that a game reads itself is declared by its form.
    let form = || {
        let texts = entry.spec.options.iter().filter(|option| matches!(option.kind, OptionKind::Text { .. }));
        let option = texts.into_iter().find(|option| {
            written().any(|pair| pair.split_once('=').is_some_and(|(key, _)| key == option.key))
        })?;
        let form = entry.spec.messages.say(format!("option.{}.form", option.key), []);
        Some(MESSAGES.say("fault.value", [("option", label(option)), ("allowed", form.into())]).into())
    };
    let reason = reason.or_else(form).unwrap_or_else(|| error.to_string().into());
    Refused::new(RefusalCode::Invalid, "refused.options", [("reason", reason)])
}

/// The first of some `key=value` pairs that the declarations do not allow.
fn option_fault<'a>(
    owner: &'static str,
    declared: &'static [OptionSpec],
    pairs: impl Iterator<Item = &'a str>,
    label: impl Fn(&OptionSpec) -> Value,
) -> Option<Message> {
    let mut seen = Vec::new();
    for pair in pairs {
        let Some((key, _)) = pair.split_once('=') else {
            return Some(MESSAGES.say("fault.form", [("text", quoted(pair))]));
        };
        let Some(option) = declared.iter().find(|option| option.key == key) else {
            let keys: Vec<&str> = declared.iter().map(|option| option.key).collect();
            let arguments = [("key", quoted(key)), ("keys", keys.join(", ").into())];
            return Some(MESSAGES.say("fault.key", arguments));
        };
        if seen.contains(&key) {
            return Some(MESSAGES.say("fault.twice", [("key", quoted(key))]));
        }
        if Options::parse_declared(owner, declared, pair).is_err() {
            let arguments = [("option", label(option)), ("allowed", allowed(&option.kind))];
            return Some(MESSAGES.say("fault.value", arguments));
        }
        seen.push(key);
    }
    None
}

/// The values that an option takes, as a phrase.
fn allowed(kind: &OptionKind) -> Value {
    let between =
        |key, min: String, max: String| MESSAGES.say(key, [("min", min.into()), ("max", max.into())]).into();
    match kind {
        OptionKind::Integer { min, max, step: 1 } => {
            between("allowed.range", min.to_string(), max.to_string())
        }
        OptionKind::Integer { min, max, step } => {
            let arguments = [("min", (*min).into()), ("max", (*max).into()), ("step", (*step).into())];
            MESSAGES.say("allowed.steps", arguments).into()
        }
        OptionKind::Choice(words) => {
            MESSAGES.say("allowed.words", [("words", words.join(", ").into())]).into()
        }
        OptionKind::Switch => MESSAGES.say("allowed.words", [("words", "on, off".to_owned().into())]).into(),
        OptionKind::Decimal { min, max } => between("allowed.range", min.to_string(), max.to_string()),
        OptionKind::Duration { min, max } => {
            between("allowed.time", duration_text(*min), duration_text(*max))
        }
        OptionKind::OffOr(within) => MESSAGES.say("allowed.off", [("allowed", allowed(within))]).into(),
        OptionKind::Text { expected, .. } => (*expected).to_owned().into(),
    }
}

/// The refusal of a bot that a game does not have, or not with these settings.
pub fn bad_bot(rules: &dyn Rules, spec: &BotSpec, error: &SpecificationError) -> Refused {
    let listings = rules.bots();
    let names = || listings.iter().map(|bot| bot.name);
    let reason: Value = match error {
        SpecificationError::UnknownBot { name, .. } => match nearest(name, names()) {
            Some(meant) => {
                let arguments = [("name", quoted(name)), ("meant", meant.to_owned().into())];
                MESSAGES.say("fault.bot-near", arguments).into()
            }
            None => {
                let known: Vec<&str> = names().collect();
                MESSAGES.say("fault.bot", [("name", quoted(name)), ("names", known.join(", ").into())]).into()
            }
        },
        SpecificationError::Settings { .. } => {
            let settings: Vec<String> =
                spec.settings().map(|(key, value)| format!("{key}={value}")).collect();
            let listing = listings.iter().find(|bot| bot.name == spec.name());
            let label = |option: &OptionSpec| option.key.to_owned().into();
            let fault = listing.and_then(|bot| {
                option_fault(bot.algorithm, bot.parameters, settings.iter().map(String::as_str), label)
            });
            fault.map_or_else(|| error.to_string().into(), Value::from)
        }
        SpecificationError::Unfit { name, .. } => {
            MESSAGES.say("fault.bot-unfit", [("name", quoted(name))]).into()
        }
        SpecificationError::Malformed(_) | SpecificationError::Program { .. } => error.to_string().into(),
    };
    Refused::new(RefusalCode::Invalid, "refused.bot", [("reason", reason)])
}

/// The refusal of a record that cannot be read or does not hold.
pub fn bad_record(games: Games, bytes: &[u8], error: &RecordError) -> Refused {
    let reason = match error {
        RecordError::Header { line, .. } => {
            let text = String::from_utf8_lossy(bytes);
            let written = text.lines().nth(line - 1).unwrap_or_default();
            let arguments = [("n", (*line as u64).into()), ("text", quoted(written))];
            MESSAGES.say("fault.record-line", arguments).into()
        }
        RecordError::Missing(key) => {
            MESSAGES.say("fault.record-missing", [("key", (*key).to_owned().into())]).into()
        }
        RecordError::TooLarge(_) => {
            MESSAGES.say("fault.record-large", [("n", (agon_records::MAX_BYTES as u64).into())]).into()
        }
        RecordError::NotText(_) => MESSAGES.say("fault.record-text", []).into(),
        RecordError::Result { said, given } => {
            let arguments = [("said", said.clone().into()), ("given", given.clone().into())];
            MESSAGES.say("fault.record-result", arguments).into()
        }
        RecordError::Move { .. } => {
            bad_move(games, bytes).map_or_else(|| error.to_string().into(), Value::from)
        }
        RecordError::Setup(_) => return bad_setup(games, bytes, error),
    };
    Refused::new(RefusalCode::Invalid, "refused.record", [("reason", reason)])
}

/// The move of a record that does not hold, and the rule that it breaks.
fn bad_move(games: Games, bytes: &[u8]) -> Option<Message> {
    let record = Record::parse(bytes).ok()?;
    let opened = record.rules(games).ok()?.open(record.start.as_deref(), &record.moves);
    let Err(OpenError::Move { number, error }) = opened else { return None };
    let token = error.token.clone();
    let reason = Refused::from(agon_match::Refusal::Illegal(error)).message;
    let arguments = [("n", (number as u64).into()), ("move", quoted(&token)), ("reason", reason.into())];
    Some(MESSAGES.say("fault.record-move", arguments))
}

/// The game or the options of a record that do not exist.
fn bad_setup(games: Games, bytes: &[u8], error: &RecordError) -> Refused {
    let quote = |reason: String| Refused::because(RefusalCode::Invalid, "refused.record", reason);
    let Ok(record) = Record::parse(bytes) else { return quote(error.to_string()) };
    let Ok(entry) = games.find(&record.game) else { return unknown_game(games, &record.game) };
    match entry.rules(&record.options) {
        Err(fault) => bad_options(entry, &record.options, fault),
        Ok(_) => quote(error.to_string()),
    }
}

/// There is no game of this name.
pub fn unknown_game(games: Games, name: &str) -> Refused {
    let ids: Vec<&str> = games.ids().collect();
    let arguments = [("name", quoted(name)), ("games", ids.join(", ").into())];
    Refused::new(RefusalCode::Unknown, "refused.game", arguments)
}

/// What somebody wrote, shortened and without what cannot be seen.
fn quoted(text: &str) -> Value {
    let shown: String = text.chars().filter(|char| !char.is_control()).take(MAX_QUOTED).collect();
    Value::Text(if text.chars().count() > MAX_QUOTED { format!("{shown}…") } else { shown })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use agon_registry::GAMES;

    use super::*;

    fn hebrew(entry: &GameEntry, refused: &Refused) -> String {
        // As a browser does: our texts and the game's in one catalogue.
        let texts = MESSAGES.catalogue("he").into_iter().chain(entry.spec.messages.catalogue("he"));
        fill(&texts.collect(), &refused.message)
    }

    fn fill(texts: &BTreeMap<&str, &str>, message: &Message) -> String {
        let mut text = texts.get(&*message.key).map_or(&*message.text, |text| *text).to_owned();
        for (name, value) in message.arguments.iter() {
            let value = match value {
                Value::Message(message) => fill(texts, message),
                other => other.to_string(),
            };
            text = text.replace(&format!("{{{name}}}"), &value);
        }
        text
    }

    fn entry(game: &str) -> &'static GameEntry {
        agon_registry::GAMES.find(game).expect("the game exists")
    }

    fn options_fault(game: &str, options: &str) -> Refused {
        let entry = entry(game);
        bad_options(entry, options, entry.rules(options).err().expect("they do not hold"))
    }

    #[test]
    fn options_are_refused_in_words() {
        let refused = options_fault("othello", "size=7");
        assert_eq!(
            refused.message.text,
            "These options do not hold: Board size must be 4 to 26, in steps of 2."
        );
        assert!(!hebrew(entry("othello"), &refused).contains("size"), "nothing is left in English");
        let text = |game, options| options_fault(game, options).message.text;
        assert!(text("loa", "rules=x").contains("one of rotating, standard"));
        assert!(text("loa", "sise=6").contains("There is no option sise"));
        assert!(text("loa", "size=6,size=6").contains("size is given twice"));
        assert!(text("loa", "size").contains("size is not of the form key=value"));
        let seats = options_fault("chinese-checkers", "seats=gg");
        assert!(seats.message.text.contains("no colour twice"), "{}", seats.message.text);
        assert!(!hebrew(entry("chinese-checkers"), &seats).contains("colour"));
    }

    #[test]
    fn every_option_has_a_name_and_its_form_in_both_languages() {
        for entry in GAMES {
            for option in entry.spec.options {
                let mut keys = vec![format!("option.{}", option.key)];
                if matches!(option.kind, OptionKind::Text { .. }) {
                    keys.push(format!("option.{}.form", option.key));
                }
                for (key, language) in keys.iter().flat_map(|key| [(key, "en"), (key, "he")]) {
                    let known = entry.spec.messages.own(language).and_then(|texts| texts.get(key));
                    assert!(known.is_some(), "{} lacks {key} in {language}", entry.spec.id);
                }
            }
        }
    }

    #[test]
    fn bots_are_refused_in_words() {
        let rules = entry("othello").rules("").expect("the defaults hold");
        let text = |text: &str| {
            let spec: BotSpec = text.parse().expect("it is a specification");
            let error = rules.bot(&spec, 0).err().expect("there is no such bot");
            bad_bot(&*rules, &spec, &error).message.text
        };
        assert!(text("exprt").ends_with("There is no bot exprt. Did you mean expert?"));
        assert!(text("zzz").contains("There is no bot zzz. There are "));
        assert!(text("zzz").contains(", hard, expert."), "{}", text("zzz"));
        assert!(text("expert:dept=3").contains("There is no option dept; there are time, depth"));
        assert!(
            text("expert:time=1h").contains("time must be off or 1ms to 1440m, with its unit (ms, s or m)")
        );
    }

    #[test]
    fn records_are_refused_with_the_line_or_the_move() {
        let text = |record: &str| {
            let error = Record::parse(record.as_bytes()).and_then(|record| record.replay(GAMES).map(|_| ()));
            bad_record(GAMES, record.as_bytes(), &error.expect_err("it does not hold")).message.text
        };
        assert!(text("hello").contains("line 1 is not a header"));
        assert!(text("game: othello\noptions: \n\n").contains("the line agon is missing"));
        assert!(text("agon: 1\ngame: chess\noptions: \n\n").contains("There is no game chess"));
        assert!(text("agon: 1\ngame: loa\noptions: size=3\n\n").contains("Board size must be 5 to 30"));
        let illegal = text("agon: 1\ngame: othello\noptions: size=8\n\nd3 a1");
        assert!(illegal.contains("move 2, a1: A disc must enclose"), "{illegal}");
        let unreadable = text("agon: 1\ngame: othello\noptions: size=8\n\nzz");
        assert!(unreadable.contains("move 1, zz: zz is not written as moves are here"), "{unreadable}");
        let early = text("agon: 1\ngame: othello\noptions: size=8\nresult: won x (discs)\n\nd3");
        assert!(early.contains("says won x (discs), but its moves give *"), "{early}");
    }
}
