//! The strength of many players, from all their games together.
//!
//! The model is Bradley-Terry with draws as Davidson has them ("On extending the Bradley-Terry model to accommodate ties in paired
//! comparison experiments", 1970) and a term for the first move: with d = strength of the first player - strength of the second +
//! advantage, the first wins, draws and loses with odds exp(d / 2) : ν : exp(-d / 2). Advantage and ν belong to a *group* of games, such
//! as a round, because they depend on what is played. Weak normal priors keep players with all points or none at finite strength.
//! The fit maximises the posterior by Newton's method (it is concave, so there is one maximum), and errors are from the inverse of the
//! Hessian.
//!
//! Ratings are told in Elo, relative to the mean of all players. Draws make a step of the model's own scale worth less in points, so
//! it is stretched as BayesElo does: between players of nearly equal strength, a difference means the same expected score as in the
//! usual formula.

use std::collections::BTreeMap;

use super::matrix::Cholesky;
use super::normal::{self, Z};
use super::{ELO_PER_UNIT, Score};

/// A game between two players, or the comparison of two in a game of more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encounter {
    /// The player who moved first.
    pub first: usize,
    /// The other player.
    pub second: usize,
    /// What was played: games of one group share the advantage of the first move and how frequent draws are.
    pub group: usize,
    /// How it ended for the first.
    pub score: Score,
    /// Whether the first move may be an advantage.
    pub is_ordered: bool,
}

/// What is known before any game: normal distributions, given by the inverse of their variances; 0 is no knowledge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prior {
    /// Of strengths, around 0.
    pub strength: f64,
    /// Of advantages of the first move, around 0.
    pub first_move: f64,
    /// Of the logarithm of ν, around -1.
    pub draws: f64,
}

impl Default for Prior {
    /// Standard deviations of 3 (about 520 Elo), 1 (about 170 Elo) and 2.
    fn default() -> Self {
        Self { strength: 1.0 / 9.0, first_move: 1.0, draws: 0.25 }
    }
}

/// Around which the prior of the logarithm of ν lies: between equals, one game in six is drawn.
const LIKELY_DRAWS: f64 = -1.0;

/// What was fitted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ratings {
    /// The Elo ratings of the players; their mean is 0.
    pub elo: Vec<f64>,
    /// The half-widths of the 95% intervals.
    pub error: Vec<f64>,
    /// How many encounters each player had.
    pub encounters: Vec<u64>,
    /// What is known about each group.
    pub groups: Vec<Group>,
    /// The covariances of ratings, by rows.
    covariance: Vec<f64>,
}

/// What holds for all games of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Group {
    /// The score of who moves first against an equal.
    pub first_score: f64,
    /// The 95% interval of that score.
    pub first_interval: (f64, f64),
    /// The share of draws between equals.
    pub draws: f64,
    /// How many encounters with a first move there were.
    pub encounters: u64,
}

impl Ratings {
    /// How likely it is that one player is stronger than another.
    pub fn superiority(&self, one: usize, other: usize) -> f64 {
        if one == other {
            return 0.5;
        }
        let players = self.elo.len();
        let at = |row: usize, column: usize| self.covariance[row * players + column];
        let variance = at(one, one) + at(other, other) - 2.0 * at(one, other);
        normal::below((self.elo[one] - self.elo[other]) / variance.max(f64::MIN_POSITIVE).sqrt())
    }
}

/// The encounters of two players in a group, counted: won by the first, drawn, lost.
type Counts = BTreeMap<(usize, usize, usize, bool), [f64; 3]>;

/// Fits the model. Players and groups are numbered from 0; encounters of a player with themselves say nothing.
///
/// # Panics
/// If an encounter names a player or a group that does not exist.
pub fn fit(players: usize, groups: usize, encounters: &[Encounter], prior: &Prior) -> Ratings {
    let mut counts = Counts::new();
    let mut by_player = vec![0; players];
    let mut by_group = vec![0; groups];
    for &Encounter { first, second, group, score, is_ordered } in encounters {
        assert!(first < players && second < players && group < groups, "players and groups are numbered");
        if first == second {
            continue;
        }
        let outcome = match score {
            Score::Win => 0,
            Score::Draw => 1,
            Score::Loss => 2,
        };
        counts.entry((first, second, group, is_ordered)).or_default()[outcome] += 1.0;
        by_player[first] += 1;
        by_player[second] += 1;
        by_group[group] += u64::from(is_ordered);
    }
    let model = Model { players, groups, counts, prior: *prior };
    let (parameters, covariance) = model.maximum();
    let of_group = |group: usize| {
        let index = model.advantage(group);
        let (advantage, log_nu) = (parameters[index], parameters[model.log_nu(group)]);
        let reach = Z * covariance[index * model.size() + index].sqrt();
        let score = |advantage: f64| {
            let [win, draw, _] = chances(advantage, log_nu);
            win + draw / 2.0
        };
        Group {
            first_score: score(advantage),
            first_interval: (score(advantage - reach), score(advantage + reach)),
            draws: chances(0.0, log_nu)[1],
            encounters: by_group[group],
        }
    };
    let elo = ELO_PER_UNIT * model.stretch(&parameters);
    let covariance = model.relative_covariance(&covariance, elo);
    Ratings {
        elo: parameters[..players].iter().map(|strength| elo * strength).collect(),
        error: (0..players).map(|player| Z * covariance[player * players + player].max(0.0).sqrt()).collect(),
        encounters: by_player,
        groups: (0..groups).map(of_group).collect(),
        covariance,
    }
}

/// The chances of a win, a draw and a loss.
fn chances(difference: f64, log_nu: f64) -> [f64; 3] {
    let logits = [difference / 2.0, log_nu, -difference / 2.0];
    let most = logits.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let odds = logits.map(|logit| (logit - most).exp());
    let sum: f64 = odds.iter().sum();
    odds.map(|odds| odds / sum)
}

struct Model {
    players: usize,
    groups: usize,
    counts: Counts,
    prior: Prior,
}

impl Model {
    fn size(&self) -> usize {
        self.players + 2 * self.groups
    }

    /// Where the advantage of a group stands among the parameters.
    fn advantage(&self, group: usize) -> usize {
        self.players + group
    }

    /// Where the logarithm of ν of a group stands among the parameters.
    fn log_nu(&self, group: usize) -> usize {
        self.players + self.groups + group
    }

    /// The most likely parameters, and their covariances.
    fn maximum(&self) -> (Vec<f64>, Vec<f64>) {
        const MAX_STEPS: usize = 200;
        const CLOSE: f64 = 1e-9;
        let size = self.size();
        let mut parameters = vec![0.0; size];
        parameters[self.players + self.groups..].fill(LIKELY_DRAWS);
        let mut posterior = self.posterior(&parameters);
        for _ in 0..MAX_STEPS {
            let (gradient, hessian) = self.slopes(&parameters);
            let Some(curvature) = Cholesky::new(&hessian, size) else { break };
            let step = curvature.solve(&gradient);
            // Newton's step can be too long where the posterior is flat.
            let better = (0..60).map(|halvings| 0.5_f64.powi(halvings)).find_map(|length| {
                let there: Vec<f64> =
                    parameters.iter().zip(&step).map(|(at, step)| at + length * step).collect();
                let reached = self.posterior(&there);
                (reached >= posterior).then_some((there, reached))
            });
            let Some((there, reached)) = better else { break };
            (parameters, posterior) = (there, reached);
            if step.iter().all(|step| step.abs() < CLOSE) {
                break;
            }
        }
        let (_, hessian) = self.slopes(&parameters);
        let covariance = Cholesky::new(&hessian, size)
            .map_or_else(|| vec![f64::INFINITY; size * size], |curvature| curvature.inverse());
        (parameters, covariance)
    }

    /// What the prior says about each parameter: where it lies, and the inverse of its variance.
    fn priors(&self) -> impl Iterator<Item = (f64, f64)> {
        let Prior { strength, first_move, draws } = self.prior;
        let of = |count, mean, precision| std::iter::repeat_n((mean, precision), count);
        of(self.players, 0.0, strength).chain(of(self.groups, 0.0, first_move)).chain(of(
            self.groups,
            LIKELY_DRAWS,
            draws,
        ))
    }

    /// The logarithm of the posterior, but for a constant.
    fn posterior(&self, parameters: &[f64]) -> f64 {
        let likelihood: f64 = self
            .counts
            .iter()
            .map(|(key, counts)| {
                let chances = chances(self.difference(key, parameters), parameters[self.log_nu(key.2)]);
                // What never happened may have no chance.
                let term = |(count, chance): (&f64, f64)| {
                    if *count > 0.0 { count * chance.max(f64::MIN_POSITIVE).ln() } else { 0.0 }
                };
                counts.iter().zip(chances).map(term).sum::<f64>()
            })
            .sum();
        let prior: f64 = self
            .priors()
            .zip(parameters)
            .map(|((mean, precision), at)| precision * (at - mean).powi(2) / 2.0)
            .sum();
        let sum: f64 = parameters[..self.players].iter().sum();
        likelihood - prior - sum * sum / 2.0
    }

    fn difference(
        &self,
        &(first, second, group, is_ordered): &(usize, usize, usize, bool),
        parameters: &[f64],
    ) -> f64 {
        let advantage = if is_ordered { parameters[self.advantage(group)] } else { 0.0 };
        parameters[first] - parameters[second] + advantage
    }

    /// The gradient of [`posterior`](Self::posterior) and its Hessian with the sign changed.
    fn slopes(&self, parameters: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let size = self.size();
        let mut gradient = vec![0.0; size];
        let mut hessian = vec![0.0; size * size];
        for (key, counts) in &self.counts {
            let &(first, second, group, is_ordered) = key;
            let log_nu = self.log_nu(group);
            let [win, draw, loss] = chances(self.difference(key, parameters), parameters[log_nu]);
            let games: f64 = counts.iter().sum();
            let [won, drawn, lost] = *counts;
            // Slopes by the difference, by the logarithm of ν, and by both.
            let by_difference = (won - lost - games * (win - loss)) / 2.0;
            let lead = win - loss;
            let twice = games * (win + loss - lead * lead) / 4.0;
            let mixed = -games * draw * lead / 2.0;
            // What the difference consists of.
            let parts =
                [(first, 1.0), (second, -1.0), (self.advantage(group), f64::from(u8::from(is_ordered)))];
            for (row, sign) in parts {
                gradient[row] += sign * by_difference;
                for (column, other) in parts {
                    hessian[row * size + column] += sign * other * twice;
                }
                hessian[row * size + log_nu] += sign * mixed;
                hessian[log_nu * size + row] += sign * mixed;
            }
            gradient[log_nu] += drawn - games * draw;
            hessian[log_nu * size + log_nu] += games * draw * (1.0 - draw);
        }
        for (index, (mean, precision)) in self.priors().enumerate() {
            gradient[index] -= precision * (parameters[index] - mean);
            hessian[index * size + index] += precision;
        }
        // Only differences of strengths matter: their sum is held at 0.
        let sum: f64 = parameters[..self.players].iter().sum();
        for row in 0..self.players {
            gradient[row] -= sum;
            for column in 0..self.players {
                hessian[row * size + column] += 1.0;
            }
        }
        (gradient, hessian)
    }

    /// By how much strengths have to be stretched so that between equals they mean the expected scores of the usual Elo formula.
    fn stretch(&self, parameters: &[f64]) -> f64 {
        let (mut sum, mut games) = (0.0, 0.0);
        for (&(_, _, group, is_ordered), counts) in &self.counts {
            let advantage = if is_ordered { parameters[self.advantage(group)] } else { 0.0 };
            let [win, draw, loss] = chances(advantage, parameters[self.log_nu(group)]);
            let slope = (win - (win + draw / 2.0) * (win - loss)) / 2.0;
            let count: f64 = counts.iter().sum();
            // The usual formula has a slope of a quarter.
            sum += count * 4.0 * slope;
            games += count;
        }
        if games > 0.0 { sum / games } else { 1.0 }
    }

    /// The covariances of strengths relative to their mean, in Elo.
    fn relative_covariance(&self, covariance: &[f64], elo: f64) -> Vec<f64> {
        let (players, size) = (self.players, self.size());
        let count = players.max(1) as f64;
        let at = |row: usize, column: usize| covariance[row * size + column];
        let means: Vec<f64> =
            (0..players).map(|row| (0..players).map(|column| at(row, column)).sum::<f64>() / count).collect();
        let mean = means.iter().sum::<f64>() / count;
        (0..players)
            .flat_map(|row| (0..players).map(move |column| (row, column)))
            .map(|(row, column)| elo * elo * (at(row, column) - means[row] - means[column] + mean))
            .collect()
    }
}

#[cfg(test)]
mod tests;
