//! The shortest way home for one colour that moves alone.
//!
//! From home to target it takes 27 moves: Levenspiel found such a crossing in 1971, and Bell proved that
//! there is none shorter ([The shortest game of Chinese Checkers](https://arxiv.org/abs/0803.1245), 2009). As
//! there, search starts at both ends and ends where the two meet.

use crate::{Colour, Hole, Holes, Move};

use super::beam::{Beam, MirroredFor, Progress, Ranking};

/// The fewest moves from home to target (Bell 2009).
const SHORTEST_CROSSING: usize = 27;

/// The widest beam: its levels take some 100 MB.
const WIDEST: usize = 32_768;

/// The narrowest; most crossings need no other.
const NARROWEST: usize = 1_024;

/// No crossing takes so many moves: some thirty levels for the middle of a crossing, and three times as many
/// for whatever stands in the way.
pub(super) const LONGEST: usize = 120;

/// The marbles of one colour and what stands about them.
#[derive(Clone, Copy, Debug)]
pub struct Crossing {
    /// The colour: it decides where home and target are.
    pub colour: Colour,
    /// Its marbles.
    pub marbles: Holes,
    /// Other marbles, which are hopped over but never move.
    pub standing: Holes,
}

/// A way home.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The moves in order.
    pub moves: Vec<Move>,
    /// Whether it is certain that there is no shorter one.
    pub is_optimal: bool,
    /// Moves made in the search.
    pub nodes: u64,
}

impl Crossing {
    /// A colour at home on an otherwise empty board.
    pub fn alone(colour: Colour) -> Self {
        Self { colour, marbles: colour.home(), standing: Holes::EMPTY }
    }

    /// Searches for the shortest way to fill the target, with wider and wider beams, until the way found is
    /// known to be the shortest, the beam has grown to its limit, or `stop`, asked with the moves made, says so.
    /// `None` if there was no time to find any, or if there is none because others stand in the target.
    pub fn solve(&self, seed: u64, stop: &mut dyn FnMut(u64) -> bool) -> Option<Solution> {
        if !(self.standing & self.colour.target()).is_empty()
            || self.marbles.count() != self.colour.target().count()
        {
            return None;
        }
        let mut best: Option<Solution> = None;
        let (mut width, mut spent) = (NARROWEST, 0);
        while width <= WIDEST {
            // Only shorter ways than the one known are of interest.
            let limit = best.as_ref().map_or(LONGEST, |known| known.moves.len() - 1);
            let found = self.meet(width, limit, seed, &mut |nodes| stop(spent + nodes));
            spent += found.nodes;
            if let Some(moves) = found.line {
                best = Some(Solution { moves, is_optimal: false, nodes: 0 });
            }
            if let Some(best) = &mut best {
                best.is_optimal = found.is_exhaustive || self.is_known_optimum(best.moves.len());
                best.nodes = spent;
            }
            if found.is_stopped || best.as_ref().is_some_and(|best| best.is_optimal) {
                break;
            }
            width *= 2;
        }
        best
    }

    fn is_known_optimum(&self, moves: usize) -> bool {
        moves == SHORTEST_CROSSING && self.marbles == self.colour.home() && self.standing.is_empty()
    }

    /// Beams from both ends, one level each in turn, until they share an arrangement or have gone `limit` moves.
    fn meet(&self, width: usize, limit: usize, seed: u64, stop: &mut dyn FnMut(u64) -> bool) -> Meeting {
        let opposite = Colour::ALL[(self.colour as usize + 3) % 6];
        let mut beams = [
            Beam::new(self.colour, self.marbles, self.standing, Ranking::Distance, seed),
            Beam::new(opposite, self.colour.target(), self.standing, Ranking::Distance, seed),
        ];
        let (mut line, mut is_stopped, mut backward) = (self.join(&beams, false), false, false);
        while line.is_none() && beams[0].depth() + beams[1].depth() < limit {
            let others = beams[usize::from(!backward)].nodes;
            let beam = &mut beams[usize::from(backward)];
            if beam.advance(width, &mut |nodes| stop(others + nodes)) == Progress::Stopped {
                is_stopped = true;
                break;
            }
            if beam.front().is_empty() {
                break;
            }
            line = self.join(&beams, backward);
            backward = !backward;
        }
        let [there, back] = &beams;
        let is_exhaustive = there.is_whole && back.is_whole && !is_stopped;
        Meeting { line, is_exhaustive, is_stopped, nodes: there.nodes + back.nodes }
    }

    /// The shortest line through the last level of one of the beams and any of the other.
    fn join(&self, beams: &[Beam; 2], backward: bool) -> Option<Vec<Move>> {
        let (beam, other) = (&beams[usize::from(backward)], &beams[usize::from(!backward)]);
        let meets = |(place, node)| other.find(node).map(|met| (met, place));
        let (met, place) = beam.front().iter().enumerate().filter_map(meets).min()?;
        let mut ends = [(beam.depth(), place), met];
        if backward {
            ends.swap(0, 1);
        }
        let node = |beam: &Beam, (level, place): (usize, usize)| beam.levels[level][place].marbles;
        let is_image = node(&beams[0], ends[0]) != node(&beams[1], ends[1]);
        let back = beams[1].line(ends[1].0, ends[1].1).into_iter().rev().map(|(from, to)| {
            // The target is its own mirror image, so the way back from there may be mirrored.
            let image = |hole: Hole| if is_image { hole.mirrored_for(self.colour) } else { hole };
            (image(to), image(from))
        });
        let there = beams[0].line(ends[0].0, ends[0].1);
        Some(there.into_iter().chain(back).map(|(from, to)| Move::Marble { from, to }).collect())
    }
}

/// What a search from both ends came to.
struct Meeting {
    line: Option<Vec<Move>>,
    /// Whether nothing was left out, so that no line is shorter than this one or than the limit.
    is_exhaustive: bool,
    is_stopped: bool,
    nodes: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mobility;

    /// Plays a solution and says where the marbles end.
    fn played(crossing: &Crossing, solution: &Solution) -> Holes {
        let mut marbles = crossing.marbles;
        for &mv in &solution.moves {
            let mut is_legal = false;
            Mobility::new(marbles, marbles | crossing.standing).for_each(|legal| is_legal |= legal == mv);
            assert!(is_legal, "{mv:?}");
            if let Move::Marble { from, to } = mv {
                marbles.relocate(from, to);
            }
        }
        marbles
    }

    #[test]
    fn every_colour_crosses_alone_in_27_moves() {
        for colour in Colour::ALL {
            let crossing = Crossing::alone(colour);
            let solution = crossing.solve(1, &mut |_| false).expect("a way");
            assert_eq!(played(&crossing, &solution), colour.target());
            assert_eq!(solution.moves.len(), SHORTEST_CROSSING, "{colour:?}");
            assert!(solution.is_optimal);
        }
    }

    #[test]
    fn short_ways_are_found_and_known_to_be_the_shortest() {
        let target = Colour::Green.target();
        // Marbles taken out of the target by this many moves are back in as many or fewer.
        for (out, steps) in
            [(vec![], 0), (vec![("1309", "1208")], 1), (vec![("1309", "1208"), ("1315", "1216")], 2)]
        {
            let mut marbles = target;
            for (from, to) in &out {
                marbles.relocate(hole(from), hole(to));
            }
            let crossing = Crossing { colour: Colour::Green, marbles, standing: Holes::EMPTY };
            let solution = crossing.solve(1, &mut |_| false).expect("a way");
            assert_eq!((solution.moves.len(), solution.is_optimal), (steps, true));
            assert_eq!(played(&crossing, &solution), target);
        }
    }

    #[test]
    fn a_taken_target_and_lack_of_time_give_no_way() {
        let standing = Holes::EMPTY.with(hole("1612"));
        let blocked = Crossing { standing, ..Crossing::alone(Colour::Green) };
        assert!(blocked.solve(1, &mut |_| false).is_none());
        assert!(Crossing::alone(Colour::Green).solve(1, &mut |nodes| nodes > 1_000).is_none());
    }

    fn hole(text: &str) -> Hole {
        let place: usize = text.parse().expect("digits");
        Hole::at(place / 100, place % 100).expect("a hole")
    }
}
