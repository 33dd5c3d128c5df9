//! What moves a table on besides its people: bots, passes that have to be made, and clocks.

use std::time::Duration;

use agon_answers::score::ScoreScale;
use agon_core::Player;
use agon_erased::{Thought, default_bot};
use agon_match::{Action, Fault, Millis, Move, Occupant};
use agon_protocol::web::{RefusalCode, ServerMessage, Thinking};
use tokio::time::Instant;

use super::actor::{Actor, TELL_EVERY, answer};
use super::bots::{BotTurn, REST, go_on, has_bots, only_bots};
use super::picture::score_state;
use super::{Ask, Command, ConnectionId, Follower, scene};
use crate::bots::{BotKey, News, Question, think};
use crate::words::Refused;

/// How often those who wait for a bot hear of its place in the line, and other things are looked after.
const LOOK_AROUND: Duration = Duration::from_millis(500);
/// How often a table is looked after at which nothing is going on.
const QUIET: Duration = Duration::from_secs(20);
/// How long a hint may take.
const HINT_TIME: Duration = Duration::from_secs(1);

impl Actor {
    /// Has the bots think whose turn it is, or has all of them stop.
    pub(super) fn consult(&mut self) {
        let wanted = has_bots(&self.play) && !self.play.is_over() && self.somebody_looks();
        if !wanted {
            self.bots.silence();
            if self.has_claim {
                self.tables.release(&self.claimant(), &self.id);
                self.has_claim = false;
            }
            return;
        }
        let rests = self.bots.rests_until.is_some_and(|until| Instant::now() < until);
        if rests || (self.settings.paused && self.bots.steps == 0) {
            return;
        }
        if !self.has_claim {
            self.has_claim = self.tables.claim(self.claimant(), &self.id);
            if !self.has_claim {
                return;
            }
        }
        for board in 0..self.play.boards().len() {
            self.consult_on(board);
        }
    }

    /// Whether anybody follows the game, or has until a moment ago.
    fn somebody_looks(&self) -> bool {
        go_on(!self.watchers.is_empty(), only_bots(&self.play), self.left_at.elapsed())
    }

    fn consult_on(&mut self, board: usize) {
        let game = &self.play.boards()[board];
        let Some(seat) = game.due_bot().filter(|_| !self.play.is_waiting(board)) else { return };
        if self.bots.turns[board].is_some() {
            return;
        }
        let (occupant, ply) = (game.seats()[seat.index()].occupant.clone(), game.session().len());
        let Occupant::Bot(spec) = &occupant else { return };
        let rules = game.rules().clone();
        let question = Question {
            time: self.tables.limits().bots.time(&*rules, spec, game.limits(seat).time),
            key: BotKey { table: self.id.clone(), board, seat, occupant },
            session: game.session().fork(),
            seed: game.bot_seed(seat),
            is_analysis: false,
            rules,
        };
        let number = self.bots.number();
        let handle = self.handle.clone();
        let ticket = self.tables.pool().submit(self.claimant(), move |worker| {
            think(worker, &question, |news| {
                let is_passing = matches!(news, News::Thought(_));
                let command = Command::Bot { board, number, news };
                // What a bot thinks on the way may be lost; its answer may not.
                let _ = if is_passing {
                    handle.try_send(command).is_ok()
                } else {
                    handle.blocking_send(command).is_ok()
                };
            });
        });
        self.bots.turns[board] =
            Some(BotTurn { ticket: Some(ticket), number, seat, ply, place: 0, found: None });
    }

    /// When to look after the table at the latest.
    pub(super) fn next_wake(&self) -> Instant {
        let now = Instant::now();
        let time = self.now();
        let mut wait = QUIET;
        for (board, game) in self.play.boards().iter().enumerate() {
            if let Some(turn) = &self.bots.turns[board] {
                let pace = self.pace(board);
                wait = wait.min(if turn.found.is_some() { game.time_until(pace, time) } else { LOOK_AROUND });
            }
        }
        if let Some((_, due)) = self.due() {
            wait = wait.min(due.minus(time).into());
        }
        wait = wait.min(self.presence_wait().unwrap_or(wait));
        if self.told_seq < self.play.event_count() as u64 {
            wait = wait.min(TELL_EVERY);
        }
        if !self.has_claim && has_bots(&self.play) && !self.play.is_over() && !self.watchers.is_empty() {
            wait = wait.min(LOOK_AROUND);
        }
        if let Some(until) = self.bots.rests_until.filter(|until| *until > now) {
            wait = wait.min(until - now);
        }
        now + wait
    }

    /// When something happens by itself, and on which board: a person passes who can do nothing else, or somebody's time is up. Clocks
    /// stand while the table rests, and a bot that thinks too long is not late.
    fn due(&self) -> Option<(usize, Millis)> {
        let people = self.play.boards().iter().enumerate().filter(|(_, game)| game.due_person().is_some());
        let due = people.filter_map(|(board, game)| Some((board, game.due()?)));
        let due = due.chain(self.play.deadline().map(|deadline| (0, deadline)));
        due.min_by_key(|(_, due)| *due).filter(|_| !self.presences.rests())
    }

    /// The least time between moves of the bots on a board.
    fn pace(&self, board: usize) -> Duration {
        if self.bots.skipping[board] {
            Duration::ZERO
        } else {
            Duration::from_millis(self.settings.pace.into())
        }
    }

    /// Does what is due.
    pub(super) async fn look_around(&mut self) {
        self.flush();
        self.mind_leavers().await;
        while let Some((board, due)) = self.due()
            && due <= self.now()
            && self.play(board, Action::Tick, None).await.is_ok()
        {}
        for board in 0..self.play.boards().len() {
            self.play_found(board).await;
            self.tell_place(board);
        }
    }

    /// Plays a move that a bot has found, if the pace allows it.
    async fn play_found(&mut self, board: usize) {
        let (pace, now) = (self.pace(board), self.now());
        let game = &self.play.boards()[board];
        let slot = &mut self.bots.turns[board];
        let is_ready = |turn: &mut BotTurn| turn.found.is_some() && game.time_until(pace, now).is_zero();
        let Some(BotTurn { seat, found: Some((thought, spent)), .. }) = slot.take_if(is_ready) else {
            return;
        };
        let action = Action::Move(Move::of_thought(seat, &thought, spent.into()));
        match self.play(board, action, None).await {
            Ok(_) => self.bots.moved(),
            Err(refused) => {
                self.bot_failed(board, seat, refused.message.text.into_owned(), refused.code).await
            }
        }
    }

    /// A bot cannot go on: it is asked again, and in the end it has lost.
    async fn bot_failed(&mut self, board: usize, seat: Player, reason: String, code: RefusalCode) {
        tracing::warn!(table = self.id, reason, "a bot could not move");
        // It is not the bot's fault that nothing can be stored.
        if code == RefusalCode::Storage {
            self.bots.rests_until = Some(Instant::now() + REST);
            return;
        }
        if self.bots.may_try_again() {
            return;
        }
        let fault = Action::Fault { seat, reason: Fault::Crash, detail: reason };
        let _ = self.play(board, fault, None).await;
    }

    /// Tells how long a bot still has to wait.
    fn tell_place(&mut self, board: usize) {
        let Some(turn) = &mut self.bots.turns[board] else { return };
        let place = turn.ticket.as_ref().map_or(0, |ticket| ticket.place());
        if place != turn.place {
            turn.place = place;
            self.watchers.tell(&ServerMessage::Waiting { game: self.id.clone(), board, place });
        }
    }

    /// Hears of a bot.
    pub(super) async fn hear(&mut self, board: usize, number: u64, news: News) {
        let Some(turn) = self.bots.turn(board, number) else { return };
        match news {
            News::Begun => self.tell_place(board),
            News::Thought(thought) => {
                let (seat, ply) = (turn.seat, turn.ply);
                self.tell_thought(board, seat, ply, &thought);
            }
            News::Answer(thought, spent) => {
                turn.ticket = None;
                let (seat, ply) = (turn.seat, turn.ply);
                turn.found = Some((thought.clone(), spent));
                // Quick moves need no thoughts beside them.
                if spent >= TELL_EVERY {
                    self.tell_thought(board, seat, ply, &thought);
                }
                self.play_found(board).await;
            }
            News::Failed(reason) => {
                let seat = turn.seat;
                self.bots.turns[board] = None;
                self.bot_failed(board, seat, reason, RefusalCode::State).await;
            }
        }
    }

    fn tell_thought(&self, board: usize, seat: Player, ply: usize, thought: &Thought<String>) {
        if self.hides_help() {
            return;
        }
        let game = &self.play.boards()[board];
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
            line: thought.line.iter().take(12).cloned().collect(),
        };
        self.watchers.tell(&ServerMessage::Thinking(Box::new(thinking)));
    }

    /// Answers a question about a board.
    pub(super) fn ask(
        &mut self,
        follower: &Follower,
        id: &str,
        board: usize,
        question: Ask,
    ) -> Result<(), Refused> {
        let game = scene::board(&self.play, board)?;
        match scene::answer_by_rules(game, id, &question)? {
            Some(answer) => follower.outbox.say(&answer),
            None => self.ask_hint(follower, id.to_owned(), board)?,
        }
        Ok(())
    }

    fn ask_hint(&mut self, follower: &Follower, id: String, board: usize) -> Result<(), Refused> {
        if !self.is_player(&follower.visitor) {
            return Err(Refused::plain(RefusalCode::Forbidden, "refused.not-seated"));
        }
        if self.hides_help() {
            return Err(Refused::plain(RefusalCode::Forbidden, "refused.no-help"));
        }
        if self.hints.contains_key(&follower.id) {
            return Err(Refused::plain(RefusalCode::Limit, "refused.one-analysis"));
        }
        let game = &self.play.boards()[board];
        let seat = game.due_person().filter(|_| !self.play.is_waiting(board));
        let seat = seat.ok_or_else(|| Refused::plain(RefusalCode::State, "refused.hint"))?;
        let (ply, rules) = (game.session().len(), game.rules().clone());
        let occupant = Occupant::Bot(default_bot(&*rules));
        let question = Question {
            key: BotKey { table: format!("{} hint", self.id), board, seat, occupant },
            session: game.session().fork(),
            seed: game.bot_seed(seat),
            time: HINT_TIME,
            is_analysis: true,
            rules,
        };
        let (handle, to) = (self.handle.clone(), follower.id);
        let asked = id.clone();
        let ticket = self.tables.pool().submit(self.owner, move |worker| {
            think(worker, &question, |news| {
                if matches!(news, News::Answer(..) | News::Failed(_)) {
                    let _ = handle.blocking_send(Command::Hint { to, id: id.clone(), board, ply, news });
                }
            });
        });
        self.hints.insert(to, (asked, ticket));
        Ok(())
    }

    /// Gives up the hints that were asked for: the position is another.
    pub(super) fn refuse_hints(&mut self) {
        for (to, (id, _)) in std::mem::take(&mut self.hints) {
            if let Some(follower) = self.watchers.get(to) {
                answer(follower, id, Err(Refused::plain(RefusalCode::Stale, "refused.stale")));
            }
        }
    }

    /// Passes a hint on to whoever asked for it.
    pub(super) fn hear_hint(&mut self, to: ConnectionId, id: String, board: usize, ply: usize, news: News) {
        if self.hints.get(&to).is_none_or(|(asked, _)| *asked != id) {
            return;
        }
        self.hints.remove(&to);
        let Some(follower) = self.watchers.get(to) else { return };
        let game = &self.play.boards()[board];
        let is_current = game.session().len() == ply;
        match news {
            News::Answer(thought, _) if is_current => {
                let scale = ScoreScale::of(&**game.rules(), &Occupant::Bot(default_bot(&**game.rules())));
                let score = thought.score.map(|score| score_state(score, &scale));
                follower.outbox.say(&ServerMessage::Hinted { id, ply, token: thought.best, score });
            }
            _ => answer(follower, id, Err(Refused::plain(RefusalCode::Stale, "refused.stale"))),
        }
    }
}
