//! 2048: what boards are worth by learning, by hand and by source S3; the bots.
//!
//! All opinions but S3's are in points: what the score is and what is to come, so that a slide that scores and one
//! that keeps order can be weighed against each other.

mod bots;
mod features;
pub mod network;
pub mod promotion;
pub mod sight;
pub mod weights;

use crate::{Direction, Game2048, Position};
use agon_core::{Line, MAX_PLAYERS, Outcome, Payoffs, Player};
use agon_search::{Evaluation, Feature, Tactics, Unit, Weight};

use agon_erased::{EvaluationSpec, Expertise, Preset};
use sight::Sight;
use weights::Network;

/// What an empty cell is worth in points to the simplest evaluation: between moves that score alike, keep room.
const EMPTY_CELL: f64 = 4.0;

/// What is known about 2048, by one of the evaluations.
#[derive(Clone, Copy, Debug)]
pub enum Knowledge2048 {
    /// The score so far and what the network expects to come, from boards that it is shown in this way.
    Network(&'static Network, Sight),
    /// The score so far and what people look at, by these weights.
    Features(features::Weights),
    /// The tiles, counted by their distance from the top left corner.
    S3,
    /// The score so far plus a little for every empty cell.
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
            Self::Network(network, sight) => position.score() as f64 + network.to_come(position, *sight),
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
            Self::Network(network, sight) => {
                let value = network.to_come(position, *sight);
                vec![score, Feature { name: "points to come", value, weight: 1.0 }]
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

    fn prepare(&mut self, line: &Line<Game2048>) {
        if let Self::Network(_, sight) = self {
            *sight = Sight::of(line.position().board());
        }
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
            Self::Network(..) | Self::S3 | Self::Score => Vec::new(),
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

/// The symmetries of the board other than the identity. Bit 2 exchanges rows and columns; after that, bit 1 turns the board upside
/// down and bit 0 mirrors it.
const SYMMETRIES: std::ops::Range<u8> = 1..8;

/// Where a symmetry takes a cell.
fn image_of_cell(cell: usize, symmetry: u8) -> usize {
    let (row, column) = if symmetry & 4 != 0 { (cell % 4, cell / 4) } else { (cell / 4, cell % 4) };
    let row = if symmetry & 2 != 0 { 3 - row } else { row };
    let column = if symmetry & 1 != 0 { 3 - column } else { column };
    4 * row + column
}

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

    /// S3 prefers one corner, so to its evaluation no two cells are alike.
    fn symmetries(&self, _game: &Game2048, position: &Position) -> Vec<u8> {
        if matches!(self, Self::S3) {
            return Vec::new();
        }
        let board = position.board();
        let is_same = |symmetry: &u8| {
            (0..16).all(|cell| board.exponent(cell) == board.exponent(image_of_cell(cell, *symmetry)))
        };
        SYMMETRIES.filter(is_same).collect()
    }

    fn image(&self, _game: &Game2048, mv: Direction, symmetry: u8) -> Direction {
        let exchange = |mv| match mv {
            Direction::Left => Direction::Up,
            Direction::Up => Direction::Left,
            Direction::Right => Direction::Down,
            Direction::Down => Direction::Right,
        };
        match if symmetry & 4 != 0 { exchange(mv) } else { mv } {
            Direction::Left if symmetry & 1 != 0 => Direction::Right,
            Direction::Right if symmetry & 1 != 0 => Direction::Left,
            Direction::Up if symmetry & 2 != 0 => Direction::Down,
            Direction::Down if symmetry & 2 != 0 => Direction::Up,
            other => other,
        }
    }
}

impl Expertise for Game2048 {
    type Knowledge = Knowledge2048;

    fn evaluations(&self) -> &'static [EvaluationSpec] {
        &[
            EvaluationSpec {
                name: "network",
                summary: "The score so far plus what a network trained by self-play expects to come.",
            },
            EvaluationSpec {
                name: "features",
                summary: "The score so far, a large tile in a corner, monotonicity, smoothness and empty cells.",
            },
            EvaluationSpec {
                name: "s3",
                summary: "S3's: the sum of the tiles, each cell counting a quarter of the one before it, row by row.",
            },
            EvaluationSpec { name: "score", summary: "The score so far plus a little for every empty cell." },
        ]
    }

    fn readable_evaluation<'a>(&self, evaluation: &'a str) -> &'a str {
        if evaluation == "network" { "features" } else { evaluation }
    }

    fn knowledge(&self, evaluation: &str) -> Option<Knowledge2048> {
        match evaluation {
            // While the weights are still to be handed in, nothing is judged by them, and the score stands for them.
            "network" => {
                Some(weights::SHIPPED.get().map_or(Knowledge2048::Score, |network| {
                    Knowledge2048::Network(network, Sight::default())
                }))
            }
            "features" => Some(Knowledge2048::Features(features::OWN)),
            "s3" => Some(Knowledge2048::S3),
            "score" => Some(Knowledge2048::Score),
            _ => None,
        }
    }

    fn needs_weights(&self, evaluation: &str) -> bool {
        evaluation == "network"
    }

    fn presets(&self) -> &'static [Preset] {
        bots::PRESETS
    }
}
