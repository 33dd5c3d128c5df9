//! What survives a crash.

use std::collections::{BTreeMap, BTreeSet};

use agon_match::{Match, SCHEMA};
use agon_table::chat::{self, Chat};
use agon_table::view::stored_text;
use agon_table::{
    Append, Change, HouseRules, KeyChange, KeyHash, NewLine, Now, Opening, StoreFailure, TableSettings,
    VisitorId, Write,
};

/// The only table of a run, as it is stored.
pub(crate) struct Store {
    pub(crate) events: Vec<String>,
    /// What led to events, and the number of the last event of each.
    pub(crate) messages: BTreeMap<String, u64>,
    pub(crate) settings: String,
    /// The messages that brought lines of chat, and the lines.
    pub(crate) chat: Vec<(String, String)>,
    pub(crate) keys: BTreeMap<KeyHash, usize>,
    pub(crate) deadline: Option<u64>,
    /// The tables that were opened for a rematch.
    pub(crate) opened: BTreeSet<String>,
    owner: VisitorId,
    house: HouseRules,
    /// How often the table was opened, so that names are never used twice.
    openings: u64,
}

impl Store {
    pub(crate) fn new(
        game: &Match,
        settings: &TableSettings,
        owner: VisitorId,
        house: HouseRules,
        now: Now,
    ) -> Self {
        Self {
            events: game.events(0).map(|event| stored_text(&event)).collect(),
            messages: BTreeMap::new(),
            settings: stored_text(settings),
            chat: Vec::new(),
            keys: BTreeMap::new(),
            deadline: settings.online.as_ref().map(|online| online.deadline(&house, now)),
            opened: BTreeSet::new(),
            owner,
            house,
            openings: 0,
        }
    }

    /// Stores all of it or nothing.
    pub(crate) fn write(&mut self, write: Write) -> Result<(), StoreFailure> {
        let Write { table, change, events, line } = write;
        assert_eq!(table, TABLE);
        assert!(change.is_some() || events.is_some() || line.is_some(), "nothing is to be stored");
        if let Some(Change { settings, key, .. }) = change {
            match key {
                Some(KeyChange::Made(key, seat)) => {
                    self.keys.retain(|_, known| *known != seat);
                    self.keys.insert(key_hash(&key), seat);
                }
                Some(KeyChange::Used(key)) if self.keys.remove(&key).is_none() => {
                    return Err(StoreFailure::Conflict);
                }
                Some(KeyChange::Used(_)) | None => {}
            }
            self.settings = settings;
        }
        if let Some(Append { known, events, deadline, .. }) = events {
            assert_eq!(known, self.events.len() as u64, "events are stored behind those that are there");
            for event in events {
                assert_eq!(event.schema, SCHEMA);
                self.events.push(event.body);
                if let Some(message) = event.message {
                    let twice = self.messages.insert(message, self.events.len() as u64);
                    assert_eq!(twice, None, "a message has acted twice");
                }
            }
            self.deadline = deadline;
        }
        if let Some(NewLine { seq, message, body }) = line {
            assert_eq!(seq, self.chat.len() as u64 + 1, "lines are numbered through");
            assert!(self.chat.iter().all(|(known, _)| *known != message), "a line is said twice");
            self.chat.push((message, body));
        }
        Ok(())
    }

    /// The table as it is opened from what is stored.
    pub(crate) fn opening(&mut self) -> Opening {
        let game = agon_table::stored::replay(agon_registry::GAMES, &self.events)
            .expect("what was stored is a game");
        let skipped = self.chat.len().saturating_sub(chat::KEPT);
        self.openings += 1;
        let (openings, mut names) = (self.openings, 0);
        Opening {
            id: TABLE.to_owned(),
            owner: self.owner,
            created: 0,
            game,
            settings: serde_json::from_str(&self.settings).expect("settings"),
            messages: self.messages.clone().into_iter().collect(),
            stored: self.events.len(),
            chat: Chat::of(self.chat[skipped..].iter().cloned()),
            deadline: self.deadline,
            time: None,
            house: self.house,
            new_name: Box::new(move || {
                names += 1;
                format!("name-{openings}-{names}")
            }),
        }
    }
}

/// The table's name.
pub(crate) const TABLE: &str = "table";

/// What is kept of a key.
pub(crate) fn key_hash(key: &str) -> KeyHash {
    let mut hash = [0; 32];
    for (place, byte) in hash.iter_mut().zip(key.bytes()) {
        *place = byte;
    }
    hash
}
