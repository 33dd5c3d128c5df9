//! What is known about moves: which to look at first, which change much, and what is threatened.

use crate::{Grid, Loa, Move, Position};
use agon_board::symmetry::{SYMMETRIES, image_of_set, image_of_square, is_turn};
use agon_core::Game;
use agon_search::{Tactics, WIN};

use super::LoaKnowledge;
use super::around::{links, pairs, turned, window};
use super::threats::wins_at_once;

/// Slots of each square: a move that ends there in each of eight directions, and the block that begins there.
const SLOTS_A_SQUARE: usize = 9;

/// What a neighbour gained counts in the order of moves, each percent of the way inside, and how much turns come after
/// slides.
const LINK: i32 = 40;
const INWARDS: i32 = 1;
const TURN: i32 = 20;

/// The index of the noisy kind that is all captures.
const CAPTURES: usize = 1;

impl<B: Grid> Tactics<Loa<B>> for LoaKnowledge<B> {
    fn slots(&self, _game: &Loa<B>) -> usize {
        B::STRIDE * B::MAX_SIZE * SLOTS_A_SQUARE + 1
    }

    /// The square that a piece lands on and the direction it comes from: on a given board that is one move only,
    /// because the number of pieces on the line says from how far.
    #[inline(always)]
    fn slot(&self, _game: &Loa<B>, mv: Move) -> usize {
        match mv {
            Move::Slide { from, to } => {
                let (row, column) = B::row_column(from.into());
                let (to_row, to_column) = B::row_column(to.into());
                let side = |from: usize, to: usize| 1 + usize::from(to > from) - usize::from(to < from);
                usize::from(to) * SLOTS_A_SQUARE + 3 * side(row, to_row) + side(column, to_column)
            }
            // No slide has the middle one of the nine.
            Move::Rotate { corner } => usize::from(corner) * SLOTS_A_SQUARE + 4,
            Move::Pass => B::STRIDE * B::MAX_SIZE * SLOTS_A_SQUARE,
        }
    }

    /// By the neighbours that the side gains, those that it takes from the enemy, and the way inside.
    #[inline(always)]
    fn order(&self, _game: &Loa<B>, position: &Position<B>, mv: Move) -> i32 {
        match mv {
            Move::Slide { from, to } => {
                let (from, to) = (usize::from(from), usize::from(to));
                let mut others = position.own();
                others.toggle(from);
                let gained = links(others, to) - links(others, from);
                let inwards = self.inside.of(to) - self.inside.of(from);
                // A capture costs the enemy a piece, which alone is worth something.
                let taken = if position.enemy().contains(to) { 1 + links(position.enemy(), to) } else { 0 };
                LINK * (gained + taken) + INWARDS * inwards
            }
            Move::Rotate { corner } => {
                let corner = usize::from(corner);
                LINK * (turn_gain(position.own(), corner) - turn_gain(position.enemy(), corner)) - TURN
            }
            Move::Pass => 0,
        }
    }

    /// Moves towards the middle of the board first.
    #[inline(always)]
    fn original_order(&self, game: &Loa<B>, _position: &Position<B>, mv: Move) -> i32 {
        let Move::Slide { from, to } = mv else { return 0 };
        let from_middle = |square: u16| {
            let (row, column) = B::row_column(square.into());
            // Doubled, because on boards of even size the middle is between squares.
            let along = |at: usize| (2 * at as i32 + 1 - game.size() as i32).abs();
            along(row).max(along(column))
        };
        from_middle(from) - from_middle(to)
    }

    fn noisy_kinds(&self) -> &'static [&'static str] {
        &["connections", "captures"]
    }

    /// `connections`: captures that make an own connection or break one of the enemy's; `captures`: all captures.
    #[inline(always)]
    fn is_noisy(&self, _game: &Loa<B>, position: &Position<B>, mv: Move, kind: usize) -> bool {
        let Move::Slide { from, to } = mv else { return false };
        let (from, to) = (usize::from(from), usize::from(to));
        position.enemy().contains(to)
            && (kind == CAPTURES || links(position.enemy(), to) > 0 || {
                let mut others = position.own();
                others.toggle(from);
                links(others, to) > links(others, from)
            })
    }

    fn selections(&self) -> &'static [&'static str] {
        &["connecting"]
    }

    /// `connecting`: slides that capture, gain neighbours or go inwards, and turns that gain neighbours or cost the
    /// enemy some.
    #[inline(always)]
    fn grade(&self, _game: &Loa<B>, position: &Position<B>, mv: Move, _rule: usize) -> u8 {
        u8::from(match mv {
            Move::Slide { from, to } => {
                let (from, to) = (usize::from(from), usize::from(to));
                let mut others = position.own();
                others.toggle(from);
                position.enemy().contains(to)
                    || self.inside.of(to) > self.inside.of(from)
                    || links(others, to) > links(others, from)
            }
            Move::Rotate { corner } => {
                turn_gain(position.own(), corner.into()) > 0 || turn_gain(position.enemy(), corner.into()) < 0
            }
            Move::Pass => true,
        })
    }

    /// Turns of the board, and, where no block is turned clockwise, mirror images.
    fn symmetries(&self, game: &Loa<B>, position: &Position<B>) -> Vec<u8> {
        let is_same = |set: B, symmetry| image_of_set(set, game.size(), symmetry) == set;
        SYMMETRIES
            .filter(|&symmetry| is_turn(symmetry) || !game.is_rotating())
            .filter(|&symmetry| is_same(position.own(), symmetry) && is_same(position.enemy(), symmetry))
            .collect()
    }

    fn image(&self, game: &Loa<B>, mv: Move, symmetry: u8) -> Move {
        let image = |square: usize| image_of_square::<B>(square, game.size(), symmetry);
        match mv {
            Move::Slide { from, to } => {
                Move::Slide { from: image(from.into()) as u16, to: image(to.into()) as u16 }
            }
            Move::Rotate { corner } => {
                // Whichever square of the block falls into its upper left corner.
                let corner = usize::from(corner);
                let block = [corner, corner + 1, corner + B::STRIDE, corner + B::STRIDE + 1];
                Move::Rotate { corner: block.map(image).into_iter().min().unwrap_or(corner) as u16 }
            }
            Move::Pass => Move::Pass,
        }
    }

    #[inline(always)]
    fn is_threatened(&self, game: &Loa<B>, position: &Position<B>) -> bool {
        wins_at_once(game, &position.passed())
    }

    #[inline(always)]
    fn foresee(&self, game: &Loa<B>, position: &Position<B>, horizon: u32) -> Option<i32> {
        (horizon >= 1 && wins_at_once(game, position)).then_some(WIN - 1)
    }

    /// Having to move hurts nobody who can turn a block far from everything, and hardly anybody else.
    #[inline(always)]
    fn skip_turn(&self, game: &Loa<B>, position: &mut Position<B>) -> bool {
        *position = position.passed();
        game.outcome(position).is_none()
    }
}

/// How many pairs of neighbours more there are when a block has been turned.
#[inline(always)]
fn turn_gain<B: Grid>(set: B, corner: usize) -> i32 {
    let before = window(set, corner);
    pairs(turned(before)) - pairs(before)
}
