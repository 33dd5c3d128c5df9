//! How the game goes: moves, captures, endings.

use std::convert::Infallible;
use std::ops::ControlFlow;

use agon_core::random::{below, mix};
use agon_core::{Game, Outcome, Player, Rng, Turn};

use agon_board::Bits;

use super::lines::{self, DISTANCES, Entry, LINES, POWERS, SIZE};
use super::position::{Move, NO_KING, Position, Side};
use super::{Rules, Tablut};

/// The squares of the four camps.
pub const CAMPS: u128 = board(lines::CAMPS);
/// The castle, e5.
pub const CASTLE: u128 = board(lines::CASTLE);
/// The castle and the squares next to it, where the king is hardest to capture.
pub const KEEP: u128 = board([0, 0, 0, 0b000_010_000, 0b000_111_000]);
/// The squares that help to capture.
pub(super) const HOSTILE: u128 = CAMPS | CASTLE;
/// The same without the camps' back squares.
pub(super) const HOSTILE_NOT_BACK: u128 = HOSTILE & !board(lines::BACKS);
/// Where the king and his defenders start, two of these on each of his sides.
const CROSS: u128 = board([0, 0, 0b000_010_000, 0b000_010_000, 0b001_111_100]);
/// The edge squares outside the camps, on which the king escapes.
pub const EXITS: u128 =
    board([0b111_111_111, 0b100_000_001, 0b100_000_001, 0b100_000_001, 0b100_000_001]) & !CAMPS;

/// The board whose rows hold `squares`, given by the row's distance from the edge.
const fn board(squares: [u16; DISTANCES]) -> u128 {
    let mut board = 0;
    let mut row = 0;
    while row < SIZE {
        board |= (squares[lines::distance(row)] as u128) << (row * <u128 as Bits>::STRIDE);
        row += 1;
    }
    board
}

/// Whether the game is won by where the king is: on an exit, or nowhere.
const DECIDED: [bool; 128] = {
    let mut decided = [false; 128];
    let mut square = 0;
    while square < 128 {
        decided[square] = EXITS >> square & 1 != 0 || square == NO_KING as usize;
        square += 1;
    }
    decided
};

impl Tablut {
    /// The player who plays `side`.
    #[inline(always)]
    pub fn player(&self, side: Side) -> Player {
        Player(u8::from(side != self.first))
    }

    /// The side that `player` plays.
    pub fn side_of(&self, player: Player) -> Side {
        if player == Player(0) { self.first } else { self.first.opponent() }
    }

    /// Whether nobody may move for another reason than having no move.
    #[inline(always)]
    fn is_stopped(&self, position: &Position) -> bool {
        DECIDED[usize::from(position.king) % DECIDED.len()] || position.ply >= self.limit
    }

    /// Adds `change` to the code of a line; says what the line has become.
    #[inline(always)]
    fn change(&self, position: &mut Position, line: usize, change: u16) -> Entry {
        let code = &mut position.lines[line];
        let old = self.lines.entry(line, *code);
        *code = code.wrapping_add(change);
        let new = self.lines.entry(line, *code);
        position.mobility.exchange(old.mobility(), new.mobility());
        new
    }

    /// What the mover's piece, having arrived on `target`, captures there.
    #[inline(always)]
    pub(super) fn captured(&self, mover: Side, pieces: [u128; 2], king: u128, target: u128) -> u128 {
        let victim = mover.opponent();
        let enemies = pieces[victim as usize];
        let helpers = pieces[mover as usize] | self.hostile[victim as usize];
        let captured = flanked(target, enemies, helpers, u128::east)
            | flanked(target, enemies, helpers, u128::west)
            | flanked(target, enemies, helpers, u128::north)
            | flanked(target, enemies, helpers, u128::south);
        // On and next to the castle the king falls only to attackers on all sides, the castle's apart.
        let is_safe = captured & king != 0
            && king & KEEP != 0
            && neighbours(king) & !pieces[Side::Attackers as usize] & !CASTLE != 0;
        if is_safe { captured & !king } else { captured }
    }

    /// Takes from the board what the mover's piece on `target` captures there.
    #[inline(never)]
    fn capture(&self, position: &mut Position, target: u128) {
        let victim = position.side.opponent();
        let king = position.king().map_or(0, u128::square);
        let captured = self.captured(position.side, position.pieces, king, target);
        if captured & king != 0 {
            position.king = NO_KING;
        }
        position.pieces[victim as usize] ^= captured;
        captured.for_each(|square| {
            let (row, column) = u128::row_column(square);
            self.change(position, row, (victim.digit() * POWERS[column]).wrapping_neg());
            self.change(position, SIZE + column, (victim.digit() * POWERS[row]).wrapping_neg());
        });
    }
}

/// The enemy one `step` from `target`, if a helper stands one step further.
#[inline(always)]
fn flanked(target: u128, enemies: u128, helpers: u128, step: impl Fn(u128) -> u128) -> u128 {
    let next = step(target) & enemies;
    if step(next) & helpers != 0 { next } else { 0 }
}

/// The squares next to those of `set`, in four directions.
#[inline(always)]
fn neighbours(set: u128) -> u128 {
    set.east() | set.west() | set.north() | set.south()
}

impl Game for Tablut {
    type Position = Position;
    type Move = Move;
    type Chance = Infallible;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position {
        Position::assemble(self.lines, [CAMPS, CROSS], Some(CASTLE.lowest()), self.first, 0)
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        Turn::Player(self.player(position.side))
    }

    #[inline(always)]
    fn try_for_each_move<T>(
        &self,
        position: &Position,
        mut visit: impl FnMut(Move) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        if self.is_stopped(position) {
            return ControlFlow::Continue(());
        }
        for (line, &code) in position.lines.iter().enumerate() {
            let cells = self.lines.cells(code);
            for start in cells.places(position.side) {
                let reach = cells.reachable_span(position.side, line, start);
                for number in 0..reach.moves() {
                    visit(Move::along(line, start, reach.end(start, number)))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn play_unchecked(&self, position: &mut Position, mv: Move) {
        debug_assert!(self.is_legal(position, mv), "{mv:?} in {position:?}");
        let side = position.side;
        let (line, (start, end)) = (mv.line(), mv.places());
        let (place, crossing) = if mv.is_horizontal() { (line, SIZE) } else { (line - SIZE, 0) };
        let (from, to) = (mv.from(), mv.to());
        position.pieces[side as usize] ^= u128::square(from) | u128::square(to);
        if usize::from(position.king) == from {
            position.king = to as u8;
        }
        let weight = side.digit() * POWERS[place];
        self.change(position, crossing + start, weight.wrapping_neg());
        let across = self.change(position, crossing + end, weight);
        let shift = (side.digit() * POWERS[end]).wrapping_sub(side.digit() * POWERS[start]);
        let along = self.change(position, line, shift);
        if across.either_has(along, self.flanked[side.opponent() as usize]) {
            self.capture(position, u128::square(to));
        }
        position.side = side.opponent();
        position.ply += 1;
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        let won = |side, reason| Some(Outcome::won(self.player(side), reason));
        match position.king() {
            None => return won(Side::Attackers, "king captured"),
            Some(king) if EXITS.contains(king) => return won(Side::Defenders, "king escaped"),
            Some(_) => {}
        }
        if position.mobility(position.side) == 0 {
            return won(position.side.opponent(), "no move");
        }
        (position.ply >= self.limit).then_some(Outcome::drawn("limit"))
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> u64 {
        let [attackers, defenders] = position.pieces;
        let rest = u64::from(position.king) << 1 | position.side as u64;
        mix(defenders.hash_into(attackers.hash_into(0)), rest)
    }

    #[inline(always)]
    fn count_moves(&self, position: &Position) -> u64 {
        if self.is_stopped(position) { 0 } else { position.mobility(position.side) }
    }

    fn is_legal(&self, position: &Position, mv: Move) -> bool {
        let (line, (start, end)) = (mv.line(), mv.places());
        let cells = self.lines.cells(position.lines[line]);
        let reach = cells.reachable_span(position.side, line, start);
        !self.is_stopped(position)
            && cells.of(position.side) >> start & 1 != 0
            && (reach.low..=reach.high).contains(&end)
            && start != end
    }

    #[inline(always)]
    fn random_move(&self, position: &Position, rng: &mut Rng) -> Option<Move> {
        let count = self.count_moves(position);
        if count == 0 {
            return None;
        }
        // The number of the move among all, then among those of its line, then of its piece.
        let mut number = below(rng, count);
        let mut line = 0;
        while line < LINES - 1 {
            let moves = self.lines.entry(line, position.lines[line]).mobility().of(position.side);
            if number < moves {
                break;
            }
            number -= moves;
            line += 1;
        }
        let cells = self.lines.cells(position.lines[line]);
        for start in cells.places(position.side) {
            let reach = cells.reachable_span(position.side, line, start);
            if (number as usize) < reach.moves() {
                return Some(Move::along(line, start, reach.end(start, number as usize)));
            }
            number -= reach.moves() as u64;
        }
        None
    }

    fn ply(&self, position: &Position) -> Option<u32> {
        Some(position.ply)
    }

    fn plies_left(&self, position: &Position) -> Option<u32> {
        (self.rules == Rules::Ashton).then(|| self.limit.saturating_sub(position.ply))
    }

    fn repetition(&self) -> Option<Outcome> {
        match self.rules {
            Rules::Ashton => None,
            Rules::Bologna => Some(Outcome::drawn("repetition")),
        }
    }

    fn is_irreversible(&self, before: &Position, after: &Position) -> bool {
        let victim = before.side.opponent() as usize;
        before.pieces[victim] != after.pieces[victim]
    }
}
