//! Positions of games, and what an evaluation sees in them.
//!
//! What a weight is multiplied by is found by asking the evaluation itself: with one weight at 1 and all others at 0 its features add up to
//! just that, whether a weight belongs to one feature, to several, or to another one for each side.

use agon_core::random::{below, mix, seeded};
use agon_core::{Player, Turn};
use agon_erased::{Bot, BotSpec, BotSpecError, Linear, PROVEN, Rules, Session, SpecificationError, WEIGHTS};
use agon_study::bots::Cast;

use crate::fit::Sample;
use crate::play::Entry;

/// The bot that is asked: it judges and does nothing else.
const JUDGE: &str = "greedy";
/// Positions so near to the end of a game, in plies, are left out: the search sees the end, and the evaluation is not asked.
const LAST_PLIES: usize = 4;
/// A position is quiet if what the search says differs from what the evaluation says by at most this share of a lead that wins three
/// games in four.
const QUIET: f64 = 0.5;

/// Asks an evaluation about positions.
pub(crate) struct Lens {
    present: Box<dyn Bot>,
    zero: Box<dyn Bot>,
    units: Vec<Box<dyn Bot>>,
    scale: f64,
}

/// A bot that could not be made.
#[derive(Debug, thiserror::Error)]
pub enum LensError {
    /// Its weights take more room than a specification has.
    #[error(transparent)]
    Spec(#[from] BotSpecError),
    /// It is refused.
    #[error(transparent)]
    Bot(#[from] SpecificationError),
}

/// A specification with weights set.
pub(crate) fn with_weights<'a>(
    spec: &BotSpec,
    weights: impl IntoIterator<Item = (&'a str, f64)>,
) -> Result<BotSpec, BotSpecError> {
    let set: Vec<String> = weights.into_iter().map(|(name, value)| format!("{name}:{value}")).collect();
    spec.with(WEIGHTS.key, set.join("+"))
}

impl Lens {
    pub(crate) fn new(rules: &dyn Rules, linear: &Linear, spec: &BotSpec) -> Result<Self, LensError> {
        let judge = BotSpec::named(JUDGE).with("eval", &linear.evaluation)?;
        let names = || linear.weights.iter().map(|weight| weight.name.as_str());
        let with_one = |one: usize| -> Result<Box<dyn Bot>, LensError> {
            let weights = names().enumerate().map(|(index, name)| (name, f64::from(u8::from(index == one))));
            Ok(rules.bot(&with_weights(&judge, weights)?, 0)?)
        };
        let cast = Cast::of(rules);
        let present = match cast.weights(spec) {
            Some(weights) => judge.with(WEIGHTS.key, weights)?,
            None => judge.clone(),
        };
        Ok(Self {
            present: rules.bot(&present, 0)?,
            zero: with_one(usize::MAX)?,
            units: (0..linear.weights.len()).map(with_one).collect::<Result<_, _>>()?,
            scale: linear.scale,
        })
    }

    /// What is seen in the game as it stands, for the side to move.
    fn look(&self, session: &dyn Session, label: f64) -> Sample {
        let constant = opinion(&*self.zero, session);
        let amounts = self.units.iter().map(|unit| opinion(&**unit, session) - constant).collect();
        Sample { constant, amounts, opinion: opinion(&*self.present, session), label }
    }

    /// The positions of a game that are worth learning from, at most `most` of them, chosen by `seed`.
    pub(crate) fn samples(&self, rules: &dyn Rules, game: &Entry, most: usize, seed: u64) -> Vec<Sample> {
        let is_decided = game.score != 1;
        let last = game.moves.len().saturating_sub(if is_decided { LAST_PLIES } else { 0 });
        let mut session = rules.start();
        let mut seen = Vec::new();
        for (ply, token) in game.moves.iter().enumerate().take(last) {
            if ply >= game.opening
                && let Turn::Player(player) = session.turn()
            {
                let sample = self.look(&*session, label(game, player));
                if self.is_quiet(&sample, game.scores.get(ply).copied().flatten()) {
                    seen.push(sample);
                }
            }
            if session.play(token).is_err() {
                return Vec::new();
            }
        }
        // Positions that follow each other say much the same.
        let mut rng = seeded(mix(seed, game.game as u64));
        while seen.len() > most {
            let leaves = below(&mut rng, seen.len() as u64) as usize;
            seen.remove(leaves);
        }
        seen
    }

    fn is_quiet(&self, sample: &Sample, score: Option<i64>) -> bool {
        score.is_none_or(|score| {
            let score = score as f64;
            score.abs() < f64::from(PROVEN) && (score - sample.opinion).abs() <= QUIET * self.scale
        })
    }
}

fn opinion(bot: &dyn Bot, session: &dyn Session) -> f64 {
    bot.features(session).iter().map(|feature| feature.value * feature.weight).sum()
}

/// How a game of two ended for one of them.
fn label(game: &Entry, player: Player) -> f64 {
    let first = f64::from(game.score) / 2.0;
    if player == Player(0) { first } else { 1.0 - first }
}

#[cfg(test)]
mod tests {
    use agon_registry::GAMES;

    use super::*;

    /// Every evaluation with weights of every game of two.
    #[test]
    fn amounts_and_weights_make_up_the_opinion() {
        let mut checked = Vec::new();
        for entry in GAMES.iter().filter(|entry| entry.spec.id != "2048") {
            let rules = entry.rules("").expect("defaults");
            for evaluation in rules.evaluations() {
                let spec = BotSpec::named(JUDGE).with("eval", evaluation.name).expect("a specification");
                let linear = rules.linear(&spec).expect("a bot");
                // Othello's features weigh differently as the board fills; set weights do not.
                if linear.weights.is_empty() || evaluation.name == "features" && entry.spec.id == "othello" {
                    continue;
                }
                let lens = Lens::new(&*rules, &linear, &spec).expect("a lens");
                let moves = agon_arena::openings::opening(&*rules, 24, 3);
                let mut session = rules.start();
                for token in &moves {
                    session.play(token).expect("a legal move");
                    let sample = lens.look(&*session, 1.0);
                    let pairs = sample.amounts.iter().zip(&linear.weights);
                    let sum =
                        sample.constant + pairs.map(|(amount, weight)| amount * weight.value).sum::<f64>();
                    let tolerance = 1e-3 * sample.opinion.abs().max(1.0);
                    assert!(
                        (sum - sample.opinion).abs() < tolerance,
                        "{}: {sum} {sample:?}",
                        evaluation.name
                    );
                }
                checked.push(evaluation.name);
            }
        }
        for name in ["tafl", "s1", "features", "crossing", "s2", "s5-advanced"] {
            assert!(checked.contains(&name), "{name} {checked:?}");
        }
    }

    #[test]
    fn openings_ends_and_noisy_positions_are_left_out() {
        let rules = GAMES.iter().next().expect("a game").rules("size=6").expect("options");
        let spec: BotSpec = "greedy:eval=features".parse().expect("a specification");
        let linear = rules.linear(&spec).expect("a bot");
        let lens = Lens::new(&*rules, &linear, &spec).expect("a lens");
        let moves = agon_arena::openings::opening(&*rules, 20, 5);
        let entry = |score: u8, scores: Vec<Option<i64>>| Entry {
            game: 7,
            score,
            plies: moves.len(),
            opening: 6,
            moves: moves.clone(),
            scores,
            ..Entry::default()
        };
        let count = |entry: &Entry, most: usize| lens.samples(&*rules, entry, most, 1).len();
        assert_eq!(count(&entry(1, Vec::new()), 100), 14, "all but the opening");
        let won = lens.samples(&*rules, &entry(2, Vec::new()), 100, 1);
        assert_eq!(won.len(), 10, "nor the end");
        assert!(won.iter().any(|sample| sample.label == 1.0) && won.iter().any(|sample| sample.label == 0.0));
        assert_eq!(count(&entry(1, vec![Some(950_000); 20]), 100), 0, "a win has been found");
        assert_eq!(count(&entry(1, Vec::new()), 5), 5);
        let twice = [1, 1].map(|seed| lens.samples(&*rules, &entry(1, Vec::new()), 5, seed));
        assert_eq!(twice[0], twice[1]);
    }
}
