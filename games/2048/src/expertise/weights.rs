//! The network that plays: small numbers in tables, and the file they come from.
//!
//! The file holds for each table which entries training has tried, a bit each, and those entries as multiples of one step, a byte
//! for most and only one of two that are always equal; both compressed, apart from each other because they have nothing in common. What was never tried is
//! promoted again when the file is read. Two bytes an entry in memory, where learning needs four, leave more of the tables in
//! the cache.

use std::thread;

use agon_core::weight_file;
use agon_core::weights::Shipped;

use crate::{Direction, Position};

use super::network::{self, Tables};
use super::promotion::promote;

/// The weights that come with the program; `docs/training.md` says how they were made.
pub static SHIPPED: Shipped<Network> =
    Shipped::new(weight_file!("../../data/weights.bin"), |file| Network::decode(file).ok());

/// What the file begins with.
const MAGIC: &[u8; 8] = b"2048 v1\n";
/// A byte that stands for an entry is this plus the entry.
const ZERO: i32 = 128;
/// The byte before the two bytes of an entry that does not fit into one.
const WIDE: u8 = 0;
/// The most bytes that a table unpacks to.
const MOST: usize = 3 * network::LARGE;

/// The file is none of weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoWeights;

/// A network that has learnt.
#[derive(Debug)]
pub struct Network {
    tables: Tables<i16>,
    /// What one unit of an entry is worth in points.
    step: f64,
}

impl Network {
    /// The points that it expects to be scored from `position` on.
    #[inline(always)]
    pub fn to_come(&self, position: &Position) -> f64 {
        let board = position.board();
        if position.is_tile_due() {
            return self.value(network::cells(board));
        }
        let mut best: f64 = 0.0;
        for direction in Direction::ALL {
            let (after, gained) = board.slide(direction);
            if after != board {
                best = best.max(f64::from(gained) + self.value(network::cells(after)));
            }
        }
        best
    }

    #[inline(always)]
    fn value(&self, cells: u64) -> f64 {
        f64::from(self.tables.sum::<i32>(cells)) * self.step
    }

    /// The file of a network whose entries are `weights`, rounded to multiples of `step`; of those that were not
    /// tried, told by the number of their table (the large ones first) and their index, it keeps nothing.
    ///
    /// # Errors
    /// If compression runs out of memory.
    #[cfg(not(target_family = "wasm"))]
    pub fn encode(
        weights: &Tables<f32>,
        step: f32,
        is_tried: impl Fn(usize, usize) -> bool,
    ) -> std::io::Result<Vec<u8>> {
        let mut file = MAGIC.to_vec();
        file.extend(step.to_le_bytes());
        for (number, table) in weights.slices().enumerate() {
            let mut tried = vec![0; table.len() / 8];
            let mut entries = Vec::new();
            let is_kept = |index: &usize| network::twin(number, *index) >= *index && is_tried(number, *index);
            for index in (0..table.len()).filter(is_kept) {
                tried[index / 8] |= 1 << (index % 8);
                let entry = (table[index] / step).round() as i16;
                match u8::try_from(i32::from(entry) + ZERO) {
                    Ok(byte) if byte != WIDE => entries.push(byte),
                    _ => {
                        entries.push(WIDE);
                        entries.extend(entry.to_le_bytes());
                    }
                }
            }
            for bytes in [tried, entries] {
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
        let mut rest = file.strip_prefix(MAGIC).ok_or(NoWeights)?;
        let step = f32::from_le_bytes(take(&mut rest)?);
        let mut tables = Tables::filled(0);
        let mut parts = Vec::new();
        for (number, table) in tables.slices_mut().enumerate() {
            parts.push((number, table, part(&mut rest)?, part(&mut rest)?));
        }
        let read =
            |(number, table, tried, entries)| read_table(number, table, unpack(tried)?, &unpack(entries)?);
        if cfg!(target_family = "wasm") {
            // There are no threads.
            parts.into_iter().try_for_each(read)?;
        } else {
            // Each table by itself: nobody likes to wait for a bot to get ready.
            thread::scope(|scope| {
                let readers: Vec<_> = parts.into_iter().map(|part| scope.spawn(move || read(part))).collect();
                readers.into_iter().try_for_each(|reader| reader.join().unwrap_or(Err(NoWeights)))
            })?;
        }
        if rest.is_empty() { Ok(Self { tables, step: f64::from(step) }) } else { Err(NoWeights) }
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

fn read_table(
    number: usize,
    table: &mut [i16],
    mut tried: Vec<u8>,
    mut entries: &[u8],
) -> Result<(), NoWeights> {
    if tried.len() != table.len() / 8 {
        return Err(NoWeights);
    }
    for byte in 0..tried.len() {
        let mut left = tried[byte];
        while left != 0 {
            let index = 8 * byte + left.trailing_zeros() as usize;
            left &= left - 1;
            let twin = network::twin(number, index);
            if twin < index {
                // Marked when its twin was read.
                continue;
            }
            let entry = match take(&mut entries)? {
                [WIDE] => i16::from_le_bytes(take(&mut entries)?),
                [byte] => (i32::from(byte) - ZERO) as i16,
            };
            (table[index], table[twin]) = (entry, entry);
            tried[twin / 8] |= 1 << (twin % 8);
        }
    }
    promote(table, |index| tried[index / 8] >> (index % 8) & 1 != 0);
    if entries.is_empty() { Ok(()) } else { Err(NoWeights) }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], NoWeights> {
    let (first, rest) = bytes.split_first_chunk().ok_or(NoWeights)?;
    *bytes = rest;
    Ok(*first)
}

#[cfg(test)]
mod tests {
    use agon_core::random::{below, seeded};

    use super::*;

    #[test]
    fn a_file_keeps_what_was_tried_and_promotes_the_rest() {
        let mut weights = Tables::filled(0.0);
        let mut rng = seeded(1);
        let mut tried = std::collections::HashMap::new();
        for (number, table) in weights.slices_mut().enumerate() {
            for _ in 0..1000 {
                let index = below(&mut rng, table.len() as u64) as usize;
                let weight = below(&mut rng, 4001) as f32 - 2000.0;
                for index in [index, network::twin(number, index)] {
                    table[index] = weight;
                    tried.insert((number, index), weight);
                }
            }
        }
        let file = Network::encode(&weights, 4.0, |number, index| tried.contains_key(&(number, index)));
        let network = Network::decode(&file.expect("enough memory")).expect("just made");
        assert_eq!(network.step, 4.0);
        for (&(number, index), &weight) in &tried {
            let table = network.tables.slices().nth(number).expect("there is one");
            assert!((f32::from(table[index]) * 4.0 - weight).abs() <= 2.0);
        }
        let promoted: usize =
            network.tables.slices().map(|table| table.iter().filter(|entry| **entry != 0).count()).sum();
        assert!(promoted > tried.len());
    }

    #[test]
    fn damaged_files_are_refused() {
        let file =
            Network::encode(&Tables::filled(0.0), 1.0, |_, index| index % 4096 == 1).expect("enough memory");
        assert!(Network::decode(&file).is_ok());
        assert!(Network::decode(b"").is_err());
        assert!(Network::decode(&[&file[..], b"more"].concat()).is_err());
        for length in (0..file.len()).step_by(file.len() / 3) {
            assert!(Network::decode(&file[..length]).is_err(), "{length} bytes of {}", file.len());
        }
    }

    #[test]
    fn the_shipped_file_holds_a_network() {
        assert!(SHIPPED.get().is_some());
    }
}
