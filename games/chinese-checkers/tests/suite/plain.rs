//! Chinese Checkers, written straight from the rules.

use agon_core::Rng;

use agon_testkit::compress;
use agon_testkit::twins::{
    Standing, Twin, cell, chance, choose, number_option, option, read_ply, read_rows, sample_ply, shuffled,
    up_to,
};

const HOLES: [usize; 17] = [1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1];
const NEIGHBOURS: [(i32, i32); 6] = [(0, -2), (0, 2), (-1, -1), (-1, 1), (1, -1), (1, 1)];
/// Clockwise from the top: the colour opposite is three further on.
const COLOURS: &str = "gyorpb";

/// Row and column of a hole.
type Hole = (i32, i32);

/// Chinese Checkers on a 17x25 grid of characters, blanks where there is no hole.
#[derive(Clone, Debug)]
pub(crate) struct ChineseCheckers {
    seats: Vec<String>,
    strict: bool,
    rounds: usize,
    grid: Vec<Vec<char>>,
    /// Index of the seat to move.
    seat: usize,
    ply: usize,
}

/// The holes of a row, from the left.
fn row_holes(row: usize) -> Vec<Hole> {
    let count = HOLES[row] as i32;
    (0..count).map(|index| (row as i32, 12 - (count - 1) + 2 * index)).collect()
}

/// The home triangle of a colour.
fn home(colour: char) -> Vec<Hole> {
    // From the row that holds one hole of the triangle to the row that holds four.
    let rows: [usize; 4] = match colour {
        'g' => [0, 1, 2, 3],
        'y' | 'b' => [7, 6, 5, 4],
        'o' | 'p' => [9, 10, 11, 12],
        _ => [16, 15, 14, 13],
    };
    let mut holes = Vec::new();
    for (row, count) in rows.into_iter().zip(1..) {
        let mut in_row = row_holes(row);
        if matches!(colour, 'y' | 'o') {
            in_row.reverse();
        }
        holes.extend(in_row.into_iter().take(count));
    }
    holes
}

fn target(colour: char) -> Vec<Hole> {
    let index = COLOURS.find(colour).expect("a colour");
    home(COLOURS.as_bytes()[(index + 3) % 6] as char)
}

fn token(from: Hole, to: Hole) -> String {
    format!("{:02}{:02}-{:02}{:02}", from.0, from.1, to.0, to.1)
}

impl ChineseCheckers {
    /// A star without marbles.
    fn empty(options: &str) -> Self {
        let mut grid = vec![vec![' '; 25]; 17];
        for (row, column) in (0..17).flat_map(row_holes) {
            grid[row as usize][column as usize] = '.';
        }
        Self {
            seats: option(options, "seats", "g/r").split('/').map(str::to_owned).collect(),
            strict: option(options, "goal", "strict") == "strict",
            rounds: number_option(options, "rounds", 300),
            grid,
            seat: 0,
            ply: 0,
        }
    }

    fn at(&self, hole: Hole) -> Option<char> {
        cell(&self.grid, hole.0, hole.1)
    }

    fn put(&mut self, hole: Hole, content: char) {
        self.grid[hole.0 as usize][hole.1 as usize] = content;
    }

    fn is_marble(&self, hole: Hole) -> bool {
        self.at(hole).is_some_and(|content| COLOURS.contains(content))
    }

    fn rows(&self) -> Vec<Vec<char>> {
        (0..17).map(|row| row_holes(row).into_iter().filter_map(|hole| self.at(hole)).collect()).collect()
    }

    fn holes_with(&self, content: char) -> Vec<Hole> {
        (0..17).flat_map(row_holes).filter(|hole| self.at(*hole) == Some(content)).collect()
    }

    /// The colours that are in the game.
    fn colours(&self) -> Vec<char> {
        self.seats.concat().chars().collect()
    }

    /// Where the marble on `from` can go.
    fn ends(&self, from: Hole) -> Vec<Hole> {
        let mut star = self.clone();
        star.put(from, '.');
        let mut ends: Vec<Hole> = Vec::new();
        for (down, right) in NEIGHBOURS {
            let to = (from.0 + down, from.1 + right);
            if star.at(to) == Some('.') {
                ends.push(to);
            }
        }
        let mut reached = vec![from];
        let mut next = 0;
        while next < reached.len() {
            let (row, column) = reached[next];
            next += 1;
            for (down, right) in NEIGHBOURS {
                let over = (row + down, column + right);
                let beyond = (row + 2 * down, column + 2 * right);
                if star.is_marble(over) && star.at(beyond) == Some('.') && !reached.contains(&beyond) {
                    reached.push(beyond);
                }
            }
        }
        for end in reached {
            if end != from && !ends.contains(&end) {
                ends.push(end);
            }
        }
        ends
    }

    /// Whether the seat has reached its goal.
    fn is_done(&self, seat: &str) -> bool {
        seat.chars().all(|colour| {
            let target = target(colour);
            let own = target.iter().filter(|hole| self.at(**hole) == Some(colour)).count();
            if self.strict { own == 10 } else { own >= 1 && target.iter().all(|hole| self.is_marble(*hole)) }
        })
    }
}

impl Twin for ChineseCheckers {
    fn start(options: &str) -> Self {
        let mut star = Self::empty(options);
        for colour in star.colours() {
            for hole in home(colour) {
                star.put(hole, colour);
            }
        }
        star
    }

    fn read(options: &str, position: &str) -> Option<Self> {
        let mut star = Self::empty(options);
        let fields: Vec<&str> = position.split(' ').collect();
        let [rows, seat, ply] = fields[..] else { return None };
        let rows = read_rows(rows, COLOURS, &HOLES)?;
        for (row, contents) in rows.into_iter().enumerate() {
            for (hole, content) in row_holes(row).into_iter().zip(contents) {
                star.put(hole, content);
            }
        }
        star.seat = star.seats.iter().position(|other| other == seat)?;
        star.ply = read_ply(ply)?;
        let playing = star.colours();
        let right = |colour| star.holes_with(colour).len() == if playing.contains(&colour) { 10 } else { 0 };
        COLOURS.chars().all(right).then_some(star)
    }

    fn position(&self) -> String {
        format!("{} {} {}", compress(&self.rows()), self.seats[self.seat], self.ply)
    }

    fn to_move(&self) -> String {
        self.seats[self.seat].clone()
    }

    fn legal(&self) -> Vec<String> {
        if self.standing() != Standing::ONGOING {
            return Vec::new();
        }
        let mut tokens = Vec::new();
        for colour in self.seats[self.seat].chars() {
            for from in self.holes_with(colour) {
                tokens.extend(self.ends(from).into_iter().map(|to| token(from, to)));
            }
        }
        if tokens.is_empty() {
            tokens.push("pass".to_owned());
        }
        tokens.sort();
        tokens
    }

    fn play(&mut self, token: &str) {
        if token != "pass" {
            let number = |range: std::ops::Range<usize>| token[range].parse::<i32>().expect("two digits");
            let (from, to) = ((number(0..2), number(2..4)), (number(5..7), number(7..9)));
            let marble = self.at(from).expect("a marble");
            self.put(from, '.');
            self.put(to, marble);
        }
        self.seat = (self.seat + 1) % self.seats.len();
        self.ply += 1;
    }

    fn standing(&self) -> Standing {
        let count = self.seats.len();
        // The mover is the seat before the one to move; the others follow in playing order.
        for after in 0..count {
            let seat = &self.seats[(self.seat + count - 1 + after) % count];
            if self.is_done(seat) {
                return Standing::won(seat.clone(), "home");
            }
        }
        if self.ply >= self.rounds * count { Standing::drawn("limit") } else { Standing::ONGOING }
    }

    /// Targets nearly full, triangles of mixed colours, a home that is locked in, or any star.
    fn sample(options: &str, rng: &mut Rng) -> String {
        let mut star = Self::empty(options);
        let count = star.seats.len();
        star.seat = up_to(count - 1, rng);
        star.ply = sample_ply(star.rounds * count, rng);
        let mut marbles: Vec<char> = star.colours().iter().flat_map(|colour| [*colour; 10]).collect();
        match up_to(3, rng) {
            0 => {
                let share = choose(&[70, 97, 100], rng);
                let busy = shuffled(star.colours(), rng);
                for colour in busy.into_iter().take(choose(&[1, 2, 6], rng)) {
                    for hole in target(colour).into_iter().filter(|_| chance(share, rng)) {
                        star.take(&mut marbles, Some(colour), hole);
                    }
                }
            }
            1 => {
                for colour in COLOURS.chars().filter(|_| chance(60, rng)).collect::<Vec<_>>() {
                    marbles = shuffled(marbles, rng);
                    for hole in home(colour).into_iter().filter(|_| chance(99, rng)) {
                        star.take(&mut marbles, None, hole);
                    }
                }
            }
            2 => star.lock_in(&mut marbles, rng),
            _ => {}
        }
        let crowded = chance(50, rng);
        let centre = choose(&(0..17).flat_map(row_holes).collect::<Vec<_>>(), rng);
        let mut free = shuffled(star.holes_with('.'), rng);
        if crowded {
            free.sort_by_key(|hole| hole.0.abs_diff(centre.0) + hole.1.abs_diff(centre.1));
        }
        for hole in free.into_iter().take(marbles.len()) {
            star.take(&mut marbles, None, hole);
        }
        star.position()
    }
}

/// What [`Twin::sample`] is made of.
impl ChineseCheckers {
    /// Puts a marble, of `colour` if that matters, into an empty hole, if there is one left.
    fn take(&mut self, marbles: &mut Vec<char>, colour: Option<char>, hole: Hole) {
        let found = marbles.iter().rposition(|marble| colour.is_none_or(|colour| colour == *marble));
        if let Some(index) = found.filter(|_| self.at(hole) == Some('.')) {
            let marble = marbles.remove(index);
            self.put(hole, marble);
        }
    }

    /// Fills a home with a colour of the seat to move, and with other marbles the holes beside it and
    /// those that a hop could reach: with enough other marbles the seat must pass.
    fn lock_in(&mut self, marbles: &mut Vec<char>, rng: &mut Rng) {
        let colour = self.seats[self.seat].chars().next().expect("a colour");
        let triangle = home(choose(&['g', 'y', 'o', 'r', 'p', 'b'], rng));
        for hole in &triangle {
            self.take(marbles, Some(colour), *hole);
        }
        *marbles = shuffled(std::mem::take(marbles), rng);
        marbles.sort_by_key(|marble| !self.seats[self.seat].contains(*marble));
        for far in 1..=2 {
            for (row, column) in &triangle {
                for (down, right) in NEIGHBOURS {
                    self.take(marbles, None, (row + far * down, column + far * right));
                }
            }
        }
    }
}

mod tests {
    use agon_testkit::twins::{Standing, Twin, perft};

    use super::ChineseCheckers;

    #[test]
    fn counts_are_the_known_ones() {
        let cases: [(&str, &[u64]); 2] =
            [("", &[14, 196, 4_760, 115_600]), ("seats=g/y/o/r/p/b", &[14, 199, 2_828, 40_189])];
        for (options, counts) in cases {
            let start = ChineseCheckers::start(options).position();
            for (depth, nodes) in (1..).zip(counts) {
                assert_eq!(
                    perft::<ChineseCheckers>(options, &start, depth),
                    *nodes,
                    "{options}, depth {depth}"
                );
            }
        }
    }

    #[test]
    fn homes_lie_clockwise_from_the_top() {
        let start = ChineseCheckers::start("seats=g/y/o/r/p/b").position();
        assert_eq!(
            start,
            "g/gg/ggg/gggg/bbbb5yyyy/bbb6yyy/bb7yy/b8y/9/p8o/pp7oo/ppp6ooo/pppp5oooo/rrrr/rrr/rr/r g 0"
        );
    }

    #[test]
    fn strict_asks_for_all_marbles_and_fill_for_one() {
        let standing =
            |options, position: &str| ChineseCheckers::read(options, position).expect("possible").standing();
        let swapped = "r/rr/rrr/rrrr/13/12/11/10/9/10/11/12/13/gggg/ggg/gg/g g 7";
        assert_eq!(standing("", swapped), Standing::won('r', "home"), "red has moved last");
        assert_eq!(standing("", &swapped.replace(" g ", " r ")), Standing::won('g', "home"));
        // One marble of each has stayed at home.
        let mixed = "g/rr/rrr/rrrr/13/12/11/10/9/10/11/12/13/gggg/ggg/gg/r g 7";
        assert_eq!(standing("", mixed), Standing::ONGOING);
        assert_eq!(standing("goal=fill", mixed), Standing::won('r', "home"));
        // Full of the enemy alone is not enough, as the start shows.
        let start = ChineseCheckers::start("goal=fill");
        assert_eq!(start.standing(), Standing::ONGOING);
    }

    #[test]
    fn a_chain_does_not_end_where_it_began() {
        // Both neighbours can be hopped over, and hopped back over.
        let position = "1/2/3/4/13/12/11/10/2rgr4/10/1rrrrrrrr2/ggggggggg3/13/4/3/2/1 g 0";
        let legal = ChineseCheckers::read("", position).expect("possible").legal();
        let along_the_row: Vec<&String> = legal.iter().filter(|token| token.starts_with("0810-08")).collect();
        assert_eq!(along_the_row, ["0810-0806", "0810-0814"]);
    }

    #[test]
    fn a_seat_that_is_locked_in_passes() {
        let options = "seats=g/r/y";
        let position = "g/gg/ggg/gggg/4rrrrr4/3yyyyyy3/11/10/9/10/11/12/rrrrr4yyyy/4/3/2/1 g 0";
        assert_eq!(ChineseCheckers::read(options, position).expect("possible").legal(), ["pass"]);
    }
}
