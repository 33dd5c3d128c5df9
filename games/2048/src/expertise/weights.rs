//! The network that plays: small numbers in tables, and the file they come from.
//!
//! The file holds for each table which entries differ from what they borrow ([`super::promotion`]), a bit each, and by how much, in
//! multiples of one step, a byte for most; of two entries that are always equal only one; both compressed, apart from each other
//! because they have nothing in common. So what training never tried needs no room, and what it found to be as expected none either.
//! Two bytes an entry in memory, where learning needs four, leave more of the tables in the cache.

use std::thread;

use agon_core::weight_file;
use agon_core::weights::Shipped;

use crate::{Board, Direction, Position};

use super::network::{self, Tables};
use super::promotion::decide;
use super::sight::Sight;

/// The weights that come with the program; `docs/training.md` says how they were made.
pub static SHIPPED: Shipped<Network> =
    Shipped::new(weight_file!("../../data/weights.bin"), |file| Network::decode(file).ok());

/// What the file begins with; the step follows.
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

/// A network that has learnt.
#[derive(Debug)]
pub struct Network {
    tables: Tables<i16>,
    /// What one unit of an entry is worth in points.
    step: f64,
}

/// How much of a network a file is to hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extract {
    /// Weights are rounded to multiples of this, in points.
    pub step: f32,
    /// A weight is given up, and borrowed, if its importance times the square of the error, in points, is not above this.
    pub threshold: f32,
}

impl Network {
    /// The points that it expects to be scored from `position` on, shown as `sight` says.
    #[inline(always)]
    pub fn to_come(&self, position: &Position, sight: Sight) -> f64 {
        let board = position.board();
        if position.is_tile_due() {
            return self.value(board, sight);
        }
        let mut best: f64 = 0.0;
        for direction in Direction::ALL {
            let (after, gained) = board.slide(direction);
            if after != board {
                best = best.max(f64::from(gained) + self.value(after, sight));
            }
        }
        best
    }

    /// The points that it expects to be scored from a board on that a slide has just left behind.
    #[inline(always)]
    pub fn value(&self, board: Board, sight: Sight) -> f64 {
        f64::from(self.tables.sum::<i32>(sight.cells(board))) * self.step
    }

    /// The file of a network whose entries are `weights`. How much it matters that an entry is right, `importance` says for the number of
    /// the table (the large ones first) and the index; 0 for entries that were never tried.
    ///
    /// # Errors
    /// If compression runs out of memory.
    #[cfg(not(target_family = "wasm"))]
    pub fn encode(
        weights: &Tables<f32>,
        Extract { step, threshold }: Extract,
        importance: impl Fn(usize, usize) -> f32,
    ) -> std::io::Result<Vec<u8>> {
        let mut file = MAGIC.to_vec();
        file.extend(step.to_le_bytes());
        for (number, weights) in weights.slices().enumerate() {
            let mut marks = vec![0; weights.len() / 8];
            let mut differences = Vec::new();
            // What a reader of the file will know.
            let mut known = vec![0; weights.len()];
            decide_each(number, &mut known, |index, borrowed| {
                let exact = (weights[index] / step).round() as i16;
                let difference = exact.saturating_sub(borrowed);
                let matters = importance(number, index);
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
            });
            for bytes in [marks, differences] {
                let packed = agon_compression::pack(&bytes)?;
                file.extend((packed.len() as u32).to_le_bytes());
                file.extend(packed);
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
        let mut tables = Tables::filled(0);
        let parts = tables.slices_mut().zip(&packed.tables).enumerate();
        let read = |(number, (table, parts))| read_table(number, table, parts);
        if cfg!(target_family = "wasm") {
            // There are no threads.
            parts.into_iter().try_for_each(read)?;
        } else {
            // Each table by itself: nobody likes to wait for a bot to get ready.
            thread::scope(|scope| {
                let readers: Vec<_> = parts.map(|part| scope.spawn(move || read(part))).collect();
                readers.into_iter().try_for_each(|reader| reader.join().unwrap_or(Err(NoWeights)))
            })?;
        }
        Ok(Self { tables, step: f64::from(packed.step) })
    }
}

/// Calls `visit` with the number of the table, the index and the weight of everything that a file says rather than leaves to be borrowed.
///
/// # Errors
/// If it holds no network.
pub fn for_each_own_weight(file: &[u8], mut visit: impl FnMut(usize, usize, f32)) -> Result<(), NoWeights> {
    let network = Network::decode(file)?;
    let packed = Packed::read(file)?;
    for (number, (table, [marks, _])) in network.tables.slices().zip(&packed.tables).enumerate() {
        for (place, byte) in unpack(marks)?.into_iter().enumerate() {
            for index in (0..8).filter(|bit| byte >> bit & 1 != 0).map(|bit| 8 * place + bit) {
                let weight = f32::from(table[index]) * packed.step;
                visit(number, index, weight);
                let twin = network::twin(number, index);
                if twin != index {
                    visit(number, twin, weight);
                }
            }
        }
    }
    Ok(())
}

/// Goes through a table and has `entry` say, for index and what is borrowed, what the entry is; of two that are always equal it is asked
/// only for the first.
#[inline(always)]
fn decide_each(number: usize, table: &mut [i16], mut entry: impl FnMut(usize, i16) -> i16) {
    decide(table, |index, earlier, _, borrowed| {
        let twin = network::twin(number, index);
        if twin < index { earlier[twin] } else { entry(index, borrowed.unwrap_or(0)) }
    });
}

/// A file taken apart.
struct Packed<'a> {
    step: f32,
    /// For each table the two packed parts: which entries differ from what they borrow, and by how much.
    tables: Vec<[&'a [u8]; 2]>,
}

impl<'a> Packed<'a> {
    fn read(file: &'a [u8]) -> Result<Self, NoWeights> {
        let mut rest = file.strip_prefix(MAGIC).ok_or(NoWeights)?;
        let step = f32::from_le_bytes(take(&mut rest)?);
        let mut tables = Vec::new();
        for _ in 0..network::TABLES {
            tables.push([part(&mut rest)?, part(&mut rest)?]);
        }
        if rest.is_empty() { Ok(Self { step, tables }) } else { Err(NoWeights) }
    }
}

fn read_table(number: usize, table: &mut [i16], [marks, differences]: &[&[u8]; 2]) -> Result<(), NoWeights> {
    let (marks, differences) = (unpack(marks)?, unpack(differences)?);
    if marks.len() != table.len() / 8 {
        return Err(NoWeights);
    }
    let mut differences = &differences[..];
    let mut is_complete = true;
    decide_each(number, table, |index, borrowed| {
        if marks[index / 8] >> (index % 8) & 1 == 0 {
            return borrowed;
        }
        let difference = difference(&mut differences).unwrap_or_else(|NoWeights| {
            is_complete = false;
            0
        });
        borrowed.wrapping_add(difference)
    });
    if is_complete && differences.is_empty() { Ok(()) } else { Err(NoWeights) }
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
    fn some_weights() -> Tables<f32> {
        let mut weights = Tables::filled(0.0);
        let mut rng = seeded(1);
        for (number, table) in weights.slices_mut().enumerate() {
            for _ in 0..1000 {
                let index = below(&mut rng, table.len() as u64) as usize;
                let weight = below(&mut rng, 4001) as f32 - 2000.0;
                (table[index], table[network::twin(number, index)]) = (weight, weight);
            }
        }
        weights
    }

    fn encode(weights: &Tables<f32>, threshold: f32) -> Vec<u8> {
        let tables: Vec<_> = weights.slices().collect();
        let importance = |number: usize, index: usize| f32::from(u8::from(tables[number][index] != 0.0));
        Network::encode(weights, Extract { step: 4.0, threshold }, importance).expect("enough memory")
    }

    fn entries(tables: &Tables<i16>) -> impl Iterator<Item = i16> {
        tables.slices().flat_map(|table| table.iter().copied())
    }

    #[test]
    fn a_file_keeps_what_was_tried_and_has_the_rest_borrow() {
        let weights = some_weights();
        let file = encode(&weights, 0.0);
        let network = Network::decode(&file).expect("just made");
        assert_eq!(network.step, 4.0);
        let tried = entries(&network.tables).zip(weights.slices().flatten());
        for (entry, weight) in tried.filter(|(_, weight)| **weight != 0.0) {
            assert!((f32::from(entry) * 4.0 - weight).abs() <= 2.0, "{entry} {weight}");
        }
        let filled = entries(&network.tables).filter(|entry| *entry != 0).count();
        assert!(filled > 11_000, "{filled}: from entries with smaller tiles");
        let tables: Vec<_> = weights.slices().collect();
        let mut own = 0;
        for_each_own_weight(&file, |number, index, weight| {
            assert!((weight - tables[number][index]).abs() <= 2.0);
            own += 1;
        })
        .expect("it has been read before");
        assert!((8_500..=10_000).contains(&own), "{own}");
    }

    #[test]
    fn a_smaller_file_is_nearly_as_right() {
        let weights = some_weights();
        let [exact, rough] = [0.0, 40_000.0].map(|threshold| encode(&weights, threshold));
        assert!(rough.len() < exact.len());
        let rough = Network::decode(&rough).expect("just made");
        for (entry, weight) in entries(&rough.tables).zip(weights.slices().flatten()) {
            assert!(*weight == 0.0 || (f32::from(entry) * 4.0 - weight).abs() <= 202.0, "{entry} {weight}");
        }
    }

    #[test]
    fn damaged_files_are_refused() {
        let file = encode(&some_weights(), 0.0);
        assert!(Network::decode(&file).is_ok());
        assert!(Network::decode(b"").is_err());
        assert!(Network::decode(&[&file[..], b"more"].concat()).is_err());
        for length in (0..file.len()).step_by(file.len() / 3) {
            assert!(Network::decode(&file[..length]).is_err(), "{length} bytes of {}", file.len());
        }
    }

    /// Browsers fetch it, and download no more than they need.
    #[test]
    fn the_small_file_holds_a_network() {
        let small = include_bytes!("../../data/weights-small.bin");
        assert!(small.len() <= 4_000_000, "{} bytes", small.len());
        assert!(Network::decode(small).is_ok());
    }

    #[test]
    fn the_shipped_file_holds_a_network() {
        assert!(SHIPPED.get().is_some());
    }
}
