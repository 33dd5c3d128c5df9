//! The exact endgame solver: the final disc difference under perfect play, and the play that leads there.
//!
//! Boards up to 8×8 are solved, each in one word. The driver deepens first a selective search of the middle game,
//! then searches to the end of the game with more and more care; each pass leaves its best moves in the table for
//! the next, so that the last one, which cuts nothing that is not proven, meets nearly the smallest tree.

mod board;
mod deepen;
mod last;
mod order;
pub(in crate::expertise) mod probcut;
mod search;
pub(in crate::expertise) mod stability;
mod table;

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::thread;

use crate::{Move, Othello, Position};
use agon_core::cpu::{self, Level, Root};
use agon_core::{Player, maths};

pub use self::deepen::Insight;

use self::board::Board;
use self::last::Last;
use self::probcut::FULL;
use self::search::{MAX_SCORE, Node, Search};
use self::stability::Stability;
use self::table::{NO_MOVE, Table};
use super::patterns::Arrangement;
use super::weights::Weights;

/// What is to be found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// The exact score.
    Score,
    /// Only who wins: the score's sign is right, its size is a bound.
    Outcome,
    /// The exact score, or, if stopped before it is known, the result of the last selective search to the end of the
    /// game that was finished.
    AsFarAsPossible,
}

/// A solved position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The final disc difference for the side to move, empty squares given to the winner.
    pub score: i32,
    /// The best play to the end of the game, passes included; it begins with the best move. If only the outcome was
    /// asked for, or the score is not exact, it has that move alone.
    pub line: Vec<Move>,
    /// Whether the score is proven.
    pub is_exact: bool,
    /// Moves made in the search.
    pub nodes: u64,
}

/// Solves positions, and remembers from one to the next.
#[derive(Debug)]
pub struct Solver {
    game: Othello<u64>,
    weights: Option<&'static Weights>,
    table: Table,
    threads: u64,
}

impl Solver {
    /// A solver for boards like that of `game`, with a table of at most `megabytes`.
    pub fn new(game: &Othello<u64>, megabytes: usize) -> Self {
        Self::with_weights(game, megabytes, None)
    }

    /// A solver that orders moves by `weights`, if there are any.
    pub fn with_weights(game: &Othello<u64>, megabytes: usize, weights: Option<&'static Weights>) -> Self {
        let weights = weights.filter(|_| game.size() == 8);
        Self { game: *game, weights, table: Table::new(megabytes), threads: 1 }
    }

    /// Solves in so many threads from now on, at least one, which share the table. The score is the same, but which of several best
    /// lines is found may change.
    pub fn use_threads(&mut self, threads: usize) {
        self.threads = threads.max(1) as u64;
    }

    /// With how many empty squares a first, selective search to the end can be expected to be finished within some 40%
    /// of `nodes`. With twelve it takes 7,000 on average, and each square more about 1.9 times as many.
    pub fn horizon(nodes: u64) -> u32 {
        let ratio = 0.4 * nodes as f64 / 7_000.0;
        (12.0 + maths::ln(ratio) / maths::ln(1.9)).max(0.0) as u32
    }

    /// Solves `position`; `None` if `stop`, given the moves made so far every few thousand, said to stop first.
    pub fn solve(
        &mut self,
        position: &Position<u64>,
        effort: Effort,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Option<Solution> {
        self.table.begin();
        let solver = &*self;
        if solver.threads == 1 {
            return cpu::dispatch(Task { solver, position, effort, place: 0, stop });
        }
        let (is_done, made) = (&AtomicBool::new(false), &AtomicU64::new(0));
        let led = thread::scope(|scope| {
            let done = Done(is_done);
            for place in 1..solver.threads {
                let help = move || {
                    let mut known = 0;
                    let stop = &mut |nodes| {
                        made.fetch_add(nodes - std::mem::replace(&mut known, nodes), Relaxed);
                        is_done.load(Relaxed)
                    };
                    cpu::dispatch(Task { solver, position, effort, place, stop });
                };
                // Where the system has no thread left, there are fewer.
                let name = thread::current().name().unwrap_or("solver").to_owned();
                let _ = thread::Builder::new().name(name).spawn_scoped(scope, help);
            }
            let stop = &mut |nodes| stop(nodes + made.load(Relaxed));
            let led = cpu::dispatch(Task { solver, position, effort, place: 0, stop });
            drop(done);
            led
        });
        led.map(|led| Solution { nodes: led.nodes + made.load(Relaxed), ..led })
    }
}

/// Ends the helpers, also if who leads them fails.
struct Done<'a>(&'a AtomicBool);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// What a search of limited depth says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// The expected disc difference for the side to move.
    pub score: i32,
    /// The best move; `None` if the side to move has to pass or the game is over.
    pub best: Option<Move>,
    /// Moves made in the search.
    pub nodes: u64,
}

impl Solver {
    /// Searches `position` to `depth` plies, `selectively` or whole; `None` if `stop` said to stop first.
    pub fn outlook(
        &mut self,
        position: &Position<u64>,
        depth: u32,
        selectively: bool,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Option<Outlook> {
        self.table.begin();
        let care = if selectively { MIDGAME_CARE } else { FULL };
        cpu::dispatch(Glimpse { solver: self, position, depth, care, stop })
    }

    fn search<'a, L: Level>(&'a self, level: L, stop: &'a mut dyn FnMut(u64) -> bool) -> Search<'a, L> {
        let Self { game, weights, table, .. } = self;
        Search {
            last: Last { level, game: *game, squares: (game.size() * game.size()) as i32, nodes: 0 },
            table,
            weights: *weights,
            stability: (game.size() == 8).then(Stability::new),
            care: FULL,
            place: 0,
            found: None,
            stop,
            next_look: 0,
            stopped: false,
        }
    }
}

/// One position to be searched to a limited depth.
struct Glimpse<'a> {
    solver: &'a Solver,
    position: &'a Position<u64>,
    depth: u32,
    care: u8,
    stop: &'a mut dyn FnMut(u64) -> bool,
}

impl Root for Glimpse<'_> {
    type Output = Option<Outlook>;

    fn at<L: Level>(self, level: L) -> Option<Outlook> {
        let node = root(&self.solver.game, self.position);
        let mut search = self.solver.search(level, self.stop);
        search.care = self.care;
        let (mut score, mut best) = (0, NO_MOVE);
        for depth in (2 - self.depth % 2..=self.depth).step_by(2) {
            (score, best) = search.principal(&node, -MAX_SCORE, MAX_SCORE, depth);
        }
        let best = (best != NO_MOVE).then_some(Move::Place(u16::from(best)));
        (!search.stopped).then_some(Outlook { score, best, nodes: search.last.nodes })
    }
}

/// One position to be solved.
struct Task<'a> {
    solver: &'a Solver,
    position: &'a Position<u64>,
    effort: Effort,
    /// The place of its thread among those that solve together.
    place: u64,
    stop: &'a mut dyn FnMut(u64) -> bool,
}

impl Root for Task<'_> {
    type Output = Option<Solution>;

    fn at<L: Level>(self, level: L) -> Option<Solution> {
        let Self { solver, position, effort, place, stop } = self;
        let node = root(&solver.game, position);
        let mut search = solver.search(level, stop);
        search.place = place;
        let score = search.drive(&node, effort);
        // What was found before the stop, if that is wanted.
        let unproven = search.found.filter(|_| effort == Effort::AsFarAsPossible);
        let line = score.and_then(|score| search.line(node, score, effort));
        let nodes = search.last.nodes;
        match (score, line) {
            (Some(score), Some(line)) => Some(Solution { score, line, is_exact: true, nodes }),
            _ => unproven.map(|(score, best)| Solution { score, line: vec![best], is_exact: false, nodes }),
        }
    }
}

fn root(game: &Othello<u64>, position: &Position<u64>) -> Node {
    Node {
        board: Board { own: position.own, opponent: position.opponent },
        empties: game.board() & !(position.own | position.opponent),
        arrangement: Arrangement::new(position.discs(Player(0)), position.discs(Player(1))),
        factor: if position.to_move == Player(0) { 1 } else { -1 },
    }
}

/// With fewer empty squares than this the exact search is faster alone.
const PREPARED: u32 = 12;
/// The deepest search of the middle game before the first to the end.
const DEEPEST: u32 = 12;
/// The care of searches of the middle game.
const MIDGAME_CARE: u8 = 1;
/// Up to this many empty squares a selective search to the end costs an exact one more than it saves.
const UNASSISTED: u32 = 20;
/// The care of the selective search to the end.
const ASSISTING_CARE: u8 = 1;

impl<L: Level> Search<'_, L> {
    /// The score of `node`: first roughly, then exactly.
    fn drive(&mut self, node: &Node, effort: Effort) -> Option<i32> {
        let count = node.empties.count_ones();
        let mut guess = 0;
        if count >= PREPARED && self.weights.is_some() {
            self.care = MIDGAME_CARE;
            for depth in (2..=DEEPEST.min(count - 8)).step_by(2) {
                guess = self.around(node, guess, depth, effort)?;
            }
            if count > UNASSISTED || effort == Effort::AsFarAsPossible {
                self.care = ASSISTING_CARE;
                guess = self.around(node, guess, count, effort)?;
                self.note(node, guess);
            }
        }
        self.care = FULL;
        let score = self.around(node, guess, count, effort)?;
        self.note(node, score);
        Some(score)
    }

    /// Keeps a result for the case that the next search is not finished.
    fn note(&mut self, node: &Node, score: i32) {
        let best = self.table.find(node.board).map_or(NO_MOVE, |entry| entry.moves[0]);
        if best != NO_MOVE {
            self.found = Some((score, Move::Place(u16::from(best))));
        }
    }

    /// Searches in a small window around `guess`, widened where the score turns out to lie beyond it.
    fn around(&mut self, node: &Node, guess: i32, depth: u32, effort: Effort) -> Option<i32> {
        let (least, most) = match effort {
            Effort::Outcome => (-1, 1),
            Effort::Score | Effort::AsFarAsPossible => (-MAX_SCORE, MAX_SCORE),
        };
        let (mut alpha, mut beta) = ((guess - 2).clamp(least, most - 1), (guess + 2).clamp(least + 1, most));
        let mut width = 2;
        loop {
            let (score, _) = self.principal(node, alpha, beta, depth);
            if self.stopped {
                return None;
            }
            width *= 2;
            let (is_below, is_above) = (score <= alpha && alpha > least, score >= beta && beta < most);
            (alpha, beta) = match (is_below, is_above) {
                (false, false) => return Some(score),
                // Selective searches of different windows can disagree, and miss a score from both sides again and again; the
                // whole range cannot be missed.
                _ if width > most - least => (least, most),
                // The score itself must lie inside the next window, or it would be missed from both sides.
                (true, _) => ((score - width).max(least), (score + 1).clamp(least + 1, most)),
                (false, true) => ((score - 1).clamp(least, most - 1), (score + width).min(most)),
            };
        }
    }

    /// The play from `node` that leads to `score`.
    fn line(&mut self, mut node: Node, mut score: i32, effort: Effort) -> Option<Vec<Move>> {
        let mut line = Vec::new();
        loop {
            let count = node.empties.count_ones();
            let moves = node.board.moves(&self.last.game);
            if moves == 0 {
                if node.board.passed().moves(&self.last.game) == 0 {
                    return Some(line);
                }
                line.push(Move::Pass);
                node = node.passed();
            } else {
                let (alpha, beta) = match effort {
                    Effort::Outcome => (-1, 1),
                    Effort::Score | Effort::AsFarAsPossible => (score - 1, score + 1),
                };
                // The table knows nearly all of this.
                let (_, best) = self.principal(&node, alpha, beta, count);
                if self.stopped {
                    return None;
                }
                debug_assert_ne!(best, NO_MOVE);
                line.push(Move::Place(u16::from(best)));
                node = node.after(usize::from(best), node.board.flips(usize::from(best)));
            }
            if effort == Effort::Outcome {
                return Some(line);
            }
            score = -score;
        }
    }
}

#[cfg(test)]
mod tests {
    use agon_core::Game;
    use agon_core::cpu::Portable;
    use agon_core::random::seeded;

    use super::*;

    #[test]
    fn the_portable_solver_finds_the_same() {
        let game = Othello::<u64>::new(8);
        let mut rng = seeded(1);
        let mut position = game.start();
        for _ in 0..51 {
            let Some(mv) = game.random_move(&position, &mut rng) else { break };
            game.play_unchecked(&mut position, mv);
        }
        let expected = Solver::new(&game, 1).solve(&position, Effort::Score, &mut |_| false);
        let solver = Solver::new(&game, 1);
        let (effort, stop) = (Effort::Score, &mut |_| false);
        let task = Task { solver: &solver, position: &position, effort, place: 0, stop };
        assert_eq!(task.at(Portable), expected);
        assert!(expected.is_some_and(|solution| solution.line.len() > 5));
    }

    #[test]
    fn stable_discs_are_never_turned() {
        fn never_turned(game: &Othello<u64>, position: &Position<u64>, player: Player, stable: u64) {
            assert_eq!(position.discs(player) & stable, stable);
            game.for_each_move(position, |mv| {
                let mut next = *position;
                game.play_unchecked(&mut next, mv);
                never_turned(game, &next, player, stable);
            });
        }
        let game = Othello::<u64>::new(8);
        let stability = Stability::new();
        let mut found = 0;
        for seed in 0..40 {
            let mut rng = seeded(seed);
            let mut position = game.start();
            while let Some(mv) = game.random_move(&position, &mut rng) {
                if (position.own | position.opponent).count_ones() >= 58 {
                    break;
                }
                game.play_unchecked(&mut position, mv);
            }
            let stable = stability.stable(position.own, position.opponent);
            found += stable.count_ones();
            never_turned(&game, &position, position.to_move, stable);
        }
        assert!(found > 100, "random games end with many stable discs: {found}");
    }
}
