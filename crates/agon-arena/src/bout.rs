//! What two sides play at once: a game against each other, or a game each where nobody sits opposite.

use std::cmp::Ordering;

use agon_match::{Abort, End};

use crate::played_game::PlayedGame;
use crate::referee::Conduct;
use crate::schedule::{Contender, Fixture};
use crate::statistics::Score;

/// One game of the schedule as it was played; two, one a player with the same luck, where games are played alone.
#[derive(Clone, Debug)]
pub struct Bout {
    /// What was to be played.
    pub fixture: Fixture,
    /// What was.
    pub games: Vec<PlayedGame>,
    /// How each player behaved.
    pub conduct: [Conduct; 2],
}

impl Bout {
    /// How it ended for the first player; `None` if it was stopped.
    ///
    /// Whose seats have the first place to themselves has won; a shared first place is a draw, as is a game that was cut.
    /// Alone, more points win.
    pub(crate) fn score(&self) -> Option<Score> {
        let of_order = |order: Ordering| match order {
            Ordering::Less => Score::Loss,
            Ordering::Equal => Score::Draw,
            Ordering::Greater => Score::Win,
        };
        if self.games.iter().any(|game| game.end == End::Aborted { reason: Abort::Stopped }) {
            return None;
        }
        if let [one, other] = &self.games[..] {
            // Who fails has lost, whatever the board says.
            let points = |game: &PlayedGame| match game.end {
                End::Forfeit { .. } => None,
                _ => game.standing.map(|standing| standing.score),
            };
            return Some(of_order(points(one).cmp(&points(other))));
        }
        let game = self.games.first()?;
        Some(match &game.end {
            End::Forfeit { seat, .. } => match game.seats[seat.index()] {
                Contender::A => Score::Loss,
                Contender::B => Score::Win,
            },
            _ => {
                let has_first = |side| game.first_place.contains(&side);
                of_order(has_first(Contender::A).cmp(&has_first(Contender::B)))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use agon_core::{Player, Standing, Verdict};
    use agon_match::Fault;

    use super::*;
    use agon_records::Record;

    #[test]
    fn alone_more_points_win_unless_who_has_them_has_failed() {
        let fixture =
            Fixture { number: 0, rule_set: 0, seats: vec![Contender::A], pair_seed: 0, game_seed: 0 };
        let game = |side, end, score| PlayedGame {
            seats: vec![side],
            end,
            first_place: Vec::new(),
            standing: Some(Standing { score, mark: 4 }),
            record: Record::default(),
        };
        let finished = || End::Rules { verdict: Verdict::Lost, reason: "no move".to_owned() };
        let failed = || End::Forfeit { seat: Player(0), reason: Fault::Crash, detail: String::new() };
        let score = |a: End, points_a, b: End, points_b| {
            let games = vec![game(Contender::A, a, points_a), game(Contender::B, b, points_b)];
            Bout { fixture: fixture.clone(), games, conduct: Default::default() }.score()
        };
        assert_eq!(score(finished(), 8, finished(), 4), Some(Score::Win));
        assert_eq!(score(finished(), 4, finished(), 8), Some(Score::Loss));
        assert_eq!(score(finished(), 4, finished(), 4), Some(Score::Draw));
        assert_eq!(score(failed(), 800, finished(), 4), Some(Score::Loss));
        assert_eq!(score(finished(), 0, failed(), 4), Some(Score::Win));
        assert_eq!(score(failed(), 800, failed(), 4), Some(Score::Draw));
        assert_eq!(score(finished(), 8, End::Aborted { reason: Abort::Stopped }, 4), None);
    }
}
