//! Trained weights, which a program holds as a file and unpacks when they are first wanted.
//!
//! A module that browsers download comes without them: whoever runs it hands the file in, once it is needed. A macro says where the file
//! is, so that one line in a game serves both.

use std::fmt;
use std::sync::OnceLock;

/// The bytes of a file of weights that is part of the program; none on WebAssembly, where the file is handed in.
#[macro_export]
macro_rules! weight_file {
    ($path:literal) => {{
        #[cfg(not(target_family = "wasm"))]
        let file: &'static [u8] = include_bytes!($path);
        #[cfg(target_family = "wasm")]
        let file: &'static [u8] = &[];
        file
    }};
}

/// Weights of some type and the file that they come from.
#[derive(Debug)]
pub struct Shipped<W> {
    file: &'static [u8],
    decode: fn(&[u8]) -> Option<W>,
    unpacked: OnceLock<W>,
}

impl<W> Shipped<W> {
    /// Those that `decode` finds in a [`weight_file`].
    pub const fn new(file: &'static [u8], decode: fn(&[u8]) -> Option<W>) -> Self {
        Self { file, decode, unpacked: OnceLock::new() }
    }

    /// The weights; `None` if they are still to be handed in.
    ///
    /// # Panics
    /// If the file that is part of the program is none of such weights, which a test has to rule out.
    pub fn get(&self) -> Option<&W> {
        if self.file.is_empty() {
            return self.unpacked.get();
        }
        Some(
            self.unpacked
                .get_or_init(|| (self.decode)(self.file).expect("a test reads the file that is shipped")),
        )
    }
}

/// Weights of any type.
pub trait ShippedWeights: fmt::Debug + Sync {
    /// The file as far as it is part of the program: empty if it has to be handed in.
    fn file(&self) -> &'static [u8];

    /// Whether they can be used.
    fn are_there(&self) -> bool;

    /// Takes the file where it is not part of the program, and says whether it is one of such weights.
    fn hand_in(&self, file: &[u8]) -> bool;
}

impl<W: fmt::Debug + Send + Sync> ShippedWeights for Shipped<W> {
    fn file(&self) -> &'static [u8] {
        self.file
    }

    fn are_there(&self) -> bool {
        !self.file.is_empty() || self.unpacked.get().is_some()
    }

    fn hand_in(&self, file: &[u8]) -> bool {
        // Whoever hands it in again need not wait again.
        self.are_there() || (self.decode)(file).is_some_and(|weights| self.unpacked.set(weights).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(file: &[u8]) -> Option<u8> {
        file.first().copied()
    }

    #[test]
    fn weights_are_part_of_the_program_or_handed_in() {
        static PART: Shipped<u8> = Shipped::new(&[7, 8], first);
        assert!(PART.are_there() && PART.get() == Some(&7) && PART.file() == [7, 8]);
        static APART: Shipped<u8> = Shipped::new(&[], first);
        assert!(!APART.are_there() && APART.get().is_none());
        assert!(!APART.hand_in(&[]), "not a file of weights");
        assert!(APART.hand_in(&[9]) && APART.are_there());
        assert!(APART.hand_in(&[1]), "they are there already");
        assert_eq!(APART.get(), Some(&9));
    }
}
