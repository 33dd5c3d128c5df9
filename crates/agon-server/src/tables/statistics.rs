//! What visitors have reached in games for one. It is counted from what is stored of their games when they ask: there is nothing that could
//! disagree with the games.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use agon_files::date_text;
use agon_messages::Refused;
use agon_protocol::web::api::{MarkCount, PlayedAlone, Statistics};
use agon_table::view::summary::{TableHeader, TableStatus};

use super::{Tables, unreadable};
use crate::store::{Listed, VisitorId};

/// How many games are read at a time.
const PAGE: usize = 200;
/// How many games are told one by one.
const HISTORY: usize = 100;

impl Tables {
    /// What a visitor has reached in a game.
    ///
    /// # Errors
    /// If the visitor's games cannot be read.
    pub async fn statistics(self: &Arc<Self>, visitor: VisitorId, game: &str) -> Result<Statistics, Refused> {
        let mut counted = Counted::default();
        for page in 0.. {
            let listed = self.store.owned(visitor, page * PAGE, PAGE).await;
            let listed = listed.map_err(|error| unreadable("", &error))?;
            let is_last = listed.len() < PAGE;
            listed.iter().for_each(|listed| counted.add(listed, game));
            if is_last {
                break;
            }
        }
        let rules = self.games.rules(game, "").ok();
        let mark = rules.and_then(|rules| rules.start().board().mark).map(|mark| mark.name);
        Ok(counted.statistics(mark))
    }
}

/// Games as they are counted.
#[derive(Default)]
struct Counted {
    games: usize,
    best: u64,
    marks: BTreeMap<u64, usize>,
    history: Vec<PlayedAlone>,
}

impl Counted {
    /// Counts the boards of a table that the visitor has played from the start to the end.
    fn add(&mut self, listed: &Listed, game: &str) {
        let Ok(header) = serde_json::from_str::<TableHeader>(&listed.head) else { return };
        let status: TableStatus = serde_json::from_str(&listed.status).unwrap_or_default();
        if header.game() != game {
            return;
        }
        let held = listed.held.as_deref().unwrap_or_default();
        for (board, (alone, score)) in status.alone.iter().zip(&status.scores).enumerate() {
            let is_own = !header.is_online() || held.contains(&board);
            if !(is_own && alone.over && alone.played_through) {
                continue;
            }
            self.games += 1;
            self.best = self.best.max(*score);
            *self.marks.entry(alone.mark).or_default() += 1;
            if self.history.len() < HISTORY {
                let updated = date_text(UNIX_EPOCH + Duration::from_secs(listed.updated));
                let (score, mark, moves) = (*score, alone.mark, alone.moves);
                self.history.push(PlayedAlone { id: listed.id.clone(), updated, score, mark, moves });
            }
        }
    }

    fn statistics(self, mark: Option<agon_core::Message>) -> Statistics {
        let Self { games, best, marks, history } = self;
        let marks = marks.into_iter().rev().map(|(mark, games)| MarkCount { mark, games }).collect();
        Statistics { games, best, mark, marks, history }
    }
}
