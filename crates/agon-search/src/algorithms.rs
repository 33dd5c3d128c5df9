//! The table of algorithms: to add one, add its line here and its arm in [`build`].

use agon_core::message::COMMON;
use agon_core::{Game, Message, OptionSpec, Options, OptionsError};

use crate::alphabeta::{self, AlphaBeta};
use crate::bots::{Greedy, Random};
use crate::expectimax::{self, Expectimax};
use crate::knowledge::Knowledge;
use crate::many::{self, Many};
use crate::mcts::{self, Mcts};
use crate::plain::Plain;
use crate::{GameBot, parameters};

/// An algorithm that bots are made of.
#[derive(Clone, Copy, Debug)]
pub struct Algorithm {
    /// Its name in bot specifications.
    pub name: &'static str,
    /// Its parameters.
    pub parameters: &'static [OptionSpec],
    /// Which games it can play.
    pub needs: Needs,
}

impl Algorithm {
    /// How it plays, in one sentence.
    pub fn summary(&self) -> Message {
        COMMON.say(format!("algorithm.{}", self.name), [])
    }
}

/// What an algorithm asks of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing.
    Anything,
    /// Two players and no chance.
    Duel,
    /// One player or two, chance or not, but one's gain being the other's loss.
    Chance,
    /// Two players or more, and no chance.
    Opponents,
}

impl Needs {
    /// Whether `game` has what is asked for.
    pub fn are_met<G: Game>(self, game: &G) -> bool {
        match self {
            Self::Anything => true,
            Self::Duel => game.players() == 2 && !game.has_chance(),
            Self::Chance => game.players() <= 2,
            Self::Opponents => game.players() >= 2 && !game.has_chance(),
        }
    }

    /// The same in words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Anything => "any game",
            Self::Duel => "games of two without chance",
            Self::Chance => "games of one or two",
            Self::Opponents => "games of two or more without chance",
        }
    }
}

/// Every algorithm, the simplest first.
pub const ALGORITHMS: &[Algorithm] = &[
    Algorithm { name: "random", parameters: &[], needs: Needs::Anything },
    Algorithm {
        name: "greedy",
        parameters: &[parameters::EVAL, parameters::WEIGHTS],
        needs: Needs::Anything,
    },
    Algorithm {
        name: "plain",
        parameters: &[
            parameters::TIME,
            parameters::DEPTH,
            parameters::NODES,
            parameters::EVAL,
            parameters::WEIGHTS,
        ],
        needs: Needs::Anything,
    },
    Algorithm { name: "expectimax", parameters: expectimax::PARAMETERS, needs: Needs::Chance },
    Algorithm { name: "alphabeta", parameters: alphabeta::PARAMETERS, needs: Needs::Duel },
    Algorithm { name: "maxn", parameters: many::PARAMETERS, needs: Needs::Opponents },
    Algorithm { name: "paranoid", parameters: many::PARAMETERS, needs: Needs::Opponents },
    Algorithm { name: "best-reply", parameters: many::PARAMETERS, needs: Needs::Opponents },
    Algorithm { name: "mcts", parameters: mcts::PARAMETERS, needs: Needs::Anything },
];

/// Makes the bot that `options`, read for the algorithm of their owner's name, describe.
///
/// # Errors
/// If a value that only the game can judge does not hold.
pub fn build<G: Game, K: Knowledge<G>>(
    algorithm: &str,
    game: &G,
    mut knowledge: K,
    options: &Options,
    seed: u64,
) -> Result<Box<dyn GameBot<G>>, OptionsError> {
    if algorithm == "random" {
        return Ok(Box::new(Random::new(seed)));
    }
    parameters::set_weights(&mut knowledge, options)?;
    Ok(match algorithm {
        "greedy" => Box::new(Greedy::new(knowledge, seed)),
        "alphabeta" => Box::new(AlphaBeta::new(game, knowledge, options, seed)?),
        "plain" => Box::new(Plain::new(knowledge, parameters::limits(options))),
        "expectimax" => Box::new(Expectimax::new(knowledge, options, seed)?),
        "maxn" | "paranoid" | "best-reply" => Box::new(Many::new(algorithm, knowledge, options, seed)?),
        "mcts" => Box::new(Mcts::new(game, knowledge, options, seed)?),
        other => return Err(OptionsError::new(format!("there is no algorithm {other}"))),
    })
}
