//! Matches between players: who meets whom, who referees, what comes of it, and how it is written down.
//!
//! Everything is played by one [`runner`]: [`duel`]s between two players, [`solo`] runs, and [`experiment`]s, which tournaments, studies and
//! tunings are.

pub mod authors;
pub mod bout;
pub mod duel;
pub mod entrants;
pub mod experiment;
pub mod folder;
pub mod game_keys;
pub mod in_order;
pub mod journaled;
pub mod meter;
mod opening_file;
pub mod openings;
mod processor_clock;
pub mod program_keys;
pub mod reader;
pub mod referee;
pub mod report;
pub mod results;
pub mod runner;
pub mod schedule;
pub mod solo;
pub mod statistics;
pub mod tournament;

pub use processor_clock::ProcessorClock;
