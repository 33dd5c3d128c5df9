//! Which move to try first: what the search has learned about moves so far.

use agon_core::Game;

use super::settings::{Ordering, Settings};
use crate::knowledge::Knowledge;

/// What a killer move gains over others.
const KILLER: i32 = 1000;
/// What a countermove gains over others.
const COUNTER: i32 = 500;
/// The largest value that history gives, either way.
const MAX_HISTORY: i32 = 1000;

/// A move and how promising it looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<M> {
    pub(super) mv: M,
    pub(super) promise: i32,
}

/// Moves that have cut: by ply, by slot, by the move they answered.
#[derive(Clone, Debug)]
pub(super) struct Experience {
    slots: usize,
    /// For each ply the slots of the last two moves that cut there.
    killers: Vec<[u32; 2]>,
    /// For each seat and slot, how often the move has cut, fading.
    history: Vec<i16>,
    /// For each seat and slot the slot of the move that refuted it.
    counters: Vec<u32>,
}

/// No move has this slot.
const NO_SLOT: u32 = u32::MAX;

/// What the order of a node's moves depends on besides the moves themselves: killers belong to a ply, history
/// to a seat, and countermoves to the move before.
#[derive(Clone, Copy, Debug)]
pub(super) struct OrderingContext {
    /// Whose move it is.
    pub(super) seat: usize,
    /// Plies below the root.
    pub(super) ply: usize,
    /// The slot of the move that led to the node.
    pub(super) answers: Option<usize>,
}

impl Experience {
    pub(super) fn new(slots: usize, plies: usize, settings: &Settings) -> Self {
        let sized = |on: bool| if on { 2 * slots } else { 0 };
        Self {
            slots,
            killers: vec![[NO_SLOT; 2]; plies],
            history: vec![0; sized(settings.history)],
            counters: vec![NO_SLOT; sized(settings.counter)],
        }
    }

    /// Forgets what belongs to single positions, and half of the rest, before the next move of the game.
    pub(super) fn fade(&mut self) {
        self.killers.fill([NO_SLOT; 2]);
        self.history.iter_mut().for_each(|value| *value /= 2);
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.history.fill(0);
        self.counters.fill(NO_SLOT);
    }

    /// What it teaches about the moves of one node. What is switched off has never been learnt.
    #[inline(always)]
    pub(super) fn lessons(&self, context: OrderingContext) -> Lessons<'_> {
        let OrderingContext { seat, ply, answers } = context;
        let first = seat * self.slots;
        Lessons {
            killers: self.killers[ply],
            counter: answers.and_then(|slot| self.counters.get(first + slot).copied()).unwrap_or(NO_SLOT),
            history: self.history.get(first..first + self.slots).unwrap_or_default(),
        }
    }

    /// Notes that the move with `slot` has cut after those of `tried` had not.
    pub(super) fn cut(
        &mut self,
        settings: &Settings,
        slot: usize,
        tried: impl Iterator<Item = usize>,
        context: OrderingContext,
        depth: i32,
    ) {
        let OrderingContext { seat, ply, answers } = context;
        if settings.killers {
            let killers = &mut self.killers[ply];
            if killers[0] != slot as u32 {
                *killers = [slot as u32, killers[0]];
            }
        }
        if settings.history {
            let weight = (depth * depth).min(400);
            self.learn(seat * self.slots + slot, weight);
            for other in tried {
                self.learn(seat * self.slots + other, -weight);
            }
        }
        if settings.counter
            && let Some(answered) = answers
        {
            self.counters[seat * self.slots + answered] = slot as u32;
        }
    }

    /// Moves a history value towards its end of the scale, the slower the nearer it is.
    fn learn(&mut self, index: usize, weight: i32) {
        let value = i32::from(self.history[index]);
        self.history[index] = (value + weight - value * weight.abs() / MAX_HISTORY) as i16;
    }
}

/// What experience teaches about the moves of one node.
#[derive(Clone, Copy)]
pub(super) struct Lessons<'a> {
    killers: [u32; 2],
    counter: u32,
    history: &'a [i16],
}

impl Lessons<'_> {
    /// What is added to the promise of the move with this slot.
    #[inline(always)]
    pub(super) fn bonus(&self, slot: usize) -> i32 {
        let slot_number = slot as u32;
        KILLER * i32::from(self.killers.contains(&slot_number))
            + COUNTER * i32::from(self.counter == slot_number)
            + self.history.get(slot).map_or(0, |&value| i32::from(value))
    }
}

/// The static ordering score of a move.
#[inline(always)]
pub(super) fn first_sight<G: Game, K: Knowledge<G>>(
    settings: &Settings,
    knowledge: &K,
    game: &G,
    position: &G::Position,
    mv: G::Move,
) -> i32 {
    match settings.ordering {
        Ordering::Static => knowledge.order(game, position, mv),
        Ordering::Original => knowledge.original_order(game, position, mv),
        Ordering::None => 0,
    }
}

/// Brings the most promising of the candidates from `index` on to `index`; among equals the first.
#[inline(always)]
pub(super) fn bring_forward<M: Copy>(candidates: &mut [Candidate<M>], index: usize) {
    let Some((&first, rest)) = candidates.get(index..).and_then(<[_]>::split_first) else { return };
    let (mut best, mut place) = (first, index);
    for (offset, &other) in rest.iter().enumerate() {
        if other.promise > best.promise {
            (best, place) = (other, index + 1 + offset);
        }
    }
    // Shifted rather than swapped, so that equals stay in their order.
    candidates.copy_within(index..place, index + 1);
    candidates[index] = best;
}
