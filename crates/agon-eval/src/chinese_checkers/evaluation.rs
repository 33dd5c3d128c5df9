//! What positions are worth: moves that the others still need to get home, less one's own.
//!
//! How many moves a colour alone on the board would need tells more about a race than how many steps, and knowing it
//! helps in all of the game, not just at its end (Roschke & Sturtevant 2013, UCT Enhancements in Chinese Checkers Using
//! an Endgame Database). A table for ten marbles is out of reach; the features here stand in for it, in hundredths of a
//! move: a step counts for a quarter of a move because a crossing of 27 moves covers some 120, the others for less.

use std::sync::LazyLock;

use agon_games::chinese_checkers::{Colour, Direction, EVERY_HOLE, Holes, Mobility, Position};

use super::way::{ByHole, Way};

/// How many features there are.
pub(super) const COUNT: usize = 10;

/// The features: name and what one of it is worth.
pub(super) const FEATURES: [(&str, i32); COUNT] = [
    // Steps from all marbles to the tip of the target. The tip draws marbles to the back of the target, so that it
    // fills from there.
    ("distance", -25),
    // Columns by which marbles are off the line from tip to tip: few lanes lead through there.
    ("aside", -4),
    // For each marble an eighth of the square of its rows left: who is left behind finds nobody to hop over.
    ("rear", -2),
    // Marbles still at home, where others may shut them in.
    ("at home", -40),
    // Steps of those marbles that have no own one within two steps: they walk alone.
    ("stragglers", -6),
    // Steps of the last marble.
    ("last", -10),
    // Pairs of neighbouring marbles.
    ("cohesion", 4),
    // Holes that a single hop onward reaches, over whomever.
    ("bridges", 2),
    // Holes that a second and a third hop onward reach in the same move.
    ("lanes", 6),
    // Marbles of others in the target that cannot move: nobody gets home this way.
    ("shut in", -500),
];

/// How many of the features are sums over marbles, so that a search can carry them along.
const LINEAR: usize = 4;

/// The holes within two steps of each.
static WITHIN_TWO: LazyLock<ByHole<Holes>> = LazyLock::new(|| {
    let mut near = [Holes::EMPTY; 256];
    for hole in EVERY_HOLE {
        let others = EVERY_HOLE.into_iter().filter(|&other| other != hole && hole.distance(other) <= 2);
        near[hole.index()] = others.fold(Holes::EMPTY, Holes::with);
    }
    near
});

/// The features of a marble in a hole that it has whatever stands around it.
fn linear(colour: Colour, index: usize) -> [i32; LINEAR] {
    let way = Way::of(colour);
    let [steps, aside, rows] = [way.steps, way.aside, way.rows].map(|table| i32::from(table[index]));
    let rows_left = 16 - rows;
    [steps, aside, rows_left * rows_left / 8, i32::from(rows < 4)]
}

/// What a marble of `colour` is worth in each hole by itself.
pub(super) fn marble_values(colour: Colour) -> ByHole<i32> {
    let mut values = [0; 256];
    for hole in EVERY_HOLE {
        let features = linear(colour, hole.index()).into_iter().zip(FEATURES);
        values[hole.index()] = features.map(|(count, (_, weight))| count * weight).sum();
    }
    values
}

/// The features that `marbles` of `colour` have together and among all that is `occupied`.
#[inline(always)]
fn joint(marbles: Holes, occupied: Holes, colour: Colour) -> [i32; COUNT - LINEAR] {
    let way = Way::of(colour);
    let near = &*WITHIN_TWO;
    let (mut stragglers, mut last) = (0, 0);
    marbles.for_each(
        #[inline(always)]
        |hole| {
            let steps = i32::from(way.steps[hole.index()]);
            last = steps.max(last);
            if (near[hole.index()] & marbles).is_empty() {
                stragglers += steps;
            }
        },
    );
    let mobility = Mobility::new(marbles, occupied);
    let [left, right] = Direction::onward(colour);
    let bridges = mobility.hops(marbles, left) | mobility.hops(marbles, right);
    let second = mobility.hops(bridges, left) | mobility.hops(bridges, right);
    let third = mobility.hops(second, left) | mobility.hops(second, right);
    let lanes = second.count() + third.count();
    let strangers = occupied & colour.target() & !marbles;
    let shut_in = if strangers.is_empty() { 0 } else { shut_in(strangers, occupied) };
    [stragglers, last, mobility.pairs() as i32, bridges.count() as i32, lanes as i32, shut_in]
}

/// How many marbles among `strangers` have no move.
#[cold]
fn shut_in(strangers: Holes, occupied: Holes) -> i32 {
    let mobility = Mobility::new(strangers, occupied);
    let mut count = 0;
    strangers.for_each(|hole| count += i32::from(mobility.ends(hole).is_empty()));
    count
}

/// What `marbles` of `colour` are worth together and among all that is `occupied`, beyond [`marble_values`].
#[inline(always)]
pub(super) fn joint_value(marbles: Holes, occupied: Holes, colour: Colour) -> i32 {
    let mut value = 0;
    let counts = joint(marbles, occupied, colour);
    for index in 0..COUNT - LINEAR {
        value += counts[index] * FEATURES[LINEAR + index].1;
    }
    value
}

/// How much of each feature the marbles of `colour` have.
pub(super) fn counts(position: &Position, colour: Colour) -> [i32; COUNT] {
    let mut counts = [0; COUNT];
    let marbles = position.marbles(colour);
    marbles.for_each(|hole| {
        for (sum, count) in counts.iter_mut().zip(linear(colour, hole.index())) {
            *sum += count;
        }
    });
    counts[LINEAR..].copy_from_slice(&joint(marbles, position.occupied(), colour));
    counts
}
