//! The evaluations by name, in the form that searches ask for.

use std::sync::{Arc, LazyLock};

use crate::{ChineseCheckers, Colour, EVERY_HOLE, Hole, Move, Position};
use agon_core::{Game, Line, MAX_PLAYERS, Payoffs, Player};
use agon_search::{Evaluation, Feature, Unit, Weight, as_opinion};

use super::way::{ByHole, Way};
use super::{evaluation, s2};
use agon_erased::EvaluationSpec;

/// Which evaluation it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judge {
    /// Moves left, estimated.
    Crossing,
    /// Steps left.
    Progress,
    /// Source S2's.
    S2,
    /// Source S2's with shapes.
    S2Hard,
}

/// The evaluations as listings show them, the best first.
pub(super) const EVALUATIONS: &[EvaluationSpec] = &[
    EvaluationSpec {
        name: "crossing",
        summary: "Estimated number of moves that the opponents need to get home, minus one's own, in thousandths.",
    },
    EvaluationSpec { name: "progress", summary: "Steps that the opponents have left, minus one's own." },
    EvaluationSpec {
        name: "s2",
        summary: "S2's: rows advanced, marbles without a neighbour, marbles still at home.",
    },
    EvaluationSpec {
        name: "s2-hard",
        summary: "S2's with shapes: before round 40 also pairs, triangles and double pairs.",
    },
];

const JUDGES: [Judge; 4] = [Judge::Crossing, Judge::Progress, Judge::S2, Judge::S2Hard];

/// What the marbles of each colour are worth in each hole by themselves.
type Values = [ByHole<i32>; 6];

/// What one of each feature is worth; those that an evaluation does not have are 0.
type Weights = evaluation::Weights;

/// The values of each [`Judge`] by its own weights.
static VALUES: LazyLock<[Arc<Values>; 4]> =
    LazyLock::new(|| JUDGES.map(|judge| Arc::new(values(judge, &own_weights(judge)))));

fn own_weights(judge: Judge) -> Weights {
    match judge {
        Judge::Crossing => evaluation::OWN,
        Judge::Progress => std::array::from_fn(|index| if index == 0 { -STEP } else { 0 }),
        Judge::S2 | Judge::S2Hard => {
            std::array::from_fn(|index| s2::FEATURES.get(index).map_or(0, |(_, _, weight)| *weight))
        }
    }
}

/// What a step is worth to the evaluation by steps.
const STEP: i32 = 100;

fn values(judge: Judge, weights: &Weights) -> Values {
    Colour::ALL.map(|colour| match judge {
        Judge::Crossing => evaluation::marble_values(weights, colour),
        Judge::Progress => by_hole(|hole| weights[0] * colour.steps_left(hole) as i32),
        Judge::S2 | Judge::S2Hard => by_hole(|hole| {
            let at_home = i32::from(colour.home().contains(hole));
            i32::from(Way::of(colour).rows[hole.index()]) * weights[0] + at_home * weights[2]
        }),
    })
}

fn by_hole(value: impl Fn(Hole) -> i32) -> ByHole<i32> {
    let mut values = [0; 256];
    EVERY_HOLE.into_iter().for_each(|hole| values[hole.index()] = value(hole));
    values
}

/// What is known about Chinese Checkers.
#[derive(Clone, Debug)]
pub struct ChineseCheckersKnowledge {
    pub(super) judge: Judge,
    weights: Weights,
    /// Whether the weights are not the evaluation's own.
    has_set_weights: bool,
    values: Arc<Values>,
    /// Whether the shapes of source S2 count, as the game that is played has it; before any game, as each position has it.
    shapes: Option<bool>,
}

impl ChineseCheckersKnowledge {
    /// The knowledge with the evaluation called `name`.
    pub(super) fn new(name: &str) -> Option<Self> {
        let index = EVALUATIONS.iter().position(|evaluation| evaluation.name == name)?;
        let judge = JUDGES[index];
        let values = Arc::clone(&VALUES[index]);
        Some(Self { judge, weights: own_weights(judge), has_set_weights: false, values, shapes: None })
    }

    /// Whether the shapes of source S2 count.
    #[inline(always)]
    fn has_shapes(&self, game: &ChineseCheckers, position: &Position) -> bool {
        self.judge == Judge::S2Hard && self.shapes.unwrap_or_else(|| s2::has_shapes(game, position))
    }

    /// What the marbles of a colour are worth beyond what each is worth by itself.
    #[inline(always)]
    fn joint_value(&self, game: &ChineseCheckers, position: &Position, colour: Colour) -> i32 {
        let marbles = position.marbles(colour);
        match self.judge {
            Judge::Crossing => evaluation::joint_value(&self.weights, marbles, position.occupied(), colour),
            Judge::Progress => 0,
            Judge::S2 | Judge::S2Hard => {
                let lonely = self.weights[1] * s2::lonely(marbles) as i32;
                if self.has_shapes(game, position) {
                    let counts = s2::shapes(position, colour).into_iter();
                    let weights = &self.weights[s2::COUNT - s2::SHAPES..];
                    lonely + counts.zip(weights).map(|(count, weight)| count as i32 * weight).sum::<i32>()
                } else {
                    lonely
                }
            }
        }
    }

    /// What a seat's marbles are worth to it, whatever those of the others are.
    #[inline(always)]
    fn seat_value(&self, game: &ChineseCheckers, position: &Position, state: &Sums, seat: Player) -> i32 {
        let mut value = state.0[seat.index()];
        for &colour in game.colours(seat) {
            value += self.joint_value(game, position, colour);
        }
        value
    }
}

/// For each seat the sum of what its marbles are worth by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sums([i32; MAX_PLAYERS]);

/// The colour of a marble of the seat to move.
#[inline(always)]
pub(super) fn colour_of(game: &ChineseCheckers, position: &Position, from: Hole) -> Colour {
    match *game.colours(position.mover()) {
        [colour] => colour,
        ref several => position.colour_at(from).unwrap_or(several[0]),
    }
}

/// The others' share in what a seat thinks of a position is their mean: with one opponent, the opponent.
fn less_others(players: usize, own: f64, all: f64) -> f64 {
    own - (all - own) / (players - 1) as f64
}

impl Evaluation<ChineseCheckers> for ChineseCheckersKnowledge {
    type State = Sums;

    fn state(&self, game: &ChineseCheckers, position: &Position) -> Sums {
        let mut sums = [0; MAX_PLAYERS];
        for (seat, sum) in sums.iter_mut().enumerate().take(game.players()) {
            for &colour in game.colours(Player(seat as u8)) {
                let values = &self.values[colour as usize];
                position.marbles(colour).for_each(|hole| *sum += values[hole.index()]);
            }
        }
        Sums(sums)
    }

    #[inline(always)]
    fn advance(
        &self,
        game: &ChineseCheckers,
        state: &mut Sums,
        before: &Position,
        mv: Move,
        _after: &Position,
    ) {
        if let Move::Marble { from, to } = mv {
            let values = &self.values[colour_of(game, before, from) as usize];
            state.0[before.mover().index()] += values[to.index()] - values[from.index()];
        }
    }

    #[inline(always)]
    fn payoffs(&self, game: &ChineseCheckers, position: &Position, state: &Sums) -> Payoffs {
        let players = game.players();
        let mut payoffs = Payoffs::default();
        for seat in 0..players {
            payoffs.0[seat] = f64::from(self.seat_value(game, position, state, Player(seat as u8)));
        }
        let all: f64 = payoffs.0[..players].iter().sum();
        for value in &mut payoffs.0[..players] {
            *value = less_others(players, *value, all);
        }
        payoffs
    }

    #[inline(always)]
    fn score(&self, game: &ChineseCheckers, position: &Position, state: &Sums) -> i32 {
        let mover = position.mover();
        if game.players() == 2 {
            let [own, other] =
                [mover, Player(1 - mover.0)].map(|seat| self.seat_value(game, position, state, seat));
            as_opinion(own - other)
        } else {
            as_opinion(self.payoffs(game, position, state).of(mover).round() as i32)
        }
    }

    /// Whether shapes count is a matter of the game that is played.
    #[inline(always)]
    fn context(&self, game: &ChineseCheckers, position: &Position) -> u64 {
        u64::from(self.has_shapes(game, position))
    }

    fn prepare(&mut self, line: &Line<ChineseCheckers>) {
        self.shapes = Some(s2::has_shapes(line.game(), line.position()));
    }

    fn features(&self, game: &ChineseCheckers, position: &Position, player: Player) -> Vec<Feature> {
        let players = game.players();
        // Of each feature what the seat has, less what the others have on average.
        let compare = |count: &dyn Fn(Colour) -> f64| {
            let of_seat = |seat: usize| {
                game.colours(Player(seat as u8)).iter().map(|&colour| count(colour)).sum::<f64>()
            };
            less_others(players, of_seat(player.index()), (0..players).map(of_seat).sum())
        };
        let feature =
            |name, weight, count: &dyn Fn(Colour) -> f64| Feature { name, value: compare(count), weight };
        match self.judge {
            Judge::Crossing => (0..evaluation::COUNT)
                .map(|index| {
                    let count = |colour| f64::from(evaluation::counts(position, colour)[index]);
                    feature(evaluation::FEATURES[index].0, f64::from(self.weights[index]), &count)
                })
                .collect(),
            Judge::Progress => {
                let steps = |colour: Colour| {
                    position.marbles(colour).iter().map(|hole| colour.steps_left(hole) as f64).sum()
                };
                vec![feature("steps left", f64::from(self.weights[0]), &steps)]
            }
            Judge::S2 | Judge::S2Hard => {
                let rows = |colour: Colour| {
                    let way = Way::of(colour);
                    position.marbles(colour).iter().map(|hole| f64::from(way.rows[hole.index()])).sum()
                };
                let lonely = |colour: Colour| s2::lonely(position.marbles(colour)) as f64;
                let at_home = |colour: Colour| (position.marbles(colour) & colour.home()).count() as f64;
                let [pairs, triangles, double_pairs] =
                    [0, 1, 2].map(|shape| move |colour| s2::shapes(position, colour)[shape] as f64);
                let counts: [&dyn Fn(Colour) -> f64; s2::COUNT] =
                    [&rows, &lonely, &at_home, &pairs, &triangles, &double_pairs];
                let without = if self.has_shapes(game, position) { 0 } else { s2::SHAPES };
                let counted = counts.into_iter().zip(s2::FEATURES).zip(self.weights);
                counted
                    .take(s2::COUNT - without)
                    .map(|((count, (name, _, _)), weight)| feature(name, f64::from(weight), count))
                    .collect()
            }
        }
    }

    fn scale(&self) -> f64 {
        match self.judge {
            Judge::Crossing => 2500.0,
            Judge::Progress => 800.0,
            Judge::S2 | Judge::S2Hard => 20.0,
        }
    }

    fn unit(&self) -> Unit {
        match self.judge {
            // What was fitted are our own weights.
            Judge::Crossing if !self.has_set_weights => Unit::Expectation { scale: self.scale() },
            Judge::Crossing => Unit::Amount { name: "moves", one: 1000.0 },
            Judge::Progress => Unit::Amount { name: "steps", one: f64::from(STEP) },
            Judge::S2 | Judge::S2Hard => Unit::Amount { name: "rows", one: 1.0 },
        }
    }

    fn weights(&self) -> Vec<Weight> {
        let names: Vec<&str> = match self.judge {
            Judge::Crossing => evaluation::FEATURES.iter().map(|(name, _)| *name).collect(),
            Judge::Progress => Vec::new(),
            Judge::S2 => s2::FEATURES[..s2::COUNT - s2::SHAPES].iter().map(|(_, name, _)| *name).collect(),
            Judge::S2Hard => s2::FEATURES.iter().map(|(_, name, _)| *name).collect(),
        };
        names
            .into_iter()
            .zip(self.weights)
            .map(|(name, weight)| Weight::of(name, f64::from(weight)))
            .collect()
    }

    fn set_weight(&mut self, place: usize, value: f64) {
        self.weights[place] = value.round() as i32;
        self.has_set_weights = true;
        self.values = Arc::new(values(self.judge, &self.weights));
    }
}

#[cfg(test)]
mod tests {
    use crate::SPEC;
    use agon_core::random::seeded;
    use agon_core::{Options, Turn};

    use super::*;

    #[test]
    fn states_are_carried_along_and_features_add_up_in_every_evaluation() {
        for seats in ["g/r", "g/o/p", "gy/rp", "g/y/o/r/p/b"] {
            let options = Options::parse(&SPEC, &format!("seats={seats}")).expect(seats);
            let game = ChineseCheckers::new(&options).expect(seats);
            for evaluation in EVALUATIONS {
                let knowledge = ChineseCheckersKnowledge::new(evaluation.name).expect(evaluation.name);
                let mut rng = seeded(3);
                let mut position = game.start();
                let mut state = knowledge.state(&game, &position);
                for _ in 0..200 {
                    let Some(mv) = game.random_move(&position, &mut rng) else { break };
                    let before = position;
                    game.play_unchecked(&mut position, mv);
                    knowledge.advance(&game, &mut state, &before, mv, &position);
                    assert_eq!(state, knowledge.state(&game, &position), "{} {seats}", evaluation.name);
                    let payoffs = knowledge.payoffs(&game, &position, &state);
                    let Turn::Player(mover) = game.turn(&position) else { unreachable!() };
                    let score = f64::from(knowledge.score(&game, &position, &state));
                    assert!((score - payoffs.of(mover)).abs() <= 0.5);
                    for seat in (0..game.players() as u8).map(Player) {
                        let features = knowledge.features(&game, &position, seat);
                        let sum: f64 = features.iter().map(|feature| feature.value * feature.weight).sum();
                        let payoff = payoffs.of(seat);
                        assert!((sum - payoff).abs() < 1e-6, "{} {seats}: {sum} {payoff}", evaluation.name);
                    }
                }
            }
        }
    }
}
