//! Files of trained weights as browsers load them, for bots that think in tabs.

use std::sync::OnceLock;

use agon_erased::{GameEntry, Games};
use sha2::{Digest, Sha256};

/// How many letters of a file's hash are in its name.
const LETTERS: usize = 16;

/// A file of trained weights.
#[derive(Debug)]
pub struct WeightFile {
    /// Its name, which changes with its content.
    pub name: String,
    /// What is in it.
    pub content: &'static [u8],
    /// The hash of that.
    pub sha256: [u8; 32],
}

/// The files of weights of the games, which are a part of the program. It has one list of games, whoever asks.
pub fn weight_files(games: Games) -> &'static [WeightFile] {
    static FILES: OnceLock<Vec<WeightFile>> = OnceLock::new();
    let file = |entry: &GameEntry| {
        let content = entry.weights?.file();
        let sha256: [u8; 32] = Sha256::digest(content).into();
        let letters: String = sha256.iter().map(|byte| format!("{byte:02x}")).collect();
        Some(WeightFile { name: format!("{}.{}.bin", entry.spec.id, &letters[..LETTERS]), content, sha256 })
    };
    FILES.get_or_init(|| games.iter().filter_map(file).collect())
}
