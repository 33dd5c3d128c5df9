//! What two sides play at once: a game against each other, or a game each where nobody sits opposite.

use std::cmp::Ordering;

use crate::played_game::PlayedGame;
use crate::referee::{Conduct, Ending};
use crate::schedule::{Fixture, Side};
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
        if self.games.iter().any(|game| game.ending == Ending::Stopped) {
            return None;
        }
        if let [one, other] = &self.games[..] {
            // Who fails has lost, whatever the board says.
            let points = |game: &PlayedGame| match game.ending {
                Ending::Forfeit(..) => None,
                _ => game.standing.map(|standing| standing.score),
            };
            return Some(of_order(points(one).cmp(&points(other))));
        }
        let game = self.games.first()?;
        Some(match &game.ending {
            Ending::Forfeit(player, _) => match game.seats[player.index()] {
                Side::A => Score::Loss,
                Side::B => Score::Win,
            },
            _ => {
                let has_first = |side| game.first_place.contains(&side);
                of_order(has_first(Side::A).cmp(&has_first(Side::B)))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use agon_core::{Outcome, Player, Standing};

    use super::*;
    use crate::record::Record;
    use crate::referee::Fault;

    #[test]
    fn alone_more_points_win_unless_who_has_them_has_failed() {
        let fixture = Fixture { number: 0, rule_set: 0, seats: vec![Side::A], pair_seed: 0, game_seed: 0 };
        let game = |side, ending, score| PlayedGame {
            seats: vec![side],
            ending,
            first_place: Vec::new(),
            standing: Some(Standing { score, mark: 4 }),
            record: Record::default(),
        };
        let finished = || Ending::Finished(Outcome::lost("no move"));
        let failed = || Ending::Forfeit(Player(0), Fault { reason: "crash", detail: String::new() });
        let score = |a: Ending, points_a, b: Ending, points_b| {
            let games = vec![game(Side::A, a, points_a), game(Side::B, b, points_b)];
            Bout { fixture: fixture.clone(), games, conduct: Default::default() }.score()
        };
        assert_eq!(score(finished(), 8, finished(), 4), Some(Score::Win));
        assert_eq!(score(finished(), 4, finished(), 8), Some(Score::Loss));
        assert_eq!(score(finished(), 4, finished(), 4), Some(Score::Draw));
        assert_eq!(score(failed(), 800, finished(), 4), Some(Score::Loss));
        assert_eq!(score(finished(), 0, failed(), 4), Some(Score::Win));
        assert_eq!(score(failed(), 800, failed(), 4), Some(Score::Draw));
        assert_eq!(score(finished(), 8, Ending::Stopped, 4), None);
    }
}
