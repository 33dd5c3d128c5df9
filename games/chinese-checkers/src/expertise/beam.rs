//! Beam search over the marbles of one colour: breadth first, but of each level only the best are kept.
//!
//! One colour that moves alone makes a puzzle, not a game, and its moves are reversible: what can be
//! reached from one end can be reached from the other. Far too many arrangements lie between two
//! ends to visit them all, but the good ones are told by what their marbles have left to go and by the lanes
//! that they form, so that a narrow beam finds what a full search would. Where no level had to be cut, the beam is that full
//! search, and what it finds first is the shortest.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

use crate::{Colour, EVERY_HOLE, Hole, Holes, Mobility, Move};
use agon_core::cpu::{self, Level, Root};
use agon_core::random::{RandomSource, mix, seeded};

use super::evaluation;
use super::way::{ByHole, Way};

/// By what the arrangements of a level are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ranking {
    /// By what their marbles have left to go. It serves wide beams from both ends, which must meet: what good formation
    /// is to one of them is none to the other.
    Distance,
    /// By the evaluation: the better guide for narrow beams from one end.
    Formation,
}

/// What a marble is worth in each hole by itself, by [`Ranking`] and colour.
static VALUES: LazyLock<[[ByHole<i32>; 6]; 2]> = LazyLock::new(|| {
    let formation = |colour| evaluation::marble_values(&evaluation::OWN, colour);
    [Colour::ALL.map(distance_values), Colour::ALL.map(formation)]
});

/// Ten for a step to the tip of the target, something for being off the line from tip to tip, and more and more for staying
/// behind. The tip draws marbles to the back of the target, so that it fills from there.
fn distance_values(colour: Colour) -> ByHole<i32> {
    let way = Way::of(colour);
    let mut values = [0; 256];
    for hole in EVERY_HOLE {
        let index = hole.index();
        let [steps, aside, rows] = [way.steps, way.aside, way.rows].map(|table| i32::from(table[index]));
        let rows_left = 16 - rows;
        values[index] = -(10 * steps + aside + rows_left * rows_left / 8);
    }
    values
}

/// A random number for each hole and one for its mirror image along the way of each colour.
static NUMBERS: LazyLock<[ByHole<(u64, u64)>; 6]> = LazyLock::new(|| {
    let mut rng = seeded(27);
    let numbers: ByHole<u64> = std::array::from_fn(|_| rng.next_u64());
    Colour::ALL.map(|colour| {
        let mut pairs = [(0, 0); 256];
        for hole in EVERY_HOLE {
            let image = hole.mirrored_for(colour);
            pairs[hole.index()] = (numbers[hole.index()], numbers[image.index()]);
        }
        pairs
    })
});

/// The mirror image of things as one colour sees them.
pub(super) trait MirroredFor {
    /// Where this falls in the mirror that stands on the line between the tips of home and target.
    fn mirrored_for(self, colour: Colour) -> Self;
}

impl MirroredFor for Hole {
    fn mirrored_for(self, colour: Colour) -> Self {
        self.turned(6 - colour as usize).mirrored().turned(colour as usize)
    }
}

impl MirroredFor for Holes {
    fn mirrored_for(self, colour: Colour) -> Self {
        self.iter().fold(Self::EMPTY, |image, hole| image.with(hole.mirrored_for(colour)))
    }
}

/// An arrangement of the marbles and how it was reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) marbles: Holes,
    /// Sums of the numbers of its marbles and of their images: the smaller is the key of both.
    sums: (u64, u64),
    /// What its marbles are worth by themselves.
    value: i32,
    /// What they are worth together with that.
    worth: i32,
    /// Its place in the level before.
    parent: u32,
    from: Hole,
    to: Hole,
}

impl Node {
    /// A key that it shares with its mirror image and, as good as surely, with nothing else.
    fn shared_key(&self) -> u64 {
        self.sums.0.min(self.sums.1)
    }
}

/// The sums of the numbers of marbles and of their images.
fn sums(colour: Colour, marbles: Holes) -> (u64, u64) {
    let mut sums = (0u64, 0u64);
    marbles.for_each(|hole| {
        let (own, image) = NUMBERS[colour as usize][hole.index()];
        sums = (sums.0.wrapping_add(own), sums.1.wrapping_add(image));
    });
    sums
}

/// Keys are random already.
#[derive(Default)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _bytes: &[u8]) {
        unreachable!("keys are hashed whole");
    }
    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

type Places = HashMap<u64, (u32, u32), BuildHasherDefault<KeyHasher>>;

/// The levels that a search has kept, from its root on.
#[derive(Debug)]
pub(super) struct Beam {
    colour: Colour,
    ranking: Ranking,
    /// Marbles that stand still.
    standing: Holes,
    /// Whether the standing marbles look the same in the mirror, so that images may share a key.
    is_symmetric: bool,
    /// Chooses among equally good arrangements.
    salt: u64,
    pub(super) levels: Vec<Vec<Node>>,
    /// Level and place there of every arrangement kept, by key.
    places: Places,
    /// Whether no level has been cut so far.
    pub(super) is_whole: bool,
    /// Moves made.
    pub(super) nodes: u64,
}

/// Whether a search has been told to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// A level was added; it may be empty.
    Advanced,
    /// The level was not finished.
    Stopped,
}

impl Beam {
    /// A search from `marbles` to the target of `colour` among marbles that stand still.
    pub(super) fn new(colour: Colour, marbles: Holes, standing: Holes, ranking: Ranking, seed: u64) -> Self {
        let mut value = 0;
        marbles.for_each(|hole| value += VALUES[ranking as usize][colour as usize][hole.index()]);
        let sums = sums(colour, marbles);
        let nowhere = EVERY_HOLE[0];
        let root = Node { marbles, sums, value, worth: value, parent: 0, from: nowhere, to: nowhere };
        let mut beam = Self {
            colour,
            ranking,
            standing,
            is_symmetric: standing == standing.mirrored_for(colour),
            salt: mix(seed, 27),
            levels: vec![vec![root]],
            places: Places::default(),
            is_whole: true,
            nodes: 0,
        };
        beam.places.insert(beam.key(&root), (0, 0));
        beam
    }

    fn key(&self, node: &Node) -> u64 {
        if self.is_symmetric { node.shared_key() } else { node.sums.0 }
    }

    /// Keeps the search from an arrangement.
    pub(super) fn forbid(&mut self, marbles: Holes) {
        let sums = sums(self.colour, marbles);
        let key = self.key(&Node { marbles, sums, ..self.levels[0][0] });
        self.places.entry(key).or_insert((0, 0));
    }

    /// The last level.
    pub(super) fn front(&self) -> &[Node] {
        self.levels.last().map_or(&[], Vec::as_slice)
    }

    /// The place of the best arrangement in the last level.
    pub(super) fn best_place(&self) -> Option<usize> {
        let nodes = self.front().iter().enumerate();
        nodes.max_by_key(|(_, node)| node.worth).map(|(place, _)| place)
    }

    /// How many moves the last level is from the root.
    pub(super) fn depth(&self) -> usize {
        self.levels.len() - 1
    }

    /// Adds the best `width` arrangements that are one move further on and new. `stop` is asked with the
    /// count of moves made, before each arrangement is looked at.
    pub(super) fn advance(&mut self, width: usize, stop: &mut dyn FnMut(u64) -> bool) -> Progress {
        let mut found = Vec::new();
        let nodes = self.nodes;
        let seen = Places::with_capacity_and_hasher(self.front().len() * 16, BuildHasherDefault::default());
        let expansion = Expansion { beam: self, found: &mut found, seen, nodes, stop };
        let Some(nodes) = cpu::dispatch(expansion) else { return Progress::Stopped };
        self.nodes = nodes;
        let salt = self.salt;
        let order = |node: &Node| (-node.worth, mix(node.sums.0, salt));
        if found.len() > width {
            found.select_nth_unstable_by_key(width, order);
            found.truncate(width);
            self.is_whole = false;
        }
        let level = self.levels.len() as u32;
        for (place, node) in found.iter().enumerate() {
            let key = self.key(node);
            self.places.insert(key, (level, place as u32));
        }
        self.levels.push(found);
        Progress::Advanced
    }

    /// Where the same arrangement was kept, or its mirror image: level and place.
    pub(super) fn find(&self, node: &Node) -> Option<(usize, usize)> {
        let key = self.key(node);
        self.places.get(&key).map(|&(level, place)| (level as usize, place as usize))
    }

    /// The moves from the root to an arrangement.
    pub(super) fn line(&self, level: usize, place: usize) -> Vec<(Hole, Hole)> {
        let mut moves = Vec::with_capacity(level);
        let mut place = place;
        for nodes in self.levels[1..=level].iter().rev() {
            let node = &nodes[place];
            moves.push((node.from, node.to));
            place = node.parent as usize;
        }
        moves.reverse();
        moves
    }
}

/// All moves from the last level of a beam.
struct Expansion<'a> {
    beam: &'a Beam,
    found: &'a mut Vec<Node>,
    /// The keys of what was found.
    seen: Places,
    nodes: u64,
    stop: &'a mut dyn FnMut(u64) -> bool,
}

impl Root for Expansion<'_> {
    /// The moves made, or nothing if the search was stopped.
    type Output = Option<u64>;

    fn at<L: Level>(mut self, level: L) -> Option<u64> {
        level.run(
            #[inline(always)]
            || {
                let beam = self.beam;
                let numbers = &NUMBERS[beam.colour as usize];
                let values = &VALUES[beam.ranking as usize][beam.colour as usize];
                for (parent, node) in beam.front().iter().enumerate() {
                    if (self.stop)(self.nodes) {
                        return None;
                    }
                    let mobility = Mobility::new(node.marbles, node.marbles | beam.standing);
                    mobility.for_each(
                        #[inline(always)]
                        |mv| {
                            let Move::Marble { from, to } = mv else { return };
                            self.nodes += 1;
                            let ((away, away_image), (here, here_image)) =
                                (numbers[from.index()], numbers[to.index()]);
                            let mut next = Node {
                                marbles: node.marbles,
                                sums: (
                                    node.sums.0.wrapping_sub(away).wrapping_add(here),
                                    node.sums.1.wrapping_sub(away_image).wrapping_add(here_image),
                                ),
                                value: node.value + values[to.index()] - values[from.index()],
                                worth: 0,
                                parent: parent as u32,
                                from,
                                to,
                            };
                            let key = beam.key(&next);
                            if beam.places.contains_key(&key) || self.seen.insert(key, (0, 0)).is_some() {
                                return;
                            }
                            next.marbles.relocate(from, to);
                            next.worth = next.value;
                            if beam.ranking == Ranking::Formation {
                                let occupied = next.marbles | beam.standing;
                                next.worth += evaluation::formation_value(
                                    &evaluation::OWN,
                                    next.marbles,
                                    occupied,
                                    beam.colour,
                                );
                            }
                            self.found.push(next);
                        },
                    );
                }
                Some(self.nodes)
            },
        )
    }
}
