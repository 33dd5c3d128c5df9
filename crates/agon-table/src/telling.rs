//! What those who follow a table are told about it, and what others see of it.

use std::time::Duration;

use agon_core::Message;
use agon_core::text::date_text;
use agon_match::{Event, LogEvent};
use agon_messages::Refused;
use agon_protocol::web::api::{PlyList, TableSummary};
use agon_protocol::web::online::OnlineState;
use agon_protocol::web::{BoardFacts, BoardUpdate, ServerMessage, TableState, Update};

use crate::VisitorId;
use crate::command::Follower;
use crate::effect::Effects;
use crate::presence::is_stood_in;
use crate::settings::TableSettings;
use crate::table::Table;
use crate::time::{Now, TimeLine};
use crate::view::changes::{
    PlyRange, Viewpoint, bare_state, known_event, plies, record, unchanged_board, updates_since,
};
use crate::view::states::seat_states;
use crate::view::summary::TableStatus;

/// Lines of a record that say what bots thought.
const THOUGHTS: [&str; 2] = ["x-scores", "x-depths"];

impl Table {
    pub(crate) fn join(
        &mut self,
        follower: Follower,
        id: String,
        since: Option<u64>,
        now: Now,
        out: &mut Effects,
    ) {
        self.flush(now, out);
        let seq = self.game.event_count() as u64;
        let seat_moved = self.settings.online.as_ref().map(|online| online.seat_moved);
        let since = known_event(since, seq).filter(|since| seat_moved.is_none_or(|moved| moved < *since));
        match since.and_then(|since| Some((since, self.updates_since(since, now)?))) {
            Some((since, mut boards)) => {
                // Even where nothing was played clocks may have been stopped or set back: the table may have
                // been opened anew.
                let is_told = |board: &usize| boards.iter().any(|update| update.board == *board);
                let others: Vec<usize> =
                    (0..self.game.boards().len()).filter(|board| !is_told(board)).collect();
                boards.extend(self.unchanged_boards(others, now));
                let update = Box::new(self.update(since, boards));
                out.tell(follower.id, ServerMessage::Event(update));
            }
            None => self.tell_state_to(follower, now, out),
        }
        self.tell_company(follower, now, out);
        out.answer(follower.id, id, Ok(Some(seq)));
        self.followers.insert(follower);
        self.tell_watchers(out);
        let own = self.settings.online.as_ref().map(|online| online.seats_of(&follower.visitor));
        self.live.presences.welcome(own.unwrap_or_default());
        self.note_presence(now, out);
        self.come_back(&follower.visitor, now, out);
        let change = self.begin(out);
        let notices = self.welcome_back(now);
        self.finish(change, None, now, out);
        self.tell_notices(notices, now, out);
    }

    /// Lets a game begin that these follow from the lobby on.
    pub(crate) fn begin_with(&mut self, followers: &[Follower], now: Now, out: &mut Effects) {
        followers.iter().for_each(|follower| self.followers.insert(*follower));
        for follower in followers {
            self.tell_state_to(*follower, now, out);
            self.tell_company(*follower, now, out);
        }
        self.tell_watchers(out);
        self.note_presence(now, out);
    }

    /// Tells what has happened and was not told yet.
    pub(crate) fn flush(&mut self, now: Now, out: &mut Effects) {
        let Some(from) = self.live.told.advance(self.game.event_count() as u64, now) else { return };
        if self.followers.is_empty() {
            return;
        }
        match self.updates_since(from, now) {
            Some(boards) => self.tell_update(from, boards, out),
            None => self.tell_state(now, out),
        }
    }

    /// What has changed on the boards since the event with the number `from`; `None` if all has to be told anew.
    fn updates_since(&self, from: u64, now: Now) -> Option<Vec<BoardUpdate>> {
        // What was withheld until the end is told with it, and withheld again if the end is taken back.
        let takes_back = |entry: LogEvent| matches!(entry.event, Event::TakenBack { .. });
        let mut events = self.game.events(usize::try_from(from).ok()?);
        if self.settings.online.is_some() && (self.game.is_over() || events.any(takes_back)) {
            return None;
        }
        let mut boards = updates_since(&self.game, from, self.viewpoint(now))?;
        self.note_rest(boards.iter_mut().map(|update| &mut update.facts));
        Some(boards)
    }

    /// Tells everybody what has changed since the event with the number `from`.
    pub(crate) fn tell_update(&self, from: u64, boards: Vec<BoardUpdate>, out: &mut Effects) {
        self.tell_all(ServerMessage::Event(Box::new(self.update(from, boards))), out);
    }

    /// What those are told who know the events up to `from`.
    fn update(&self, from: u64, boards: Vec<BoardUpdate>) -> Update {
        let TableSettings { pace, paused, .. } = self.settings;
        let seq = self.game.event_count() as u64;
        let (skipping, ranking) = (self.live.bots.is_skipping(), self.game.ranking());
        Update { game: self.id.clone(), from, seq, boards, paused, pace, skipping, ranking }
    }

    /// Clocks stand while the table rests.
    fn note_rest<'a>(&self, facts: impl Iterator<Item = &'a mut BoardFacts>) {
        let rests = self.live.presences.rests();
        facts.for_each(|facts| facts.stopped |= rests);
    }

    /// Tells everybody how the boards stand if a clock runs on that stood because of an interruption.
    pub(crate) fn tell_clocks(&mut self, now: Now, out: &mut Effects) {
        if self.standing_clocks(now).count() < self.live.standing && !self.game.is_over() {
            self.tell_facts(now, out);
        }
    }

    fn viewpoint(&self, now: Now) -> Viewpoint {
        Viewpoint { now: self.time(now), hides_help: self.hides_help() }
    }

    /// Tells everybody how the boards stand although nothing has been played.
    fn tell_facts(&mut self, now: Now, out: &mut Effects) {
        self.flush(now, out);
        let boards = self.unchanged_boards(0..self.game.boards().len(), now);
        self.tell_update(self.game.event_count() as u64, boards, out);
    }

    /// How these boards stand, on which nothing has been played.
    fn unchanged_boards(&self, boards: impl IntoIterator<Item = usize>, now: Now) -> Vec<BoardUpdate> {
        let viewpoint = self.viewpoint(now);
        let update = |board| unchanged_board(&self.game, board, viewpoint);
        let mut boards: Vec<BoardUpdate> = boards.into_iter().map(update).collect();
        self.note_rest(boards.iter_mut().map(|update| &mut update.facts));
        boards
    }

    /// Tells everybody everything.
    pub(crate) fn tell_state(&self, now: Now, out: &mut Effects) {
        for follower in self.followers.iter() {
            self.tell_state_to(follower, now, out);
        }
    }

    fn tell_state_to(&self, follower: Follower, now: Now, out: &mut Effects) {
        let state = Box::new(self.state(follower.visitor, now));
        out.tell(follower.id, ServerMessage::State { game: self.id.clone(), state });
    }

    pub(crate) fn tell_watchers(&self, out: &mut Effects) {
        self.tell_all(ServerMessage::Watchers { game: self.id.clone(), count: self.followers.len() }, out);
    }

    /// Tells a follower who begins to follow the table what its state has not told if it was only brought up to date.
    fn tell_company(&self, follower: Follower, now: Now, out: &mut Effects) {
        let Some(attendance) = self.attendance(now) else { return };
        let (game, online) = (self.id.clone(), attendance.online);
        let (seats, spectators) = (self.live.presences.of_seats(attendance), self.spectators());
        out.tell(follower.id, ServerMessage::Presence { game: game.clone(), seats, spectators });
        if self.game.is_over() {
            let rematch = online.rematch.clone();
            out.tell(follower.id, ServerMessage::Rematch { game: game.clone(), rematch });
        }
        let lines = self.chat.heard_by(&follower.visitor, &online.muted);
        out.tell(follower.id, ServerMessage::Chat { game, lines });
    }

    /// Notices who is there, lets the clocks run if all are back, and tells it if anything has changed.
    pub(crate) fn note_presence(&mut self, now: Now, out: &mut Effects) {
        let Some(online) = &self.settings.online else { return };
        let attendance =
            crate::presence::Attendance { online, followers: &self.followers, game: &self.game, now };
        if self.live.presences.note(attendance) {
            self.live.time = TimeLine::new(now, self.game.last_time());
            self.tell_facts(now, out);
        }
        self.tell_presence(now, out);
    }

    /// Tells who is there if that has changed.
    pub(crate) fn tell_presence(&mut self, now: Now, out: &mut Effects) {
        let Some(online) = &self.settings.online else { return };
        let spectators = self.spectators();
        let attendance =
            crate::presence::Attendance { online, followers: &self.followers, game: &self.game, now };
        if let Some(seats) = self.live.presences.news(attendance, spectators) {
            self.tell_all(ServerMessage::Presence { game: self.id.clone(), seats, spectators }, out);
        }
    }

    /// Tells what has become of the seats of those who left or came back.
    pub(crate) fn tell_notices(&mut self, notices: Vec<Message>, now: Now, out: &mut Effects) {
        for message in notices {
            self.tell_all(ServerMessage::Notice { game: self.id.clone(), message }, out);
        }
        self.tell_presence(now, out);
    }

    /// How many browsers look on that hold no seat.
    fn spectators(&self) -> usize {
        self.followers.count(|visitor| !self.is_player(visitor))
    }

    /// The table as a visitor sees it.
    pub fn state(&self, visitor: VisitorId, now: Now) -> TableState {
        let TableSettings { pace, paused, online } = &self.settings;
        let mut seats = seat_states(&self.game, |seat| self.holds(&visitor, seat));
        let presences = self.attendance(now).map(|attendance| self.live.presences.of_seats(attendance));
        for (index, seat) in seats.iter_mut().enumerate() {
            seat.presence = presences.as_ref().and_then(|presences| *presences.get(index)?);
            seat.stand_in = is_stood_in(&self.game, online.as_ref(), index);
            seat.program = online.as_ref().is_some_and(|online| online.players[index].program);
        }
        let mut state = TableState {
            owner: visitor == self.owner && online.is_none(),
            seats,
            pace: *pace,
            paused: *paused,
            skipping: self.live.bots.is_skipping(),
            watchers: self.followers.len(),
            spectators: self.spectators(),
            online: self.online_state(&visitor),
            ..bare_state(&self.id, &self.created, &self.game, self.viewpoint(now))
        };
        self.note_rest(state.boards.iter_mut().map(|board| &mut board.facts));
        state
    }

    /// What online play adds to the state of the game, as a visitor sees it.
    fn online_state(&self, visitor: &VisitorId) -> Option<OnlineState> {
        let online = self.settings.online.as_ref()?;
        let is_muted = |holder: VisitorId| online.muted.contains(&(*visitor, holder));
        Some(OnlineState {
            name: online.name.clone(),
            terms: online.terms.clone(),
            hidden: self.hides_help(),
            held: online.seats_of(visitor),
            muted: online.holders().filter(|(_, holder)| is_muted(*holder)).map(|(seat, _)| seat).collect(),
            rematch: online.rematch.clone(),
        })
    }

    /// What lists show of the table to a visitor.
    pub fn summary(&self, visitor: VisitorId, now: Now) -> TableSummary {
        let quiet: Duration = self.time(now).minus(self.game.last_time()).into();
        let rules = self.game.rules();
        TableSummary {
            id: self.id.clone(),
            created: self.created.clone(),
            updated: date_text(now.seconds.saturating_sub(quiet.as_secs())),
            watchers: self.followers.len(),
            public: self.settings.online.as_ref().is_some_and(|online| online.terms.public),
            ..self
                .header()
                .summary(Some(&**rules), TableStatus::of(&self.game), |seat| self.holds(&visitor, seat))
        }
    }

    /// The record of what has been played, as everybody may have it.
    pub fn record(&self) -> String {
        let mut record = record(&self.game, &self.created);
        if self.hides_help() {
            record.extra.retain(|(name, _)| !THOUGHTS.contains(&name.as_str()));
        }
        record.to_string()
    }

    /// Some plies of a board.
    ///
    /// # Errors
    /// If there is no such board.
    pub fn plies(&self, board: usize, range: PlyRange) -> Result<PlyList, Refused> {
        plies(&self.game, board, range, self.hides_help())
    }
}
