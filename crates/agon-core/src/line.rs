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

/// Of a game's past only the position before every so many plies is kept; those between are played again when somebody asks.
const SPAN: usize = 32;

/// A game from its first position to the present one.
///
/// Unlike a position, a line knows its past: it can be taken back, and it sees repetitions where
/// the rules end a game by them.
#[derive(Debug)]
pub struct Line<G: Game> {
    game: Arc<G>,
    position: G::Position,
    plies: Vec<PlyOf<G>>,
    /// The positions at the beginning of every whole [`SPAN`] of plies that is over.
    spans: Vec<G::Position>,
    /// The positions before the last plies, which make up the rest: none only if nothing has been played.
    recent: Vec<G::Position>,
    repetition: Repetition,
}

// Derived, it would ask that `G` itself be `Clone`.
impl<G: Game> Clone for Line<G> {
    fn clone(&self) -> Self {
        Self {
            game: Arc::clone(&self.game),
            position: self.position,
            plies: self.plies.clone(),
            spans: self.spans.clone(),
            recent: self.recent.clone(),
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
        Self {
            game,
            position: start,
            plies: Vec::new(),
            spans: Vec::new(),
            recent: Vec::new(),
            repetition: Repetition::default(),
        }
    }

    /// The rules.
    pub fn game(&self) -> &Arc<G> {
        &self.game
    }

    /// Where the game began.
    pub fn start(&self) -> &G::Position {
        self.spans.first().or(self.recent.first()).unwrap_or(&self.position)
    }

    /// Where it stands.
    pub fn position(&self) -> &G::Position {
        &self.position
    }

    /// The plies, from the first on.
    pub fn plies(&self) -> &[PlyOf<G>] {
        &self.plies
    }

    /// Each ply after the first `from` of them, with the position it was played in.
    pub fn plies_since(&self, from: usize) -> impl Iterator<Item = (G::Position, PlyOf<G>)> {
        let mut position = self.position_after(from.min(self.plies.len()));
        self.plies.iter().skip(from).map(move |ply| {
            let before = position;
            play(&*self.game, &mut position, *ply);
            (before, *ply)
        })
    }

    /// The positions that plies were played in, the latest first.
    pub fn past(&self) -> impl Iterator<Item = G::Position> {
        let spans = (0..self.spans.len()).rev().flat_map(|span| self.span(span).into_iter().rev());
        self.recent.iter().rev().copied().chain(spans)
    }

    /// The position after the first `count` plies, of which there are at least so many.
    fn position_after(&self, count: usize) -> G::Position {
        if count == self.plies.len() {
            self.position
        } else if let Some(recent) = count.checked_sub(self.spans.len() * SPAN) {
            self.recent[recent]
        } else {
            self.span(count / SPAN)[count % SPAN]
        }
    }

    /// The positions before each ply of a span that is over.
    fn span(&self, span: usize) -> Vec<G::Position> {
        let mut position = self.spans[span];
        let plies = self.plies[span * SPAN..].iter().take(SPAN);
        let positions = plies.map(|ply| {
            let before = position;
            play(&*self.game, &mut position, *ply);
            before
        });
        positions.collect()
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
        play(&*self.game, &mut self.position, ply);
        if self.recent.len() == SPAN {
            self.spans.push(self.recent[0]);
            self.recent.clear();
        }
        self.recent.push(before);
        self.plies.push(ply);
        if self.game.repetition().is_some() {
            let irreversible = self.game.is_irreversible(&before, &self.position);
            self.repetition.push(self.game.key(&self.position), irreversible);
        }
        true
    }

    /// Takes the last ply back; `None` if there is none.
    pub fn undo(&mut self) -> Option<PlyOf<G>> {
        let ply = *self.plies.last()?;
        self.rewind(self.plies.len() - 1);
        Some(ply)
    }

    /// Takes all but the first `count` plies back.
    pub fn rewind(&mut self, count: usize) {
        if count >= self.plies.len() {
            return;
        }
        self.position = self.position_after(count);
        if self.game.repetition().is_some() {
            (count..self.plies.len()).for_each(|_| self.repetition.pop());
        }
        // The span that the last ply is in is not over any more.
        let begun = count.saturating_sub(1) / SPAN;
        if begun < self.spans.len() {
            self.recent = self.span(begun);
            self.spans.truncate(begun);
        }
        self.recent.truncate(count - begun * SPAN);
        self.plies.truncate(count);
    }
}

/// Plays a ply that is legal.
fn play<G: Game>(game: &G, position: &mut G::Position, ply: PlyOf<G>) {
    match ply {
        Ply::Move(mv) => game.play_unchecked(position, mv),
        Ply::Chance(chance) => game.play_chance(position, chance),
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
