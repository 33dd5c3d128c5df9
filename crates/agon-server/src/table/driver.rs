//! The task of one table: it hands commands to the [`Table`] and does what the table wants to have done, in that order.

use std::collections::{HashMap, VecDeque};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use agon_match::{Match, Occupant};
use agon_messages::Refused;
use agon_protocol::web::ServerMessage;
use agon_table::view::changes::finished;
use agon_table::{
    BotNews, BotQuestion, Command, Effect, Now, Opening, Purpose, StoreFailure, Table, VisitorId, Write,
};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until};

use super::watchers::Watchers;
use super::{TableHandle, TaskCommand};
use crate::bots::{BotKey, Question, Requester, Ticket, think};
use crate::random;
use crate::store::StoreError;
use crate::tables::Tables;

/// How many commands may wait for a table.
const COMMANDS: usize = 256;
/// How long a table stays in memory after the last browser has left it.
const KEEP: Duration = Duration::from_secs(120);
/// About how much room a table takes by itself, in bytes, and how much each event and each ply adds.
const TABLE_BYTES: usize = 24 << 10;
const EVENT_BYTES: usize = 40;
const PLY_BYTES: usize = 24;
/// How many more events have to be there, besides twice as many as before, for that to be noted.
const MORE_EVENTS: usize = 256;

/// About how much room a table takes at which this is played, in bytes.
pub fn size_of(game: &Match) -> usize {
    let plies: usize = game.boards().iter().map(|board| board.session().len()).sum();
    TABLE_BYTES + EVENT_BYTES * game.event_count() + PLY_BYTES * plies
}

/// Starts the task of a table.
pub fn spawn(tables: Arc<Tables>, opening: Opening) -> TableHandle {
    let (handle, commands) = mpsc::channel(COMMANDS);
    let epoch = Instant::now();
    let (table, first) = Table::open(opening, Now { monotonic: epoch.elapsed(), seconds: tables.date() });
    let driver = Driver {
        tables,
        table,
        epoch,
        watchers: Watchers::default(),
        address: Ipv4Addr::UNSPECIFIED.into(),
        questions: HashMap::new(),
        claimed_by: None,
        wake: epoch,
        seat_taker: None,
        noted: None,
        is_retired: false,
        handle: handle.clone(),
    };
    tokio::spawn(driver.run(commands, first));
    handle
}

struct Driver {
    tables: Arc<Tables>,
    table: Table,
    /// When the table's clock showed zero.
    epoch: Instant,
    watchers: Watchers,
    /// Where the last one came from who began to follow the table, in whose turn its bots think.
    address: IpAddr,
    /// The questions that bots have been asked, and the place in the line that the table last heard of.
    questions: HashMap<u64, (Ticket, usize)>,
    /// In whose name its bots may think at the moment. A seat that moves to another browser can change in whose name they would.
    claimed_by: Option<Requester>,
    /// When the table is to be woken.
    wake: Instant,
    /// Whether anybody follows the table, and of how many events, as it was last noted.
    noted: Option<(bool, usize)>,
    /// Whether it is to leave memory as soon as it can.
    is_retired: bool,
    /// Who waits to hear whether a seat has been taken.
    seat_taker: Option<oneshot::Sender<Result<(), Refused>>>,
    handle: TableHandle,
}

impl Driver {
    async fn run(mut self, mut commands: mpsc::Receiver<TaskCommand>, first: Vec<Effect>) {
        self.perform(first).await;
        let mut alarm = std::pin::pin!(sleep_until(self.wake));
        loop {
            // To be woken too early does no harm, and putting the alarm off after every move would cost more.
            if self.wake < alarm.deadline() || alarm.is_elapsed() {
                alarm.as_mut().reset(self.wake);
            }
            tokio::select! {
                command = commands.recv() => match command {
                    Some(TaskCommand::Stop(done)) => {
                        self.handle_command(Command::Stop).await;
                        let _ = done.send(());
                        break;
                    }
                    Some(TaskCommand::HandOver(done)) => {
                        self.release_bots();
                        // Whoever tells it something from now on waits for what comes after it.
                        commands.close();
                        let unheard = std::iter::from_fn(|| commands.try_recv().ok()).collect();
                        self.tables.forget(self.table.id(), None, || true);
                        let _ = done.send((self.watchers.take(), unheard));
                        break;
                    }
                    Some(command) => self.obey(command).await,
                    None => break,
                },
                () = &mut alarm => {
                    self.tell_places().await;
                    self.handle_command(Command::Tick).await;
                }
            }
            self.note_followed();
            if self.leaves_memory(|| commands.is_empty()) {
                break;
            }
        }
        self.release_bots();
    }

    /// Gives back the place among those of its claimant at whose tables bots may think, if there is one.
    fn release_bots(&mut self) {
        if let Some(claimant) = self.claimed_by.take() {
            self.tables.release(claimant, self.table.id());
        }
    }

    /// Notes whether anybody follows the table, if that has changed or it has grown.
    fn note_followed(&mut self) {
        let (is_followed, events) = (!self.watchers.is_empty(), self.table.game().event_count());
        let is_known = |(was_followed, before): (bool, usize)| {
            was_followed == is_followed && (!is_followed || events <= 2 * before + MORE_EVENTS)
        };
        if !self.noted.is_some_and(is_known) {
            self.noted = Some((is_followed, events));
            self.is_retired = false;
            let by = self.watchers.first().map(|follower| follower.requester);
            self.tables.note_followed(self.table.id(), by, size_of(self.table.game()));
        }
    }

    /// Leaves memory if nobody would miss the table there, and says whether it does.
    fn leaves_memory(&self, is_quiet: impl FnOnce() -> bool) -> bool {
        // Nearly always somebody follows it, and the clock need not be looked at.
        if !self.watchers.is_empty() {
            return false;
        }
        let rest = self.table.rest(self.now()).filter(|rest| self.is_retired || rest.left_for >= KEEP);
        rest.is_some_and(|rest| self.tables.forget(self.table.id(), rest.clock, is_quiet))
    }

    fn now(&self) -> Now {
        Now { monotonic: self.epoch.elapsed(), seconds: self.tables.date() }
    }

    /// In whose name bots think at this table: that of its owner, or its own where several people play.
    fn claimant(&self) -> VisitorId {
        if self.table.is_shared() { random::visitor(self.table.id()) } else { self.table.owner() }
    }

    async fn obey(&mut self, command: TaskCommand) {
        match command {
            TaskCommand::Join { connection, id, since } => {
                let follower = connection.at_table();
                self.address = connection.requester.address;
                self.watchers.insert(connection);
                self.handle_command(Command::Join { follower, id, since }).await;
            }
            TaskCommand::Begin(followers) => {
                if let Some(first) = followers.first() {
                    self.address = first.requester.address;
                }
                let known = followers.iter().map(super::Follower::at_table).collect();
                followers.into_iter().for_each(|follower| self.watchers.insert(follower));
                self.handle_command(Command::Begin(known)).await;
            }
            TaskCommand::Table(command) => {
                match &command {
                    Command::Leave(connection) => self.watchers.remove(*connection),
                    Command::BotNews { number, news } => self.note_news(*number, news),
                    _ => {}
                }
                self.handle_command(command).await;
            }
            TaskCommand::State(visitor, reply) => {
                let _ = reply.send(Box::new(self.table.state(visitor, self.now())));
            }
            TaskCommand::Summary(visitor, reply) => {
                let _ = reply.send(Box::new(self.table.summary(visitor, self.now())));
            }
            TaskCommand::Record(reply) => {
                let _ = reply.send(self.table.record());
            }
            TaskCommand::Plies { board, range, reply } => {
                let _ = reply.send(self.table.plies(board, range));
            }
            TaskCommand::Finished { board, reply } => {
                let game = self.table.game();
                let _ = reply.send(finished(game, board).map(|session| (Arc::clone(game.rules()), session)));
            }
            TaskCommand::TakeSeat { seat, visitor, key, reply } => {
                self.seat_taker = Some(reply);
                self.handle_command(Command::TakeSeat { seat, visitor, key }).await;
            }
            TaskCommand::Retire => self.is_retired = true,
            TaskCommand::Stop(_) | TaskCommand::HandOver(_) => {}
        }
    }

    async fn handle_command(&mut self, command: Command) {
        let effects = self.table.handle(command, self.now());
        // Before anybody hears of anything, and looks at it for that reason.
        self.watchers.set_timed(self.table.is_timed());
        self.perform(effects).await;
    }

    /// Does what the table wants to have done, in order. If something cannot be stored, the rest is dropped, and what the table wants
    /// instead is done.
    async fn perform(&mut self, effects: Vec<Effect>) {
        let mut waiting = VecDeque::from(effects);
        while let Some(effect) = waiting.pop_front() {
            match effect {
                Effect::Store(write) => {
                    if let Err(error) = self.store(*write).await {
                        waiting = self.table.store_failed(error, self.now()).into();
                    }
                }
                Effect::OpenTable(start) => {
                    let tables = Arc::clone(&self.tables);
                    if let Err(refused) = tables.start_rematch(*start, self.address).await {
                        waiting = self.table.store_failed(StoreFailure::Refused(refused), self.now()).into();
                    }
                }
                Effect::Tell(to, message) => {
                    if let ServerMessage::Error { .. } = *message {
                        metrics::counter!("agon_refusals_total").increment(1);
                    }
                    self.watchers.tell_some(&to, &message);
                }
                Effect::SeatTaken(done) => {
                    if let Some(reply) = self.seat_taker.take() {
                        let _ = reply.send(done);
                    }
                }
                Effect::ReserveBots => {
                    self.release_bots();
                    let claimant = Requester { address: self.address, visitor: self.claimant() };
                    let may_think = self.tables.claim(claimant, self.table.id());
                    self.claimed_by = may_think.then_some(claimant);
                    waiting.extend(self.table.handle(Command::BotsReserved(may_think), self.now()));
                }
                Effect::ReleaseBots => self.release_bots(),
                Effect::AskBot(question) => self.ask_bot(*question),
                Effect::CancelBot(number) => drop(self.questions.remove(&number)),
                Effect::WakeAt(moment) => self.wake = self.epoch + moment,
            }
        }
    }

    async fn store(&mut self, write: Write) -> Result<(), StoreFailure> {
        let count = write.events.as_ref().map_or(0, |events| events.events.len());
        match self.tables.store().write(write).await {
            Ok(()) => {
                self.tables.count_events(count);
                Ok(())
            }
            Err(error) => {
                tracing::warn!(table = self.table.id(), %error, "a change was taken back because it could not be stored");
                Err(match error {
                    StoreError::Conflict => StoreFailure::Conflict,
                    _ => StoreFailure::Unavailable,
                })
            }
        }
    }

    /// Has a bot asked by a thread of the pool, which tells this table what it hears.
    fn ask_bot(&mut self, question: BotQuestion) {
        let BotQuestion { number, purpose, board, seat, occupant, rules, session, limits, seed } = question;
        let bots = &self.tables.limits().bots;
        let is_hint = purpose == Purpose::Hint;
        let time = match &occupant {
            Occupant::Bot(spec) if !is_hint => bots.time(&*rules, spec, limits.time),
            _ => limits.time.unwrap_or(bots.time),
        };
        let table = if is_hint { format!("{} hint", self.table.id()) } else { self.table.id().to_owned() };
        let key = BotKey { table, board, seat, occupant: bots.fitted(&*rules, occupant) };
        let question = Question { key, rules, session, seed, time, is_analysis: is_hint };
        let visitor = if is_hint { self.table.owner() } else { self.claimant() };
        let requester = Requester { address: self.address, visitor };
        let handle = self.handle.clone();
        let ticket = self.tables.pool().submit(requester, move |worker| {
            think(worker, &question, |news| {
                let is_passing = matches!(news, BotNews::Thought(_));
                if is_passing && is_hint {
                    return;
                }
                let command = TaskCommand::Table(Command::BotNews { number, news });
                // What a bot thinks on the way may be lost; its answer may not.
                let _ = if is_passing {
                    handle.try_send(command).is_ok()
                } else {
                    handle.blocking_send(command).is_ok()
                };
            });
        });
        self.questions.insert(number, (ticket, 0));
    }

    fn note_news(&mut self, number: u64, news: &BotNews) {
        if let BotNews::Failed(reason) = news {
            tracing::warn!(table = self.table.id(), reason, "a bot could not move");
        }
        if matches!(news, BotNews::Answer(..) | BotNews::Failed(_)) {
            self.questions.remove(&number);
        }
    }

    /// Tells the table which places in the line its questions have now.
    async fn tell_places(&mut self) {
        let moved = self.questions.iter_mut().filter_map(|(number, (ticket, told))| {
            let place = ticket.place();
            (std::mem::replace(told, place) != place).then_some((*number, place))
        });
        for (number, place) in moved.collect::<Vec<_>>() {
            self.handle_command(Command::BotNews { number, news: BotNews::Waiting(place) }).await;
        }
    }
}
