//! Answers about positions: what the rules say ([`query`]), what a bot thinks ([`analyze`]), and which moves of a game gave
//! something away ([`review`]); what scores mean to people ([`score`]); and how machines come to their opinions: the tree of a search
//! ([`explore`]) and what an evaluation counts ([`features`]).
//!
//! The command line, the terminal and any server give the same answers, because they all ask here. Nothing is read or
//! printed: the caller passes in how long it may take, how it is stopped, and who hears of the progress.

mod analysis;
mod features;
mod query;
pub mod review;
pub mod score;
mod tree;

pub use analysis::{AnalysisError, Analyst, COMPARED_MOVES, analyze};
pub use features::{Judge, feature_key, features, judging_bot};
pub use query::{QueryError, query};
pub use tree::{TREE_DEPTHS, TREE_PLAYOUTS, TreeError, TreeRequest, default_tree_bot, explore};
