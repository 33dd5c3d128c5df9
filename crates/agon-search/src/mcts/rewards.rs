//! What the end of a playout is worth: the currency in which the tree reckons.
//!
//! With opponents it is the chance of winning: 1 for a win, 0 for a loss, and a draw is shared by all. Opinions become
//! chances by the scale of the evaluation, and the chances of all players add up to 1. Alone, it is what the game pays, a
//! score of any size, which [`Spread`] makes comparable.

use agon_core::{Game, MAX_PLAYERS, Payoffs, Player, Verdict, maths};

use crate::{Evaluation, PROVEN};

/// What a playout is worth to each player.
pub(super) type Rewards = [f64; MAX_PLAYERS];

/// How a game's payoffs and opinions become rewards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Currency {
    players: usize,
    scale: f64,
}

impl Currency {
    pub(super) fn of<G: Game, E: Evaluation<G>>(game: &G, evaluation: &E) -> Self {
        Self { players: game.players(), scale: evaluation.scale() }
    }

    /// Whether what one player gains others lose.
    pub(super) fn has_opponents(self) -> bool {
        self.players > 1
    }

    /// What a game pays at its end, -1 to 1 with opponents.
    #[inline(always)]
    pub(super) fn of_payoffs(self, payoffs: &Payoffs) -> Rewards {
        if self.players == 1 {
            return payoffs.0;
        }
        let even = 1.0 / self.players as f64;
        let mut rewards = [0.0; MAX_PLAYERS];
        for (reward, payoff) in rewards.iter_mut().zip(payoffs.0).take(self.players) {
            *reward = if payoff < 0.0 { even * (1.0 + payoff) } else { even + (1.0 - even) * payoff };
        }
        rewards
    }

    /// What an evaluation says of an unfinished game.
    #[inline(always)]
    pub(super) fn of_opinion(self, payoffs: &Payoffs) -> Rewards {
        if self.players == 1 {
            return payoffs.0;
        }
        let mut rewards = [0.0; MAX_PLAYERS];
        let best = payoffs.0[..self.players].iter().copied().fold(f64::MIN, f64::max);
        for (reward, payoff) in rewards.iter_mut().zip(payoffs.0).take(self.players) {
            // With two players a lead of one scale is then 3 to 1; the best is subtracted so that nothing overflows.
            *reward = maths::exp((payoff - best) / (2.0 * self.scale) * maths::LN_3);
        }
        let sum: f64 = rewards[..self.players].iter().sum();
        rewards.map(|reward| reward / sum)
    }

    /// What a proven result is worth.
    #[inline(always)]
    pub(super) fn of_verdict(self, verdict: Verdict) -> Rewards {
        let mut payoffs = Payoffs::default();
        standard(self.players, verdict, &mut payoffs);
        self.of_payoffs(&payoffs)
    }

    /// The reward of one player in the unit of the evaluation: the opposite of [`of_opinion`](Self::of_opinion), all others
    /// being equals.
    pub(super) fn score(self, reward: f64) -> f64 {
        if self.players == 1 {
            return reward;
        }
        let others = self.players as f64 - 1.0;
        let odds = others * reward / (1.0 - reward);
        let limit = f64::from(PROVEN - 1);
        let score = 2.0 * self.scale * others / (others + 1.0) * maths::ln(odds) / maths::LN_3;
        if score.is_nan() { 0.0 } else { score.clamp(-limit, limit) }
    }
}

/// What a verdict pays unless a game has payoffs of its own.
fn standard(players: usize, verdict: Verdict, payoffs: &mut Payoffs) {
    match verdict {
        Verdict::Won(winner) => {
            payoffs.0[..players].fill(-1.0);
            payoffs.0[winner.index()] = 1.0;
        }
        Verdict::Lost => payoffs.0[..players].fill(-1.0),
        Verdict::Drawn => {}
    }
}

/// Whether `payoffs` say no more than `verdict` does, so that the solver may reckon with the verdict alone.
pub(super) fn is_standard(players: usize, verdict: Verdict, payoffs: &Payoffs) -> bool {
    let mut expected = Payoffs::default();
    standard(players, verdict, &mut expected);
    expected == *payoffs
}

/// Rewards so far: their mean and variance, kept by Welford's method, and the largest deviation that they ever had. A search
/// that has found what it wants sees the same reward again and again; that must not make small differences large.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spread {
    count: f64,
    mean: f64,
    squares: f64,
    deviation: f64,
}

impl Spread {
    #[inline(always)]
    pub(super) fn add(&mut self, reward: f64) {
        self.count += 1.0;
        let difference = reward - self.mean;
        self.mean += difference / self.count;
        self.squares += difference * (reward - self.mean);
        self.deviation = self.deviation.max((self.squares / self.count).sqrt());
    }

    /// `(offset, factor)` such that `(reward - offset) * factor` has the mean and the deviation of a game that is won and
    /// lost evenly, one half each: the constants of the search then mean the same in every game.
    pub(super) fn normal(&self) -> (f64, f64) {
        if self.deviation > 0.0 {
            (self.mean - self.deviation, 0.5 / self.deviation)
        } else {
            (self.mean - 0.5, 1.0)
        }
    }
}

/// The reward of `player`.
#[inline(always)]
pub(super) fn reward_of(rewards: &Rewards, player: Player) -> f64 {
    rewards[player.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_of_one_scale_wins_three_in_four_and_scores_come_back() {
        let currency = Currency { players: 2, scale: 50.0 };
        let mut payoffs = Payoffs::default();
        (payoffs.0[0], payoffs.0[1]) = (50.0, -50.0);
        let rewards = currency.of_opinion(&payoffs);
        assert!((rewards[0] - 0.75).abs() < 1e-9 && (rewards[1] - 0.25).abs() < 1e-9);
        assert!((currency.score(rewards[0]) - 50.0).abs() < 1e-6);
        assert!((currency.score(rewards[1]) + 50.0).abs() < 1e-6);
        assert_eq!([0.0, 1.0].map(|reward| currency.score(reward).abs()), [f64::from(PROVEN - 1); 2]);
    }

    #[test]
    fn chances_add_up_to_one_with_any_number_of_players() {
        for players in 2..=MAX_PLAYERS {
            let currency = Currency { players, scale: 100.0 };
            let mut payoffs = Payoffs::default();
            payoffs.0[0] = 1e9;
            payoffs.0[1] = -300.0;
            let verdicts = [Verdict::Drawn, Verdict::Won(Player(1))];
            let ends = verdicts.map(|verdict| currency.of_verdict(verdict));
            for rewards in [currency.of_opinion(&payoffs), ends[0], ends[1]] {
                assert!((rewards.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{rewards:?}");
            }
            assert!(currency.score(1.0 / players as f64).abs() < 1e-9, "an even chance is no lead");
        }
    }
}
