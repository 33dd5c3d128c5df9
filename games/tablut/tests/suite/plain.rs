//! Tablut under both rule sets, written straight from the rules.

use agon_core::Rng;

use agon_testkit::compress;
use agon_testkit::twins::{
    Standing, Twin, cell, chance, choose, number_option, option, read_black_and_white, read_rows, sample_ply,
    shuffled, up_to,
};

const START: &str = "3bbb3/4b4/4w4/b3w3b/bbwwkwwbb/b3w3b/4w4/4b4/3bbb3";
const CASTLE: &str = "e5";
const CAMPS: [&str; 4] = ["d1 e1 f1 e2", "a4 a5 a6 b5", "i4 i5 i6 h5", "d9 e9 f9 e8"];
/// The camp squares that do not help to capture an attacker under the Bologna rules.
const BACK_SQUARES: &str = "e1 e9 a5 i5";
const DIRECTIONS: [(i32, i32); 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];

/// Tablut on a board of characters.
#[derive(Clone, Debug)]
pub(crate) struct Tablut {
    bologna: bool,
    limit: usize,
    board: Vec<Vec<char>>,
    side: char,
    ply: usize,
    /// What arose after each move since the last capture, as text.
    history: Vec<String>,
    repeated: bool,
}

fn name(row: i32, column: i32) -> String {
    format!("{}{}", (b'a' + column as u8) as char, row + 1)
}

fn square(name: &str) -> (i32, i32) {
    let bytes = name.as_bytes();
    (i32::from(bytes[1] - b'1'), i32::from(bytes[0] - b'a'))
}

/// Which camp the square belongs to.
fn camp(row: i32, column: i32) -> Option<usize> {
    CAMPS.iter().position(|camp| camp.contains(&name(row, column)))
}

fn is_castle(row: i32, column: i32) -> bool {
    name(row, column) == CASTLE
}

/// The side that a piece belongs to.
fn side_of(piece: char) -> Option<char> {
    match piece {
        'b' => Some('b'),
        'w' | 'k' => Some('w'),
        _ => None,
    }
}

fn enemy(side: char) -> char {
    if side == 'b' { 'w' } else { 'b' }
}

impl Tablut {
    fn new(options: &str, board: Vec<Vec<char>>, side: char, ply: usize) -> Self {
        let bologna = option(options, "rules", "ashton") == "bologna";
        let limit = number_option(options, "limit", 100);
        Self { bologna, limit, board, side, ply, history: Vec::new(), repeated: false }
    }

    fn at(&self, row: i32, column: i32) -> Option<char> {
        cell(&self.board, row, column)
    }

    fn king(&self) -> Option<(i32, i32)> {
        (0..9)
            .flat_map(|row| (0..9).map(move |column| (row, column)))
            .find(|(r, c)| self.at(*r, *c) == Some('k'))
    }

    fn moves(&self) -> Vec<String> {
        let mut tokens = Vec::new();
        for row in 0..9 {
            for column in 0..9 {
                let piece = self.board[row as usize][column as usize];
                if side_of(piece) != Some(self.side) {
                    continue;
                }
                for (down, right) in DIRECTIONS {
                    let (mut r, mut c) = (row + down, column + right);
                    while self.at(r, c) == Some('.') && !is_castle(r, c) {
                        let own_camp = piece == 'b' && camp(row, column) == camp(r, c);
                        if camp(r, c).is_some() && !own_camp {
                            break;
                        }
                        tokens.push(format!("{}{}", name(row, column), name(r, c)));
                        r += down;
                        c += right;
                    }
                }
            }
        }
        tokens
    }

    /// Whether the square beyond a `victim` that is not the king, or is the king away from the
    /// castle, helps the side to move to capture it.
    fn helps(&self, victim: char, row: i32, column: i32) -> bool {
        let Some(piece) = self.at(row, column) else { return false };
        let exempt = self.bologna && victim == 'b' && BACK_SQUARES.contains(&name(row, column));
        side_of(piece) == Some(self.side)
            || is_castle(row, column)
            || (camp(row, column).is_some() && !exempt)
    }

    /// Whether the king on (row, column) falls to an attacker that has just come next to it; `beyond` is
    /// the square on the king's other side.
    fn king_falls(&self, row: i32, column: i32, beyond: (i32, i32)) -> bool {
        let neighbours = DIRECTIONS.map(|(down, right)| (row + down, column + right));
        let near_castle = is_castle(row, column) || neighbours.iter().any(|(r, c)| is_castle(*r, *c));
        if near_castle {
            neighbours.iter().all(|(r, c)| is_castle(*r, *c) || self.at(*r, *c) == Some('b'))
        } else {
            self.helps('k', beyond.0, beyond.1)
        }
    }
}

impl Twin for Tablut {
    fn start(options: &str) -> Self {
        let usual = if option(options, "rules", "ashton") == "bologna" { "defenders" } else { "attackers" };
        let side = if option(options, "first", usual) == "attackers" { 'b' } else { 'w' };
        let board = read_rows(START, "bwk", &[9; 9]).expect("the start");
        Self::new(options, board, side, 0)
    }

    fn read(options: &str, position: &str) -> Option<Self> {
        let (board, side, ply) = read_black_and_white(position, "bwk", 9)?;
        let twin = Self::new(options, board, side, ply);
        for (piece, most) in [('b', 16), ('w', 8), ('k', 1)] {
            if twin.board.iter().flatten().filter(|other| **other == piece).count() > most {
                return None;
            }
        }
        for row in 0..9 {
            for column in 0..9 {
                let piece = twin.at(row, column);
                let squatter = is_castle(row, column) && matches!(piece, Some('b' | 'w'));
                let intruder = camp(row, column).is_some() && matches!(piece, Some('w' | 'k'));
                if squatter || intruder {
                    return None;
                }
            }
        }
        Some(twin)
    }

    fn position(&self) -> String {
        format!("{} {} {}", compress(&self.board), self.side, self.ply)
    }

    fn to_move(&self) -> String {
        self.side.to_string()
    }

    fn legal(&self) -> Vec<String> {
        if self.standing() != Standing::ONGOING {
            return Vec::new();
        }
        let mut tokens = self.moves();
        tokens.sort();
        tokens
    }

    fn play(&mut self, token: &str) {
        let (from, to) = (square(&token[..2]), square(&token[2..]));
        let piece = std::mem::replace(&mut self.board[from.0 as usize][from.1 as usize], '.');
        self.board[to.0 as usize][to.1 as usize] = piece;
        let mut captured = Vec::new();
        for (down, right) in DIRECTIONS {
            let (row, column) = (to.0 + down, to.1 + right);
            let beyond = (row + down, column + right);
            let Some(victim) = self.at(row, column) else { continue };
            if side_of(victim) != Some(enemy(self.side)) {
                continue;
            }
            let falls = match victim {
                'k' => self.king_falls(row, column, beyond),
                _ => self.helps(victim, beyond.0, beyond.1),
            };
            if falls {
                captured.push((row, column));
            }
        }
        for (row, column) in &captured {
            self.board[*row as usize][*column as usize] = '.';
        }
        self.side = enemy(self.side);
        self.ply += 1;
        if !captured.is_empty() {
            self.history.clear();
        }
        let arisen = format!("{} {}", compress(&self.board), self.side);
        self.repeated = self.history.contains(&arisen);
        self.history.push(arisen);
    }

    fn standing(&self) -> Standing {
        let Some((row, column)) = self.king() else { return Standing::won('b', "king captured") };
        let edge = row == 0 || row == 8 || column == 0 || column == 8;
        if edge && camp(row, column).is_none() {
            return Standing::won('w', "king escaped");
        }
        if self.moves().is_empty() {
            return Standing::won(enemy(self.side), "no move");
        }
        if self.bologna && self.repeated {
            return Standing::drawn("repetition");
        }
        if !self.bologna && self.ply >= self.limit {
            return Standing::drawn("limit");
        }
        Standing::ONGOING
    }

    /// Any number of pieces, crowded around the king, around any other square, or scattered.
    fn sample(options: &str, rng: &mut Rng) -> String {
        let squares: Vec<(i32, i32)> = (0..81).map(|index| (index / 9, index % 9)).collect();
        let open: Vec<(i32, i32)> = squares.iter().copied().filter(|(r, c)| camp(*r, *c).is_none()).collect();
        let king = match up_to(9, rng) {
            0 => None,
            1..=2 => Some((4, 4)),
            3..=5 => Some(choose(&[(3, 4), (5, 4), (4, 3), (4, 5)], rng)),
            // Away from the edge, where the game is not over yet.
            6..=8 => Some((1 + up_to(6, rng) as i32, 1 + up_to(6, rng) as i32)),
            _ => Some(choose(&open, rng)),
        };
        let king = king.filter(|(r, c)| camp(*r, *c).is_none());
        let mut board = vec![vec!['.'; 9]; 9];
        if let Some((row, column)) = king {
            board[row as usize][column as usize] = 'k';
        }
        let focus = if chance(70, rng) { king } else { None }.unwrap_or_else(|| choose(&squares, rng));
        let spread = choose(&[1, 2, 4, 20], rng);
        let mut order: Vec<(usize, (i32, i32))> = shuffled(squares, rng)
            .into_iter()
            .map(|(r, c)| {
                let distance = r.abs_diff(focus.0) + c.abs_diff(focus.1);
                (distance as usize + up_to(spread, rng), (r, c))
            })
            .collect();
        order.sort_by_key(|(rank, _)| *rank);
        let mut attackers = choose(&[0, 1, 2, 4, 8, 16, 16], rng);
        let mut defenders = choose(&[0, 1, 2, 4, 8], rng);
        let share = choose(&[20, 50, 80], rng);
        for (_, (row, column)) in order {
            let cell = &mut board[row as usize][column as usize];
            if *cell != '.' || is_castle(row, column) || chance(10, rng) {
                continue;
            }
            if attackers > 0 && (chance(share, rng) || defenders == 0) {
                *cell = 'b';
                attackers -= 1;
            } else if defenders > 0 && camp(row, column).is_none() {
                *cell = 'w';
                defenders -= 1;
            }
        }
        let limit = number_option(options, "limit", 100);
        Self::new(options, board, choose(&['b', 'w'], rng), sample_ply(limit, rng)).position()
    }
}

mod tests {
    use agon_testkit::twins::{Standing, Twin, perft};

    use super::Tablut;

    #[test]
    fn counts_are_the_known_ones() {
        let start = Tablut::start("rules=bologna").position();
        for (depth, nodes) in [(1, 56), (2, 4_408), (3, 248_456)] {
            assert_eq!(perft::<Tablut>("rules=bologna", &start, depth), nodes, "depth {depth}");
        }
    }

    /// The position after the moves.
    fn after(options: &str, position: &str, moves: &str) -> Tablut {
        let mut twin = Tablut::read(options, position).expect("possible");
        for token in moves.split(' ') {
            assert!(twin.legal().contains(&token.to_owned()), "{token} in {}", twin.position());
            twin.play(token);
        }
        twin
    }

    #[test]
    fn back_squares_do_not_help_under_bologna_rules() {
        let position = "4b4/4b4/9/4w4/9/9/9/1k7/9 w 0";
        assert_eq!(after("", position, "e4e3").position(), "4b4/9/4w4/9/9/9/9/1k7/9 b 1");
        assert_eq!(after("rules=bologna", position, "e4e3").position(), "4b4/4b4/4w4/9/9/9/9/1k7/9 b 1");
    }

    #[test]
    fn the_king_beside_the_castle_needs_three_captors() {
        let two = "9/9/9/3bk4/9/5b3/9/9/9 b 0";
        assert_eq!(after("", two, "f6f4").standing(), Standing::ONGOING);
        let three = "9/9/4b4/3bk4/9/5b3/9/9/9 b 0";
        let twin = after("", three, "f6f4");
        assert_eq!(twin.position(), "9/9/4b4/3b1b3/9/9/9/9/9 w 1");
        assert_eq!(twin.standing(), Standing::won('b', "king captured"));
    }

    #[test]
    fn the_start_of_the_game_does_not_count_as_a_repetition() {
        let position = "9/1b7/9/4w4/4k4/9/9/9/9 b 0";
        let round = "b2b3 e4d4 b3b2 d4e4";
        let twin = after("rules=bologna", position, round);
        assert_eq!(twin.standing(), Standing::ONGOING, "only the start has come again");
        assert_eq!(
            after("rules=bologna", position, &format!("{round} b2b3")).standing(),
            Standing::drawn("repetition")
        );
        assert_eq!(after("", position, &format!("{round} b2b3")).standing(), Standing::ONGOING);
    }

    #[test]
    fn no_move_loses_also_at_the_limit() {
        let twin = Tablut::read("", "9/9/9/9/4k4/9/9/9/9 b 100").expect("possible");
        assert_eq!(twin.standing(), Standing::won('w', "no move"));
        let twin = Tablut::read("", "9/9/9/9/4k4/9/9/9/9 w 100").expect("possible");
        assert_eq!(twin.standing(), Standing::drawn("limit"));
    }
}
