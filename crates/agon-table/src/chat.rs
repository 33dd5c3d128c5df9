//! What people say to one another in a lobby and in its game.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use agon_core::text::date_text;
use agon_messages::names::Looks;
use agon_messages::{Refused, names};
use agon_protocol::web::RefusalCode;
use agon_protocol::web::online::ChatLine;
use serde::{Deserialize, Serialize};

use crate::effect::NewLine;
use crate::time::Now;
use crate::view::stored_text;
use crate::{NOBODY, VisitorId, scoped};

/// How many lines are kept in memory, and told to those who come later.
pub const KEPT: usize = 100;
/// How many lines one person may say within [`WINDOW`].
const BURST: usize = 5;
/// How many lines all who look on may say within it together: there may be any number of them.
const SPECTATORS_BURST: usize = 10;
/// The time over which lines are counted.
const WINDOW: Duration = Duration::from_secs(10);

/// Somebody who says something.
#[derive(Clone, Debug)]
pub struct Speaker {
    /// Whose browser it is.
    pub visitor: VisitorId,
    /// Their seat, if they have one.
    pub seat: Option<usize>,
    /// Their name.
    pub name: String,
    /// Whether they only look on.
    pub is_spectator: bool,
}

/// What was said, and by whose browser, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spoken {
    /// The message that brought it, which is stored beside it.
    #[serde(skip)]
    message: String,
    visitor: VisitorId,
    /// What others are told.
    pub line: ChatLine,
}

impl Spoken {
    /// A stored line of `visitor` without its author; `None` if it is somebody else's, or cannot be read.
    pub fn without_author(stored: &str, visitor: &VisitorId) -> Option<NewLine> {
        let mut spoken: Self =
            serde_json::from_str(stored).ok().filter(|spoken: &Self| spoken.visitor == *visitor)?;
        spoken.visitor = NOBODY;
        spoken.line.name.clear();
        Some(spoken.stored())
    }

    /// The line as it is stored.
    pub fn stored(&self) -> NewLine {
        NewLine { seq: self.line.seq, message: self.message.clone(), body: stored_text(self) }
    }
}

/// What has been said.
#[derive(Clone, Debug, Default)]
pub struct Chat {
    /// The last lines. A message that is sent again says nothing.
    lines: VecDeque<Spoken>,
    last: u64,
    /// When each person who has spoken within [`WINDOW`] did so; under [`NOBODY`], when those did who look on.
    spoke: HashMap<VisitorId, Vec<Duration>>,
}

impl Chat {
    /// What was said before: the messages that brought the lines, and the lines as they are stored. Lines that cannot be read are
    /// left out.
    pub fn of(stored: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut chat = Self::default();
        for (message, body) in stored {
            if let Ok(spoken) = serde_json::from_str(&body) {
                chat.keep(Spoken { message, ..spoken });
            }
        }
        chat
    }

    /// The line that somebody wants to say; `None` if the message has come before. Once it is stored, it is to be [kept](Chat::keep).
    ///
    /// # Errors
    /// If it cannot be shown, or too many come at once.
    pub fn hear(
        &mut self,
        speaker: Speaker,
        id: &str,
        text: &str,
        now: Now,
    ) -> Result<Option<Spoken>, Refused> {
        let Speaker { visitor, seat, name, is_spectator } = speaker;
        let message = scoped(&visitor, id);
        if self.lines.iter().any(|known| known.message == message) {
            return Ok(None);
        }
        let text = names::line(text)?;
        self.check_pace(visitor, is_spectator, now)?;
        let line = ChatLine { seq: self.last + 1, at: date_text(now.seconds), seat, name, text };
        Ok(Some(Spoken { message, visitor, line }))
    }

    /// Somebody who looks on and goes by `name`, which must not be taken for that of a player or of somebody else who has spoken.
    ///
    /// # Errors
    /// If there is no such name, or it is taken.
    pub fn spectator<'a>(
        &self,
        visitor: VisitorId,
        name: Option<&str>,
        players: impl Iterator<Item = &'a str>,
    ) -> Result<Speaker, Refused> {
        let name = names::name(name.unwrap_or_default())?;
        let others = self.lines.iter().filter(|spoken| spoken.visitor != visitor);
        let others = others.map(|spoken| Looks::of(&spoken.line.name));
        let taken: Vec<Looks> = players.map(Looks::of).chain(others).collect();
        let looks = Looks::of(&name);
        if taken.iter().any(|known| known.resemble(&looks)) {
            return Err(names::taken(&name, taken.iter()));
        }
        Ok(Speaker { visitor, seat: None, name, is_spectator: true })
    }

    /// Counts a line of somebody, unless there have been too many.
    fn check_pace(&mut self, visitor: VisitorId, is_spectator: bool, now: Now) -> Result<(), Refused> {
        let now = now.monotonic;
        self.spoke.retain(|_, spoke| {
            spoke.retain(|at| now.saturating_sub(*at) < WINDOW);
            !spoke.is_empty()
        });
        let all = (NOBODY, SPECTATORS_BURST);
        let counted = [(visitor, BURST)].into_iter().chain(is_spectator.then_some(all));
        let is_full =
            |(who, most): (VisitorId, usize)| self.spoke.get(&who).is_some_and(|spoke| spoke.len() >= most);
        if counted.clone().any(is_full) {
            return Err(Refused::plain(RefusalCode::TooFast, "refused.chat-fast"));
        }
        for (who, _) in counted {
            self.spoke.entry(who).or_default().push(now);
        }
        Ok(())
    }

    /// Keeps a line.
    pub fn keep(&mut self, spoken: Spoken) {
        self.last = self.last.max(spoken.line.seq);
        self.lines.push_back(spoken);
        while self.lines.len() > KEPT {
            self.lines.pop_front();
        }
    }

    /// The lines as they are stored.
    pub fn stored(&self) -> Vec<NewLine> {
        self.lines.iter().map(Spoken::stored).collect()
    }

    /// The lines that a visitor hears, who does not want to hear those that are muted for them.
    pub fn heard_by(&self, visitor: &VisitorId, muted: &[(VisitorId, VisitorId)]) -> Vec<ChatLine> {
        let is_heard = |spoken: &&Spoken| !muted.contains(&(*visitor, spoken.visitor));
        self.lines.iter().filter(is_heard).map(|spoken| spoken.line.clone()).collect()
    }
}
