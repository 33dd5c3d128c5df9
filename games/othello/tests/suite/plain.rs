//! Othello, written straight from the rules.

use agon_core::Rng;

use agon_testkit::compress;
use agon_testkit::twins::{Standing, Twin, cell, chance, choose, number_option, read_rows, up_to};

const DIRECTIONS: [(i32, i32); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// Othello on a board of characters.
#[derive(Clone, Debug)]
pub(crate) struct Othello {
    board: Vec<Vec<char>>,
    side: char,
}

fn enemy(side: char) -> char {
    if side == 'x' { 'o' } else { 'x' }
}

fn square(token: &str) -> (usize, usize) {
    let column = token.as_bytes()[0] - b'a';
    let row: usize = token[1..].parse().expect("a row number");
    (row - 1, usize::from(column))
}

impl Othello {
    /// The discs that a disc of `side` put on (row, column) turns: none if the move is not legal.
    fn flips(&self, row: usize, column: usize, side: char) -> Vec<(usize, usize)> {
        let mut flips = Vec::new();
        if self.board[row][column] != '.' {
            return flips;
        }
        for (down, right) in DIRECTIONS {
            let mut line = Vec::new();
            let (mut r, mut c) = (row as i32 + down, column as i32 + right);
            while cell(&self.board, r, c) == Some(enemy(side)) {
                line.push((r as usize, c as usize));
                r += down;
                c += right;
            }
            if cell(&self.board, r, c) == Some(side) {
                flips.extend(line);
            }
        }
        flips
    }

    /// The squares on which `side` may put a disc.
    fn placements(&self, side: char) -> Vec<String> {
        let mut tokens = Vec::new();
        for row in 0..self.board.len() {
            for column in 0..self.board.len() {
                if !self.flips(row, column, side).is_empty() {
                    tokens.push(format!("{}{}", (b'a' + column as u8) as char, row + 1));
                }
            }
        }
        tokens
    }

    fn discs(&self, side: char) -> usize {
        self.board.iter().flatten().filter(|disc| **disc == side).count()
    }
}

impl Twin for Othello {
    fn start(options: &str) -> Self {
        let size = number_option(options, "size", 8);
        let mut board = vec![vec!['.'; size]; size];
        let half = size / 2;
        board[half - 1][half - 1] = 'o';
        board[half][half] = 'o';
        board[half - 1][half] = 'x';
        board[half][half - 1] = 'x';
        Self { board, side: 'x' }
    }

    fn read(options: &str, position: &str) -> Option<Self> {
        let size = number_option(options, "size", 8);
        let (rows, side) = position.split_once(' ')?;
        let side = match side {
            "x" => 'x',
            "o" => 'o',
            _ => return None,
        };
        Some(Self { board: read_rows(rows, "xo", &vec![size; size])?, side })
    }

    fn position(&self) -> String {
        format!("{} {}", compress(&self.board), self.side)
    }

    fn to_move(&self) -> String {
        self.side.to_string()
    }

    fn legal(&self) -> Vec<String> {
        let mut tokens = self.placements(self.side);
        if tokens.is_empty() && !self.placements(enemy(self.side)).is_empty() {
            tokens.push("pass".to_owned());
        }
        tokens.sort();
        tokens
    }

    fn play(&mut self, token: &str) {
        if token != "pass" {
            let (row, column) = square(token);
            for (r, c) in self.flips(row, column, self.side) {
                self.board[r][c] = self.side;
            }
            self.board[row][column] = self.side;
        }
        self.side = enemy(self.side);
    }

    fn standing(&self) -> Standing {
        if !self.placements('x').is_empty() || !self.placements('o').is_empty() {
            return Standing::ONGOING;
        }
        let (x, o) = (self.discs('x'), self.discs('o'));
        match x.cmp(&o) {
            std::cmp::Ordering::Greater => Standing::won('x', "discs"),
            std::cmp::Ordering::Less => Standing::won('o', "discs"),
            std::cmp::Ordering::Equal => Standing::drawn("discs"),
        }
    }

    /// Any share of empty squares, and of black discs among the discs.
    fn sample(options: &str, rng: &mut Rng) -> String {
        let size = number_option(options, "size", 8);
        let empty = choose(&[0, 1, 3, 10, 30, 60, 90, 97, 100], rng);
        let black = choose(&[0, 3, 10, 50, 50, 50, 90, 97, 100], rng);
        let mut board = vec![vec!['.'; size]; size];
        for cell in board.iter_mut().flatten() {
            *cell = match (chance(empty, rng), chance(black, rng)) {
                (true, _) => '.',
                (false, true) => 'x',
                (false, false) => 'o',
            };
        }
        if chance(30, rng) {
            // A long line, to be turned by one move.
            let row = up_to(size - 1, rng);
            board[row] = vec!['o'; size];
            board[row][0] = choose(&['x', '.'], rng);
            board[row][size - 1] = choose(&['x', '.'], rng);
        }
        Self { board, side: choose(&['x', 'o'], rng) }.position()
    }
}

mod tests {
    use agon_testkit::twins::{Twin, perft};

    use super::Othello;

    #[test]
    fn counts_are_the_known_ones() {
        // The counts that everybody publishes for 8x8; no game can end within six plies.
        let start = Othello::start("").position();
        assert_eq!(start, "8/8/8/3ox3/3xo3/8/8/8 x");
        for (depth, nodes) in [(1, 4), (2, 12), (3, 56), (4, 244), (5, 1396), (6, 8200), (7, 55092)] {
            assert_eq!(perft::<Othello>("", &start, depth), nodes, "depth {depth}");
        }
    }

    #[test]
    fn the_smallest_board_is_won_by_white() {
        // Perfect play on 4x4 gives 3 to 11 with two squares empty.
        fn best(twin: &Othello) -> i32 {
            let legal = twin.legal();
            let difference = twin.discs(twin.side) as i32 - twin.discs(super::enemy(twin.side)) as i32;
            let after = |token: &String| {
                let mut next = twin.clone();
                next.play(token);
                -best(&next)
            };
            legal.iter().map(after).max().unwrap_or(difference)
        }
        assert_eq!(best(&Othello::start("size=4")), -8);
    }

    #[test]
    fn an_empty_board_is_a_draw_and_a_lone_colour_wins() {
        let standing = |position| Othello::read("size=4", position).expect("possible").standing();
        assert_eq!(standing("4/4/4/4 o").status, "drawn");
        assert_eq!(standing("4/1o2/4/4 x").winner.as_deref(), Some("o"));
    }
}
