//! Checkpoints: all that a learner knows, so that training survives being stopped.
//!
//! After the games and moves played comes, table by table, the number of entries that were tried, and each of them: its index, its
//! weight, the sum of its errors and the sum of their sizes, four bytes each. What was not tried has no news.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use super::{Learner, Settings, generator, is_tried};

/// What the file begins with.
const MAGIC: &[u8; 8] = b"agon2048";

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
            file.write_all(&self.games.to_le_bytes())?;
            file.write_all(&self.moves.to_le_bytes())?;
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

    /// A learner as it was when it was saved; its luck from here on is that of a game not yet played.
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
            learner.games = u64::from_le_bytes(word(&mut file)?);
            learner.moves = u64::from_le_bytes(word(&mut file)?);
            for (weights, coherence) in learner.weights.slices_mut().zip(learner.coherence.slices_mut()) {
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
        learner.promote();
        learner.rng = generator(settings.seed, learner.games);
        Ok(learner)
    }
}

fn word<const N: usize>(file: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}
