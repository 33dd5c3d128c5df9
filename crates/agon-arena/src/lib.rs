//! Matches between players: who meets whom, who referees, what comes of it, and how it is written down.

pub mod bout;
pub mod duel;
pub mod entrants;
mod in_order;
pub mod openings;
pub mod played_game;
pub mod referee;
pub mod report;
pub mod results;
pub mod schedule;
pub mod solo;
pub mod statistics;
