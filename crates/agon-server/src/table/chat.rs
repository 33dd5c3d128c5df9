//! What people say to one another in a lobby and in its game.

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::{Duration, SystemTime};

use agon_protocol::web::RefusalCode;
use agon_protocol::web::online::ChatLine;
use agon_records::date_text;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use super::summary::written;
use crate::names;
use crate::store::{NewLine, StoredLine, VisitorId};
use crate::words::Refused;

/// How many lines are kept in memory, and told to those who come later.
pub const KEPT: usize = 100;
/// How many lines one person may say within [`WINDOW`].
const BURST: usize = 5;
/// The time over which lines are counted.
const WINDOW: Duration = Duration::from_secs(10);

/// What was said, and by whose browser.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spoken {
    /// Whose.
    pub visitor: VisitorId,
    /// The line as others see it.
    pub line: ChatLine,
}

impl Spoken {
    /// The line as it is stored, with the name of the message that brought it.
    pub fn stored(&self, table: &str, message: String) -> NewLine {
        NewLine { table: table.to_owned(), seq: self.line.seq, message, body: written(self) }
    }
}

/// What has been said.
#[derive(Clone, Debug, Default)]
pub struct Chat {
    lines: VecDeque<Spoken>,
    last: u64,
    /// The messages that have brought lines: one that is sent again says nothing.
    known: HashSet<String>,
    /// When each person has spoken last.
    spoke: HashMap<VisitorId, VecDeque<Instant>>,
}

impl Chat {
    /// What was said before, as it is stored. Lines that cannot be read are left out.
    pub fn of(stored: Vec<StoredLine>) -> Self {
        let mut chat = Self::default();
        for StoredLine { message, body } in stored {
            chat.known.insert(message);
            if let Ok(spoken) = serde_json::from_str(&body) {
                chat.keep(spoken);
            }
        }
        chat
    }

    /// The line that somebody wants to say; `None` if they have said it already.
    ///
    /// # Errors
    /// If it cannot be shown, or too many come at once.
    pub fn speak(
        &mut self,
        visitor: VisitorId,
        seat: Option<usize>,
        name: String,
        text: &str,
        message: &str,
    ) -> Result<Option<Spoken>, Refused> {
        if self.known.contains(message) {
            return Ok(None);
        }
        let text = names::line(text)?;
        let now = Instant::now();
        let spoke = self.spoke.entry(visitor).or_default();
        while spoke.front().is_some_and(|at| now.duration_since(*at) >= WINDOW) {
            spoke.pop_front();
        }
        if spoke.len() >= BURST {
            return Err(Refused::plain(RefusalCode::TooFast, "refused.chat-fast"));
        }
        spoke.push_back(now);
        self.known.insert(message.to_owned());
        let line = ChatLine { seq: self.last + 1, at: date_text(SystemTime::now()), seat, name, text };
        Ok(Some(Spoken { visitor, line }))
    }

    /// Keeps a line that has been stored.
    pub fn keep(&mut self, spoken: Spoken) {
        self.last = self.last.max(spoken.line.seq);
        self.lines.push_back(spoken);
        while self.lines.len() > KEPT {
            self.lines.pop_front();
        }
    }

    /// The lines that a visitor hears, who does not want to hear those that are muted for them.
    pub fn heard_by(&self, visitor: &VisitorId, muted: &[(VisitorId, VisitorId)]) -> Vec<ChatLine> {
        let is_heard = |spoken: &&Spoken| !muted.contains(&(*visitor, spoken.visitor));
        self.lines.iter().filter(is_heard).map(|spoken| spoken.line.clone()).collect()
    }
}
