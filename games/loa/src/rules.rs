//! How positions follow one another and when the game is over.

use std::convert::Infallible;
use std::ops::ControlFlow;

use agon_core::random::{Rng, below, mix};
use agon_core::{Game, Outcome, Player, Turn};

use super::field::DIRECTIONS;
use super::grid::Grid;
use super::groups::is_one_group;
use super::{Loa, Move, Position, other};

/// How often a random move is drawn blindly before the legal ones are listed instead. About one draw in
/// three is a move; a side that can hardly move is rare.
const BLIND_DRAWS: usize = 64;

impl<B: Grid> Game for Loa<B> {
    type Position = Position<B>;
    type Move = Move;
    type Chance = Infallible;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position<B> {
        let last = self.size() - 1;
        let (mut black, mut white) = (B::EMPTY, B::EMPTY);
        for along in 1..last {
            for side in [0, last] {
                black.toggle(B::index(side, along));
                white.toggle(B::index(along, side));
            }
        }
        let (own, enemy) = if self.white_first { (white, black) } else { (black, white) };
        Position { own, enemy, ply: 0, turn: Player(0) }
    }

    #[inline(always)]
    fn turn(&self, position: &Position<B>) -> Turn {
        Turn::Player(position.turn)
    }

    #[inline(always)]
    fn try_for_each_move<T>(
        &self,
        position: &Position<B>,
        mut visit: impl FnMut(Move) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        if self.is_over(position) {
            return ControlFlow::Continue(());
        }
        let movers = B::movers(position.own, position.enemy, self.field.squares);
        // A turn or a pass is visited as a ninth direction: the visitor, whole subtrees of perft, is
        // compiled once then.
        let others = if self.rotating {
            self.field.blocks_of(position.own)
        } else if movers == [B::EMPTY; DIRECTIONS] {
            B::square(0)
        } else {
            B::EMPTY
        };
        for direction in 0..=DIRECTIONS {
            movers.get(direction).copied().unwrap_or(others).try_for_each(
                #[inline(always)]
                |square| {
                    visit(if direction < DIRECTIONS {
                        let to = self.field.landing(position, square, direction);
                        Move::Slide { from: square as u16, to: to as u16 }
                    } else if self.rotating {
                        Move::Rotate { corner: square as u16 }
                    } else {
                        Move::Pass
                    })
                },
            )?;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn count_moves(&self, position: &Position<B>) -> u64 {
        if self.is_over(position) {
            return 0;
        }
        let slides = self.count_slides(position);
        if self.rotating {
            slides + u64::from(self.field.blocks_of(position.own).count())
        } else {
            // A side that is stuck passes.
            slides.max(1)
        }
    }

    fn is_legal(&self, position: &Position<B>, mv: Move) -> bool {
        if self.is_over(position) {
            return false;
        }
        let is_on = |set: B, square: u16| {
            usize::from(square) < B::STRIDE * B::MAX_SIZE && set.contains(usize::from(square))
        };
        match mv {
            Move::Slide { from, to } => {
                is_on(position.own, from)
                    && (0..DIRECTIONS).any(|direction| {
                        self.field.landing_if_legal(position, from.into(), direction) == Some(to.into())
                    })
            }
            Move::Rotate { corner } => self.rotating && is_on(self.field.blocks_of(position.own), corner),
            Move::Pass => !self.rotating && self.count_slides(position) == 0,
        }
    }

    /// Draws a piece and a direction until they make a move: each pair is at most one move, so the moves are
    /// equally likely. Under rotating rules the blocks are drawn along with the pairs.
    #[inline(always)]
    fn random_move(&self, position: &Position<B>, rng: &mut Rng) -> Option<Move> {
        if self.is_over(position) {
            return None;
        }
        let blocks = if self.rotating { self.field.blocks_of(position.own) } else { B::EMPTY };
        let directions = DIRECTIONS as u32;
        let slides = position.own.count() * directions;
        let lots = u64::from(slides + blocks.count());
        for _ in 0..BLIND_DRAWS {
            let lot = below(rng, lots) as u32;
            if lot >= slides {
                return Some(Move::Rotate { corner: blocks.nth(lot - slides) as u16 });
            }
            let from = position.own.nth(lot / directions);
            if let Some(to) = self.field.landing_if_legal(position, from, (lot % directions) as usize) {
                return Some(Move::Slide { from: from as u16, to: to as u16 });
            }
        }
        self.random_listed_move(position, rng)
    }

    #[inline(always)]
    fn play_unchecked(&self, position: &mut Position<B>, mv: Move) {
        debug_assert!(self.is_legal(position, mv), "{mv:?} in {position:?}");
        match mv {
            Move::Slide { from, to } => {
                position.own.toggle(from.into());
                position.own.toggle(to.into());
                position.enemy.remove(to.into());
            }
            Move::Rotate { corner } => {
                position.own.rotate(corner.into());
                position.enemy.rotate(corner.into());
            }
            Move::Pass => {}
        }
        *position = position.passed();
    }

    #[inline(always)]
    fn outcome(&self, position: &Position<B>) -> Option<Outcome> {
        match (is_one_group(position.own), is_one_group(position.enemy)) {
            (true, true) => Some(Outcome::drawn("both connected")),
            (true, false) => Some(Outcome::won(position.turn, "connected")),
            (false, true) => Some(Outcome::won(other(position.turn), "connected")),
            (false, false) => (position.ply >= self.limit()).then_some(Outcome::drawn("limit")),
        }
    }

    #[inline(always)]
    fn key(&self, position: &Position<B>) -> u64 {
        let side = mix(0, position.turn.0.into());
        position.enemy.hash_into(position.own.hash_into(side))
    }

    fn ply(&self, position: &Position<B>) -> Option<u32> {
        Some(position.ply)
    }

    fn plies_left(&self, position: &Position<B>) -> Option<u32> {
        Some(self.limit().saturating_sub(position.ply))
    }
}

impl<B: Grid> Loa<B> {
    /// Whether the game has ended, however.
    #[inline(always)]
    fn is_over(&self, position: &Position<B>) -> bool {
        position.ply >= self.limit() || is_one_group(position.own) || is_one_group(position.enemy)
    }

    /// How many moves along lines there are.
    #[inline(always)]
    fn count_slides(&self, position: &Position<B>) -> u64 {
        let movers = B::movers(position.own, position.enemy, self.field.squares);
        movers.iter().map(|movers| u64::from(movers.count())).sum()
    }

    /// A random move from among all, for positions in which blind draws fail: the k-th that comes along
    /// takes the place of those before it one time in k.
    #[cold]
    #[inline(never)]
    fn random_listed_move(&self, position: &Position<B>, rng: &mut Rng) -> Option<Move> {
        let (mut seen, mut chosen) = (0, None);
        self.for_each_move(position, |mv| {
            seen += 1;
            if below(rng, seen) == 0 {
                chosen = Some(mv);
            }
        });
        chosen
    }
}
