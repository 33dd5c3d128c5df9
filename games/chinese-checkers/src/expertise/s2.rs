//! What the original program of this game (source S2) plays by: its evaluation, its selection of moves, its openings.

use std::sync::LazyLock;

use crate::{ChineseCheckers, Colour, Direction, Hole, Holes, Move, Position};
use agon_core::random::below;
use agon_core::{Game, Line, Player, Ply, Rng};

use super::way::Way;

/// What a marble with no own neighbour costs, in rows.
pub(super) const LONELY: f64 = -10.0;
/// What a marble still at home costs, in rows.
pub(super) const AT_HOME: f64 = -30.0;
/// The shapes: name and worth.
pub(super) const SHAPES: [(&str, f64); 3] = [
    // An own marble can hop onward over another.
    ("pairs with a free hop", 1.0),
    // Three own marbles that all touch each other.
    ("triangles", 10.0),
    // A marble can cross four rows in one move over own marbles.
    ("double pairs", 100.0),
];

/// Shapes count before this turn; a turn is a ply.
const LAST_TURN_OF_SHAPES: u32 = 40;

/// How many of a colour's `marbles` have no own neighbour.
#[inline(always)]
pub(super) fn lonely(marbles: Holes) -> u64 {
    let mut lonely = 0;
    marbles.for_each(
        #[inline(always)]
        |hole| lonely += u64::from((hole.neighbours() & marbles).is_empty()),
    );
    lonely
}

/// What the shapes of a colour are worth.
#[inline(always)]
pub(super) fn shapes_value(position: &Position, colour: Colour) -> i32 {
    let counts = shapes(position, colour).into_iter().zip(SHAPES);
    counts.map(|(count, (_, weight))| count as i32 * weight as i32).sum()
}

/// How often each of the [`SHAPES`] occurs among the marbles of a colour, while they count.
pub(super) fn shapes(position: &Position, colour: Colour) -> [u64; 3] {
    if position.plies() >= LAST_TURN_OF_SHAPES {
        return [0; 3];
    }
    let marbles = position.marbles(colour);
    let occupied = position.occupied();
    let [mut pairs, mut triangles, mut double_pairs] = [0, 0, 0];
    let onward = Direction::onward(colour);
    marbles.for_each(|hole| {
        let neighbours = hole.neighbours() & marbles;
        // Each triangle is seen from its three corners, with each of two sides.
        neighbours.for_each(|other| triangles += (other.neighbours() & neighbours).count());
        let mut crosses = false;
        for direction in onward {
            let Some(landing) = own_hop(hole, direction, marbles, occupied) else { continue };
            pairs += 1;
            crosses |= onward.iter().any(|&next| own_hop(landing, next, marbles, occupied).is_some());
        }
        double_pairs += u64::from(crosses);
    });
    [pairs, triangles / 6, double_pairs]
}

/// Where a hop over an own marble lands, if there is one.
fn own_hop(from: Hole, direction: Direction, marbles: Holes, occupied: Holes) -> Option<Hole> {
    let over = from.towards(direction).filter(|&over| marbles.contains(over))?;
    over.towards(direction).filter(|&landing| !occupied.contains(landing))
}

/// Whether S2 considers a move: one that leads onward by a row at least, into the middle, home or target.
#[inline(always)]
pub(super) fn considers(way: &Way, from: Hole, to: Hole) -> bool {
    way.rows[to.index()] > way.rows[from.index()] && way.proper.contains(to)
}

/// The opening of green; red's is its reflection, and both have a mirror image.
const OPENING: [((usize, usize), (usize, usize)); 5] =
    [((3, 9), (4, 10)), ((3, 15), (4, 14)), ((1, 11), (5, 11)), ((1, 13), (5, 13)), ((0, 12), (1, 11))];

/// The lines of green, then those of red.
static OPENINGS: LazyLock<[[Vec<Move>; 2]; 2]> = LazyLock::new(|| {
    [false, true].map(|is_red| {
        [false, true].map(|is_mirrored| {
            let hole = |(row, column): (usize, usize)| {
                let hole = Hole::at(if is_red { 16 - row } else { row }, column);
                hole.map(|hole| if is_mirrored { hole.mirrored() } else { hole })
            };
            let mv = |&(from, to)| Some(Move::Marble { from: hole(from)?, to: hole(to)? });
            OPENING.iter().filter_map(mv).collect()
        })
    })
});

/// The next move of an opening that the seat to move has kept to so far, from the usual start of a game of green
/// against red; at the first move one of the two lines is drawn.
pub(super) fn opening_move(line: &Line<ChineseCheckers>, rng: &mut Rng) -> Option<Move> {
    let game = &**line.game();
    let mover = line.position().mover();
    let mut seats: Vec<&[Colour]> =
        (0..game.players() as u8).map(|seat| game.colours(Player(seat))).collect();
    let openings = match *seats[mover.index()] {
        [Colour::Green] => &OPENINGS[0],
        [Colour::Red] => &OPENINGS[1],
        _ => return None,
    };
    seats.sort_by_key(|colours| colours[0] as usize);
    if seats != [[Colour::Green], [Colour::Red]] || *line.start() != game.start() {
        return None;
    }
    let played: Vec<Move> = line
        .plies()
        .filter(|(before, _)| before.mover() == mover)
        .filter_map(|(_, ply)| match ply {
            Ply::Move(mv) => Some(mv),
            Ply::Chance(_) => None,
        })
        .collect();
    let fitting: Vec<Move> = openings
        .iter()
        .filter(|opening| opening.starts_with(&played))
        .filter_map(|opening| opening.get(played.len()).copied())
        .filter(|&mv| game.is_legal(line.position(), mv))
        .collect();
    match fitting.len() {
        0 => None,
        count => Some(fitting[below(rng, count as u64) as usize]),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::SPEC;
    use agon_core::random::seeded;
    use agon_core::{Notation, Options};

    use super::*;

    fn game(options: &str) -> Arc<ChineseCheckers> {
        Arc::new(ChineseCheckers::new(&Options::parse(&SPEC, options).expect("options")).expect("a game"))
    }

    #[test]
    fn openings_are_played_to_their_end_by_both_colours_in_both_images() {
        let mut firsts = Vec::new();
        for seed in 0..20 {
            let mut rng = seeded(seed);
            let mut line = Line::new(game(""));
            for ply in 0..10 {
                let mv = opening_move(&line, &mut rng).expect("a move of the opening");
                let text = line.game().move_text(mv);
                if ply < 2 && !firsts.contains(&text) {
                    firsts.push(text);
                }
                assert!(line.play(Ply::Move(mv)));
            }
            assert_eq!(opening_move(&line, &mut rng), None);
        }
        firsts.sort();
        assert_eq!(firsts, ["0309-0410", "0315-0414", "1309-1210", "1315-1214"]);
        for seats in ["g/o", "g/r/y", "gy/rp"] {
            assert_eq!(opening_move(&Line::new(game(&format!("seats={seats}"))), &mut seeded(1)), None);
        }
    }

    #[test]
    fn shapes_are_counted_before_turn_40() {
        let game = game("");
        let count = |rows: &str, ply: u32| {
            let position = game.parse_position(&format!("{rows} g {ply}")).expect(rows);
            (shapes(&position, Colour::Green), lonely(position.marbles(Colour::Green)))
        };
        let start = "g/gg/ggg/gggg/13/12/11/10/9/10/11/12/13/rrrr/rrr/rr/r";
        // The three marbles of row 2 can hop over row 3 both ways; the triangle holds nine small ones.
        assert_eq!(count(start, 0), ([6, 9, 0], 0));
        assert_eq!(count(start, 40), ([0, 0, 0], 0));
        // 0309 hops over 0410 and 0612.
        let ladder = "g/gg/ggg/gg2/5g7/12/5g5/10/9/10/11/12/13/rrrr/rrr/rr/r";
        assert_eq!(count(ladder, 39).0[2], 1);
    }
}
