//! Best-reply search: between two moves of the player at the root only one of the others moves, whoever has the strongest
//! reply; the rest stand aside.
//!
//! Where a game lets a turn be skipped, who stands aside skips it, as Schadd & Winands have it. Elsewhere one makes one's most
//! promising move by the game's static order, which keeps positions possible (BRS+, Esser and others 2013,
//! <https://doi.org/10.1007/978-3-319-09165-5_11>). A ply is a move of the player at the root or the one reply. Alpha-beta cuts, fail-soft, and a
//! table remembers. Opponents who do not all move make neither wins nor losses certain.

use agon_core::cpu::Level;
use agon_core::{Game, MAX_PLAYERS, Turn};

use super::Below;
use super::paranoid::{Best, Window};
use super::walk::{Candidate, Walk};
use crate::knowledge::Knowledge;
use crate::table::{MoveCode, Table};

pub(super) struct BestReply<'a, G: Game, K, L> {
    walk: Walk<'a, G, K>,
    level: L,
    table: &'a mut Table,
}

impl<'a, G: Game, K: Knowledge<G>, L: Level> BestReply<'a, G, K, L> {
    pub(super) fn new(walk: Walk<'a, G, K>, level: L, table: &'a mut Table) -> Self {
        table.next_search();
        Self { walk, level, table }
    }

    /// What `position` is worth to the player at the root; `None` once the search has been stopped. What the evaluation
    /// carries along is recomputed where it is needed, for it cannot be carried over a turn that is skipped.
    fn search(&mut self, position: &G::Position, window: Window, depth: u32, ply: u32) -> Option<i32> {
        let level = self.level;
        level.run(
            #[inline(always)]
            || self.visit(position, window, depth, ply),
        )
    }

    #[inline(always)]
    fn visit(&mut self, position: &G::Position, mut window: Window, depth: u32, ply: u32) -> Option<i32> {
        let own = Turn::Player(self.walk.player);
        if depth == 0 {
            return Some(self.judge(position, ply));
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
        let hash_move = known.and_then(|entry| entry.best());
        let is_own = self.walk.game.turn(position) == own;
        let mut stages = [*position; MAX_PLAYERS];
        if !is_own {
            self.list_replies(&mut stages)?;
        } else {
            self.walk.list(position, 0);
        }
        self.walk.sort(start, hash_move);
        if self.walk.candidates.len() == start {
            return Some(self.judge(position, ply));
        }
        let mut best = Best::new(is_own, window);
        for index in start..self.walk.candidates.len() {
            let Candidate { mv, stage, .. } = self.walk.candidates[index];
            let mut next = self.step(&stages[usize::from(stage)], mv)?;
            while !is_own && self.walk.game.turn(&next) != own && self.stand_aside(&mut next)? {}
            let value = match self.walk.pass(position, &next, ply + 1) {
                Some(value) => value.of(self.walk.player) as i32,
                None => self.search(&next, window, depth - 1, ply + 1)?,
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

    /// Lists the replies of all others to the first of `stages`, and fills in where each of them would move, those before
    /// standing aside; `None` once the search has been stopped.
    #[inline(always)]
    fn list_replies(&mut self, stages: &mut [G::Position; MAX_PLAYERS]) -> Option<()> {
        let own = Turn::Player(self.walk.player);
        for stage in 0..self.walk.game.players() - 1 {
            if stage > 0 {
                stages[stage] = stages[stage - 1];
                if !self.stand_aside(&mut stages[stage])? {
                    break;
                }
            }
            if self.walk.game.turn(&stages[stage]) == own {
                break;
            }
            self.walk.list(&stages[stage], stage as u8);
        }
        Some(())
    }

    /// Lets the player to move stand aside; false if the game is over, `None` once the search has been stopped.
    #[inline(always)]
    fn stand_aside(&mut self, position: &mut G::Position) -> Option<bool> {
        let (game, knowledge) = (self.walk.game, self.walk.knowledge);
        if game.outcome(position).is_some() {
            return Some(false);
        }
        let mut skipped = *position;
        if knowledge.skip_turn(game, &mut skipped) {
            *position = skipped;
            return Some(true);
        }
        let mut best: Option<(i32, G::Move)> = None;
        game.for_each_move(
            position,
            #[inline(always)]
            |mv| {
                let promise = knowledge.order(game, position, mv);
                if best.is_none_or(|(known, _)| promise > known) {
                    best = Some((promise, mv));
                }
            },
        );
        let Some((_, mv)) = best else { return Some(false) };
        *position = self.step(position, mv)?;
        Some(true)
    }

    #[inline(always)]
    fn step(&mut self, position: &G::Position, mv: G::Move) -> Option<G::Position> {
        let mut next = *position;
        self.walk.game.play_unchecked(&mut next, mv);
        (!self.walk.watch.tick()).then_some(next)
    }

    #[inline(always)]
    fn judge(&self, position: &G::Position, ply: u32) -> i32 {
        let state = self.walk.knowledge.state(self.walk.game, position);
        self.walk.judge(position, &state, ply).of(self.walk.player).round() as i32
    }
}

impl<'a, G: Game, K: Knowledge<G>, L: Level> Below<'a, G, K> for BestReply<'a, G, K, L> {
    const IS_EXACT: bool = false;

    fn value(&mut self, position: &G::Position, _state: &K::State, alpha: f64, depth: u32) -> f64 {
        self.search(position, Window::above(alpha), depth, 1).map_or(0.0, f64::from)
    }

    /// Nothing: the search does not expect the others to move as the rules say.
    fn expected(&self, _position: &G::Position, _ply: u32) -> Option<G::Move> {
        None
    }

    fn walk(&mut self) -> &mut Walk<'a, G, K> {
        &mut self.walk
    }

    fn fill(&self) -> f64 {
        self.table.fill(0)
    }
}
