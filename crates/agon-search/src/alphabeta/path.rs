//! The positions on the way to the present node, where the rules end a game by repetition.

use agon_core::{Game, Line, Ply};

/// Keys of the positions since the last move that cannot be taken back.
#[derive(Debug, Default)]
pub(super) struct Path {
    steps: Vec<Step>,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    key: u64,
    /// The first step that can still repeat.
    since: usize,
    /// A hash of the set of all positions since then.
    signature: u64,
    /// Plies below the root; what was played before is 0.
    ply: u32,
}

impl Path {
    /// The past of a game, where its rules look at it.
    pub(super) fn of<G: Game>(line: &Line<G>) -> Self {
        let mut path = Self::default();
        let game = line.game();
        if game.repetition().is_some() {
            for (before, ply) in line.plies_since(0) {
                let mut after = before;
                match ply {
                    Ply::Move(mv) => game.play_unchecked(&mut after, mv),
                    Ply::Chance(chance) => game.play_chance(&mut after, chance),
                }
                path.push(game.key(&after), game.is_irreversible(&before, &after), 0);
            }
        }
        path
    }

    /// Goes on to the position with this key.
    #[inline]
    pub(super) fn push(&mut self, key: u64, irreversible: bool, ply: u32) {
        let since = match self.steps.last() {
            Some(step) if !irreversible => step.since,
            _ => self.steps.len(),
        };
        let earlier = if irreversible { 0 } else { self.signature() };
        self.steps.push(Step { key, since, signature: earlier.wrapping_add(key), ply });
    }

    /// Goes back.
    #[inline]
    pub(super) fn pop(&mut self) {
        self.steps.pop();
    }

    /// If the last position arose before, the ply where it did.
    #[inline]
    pub(super) fn repeats(&self) -> Option<u32> {
        let last = self.steps.last()?;
        let earlier = &self.steps[last.since..self.steps.len() - 1];
        earlier.iter().rev().find(|step| step.key == last.key).map(|step| step.ply)
    }

    /// A hash of the positions that must not arise again.
    #[inline]
    pub(super) fn signature(&self) -> u64 {
        self.steps.last().map_or(0, |step| step.signature)
    }
}
