//! What the players of an online game do besides playing: they talk, move to another device, and play again.

use std::sync::Arc;

use agon_core::Player;
use agon_match::{Abort, Action, End};
use agon_protocol::web::online::{OnlineState, RematchState};
use agon_protocol::web::{ClientAction, RefusalCode, ServerMessage};

use super::Follower;
use super::actor::Actor;
use super::chat::{Chat, Speaker};
use super::online::{Online, Start};
use super::summary::stored_text;
use crate::random;
use crate::store::{Change, KeyChange, KeyHash, StoreError, VisitorId};
use crate::words::Refused;

impl Actor {
    /// Does what somebody at the table asks for that is no part of the game, and answers.
    pub(super) async fn socialise(&mut self, follower: &Follower, id: String, action: ClientAction) {
        let done = match action {
            ClientAction::Say { text } => self.say(follower.visitor, &id, &text).await,
            ClientAction::Mute { seat, muted } => self.mute(follower.visitor, seat, muted).await,
            ClientAction::Rematch { accept } => self.want_rematch(follower.visitor, accept).await,
            ClientAction::HandOver { seat } => match self.hand_over(follower.visitor, seat).await {
                Ok(key) => return follower.outbox.say(&ServerMessage::Link { id, key }),
                Err(refused) => Err(refused),
            },
            _ => Err(Refused::plain(RefusalCode::Started, "refused.lobby-started")),
        };
        follower.outbox.answer(id, done.map(|()| None));
    }

    /// What online play has added to the table, for somebody who holds a seat there.
    fn online_of(&self, visitor: &VisitorId) -> Result<&Online, Refused> {
        let online = self.settings.online.as_ref();
        let online = online.ok_or_else(|| Refused::plain(RefusalCode::State, "refused.not-online"))?;
        if self.is_player(visitor) {
            Ok(online)
        } else {
            Err(Refused::plain(RefusalCode::Forbidden, "refused.not-seated"))
        }
    }

    /// What online play adds to the state of the game, as a visitor sees it.
    pub(super) fn online_state(&self, visitor: &VisitorId) -> Option<OnlineState> {
        let online = self.settings.online.as_ref()?;
        let is_muted = |holder: VisitorId| online.muted.contains(&(*visitor, holder));
        Some(OnlineState {
            name: online.name.clone(),
            terms: online.terms.clone(),
            hidden: self.hides_help(),
            muted: online.holders().filter(|(_, holder)| is_muted(*holder)).map(|(seat, _)| seat).collect(),
            rematch: online.rematch.clone(),
        })
    }

    /// Whether hints, evaluations and the thinking of bots are withheld.
    pub(super) fn hides_help(&self) -> bool {
        !self.play.is_over() && self.settings.online.as_ref().is_some_and(|online| !online.terms.help)
    }

    async fn say(&mut self, by: VisitorId, id: &str, text: &str) -> Result<(), Refused> {
        let online = self.online_of(&by)?;
        let seat = online.seats_of(&by).first().copied();
        let name = seat.map(|seat| online.players[seat].name.clone()).unwrap_or_default();
        let speaker = Speaker { visitor: by, seat, name };
        let store = Arc::clone(self.tables.store());
        let Some(line) = self.chat.say(&*store, &self.id, speaker, id, text).await? else { return Ok(()) };
        let muted = self.settings.online.as_ref().map(|online| online.muted.as_slice()).unwrap_or_default();
        let chat = ServerMessage::Chat { game: self.id.clone(), lines: vec![line] };
        for follower in self.watchers.iter() {
            if !muted.contains(&(follower.visitor, by)) {
                follower.outbox.say(&chat);
            }
        }
        Ok(())
    }

    async fn mute(&mut self, by: VisitorId, seat: usize, muted: bool) -> Result<(), Refused> {
        let mut online = self.online_of(&by)?.clone();
        let speaker = online.players.get(seat).and_then(|player| player.holder);
        let speaker = speaker.ok_or_else(|| Refused::plain(RefusalCode::Unknown, "refused.seat"))?;
        online.muted.retain(|pair| *pair != (by, speaker));
        if muted {
            online.muted.push((by, speaker));
        }
        self.keep_online(online, None).await
    }

    /// Stores what online play has added to the table.
    async fn keep_online(&mut self, online: Online, key: Option<KeyChange>) -> Result<(), Refused> {
        let holders: Vec<(usize, VisitorId)> = online.holders().collect();
        let before = self.settings.online.as_ref().map(|online| online.holders().collect::<Vec<_>>());
        let mut settings = self.settings.clone();
        settings.online = Some(online);
        let change = Change {
            table: self.id.clone(),
            settings: stored_text(&settings),
            holders: Some(holders).filter(|now| before.as_ref() != Some(now)),
            key,
        };
        self.tables.store().change(change).await.map_err(|error| match error {
            // Somebody else was faster.
            StoreError::Conflict => Refused::plain(RefusalCode::Gone, "refused.key"),
            _ => Refused::storage(),
        })?;
        self.settings = settings;
        Ok(())
    }

    /// A key by which a seat moves to another device, once.
    async fn hand_over(&mut self, by: VisitorId, seat: usize) -> Result<String, Refused> {
        let online = self.online_of(&by)?.clone();
        if !online.holds(&by, seat) {
            return Err(Refused::plain(RefusalCode::Forbidden, "refused.not-your-seat"));
        }
        let key = random::name();
        self.keep_online(online, Some(KeyChange::Made(random::hash(&key), seat))).await?;
        Ok(key)
    }

    /// Moves a seat to the browser that has the key.
    pub(super) async fn take_seat(
        &mut self,
        seat: usize,
        visitor: VisitorId,
        key: KeyHash,
    ) -> Result<(), Refused> {
        let gone = || Refused::plain(RefusalCode::Gone, "refused.key");
        let mut online = self.settings.online.clone().ok_or_else(gone)?;
        let player =
            online.players.get_mut(seat).filter(|player| player.holder.is_some()).ok_or_else(gone)?;
        player.holder = Some(visitor);
        self.keep_online(online, Some(KeyChange::Used(key))).await?;
        self.flush();
        self.tell_state();
        self.came(visitor).await;
        Ok(())
    }

    async fn want_rematch(&mut self, by: VisitorId, accept: bool) -> Result<(), Refused> {
        let mut online = self.online_of(&by)?.clone();
        if !self.play.is_over() {
            return Err(Refused::plain(RefusalCode::State, "refused.not-over"));
        }
        if online.rematch.next.is_some() {
            return Ok(());
        }
        let own = online.seats_of(&by);
        online.rematch.wanted.retain(|seat| !own.contains(seat));
        if accept {
            online.rematch.wanted.extend(own);
            online.rematch.wanted.sort_unstable();
        }
        if online.holders().all(|(seat, _)| online.rematch.wanted.contains(&seat)) {
            let start = self.rematch(&online);
            online.rematch.next = Some(start.id.clone());
            let tables = Arc::clone(&self.tables);
            tables.start_online(start, Chat::default()).await?;
        }
        let rematch: RematchState = online.rematch.clone();
        self.keep_online(online, None).await?;
        self.watchers.tell(&ServerMessage::Rematch { game: self.id.clone(), rematch });
        Ok(())
    }

    /// The next game: everybody moves on by one seat, so that two players swap sides.
    fn rematch(&self, online: &Online) -> Start {
        let mut players = online.players.clone();
        players.rotate_right(1);
        Start {
            id: random::name(),
            key: None,
            name: online.name.clone(),
            owner: self.owner,
            rules: Arc::clone(self.play.rules()),
            mode: super::play::mode(&self.play),
            players,
            terms: online.terms.clone(),
            muted: online.muted.clone(),
        }
    }

    /// Looks after a game whose time is up although nobody follows it: a player has exceeded the days for a move, or all have
    /// abandoned it.
    pub(super) async fn overdue(&mut self, now: u64) {
        let Some(online) = self.settings.online.clone() else { return };
        if self.play.is_over() || self.deadline.is_none_or(|deadline| deadline > now) {
            return;
        }
        let boards = self.play.boards().len();
        if online.terms.days.is_none() {
            for board in 0..boards {
                let abort = Action::Conclude(End::Aborted { reason: Abort::Stopped });
                let _ = self.play(board, abort, None).await;
            }
            return;
        }
        let is_due = |seat: &usize| {
            self.play.locate(*seat).is_some_and(|(board, player): (usize, Player)| {
                self.play.boards()[board].due_person() == Some(player)
            })
        };
        let due: Vec<usize> = (0..online.players.len()).filter(is_due).collect();
        for seat in due {
            self.give_up_seat(seat).await;
        }
    }
}
