//! What people say to one another in a lobby and in its game.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, SystemTime};

use agon_files::date_text;
use agon_protocol::web::RefusalCode;
use agon_protocol::web::online::ChatLine;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use super::scoped;
use super::summary::stored_text;
use crate::names;
use crate::store::{NewLine, Store, StoredLine, VisitorId};
use crate::words::Refused;

/// How many lines are kept in memory, and told to those who come later.
pub const KEPT: usize = 100;
/// How many lines one person may say within [`WINDOW`].
const BURST: usize = 5;
/// The time over which lines are counted.
const WINDOW: Duration = Duration::from_secs(10);

/// Somebody who says something.
pub struct Speaker {
    /// Whose browser it is.
    pub visitor: VisitorId,
    /// Their seat, if they have one.
    pub seat: Option<usize>,
    /// Their name.
    pub name: String,
}

/// What was said, and by whose browser, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Spoken {
    visitor: VisitorId,
    line: ChatLine,
}

/// What has been said.
#[derive(Clone, Debug, Default)]
pub struct Chat {
    /// The last lines, and the messages that brought them: one that is sent again says nothing.
    lines: VecDeque<(Spoken, String)>,
    last: u64,
    /// When each person who has spoken within [`WINDOW`] did so.
    spoke: HashMap<VisitorId, Vec<Instant>>,
}

impl Chat {
    /// What was said before, as it is stored. Lines that cannot be read are left out.
    pub fn of(stored: Vec<StoredLine>) -> Self {
        let mut chat = Self::default();
        for StoredLine { message, body } in stored {
            if let Ok(spoken) = serde_json::from_str(&body) {
                chat.keep(spoken, message);
            }
        }
        chat
    }

    /// Stores what somebody says, and returns the line that others are to be told; `None` if the message has come before.
    ///
    /// # Errors
    /// If it cannot be shown or stored, or too many come at once.
    pub async fn say(
        &mut self,
        store: &dyn Store,
        table: &str,
        speaker: Speaker,
        id: &str,
        text: &str,
    ) -> Result<Option<ChatLine>, Refused> {
        let Speaker { visitor, seat, name } = speaker;
        let message = scoped(&visitor, id);
        if self.lines.iter().any(|(_, known)| *known == message) {
            return Ok(None);
        }
        let text = names::line(text)?;
        self.check_pace(visitor)?;
        let line = ChatLine { seq: self.last + 1, at: date_text(SystemTime::now()), seat, name, text };
        let spoken = Spoken { visitor, line: line.clone() };
        let (table, body) = (table.to_owned(), stored_text(&spoken));
        store.say(NewLine { table, seq: line.seq, message: message.clone(), body }).await?;
        self.keep(spoken, message);
        Ok(Some(line))
    }

    /// Counts a line of somebody, unless there have been too many.
    fn check_pace(&mut self, visitor: VisitorId) -> Result<(), Refused> {
        let now = Instant::now();
        self.spoke.retain(|_, spoke| {
            spoke.retain(|at| now.duration_since(*at) < WINDOW);
            !spoke.is_empty()
        });
        let spoke = self.spoke.entry(visitor).or_default();
        if spoke.len() >= BURST {
            return Err(Refused::plain(RefusalCode::TooFast, "refused.chat-fast"));
        }
        spoke.push(now);
        Ok(())
    }

    /// Keeps a line that has been stored.
    fn keep(&mut self, spoken: Spoken, message: String) {
        self.last = self.last.max(spoken.line.seq);
        self.lines.push_back((spoken, message));
        while self.lines.len() > KEPT {
            self.lines.pop_front();
        }
    }

    /// The lines that a visitor hears, who does not want to hear those that are muted for them.
    pub fn heard_by(&self, visitor: &VisitorId, muted: &[(VisitorId, VisitorId)]) -> Vec<ChatLine> {
        let is_heard = |spoken: &&Spoken| !muted.contains(&(*visitor, spoken.visitor));
        let lines = self.lines.iter().map(|(spoken, _)| spoken);
        lines.filter(is_heard).map(|spoken| spoken.line.clone()).collect()
    }
}
