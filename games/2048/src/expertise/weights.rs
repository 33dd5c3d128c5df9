//! The network that plays: small numbers in tables, and the file they come from.
//!
//! The file holds for each table which entries training has tried, a bit each, and those entries as multiples of one step, a byte
//! for most and only one of two that are always equal; both compressed, apart from each other because they have nothing in common. What was never tried is
//! promoted again when the file is read. Two bytes an entry in memory, where learning needs four, leave more of the tables in
//! the cache.

use std::sync::LazyLock;
use std::thread;

use crate::{Board, Direction, Position};

use super::network::{self, STAGES, Tables, View};
use super::promotion::promote;

/// The weights that come with the program; `docs/training.md` says how they were made.
static SHIPPED: &[u8] = include_bytes!("../../data/weights.bin");

/// What the file begins with; the number of stages follows.
const MAGIC: &[u8; 8] = b"2048 v2\n";
/// What files of networks with one stage began with.
const MAGIC_OF_ONE_STAGE: &[u8; 8] = b"2048 v1\n";
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
    stages: [Tables<i16>; STAGES],
    /// What one unit of an entry is worth in points.
    step: f64,
}

/// The network that comes with the program, unpacked when it is first asked for.
pub fn shipped() -> &'static Network {
    static NETWORK: LazyLock<Network> =
        LazyLock::new(|| Network::decode(SHIPPED).expect("a test reads the file that is shipped"));
    &NETWORK
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
        f64::from(self.stages[stage].sum::<i32>(cells)) * self.step
    }

    /// The file of a network whose entries are `weights`, rounded to multiples of `step`; of those that were not
    /// tried, told by their stage, the number of their table (the large ones first) and their index, it keeps nothing.
    ///
    /// # Errors
    /// If compression runs out of memory.
    #[cfg(not(target_family = "wasm"))]
    pub fn encode(
        weights: [&Tables<f32>; STAGES],
        step: f32,
        is_tried: impl Fn(usize, usize, usize) -> bool,
    ) -> std::io::Result<Vec<u8>> {
        let mut file = MAGIC.to_vec();
        file.push(STAGES as u8);
        file.extend(step.to_le_bytes());
        let tables = weights.into_iter().enumerate().flat_map(|(stage, tables)| {
            tables.slices().enumerate().map(move |(number, table)| (stage, number, table))
        });
        for (stage, number, table) in tables {
            let mut tried = vec![0; table.len() / 8];
            let mut entries = Vec::new();
            let is_kept =
                |index: &usize| network::twin(number, *index) >= *index && is_tried(stage, number, *index);
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
        let packed = Packed::read(file)?;
        let mut stages = [(); STAGES].map(|()| Tables::filled(0));
        let [first, second] = &mut stages;
        let tables = first.slices_mut().zip(second.slices_mut()).enumerate();
        let read = |(number, (first, second)): (usize, (&mut [i16], &mut [i16]))| {
            let tried = for_each_entry(number, packed.tables[number], |index, entry| first[index] = entry)?;
            promote(first, |index| tried[index / 8] >> (index % 8) & 1 != 0);
            // What the second stage has not tried is as in the first.
            second.copy_from_slice(first);
            if let Some(table) = packed.tables.get(network::TABLES + number) {
                for_each_entry(number, *table, |index, entry| second[index] = entry)?;
            }
            Ok(())
        };
        if cfg!(target_family = "wasm") {
            // There are no threads.
            tables.into_iter().try_for_each(read)?;
        } else {
            // Each table by itself: nobody likes to wait for a bot to get ready.
            thread::scope(|scope| {
                let readers: Vec<_> = tables.map(|table| scope.spawn(move || read(table))).collect();
                readers.into_iter().try_for_each(|reader| reader.join().unwrap_or(Err(NoWeights)))
            })?;
        }
        Ok(Self { stages, step: f64::from(packed.step) })
    }
}

/// Calls `visit` with the stage, the number of the table, the index and the weight of every entry that a file holds.
///
/// # Errors
/// If it is no file of a network.
pub fn for_each_tried(file: &[u8], mut visit: impl FnMut(usize, usize, usize, f32)) -> Result<(), NoWeights> {
    let packed = Packed::read(file)?;
    for (place, table) in packed.tables.iter().enumerate() {
        let (stage, number) = (place / network::TABLES, place % network::TABLES);
        for_each_entry(number, *table, |index, entry| {
            visit(stage, number, index, f32::from(entry) * packed.step);
        })?;
    }
    Ok(())
}

/// A file taken apart.
struct Packed<'a> {
    step: f32,
    /// For each table of each stage the two packed parts: which entries were tried, and those entries.
    tables: Vec<[&'a [u8]; 2]>,
}

impl<'a> Packed<'a> {
    fn read(file: &'a [u8]) -> Result<Self, NoWeights> {
        let (mut rest, stages) = match file.strip_prefix(MAGIC_OF_ONE_STAGE) {
            Some(rest) => (rest, 1),
            None => {
                let mut rest = file.strip_prefix(MAGIC).ok_or(NoWeights)?;
                let [stages] = take(&mut rest)?;
                (rest, usize::from(stages))
            }
        };
        if !(1..=STAGES).contains(&stages) {
            return Err(NoWeights);
        }
        let step = f32::from_le_bytes(take(&mut rest)?);
        let mut tables = Vec::new();
        for _ in 0..stages * network::TABLES {
            tables.push([part(&mut rest)?, part(&mut rest)?]);
        }
        if rest.is_empty() { Ok(Self { step, tables }) } else { Err(NoWeights) }
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

/// Calls `visit` with index and entry of everything that a table holds.
fn for_each_entry(
    number: usize,
    [tried, entries]: [&[u8]; 2],
    mut visit: impl FnMut(usize, i16),
) -> Result<Vec<u8>, NoWeights> {
    let (mut tried, entries) = (unpack(tried)?, unpack(entries)?);
    if tried.len() != network::entries(number) / 8 {
        return Err(NoWeights);
    }
    let mut entries = &entries[..];
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
            visit(index, entry);
            if twin != index {
                visit(twin, entry);
                tried[twin / 8] |= 1 << (twin % 8);
            }
        }
    }
    if entries.is_empty() { Ok(tried) } else { Err(NoWeights) }
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
        let later = Tables::filled(0.0);
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
        let file = Network::encode([&weights, &later], 4.0, |stage, number, index| {
            stage == 0 && tried.contains_key(&(number, index))
        });
        let network = Network::decode(&file.expect("enough memory")).expect("just made");
        assert_eq!(network.step, 4.0);
        for (&(number, index), &weight) in &tried {
            let table = network.stages[0].slices().nth(number).expect("there is one");
            assert!((f32::from(table[index]) * 4.0 - weight).abs() <= 2.0);
        }
        let promoted: usize =
            network.stages[0].slices().map(|table| table.iter().filter(|entry| **entry != 0).count()).sum();
        assert!(promoted > tried.len());
    }

    #[test]
    fn damaged_files_are_refused() {
        let zeros = Tables::filled(0.0);
        let file =
            Network::encode([&zeros; STAGES], 1.0, |_, _, index| index % 4096 == 1).expect("enough memory");
        assert!(Network::decode(&file).is_ok());
        assert!(Network::decode(b"").is_err());
        assert!(Network::decode(&[&file[..], b"more"].concat()).is_err());
        for length in (0..file.len()).step_by(file.len() / 3) {
            assert!(Network::decode(&file[..length]).is_err(), "{length} bytes of {}", file.len());
        }
    }

    #[test]
    fn the_shipped_file_holds_a_network() {
        assert!(Network::decode(SHIPPED).is_ok());
    }
}
