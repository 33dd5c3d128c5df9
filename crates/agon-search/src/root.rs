//! What searches share at the root: the opening book, the game's own solver, and noise.

use agon_core::random::{RandomSource, seeded};
use agon_core::{Game, Line, Options, OptionsError, Rng};

use crate::knowledge::Tactics;
use crate::limits::{Budget, Watch};
use crate::parameters::{self, choose};
use crate::thought::Thought;

/// What a bot does besides searching.
#[derive(Debug)]
pub(crate) struct Root {
    book: Option<usize>,
    solve: Option<u32>,
    noise: Option<f64>,
    rng: Rng,
}

impl Root {
    /// Reads the parameters `book`, `solve` and `noise`.
    ///
    /// # Errors
    /// If the game has no such book.
    pub(crate) fn new<G: Game>(
        knowledge: &impl Tactics<G>,
        options: &Options,
        seed: u64,
    ) -> Result<Self, OptionsError> {
        let book = match options.text(parameters::BOOK.key) {
            "off" => None,
            word => Some(choose(parameters::BOOK.key, word, knowledge.books(), "off")?),
        };
        Ok(Self {
            book,
            solve: options.optional_integer(parameters::SOLVE.key),
            noise: options.decimal(parameters::NOISE.key).filter(|noise| *noise > 0.0),
            rng: seeded(seed),
        })
    }

    /// What needs no search: a move of the book, or a solved end. Every thought begins here.
    pub(crate) fn without_search<G: Game>(
        &mut self,
        knowledge: &impl Tactics<G>,
        line: &Line<G>,
        budget: &Budget,
        watch: &mut Watch,
    ) -> Option<Thought<G::Move>> {
        budget.reseed(&mut self.rng);
        if let Some(book) = self.book
            && let Some(best) = knowledge.book_move(line, book, &mut self.rng)
        {
            return Some(Thought::instinct(best));
        }
        let solution = knowledge.solve(line, self.solve?, watch)?;
        Some(Thought {
            score: Some(solution.score),
            depth: solution.line.len() as u32,
            nodes: watch.nodes(),
            moves: vec![(solution.best, solution.score)],
            line: solution.line,
            elapsed: watch.elapsed(),
            ..Thought::instinct(solution.best)
        })
    }

    /// Whether scores are to be blurred, for which the true score of every move is needed.
    pub(crate) fn is_noisy(&self) -> bool {
        self.noise.is_some()
    }

    /// Blurs the scores of all moves of a thought and has it choose the one that then looks best. Wins and losses that were
    /// found are too far from opinions to be blurred away.
    pub(crate) fn blur<M: Copy + PartialEq>(&mut self, thought: &mut Thought<M>) {
        let Some(noise) = self.noise else { return };
        let mut blurred = thought.moves.iter().map(|&(mv, score)| {
            let unit = self.rng.next_u64() as f64 / u64::MAX as f64;
            (mv, score, score + noise * (2.0 * unit - 1.0))
        });
        let Some(first) = blurred.next() else { return };
        let best = blurred.fold(first, |best, other| if other.2 > best.2 { other } else { best });
        if best.0 != thought.best {
            thought.line = vec![best.0];
        }
        (thought.best, thought.score) = (best.0, Some(best.1));
    }
}
