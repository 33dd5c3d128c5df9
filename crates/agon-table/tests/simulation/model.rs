//! What is to be expected of a table, in the simplest way to say it.

use std::time::Duration;

use agon_match::{Event, Match};
use agon_protocol::web::ClientAction;
use agon_table::Table;
use agon_table::online::Online;

use crate::clients::{Clients, Message};
use crate::scenario::visitor;

/// How long clocks rest for those who are not back yet, once the first player is.
const RETURN: Duration = Duration::from_secs(10);
/// How long nothing is done of its own accord after something could not be stored.
const REST: Duration = Duration::from_secs(1);

/// Whether the clocks rest until the players are back.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Rest {
    #[default]
    Over,
    Nobody,
    Until(Duration),
}

#[derive(Default)]
pub(crate) struct Model {
    rest: Rest,
    /// Since when the holder of each seat is away.
    away: Vec<Option<Duration>>,
    /// Until when the table does nothing of its own accord.
    pub(crate) rests_until: Duration,
    /// How many moves the bots may make although they wait.
    pub(crate) steps: u32,
    /// How many these were before what the driver does, should it turn out that it cannot be stored.
    pub(crate) steps_before: Option<u32>,
    /// Whether the bots were to wait after the last command.
    pub(crate) was_paused: bool,
    /// When the last follower left, or the table was opened.
    pub(crate) left_at: Duration,
    /// When permission for bots was asked for that is not given back.
    pub(crate) asked_permission: Option<Duration>,
    /// Who has said something, and when.
    pub(crate) spoke: Vec<(usize, Duration)>,
    /// What becomes of `steps` once this message has been acknowledged.
    expected: Option<(String, u32)>,
    /// How a taking of a seat was answered.
    pub(crate) seat_taken: Option<bool>,
}

impl Model {
    pub(crate) fn open(&mut self, table: &Table, now: Duration) {
        let game = table.game();
        let online = table.settings().online.as_ref();
        let rests = online.is_some() && (game.has_clock() || game.deadline().is_some());
        *self = Self {
            rest: if rests { Rest::Nobody } else { Rest::Over },
            away: vec![None; online.map_or(0, |online| online.players.len())],
            left_at: now,
            ..Self::default()
        };
    }

    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    pub(crate) fn store_failed(&mut self, now: Duration) {
        self.rests_until = now + REST;
        self.steps = self.steps_before.take().unwrap_or(self.steps);
    }

    /// Whether the clocks rest.
    pub(crate) fn rests(&self) -> bool {
        self.rest != Rest::Over
    }

    /// Whether somebody follows the game, or has until a minute ago and only bots play.
    pub(crate) fn is_observed(&self, game: &Match, clients: &Clients, now: Duration) -> bool {
        let only_bots = game.boards().iter().flat_map(|board| board.seats()).all(|seat| !seat.is_person());
        !clients.here.is_empty() || (only_bots && now - self.left_at < crate::scenario::UNWATCHED)
    }

    /// Notices who is there. A table does so when somebody comes or goes, and whenever it is woken.
    pub(crate) fn note_presence(&mut self, online: Option<&Online>, clients: &Clients, now: Duration) {
        let Some(online) = online else { return };
        let is_here = |holder| clients.here.values().any(|client| visitor(client.visitor) == holder);
        let here: Vec<Option<bool>> =
            online.players.iter().map(|player| player.holder.map(is_here)).collect();
        if self.rest == Rest::Nobody && here.contains(&Some(true)) {
            self.rest = Rest::Until(now + RETURN);
        }
        if self.rest == Rest::Nobody {
            return;
        }
        for (away, here) in self.away.iter_mut().zip(&here) {
            *away = (*here == Some(false)).then(|| away.unwrap_or(now));
        }
        if let Rest::Until(until) = self.rest
            && (until <= now || !here.contains(&Some(false)))
        {
            self.rest = Rest::Over;
        }
    }

    /// When the absence of somebody who is waited for, or the rest of the clocks, is over.
    pub(crate) fn absence_ends(&self, game: &Match, online: &Online) -> Option<Duration> {
        let grace = Duration::from_secs(online.terms.grace.into());
        let is_waited_for = |seat: usize| {
            let (board, player) = game.locate(seat).expect("a seat");
            let board = &game.boards()[board];
            game.has_clock() && board.end().is_none() && board.seats()[player.index()].is_person()
        };
        let seats = self.away.iter().enumerate().filter(|(seat, _)| is_waited_for(*seat));
        let ends = seats.filter_map(|(_, away)| Some((*away)? + grace));
        let rest = if let Rest::Until(until) = self.rest { Some(until) } else { None };
        ends.chain(rest).min()
    }

    /// Whether somebody has said so much lately that they may say no more.
    pub(crate) fn talks_much(&self, visitor: usize, now: Duration) -> bool {
        let is_lately = |(by, at): &&(usize, Duration)| *by == visitor && now - *at < Duration::from_secs(10);
        self.spoke.iter().filter(is_lately).count() >= 5
    }

    /// Expects a message to change how many moves the bots may make, unless it was done before.
    pub(crate) fn expect_setting(&mut self, message: &Message, id: &str, was_done: bool) {
        let steps = match message {
            Message::Act(ClientAction::Step) => self.steps + 1,
            Message::Act(ClientAction::Pause | ClientAction::Resume) => 0,
            _ => self.steps,
        };
        self.expected = (!was_done).then(|| (id.to_owned(), steps));
    }

    pub(crate) fn expect_nothing(&mut self) {
        self.expected = None;
    }

    /// Notes that a message was acknowledged.
    pub(crate) fn acknowledged(&mut self, id: &str) {
        if let Some((_, steps)) = self.expected.take_if(|(expected, _)| expected == id) {
            self.steps = steps;
        }
    }

    /// Counts the moves that bots have made since there were so many events.
    pub(crate) fn note_bot_moves(&mut self, table: &Table, known: usize) {
        for entry in table.game().events(known) {
            if let Event::Played(played) = entry.event
                && let Some(seat) = played.seat
                && !table.game().boards()[entry.board].seats()[seat.index()].is_person()
            {
                self.steps = self.steps.saturating_sub(1);
            }
        }
    }
}
