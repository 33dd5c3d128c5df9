//! One depth of a search by several threads: the positions right below the root are shared out.
//!
//! A position that is drawn by chance after a move is a task; there are many of them, so that hardly anybody has nothing left to do in
//! the end. Every task is done once, whoever does it, and the means are taken in the order of the draws: without a cut-off by
//! probability the values are those that one thread finds.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use agon_core::cpu::{self, Level, Root};
use agon_core::{Game, Turn};

use super::search::Search;
use super::table::Table;
use crate::team::{Until, together};
use crate::{Knowledge, Watch};

/// What the threads of a search share.
pub(super) struct Shared<'a, G: Game, K> {
    pub(super) game: &'a G,
    pub(super) knowledge: &'a K,
    pub(super) table: Option<&'a Table>,
    pub(super) cut: f64,
}

/// A position to be searched.
struct Task<P> {
    /// The place of the move that leads there.
    index: usize,
    position: P,
    /// Its share of the value of that move.
    share: f64,
    /// How many plies it is below the root.
    ply: u32,
}

/// What the threads have found.
pub(super) struct Found {
    /// The values of the moves, for the first player; none if the search was stopped before.
    pub(super) values: Option<Vec<f64>>,
    pub(super) hits: u64,
    pub(super) cuts: u64,
}

/// What one of them has found.
struct Part {
    /// Values by the places of their tasks.
    values: Vec<(usize, f64)>,
    hits: u64,
    cuts: u64,
    was_stopped: bool,
}

/// The fewest plies that are worth a thread.
pub(super) const LEAST_DEPTH: u32 = 3;

impl<G: Game, K: Knowledge<G>> Shared<'_, G, K> {
    /// Has so many `threads` search what `moves` lead to from `position`, looking `depth` plies ahead, at least [`LEAST_DEPTH`].
    pub(super) fn search(
        &self,
        position: &G::Position,
        moves: impl Iterator<Item = G::Move>,
        depth: u32,
        threads: usize,
        watch: &mut Watch,
    ) -> Found {
        let mut tasks = Vec::new();
        let mut count = 0;
        for (index, mv) in moves.enumerate() {
            let mut next = *position;
            self.game.play_unchecked(&mut next, mv);
            watch.tick();
            count = index + 1;
            if self.game.turn(&next) == Turn::Chance {
                self.game.for_each_chance(&next, |chance, share| {
                    let mut position = next;
                    self.game.play_chance(&mut position, chance);
                    tasks.push(Task { index, position, share, ply: 2 });
                });
            } else {
                tasks.push(Task { index, position: next, share: 1.0, ply: 1 });
            }
        }
        let (next, tasks) = (&AtomicUsize::new(0), tasks.as_slice());
        let part =
            |watch: &mut Watch| cpu::dispatch_in_release(Share { shared: self, tasks, next, depth, watch });
        let helpers = vec![part; threads - 1];
        let (own, mut parts) = together(watch, Until::AllAreDone, helpers, part);
        parts.push(own);
        let mut worth = vec![0.0; tasks.len()];
        for &(task, value) in parts.iter().flat_map(|part| &part.values) {
            worth[task] = value;
        }
        let mut values = vec![0.0; count];
        for (task, value) in tasks.iter().zip(worth) {
            values[task.index] += value * task.share;
        }
        let was_stopped = parts.iter().any(|part| part.was_stopped);
        let (hits, cuts) = parts.iter().fold((0, 0), |sums, part| (sums.0 + part.hits, sums.1 + part.cuts));
        Found { values: (!was_stopped).then_some(values), hits, cuts }
    }
}

/// The part of one thread: as many tasks as it gets to.
struct Share<'a, G: Game, K> {
    shared: &'a Shared<'a, G, K>,
    tasks: &'a [Task<G::Position>],
    /// The first task that nobody has begun.
    next: &'a AtomicUsize,
    depth: u32,
    watch: &'a mut Watch,
}

impl<G: Game, K: Knowledge<G>> Root for Share<'_, G, K> {
    type Output = Part;

    fn at<L: Level>(self, level: L) -> Part {
        let &Shared { game, knowledge, table, cut } = self.shared;
        let mut search = Search { game, knowledge, watch: self.watch, table, cut, hits: 0, cuts: 0 };
        let mut values = Vec::new();
        loop {
            let number = self.next.fetch_add(1, Relaxed);
            let Some(task) = self.tasks.get(number) else { break };
            if search.watch.has_stopped() || task.ply > 1 && search.watch.tick() {
                break;
            }
            values.push((number, search.value(level, &task.position, self.depth - task.ply, task.share)));
        }
        Part { values, hits: search.hits, cuts: search.cuts, was_stopped: search.watch.has_stopped() }
    }
}
