//! The score of one side in a series of games.

use super::normal::{self, Z};
use super::{ELO_PER_UNIT, elo};

/// Wins, draws and losses, counted as they come; every two games in a row are a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Pairs by their score: none, half a point, … both.
    pub pairs: [u64; 5],
    /// The half points of a game whose partner has not been played.
    pub(super) half: Option<u8>,
}

/// How a game ended for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// Won.
    Win,
}

impl Tally {
    /// Counts a game.
    pub fn push(&mut self, score: Score) {
        let halves = match score {
            Score::Loss => 0,
            Score::Draw => 1,
            Score::Win => 2,
        };
        *[&mut self.losses, &mut self.draws, &mut self.wins][usize::from(halves)] += 1;
        match self.half.take() {
            Some(first) => self.pairs[usize::from(first + halves)] += 1,
            None => self.half = Some(halves),
        }
    }

    /// How many games were counted.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Whether every game has its partner.
    pub fn is_paired(&self) -> bool {
        self.half.is_none()
    }

    /// The share of points; a half before the first game.
    pub fn score(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (self.wins as f64 + 0.5 * self.draws as f64) / games as f64,
        }
    }

    /// The 95% interval of the score, by Wilson's formula.
    pub fn interval(&self) -> (f64, f64) {
        let (games, score) = (self.games() as f64, self.score());
        if games == 0.0 {
            return (0.0, 1.0);
        }
        let weight = Z * Z / games;
        let middle = (score + weight / 2.0) / (1.0 + weight);
        let reach = Z / (1.0 + weight) * (score * (1.0 - score) / games + weight / (4.0 * games)).sqrt();
        ((middle - reach).max(0.0), (middle + reach).min(1.0))
    }

    /// The Elo difference that the score stands for; `None` where it is unbounded.
    pub fn elo(&self) -> Option<f64> {
        let score = self.score();
        (score > 0.0 && score < 1.0).then(|| elo(score))
    }

    /// The likelihood of superiority: how likely it is that the expected score is above a half, by the variance of pairs. A half
    /// before the first pair.
    pub fn superiority(&self) -> f64 {
        let Some((pairs, mean, variance)) = self.pair_moments() else { return 0.5 };
        normal::below((mean - 0.5) / (variance / pairs).sqrt())
    }

    /// The half-width of the 95% interval of [`elo`](Self::elo), by the variance of pairs; by the interval of the score before the
    /// first pair.
    pub fn elo_error(&self) -> Option<f64> {
        self.elo()?;
        let score = self.score();
        let Some((pairs, _, variance)) = self.pair_moments() else {
            let (low, high) = self.interval();
            return Some((elo(high) - elo(low)) / 2.0);
        };
        // The deviation of the mean, by the slope of the Elo curve at the score.
        Some(Z * (variance / pairs).sqrt() * ELO_PER_UNIT / (score * (1.0 - score)))
    }

    /// The number of pairs, the mean of their scores from 0 to 1 and the variance of a pair's score; `None` without pairs.
    ///
    /// To the variance so many pairs of coin tosses are added as if they had been played: the first few pairs are often
    /// alike and would seem to have no variance at all.
    pub(super) fn pair_moments(&self) -> Option<(f64, f64, f64)> {
        const IMAGINED_PAIRS: f64 = 4.0;
        const VARIANCE_OF_TOSSES: f64 = 0.125;
        let pairs = self.pairs.iter().sum::<u64>() as f64;
        if pairs == 0.0 {
            return None;
        }
        let sum = |value: &dyn Fn(f64) -> f64| -> f64 {
            (0_u8..).zip(self.pairs).map(|(kind, count)| count as f64 * value(f64::from(kind) / 4.0)).sum()
        };
        let mean = sum(&|score| score) / pairs;
        let squares = sum(&|score| (score - mean) * (score - mean));
        let variance = (squares + IMAGINED_PAIRS * VARIANCE_OF_TOSSES) / (pairs + IMAGINED_PAIRS);
        Some((pairs, mean, variance))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(pairs: &[(Score, Score)]) -> Tally {
        let mut tally = Tally::default();
        for &(first, second) in pairs {
            tally.push(first);
            tally.push(second);
        }
        tally
    }

    fn close(one: f64, other: f64, tolerance: f64) {
        assert!((one - other).abs() < tolerance, "{one} is not {other}");
    }

    #[test]
    fn intervals_are_wilsons() {
        // 8 of 10: 0.4902 to 0.9433 (Wilson 1927, as every table of it has).
        let mut tally = Tally { wins: 8, losses: 2, ..Tally::default() };
        let (low, high) = tally.interval();
        close(low, 0.4902, 1e-4);
        close(high, 0.9433, 1e-4);
        // Twenty-two wins in a row are the first that lie wholly above 85%.
        tally = Tally { wins: 21, ..Tally::default() };
        assert!(tally.interval().0 < 0.85);
        tally.wins = 22;
        assert!(tally.interval().0 > 0.85);
        assert_eq!(Tally::default().interval(), (0.0, 1.0));
    }

    #[test]
    fn elo_is_unbounded_without_a_point_lost_or_won() {
        let tally = |wins, losses| Tally { wins, losses, ..Tally::default() };
        assert_eq!(tally(5, 0).elo(), None);
        assert_eq!(tally(5, 0).elo_error(), None);
        assert_eq!(tally(0, 5).elo(), None);
        close(tally(3, 1).elo().expect("a number"), 190.85, 0.01);
        close(tally(1, 1).elo().expect("a number"), 0.0, 1e-9);
    }

    #[test]
    fn pairs_that_split_every_opening_say_more_than_games_that_do_not() {
        let with =
            |pairs| Tally { wins: 50, losses: 50, pairs, ..Tally::default() }.elo_error().expect("pairs");
        let (split, swept) = (with([0, 0, 50, 0, 0]), with([25, 0, 0, 0, 25]));
        assert!(split * 3.0 < swept, "{split} {swept}");
        // One pair that was split says next to nothing, and a single game no more.
        assert!(tally(&[(Score::Win, Score::Loss)]).elo_error().expect("an error") > 200.0);
        let mut one = Tally::default();
        one.push(Score::Draw);
        assert!(one.elo_error().expect("an error") > 200.0);
    }

    #[test]
    fn superiority_is_as_published() {
        // From reports of fastchess: the pairs, and the likelihood that it prints.
        for (pairs, published) in
            [([1, 24, 42, 25, 8], 0.9504), ([2, 23, 32, 35, 8], 0.9938), ([1, 11, 47, 25, 16], 1.0)]
        {
            // The imagined pairs make ours a little more careful.
            close(Tally { pairs, ..Tally::default() }.superiority(), published, 0.01);
        }
        assert_eq!(Tally::default().superiority(), 0.5);
    }

    #[test]
    fn the_error_is_that_of_independent_games_where_games_are_independent() {
        // 100 pairs of coin tosses, as often as chance has them: 1.96 * sqrt(0.25 / 200) * 694.87.
        let tally = Tally { wins: 100, losses: 100, pairs: [25, 0, 50, 0, 25], ..Tally::default() };
        close(tally.elo_error().expect("an error"), 48.15, 0.01);
    }
}
