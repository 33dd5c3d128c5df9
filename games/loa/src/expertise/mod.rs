//! Lines of Action: what positions and moves are worth, and the bots made of it.
//!
//! * `census`: what is counted about the pieces and carried along from move to move;
//! * `features`: the evaluation, on every size of board and under both rules;
//! * `tactics`: the order of moves, which are noisy, which may be left out;
//! * `threats`: who can connect at once;
//! * `presets`: the bots;
//! * `around`: the neighbours of squares and blocks, which the others count.

mod around;
mod census;
mod features;
mod presets;
mod tactics;
#[cfg(test)]
mod tests;
mod threats;

use crate::{Grid, Loa, Move, Position};
use agon_core::cpu;
use agon_core::{Payoffs, Player};
use agon_search::{Evaluation, Feature, Unit, Weight, as_opinion};

use agon_erased::{EvaluationSpec, Expertise, Preset, TreeExample};
use census::Census;
use census::Inside;
use features::{Regions, Weights};
use presets::PRESETS;

/// What is known about Lines of Action on a board of one size.
#[derive(Clone, Debug)]
pub struct LoaKnowledge<B> {
    opinion: Opinion,
    weights: Weights,
    /// Whether the weights are not our own.
    has_set_weights: bool,
    inside: Inside,
    regions: Regions<B>,
}

/// By what positions are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opinion {
    /// Everything that [`features`] has.
    Features,
    /// The concentration, and the quad heuristic as a bonus to it.
    Quads,
    /// The concentration alone.
    Concentration,
}

/// What the whole range of concentration is worth, and what a solid window is worth beside it.
const CONCENTRATION: f32 = 1000.0;
const QUAD: f32 = 5.0;

impl<B: Grid> LoaKnowledge<B> {
    /// What `position` is worth to the side to move.
    #[inline(always)]
    fn worth(&self, game: &Loa<B>, position: &Position<B>, census: &Census) -> f32 {
        match self.opinion {
            Opinion::Features => B::run_outlined_if_wide(
                #[inline(always)]
                || self.weights.worth(game, &self.regions, position, census),
            ),
            Opinion::Quads => {
                CONCENTRATION * more_concentration(game, position, census)
                    + QUAD * self.more_quads(position, census)
            }
            Opinion::Concentration => CONCENTRATION * more_concentration(game, position, census),
        }
        .round()
    }

    /// How many more solid windows near their centre of mass the side to move has.
    #[inline(always)]
    fn more_quads(&self, position: &Position<B>, census: &Census) -> f32 {
        let [own, enemy] = census.seen_from(position.turn());
        cpu::run_outlined(|| {
            let own = features::quads(&self.regions, position.own(), own);
            let enemy = features::quads(&self.regions, position.enemy(), enemy);
            own as f32 - enemy as f32
        })
    }
}

/// How much better concentrated the side to move is.
#[inline(always)]
fn more_concentration<B: Grid>(game: &Loa<B>, position: &Position<B>, census: &Census) -> f32 {
    let [own, enemy] = census.seen_from(position.turn());
    features::concentration(own, game.size()) - features::concentration(enemy, game.size())
}

impl<B: Grid> Evaluation<Loa<B>> for LoaKnowledge<B> {
    type State = Census;

    fn state(&self, _game: &Loa<B>, position: &Position<B>) -> Census {
        Census::of(&self.inside, position)
    }

    #[inline(always)]
    fn advance(&self, _: &Loa<B>, state: &mut Census, before: &Position<B>, mv: Move, after: &Position<B>) {
        state.advance(&self.inside, before, mv, after);
    }

    #[inline(always)]
    fn payoffs(&self, game: &Loa<B>, position: &Position<B>, census: &Census) -> Payoffs {
        Payoffs::opposed(position.turn(), f64::from(self.worth(game, position, census)))
    }

    #[inline(always)]
    fn score(&self, game: &Loa<B>, position: &Position<B>, census: &Census) -> i32 {
        as_opinion(self.worth(game, position, census) as i32)
    }

    /// The sum of the products is the payoff up to rounding: payoffs are whole numbers.
    fn features(&self, game: &Loa<B>, position: &Position<B>, player: Player) -> Vec<Feature> {
        let census = Census::of(&self.inside, position);
        let reasons = match self.opinion {
            Opinion::Features => self.weights.reasons(game, &self.regions, position, &census),
            Opinion::Quads => vec![
                ("concentration", more_concentration(game, position, &census), CONCENTRATION),
                ("quads", self.more_quads(position, &census), QUAD),
            ],
            Opinion::Concentration => {
                vec![("concentration", more_concentration(game, position, &census), CONCENTRATION)]
            }
        };
        let sign = if player == position.turn() { 1.0 } else { -1.0 };
        let feature = |(name, value, weight)| Feature {
            name,
            value: sign * f64::from(value),
            weight: f64::from(weight),
        };
        reasons.into_iter().map(feature).collect()
    }

    fn unit(&self) -> Unit {
        match self.opinion {
            // What was fitted are our own weights.
            Opinion::Features if self.has_set_weights => Unit::Amount { name: "points", one: 1.0 },
            Opinion::Features => Unit::Expectation { scale: 100.0 },
            Opinion::Quads | Opinion::Concentration => Unit::Amount { name: "points", one: 1.0 },
        }
    }

    fn weights(&self) -> Vec<Weight> {
        if self.opinion == Opinion::Features { self.weights.named() } else { Vec::new() }
    }

    fn set_weight(&mut self, place: usize, value: f64) {
        self.weights.set(place, value);
        self.has_set_weights = true;
    }
}

impl<B: Grid> Expertise for Loa<B> {
    type Knowledge = LoaKnowledge<B>;

    fn evaluations(&self) -> &'static [EvaluationSpec] {
        &[
            EvaluationSpec {
                name: "features",
                summary: "Concentration, centralisation, quads, mobility, walls, connectedness and more, as in MIA.",
            },
            EvaluationSpec {
                name: "s4",
                summary: "Concentration, and the quad heuristic: solid 2×2 windows near the centre of mass.",
            },
            EvaluationSpec {
                name: "concentration",
                summary: "How much closer together one's own pieces stand than the opponent's.",
            },
        ]
    }

    fn knowledge(&self, evaluation: &str) -> Option<LoaKnowledge<B>> {
        let opinion = match evaluation {
            "features" => Opinion::Features,
            "s4" => Opinion::Quads,
            "concentration" => Opinion::Concentration,
            _ => return None,
        };
        Some(LoaKnowledge {
            opinion,
            weights: Weights::new(self.is_rotating()),
            has_set_weights: false,
            inside: Inside::new::<B>(self.size()),
            regions: Regions::new(self.size()),
        })
    }

    fn presets(&self) -> &'static [Preset] {
        PRESETS
    }

    fn tree_example(&self) -> TreeExample {
        TreeExample {
            options: "size=5,rules=standard",
            position: Some("1b1b1/w1b2/4b/wbw2/5 b 38"),
            depth: 2,
            evaluation: Some("concentration"),
        }
    }
}
