//! Bots by name.
//!
//! The name in a [`BotSpec`] is that of an algorithm or of one of the game's own bots, which is an algorithm with its
//! parameters set; the settings of the specification take precedence over those.

use std::marker::PhantomData;

use agon_core::text::{advice, nearest, or_list, quote};
use agon_core::{GameSpec, Message, OptionSpec, Options, OptionsError, Player, Ply};
use agon_search::explore::Exploration;
use agon_search::parameters::{EVAL, set_weights};
use agon_search::{ALGORITHMS, Algorithm, Budget, Evaluation, Feature, Thought, Unit};
use serde::{Deserialize, Serialize};

use crate::bot_spec::{BotSpec, BotSpecError};
use crate::expertise::Preset;
use crate::session::{Playable, Running, Session};
use crate::weights::{self, Linear};

/// A bot of some game as listings show it.
#[derive(Clone, Debug)]
pub struct BotListing {
    /// The name by which it is called everywhere.
    pub name: &'static str,
    /// How it plays, in one sentence.
    pub summary: Message,
    /// The algorithm that it is made of.
    pub algorithm: &'static str,
    /// What the algorithm's parameters are set to.
    pub settings: &'static str,
    /// The algorithm's parameters.
    pub parameters: &'static [OptionSpec],
}

/// A specification that names no bot of the game, or sets what cannot be set so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecificationError {
    /// It is not written as specifications are.
    #[error(transparent)]
    Malformed(#[from] BotSpecError),
    /// There is no bot of that name.
    #[error("there is no bot {}; {advice}", quote(.name))]
    UnknownBot {
        /// What was asked for.
        name: String,
        /// What may have been meant.
        advice: String,
    },
    /// The bot plays other games.
    #[error("the bot {name} plays {needs}, not this one")]
    Unfit {
        /// The bot.
        name: String,
        /// The games that it plays.
        needs: &'static str,
    },
    /// A parameter does not hold.
    #[error("bot {name}: {error}")]
    Settings {
        /// The bot.
        name: String,
        /// What is wrong.
        error: OptionsError,
    },
    /// The program behind it cannot be run, or plays other games.
    #[error("bot {}: {fault}", quote(.name))]
    Program {
        /// The bot.
        name: String,
        /// What is wrong.
        fault: String,
    },
}

/// Why a bot has not moved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BotError {
    /// No player is to move, or the game is another than the bot was made for.
    #[error("there is no move to make here")]
    NoMove,
    /// The program behind it has failed.
    #[error("{0}")]
    Failed(String),
    /// The program behind it has answered with a move that is not legal.
    #[error("it answered with the move {}, which is not legal here", quote(.0))]
    Illegal(String),
    /// The program behind it has not answered in time.
    #[error("it did not answer in time")]
    Late,
    /// The program behind it has printed what the protocol does not allow.
    #[error("{0}")]
    Printing(String),
    /// The program behind it has broken a limit that it was started under; the second part says how.
    #[error("{1}")]
    Offence(Offence, String),
}

/// A limit that a program can break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Offence {
    /// It used more memory than allowed.
    Memory,
    /// It tried to start more threads or processes than allowed.
    Threads,
    /// It tried to use the network.
    Network,
    /// It tried to reach files that are not its own.
    Files,
    /// It asked to be interrupted by a timer or a signal.
    Interrupts,
}

/// A program that plays some game, whose moves are text: an [`agon_search::GameBot`] of a game that is known at
/// run time only, or a program of somebody else's.
pub trait Bot: Send {
    /// Gets ready to play as `player` in `session` with `budget` for each move, before any clock runs. What it does
    /// not do here, it does in its first move.
    ///
    /// # Errors
    /// If it cannot play.
    fn prepare(&mut self, _session: &dyn Session, _player: Player, _budget: &Budget) -> Result<(), BotError> {
        Ok(())
    }

    /// The move it makes in `session` within `budget`, and why; a legal one. Whenever it knows more, it tells `observe`.
    ///
    /// # Errors
    /// If it does not come to a legal move.
    fn think(
        &mut self,
        session: &dyn Session,
        budget: &Budget,
        observe: &mut dyn FnMut(&Thought<String>),
    ) -> Result<Thought<String>, BotError>;

    /// Is told that `session`, in which it played as `player`, is over.
    fn conclude(&mut self, _session: &dyn Session, _player: Player) {}

    /// Searches as it does for a move, without opening book, solver or noise, and shows the tree in which it found it; a tree that grows
    /// by playouts stops growing after `playouts`. `None` if it has no legal move, no tree to show, or not enough time to begin one.
    fn explore(
        &mut self,
        _session: &dyn Session,
        _budget: &Budget,
        _playouts: u32,
    ) -> Option<Exploration<String>> {
        None
    }

    /// The reasons for its opinion of the game as it stands, seen from the player to move.
    fn features(&self, _session: &dyn Session) -> Vec<Feature> {
        Vec::new()
    }

    /// What its scores mean to people; `None` if it does not judge, or nobody knows.
    fn unit(&self) -> Option<Unit> {
        None
    }
}

struct Erased<G> {
    bot: Box<dyn agon_search::GameBot<G>>,
    game: PhantomData<fn(G)>,
}

impl<G: Playable> Bot for Erased<G> {
    fn think(
        &mut self,
        session: &dyn Session,
        budget: &Budget,
        observe: &mut dyn FnMut(&Thought<String>),
    ) -> Result<Thought<String>, BotError> {
        let running = session.as_any().downcast_ref::<Running<G>>().ok_or(BotError::NoMove)?;
        if running.line.outcome().is_some() {
            return Err(BotError::NoMove);
        }
        let say = |mv: G::Move| running.ply_text(Ply::Move(mv));
        let thought = self.bot.think(&running.line, budget, &mut |thought| observe(&thought.map(say)));
        Ok(thought.ok_or(BotError::NoMove)?.map(say))
    }

    fn explore(
        &mut self,
        session: &dyn Session,
        budget: &Budget,
        playouts: u32,
    ) -> Option<Exploration<String>> {
        let running = session.as_any().downcast_ref::<Running<G>>()?;
        if running.line.outcome().is_some() {
            return None;
        }
        let found = self.bot.explore(&running.line, budget, playouts)?;
        Some(found.map(|ply| running.ply_text(ply)))
    }

    fn features(&self, session: &dyn Session) -> Vec<Feature> {
        let running = session.as_any().downcast_ref::<Running<G>>();
        running.map_or_else(Vec::new, |running| self.bot.features(&running.line))
    }

    fn unit(&self) -> Option<Unit> {
        self.bot.unit()
    }
}

/// The algorithms and presets that can play `game`, weakest first.
pub(crate) fn listings<G: Playable>(spec: &GameSpec, game: &G) -> Vec<BotListing> {
    // A bot of the game's own takes the place of an algorithm of its name.
    let is_own = |name| game.presets().iter().any(|preset| preset.name == name);
    let plain = ALGORITHMS
        .iter()
        .filter(|algorithm| algorithm.needs.are_met(game) && !is_own(algorithm.name))
        .map(|algorithm| BotListing {
            name: algorithm.name,
            summary: algorithm.summary(),
            algorithm: algorithm.name,
            settings: "",
            parameters: algorithm.parameters,
        });
    let presets = game.presets().iter().filter_map(|preset| {
        let algorithm = ALGORITHMS.iter().find(|algorithm| algorithm.name == preset.algorithm)?;
        Some(BotListing {
            name: preset.name,
            summary: spec.messages.say(format!("bot.{}", preset.name), []),
            algorithm: preset.algorithm,
            settings: preset.settings,
            parameters: algorithm.parameters,
        })
    });
    plain.chain(presets).collect()
}

/// Makes the bot that `spec` describes.
pub(crate) fn build<G: Playable>(
    game: &G,
    spec: &BotSpec,
    seed: u64,
) -> Result<Box<dyn Bot>, SpecificationError> {
    let Parts { algorithm, options, evaluation, .. } = parts(game, spec)?;
    let fail = |error| SpecificationError::Settings { name: spec.name().to_owned(), error };
    let knowledge = knowledge(game, &evaluation).map_err(fail)?;
    let bot = agon_search::build(algorithm.name, game, knowledge, &options, seed).map_err(fail)?;
    Ok(Box::new(Erased { bot, game: PhantomData::<fn(G)> }))
}

fn knowledge<G: Playable>(game: &G, evaluation: &str) -> Result<G::Knowledge, OptionsError> {
    game.knowledge(evaluation).ok_or_else(|| {
        let names = game.evaluations().iter().map(|evaluation| evaluation.name);
        let hint = match nearest(evaluation, names.clone()) {
            Some(meant) => format!("did you mean {meant}?"),
            None => format!("this game has {}", or_list(names)),
        };
        OptionsError::new(format!("there is no evaluation {}; {hint}", quote(evaluation)))
    })
}

/// By which evaluation and weights the bot that `spec` describes judges, without making it.
pub(crate) fn linear<G: Playable>(game: &G, spec: &BotSpec) -> Result<Linear, SpecificationError> {
    let Parts { options, judges, evaluation, .. } = parts(game, spec)?;
    if !judges {
        return Ok(Linear { evaluation: String::new(), weights: Vec::new(), scale: 0.0 });
    }
    let fail = |error| SpecificationError::Settings { name: spec.name().to_owned(), error };
    let mut knowledge = knowledge(game, &evaluation).map_err(fail)?;
    set_weights(&mut knowledge, &options).map_err(fail)?;
    Ok(Linear { evaluation, weights: knowledge.weights(), scale: knowledge.scale() })
}

/// What the scores of the bot that `spec` describes mean to people, without making it.
pub(crate) fn unit<G: Playable>(game: &G, spec: &BotSpec) -> Option<Unit> {
    let Parts { judges, evaluation, .. } = parts(game, spec).ok()?;
    judges.then(|| Some(game.knowledge(&evaluation)?.unit())).flatten()
}

/// Whether the bot that `spec` describes needs the game's trained weights; one that does not exist needs none.
pub(crate) fn needs_weights<G: Playable>(game: &G, spec: &BotSpec) -> bool {
    parts(game, spec).is_ok_and(|parts| game.needs_weights(&parts.evaluation))
}

/// What a bot is made of.
struct Parts {
    algorithm: &'static Algorithm,
    options: Options,
    /// Whether it judges positions.
    judges: bool,
    /// The evaluation's name, which may be that of none.
    evaluation: String,
}

fn parts<G: Playable>(game: &G, spec: &BotSpec) -> Result<Parts, SpecificationError> {
    let name = spec.name();
    let preset = game.presets().iter().find(|preset| preset.name == name);
    let algorithm = find(game, name, preset)?;
    let fail = |error| SpecificationError::Settings { name: name.to_owned(), error };
    let parse =
        |text: &str| Options::parse_declared(algorithm.name, algorithm.parameters, text).map_err(fail);
    // The weights of a preset are for the evaluation of the preset.
    let is_kept = |setting: &&str| !(spec.sets(EVAL.key) && setting.starts_with("weights="));
    let usual: Vec<&str> = preset.map_or("", |preset| preset.settings).split(',').filter(is_kept).collect();
    let options = parse(&spec.settings_text())?.over(parse(&usual.join(","))?);
    let evaluations = game.evaluations();
    let judges = algorithm.parameters.iter().any(|parameter| parameter.key == "eval");
    let wanted = if judges { options.value("eval") } else { None };
    // A bot that does not judge is spared the loading of whatever the best evaluation needs.
    let default = if judges { evaluations.first() } else { evaluations.last() };
    let evaluation = wanted.unwrap_or_else(|| default.map_or("", |evaluation| evaluation.name)).to_owned();
    let options = weights::resolve(options, &evaluation, game.weight_sets()).map_err(fail)?;
    Ok(Parts { algorithm, options, judges, evaluation })
}

/// The algorithm behind a bot's name.
fn find<G: Playable>(
    game: &G,
    name: &str,
    preset: Option<&Preset>,
) -> Result<&'static Algorithm, SpecificationError> {
    let wanted = preset.map_or(name, |preset| preset.algorithm);
    let Some(algorithm) = ALGORITHMS.iter().find(|algorithm| algorithm.name == wanted) else {
        let presets = game.presets().iter().map(|preset| preset.name);
        let fitting = ALGORITHMS.iter().filter(|algorithm| algorithm.needs.are_met(game));
        let advice = advice(name, fitting.map(|algorithm| algorithm.name).chain(presets));
        return Err(SpecificationError::UnknownBot { name: name.to_owned(), advice });
    };
    if !algorithm.needs.are_met(game) {
        return Err(SpecificationError::Unfit { name: name.to_owned(), needs: algorithm.needs.text() });
    }
    Ok(algorithm)
}
