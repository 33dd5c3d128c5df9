//! The games of one comparison, counted.

use std::cmp::Ordering;

use agon_arena::bout::Bout;
use agon_arena::statistics::{ConfidenceSequence, Score, Tally, normal};
use agon_erased::Rules;
use agon_match::{Abort, End};
use serde::{Deserialize, Serialize};

use crate::observe::{self, Observation};
use agon_arena::experiment::telemetry::Telemetry;

/// A game as it is remembered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameResult {
    /// The number of its comparison.
    pub comparison: usize,
    /// Its own number within that.
    pub game: usize,
    /// How it ended for the setting: 0 lost, 1 drawn, 2 won.
    pub score: u8,
    /// Plies played, the opening included.
    pub plies: u64,
    /// Which seats had the first place; none if there is no result.
    pub first_seats: Vec<usize>,
    /// Which seats the setting had.
    pub seats: Vec<usize>,
    /// The points of the setting and its opponent, in games for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<[u64; 2]>,
    /// Whether it was cut at the limit of plies.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_cut: bool,
    /// Why one side lost by a fault of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// What the setting and its opponent did.
    pub sides: [Telemetry; 2],
    /// Moves of the setting and its opponent that came too late, where programs have a time for them.
    #[serde(default, skip_serializing_if = "is_punctual")]
    pub late: [u64; 2],
    /// What was observed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<Option<u64>>,
}

fn is_punctual(late: &[u64; 2]) -> bool {
    *late == [0, 0]
}

impl GameResult {
    /// What came of a game of a comparison; `None` if it was stopped.
    pub(crate) fn of(
        comparison: usize,
        bout: &Bout,
        sides: [Telemetry; 2],
        observations: &[Observation],
        rules: &dyn Rules,
    ) -> Option<Self> {
        let score = match bout.score()? {
            Score::Loss => 0,
            Score::Draw => 1,
            Score::Win => 2,
        };
        let points = |entrant: usize| {
            let game = bout.games.iter().find(|game| game.seats == [entrant])?;
            game.standing.map(|standing| standing.score)
        };
        let board = bout.games.first()?;
        let is_one_board = bout.games.len() == 1;
        let seats_of =
            |entrant: usize| (0..board.seats.len()).filter(move |&seat| board.seats[seat] == entrant);
        // The seats of whoever has the first place: a setting may have several, but only one of them is first.
        let first_seats = board.first_seats.clone();
        let fault = bout.games.iter().find_map(|game| match &game.end {
            End::Forfeit { detail, .. } => Some(detail.clone()),
            _ => None,
        });
        let mut late = [0; 2];
        for (side, conduct) in bout.fixture.seats.iter().zip(&bout.conduct) {
            late[*side] += conduct.late;
        }
        let is_cut = |game: &agon_arena::bout::PlayedGame| {
            matches!(game.end, End::Aborted { reason: Abort::TooLong | Abort::Void })
        };
        let seen = if observations.is_empty() {
            Vec::new()
        } else {
            observe::watch(observations, rules, board.record.start.as_deref(), &board.record.moves)
        };
        Some(Self {
            comparison,
            game: bout.fixture.number,
            score,
            plies: bout.games.iter().map(|game| game.record.moves.len() as u64).sum(),
            first_seats: if is_one_board { first_seats } else { Vec::new() },
            seats: if is_one_board { seats_of(0).collect() } else { Vec::new() },
            points: points(0).zip(points(1)).map(|(one, other)| [one, other]),
            is_cut: bout.games.iter().any(is_cut),
            fault,
            sides,
            late,
            seen,
        })
    }

    /// How it ended for the setting.
    pub(crate) fn score(&self) -> Score {
        match self.score {
            0 => Score::Loss,
            1 => Score::Draw,
            _ => Score::Win,
        }
    }
}

/// Numbers that come one by one, of which mean and deviation are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    pub(crate) fn push(&mut self, value: f64) {
        self.count += 1.0;
        let before = value - self.mean;
        self.mean += before / self.count;
        self.squares += before * (value - self.mean);
    }

    /// The mean; `None` if there are no numbers.
    pub(crate) fn mean(&self) -> Option<f64> {
        (self.count > 0.0).then_some(self.mean)
    }

    /// How many numbers there are.
    pub(crate) fn count(&self) -> u64 {
        self.count as u64
    }

    /// The standard deviation; `None` before the second number.
    pub(crate) fn deviation(&self) -> Option<f64> {
        (self.count >= 2.0).then(|| (self.squares / (self.count - 1.0)).sqrt())
    }

    /// The mean and its interval, wrong with probability `alpha` if there are many numbers; `None` before the second.
    pub(crate) fn estimate(&self, alpha: f64) -> Option<Estimate> {
        let reach = quantile(1.0 - alpha / 2.0) * self.deviation()? / self.count.sqrt();
        Some(Estimate { value: self.mean, low: self.mean - reach, high: self.mean + reach })
    }
}

/// A measured value with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Estimate {
    /// Whether it is known to differ from `value`.
    pub(crate) fn excludes(&self, value: f64) -> bool {
        self.low > value || self.high < value
    }

    /// A score, seen from the other side.
    pub(crate) fn reversed(self) -> Self {
        Self { value: 1.0 - self.value, low: 1.0 - self.high, high: 1.0 - self.low }
    }

    /// The same in other units, by a function that keeps the order.
    #[must_use]
    pub fn map(self, change: impl Fn(f64) -> f64) -> Self {
        Self { value: change(self.value), low: change(self.low), high: change(self.high) }
    }
}

/// The value that a normal variable stays below with this probability.
fn quantile(probability: f64) -> f64 {
    let (mut low, mut high) = (-40.0, 40.0);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if normal::below(middle) < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

/// The games of a comparison so far.
#[derive(Clone, Debug)]
pub(crate) struct Count {
    pub(crate) tally: Tally,
    pub(crate) sequence: ConfidenceSequence,
    /// What the setting and its opponent did.
    pub(crate) sides: [Telemetry; 2],
    /// Their moves that came too late.
    pub(crate) late: [u64; 2],
    pub(crate) plies: u64,
    pub(crate) cut: u64,
    /// Games that were lost by a fault, and the first fault.
    pub(crate) faults: u64,
    pub(crate) fault: Option<String>,
    /// The points of both, in games for one.
    pub(crate) points: [Moments; 2],
    /// As in a [`Pair`].
    pub(crate) nodes: Moments,
    pub(crate) time: Moments,
    pub(crate) depth: Moments,
    /// The game whose partner has not been played.
    half: Option<CountedGame>,
}

/// What a pair of games says: the score of the setting, the logarithms of how many times the opponent's nodes and time per move it needed,
/// and by how much deeper it searched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) score: f64,
    pub(crate) nodes: Option<f64>,
    pub(crate) time: Option<f64>,
    pub(crate) depth: Option<f64>,
}

/// What is remembered of the first game of a pair: the share of the point, and what both sides did.
type CountedGame = (f64, [Telemetry; 2]);

impl Count {
    /// No games yet, of a comparison that may be wrong with probability `alpha`.
    pub(crate) fn new(alpha: f64) -> Self {
        Self {
            tally: Tally::default(),
            sequence: ConfidenceSequence::new(alpha),
            sides: Default::default(),
            late: [0; 2],
            plies: 0,
            cut: 0,
            faults: 0,
            fault: None,
            points: Default::default(),
            nodes: Moments::default(),
            time: Moments::default(),
            depth: Moments::default(),
            half: None,
        }
    }

    /// Counts a game, and returns what its pair says if that is complete.
    pub(crate) fn push(&mut self, game: &GameResult) -> Option<Pair> {
        self.tally.push(game.score());
        self.plies += game.plies;
        self.cut += u64::from(game.is_cut);
        if let Some(fault) = &game.fault {
            self.faults += 1;
            self.fault.get_or_insert_with(|| fault.clone());
        }
        if let Some([one, other]) = game.points {
            self.points[0].push(one as f64);
            self.points[1].push(other as f64);
        }
        for (sum, side) in self.sides.iter_mut().zip(&game.sides) {
            sum.add(side);
        }
        for (sum, late) in self.late.iter_mut().zip(game.late) {
            *sum += late;
        }
        let share = f64::from(game.score) / 2.0;
        match self.half.take() {
            Some(first) => Some(self.push_pair(first, (share, game.sides.clone()))),
            None => {
                self.half = Some((share, game.sides.clone()));
                None
            }
        }
    }

    /// Counts a pair of games. What an opening or a seat is worth cancels out in a pair, and only pairs are independent of each other.
    fn push_pair(&mut self, (first, mut sides): CountedGame, (second, others): CountedGame) -> Pair {
        for (side, other) in sides.iter_mut().zip(&others) {
            side.add(other);
        }
        let [one, other] = &sides;
        let per_move = |sum: u64, moves: u64| sum as f64 / moves.max(1) as f64;
        let ratio = |of: fn(&Telemetry) -> (u64, u64)| {
            let [mine, theirs] = [of(one), of(other)];
            (mine.0 > 0 && theirs.0 > 0)
                .then(|| (per_move(mine.0, mine.1) / per_move(theirs.0, theirs.1)).ln())
        };
        let depth = |side: &Telemetry| per_move(side.depth, side.searched);
        let pair = Pair {
            score: (first + second) / 2.0,
            nodes: ratio(|side| (side.nodes, side.searched)),
            time: ratio(|side| (side.micros, side.moves)),
            depth: (one.searched > 0 && other.searched > 0).then(|| depth(one) - depth(other)),
        };
        self.sequence.push(pair.score);
        pair.nodes.into_iter().for_each(|ratio| self.nodes.push(ratio));
        pair.time.into_iter().for_each(|ratio| self.time.push(ratio));
        pair.depth.into_iter().for_each(|difference| self.depth.push(difference));
        pair
    }

    /// Whether the setting is known to be stronger or weaker than its opponent.
    pub(crate) fn verdict(&self) -> Option<Ordering> {
        self.sequence.side_of(0.5)
    }
}

#[cfg(test)]
mod tests {
    use agon_core::random::{seeded, unit};

    use super::*;

    fn game(number: usize, score: u8) -> GameResult {
        GameResult {
            comparison: 0,
            game: number,
            score,
            plies: 10,
            first_seats: Vec::new(),
            seats: Vec::new(),
            points: None,
            is_cut: false,
            fault: None,
            sides: Default::default(),
            late: [0; 2],
            seen: Vec::new(),
        }
    }

    /// Whether a study of so many settings that are all as good as the reference makes any claim, if each comparison is stopped as soon
    /// as it is clear.
    fn claims(settings: usize, pairs: usize, draws: f64, seed: u64) -> bool {
        let mut rng = seeded(seed);
        (0..settings).any(|_| {
            let mut count = Count::new(0.05 / settings as f64);
            (0..2 * pairs).any(|number| {
                let luck = unit(&mut rng);
                let score = if luck < draws { 1 } else { 2 * u8::from(unit(&mut rng) < 0.5) };
                count.push(&game(number, score)).is_some() && count.verdict().is_some()
            })
        })
    }

    #[test]
    fn studies_of_equal_players_make_a_false_claim_in_one_of_twenty_at_most() {
        for (settings, pairs, draws) in [(1, 200, 0.0), (5, 60, 0.3), (12, 40, 0.1)] {
            let wrong = (0..200).filter(|seed| claims(settings, pairs, draws, 1000 + seed)).count();
            assert!(wrong <= 10, "{wrong} of 200 studies of {settings} settings");
        }
    }

    #[test]
    fn a_better_player_is_found_out_and_ordinary_intervals_would_not_do() {
        let mut rng = seeded(3);
        let mut count = Count::new(0.05 / 8.0);
        let found = (0..400).find(|&number| {
            let is_pair = count.push(&game(number, 2 * u8::from(unit(&mut rng) < 0.75))).is_some();
            is_pair && count.verdict().is_some()
        });
        assert!(found.is_some_and(|games| games < 200), "{found:?}");
        assert_eq!(count.verdict(), Some(Ordering::Greater));
        // Looking at Wilson's interval after every pair is wrong far more often than promised.
        let peeks = |seed: &u64| {
            let mut rng = seeded(*seed);
            let mut tally = Tally::default();
            (0..200).any(|_| {
                for _ in 0..2 {
                    tally.push(if unit(&mut rng) < 0.5 { Score::Win } else { Score::Loss });
                }
                let (low, high) = tally.interval();
                low > 0.5 || high < 0.5
            })
        };
        assert!((0..200).filter(peeks).count() > 30);
    }

    #[test]
    fn late_moves_of_both_sides_are_added_up_and_left_out_of_files_where_there_are_none() {
        let mut count = Count::new(0.05);
        for late in [[1, 0], [2, 3]] {
            count.push(&GameResult { late, ..game(0, 1) });
        }
        assert_eq!(count.late, [3, 3]);
        let line = serde_json::to_string(&game(0, 1)).expect("JSON");
        assert!(!line.contains("late") && !line.contains("counters"), "{line}");
        assert_eq!(
            serde_json::from_str::<GameResult>(&line).expect("a line of an older program").late,
            [0, 0]
        );
    }

    #[test]
    fn quantiles_are_those_of_tables() {
        for (probability, expected) in
            [(0.5, 0.0), (0.975, 1.959_964), (0.995, 2.575_829), (0.9995, 3.290_527)]
        {
            assert!((quantile(probability) - expected).abs() < 1e-6, "{probability}");
        }
    }

    #[test]
    fn means_and_intervals_are_those_of_textbooks() {
        // Mean 5, sample deviation 2.138, standard error 0.7559: the values of the usual example of a standard deviation.
        let mut moments = Moments::default();
        [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter().for_each(|value| moments.push(value));
        let estimate = moments.estimate(0.05).expect("eight numbers");
        assert!((estimate.value - 5.0).abs() < 1e-12);
        assert!((estimate.high - 5.0 - 1.959_964 * 0.755_929).abs() < 1e-5, "{estimate:?}");
        assert_eq!(Moments::default().estimate(0.05), None);
    }
}
