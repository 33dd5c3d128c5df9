//! 2048, written straight from the rules.

use agon_core::Rng;
use agon_core::text::number;

use agon_testkit::twins::{Standing, Twin, chance, choose, up_to};

/// Two tiles of this value do not merge.
const LARGEST: u64 = 131_072;

/// 2048 on a board of numbers.
#[derive(Clone, Debug)]
pub(crate) struct Game2048 {
    board: [[u64; 4]; 4],
    score: u64,
    /// A tile is due.
    due: bool,
}

/// A row slid to the left, and what its merges score.
fn slide(row: [u64; 4]) -> ([u64; 4], u64) {
    let tiles: Vec<u64> = row.into_iter().filter(|tile| *tile != 0).collect();
    let (mut slid, mut score) = ([0; 4], 0);
    let (mut next, mut end) = (0, 0);
    while next < tiles.len() {
        let tile = tiles[next];
        if tiles.get(next + 1) == Some(&tile) && tile != LARGEST {
            slid[end] = 2 * tile;
            score += 2 * tile;
            next += 2;
        } else {
            slid[end] = tile;
            next += 1;
        }
        end += 1;
    }
    (slid, score)
}

fn transposed(board: [[u64; 4]; 4]) -> [[u64; 4]; 4] {
    std::array::from_fn(|row| std::array::from_fn(|column| board[column][row]))
}

fn mirrored(board: [[u64; 4]; 4]) -> [[u64; 4]; 4] {
    board.map(|[a, b, c, d]| [d, c, b, a])
}

impl Game2048 {
    /// The board after a move, and what it scores.
    fn moved(&self, direction: &str) -> ([[u64; 4]; 4], u64) {
        let to_left: fn([[u64; 4]; 4]) -> [[u64; 4]; 4] = match direction {
            "left" => |board| board,
            "right" => mirrored,
            "up" => transposed,
            _ => |board| mirrored(transposed(board)),
        };
        let back: fn([[u64; 4]; 4]) -> [[u64; 4]; 4] = match direction {
            "down" => |board| transposed(mirrored(board)),
            _ => to_left,
        };
        let rows = to_left(self.board).map(slide);
        (back(rows.map(|(row, _)| row)), rows.iter().map(|(_, score)| score).sum())
    }

    fn tiles(&self) -> usize {
        self.board.iter().flatten().filter(|tile| **tile != 0).count()
    }
}

impl Twin for Game2048 {
    fn start(_: &str) -> Self {
        Self { board: [[0; 4]; 4], score: 0, due: true }
    }

    fn read(_: &str, position: &str) -> Option<Self> {
        let (rows, score) = position.split_once(' ')?;
        let rows: Vec<Vec<&str>> = rows.split('/').map(|row| row.split(',').collect()).collect();
        let mut board = [[0; 4]; 4];
        if rows.len() != 4 || rows.iter().any(|row| row.len() != 4) {
            return None;
        }
        for row in 0..4 {
            for column in 0..4 {
                let tile = number(rows[row][column], 0..=LARGEST).ok()?;
                if tile == 1 || (tile != 0 && !tile.is_power_of_two()) {
                    return None;
                }
                board[row][column] = tile;
            }
        }
        let due = score.ends_with('+');
        let score = number(score.strip_suffix('+').unwrap_or(score), 0..=u64::MAX).ok()?;
        let twin = Self { board, score, due };
        (!due || twin.tiles() < 16).then_some(twin)
    }

    fn position(&self) -> String {
        let rows = self.board.map(|row| row.map(|tile| tile.to_string()).join(","));
        format!("{} {}{}", rows.join("/"), self.score, if self.due { "+" } else { "" })
    }

    fn to_move(&self) -> String {
        if self.due { "chance" } else { "player" }.to_owned()
    }

    fn legal(&self) -> Vec<String> {
        if !self.due {
            let changes = |direction: &&str| self.moved(direction).0 != self.board;
            return ["down", "left", "right", "up"]
                .iter()
                .copied()
                .filter(changes)
                .map(str::to_owned)
                .collect();
        }
        let mut tokens = Vec::new();
        for row in 0..4 {
            for column in 0..4 {
                if self.board[row][column] == 0 {
                    tokens.push(format!("@{row},{column}=2"));
                    tokens.push(format!("@{row},{column}=4"));
                }
            }
        }
        tokens
    }

    fn play(&mut self, token: &str) {
        if let Some(tile) = token.strip_prefix('@') {
            let digit = |index: usize| usize::from(tile.as_bytes()[index] - b'0');
            self.board[digit(0)][digit(2)] = digit(4) as u64;
            // At the start two tiles appear.
            self.due = self.tiles() < 2;
        } else {
            let (board, score) = self.moved(token);
            self.board = board;
            self.score += score;
            self.due = true;
        }
    }

    fn standing(&self) -> Standing {
        if self.due || !self.legal().is_empty() {
            Standing::ONGOING
        } else if self.board.iter().flatten().any(|tile| *tile >= 2048) {
            Standing::won("player", "no move")
        } else {
            Standing::lost("no move")
        }
    }

    /// Tiles of any size, all alike, alternating or mixed, from none to sixteen.
    fn sample(_: &str, rng: &mut Rng) -> String {
        let lowest = choose(&[1, 1, 1, 9, 13, 16, 17], rng);
        let range = up_to(17 - lowest, rng);
        let empty = choose(&[0, 0, 0, 5, 20, 50, 90, 100], rng);
        let alternating = chance(20, rng);
        let mut board = [[0; 4]; 4];
        for (index, cell) in board.iter_mut().flatten().enumerate() {
            if !chance(empty, rng) {
                let exponent =
                    if alternating { 9 + (index + index / 4) % 2 } else { lowest + up_to(range, rng) };
                *cell = 1 << exponent;
            }
        }
        let score = choose(&[0, 4, 1_000, 3_000_000], rng);
        let mut twin = Self { board, score, due: false };
        twin.due = twin.tiles() < 16 && chance(30, rng);
        twin.position()
    }
}

mod tests {
    use agon_testkit::twins::{Standing, Twin, perft};

    use super::{Game2048, slide};

    #[test]
    fn the_pair_nearest_the_side_merges_first_and_each_tile_once() {
        assert_eq!(slide([2, 2, 2, 0]), ([4, 2, 0, 0], 4));
        assert_eq!(slide([2, 2, 2, 2]), ([4, 4, 0, 0], 8));
        assert_eq!(slide([4, 2, 0, 2]), ([4, 4, 0, 0], 4));
        assert_eq!(slide([0, 131_072, 0, 131_072]), ([131_072, 131_072, 0, 0], 0));
        assert_eq!(slide([65_536, 65_536, 131_072, 0]), ([131_072, 131_072, 0, 0], 131_072));
    }

    #[test]
    fn moves_go_where_they_say() {
        let after = |token| {
            let mut twin = Game2048::read("", "2,0,0,0/0,0,4,0/0,0,0,0/2,0,0,8 0").expect("possible");
            twin.play(token);
            twin.position()
        };
        assert_eq!(after("left"), "2,0,0,0/4,0,0,0/0,0,0,0/2,8,0,0 0+");
        assert_eq!(after("right"), "0,0,0,2/0,0,0,4/0,0,0,0/0,0,2,8 0+");
        assert_eq!(after("up"), "4,0,4,8/0,0,0,0/0,0,0,0/0,0,0,0 4+");
        assert_eq!(after("down"), "0,0,0,0/0,0,0,0/0,0,0,0/4,0,4,8 4+");
    }

    #[test]
    fn the_start_draws_two_tiles() {
        let start = Game2048::start("").position();
        assert_eq!(start, "0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0+");
        assert_eq!(perft::<Game2048>("", &start, 1), 16 * 2);
        assert_eq!(perft::<Game2048>("", &start, 2), 16 * 2 * 15 * 2);
        let mut twin = Game2048::start("");
        twin.play("@0,0=2");
        assert_eq!(twin.position(), "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0+");
        twin.play("@3,3=4");
        assert_eq!(twin.position(), "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,4 0");
    }

    #[test]
    fn a_finished_game_is_won_with_2048_on_the_board() {
        let standing = |position| Game2048::read("", position).expect("possible").standing();
        assert_eq!(standing("2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,1024 0"), Standing::lost("no move"));
        assert_eq!(standing("2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2048 0"), Standing::won("player", "no move"));
        assert_eq!(standing("0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 8"), Standing::lost("no move"));
    }
}
