//! Reading WTHOR files, the collection of tournament games of the French Othello federation.
//!
//! A file has a header of 16 bytes and 68 bytes a game; numbers are little-endian, a move is row × 10 + column counted
//! from 1, and passes are left out. Format: <https://www.ffothello.org/wthor/Format_WThor.pdf>

use agon_core::Game;
use agon_othello::{Move, Othello, Position};

const HEADER: usize = 16;
const RECORD: usize = 68;

/// A file that is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WthorError {
    /// It is too short for its header or for the games that the header announces.
    #[error("the file has {found} bytes where its header needs {expected}")]
    Length {
        /// Bytes needed.
        expected: usize,
        /// Bytes there.
        found: usize,
    },
    /// Its games are on boards of another size.
    #[error("the games are on boards of {0}×{0}; expected 8×8")]
    Size(u8),
}

/// A game with the result of perfect play from a certain number of empty squares on.
#[derive(Clone, Debug)]
pub struct WthorGame {
    /// Every position from the start, passes left out.
    pub positions: Vec<Position<u64>>,
    /// Black's final disc difference by perfect play from `solved_empties` on.
    pub solved: i32,
    /// The number of empty squares from which `solved` holds; 0 if nobody has solved the game.
    pub solved_empties: u32,
}

/// Reads a file's games; those with an illegal move are read up to it.
///
/// # Errors
/// If the file's length does not fit its header, or its boards are not 8×8.
pub fn read_wthor(bytes: &[u8]) -> Result<Vec<WthorGame>, WthorError> {
    let announced = |count: usize| HEADER + count * RECORD;
    if bytes.len() < HEADER {
        return Err(WthorError::Length { expected: HEADER, found: bytes.len() });
    }
    let count = u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]) as usize;
    let expected = count.checked_mul(RECORD).map_or(usize::MAX, |_| announced(count));
    if bytes.len() < expected {
        return Err(WthorError::Length { expected, found: bytes.len() });
    }
    // An old header has 0 where it means 8.
    if !matches!(bytes[12], 0 | 8) {
        return Err(WthorError::Size(bytes[12]));
    }
    let depth = u32::from(bytes[14]);
    let game = Othello::<u64>::new(8);
    let records = bytes[HEADER..].chunks_exact(RECORD).take(count);
    Ok(records.map(|record| read_game(&game, record, depth)).collect())
}

fn read_game(game: &Othello<u64>, record: &[u8], depth: u32) -> WthorGame {
    let mut position = game.start();
    let mut positions = vec![position];
    for &byte in &record[8..] {
        let (row, column) = (usize::from(byte / 10), usize::from(byte % 10));
        if !(1..=8).contains(&row) || !(1..=8).contains(&column) {
            break;
        }
        let placed = Move::Place(((row - 1) * 8 + column - 1) as u16);
        if game.is_legal(&position, Move::Pass) {
            game.play_unchecked(&mut position, Move::Pass);
        }
        if !game.is_legal(&position, placed) {
            break;
        }
        game.play_unchecked(&mut position, placed);
        positions.push(position);
    }
    WthorGame { positions, solved: 2 * i32::from(record[7]) - 64, solved_empties: depth }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(games: u32, moves: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0; HEADER];
        bytes[4..8].copy_from_slice(&games.to_le_bytes());
        (bytes[12], bytes[14]) = (8, 22);
        for _ in 0..games {
            let mut record = vec![0; RECORD];
            record[7] = 33;
            record[8..8 + moves.len()].copy_from_slice(moves);
            bytes.extend(record);
        }
        bytes
    }

    #[test]
    fn games_are_read_up_to_their_end_or_an_illegal_move() {
        let games = read_wthor(&file(2, &[56, 64, 33])).expect("a good file");
        assert_eq!(games.len(), 2);
        assert_eq!(games[0].positions.len(), 4);
        assert_eq!((games[0].solved, games[0].solved_empties), (2, 22));
        let games = read_wthor(&file(1, &[56, 56, 64])).expect("a good file");
        assert_eq!(games[0].positions.len(), 2, "the square is taken");
    }

    #[test]
    fn wrong_files_are_refused() {
        let short = file(2, &[])[..HEADER + RECORD].to_vec();
        assert_eq!(read_wthor(&short).err(), Some(WthorError::Length { expected: 152, found: 84 }));
        assert!(read_wthor(&[0; 3]).is_err());
        let mut huge = file(0, &[]);
        huge[4..8].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(matches!(read_wthor(&huge), Err(WthorError::Length { .. })));
        let mut small = file(0, &[]);
        small[12] = 10;
        assert_eq!(read_wthor(&small).err(), Some(WthorError::Size(10)));
    }
}
