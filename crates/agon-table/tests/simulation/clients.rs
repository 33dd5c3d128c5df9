//! The pages of the visitors: what they have asked, what they were told, and what they know.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use agon_protocol::web::{ClientAction, RefusalCode, ServerMessage};
use agon_table::{Command, ConnectionId, MoveAttempt, Question, scoped};

use crate::picture::Picture;
use crate::scenario::{VISITORS, visitor};
use crate::store::Store;

/// A message of a page.
#[derive(Clone, Debug)]
pub(crate) enum Message {
    Move(MoveAttempt),
    Act(ClientAction),
    Ask(usize, Question),
}

impl Message {
    pub(crate) fn command(self, from: ConnectionId, id: String) -> Command {
        match self {
            Self::Move(attempt) => Command::Move { from, id, attempt },
            Self::Act(action) => Command::Act { from, id, action },
            Self::Ask(board, question) => Command::Ask { from, id, board, question },
        }
    }
}

/// How a message was answered.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answer {
    Done(Option<u64>),
    Refused(RefusalCode),
    /// By what was asked for.
    Told,
}

/// A page that follows the table.
pub(crate) struct Client {
    pub(crate) visitor: usize,
    /// `None` if the page only pretended to know something, so that nobody can tell what it shows.
    pub(crate) picture: Option<Picture>,
    /// Messages that wait for an answer.
    pub(crate) waiting: BTreeSet<String>,
    /// The last line of chat that was told.
    pub(crate) heard: u64,
}

/// What a visitor has sent, and what came of it.
#[derive(Clone)]
pub(crate) struct Sent {
    pub(crate) visitor: usize,
    pub(crate) id: String,
    pub(crate) message: Message,
    pub(crate) answer: Option<Answer>,
    /// Whether the table knows that it was done. How bots are set is not stored under the name of a message.
    pub(crate) is_known: bool,
}

#[derive(Default)]
pub(crate) struct Clients {
    pub(crate) here: BTreeMap<ConnectionId, Client>,
    /// What visitors know who have left.
    pub(crate) known: [Option<Picture>; VISITORS],
    pub(crate) sent: Vec<Sent>,
    /// The answers since this was last emptied.
    pub(crate) answers: Vec<(ConnectionId, String, Answer)>,
    last_connection: ConnectionId,
    last_message: [usize; VISITORS],
}

impl Clients {
    pub(crate) fn new_connection(&mut self) -> ConnectionId {
        self.last_connection += 1;
        self.last_connection
    }

    /// A name for a message: different visitors use the same ones.
    pub(crate) fn new_message(&mut self, visitor: usize) -> String {
        self.last_message[visitor] += 1;
        format!("m{}", self.last_message[visitor])
    }

    /// A page is closed, or its connection is lost.
    pub(crate) fn leave(&mut self, connection: ConnectionId) {
        if let Some(client) = self.here.remove(&connection)
            && client.picture.is_some()
        {
            self.known[client.visitor] = client.picture;
        }
    }

    /// All connections are lost.
    pub(crate) fn leave_all(&mut self) {
        let all: Vec<ConnectionId> = self.here.keys().copied().collect();
        all.into_iter().for_each(|connection| self.leave(connection));
    }

    /// The table has been forgotten, and knows only the messages that are stored.
    pub(crate) fn forget_unstored(&mut self, store: &Store) {
        for sent in &mut self.sent {
            let name = scoped(&visitor(sent.visitor), &sent.id);
            sent.is_known &=
                store.messages.contains_key(&name) || store.chat.iter().any(|(known, _)| *known == name);
        }
    }

    /// A page gets a message.
    pub(crate) fn deliver(&mut self, to: ConnectionId, message: &ServerMessage, now: Duration) {
        let client = self.here.get_mut(&to).expect("only those who follow the table are told");
        match (&mut client.picture, message) {
            (Some(picture), message) => picture.hear(message, now),
            (None, ServerMessage::State { state, .. }) => client.picture = Some(Picture::of(state, now)),
            (None, _) => {}
        }
        let answer = match message {
            ServerMessage::Ack { id, seq } => (id, Answer::Done(*seq)),
            ServerMessage::Error { id: Some(id), code, .. } => (id, Answer::Refused(*code)),
            ServerMessage::Looked { id, .. }
            | ServerMessage::Explained { id, .. }
            | ServerMessage::Hinted { id, .. }
            | ServerMessage::Link { id, .. } => (id, Answer::Told),
            ServerMessage::Chat { lines, .. } => {
                client.heard = lines.last().map_or(client.heard, |line| line.seq);
                return;
            }
            _ => return,
        };
        let (id, answer) = (answer.0.clone(), answer.1);
        assert!(client.waiting.remove(&id), "{id} is answered although it does not wait");
        self.answers.push((to, id, answer));
    }
}
