//! The way that a marble takes, for people who want to see it.

use agon_core::Game;

use super::holes::DIRECTIONS;
use super::{ChineseCheckers, Hole, Holes, Move, Position};

impl ChineseCheckers {
    /// The holes that a marble visits on a move, from start to end: both ends of a step, every landing
    /// of a chain as short as there is. Empty for a pass and for what is not a legal move.
    pub fn path(&self, position: &Position, mv: Move) -> Vec<Hole> {
        if self.is_legal(position, mv) { path(position.occupied(), mv) } else { Vec::new() }
    }
}

/// The holes that a marble visits on a move that `occupied` holes allow, as [`ChineseCheckers::path`] says it.
pub fn path(occupied: Holes, mv: Move) -> Vec<Hole> {
    let Move::Marble { from, to } = mv else {
        return Vec::new();
    };
    if from.distance(to) == 1 {
        return vec![from, to];
    }
    // Breadth first: each hole reached, with the place in this list of the one before it.
    let mut reached = vec![(from, 0)];
    let mut index = 0;
    while index < reached.len() && reached[index].0 != to {
        for landing in hops(occupied, reached[index].0) {
            if reached.iter().all(|&(known, _)| known != landing) {
                reached.push((landing, index));
            }
        }
        index += 1;
    }
    let mut path = vec![to];
    while index != 0 && index < reached.len() {
        index = reached[index].1;
        path.push(reached[index].0);
    }
    path.reverse();
    path
}

/// Where a single hop from `hole` can land.
fn hops(occupied: Holes, hole: Hole) -> impl Iterator<Item = Hole> {
    DIRECTIONS.into_iter().filter_map(move |direction| {
        let over = hole.shifted(direction).filter(|&over| occupied.contains(over))?;
        over.shifted(direction).filter(|&landing| !occupied.contains(landing))
    })
}
