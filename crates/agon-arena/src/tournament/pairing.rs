//! Who meets whom: the formats of rounds.
//!
//! A round is played in batches. What is in a batch does not depend on the order in which the games of the one before it ended, only
//! on their results: that is what makes a resumed tournament the same as an uninterrupted one.

mod groups;
mod knock_out;
mod swiss;

use groups::Groups;
use knock_out::KnockOut;
use swiss::{Swiss, Turn};

use super::plan::{Finals, Format, Round, Seatings};
use crate::results::Points;

/// A game to be played: who has which seat, in turn order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pairing {
    /// The players by index.
    pub(crate) seats: Vec<usize>,
    /// The number of its pair or group in the round: games of one pair begin with the same opening.
    pub(crate) pair: usize,
}

/// What came of a game.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Met {
    pub(crate) seats: Vec<usize>,
    pub(crate) points: Vec<f64>,
}

/// The games of a round, batch by batch.
#[derive(Debug)]
pub(crate) struct Pairings {
    repetitions: usize,
    state: State,
    /// How many pairs or groups have been given out.
    pairs: usize,
    /// Who pauses in the last batch.
    bye: Option<usize>,
}

#[derive(Debug)]
enum State {
    /// All at once: every group, and every order in which it is seated.
    Listed(Vec<Vec<Vec<usize>>>),
    Swiss(Swiss),
    KnockOut(KnockOut),
    Groups(Groups),
}

/// How many games a round has, as far as that is known before it starts.
pub(crate) fn planned_games(round: &Round, players: usize) -> usize {
    let seats = round.rules.seats().len().max(2);
    let orders = match round.seatings {
        _ if seats == 2 => 2,
        Seatings::Rotations => seats,
        Seatings::All => (1..=seats).product(),
    };
    // A file without players is refused, but only after its rounds have been looked at.
    let others = players.saturating_sub(1);
    let groups = match round.format {
        Format::RoundRobin => combinations(players, seats),
        Format::Gauntlet { .. } => combinations(others, seats - 1),
        Format::Swiss { turns } => turns.saturating_mul(players / 2),
        Format::KnockOut => others,
        Format::Groups { groups, qualify, finals } => {
            let in_groups: usize = Groups::sizes(players, groups).map(|size| combinations(size, 2)).sum();
            let finalists = groups.saturating_mul(qualify);
            let in_finals = match finals {
                Finals::KnockOut => finalists.saturating_sub(1),
                Finals::RoundRobin => combinations(finalists, 2),
            };
            in_groups.saturating_add(in_finals)
        }
    };
    groups.saturating_mul(orders).saturating_mul(round.repetitions)
}

/// What a pause is worth in a Swiss round: as much as winning both games, however often those are played.
pub(crate) fn bye_points(round: &Round, points: &Points) -> f64 {
    2.0 * round.repetitions as f64 * points.win
}

/// The number of ways to choose `count` of `all`.
fn combinations(all: usize, count: usize) -> usize {
    let ways = (0..count)
        .try_fold(1_usize, |ways, index| Some(ways.checked_mul(all.checked_sub(index)?)? / (index + 1)));
    ways.unwrap_or(if all < count { 0 } else { usize::MAX })
}

impl Pairings {
    /// The games of `round` between so many players, where games are worth so many `points`.
    pub(crate) fn new(round: &Round, players: usize, points: &Points) -> Self {
        let seats = round.rules.seats().len().max(2);
        let seated = |group: Vec<usize>| seatings(group, round.seatings);
        let state = match round.format {
            Format::RoundRobin if seats == 2 => {
                State::Listed(circle(players).into_iter().map(seated).collect())
            }
            Format::RoundRobin => {
                State::Listed(choices(&all(players), seats).into_iter().map(seated).collect())
            }
            Format::Gauntlet { challenger, .. } => {
                let others: Vec<usize> =
                    all(players).into_iter().filter(|player| *player != challenger).collect();
                let groups = choices(&others, seats - 1).into_iter();
                let with = |mut group: Vec<usize>| {
                    group.insert(0, challenger);
                    group
                };
                State::Listed(groups.map(with).map(seated).collect())
            }
            Format::Swiss { turns } => State::Swiss(Swiss::new(players, turns, bye_points(round, points))),
            Format::KnockOut => State::KnockOut(KnockOut::new(players)),
            Format::Groups { groups, qualify, finals } => {
                State::Groups(Groups::new(players, groups, qualify, finals))
            }
        };
        Self { repetitions: round.repetitions, state, pairs: 0, bye: None }
    }

    /// The next batch, given what came of the last one; empty if the round is over.
    pub(crate) fn next(&mut self, last: &[Met]) -> Vec<Pairing> {
        let repetitions = self.repetitions;
        match &mut self.state {
            State::Listed(groups) => {
                let groups = std::mem::take(groups);
                let again = std::iter::repeat_n(groups, repetitions).flatten();
                self.give(again.collect())
            }
            State::Swiss(swiss) => {
                let Turn { pairs, bye } = swiss.next(last);
                self.bye = bye;
                self.give_pairs(&pairs, repetitions)
            }
            State::KnockOut(bracket) => {
                let (pairs, repetitions) = bracket.next(last, repetitions);
                self.give_pairs(&pairs, repetitions)
            }
            State::Groups(groups) => {
                let (pairs, repetitions) = groups.next(last, repetitions);
                self.give_pairs(&pairs, repetitions)
            }
        }
    }

    /// Who pauses while the last batch is played, although nobody has left.
    pub(crate) fn bye(&self) -> Option<usize> {
        self.bye
    }

    /// Who has reached the finals; nobody before they begin, or where there are none.
    pub(crate) fn finalists(&self) -> &[usize] {
        match &self.state {
            State::Groups(groups) => groups.finalists(),
            State::Listed(_) | State::Swiss(_) | State::KnockOut(_) => &[],
        }
    }

    /// Who has won the knock-out.
    pub(crate) fn winner(&self) -> Option<usize> {
        match &self.state {
            State::KnockOut(bracket) => bracket.winner(),
            State::Groups(groups) => groups.winner(),
            State::Listed(_) | State::Swiss(_) => None,
        }
    }

    fn give_pairs(&mut self, pairs: &[(usize, usize)], repetitions: usize) -> Vec<Pairing> {
        let both = |&(a, b): &(usize, usize)| vec![vec![a, b], vec![b, a]];
        let groups = (0..repetitions).flat_map(|_| pairs.iter().map(both));
        self.give(groups.collect())
    }

    fn give(&mut self, groups: Vec<Vec<Vec<usize>>>) -> Vec<Pairing> {
        let mut pairings = Vec::new();
        for orders in groups {
            let pair = self.pairs;
            self.pairs += 1;
            pairings.extend(orders.into_iter().map(|seats| Pairing { seats, pair }));
        }
        pairings
    }
}

fn all(players: usize) -> Vec<usize> {
    (0..players).collect()
}

/// The orders in which a group is seated.
fn seatings(group: Vec<usize>, how: Seatings) -> Vec<Vec<usize>> {
    if how == Seatings::All && group.len() > 2 {
        return orders(&group);
    }
    let rotation = |by| {
        let mut rotated = group.clone();
        rotated.rotate_left(by);
        rotated
    };
    (0..group.len()).map(rotation).collect()
}

/// All orders of a group.
fn orders(group: &[usize]) -> Vec<Vec<usize>> {
    if group.len() < 2 {
        return vec![group.to_vec()];
    }
    let mut found = Vec::new();
    for index in 0..group.len() {
        let mut rest = group.to_vec();
        let first = rest.remove(index);
        found.extend(orders(&rest).into_iter().map(|mut order| {
            order.insert(0, first);
            order
        }));
    }
    found
}

/// All ways to choose `count` of `items`.
fn choices(items: &[usize], count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    for (index, first) in items.iter().enumerate() {
        for mut rest in choices(&items[index + 1..], count - 1) {
            rest.insert(0, *first);
            found.push(rest);
        }
    }
    found
}

/// Every pair once, in turns in which everybody plays at most once, as tournaments of people have it.
fn circle(players: usize) -> Vec<Vec<usize>> {
    // With an odd number somebody pauses in each turn: the one who meets the player that does not exist.
    let even = players + players % 2;
    let mut pairs = Vec::new();
    for turn in 0..even - 1 {
        for step in 0..even / 2 {
            let wheel = even - 1;
            let one = (turn + step) % wheel;
            let other = if step == 0 { wheel } else { (turn + wheel - step) % wheel };
            if one < players && other < players {
                pairs.push(vec![one.min(other), one.max(other)]);
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use agon_registry::GAMES;

    use super::knock_out::EXTRA_PAIRS;
    use super::*;
    use crate::openings::Openings;

    fn round(game: &str, options: &str, format: Format, repetitions: usize) -> Round {
        Round {
            rules: GAMES.find(game).expect("a game").rules(options).expect("options"),
            time: agon_match::TimeControl::None,
            setup: std::time::Duration::ZERO,
            format,
            repetitions,
            openings: Openings::Start,
            seatings: Seatings::Rotations,
            max_plies: 100,
        }
    }

    /// Everything that is played if the player with the smaller number always wins.
    fn played(round: &Round, players: usize) -> (Vec<Vec<Pairing>>, Option<usize>) {
        let mut pairings = Pairings::new(round, players, &Points::default());
        let (mut batches, mut last) = (Vec::new(), Vec::new());
        loop {
            let batch = pairings.next(&last);
            if batch.is_empty() {
                return (batches, pairings.winner());
            }
            last = batch
                .iter()
                .map(|pairing| {
                    let best = pairing.seats.iter().min();
                    let points = |player: &usize| if Some(player) == best { 3.0 } else { 0.0 };
                    Met { points: pairing.seats.iter().map(points).collect(), seats: pairing.seats.clone() }
                })
                .collect();
            batches.push(batch);
        }
    }

    #[test]
    fn in_a_round_robin_everybody_meets_everybody_twice_and_starts_once() {
        for players in 2..9 {
            for repetitions in [1, 3] {
                let round = round("othello", "", Format::RoundRobin, repetitions);
                let (batches, _) = played(&round, players);
                assert_eq!(batches.len(), 1);
                let games = &batches[0];
                assert_eq!(games.len(), planned_games(&round, players));
                let mut met: HashMap<&[usize], usize> = HashMap::new();
                for game in games {
                    *met.entry(&game.seats).or_default() += 1;
                }
                assert_eq!(met.len(), players * (players - 1));
                assert!(met.values().all(|count| *count == repetitions));
                // The two games of a pair follow each other and begin alike.
                for pair in games.chunks(2) {
                    assert_eq!(pair[0].pair, pair[1].pair);
                    assert_eq!(pair[0].seats, [pair[1].seats[1], pair[1].seats[0]]);
                }
            }
        }
    }

    #[test]
    fn in_games_of_many_everybody_has_every_seat_equally_often() {
        for (options, seats) in [("seats=g/y/r", 3), ("seats=g/y/r/b", 4)] {
            for (seatings, orders) in [(Seatings::Rotations, seats), (Seatings::All, (1..=seats).product())] {
                let plain = round("chinese-checkers", options, Format::RoundRobin, 1);
                let round = Round { seatings, ..plain };
                let (batches, _) = played(&round, 5);
                assert_eq!(batches[0].len(), planned_games(&round, 5));
                assert_eq!(batches[0].len(), combinations(5, seats) * orders);
                let mut had: HashMap<(usize, usize), usize> = HashMap::new();
                for game in &batches[0] {
                    for (seat, player) in game.seats.iter().enumerate() {
                        *had.entry((*player, seat)).or_default() += 1;
                    }
                }
                let counts: HashSet<usize> = had.values().copied().collect();
                assert_eq!((had.len(), counts.len()), (5 * seats, 1), "{seatings:?}");
                let distinct: HashSet<&Vec<usize>> = batches[0].iter().map(|game| &game.seats).collect();
                assert_eq!(distinct.len(), batches[0].len());
            }
        }
    }

    #[test]
    fn a_gauntlet_is_one_against_all() {
        let round = round("othello", "", Format::Gauntlet { challenger: 2, sprt: None }, 2);
        let (batches, _) = played(&round, 4);
        assert_eq!(batches[0].len(), 12);
        assert!(batches[0].iter().all(|game| game.seats.contains(&2)));
        assert_eq!(batches[0].iter().filter(|game| game.seats[0] == 2).count(), 6);
    }

    #[test]
    fn swiss_pairs_equals_and_nobody_twice() {
        for (players, turns) in [(2, 1), (4, 2), (8, 3), (8, 7), (16, 4), (40, 6)] {
            let round = round("othello", "", Format::Swiss { turns }, 1);
            let (batches, _) = played(&round, players);
            assert_eq!(batches.len(), turns);
            let mut met = HashSet::new();
            for batch in &batches {
                let mut here = HashSet::new();
                for pair in batch.chunks(2) {
                    let (a, b) = (pair[0].seats[0], pair[0].seats[1]);
                    assert!(here.insert(a) && here.insert(b), "everybody plays once a turn");
                    assert!(met.insert((a.min(b), a.max(b))), "{players} players: {a} and {b} met before");
                }
                assert_eq!(here.len(), players);
            }
        }
        // More turns than opponents: somebody has to meet again, and everybody plays all the same.
        let (batches, _) = played(&round("othello", "", Format::Swiss { turns: 5 }, 1), 4);
        assert!(batches.iter().all(|batch| batch.len() == 4));
    }

    #[test]
    fn a_knock_out_leaves_one() {
        for players in 2..18 {
            let round = round("othello", "", Format::KnockOut, 1);
            let (batches, winner) = played(&round, players);
            assert_eq!(winner, Some(0), "{players} players");
            assert_eq!(batches.iter().map(Vec::len).sum::<usize>(), planned_games(&round, players));
            assert_eq!(batches.len(), (players as f64).log2().ceil() as usize);
            // The two best meet last.
            let last = batches.last().expect("a final");
            assert!(last[0].seats.contains(&1), "{players} players: {last:?}");
        }
    }

    #[test]
    fn ties_of_a_knock_out_are_played_again_and_then_the_first_in_the_file_goes_on() {
        let round = round("othello", "", Format::KnockOut, 1);
        let mut pairings = Pairings::new(&round, 2, &Points::default());
        let mut last = Vec::new();
        let mut pairs = 0;
        loop {
            let batch = pairings.next(&last);
            if batch.is_empty() {
                break;
            }
            pairs += 1;
            assert_eq!(batch.len(), 2);
            last =
                batch.iter().map(|game| Met { seats: game.seats.clone(), points: vec![1.0, 1.0] }).collect();
        }
        assert_eq!((pairs, pairings.winner()), (1 + EXTRA_PAIRS, Some(0)));
    }

    #[test]
    fn in_a_swiss_round_of_odd_numbers_somebody_else_pauses_in_each_turn() {
        for (players, turns) in [(3, 3), (5, 3), (7, 5), (9, 4), (33, 6)] {
            let round = round("othello", "", Format::Swiss { turns }, 1);
            let mut pairings = Pairings::new(&round, players, &Points::default());
            let (mut met, mut paused, mut last, mut games) = (HashSet::new(), HashSet::new(), Vec::new(), 0);
            for _ in 0..turns {
                let batch = pairings.next(&last);
                let bye = pairings.bye().expect("the number is odd");
                assert!(paused.insert(bye), "{players} players: {bye} pauses again");
                let mut here = HashSet::from([bye]);
                for pair in batch.chunks(2) {
                    let (a, b) = (pair[0].seats[0], pair[0].seats[1]);
                    assert!(here.insert(a) && here.insert(b), "everybody plays once a turn");
                    assert!(met.insert((a.min(b), a.max(b))), "{players} players: {a} and {b} met before");
                }
                assert_eq!(here.len(), players);
                games += batch.len();
                // The player with the smaller number wins, so that the last of the table has the largest.
                let won = |game: &Pairing| {
                    let points = game
                        .seats
                        .iter()
                        .map(|seat| if seat == game.seats.iter().min().expect("two") { 3.0 } else { 0.0 });
                    Met { points: points.collect(), seats: game.seats.clone() }
                };
                last = batch.iter().map(won).collect();
            }
            assert!(pairings.next(&last).is_empty());
            assert_eq!(games, planned_games(&round, players));
        }
    }

    #[test]
    fn a_pause_is_worth_as_much_as_winning_both_games() {
        let round = round("othello", "", Format::Swiss { turns: 2 }, 1);
        let mut pairings = Pairings::new(&round, 3, &Points::default());
        let batch = pairings.next(&[]);
        assert_eq!((batch.len(), pairings.bye()), (2, Some(2)));
        // Both others have drawn both games: whoever paused is first, and now meets one of them.
        let drawn = |game: &Pairing| Met { seats: game.seats.clone(), points: vec![1.0, 1.0] };
        let batch = pairings.next(&batch.iter().map(drawn).collect::<Vec<_>>());
        assert_eq!(batch[0].seats[0], 2, "it has the most points");
        assert_eq!(pairings.bye(), Some(1));
    }

    #[test]
    fn groups_are_even_and_their_first_play_on() {
        for (players, groups, qualify, finals) in [
            (9, 3, 1, Finals::KnockOut),
            (8, 2, 2, Finals::KnockOut),
            (12, 3, 2, Finals::KnockOut),
            (35, 7, 2, Finals::KnockOut),
            (12, 4, 2, Finals::KnockOut),
            (13, 3, 2, Finals::RoundRobin),
            (100, 10, 2, Finals::KnockOut),
        ] {
            let round = round("othello", "", Format::Groups { groups, qualify, finals }, 1);
            let (batches, winner) = played(&round, players);
            let finalists = groups * qualify;
            assert_eq!(batches.iter().map(Vec::len).sum::<usize>(), planned_games(&round, players));
            // Where the smaller number wins, and the file is in order, the first of the file reach the finals.
            let reached: HashSet<usize> =
                batches[1..].iter().flatten().flat_map(|game| game.seats.clone()).collect();
            assert_eq!(reached, (0..finalists).collect(), "{players} players in {groups} groups");
            assert_eq!(winner, (finals == Finals::KnockOut).then_some(0));
            let mut met: HashMap<Vec<usize>, usize> = HashMap::new();
            for game in &batches[0] {
                *met.entry(game.seats.clone()).or_default() += 1;
            }
            assert!(
                met.values().all(|count| *count == 1),
                "everybody meets everybody of the group once from each side"
            );
            if finals == Finals::KnockOut && qualify == 2 {
                // Those who have met in a group do not meet again at once.
                assert!(batches[1].iter().all(|game| !met.contains_key(&game.seats)), "{:?}", batches[1]);
            }
        }
    }

    #[test]
    fn equals_of_a_group_are_told_apart_by_what_they_took_from_each_other() {
        let format = Format::Groups { groups: 2, qualify: 1, finals: Finals::KnockOut };
        let round = round("othello", "", format, 1);
        let mut pairings = Pairings::new(&round, 6, &Points::default());
        let games = pairings.next(&[]);
        // In the group of 0, 3 and 4, the last two have 7 points each; of the games against each other, 4 wins one, and the other is drawn.
        let points = |game: &Pairing| {
            let points = match game.seats[..] {
                [4, 3] | [3, 0] | [4, 0] | [0, 4] => vec![3.0, 0.0],
                [0, 3] => vec![0.0, 3.0],
                _ => vec![1.0, 1.0],
            };
            Met { seats: game.seats.clone(), points }
        };
        let finals = pairings.next(&games.iter().map(points).collect::<Vec<_>>());
        assert_eq!((pairings.finalists(), finals.len()), (&[4, 1][..], 2));
    }
}
