//! A bot that thinks in a thread of its own, so that its caller can go on drawing and listening.
//!
//! The bot travels: it goes into the thread with a fork of the game and comes back with its answer. One that is told to stop comes
//! back as soon as it notices; until then nothing new can be asked of it. One that panics is gone, and so is one that its
//! rules could not build.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use agon_core::Player;
use agon_erased::{Bot, Budget, Clock, Rules, Session, Thought};
use agon_match::Occupant;

use crate::guard::guarded;
use crate::players::player;

/// The name of threads in which bots think; a panic in one of them is reported by the thinker.
pub const THREAD: &str = "bot";

/// What comes from a thinking bot.
#[derive(Debug)]
pub enum News {
    /// It knows more than before.
    Thought(Thought<String>),
    /// It has an answer, found in this time.
    Answer(Thought<String>, Duration),
    /// It has failed, and why. It must not be asked again.
    Failure(String),
}

enum Message {
    Thought(Thought<String>),
    Answer(Result<Thought<String>, String>, Duration, Box<dyn Bot>),
    Gone(String),
}

enum State {
    /// To be built when it is first asked.
    Absent,
    /// Ready; whether it has been prepared for this game.
    Idle(Box<dyn Bot>, bool),
    Busy(Running),
    Failed,
}

struct Running {
    messages: Receiver<Message>,
    stop: Arc<AtomicBool>,
    /// Whether nobody wants to know any more.
    dropped: bool,
}

/// A bot and the thread in which it thinks.
pub struct Thinker {
    rules: Arc<dyn Rules>,
    occupant: Occupant,
    seed: u64,
    state: State,
}

impl Thinker {
    /// A player that is built when it is first asked: that there is no such one is a failure then.
    pub fn lazy(rules: Arc<dyn Rules>, occupant: Occupant, seed: u64) -> Self {
        Self { rules, occupant, seed, state: State::Absent }
    }

    /// A player that is ready.
    pub fn ready(rules: Arc<dyn Rules>, occupant: Occupant, seed: u64, bot: Box<dyn Bot>) -> Self {
        Self { rules, occupant, seed, state: State::Idle(bot, false) }
    }

    /// Who plays.
    pub fn occupant(&self) -> &Occupant {
        &self.occupant
    }

    /// Whether an answer is being waited for.
    pub fn is_thinking(&self) -> bool {
        matches!(&self.state, State::Busy(running) if !running.dropped)
    }

    /// Whether the bot can be asked now.
    pub fn is_free(&self) -> bool {
        matches!(self.state, State::Absent | State::Idle(..))
    }

    /// Asks for a move of `player` in `session`; `false` if it cannot be asked now, because it is still at an earlier question or has
    /// failed.
    pub fn ask(&mut self, session: &dyn Session, player: Player, mut budget: Budget) -> bool {
        let (bot, is_prepared) = match std::mem::replace(&mut self.state, State::Failed) {
            State::Absent => (None, false),
            State::Idle(bot, is_prepared) => (Some(bot), is_prepared),
            other => {
                self.state = other;
                return false;
            }
        };
        let stop = Arc::new(AtomicBool::new(false));
        budget.stop = Arc::clone(&stop);
        let (sender, messages) = channel();
        let job = Job {
            rules: Arc::clone(&self.rules),
            occupant: self.occupant.clone(),
            seed: self.seed,
            session: session.fork(),
            player,
            budget,
            is_prepared,
        };
        let presence = Presence::new();
        let spawned = std::thread::Builder::new().name(THREAD.to_owned()).spawn(move || {
            job.run(bot, &sender);
            drop(presence);
        });
        if spawned.is_err() {
            // The machine is at its limit; the next question may find it better.
            self.state = State::Absent;
            return false;
        }
        self.state = State::Busy(Running { messages, stop, dropped: false });
        true
    }

    /// Has it answer at once with what it knows.
    pub fn hurry(&self) {
        if let State::Busy(running) = &self.state {
            running.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Forgets the question.
    pub fn cancel(&mut self) {
        self.hurry();
        if let State::Busy(running) = &mut self.state {
            running.dropped = true;
        }
    }

    /// What has come since the last time, if anything; waits for it up to `patience`.
    pub fn news(&mut self, patience: Duration) -> Option<News> {
        loop {
            let State::Busy(running) = &mut self.state else { return None };
            let dropped = running.dropped;
            let message = if patience.is_zero() {
                running
                    .messages
                    .try_recv()
                    .map_err(|error| error == std::sync::mpsc::TryRecvError::Disconnected)
            } else {
                let received = running.messages.recv_timeout(patience);
                received.map_err(|error| error == RecvTimeoutError::Disconnected)
            };
            let news = match message {
                Err(false) => return None,
                Err(true) => self.fail("it ended without an answer".to_owned()),
                Ok(Message::Gone(reason)) => self.fail(reason),
                Ok(Message::Thought(thought)) => News::Thought(thought),
                Ok(Message::Answer(Ok(thought), time, bot)) => {
                    self.state = State::Idle(bot, true);
                    News::Answer(thought, time)
                }
                // What a bot says that was told to stop does not matter, and it may be fit for another question.
                Ok(Message::Answer(Err(_), _, bot)) if dropped => {
                    self.state = State::Idle(bot, true);
                    continue;
                }
                Ok(Message::Answer(Err(reason), ..)) => self.fail(reason),
            };
            if !dropped {
                return Some(news);
            }
        }
    }

    fn fail(&mut self, reason: String) -> News {
        self.state = State::Failed;
        News::Failure(reason)
    }

    /// Builds the bot anew when it is next asked.
    pub fn renew(&mut self) {
        self.cancel();
        self.state = State::Absent;
    }

    /// Tells the bot that the game in which it played as `player` is over.
    pub fn conclude(&mut self, session: &dyn Session, player: Player) {
        if let State::Idle(bot, true) = &mut self.state {
            // Nobody can fail at that any more.
            let _ = guarded(|| {
                bot.conclude(session, player);
                Ok(())
            });
        }
    }
}

/// How many bots are thinking in this program, including those that nobody listens to any more.
static THINKING: AtomicUsize = AtomicUsize::new(0);

/// A bot that thinks, as long as this lives.
struct Presence;

impl Presence {
    fn new() -> Self {
        THINKING.fetch_add(1, Ordering::Relaxed);
        Self
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        THINKING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Waits until all bots have come to rest that were told to, or for as long as `patience`: one that runs another program ends it
/// then, and a program that ends before would leave the other one behind.
pub fn wait_for_rest(patience: Duration) {
    let began = Instant::now();
    while THINKING.load(Ordering::Relaxed) > 0 && began.elapsed() < patience {
        std::thread::sleep(Duration::from_millis(5));
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.hurry();
    }
}

struct Job {
    rules: Arc<dyn Rules>,
    occupant: Occupant,
    seed: u64,
    session: Box<dyn Session>,
    player: Player,
    budget: Budget,
    is_prepared: bool,
}

impl Job {
    fn run(self, bot: Option<Box<dyn Bot>>, sender: &Sender<Message>) {
        let message = guarded(|| Ok(self.answer(bot, sender)))
            .unwrap_or_else(|panicked| Message::Gone(panicked.to_string()));
        let _ = sender.send(message);
    }

    fn answer(&self, bot: Option<Box<dyn Bot>>, sender: &Sender<Message>) -> Message {
        let mut bot = match bot {
            Some(bot) => bot,
            None => match player(&*self.rules, &self.occupant, self.seed) {
                Ok(bot) => bot,
                Err(error) => return Message::Gone(error.to_string()),
            },
        };
        if !self.is_prepared
            && let Err(error) = bot.prepare(&*self.session, self.player, &self.budget)
        {
            return Message::Gone(error.to_string());
        }
        let clock: &dyn Clock = &*self.budget.clock;
        let began = clock.now();
        let thought = bot.think(&*self.session, &self.budget, &mut |thought| {
            // The caller may have gone.
            let _ = sender.send(Message::Thought(thought.clone()));
        });
        let time = clock.now().saturating_sub(began);
        Message::Answer(thought.map_err(|error| error.to_string()), time, bot)
    }
}
