//! How positions follow one another.

use std::convert::Infallible;
use std::ops::ControlFlow;

use agon_core::random::{below, mix};
use agon_core::{Game, Outcome, Player, Rng, Turn};

use super::{Flank, Move, Othello, Position};

/// The first player, `x`.
const BLACK: Player = Player(0);
/// The second player, `o`.
const WHITE: Player = Player(1);

/// Why a game ends: its discs are counted.
const DISCS: &str = "discs";

impl<B: Flank> Othello<B> {
    /// The squares on which the side to move may put a disc.
    #[inline(always)]
    pub fn legal_squares(&self, position: &Position<B>) -> B {
        B::moves(self, position.own, position.opponent)
    }

    /// Whether the side to move, which has no square to move to, may pass.
    #[inline(always)]
    fn may_pass(&self, position: &Position<B>) -> bool {
        !B::moves(self, position.opponent, position.own).is_empty()
    }
}

impl<B: Flank> Position<B> {
    /// How a game that is over here has ended.
    #[cold]
    fn result(&self) -> Outcome {
        let (black, white) = (self.discs(BLACK).count(), self.discs(WHITE).count());
        match black.cmp(&white) {
            std::cmp::Ordering::Greater => Outcome::won(BLACK, DISCS),
            std::cmp::Ordering::Less => Outcome::won(WHITE, DISCS),
            std::cmp::Ordering::Equal => Outcome::drawn(DISCS),
        }
    }
}

impl<B: Flank> Game for Othello<B> {
    type Position = Position<B>;
    type Move = Move;
    type Chance = Infallible;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position<B> {
        let (low, high) = (self.size / 2 - 1, self.size / 2);
        let pair = |a: (usize, usize), b: (usize, usize)| {
            B::square(B::index(a.0, a.1)) | B::square(B::index(b.0, b.1))
        };
        Position {
            own: pair((low, high), (high, low)),
            opponent: pair((low, low), (high, high)),
            to_move: BLACK,
        }
    }

    #[inline(always)]
    fn turn(&self, position: &Position<B>) -> Turn {
        Turn::Player(position.to_move)
    }

    #[inline(always)]
    fn try_for_each_move<T>(
        &self,
        position: &Position<B>,
        mut visit: impl FnMut(Move) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        let squares = self.legal_squares(position);
        if !squares.is_empty() {
            squares.try_for_each(
                #[inline(always)]
                |square| visit(Move::Place(square as u16)),
            )
        } else if self.may_pass(position) {
            visit(Move::Pass)
        } else {
            ControlFlow::Continue(())
        }
    }

    #[inline(always)]
    fn play_unchecked(&self, position: &mut Position<B>, mv: Move) {
        let Position { own, opponent, to_move } = *position;
        let placed = match mv {
            Move::Place(square) => {
                let flips = B::flips(own, opponent, usize::from(square));
                debug_assert!(!flips.is_empty(), "{mv:?} turns no disc");
                flips | B::square(usize::from(square))
            }
            Move::Pass => B::EMPTY,
        };
        *position =
            Position { own: opponent & !placed, opponent: own | placed, to_move: Player(1 - to_move.0) };
    }

    #[inline(always)]
    fn outcome(&self, position: &Position<B>) -> Option<Outcome> {
        let is_over = self.legal_squares(position).is_empty() && !self.may_pass(position);
        is_over.then(|| position.result())
    }

    #[inline(always)]
    fn key(&self, position: &Position<B>) -> u64 {
        position.opponent.hash_into(position.own.hash_into(mix(0, u64::from(position.to_move.0))))
    }

    #[inline(always)]
    fn count_moves(&self, position: &Position<B>) -> u64 {
        match self.legal_squares(position).count() {
            0 => u64::from(self.may_pass(position)),
            count => u64::from(count),
        }
    }

    #[inline(always)]
    fn count_replies(&self, position: &Position<B>) -> u64 {
        B::count_replies(self, position)
    }

    fn is_legal(&self, position: &Position<B>, mv: Move) -> bool {
        let squares = self.legal_squares(position);
        match mv {
            // A made-up square may lie beyond every set.
            Move::Place(square) => {
                usize::from(square) < B::MAX_SIZE * B::STRIDE && squares.contains(usize::from(square))
            }
            Move::Pass => squares.is_empty() && self.may_pass(position),
        }
    }

    fn plies_left(&self, position: &Position<B>) -> Option<u32> {
        // No two passes follow one another, so each square left is good for a disc and a pass.
        Some(2 * (self.board & !(position.own | position.opponent)).count())
    }

    #[inline(always)]
    fn random_move(&self, position: &Position<B>, rng: &mut Rng) -> Option<Move> {
        let squares = self.legal_squares(position);
        match squares.count() {
            0 => self.may_pass(position).then_some(Move::Pass),
            count => {
                let chosen = below(rng, u64::from(count)) as u32;
                Some(Move::Place(squares.nth(chosen) as u16))
            }
        }
    }
}
