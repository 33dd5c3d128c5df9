//! What visitors have reached in games for one.

use std::sync::Arc;

use agon_messages::Refused;
use agon_protocol::web::api::Statistics;
use agon_requests::statistics::{Counted, Listed};

use super::{Tables, unreadable};
use crate::store::VisitorId;

/// How many games are read at a time.
const PAGE: usize = 200;

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
            for table in &listed {
                let held = table.held.as_deref().unwrap_or_default();
                let crate::store::Listed { id, head, status, updated, .. } = table;
                counted.add(&Listed { id, head, status, updated: *updated, held }, game);
            }
            if is_last {
                break;
            }
        }
        Ok(counted.statistics(self.games, game))
    }
}
