//! The written form: four rows of tile values, the score, `+` while a tile is due; the names of
//! the directions; `@row,column=value` for a tile that appears.

use std::fmt::Write;

use agon_core::text::{counted, number, or_list, quote};
use agon_core::{Diagram, MoveError, Notation, Player, PositionError};

use super::rows::LARGEST;
use super::{Board, Direction, Game2048, Position, Tile};
use agon_board::notation::fields;

/// The largest score that is read: far more than a game can reach, and far from any overflow.
const MAX_SCORE: u64 = 1_000_000_000_000;

impl Notation for Game2048 {
    fn options(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    fn seat(&self, _player: Player) -> &str {
        "player"
    }

    fn position_text(&self, position: &Position) -> String {
        let mut text = String::new();
        for cell in 0..16 {
            let separator = match cell {
                0 => "",
                _ if cell % 4 == 0 => "/",
                _ => ",",
            };
            let _ = write!(text, "{separator}{}", value(position.board.exponent(cell)));
        }
        let due = if position.tile_due { "+" } else { "" };
        let _ = write!(text, " {}{due}", position.score);
        text
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let [rows, score] = fields(text, ["rows", "score"])?;
        let mut faults = Vec::new();
        let board = read_board(rows, &mut faults);
        let (score, tile_due) = match score.strip_suffix('+') {
            Some(score) => (score, true),
            None => (score, false),
        };
        let score = number(score, 0..=MAX_SCORE).unwrap_or_else(|fault| {
            faults.push(format!("score: {fault}"));
            0
        });
        if tile_due && board.is_some_and(|board| board.count_empty() == 0) {
            faults.push("'+' after the score: no tile can be due on a full board".to_owned());
        }
        PositionError::check(faults)?;
        Ok(Position { board: board.unwrap_or_default(), score, tile_due })
    }

    fn move_text(&self, mv: Direction) -> String {
        mv.name().to_owned()
    }

    fn parse_move(&self, token: &str) -> Result<Direction, MoveError> {
        let named = Direction::ALL.into_iter().find(|direction| direction.name() == token);
        named.ok_or_else(|| {
            let names = or_list(Direction::ALL.map(Direction::name));
            MoveError::new(token, format!("a move is {names}"))
        })
    }

    fn chance_text(&self, chance: Tile) -> String {
        format!("@{},{}={}", chance.cell() / 4, chance.cell() % 4, value(chance.exponent()))
    }

    fn parse_chance(&self, token: &str) -> Result<Tile, MoveError> {
        let parts = token
            .strip_prefix('@')
            .and_then(|rest| rest.split_once(','))
            .and_then(|(row, rest)| rest.split_once('=').map(|(column, value)| (row, column, value)));
        let (row, column, value) =
            parts.ok_or_else(|| MoveError::new(token, "a tile that appears is written @row,column=value"))?;
        let mut faults = Vec::new();
        let mut coordinate = |name: &str, text: &str| {
            number(text, 0..=3).unwrap_or_else(|fault| {
                faults.push(format!("{name} {fault}"));
                0
            })
        };
        let cell = 4 * coordinate("row", row) + coordinate("column", column);
        let exponent = match value {
            "2" => 1,
            "4" => 2,
            _ => {
                faults.push(format!("value {} is not 2 or 4", quote(value)));
                1
            }
        };
        if faults.is_empty() {
            Ok(Tile::new(cell as usize, exponent))
        } else {
            Err(MoveError::new(token, faults.join("; ")))
        }
    }

    fn diagram(&self, position: &Position) -> Diagram {
        const RULE: &str = "  +--------+--------+--------+--------+\n";
        let mut board = String::from("       0        1        2        3\n");
        for row in 0..4 {
            let _ = write!(board, "{RULE}{row} |");
            for column in 0..4 {
                let _ = match position.board.exponent(4 * row + column) {
                    0 => write!(board, " {:>6} |", '.'),
                    exponent => write!(board, " {:>6} |", value(exponent)),
                };
            }
            board.push('\n');
        }
        board.push_str(RULE);
        let due = match position.board {
            _ if !position.tile_due => "",
            Board::EMPTY => ", two tiles are due",
            _ => ", a tile is due",
        };
        Diagram { board, facts: format!("score {}{due}", position.score) }
    }
}

/// The value of the tile with an exponent; 0 is that of an empty cell.
pub(super) fn value(exponent: u8) -> u32 {
    if exponent == 0 { 0 } else { 1 << exponent }
}

/// Reads the four rows; `None` behind the faults that were found.
fn read_board(text: &str, faults: &mut Vec<String>) -> Option<Board> {
    let found = faults.len();
    let count = text.split('/').count();
    if count != 4 {
        faults.push(format!("{} where 4 are expected", counted(count, "row")));
        return None;
    }
    let mut board = Board::EMPTY;
    for (row, line) in text.split('/').enumerate() {
        let count = line.split(',').count();
        if count != 4 {
            faults.push(format!(
                "row {} from the top: {} where 4 are expected",
                row + 1,
                counted(count, "tile")
            ));
            continue;
        }
        for (column, tile) in line.split(',').enumerate() {
            match read_tile(tile) {
                Some(exponent) => board = board.with_tile(4 * row + column, exponent),
                None => faults.push(format!(
                    "row {} from the top, tile {}: {} is not 0 or a power of two from 2 to {}",
                    row + 1,
                    column + 1,
                    quote(tile),
                    value(LARGEST)
                )),
            }
        }
    }
    (faults.len() == found).then_some(board)
}

/// The exponent of a tile written as its value.
fn read_tile(text: &str) -> Option<u8> {
    let tile = number(text, 0..=u64::from(value(LARGEST))).ok()?;
    match tile {
        0 => Some(0),
        _ if tile >= 2 && tile.is_power_of_two() => Some(tile.trailing_zeros() as u8),
        _ => None,
    }
}
