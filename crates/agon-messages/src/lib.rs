//! What tables and the server say to people, in both languages, and why they refuse something.
//!
//! The texts are in `messages/LANGUAGE.txt`. A [`Refused`] is why something that was asked for is not done, for programs and for
//! people; [`reasons`] puts into words what is wrong with options, bots and records, and [`names`] says what may stand in a name.

pub mod names;
pub mod reasons;
mod unicode;

use agon_core::message::{Messages, Value};
use agon_core::{Message, MoveError};
use agon_match::Refusal;
use agon_protocol::web::RefusalCode;
use agon_protocol::web::api::Problem;

/// All texts, in all languages.
pub static MESSAGES: Messages =
    Messages::new(&[("en", include_str!("messages/en.txt")), ("he", include_str!("messages/he.txt"))]);

/// Something that was asked for and is not done.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    /// Why, for programs.
    pub code: RefusalCode,
    /// Why, for people.
    pub message: Message,
    /// The field of the request that is wrong, where one is.
    pub field: Option<String>,
}

impl Refused {
    /// A refusal with the message `key`.
    pub fn new<const N: usize>(
        code: RefusalCode,
        key: &'static str,
        arguments: [(&'static str, Value); N],
    ) -> Self {
        Self { code, message: MESSAGES.say(key, arguments), field: None }
    }

    /// A refusal that needs no arguments.
    pub fn plain(code: RefusalCode, key: &'static str) -> Self {
        Self::new(code, key, [])
    }

    /// A refusal that quotes a reason.
    pub fn because(code: RefusalCode, key: &'static str, reason: impl ToString) -> Self {
        Self::new(code, key, [("reason", reason.to_string().into())])
    }

    /// The same, about one field of the request.
    #[must_use]
    pub fn about(self, field: impl Into<String>) -> Self {
        Self { field: Some(field.into()), ..self }
    }

    /// There is no such table.
    pub fn unknown_table() -> Self {
        Self::plain(RefusalCode::Unknown, "refused.unknown-table")
    }

    /// The lobby is gone.
    pub fn lobby_gone() -> Self {
        Self::plain(RefusalCode::Gone, "refused.lobby-gone")
    }

    /// Nothing can be stored.
    pub fn storage() -> Self {
        Self::plain(RefusalCode::Storage, "refused.storage")
    }

    /// As the body of an answer.
    pub fn problem(self) -> Problem {
        let Self { code, message, field } = self;
        Problem { code, message, field }
    }
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        use RefusalCode::{Illegal, NotYourTurn, State, Unknown};
        let (code, key) = match refusal {
            Refusal::Illegal(error) => return illegal(error),
            Refusal::Over => (State, "refused.over"),
            Refusal::Paused => (State, "refused.paused"),
            Refusal::NotPaused => (State, "refused.not-paused"),
            Refusal::NoSeat => (Unknown, "refused.seat"),
            Refusal::NotYourTurn => (NotYourTurn, "refused.not-your-turn"),
            Refusal::NotPlaying => (State, "refused.left"),
            Refusal::NoOpponent => (State, "refused.no-opponent"),
            Refusal::OfferPending => (State, "refused.offer-pending"),
            Refusal::NoOffer => (State, "refused.no-offer"),
            Refusal::NothingToTakeBack => (State, "refused.nothing-to-take-back"),
            Refusal::NotByRules => (Illegal, "refused.by-rules"),
            Refusal::Name => return names::bad_name(),
            Refusal::TooLong => (State, "refused.too-long"),
        };
        Self::plain(code, key)
    }
}

/// How much of a move that cannot be read is repeated.
const MAX_QUOTED: usize = 24;

/// The rule that a move breaks, as the game says it.
fn illegal(error: MoveError) -> Refused {
    match error.messages.into_iter().next() {
        Some(message) => Refused { code: RefusalCode::Illegal, message, field: None },
        None => {
            let token: String =
                error.token.chars().filter(|char| !char.is_control()).take(MAX_QUOTED).collect();
            Refused::new(RefusalCode::Illegal, "refused.move", [("move", token.into())])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_say_the_same() {
        MESSAGES.check().expect("the catalogues hold");
        let (en, he) = (MESSAGES.own("en").expect("English"), MESSAGES.own("he").expect("Hebrew"));
        let keys = |catalogue: &agon_core::message::Catalogue| -> Vec<String> {
            catalogue.iter().map(|(key, _)| key.to_owned()).collect()
        };
        assert_eq!(keys(en), keys(he));
        for (key, _) in en.iter() {
            assert_eq!(en.placeholders(key), he.placeholders(key), "{key}");
        }
    }
}
