//! Looks through all stored games, slowly, whether each of them can still be played on. A damaged one would
//! otherwise be noticed only by somebody who wants to go on with it, perhaps when the last good backup is
//! gone.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use agon_erased::Games;
use agon_table::view::summary::{TableHeader, TableStatus};
use agon_table::{TableSettings, stored};
use serde::de::DeserializeOwned;

use crate::store::{Store, StoreError, StoredTable, TableId};

/// How many names are asked for at once.
const NAMES: usize = 1000;

/// What is known about damaged games.
#[derive(Debug, Default)]
pub struct Checkup {
    damaged: Mutex<BTreeSet<TableId>>,
}

impl Checkup {
    fn known(&self) -> MutexGuard<'_, BTreeSet<TableId>> {
        self.damaged.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many damaged games are known.
    pub fn damaged(&self) -> usize {
        self.known().len()
    }

    /// Looks at every stored game once. After each of them `rest` is told how long that took, and may take
    /// its time.
    ///
    /// # Errors
    /// If the names of the games cannot be read.
    pub async fn look<R: Future<Output = ()>>(
        &self,
        games: Games,
        store: &dyn Store,
        rest: impl Fn(Duration) -> R,
    ) -> Result<(), StoreError> {
        let mut last = TableId::new();
        // Those that are not known to be sound. Whatever else was damaged has been deleted.
        let mut doubtful = BTreeSet::new();
        loop {
            let names = store.names(last.clone(), NAMES).await?;
            for name in &names {
                let began = Instant::now();
                let checked = match store.load(name.clone()).await {
                    Ok(None) => Ok(()),
                    Ok(Some(table)) => {
                        let checked = tokio::task::spawn_blocking(move || check(games, &table)).await;
                        checked.unwrap_or_else(|error| Err(error.to_string()))
                    }
                    Err(StoreError::Damaged(fault)) => Err(fault),
                    Err(error) => {
                        // That says something about the disk, and nothing about this game.
                        tracing::warn!(game = name, %error, "a stored game could not be checked");
                        doubtful.insert(name.clone());
                        continue;
                    }
                };
                if let Err(fault) = checked {
                    doubtful.insert(name.clone());
                    if self.known().insert(name.clone()) {
                        tracing::error!(game = name, fault, "a stored game is damaged");
                    }
                }
                rest(began.elapsed()).await;
            }
            match names.into_iter().last() {
                Some(name) => last = name,
                None => {
                    self.known().retain(|name| doubtful.contains(name));
                    return Ok(());
                }
            }
        }
    }
}

fn check(games: Games, table: &StoredTable) -> Result<(), String> {
    let game = stored::replay(games, &table.events).map_err(|error| error.to_string())?;
    if stored::mode(&game) != table.mode {
        return Err("its boards do not belong together as it says".to_owned());
    }
    read::<TableSettings>(&table.settings, "its settings")?;
    read::<TableHeader>(&table.head, "what lists show of it")?;
    let listed: TableStatus = read(&table.status, "what lists show of it")?;
    // Checksums do not tell that the last events are missing.
    let (count, noted) = (table.events.len(), listed.events);
    if noted != 0 && noted != count {
        return Err(format!("it has {count} events, and it had {noted}"));
    }
    Ok(())
}

fn read<T: DeserializeOwned>(text: &str, what: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| format!("{what} cannot be read: {error}"))
}
