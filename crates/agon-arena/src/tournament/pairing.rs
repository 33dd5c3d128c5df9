//! Who meets whom: the formats of rounds.
//!
//! A round is played in batches. What is in a batch does not depend on the order in which the games of the one before it ended, only
//! on their results: that is what makes a resumed tournament the same as an uninterrupted one.

use std::collections::HashSet;

use super::plan::{Format, Round, Seatings};

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
    players: usize,
    repetitions: usize,
    state: State,
    /// How many pairs or groups have been given out.
    pairs: usize,
}

#[derive(Debug)]
enum State {
    /// All at once: every group, and every order in which it is seated.
    Listed(Vec<Vec<Vec<usize>>>),
    Swiss(Swiss),
    KnockOut(KnockOut),
}

/// How many extra pairs a tied match of a knock-out is played for. Then the player listed first in the file goes on.
const EXTRA_PAIRS: usize = 3;

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
    };
    groups.saturating_mul(orders).saturating_mul(round.repetitions)
}

/// The number of ways to choose `count` of `all`.
fn combinations(all: usize, count: usize) -> usize {
    let ways = (0..count)
        .try_fold(1_usize, |ways, index| Some(ways.checked_mul(all.checked_sub(index)?)? / (index + 1)));
    ways.unwrap_or(if all < count { 0 } else { usize::MAX })
}

impl Pairings {
    /// The games of `round` between so many players.
    pub(crate) fn new(round: &Round, players: usize) -> Self {
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
            Format::Swiss { turns } => State::Swiss(Swiss::new(players, turns)),
            Format::KnockOut => State::KnockOut(KnockOut::new(players)),
        };
        Self { players, repetitions: round.repetitions, state, pairs: 0 }
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
                let pairs = swiss.next(last, self.players);
                self.give_pairs(&pairs, repetitions)
            }
            State::KnockOut(bracket) => {
                let (pairs, repetitions) = bracket.next(last, repetitions);
                self.give_pairs(&pairs, repetitions)
            }
        }
    }

    /// Who has won the knock-out.
    pub(crate) fn winner(&self) -> Option<usize> {
        match &self.state {
            State::KnockOut(bracket) => bracket.winner(),
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

/// A Swiss round: players with equal points meet, nobody twice if that can be avoided.
#[derive(Debug)]
struct Swiss {
    turns_left: usize,
    points: Vec<f64>,
    met: HashSet<(usize, usize)>,
}

/// How long a pairing without rematches is looked for.
const MAX_STEPS: usize = 200_000;

impl Swiss {
    fn new(players: usize, turns: usize) -> Self {
        Self { turns_left: turns, points: vec![0.0; players], met: HashSet::new() }
    }

    fn next(&mut self, last: &[Met], players: usize) -> Vec<(usize, usize)> {
        for game in last {
            for (player, points) in game.seats.iter().zip(&game.points) {
                self.points[*player] += points;
            }
        }
        if self.turns_left == 0 {
            return Vec::new();
        }
        self.turns_left -= 1;
        let mut order = all(players);
        order.sort_by(|a, b| self.points[*b].total_cmp(&self.points[*a]).then(a.cmp(b)));
        let mut steps = 0;
        let pairs = self
            .pair(&order, &mut steps)
            .unwrap_or_else(|| order.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect());
        self.met.extend(pairs.iter().map(|&(a, b)| (a.min(b), a.max(b))));
        pairs
    }

    /// Pairs those who are left, from the top; `None` if that cannot be done without a rematch, or takes too long to find.
    fn pair(&self, order: &[usize], steps: &mut usize) -> Option<Vec<(usize, usize)>> {
        let Some((&first, rest)) = order.split_first() else { return Some(Vec::new()) };
        // The upper half of a group of equals meets the lower half.
        let is_equal = |other: &&usize| self.points[**other].total_cmp(&self.points[first]).is_eq();
        let equals = rest.iter().take_while(is_equal).count();
        let middle = equals / 2;
        let candidates = (middle..rest.len()).chain((0..middle).rev());
        for index in candidates {
            *steps += 1;
            if *steps > MAX_STEPS {
                return None;
            }
            let other = rest[index];
            if self.met.contains(&(first.min(other), first.max(other))) {
                continue;
            }
            let mut left = rest.to_vec();
            left.remove(index);
            if let Some(mut pairs) = self.pair(&left, steps) {
                pairs.insert(0, (first, other));
                return Some(pairs);
            }
        }
        None
    }
}

/// A knock-out, seeded by the order of the file: the first players meet as late as possible, and pause first where the numbers do not
/// fit.
#[derive(Debug)]
struct KnockOut {
    /// Who is left, in the order of the bracket; `None` where nobody is.
    left: Vec<Option<usize>>,
    /// The matches of this stage.
    matches: Vec<Duel>,
    /// Whether the first stage has been given out.
    is_begun: bool,
}

#[derive(Clone, Debug)]
struct Duel {
    players: (usize, usize),
    points: (f64, f64),
    extra: usize,
    is_open: bool,
}

impl KnockOut {
    fn new(players: usize) -> Self {
        let mut order = vec![0];
        while order.len() < players {
            let size = order.len() * 2;
            order = order.into_iter().flat_map(|seed| [seed, size - 1 - seed]).collect();
        }
        let left = order.into_iter().map(|seed| (seed < players).then_some(seed)).collect();
        Self { left, matches: Vec::new(), is_begun: false }
    }

    fn winner(&self) -> Option<usize> {
        if let [winner] = self.left[..] { winner } else { None }
    }

    /// The pairs to be played next, and how often.
    fn next(&mut self, last: &[Met], repetitions: usize) -> (Vec<(usize, usize)>, usize) {
        for game in last {
            let [one, other] = [game.seats[0], game.seats[1]];
            for duel in self.matches.iter_mut().filter(|duel| duel.is_open) {
                if duel.players == (one, other) {
                    duel.points = (duel.points.0 + game.points[0], duel.points.1 + game.points[1]);
                } else if duel.players == (other, one) {
                    duel.points = (duel.points.0 + game.points[1], duel.points.1 + game.points[0]);
                }
            }
        }
        let mut again = Vec::new();
        for duel in self.matches.iter_mut().filter(|duel| duel.is_open) {
            let is_tied = duel.points.0.total_cmp(&duel.points.1).is_eq();
            if is_tied && duel.extra < EXTRA_PAIRS {
                duel.extra += 1;
                again.push(duel.players);
            } else {
                duel.is_open = false;
            }
        }
        if !again.is_empty() {
            return (again, 1);
        }
        if self.is_begun {
            self.advance();
        }
        self.is_begun = true;
        let pairs = self.left.chunks_exact(2).filter_map(|pair| pair[0].zip(pair[1]));
        self.matches =
            pairs.map(|players| Duel { players, points: (0.0, 0.0), extra: 0, is_open: true }).collect();
        (self.matches.iter().map(|duel| duel.players).collect(), repetitions)
    }

    /// Goes to the next stage.
    fn advance(&mut self) {
        let winner = |pair: &[Option<usize>]| match (pair[0], pair[1]) {
            (Some(a), Some(b)) => {
                let duel = self.matches.iter().find(|duel| duel.players == (a, b))?;
                let (first, second) = duel.points;
                let is_first = if first.total_cmp(&second).is_eq() { a < b } else { first > second };
                Some(if is_first { a } else { b })
            }
            (one, other) => one.or(other),
        };
        if self.left.len() > 1 {
            self.left = self.left.chunks_exact(2).map(winner).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use agon_registry::GAMES;

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
        let mut pairings = Pairings::new(round, players);
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
        let mut pairings = Pairings::new(&round, 2);
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
}
