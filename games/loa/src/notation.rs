//! How positions and moves are written.

use agon_core::text::{number, quote};
use agon_core::{Diagram, MoveError, Notation, Player, PositionError};

use super::grid::Grid;
use super::{Loa, Move, Position, other};
use agon_board::notation::{bracketed, diagram, fields, number_name, ply, read_rows, side, write_rows};

/// The letters of the colours, as pieces and as sides to move.
const COLOURS: [&str; 2] = ["b", "w"];

impl<B: Grid> Loa<B> {
    /// The index in [`COLOURS`] of a player's colour.
    pub(super) fn colour(&self, player: Player) -> usize {
        player.index() ^ usize::from(self.white_first)
    }

    /// The player of a colour.
    fn player(&self, colour: usize) -> Player {
        Player(colour as u8 ^ u8::from(self.white_first))
    }

    /// The letter of the piece on a square.
    fn letter(&self, position: &Position<B>, row: usize, column: usize) -> Option<char> {
        let square = B::index(row, column);
        let owner = match (position.own.contains(square), position.enemy.contains(square)) {
            (true, _) => position.turn,
            (_, true) => other(position.turn),
            _ => return None,
        };
        self.seat(owner).chars().next()
    }

    pub(super) fn square_text(square: u16) -> String {
        let (row, column) = B::row_column(square.into());
        format!("{row},{column}")
    }

    /// Reads `r,c` with both at most `last`.
    fn parse_square(token: &str, text: &str, last: usize) -> Result<u16, MoveError> {
        let (row, column) = text.split_once(',').ok_or_else(|| {
            MoveError::new(token, format!("{} is not a row and a column, such as 2,3", quote(text)))
        })?;
        let coordinate = |name: &str, text: &str| {
            number(text, 0..=last as u64)
                .map(|number| number as usize)
                .map_err(|fault| MoveError::new(token, format!("{name} {fault}")))
        };
        Ok(B::index(coordinate("row", row)?, coordinate("column", column)?) as u16)
    }
}

impl<B: Grid> Notation for Loa<B> {
    fn options(&self) -> Vec<(&'static str, String)> {
        vec![
            ("size", self.size().to_string()),
            ("turns", self.turns.to_string()),
            ("rules", if self.rotating { "rotating" } else { "standard" }.to_owned()),
            ("first", if self.white_first { "white" } else { "black" }.to_owned()),
        ]
    }

    fn seat(&self, player: Player) -> &str {
        COLOURS[self.colour(player)]
    }

    fn position_text(&self, position: &Position<B>) -> String {
        let rows =
            write_rows(&vec![self.size(); self.size()], |row, column| self.letter(position, row, column));
        format!("{rows} {} {}", self.seat(position.turn), position.ply)
    }

    fn parse_position(&self, text: &str) -> Result<Position<B>, PositionError> {
        let [rows, to_move, plies] = fields(text, ["rows", "side to move", "plies"])?;
        let mut faults = Vec::new();
        let mut pieces = [B::EMPTY; 2];
        let board =
            read_rows(rows, &vec![self.size(); self.size()], &COLOURS.concat(), |row, column, letter| {
                pieces[usize::from(letter == 'w')].toggle(B::index(row, column));
            });
        match board {
            Ok(()) => faults.extend(self.impossible_counts(pieces)),
            Err(error) => faults.extend(error.faults),
        }
        let to_move = side(to_move, &COLOURS).map_err(|error| faults.extend(error.faults));
        let plies = ply(plies).map_err(|error| faults.extend(error.faults));
        let (Ok(colour), Ok(ply), true) = (to_move, plies, faults.is_empty()) else {
            return Err(PositionError { faults });
        };
        Ok(Position { own: pieces[colour], enemy: pieces[1 - colour], ply, turn: self.player(colour) })
    }

    fn move_text(&self, mv: Move) -> String {
        match mv {
            Move::Slide { from, to } => format!("{}-{}", Self::square_text(from), Self::square_text(to)),
            Move::Rotate { corner } => format!("@{}", Self::square_text(corner)),
            Move::Pass => "pass".to_owned(),
        }
    }

    fn parse_move(&self, token: &str) -> Result<Move, MoveError> {
        if token == "pass" {
            return Ok(Move::Pass);
        }
        if let Some(corner) = token.strip_prefix('@') {
            if !self.rotating {
                return Err(MoveError::new(token, "blocks turn under rules=rotating only"));
            }
            return Ok(Move::Rotate { corner: Self::parse_square(token, corner, self.size() - 2)? });
        }
        let (from, to) = token.split_once('-').ok_or_else(|| {
            let forms = if self.rotating { "r,c-r,c, @r,c or pass" } else { "r,c-r,c or pass" };
            MoveError::new(token, format!("expected {forms}"))
        })?;
        let square = |text| Self::parse_square(token, text, self.size() - 1);
        Ok(Move::Slide { from: square(from)?, to: square(to)? })
    }

    /// Also with brackets around the squares: `(7,6)-(5,6)`, `@(2,3)`.
    fn parse_typed_move(&self, text: &str) -> Result<Move, MoveError> {
        let last = self.size() as u64 - 1;
        if let Some([from, to]) = bracketed(text, 0..=last) {
            return self.parse_move(&format!("{},{}-{},{}", from.0, from.1, to.0, to.1));
        }
        match text.strip_prefix('@').and_then(|corner| bracketed(corner, 0..=last)) {
            Some([(row, column)]) => self.parse_move(&format!("@{row},{column}")),
            None => self.parse_move(text),
        }
    }

    fn diagram(&self, position: &Position<B>) -> Diagram {
        let letter = |row, column| self.letter(position, row, column).unwrap_or('.');
        let board = diagram((self.size(), self.size()), number_name, number_name, letter);
        let count = |colour| position.pieces(self.player(colour)).count();
        let facts = format!(
            "ply {} of {}, pieces: Black {}, White {}",
            position.ply,
            self.limit(),
            count(0),
            count(1)
        );
        Diagram { board, facts }
    }
}

impl<B: Grid> Loa<B> {
    /// What is impossible about the numbers of black and white pieces.
    fn impossible_counts(&self, pieces: [B; 2]) -> Vec<String> {
        let most = self.pieces_at_start();
        let faults =
            ["black", "white"].into_iter().zip(pieces).filter_map(|(colour, pieces)| match pieces.count() {
                0 => Some(format!("{colour} has no piece and needs one at least")),
                count if count > most => Some(format!("{colour} has {count} pieces and starts with {most}")),
                _ => None,
            });
        faults.collect()
    }
}
