//! What is said about studies, in all languages.

use agon_core::message::{ENGLISH, Message, Messages, Value};

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
        }
        assert_eq!(question("tablut-king", "Why?"), Message::english("Why?"));
    }
}
