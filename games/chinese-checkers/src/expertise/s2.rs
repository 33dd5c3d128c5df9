//! What the original program of this game (source S2) plays by: its evaluation, its selection of moves, its openings.

use std::sync::LazyLock;

use crate::{ChineseCheckers, Colour, Direction, Hole, Holes, Move, Position};
use agon_core::random::below;
use agon_core::{Game, Line, Player, Ply, Rng};

use super::way::Way;

/// How many features there are, those of shapes included.
pub(super) const COUNT: usize = 6;

/// How many of them are shapes, the last ones.
pub(super) const SHAPES: usize = 3;

/// The features: what each is called, its weight's name in bot specifications, and what one of it is worth, in rows.
pub(super) const FEATURES: [(&str, &str, i32); COUNT] = [
    ("rows advanced", "rows", 1),
    ("marbles without a neighbour", "lonely", -10),
    ("marbles at home", "at-home", -30),
    // A forward neighbour is own and the hole beyond it free.
    ("pairs with a free hop", "pairs", 1),
    // Both forward neighbours are such.
    ("triangles", "triangles", 10),
    // On one side own marbles stand at a forward step, straight ahead two rows on, and a forward step on from there, and the hole four
    // rows ahead is free.
    ("double pairs", "double-pairs", 100),
];

/// Shapes count before this round of the game, rounds being counted from 1.
const LAST_ROUND_OF_SHAPES: u32 = 40;

/// Whether shapes count in a game that stands as in `position`.
pub(super) fn has_shapes(game: &ChineseCheckers, position: &Position) -> bool {
    position.plies() / (game.players() as u32) + 1 < LAST_ROUND_OF_SHAPES
}

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

/// How often each shape occurs among the marbles of a colour: looked for from every marble, forward only.
pub(super) fn shapes(position: &Position, colour: Colour) -> [u64; SHAPES] {
    let marbles = position.marbles(colour);
    let occupied = position.occupied();
    let [mut pairs, mut triangles, mut double_pairs] = [0, 0, 0];
    let onward = Direction::onward(colour);
    let own = |hole: Option<Hole>| hole.filter(|&hole| marbles.contains(hole));
    let is_free = |hole: Option<Hole>| hole.is_some_and(|hole| !occupied.contains(hole));
    marbles.for_each(|hole| {
        let mut found = 0;
        for (side, other) in [(onward[0], onward[1]), (onward[1], onward[0])] {
            let Some(neighbour) = own(hole.towards(side)) else { continue };
            found += u64::from(is_free(neighbour.towards(side)));
            let ahead = own(neighbour.towards(other)).and_then(|ahead| own(ahead.towards(side)));
            double_pairs += u64::from(ahead.is_some_and(|last| is_free(last.towards(other))));
        }
        pairs += found;
        triangles += u64::from(found == 2);
    });
    [pairs, triangles, double_pairs]
}

/// The rows from the tip of home on in which marbles may move sideways.
const LAST_ROWS: u8 = 12;

/// How S2 grades moves: it considers those that lead onward by a row at least, into the middle, home or target; if there are none, those
/// within one of the last rows; and if there are none of these either, all.
#[inline(always)]
pub(super) fn grade(way: &Way, from: Hole, to: Hole) -> u8 {
    let [before, after] = [from, to].map(|hole| way.rows[hole.index()]);
    if after > before && way.proper.contains(to) {
        2
    } else {
        u8::from(after == before && before >= LAST_ROWS)
    }
}

/// Which of two moves with equal scores S2 takes: the one that advances further, then the one from further back.
pub(super) fn tie_break(way: &Way, from: Hole, to: Hole) -> i32 {
    let [before, after] = [from, to].map(|hole| i32::from(way.rows[hole.index()]));
    32 * (after - before) - before
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
        .plies_since(0)
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
    fn shapes_are_counted_from_every_marble_forward() {
        let game = game("");
        let count = |rows: &str| {
            let position = game.parse_position(&format!("{rows} g 0")).expect(rows);
            (shapes(&position, Colour::Green), lonely(position.marbles(Colour::Green)))
        };
        // Only the three marbles of row 2 have free holes beyond row 3, each on both sides; the tip has four rows of its own before a free
        // hole, on both sides too.
        let start = "g/gg/ggg/gggg/13/12/11/10/9/10/11/12/13/rrrr/rrr/rr/r";
        assert_eq!(count(start), ([6, 3, 2], 0));
        // 0612 has 0711 before it, 0812 straight ahead of itself and 0911 before that one; 1012, four rows ahead, is free.
        let double = "g/gg/ggg/4/13/12/5g5/4g5/4g4/4g5/11/12/13/rrrr/rrr/rr/r";
        assert_eq!(count(double).0[2], 1, "on one side only");
        let blocked = double.replace("4g5/11/12/13/rrrr", "4g5/5r5/12/13/rrr1");
        assert_eq!(count(&blocked).0[2], 0, "the hole four rows ahead is taken");
    }

    #[test]
    fn shapes_count_before_round_40() {
        let game = game("");
        let start = "g/gg/ggg/gggg/13/12/11/10/9/10/11/12/13/rrrr/rrr/rr/r";
        for (ply, counts) in [(0, true), (77, true), (78, false), (79, false)] {
            let position = game.parse_position(&format!("{start} g {ply}"));
            let position = position.or_else(|_| game.parse_position(&format!("{start} r {ply}")));
            assert_eq!(has_shapes(&game, &position.expect("a position")), counts, "{ply}");
        }
    }
}
