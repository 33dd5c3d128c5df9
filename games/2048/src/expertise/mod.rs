//! 2048: what boards are worth by learning, by hand and by source S3; the bots.
//!
//! All opinions but S3's are in points: what the score is and what is to come, so that a slide that scores and one
//! that keeps order can be weighed against each other.

mod bots;
mod features;
pub mod network;
pub mod promotion;
pub mod weights;

use crate::{Direction, Game2048, Position};
use agon_core::{MAX_PLAYERS, Outcome, Payoffs, Player};
use agon_search::{Evaluation, Feature, Tactics, Unit, Weight};

use agon_erased::{EvaluationSpec, Expertise, Preset};
use weights::Network;

/// What an empty cell is worth in points to the simplest evaluation: between moves that score alike, keep room.
const EMPTY_CELL: f64 = 4.0;

/// What is known about 2048, by one of the evaluations.
#[derive(Clone, Copy, Debug)]
pub enum Knowledge2048 {
    /// The score so far and what the network expects to come.
    Network(&'static Network),
    /// The score so far and what people look at, by these weights.
    Features(features::Weights),
    /// The tiles, counted by their distance from the top left corner.
    S3,
    /// The score so far and a little for every empty cell.
    Score,
}

impl Evaluation<Game2048> for Knowledge2048 {
    type State = ();

    #[inline(always)]
    fn state(&self, _game: &Game2048, _position: &Position) {}

    #[inline(always)]
    fn advance(&self, _: &Game2048, _: &mut (), _: &Position, _: Direction, _: &Position) {}

    #[inline(always)]
    fn payoffs(&self, game: &Game2048, position: &Position, _state: &()) -> Payoffs {
        let worth = match self {
            Self::Network(network) => position.score() as f64 + network.to_come(position),
            Self::S3 => features::s3(position.board()),
            Self::Features(_) | Self::Score => {
                let features = self.features(game, position, Player(0));
                features.iter().map(|feature| feature.value * feature.weight).sum()
            }
        };
        payoffs(worth)
    }

    fn features(&self, _game: &Game2048, position: &Position, _player: Player) -> Vec<Feature> {
        let board = position.board();
        let score = Feature { name: "score", value: position.score() as f64, weight: 1.0 };
        match self {
            Self::Network(network) => {
                vec![score, Feature { name: "points to come", value: network.to_come(position), weight: 1.0 }]
            }
            Self::Features(weights) => {
                [score].into_iter().chain(features::features(weights, board)).collect()
            }
            Self::S3 => vec![Feature { name: "corner", value: features::s3(board), weight: 1.0 }],
            Self::Score => {
                let empty = board.count_empty() as f64;
                vec![score, Feature { name: "empty cells", value: empty, weight: EMPTY_CELL }]
            }
        }
    }

    #[inline(always)]
    fn at_end(&self, _game: &Game2048, position: &Position, _outcome: &Outcome) -> Payoffs {
        payoffs(match self {
            Self::S3 => S3_AT_END,
            _ => position.score() as f64,
        })
    }

    /// Source S3 asks where a player is to slide whether there is a slide, and nowhere else.
    #[inline(always)]
    fn sees_ends_at_leaves(&self) -> bool {
        !matches!(self, Self::S3)
    }

    fn unit(&self) -> Unit {
        match self {
            Self::S3 => Unit::Amount { name: "S3 points", one: 1.0 },
            _ => Unit::Amount { name: "points", one: 1.0 },
        }
    }

    fn weights(&self) -> Vec<Weight> {
        match self {
            Self::Features(weights) => features::named(weights),
            Self::Network(_) | Self::S3 | Self::Score => Vec::new(),
        }
    }

    fn set_weight(&mut self, place: usize, value: f64) {
        if let Self::Features(weights) = self {
            weights[place] = value;
        }
    }
}

/// What source S3 calls minus infinity. It is a number all the same: of two slides that may both lose soon, the one that is less
/// likely to is taken, as the scores of the original have it.
const S3_AT_END: f64 = -1e12;

/// What the only player gets.
#[inline(always)]
fn payoffs(worth: f64) -> Payoffs {
    let mut payoffs = [0.0; MAX_PLAYERS];
    payoffs[0] = worth;
    Payoffs(payoffs)
}

impl Tactics<Game2048> for Knowledge2048 {
    fn slots(&self, _game: &Game2048) -> usize {
        Direction::ALL.len()
    }

    fn slot(&self, _game: &Game2048, mv: Direction) -> usize {
        mv as usize
    }

    fn depth_rules(&self) -> &'static [&'static str] {
        bots::DEPTH_RULES
    }

    fn depth(&self, _game: &Game2048, position: &Position, rule: usize) -> u32 {
        bots::depth(position, rule)
    }
}

impl Expertise for Game2048 {
    type Knowledge = Knowledge2048;

    fn evaluations(&self) -> &'static [EvaluationSpec] {
        &[
            EvaluationSpec {
                name: "network",
                summary: "The score so far and what a network that taught itself expects to come.",
            },
            EvaluationSpec {
                name: "features",
                summary: "The score so far, a large tile in a corner, rows in order, neighbours alike, empty cells.",
            },
            EvaluationSpec {
                name: "s3",
                summary: "Source S3's: tiles, each cell counting a quarter of the one before it, row by row.",
            },
            EvaluationSpec { name: "score", summary: "The score so far and a little for every empty cell." },
        ]
    }

    fn knowledge(&self, evaluation: &str) -> Option<Knowledge2048> {
        match evaluation {
            "network" => Some(Knowledge2048::Network(weights::shipped())),
            "features" => Some(Knowledge2048::Features(features::OWN)),
            "s3" => Some(Knowledge2048::S3),
            "score" => Some(Knowledge2048::Score),
            _ => None,
        }
    }

    fn presets(&self) -> &'static [Preset] {
        bots::PRESETS
    }
}
