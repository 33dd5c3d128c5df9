//! Checks that every game must pass, written once. A new game inherits them by one call of
//! [`conformance`]; a game that has a [twin](twins) is compared with it besides.

mod alike;
mod alphabeta;
pub mod columns;
mod conformance;
mod draws;
mod folder;
pub mod hostile;
mod minimax;
mod refusals;
mod symmetry;
mod temporary;
mod tree;
pub mod twins;
mod typed;
mod words;

pub use alike::symmetric_moves_are_alike;
pub use alphabeta::alphabeta_is_minimax;
pub use conformance::{conformance, position_conforms};
pub use draws::random_moves_are_even;
pub use folder::{folder, snapshots, variant_name};
pub use minimax::{End, Leaf, Minimax, ends_by};
pub use refusals::{Attempt, Refusal, pointing_is_explained, refusals};
pub use symmetry::{compress, number_images, square_images};
pub use temporary::TemporaryFolder;
pub use tree::{Contest, Node, Tree};
pub use typed::typed_moves;
pub use words::{legal_moves, options, options_text, read, verdict};
