//! How positions and moves are written.

use agon_core::{Diagram, MoveError, Notation, Player, PositionError};

use super::{Flank, Move, Othello, Position};
use agon_board::notation;

/// The seats' names, in playing order.
const SEATS: [&str; 2] = ["x", "o"];
/// The discs' letters, in the same order.
const LETTERS: [char; 2] = ['x', 'o'];

/// The token of a pass.
const PASS: &str = "pass";

impl<B: Flank> Othello<B> {
    /// Whose disc stands on a square.
    pub(super) fn disc(&self, position: &Position<B>, row: usize, column: usize) -> Option<Player> {
        let (square, mover) = (B::index(row, column), position.to_move);
        let opponent = || position.opponent.contains(square).then(|| Player(1 - mover.0));
        if position.own.contains(square) { Some(mover) } else { opponent() }
    }

    /// The position in which `discs[player]` are a player's discs.
    pub(super) fn position(&self, discs: [B; 2], to_move: usize) -> Position<B> {
        Position { own: discs[to_move], opponent: discs[1 - to_move], to_move: Player(to_move as u8) }
    }

    /// The move to a square.
    pub(super) fn place(&self, row: usize, column: usize) -> Move {
        Move::Place(B::index(row, column) as u16)
    }

    /// What a move on this board looks like.
    pub(super) fn expected_square(&self) -> String {
        let last = notation::column_name(self.size - 1);
        format!("a square such as d3 (columns a to {last}, rows 1 to {})", self.size)
    }
}

impl<B: Flank> Notation for Othello<B> {
    fn options(&self) -> Vec<(&'static str, String)> {
        vec![("size", self.size.to_string())]
    }

    fn seat(&self, player: Player) -> &str {
        SEATS[player.index()]
    }

    fn position_text(&self, position: &Position<B>) -> String {
        let mut text = notation::write_rows(&vec![self.size; self.size], |row, column| {
            self.disc(position, row, column).map(|player| LETTERS[player.index()])
        });
        text.push(' ');
        text.push_str(self.seat(position.to_move));
        text
    }

    fn parse_position(&self, text: &str) -> Result<Position<B>, PositionError> {
        let [rows, side] = notation::fields(text, ["rows", "side to move"])?;
        let mut discs = [B::EMPTY; 2];
        let mut faults = Vec::new();
        let widths = vec![self.size; self.size];
        let letters: String = LETTERS.iter().collect();
        let placed = notation::read_rows(rows, &widths, &letters, |row, column, letter| {
            let player = usize::from(letter == LETTERS[1]);
            discs[player] = discs[player] | B::square(B::index(row, column));
        });
        faults.extend(placed.err().map(|error| error.faults).unwrap_or_default());
        let to_move = notation::side(side, &SEATS).unwrap_or_else(|error| {
            faults.extend(error.faults);
            0
        });
        PositionError::check(faults)?;
        Ok(self.position(discs, to_move))
    }

    fn move_text(&self, mv: Move) -> String {
        match mv {
            Move::Place(square) => {
                let (row, column) = B::row_column(usize::from(square));
                notation::algebraic(row, column)
            }
            Move::Pass => PASS.to_owned(),
        }
    }

    fn parse_move(&self, token: &str) -> Result<Move, MoveError> {
        match notation::take_algebraic(token, (self.size, self.size)) {
            Some(((row, column), "")) => Ok(self.place(row, column)),
            _ if token == PASS => Ok(Move::Pass),
            _ => Err(MoveError::new(token, format!("expected {} or {PASS}", self.expected_square()))),
        }
    }

    fn parse_typed_move(&self, text: &str) -> Result<Move, MoveError> {
        self.typed_move(text)
    }

    fn diagram(&self, position: &Position<B>) -> Diagram {
        let board = notation::diagram(
            (self.size, self.size),
            notation::column_name,
            |row| notation::number_name(row + 1),
            |row, column| self.disc(position, row, column).map_or('.', |player| LETTERS[player.index()]),
        );
        let [black, white] = [0, 1].map(|player| position.discs(Player(player)).count());
        Diagram { board, facts: format!("discs: Black {black}, White {white}") }
    }
}
