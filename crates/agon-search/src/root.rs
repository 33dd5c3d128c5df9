//! What searches share at the root: the opening book, the game's own solver, moves that are the same by symmetry, and noise.

use std::cmp::Reverse;

use agon_core::random::{RandomSource, seeded};
use agon_core::{Game, Line, Options, OptionsError, Player, Ply, Rng, Turn};

use crate::knowledge::{Knowledge, Tactics};
use crate::limits::{Budget, Limits, Watch};
use crate::parameters::{self, choose};
use crate::thought::{Bound, ScoredMove, Thought};

/// What a bot does besides searching.
#[derive(Debug)]
pub(crate) struct Root {
    book: Option<usize>,
    solve: Option<u32>,
    noise: Noise,
}

/// The share of time and nodes that a solver may use before it hands over to the search.
const SOLVER_SHARE: f64 = 0.55;

impl Root {
    /// Reads the parameters `book`, `solve` and `noise`.
    ///
    /// # Errors
    /// If the game has no such book.
    pub(crate) fn new<G: Game>(
        knowledge: &impl Tactics<G>,
        options: &Options,
        seed: u64,
    ) -> Result<Self, OptionsError> {
        let book = match options.text(parameters::BOOK.key) {
            "off" => None,
            word => Some(choose(parameters::BOOK.key, word, knowledge.books(), "off")?),
        };
        let solve = options.optional_integer(parameters::SOLVE.key);
        Ok(Self { book, solve, noise: Noise::new(options, seed) })
    }

    /// What needs no search: a move of the book, or a solved end, with what the solver finds about the other moves if more than
    /// one is asked for. Every thought begins here.
    pub(crate) fn without_search<G: Game>(
        &mut self,
        knowledge: &impl Knowledge<G>,
        line: &Line<G>,
        budget: &Budget,
        watch: &mut Watch,
        multi: usize,
    ) -> Option<Thought<G::Move>> {
        self.noise.begin(budget);
        if let Some(book) = self.book
            && let Some(best) = knowledge.book_move(line, book, &mut self.noise.rng)
        {
            return Some(Thought::instinct(best));
        }
        let Turn::Player(player) = line.turn() else { return None };
        let reach = self.solve?;
        let Limits { time, depth, nodes } = watch.limits();
        // Who wants a position judged wants to see the search get deeper, too, which only the general ones show.
        let plays = !budget.is_analysis && multi == 1 && !self.noise.is_on();
        let is_limited = depth.is_none() && (time.is_some() || nodes.is_some());
        let has_choice = || budget.judges_single_moves() || crate::legal_moves(line).len() > 1;
        let thinks = plays && is_limited && has_choice();
        let thought = thinks.then(|| knowledge.think(line, reach, watch)).flatten();
        let solution = match thought {
            Some(solution) => solution,
            None => knowledge.solve(line, reach, SOLVER_SHARE, watch)?,
        };
        let best =
            ScoredMove { is_proven: solution.is_exact, ..ScoredMove::exact(solution.best, solution.score) };
        let moves = if solution.is_exact && multi > 1 {
            solve_others(knowledge, line, player, reach, best, watch)
        } else {
            vec![best]
        };
        Some(Thought {
            score: Some(solution.score),
            depth: solution.depth,
            nodes: watch.nodes(),
            moves,
            line: solution.line,
            elapsed: watch.elapsed(),
            ..Thought::instinct(solution.best)
        })
    }

    /// For how many of the moves the score is needed if `multi` were asked for: for all where scores are to be blurred.
    pub(crate) fn needed(&self, multi: usize) -> usize {
        if self.noise.is_on() { usize::MAX } else { multi }
    }

    /// Has noise choose the move.
    pub(crate) fn blur<M: Copy + PartialEq>(&mut self, thought: &mut Thought<M>) {
        self.noise.choose(thought);
    }
}

/// The scores of all moves, `best` being that of the best one: each position that a move leads to is solved too. What there is no time
/// for is at most as good as the best.
fn solve_others<G: Game>(
    knowledge: &impl Knowledge<G>,
    line: &Line<G>,
    player: Player,
    reach: u32,
    best: ScoredMove<G::Move>,
    watch: &mut Watch,
) -> Vec<ScoredMove<G::Move>> {
    let (game, position) = (&**line.game(), line.position());
    let mut moves = crate::legal_moves(line);
    moves.sort_by_key(|&mv| (mv != best.mv, Reverse(knowledge.order(game, position, mv))));
    let mut found: Vec<ScoredMove<G::Move>> = Vec::new();
    for Class { mv, twins } in classes(knowledge, line, &moves) {
        let known = if mv == best.mv {
            best
        } else {
            let bound = ScoredMove { bound: Bound::Upper, is_proven: false, ..best }.of(mv);
            let score = solve_after(knowledge, line, mv, player, reach, watch);
            score.map_or(bound, |score| ScoredMove { is_proven: true, ..ScoredMove::exact(mv, score) })
        };
        found.extend([mv].into_iter().chain(twins).map(|mv| known.of(mv)));
    }
    found.sort_by(|one, other| {
        let is_bound = |known: &ScoredMove<_>| known.bound != Bound::Exact;
        is_bound(one).cmp(&is_bound(other)).then(other.score.total_cmp(&one.score))
    });
    found
}

/// The exact result after `mv` for `player`, who makes it.
fn solve_after<G: Game>(
    knowledge: &impl Knowledge<G>,
    line: &Line<G>,
    mv: G::Move,
    player: Player,
    reach: u32,
    watch: &mut Watch,
) -> Option<f64> {
    let mut next = line.clone();
    if watch.has_stopped() || !next.play(Ply::Move(mv)) {
        return None;
    }
    if let Some(outcome) = next.outcome() {
        return Some(knowledge.at_end(next.game(), next.position(), &outcome).of(player));
    }
    let solution = knowledge.solve(&next, reach, 1.0, watch).filter(|solution| solution.is_exact)?;
    Some(if next.turn() == Turn::Player(player) { solution.score } else { -solution.score })
}

/// Moves that a symmetry of the position turns into each other: one of them stands for all.
#[derive(Clone, Debug)]
pub(crate) struct Class<M> {
    pub(crate) mv: M,
    pub(crate) twins: Vec<M>,
}

/// The classes of `moves`, in the order of their first moves, which stand for them.
pub(crate) fn classes<G: Game>(
    tactics: &impl Tactics<G>,
    line: &Line<G>,
    moves: &[G::Move],
) -> Vec<Class<G::Move>> {
    let (game, position) = (&**line.game(), line.position());
    // A past that must not come again need not be symmetric.
    let has_past = game.repetition().is_some() && !line.plies().is_empty();
    let symmetries = if has_past { Vec::new() } else { tactics.symmetries(game, position) };
    let mut classes: Vec<Class<G::Move>> = Vec::with_capacity(moves.len());
    for &mv in moves {
        let mut images = symmetries.iter().map(|&symmetry| tactics.image(game, mv, symmetry));
        let is_same = |known: &Class<G::Move>, image: G::Move| {
            known.mv == image && tactics.cost(line, known.mv) == tactics.cost(line, mv)
        };
        match images.find_map(|image| classes.iter().position(|known| is_same(known, image))) {
            Some(place) => classes[place].twins.push(mv),
            None => classes.push(Class { mv, twins: Vec::new() }),
        }
    }
    classes
}

/// What makes weak levels vary: scores are blurred before the best is chosen, and only for that.
#[derive(Debug)]
pub(crate) struct Noise {
    most: Option<f64>,
    rng: Rng,
    seed: u64,
    is_off: bool,
}

impl Noise {
    /// Reads the parameter `noise`.
    pub(crate) fn new(options: &Options, seed: u64) -> Self {
        let most = options.decimal(parameters::NOISE.key).filter(|noise| *noise > 0.0);
        Self { most, rng: seeded(seed), seed, is_off: false }
    }

    /// Gets ready for a thought within `budget`.
    pub(crate) fn begin(&mut self, budget: &Budget) {
        budget.reseed(&mut self.rng, self.seed);
        self.is_off = budget.is_analysis;
    }

    /// Whether the score of every move is needed to be blurred.
    pub(crate) fn is_on(&self) -> bool {
        self.most.is_some() && !self.is_off
    }

    /// Has a thought choose the move that looks best when the scores of all are blurred; what is reported of them stays. Proven
    /// results are no opinions and are not blurred.
    pub(crate) fn choose<M: Copy + PartialEq>(&mut self, thought: &mut Thought<M>) {
        let Some(most) = self.most.filter(|_| self.is_on()) else { return };
        let mut blurred = thought.moves.iter().map(|known| {
            let unit = self.rng.next_u64() as f64 / u64::MAX as f64;
            let blur = if known.is_proven { 0.0 } else { most * (2.0 * unit - 1.0) };
            (known, known.score + blur)
        });
        let Some(first) = blurred.next() else { return };
        let (best, _) = blurred.fold(first, |best, other| if other.1 > best.1 { other } else { best });
        if best.mv != thought.best {
            thought.line = vec![best.mv];
        }
        (thought.best, thought.score) = (best.mv, Some(best.score));
    }
}
