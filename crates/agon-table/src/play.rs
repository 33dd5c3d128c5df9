//! What moves the match on: players, bots, passes that have to be made, and clocks.

use std::time::Duration;

use agon_answers::score::ScoreScale;
use agon_core::Player;
use agon_erased::{Limits, Thought, default_bot};
use agon_match::{Abort, Action, Board, BoardOrder, End, Fault, Millis, Move, Occupant, Seat};
use agon_messages::Refused;
use agon_protocol::web::{ClientAction, RefusalCode, ServerMessage, Thinking};

use crate::actions::{self, Setting, TableAction};
use crate::bots::{ASK_AGAIN, BotTurn, go_on, has_bots, only_bots, only_bots_play_on};
use crate::command::{BotNews, MoveAttempt, Question};
use crate::effect::{BotQuestion, Effect, Effects, Purpose};
use crate::followers::TELL_EVERY;
use crate::hints::Hint;
use crate::online::charged;
use crate::settings::{FailingBots, RaceBots};
use crate::table::{Table, Transaction};
use crate::time::Now;
use crate::view::changes::{self, answer_by_rules};
use crate::view::states::score_state;
use crate::{ConnectionId, VisitorId};

/// How often a table is looked after at which nothing is going on.
const QUIET: Duration = Duration::from_secs(20);
/// How long a hint may take.
const HINT_TIME: Duration = Duration::from_secs(1);
/// How much of the line that a bot expects is told.
const TOLD_LINE: usize = 12;

impl Table {
    /// What a player asks for.
    pub(crate) fn requested_action(
        &self,
        by: &VisitorId,
        action: ClientAction,
    ) -> Result<TableAction, Refused> {
        let holds = |seat| self.holds(by, seat);
        let action = actions::requested_action(&self.game, action, &self.house.bots, holds)?;
        let is_owners = matches!(action, TableAction::Set(_) | TableAction::Play(_, Action::ReplaceSeat(..)));
        // Whoever is done need not wait for bots that play on among themselves.
        let is_harmless = matches!(action, TableAction::Set(Setting::Skip | Setting::Pace(_)))
            && self.is_player(by)
            && only_bots_play_on(&self.game);
        if is_owners && self.settings.online.is_some() && !is_harmless {
            return Err(Refused::plain(RefusalCode::Forbidden, "refused.online"));
        }
        if matches!(action, TableAction::Set(_)) && !has_bots(&self.game) {
            return Err(Refused::plain(RefusalCode::State, "refused.no-bots"));
        }
        Ok(action)
    }

    /// The move that a player means. Online the way through the network is given back, as far as it has been measured; a move that
    /// comes too late even so has lost.
    pub(crate) fn requested_move(
        &self,
        by: &VisitorId,
        attempt: MoveAttempt,
        now: Now,
    ) -> Result<TableAction, Refused> {
        let delay = attempt.delay;
        let (board, mv) = actions::requested_move(&self.game, attempt, |seat| self.holds(by, seat))?;
        if self.settings.online.is_none() || !self.game.has_clock() {
            return Ok(TableAction::Play(board, Action::Move(mv)));
        }
        let game = &self.game.boards()[board];
        let left = game.clocks().left(mv.seat, Millis::ZERO);
        let action = match charged(game.thinking_time(self.time(now)), delay, left) {
            Some(spent) => Action::Move(Move { spent: Some(spent), ..mv }),
            None => Action::Fault { seat: mv.seat, reason: Fault::Time, detail: String::new() },
        };
        Ok(TableAction::Play(board, action))
    }

    /// Makes a change that somebody has asked for, as a part of `change`.
    pub(crate) fn make(
        &mut self,
        action: TableAction,
        change: &mut Transaction,
        now: Now,
        out: &mut Effects,
    ) -> Result<(), Refused> {
        match action {
            TableAction::Play(board, action) => self.game.apply(board, action, self.time(now))?,
            TableAction::Set(setting) => self.set_bots(setting, change, out),
        }
        Ok(())
    }

    /// Sets how the bots play, as a part of `change`.
    pub(crate) fn set_bots(&mut self, setting: Setting, change: &mut Transaction, out: &mut Effects) {
        let mut settings = self.settings.clone();
        match setting {
            Setting::Paused(paused) => {
                settings.paused = paused;
                self.live.bots.reset_steps();
                if paused {
                    self.live.bots.silence(out);
                }
            }
            Setting::Step => {
                if !settings.paused {
                    self.live.bots.silence(out);
                }
                settings.paused = true;
                self.live.bots.add_step();
            }
            Setting::Pace(pace) => settings.pace = pace,
            Setting::Skip => {
                settings.paused = false;
                self.live.bots.set_skipping(true);
                change.tells_settings = true;
            }
        }
        if settings != self.settings {
            self.set_settings(settings, change);
            change.tells_settings = true;
        }
    }

    /// Has a change stored, and tells what has come of it. `message` is what the follower calls it who has asked for it.
    pub(crate) fn finish(&mut self, change: Transaction, message: Option<&str>, now: Now, out: &mut Effects) {
        if self.house.waiting_stops_clocks {
            self.set_clocks(now);
        }
        let (known, tells_settings) = (change.events, change.tells_settings);
        self.commit(change, message, now, out);
        // What is skipped is told once, when nothing is left to be skipped.
        let may_bots_move = (0..self.game.boards().len()).any(|board| self.bot_to_move(board).is_some());
        let is_skipping = self.live.bots.is_skipping() && may_bots_move;
        self.live.bots.set_skipping(is_skipping);
        if self.game.event_count() > known {
            self.live.bots.drop_stale(&self.game, out);
            self.live.hints.refuse(out);
            let may_tell = !is_skipping && self.live.told.may_tell(now);
            if message.is_some() || self.game.is_over() || may_tell {
                self.flush(now, out);
            }
        }
        if tells_settings {
            self.flush(now, out);
            self.tell_update(self.game.event_count() as u64, Vec::new(), out);
        }
    }

    /// Stops the clocks of boards on which a bot is to move that is held up, and lets all others run.
    fn set_clocks(&mut self, now: Now) {
        for board in 0..self.game.boards().len() {
            let game = &self.game.boards()[board];
            let Some(seat) = game.to_move().filter(|_| !self.game.is_waiting(board)) else { continue };
            let is_bot = !game.seats()[seat.index()].is_person();
            let stops = is_bot && self.live.bots.is_held_up(board, self.settings.paused);
            let action = match (stops, game.is_paused()) {
                (true, false) => Action::Pause,
                (false, true) => Action::Resume,
                _ => continue,
            };
            // It fits the state of the board, so it is not refused.
            let _ = self.game.apply(board, action, self.time(now));
        }
    }

    /// Does what is due.
    pub(crate) fn tick(&mut self, now: Now, out: &mut Effects) {
        if self.rests_until(now).is_some() {
            return;
        }
        // Bots that move faster wake the table more often than it tells anything.
        if !self.live.bots.is_skipping() && self.live.told.may_tell(now) {
            self.flush(now, out);
        }
        self.note_presence(now, out);
        let mut change = self.begin(out);
        let mut notices = self.welcome_back(now);
        notices.extend(self.give_up_left_seats(now));
        notices.extend(self.do_without_absent(now));
        while let Some((board, due)) = self.due()
            && due <= self.time(now)
            && self.game.apply(board, Action::Tick, self.time(now)).is_ok()
        {}
        for board in 0..self.game.boards().len() {
            self.play_found(board, now);
        }
        let is_rematch = self.rematch_without_absent(&mut change, now);
        self.finish(change, None, now, out);
        self.tell_notices(notices, now, out);
        if is_rematch {
            self.tell_rematch(out);
        }
        self.tell_clocks(now, out);
    }

    /// When something happens by itself, and on which board: a person passes who can do nothing else, or somebody's time is up. Clocks
    /// stand while the table rests, and a bot that thinks too long is not late.
    pub(crate) fn due(&self) -> Option<(usize, Millis)> {
        let boards = self.game.boards().iter().enumerate();
        let people = boards.filter(|(_, board)| board.due_person().is_some());
        let due = people.filter_map(|(index, board)| Some((index, board.due()?)));
        let due = due.chain(self.game.deadline().map(|deadline| (0, deadline)));
        due.min_by_key(|(_, due)| *due).filter(|_| !self.live.presences.rests())
    }

    /// The least time between moves of bots.
    fn pace(&self) -> Duration {
        if self.live.bots.is_skipping() {
            Duration::ZERO
        } else {
            Duration::from_millis(self.settings.pace.into())
        }
    }

    /// The bot that is to move on a board and may.
    pub fn bot_to_move(&self, board: usize) -> Option<Player> {
        let game = &self.game.boards()[board];
        let may_move = !self.game.is_waiting(board)
            && !game.is_paused()
            && !self.live.bots.is_held_up(board, self.settings.paused)
            && !self.waits_for_person(board);
        game.to_move().filter(|seat| may_move && !game.seats()[seat.index()].is_person())
    }

    /// Whether a bot that races somebody move for move has made as many moves as the person.
    fn waits_for_person(&self, board: usize) -> bool {
        let is_person = |board: &&Board| board.seats().iter().any(Seat::is_person);
        let boards = self.game.boards();
        self.house.race_bots == RaceBots::MoveForMove
            && self.game.order() == BoardOrder::Together
            && !self.live.bots.is_skipping()
            && boards.iter().find(is_person).is_some_and(|own| {
                let is_own = std::ptr::eq(own, &boards[board]);
                !is_own && own.end().is_none() && boards[board].moves_made() >= own.moves_made()
            })
    }

    /// Has the bots think whose turn it is, or has all of them stop, and says when to look after the table again.
    pub(crate) fn settle(&mut self, now: Now, out: &mut Effects) {
        self.live.standing = self.standing_clocks(now).count();
        self.consult(now, out);
        out.push(Effect::WakeAt(self.next_wake(now)));
    }

    /// Whether bots are to think: some play, and somebody follows the game or has until a moment ago.
    fn wants_bots(&self, now: Now) -> bool {
        let left_for = self.followers.left_for(now);
        has_bots(&self.game)
            && !self.game.is_over()
            && go_on(!self.followers.is_empty(), only_bots(&self.game), left_for)
    }

    fn consult(&mut self, now: Now, out: &mut Effects) {
        if !self.wants_bots(now) {
            self.live.bots.silence(out);
            self.live.bots.give_back_permission(out);
            return;
        }
        let is_paused = self.live.bots.are_paused(self.settings.paused);
        if self.rests_until(now).is_some() || is_paused || !self.live.bots.ask_permission(now, out) {
            return;
        }
        let mut boards: Vec<usize> = (0..self.game.boards().len()).collect();
        // Where not all may move, it is the turn of those who have made the fewest moves.
        boards.sort_by_key(|board| self.game.boards()[*board].moves_made());
        for board in boards {
            if self.live.bots.turn(board).is_none()
                && self.live.bots.may_another_move(self.settings.paused)
                && let Some(seat) = self.bot_to_move(board)
            {
                self.ask_bot(board, seat, out);
            }
        }
    }

    fn ask_bot(&mut self, board: usize, seat: Player, out: &mut Effects) {
        let game = &self.game.boards()[board];
        let number = self.live.bots.next_number();
        let occupant = game.seats()[seat.index()].occupant.clone();
        let question = self.question(Purpose::Move, number, board, seat, occupant.clone(), game.limits(seat));
        let ply = game.session().len();
        self.live.bots.begin(board, BotTurn { number, seat, occupant, ply, place: 0, found: None });
        out.push(Effect::AskBot(Box::new(question)));
    }

    fn question(
        &self,
        purpose: Purpose,
        number: u64,
        board: usize,
        seat: Player,
        occupant: Occupant,
        limits: Limits,
    ) -> BotQuestion {
        let game = &self.game.boards()[board];
        let (rules, session, seed) = (game.rules().clone(), game.session().fork(), game.bot_seed(seat));
        BotQuestion { number, purpose, board, seat, occupant, rules, session, limits, seed }
    }

    /// When to look after the table at the latest.
    fn next_wake(&self, now: Now) -> Duration {
        if let Some(until) = self.rests_until(now) {
            return until;
        }
        let (time, bots) = (self.time(now), &self.live.bots);
        let mut wait = QUIET;
        for (index, board) in self.game.boards().iter().enumerate() {
            if let Some(turn) = bots.turn(index) {
                let is_held = turn.found.is_some();
                wait = wait.min(if is_held { board.time_until(self.pace(), time) } else { ASK_AGAIN });
            }
        }
        for due in self.due().map(|(_, due)| due).into_iter().chain(self.standing_clocks(now)) {
            wait = wait.min(due.minus(time).into());
        }
        if let Some(left) = self.attendance(now).and_then(|attendance| self.live.presences.wait(attendance)) {
            wait = wait.min(left);
        }
        if let Some(left) = self.rematch_wait(now) {
            wait = wait.min(left);
        }
        if self.live.presences.has_returning() || self.is_agreed_without_absent(now) {
            wait = Duration::ZERO;
        }
        if self.live.told.seq < self.game.event_count() as u64 && !bots.is_skipping() {
            wait = wait.min(TELL_EVERY);
        }
        let may_ask = self.wants_bots(now) && !bots.are_paused(self.settings.paused);
        if let Some(at) = bots.asks_again().filter(|_| may_ask) {
            wait = wait.min(at.saturating_sub(now.monotonic));
        }
        now.monotonic + wait
    }

    /// Plays a move that a bot has found, if the pace allows it.
    fn play_found(&mut self, board: usize, now: Now) {
        let (pace, time) = (self.pace(), self.time(now));
        let waits = !self.game.boards()[board].time_until(pace, time).is_zero();
        let is_found = self.live.bots.turn(board).is_some_and(|turn| turn.found.is_some());
        if waits || !is_found {
            return;
        }
        let Some(BotTurn { seat, found: Some((thought, spent)), .. }) = self.live.bots.end_turn(board) else {
            return;
        };
        let action = Action::Move(Move::of_thought(seat, &thought, spent.into()));
        match self.game.apply(board, action, time) {
            Ok(()) => self.live.bots.moved(),
            Err(refusal) => self.bot_failed(board, seat, refusal.to_string(), now),
        }
    }

    /// A bot cannot go on: it is asked again, and in the end it has lost; or somebody has to decide.
    fn bot_failed(&mut self, board: usize, seat: Player, reason: String, now: Now) {
        match self.house.failing_bots {
            FailingBots::Wait => self.live.bots.fail(board, seat, reason),
            FailingBots::Forfeit if self.live.bots.may_try_again() => {}
            FailingBots::Forfeit => {
                let fault = Action::Fault { seat, reason: Fault::Crash, detail: reason };
                if self.game.apply(board, fault, self.time(now)).is_err() {
                    // A bot that plays on for somebody who has left cannot leave in turn.
                    let abort = Action::Conclude(End::Aborted { reason: Abort::Stopped });
                    let _ = self.game.apply(board, abort, self.time(now));
                }
            }
        }
    }

    /// Hears of a bot.
    pub(crate) fn hear_bot(&mut self, number: u64, news: BotNews, now: Now, out: &mut Effects) {
        let Some((board, turn)) = self.live.bots.turn_of(number) else {
            return self.hear_hint(number, news, out);
        };
        let (seat, ply) = (turn.seat, turn.ply);
        match news {
            BotNews::Waiting(place) => {
                if std::mem::replace(&mut turn.place, place) != place {
                    self.tell_all(ServerMessage::Waiting { game: self.id.clone(), board, place }, out);
                }
            }
            BotNews::Thought(thought) => self.tell_thought(board, seat, ply, &thought, out),
            BotNews::Answer(thought, spent) => {
                turn.found = Some((thought.clone(), spent));
                // Quick moves need no thoughts beside them.
                if spent >= TELL_EVERY {
                    self.tell_thought(board, seat, ply, &thought, out);
                }
                let change = self.begin(out);
                self.play_found(board, now);
                self.finish(change, None, now, out);
            }
            BotNews::Failed(reason) => {
                self.live.bots.end_turn(board);
                let change = self.begin(out);
                self.bot_failed(board, seat, reason, now);
                self.finish(change, None, now, out);
            }
        }
    }

    fn tell_thought(
        &self,
        board: usize,
        seat: Player,
        ply: usize,
        thought: &Thought<String>,
        out: &mut Effects,
    ) {
        if self.hides_help() || self.followers.is_empty() || self.live.bots.is_skipping() {
            return;
        }
        let game = &self.game.boards()[board];
        let scale = ScoreScale::of(&**game.rules(), &game.seats()[seat.index()].occupant);
        let seconds = thought.elapsed.as_secs_f64();
        let thinking = Thinking {
            game: self.id.clone(),
            board,
            seat: seat.index(),
            ply,
            depth: thought.depth,
            nodes: thought.nodes,
            nodes_per_second: if seconds > 0.0 { (thought.nodes as f64 / seconds) as u64 } else { 0 },
            score: thought.score.map(|score| score_state(score, &scale)),
            line: thought.line.iter().take(TOLD_LINE).cloned().collect(),
        };
        self.tell_all(ServerMessage::Thinking(Box::new(thinking)), out);
    }

    /// Answers a question about a board.
    pub(crate) fn ask(
        &mut self,
        from: ConnectionId,
        id: &str,
        board: usize,
        question: &Question,
        out: &mut Effects,
    ) -> Result<(), Refused> {
        let Some(visitor) = self.followers.visitor(from) else { return Ok(()) };
        let game = changes::board(&self.game, board)?;
        match answer_by_rules(game, id, question)? {
            Some(answer) => out.tell(from, answer),
            None => self.ask_hint(from, &visitor, id, board, out)?,
        }
        Ok(())
    }

    fn ask_hint(
        &mut self,
        from: ConnectionId,
        visitor: &VisitorId,
        id: &str,
        board: usize,
        out: &mut Effects,
    ) -> Result<(), Refused> {
        if !self.is_player(visitor) {
            return Err(Refused::plain(RefusalCode::Forbidden, "refused.not-seated"));
        }
        if self.hides_help() {
            return Err(Refused::plain(RefusalCode::Forbidden, "refused.no-help"));
        }
        if self.live.hints.is_awaited_by(from) {
            return Err(Refused::plain(RefusalCode::Limit, "refused.one-analysis"));
        }
        let game = &self.game.boards()[board];
        let seat = game.due_person().filter(|_| !self.game.is_waiting(board));
        let seat = seat.ok_or_else(|| Refused::plain(RefusalCode::State, "refused.hint"))?;
        let (number, ply) = (self.live.bots.next_number(), game.session().len());
        let occupant = Occupant::Bot(default_bot(&**game.rules()));
        let limits = Limits::of_time(HINT_TIME);
        let question = self.question(Purpose::Hint, number, board, seat, occupant, limits);
        self.live.hints.insert(from, Hint { number, id: id.to_owned(), board, ply });
        out.push(Effect::AskBot(Box::new(question)));
        Ok(())
    }

    /// Passes a hint on to whoever asked for it.
    fn hear_hint(&mut self, number: u64, news: BotNews, out: &mut Effects) {
        if !matches!(news, BotNews::Answer(..) | BotNews::Failed(_)) {
            return;
        }
        let Some((to, Hint { id, board, ply, .. })) = self.live.hints.take(number) else { return };
        let game = &self.game.boards()[board];
        match news {
            BotNews::Answer(thought, _) if game.session().len() == ply => {
                let scale = ScoreScale::of(&**game.rules(), &Occupant::Bot(default_bot(&**game.rules())));
                let score = thought.score.map(|score| score_state(score, &scale));
                out.tell(to, ServerMessage::Hinted { id, ply, token: thought.best, score });
            }
            _ => out.answer(to, id, Err(Refused::plain(RefusalCode::Stale, "refused.stale"))),
        }
    }
}
