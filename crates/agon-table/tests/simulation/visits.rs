//! What visitors, drivers and time do to a table.

use std::time::Duration;

use agon_core::view::{Gesture, Heading, Spot};
use agon_match::{Action, Millis, MoveRequest};
use agon_protocol::web::online::AbsenceChoice;
use agon_protocol::web::{ClientAction, RefusalCode, TableState};
use agon_table::{Command, ConnectionId, Follower, MoveAttempt, Question, Setting, TableSettings};

use crate::checks;
use crate::clients::{Answer, Client, Message, Sent};
use crate::scenario::{VISITORS, visitor};
use crate::store::key_hash;
use crate::world::World;

/// What must be as before when a command is refused.
#[derive(Debug, PartialEq)]
struct Standing {
    events: usize,
    settings: TableSettings,
    lines: usize,
    keys: usize,
}

impl World {
    /// Has the first visitors come, as the dice say.
    pub(crate) fn begin(&mut self) {
        self.open();
        if self.table.is_some() && self.dice.percent(30) {
            let followers: Vec<(ConnectionId, usize)> =
                (0..VISITORS - 1).map(|visitor| (self.clients.new_connection(), visitor)).collect();
            for (connection, visitor) in &followers {
                self.insert_client(*connection, *visitor);
            }
            let follower = |&(id, by): &(ConnectionId, usize)| Follower { id, visitor: visitor(by) };
            self.command(Command::Begin(followers.iter().map(follower).collect()));
        } else {
            self.join();
        }
    }

    /// Has one thing happen.
    pub(crate) fn step(&mut self) {
        match self.dice.below(100) {
            0..30 => self.let_time_pass(),
            30..62 => self.move_somehow(),
            62..74 => self.act(),
            74..80 => self.join(),
            80..84 => self.leave(),
            84..89 => self.ask(),
            89..93 => self.send_again(),
            93..95 => self.take_seat(),
            95 => self.look_after(),
            96 => {
                self.command(Command::Tick);
            }
            97..99 => self.drive_somehow(),
            _ => {
                if self.table.is_some() && self.troubles.crash > 0 {
                    self.crash();
                }
            }
        }
        self.catch_up();
        self.forget_idle();
        if self.dice.percent(3) {
            checks::nothing_is_lost(self);
        }
    }

    /// Has everybody hear of everything, and holds it against what there is.
    pub(crate) fn end(&mut self) {
        self.troubles.crash = 0;
        self.troubles.store = 0;
        self.troubles.are_bots_silent = true;
        self.bots.fall_silent();
        self.open();
        self.pass_time(self.clock + Duration::from_secs(7), false);
        if self.clients.here.is_empty() {
            self.join();
        }
        self.command(Command::Tick);
        self.pass_time(self.clock + Duration::from_millis(40), false);
        self.open();
        // What is skipped is not told before its end, for which bots that have fallen silent let everybody wait.
        let is_told = !self.table().is_skipping();
        let here: Vec<ConnectionId> = self.clients.here.keys().copied().filter(|_| is_told).collect();
        let count = self.table().game().event_count() as u64;
        for connection in here {
            let picture = self.clients.here[&connection].picture.as_ref();
            assert!(picture.is_none_or(|picture| picture.seq() == count), "somebody is not told the end");
            checks::picture_is_true(self, connection);
        }
        checks::nothing_is_lost(self);
        self.summary.finished += usize::from(self.table().game().is_over());
        self.command(Command::Stop);
    }

    fn let_time_pass(&mut self) {
        let millis = match self.dice.below(20) {
            0..5 => self.dice.below(50),
            5..10 => self.dice.below(1000),
            10..14 => self.dice.below(4000),
            14..17 => self.dice.below(15_000),
            17 => 70_000,
            18 => *self.dice.pick(&[130_000, 610_000]),
            _ => {
                self.date_shift += self.dice.below(3 * 24 * 3600) as u64;
                0
            }
        };
        let is_late = self.dice.percent(10);
        self.pass_time(self.clock + Duration::from_millis(millis as u64), is_late);
    }

    fn insert_client(&mut self, connection: ConnectionId, visitor: usize) {
        let client = Client { visitor, picture: None, waiting: [].into(), heard: 0 };
        self.clients.here.insert(connection, client);
    }

    /// Somebody comes, or comes back.
    fn join(&mut self) {
        let by = self.dice.below(VISITORS);
        self.join_as(by);
    }

    fn join_as(&mut self, by: usize) {
        self.open();
        let connection = self.clients.new_connection();
        self.insert_client(connection, by);
        let known = self.clients.known[by].clone();
        let client = self.clients.here.get_mut(&connection).expect("just inserted");
        let since = match (self.dice.below(10), known) {
            (0, _) => Some(self.dice.below(80) as u64),
            (1..7, Some(known)) => {
                let seq = known.seq();
                client.picture = Some(known);
                Some(seq)
            }
            _ => None,
        };
        let id = self.clients.new_message(by);
        self.clients.here.get_mut(&connection).expect("just inserted").waiting.insert(id.clone());
        let follower = Follower { id: connection, visitor: visitor(by) };
        self.clients.answers.clear();
        if self.command(Command::Join { follower, id: id.clone(), since }) {
            let answers = self.answers_to(connection, &id);
            assert!(matches!(answers[..], [Answer::Done(Some(_))]), "who joins is answered {answers:?}");
            if self.dice.percent(60) {
                checks::picture_is_true_if_told(self, connection);
            }
            self.resend(connection);
        }
    }

    fn leave(&mut self) {
        let Some(connection) = self.somebody() else { return };
        self.clients.leave(connection);
        self.model.left_at = self.clock;
        self.command(Command::Leave(connection));
    }

    fn somebody(&mut self) -> Option<ConnectionId> {
        let here: Vec<ConnectionId> = self.clients.here.keys().copied().collect();
        (!here.is_empty() && self.table.is_some()).then(|| *self.dice.pick(&here))
    }

    fn standing(&self) -> Standing {
        Standing {
            events: self.table().game().event_count(),
            settings: self.table().settings().clone(),
            lines: self.store.chat.len(),
            keys: self.store.keys.len(),
        }
    }

    /// Sends a message under a new name.
    fn send(&mut self, connection: ConnectionId, message: Message) {
        let by = self.clients.here[&connection].visitor;
        let id = self.clients.new_message(by);
        self.clients.sent.push(Sent { visitor: by, id, message, answer: None, is_known: false });
        self.deliver_sent(connection, self.clients.sent.len() - 1);
    }

    /// Sends what a visitor has sent before, whether or not it was answered.
    fn send_again(&mut self) {
        let Some(connection) = self.somebody() else { return };
        let by = self.clients.here[&connection].visitor;
        let sent = &self.clients.sent;
        let own: Vec<usize> = (0..sent.len()).filter(|index| sent[*index].visitor == by).collect();
        if !own.is_empty() {
            let index = *self.dice.pick(&own);
            self.deliver_sent(connection, index);
        }
    }

    /// Sends what a visitor was not answered before the connection was lost.
    fn resend(&mut self, connection: ConnectionId) {
        let by = self.clients.here[&connection].visitor;
        for index in 0..self.clients.sent.len() {
            let sent = &self.clients.sent[index];
            let is_open =
                sent.visitor == by && sent.answer.is_none() && !matches!(sent.message, Message::Ask(..));
            if is_open && self.clients.here.contains_key(&connection) {
                self.deliver_sent(connection, index);
            }
        }
    }

    fn deliver_sent(&mut self, connection: ConnectionId, index: usize) {
        let Sent { visitor: by, id, message, answer: known, is_known } = self.clients.sent[index].clone();
        let client = self.clients.here.get_mut(&connection).expect("connected");
        if !client.waiting.insert(id.clone()) {
            return;
        }
        let was_done = is_known && matches!(known, Some(Answer::Done(_)));
        self.summary.repeated += usize::from(was_done);
        let before = self.standing();
        self.fails_next = self.troubles.store > 0 && self.dice.percent(5);
        let seen: Option<TableState> = self.fails_next.then(|| self.table().state(visitor(by), self.now()));
        self.has_failed = false;
        self.clients.answers.clear();
        self.model.expect_setting(&message, by, &id, was_done);
        let is_open = self.command(message.clone().command(connection, id.clone()));
        self.fails_next = false;
        self.model.expect_nothing();
        if !is_open {
            return;
        }
        let answers = self.answers_to(connection, &id);
        let is_hint = matches!(message, Message::Ask(_, Question::Hint));
        let answer = match &answers[..] {
            [] if is_hint => return,
            [answer] => answer.clone(),
            answers => panic!("{id} is answered {answers:?}"),
        };
        let is_hand_over = matches!(message, Message::Act(ClientAction::HandOver { .. }));
        match &answer {
            Answer::Refused(code) => {
                self.summary.refused += 1;
                assert_eq!(self.standing(), before, "something is refused and has changed nevertheless");
                let is_fast = *code == RefusalCode::TooFast;
                assert!(!is_fast || self.model.talks_much(by, self.clock), "somebody is cut short");
                assert!(!was_done || is_hint, "what was done is refused when it is sent again");
                assert!(
                    self.has_failed == (*code == RefusalCode::Storage) || is_hint,
                    "the wrong reason is given"
                );
                if self.has_failed
                    && let Some(seen) = &seen
                {
                    let now = self.table().state(visitor(by), self.now());
                    assert_eq!(*seen, now, "a store has failed, and something has changed nevertheless");
                }
            }
            Answer::Done(_) if was_done => {
                assert_eq!(self.standing(), before, "a message that was sent again has acted again");
            }
            Answer::Done(_) if matches!(message, Message::Move(_)) => self.summary.moves += 1,
            Answer::Done(_) | Answer::Told => {
                assert!(!self.has_failed, "something is done that could not be stored");
                if self.store.chat.len() > before.lines {
                    assert!(!self.model.talks_much(by, self.clock), "somebody talks too much");
                    self.model.spoke.push((by, self.clock));
                    self.check_hearers();
                }
            }
        }
        if !is_hand_over && !matches!(message, Message::Ask(..)) && !was_done {
            self.clients.sent[index].is_known = matches!(answer, Answer::Done(_));
            self.clients.sent[index].answer = Some(answer);
        }
    }

    /// How a message has been answered by now.
    fn answers_to(&self, connection: ConnectionId, id: &str) -> Vec<Answer> {
        let own = |(to, answered, _): &&(ConnectionId, String, Answer)| *to == connection && answered == id;
        self.clients.answers.iter().filter(own).map(|(_, _, answer)| answer.clone()).collect()
    }

    /// Everybody hears a new line who does not mute whoever said it.
    fn check_hearers(&self) {
        let seq = self.store.chat.len() as u64;
        let (_, last) = self.store.chat.last().expect("somebody has spoken");
        let speaker = checks::speaker(last);
        let online = self.table().settings().online.as_ref().expect("people talk online");
        for client in self.clients.here.values() {
            let is_muted = online.muted.contains(&(visitor(client.visitor), speaker));
            assert_eq!(client.heard == seq, !is_muted, "the wrong people hear a line");
        }
    }

    fn move_somehow(&mut self) {
        let Some(mut connection) = self.somebody() else { return self.join() };
        let game = self.table.as_ref().expect("somebody is there").game();
        let boards = 0..game.boards().len();
        let due: Vec<usize> = boards.filter(|board| game.boards()[*board].due_person().is_some()).collect();
        let mut board = if due.is_empty() { 0 } else { *self.dice.pick(&due) };
        // Mostly the one moves whose turn it is, and comes to do so.
        if let Some(player) = game.boards()[board].due_person()
            && self.dice.percent(85)
        {
            let seat = game.seat(board, player);
            let own = |client: &Client| self.holds(client.visitor, seat);
            match self.clients.here.iter().find(|(_, client)| own(client)) {
                Some((own, _)) => connection = *own,
                None => {
                    let holder = (0..VISITORS).find(|visitor| self.holds(*visitor, seat));
                    let comes = self.dice.percent(60);
                    return self.join_as(holder.filter(|_| comes).unwrap_or(VISITORS - 1));
                }
            }
        }
        let game = self.table.as_ref().expect("somebody is there").game();
        let session = game.boards()[board].session();
        let legal = session.legal();
        let mut ply = session.len();
        let token = if legal.is_empty() { String::new() } else { self.dice.pick(&legal).clone() };
        let request = match self.dice.below(20) {
            0 => MoveRequest::Token("z99".to_owned()),
            1 => MoveRequest::Typed(format!(" {} ", token.to_uppercase())),
            2 => MoveRequest::Gesture(self.gesture()),
            _ => MoveRequest::Token(token),
        };
        match self.dice.below(20) {
            0 => ply += 1,
            1 => ply = ply.saturating_sub(1),
            2 => board = 7,
            _ => {}
        }
        let delay = Millis(self.dice.below(200) as u64);
        self.send(connection, Message::Move(MoveAttempt { board, ply, request, delay }));
    }

    /// Whether a visitor holds a seat.
    fn holds(&self, by: usize, seat: usize) -> bool {
        match &self.table().settings().online {
            Some(online) => online.holds(&visitor(by), seat),
            None => by == 0,
        }
    }

    fn gesture(&mut self) -> Gesture {
        if self.dice.percent(50) {
            return Gesture::Slide { heading: Heading::Left };
        }
        let spot = |dice: &mut crate::dice::Dice| Spot::new(dice.below(9), dice.below(9));
        let places = (0..1 + self.dice.below(2)).map(|_| spot(&mut self.dice)).collect();
        Gesture::Point { places }
    }

    fn act(&mut self) {
        let Some(connection) = self.somebody() else { return self.join() };
        let seat = self.dice.below(4);
        let board = if self.dice.percent(90) { 0 } else { self.dice.below(3) };
        let (accept, pace) = (self.dice.percent(70), *self.dice.pick(&[0, 300, 5000, 99_999]));
        let is_over = self.table().game().is_over();
        let action = match self.dice.below(if is_over { 30 } else { 28 }) {
            0..4 => ClientAction::TakeBack { board },
            4 | 5 => ClientAction::AnswerTakeBack { accept },
            6 => ClientAction::Resign { board },
            7 => ClientAction::OfferDraw,
            8 => ClientAction::AnswerDraw { accept },
            9 => ClientAction::Pause,
            10 | 11 => ClientAction::Resume,
            12 | 13 => ClientAction::Step,
            14 => ClientAction::Pace { millis: pace },
            15 => ClientAction::Skip,
            16 | 17 => {
                let occupant = *self.dice.pick(&["human", "random", "nobody", "jsonl:true"]);
                ClientAction::Seat { seat, occupant: occupant.to_owned() }
            }
            18..21 => return self.talk(connection),
            21 => ClientAction::Mute { seat, muted: accept },
            22 => ClientAction::HandOver { seat },
            23 => ClientAction::Leave,
            24..28 if !is_over => {
                let choices = [AbsenceChoice::Wait, AbsenceChoice::Bot, AbsenceChoice::End];
                ClientAction::DecideAbsence { choice: *self.dice.pick(&choices) }
            }
            _ => ClientAction::Rematch { accept },
        };
        self.send(connection, Message::Act(action));
    }

    /// Somebody says something, or too much.
    fn talk(&mut self, connection: ConnectionId) {
        let lines = if self.dice.percent(20) { 7 } else { 1 };
        for line in 0..lines {
            if self.clients.here.contains_key(&connection) {
                let text = format!("line {line}");
                self.send(connection, Message::Act(ClientAction::Say { text, name: None }));
            }
        }
    }

    fn ask(&mut self) {
        let Some(connection) = self.somebody() else { return };
        let board = self.dice.below(2);
        let question = match self.dice.below(4) {
            0 => Question::Explain(self.gesture()),
            1 => Question::Look(self.dice.below(10)),
            _ => Question::Hint,
        };
        self.send(connection, Message::Ask(board, question));
    }

    /// Somebody follows a link to a seat.
    fn take_seat(&mut self) {
        let keys: Vec<_> = self.store.keys.iter().map(|(key, seat)| (*key, *seat)).collect();
        let (key, seat) = if keys.is_empty() || self.dice.percent(20) {
            (key_hash("nonsense"), self.dice.below(4))
        } else {
            *self.dice.pick(&keys)
        };
        let by = self.dice.below(VISITORS);
        self.model.seat_taken = None;
        self.open();
        let before = self.standing();
        let is_good = self.store.keys.get(&key) == Some(&seat);
        if self.command(Command::TakeSeat { seat, visitor: visitor(by), key }) {
            let taken = self.model.seat_taken.take().expect("who takes a seat is answered");
            assert!(is_good || !taken, "a seat is taken without a key");
            if taken {
                let online = self.table().settings().online.as_ref().expect("seats move online");
                assert!(online.holds(&visitor(by), seat) && !self.store.keys.contains_key(&key));
            } else {
                assert_eq!(self.standing(), before, "a seat is not taken, and something has changed");
            }
        }
        self.model.seat_taken = None;
    }

    /// The server looks for games whose time is up.
    fn look_after(&mut self) {
        let date = self.now().seconds + self.dice.below(2) as u64 * 3 * 24 * 3600;
        self.open();
        let is_due = self.store.deadline.is_some_and(|deadline| deadline <= date);
        let game = self.table().game();
        // Where days are given for moves, nobody is late while a bot is to move.
        let is_late = game.boards().iter().any(|board| board.due_person().is_some());
        let has_days =
            self.table().settings().online.as_ref().is_some_and(|online| online.terms.days.is_some());
        if is_due || self.dice.percent(20) {
            let known = self.store.events.len();
            self.has_failed = false;
            if self.command(Command::Overdue(date)) && !self.has_failed {
                let acts = is_due && (is_late || !has_days);
                assert_eq!(self.store.events.len() > known, acts, "games are looked after whose time is up");
            }
        }
    }

    /// What a terminal does, which plays at the table itself.
    fn drive_somehow(&mut self) {
        if self.store.settings.contains("\"online\"") {
            return;
        }
        self.open();
        self.model.steps_before = Some(self.model.steps);
        match self.dice.below(5) {
            0 => self.drive("retry", |table, now| {
                let board = table.failure().map_or(0, |(board, ..)| board);
                table.retry_bot(board, now)
            }),
            1 => {
                self.model.steps += 1;
                self.drive("step", |table, now| table.set(Setting::Step, now))
            }
            2 => {
                let paused = self.dice.percent(30);
                self.model.steps = 0;
                self.drive("pause or resume", |table, now| table.set(Setting::Paused(paused), now))
            }
            _ => {
                let action = match self.dice.below(3) {
                    0 => Action::Tick,
                    1 => Action::RequestTakeBack(agon_core::Player(0), agon_match::TakeBackTo::Choice),
                    _ => Action::DeclineTakeBack(agon_core::Player(0)),
                };
                let apply =
                    |table: &mut agon_table::Table, now| table.apply(0, action, now).unwrap_or_default();
                self.drive("apply", apply)
            }
        };
        self.model.steps_before = None;
    }
}
