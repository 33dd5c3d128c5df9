//! Monte-Carlo tree search: UCT (Kocsis & Szepesvári 2006, <https://doi.org/10.1007/11871842_29>) for one to six players and
//! chance.
//!
//! A way down the tree follows the move with the best mean plus a bonus for moves that were seldom tried; at its end a
//! playout, random or judged, says what it was worth to every player, and each player's nodes on the way remember what
//! it was worth to *that* player (max^n in the long run, Sturtevant 2008). Chance is drawn. `results` is the solver, `tree`
//! the memory, `rewards` the currency, `search` the loop; here is the bot, which keeps its tree from move to move.

mod history;
mod recorder;
mod report;
mod results;
mod rewards;
mod search;
mod tree;

use std::sync::Arc;
use std::time::Duration;

use agon_core::line::PlyOf;
use agon_core::random::{below, mix, seeded};
use agon_core::{Game, Line, OptionKind, OptionSpec, Options, OptionsError, Player, Ply, Rng, Turn, cpu};

use crate::bots::opinion;
use crate::explore::{Exploration, Tree as Explored};
use crate::knowledge::Knowledge;
use crate::root::{Class, Root, classes};
use crate::team::{Until, together};
use crate::{Budget, Feature, GameBot, Limits, Thought, Unit, Watch, legal_moves, parameters};
use history::History;
use recorder::Recorder;
use report::{Sight, report};
use rewards::{Currency, Spread};
use search::{Counts, FIRST_REPORT, NANOSECONDS_PER_NODE, Report, Run, Search, Tools};
use tree::{ROOT, Tree};

const C: OptionSpec = OptionSpec {
    key: "c",
    kind: OptionKind::Decimal { min: 0.0, max: 100.0 },
    default: "1.41",
    help: "exploration constant of UCT",
};

const SOLVER: OptionSpec = OptionSpec {
    key: "solver",
    kind: OptionKind::Switch,
    default: "on",
    help: "backs up proven results (MCTS-Solver)",
};

const PLAYOUT: OptionSpec = OptionSpec {
    key: "playout",
    kind: OptionKind::Choice(&["uniform", "biased", "cut"]),
    default: "uniform",
    help: "playout policy: uniformly random, biased by the game's knowledge, or biased for a few plies and then evaluated",
};

const CUTOFF: OptionSpec = OptionSpec {
    key: "cutoff",
    kind: OptionKind::Integer { min: 0, max: 1000, step: 1 },
    default: "4",
    help: "plies after which a playout of the kind cut is evaluated",
};

const PATIENCE: OptionSpec = OptionSpec {
    key: "patience",
    kind: OptionKind::OffOr(&OptionKind::Duration {
        min: Duration::from_millis(1),
        max: parameters::MAX_TIME,
    }),
    default: "off",
    help: "ends a playout as a draw after this time; off: evaluates it after 1000 plies",
};

const HISTORY: OptionSpec = OptionSpec {
    key: "history",
    kind: OptionKind::OffOr(&OptionKind::Decimal { min: 0.0, max: 1000.0 }),
    default: "off",
    help: "weight of progressive history: favours moves that did well wherever they were played",
};

const BIAS: OptionSpec = OptionSpec {
    key: "bias",
    kind: OptionKind::OffOr(&OptionKind::Decimal { min: 0.0, max: 1000.0 }),
    default: "off",
    help: "weight of progressive bias: favours moves that the evaluation favours",
};

const URGENCY: OptionSpec = OptionSpec {
    key: "fpu",
    kind: OptionKind::OffOr(&OptionKind::Decimal { min: 0.0, max: 10.0 }),
    default: "off",
    help: "first-play urgency, the value of an untried move; off: every move is tried once before any is tried twice",
};

const REUSE: OptionSpec = OptionSpec {
    key: "reuse",
    kind: OptionKind::Switch,
    default: "on",
    help: "reuses the relevant part of the tree for the next move",
};

const MEMORY: OptionSpec = OptionSpec {
    key: "memory",
    kind: OptionKind::Integer { min: 1, max: 4096, step: 1 },
    default: "64",
    help: "memory for the tree in MB",
};

/// The parameters of `mcts`.
pub(crate) const PARAMETERS: &[OptionSpec] = &[
    parameters::TIME,
    parameters::DEPTH,
    parameters::NODES,
    parameters::THREADS,
    parameters::EVAL,
    parameters::WEIGHTS,
    C,
    SOLVER,
    PLAYOUT,
    CUTOFF,
    PATIENCE,
    HISTORY,
    BIAS,
    URGENCY,
    REUSE,
    MEMORY,
    parameters::CANDIDATES,
    parameters::NOISE,
    parameters::SOLVE,
    parameters::BOOK,
];

/// How moves beyond the tree are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Playout {
    /// Each equally likely.
    Uniform,
    /// As the game leans.
    Biased,
    /// As the game leans for this many plies; then the evaluation judges.
    Cut(u32),
}

/// How a search goes about it.
#[derive(Clone, Copy, Debug)]
struct Settings {
    exploration: f64,
    solver: bool,
    playout: Playout,
    /// How long a playout may take.
    patience: Option<Duration>,
    /// Weights; 0 is off.
    history: f64,
    bias: f64,
    urgency: Option<f64>,
    /// The rule by which moves come into the tree.
    candidates: Option<usize>,
}

impl Settings {
    /// Whether moves are preferred before they have been tried.
    #[inline(always)]
    fn has_guess(&self) -> bool {
        self.bias > 0.0 || self.history > 0.0
    }
}

/// A bot that grows a tree by playouts.
///
/// Its scores are in the unit of the evaluation: what lead has the chance of winning that the playouts show. Alone they
/// are the mean of what the game paid. Proven results score as in every search.
pub struct Mcts<G: Game, K> {
    knowledge: K,
    settings: Settings,
    limits: Limits,
    reuse: bool,
    seed: u64,
    /// How many threads it has been told to use.
    threads: Option<usize>,
    /// The memory for all trees, in bytes.
    memory: usize,
    own: Grown<PlyOf<G>>,
    /// What the threads that help have grown.
    helpers: Vec<Grown<PlyOf<G>>>,
    /// What the roots of the trees stand for.
    moment: Option<Moment<G>>,
    root: Root,
}

/// What one thread grows: each has a tree of its own, and what they say of the moves at the root is added up in the end (root
/// parallelisation, Chaslot and others 2008).
struct Grown<P> {
    tree: Tree<P>,
    spread: Spread,
    history: Option<History>,
    rng: Rng,
}

impl<P: Copy + PartialEq> Grown<P> {
    /// Makes the node at `kept` the root, or forgets everything.
    fn take_root(&mut self, kept: Option<usize>) {
        if let Some(index) = kept {
            self.tree.keep(index, 0);
        } else {
            self.tree.restart();
            self.spread = Spread::default();
            if let Some(history) = &mut self.history {
                history.clear();
            }
        }
    }
}

/// A moment of a game.
struct Moment<G: Game> {
    game: Arc<G>,
    position: G::Position,
    /// Plies before it.
    plies: usize,
    /// A hash of all positions before it.
    past: u64,
}

const MEGABYTE: usize = 1 << 20;
/// What a search may use that was given nothing but a depth: that bounds the tree, not the playouts.
const WITHOUT_LIMIT: Duration = Duration::from_secs(1);

impl<G: Game, K: Knowledge<G>> Mcts<G, K> {
    /// The bot that `options` describe.
    ///
    /// # Errors
    /// If there is not so much memory, or no such rule in the game.
    pub fn new(game: &G, knowledge: K, options: &Options, seed: u64) -> Result<Self, OptionsError> {
        let settings = Settings {
            exploration: options.decimal(C.key).unwrap_or_default(),
            solver: options.switch(SOLVER.key),
            playout: match options.text(PLAYOUT.key) {
                "uniform" => Playout::Uniform,
                "biased" => Playout::Biased,
                _ => Playout::Cut(options.integer(CUTOFF.key)),
            },
            patience: options.duration(PATIENCE.key),
            history: options.decimal(HISTORY.key).unwrap_or_default(),
            bias: options.decimal(BIAS.key).unwrap_or_default(),
            urgency: options.decimal(URGENCY.key),
            candidates: parameters::candidates(&knowledge, options)?,
        };
        let memory = options.integer(MEMORY.key) as usize * MEGABYTE;
        let history =
            (settings.history > 0.0).then(|| History::new(game.players(), knowledge.slots(game), memory / 4));
        let rest = memory - history.as_ref().map_or(0, History::bytes);
        let refuse = || parameters::too_much_memory(MEMORY.key, (memory / MEGABYTE) as u32);
        if agon_core::memory::available().is_some_and(|available| memory as u64 > available) {
            return Err(refuse());
        }
        let tree = Tree::with_memory(rest).map_err(|_| refuse())?;
        Ok(Self {
            settings,
            limits: parameters::limits(options),
            reuse: options.switch(REUSE.key),
            seed,
            threads: parameters::threads(options)?,
            memory: rest,
            own: Grown { tree, spread: Spread::default(), history, rng: seeded(seed) },
            helpers: Vec::new(),
            moment: None,
            root: Root::new(&knowledge, options, seed)?,
            knowledge,
        })
    }

    /// Begins to watch the limits.
    fn watch(&self, budget: &Budget) -> Watch {
        let watch = budget.watch(self.limits);
        match watch.limits() {
            Limits { time: None, nodes: None, depth: depth @ Some(_) } => {
                let limits = Limits { depth, ..Limits::of_time(WITHOUT_LIMIT) };
                Budget { limits, ..budget.clone() }.watch(limits)
            }
            _ => watch,
        }
    }

    /// Fixes the randomness of this search, with another number for each thread, and another one than the root's own, so that noise and
    /// playouts do not run in step.
    fn reseed(&mut self, budget: &Budget) {
        for (grown, place) in std::iter::once(&mut self.own).chain(&mut self.helpers).zip(0..) {
            let other = Budget { seed: budget.seed.map(|seed| mix(seed, 1 + place)), ..budget.clone() };
            let own_seed = if place == 0 { self.seed } else { mix(self.seed, place) };
            other.reseed(&mut grown.rng, own_seed);
        }
    }

    /// Has trees for so many `threads`, which share the memory; fewer of them if there is not so much left.
    fn share_out(&mut self, threads: usize) {
        if self.helpers.len() + 1 == threads {
            return;
        }
        // Those that are new know nothing of what the others have found before.
        self.moment = None;
        self.helpers.clear();
        let share = self.memory / threads;
        self.own.tree.set_memory(share);
        for place in 1..threads as u64 {
            let Ok(tree) = Tree::with_memory(share) else { break };
            let history = self.own.history.clone();
            let rng = seeded(mix(self.seed, place));
            self.helpers.push(Grown { tree, spread: Spread::default(), history, rng });
        }
    }

    /// Grows the trees and says what was found; `report` is called after `first_report` playouts, and then when it says so.
    #[expect(clippy::too_many_arguments, reason = "what a search for a move and one to be looked at share")]
    fn search(
        &mut self,
        line: &Line<G>,
        classes: &[Class<G::Move>],
        player: Player,
        known: u32,
        watch: &mut Watch,
        first_report: u64,
        report_now: &mut Report<'_, G, K>,
    ) -> Option<Thought<G::Move>> {
        let Self { knowledge, settings, own, helpers, .. } = self;
        let (game, knowledge, settings) = (&**line.game(), &*knowledge, &*settings);
        let others = helpers
            .iter_mut()
            .map(|grown| {
                |watch: &mut Watch| {
                    let tools = Tools { game, knowledge, settings, grown, watch };
                    let mut search = Search::new(tools, *line.position(), classes, line.repetition().clone());
                    cpu::dispatch_in_release(Run {
                        search: &mut search,
                        first_report: u64::MAX,
                        report: &mut |_| None,
                    });
                    search.counts
                }
            })
            .collect();
        let (own_counts, counts) = together(watch, Until::FirstIsDone, others, |watch| {
            let tools = Tools { game, knowledge, settings, grown: &mut *own, watch };
            let mut search = Search::new(tools, *line.position(), classes, line.repetition().clone());
            cpu::dispatch_in_release(Run { search: &mut search, first_report, report: report_now });
            search.counts
        });
        let trees = std::iter::once(&*own).chain(&*helpers).map(|grown| &grown.tree).collect();
        let counts = counts.iter().fold(own_counts, Counts::and);
        let currency = Currency::of(game, knowledge);
        report(&Sight { trees, counts, currency, watch }, classes, player, known)
    }

    /// Makes the root of the tree stand for the present of `line`, with what is known of it if the line goes on from where the
    /// last search was. Says how many playouts are known from before.
    fn take_root(&mut self, line: &Line<G>, is_afresh: bool, watch: &Watch) -> u32 {
        let may_reuse = self.reuse && !is_afresh && self.has_time(watch);
        let moment = self.moment.take().filter(|_| may_reuse);
        let mut known = 0_u32;
        for grown in std::iter::once(&mut self.own).chain(&mut self.helpers) {
            grown.take_root(moment.as_ref().and_then(|moment| moment.find(&grown.tree, line)));
            known = known.saturating_add(grown.tree.node(ROOT).visits);
        }
        let plies = line.plies().len();
        self.moment = Some(Moment {
            game: Arc::clone(line.game()),
            position: *line.position(),
            plies,
            past: past(line, plies),
        });
        known
    }

    /// Whether looking through the whole tree is a small part of the time for this move.
    fn has_time(&self, watch: &Watch) -> bool {
        let nodes: usize = self.helpers.iter().map(|grown| grown.tree.len()).sum();
        let cost = Duration::from_nanos((self.own.tree.len() + nodes) as u64 * NANOSECONDS_PER_NODE);
        watch.limits().time.is_none_or(|time| cost < time / 8)
    }
}

impl<G: Game> Moment<G> {
    /// The node of `tree`, whose root is this moment, that the present of `line` is.
    fn find(&self, tree: &Tree<PlyOf<G>>, line: &Line<G>) -> Option<usize> {
        line.plies().len().checked_sub(self.plies)?;
        let then = line.plies_since(self.plies).next().map_or(*line.position(), |(before, _)| before);
        let same = Arc::ptr_eq(&self.game, line.game())
            && then == self.position
            && past(line, self.plies) == self.past;
        let mut index = same.then_some(ROOT)?;
        for ply in &line.plies()[self.plies..] {
            index = tree.child(index, *ply)?;
        }
        Some(index)
    }
}

/// A hash of the first `plies` positions of `line`: two lines that agree in it and in the position after them have the same
/// past, also for rules about repetitions.
fn past<G: Game>(line: &Line<G>, plies: usize) -> u64 {
    line.plies_since(0).take(plies).fold(0, |hash, (before, _)| mix(hash, line.game().key(&before)))
}

impl<G: Game, K: Knowledge<G>> GameBot<G> for Mcts<G, K> {
    fn think(
        &mut self,
        line: &Line<G>,
        budget: &Budget,
        observe: &mut dyn FnMut(&Thought<G::Move>),
    ) -> Option<Thought<G::Move>> {
        let Turn::Player(player) = line.turn() else { return None };
        let mut watch = self.watch(budget);
        let moves = legal_moves(line);
        let first = *moves.first()?;
        self.knowledge.prepare(line);
        let is_afresh = budget.starts_afresh(&watch);
        if is_afresh {
            self.knowledge.forget();
        }
        let threads = budget.threads(self.threads, &watch);
        watch.grant_threads(threads);
        if let Some(thought) = self.root.without_search(&self.knowledge, line, budget, &mut watch, 1) {
            observe(&thought);
            return Some(thought);
        }
        if moves.len() == 1 && !budget.judges_single_moves() {
            return Some(Thought::instinct(first));
        }
        self.share_out(threads);
        self.reseed(budget);
        let classes = classes(&self.knowledge, line, &moves);
        // A tree from before may hold moves at its root that are the same by symmetry.
        let is_afresh = is_afresh || classes.len() < moves.len();
        let known = self.take_root(line, is_afresh, &watch);
        let mut next_report = FIRST_REPORT;
        let found = self.search(line, &classes, player, known, &mut watch, FIRST_REPORT, &mut |search| {
            if let Some(thought) = report(&search.sight(), &classes, player, known) {
                observe(&thought);
            }
            next_report *= 2;
            Some(next_report)
        });
        // There may have been too little time for a single playout.
        let mut thought = found.unwrap_or_else(|| {
            Thought::instinct(moves[below(&mut self.own.rng, moves.len() as u64) as usize])
        });
        self.root.blur(&mut thought);
        thought.elapsed = watch.elapsed();
        thought.nodes = watch.nodes();
        observe(&thought);
        Some(thought)
    }

    fn explore(&mut self, line: &Line<G>, budget: &Budget, playouts: u32) -> Option<Exploration<PlyOf<G>>> {
        let Turn::Player(player) = line.turn() else { return None };
        let mut watch = self.watch(budget);
        let moves = legal_moves(line);
        self.knowledge.prepare(line);
        self.share_out(1);
        self.reseed(budget);
        let classes = classes(&self.knowledge, line, &moves);
        let known = self.take_root(line, true, &watch);
        let mut recorder = Recorder::new(self.settings.exploration);
        let thought = self.search(line, &classes, player, known, &mut watch, 1, &mut |search| {
            // Once the tree has been thinned out, nodes are no longer where they were.
            if search.counts.recycled > 0 {
                return None;
            }
            recorder.record(search);
            (recorder.steps() < playouts as usize).then_some(search.counts.playouts + 1)
        })?;
        Some(Exploration { thought: thought.map(Ply::Move), tree: Explored::Playout(recorder.tree()) })
    }

    fn features(&self, line: &Line<G>) -> Vec<Feature> {
        opinion(&self.knowledge, line)
    }

    fn unit(&self) -> Option<Unit> {
        Some(self.knowledge.unit())
    }
}
