//! What is said about studies, in all languages.

use agon_core::message::{ENGLISH, Message, Messages, Value};

use crate::casting::REFERENCE;

/// The most parts of a name that are translated one by one.
const MAX_PARTS: usize = 8;

/// What is said about studies, in all languages.
pub static MESSAGES: Messages =
    Messages::new(&[("en", include_str!("messages/en.txt")), ("he", include_str!("messages/he.txt"))]);

/// Words of a study file, by the key under which they may have been translated.
fn written(key: String, text: &str) -> Message {
    if MESSAGES.own(ENGLISH).and_then(|own| own.get(&key)) == Some(text) {
        return MESSAGES.say(key, []);
    }
    Message::english(text.to_owned())
}

/// What a study asks. The questions of ready-made studies have translations; others are as their authors wrote them, with an empty key.
pub fn question(study: &str, question: &str) -> Message {
    written(format!("question.{study}"), question)
}

/// What an observation is called, in the same way.
pub fn observation(name: &str) -> Message {
    let words = name.to_lowercase();
    written(format!("observed.{}", words.split_whitespace().collect::<Vec<_>>().join("-")), name)
}

/// What a setting or a circumstance is called. The names of ready-made studies have translations, part by part where several things were
/// varied; a number in them stays what it is.
pub fn name(name: &str) -> Message {
    if name == REFERENCE {
        return MESSAGES.say("reference", []);
    }
    let whole = label(name);
    if !whole.key.is_empty() {
        return whole;
    }
    let parts: Vec<Message> = name.split(", ").map(label).collect();
    if parts.len() > MAX_PARTS || parts.iter().all(|part| part.key.is_empty()) {
        return Message::english(name.to_owned());
    }
    let comma = |first: Message, second: Message| {
        MESSAGES.say("list.comma", [("first", first.into()), ("second", second.into())])
    };
    parts.into_iter().reduce(comma).unwrap_or_else(|| Message::english(name.to_owned()))
}

/// A label, by what it says with `n` in the place of its number.
fn label(label: &str) -> Message {
    let words: Vec<&str> = label.split_whitespace().collect();
    let number = words.iter().find_map(|word| word.parse::<u64>().ok());
    let is_number = |word: &str| number.is_some() && word.parse().ok() == number;
    let with = |instead: &'static str| -> Vec<&str> {
        words.iter().map(|word| if is_number(word) { instead } else { *word }).collect()
    };
    let key = with("n").join("-").to_lowercase();
    let key: String = key.chars().map(|char| if char.is_ascii_alphanumeric() { char } else { '-' }).collect();
    let key = format!("label.{key}");
    if MESSAGES.own(ENGLISH).and_then(|own| own.get(&key)) != Some(&with("{n}").join(" ")) {
        return Message::english(label.to_owned());
    }
    match number {
        Some(number) => MESSAGES.say(key, [("n", number.into())]),
        None => MESSAGES.say(key, []),
    }
}

/// So many games.
pub(crate) fn games(count: u64) -> Value {
    MESSAGES.say("games", [("n", count.into())]).into()
}

#[cfg(test)]
mod tests {
    use agon_core::message::Catalogue;

    use super::*;
    use crate::library::READY_MADE;

    #[test]
    fn both_languages_say_the_same() {
        MESSAGES.check().expect("the catalogues hold");
        let shape = |language: &str| -> Vec<(String, Vec<String>)> {
            let own: &Catalogue = MESSAGES.own(language).expect("it is spoken");
            let arguments = |key: &str| own.placeholders(key).into_iter().map(str::to_owned).collect();
            own.iter().map(|(key, _)| (key.to_owned(), arguments(key))).collect()
        };
        assert_eq!(shape("en"), shape("he"));
    }

    #[test]
    fn what_ready_made_studies_ask_and_observe_is_translated() {
        for ready_made in READY_MADE {
            let study =
                ready_made.plan(agon_registry::GAMES, true).unwrap_or_else(|mistakes| panic!("{mistakes}"));
            let asked = question(&study.name, &study.question);
            assert!(!asked.key.is_empty(), "{}: {}", study.name, study.question);
            for observed in &study.observations {
                assert!(!observation(&observed.name).key.is_empty(), "{}: {}", study.name, observed.name);
            }
            let whole =
                ready_made.plan(agon_registry::GAMES, false).unwrap_or_else(|mistakes| panic!("{mistakes}"));
            for setting in &whole.settings {
                assert!(!name(&setting.name).key.is_empty(), "{}: {}", whole.name, setting.name);
            }
        }
        assert_eq!(question("tablut-king", "Why?"), Message::english("Why?"));
    }

    #[test]
    fn names_are_translated_part_by_part_and_keep_their_numbers() {
        let hebrew = |text: &str| MESSAGES.text("he", &name(text));
        assert_eq!(hebrew("depth 17"), "עומק 17");
        assert_eq!(hebrew("6×6, depth 3"), "6×6, עומק 3");
        assert_eq!(name("6×6, depth 3").text, "6×6, depth 3");
        assert_eq!(hebrew("reference"), "בוט הייחוס");
        for own in ["my own", "", "depth", "depth 3 4", "tt=off", "Depth 3"] {
            assert_eq!(name(own), Message::english(own), "{own}");
        }
    }
}
