//! What positions are worth: moves that the others still need to get home, less one's own.
//!
//! How many moves a colour alone on the board would need tells more about a race than how many steps, and knowing it
//! helps in all of the game, not just at its end (Roschke & Sturtevant 2013, UCT Enhancements in Chinese Checkers Using
//! an Endgame Database). A table for ten marbles is out of reach; the features here stand in for it, in thousandths of a
//! move. Their weights are those with which a beam search of 16 arrangements a level, ranked by them, got home from
//! positions of all stages in the fewest moves: 28.3 on average, where ranking by distance alone takes 38. What counts most
//! is that nobody stays behind, and that there are lanes to hop along.

use crate::{Colour, Direction, EVERY_HOLE, Hole, Holes, Mobility, Position};

use super::way::{ByHole, Way};

/// How many features there are.
pub(super) const COUNT: usize = 9;

/// The features: name and what one of it is worth.
pub(super) const FEATURES: [(&str, i32); COUNT] = [
    // Steps from all marbles to the tip of the target. The tip draws marbles to the back of the target, so that it
    // fills from there.
    ("distance", -53),
    // Columns by which marbles are off the line from tip to tip: few lanes lead through there.
    ("aside", -51),
    // For each marble the square of its rows left: a marble left behind finds no other to hop over.
    ("rear", -9),
    // Marbles still at home, where others may shut them in.
    ("at home", -130),
    // Marbles in the corners of others, out of which they must come back.
    ("astray", -364),
    // Steps of the last marble.
    ("straggler", -190),
    // Holes that a single hop onward reaches, over whomever.
    ("bridges", 128),
    // Holes that a second and a third hop onward reach in the same move.
    ("lanes", 211),
    // Marbles of others in the target that cannot move for one's own: nobody gets home this way.
    ("shut in", -5000),
];

/// What one of each feature is worth.
pub(super) type Weights = [i32; COUNT];

/// The weights of [`FEATURES`].
pub(super) const OWN: Weights = {
    let (mut weights, mut index) = ([0; COUNT], 0);
    while index < COUNT {
        weights[index] = FEATURES[index].1;
        index += 1;
    }
    weights
};

/// How many of the features are sums over marbles, so that a search can carry them along.
const LINEAR: usize = 5;

/// How many of the others hang on how a colour's own marbles stand.
const FORMATION: usize = 3;

/// The features of a marble in a hole that it has whatever stands around it.
fn linear(colour: Colour, hole: Hole) -> [i32; LINEAR] {
    let way = Way::of(colour);
    let [steps, aside, rows] = [way.steps, way.aside, way.rows].map(|table| i32::from(table[hole.index()]));
    let rows_left = 16 - rows;
    [steps, aside, rows_left * rows_left, i32::from(rows < 4), i32::from(!way.proper.contains(hole))]
}

/// What a marble of `colour` is worth in each hole by itself.
pub(super) fn marble_values(weights: &Weights, colour: Colour) -> ByHole<i32> {
    let mut values = [0; 256];
    for hole in EVERY_HOLE {
        let features = linear(colour, hole).into_iter().zip(weights);
        values[hole.index()] = features.map(|(count, weight)| count * weight).sum();
    }
    values
}

/// The features that `marbles` of `colour` have together, hopping over all that is `occupied`.
#[inline(always)]
fn formation(marbles: Holes, occupied: Holes, colour: Colour) -> [i32; FORMATION] {
    let way = Way::of(colour);
    let mut last = 0;
    marbles.for_each(
        #[inline(always)]
        |hole| last = last.max(way.steps[hole.index()]),
    );
    let mobility = Mobility::new(marbles, occupied);
    let [left, right] = Direction::onward(colour);
    let bridges = mobility.hops(marbles, left) | mobility.hops(marbles, right);
    let second = mobility.hops(bridges, left) | mobility.hops(bridges, right);
    let third = mobility.hops(second, left) | mobility.hops(second, right);
    [i32::from(last), bridges.count() as i32, (second.count() + third.count()) as i32]
}

/// How many marbles of others in the target of `colour` cannot move because its own are there. Those that wait at home for
/// their own to make way are nobody's fault.
#[inline(always)]
fn strangers_shut_in(marbles: Holes, occupied: Holes, colour: Colour) -> i32 {
    let strangers = occupied & colour.target() & !marbles;
    if strangers.is_empty() || (marbles & colour.target()).is_empty() {
        0
    } else {
        shut_in(strangers, occupied) - shut_in(strangers, occupied & !marbles)
    }
}

/// How many marbles among `strangers` have no move.
#[cold]
fn shut_in(strangers: Holes, occupied: Holes) -> i32 {
    let mobility = Mobility::new(strangers, occupied);
    let mut count = 0;
    strangers.for_each(|hole| count += i32::from(mobility.ends(hole).is_empty()));
    count
}

/// What `marbles` of `colour` are worth together, hopping over all that is `occupied`.
#[inline(always)]
pub(super) fn formation_value(weights: &Weights, marbles: Holes, occupied: Holes, colour: Colour) -> i32 {
    let counts = formation(marbles, occupied, colour);
    let mut value = 0;
    for index in 0..FORMATION {
        value += counts[index] * weights[LINEAR + index];
    }
    value
}

/// What `marbles` of `colour` are worth together and among all that is `occupied`, beyond [`marble_values`].
#[inline(always)]
pub(super) fn joint_value(weights: &Weights, marbles: Holes, occupied: Holes, colour: Colour) -> i32 {
    formation_value(weights, marbles, occupied, colour)
        + strangers_shut_in(marbles, occupied, colour) * weights[COUNT - 1]
}

/// How much of each feature the marbles of `colour` have.
pub(super) fn counts(position: &Position, colour: Colour) -> [i32; COUNT] {
    let mut counts = [0; COUNT];
    let (marbles, occupied) = (position.marbles(colour), position.occupied());
    marbles.for_each(|hole| {
        for (sum, count) in counts.iter_mut().zip(linear(colour, hole)) {
            *sum += count;
        }
    });
    counts[LINEAR..LINEAR + FORMATION].copy_from_slice(&formation(marbles, occupied, colour));
    counts[COUNT - 1] = strangers_shut_in(marbles, occupied, colour);
    counts
}

#[cfg(test)]
mod tests {
    use crate::{ChineseCheckers, SPEC};
    use agon_core::{Game, Notation, Options};

    use super::*;

    #[test]
    fn only_own_marbles_shut_strangers_in() {
        let game = ChineseCheckers::new(&Options::parse(&SPEC, "").expect("defaults")).expect("a game");
        let shut_in = |position: &Position| counts(position, Colour::Green)[COUNT - 1];
        // Most of red's marbles cannot move at the start, but it is not green that keeps them from it.
        assert_eq!(shut_in(&game.start()), 0);
        let rows = "r/rr/rrr/rrr1/13/12/11/10/9/10/11/12/5gg6/gggg/ggg/1g/r g 90";
        let open = game.parse_position(rows).expect(rows);
        assert_eq!(shut_in(&open), 0);
        let rows = "r/rr/rrr/rrr1/13/12/11/10/9/10/11/12/6g6/gggg/ggg/gg/r g 90";
        let closed = game.parse_position(rows).expect(rows);
        assert_eq!(shut_in(&closed), 1);
    }
}
