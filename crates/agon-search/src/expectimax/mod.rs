//! Expectimax: the player takes the best move, chance the mean of all draws (Michie 1966).
//!
//! It differs from the plain search in what it need not do again or at all. A table keeps the value of every position
//! that was searched, and a probability cut-off judges at once what hardly ever happens; without the cut-off the
//! value is exactly that of the plain search. How deep it looks is fixed, or follows from the position by a rule of the
//! game (boards of 2048 with few empty cells have few branches and much to decide), or from the time there is.

mod search;
mod shared;
mod table;

use agon_core::cpu::{self, Level, Root};
use agon_core::{Game, Line, OptionKind, OptionSpec, Options, OptionsError, Player, Turn};

use crate::bots::opinion;
use crate::root::{Class, Noise, classes};
use crate::{Budget, Feature, GameBot, Knowledge, Limits, ScoredMove, Statistic, Thought, Unit, parameters};
use search::{FIRST, Search};
use shared::{LEAST_DEPTH, Shared};
use table::Table;

/// `adapt`: the rule for the depth.
const ADAPT: OptionSpec = OptionSpec {
    key: "adapt",
    kind: OptionKind::Text { expected: "off or a depth rule of the game", suggestions: &[] },
    default: "off",
    help: "searches as deep as a rule of the game says, but no deeper than depth",
};

/// `cut`: the probability cut-off.
const CUT: OptionSpec = OptionSpec {
    key: "cut",
    kind: OptionKind::OffOr(&OptionKind::Decimal { min: 0.0, max: 1.0 }),
    default: "off",
    help: "evaluates positions less likely than this without searching them",
};

/// `tt`: the table.
const TABLE: OptionSpec = OptionSpec {
    key: "tt",
    kind: OptionKind::OffOr(&OptionKind::Integer { min: 1, max: 4096, step: 1 }),
    default: "1",
    help: "size of the transposition table in MB",
};

/// The parameters of the algorithm.
pub(crate) const PARAMETERS: &[OptionSpec] = &[
    parameters::TIME,
    parameters::DEPTH,
    parameters::NODES,
    parameters::THREADS,
    parameters::EVAL,
    parameters::WEIGHTS,
    ADAPT,
    CUT,
    TABLE,
    parameters::NOISE,
];

/// A bot that plays by expectimax.
#[derive(Debug)]
pub(crate) struct Expectimax<K> {
    knowledge: K,
    limits: Limits,
    /// The index of the game's rule for the depth.
    rule: Option<usize>,
    cut: f64,
    table: Option<Table>,
    /// How many threads it has been told to use.
    threads: Option<usize>,
    noise: Noise,
}

impl<K> Expectimax<K> {
    /// The bot that `options`, read for [`PARAMETERS`], describe.
    pub(crate) fn new<G: Game>(knowledge: K, options: &Options, seed: u64) -> Result<Self, OptionsError>
    where
        K: Knowledge<G>,
    {
        let rule = match options.text(ADAPT.key) {
            "off" => None,
            word => Some(parameters::choose(ADAPT.key, word, knowledge.depth_rules(), "off")?),
        };
        Ok(Self {
            knowledge,
            limits: parameters::limits(options),
            rule,
            cut: options.decimal(CUT.key).unwrap_or(0.0),
            table: options.optional_integer(TABLE.key).map(Table::new).transpose()?,
            threads: parameters::threads(options)?,
            noise: Noise::new(options, seed),
        })
    }

    /// Its own limits in `position`.
    fn own_limits<G: Game>(&self, game: &G, position: &G::Position) -> Limits
    where
        K: Knowledge<G>,
    {
        let depth = self.rule.map(|rule| self.knowledge.depth(game, position, rule).max(1));
        self.limits.and(Limits { depth, ..Limits::default() })
    }
}

/// The depths to search, one after the other. Leaves lie right behind a player's move wherever chance answers each one:
/// what players leave behind is judged better than what chance has just disturbed. Without a limit that could
/// interrupt the search, the last depth is the only one.
fn depths<G: Game>(game: &G, limits: Limits) -> Vec<u32> {
    let last = limits.depth.unwrap_or(parameters::MAX_DEPTH);
    if limits.time.is_none() && limits.nodes.is_none() && last < parameters::MAX_DEPTH {
        return vec![last];
    }
    let step = if game.has_chance() { 2 } else { 1 };
    (1..last).step_by(step).chain([last]).collect()
}

impl<G: Game, K: Knowledge<G>> GameBot<G> for Expectimax<K> {
    fn think(
        &mut self,
        line: &Line<G>,
        budget: &Budget,
        observe: &mut dyn FnMut(&Thought<G::Move>),
    ) -> Option<Thought<G::Move>> {
        let Turn::Player(player) = line.turn() else { return None };
        let (game, position) = (&**line.game(), line.position());
        let legal = crate::legal_moves(line);
        let mut thought = Thought::instinct(*legal.first()?);
        self.knowledge.prepare(line);
        self.noise.begin(budget);
        let mut watch = budget.watch(self.own_limits(game, position));
        let depths = match legal.len() {
            // Nothing to decide: one look for the score is enough for somebody who just wants to play.
            1 if !budget.judges_single_moves() => vec![1],
            _ => depths(game, watch.limits()),
        };
        let classes = classes(&self.knowledge, line, &legal);
        if let Some(table) = &mut self.table {
            table.begin();
        }
        let (mut hits, mut cuts) = (0, 0);
        let threads = budget.threads(self.threads, &watch);
        let (knowledge, table, cut) = (&self.knowledge, self.table.as_ref(), self.cut);
        for depth in depths {
            let mut searched: Vec<_> = classes.iter().map(|class| ScoredMove::exact(class.mv, 0.0)).collect();
            if threads > 1 && depth >= LEAST_DEPTH {
                let moves = classes.iter().map(|class| class.mv);
                let shared = Shared { game, knowledge, table, cut };
                let found = shared.search(position, moves, depth, threads, &mut watch);
                (hits, cuts) = (hits + found.hits, cuts + found.cuts);
                let Some(values) = found.values else { break };
                for (known, value) in searched.iter_mut().zip(values) {
                    known.score = if player == FIRST { value } else { -value };
                }
            } else {
                let mut search = Search { game, knowledge, watch: &mut watch, table, cut, hits: 0, cuts: 0 };
                cpu::dispatch_in_release(Iteration {
                    search: &mut search,
                    player,
                    position,
                    moves: &mut searched,
                    depth,
                });
                (hits, cuts) = (hits + search.hits, cuts + search.cuts);
                if watch.has_stopped() {
                    break;
                }
            }
            let of_class = |(known, Class { mv, twins }): (&ScoredMove<G::Move>, &Class<G::Move>)| {
                [*mv].iter().chain(twins).map(|mv| known.of(*mv)).collect::<Vec<_>>()
            };
            let mut found: Vec<_> = searched.iter().zip(&classes).flat_map(of_class).collect();
            // Stable: of equals the first.
            found.sort_by(|one, other| other.score.total_cmp(&one.score));
            thought = Thought {
                score: Some(found[0].score),
                depth,
                nodes: watch.nodes(),
                elapsed: watch.elapsed(),
                ..Thought::instinct(found[0].mv)
            };
            thought.moves = found;
            observe(&thought);
        }
        self.noise.choose(&mut thought);
        thought.nodes = watch.nodes();
        thought.elapsed = watch.elapsed();
        thought.statistics = vec![
            Statistic { name: "table hits", value: hits as f64 },
            Statistic { name: "probability cut-offs", value: cuts as f64 },
        ];
        Some(thought)
    }

    fn features(&self, line: &Line<G>) -> Vec<Feature> {
        opinion(&self.knowledge, line)
    }

    fn unit(&self) -> Option<Unit> {
        Some(self.knowledge.unit())
    }
}

/// One move of each symmetry class of the root, searched to one depth.
struct Iteration<'a, 'b, G: Game, K> {
    search: &'a mut Search<'b, G, K>,
    player: Player,
    position: &'a G::Position,
    moves: &'a mut [ScoredMove<G::Move>],
    depth: u32,
}

impl<G: Game, K: Knowledge<G>> Root for Iteration<'_, '_, G, K> {
    type Output = ();

    fn at<L: Level>(self, level: L) {
        for ScoredMove { mv, score, .. } in self.moves {
            if self.search.watch.has_stopped() || self.search.watch.tick() {
                return;
            }
            let mut next = *self.position;
            self.search.game.play_unchecked(&mut next, *mv);
            *score = self.search.worth_to(level, self.player, &next, self.depth - 1);
        }
    }
}
