//! Playing against limits: the same search, deeper and deeper until it is told to stop, at last to the end of the game.

use agon_core::cpu::{self, Level, Root};

use super::probcut::FULL;
use super::search::{MAX_SCORE, Node, Search};
use super::table::NO_MOVE;
use super::{MIDGAME_CARE, Solver, root};
use crate::{Move, Position};

/// What a search against limits has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insight {
    /// How the game is expected to go on, the best move first; nothing if the side to move has to pass or the game is over.
    pub line: Vec<Move>,
    /// The expected disc difference for the side to move.
    pub score: i32,
    /// The depth of the last search that was finished: the number of empty squares once it has seen the end of the game.
    pub depth: u32,
    /// Whether the score is proven.
    pub is_exact: bool,
    /// Moves made in the search.
    pub nodes: u64,
}

impl Solver {
    /// Searches `position` deeper and deeper until `stop`, given the moves made so far every few thousand, says so, or the result is
    /// proven; at most `deepest` plies. `None` if not even the first search was finished.
    pub fn think(
        &mut self,
        position: &Position<u64>,
        deepest: u32,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Option<Insight> {
        self.table.begin();
        cpu::dispatch(Deepening { solver: self, position, deepest, stop })
    }
}

struct Deepening<'a> {
    solver: &'a mut Solver,
    position: &'a Position<u64>,
    deepest: u32,
    stop: &'a mut dyn FnMut(u64) -> bool,
}

impl Root for Deepening<'_> {
    type Output = Option<Insight>;

    fn at<L: Level>(self, level: L) -> Option<Insight> {
        let node = root(&self.solver.game, self.position);
        let mut search = self.solver.search(level, self.stop);
        let mut insight = search.deepen(&node, self.deepest)?;
        insight.nodes = search.last.nodes;
        if let Some(&Move::Place(best)) = insight.line.first() {
            let next = node.after(usize::from(best), node.board.flips(usize::from(best)));
            insight.line.extend(search.remembered(next, insight.depth.saturating_sub(1)));
        }
        Some(insight)
    }
}

/// A search of the middle game that reaches this close to the end is followed by one to the end itself.
const LEAP: u32 = 9;
/// The cares of the searches to the end.
const TO_THE_END: [u8; 2] = [0, FULL];

/// The searches of a position with `count` empty squares, each a depth and a care.
fn passes(count: u32, deepest: u32) -> impl Iterator<Item = (u32, u8)> {
    let is_leap = move |depth: u32| depth + LEAP > count;
    let midgame = (1..count).take_while(move |depth| !is_leap(*depth)).map(|depth| (depth, MIDGAME_CARE));
    let end = TO_THE_END.into_iter().map(move |care| (count, care));
    midgame.chain(end).filter(move |(depth, _)| *depth <= deepest)
}

impl<L: Level> Search<'_, L> {
    fn deepen(&mut self, node: &Node, deepest: u32) -> Option<Insight> {
        let count = node.empties.count_ones();
        let mut found: Option<Insight> = None;
        for (depth, care) in passes(count, deepest) {
            self.care = care;
            let guess = found.as_ref().map_or(0, |found| found.score);
            let (mut alpha, mut beta, mut width) = (guess - 3, guess + 3, 3);
            loop {
                (alpha, beta) =
                    (alpha.clamp(-MAX_SCORE, MAX_SCORE - 1), beta.clamp(1 - MAX_SCORE, MAX_SCORE));
                let (score, best) = self.principal(node, alpha, beta, depth);
                // A score below the window says of no move that it is best; one that a stopped search has found above it does.
                let is_within = score > alpha || alpha == -MAX_SCORE && !self.stopped;
                if is_within {
                    let line = if best == NO_MOVE { vec![] } else { vec![Move::Place(u16::from(best))] };
                    let is_finished = !self.stopped && (score < beta || beta == MAX_SCORE);
                    let done = found.as_ref().map_or(0, |found| found.depth);
                    let depth = if is_finished { depth } else { done };
                    found =
                        Some(Insight { line, score, depth, is_exact: is_finished && care == FULL, nodes: 0 });
                }
                if self.stopped {
                    return found;
                }
                width *= 2;
                if score <= alpha && alpha > -MAX_SCORE {
                    (alpha, beta) = (score - width, score + 1);
                } else if score >= beta && beta < MAX_SCORE {
                    (alpha, beta) = (score - 1, score + width);
                } else {
                    break;
                }
                if width > MAX_SCORE {
                    (alpha, beta) = (-MAX_SCORE, MAX_SCORE);
                }
            }
        }
        found
    }

    /// The play of at most `plies` moves that the table remembers from `node` on.
    fn remembered(&self, mut node: Node, plies: u32) -> Vec<Move> {
        let mut line = Vec::new();
        for _ in 0..plies {
            let mut moves = node.board.moves(&self.last.game);
            if moves == 0 {
                node = node.passed();
                moves = node.board.moves(&self.last.game);
                if moves == 0 {
                    break;
                }
                line.push(Move::Pass);
            }
            let best = self.table.find(node.board).map_or(NO_MOVE, |entry| entry.moves[0]);
            if best == NO_MOVE || moves >> best & 1 == 0 {
                break;
            }
            line.push(Move::Place(u16::from(best)));
            node = node.after(usize::from(best), node.board.flips(usize::from(best)));
        }
        line
    }
}
