//! Reading what other programs write: transcripts, board strings, and moves as people type them.

use agon_core::text::quote;
use agon_core::{Game, MoveError, Notation, Player, PositionError, View};
use agon_formats::ggf::{GgfMove, Side};

use super::{Flank, Move, Othello, Position};
use agon_board::notation::{algebraic, bracketed, take_algebraic};

/// How many bad squares an error lists.
const LISTED_FAULTS: usize = 8;

/// Reads what stands for a disc or a side in board strings: 0 for black, 1 for white.
fn colour(char: char) -> Option<usize> {
    match char {
        'X' | 'x' | '*' => Some(0),
        'O' | 'o' => Some(1),
        _ => None,
    }
}

impl<B: Flank> Othello<B> {
    /// Reads a transcript, `f5d6c3…`: the squares of a game from the start run together, in small or
    /// capital letters, passes left out. The answer has the passes.
    ///
    /// # Errors
    /// If a square is malformed or may not be played; the error names the move by its number in the
    /// transcript, from 1.
    pub fn parse_transcript(&self, text: &str) -> Result<Vec<Move>, MoveError> {
        let (mut moves, mut position) = (Vec::new(), self.start());
        let (mut rest, mut number) = (text, 0);
        while let Some(first) = rest.chars().next() {
            number += 1;
            let tail = rest[first.len_utf8()..].trim_start_matches(|char: char| char.is_ascii_digit());
            let token = &rest[..rest.len() - tail.len()];
            rest = tail;
            let fault =
                |why: String| MoveError::new(token, format!("move {number} of the transcript: {why}"));
            let lower = token.to_ascii_lowercase();
            let Some(((row, column), "")) = take_algebraic(&lower, (self.size, self.size)) else {
                return Err(fault(format!("expected {}", self.expected_square())));
            };
            if self.is_legal(&position, Move::Pass) {
                self.play_unchecked(&mut position, Move::Pass);
                moves.push(Move::Pass);
            }
            let placed = self.place(row, column);
            if !self.is_legal(&position, placed) {
                return Err(fault(match self.outcome(&position) {
                    Some(_) => "the game is over".to_owned(),
                    None => self.broken_rule(&position, placed).text.into_owned(),
                }));
            }
            self.play_unchecked(&mut position, placed);
            moves.push(placed);
        }
        Ok(moves)
    }

    /// Reads the moves of a GGF game from `position`. Passes that have to be made may be missing, as in the games of some servers.
    ///
    /// # Errors
    /// If a move is not that of the side to move, or may not be made; the error names it by its number, from 1.
    pub(super) fn parse_ggf_moves(
        &self,
        mut position: Position<B>,
        told: &[GgfMove],
    ) -> Result<Vec<Move>, MoveError> {
        let mut moves = Vec::new();
        for (number, GgfMove { side, square, .. }) in (1..).zip(told) {
            let token = square.as_deref().unwrap_or("pass");
            let fault = |why: String| MoveError::new(token, format!("move {number} of the game: {why}"));
            let is_mover = |position: &Position<B>| (position.to_move == Player(0)) == (*side == Side::Black);
            if !is_mover(&position) && self.is_legal(&position, Move::Pass) {
                self.play_unchecked(&mut position, Move::Pass);
                moves.push(Move::Pass);
            }
            if self.outcome(&position).is_some() {
                return Err(fault("the game is over".to_owned()));
            }
            if !is_mover(&position) {
                return Err(fault("the other side is to move".to_owned()));
            }
            let mv = self.parse_move(token).map_err(|error| fault(error.reason))?;
            if !self.is_legal(&position, mv) {
                return Err(fault(self.broken_rule(&position, mv).text.into_owned()));
            }
            self.play_unchecked(&mut position, mv);
            moves.push(mv);
        }
        Ok(moves)
    }

    /// Reads a board string as the FFO test suite and OBF files have it: the squares from the top left, row
    /// by row (`X`, `x` or `*` black, `O` or `o` white, `-` or `.` empty), a space, and the side to
    /// move. What follows a further `;` or space is not about the position and is passed over.
    ///
    /// # Errors
    /// If the board has another number of squares than this one, or anything else stands on a square or for
    /// the side to move.
    pub fn parse_board_string(&self, text: &str) -> Result<Position<B>, PositionError> {
        let Some((board, rest)) = text.split_once(' ') else {
            return Err(PositionError::new(format!(
                "{} is not a board and a side to move (X or O) separated by a space",
                quote(text)
            )));
        };
        let mut faults = Vec::new();
        let (expected, found) = (self.size * self.size, board.chars().count());
        if found != expected {
            faults.push(format!("{found} squares where {expected} are expected"));
        }
        let mut discs = [B::EMPTY; 2];
        for (index, char) in board.chars().take(expected).enumerate() {
            let (row, column) = (index / self.size, index % self.size);
            match colour(char) {
                Some(player) => discs[player] = discs[player] | B::square(B::index(row, column)),
                None if matches!(char, '-' | '.') => {}
                None if faults.len() < LISTED_FAULTS => faults.push(format!(
                    "square {}: {} is not X, O or -",
                    algebraic(row, column),
                    quote(&char.to_string())
                )),
                None => {}
            }
        }
        let side = rest.split([' ', ';']).next().unwrap_or_default();
        let mut chars = side.chars();
        let to_move = chars.next().and_then(colour).filter(|_| chars.next().is_none());
        if to_move.is_none() {
            faults.push(format!("side to move: {} is not X or O", quote(side)));
        }
        PositionError::check(faults)?;
        Ok(self.position(discs, to_move.unwrap_or_default()))
    }

    /// Reads a move as it may be typed at the terminal: `d3`, `pass`, or `(row,column)` counted from 1, so
    /// that `(3,4)` is `d3`.
    ///
    /// # Errors
    /// If it is none of these on this board.
    pub(super) fn typed_move(&self, text: &str) -> Result<Move, MoveError> {
        self.parse_move(text).or_else(|error| {
            bracketed(text, 1..=self.size as u64)
                .map(|[(row, column)]| self.place(row - 1, column - 1))
                .ok_or_else(|| {
                    MoveError::new(text, format!("{} or (row,column) such as (3,4)", error.reason))
                })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_board::Rows;

    fn transcript(text: &str) -> Result<String, String> {
        let game = Othello::<u64>::new(8);
        let moves = game.parse_transcript(text).map_err(|error| error.to_string())?;
        Ok(moves.into_iter().map(|mv| game.move_text(mv)).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn transcripts_are_read_in_either_case() {
        assert_eq!(transcript("f5d6c3").as_deref(), Ok("f5 d6 c3"));
        assert_eq!(transcript("F5D6C3").as_deref(), Ok("f5 d6 c3"));
        assert_eq!(transcript("").as_deref(), Ok(""));
        let game = Othello::<Rows>::new(26);
        let moves = game.parse_transcript("o14M15l12").map(|moves| moves.len());
        assert_eq!(moves, Ok(3), "row numbers of two digits");
    }

    #[test]
    fn passes_are_put_back() {
        let game = Othello::<u64>::new(4);
        let mut found = 0;
        for seed in 0..50 {
            let mut rng = agon_core::random::seeded(seed);
            let (mut position, mut played, mut text) = (game.start(), Vec::new(), String::new());
            while let Some(mv) = game.random_move(&position, &mut rng) {
                game.play_unchecked(&mut position, mv);
                played.push(mv);
                match mv {
                    Move::Pass => found += 1,
                    Move::Place(_) => text.push_str(&game.move_text(mv)),
                }
            }
            assert_eq!(game.parse_transcript(&text), Ok(played), "{text}");
            let error =
                game.parse_transcript(&format!("{text}a1")).expect_err("the game is over").to_string();
            assert!(error.contains("the game is over"), "{error}");
        }
        assert!(found > 20, "only {found} passes");
    }

    #[test]
    fn bad_transcripts_name_the_move() {
        for (text, fault) in [
            ("f5d6c3a1", "move 'a1': move 4 of the transcript: A disc must enclose at least one black disc."),
            ("f5F5", "move 'F5': move 2 of the transcript: f5 is occupied."),
            ("e3", "move 'e3': move 1 of the transcript: A disc must enclose at least one white disc."),
            ("f5d6c3x9", "move 'x9': move 4 of the transcript: expected a square such as d3 (columns a to h"),
            ("f5d06", "move 'd06': move 2 of the transcript: expected"),
            ("f5 d6", "move ' ': move 2 of the transcript: expected"),
            ("f5d", "move 'd': move 2 of the transcript: expected"),
            ("5f", "move '5': move 1 of the transcript: expected"),
            ("f5pass", "move 'p': move 2 of the transcript: expected"),
            ("f5é6", "move 'é6': move 2 of the transcript: expected"),
            ("f5\n", "move '\\n': move 2 of the transcript: expected"),
        ] {
            let error = transcript(text).expect_err(text);
            assert!(error.starts_with(fault), "{text}: {error}");
        }
    }

    fn board(text: &str) -> Result<String, String> {
        let game = Othello::<u64>::new(4);
        let position = game.parse_board_string(text).map_err(|error| error.to_string())?;
        Ok(game.position_text(&position))
    }

    #[test]
    fn board_strings_are_read_with_or_without_what_follows() {
        for text in [
            "X-O--OX--XO----- X",
            "x-o--ox--xo----- x",
            "*.O..O*..*O..... *",
            "X-O--OX--XO----- X;",
            "X-O--OX--XO----- X; a2:+38; b2:-4",
            "X-O--OX--XO----- X +38 a2 empties=20",
        ] {
            assert_eq!(board(text).as_deref(), Ok("x1o1/1ox1/1xo1/4 x"), "{text}");
        }
        assert_eq!(board("---------------- o;").as_deref(), Ok("4/4/4/4 o"));
    }

    #[test]
    fn bad_board_strings_name_every_fault() {
        for (text, faults) in [
            ("", &["'' is not a board and a side to move (X or O) separated by a space"][..]),
            ("X-O--OX--XO-----X", &["is not a board and a side to move"]),
            ("X-O--OX--XO---- X", &["15 squares where 16 are expected"]),
            ("X-O--OX--XO------ X", &["17 squares where 16 are expected"]),
            ("X-O--OX--XO----- Z", &["side to move: 'Z' is not X or O"]),
            ("X-O--OX--XO----- XO", &["side to move: 'XO' is not X or O"]),
            ("X-O--OX--XO----- ", &["side to move: '' is not X or O"]),
            ("X-O--OX--XO-----  X", &["side to move: '' is not X or O"]),
            (
                "XéO--OX--X0---- W",
                &[
                    "15 squares",
                    "square b1: 'é' is not X, O or -",
                    "square c3: '0' is not",
                    "side to move: 'W'",
                ],
            ),
        ] {
            let error = board(text).expect_err(text);
            for fault in faults {
                assert!(error.contains(fault), "{text}: {error} lacks {fault}");
            }
        }
        let hostile = board(&format!("{} X", "?".repeat(16))).expect_err("sixteen faults");
        assert_eq!(hostile.matches("is not X, O or -").count(), LISTED_FAULTS);
    }

    #[test]
    fn ggf_games_are_read_with_or_without_their_passes() {
        let game = Othello::<u64>::new(4);
        let start = game.start();
        let side = |player| if player == Player(0) { Side::Black } else { Side::White };
        let mut passes = 0;
        for seed in 0..50 {
            let mut rng = agon_core::random::seeded(seed);
            let (mut position, mut played, mut told) = (start, Vec::new(), Vec::new());
            while let Some(mv) = game.random_move(&position, &mut rng) {
                let square = (mv != Move::Pass).then(|| game.move_text(mv));
                told.push(GgfMove { side: side(position.to_move), square, time: None });
                game.play_unchecked(&mut position, mv);
                played.push(mv);
            }
            assert_eq!(game.parse_ggf_moves(start, &told), Ok(played.clone()));
            passes += told.iter().filter(|mv| mv.square.is_none()).count();
            told.retain(|mv| mv.square.is_some());
            assert_eq!(game.parse_ggf_moves(start, &told), Ok(played));
            told.push(told[0].clone());
            let error = game.parse_ggf_moves(start, &told).expect_err("the game is over").to_string();
            assert!(error.contains(&format!("move {} of the game: the game is over", told.len())), "{error}");
        }
        assert!(passes > 20, "only {passes} passes");
        for (told, fault) in [
            (("a1", Side::Black), "move 1 of the game: A disc must enclose"),
            (("b1", Side::White), "move 1 of the game: the other side is to move"),
            (("z9", Side::Black), "move 1 of the game: expected a square"),
        ] {
            let told = [GgfMove { side: told.1, square: Some(told.0.to_owned()), time: None }];
            let error = game.parse_ggf_moves(start, &told).expect_err("not a move").to_string();
            assert!(error.contains(fault), "{error}");
        }
    }
}
