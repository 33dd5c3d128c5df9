//! What those who follow a table are told about it.

use std::time::Duration;

use agon_protocol::web::api::TableSummary;
use agon_protocol::web::{BoardUpdate, ServerMessage, TableState, Update};
use agon_records::date_text;
use tokio::time::Instant;

use super::actor::Actor;
use super::picture::seat_states;
use super::scene::{Sight, bare_state, board_update, touched};
use super::summary::{Course, Place};
use super::watchers::Told;
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
        let events = self.play.events_since(from as usize);
        // What was withheld until the end is told with it.
        let reveals = self.settings.online.is_some() && self.play.is_over();
        if reveals || events.iter().any(|(_, event)| event.changes_seats()) {
            return self.tell_state();
        }
        let boards = touched(&events).into_iter().map(|board| self.board_update(board, from)).collect();
        let update = self.update(from, seq, boards);
        self.watchers.tell_update(update);
    }

    pub(super) fn update(&self, from: u64, seq: u64, boards: Vec<BoardUpdate>) -> Update {
        let TableSettings { pace, paused, .. } = self.settings;
        Update { game: self.id.clone(), from, seq, boards, paused, pace, ranking: self.play.ranking() }
    }

    /// What has changed on a board since the event with the number `from`.
    fn board_update(&mut self, board: usize, from: u64) -> BoardUpdate {
        let sight = self.sight();
        let events = self.play.events_since(from as usize);
        let mut update = board_update(&self.play, board, &events, &mut self.told[board], sight);
        update.facts.stopped |= self.presences.rests();
        update
    }

    fn sight(&self) -> Sight {
        Sight { now: self.now(), hides_help: self.hides_help() }
    }

    /// Tells everybody how the boards stand although nothing has been played.
    pub(super) fn tell_facts(&mut self) {
        self.flush();
        let seq = self.play.event_count() as u64;
        let boards = (0..self.play.boards().len()).map(|board| self.board_update(board, seq)).collect();
        let update = self.update(seq, seq, boards);
        self.watchers.tell_update(update);
    }

    /// Tells everybody everything.
    pub(super) fn tell_state(&mut self) {
        self.told = self.play.boards().iter().map(Told::of).collect();
        self.watchers.forget_updates();
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
            ..bare_state(&self.id, &self.created, &self.play, self.sight())
        };
        for board in &mut state.boards {
            board.facts.stopped |= self.presences.rests();
        }
        state
    }

    pub(super) fn place(&self) -> Place {
        Place::of(&self.play, self.settings.online.as_ref().map(|online| online.name.as_str()))
    }

    /// When the table is to be looked after although nobody may follow it.
    pub(super) fn next_deadline(&self) -> Option<u64> {
        let online = self.settings.online.as_ref().filter(|_| !self.play.is_over())?;
        Some(self.hall.deadline(&online.terms))
    }

    pub(super) fn summary(&self, visitor: VisitorId) -> TableSummary {
        let place = self.place();
        let quiet: Duration = self.now().minus(self.play.last_time()).into();
        TableSummary {
            id: self.id.clone(),
            created: self.created.clone(),
            updated: date_text(std::time::SystemTime::now() - quiet),
            watchers: self.watchers.len(),
            public: self.settings.online.as_ref().is_some_and(|online| online.terms.public),
            ..place.summary(Course::of(&self.play), |seat| self.holds(&visitor, seat))
        }
    }
}
