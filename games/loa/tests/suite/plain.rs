//! Lines of Action under both rule sets, written straight from the rules.

use agon_core::Rng;

use agon_testkit::compress;
use agon_testkit::twins::{
    Standing, Twin, cell, chance, choose, number_option, option, read_black_and_white, sample_ply, shuffled,
    up_to,
};

const DIRECTIONS: [(i32, i32); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// Lines of Action on a board of characters.
#[derive(Clone, Debug)]
pub(crate) struct Loa {
    turns: usize,
    rotating: bool,
    board: Vec<Vec<char>>,
    side: char,
    ply: usize,
}

fn enemy(side: char) -> char {
    if side == 'b' { 'w' } else { 'b' }
}

fn square(text: &str) -> (usize, usize) {
    let (row, column) = text.split_once(',').expect("a square");
    (row.parse().expect("a row"), column.parse().expect("a column"))
}

impl Loa {
    fn new(options: &str, board: Vec<Vec<char>>, side: char, ply: usize) -> Self {
        let turns = number_option(options, "turns", 100);
        let rotating = option(options, "rules", "rotating") == "rotating";
        Self { turns, rotating, board, side, ply }
    }

    fn at(&self, row: i32, column: i32) -> Option<char> {
        cell(&self.board, row, column)
    }

    fn pieces(&self, side: char) -> Vec<(i32, i32)> {
        let size = self.board.len() as i32;
        let squares = (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
        squares.filter(|(row, column)| self.at(*row, *column) == Some(side)).collect()
    }

    /// How many pieces of both colours stand on the whole line through the square.
    fn pieces_on_line(&self, row: i32, column: i32, down: i32, right: i32) -> i32 {
        let mut count = 0;
        let (mut r, mut c) = (row, column);
        // Back to the edge, then along the whole line.
        while self.at(r - down, c - right).is_some() {
            r -= down;
            c -= right;
        }
        while let Some(piece) = self.at(r, c) {
            if piece != '.' {
                count += 1;
            }
            r += down;
            c += right;
        }
        count
    }

    fn steps(&self) -> Vec<String> {
        let mut tokens = Vec::new();
        for (row, column) in self.pieces(self.side) {
            for (down, right) in DIRECTIONS {
                let distance = self.pieces_on_line(row, column, down, right);
                let (to_row, to_column) = (row + distance * down, column + distance * right);
                let Some(target) = self.at(to_row, to_column) else { continue };
                let jumps_enemy = (1..distance)
                    .any(|step| self.at(row + step * down, column + step * right) == Some(enemy(self.side)));
                if target != self.side && !jumps_enemy {
                    tokens.push(format!("{row},{column}-{to_row},{to_column}"));
                }
            }
        }
        tokens
    }

    fn rotations(&self) -> Vec<String> {
        let mut tokens = Vec::new();
        let blocks = self.board.len() - 1;
        for r in 0..blocks {
            for c in 0..blocks {
                let b = &self.board;
                if [b[r][c], b[r][c + 1], b[r + 1][c + 1], b[r + 1][c]].contains(&self.side) {
                    tokens.push(format!("@{r},{c}"));
                }
            }
        }
        tokens
    }

    /// Whether the pieces of `side` are one 8-connected group.
    fn connected(&self, side: char) -> bool {
        let mut left = self.pieces(side);
        let mut group: Vec<(i32, i32)> = left.pop().into_iter().collect();
        while let Some((row, column)) = group.pop() {
            let (near, far) =
                left.into_iter().partition(|(r, c)| row.abs_diff(*r) <= 1 && column.abs_diff(*c) <= 1);
            left = far;
            group.extend::<Vec<(i32, i32)>>(near);
        }
        left.is_empty()
    }
}

impl Twin for Loa {
    fn start(options: &str) -> Self {
        let size = number_option(options, "size", 8);
        let edge = |index| index == 0 || index == size - 1;
        let content = |row, column| match (edge(row), edge(column)) {
            (true, false) => 'b',
            (false, true) => 'w',
            _ => '.',
        };
        let board = (0..size).map(|row| (0..size).map(|column| content(row, column)).collect()).collect();
        let side = if option(options, "first", "black") == "black" { 'b' } else { 'w' };
        Self::new(options, board, side, 0)
    }

    fn read(options: &str, position: &str) -> Option<Self> {
        let size = number_option(options, "size", 8);
        let (board, side, ply) = read_black_and_white(position, "bw", size)?;
        let twin = Self::new(options, board, side, ply);
        let possible = |side| (1..=2 * (size - 2)).contains(&twin.pieces(side).len());
        (possible('b') && possible('w')).then_some(twin)
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
        let mut tokens = self.steps();
        if self.rotating {
            tokens.extend(self.rotations());
        }
        if tokens.is_empty() {
            tokens.push("pass".to_owned());
        }
        tokens.sort();
        tokens
    }

    fn play(&mut self, token: &str) {
        if let Some(block) = token.strip_prefix('@') {
            let (r, c) = square(block);
            let old = self.board.clone();
            self.board[r][c + 1] = old[r][c];
            self.board[r + 1][c + 1] = old[r][c + 1];
            self.board[r + 1][c] = old[r + 1][c + 1];
            self.board[r][c] = old[r + 1][c];
        } else if let Some((from, to)) = token.split_once('-') {
            let (from, to) = (square(from), square(to));
            self.board[from.0][from.1] = '.';
            self.board[to.0][to.1] = self.side;
        }
        self.side = enemy(self.side);
        self.ply += 1;
    }

    fn standing(&self) -> Standing {
        match (self.connected('b'), self.connected('w')) {
            (true, true) => Standing::drawn("both connected"),
            (true, false) => Standing::won('b', "connected"),
            (false, true) => Standing::won('w', "connected"),
            (false, false) if self.ply >= 2 * self.turns => Standing::drawn("limit"),
            (false, false) => Standing::ONGOING,
        }
    }

    /// Scattered pieces, groups with a straggler, or pieces that enemies lock in.
    fn sample(options: &str, rng: &mut Rng) -> String {
        let size = number_option(options, "size", 8);
        let most = 2 * (size - 2);
        let side = choose(&['b', 'w'], rng);
        let mut twin = Self::new(options, vec![vec!['.'; size]; size], side, 0);
        twin.ply = sample_ply(2 * twin.turns, rng);
        let first = choose(&['b', 'w'], rng);
        match up_to(3, rng) {
            0 => {
                twin.scatter(first, choose(&[1, 2, 3, most / 2, most], rng), rng);
                twin.scatter(enemy(first), choose(&[2, 3, most / 2, most], rng), rng);
            }
            1 => {
                twin.lock_in(first, rng);
            }
            _ => {
                for side in [first, enemy(first)] {
                    let stragglers = choose(&[0, 1, 1, 1, 2], rng);
                    twin.grow(side, choose(&[2, 3, most / 2, most - 2], rng), rng);
                    twin.scatter(side, stragglers, rng);
                }
            }
        }
        // On a small board there may be no room left for a colour.
        for side in ['b', 'w'] {
            if twin.pieces(side).is_empty() {
                let (row, column) = twin.pieces(enemy(side))[0];
                twin.board[row as usize][column as usize] = side;
                twin.scatter(enemy(side), 1, rng);
            }
        }
        twin.position()
    }
}

/// What [`Twin::sample`] is made of.
impl Loa {
    fn empty_squares(&self) -> Vec<(i32, i32)> {
        self.pieces('.')
    }

    fn put(&mut self, square: (i32, i32), side: char) {
        self.board[square.0 as usize][square.1 as usize] = side;
    }

    fn scatter(&mut self, side: char, count: usize, rng: &mut Rng) {
        for square in shuffled(self.empty_squares(), rng).into_iter().take(count) {
            self.put(square, side);
        }
    }

    /// Puts a connected group of `side` on empty squares.
    fn grow(&mut self, side: char, count: usize, rng: &mut Rng) {
        self.scatter(side, 1, rng);
        for _ in 1..count {
            let group = self.pieces(side);
            let beside =
                |(r, c): &(i32, i32)| group.iter().any(|(y, x)| (r - y).abs().max((c - x).abs()) == 1);
            match shuffled(self.empty_squares(), rng).into_iter().find(beside) {
                Some(square) => self.put(square, side),
                None => break,
            }
        }
    }

    /// Puts two or three pieces of `side` on corners or edges, enemies on all squares around them.
    fn lock_in(&mut self, side: char, rng: &mut Rng) {
        let last = self.board.len() as i32 - 1;
        let middle = last / 2;
        let spots = [(0, 0), (0, last), (last, 0), (last, last), (0, middle), (middle, last)];
        let most = 2 * (self.board.len() - 2);
        for (row, column) in shuffled(spots.to_vec(), rng).into_iter().take(choose(&[2, 2, 2, 3], rng)) {
            let around: Vec<(i32, i32)> = DIRECTIONS
                .iter()
                .map(|(down, right)| (row + down, column + right))
                .filter(|(r, c)| self.at(*r, *c) == Some('.'))
                .collect();
            if self.at(row, column) == Some('.') && self.pieces(enemy(side)).len() + around.len() <= most {
                self.put((row, column), side);
                around.into_iter().for_each(|square| self.put(square, enemy(side)));
            }
        }
        let room = most - self.pieces(enemy(side)).len();
        if chance(50, rng) {
            self.scatter(enemy(side), up_to(room, rng), rng);
        }
    }
}

mod tests {
    use agon_testkit::twins::{Standing, Twin, perft};

    use super::Loa;

    #[test]
    fn counts_are_the_known_ones() {
        let cases: [(&str, &[u64]); 4] = [
            ("rules=standard", &[36, 1_244, 44_952]),
            ("rules=rotating", &[50, 2_432, 127_386]),
            ("size=5", &[26, 616, 14_960, 345_714]),
            ("size=30,rules=standard", &[168, 28_172]),
        ];
        for (options, counts) in cases {
            let start = Loa::start(options).position();
            for (depth, nodes) in (1..).zip(counts) {
                assert_eq!(perft::<Loa>(options, &start, depth), *nodes, "{options}, depth {depth}");
            }
        }
    }

    #[test]
    fn a_block_turns_clockwise() {
        let mut twin = Loa::read("size=5", "bw3/5/5/3b1/1w2b b 0").expect("possible");
        for rows in ["1b3/1w3", "5/wb3", "w4/b4", "bw3/5"] {
            twin.play("@0,0");
            assert!(twin.position().starts_with(&format!("{rows}/5/3b1/1w2b ")), "{}", twin.position());
        }
    }

    #[test]
    fn a_player_who_is_locked_in_passes_unless_a_block_can_turn() {
        let position = "bw1wb/ww1ww/5/5/5 b 0";
        let standard = Loa::read("size=5,rules=standard", position).expect("possible");
        assert_eq!(standard.legal(), ["pass"]);
        assert!(!Loa::read("size=5", position).expect("possible").legal().contains(&"pass".to_owned()));
    }

    #[test]
    fn one_piece_is_a_group_and_wins_count_before_the_limit() {
        let standing = |position| Loa::read("size=5,turns=10", position).expect("possible").standing();
        assert_eq!(standing("b4/5/w4/5/4w b 99"), Standing::won('b', "connected"));
        assert_eq!(standing("b4/5/w4/w4/5 b 99"), Standing::drawn("both connected"));
        assert_eq!(standing("b3b/5/w4/5/w4 b 20"), Standing::drawn("limit"));
        assert_eq!(standing("b3b/5/w4/5/w4 b 19"), Standing::ONGOING);
    }
}
