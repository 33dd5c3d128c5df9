//! What browsers are told of the words of games, of the server itself, of tournaments and of studies.

use std::collections::BTreeMap;

use agon_erased::GameEntry;
use agon_messages::MESSAGES;
use agon_protocol::web::api::MessageTexts;

/// All that can be said about a game in a language, the server's own messages included; `None` if nobody speaks it.
pub fn messages(entry: &GameEntry, language: &str) -> Option<MessageTexts> {
    MESSAGES.languages().find(|known| *known == language)?;
    let own = MESSAGES.catalogue(language);
    let arena = agon_arena::report::words::MESSAGES.own(language).into_iter().flat_map(|own| own.iter());
    let texts: BTreeMap<&str, &str> =
        own.into_iter().chain(arena).chain(entry.spec.messages.catalogue(language)).collect();
    Some(texts.into_iter().map(|(key, text)| (key.to_owned(), text.to_owned())).collect())
}

/// In place of a game, what is said about studies.
pub const STUDIES: &str = "studies";

/// All that is said about studies in a language; `None` if nobody speaks it.
pub fn study_messages(language: &str) -> Option<MessageTexts> {
    let own = agon_study::MESSAGES.own(language)?;
    Some(own.iter().map(|(key, text)| (key.to_owned(), text.to_owned())).collect())
}

#[cfg(test)]
mod tests {
    use agon_registry::GAMES;

    use super::*;

    #[test]
    fn every_game_is_told_about_in_both_languages() {
        for entry in GAMES {
            for language in ["en", "he"] {
                let texts = messages(entry, language).expect("both languages are spoken");
                assert!(texts.contains_key("refused.not-your-turn"), "what the server says is there");
                for style in entry.spec.styles {
                    assert!(
                        texts.contains_key(style.name),
                        "{}: {} in {language}",
                        entry.spec.id,
                        style.name
                    );
                }
            }
            assert_eq!(messages(entry, "xx"), None);
        }
    }
}
