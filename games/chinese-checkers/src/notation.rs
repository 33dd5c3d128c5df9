//! How positions and moves are written.

use std::fmt::Write;

use agon_core::text::quote;
use agon_core::{Diagram, MoveError, Notation, Player, PositionError};

use super::colours::{Colour, LETTERS, MARBLES};
use super::holes::{COLUMNS, Hole, ROWS, WIDTHS};
use super::position::{Move, Position};
use super::{ChineseCheckers, Goal};
use agon_board::notation::{bracketed, fields, ply, read_rows, side, write_rows};

impl ChineseCheckers {
    /// What is wrong with the number of marbles of each colour.
    fn miscounts(&self, position: &Position) -> impl Iterator<Item = String> {
        Colour::ALL.into_iter().filter_map(|colour| {
            let letter = colour.letter();
            let played = self.seats.iter().any(|seat| seat.colours.contains(&colour));
            match (position.marbles(colour).count(), played) {
                (0, false) | (MARBLES, true) => None,
                (count, true) => Some(format!("marbles of {letter}: {count} where {MARBLES} are expected")),
                (count, false) => Some(format!("marbles of {letter}: {count}, but no seat plays {letter}")),
            }
        })
    }
}

impl Notation for ChineseCheckers {
    fn options(&self) -> Vec<(&'static str, String)> {
        let seats: Vec<&str> = self.seats.iter().map(|seat| seat.name.as_str()).collect();
        let goal = match self.goal {
            Goal::Strict => "strict",
            Goal::Fill => "fill",
        };
        vec![("seats", seats.join("/")), ("goal", goal.to_owned()), ("rounds", self.rounds.to_string())]
    }

    fn suggested_options(&self) -> &'static [(&'static str, &'static str)] {
        // Among many, somebody who stays at home could keep another one from ever getting there.
        if self.seats.len() > 2 { &[("goal", "fill")] } else { &[] }
    }

    fn seat(&self, player: Player) -> &str {
        &self.seats[player.index()].name
    }

    fn position_text(&self, position: &Position) -> String {
        let rows = write_rows(&WIDTHS, |row, number| {
            Hole::in_row(row, number).and_then(|hole| position.colour_at(hole)).map(Colour::letter)
        });
        format!("{rows} {} {}", self.seat(position.turn), position.ply)
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let [rows, seat, plies] = fields(text, ["rows", "seat to move", "plies"])?;
        let names: Vec<&str> = self.seats.iter().map(|seat| seat.name.as_str()).collect();
        let mut position = Position::empty(Player(0), 0);
        let mut faults = Vec::new();
        let placed = read_rows(rows, &WIDTHS, LETTERS, |row, number, letter| {
            if let (Some(hole), Some(colour)) = (Hole::in_row(row, number), Colour::from_letter(letter)) {
                position.put(hole, colour);
            }
        });
        match placed {
            Ok(()) => faults.extend(self.miscounts(&position)),
            Err(error) => faults.extend(error.faults),
        }
        match side(seat, &names) {
            Ok(turn) => position.turn = Player(turn as u8),
            Err(error) => faults.extend(error.faults),
        }
        match ply(plies) {
            Ok(ply) => position.ply = ply,
            Err(error) => faults.extend(error.faults),
        }
        PositionError::check(faults)?;
        self.complete(&mut position);
        Ok(position)
    }

    fn move_text(&self, mv: Move) -> String {
        match mv {
            Move::Marble { from, to } => format!("{from}-{to}"),
            Move::Pass => "pass".to_owned(),
        }
    }

    fn parse_move(&self, token: &str) -> Result<Move, MoveError> {
        if token == "pass" {
            return Ok(Move::Pass);
        }
        let Some((from, to)) = token.split_once('-') else {
            return Err(MoveError::new(
                token,
                "expected RRCC-RRCC, row and column of start and end, or pass",
            ));
        };
        let hole = |end: &str, text: &str| {
            read_hole(text).ok_or_else(|| {
                let reason = format!("{end} {} is not a hole; expected {}", quote(text), expected_hole(text));
                MoveError::new(token, reason)
            })
        };
        Ok(Move::Marble { from: hole("start", from)?, to: hole("end", to)? })
    }

    /// Also by row and column in brackets: `(3,9)-(4,10)`.
    fn parse_typed_move(&self, text: &str) -> Result<Move, MoveError> {
        match bracketed(text, 0..=COLUMNS as u64 - 1) {
            Some([(row, column), (to_row, to_column)]) => {
                self.parse_move(&format!("{row:02}{column:02}-{to_row:02}{to_column:02}"))
            }
            None => self.parse_move(text),
        }
    }

    /// The star on its grid; the column numbers stand upright above it.
    fn diagram(&self, position: &Position) -> Diagram {
        let mut board = String::new();
        for digit in [|column| column / 10, |column| column % 10] {
            board.push_str("   ");
            board.extend((0..COLUMNS).map(digit).map(|digit: usize| digit.to_string()));
            board.push('\n');
        }
        for row in 0..ROWS {
            let cells: String = (0..COLUMNS)
                .map(|column| match Hole::at(row, column) {
                    Some(hole) => position.colour_at(hole).map_or('.', Colour::letter),
                    None => ' ',
                })
                .collect();
            let _ = writeln!(board, "{row:02} {}", cells.trim_end());
        }
        Diagram { board, facts: format!("{} of {} plies", position.ply, self.limit()) }
    }
}

/// Reads `RRCC`.
fn read_hole(text: &str) -> Option<Hole> {
    let (row, column) = read_place(text)?;
    Hole::at(row, column)
}

/// Two digits each for a row and a column, whether or not there is a hole.
fn read_place(text: &str) -> Option<(usize, usize)> {
    if text.len() != 4 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let place: usize = text.parse().ok()?;
    Some((place / 100, place % 100))
}

/// What should stand in place of `text`, which is not a hole.
fn expected_hole(text: &str) -> String {
    match read_place(text) {
        Some((row, _)) if row < ROWS => {
            let mut columns = (0..COLUMNS).filter(|&column| Hole::at(row, column).is_some());
            let (first, last) = (columns.next().unwrap_or(0), columns.next_back());
            match last {
                Some(last) => format!("every second column from {first:02} to {last:02} in row {row:02}"),
                None => format!("column {first:02} in row {row:02}"),
            }
        }
        Some(_) => "a row from 00 to 16".to_owned(),
        None => "two digits each for its row and column".to_owned(),
    }
}
