//! Those who follow tournaments. While there are any, what they follow is looked at again and again, and told if it has changed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use agon_messages::Refused;
use agon_protocol::web::arena::{Tournament, TournamentList};
use agon_protocol::web::{RefusalCode, ServerMessage};
use agon_table::ConnectionId;

use super::{Arena, unknown};
use crate::table::{Outbox, message_text};

/// How often tournaments are looked at.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How many things of the arena one connection may follow.
const MAX_FOLLOWED: usize = 4;

/// Who follows what. The list of tournaments has no id.
#[derive(Default)]
pub struct Following {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    followers: HashMap<Option<String>, HashMap<ConnectionId, Outbox>>,
    /// What was told last.
    told: HashMap<Option<String>, Told>,
    /// Whether a task looks at what is followed.
    is_looking: bool,
}

#[derive(Clone, PartialEq)]
enum Told {
    List(Box<TournamentList>),
    One(Arc<Tournament>),
    Gone,
}

impl Told {
    fn message(&self, id: Option<&str>) -> ServerMessage {
        let id = id.unwrap_or_default().to_owned();
        match self {
            Self::List(list) => ServerMessage::Arena(list.clone()),
            Self::One(state) => {
                ServerMessage::Tournament { tournament: id, state: Box::new(Tournament::clone(state)) }
            }
            Self::Gone => ServerMessage::Gone { game: id, message: unknown().message },
        }
    }
}

impl Following {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has a connection follow nothing, or only this no longer.
    pub fn unfollow(&self, connection: ConnectionId, what: Option<&Option<String>>) {
        let mut inner = self.inner();
        for (id, followers) in &mut inner.followers {
            if what.is_none_or(|what| what == id) {
                followers.remove(&connection);
            }
        }
        let Inner { followers, told, .. } = &mut *inner;
        followers.retain(|_, followers| !followers.is_empty());
        told.retain(|id, _| followers.contains_key(id));
    }
}

impl Arena {
    /// Has a connection follow a tournament, or the list of them: it is told how that stands, and again with every change.
    ///
    /// # Errors
    /// If there is no such tournament, or the connection follows too much.
    pub async fn follow(
        self: &Arc<Self>,
        connection: ConnectionId,
        outbox: Outbox,
        what: Option<String>,
    ) -> Result<(), Refused> {
        let is_known = |followers: &HashMap<ConnectionId, Outbox>| followers.contains_key(&connection);
        if self.following.inner().followers.values().filter(|followers| is_known(followers)).count()
            >= MAX_FOLLOWED
        {
            return Err(Refused::plain(RefusalCode::Limit, "refused.too-many-tables"));
        }
        let told = self.as_it_stands(what.as_deref()).await;
        if told == Told::Gone {
            return Err(unknown());
        }
        outbox.say(&told.message(what.as_deref()));
        let mut inner = self.following.inner();
        // Those who followed it before may know less; they are told when it is looked at next.
        inner.told.entry(what.clone()).or_insert(told);
        inner.followers.entry(what).or_default().insert(connection, outbox);
        if !std::mem::replace(&mut inner.is_looking, true) {
            tokio::spawn(Arc::clone(self).look_again_and_again());
        }
        Ok(())
    }

    async fn as_it_stands(self: &Arc<Self>, what: Option<&str>) -> Told {
        match what {
            None => Told::List(Box::new(self.list().await)),
            Some(id) => self.tournament(id).await.map_or(Told::Gone, Told::One),
        }
    }

    async fn look_again_and_again(self: Arc<Self>) {
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            let followed: Vec<Option<String>> = {
                let mut inner = self.following.inner();
                inner.is_looking = !inner.followers.is_empty();
                if !inner.is_looking {
                    return;
                }
                inner.followers.keys().cloned().collect()
            };
            for what in followed {
                let now = self.as_it_stands(what.as_deref()).await;
                let mut inner = self.following.inner();
                if inner.told.get(&what) == Some(&now) {
                    continue;
                }
                let text = message_text(&now.message(what.as_deref()));
                if let (Some(text), Some(followers)) = (text, inner.followers.get(&what)) {
                    followers.values().for_each(|outbox| outbox.send(text.clone()));
                    inner.told.insert(what, now);
                }
            }
        }
    }
}
