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

/// How a score relates to the true one at its depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is the score.
    Exact,
    /// The score is at least this.
    Lower,
    /// The score is at most this.
    Upper,
}

/// What was found about one move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoredMove<M> {
    /// The move.
    pub mv: M,
    /// What it is worth to the player who makes it, in the unit of the evaluation.
    pub score: f64,
    /// Whether that is the score itself or a bound.
    pub bound: Bound,
    /// Whether the score is the result of the game under best play rather than an opinion, so that no deeper search changes it.
    pub is_proven: bool,
}

impl<M> ScoredMove<M> {
    /// A move whose score is exact, though not proven.
    pub fn exact(mv: M, score: f64) -> Self {
        Self { mv, score, bound: Bound::Exact, is_proven: false }
    }

    /// The same about another move.
    #[must_use]
    pub fn of<N>(&self, mv: N) -> ScoredMove<N> {
        ScoredMove { mv, score: self.score, bound: self.bound, is_proven: self.is_proven }
    }
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
    /// What was found about single moves, all at one depth, best first. Its first is the chosen one, unless noise chose another.
    pub moves: Vec<ScoredMove<M>>,
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

impl<M: PartialEq> Thought<M> {
    /// Whether the score is the result of the game under best play rather than an opinion.
    pub fn is_proven(&self) -> bool {
        self.moves.iter().any(|known| known.mv == self.best && known.is_proven)
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
            moves: self.moves.iter().map(|known| known.of(say(known.mv))).collect(),
            statistics: self.statistics.clone(),
            elapsed: self.elapsed,
        }
    }
}
