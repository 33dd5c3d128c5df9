//! What those who follow a table are told about it.

use std::time::Duration;

use agon_core::Player;
use agon_core::view::StepKind;
use agon_protocol::web::api::TableSummary;
use agon_protocol::web::{BoardUpdate, RefusalCode, ServerMessage, TableState, Update};
use agon_records::date_text;
use tokio::time::Instant;

use super::actor::Actor;
use super::bots::forced_pass;
use super::picture::{board_state, changed_cells, facts, ply_states, seat_states};
use super::play::LogEvent;
use super::summary::{Course, Place};
use super::watchers::Told;
use super::{Follower, TableSettings};
use crate::store::VisitorId;
use crate::words::Refused;

/// More moves than this are not shown one by one.
const SHOWN_STEPS: usize = 8;

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
        let mut boards: Vec<usize> = events.iter().map(|(board, _)| *board).collect();
        boards.sort_unstable();
        boards.dedup();
        let boards = boards.into_iter().map(|board| self.board_update(board, &events)).collect();
        let update = self.update(from, seq, boards);
        self.watchers.tell_update(update);
    }

    pub(super) fn update(&self, from: u64, seq: u64, boards: Vec<BoardUpdate>) -> Update {
        let TableSettings { pace, paused, .. } = self.settings;
        Update { game: self.id.clone(), from, seq, boards, paused, pace, ranking: self.play.ranking() }
    }

    fn board_update(&mut self, board: usize, events: &[(usize, LogEvent)]) -> BoardUpdate {
        let own = events.iter().filter(|(known, _)| *known == board).map(|(_, event)| event);
        let kept = own.filter_map(LogEvent::taken_back_to).fold(self.told[board].plies, usize::min);
        let game = &self.play.boards()[board];
        let mut seen = game.session().board();
        let cells = std::mem::take(&mut seen.cells);
        let changed = changed_cells(&self.told[board].cells, &cells);
        let total = game.session().len();
        let steps = if total - kept <= SHOWN_STEPS { game.session().steps_since(kept) } else { Vec::new() };
        let plies = ply_states(game, kept, total, self.hides_help());
        let mut facts = facts(&self.play, board, seen, self.now());
        facts.stopped |= self.presences.rests();
        let must_pass = matches!(facts.moves.as_slice(), [only] if only.kind == StepKind::Pass);
        self.told[board] = Told { cells, plies: total, must_pass };
        BoardUpdate { board, kept, plies, steps, cells: changed, facts }
    }

    pub(super) fn as_told(&self, board: usize) -> Told {
        let game = &self.play.boards()[board];
        let session = game.session();
        Told { cells: session.board().cells, plies: session.len(), must_pass: forced_pass(game).is_some() }
    }

    /// Tells everybody how the boards stand although nothing has been played.
    pub(super) fn tell_facts(&mut self) {
        self.flush();
        let seq = self.play.event_count() as u64;
        let boards = (0..self.play.boards().len()).map(|board| self.board_update(board, &[])).collect();
        let update = self.update(seq, seq, boards);
        self.watchers.tell_update(update);
    }

    /// Tells everybody everything.
    pub(super) fn tell_state(&mut self) {
        self.told = (0..self.play.boards().len()).map(|board| self.as_told(board)).collect();
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

    pub(super) fn tell_stop(&mut self) {
        let message = Refused::plain(RefusalCode::Stopping, "refused.stopping").message;
        let code = RefusalCode::Stopping;
        self.watchers.tell(&ServerMessage::Error { id: None, code, message, field: None });
    }

    pub(super) fn state(&self, visitor: VisitorId) -> TableState {
        let owner = visitor == self.owner && self.settings.online.is_none();
        let now = self.now();
        let policy = &self.play.boards()[0].policy().time;
        let TableSettings { pace, paused, .. } = self.settings;
        let mut seats = seat_states(&self.play, |seat| self.holds(&visitor, seat));
        for (index, seat) in seats.iter_mut().enumerate() {
            seat.presence = self.presence(index);
            seat.stand_in = self.is_stood_in(index);
            let players = self.settings.online.as_ref().map(|online| &online.players);
            seat.program = players.is_some_and(|players| players[index].program);
        }
        let hides_help = self.hides_help();
        let board = |board: usize| {
            let mut state = board_state(&self.play, board, now, hides_help);
            state.facts.stopped |= self.presences.rests();
            state
        };
        TableState {
            id: self.id.clone(),
            seq: self.play.event_count() as u64,
            game: self.play.rules().spec().id.to_owned(),
            options: self.play.rules().options(),
            mode: self.play.mode(),
            created: self.created.clone(),
            owner,
            seats,
            clock: policy.control(Player(0)).to_string(),
            pace,
            paused,
            boards: (0..self.play.boards().len()).map(board).collect(),
            ranking: self.play.ranking(),
            watchers: self.watchers.len(),
            spectators: self.spectators(),
            online: self.online_state(&visitor),
            styles: self.play.rules().spec().styles.to_vec(),
        }
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
