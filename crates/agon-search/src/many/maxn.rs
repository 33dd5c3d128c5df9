//! max^n: at every node the player to move takes what is best for oneself.
//!
//! Between equals the first move in the order of the rules is taken, whatever the order of the search: so the value of a
//! position does not depend on how it was found. There is little to cut: only a win on the spot, which nothing can better,
//! ends a node (immediate pruning; Korf 1991 shows why deeper cuts would be unsound). Such a win is taken to be worth the
//! same to the others by whichever move.

use agon_core::cpu::Level;
use agon_core::{Game, Payoffs, Turn};

use super::Below;
use super::walk::{INFINITE, Walk};
use crate::knowledge::{Knowledge, WIN};
use crate::table::{MoveCode, Table};
use crate::thought::Bound;

pub(super) struct MaxN<'a, G: Game, K, L> {
    walk: Walk<'a, G, K>,
    level: L,
    table: &'a mut Table<Payoffs>,
}

impl<'a, G: Game, K: Knowledge<G>, L: Level> MaxN<'a, G, K, L> {
    pub(super) fn new(walk: Walk<'a, G, K>, level: L, table: &'a mut Table<Payoffs>) -> Self {
        table.next_search();
        Self { walk, level, table }
    }

    /// What `position` is worth to every player; `None` once the search has been stopped.
    fn search(&mut self, position: &G::Position, state: &K::State, depth: u32, ply: u32) -> Option<Payoffs> {
        let level = self.level;
        level.run(
            #[inline(always)]
            || self.visit(position, state, depth, ply),
        )
    }

    #[inline(always)]
    fn visit(&mut self, position: &G::Position, state: &K::State, depth: u32, ply: u32) -> Option<Payoffs> {
        let Turn::Player(player) = self.walk.game.turn(position) else {
            return Some(self.walk.judge(position, state, ply));
        };
        if depth == 0 {
            return Some(self.walk.judge(position, state, ply));
        }
        let key = self.walk.key(position, ply);
        let known = key.and_then(|key| self.table.probe(key));
        if let Some(entry) = known.filter(|entry| entry.depth() == Some(depth as u8)) {
            self.walk.counts.table_cuts += 1;
            return Some(entry.score);
        }
        let start = self.walk.candidates.len();
        self.walk.list(position, 0);
        self.walk.sort(start, known.and_then(|entry| entry.best()));
        if self.walk.candidates.len() == start {
            return Some(self.walk.judge(position, state, ply));
        }
        let (mut best, mut chosen, mut chosen_place) =
            (Payoffs([-INFINITE; agon_core::MAX_PLAYERS]), None, u32::MAX);
        for index in start..self.walk.candidates.len() {
            let candidate = self.walk.candidates[index];
            let next = self.walk.play(position, state, candidate.mv, ply)?;
            let value = match next.repeated {
                Some(value) => value,
                None => self.search(&next.position, &next.state, depth - 1, ply + 1)?,
            };
            self.walk.unplay();
            let (own, known) = (value.of(player), best.of(player));
            if own > known || own == known && candidate.place < chosen_place {
                (best, chosen, chosen_place) = (value, Some(candidate.mv), candidate.place);
            }
            if own >= f64::from(WIN) - f64::from(ply + 1) {
                self.walk.counts.note_cut(index == start);
                break;
            }
        }
        self.walk.candidates.truncate(start);
        if let Some(key) = key {
            self.table.store_alone(key, best, Some(depth as u8), Bound::Exact, chosen.map(MoveCode::of));
        }
        Some(best)
    }
}

impl<'a, G: Game, K: Knowledge<G>, L: Level> Below<'a, G, K> for MaxN<'a, G, K, L> {
    const IS_EXACT: bool = true;

    fn value(&mut self, position: &G::Position, state: &K::State, _alpha: f64, depth: u32) -> f64 {
        self.search(position, state, depth, 1).map_or(0.0, |value| value.of(self.walk.player))
    }

    fn expected(&self, position: &G::Position, ply: u32) -> Option<G::Move> {
        let best = self.table.probe(self.walk.key(position, ply)?)?.best()?;
        self.walk.find(position, best)
    }

    fn walk(&mut self) -> &mut Walk<'a, G, K> {
        &mut self.walk
    }

    fn fill(&self) -> f64 {
        self.table.fill(0)
    }
}
