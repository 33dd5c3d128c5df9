//! The network that plays: small numbers in tables, and the file they come from.
//!
//! The file holds for each table of each stage which entries differ from what they borrow, a bit each, and by how much, in
//! multiples of one step, a byte for most; of two entries that are always equal only one; both compressed, apart from each other
//! because they have nothing in common. In the first stage entries borrow from those with smaller tiles ([`super::promotion`]), in the
//! second from the first. So what training never tried needs no room, and what it found to be as expected little. A file may hold the
//! first stage alone, which then serves for both. Two bytes an entry in memory, where learning needs four, leave more of the tables
//! in the cache.

use std::sync::OnceLock;
use std::thread;

use crate::{Board, Direction, Position};

use super::network::{self, STAGES, Tables, View};
use super::promotion::decide;

/// The weights that come with the program; `docs/training.md` says how they were made.
static SHIPPED: &[u8] = include_bytes!("../../data/weights.bin");

/// What the file begins with; the number of stages and the step follow.
const MAGIC: &[u8; 8] = b"2048 v2\n";
/// A byte that stands for a difference is this plus the difference.
const ZERO: i32 = 128;
/// The byte before the two bytes of a difference that does not fit into one.
const WIDE: u8 = 0;
/// The most bytes that a part of a table unpacks to.
const MOST: usize = 3 * network::LARGE;

/// The file is none of weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is no file of weights for 2048 that this version reads")]
pub struct NoWeights;

/// Weights were handed in when there were some already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HandInError {
    /// The file is none of weights.
    #[error(transparent)]
    NoWeights(#[from] NoWeights),
    /// Somebody has asked for the network before.
    #[error("weights for 2048 are in use already: they have to be handed in before the first bot thinks")]
    TooLate,
}

/// A network that has learnt.
#[derive(Debug)]
pub struct Network {
    /// As many as the file holds.
    stages: Vec<Tables<i16>>,
    /// What one unit of an entry is worth in points.
    step: f64,
}

/// The network that bots play with, once there is one.
static NETWORK: OnceLock<Network> = OnceLock::new();

/// The network that bots play with: the one that was handed in or, unpacked when it is first asked for, the one that comes with
/// the program.
pub fn network() -> &'static Network {
    NETWORK.get_or_init(|| Network::decode(SHIPPED).expect("a test reads the file that is shipped"))
}

/// Has bots play with the network that a file holds, such as a small one that a browser has fetched.
///
/// # Errors
/// If it holds none, or if bots play with another one already.
pub fn hand_in(file: &[u8]) -> Result<(), HandInError> {
    if NETWORK.get().is_some() {
        return Err(HandInError::TooLate);
    }
    NETWORK.set(Network::decode(file)?).map_err(|_| HandInError::TooLate)
}

/// What is to be kept of a network that is written to a file.
#[cfg(not(target_family = "wasm"))]
pub struct Selection<'a> {
    /// How many stages: 1 keeps only the first.
    pub stages: usize,
    /// Weights are rounded to multiples of this, in points.
    pub step: f32,
    /// How much it matters that an entry (of a stage and a table with that number, the large ones first, at an index) is right; 0 if it
    /// was never tried.
    pub importance: &'a dyn Fn(usize, usize, usize) -> f32,
    /// An entry is given up, and borrows, if its importance times the square of the error, in points, is not above this.
    pub threshold: f32,
}

impl Network {
    /// The points that it expects to be scored from `position` on.
    #[inline(always)]
    pub fn to_come(&self, position: &Position) -> f64 {
        let board = position.board();
        if position.is_tile_due() {
            return self.value(board);
        }
        let mut best: f64 = 0.0;
        for direction in Direction::ALL {
            let (after, gained) = board.slide(direction);
            if after != board {
                best = best.max(f64::from(gained) + self.value(after));
            }
        }
        best
    }

    #[inline(always)]
    fn value(&self, board: Board) -> f64 {
        let View { stage, cells } = network::view(board);
        let tables = &self.stages[stage.min(self.stages.len() - 1)];
        f64::from(tables.sum::<i32>(cells)) * self.step
    }

    /// The file of a network whose entries are `weights`, by stages.
    ///
    /// # Errors
    /// If compression runs out of memory.
    #[cfg(not(target_family = "wasm"))]
    pub fn encode(weights: [&Tables<f32>; STAGES], selection: &Selection<'_>) -> std::io::Result<Vec<u8>> {
        let &Selection { stages, step, importance, threshold } = selection;
        let mut file = MAGIC.to_vec();
        file.push(stages as u8);
        file.extend(step.to_le_bytes());
        // What a reader of the file will know of the stage before.
        let mut known: Vec<Vec<i16>> = Vec::new();
        for (stage, tables) in weights.into_iter().enumerate().take(stages) {
            for (number, weights) in tables.slices().enumerate() {
                let mut marks = vec![0; weights.len() / 8];
                let mut differences = Vec::new();
                let mut entry = |index: usize, borrowed: i16| {
                    let exact = (weights[index] / step).round() as i16;
                    let difference = exact.saturating_sub(borrowed);
                    let matters = importance(stage, number, index);
                    let error = f32::from(difference) * step;
                    if difference == 0 || matters == 0.0 || matters * error * error <= threshold {
                        return borrowed;
                    }
                    marks[index / 8] |= 1 << (index % 8);
                    match u8::try_from(i32::from(difference) + ZERO) {
                        Ok(byte) if byte != WIDE => differences.push(byte),
                        _ => {
                            differences.push(WIDE);
                            differences.extend(difference.to_le_bytes());
                        }
                    }
                    borrowed + difference
                };
                if stage == 0 {
                    known.push(vec![0; weights.len()]);
                    decide_each(number, &mut known[number], entry);
                } else {
                    let known = &mut known[number];
                    for index in (0..known.len()).filter(|index| network::twin(number, *index) >= *index) {
                        known[index] = entry(index, known[index]);
                    }
                }
                for bytes in [marks, differences] {
                    let packed = agon_compression::pack(&bytes)?;
                    file.extend((packed.len() as u32).to_le_bytes());
                    file.extend(packed);
                }
            }
        }
        Ok(file)
    }

    /// The network that a file holds.
    ///
    /// # Errors
    /// If it holds none.
    pub fn decode(file: &[u8]) -> Result<Self, NoWeights> {
        let packed = Packed::read(file)?;
        let mut stages: Vec<_> = (0..packed.stages).map(|_| Tables::filled(0)).collect();
        // For each table the same one of every stage.
        let mut columns: Vec<Vec<&mut [i16]>> = (0..network::TABLES).map(|_| Vec::new()).collect();
        for stage in &mut stages {
            for (column, table) in columns.iter_mut().zip(stage.slices_mut()) {
                column.push(table);
            }
        }
        let read = |(number, column): (usize, Vec<&mut [i16]>)| {
            let mut before: Option<&[i16]> = None;
            for (stage, table) in column.into_iter().enumerate() {
                if let Some(before) = before {
                    table.copy_from_slice(before);
                }
                packed.read_table(stage, number, table)?;
                before = Some(table);
            }
            Ok(())
        };
        let columns = columns.into_iter().enumerate();
        if cfg!(target_family = "wasm") {
            // There are no threads.
            columns.map(read).collect::<Result<(), _>>()?;
        } else {
            // Each table by itself: nobody likes to wait for a bot to get ready.
            thread::scope(|scope| {
                let readers: Vec<_> = columns.map(|column| scope.spawn(|| read(column))).collect();
                readers.into_iter().try_for_each(|reader| reader.join().unwrap_or(Err(NoWeights)))
            })?;
        }
        Ok(Self { stages, step: f64::from(packed.step) })
    }
}

/// Goes through a table of the first stage and has `entry` say, for index and what is borrowed, what the entry is; of two that are
/// always equal it is asked only for the first.
#[inline(always)]
fn decide_each(number: usize, table: &mut [i16], mut entry: impl FnMut(usize, i16) -> i16) {
    decide(table, |index, earlier, _, borrowed| {
        let twin = network::twin(number, index);
        if twin < index { earlier[twin] } else { entry(index, borrowed.unwrap_or(0)) }
    });
}

/// Calls `visit` with the stage, the number of the table, the index and the weight of everything that a file says rather than leaves to
/// be borrowed.
///
/// # Errors
/// If it holds no network.
pub fn for_each_own_weight(
    file: &[u8],
    mut visit: impl FnMut(usize, usize, usize, f32),
) -> Result<(), NoWeights> {
    let network = Network::decode(file)?;
    let packed = Packed::read(file)?;
    for (stage, tables) in network.stages.iter().enumerate() {
        for (number, table) in tables.slices().enumerate() {
            let marks = unpack(packed.part_of(stage, number)[0])?;
            for_each_mark(&marks, |index| {
                let weight = f32::from(table[index]) * packed.step;
                visit(stage, number, index, weight);
                let twin = network::twin(number, index);
                if twin != index {
                    visit(stage, number, twin, weight);
                }
            });
        }
    }
    Ok(())
}

/// Calls `visit` with the place of every bit that is set.
#[inline(always)]
fn for_each_mark(marks: &[u8], mut visit: impl FnMut(usize)) {
    for (place, byte) in marks.iter().enumerate() {
        let mut left = *byte;
        while left != 0 {
            visit(8 * place + left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
}

/// A file taken apart.
struct Packed<'a> {
    stages: usize,
    step: f32,
    /// For each table of each stage the two packed parts: which entries differ from what they borrow, and by how much.
    tables: Vec<[&'a [u8]; 2]>,
}

impl<'a> Packed<'a> {
    fn read(file: &'a [u8]) -> Result<Self, NoWeights> {
        let mut rest = file.strip_prefix(MAGIC).ok_or(NoWeights)?;
        let [stages] = take(&mut rest)?;
        let stages = usize::from(stages);
        if !(1..=STAGES).contains(&stages) {
            return Err(NoWeights);
        }
        let step = f32::from_le_bytes(take(&mut rest)?);
        let mut tables = Vec::new();
        for _ in 0..stages * network::TABLES {
            tables.push([part(&mut rest)?, part(&mut rest)?]);
        }
        if rest.is_empty() { Ok(Self { stages, step, tables }) } else { Err(NoWeights) }
    }

    fn part_of(&self, stage: usize, number: usize) -> [&'a [u8]; 2] {
        self.tables[stage * network::TABLES + number]
    }

    /// Reads a table, that of a later stage into a copy of the one before.
    fn read_table(&self, stage: usize, number: usize, table: &mut [i16]) -> Result<(), NoWeights> {
        let [marks, differences] = self.part_of(stage, number);
        let (marks, differences) = (unpack(marks)?, unpack(differences)?);
        if marks.len() != table.len() / 8 {
            return Err(NoWeights);
        }
        let mut differences = &differences[..];
        let mut is_complete = true;
        let mut next = || {
            difference(&mut differences).unwrap_or_else(|NoWeights| {
                is_complete = false;
                0
            })
        };
        if stage == 0 {
            decide_each(number, table, |index, borrowed| {
                let is_marked = marks[index / 8] >> (index % 8) & 1 != 0;
                if is_marked { borrowed.wrapping_add(next()) } else { borrowed }
            });
        } else {
            for_each_mark(&marks, |index| {
                table[index] = table[index].wrapping_add(next());
                table[network::twin(number, index)] = table[index];
            });
        }
        if is_complete && differences.is_empty() { Ok(()) } else { Err(NoWeights) }
    }
}

/// The next difference between an entry and what it borrows.
#[inline(always)]
fn difference(differences: &mut &[u8]) -> Result<i16, NoWeights> {
    match take(differences)? {
        [WIDE] => Ok(i16::from_le_bytes(take(differences)?)),
        [byte] => Ok((i32::from(byte) - ZERO) as i16),
    }
}

/// The next part of the file.
fn part<'a>(rest: &mut &'a [u8]) -> Result<&'a [u8], NoWeights> {
    let length = u32::from_le_bytes(take(rest)?) as usize;
    let (packed, others) = rest.split_at_checked(length).ok_or(NoWeights)?;
    *rest = others;
    Ok(packed)
}

fn unpack(packed: &[u8]) -> Result<Vec<u8>, NoWeights> {
    agon_compression::unpack(packed, MOST).map_err(|_| NoWeights)
}

#[inline(always)]
fn take<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], NoWeights> {
    let (first, rest) = bytes.split_first_chunk().ok_or(NoWeights)?;
    *bytes = rest;
    Ok(*first)
}

#[cfg(test)]
mod tests {
    use agon_core::random::{below, seeded};

    use super::*;

    /// Weights at random places of all tables, those of twins alike.
    fn some_weights(seed: u64) -> Tables<f32> {
        let mut weights = Tables::filled(0.0);
        let mut rng = seeded(seed);
        for (number, table) in weights.slices_mut().enumerate() {
            for _ in 0..1000 {
                let index = below(&mut rng, table.len() as u64) as usize;
                let weight = below(&mut rng, 4001) as f32 - 2000.0;
                (table[index], table[network::twin(number, index)]) = (weight, weight);
            }
        }
        weights
    }

    fn encode(weights: [&Tables<f32>; STAGES], stages: usize, threshold: f32) -> Vec<u8> {
        let importance = |stage: usize, number: usize, index: usize| {
            let table = weights[stage].slices().nth(number).expect("there is one");
            f32::from(u8::from(table[index] != 0.0))
        };
        let selection = Selection { stages, step: 4.0, importance: &importance, threshold };
        Network::encode(weights, &selection).expect("enough memory")
    }

    fn entries(tables: &Tables<i16>) -> impl Iterator<Item = i16> {
        tables.slices().flat_map(|table| table.iter().copied())
    }

    #[test]
    fn a_file_keeps_what_was_tried_and_has_the_rest_borrow() {
        let weights = [some_weights(1), some_weights(2)];
        let file = encode(weights.each_ref(), 2, 0.0);
        let network = Network::decode(&file).expect("just made");
        assert_eq!(network.step, 4.0);
        for (tables, weights) in network.stages.iter().zip(&weights) {
            let weights = weights.slices().flatten();
            let tried = entries(tables).zip(weights).filter(|(_, weight)| **weight != 0.0);
            for (entry, weight) in tried {
                assert!((f32::from(entry) * 4.0 - weight).abs() <= 2.0, "{entry} {weight}");
            }
        }
        let filled = |tables: &Tables<i16>| entries(tables).filter(|entry| *entry != 0).count();
        assert!(filled(&network.stages[0]) > 10_000, "from entries with smaller tiles");
        assert!(filled(&network.stages[1]) > filled(&network.stages[0]), "and from the first stage");
        let mut own = 0;
        for_each_own_weight(&file, |stage, number, index, weight| {
            let exact = weights[stage].slices().nth(number).expect("there is one")[index];
            assert!((weight - exact).abs() <= 2.0);
            own += 1;
        })
        .expect("it has been read before");
        assert!((15_000..=18_000).contains(&own), "{own}");
    }

    #[test]
    fn a_smaller_file_is_nearly_as_right() {
        let weights = [some_weights(1), some_weights(2)];
        let [all, first, rough] = [(2, 0.0), (1, 0.0), (1, 40_000.0)]
            .map(|(stages, threshold)| encode(weights.each_ref(), stages, threshold));
        assert!(first.len() < all.len() && rough.len() < first.len());
        let [all, first, rough] = [all, first, rough].map(|file| Network::decode(&file).expect("just made"));
        assert!(entries(&first.stages[0]).eq(entries(&all.stages[0])));
        assert_eq!((first.stages.len(), rough.stages.len()), (1, 1));
        for (entry, weight) in entries(&rough.stages[0]).zip(weights[0].slices().flatten()) {
            assert!(*weight == 0.0 || (f32::from(entry) * 4.0 - weight).abs() <= 202.0, "{entry} {weight}");
        }
        // 16384, 4096 and 2048: a late board, which the only stage judges.
        let late = [14, 12, 11]
            .into_iter()
            .zip(0..)
            .fold(Board::EMPTY, |board, (exponent, cell)| board.with_tile(cell, exponent));
        assert_eq!(network::view(late).stage, 1);
        assert_eq!(first.value(late), f64::from(first.stages[0].sum::<i32>(network::view(late).cells)) * 4.0);
    }

    #[test]
    fn damaged_files_are_refused() {
        let weights = [some_weights(1), some_weights(2)];
        let file = encode(weights.each_ref(), 2, 0.0);
        assert!(Network::decode(&file).is_ok());
        assert!(Network::decode(b"").is_err());
        assert!(Network::decode(&[&file[..], b"more"].concat()).is_err());
        for stages in [0, 1, 3] {
            let mut other = file.clone();
            other[MAGIC.len()] = stages;
            assert!(Network::decode(&other).is_err(), "{stages} stages");
        }
        for length in (0..file.len()).step_by(file.len() / 3) {
            assert!(Network::decode(&file[..length]).is_err(), "{length} bytes of {}", file.len());
        }
    }

    #[test]
    fn bots_play_with_the_weights_that_were_handed_in_first() {
        assert_eq!(hand_in(b"something else"), Err(HandInError::NoWeights(NoWeights)));
        let small = encode([&some_weights(1), &some_weights(2)], 1, 0.0);
        assert_eq!(hand_in(&small), Ok(()));
        assert_eq!(network().stages.len(), 1);
        assert_eq!(hand_in(&small), Err(HandInError::TooLate));
    }

    #[test]
    fn the_shipped_file_holds_a_network() {
        assert!(Network::decode(SHIPPED).is_ok());
    }
}
