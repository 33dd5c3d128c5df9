//! How games are deleted: at once if nobody else plays in them, otherwise by one player after the other. Whoever has deleted a game is
//! forgotten in it, and it goes with the last of them.

use std::collections::HashMap;
use std::sync::Arc;

use agon_messages::{MESSAGES, Refused};
use agon_protocol::web::{RefusalCode, ServerMessage};
use agon_table::chat::Spoken;
use agon_table::online::Online;
use agon_table::view::stored_text;
use agon_table::view::summary::{TableHeader, TableStatus};
use agon_table::{NOBODY, TableSettings, scoped, stored};
use tokio::sync::oneshot;

use super::{Tables, unreadable};
use crate::random;
use crate::store::{NewEvent, Rewrite, StoredTable, TableId, VisitorId};
use crate::table::{Follower, TaskCommand};

/// What has become of a game.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It is gone.
    Gone,
    /// It is there for those who have not deleted it.
    Stays,
}

impl Tables {
    /// Deletes a game for a browser: it is gone if nobody else has a part in it. Otherwise the browser's user is forgotten there.
    ///
    /// # Errors
    /// If there is none, if the browser has no part in it, or if others are still playing it.
    pub async fn delete(self: &Arc<Self>, id: &str, visitor: VisitorId) -> Result<(), Refused> {
        // Games of tournaments are nobody's.
        if !random::is_name(id) {
            return Err(Refused::unknown_table());
        }
        let stored = self.store.load(id.to_owned()).await?.ok_or_else(Refused::unknown_table)?;
        let settings = settings_of(&stored);
        if let Some(online) = &settings.online {
            check_part(online, &stored, &visitor)?;
            let summary = self.ask(id, |reply| TaskCommand::Summary(visitor, reply)).await?;
            if summary.end.is_none() && summary.ranking.is_empty() {
                return Err(still_running());
            }
        } else if stored.owner != visitor {
            return Err(not_yours());
        }
        // Nobody may fetch it while it changes.
        let _fetching = self.fetching.lock().await;
        let (followers, unheard) = self.take_over(id).await;
        let done = self.remove_or_forget(id, visitor).await;
        if done == Ok(Fate::Gone) {
            let message = MESSAGES.say("refused.unknown-table", []);
            let gone = ServerMessage::Gone { game: id.to_owned(), message };
            followers.iter().for_each(|follower| follower.outbox.say(&gone));
        } else if !followers.is_empty() || !unheard.is_empty() {
            let handle = self.seat(self.fetch(id).await?);
            for command in [TaskCommand::Begin(followers)].into_iter().chain(unheard) {
                // It has just begun and ends only when it is told to.
                let _ = handle.send(command).await;
            }
        }
        done.map(|fate| tracing::info!(table = id, is_gone = fate == Fate::Gone, "a game was deleted"))
    }

    /// Ends the task of a table, if there is one, and takes over what it leaves.
    async fn take_over(&self, id: &str) -> (Vec<Follower>, Vec<TaskCommand>) {
        let Some(handle) = self.in_memory(id) else { return Default::default() };
        let (done, left) = oneshot::channel();
        match handle.send(TaskCommand::HandOver(done)).await {
            Ok(()) => left.await.unwrap_or_default(),
            Err(_) => Default::default(),
        }
    }

    /// Deletes a table that is not in memory, or takes a visitor out of it if others have a part in it.
    async fn remove_or_forget(&self, id: &str, visitor: VisitorId) -> Result<Fate, Refused> {
        let stored = self.store.load(id.to_owned()).await?.ok_or_else(Refused::unknown_table)?;
        let settings = settings_of(&stored);
        let remaining = settings.online.clone().map(|mut online| {
            online.forget(&visitor);
            online
        });
        match (settings.online, remaining) {
            (Some(online), Some(remaining)) if remaining.browsers() > 0 => {
                let rewrite = self.without(id.to_owned(), visitor, stored, &online, remaining).await?;
                self.store.rewrite(rewrite).await?;
                Ok(Fate::Stays)
            }
            _ => {
                self.store.delete(id.to_owned()).await?;
                Ok(Fate::Gone)
            }
        }
    }

    /// What is to be stored of a table in the future, without a visitor who has played there. `remaining` is what that leaves of
    /// `online`.
    async fn without(
        &self,
        id: TableId,
        visitor: VisitorId,
        table: StoredTable,
        online: &Online,
        remaining: Online,
    ) -> Result<Rewrite, Refused> {
        let name = |seat: usize| (seat, online.players[seat].name.clone());
        let names: Vec<(usize, String)> = online.seats_of(&visitor).into_iter().map(name).collect();
        let damaged = |error| unreadable(&id, &error);
        let mut events = table.events.clone();
        for (index, body) in stored::without_names(&events, &names).map_err(damaged)? {
            events[index] = body;
        }
        let games = self.games;
        let replay = move || (stored::replay(games, &events), events);
        let (play, events) =
            tokio::task::spawn_blocking(replay).await.map_err(|error| unreadable(&id, &error))?;
        let play = play.map_err(damaged)?;
        if !play.is_over() {
            return Err(still_running());
        }
        let messages: HashMap<u64, String> =
            table.messages.into_iter().map(|(message, seq)| (seq, message)).collect();
        let theirs = scoped(&visitor, "");
        let rewritten = (1..).zip(events.into_iter().zip(table.events)).filter_map(|(seq, (body, known))| {
            let message = messages.get(&seq);
            let others = message.filter(|text| !text.starts_with(&theirs));
            let is_changed = body != known || message != others;
            is_changed.then(|| (seq, NewEvent { schema: agon_match::SCHEMA, message: others.cloned(), body }))
        });
        let lines = self.store.chat(id.clone(), usize::MAX).await?;
        Ok(Rewrite {
            owner: if table.owner == visitor { NOBODY } else { table.owner },
            head: stored_text(&TableHeader::of(&play, Some(&remaining.name))),
            status: stored_text(&TableStatus::of(&play)),
            holders: remaining.holders().collect(),
            events: rewritten.collect(),
            lines: lines.iter().filter_map(|line| Spoken::without_author(&line.body, &visitor)).collect(),
            settings: stored_text(&TableSettings {
                online: Some(remaining),
                ..settings_of_text(&table.settings)
            }),
            id,
        })
    }
}

fn settings_of(stored: &StoredTable) -> TableSettings {
    settings_of_text(&stored.settings)
}

fn settings_of_text(text: &str) -> TableSettings {
    serde_json::from_str(text).unwrap_or_default()
}

/// Refuses those who neither hold a seat nor have opened the game.
fn check_part(online: &Online, stored: &StoredTable, visitor: &VisitorId) -> Result<(), Refused> {
    let has_part = stored.owner == *visitor || !online.seats_of(visitor).is_empty();
    if has_part { Ok(()) } else { Err(not_yours()) }
}

fn not_yours() -> Refused {
    Refused::plain(RefusalCode::Forbidden, "refused.not-yours")
}

fn still_running() -> Refused {
    Refused::plain(RefusalCode::State, "refused.delete-running")
}
