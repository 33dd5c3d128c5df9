//! Which moves deserve attention, and what is certain without search.

use std::cmp::Ordering;

use crate::{CAMPS, EXITS, Move, Position, Side, Tablut};
use agon_board::Bits;
use agon_core::Game;
use agon_search::WIN;

use super::king::{King, neighbours, occupied};
use super::squares::{self, Table, by_class};

/// One more than the largest number of a square.
const SQUARES: usize = 8 * u128::STRIDE + 9;

/// How many slots there are: one for every pair of squares.
pub(super) const SLOTS: usize = SQUARES * SQUARES;

/// A slot for every pair of squares.
#[inline(always)]
pub(super) fn slot(mv: Move) -> usize {
    mv.from() * SQUARES + mv.to()
}

/// The kinds of noisy moves: whatever captures; besides, the king's moves that open an exit and the attackers'
/// that close one.
pub(super) const NOISY: &[&str] = &["captures", "threats"];

// Experience adds up to about a thousand to the moves' own values; what stands out from a thousand on is not
// searched less deep.

/// A move that ends the game.
const DECIDES: i32 = 1_000_000;
/// A move that must be looked at first: two open exits, or an open one closed.
const URGENT: i32 = 100_000;
/// A captured man.
const CAPTURE: i32 = 5_000;
/// An exit opened, which the attackers have to close.
const THREAT: i32 = 3_000;
/// An attacker put beside the king.
const CLOSE: i32 = 500;
/// A man put in the king's lines, or taken out of them; any move of the king.
const IN_LINE: i32 = 200;

/// Where an attacker is usually well placed.
const GOOD_FOR_ATTACKERS: Table = by_class([0, 20, 30, 10, 0, 20, 60, 40, 0, 30, 60, 40, 30, 40, 0]);
/// Where a defender is.
const GOOD_FOR_DEFENDERS: Table = by_class([0, 10, 10, 0, 0, 20, 30, 40, 0, 50, 40, 30, 30, 10, 0]);

/// What a position says about all of its moves.
#[derive(Clone, Copy)]
pub(super) struct Outlook {
    side: Side,
    king: Option<usize>,
    /// Where a man of the side to move captures.
    captures: u128,
    /// Where an attacker closes an open line of the king.
    closing: u128,
    /// The squares to which the king can move.
    reach: u128,
    /// The squares beside him.
    beside: u128,
    /// The defenders who open an exit by leaving his line.
    doorkeepers: u128,
    /// His row and column.
    lines: u128,
}

impl Outlook {
    #[inline(always)]
    pub(super) fn of(game: &Tablut, position: &Position) -> Self {
        let captures = game.capturing_squares(position);
        let (side, king) = (position.side(), position.king());
        match King::of(game, position) {
            Some(view) => Self {
                side,
                king,
                captures,
                closing: view.paths(),
                reach: view.squares(),
                beside: neighbours(view.square()),
                doorkeepers: if side == Side::Defenders { view.doorkeepers(game, position) } else { 0 },
                lines: view.lines(),
            },
            None => Self { side, king, captures, closing: 0, reach: 0, beside: 0, doorkeepers: 0, lines: 0 },
        }
    }

    /// How promising `mv` looks.
    #[inline(always)]
    pub(super) fn order(&self, game: &Tablut, position: &Position, mv: Move) -> i32 {
        let (from, to) = (mv.from(), mv.to());
        let mut order = 0;
        if self.captures.contains(to) {
            let captured = game.captured_by(position, mv);
            if self.takes_king(captured) {
                return DECIDES;
            }
            order += CAPTURE * captured.count() as i32;
        }
        match self.side {
            Side::Defenders if self.king == Some(from) => {
                if EXITS.contains(to) {
                    return DECIDES;
                }
                order += IN_LINE + BY_EXITS[King::at(game, position, to).exits() as usize % BY_EXITS.len()];
            }
            Side::Defenders => {
                order += squares::at(&GOOD_FOR_DEFENDERS, to) - squares::at(&GOOD_FOR_DEFENDERS, from);
                if self.lines.contains(from) && !self.lines.contains(to) {
                    order += if self.doorkeepers.contains(from) { THREAT } else { IN_LINE };
                }
            }
            Side::Attackers => {
                order += squares::at(&GOOD_FOR_ATTACKERS, to) - squares::at(&GOOD_FOR_ATTACKERS, from);
                order += URGENT * i32::from(self.closing.contains(to));
                order += IN_LINE * i32::from(self.reach.contains(to));
                order += CLOSE * i32::from(self.beside.contains(to));
            }
        }
        order
    }

    #[inline(always)]
    fn takes_king(&self, captured: u128) -> bool {
        match (self.side, self.king) {
            (Side::Attackers, Some(king)) => captured.contains(king),
            _ => false,
        }
    }

    /// Whether `mv` is of that kind of [`NOISY`].
    #[inline(always)]
    fn is_noisy(&self, game: &Tablut, position: &Position, mv: Move, kind: usize) -> bool {
        // Only the king can be safe between two enemies.
        let is_sure = self.side == Side::Defenders || !self.beside.contains(mv.to());
        if self.captures.contains(mv.to()) && (is_sure || game.captured_by(position, mv) != 0) {
            return true;
        }
        match self.side {
            Side::Defenders => {
                self.king == Some(mv.from())
                    && (EXITS.contains(mv.to()) || kind > 0 && King::at(game, position, mv.to()).exits() > 0)
            }
            Side::Attackers => kind > 0 && self.closing.contains(mv.to()),
        }
    }
}

/// The exits and all squares from which one can be reached in a straight line: the three lines in the middle end
/// in camps on both sides.
const IN_SIGHT: u128 = {
    let (mut squares, mut row) = (0, 0);
    while row < 9 {
        let columns = if row >= 3 && row <= 5 { 0b111_000_111 } else { 0b111_111_111 };
        squares |= columns << (row * <u128 as Bits>::STRIDE);
        row += 1;
    }
    squares
};

/// What the king's move gains in order by the number of exits open after it.
const BY_EXITS: [i32; 8] = [0, THREAT, URGENT, URGENT, URGENT, 0, 0, 0];

/// S1's order: black's moves that end beside the king, then those of men outside camps; white's king first. Among equals it goes on piece
/// by piece, row by row from the top, each up, down, left and right, the nearer squares first.
#[inline(always)]
pub(super) fn original_order(position: &Position, mv: Move) -> i32 {
    let grade = match (position.side(), position.king()) {
        (Side::Defenders, king) => i32::from(king == Some(mv.from())),
        (Side::Attackers, Some(king)) if neighbours(u128::square(king)).contains(mv.to()) => 2,
        (Side::Attackers, _) => i32::from(!CAMPS.contains(mv.from())),
    };
    let (row, column) = u128::row_column(mv.from());
    let (to_row, to_column) = u128::row_column(mv.to());
    let direction = match (to_row.cmp(&row), to_column.cmp(&column)) {
        (Ordering::Less, _) => 0,
        (Ordering::Greater, _) => 1,
        (Ordering::Equal, Ordering::Less) => 2,
        (Ordering::Equal, _) => 3,
    };
    let distance = row.abs_diff(to_row) + column.abs_diff(to_column);
    let place = ((row * 9 + column) * 4 + direction) * 9 + distance;
    (grade << 16) - place as i32
}

/// Whether `mv` is of that kind of [`NOISY`].
#[inline(always)]
pub(super) fn is_noisy(game: &Tablut, position: &Position, mv: Move, kind: usize) -> bool {
    Outlook::of(game, position).is_noisy(game, position, mv, kind)
}

/// Calls `visit` for every move of that kind of [`NOISY`] and its order; they are found by where they end.
#[inline(always)]
pub(super) fn for_each_noisy_move(
    game: &Tablut,
    position: &Position,
    kind: usize,
    mut visit: impl FnMut(Move, i32),
) {
    let outlook = Outlook::of(game, position);
    let is_white = outlook.side == Side::Defenders;
    let closing = if is_white || kind == 0 { 0 } else { outlook.closing };
    let mut targets = (outlook.captures | closing) & u128::board(9) & !occupied(position);
    if is_white {
        // The king's own moves that matter end on an exit or in sight of one.
        targets |= outlook.reach & if kind == 0 { EXITS } else { IN_SIGHT };
    }
    while targets != 0 {
        game.for_each_arrival(
            position,
            targets.lowest(),
            #[inline(always)]
            |mv| {
                if outlook.is_noisy(game, position, mv, kind) {
                    visit(mv, outlook.order(game, position, mv));
                }
            },
        );
        targets = targets.without_lowest();
    }
}

/// Whether the side to move loses at once if it does nothing about it.
#[inline(always)]
pub(super) fn is_threatened(game: &Tablut, position: &Position) -> bool {
    let Some(king) = King::of(game, position) else { return false };
    match position.side() {
        Side::Attackers => king.exits() > 0,
        Side::Defenders => king.can_be_captured(game, position),
    }
}

/// Hands the turn over where that is no worse than most moves: not under a threat, not with few moves left to
/// either side, not on the last ply.
#[inline(always)]
pub(super) fn skip_turn(game: &Tablut, position: &mut Position) -> bool {
    /// With fewer moves than this, having to move may be what loses.
    const FEW: u64 = 8;
    let is_free = position.mobility(Side::Attackers) >= FEW
        && position.mobility(Side::Defenders) >= FEW
        && game.plies_left(position).is_none_or(|left| left > 1)
        && !is_threatened(game, position);
    if is_free {
        game.skip(position);
    }
    is_free
}

/// What is certain: an exit that stands open on white's turn, a king who can be captured on black's turn, and,
/// on black's turn, an open exit that black cannot close or two of them.
///
/// The last is two plies away, in which a position may come up again: it is foreseen only where that is no draw.
#[inline(always)]
pub(super) fn foresee(game: &Tablut, position: &Position, horizon: u32) -> Option<i32> {
    let king = King::of(game, position)?;
    let left = game.plies_left(position).unwrap_or(u32::MAX).min(horizon);
    if left == 0 || position.mobility(position.side()) == 0 {
        return None;
    }
    let exits = king.exits();
    match position.side() {
        Side::Defenders => (exits > 0).then_some(WIN - 1),
        Side::Attackers if king.can_be_captured(game, position) => Some(WIN - 1),
        Side::Attackers if exits == 0 || left < 2 || game.repetition().is_some() => None,
        Side::Attackers => (exits > 1 || !king.can_be_stopped(game, position)).then_some(2 - WIN),
    }
}
