//! An engine for games of two without chance that speaks the Universal Game Interface.
//!
//! It thinks in a thread of its own, so that `stop`, `isready` and `quit` are answered at once. All other lines that come
//! while it thinks wait until it has moved, in order: somebody who sends everything at once gets every answer.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use agon_core::{Player, Turn, Verdict};
use agon_erased::{Bot, BotError, Limits, MAX_THREADS, OpenError, Rules, Session, Thought, proven_in};
use agon_match::{Match, OccupantError, StartError};
use agon_players::external::suits_ugi;
use agon_players::guarded;
use agon_protocol::ugi::{Command, GAME_OPTIONS, Go, Info, Query, Score};

use crate::{Casting, budget, next_line, thinking_time, told_game};

/// The longest line that is read, in bytes.
const MAX_LINE: usize = 1 << 20;
/// How many commands may wait while the engine thinks.
const MAX_WAITING: usize = 1000;
/// How many events may wait for the engine.
const EVENTS: usize = 64;

enum Event {
    Line(Result<String, String>),
    EndOfInput,
    Opinion(Thought<String>),
    Moved(Box<Playing>, Result<Thought<String>, BotError>),
}

/// The game and its bot; away while the bot thinks.
struct Playing {
    game: Match,
    bot: Box<dyn Bot>,
}

/// Serves a controller until it says `quit` or its input ends. Input that ends lets a search with limits come to
/// its move.
///
/// # Errors
/// If the game is not one of two without chance, the bot does not play it, or the output fails.
pub fn run(
    rules: Arc<dyn Rules>,
    casting: Casting,
    input: impl BufRead + Send + 'static,
    out: &mut impl Write,
) -> io::Result<()> {
    if !suits_ugi(&*rules) {
        return Err(io::Error::other("UGI is for games of two without chance; try --protocol jsonl"));
    }
    let bot = casting.bot(&*rules).map_err(io::Error::other)?;
    let (sender, events) = mpsc::sync_channel(EVENTS);
    let lines = sender.clone();
    thread::Builder::new().spawn(move || read_events(input, &lines))?;
    let game = told_game(&rules, None, &[], casting.seed).map_err(io::Error::other)?;
    let playing = Some(Box::new(Playing { game, bot }));
    let mut engine = Engine {
        rules,
        casting,
        out,
        sender,
        events,
        playing,
        stop: Arc::default(),
        is_bounded: true,
        waiting: VecDeque::new(),
        has_ended: false,
    };
    engine.serve()
}

/// Hands the lines of the input on.
fn read_events(mut input: impl BufRead, events: &SyncSender<Event>) {
    // Input that fails is input that has ended.
    while let Ok(Some(line)) = next_line(&mut input, MAX_LINE) {
        if events.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = events.send(Event::EndOfInput);
}

struct Engine<'a, W> {
    rules: Arc<dyn Rules>,
    casting: Casting,
    out: &'a mut W,
    sender: SyncSender<Event>,
    events: Receiver<Event>,
    playing: Option<Box<Playing>>,
    stop: Arc<AtomicBool>,
    /// Whether the search under way ends by itself.
    is_bounded: bool,
    /// What waits for the end of the search.
    waiting: VecDeque<Result<Command, String>>,
    /// Whether no more input is expected.
    has_ended: bool,
}

impl<W: Write> Engine<'_, W> {
    fn serve(&mut self) -> io::Result<()> {
        loop {
            if self.playing.is_some() {
                if let Some(command) = self.waiting.pop_front() {
                    self.obey(command)?;
                    continue;
                }
                if self.has_ended {
                    return Ok(());
                }
            }
            match self.events.recv() {
                Ok(Event::Line(line)) => {
                    let command =
                        line.and_then(|line| Command::parse(&line).map_err(|error| error.to_string()));
                    if let Some(command) = command.transpose() {
                        self.hear(command)?;
                    }
                }
                Ok(Event::Opinion(thought)) => self.say(&info(&thought).to_string())?,
                Ok(Event::Moved(playing, result)) => {
                    self.playing = Some(playing);
                    self.announce(result)?;
                }
                Ok(Event::EndOfInput) | Err(_) => {
                    self.has_ended = true;
                    if !self.is_bounded {
                        self.stop.store(true, Ordering::Relaxed);
                    }
                }
            }
        }
    }

    /// Takes a command, or what is none, as it arrives.
    fn hear(&mut self, command: Result<Command, String>) -> io::Result<()> {
        match command {
            Ok(Command::IsReady) => self.say("readyok"),
            Ok(Command::Stop) => {
                self.stop.store(true, Ordering::Relaxed);
                Ok(())
            }
            Ok(Command::Quit) => {
                self.stop.store(true, Ordering::Relaxed);
                self.waiting.clear();
                self.has_ended = true;
                Ok(())
            }
            _ if self.has_ended => Ok(()),
            command if self.playing.is_some() && self.waiting.is_empty() => self.obey(command),
            command if self.waiting.len() < MAX_WAITING => {
                self.waiting.push_back(command);
                Ok(())
            }
            _ => {
                self.complain("too many commands are waiting for the end of the search; this one is ignored")
            }
        }
    }

    /// Does what a command says; nobody thinks now.
    fn obey(&mut self, command: Result<Command, String>) -> io::Result<()> {
        let Some(mut playing) = self.playing.take() else { return Ok(()) };
        let done = match command {
            Ok(Command::Ugi) => self.introduce().map(Ok)?,
            Ok(Command::SetOption { name, value }) => self.set_option(&mut playing, &name, &value),
            Ok(Command::NewGame) => self.renew(&mut playing),
            Ok(Command::Position { start, moves }) => self.place(&mut playing, start, &moves),
            Ok(Command::Query(query)) => {
                let answer = self.answer(playing.game.board().session(), query);
                self.say(&format!("response {answer}")).map(Ok)?
            }
            Ok(Command::Go(go)) => return self.think(playing, go),
            // These never wait.
            Ok(Command::IsReady | Command::Stop | Command::Quit) => Ok(()),
            Err(fault) => Err(fault),
        };
        self.playing = Some(playing);
        done.or_else(|fault| self.complain(&fault))
    }

    fn introduce(&mut self) -> io::Result<()> {
        let bot = self.casting.player(&*self.rules);
        let (options, seed) = (self.rules.options(), self.casting.seed);
        self.say(&format!("id name Agon {} ({}, {bot})", env!("CARGO_PKG_VERSION"), self.rules.spec().id))?;
        self.say("id author the authors of Agon")?;
        self.say(&format!("option name Bot type string default {bot}"))?;
        self.say(&format!("option name {} type string default {options}", GAME_OPTIONS))?;
        self.say(&format!("option name Seed type spin default {seed} min 0 max {}", u64::MAX))?;
        let threads = self.casting.threads;
        self.say(&format!("option name Threads type spin default {threads} min 1 max {MAX_THREADS}"))?;
        self.say("ugiok")
    }

    fn set_option(&mut self, playing: &mut Playing, name: &str, value: &str) -> Result<(), String> {
        let mut casting = self.casting.clone();
        let mut rules = Arc::clone(&self.rules);
        match name {
            "Bot" => casting.bot = Some(value.parse().map_err(|error: OccupantError| error.to_string())?),
            "Seed" => {
                casting.seed =
                    agon_core::text::number(value, 0..=u64::MAX).map_err(|fault| format!("Seed {fault}"))?;
            }
            "Threads" => {
                let threads = agon_core::text::number(value, 1..=MAX_THREADS.into());
                casting.threads = threads.map_err(|fault| format!("Threads {fault}"))? as usize;
            }
            _ if name == GAME_OPTIONS => {
                let entry =
                    self.casting.games.find(self.rules.spec().id).map_err(|error| error.to_string())?;
                rules = entry.rules(value).map_err(|error| error.to_string())?;
                if !suits_ugi(&*rules) {
                    return Err("this protocol is for two-player games without chance".to_owned());
                }
            }
            _ => {
                let name = agon_core::text::quote(name);
                return Err(format!(
                    "there is no option {name}; choose Bot, {}, Seed or Threads",
                    GAME_OPTIONS
                ));
            }
        }
        playing.bot = casting.bot(&*rules).map_err(|error| error.to_string())?;
        let is_other_game = rules.options() != self.rules.options();
        (self.casting, self.rules) = (casting, rules);
        if is_other_game { self.place(playing, None, &[]) } else { Ok(()) }
    }

    /// Forgets all that belongs to the game so far.
    fn renew(&mut self, playing: &mut Playing) -> Result<(), String> {
        playing.bot = self.casting.bot(&*self.rules).map_err(|error| error.to_string())?;
        self.place(playing, None, &[])
    }

    fn place(&self, playing: &mut Playing, start: Option<String>, moves: &[String]) -> Result<(), String> {
        playing.game =
            told_game(&self.rules, start, moves, self.casting.seed).map_err(|error| match error {
                // Which one it is can be seen by the move itself.
                StartError::Open(OpenError::Move { error, .. }) => error.to_string(),
                other => other.to_string(),
            })?;
        Ok(())
    }

    fn answer(&self, session: &dyn Session, query: Query) -> &'static str {
        let truth = |is_true| if is_true { "true" } else { "false" };
        match query {
            Query::FirstPlayersTurn => truth(session.turn() == Turn::Player(Player(0))),
            Query::GameOver => truth(session.outcome().is_some()),
            Query::Result => match session.outcome().map(|outcome| outcome.verdict) {
                None => "none",
                Some(Verdict::Won(Player(0))) => "p1win",
                Some(Verdict::Won(_)) => "p2win",
                Some(Verdict::Drawn | Verdict::Lost) => "draw",
            },
        }
    }

    /// Sends the game away with its bot, which thinks.
    fn think(&mut self, mut playing: Box<Playing>, go: Go) -> io::Result<()> {
        self.stop = Arc::default();
        let limits = limits(go, playing.game.board().session());
        let mut budget = budget(&playing.game, limits, &self.casting);
        budget.stop = Arc::clone(&self.stop);
        budget.keeps_own_limits = !go.infinite;
        self.is_bounded = budget.keeps_own_limits || budget.limits != Limits::default();
        self.stop.store(self.has_ended && !self.is_bounded, Ordering::Relaxed);
        let events = self.sender.clone();
        thread::Builder::new().spawn(move || {
            let result = guarded(|| {
                playing.bot.think(playing.game.board().session(), &budget, &mut |thought| {
                    // Opinions are worth hearing, not waiting for.
                    let _ = events.try_send(Event::Opinion(thought.clone()));
                })
            });
            let _ = events.send(Event::Moved(playing, result));
        })?;
        Ok(())
    }

    /// Says what the bot has come to. A program that waits for a move always gets an answer.
    fn announce(&mut self, result: Result<Thought<String>, BotError>) -> io::Result<()> {
        match result {
            Ok(thought) => {
                self.say(&info(&thought).to_string())?;
                self.say(&format!("bestmove {}", thought.best))
            }
            Err(error) => {
                self.complain(&error.to_string())?;
                self.say("bestmove none")
            }
        }
    }

    fn complain(&mut self, fault: &str) -> io::Result<()> {
        // A fault may repeat text of several lines.
        self.say(&format!("info string error: {}", fault.replace(['\r', '\n'], " ")))
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{line}")?;
        self.out.flush()
    }
}

/// What `go` grants to the player to move.
fn limits(go: Go, session: &dyn Session) -> Limits {
    let player = match session.turn() {
        Turn::Player(player) => player.index(),
        Turn::Chance => 0,
    };
    let clock = go.left[player].map(|left| Limits::of_clock(left, go.increment[player]));
    let given = Limits {
        time: go.movetime,
        depth: go.depth.map(|depth| depth.max(1)),
        nodes: go.nodes.map(|nodes| nodes.max(1)),
    };
    let limits = given.and(clock.unwrap_or_default());
    Limits { time: limits.time.map(thinking_time), ..limits }
}

/// A thought as an `info` line.
fn info(thought: &Thought<String>) -> Info {
    let seconds = thought.elapsed.as_secs_f64();
    Info {
        depth: Some(thought.depth),
        score: thought.score.map(|score| proven_in(score).map_or(Score::Points(score), Score::End)),
        nodes: Some(thought.nodes),
        nodes_per_second: Some(if seconds > 0.0 { (thought.nodes as f64 / seconds) as u64 } else { 0 }),
        time: Some(thought.elapsed),
        line: thought.line.clone(),
    }
}
