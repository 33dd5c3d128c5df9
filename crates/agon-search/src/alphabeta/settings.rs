//! The switches of alpha-beta and their parameters, each declared once.

use agon_core::{Game, OptionKind, OptionSpec, Options, OptionsError};

use crate::knowledge::Knowledge;
use crate::parameters::{self, BEST, TT, choose};
use crate::table::Replacement;

const WINDOW: OptionSpec = OptionSpec {
    key: "window",
    kind: OptionKind::Choice(&["pvs", "full"]),
    default: "pvs",
    help: "pvs: searches all but the first move with a null window first (principal variation search); full: searches every move with the full window",
};
const DEEPENING: OptionSpec = OptionSpec {
    key: "deepening",
    kind: OptionKind::Switch,
    default: "on",
    help: "iterative deepening: searches depth 1, 2, 3 … instead of the last depth only",
};
const START: OptionSpec = OptionSpec {
    key: "start",
    kind: OptionKind::Integer { min: 1, max: 20, step: 1 },
    default: "1",
    help: "the first depth of iterative deepening",
};
const ASPIRATION: OptionSpec = OptionSpec {
    key: "aspiration",
    kind: OptionKind::OffOr(&OptionKind::Integer { min: 1, max: 100_000, step: 1 }),
    default: "off",
    help: "aspiration window: how far the window of each depth reaches around the last score",
};
const ORDERING: OptionSpec = OptionSpec {
    key: "ordering",
    kind: OptionKind::Choice(&["static", "original", "none"]),
    default: "static",
    help: "move ordering without search results: by the game's static ordering score, as in the original program, or as generated",
};
const TIES: OptionSpec = OptionSpec {
    key: "ties",
    kind: OptionKind::Choice(&["found", "first", "last", "original"]),
    default: "found",
    help: "which of several equally good root moves is played: the one found first, the first or last in move order, or the one the original program prefers",
};
const SIGHT: OptionSpec = OptionSpec {
    key: "sight",
    kind: OptionKind::Integer { min: 1, max: 20, step: 1 },
    default: "3",
    help: "uses static ordering scores from this remaining depth on; nearer the leaves only killers and history, if both are on",
};
const HASH: OptionSpec =
    OptionSpec { key: "hash", kind: OptionKind::Switch, default: "on", help: "tries the hash move first" };
const KILLERS: OptionSpec = OptionSpec {
    key: "killers",
    kind: OptionKind::Switch,
    default: "on",
    help: "killer moves: prefers moves that caused a cut-off at the same ply",
};
const HISTORY: OptionSpec = OptionSpec {
    key: "history",
    kind: OptionKind::Switch,
    default: "on",
    help: "history heuristic: prefers moves that caused cut-offs anywhere",
};
const COUNTER: OptionSpec = OptionSpec {
    key: "counter",
    kind: OptionKind::Switch,
    default: "off",
    help: "counter moves: prefers the move that refuted the same move before",
};
const SHALLOW: OptionSpec = OptionSpec {
    key: "shallow",
    kind: OptionKind::OffOr(&OptionKind::Integer { min: 1, max: 6, step: 1 }),
    default: "off",
    help: "orders moves by a search of this depth, where the search itself is at least two plies deeper",
};
const REPLACE: OptionSpec = OptionSpec {
    key: "replace",
    kind: OptionKind::Choice(&["aged", "depth", "always"]),
    default: "aged",
    help: "replacement in a full transposition table: the oldest and shallowest, the shallowest, or always",
};
const EXACT: OptionSpec = OptionSpec {
    key: "exact",
    kind: OptionKind::Switch,
    default: "off",
    help: "uses table entries only at exactly the same depth and, where positions may not repeat, with the same history",
};
const QUIESCENCE: OptionSpec = OptionSpec {
    key: "quiescence",
    kind: OptionKind::OffOr(&OptionKind::Integer { min: 1, max: 20, step: 1 }),
    default: "off",
    help: "quiescence search: follows noisy moves at most this many plies beyond the depth",
};
const NOISY: OptionSpec = OptionSpec {
    key: "noisy",
    kind: OptionKind::Text { expected: "swing or a kind of move of the game", suggestions: &[] },
    default: "the game's first",
    help: "which moves are noisy: a kind that the game defines, or swing for all that change the score enough",
};
const THRESHOLD: OptionSpec = OptionSpec {
    key: "threshold",
    kind: OptionKind::Integer { min: 0, max: 100_000, step: 1 },
    default: "0",
    help: "how much a move must change the score to be noisy",
};
const NULL: OptionSpec = OptionSpec {
    key: "null",
    kind: OptionKind::OffOr(&OptionKind::Integer { min: 1, max: 6, step: 1 }),
    default: "off",
    help: "null-move pruning: cuts off where even passing would, searched this many plies less deep",
};
const LMR: OptionSpec = OptionSpec {
    key: "lmr",
    kind: OptionKind::OffOr(&OptionKind::Integer { min: 1, max: 50, step: 1 }),
    default: "off",
    help: "late-move reductions: searches moves less deep after this many",
};
pub(super) const LMR_RATE: OptionSpec = OptionSpec {
    key: "lmr-rate",
    kind: OptionKind::Decimal { min: 0.1, max: 2.0 },
    default: "0.5",
    help: "how fast late-move reductions grow: rate times ln(depth) ln(move)",
};
const FUTILITY: OptionSpec = OptionSpec {
    key: "futility",
    kind: OptionKind::OffOr(&OptionKind::Integer { min: 1, max: 100_000, step: 1 }),
    default: "off",
    help: "futility pruning: skips quiet moves in the last two plies where even this margin per ply would not reach the window",
};
const MULTI_CUT: OptionSpec = OptionSpec {
    key: "multicut",
    kind: OptionKind::OffOr(&OptionKind::Integer { min: 2, max: 10, step: 1 }),
    default: "off",
    help: "multi-cut: cuts off where this many of the first moves cause a cut-off in a shallower search",
};
const MULTI_CUT_MOVES: OptionSpec = OptionSpec {
    key: "multicut-moves",
    kind: OptionKind::Integer { min: 2, max: 30, step: 1 },
    default: "10",
    help: "number of moves that multi-cut tries",
};
const PROB_CUT: OptionSpec = OptionSpec {
    key: "probcut",
    kind: OptionKind::OffOr(&OptionKind::Decimal { min: 0.5, max: 4.0 }),
    default: "off",
    help: "ProbCut: cuts off where a shallow search predicts, with a margin of this many standard deviations, that a deep one would",
};
const EXTEND: OptionSpec = OptionSpec {
    key: "extend",
    kind: OptionKind::OffOr(&OptionKind::Integer { min: 1, max: 20, step: 1 }),
    default: "off",
    help: "extends the search by a ply under a threat, at most this many times in a line",
};
const FORESIGHT: OptionSpec = OptionSpec {
    key: "foresight",
    kind: OptionKind::OffOr(&OptionKind::Integer { min: 0, max: 10, step: 1 }),
    default: "off",
    help: "accepts results that the game proves without search, this many plies beyond the depth",
};

/// All parameters.
pub(crate) const PARAMETERS: &[OptionSpec] = &[
    parameters::TIME,
    parameters::DEPTH,
    parameters::NODES,
    parameters::THREADS,
    parameters::EVAL,
    parameters::WEIGHTS,
    WINDOW,
    DEEPENING,
    START,
    ASPIRATION,
    ORDERING,
    TIES,
    SIGHT,
    HASH,
    KILLERS,
    HISTORY,
    COUNTER,
    SHALLOW,
    TT,
    REPLACE,
    EXACT,
    QUIESCENCE,
    NOISY,
    THRESHOLD,
    NULL,
    LMR,
    LMR_RATE,
    FUTILITY,
    MULTI_CUT,
    MULTI_CUT_MOVES,
    PROB_CUT,
    BEST,
    parameters::CANDIDATES,
    EXTEND,
    FORESIGHT,
    parameters::MULTI,
    parameters::NOISE,
    parameters::SOLVE,
    parameters::BOOK,
];

/// How moves are ordered statically.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ordering {
    Static,
    Original,
    None,
}

/// Which of several best moves at the root is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ties {
    /// The one found first, whichever that is: it need not be known which others are as good.
    Found,
    /// The first in the order of the moves.
    First,
    /// The last in that order.
    Last,
    /// The one that the original program prefers, then the first.
    Original,
}

/// The leaf search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quiescence {
    pub(super) plies: u32,
    /// The game's kind of move; `None` for all moves.
    pub(super) kind: Option<usize>,
    pub(super) threshold: i32,
}

/// How a search is set: one field a switch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) pvs: bool,
    pub(super) deepening: bool,
    pub(super) start: u32,
    pub(super) aspiration: Option<i32>,
    pub(super) ordering: Ordering,
    pub(super) ties: Ties,
    /// The least depth at which the static order is asked.
    pub(super) sight: i32,
    pub(super) hash: bool,
    pub(super) killers: bool,
    pub(super) history: bool,
    pub(super) counter: bool,
    pub(super) shallow: Option<i32>,
    pub(super) exact: bool,
    pub(super) quiescence: Option<Quiescence>,
    pub(super) null: Option<i32>,
    pub(super) lmr: Option<usize>,
    pub(super) futility: Option<i32>,
    pub(super) multi_cut: Option<u32>,
    pub(super) multi_cut_moves: usize,
    pub(super) prob_cut: Option<f64>,
    pub(super) best: Option<usize>,
    pub(super) candidates: Option<usize>,
    pub(super) extend: u32,
    pub(super) foresight: Option<u32>,
    pub(super) multi: usize,
}

impl Settings {
    /// Reads `options`.
    ///
    /// # Errors
    /// If a word is none of the game's.
    pub(super) fn new<G: Game, K: Knowledge<G>>(
        knowledge: &K,
        options: &Options,
    ) -> Result<Self, OptionsError> {
        let quiescence = match options.optional_integer(QUIESCENCE.key) {
            None => None,
            Some(plies) => {
                let kind = match options.value(NOISY.key) {
                    Some("swing") => None,
                    Some(word) => Some(choose(NOISY.key, word, knowledge.noisy_kinds(), "swing")?),
                    None => (!knowledge.noisy_kinds().is_empty()).then_some(0),
                };
                Some(Quiescence { plies, kind, threshold: options.integer(THRESHOLD.key) as i32 })
            }
        };
        let [killers, history] = [KILLERS, HISTORY].map(|option| options.switch(option.key));
        let best = options.optional_integer(BEST.key).map(|moves| moves as usize);
        // Without experience to go by, or where moves are left out for how they look, looks are all there is.
        let is_needed_everywhere = !(killers && history) || best.is_some();
        let sight = if is_needed_everywhere { 1 } else { options.integer(SIGHT.key) as i32 };
        Ok(Self {
            pvs: options.text(WINDOW.key) == "pvs",
            deepening: options.switch(DEEPENING.key),
            start: options.integer(START.key),
            aspiration: options.optional_integer(ASPIRATION.key).map(|window| window as i32),
            ordering: match options.text(ORDERING.key) {
                "static" => Ordering::Static,
                "original" => Ordering::Original,
                _ => Ordering::None,
            },
            ties: match options.text(TIES.key) {
                "first" => Ties::First,
                "last" => Ties::Last,
                "original" => Ties::Original,
                _ => Ties::Found,
            },
            sight,
            hash: options.switch(HASH.key),
            killers,
            history,
            counter: options.switch(COUNTER.key),
            shallow: options.optional_integer(SHALLOW.key).map(|depth| depth as i32),
            exact: options.switch(EXACT.key),
            quiescence,
            null: options.optional_integer(NULL.key).map(|plies| plies as i32),
            lmr: options.optional_integer(LMR.key).map(|moves| moves as usize),
            futility: options.optional_integer(FUTILITY.key).map(|margin| margin as i32),
            multi_cut: options.optional_integer(MULTI_CUT.key),
            multi_cut_moves: options.integer(MULTI_CUT_MOVES.key) as usize,
            prob_cut: options.decimal(PROB_CUT.key),
            best,
            candidates: parameters::candidates(knowledge, options)?,
            extend: options.optional_integer(EXTEND.key).unwrap_or(0),
            foresight: options.optional_integer(FORESIGHT.key),
            multi: options.integer(parameters::MULTI.key) as usize,
        })
    }
}

/// The size of the table and its way of replacement; `None` if there is none.
pub(super) fn table(options: &Options) -> Option<(u32, Replacement)> {
    let replacement = match options.text(REPLACE.key) {
        "aged" => Replacement::Aged,
        "depth" => Replacement::Depth,
        _ => Replacement::Always,
    };
    options.optional_integer(TT.key).map(|megabytes| (megabytes, replacement))
}
