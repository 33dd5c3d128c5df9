//! Who is there in a game that is played online, and what becomes of the seats of those who are not.
//!
//! In a game with a clock somebody who leaves is given a grace period that everybody sees; then a bot plays on, or the seat resigns,
//! as the lobby chose. Coming back takes the seat back. After a restart of the server the clocks rest until the players are back.

use std::time::Duration;

use agon_core::Player;
use agon_match::{Action, Occupant, Seat};
use agon_protocol::web::ServerMessage;
use agon_protocol::web::online::{Leavers, Presence};
use tokio::time::Instant;

use super::Follower;
use super::actor::Actor;
use crate::store::VisitorId;
use crate::words::MESSAGES;

/// How long the clocks rest for those who are not back yet, once the first player is.
const RETURN: Duration = Duration::from_secs(10);

/// Who is there.
pub(super) struct Presences {
    /// Since when the holder of each seat is away.
    away: Vec<Option<Instant>>,
    rest: Rest,
    /// For each seat, whether its holder was there and whether something was about to happen, as it was last told.
    told: Vec<Option<(bool, bool)>>,
    told_spectators: usize,
}

/// Whether the clocks rest until the players are back.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    /// No player has come yet.
    Nobody,
    /// Some have; the others are waited for.
    Until(Instant),
    /// The clocks run.
    Over,
}

impl Presences {
    /// At a table with so many seats whose clocks rest at first, or not.
    pub(super) fn new(seats: usize, rests: bool) -> Self {
        let rest = if rests { Rest::Nobody } else { Rest::Over };
        Self { away: vec![None; seats], rest, told: Vec::new(), told_spectators: 0 }
    }

    /// Whether the clocks rest.
    pub(super) fn rests(&self) -> bool {
        self.rest != Rest::Over
    }
}

impl Actor {
    /// Whether a visitor holds a seat. Whoever has opened a game that is not played online holds all of them.
    pub(super) fn holds(&self, visitor: &VisitorId, seat: usize) -> bool {
        match &self.settings.online {
            Some(online) => online.holds(visitor, seat),
            None => *visitor == self.owner,
        }
    }

    /// Whether a visitor holds any seat.
    pub(super) fn is_player(&self, visitor: &VisitorId) -> bool {
        match &self.settings.online {
            Some(online) => online.holders().any(|(_, holder)| holder == *visitor),
            None => *visitor == self.owner,
        }
    }

    /// How many browsers look on that hold no seat.
    pub(super) fn spectators(&self) -> usize {
        let mut others: Vec<VisitorId> = self.watchers.iter().map(|follower| follower.visitor).collect();
        others.sort_unstable();
        others.dedup();
        others.retain(|visitor| !self.is_player(visitor));
        others.len()
    }

    fn is_here(&self, visitor: &VisitorId) -> bool {
        self.watchers.iter().any(|follower| follower.visitor == *visitor)
    }

    /// Whether anybody has a clock.
    pub(super) fn has_clock(&self) -> bool {
        self.play.has_clock()
    }

    /// Whether the holder of a seat is there; `None` if nobody holds it.
    pub(super) fn presence(&self, seat: usize) -> Option<Presence> {
        let holder = self.settings.online.as_ref()?.players.get(seat)?.holder?;
        let leaves_in = self.leaves_in(seat).map(|left| left.as_millis() as u64);
        Some(Presence { here: self.is_here(&holder), leaves_in })
    }

    /// Whether a bot plays for the holder of a seat, who may come back.
    pub(super) fn is_stood_in(&self, seat: usize) -> bool {
        let is_held = self
            .settings
            .online
            .as_ref()
            .is_some_and(|online| online.players.get(seat).is_some_and(|player| player.holder.is_some()));
        self.play.locate(seat).is_some_and(|(board, player)| {
            let game = &self.play.boards()[board];
            is_held && !game.seats()[player.index()].is_person() && !game.has_forfeited(player)
        })
    }

    /// How long until something happens to the seat of somebody who is away; `None` if nothing will.
    pub(super) fn leaves_in(&self, seat: usize) -> Option<Duration> {
        let online = self.settings.online.as_ref()?;
        let since = (*self.presences.away.get(seat)?)?;
        let (board, player) = self.play.locate(seat)?;
        let game = &self.play.boards()[board];
        let waits = self.has_clock() && game.end().is_none() && game.seats()[player.index()].is_person();
        let grace = Duration::from_secs(online.terms.grace.into());
        waits.then(|| grace.saturating_sub(since.elapsed()))
    }

    /// When to look after those who are away at the latest.
    pub(super) fn presence_wait(&self) -> Option<Duration> {
        let rest = match self.presences.rest {
            Rest::Until(until) => Some(until.saturating_duration_since(Instant::now())),
            Rest::Nobody | Rest::Over => None,
        };
        let seats = 0..self.presences.away.len();
        seats.filter_map(|seat| self.leaves_in(seat)).chain(rest).min()
    }

    /// A visitor has come: their seats are theirs again.
    pub(super) async fn came(&mut self, visitor: VisitorId) {
        let own = self.settings.online.as_ref().map(|online| online.seats_of(&visitor)).unwrap_or_default();
        for seat in own {
            if self.is_stood_in(seat) {
                self.seat_person(seat).await;
            }
        }
        self.note_presence();
    }

    /// Notices who is there, and tells it if that has changed.
    pub(super) fn note_presence(&mut self) {
        let Some(online) = &self.settings.online else { return };
        let now = Instant::now();
        let here: Vec<Option<bool>> =
            online.players.iter().map(|player| player.holder.map(|holder| self.is_here(&holder))).collect();
        if self.presences.rest == Rest::Nobody && here.contains(&Some(true)) {
            self.presences.rest = Rest::Until(now + RETURN);
        }
        if self.presences.rest != Rest::Nobody {
            for (away, here) in self.presences.away.iter_mut().zip(&here) {
                *away = if *here == Some(false) { Some(away.unwrap_or(now)) } else { None };
            }
        }
        if matches!(self.presences.rest, Rest::Until(_)) && !here.contains(&Some(false)) {
            self.end_rest();
        }
        self.tell_presence();
    }

    fn tell_presence(&mut self) {
        let seats: Vec<Option<Presence>> =
            (0..self.presences.away.len()).map(|seat| self.presence(seat)).collect();
        let known: Vec<Option<(bool, bool)>> = seats
            .iter()
            .map(|presence| presence.map(|presence| (presence.here, presence.leaves_in.is_some())))
            .collect();
        let spectators = self.spectators();
        if known == self.presences.told && spectators == self.presences.told_spectators {
            return;
        }
        self.presences.told = known;
        self.presences.told_spectators = spectators;
        self.watchers.tell(&ServerMessage::Presence { game: self.id.clone(), seats, spectators });
    }

    /// Tells a browser that begins to follow the table what its state has not told if it was only brought up to date.
    pub(super) fn tell_company(&self, follower: &Follower) {
        let Some(online) = &self.settings.online else { return };
        let (game, spectators) = (self.id.clone(), self.spectators());
        let seats = (0..self.presences.away.len()).map(|seat| self.presence(seat)).collect();
        follower.outbox.say(&ServerMessage::Presence { game: game.clone(), seats, spectators });
        if self.play.is_over() {
            follower
                .outbox
                .say(&ServerMessage::Rematch { game: game.clone(), rematch: online.rematch.clone() });
        }
        let lines = self.chat.heard_by(&follower.visitor, &online.muted);
        follower.outbox.say(&ServerMessage::Chat { game, lines });
    }

    /// The clocks run from now on.
    fn end_rest(&mut self) {
        self.began = (Instant::now(), self.play.last_time());
        self.presences.rest = Rest::Over;
        self.tell_facts();
    }

    /// Does what the lobby chose for those who have been away for too long.
    pub(super) async fn mind_leavers(&mut self) {
        if matches!(self.presences.rest, Rest::Until(until) if until <= Instant::now()) {
            self.end_rest();
        }
        for seat in 0..self.presences.away.len() {
            if self.leaves_in(seat).is_some_and(|left| left.is_zero()) {
                self.give_up_seat(seat).await;
            }
        }
    }

    /// Has a bot play for the holder of a seat, or has the seat resign, as the lobby chose.
    pub(super) async fn give_up_seat(&mut self, seat: usize) {
        let Some((board, player)) = self.play.locate(seat) else { return };
        let Some(online) = &self.settings.online else { return };
        match online.terms.leavers {
            Leavers::Resign => {
                let _ = self.play(board, Action::Resign(player), None).await;
            }
            Leavers::Bot => {
                let game = &self.play.boards()[board];
                let occupant = Occupant::Bot(game.policy().stand_in.clone());
                let by = Seat { occupant, ..game.seats()[player.index()].clone() };
                self.replace(seat, board, player, by, "notice.bot").await;
            }
        }
        self.note_presence();
    }

    /// Gives a seat back to its holder.
    async fn seat_person(&mut self, seat: usize) {
        let Some((board, player)) = self.play.locate(seat) else { return };
        let known = self.play.boards()[board].seats()[player.index()].clone();
        self.replace(seat, board, player, Seat { occupant: Occupant::Person, ..known }, "notice.back").await;
    }

    async fn replace(&mut self, seat: usize, board: usize, player: Player, by: Seat, notice: &'static str) {
        let name = by.name.clone();
        if self.play(board, Action::ReplaceSeat(player, by), None).await.is_err() {
            // Over, or it cannot be stored; in that case it is tried again.
            return;
        }
        tracing::debug!(table = self.id, seat, notice, "a seat changes");
        let message = MESSAGES.say(notice, [("name", name.into())]);
        self.watchers.tell(&ServerMessage::Notice { game: self.id.clone(), message });
    }
}
