//! A game being played: the plies so far, checked one by one, and the history that rules need.

use std::collections::HashMap;
use std::sync::Arc;

use crate::game::{Game, Outcome, Turn};

/// One step of a game: a player's move or a draw of chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ply<M, C> {
    /// A player moved.
    Move(M),
    /// Chance drew.
    Chance(C),
}

/// The ply of a game `G`.
pub type PlyOf<G> = Ply<<G as Game>::Move, <G as Game>::Chance>;

/// A game from its first position to the present one.
///
/// Unlike a position, a line knows its past: it can be taken back, and it sees repetitions where
/// the rules end a game by them.
#[derive(Debug)]
pub struct Line<G: Game> {
    game: Arc<G>,
    start: G::Position,
    position: G::Position,
    /// Each ply behind the position it was played in.
    steps: Vec<(G::Position, PlyOf<G>)>,
    repetition: Repetition,
}

// Derived, it would ask that `G` itself be `Clone`.
impl<G: Game> Clone for Line<G> {
    fn clone(&self) -> Self {
        Self {
            game: Arc::clone(&self.game),
            start: self.start,
            position: self.position,
            steps: self.steps.clone(),
            repetition: self.repetition.clone(),
        }
    }
}

impl<G: Game> Line<G> {
    /// A game that begins at its usual start.
    pub fn new(game: Arc<G>) -> Self {
        let start = game.start();
        Self::from_position(game, start)
    }

    /// A game that begins at `start`.
    pub fn from_position(game: Arc<G>, start: G::Position) -> Self {
        Self { game, start, position: start, steps: Vec::new(), repetition: Repetition::default() }
    }

    /// The rules.
    pub fn game(&self) -> &Arc<G> {
        &self.game
    }

    /// Where the game began.
    pub fn start(&self) -> &G::Position {
        &self.start
    }

    /// Where it stands.
    pub fn position(&self) -> &G::Position {
        &self.position
    }

    /// Each ply with the position it was played in, from the first on.
    pub fn plies(&self) -> impl DoubleEndedIterator<Item = (&G::Position, PlyOf<G>)> + ExactSizeIterator {
        self.steps.iter().map(|(before, ply)| (before, *ply))
    }

    /// What has been seen of repetitions, for a search that goes on from here; empty where the rules do not look at them.
    pub fn repetition(&self) -> &Repetition {
        &self.repetition
    }

    /// Who acts; in a finished game, who would have acted.
    pub fn turn(&self) -> Turn {
        self.game.turn(&self.position)
    }

    /// How the game has ended; `None` while it goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        let judged = self.game.outcome(&self.position);
        judged.or_else(|| self.game.repetition().filter(|_| self.repetition.has_repeated()))
    }

    /// Every legal ply: none once the game is over.
    pub fn legal(&self) -> Vec<PlyOf<G>> {
        let mut plies = Vec::new();
        if self.repetition.has_repeated() {
            return plies;
        }
        match self.turn() {
            Turn::Player(_) => {
                self.game.for_each_move(&self.position, |mv| plies.push(Ply::Move(mv)));
            }
            Turn::Chance => {
                self.game.for_each_chance(&self.position, |draw, _| plies.push(Ply::Chance(draw)));
            }
        }
        plies
    }

    /// Whether `ply` may be played now.
    pub fn is_legal(&self, ply: PlyOf<G>) -> bool {
        match (ply, self.turn()) {
            _ if self.repetition.has_repeated() => false,
            (Ply::Move(mv), Turn::Player(_)) => self.game.is_legal(&self.position, mv),
            (Ply::Chance(chance), Turn::Chance) => {
                let mut found = false;
                self.game.for_each_chance(&self.position, |draw, _| found |= draw == chance);
                found
            }
            _ => false,
        }
    }

    /// Plays `ply` if it is legal and says whether it was; an illegal one changes nothing.
    #[must_use]
    pub fn play(&mut self, ply: PlyOf<G>) -> bool {
        if !self.is_legal(ply) {
            return false;
        }
        let before = self.position;
        match ply {
            Ply::Move(mv) => self.game.play_unchecked(&mut self.position, mv),
            Ply::Chance(chance) => self.game.play_chance(&mut self.position, chance),
        }
        self.steps.push((before, ply));
        if self.game.repetition().is_some() {
            let irreversible = self.game.is_irreversible(&before, &self.position);
            self.repetition.push(self.game.key(&self.position), irreversible);
        }
        true
    }

    /// Takes the last ply back; `None` if there is none.
    pub fn undo(&mut self) -> Option<PlyOf<G>> {
        let (before, ply) = self.steps.pop()?;
        self.position = before;
        if self.game.repetition().is_some() {
            self.repetition.pop();
        }
        Some(ply)
    }
}

/// The keys of the positions that arose after a move, and which of them can still repeat.
#[derive(Clone, Debug, Default)]
pub struct Repetition {
    entries: Vec<Entry>,
    /// For each key the index of its last entry.
    last: HashMap<u64, usize>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    /// The first entry since the last irreversible move, that move's own position included.
    since: usize,
    /// The entry of the same key before this one.
    previous: Option<usize>,
}

impl Repetition {
    /// Notes the position after a move; `irreversible` if nothing before it can come again.
    pub fn push(&mut self, key: u64, irreversible: bool) {
        let index = self.entries.len();
        let since = match self.entries.last() {
            Some(entry) if !irreversible => entry.since,
            _ => index,
        };
        let previous = self.last.insert(key, index);
        self.entries.push(Entry { key, since, previous });
    }

    /// Forgets the latest position.
    pub fn pop(&mut self) {
        if let Some(entry) = self.entries.pop() {
            match entry.previous {
                Some(index) => self.last.insert(entry.key, index),
                None => self.last.remove(&entry.key),
            };
        }
    }

    /// Whether the latest position arose before, since the last irreversible move.
    pub fn has_repeated(&self) -> bool {
        self.entries.last().is_some_and(|entry| entry.previous.is_some_and(|index| index >= entry.since))
    }
}

#[cfg(test)]
mod tests {
    use super::Repetition;

    #[test]
    fn a_key_repeats_only_since_the_last_irreversible_move() {
        let mut seen = Repetition::default();
        seen.push(1, false);
        seen.push(2, false);
        assert!(!seen.has_repeated());
        seen.push(1, false);
        assert!(seen.has_repeated());
        seen.pop();
        assert!(!seen.has_repeated());
        seen.push(3, true);
        seen.push(1, false);
        assert!(!seen.has_repeated(), "1 arose before the irreversible move");
        seen.push(3, false);
        assert!(seen.has_repeated(), "the position after the irreversible move itself counts");
    }
}
