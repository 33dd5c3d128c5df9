//! What somebody has reached in games for one. It is counted from what is stored of their games when they ask: there is nothing that could
//! disagree with the games.

use std::collections::BTreeMap;

use agon_core::text::date_text;
use agon_erased::Games;
use agon_protocol::web::api::{MarkCount, PlayedAlone, Statistics};
use agon_table::view::summary::{TableHeader, TableStatus};

/// How many games are told one by one.
const HISTORY: usize = 100;

/// A stored table as lists show it.
pub struct Listed<'a> {
    /// Its name.
    pub id: &'a str,
    /// What is played and who plays, as JSON.
    pub head: &'a str,
    /// How the game stands, as JSON.
    pub status: &'a str,
    /// When something happened last, in seconds since 1970.
    pub updated: u64,
    /// The seats that the browser holds, if it is played online.
    pub held: &'a [usize],
}

/// Games as they are counted.
#[derive(Default)]
pub struct Counted {
    games: usize,
    best: u64,
    marks: BTreeMap<u64, usize>,
    history: Vec<PlayedAlone>,
}

impl Counted {
    /// Counts the boards of a table that the browser's people have played from the start to the end.
    pub fn add(&mut self, listed: &Listed, game: &str) {
        let Ok(header) = serde_json::from_str::<TableHeader>(listed.head) else { return };
        let status: TableStatus = serde_json::from_str(listed.status).unwrap_or_default();
        if header.game() != game {
            return;
        }
        for (board, (alone, score)) in status.alone.iter().zip(&status.scores).enumerate() {
            let is_own = !header.is_online() || listed.held.contains(&board);
            if !(is_own && alone.over && alone.played_through) {
                continue;
            }
            self.games += 1;
            self.best = self.best.max(*score);
            *self.marks.entry(alone.mark).or_default() += 1;
            if self.history.len() < HISTORY {
                let (score, mark, moves) = (*score, alone.mark, alone.moves);
                let updated = date_text(listed.updated);
                self.history.push(PlayedAlone { id: listed.id.to_owned(), updated, score, mark, moves });
            }
        }
    }

    /// What was counted of one of `games`.
    pub fn statistics(self, games: Games, game: &str) -> Statistics {
        let rules = games.rules(game, "").ok();
        let mark = rules.and_then(|rules| rules.start().board().mark).map(|mark| mark.name);
        let Self { games, best, marks, history } = self;
        let marks = marks.into_iter().rev().map(|(mark, games)| MarkCount { mark, games }).collect();
        Statistics { games, best, mark, marks, history }
    }
}
