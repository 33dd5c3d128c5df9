//! Checkpoints: all that a learner knows, so that training survives being stopped.
//!
//! After the games and moves played comes the carousel, level by level, and then, table by table, the number of entries that were
//! tried, and each of them: its index, its weight, the sum of its errors and the sum of their sizes, four bytes each. What was not
//! tried has no news.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use agon_2048::Board;

use super::carousel::Start;
use super::{Learner, Settings, is_tried};

/// The exponent of the largest tile there can be.
const LARGEST: u8 = 17;

/// What the file begins with.
const MAGIC: &[u8; 8] = b"2048 c2\n";

/// A checkpoint cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file system says no.
    #[error("{path}: {error}")]
    File {
        /// Which file.
        path: String,
        /// What it says.
        error: io::Error,
    },
    /// The file is something else.
    #[error("{path} is no checkpoint of 2048 training")]
    Foreign {
        /// Which file.
        path: String,
    },
}

impl Learner {
    /// Writes all that the learner knows. A file of that name is replaced once the new one is complete.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), CheckpointError> {
        let named = |error| CheckpointError::File { path: path.display().to_string(), error };
        // Added to the whole name: files that differ only in their extension must not share a draft.
        let mut unfinished = path.as_os_str().to_owned();
        unfinished.push(".part");
        let unfinished = PathBuf::from(unfinished);
        let write = || {
            let mut file = BufWriter::with_capacity(1 << 20, File::create(&unfinished)?);
            file.write_all(MAGIC)?;
            for number in [self.episodes, self.games, self.moves, self.carousel.offered] {
                file.write_all(&number.to_le_bytes())?;
            }
            file.write_all(&(self.carousel.levels.len() as u32).to_le_bytes())?;
            for starts in &self.carousel.levels {
                file.write_all(&(starts.len() as u32).to_le_bytes())?;
                for Start { board, score } in starts {
                    file.write_all(&std::array::from_fn::<u8, 16, _>(|cell| board.exponent(cell)))?;
                    file.write_all(&score.to_le_bytes())?;
                }
            }
            for (weights, coherence) in self.weights.slices().zip(self.coherence.slices()) {
                let tried = coherence.iter().filter(|coherence| is_tried(**coherence)).count();
                file.write_all(&(tried as u32).to_le_bytes())?;
                for (index, (weight, coherence)) in weights.iter().zip(coherence).enumerate() {
                    if is_tried(*coherence) {
                        file.write_all(&(index as u32).to_le_bytes())?;
                        for number in [*weight, coherence[0], coherence[1]] {
                            file.write_all(&number.to_le_bytes())?;
                        }
                    }
                }
            }
            file.into_inner()?.sync_all()?;
            fs::rename(&unfinished, path)
        };
        write().map_err(named)
    }

    /// A learner as it was when it was saved.
    ///
    /// # Errors
    /// If the file cannot be read or is no checkpoint.
    pub fn load(settings: Settings, path: &Path) -> Result<Self, CheckpointError> {
        let named = |error: io::Error| {
            let path = path.display().to_string();
            match error.kind() {
                io::ErrorKind::UnexpectedEof => CheckpointError::Foreign { path },
                _ => CheckpointError::File { path, error },
            }
        };
        let mut file = BufReader::with_capacity(1 << 20, File::open(path).map_err(named)?);
        if word(&mut file).map_err(named)? != *MAGIC {
            return Err(CheckpointError::Foreign { path: path.display().to_string() });
        }
        let mut learner = Self::new(settings);
        let mut read = || {
            let Learner { episodes, games, moves, carousel, weights, coherence, .. } = &mut learner;
            for number in [episodes, games, moves, &mut carousel.offered] {
                *number = u64::from_le_bytes(word(&mut file)?);
            }
            for _ in 0..u32::from_le_bytes(word(&mut file)?) {
                let starts = 0..u32::from_le_bytes(word(&mut file)?);
                carousel.levels.push(starts.map(|_| start(&mut file)).collect::<io::Result<_>>()?);
            }
            for (weights, coherence) in weights.slices_mut().zip(coherence.slices_mut()) {
                for _ in 0..u32::from_le_bytes(word(&mut file)?) {
                    let index = u32::from_le_bytes(word(&mut file)?) as usize;
                    let mut number = || Ok::<f32, io::Error>(f32::from_le_bytes(word(&mut file)?));
                    let entry = (number()?, [number()?, number()?]);
                    let place = weights.get_mut(index).zip(coherence.get_mut(index));
                    let (weight, coherence) = place.ok_or(io::ErrorKind::UnexpectedEof)?;
                    (*weight, *coherence) = entry;
                }
            }
            Ok(())
        };
        read().map_err(named)?;
        if settings.promote_every != 0 {
            learner.promote();
        }
        Ok(learner)
    }
}

/// A board on which games may begin.
fn start(file: &mut impl Read) -> io::Result<Start> {
    let exponents: [u8; 16] = word(file)?;
    if exponents.iter().any(|exponent| *exponent > LARGEST) {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let board = (0..16).fold(Board::EMPTY, |board, cell| board.with_tile(cell, exponents[cell]));
    Ok(Start { board, score: u64::from_le_bytes(word(file)?) })
}

fn word<const N: usize>(file: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}
