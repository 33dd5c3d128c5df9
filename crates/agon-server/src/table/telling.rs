//! What those who follow a table are told about it.

use std::time::Duration;

use agon_files::date_text;
use agon_protocol::web::api::TableSummary;
use agon_protocol::web::{BoardFacts, BoardUpdate, ServerMessage, TableState, Update};
use tokio::time::Instant;

use super::actor::Actor;
use super::picture::seat_states;
use super::scene::{Viewpoint, bare_state, unchanged_board, updates_since};
use super::summary::{TableHeader, TableStatus};
use super::{Follower, TableSettings};
use crate::store::VisitorId;

impl Actor {
    /// Tells what has happened and was not told yet.
    pub(super) fn flush(&mut self) {
        let (from, seq) = (self.told_seq, self.play.event_count() as u64);
        if from == seq {
            return;
        }
        self.told_seq = seq;
        self.told_at = Some(Instant::now());
        let Some(boards) = self.updates_since(from) else { return self.tell_state() };
        self.tell_update(from, boards);
    }

    /// What has changed on the boards since the event with the number `from`; `None` if all has to be told anew.
    pub(super) fn updates_since(&self, from: u64) -> Option<Vec<BoardUpdate>> {
        // What was withheld until the end is told with it.
        if self.settings.online.is_some() && self.play.is_over() {
            return None;
        }
        let mut boards = updates_since(&self.play, from, self.viewpoint())?;
        self.note_rest(boards.iter_mut().map(|update| &mut update.facts));
        Some(boards)
    }

    /// Tells everybody what has changed since the event with the number `from`.
    pub(super) fn tell_update(&self, from: u64, boards: Vec<BoardUpdate>) {
        self.watchers.tell(&ServerMessage::Event(Box::new(self.update(from, boards))));
    }

    /// What those are told who know the events up to `from`.
    pub(super) fn update(&self, from: u64, boards: Vec<BoardUpdate>) -> Update {
        let TableSettings { pace, paused, .. } = self.settings;
        let seq = self.play.event_count() as u64;
        Update { game: self.id.clone(), from, seq, boards, paused, pace, ranking: self.play.ranking() }
    }

    /// Clocks stand while the table rests.
    fn note_rest<'a>(&self, facts: impl Iterator<Item = &'a mut BoardFacts>) {
        let rests = self.presences.rests();
        facts.for_each(|facts| facts.stopped |= rests);
    }

    fn viewpoint(&self) -> Viewpoint {
        Viewpoint { now: self.now(), hides_help: self.hides_help() }
    }

    /// Tells everybody how the boards stand although nothing has been played.
    pub(super) fn tell_facts(&mut self) {
        self.flush();
        let viewpoint = self.viewpoint();
        let boards = 0..self.play.boards().len();
        let mut boards: Vec<BoardUpdate> =
            boards.map(|board| unchanged_board(&self.play, board, viewpoint)).collect();
        self.note_rest(boards.iter_mut().map(|update| &mut update.facts));
        self.tell_update(self.play.event_count() as u64, boards);
    }

    /// Tells everybody everything.
    pub(super) fn tell_state(&mut self) {
        for follower in self.watchers.iter() {
            self.tell_state_to(follower);
        }
    }

    pub(super) fn tell_state_to(&self, follower: &Follower) {
        let state = Box::new(self.state(follower.visitor));
        follower.outbox.say(&ServerMessage::State { game: self.id.clone(), state });
    }

    pub(super) fn tell_watchers(&self) {
        let (game, count) = (self.id.clone(), self.watchers.len());
        self.watchers.tell(&ServerMessage::Watchers { game, count });
    }

    pub(super) fn state(&self, visitor: VisitorId) -> TableState {
        let TableSettings { pace, paused, .. } = self.settings;
        let mut seats = seat_states(&self.play, |seat| self.holds(&visitor, seat));
        for (index, seat) in seats.iter_mut().enumerate() {
            seat.presence = self.presence(index);
            seat.stand_in = self.is_stood_in(index);
            let players = self.settings.online.as_ref().map(|online| &online.players);
            seat.program = players.is_some_and(|players| players[index].program);
        }
        let mut state = TableState {
            owner: visitor == self.owner && self.settings.online.is_none(),
            seats,
            pace,
            paused,
            watchers: self.watchers.len(),
            spectators: self.spectators(),
            online: self.online_state(&visitor),
            ..bare_state(&self.id, &self.created, &self.play, self.viewpoint())
        };
        self.note_rest(state.boards.iter_mut().map(|board| &mut board.facts));
        state
    }

    pub(super) fn header(&self) -> TableHeader {
        TableHeader::of(&self.play, self.settings.online.as_ref().map(|online| online.name.as_str()))
    }

    /// When the table is to be looked after although nobody may follow it.
    pub(super) fn next_deadline(&self) -> Option<u64> {
        let online = self.settings.online.as_ref().filter(|_| !self.play.is_over())?;
        Some(self.tables.deadline(&online.terms))
    }

    pub(super) fn summary(&self, visitor: VisitorId) -> TableSummary {
        let header = self.header();
        let quiet: Duration = self.now().minus(self.play.last_time()).into();
        TableSummary {
            id: self.id.clone(),
            created: self.created.clone(),
            updated: date_text(std::time::SystemTime::now() - quiet),
            watchers: self.watchers.len(),
            public: self.settings.online.as_ref().is_some_and(|online| online.terms.public),
            ..header.summary(Some(&**self.play.rules()), TableStatus::of(&self.play), |seat| {
                self.holds(&visitor, seat)
            })
        }
    }
}
