//! The search itself: the best move's value at a player's turn, the mean value at a draw of chance.

use agon_core::cpu::Level;
use agon_core::{Game, Player, Turn};

use super::table::Table;
use crate::{Knowledge, Watch, worth, worth_at_leaf};

/// Values are those of this player; the other one, if there is one, has the opposite interest.
pub(super) const FIRST: Player = Player(0);

/// One search.
pub(super) struct Search<'a, G, K> {
    pub(super) game: &'a G,
    pub(super) knowledge: &'a K,
    pub(super) watch: &'a mut Watch,
    /// Threads that search together share it.
    pub(super) table: Option<&'a Table>,
    /// Draws of chance that are less likely than this are not followed.
    pub(super) cut: f64,
    /// How often the table knew the value.
    pub(super) hits: u64,
    /// How often a draw was too unlikely to follow.
    pub(super) cuts: u64,
}

impl<G: Game, K: Knowledge<G>> Search<'_, G, K> {
    /// What `position` is worth to `player` when `depth` plies are looked ahead. Void once the watch has stopped.
    #[inline(always)]
    pub(super) fn worth_to<L: Level>(
        &mut self,
        level: L,
        player: Player,
        position: &G::Position,
        depth: u32,
    ) -> f64 {
        let value = self.value(level, position, depth, 1.0);
        if player == FIRST { value } else { -value }
    }

    /// What `position`, reached with `probability`, is worth to the first player when `depth` plies are looked ahead.
    pub(super) fn value<L: Level>(
        &mut self,
        level: L,
        position: &G::Position,
        depth: u32,
        probability: f64,
    ) -> f64 {
        level.run(
            #[inline(always)]
            || {
                if depth == 0 {
                    return self.judge_leaf(position);
                }
                let turn = self.game.turn(position);
                if turn == Turn::Chance && probability < self.cut {
                    self.cuts += 1;
                    return self.judge(position);
                }
                let tag = self.table.map(|table| table.tag(self.game.key(position), depth));
                if let Some(known) = tag.and_then(|tag| self.table?.find(tag)) {
                    self.hits += 1;
                    return known;
                }
                let value = match turn {
                    Turn::Player(player) => self.best(level, position, player, depth, probability),
                    Turn::Chance => self.mean(level, position, depth, probability),
                };
                if let (Some(tag), Some(table)) = (tag, self.table)
                    && !self.watch.has_stopped()
                {
                    table.store(tag, value);
                }
                value
            },
        )
    }

    /// The value of the move that is best for `player`.
    #[inline(always)]
    fn best<L: Level>(
        &mut self,
        level: L,
        position: &G::Position,
        player: Player,
        depth: u32,
        probability: f64,
    ) -> f64 {
        let mut best: Option<f64> = None;
        self.game.for_each_move(
            position,
            #[inline(always)]
            |mv| {
                if self.watch.has_stopped() || self.watch.tick() {
                    return;
                }
                let mut next = *position;
                self.game.play_unchecked(&mut next, mv);
                let value = self.value(level, &next, depth - 1, probability);
                let is_better = match best {
                    None => true,
                    Some(best) if player == FIRST => value > best,
                    Some(best) => value < best,
                };
                if is_better {
                    best = Some(value);
                }
            },
        );
        best.unwrap_or_else(
            #[inline(always)]
            || self.judge(position),
        )
    }

    /// The mean value over all that chance can do.
    #[inline(always)]
    fn mean<L: Level>(&mut self, level: L, position: &G::Position, depth: u32, probability: f64) -> f64 {
        let mut mean = 0.0;
        self.game.for_each_chance(
            position,
            #[inline(always)]
            |chance, share| {
                if self.watch.has_stopped() || self.watch.tick() {
                    return;
                }
                let mut next = *position;
                self.game.play_chance(&mut next, chance);
                mean += self.value(level, &next, depth - 1, probability * share) * share;
            },
        );
        mean
    }

    /// What a position is worth where the depth is used up.
    #[inline(always)]
    fn judge_leaf(&self, position: &G::Position) -> f64 {
        let state = self.knowledge.state(self.game, position);
        worth_at_leaf(self.game, position, &state, self.knowledge).of(FIRST)
    }

    #[inline(always)]
    fn judge(&self, position: &G::Position) -> f64 {
        let state = self.knowledge.state(self.game, position);
        worth(self.game, position, &state, self.knowledge).of(FIRST)
    }
}
