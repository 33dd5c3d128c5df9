//! Paranoid search: all others play against the player at the root, so that alpha-beta cuts. Fail-soft, with a table; its
//! wins hold against any play of the others, its losses suppose that they conspire.

use agon_core::cpu::Level;
use agon_core::{Game, Turn};

use super::Below;
use super::walk::Walk;
use crate::knowledge::{Knowledge, WIN};
use crate::table::{MoveCode, Table};
use crate::thought::Bound;

/// No score is as large as this.
const INFINITE: i32 = WIN + 1;

pub(super) struct Paranoid<'a, G: Game, K, L> {
    walk: Walk<'a, G, K>,
    level: L,
    table: &'a mut Table,
}

impl<'a, G: Game, K: Knowledge<G>, L: Level> Paranoid<'a, G, K, L> {
    pub(super) fn new(walk: Walk<'a, G, K>, level: L, table: &'a mut Table) -> Self {
        table.next_search();
        Self { walk, level, table }
    }

    /// What `position` is worth to the player at the root; `None` once the search has been stopped.
    fn search(
        &mut self,
        position: &G::Position,
        state: &K::State,
        window: Window,
        depth: u32,
        ply: u32,
    ) -> Option<i32> {
        let level = self.level;
        level.run(
            #[inline(always)]
            || self.visit(position, state, window, depth, ply),
        )
    }

    #[inline(always)]
    fn visit(
        &mut self,
        position: &G::Position,
        state: &K::State,
        mut window: Window,
        depth: u32,
        ply: u32,
    ) -> Option<i32> {
        if depth == 0 {
            return Some(self.judge(position, state, ply));
        }
        let key = self.walk.key(position, ply);
        let known = key.and_then(|key| self.table.probe(key));
        if let Some(entry) = known
            && entry.depth() == Some(depth as u8)
            && window.is_settled_by(entry.score, entry.bound())
        {
            self.walk.counts.table_cuts += 1;
            return Some(entry.score);
        }
        let start = self.walk.candidates.len();
        self.walk.list(position, 0);
        self.walk.sort(start, known.and_then(|entry| entry.best()));
        if self.walk.candidates.len() == start {
            return Some(self.judge(position, state, ply));
        }
        let mut best = Best::new(self.walk.game.turn(position) == Turn::Player(self.walk.player), window);
        for index in start..self.walk.candidates.len() {
            let mv = self.walk.candidates[index].mv;
            let next = self.walk.play(position, state, mv, ply)?;
            let value = match next.repeated {
                Some(value) => value.of(self.walk.player) as i32,
                None => self.search(&next.position, &next.state, window, depth - 1, ply + 1)?,
            };
            self.walk.unplay();
            if best.is_cut_by(value, mv, &mut window) {
                self.walk.counts.note_cut(index == start);
                break;
            }
        }
        self.walk.candidates.truncate(start);
        if let Some(key) = key {
            self.table.store_alone(
                key,
                best.value,
                Some(depth as u8),
                best.bound(),
                best.mv.map(MoveCode::of),
            );
        }
        Some(best.value)
    }

    #[inline(always)]
    fn judge(&self, position: &G::Position, state: &K::State, ply: u32) -> i32 {
        self.walk.judge(position, state, ply).of(self.walk.player).round() as i32
    }
}

/// The scores that matter: more than one player is sure of, less than the other is.
#[derive(Clone, Copy)]
pub(super) struct Window {
    alpha: i32,
    beta: i32,
}

impl Window {
    /// All scores above `alpha`.
    pub(super) fn above(alpha: f64) -> Self {
        Self { alpha: alpha as i32, beta: INFINITE }
    }

    /// Whether a score that is known so answers all that is asked.
    #[inline(always)]
    pub(super) fn is_settled_by(self, score: i32, bound: Bound) -> bool {
        match bound {
            Bound::Exact => true,
            Bound::Lower => score >= self.beta,
            Bound::Upper => score <= self.alpha,
        }
    }
}

/// The best that was found at a node so far, for who chooses there.
pub(super) struct Best<M> {
    pub(super) value: i32,
    pub(super) mv: Option<M>,
    maximises: bool,
    /// As it was at first.
    window: Window,
}

impl<M> Best<M> {
    #[inline(always)]
    pub(super) fn new(maximises: bool, window: Window) -> Self {
        Self { value: if maximises { -INFINITE } else { INFINITE }, mv: None, maximises, window }
    }

    /// Takes the value of a move into account and narrows the window; true if the others need not be tried.
    #[inline(always)]
    pub(super) fn is_cut_by(&mut self, value: i32, mv: M, window: &mut Window) -> bool {
        if if self.maximises { value > self.value } else { value < self.value } {
            self.value = value;
            self.mv = Some(mv);
        }
        if self.maximises {
            window.alpha = window.alpha.max(value);
        } else {
            window.beta = window.beta.min(value);
        }
        window.alpha >= window.beta
    }

    /// How the value relates to the true one.
    #[inline(always)]
    pub(super) fn bound(&self) -> Bound {
        match self.value {
            value if value >= self.window.beta => Bound::Lower,
            value if value <= self.window.alpha => Bound::Upper,
            _ => Bound::Exact,
        }
    }
}

impl<'a, G: Game, K: Knowledge<G>, L: Level> Below<'a, G, K> for Paranoid<'a, G, K, L> {
    const IS_EXACT: bool = false;

    fn value(&mut self, position: &G::Position, state: &K::State, alpha: f64, depth: u32) -> f64 {
        self.search(position, state, Window::above(alpha), depth, 1).map_or(0.0, f64::from)
    }

    fn expected(&self, position: &G::Position, ply: u32) -> Option<G::Move> {
        let entry = self.table.probe(self.walk.key(position, ply)?)?;
        let best = entry.best().filter(|_| entry.bound() == Bound::Exact)?;
        self.walk.find(position, best)
    }

    fn walk(&mut self) -> &mut Walk<'a, G, K> {
        &mut self.walk
    }

    fn fill(&self) -> f64 {
        self.table.fill(0)
    }
}
