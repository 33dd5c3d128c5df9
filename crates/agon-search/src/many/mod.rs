//! Searches for games of two players or more, which differ in what they take the others to want.
//!
//! *max^n* (Luckhardt & Irani 1986): everybody wants most for oneself. *Paranoid* (Sturtevant & Korf 2000,
//! <https://webdocs.cs.ualberta.ca/~nathanst/papers/comparison_algorithms.pdf>): all others want least for oneself, which makes it a
//! game of two, and alpha-beta cuts. *Best reply* (Schadd & Winands 2011, <https://doi.org/10.1109/TCIAIG.2011.2107323>): only the one among
//! the others with the strongest reply moves, so that one's own turn comes up sooner. With two players all three are
//! minimax. Each has a file; `walk` is what they share below the root, and here is the root and the bot.

mod best_reply;
mod maxn;
mod paranoid;
mod walk;

use agon_core::cpu::{self, Level};
use agon_core::{Game, Line, OptionSpec, Options, OptionsError, Payoffs, Player, Turn};

use crate::bots::opinion;
use crate::knowledge::{Knowledge, PROVEN, proven_in};
use crate::limits::Watch;
use crate::root::{Class, Root, classes};
use crate::table::{Replacement, Score, Table};
use crate::{
    Budget, Feature, GameBot, Limits, ScoredMove, Statistic, Thought, Unit, legal_moves, parameters,
};
use best_reply::BestReply;
use maxn::MaxN;
use paranoid::Paranoid;
use walk::{Candidate, INFINITE, Walk};

/// The parameters of all three.
pub(crate) const PARAMETERS: &[OptionSpec] = &[
    parameters::TIME,
    parameters::DEPTH,
    parameters::NODES,
    parameters::EVAL,
    parameters::WEIGHTS,
    parameters::TT,
    parameters::BEST,
    parameters::CANDIDATES,
    parameters::MULTI,
    parameters::NOISE,
    parameters::SOLVE,
    parameters::BOOK,
];

/// Which moves are searched.
#[derive(Clone, Copy, Debug)]
struct Selection {
    /// So many, the most promising ones.
    best: Option<usize>,
    /// Those that a rule of the game keeps.
    candidates: Option<usize>,
}

/// What the others are taken to want, with what is remembered of such searches.
enum Assumption {
    MaxN(Table<Payoffs>),
    Paranoid(Table),
    BestReply(Table),
}

impl Assumption {
    /// Forgets all earlier searches.
    fn forget(&mut self) {
        match self {
            Self::MaxN(table) => table.clear(),
            Self::Paranoid(table) | Self::BestReply(table) => table.clear(),
        }
    }
}

/// A bot for games with many players.
pub struct Many<K> {
    knowledge: K,
    assumption: Assumption,
    selection: Selection,
    multi: usize,
    limits: Limits,
    root: Root,
}

impl<K> Many<K> {
    /// A bot that searches by `algorithm`, one of `maxn`, `paranoid` and `best-reply`, as `options` describe.
    ///
    /// # Errors
    /// If there is no such algorithm, the game has no such words, or the machine not that much memory.
    pub fn new<G: Game>(
        algorithm: &str,
        knowledge: K,
        options: &Options,
        seed: u64,
    ) -> Result<Self, OptionsError>
    where
        K: Knowledge<G>,
    {
        let assumption = match algorithm {
            "maxn" => Assumption::MaxN(table(options)?),
            "paranoid" => Assumption::Paranoid(table(options)?),
            "best-reply" => Assumption::BestReply(table(options)?),
            other => return Err(OptionsError::new(format!("there is no algorithm {other}"))),
        };
        let selection = Selection {
            best: options.optional_integer(parameters::BEST.key).map(|moves| moves as usize),
            candidates: parameters::candidates(&knowledge, options)?,
        };
        let multi = options.integer(parameters::MULTI.key) as usize;
        let root = Root::new(&knowledge, options, seed)?;
        Ok(Self { knowledge, assumption, selection, multi, limits: parameters::limits(options), root })
    }
}

fn table<S: Score>(options: &Options) -> Result<Table<S>, OptionsError> {
    match options.optional_integer(parameters::TT.key) {
        Some(megabytes) => Table::new(megabytes, Replacement::Aged),
        None => Ok(Table::off()),
    }
}

impl<G: Game, K: Knowledge<G>> GameBot<G> for Many<K> {
    fn think(
        &mut self,
        line: &Line<G>,
        budget: &Budget,
        observe: &mut dyn FnMut(&Thought<G::Move>),
    ) -> Option<Thought<G::Move>> {
        let Turn::Player(player) = line.turn() else { return None };
        let mut watch = budget.watch(self.limits);
        let moves = legal_moves(line);
        let first = *moves.first()?;
        self.knowledge.prepare(line);
        if budget.starts_afresh(&watch) {
            self.knowledge.forget();
            self.assumption.forget();
        }
        let multi = self.multi;
        if let Some(thought) = self.root.without_search(&self.knowledge, line, budget, &mut watch, multi) {
            observe(&thought);
            return Some(thought);
        }
        if moves.len() == 1 && !budget.judges_single_moves() {
            return Some(Thought::instinct(first));
        }
        let mut thought = cpu::dispatch_in_release(Deepening {
            line,
            player,
            knowledge: &self.knowledge,
            assumption: &mut self.assumption,
            selection: self.selection,
            multi: self.root.needed(multi),
            watch: &mut watch,
            observe,
        });
        self.root.blur(&mut thought);
        thought.elapsed = watch.elapsed();
        Some(thought)
    }

    fn features(&self, line: &Line<G>) -> Vec<Feature> {
        opinion(&self.knowledge, line)
    }

    fn unit(&self) -> Option<Unit> {
        Some(self.knowledge.unit())
    }
}

/// A search below the root.
trait Below<'a, G: Game, K: Knowledge<G>> {
    /// Whether every value is exact, whatever the bound.
    const IS_EXACT: bool;

    /// What `position`, one ply below the root, is worth to the player at the root, looking `depth` plies ahead: exactly if
    /// that is more than `alpha`, else something that is no more than `alpha`. Anything once the search has been stopped.
    fn value(&mut self, position: &G::Position, state: &K::State, alpha: f64, depth: u32) -> f64;

    /// The move that the search would make in `position`, this many plies below the root, if it remembers.
    fn expected(&self, position: &G::Position, ply: u32) -> Option<G::Move>;

    /// What is shared below the root.
    fn walk(&mut self) -> &mut Walk<'a, G, K>;

    /// How full the table is, from 0 to 1.
    fn fill(&self) -> f64;
}

/// One search from the root, to be run at a level.
struct Deepening<'a, G: Game, K> {
    line: &'a Line<G>,
    player: Player,
    knowledge: &'a K,
    assumption: &'a mut Assumption,
    selection: Selection,
    /// For how many moves the exact score is needed.
    multi: usize,
    watch: &'a mut Watch,
    observe: &'a mut dyn FnMut(&Thought<G::Move>),
}

impl<G: Game, K: Knowledge<G>> cpu::Root for Deepening<'_, G, K> {
    type Output = Thought<G::Move>;

    fn at<L: Level>(self, level: L) -> Thought<G::Move> {
        let Self { line, player, knowledge, assumption, selection, multi, watch, observe } = self;
        let walk = Walk::new(line, player, knowledge, selection, watch);
        let root = RootSearch { line, multi, observe };
        match assumption {
            Assumption::MaxN(table) => root.deepen(MaxN::new(walk, level, table)),
            Assumption::Paranoid(table) => root.deepen(Paranoid::new(walk, level, table)),
            Assumption::BestReply(table) => root.deepen(BestReply::new(walk, level, table)),
        }
    }
}

/// The root, whatever is below it.
struct RootSearch<'a, G: Game> {
    line: &'a Line<G>,
    multi: usize,
    observe: &'a mut dyn FnMut(&Thought<G::Move>),
}

/// A move at the root.
struct RootMove<M> {
    mv: M,
    /// Moves that are the same by symmetry.
    twins: Vec<M>,
    /// What making it costs beyond what its search shows.
    cost: f64,
    /// Its exact score at this depth, if that is known.
    score: Option<f64>,
}

impl<G: Game> RootSearch<'_, G> {
    fn deepen<'w, K: Knowledge<G>, B: Below<'w, G, K>>(self, mut below: B) -> Thought<G::Move> {
        let position = self.line.position();
        let walk = below.walk();
        let state = walk.knowledge.state(walk.game, position);
        let ranked: Vec<G::Move> = walk.ranked(position).into_iter().map(|Candidate { mv, .. }| mv).collect();
        let mut moves: Vec<RootMove<G::Move>> = classes(walk.knowledge, self.line, &ranked)
            .into_iter()
            .map(|Class { mv, twins }| {
                let cost = f64::from(walk.knowledge.cost(self.line, mv));
                RootMove { mv, twins, cost, score: None }
            })
            .collect();
        let deepest =
            walk.watch.limits().depth.map_or(parameters::MAX_DEPTH, |depth| depth.min(parameters::MAX_DEPTH));
        let mut thought = Thought::instinct(moves[0].mv);
        let multi = if B::IS_EXACT { usize::MAX } else { self.multi };
        for depth in 1..=deepest {
            moves.iter_mut().for_each(|root_move| root_move.score = None);
            try_moves(&mut below, position, &state, &mut moves, depth, multi);
            let finished = !below.walk().watch.has_stopped();
            // A depth that was stopped still counts for what it has shown, but not where several moves are to be compared: that
            // needs the same depth for all.
            if finished || moves[0].score.is_some() && (self.multi == 1 || thought.score.is_none()) {
                // Others may have a score too, but not all that are as good.
                let compared = &moves[..multi.min(moves.len())];
                thought =
                    report(&mut below, position, compared, if finished { depth } else { thought.depth });
                (self.observe)(&thought);
            }
            let settled = thought
                .score
                .and_then(proven_in)
                .is_some_and(|plies| plies.unsigned_abs() <= u64::from(depth));
            if !finished || settled || below.walk().watch.look() {
                break;
            }
        }
        thought.nodes = below.walk().watch.nodes();
        thought
    }
}

/// Searches `moves` to `depth` and brings the `multi` best to the front, in order.
fn try_moves<'w, G: Game, K: Knowledge<G>, B: Below<'w, G, K>>(
    below: &mut B,
    position: &G::Position,
    state: &K::State,
    moves: &mut [RootMove<G::Move>],
    depth: u32,
    multi: usize,
) {
    for index in 0..moves.len() {
        let RootMove { mv, cost, .. } = moves[index];
        let Some(next) = below.walk().play(position, state, mv, 0) else { return };
        // Those that are no better than enough others need no exact score.
        let alpha = if index < multi { None } else { moves[multi - 1].score }.unwrap_or(-INFINITE);
        // Who wins or loses anyway pays nothing.
        let paid = |score: f64, cost: f64| if score.abs() > f64::from(PROVEN) { score } else { score - cost };
        let value = match next.repeated {
            Some(payoffs) => payoffs.of(below.walk().player),
            None => paid(below.value(&next.position, &next.state, paid(alpha, -cost), depth - 1), cost),
        };
        below.walk().unplay();
        if below.walk().watch.has_stopped() {
            return;
        }
        if value > alpha {
            moves[index].score = Some(value);
            // The first of equals stays first.
            let is_worse = |known: &RootMove<G::Move>| known.score.is_none_or(|score| score < value);
            let place = moves[..index].iter().position(is_worse);
            moves[place.unwrap_or(index)..=index].rotate_right(1);
        }
    }
}

fn report<'w, G: Game, K: Knowledge<G>, B: Below<'w, G, K>>(
    below: &mut B,
    position: &G::Position,
    moves: &[RootMove<G::Move>],
    depth: u32,
) -> Thought<G::Move> {
    let game = below.walk().game;
    let RootMove { mv: best, score, .. } = moves[0];
    let mut line = vec![best];
    let mut after = *position;
    game.play_unchecked(&mut after, best);
    while line.len() < depth as usize
        && let Some(mv) = below.expected(&after, line.len() as u32)
        && game.is_legal(&after, mv)
    {
        game.play_unchecked(&mut after, mv);
        line.push(mv);
    }
    let fill = below.fill();
    let walk = below.walk();
    let all = [
        ("table fill", fill),
        ("cut-offs", walk.counts.cuts as f64),
        ("cut-offs by the first move", walk.counts.first_move_cuts as f64),
        ("cut-offs by the table", walk.counts.table_cuts as f64),
    ];
    let mut scored = Vec::new();
    for root_move in moves {
        let Some(score) = root_move.score else { break };
        let is_proven = score.abs() > f64::from(PROVEN);
        let known = ScoredMove { is_proven, ..ScoredMove::exact(root_move.mv, score) };
        scored.extend([root_move.mv].iter().chain(&root_move.twins).map(|&mv| known.of(mv)));
    }
    Thought {
        score,
        depth,
        nodes: walk.watch.nodes(),
        line,
        moves: scored,
        statistics: all.iter().map(|&(name, value)| Statistic { name, value }).collect(),
        elapsed: walk.watch.elapsed(),
        ..Thought::instinct(best)
    }
}
