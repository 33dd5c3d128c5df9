//! Where the marbles of a seat can go, found for all of them at once.

use std::convert::Infallible;
use std::ops::ControlFlow;

use agon_core::Rng;
use agon_core::random::below;

use super::colours::Colour;
use super::holes::{Axis, DIRECTIONS, Hole, Holes};
use super::position::Move;

/// One of the six directions in which marbles move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Direction {
    axis: Axis,
    is_along: bool,
}

impl Direction {
    /// All six, clockwise from the east.
    pub const CLOCKWISE: [Self; 6] = [
        Self { axis: Axis::East, is_along: true },
        Self { axis: Axis::SouthEast, is_along: true },
        Self { axis: Axis::SouthWest, is_along: true },
        Self { axis: Axis::East, is_along: false },
        Self { axis: Axis::SouthEast, is_along: false },
        Self { axis: Axis::SouthWest, is_along: false },
    ];

    /// The two directions that lead a colour from its home towards its target.
    #[inline(always)]
    pub const fn onward(colour: Colour) -> [Self; 2] {
        let turned = colour as usize;
        [Self::CLOCKWISE[(1 + turned) % 6], Self::CLOCKWISE[(2 + turned) % 6]]
    }
}

impl Hole {
    /// The neighbour in a direction, unless the star ends here.
    pub fn towards(self, direction: Direction) -> Option<Self> {
        match direction.is_along {
            true => self.next(direction.axis),
            false => {
                let (down, right) = DIRECTIONS[direction.axis as usize];
                self.shifted((-down, -right))
            }
        }
    }
}

/// A seat's marbles and what surrounds them.
#[derive(Clone, Copy, Debug)]
pub struct Mobility {
    own: Holes,
    empty: Holes,
    /// For each axis the places whose next hole along it holds an own marble.
    before_own: [Holes; 3],
    /// For each axis the places whose next hole along it holds any marble: hops cross it.
    bridges: [Holes; 3],
}

impl Mobility {
    /// What `own` marbles can do among `occupied`, which includes them.
    #[inline(always)]
    pub fn new(own: Holes, occupied: Holes) -> Self {
        Self { own, empty: Holes::ALL & !occupied, before_own: own.before(), bridges: occupied.before() }
    }

    /// The own marbles that can step along `axis`.
    #[inline(always)]
    fn steps_forward(&self, axis: Axis) -> Holes {
        self.own & Holes::JOINED[axis as usize] & !self.bridges[axis as usize]
    }

    /// The empty holes into which own marbles can step against `axis`.
    #[inline(always)]
    fn steps_backward(&self, axis: Axis) -> Holes {
        self.empty & self.before_own[axis as usize]
    }

    #[inline(always)]
    fn count_steps(&self) -> u64 {
        let mut count = 0;
        for axis in Axis::ALL {
            count += self.steps_forward(axis).count() + self.steps_backward(axis).count();
        }
        count
    }

    /// The own marbles that can hop at all.
    #[inline(always)]
    fn hoppers(&self) -> Holes {
        let mut hoppers = Holes::EMPTY;
        for axis in Axis::ALL {
            let bridges = self.bridges[axis as usize];
            hoppers = hoppers | (bridges & self.empty.backward(axis)) | (bridges & self.empty).forward(axis);
        }
        hoppers & self.own
    }

    /// Where chains of hops can end that begin at `starts`, at most one of each class.
    #[inline(always)]
    fn flood(&self, starts: Holes) -> Holes {
        let mut reached = starts;
        loop {
            let before = reached;
            for axis in Axis::ALL {
                let bridges = self.bridges[axis as usize];
                let landings = (reached & bridges).forward(axis) | (reached.backward(axis) & bridges);
                reached = reached | (landings & self.empty);
            }
            // Comparing the words themselves would send them through memory.
            if (reached ^ before).is_empty() {
                return reached ^ starts;
            }
        }
    }

    /// Floods from all `marbles`: calls `visit` with some of them, at most one of each class, and
    /// where their chains can end, until all have been among them or it breaks.
    #[inline(always)]
    fn try_for_each_flood<T>(
        &self,
        marbles: Holes,
        mut visit: impl FnMut(Holes, Holes) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        let mut rest = marbles;
        while !rest.is_empty() {
            let starts = rest.one_of_each_class();
            visit(starts, self.flood(starts))?;
            rest = rest ^ starts;
        }
        ControlFlow::Continue(())
    }

    /// How many moves there are, passes apart.
    #[inline(always)]
    pub fn count(&self) -> u64 {
        let mut count = self.count_steps();
        self.for_each_flood(
            self.hoppers(),
            #[inline(always)]
            |_, ends| count += ends.count(),
        );
        count
    }

    /// Calls `visit` with every move, passes apart, until it breaks.
    #[inline(always)]
    pub fn try_for_each<T>(&self, mut visit: impl FnMut(Move) -> ControlFlow<T>) -> ControlFlow<T> {
        self.try_for_each_flood(
            self.own,
            #[inline(always)]
            |starts, ends| {
                starts.try_for_each(
                    #[inline(always)]
                    |from| {
                        let ends = ends.of_class(from.class()) | (from.neighbours() & self.empty);
                        ends.try_for_each(
                            #[inline(always)]
                            |to| visit(Move::Marble { from, to }),
                        )
                    },
                )
            },
        )
    }

    /// Calls `visit` with every move, passes apart.
    #[inline(always)]
    pub fn for_each(&self, mut visit: impl FnMut(Move)) {
        let ControlFlow::Continue(()) = self.try_for_each(
            #[inline(always)]
            |mv| -> ControlFlow<Infallible> {
                visit(mv);
                ControlFlow::Continue(())
            },
        );
    }

    #[inline(always)]
    fn for_each_flood(&self, marbles: Holes, mut visit: impl FnMut(Holes, Holes)) {
        let ControlFlow::Continue(()) = self.try_for_each_flood(
            marbles,
            #[inline(always)]
            |starts, ends| -> ControlFlow<Infallible> {
                visit(starts, ends);
                ControlFlow::Continue(())
            },
        );
    }

    /// Where single hops in one direction from the holes of `starts` can land. The starts may be own marbles or
    /// empty holes on the way of one.
    #[inline(always)]
    pub fn hops(&self, starts: Holes, direction: Direction) -> Holes {
        let bridges = self.bridges[direction.axis as usize];
        let landings = match direction.is_along {
            true => (starts & bridges).forward(direction.axis),
            false => starts.backward(direction.axis) & bridges,
        };
        landings & self.empty
    }

    /// How many pairs of neighbouring own marbles there are.
    #[inline(always)]
    pub fn pairs(&self) -> u64 {
        self.before_own.iter().map(|before| (self.own & *before).count()).sum()
    }

    /// Where the own marble in `from` can go.
    pub fn ends(&self, from: Hole) -> Holes {
        self.flood(Holes::EMPTY.with(from)) | (from.neighbours() & self.empty)
    }

    /// A move, each equally likely; `None` if the seat must pass.
    #[inline(always)]
    pub(super) fn random(&self, rng: &mut Rng) -> Option<Move> {
        let mut total = self.count_steps();
        // What is kept to choose from: the steps at first, then perhaps a flood in their place.
        let (mut starts, mut ends, mut count) = (Holes::EMPTY, Holes::EMPTY, total);
        // A flood is kept with the probability of its share in the moves so far, so that in the end
        // every move is as likely as any other to be among those kept; nothing is stored or redone.
        self.for_each_flood(
            self.hoppers(),
            #[inline(always)]
            |some_starts, some_ends| {
                let some = some_ends.count();
                total += some;
                if below(rng, total) < some {
                    (starts, ends, count) = (some_starts, some_ends, some);
                }
            },
        );
        if total == 0 {
            return None;
        }
        let mut number = below(rng, count);
        if !ends.is_empty() {
            let to = ends.nth(number);
            return Some(Move::Marble { from: starts.any_of_class(to.class()), to });
        }
        for axis in Axis::ALL {
            for (places, forward) in [(self.steps_forward(axis), true), (self.steps_backward(axis), false)] {
                let count = places.count();
                if number < count {
                    let here = places.nth(number);
                    let there = here.next(axis)?;
                    let (from, to) = if forward { (here, there) } else { (there, here) };
                    return Some(Move::Marble { from, to });
                }
                number -= count;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hops_and_pairs_are_found_in_every_direction() {
        let middle = Hole::at(8, 12).expect("a hole");
        for (direction, step) in
            Direction::CLOCKWISE.into_iter().zip([(0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1)])
        {
            let over = middle.shifted(step).expect("a hole");
            assert_eq!(middle.towards(direction), Some(over));
            let landing = over.shifted(step).expect("a hole");
            let own = Holes::EMPTY.with(middle).with(over);
            let mobility = Mobility::new(own, own);
            assert_eq!(mobility.pairs(), 1, "{direction:?}");
            assert_eq!(mobility.hops(Holes::EMPTY.with(middle), direction), Holes::EMPTY.with(landing));
            let blocked = Mobility::new(own, own.with(landing));
            assert!(blocked.hops(Holes::EMPTY.with(middle), direction).is_empty());
        }
        for colour in Colour::ALL {
            let tip = colour.home().iter().find(|hole| hole.neighbours().count() == 2).expect("a tip");
            for direction in Direction::onward(colour) {
                let mobility = Mobility::new(Holes::EMPTY.with(tip), tip.neighbours());
                assert_eq!(mobility.hops(Holes::EMPTY.with(tip), direction).count(), 1, "{colour:?}");
            }
        }
    }
}
