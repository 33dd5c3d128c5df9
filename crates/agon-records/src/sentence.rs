//! Results for people: in titles and whole phrases instead of the letters and words of files.

use agon_core::{Player, Verdict};
use agon_erased::{Rules, Session};
use agon_match::{End, Fault, result_message};

use crate::record::{AGREEMENT, RecordResult};

impl RecordResult {
    /// The result of `session`, a game of `rules`, for people: `White won: 35 discs to 29`, `Black ran out of time: White won`. It
    /// has no full stop.
    pub fn sentence(&self, rules: &dyn Rules, session: &dyn Session) -> String {
        let (seats, titles) = (rules.seats(), rules.title_messages());
        let player = |seat: &String| {
            // Records that hold name seats of their game.
            let place = seats.iter().position(|known| known == seat).unwrap_or_default();
            Player(place as u8)
        };
        let by_rules = |verdict, reason: &String| Some(End::Rules { verdict, reason: reason.clone() });
        let end = match self {
            Self::Won { seat, reason } => by_rules(Verdict::Won(player(seat)), reason),
            Self::Drawn { reason } if reason == AGREEMENT => Some(End::Agreed),
            Self::Drawn { reason } => by_rules(Verdict::Drawn, reason),
            Self::Lost { reason } => by_rules(Verdict::Lost, reason),
            Self::Forfeit { seat, reason } => {
                // Records of others may give a reason in their own words.
                let (fault, detail) = match reason.parse() {
                    Ok(fault) => (fault, String::new()),
                    Err(_) => (Fault::Protocol, reason.clone()),
                };
                Some(End::Forfeit { seat: player(seat), reason: fault, detail })
            }
            Self::Unfinished => None,
        };
        result_message(rules, session, end.as_ref(), |seat| titles[seat.index()].clone().into())
            .text
            .into_owned()
    }
}

#[cfg(test)]
mod tests {
    use agon_registry::GAMES;

    use super::*;

    fn sentence(game: &str, position: &str, result: &str) -> String {
        let rules = GAMES.find(game).expect(game).rules("").expect("options");
        let session = rules.open(Some(position).filter(|text| !text.is_empty()), &[]).expect("a position");
        let result = match result {
            "" => RecordResult::of(&*rules, session.outcome()),
            text => RecordResult::parse(text).expect("a result"),
        };
        result.sentence(&*rules, &*session)
    }

    #[test]
    fn people_read_titles_and_phrases() {
        let ended = sentence(
            "othello",
            "oooooooo/oooooooo/oooooooo/oooooooo/oooooooo/xxxxxxxx/xxxxxxxx/xxxxxxxx x",
            "",
        );
        assert!(ended.starts_with("White won: "), "{ended}");
        assert_eq!(sentence("othello", "", "forfeit x (late)"), "Black ran out of time: White won");
        assert_eq!(sentence("loa", "", "forfeit w (illegal)"), "White played an illegal move: Black won");
        assert_eq!(sentence("loa", "", "drawn (agreement)"), "Draw by agreement");
        assert_eq!(sentence("othello", "", ""), "Unfinished");
        for fault in Fault::ALL {
            let told = sentence("tablut", "", &format!("forfeit b ({fault})"));
            assert!(told.starts_with("Attackers ") && told.ends_with(": Defenders won"), "{told}");
        }
    }
}
