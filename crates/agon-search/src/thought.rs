//! What a bot has thought about a move.

use std::time::Duration;

/// A named figure about a search: cut-offs, hits, fill of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistic {
    /// What was counted.
    pub name: &'static str,
    /// How much of it there was.
    pub value: f64,
}

/// The move that a bot has chosen, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought<M> {
    /// The move.
    pub best: M,
    /// What it is worth to the player who makes it, in the unit of the evaluation; `None` if the bot does not judge.
    pub score: Option<f64>,
    /// How deep the search was, in plies that were finished.
    pub depth: u32,
    /// Moves made in the search.
    pub nodes: u64,
    /// How the bot expects the game to go on, its move first.
    pub line: Vec<M>,
    /// What was found about other moves, best first, the chosen one included.
    pub moves: Vec<(M, f64)>,
    /// What else was counted.
    pub statistics: Vec<Statistic>,
    /// How long it took.
    pub elapsed: Duration,
}

impl<M: Clone> Thought<M> {
    /// The thought of a bot that does not search.
    pub fn instinct(best: M) -> Self {
        Self {
            line: vec![best.clone()],
            best,
            score: None,
            depth: 0,
            nodes: 0,
            moves: Vec::new(),
            statistics: Vec::new(),
            elapsed: Duration::ZERO,
        }
    }
}

impl<M: Copy> Thought<M> {
    /// The same thought in other words: every move said as `say` says it.
    pub fn map<N>(&self, mut say: impl FnMut(M) -> N) -> Thought<N> {
        Thought {
            best: say(self.best),
            score: self.score,
            depth: self.depth,
            nodes: self.nodes,
            line: self.line.iter().map(|&mv| say(mv)).collect(),
            moves: self.moves.iter().map(|&(mv, score)| (say(mv), score)).collect(),
            statistics: self.statistics.clone(),
            elapsed: self.elapsed,
        }
    }
}
