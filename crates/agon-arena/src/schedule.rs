//! Who plays whom from where: the games of a duel, in pairs. The two players are the entrants 0 and 1.
//!
//! The two games of a pair begin with the same opening (or have the same luck), and who had the one seats has the other ones in the
//! second: what an opening is worth cancels out. Games of three to six seats are shared out as evenly as they can be, every
//! way to do so in turn, and the second game of a pair swaps all seats; so over a round of pairs each side has had each
//! seat equally often, also where a side has one seat more than the other in a game.

use agon_core::random::mix;

use crate::openings::Opening;

/// One game to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number from 0.
    pub number: usize,
    /// Which of the variants is played.
    pub variant: usize,
    /// Which entrant has which seat, in playing order; in games for one, who plays them.
    pub seats: Vec<usize>,
    /// Where it begins; at an opening that `luck_seed` decides if there is none.
    pub opening: Option<Opening>,
    /// Decides its luck, which both games of a pair share where they can be compared.
    pub luck_seed: u64,
    /// Decides the randomness of its players.
    pub player_seed: u64,
}

/// The games of a duel, in order.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// How many seats each variant has.
    seats: Vec<usize>,
    /// The ways to share them.
    sharings: Vec<Vec<Vec<usize>>>,
    seed: u64,
    total: usize,
    next: usize,
}

impl Schedule {
    /// So many `games`, their pairs spread over variants that have so many seats each.
    pub fn new(seats: &[usize], games: usize, seed: u64) -> Self {
        // Games for one are played by both.
        let sharings = seats.iter().map(|&seats| sharings(seats.max(2))).collect();
        Self { seats: seats.to_vec(), sharings, seed, total: games, next: 0 }
    }

    /// How many games there are in all.
    pub fn total(&self) -> usize {
        self.total
    }
}

impl Iterator for Schedule {
    type Item = Fixture;

    fn next(&mut self) -> Option<Fixture> {
        let number = self.next;
        if number >= self.total {
            return None;
        }
        self.next += 1;
        let pair = number / 2;
        let variant = pair % self.sharings.len();
        let sharings = &self.sharings[variant];
        let mut seats = sharings[(pair / self.sharings.len()) % sharings.len()].clone();
        if number % 2 == 1 {
            seats.iter_mut().for_each(|side| *side = 1 - *side);
        }
        let pair_seed = mix(self.seed, pair as u64);
        let player_seed = mix(pair_seed, number as u64 + 1);
        // Where both have the same luck in a game, another game is to bring other luck.
        let luck_seed = if self.seats[variant] == 1 { player_seed } else { pair_seed };
        Some(Fixture { number, variant, seats, opening: None, luck_seed, player_seed })
    }
}

/// Every way to give half of the seats, rounded down, to one side, without those that swapping sides makes of others.
fn sharings(seats: usize) -> Vec<Vec<usize>> {
    (0_u32..1 << seats)
        .filter(|mask| mask.count_ones() as usize == seats / 2)
        // With as many seats for either, each way and its swap are one: those where entrant 0 begins are kept.
        .filter(|mask| seats % 2 == 1 || mask & 1 == 1)
        .map(|mask| (0..seats).map(|seat| usize::from(mask >> seat & 1 == 0)).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_games_of_a_pair_differ_in_their_seats_only() {
        let games: Vec<Fixture> = Schedule::new(&[2], 5, 7).collect();
        assert_eq!(games.len(), 5);
        assert_eq!(games[0].seats, [0, 1]);
        assert_eq!(games[1].seats, [1, 0]);
        assert_eq!(games[0].luck_seed, games[1].luck_seed);
        assert_ne!(games[0].luck_seed, games[2].luck_seed);
        assert_ne!(games[0].player_seed, games[1].player_seed);
        assert_ne!(games[0].luck_seed, Schedule::new(&[2], 5, 8).next().expect("a game").luck_seed);
    }

    #[test]
    fn alone_both_play_and_every_game_has_its_own_luck() {
        let games: Vec<Fixture> = Schedule::new(&[1], 2, 7).collect();
        assert_eq!([&games[0].seats, &games[1].seats], [&[0, 1], &[1, 0]]);
        assert_ne!(games[0].luck_seed, games[1].luck_seed);
    }

    #[test]
    fn pairs_go_over_the_variants_in_turn() {
        let sets: Vec<usize> = Schedule::new(&[2, 3], 9, 0).map(|game| game.variant).collect();
        assert_eq!(sets, [0, 0, 1, 1, 0, 0, 1, 1, 0]);
    }

    #[test]
    fn each_side_has_each_seat_equally_often() {
        for (seats, pairs) in [(2, 1), (3, 3), (4, 3), (5, 10), (6, 10)] {
            let games: Vec<Fixture> = Schedule::new(&[seats], 2 * pairs, 1).collect();
            for seat in 0..seats {
                let of_a = games.iter().filter(|game| game.seats[seat] == 0).count();
                assert_eq!(of_a, pairs, "seat {seat} of {seats}");
            }
            let mut ways: Vec<_> = games.iter().map(|game| game.seats.clone()).collect();
            ways.sort();
            ways.dedup();
            assert_eq!(ways.len(), 2 * pairs, "no way is played twice in a round of {seats} seats");
            for way in ways {
                assert!(way.iter().sum::<usize>().abs_diff(seats - way.iter().sum::<usize>()) <= 1);
            }
        }
    }
}
