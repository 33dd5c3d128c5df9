//! How moves have fared wherever they were played: the knowledge behind progressive history.

use agon_core::Player;

/// For each player and kind of move: the sum of what playouts with it were worth, and how many there were.
#[derive(Clone, Debug)]
pub(super) struct History {
    entries: Vec<(f32, f32)>,
    slots: usize,
}

impl History {
    /// An empty history of this many players and kinds of moves; if they take more than `bytes`, kinds share entries.
    pub(super) fn new(players: usize, slots: usize, bytes: usize) -> Self {
        let slots = slots.min(bytes / size_of::<(f32, f32)>() / players.max(1)).max(1);
        Self { entries: vec![(0.0, 0.0); slots * players], slots }
    }

    #[inline(always)]
    fn index(&self, player: Player, slot: usize) -> usize {
        player.index() * self.slots + slot % self.slots
    }

    #[inline(always)]
    pub(super) fn add(&mut self, player: Player, slot: usize, reward: f64) {
        let index = self.index(player, slot);
        let (sum, count) = &mut self.entries[index];
        // A number of this kind cannot count on for ever; and what is long ago may fade.
        if *count >= FADES_AT {
            (*sum, *count) = (*sum / 2.0, *count / 2.0);
        }
        *sum += reward as f32;
        *count += 1.0;
    }

    /// What playouts with this kind of move were worth on average; `None` if there were none.
    #[inline(always)]
    pub(super) fn mean(&self, player: Player, slot: usize) -> Option<f64> {
        let (sum, count) = self.entries[self.index(player, slot)];
        (count > 0.0).then(|| f64::from(sum / count))
    }

    pub(super) fn clear(&mut self) {
        self.entries.fill((0.0, 0.0));
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.len() * size_of::<(f32, f32)>()
    }
}

/// The count at which old playouts begin to count half.
const FADES_AT: f32 = 1_000_000.0;
