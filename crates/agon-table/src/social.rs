//! What the players of an online game do besides playing: they come and go, talk, and move to another device.

use agon_core::Player;
use agon_messages::Refused;
use agon_protocol::web::{ClientAction, RefusalCode, ServerMessage};

use crate::chat::Speaker;
use crate::effect::{Effect, Effects, KeyChange, KeyHash};
use crate::online::Online;
use crate::settings::TableSettings;
use crate::table::{Asker, Table};
use crate::time::Now;
use crate::{ConnectionId, VisitorId, scoped};

impl Table {
    /// Does what a follower asks for that is no part of the game, and answers.
    pub(crate) fn socialise(
        &mut self,
        from: ConnectionId,
        id: String,
        action: ClientAction,
        now: Now,
        out: &mut Effects,
    ) {
        let Some(by) = self.followers.visitor(from) else { return };
        let message = scoped(&by, &id);
        if self.was_done(&message).is_some() {
            return out.answer(from, id, Ok(None));
        }
        let asker = || Asker::Message(from, id.clone());
        let done = match action {
            ClientAction::Say { text, name } => {
                self.say(by, asker(), &id, (&text, name.as_deref()), now, out)
            }
            ClientAction::Mute { seat, muted } => self.mute(by, asker(), seat, muted, now, out),
            ClientAction::DecideAbsence { choice } => self.decide_absence(by, asker(), choice, now, out),
            ClientAction::Rematch { accept } => self.want_rematch(by, asker(), accept, now, out),
            ClientAction::HandOver { seat } => match self.hand_over(by, asker(), seat, now, out) {
                Ok(key) => return out.tell(from, ServerMessage::Link { id, key }),
                Err(refused) => Err(refused),
            },
            _ => Err(Refused::plain(RefusalCode::Started, "refused.lobby-started")),
        };
        if done.is_ok() {
            self.remember(message);
        }
        out.answer(from, id, done.map(|()| None));
    }

    /// What online play has added to the table, for somebody who holds a seat there.
    pub(crate) fn online_of(&self, visitor: &VisitorId) -> Result<&Online, Refused> {
        let online = self.settings.online.as_ref();
        let online = online.ok_or_else(|| Refused::plain(RefusalCode::State, "refused.not-online"))?;
        if self.is_player(visitor) {
            Ok(online)
        } else {
            Err(Refused::plain(RefusalCode::Forbidden, "refused.not-seated"))
        }
    }

    fn say(
        &mut self,
        by: VisitorId,
        asker: Asker,
        id: &str,
        (text, name): (&str, Option<&str>),
        now: Now,
        out: &mut Effects,
    ) -> Result<(), Refused> {
        let may_spectators = |online: &&Online| online.terms.spectators_chat && !self.is_player(&by);
        let online = match self.settings.online.as_ref().filter(may_spectators) {
            Some(online) => online,
            None => self.online_of(&by)?,
        };
        let speaker = match online.seats_of(&by).first() {
            Some(&seat) => {
                let name = online.players[seat].name.clone();
                Speaker { visitor: by, seat: Some(seat), name, is_spectator: false }
            }
            None => {
                self.chat.spectator(by, name, online.players.iter().map(|player| player.name.as_str()))?
            }
        };
        let is_heard = |visitor: &VisitorId| !online.muted.contains(&(*visitor, by));
        let hearers = self.followers.iter().filter(|follower| is_heard(&follower.visitor));
        let hearers = hearers.map(|follower| follower.id).collect();
        let mut chat = self.chat.clone();
        let Some(spoken) = chat.hear(speaker, id, text, now)? else {
            return Ok(());
        };
        let mut change = self.begin(out).asked_by(asker);
        change.line = Some(spoken.stored());
        let lines = vec![spoken.line.clone()];
        chat.keep(spoken);
        self.set_chat(chat, &mut change);
        self.commit(change, None, now, out);
        let told = ServerMessage::Chat { game: self.id.clone(), lines };
        out.push(Effect::Tell(hearers, Box::new(told)));
        Ok(())
    }

    fn mute(
        &mut self,
        by: VisitorId,
        asker: Asker,
        seat: usize,
        muted: bool,
        now: Now,
        out: &mut Effects,
    ) -> Result<(), Refused> {
        let mut online = self.online_of(&by)?.clone();
        let speaker = online.players.get(seat).and_then(|player| player.holder);
        let speaker = speaker.ok_or_else(|| Refused::plain(RefusalCode::Unknown, "refused.seat"))?;
        online.muted.retain(|pair| *pair != (by, speaker));
        if muted {
            online.muted.push((by, speaker));
        }
        let mut change = self.begin(out).asked_by(asker);
        self.set_settings(self.with_online(online), &mut change);
        self.commit(change, None, now, out);
        Ok(())
    }

    /// The settings with something else that online play has added.
    pub(crate) fn with_online(&self, online: Online) -> TableSettings {
        TableSettings { online: Some(online), ..self.settings.clone() }
    }

    /// A key by which a seat moves to another device, once.
    fn hand_over(
        &mut self,
        by: VisitorId,
        asker: Asker,
        seat: usize,
        now: Now,
        out: &mut Effects,
    ) -> Result<String, Refused> {
        if !self.online_of(&by)?.holds(&by, seat) {
            return Err(Refused::plain(RefusalCode::Forbidden, "refused.not-your-seat"));
        }
        let key = (self.new_name)();
        let mut change = self.begin(out).asked_by(asker);
        self.set_settings(self.settings.clone(), &mut change);
        if let Some(change) = &mut change.change {
            change.key = Some(KeyChange::Made(key.clone(), seat));
        }
        self.commit(change, None, now, out);
        Ok(key)
    }

    /// Moves a seat to the browser that has the key.
    pub(crate) fn take_seat(
        &mut self,
        seat: usize,
        visitor: VisitorId,
        key: KeyHash,
        now: Now,
        out: &mut Effects,
    ) -> Result<(), Refused> {
        let gone = || Refused::plain(RefusalCode::Gone, "refused.key");
        let mut online = self.settings.online.clone().ok_or_else(gone)?;
        let player =
            online.players.get_mut(seat).filter(|player| player.holder.is_some()).ok_or_else(gone)?;
        player.holder = Some(visitor);
        online.seat_moved = self.game.event_count() as u64;
        let own = online.seats_of(&visitor);
        let mut change = self.begin(out).asked_by(Asker::SeatTaker);
        self.set_settings(self.with_online(online), &mut change);
        if let Some(change) = &mut change.change {
            change.key = Some(KeyChange::Used(key));
        }
        self.live.presences.welcome(own);
        let notices = self.welcome_back(now);
        self.finish(change, None, now, out);
        self.flush(now, out);
        self.tell_state(now, out);
        self.note_presence(now, out);
        self.tell_notices(notices, now, out);
        out.push(Effect::SeatTaken(Ok(())));
        Ok(())
    }

    /// Looks after a game whose time is up although nobody may follow it: a player has exceeded the days for a move, or all have
    /// abandoned it.
    pub(crate) fn look_after_overdue(&mut self, date: u64, now: Now, out: &mut Effects) {
        let Some(online) = &self.settings.online else { return };
        if self.game.is_over() || self.journal.deadline.is_none_or(|deadline| deadline > date) {
            return;
        }
        let (has_days, seats) = (online.terms.days.is_some(), online.players.len());
        // A game that somebody follows is not abandoned.
        if !has_days && !self.followers.is_empty() {
            return;
        }
        let change = self.begin(out);
        let mut notices = Vec::new();
        if has_days {
            let is_due = |seat: &usize| {
                self.game.locate(*seat).is_some_and(|(board, player): (usize, Player)| {
                    self.game.boards()[board].due_person() == Some(player)
                })
            };
            let due: Vec<usize> = (0..seats).filter(is_due).collect();
            notices.extend(due.into_iter().filter_map(|seat| self.give_up_seat(seat, now)));
        } else {
            self.break_off(now);
        }
        self.finish(change, None, now, out);
        self.tell_notices(notices, now, out);
    }
}
