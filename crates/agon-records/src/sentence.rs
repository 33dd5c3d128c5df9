//! Results for people: in titles and whole phrases instead of the letters and words of files.

use agon_match::Fault;
use agon_registry::{Rules, Session};

use crate::record::{AGREEMENT, RecordResult};

impl RecordResult {
    /// The result of `session`, a game of `rules`, for people: `White won: 35 discs to 29`, `Black ran out of time: White won`. It
    /// has no full stop.
    pub fn sentence(&self, rules: &dyn Rules, session: &dyn Session) -> String {
        let (seats, titles) = (rules.seats(), rules.titles());
        let title = |seat: &String| {
            let place = seats.iter().position(|known| known == seat);
            place.map_or_else(|| seat.clone(), |place| titles[place].clone())
        };
        let why =
            |reason: &String| session.end_message().map_or_else(|| reason.clone(), |message| message.text);
        match self {
            Self::Won { reason, .. } if seats.len() == 1 => format!("Won: {}", why(reason)),
            Self::Won { seat, reason } => format!("{} won: {}", title(seat), why(reason)),
            Self::Drawn { reason } if reason == AGREEMENT => "Draw by agreement".to_owned(),
            Self::Drawn { reason } => format!("Draw: {}", why(reason)),
            Self::Lost { reason } => format!("Game over: {}", why(reason)),
            Self::Forfeit { seat, reason } => {
                let did = reason
                    .parse()
                    .map_or_else(|_| format!("forfeits: {reason}"), |fault: Fault| fault.phrase().to_owned());
                let other = seats.iter().find(|other| *other != seat).filter(|_| seats.len() == 2);
                let wins = other.map_or_else(String::new, |other| format!(": {} won", title(other)));
                format!("{} {did}{wins}", title(seat))
            }
            Self::Unfinished => "Unfinished".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use agon_registry::find;

    use super::*;

    fn sentence(game: &str, position: &str, result: &str) -> String {
        let rules = find(game).expect(game).rules("").expect("options");
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
