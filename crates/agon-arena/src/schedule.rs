//! Who plays whom from where: the games of a duel, in pairs.
//!
//! The two games of a pair begin with the same opening (or have the same luck), and who had the one seats has the other ones in the
//! second: what an opening is worth cancels out. Games of three to six seats are shared out as evenly as they can be, every
//! way to do so in turn, and the second game of a pair swaps all seats; so over a round of pairs each side has had each
//! seat equally often, also where a side has one seat more than the other in a game.

use agon_core::random::mix;

/// The two players of a duel, whichever seats they have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Contender {
    /// The one whose score is counted.
    A,
    /// The other one.
    B,
}

impl Contender {
    /// Both, the counted one first.
    pub const BOTH: [Self; 2] = [Self::A, Self::B];

    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        if self == Self::A { Self::B } else { Self::A }
    }

    /// The contender as an index: 0 or 1.
    pub fn index(self) -> usize {
        usize::from(self == Self::B)
    }
}

/// One game to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number from 0.
    pub number: usize,
    /// Which of the rule sets it is played by.
    pub rule_set: usize,
    /// Who has which seat, in playing order.
    pub seats: Vec<Contender>,
    /// Decides its opening and its luck; both games of a pair have the same.
    pub pair_seed: u64,
    /// Decides the randomness of its players.
    pub game_seed: u64,
}

/// The games of a duel, in order.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// The ways to share the seats of each rule set.
    sharings: Vec<Vec<Vec<Contender>>>,
    seed: u64,
    total: usize,
    next: usize,
}

impl Schedule {
    /// So many `games`, their pairs spread over rule sets that have so many seats each.
    pub fn new(seats: &[usize], games: usize, seed: u64) -> Self {
        let sharings = seats.iter().map(|&seats| sharings(seats)).collect();
        Self { sharings, seed, total: games, next: 0 }
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
        let rule_set = pair % self.sharings.len();
        let sharings = &self.sharings[rule_set];
        let mut seats = sharings[(pair / self.sharings.len()) % sharings.len()].clone();
        if number % 2 == 1 {
            seats.iter_mut().for_each(|side| *side = side.other());
        }
        let pair_seed = mix(self.seed, pair as u64);
        Some(Fixture { number, rule_set, seats, pair_seed, game_seed: mix(pair_seed, number as u64 + 1) })
    }
}

/// Every way to give half of the seats, rounded down, to one side, without those that swapping sides makes of others.
fn sharings(seats: usize) -> Vec<Vec<Contender>> {
    if seats < 2 {
        return vec![vec![Contender::A; seats]];
    }
    (0_u32..1 << seats)
        .filter(|mask| mask.count_ones() as usize == seats / 2)
        // With as many seats for either, each way and its swap are one: those where A begins are kept.
        .filter(|mask| seats % 2 == 1 || mask & 1 == 1)
        .map(|mask| {
            (0..seats).map(|seat| if mask >> seat & 1 == 1 { Contender::A } else { Contender::B }).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_games_of_a_pair_differ_in_their_seats_only() {
        let games: Vec<Fixture> = Schedule::new(&[2], 5, 7).collect();
        assert_eq!(games.len(), 5);
        assert_eq!(games[0].seats, [Contender::A, Contender::B]);
        assert_eq!(games[1].seats, [Contender::B, Contender::A]);
        assert_eq!(games[0].pair_seed, games[1].pair_seed);
        assert_ne!(games[0].pair_seed, games[2].pair_seed);
        assert_ne!(games[0].game_seed, games[1].game_seed);
        assert_ne!(games[0].pair_seed, Schedule::new(&[2], 5, 8).next().expect("a game").pair_seed);
    }

    #[test]
    fn pairs_go_over_the_rule_sets_in_turn() {
        let sets: Vec<usize> = Schedule::new(&[2, 3], 9, 0).map(|game| game.rule_set).collect();
        assert_eq!(sets, [0, 0, 1, 1, 0, 0, 1, 1, 0]);
    }

    #[test]
    fn each_side_has_each_seat_equally_often() {
        for (seats, pairs) in [(2, 1), (3, 3), (4, 3), (5, 10), (6, 10)] {
            let games: Vec<Fixture> = Schedule::new(&[seats], 2 * pairs, 1).collect();
            for seat in 0..seats {
                let of_a = games.iter().filter(|game| game.seats[seat] == Contender::A).count();
                assert_eq!(of_a, pairs, "seat {seat} of {seats}");
            }
            let mut ways: Vec<_> = games
                .iter()
                .map(|game| game.seats.iter().map(|side| side.index()).collect::<Vec<_>>())
                .collect();
            ways.sort();
            ways.dedup();
            assert_eq!(ways.len(), 2 * pairs, "no way is played twice in a round of {seats} seats");
            for way in ways {
                assert!(way.iter().sum::<usize>().abs_diff(seats - way.iter().sum::<usize>()) <= 1);
            }
        }
    }
}
