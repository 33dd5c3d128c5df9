//! The engine of a tab: bots that think in slices.
//!
//! A tab has no second thread that could tell a bot to stop. So a search that looks at its clock lets its host run for a moment whenever
//! it has thought for a slice: the [`Host`] hears what there is to hear and says whether to go on. What is found does not depend on that.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use agon_erased::{Bot, Budget, Clock, Games, Limits, Rules, Session, SpecificationError, Thought};
use agon_match::Occupant;
use agon_messages::Refused;
use agon_protocol::web::RefusalCode;
use agon_protocol::web::api::ReviewPart;
use agon_requests::thinking::{AnalysisTask, FeatureTask, ReviewTask, TreeTask, needs_weights};
use agon_requests::{read, status};
use agon_table::limits::BotLimits;
use serde::Serialize;

use crate::wire::{Asked, Game, MoveQuestion, News, NewsKind, Question, Thinking};

/// How long a slice of thinking is at most; what a search does between two looks at its clock comes on top of it.
const SLICE: Duration = Duration::from_millis(40);
/// How often the table hears what a bot thinks.
const NEWS_EVERY: Duration = Duration::from_millis(200);
/// How many bots are kept with what they have found: those of a game of two.
const KEPT: usize = 2;

/// Where an engine thinks.
pub trait Host: Send + Sync + 'static {
    /// The time since some fixed moment.
    fn now(&self) -> Duration;

    /// Lets others run, and says whether to stop.
    fn pause(&self) -> bool;

    /// Says something while it thinks.
    fn tell(&self, news: &[u8]);
}

/// The bots of a tab.
pub struct Engine<H> {
    games: Games,
    host: Arc<H>,
    kept: Vec<Kept>,
}

/// A bot that has thought before, and the game as it stood.
struct Kept {
    seat: String,
    bot: String,
    start: Game,
    session: Box<dyn Session>,
    moves: Vec<String>,
    player: Box<dyn Bot>,
}

/// The clock of a search, by which its host gets its turn.
struct SlicingClock<H> {
    host: Arc<H>,
    /// When the slice began, in microseconds.
    began: AtomicU64,
    stop: Arc<AtomicBool>,
    /// When to stop in any case.
    until: Option<Duration>,
}

impl<H: Host> Clock for SlicingClock<H> {
    fn now(&self) -> Duration {
        let now = self.host.now();
        let began = Duration::from_micros(self.began.load(Ordering::Relaxed));
        if self.until.is_some_and(|until| now >= until) {
            self.stop.store(true, Ordering::Relaxed);
        }
        if now.saturating_sub(began) < SLICE {
            return now;
        }
        if self.host.pause() {
            self.stop.store(true, Ordering::Relaxed);
        }
        let now = self.host.now();
        self.began.store(now.as_micros() as u64, Ordering::Relaxed);
        now
    }

    fn wants_looks(&self) -> bool {
        true
    }
}

impl<H: Host> Engine<H> {
    /// An engine for `games`.
    pub fn new(games: Games, host: H) -> Self {
        Self { games, host: Arc::new(host), kept: Vec::new() }
    }

    /// Answers a question, written as JSON.
    pub fn think(&mut self, question: &[u8]) -> Vec<u8> {
        let asked: Asked = match serde_json::from_slice(question) {
            Ok(asked) => asked,
            Err(error) => return written(&News { number: 0, what: NewsKind::Failed(error.to_string()) }),
        };
        let Asked { number, question } = asked;
        let what = match question {
            Question::Move(question) => self.find_move(number, *question).unwrap_or_else(NewsKind::Failed),
            Question::Request { what, body, memory } => {
                self.kept.clear();
                replied(self.answer(what, body.as_bytes(), &limits(memory)))
            }
            Question::Review { game, from, memory } => {
                self.kept.clear();
                replied(self.review(&game, from, &limits(memory)).map(|part| written(&part)))
            }
        };
        written(&News { number, what })
    }

    fn find_move(&mut self, number: u64, question: MoveQuestion) -> Result<NewsKind, String> {
        let MoveQuestion { seat, game, bot, millis, limits, seed, is_hint } = question;
        let seed: u64 = seed.parse().map_err(|error| format!("seed: {error}"))?;
        let began = self.host.now();
        let mut kept = self.recall(seat, game, bot, seed)?;
        let mut budget = self.budget(None);
        budget.limits = limits
            .map_or(Limits { time: millis.map(Duration::from_millis), ..Limits::default() }, Limits::from);
        budget.keeps_own_limits = limits.is_none();
        budget.seed = limits.is_none().then_some(seed);
        budget.is_analysis = is_hint;
        let (host, mut told) = (Arc::clone(&self.host), began);
        let mut observe = |thought: &Thought<String>| {
            let now = host.now();
            if now.saturating_sub(told) >= NEWS_EVERY {
                told = now;
                host.tell(&written(&News { number, what: NewsKind::Thought(thought.clone().into()) }));
            }
        };
        let thought =
            kept.player.think(&*kept.session, &budget, &mut observe).map_err(|error| error.to_string())?;
        // One that has failed is not asked again.
        self.kept.insert(0, kept);
        self.kept.truncate(KEPT);
        let spent = self.host.now().saturating_sub(began).as_secs_f64() * 1000.0;
        Ok(NewsKind::Answer(thought.into(), spent))
    }

    /// The bot that is asked, with the game as it stands: the one that thought for the same seat before, if there is one.
    fn recall(&mut self, seat: String, game: Game, bot: String, seed: u64) -> Result<Kept, String> {
        let Game { moves, .. } = &game;
        let known = self.kept.iter().position(|kept| {
            kept.seat == seat
                && kept.bot == bot
                && kept.start.game == game.game
                && kept.start.options == game.options
                && kept.start.position == game.position
        });
        let start = Game { moves: Vec::new(), ..game.clone() };
        let mut kept = match known {
            Some(index) => self.kept.remove(index),
            None => {
                // The memory of another bot is given back before this one takes its own.
                self.kept.truncate(KEPT - 1);
                let rules = self.rules(&game)?;
                let occupant: Occupant = bot.parse().map_err(|error| format!("{error}"))?;
                self.check_weights(&*rules, &occupant)?;
                let session = rules.open(game.position.as_deref(), &[]).map_err(|error| error.to_string())?;
                let player = player(&*rules, &occupant, seed).map_err(|error| error.to_string())?;
                Kept { seat, bot, start, session, moves: Vec::new(), player }
            }
        };
        // Only what has happened since is played.
        let same = kept.moves.iter().zip(moves).take_while(|(one, other)| one == other).count();
        if same < kept.moves.len() {
            kept.session.rewind(same);
            kept.moves.truncate(same);
        }
        for token in &moves[same..] {
            kept.session.play(token).map_err(|error| error.to_string())?;
            kept.moves.push(token.clone());
        }
        Ok(kept)
    }

    fn rules(&self, game: &Game) -> Result<Arc<dyn Rules>, String> {
        self.games.rules(&game.game, &game.options).map_err(|error| error.to_string())
    }

    /// Makes sure that no bot judges by weights that are not there.
    fn check_weights(&self, rules: &dyn Rules, occupant: &Occupant) -> Result<(), String> {
        if needs_weights(rules, occupant) { self.require_weights() } else { Ok(()) }
    }

    fn require_weights(&self) -> Result<(), String> {
        let mut files = self.games.iter().filter_map(|entry| entry.weights);
        let are_there = files.all(|weights| weights.are_there());
        if are_there { Ok(()) } else { Err("the weights have not been handed in".to_owned()) }
    }

    fn answer(&self, what: Thinking, body: &[u8], limits: &BotLimits) -> Result<Vec<u8>, Refused> {
        let games = self.games;
        let ready = |needs: bool| if needs { self.require_weights().map_err(failed) } else { Ok(()) };
        Ok(match what {
            Thinking::Analysis => {
                let task = AnalysisTask::new(games, limits, read(body)?)?;
                ready(task.needs_weights())?;
                written(&task.run(None, self.budget(None), player)?)
            }
            Thinking::Tree => {
                let task = TreeTask::new(games, limits, read(body)?)?;
                ready(task.needs_weights())?;
                written(&task.run(self.budget(Some(limits.time)))?)
            }
            Thinking::Features => {
                let task = FeatureTask::new(games, limits, read(body)?)?;
                ready(task.needs_weights())?;
                written(&task.run()?)
            }
        })
    }

    fn review(&self, game: &Game, from: usize, limits: &BotLimits) -> Result<ReviewPart, Refused> {
        let rules = self.rules(game).map_err(failed)?;
        let session = rules.open(game.position.as_deref(), &game.moves);
        let session = session.map_err(|error| failed(error.to_string()))?;
        let task = ReviewTask::new(limits, (rules, session), from);
        if let Some(part) = task.done() {
            return Ok(part);
        }
        if task.needs_weights() {
            self.require_weights().map_err(failed)?;
        }
        task.run(self.games, None, self.budget(None), player)
    }

    /// A budget without limits, in which the host gets its turns; it stops after `time`.
    fn budget(&self, time: Option<Duration>) -> Budget {
        let stop = Arc::new(AtomicBool::new(false));
        let now = self.host.now();
        let clock = SlicingClock {
            host: Arc::clone(&self.host),
            began: AtomicU64::new(now.as_micros() as u64),
            stop: Arc::clone(&stop),
            until: time.map(|time| now + time),
        };
        Budget { stop, ..Budget::on_clock(Limits::default(), Arc::new(clock)) }
    }
}

/// What may be asked of bots that take so much memory.
pub(crate) fn limits(memory: u32) -> BotLimits {
    BotLimits { memory, ..BotLimits::default() }
}

/// Other people's programs cannot be run in a browser.
fn player(rules: &dyn Rules, occupant: &Occupant, seed: u64) -> Result<Box<dyn Bot>, SpecificationError> {
    match occupant {
        Occupant::Bot(spec) => rules.bot(spec, seed),
        Occupant::Program(_) | Occupant::Person => {
            let fault = "it cannot play here".to_owned();
            Err(SpecificationError::Program { name: occupant.to_string(), fault })
        }
    }
}

fn failed(reason: String) -> Refused {
    Refused::because(RefusalCode::Invalid, "refused.analysis", reason)
}

fn replied(answer: Result<Vec<u8>, Refused>) -> NewsKind {
    let (status, body) = match answer {
        Ok(body) => (200, body),
        Err(refused) => (status(refused.code), written(&refused.problem())),
    };
    NewsKind::Reply(status, String::from_utf8(body).unwrap_or_default())
}

/// A value as JSON.
fn written(value: &(impl Serialize + ?Sized)) -> Vec<u8> {
    // Nothing that is told has maps whose keys are not text.
    serde_json::to_vec(value).unwrap_or_default()
}
