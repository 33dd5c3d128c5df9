//! The search itself: principal variation search above null windows above the last squares.
//!
//! Near the end of the game ([`Search::exact`]) moves are ordered at a glance and scores are final. Further up
//! ([`Search::null`]) the trained evaluation orders them by shallow searches, and, until the last pass
//! of the driver, cuts what a shallow search says is very probably outside the window: multi-ProbCut (M. Buro,
//! "Experiments with Multi-ProbCut and a new high-quality evaluation function for Othello", 2000).

use crate::Move;
use agon_core::cpu::Level;

use super::board::Board;
use super::last::Last;
use super::order::{Candidates, glance};
use super::probcut::{FULL, margin, shallow_depth};
use super::stability::Stability;
use super::table::{Finding, NO_MOVE, Table};
use crate::expertise::patterns::Arrangement;
use crate::expertise::weights::{UNIT, Weights};

/// The highest score and the bound of all windows.
pub(super) const MAX_SCORE: i32 = 64;

/// Up to this many empty squares no table is asked and moves are not sorted.
const SHALLOW: u32 = 6;
/// From this many empty squares on the table is asked about all moves before any is searched.
const ENHANCED: u32 = 9;
/// Up to this many empty squares an exact search orders moves without the evaluation.
const GLANCE: u32 = 13;
/// Up to this many empty squares a selective search to the end is exact: that costs no more than selecting.
const UNSELECTIVE: u32 = 10;
/// Up to this many plies a search of the middle game orders moves without looking further than their squares.
const SORTED: u32 = 3;
/// From this many plies on helpers try moves in another order: where all must be tried, threads share the work by that.
const VARIED: u32 = 13;
/// How many moves are made between two looks at the stop sign.
const NODES_A_LOOK: u64 = 512;

/// A position with what the evaluation needs.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) board: Board,
    pub(super) empties: u64,
    pub(super) arrangement: Arrangement,
    /// 1 if black is to move, -1 if white.
    pub(super) factor: i16,
}

impl Node {
    #[inline(always)]
    pub(super) fn after(&self, square: usize, flips: u64) -> Self {
        let mut arrangement = self.arrangement;
        arrangement.play(square, flips, self.factor);
        Self {
            board: self.board.after(square, flips),
            empties: self.empties ^ 1 << square,
            arrangement,
            factor: -self.factor,
        }
    }

    #[inline(always)]
    pub(super) fn passed(&self) -> Self {
        Self { board: self.board.passed(), factor: -self.factor, ..*self }
    }

    #[inline(always)]
    fn count(&self) -> u32 {
        self.empties.count_ones()
    }
}

/// What a search needs at every node.
pub(super) struct Search<'a, L> {
    pub(super) last: Last<L>,
    pub(super) table: &'a Table,
    pub(super) weights: Option<&'a Weights>,
    /// Only the full-sized board has its stable discs counted.
    pub(super) stability: Option<Stability>,
    /// How careful the selection is; [`FULL`] cuts nothing.
    pub(super) care: u8,
    /// The place of its thread among those that solve together: helpers try moves in another order.
    pub(super) place: u64,
    /// The score and the best move of the last search to the end of the game.
    pub(super) found: Option<(i32, Move)>,
    /// Told the moves made so far, says whether to stop.
    pub(super) stop: &'a mut dyn FnMut(u64) -> bool,
    pub(super) next_look: u64,
    /// Once set, scores mean nothing and nothing is stored.
    pub(super) stopped: bool,
}

impl<L: Level> Search<'_, L> {
    #[inline(always)]
    fn look(&mut self) -> bool {
        if self.last.nodes >= self.next_look {
            self.next_look = self.last.nodes + NODES_A_LOOK;
            self.stopped = self.stopped || (self.stop)(self.last.nodes);
        }
        self.stopped
    }

    /// A bound by stable discs that fails low, if the window is high enough for it to be likely.
    #[inline(always)]
    fn stability_cut(&self, board: Board, alpha: i32, count: u32) -> Option<i32> {
        let stability = self.stability.filter(|_| alpha >= 2 * count as i32)?;
        Some(stability.upper_bound(board)).filter(|bound| *bound <= alpha)
    }

    /// The score by the evaluation, in whole discs; without one, the discs that there are. A function of its own: it is long, and asked for
    /// in many places.
    #[inline(never)]
    fn evaluate(&self, node: &Node) -> i32 {
        let Board { own, opponent } = node.board;
        let Some(weights) = self.weights else {
            return own.count_ones() as i32 - opponent.count_ones() as i32;
        };
        self.last.level.run(
            #[inline(always)]
            || {
                let value = weights.value(&node.arrangement, own, opponent, node.factor);
                (value + UNIT / 2).div_euclid(UNIT).clamp(-MAX_SCORE + 1, MAX_SCORE - 1)
            },
        )
    }

    /// The exact score against `alpha`: more than it and at most the score, or at most it and at least the score.
    fn exact(&mut self, board: Board, alpha: i32, empties: u64) -> i32 {
        self.last.level.run(
            #[inline(always)]
            || self.exact_body(board, alpha, empties),
        )
    }

    #[inline(always)]
    fn exact_body(&mut self, board: Board, alpha: i32, empties: u64) -> i32 {
        let count = empties.count_ones();
        if count <= SHALLOW {
            return self.last.search(board, alpha, empties);
        }
        if self.look() {
            return alpha;
        }
        if let Some(bound) = self.stability_cut(board, alpha, count) {
            return bound;
        }
        let mut known = [NO_MOVE; 2];
        if let Some(entry) = self.table.find(board) {
            if u32::from(entry.depth) >= count && entry.care == FULL {
                if i32::from(entry.lower) > alpha {
                    return i32::from(entry.lower);
                }
                if i32::from(entry.upper) <= alpha {
                    return i32::from(entry.upper);
                }
            }
            known = entry.moves;
        }
        let moves = board.moves(&self.last.game);
        if moves == 0 {
            let passed = board.passed();
            if passed.moves(&self.last.game) == 0 {
                return board.final_score(count);
            }
            return -self.exact(passed, -alpha - 1, empties);
        }
        let mut candidates = Candidates::new();
        candidates.fill(board, moves);
        for candidate in candidates.as_mut() {
            if candidate.next.own == 0 {
                return self.last.squares;
            }
            if count >= ENHANCED
                && let Some(entry) = self.table.find(candidate.next)
                && u32::from(entry.depth) + 1 >= count
                && entry.care == FULL
                && -i32::from(entry.upper) > alpha
            {
                return -i32::from(entry.upper);
            }
            candidate.score = if candidate.square == known[0] {
                i32::MAX
            } else if candidate.square == known[1] {
                i32::MAX - 1
            } else {
                glance(&self.last.game, candidate, empties)
            };
        }
        let (mut best, mut best_move, mut index) = (-MAX_SCORE - 1, NO_MOVE, 0);
        while let Some(candidate) = candidates.select(index) {
            index += 1;
            self.last.nodes += 1;
            let score = -self.exact(candidate.next, -alpha - 1, empties ^ 1 << candidate.square);
            if score > best {
                (best, best_move) = (score, candidate.square);
                if best > alpha {
                    break;
                }
            }
        }
        if !self.stopped {
            let (depth, care, beta) = (count, FULL, alpha + 1);
            let finding = Finding { depth, care, alpha, beta, score: best, best: best_move };
            self.table.store(board, finding);
        }
        best
    }

    /// The score at `depth` against `alpha`, as in [`Search::exact`].
    pub(super) fn null(&mut self, node: &Node, alpha: i32, depth: u32) -> i32 {
        self.last.level.run(
            #[inline(always)]
            || self.null_body(node, alpha, depth),
        )
    }

    #[inline(always)]
    fn null_body(&mut self, node: &Node, alpha: i32, depth: u32) -> i32 {
        let count = node.count();
        let depth = depth.min(count);
        let is_final = depth == count;
        if is_final && (count <= UNSELECTIVE || count <= GLANCE && self.care == FULL) {
            return self.exact(node.board, alpha, node.empties);
        }
        if depth == 0 {
            return self.evaluate(node);
        }
        if depth == 1 {
            return self.leaves(node, alpha);
        }
        if self.look() {
            return alpha;
        }
        if let Some(bound) = self.stability_cut(node.board, alpha, count) {
            return bound;
        }
        let mut known = [NO_MOVE; 2];
        if let Some(entry) = self.table.find(node.board) {
            if u32::from(entry.depth) >= depth && entry.care >= self.care {
                if i32::from(entry.lower) > alpha {
                    return i32::from(entry.lower);
                }
                if i32::from(entry.upper) <= alpha {
                    return i32::from(entry.upper);
                }
            }
            known = entry.moves;
        }
        let moves = node.board.moves(&self.last.game);
        if moves == 0 {
            let passed = node.passed();
            if passed.board.moves(&self.last.game) == 0 {
                return node.board.final_score(count);
            }
            return -self.null(&passed, -alpha - 1, depth);
        }
        if self.care < FULL
            && let Some(score) = self.probable(node, alpha, depth)
        {
            return score;
        }
        let mut candidates = Candidates::new();
        candidates.fill(node.board, moves);
        for candidate in candidates.as_mut() {
            if candidate.next.own == 0 {
                return self.last.squares;
            }
            if depth > SORTED
                && let Some(entry) = self.table.find(candidate.next)
                && u32::from(entry.depth) + 1 >= depth
                && entry.care >= self.care
                && -i32::from(entry.upper) > alpha
            {
                return -i32::from(entry.upper);
            }
        }
        self.score_candidates(node, &mut candidates, known, depth);
        let (mut best, mut best_move, mut index) = (-MAX_SCORE - 1, NO_MOVE, 0);
        while let Some(candidate) = candidates.select(index) {
            index += 1;
            self.last.nodes += 1;
            let next = node.after(usize::from(candidate.square), candidate.flips);
            let score = -self.null(&next, -alpha - 1, depth - 1);
            if score > best {
                (best, best_move) = (score, candidate.square);
                if best > alpha {
                    break;
                }
            }
        }
        if !self.stopped {
            let finding =
                Finding { depth, care: self.care, alpha, beta: alpha + 1, score: best, best: best_move };
            self.table.store(node.board, finding);
        }
        best
    }

    /// One ply above the evaluation: nothing to sort or remember.
    #[inline(always)]
    fn leaves(&mut self, node: &Node, alpha: i32) -> i32 {
        let mut moves = node.board.moves(&self.last.game);
        if moves == 0 {
            let passed = node.passed();
            if passed.board.moves(&self.last.game) == 0 {
                return node.board.final_score(node.count());
            }
            return -self.null(&passed, -alpha - 1, 1);
        }
        let mut best = -MAX_SCORE - 1;
        while moves != 0 {
            let square = moves.trailing_zeros() as usize;
            moves &= moves - 1;
            let flips = node.board.flips(square);
            self.last.nodes += 1;
            if flips == node.board.opponent {
                return self.last.squares;
            }
            best = best.max(-self.evaluate(&node.after(square, flips)));
            if best > alpha {
                break;
            }
        }
        best
    }

    /// Orders moves: those of the table, then by a shallow search, or at a glance near the leaves.
    #[inline(always)]
    fn score_candidates(&mut self, node: &Node, candidates: &mut Candidates, known: [u8; 2], depth: u32) {
        let ahead = match depth {
            _ if self.weights.is_none() || depth <= SORTED => None,
            ..=9 => Some(0),
            10..=14 => Some(1),
            _ => Some(2),
        };
        let is_final = depth == node.count();
        for candidate in candidates.as_mut() {
            candidate.score = if candidate.square == known[0] {
                i32::MAX
            } else if candidate.square == known[1] {
                i32::MAX - 1
            } else {
                let glance = glance(&self.last.game, candidate, node.empties);
                match ahead {
                    None => glance,
                    Some(ahead) => {
                        let next = node.after(usize::from(candidate.square), candidate.flips);
                        let value = -self.outlook(&next, -MAX_SCORE, MAX_SCORE, ahead);
                        // In an exact search the cost of refuting a move counts as well as its value.
                        if is_final { 64 * value + glance } else { 64 * value + glance / 4 }
                    }
                }
            };
        }
        if self.place > 0 && depth >= VARIED {
            candidates.vary(self.place);
        }
    }

    /// A shallow search for the order of moves, of no more than a few plies.
    fn outlook(&mut self, node: &Node, alpha: i32, beta: i32, depth: u32) -> i32 {
        self.last.level.run(
            #[inline(always)]
            || {
                if depth == 0 {
                    return self.evaluate(node);
                }
                let mut moves = node.board.moves(&self.last.game);
                if moves == 0 {
                    let passed = node.passed();
                    if passed.board.moves(&self.last.game) == 0 {
                        return node.board.final_score(node.count());
                    }
                    return -self.outlook(&passed, -beta, -alpha, depth);
                }
                let (mut best, mut alpha) = (-MAX_SCORE - 1, alpha);
                while moves != 0 {
                    let square = moves.trailing_zeros() as usize;
                    moves &= moves - 1;
                    self.last.nodes += 1;
                    let next = node.after(square, node.board.flips(square));
                    best = best.max(-self.outlook(&next, -beta, -alpha, depth - 1));
                    alpha = alpha.max(best);
                    if alpha >= beta {
                        break;
                    }
                }
                best
            },
        )
    }

    /// A score outside the window that a shallow search shows to be very probable.
    #[inline(always)]
    fn probable(&mut self, node: &Node, alpha: i32, depth: u32) -> Option<i32> {
        let shallow = shallow_depth(depth)?;
        let margin = margin(self.care, node.count(), depth, shallow);
        let guess = self.evaluate(node);
        let high = alpha + 1 + margin;
        if guess > alpha && high <= MAX_SCORE && self.null(node, high - 1, shallow) >= high {
            return Some(alpha + 1);
        }
        let low = alpha - margin;
        if guess <= alpha && low >= -MAX_SCORE && self.null(node, low, shallow) <= low {
            return Some(alpha);
        }
        None
    }

    /// The score within a window, with the best move.
    pub(super) fn principal(&mut self, node: &Node, alpha: i32, beta: i32, depth: u32) -> (i32, u8) {
        let count = node.count();
        let depth = depth.min(count);
        if depth == 0 {
            let score = if count == 0 { node.board.final_score(0) } else { self.evaluate(node) };
            return (score, NO_MOVE);
        }
        if self.look() {
            return (alpha, NO_MOVE);
        }
        let moves = node.board.moves(&self.last.game);
        if moves == 0 {
            let passed = node.passed();
            if passed.board.moves(&self.last.game) == 0 {
                return (node.board.final_score(count), NO_MOVE);
            }
            return (-self.principal(&passed, -beta, -alpha, depth).0, NO_MOVE);
        }
        let known = self.table.find(node.board).map_or([NO_MOVE; 2], |entry| entry.moves);
        let mut candidates = Candidates::new();
        candidates.fill(node.board, moves);
        self.score_candidates(node, &mut candidates, known, depth);
        let (mut best, mut best_move, mut index) = (-MAX_SCORE - 1, NO_MOVE, 0);
        while let Some(candidate) = candidates.select(index) {
            self.last.nodes += 1;
            let next = node.after(usize::from(candidate.square), candidate.flips);
            let floor = alpha.max(best);
            let mut score = best;
            if index > 0 {
                score = -self.null(&next, -floor - 1, depth - 1);
            }
            if index == 0 || score > floor && score < beta {
                score = -self.principal(&next, -beta, -floor, depth - 1).0;
            }
            if self.stopped {
                break;
            }
            index += 1;
            if score > best {
                (best, best_move) = (score, candidate.square);
                if best >= beta {
                    break;
                }
            }
        }
        if !self.stopped {
            let finding = Finding { depth, care: self.care, alpha, beta, score: best, best: best_move };
            self.table.store(node.board, finding);
        }
        (best, best_move)
    }
}
