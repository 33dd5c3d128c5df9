//! How Tablut is written.

use agon_core::{Diagram, MoveError, Notation, Player, PositionError};

use agon_board::Bits;
use agon_board::notation::{
    algebraic, bracketed, column_name, diagram, fields, number_name, ply, read_rows, side, take_algebraic,
    write_rows,
};

use super::lines::SIZE;
use super::position::{Move, Position, Side};
use super::rules::{CAMPS, CASTLE};
use super::{Rules, Tablut};

/// The seats, by [`Side`].
const SEATS: [&str; 2] = ["b", "w"];

/// The pieces as they were read: nothing says yet that they can stand so.
#[derive(Default)]
struct Census {
    attackers: u128,
    defenders: u128,
    kings: u128,
}

impl Census {
    fn place(&mut self, row: usize, column: usize, letter: char) {
        let pieces = match letter {
            'b' => &mut self.attackers,
            'w' => &mut self.defenders,
            _ => &mut self.kings,
        };
        *pieces |= u128::square(u128::index(row, column));
    }

    /// What makes the position impossible.
    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for (pieces, most, name) in
            [(self.attackers, 16, "attackers"), (self.defenders, 8, "defenders"), (self.kings, 1, "kings")]
        {
            if pieces.count() > most {
                faults.push(format!("{} {name} where at most {most} can be", pieces.count()));
            }
        }
        for (pieces, squares, fault) in [
            (self.attackers, CASTLE, "an attacker on the castle"),
            (self.defenders, CASTLE, "a defender on the castle"),
            (self.defenders, CAMPS, "a defender in a camp"),
            (self.kings, CAMPS, "the king in a camp"),
        ] {
            (pieces & squares).for_each(|square| faults.push(format!("{fault}, on {}", name_of(square))));
        }
        faults
    }
}

pub(super) fn name_of(square: usize) -> String {
    let (row, column) = u128::row_column(square);
    algebraic(row, column)
}

fn letter(position: &Position, row: usize, column: usize) -> Option<char> {
    let square = u128::index(row, column);
    if position.king() == Some(square) {
        Some('k')
    } else if position.attackers().contains(square) {
        Some('b')
    } else if position.defenders().contains(square) {
        Some('w')
    } else {
        None
    }
}

impl Notation for Tablut {
    fn options(&self) -> Vec<(&'static str, String)> {
        let rules = match self.rules {
            Rules::Ashton => "ashton",
            Rules::Bologna => "bologna",
        };
        let first = match self.first {
            Side::Attackers => "attackers",
            Side::Defenders => "defenders",
        };
        let mut options = vec![("rules", rules.to_owned()), ("first", first.to_owned())];
        if self.rules == Rules::Ashton {
            options.push(("limit", self.limit.to_string()));
        }
        options
    }

    fn seat(&self, player: Player) -> &str {
        SEATS[self.side_of(player) as usize]
    }

    fn position_text(&self, position: &Position) -> String {
        let rows = write_rows(&[SIZE; SIZE], |row, column| letter(position, row, column));
        format!("{rows} {} {}", SEATS[position.side as usize], position.ply)
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let [rows, mover, plies] = fields(text, ["rows", "side to move", "plies"])?;
        let mut census = Census::default();
        let board = read_rows(rows, &[SIZE; SIZE], "bwk", |row, column, letter| {
            census.place(row, column, letter);
        });
        let mut faults = board.err().map_or_else(Vec::new, |error| error.faults);
        faults.extend(census.faults());
        let mover = side(mover, &SEATS).map_err(|error| faults.extend(error.faults));
        let ply = ply(plies).map_err(|error| faults.extend(error.faults));
        let (Ok(mover), Ok(ply), true) = (mover, ply, faults.is_empty()) else {
            return Err(PositionError { faults });
        };
        let mover = if mover == 0 { Side::Attackers } else { Side::Defenders };
        let king = (!census.kings.is_empty()).then(|| census.kings.lowest());
        let pieces = [census.attackers, census.defenders | census.kings];
        Ok(Position::assemble(self.lines, pieces, king, mover, ply))
    }

    fn move_text(&self, mv: Move) -> String {
        name_of(mv.from()) + &name_of(mv.to())
    }

    fn parse_move(&self, token: &str) -> Result<Move, MoveError> {
        let squares = take_algebraic(token, (SIZE, SIZE)).and_then(|(from, rest)| {
            let (to, rest) = take_algebraic(rest, (SIZE, SIZE))?;
            rest.is_empty().then_some((from, to))
        });
        let (from, to) = squares.ok_or_else(|| {
            MoveError::new(token, "expected two squares from a1 to i9 run together, such as d1d3")
        })?;
        Move::between(from, to)
            .ok_or_else(|| MoveError::new(token, "a piece moves to another square of its row or column"))
    }

    /// Also with a dash between the squares, and by row and column from 1: `d1-d3`, `(1,4)-(3,4)`.
    fn parse_typed_move(&self, text: &str) -> Result<Move, MoveError> {
        match bracketed(text, 1..=SIZE as u64) {
            Some([from, to]) => {
                let square = |(row, column): (usize, usize)| algebraic(row - 1, column - 1);
                self.parse_move(&format!("{}{}", square(from), square(to)))
            }
            None => self.parse_move(&text.replacen('-', "", 1)),
        }
    }

    fn diagram(&self, position: &Position) -> Diagram {
        let board = diagram(
            (SIZE, SIZE),
            column_name,
            |row| number_name(row + 1),
            |row, column| {
                let square = u128::index(row, column);
                let empty = if CAMPS.contains(square) {
                    ':'
                } else if CASTLE.contains(square) {
                    '+'
                } else {
                    '.'
                };
                letter(position, row, column).unwrap_or(empty)
            },
        );
        let limit = match self.rules {
            Rules::Ashton => format!(" of {}", self.limit),
            Rules::Bologna => String::new(),
        };
        Diagram {
            board: format!("{board}empty: . square, : camp, + castle\n"),
            facts: format!(
                "attackers {}, defenders {}, ply {}{limit}",
                position.attackers().count(),
                position.defenders().count(),
                position.ply,
            ),
        }
    }
}
