//! What so many games can show, before they are played.
//!
//! A difference is shown when the capital that is bet on it has grown enough ([`ConfidenceSequence`](agon_arena::statistics::ConfidenceSequence)).
//! How it grows on average follows from the score and from how far pairs of games spread around it; what is computed here is where the average
//! is enough, so that larger differences will more likely than not be shown, and smaller ones will not.

use crate::plan::Shares;
use crate::results::Results;

/// The standard deviation of the score of a pair of games of equals without draws, before anything is known.
pub(crate) const USUAL_DEVIATION: f64 = 0.353_553_390_593_273_8;
/// More pairs of games than anybody plays.
const MAX_PAIRS: f64 = 1e7;
/// The largest part of the capital that is bet, over the distance of a half from both ends.
const MAX_BET: f64 = 0.75 / 0.5;

/// How many games are played, and how errors are divided: all that is to be known of a study.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power {
    circumstances: usize,
    shares: Shares,
    deviation: f64,
}

/// What the games of a study can show, and what others would take.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlook {
    /// The most games of each setting.
    pub games: u64,
    /// How far from even a score has to be that so many games of a setting show, from a third of the study's to ten times as many.
    pub curve: Vec<Reach>,
    /// What the study shows, and what it takes to show less; none if it shows nothing.
    pub rows: Vec<Cost>,
}

/// What so many games of a setting show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// The games, under all circumstances together.
    pub games: u64,
    /// How far from even a main effect has to be; `None` if none would be shown.
    pub main: Option<f64>,
    /// The same for every circumstance by itself.
    pub each: Option<f64>,
}

/// What it takes to show a difference from even.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// The difference.
    pub distance: f64,
    /// Whether it is to be shown under every circumstance by itself.
    pub is_each: bool,
    /// The games of each setting.
    pub games: u64,
    /// How long those of all settings take on one core.
    pub seconds: f64,
}

/// Differences from even of which it is said how many games they take.
const STEPS: [f64; 5] = [0.1, 0.05, 0.03, 0.02, 0.01];
/// How many of them.
const MAX_STEPS: usize = 3;
/// Steps that are hardly less than what the study shows tell nobody anything.
const MUCH_LESS: f64 = 0.8;

impl Results {
    /// What the games of the study can show, and what others would take, if games spread as they did.
    pub fn outlook(&self) -> Outlook {
        let power = Power::of(self);
        let games = self.games_for_each_setting();
        let has_many = self.circumstances.len() > 1;
        let cost = |distance: f64, is_each: bool, games: u64| {
            let seconds = self.seconds_per_game() * games as f64 * self.effects.len() as f64;
            Cost { distance, is_each, games, seconds }
        };
        let now = power.distance(games);
        let smaller =
            STEPS.into_iter().filter(|step| now.is_none_or(|now| *step < MUCH_LESS * now)).take(MAX_STEPS);
        let mut rows: Vec<Cost> = now.map(|now| cost(now, false, games)).into_iter().collect();
        rows.extend(smaller.filter_map(|step| Some(cost(step, false, power.games_for(step)?))));
        let each = now.filter(|_| has_many).and_then(|now| Some(cost(now, true, power.games_for_each(now)?)));
        rows.extend(each);
        let reach = |step: i32| {
            let games = (games as f64 * 10_f64.powf(f64::from(step) / 10.0)).round() as u64;
            let each = if has_many { power.distance_for_each(games) } else { None };
            Reach { games, main: power.distance(games), each }
        };
        Outlook { games, curve: (-5..=10).map(reach).collect(), rows }
    }
}

impl Power {
    pub(crate) fn new(circumstances: usize, shares: Shares, deviation: f64) -> Self {
        Self { circumstances: circumstances.max(1), shares, deviation }
    }

    /// That of a study whose games have spread as they did.
    pub(crate) fn of(results: &Results) -> Self {
        let known: Vec<f64> = results.effects.iter().filter_map(|effect| effect.deviation).collect();
        let deviation = match known.len() {
            0 => USUAL_DEVIATION,
            count => known.iter().sum::<f64>() / count as f64,
        };
        Self::new(results.circumstances.len(), results.shares(), deviation)
    }

    /// How many games of each setting it takes to show a main effect of a score so far from even; `None` if more than anybody plays.
    pub fn games_for(&self, distance: f64) -> Option<u64> {
        let block = self.circumstances as f64;
        let pairs = self.pairs_for(distance, block, self.shares.main)?;
        Some(2 * ((pairs / block).ceil() * block) as u64)
    }

    /// The same for a difference under each circumstance by itself.
    pub fn games_for_each(&self, distance: f64) -> Option<u64> {
        let pairs = self.pairs_for(distance, 1.0, self.shares.single)?;
        Some(2 * pairs as u64 * self.circumstances as u64)
    }

    /// How far from even a main effect has to be that so many games of each setting show; `None` if none would be.
    pub fn distance(&self, games: u64) -> Option<f64> {
        least(|distance| self.games_for(distance).is_some_and(|needed| needed <= games))
    }

    /// The same for a difference under each circumstance by itself.
    pub fn distance_for_each(&self, games: u64) -> Option<f64> {
        least(|distance| self.games_for_each(distance).is_some_and(|needed| needed <= games))
    }

    /// How many pairs it takes for the capital to have grown enough on average, if they come in blocks.
    fn pairs_for(&self, distance: f64, block: f64, alpha: f64) -> Option<f64> {
        let log_odds = (2.0 / alpha).ln();
        let [lost, won] = chances(0.5 + distance, self.deviation);
        let variance = (self.deviation * self.deviation).max(1e-4);
        let (mut pairs, mut capital) = (0.0, 0.0);
        while pairs < MAX_PAIRS {
            let after: f64 = pairs + block;
            let bet = (2.0 * log_odds / (variance * after * (1.0 + after).ln())).sqrt().min(MAX_BET);
            let growth = lost * (1.0 - bet / 2.0).ln() + won * (1.0 + bet / 2.0).ln();
            // Far out, bets change slowly.
            let step = (pairs / 64.0).floor().max(1.0);
            if growth > 0.0 && capital + step * growth >= log_odds {
                return Some(pairs + ((log_odds - capital) / growth).ceil());
            }
            capital += step * growth;
            pairs += step;
        }
        None
    }
}

/// How often a pair of games is lost and won by whoever has this mean score and this deviation.
fn chances(mean: f64, deviation: f64) -> [f64; 2] {
    let most = mean * (1.0 - mean);
    let least = ((3.0 * mean - 1.0) / 2.0 - mean * mean).max(0.0);
    let square = (deviation * deviation).clamp(least, most.max(least)) + mean * mean;
    let [split, won] = [4.0 * (mean - square), 2.0 * square - mean].map(|chance| chance.clamp(0.0, 1.0));
    [(1.0 - split - won).max(0.0), won]
}

/// The least distance from even, to a thousandth, that is enough; `None` if even a half is not.
fn least(is_enough: impl Fn(f64) -> bool) -> Option<f64> {
    let (mut low, mut high) = (0, 500);
    if !is_enough(0.5) {
        return None;
    }
    while high - low > 1 {
        let middle = (low + high) / 2;
        if is_enough(f64::from(middle) / 1000.0) { high = middle } else { low = middle }
    }
    Some(f64::from(high) / 1000.0)
}

#[cfg(test)]
mod tests {
    use agon_arena::statistics::ConfidenceSequence;
    use agon_core::random::{seeded, unit};

    use super::*;

    /// Six settings under six circumstances.
    fn power() -> Power {
        Power::new(6, Shares::of(0.05, 6, 6), USUAL_DEVIATION)
    }

    /// In how many of so many studies a main effect is shown.
    fn shown(distance: f64, games: u64, studies: u64) -> usize {
        let is_shown = |seed: &u64| {
            let mut rng = seeded(*seed);
            let mut sequence = ConfidenceSequence::new(power().shares.main);
            (0..games / 12).any(|_| {
                let mut game = || if unit(&mut rng) < 0.5 + distance { 0.5 } else { 0.0 };
                let block: [f64; 6] = std::array::from_fn(|_| game() + game());
                sequence.push_block(&block);
                sequence.side_of(0.5).is_some()
            })
        };
        (0..studies).filter(is_shown).count()
    }

    #[test]
    fn what_is_forecast_is_shown_about_as_often_as_not() {
        for games in [120, 300, 1200] {
            let distance = power().distance(games).expect("a difference");
            let right = shown(distance, games, 100);
            assert!((30..=80).contains(&right), "{games} games, {distance}: {right} of 100");
            assert!(shown(0.6 * distance, games, 100) < 20, "smaller ones stay open");
            assert!(shown(1.5 * distance, games, 100) > 80, "larger ones are shown");
        }
    }

    #[test]
    fn games_and_distances_belong_together() {
        let power = power();
        assert_eq!(power.distance(12), None, "a pair under each circumstance shows nothing");
        for distance in [0.03, 0.05, 0.1, 0.2] {
            let games = power.games_for(distance).expect("enough games");
            assert_eq!(games % 12, 0, "whole blocks");
            assert!(power.distance(games).is_some_and(|found| found <= distance), "{distance}");
            assert!(power.distance(games - 12).is_none_or(|found| found > distance), "{distance}");
            assert!(
                power.games_for_each(distance).expect("enough") > 4 * games,
                "a circumstance alone needs more"
            );
        }
        let half = power.games_for(0.05).expect("games") as f64 / power.games_for(0.1).expect("games") as f64;
        assert!((3.5..6.0).contains(&half), "half the difference takes about four times the games: {half}");
    }
}
