//! Parameters that several algorithms share, each declared once.

use std::time::Duration;

use agon_core::text::{decimal, nearest, or_list, quote};
use agon_core::{Game, OptionKind, OptionSpec, Options, OptionsError};

use crate::knowledge::{Evaluation, Tactics};
use crate::limits::Limits;

/// The longest time that may be asked for.
pub const MAX_TIME: Duration = Duration::from_secs(24 * 60 * 60);
/// The deepest search that may be asked for.
pub const MAX_DEPTH: u32 = 60;

/// `time`: the limit of time.
pub const TIME: OptionSpec = OptionSpec {
    key: "time",
    kind: OptionKind::OffOr(&OptionKind::Duration { min: Duration::from_millis(1), max: MAX_TIME }),
    default: "off",
    help: "time per move",
};

/// `depth`: the limit of depth.
pub const DEPTH: OptionSpec = OptionSpec {
    key: "depth",
    kind: OptionKind::OffOr(&OptionKind::Integer { min: 1, max: MAX_DEPTH, step: 1 }),
    default: "off",
    help: "search depth in plies",
};

/// `nodes`: the limit of nodes.
pub const NODES: OptionSpec = OptionSpec {
    key: "nodes",
    kind: OptionKind::OffOr(&OptionKind::Integer { min: 1, max: u32::MAX, step: 1 }),
    default: "off",
    help: "nodes per move",
};

/// The most threads that may be asked for.
pub const MAX_THREADS: u32 = 256;

/// `threads`: how many threads search together.
pub const THREADS: OptionSpec = OptionSpec {
    key: "threads",
    kind: OptionKind::Integer { min: 1, max: MAX_THREADS, step: 1 },
    default: "1",
    help: "threads that search together; with more than one, the same question need not have the same answer twice",
};

/// How many threads `options` ask for, if they do.
///
/// # Errors
/// If there are no threads to be had.
pub(crate) fn threads(options: &Options) -> Result<Option<usize>, OptionsError> {
    let told = options.value(THREADS.key).map(|_| options.integer(THREADS.key) as usize);
    if cfg!(target_family = "wasm") && told.is_some_and(|told| told > 1) {
        return Err(OptionsError::new("threads: a browser has a single thread for this; set it to 1"));
    }
    Ok(told)
}

/// `eval`: the evaluation.
pub const EVAL: OptionSpec = OptionSpec {
    key: "eval",
    kind: OptionKind::Text { expected: "an evaluation of the game", suggestions: &[] },
    default: "the game's best",
    help: "the evaluation",
};

/// `weights`: the weights of the evaluation.
pub const WEIGHTS: OptionSpec = OptionSpec {
    key: "weights",
    kind: OptionKind::Text {
        expected: "NAME:NUMBER, several of them joined by +; a named set of weights may come first",
        suggestions: &[],
    },
    default: "the evaluation's own",
    help: "sets weights of an evaluation that is a sum of named features, as in danger:12+guards:8",
};

/// The largest weight that can be set, either way.
pub const MAX_WEIGHT: f64 = 20_000.0;

/// Sets the weights of `evaluation` that `options` give.
///
/// # Errors
/// If it has no such weights, or a number is too large or none.
pub fn set_weights<G: Game>(
    evaluation: &mut impl Evaluation<G>,
    options: &Options,
) -> Result<(), OptionsError> {
    let Some(text) = options.value(WEIGHTS.key) else { return Ok(()) };
    let known = evaluation.weights();
    if known.is_empty() {
        return Err(OptionsError::new("weights: this evaluation has no weights that can be set"));
    }
    let mut set = vec![false; known.len()];
    for setting in text.split('+') {
        let refuse = |fault: &str, name: &str| {
            let hint = match nearest(name, known.iter().map(|weight| weight.name.as_str())) {
                Some(meant) if meant != name => format!("did you mean {meant}?"),
                _ => {
                    let names = known.iter().map(|weight| format!("{} ({})", weight.name, weight.value));
                    format!("the weights are {}", names.collect::<Vec<_>>().join(", "))
                }
            };
            OptionsError::new(format!("weights: {} {fault}; {hint}", quote(setting)))
        };
        let Some((name, number)) = setting.split_once(':') else {
            return Err(refuse("is not of the form NAME:NUMBER", ""));
        };
        let place = known.iter().position(|weight| weight.name == name);
        let place = place.ok_or_else(|| refuse("names no weight of this evaluation", name))?;
        let value = decimal(number).ok().filter(|value| value.abs() <= MAX_WEIGHT);
        let value = value
            .ok_or_else(|| refuse(&format!("must have a number from -{MAX_WEIGHT} to {MAX_WEIGHT}"), name))?;
        if std::mem::replace(&mut set[place], true) {
            return Err(refuse("sets a weight for the second time", name));
        }
        evaluation.set_weight(place, value);
    }
    Ok(())
}

/// `multi`: how many moves are told apart.
pub const MULTI: OptionSpec = OptionSpec {
    key: "multi",
    kind: OptionKind::Integer { min: 1, max: 500, step: 1 },
    default: "1",
    help: "number of moves whose exact scores are found",
};

/// `noise`: how far opinions are blurred.
pub const NOISE: OptionSpec = OptionSpec {
    key: "noise",
    kind: OptionKind::OffOr(&OptionKind::Decimal { min: 0.0, max: 100_000.0 }),
    default: "off",
    help: "adds up to this much at random to the score of each root move, or subtracts it, so that play varies and weakens",
};

/// `solve`: when the game's own solver takes over.
pub const SOLVE: OptionSpec = OptionSpec {
    key: "solve",
    kind: OptionKind::OffOr(&OptionKind::Integer { min: 1, max: 60, step: 1 }),
    default: "off",
    help: "lets the game's own solver play the endgame from this distance on (Othello: empty squares)",
};

/// `book`: the opening book.
pub const BOOK: OptionSpec = OptionSpec {
    key: "book",
    kind: OptionKind::Text { expected: "off or a book of the game", suggestions: &[] },
    default: "off",
    help: "plays the opening from a book",
};

/// `tt`: the transposition table.
pub const TT: OptionSpec = OptionSpec {
    key: "tt",
    kind: OptionKind::OffOr(&OptionKind::Integer { min: 1, max: 65_536, step: 1 }),
    default: "32",
    help: "size of the transposition table in MB",
};

/// `best`: how many moves are searched.
pub const BEST: OptionSpec = OptionSpec {
    key: "best",
    kind: OptionKind::OffOr(&OptionKind::Integer { min: 1, max: 200, step: 1 }),
    default: "off",
    help: "searches only this many of the most promising moves at each node below the root",
};

/// `candidates`: which moves are searched at all.
pub const CANDIDATES: OptionSpec = OptionSpec {
    key: "candidates",
    kind: OptionKind::Text { expected: "all or a selection of the game", suggestions: &[] },
    default: "all",
    help: "searches only the moves that a rule of the game keeps",
};

/// The index of `word` among the game's own words for `key`; besides them `other` is known.
///
/// # Errors
/// If it is none of them.
pub fn choose(key: &str, word: &str, words: &[&str], other: &str) -> Result<usize, OptionsError> {
    words.iter().position(|known| *known == word).ok_or_else(|| {
        let known = or_list(words.iter().copied().chain([other]));
        OptionsError::new(format!("{key}={} is not known in this game: choose {known}", quote(word)))
    })
}

/// The game's rule by which moves are left out; `None` if all are searched.
///
/// # Errors
/// If the game has no such rule.
pub fn candidates<G: Game>(
    knowledge: &impl Tactics<G>,
    options: &Options,
) -> Result<Option<usize>, OptionsError> {
    match options.text(CANDIDATES.key) {
        "all" => Ok(None),
        word => choose(CANDIDATES.key, word, knowledge.selections(), "all").map(Some),
    }
}

/// The limits that `options` set.
pub fn limits(options: &Options) -> Limits {
    Limits {
        time: options.duration(TIME.key),
        depth: options.optional_integer(DEPTH.key),
        nodes: options.optional_integer(NODES.key).map(u64::from),
    }
}

/// Refuses a size in megabytes that the machine has not left.
pub(crate) fn too_much_memory(key: &str, megabytes: u32) -> OptionsError {
    OptionsError::new(format!("{key}={megabytes}: there is not that much memory (in MB) left"))
}
