//! Minimax by its definition, through the checked interface of a running game: the oracle for searches of two.

use agon_core::{Game, Line, Outcome, Turn};
use agon_search::{Evaluation, PROVEN};

/// The score of a position where the depth is used up, this many plies below the root.
pub type Leaf<'a, G> = dyn Fn(&Minimax<'a, G>, &mut Line<G>, u32) -> i32 + 'a;

/// The score of a game that is over, this many plies below the root.
pub type End<'a, G> = dyn Fn(&Line<G>, &Outcome, u32) -> i32 + 'a;

/// What minimax is told. Scores are for the side to move, or whose turn it would be.
pub struct Minimax<'a, G: Game> {
    /// The score of a game that is over.
    pub end: &'a End<'a, G>,
    /// The score of a position where the depth is used up; it may play on and take back.
    pub leaf: &'a Leaf<'a, G>,
    /// Whether a position is a leaf whatever the depth.
    pub stops: &'a dyn Fn(&Line<G>) -> bool,
}

/// Ends as `evaluation` counts them; among wins the fastest, among losses the slowest.
pub fn ends_by<G: Game, E: Evaluation<G>>(evaluation: &E) -> impl Fn(&Line<G>, &Outcome, u32) -> i32 {
    move |line, outcome, ply| {
        let Turn::Player(player) = line.turn() else { return 0 };
        let worth = evaluation.at_end(line.game(), line.position(), outcome).of(player) as i32;
        let plies = i32::try_from(ply).expect("few plies");
        if worth.abs() > PROVEN { worth - worth.signum() * plies } else { worth }
    }
}

impl<G: Game> Minimax<'_, G> {
    /// The score of the game as it stands, `ply` plies below the root, looking `depth` plies ahead.
    pub fn score(&self, line: &mut Line<G>, depth: u32, ply: u32) -> i32 {
        if let Some(score) = self.result(line, ply) {
            return score;
        }
        if depth == 0 || ply > 0 && (self.stops)(line) {
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
        line.outcome().map(|outcome| (self.end)(line, &outcome, ply))
    }
}
