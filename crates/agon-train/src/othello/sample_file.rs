//! A file that samples are appended to, game by game, so that labelling can be interrupted at any time and go on later.
//!
//! It begins with how many games and samples it holds; what stands behind them was being written when somebody pulled the plug, and is
//! overwritten.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::sample::{SAMPLE_BYTES, Sample};

/// How the samples of a file are made: a file goes on only as it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// Fixes all randomness.
    pub seed: u64,
    /// How deep each move is searched.
    pub depth: u32,
    /// With how many empty squares a game is solved.
    pub solve_from: u32,
}

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SampleFileError {
    /// It cannot be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is something else, or damaged.
    #[error("this is not a file of samples")]
    Format,
    /// Its samples are made in another way.
    #[error(
        "its samples were made with --seed {}, --depth {} and --solve {}; use the same, or another file",
        .0.seed, .0.depth, .0.solve_from
    )]
    Recipe(Recipe),
}

/// An open file of samples.
#[derive(Debug)]
pub struct SampleFile {
    file: File,
    recipe: Recipe,
    games: u64,
    samples: u64,
}

const MAGIC: &[u8; 8] = b"agonsmp2";
const HEADER_BYTES: usize = 40;
/// The most samples that are read: more than any machine that this runs on has room for.
const MOST_SAMPLES: u64 = 1 << 28;

impl SampleFile {
    /// Opens a file whose samples are made by `recipe`, or begins one.
    ///
    /// # Errors
    /// If the file cannot be read or written, is something else, or was made by another recipe.
    pub fn open(path: &Path, recipe: Recipe) -> Result<Self, SampleFileError> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        if file.metadata()?.len() == 0 {
            let mut new = Self { file, recipe, games: 0, samples: 0 };
            new.write_header()?;
            return Ok(new);
        }
        let mut header = [0; HEADER_BYTES];
        file.read_exact(&mut header).map_err(|_| SampleFileError::Format)?;
        let word =
            |from: usize| (0..8).fold(0, |word, byte| word | u64::from(header[from + byte]) << (8 * byte));
        let (found_depths, games, samples) = (word(16), word(24), word(32));
        let bytes = file.metadata()?.len() - HEADER_BYTES as u64;
        if header[..8] != *MAGIC || samples > MOST_SAMPLES || samples * SAMPLE_BYTES as u64 > bytes {
            return Err(SampleFileError::Format);
        }
        let found =
            Recipe { seed: word(8), depth: found_depths as u32, solve_from: (found_depths >> 32) as u32 };
        if found != recipe {
            return Err(SampleFileError::Recipe(found));
        }
        Ok(Self { file, recipe, games, samples })
    }

    /// How many games it holds: the first ones.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// How many samples it holds.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// Adds the samples of the next `games` games.
    ///
    /// # Errors
    /// If the file cannot be written to.
    pub fn append(&mut self, games: u64, samples: &[Sample]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(HEADER_BYTES as u64 + self.samples * SAMPLE_BYTES as u64))?;
        let bytes: Vec<u8> = samples.iter().flat_map(Sample::to_bytes).collect();
        self.file.write_all(&bytes)?;
        self.file.sync_data()?;
        (self.games, self.samples) = (self.games + games, self.samples + samples.len() as u64);
        self.write_header()
    }

    fn write_header(&mut self) -> io::Result<()> {
        let depths = u64::from(self.recipe.depth) | u64::from(self.recipe.solve_from) << 32;
        let mut header = MAGIC.to_vec();
        for word in [self.recipe.seed, depths, self.games, self.samples] {
            header.extend(word.to_le_bytes());
        }
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&header)?;
        self.file.sync_data()
    }

    /// All its samples.
    ///
    /// # Errors
    /// If the file cannot be read, or something in it is no sample.
    pub fn read(&mut self) -> Result<Vec<Sample>, SampleFileError> {
        self.file.seek(SeekFrom::Start(HEADER_BYTES as u64))?;
        let mut reader = BufReader::with_capacity(1 << 20, &self.file);
        let mut bytes = [0; SAMPLE_BYTES];
        let mut samples = Vec::with_capacity(self.samples as usize);
        for _ in 0..self.samples {
            reader.read_exact(&mut bytes).map_err(|_| SampleFileError::Format)?;
            samples.push(Sample::from_bytes(&bytes).ok_or(SampleFileError::Format)?);
        }
        Ok(samples)
    }
}
