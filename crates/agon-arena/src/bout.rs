//! What comes of a game of a duel: a game against each other, or a game each where nobody sits opposite.

use std::cmp::Ordering;

use agon_core::{Player, Standing};
use agon_match::{Abort, Board, End};
use agon_records::Record;

use crate::referee::Conduct;
use crate::runner::Played;
use crate::schedule::Fixture;
use crate::statistics::Score;

/// One game of the schedule as it was played; two, one a player with the same luck, where games are played alone.
#[derive(Clone, Debug)]
pub struct Bout {
    /// What was to be played.
    pub fixture: Fixture,
    /// What was.
    pub games: Vec<PlayedGame>,
    /// How each seat of the fixture behaved.
    pub conduct: Vec<Conduct>,
}

/// A board as it was played.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// Who had which seat.
    pub seats: Vec<usize>,
    /// How it ended.
    pub end: End,
    /// The seats that have the first place, or share it; none in a game without a result.
    pub first_seats: Vec<usize>,
    /// How far the only player came, in games of one.
    pub standing: Option<Standing>,
    /// The game written down.
    pub record: Record,
}

impl PlayedGame {
    fn of(board: &Board, seats: &[usize]) -> Self {
        let first = board.ranking().into_iter().next().unwrap_or_default();
        Self {
            seats: seats.to_vec(),
            end: board.end().cloned().unwrap_or(End::Aborted { reason: Abort::Void }),
            first_seats: first.into_iter().map(Player::index).collect(),
            standing: board.standing(),
            record: Record::of_board(board),
        }
    }
}

impl Bout {
    /// What came of a fixture.
    pub fn of(fixture: Fixture, played: Played) -> Self {
        let boards = played.game.boards();
        let seats = boards.first().map_or(1, |board| board.seats().len());
        let games = boards.iter().zip(fixture.seats.chunks(seats));
        let games = games.map(|(board, seats)| PlayedGame::of(board, seats)).collect();
        Self { fixture, games, conduct: played.conduct }
    }

    /// How it ended for the first player, entrant 0; `None` if it was stopped.
    ///
    /// Whose seats have the first place to themselves has won; a shared first place is a draw, as is a game that was cut.
    /// Alone, more points win.
    pub fn score(&self) -> Option<Score> {
        let of_order = |order: Ordering| match order {
            Ordering::Less => Score::Loss,
            Ordering::Equal => Score::Draw,
            Ordering::Greater => Score::Win,
        };
        if self.games.iter().any(|game| game.end == End::Aborted { reason: Abort::Stopped }) {
            return None;
        }
        if self.games.len() > 1 {
            // Who fails has lost, whatever the board says.
            let points = |entrant: usize| {
                let game = self.games.iter().find(|game| game.seats == [entrant])?;
                let is_forfeited = matches!(game.end, End::Forfeit { .. });
                game.standing.filter(|_| !is_forfeited).map(|standing| standing.score)
            };
            return Some(of_order(points(0).cmp(&points(1))));
        }
        let game = self.games.first()?;
        Some(match &game.end {
            End::Forfeit { seat, .. } if game.seats[seat.index()] == 0 => Score::Loss,
            End::Forfeit { .. } => Score::Win,
            _ => {
                let has_first = |entrant| game.first_seats.iter().any(|&seat| game.seats[seat] == entrant);
                of_order(has_first(0).cmp(&has_first(1)))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use agon_core::Verdict;
    use agon_match::Fault;

    use super::*;

    #[test]
    fn alone_more_points_win_unless_who_has_them_has_failed() {
        let fixture =
            Fixture { number: 0, variant: 0, seats: vec![1, 0], opening: None, luck_seed: 0, player_seed: 0 };
        let game = |side, end, score| PlayedGame {
            seats: vec![side],
            end,
            first_seats: Vec::new(),
            standing: Some(Standing { score, mark: 4 }),
            record: Record::default(),
        };
        let finished = || End::Rules { verdict: Verdict::Lost, reason: "no move".to_owned() };
        let failed = || End::Forfeit { seat: Player(0), reason: Fault::Crash, detail: String::new() };
        let score = |a: End, points_a, b: End, points_b| {
            let games = vec![game(1, b, points_b), game(0, a, points_a)];
            Bout { fixture: fixture.clone(), games, conduct: Vec::new() }.score()
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
