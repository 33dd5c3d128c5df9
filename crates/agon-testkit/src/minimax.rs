//! Minimax by its definition, through the checked interface of a running game: the oracle for searches of two.

use agon_core::{Game, Line, Turn, Verdict};

/// The score of a position where the depth is used up, so many plies below the root.
pub type Leaf<'a, G> = dyn Fn(&Minimax<'a, G>, &mut Line<G>, u32) -> i32 + 'a;

/// What minimax is told.
pub struct Minimax<'a, G: Game> {
    /// The score of a win on the spot; one after `n` plies is worth `n` less.
    pub win: i32,
    /// The score of a position where the depth is used up, for the side to move; it may play on and take back.
    pub leaf: &'a Leaf<'a, G>,
}

impl<G: Game> Minimax<'_, G> {
    /// The score of the game as it stands, `ply` plies below the root, looking `depth` plies ahead.
    pub fn score(&self, line: &mut Line<G>, depth: u32, ply: u32) -> i32 {
        if let Some(score) = self.result(line, ply) {
            return score;
        }
        if depth == 0 {
            return (self.leaf)(self, line, ply);
        }
        let scores = line.legal().into_iter().map(|mv| {
            assert!(line.play(mv), "{mv:?} is legal");
            let score = -self.score(line, depth - 1, ply + 1);
            line.undo();
            score
        });
        scores.max().expect("a game that goes on has a move")
    }

    /// The score of a finished game; `None` while it goes on.
    pub fn result(&self, line: &Line<G>, ply: u32) -> Option<i32> {
        let plies = i32::try_from(ply).expect("few plies");
        line.outcome().map(|outcome| match outcome.verdict {
            Verdict::Won(winner) if line.turn() == Turn::Player(winner) => self.win - plies,
            Verdict::Won(_) | Verdict::Lost => plies - self.win,
            Verdict::Drawn => 0,
        })
    }
}
