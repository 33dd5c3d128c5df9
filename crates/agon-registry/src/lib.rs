//! The list of games. Programs and tests hand it to the libraries, which know games only by name.

use agon_erased::{GameEntry, Games};

/// Every game.
pub const GAMES: Games = Games::new(ENTRIES);

/// In the order in which lists show them. A new game adds its line here.
const ENTRIES: &[&GameEntry] = &[
    &agon_othello::ENTRY,
    &agon_tablut::ENTRY,
    &agon_loa::ENTRY,
    &agon_chinese_checkers::ENTRY,
    &agon_2048::ENTRY,
];
