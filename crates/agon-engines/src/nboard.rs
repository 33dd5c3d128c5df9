//! An Othello engine that speaks the NBoard protocol, as the program NBoard runs its engines.
//!
//! A thread reads the input, so that a `ping` ends a search at once; everything else waits for its turn. The protocol has no word for
//! errors: what is wrong is a `status`, which NBoard shows to its user.

use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use agon_erased::{
    Bot, BotError, Bound, Limits, Rules, ScoredMove, Session, Thought, Unit, with_several_moves,
};
use agon_formats::ggf::{self, Side};
use agon_formats::grid::expand;
use agon_match::{Action, Match, Move, Occupant};
use agon_protocol::nboard::{Command, Depth, GAME, Reply, VERSION};

use crate::{Casting, NOW, budget, next_line, thinking_time, told_game};

/// The longest line that is read, in bytes.
const MAX_LINE: usize = ggf::MAX_TEXT;
/// How many lines may wait for the engine.
const WAITING: usize = 1000;
/// What the rules call a pass.
const PASS: &str = "pass";
/// How deep `analyze` searches at most: it looks at a whole game, which somebody waits for.
const ANALYSIS_DEPTH: u32 = 10;

/// Serves a program until it says `quit` or its input ends.
///
/// # Errors
/// If the game is not Othello, the bot does not play it, or the output fails.
pub fn run(
    rules: Arc<dyn Rules>,
    casting: Casting,
    input: impl BufRead + Send + 'static,
    out: &mut impl Write,
) -> io::Result<()> {
    if rules.spec().id != GAME {
        return Err(io::Error::other("the NBoard protocol is for Othello; try --protocol ugi or jsonl"));
    }
    let bot = casting.bot(&*rules).map_err(io::Error::other)?;
    let game = told_game(&rules, None, &[], casting.seed).map_err(io::Error::other)?;
    let interruption = Arc::new(Interruption::default());
    let (sender, lines) = mpsc::sync_channel(WAITING);
    let pings = Arc::clone(&interruption);
    thread::Builder::new().spawn(move || read_lines(input, &sender, &pings))?;
    let mut engine =
        Engine { casting, out, game, bot, several: None, depth: None, left: [None; 2], interruption };
    for line in lines {
        let command = line.and_then(|line| Command::parse(&line));
        match command {
            Ok(Some(Command::Quit)) => break,
            Ok(Some(command)) => engine.obey(command)?,
            Ok(None) => {}
            Err(fault) => engine.complain(&fault)?,
        }
    }
    Ok(())
}

/// Hands the lines of the input on, and interrupts the search at every `ping`.
fn read_lines(mut input: impl BufRead, lines: &SyncSender<Result<String, String>>, pings: &Interruption) {
    // Input that fails is input that has ended.
    while let Ok(Some(line)) = next_line(&mut input, MAX_LINE) {
        if line.as_ref().is_ok_and(|line| line.split_whitespace().next() == Some("ping")) {
            pings.ask();
        }
        if lines.send(line).is_err() {
            return;
        }
    }
}

/// Whether a `ping` waits for the search to end.
#[derive(Default)]
struct Interruption {
    waiting: Mutex<usize>,
    stop: Arc<AtomicBool>,
}

impl Interruption {
    fn change(&self, change: impl FnOnce(usize) -> usize) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        *waiting = change(*waiting);
        self.stop.store(*waiting > 0, Ordering::Relaxed);
    }

    fn ask(&self) {
        self.change(|waiting| waiting + 1);
    }

    fn answered(&self) {
        self.change(|waiting| waiting.saturating_sub(1));
    }

    fn is_asked_for(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

struct Engine<'a, W> {
    casting: Casting,
    out: &'a mut W,
    game: Match,
    bot: Box<dyn Bot>,
    /// A bot that compares so many moves, for `hint`.
    several: Option<(usize, Box<dyn Bot>)>,
    depth: Option<u32>,
    /// What the game that was told leaves to black and white.
    left: [Option<Duration>; 2],
    interruption: Arc<Interruption>,
}

impl<W: Write> Engine<'_, W> {
    fn obey(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Version(VERSION) => {
                let bot = self.casting.player(&**self.game.rules());
                self.say(&Reply::Name(format!("Agon {bot}")))
            }
            Command::Version(other) => {
                self.complain(&format!("version {other} of the protocol is not known here, only {VERSION}"))
            }
            Command::Depth(depth) => {
                self.depth = Some(depth);
                Ok(())
            }
            Command::Contempt => Ok(()),
            Command::Game(text) => self.begin(&text).or_else(|fault| self.complain(&fault)),
            Command::Move { square, time } => self.play(square, time).or_else(|fault| self.complain(&fault)),
            Command::Hint(count) => self.hint(count),
            Command::Go => self.go(),
            Command::Analyze => self.analyze(),
            Command::Learn => {
                self.say(&Reply::Status("there is no opening book to add the game to".to_owned()))?;
                self.say(&Reply::Learned)
            }
            Command::Ping(number) => {
                self.interruption.answered();
                self.say(&Reply::Pong(number))
            }
            Command::Quit => Ok(()),
        }
    }

    /// Takes the game of `text`. Nothing changes if it does not hold.
    fn begin(&mut self, text: &str) -> Result<(), String> {
        let told = ggf::parse(text).map_err(|error| error.to_string())?;
        let entry = self.casting.games.find(GAME).map_err(|error| error.to_string())?;
        let rules = entry.rules(&format!("size={}", told.size)).map_err(|error| error.to_string())?;
        let read = entry.import(&*rules, "ggf", text).map_err(|error| error.to_string())?;
        let (start, moves) = (read.start_position(), read.history());
        let game =
            told_game(&rules, Some(start), &moves, self.casting.seed).map_err(|error| error.to_string())?;
        if rules.options() != self.game.rules().options() {
            self.bot = self.casting.bot(&*rules).map_err(|error| error.to_string())?;
            self.several = None;
        }
        let left = |side| told.time.map(|time| time.saturating_sub(told.used(side)));
        self.left = [left(Side::Black), left(Side::White)];
        self.game = game;
        Ok(())
    }

    /// The number of the side to move: 0 for black.
    fn side(&self) -> usize {
        usize::from(self.session().turn_name() != "x")
    }

    fn session(&self) -> &dyn Session {
        self.game.board().session()
    }

    fn play(&mut self, square: Option<String>, time: Option<Duration>) -> Result<(), String> {
        let seat = self.game.board().to_move().ok_or("the game is over")?;
        let side = self.side();
        let token = square.unwrap_or_else(|| PASS.to_owned());
        self.game
            .apply(0, Action::Move(Move::new(seat, token)), NOW)
            .map_err(|refusal| refusal.to_string())?;
        self.left[side] = self.left[side].map(|left| left.saturating_sub(time.unwrap_or_default()));
        Ok(())
    }

    /// Decides upon a move within the depth and the clock.
    fn go(&mut self) -> io::Result<()> {
        let time = self.left[self.side()]
            .map(|left| Limits::of_clock(left, Duration::ZERO).time)
            .unwrap_or_default();
        let limits = Limits { time: time.map(thinking_time), depth: self.depth, nodes: None };
        let mut budget = budget(&self.game, limits, &self.casting);
        budget.stop = Arc::clone(&self.interruption.stop);
        let began = Instant::now();
        let thought = self.bot.think(self.game.board().session(), &budget, &mut |_| {});
        // Whoever sends a ping has changed their mind.
        if self.interruption.is_asked_for() {
            return Ok(());
        }
        match thought {
            Ok(thought) => {
                let discs = self.discs(thought.score);
                let square = Some(thought.best).filter(|best| best != PASS);
                self.say(&Reply::Nodes(thought.nodes, thought.elapsed))?;
                self.say(&Reply::Move { square, discs, time: Some(began.elapsed()) })
            }
            Err(error) => self.complain(&error.to_string()),
        }
    }

    fn hint(&mut self, count: usize) -> io::Result<()> {
        let rules = Arc::clone(self.game.rules());
        let is_new = self.several.as_ref().is_none_or(|(known, _)| *known != count);
        if is_new {
            let player = match self.casting.player(&*rules) {
                Occupant::Bot(spec) => Occupant::Bot(with_several_moves(&*rules, spec, count)),
                other => other,
            };
            let casting = Casting { bot: Some(player), ..self.casting.clone() };
            match casting.bot(&*rules) {
                Ok(bot) => self.several = Some((count, bot)),
                Err(error) => return self.complain(&error.to_string()),
            }
        }
        let mut budget = budget(&self.game, Limits { depth: self.depth, ..Limits::default() }, &self.casting);
        budget.stop = Arc::clone(&self.interruption.stop);
        budget.is_analysis = true;
        // Hints are not bound by a clock; without a depth the bot thinks as long as it would for a move.
        budget.keeps_own_limits = self.depth.is_none();
        let one = self.one();
        let Some((_, bot)) = &mut self.several else { return Ok(()) };
        let (out, mut said, mut deepest) = (&mut *self.out, Ok(()), None);
        let thought = bot.think(self.game.board().session(), &budget, &mut |thought| {
            if said.is_ok() {
                said = report(out, thought, count, one);
                deepest = Some(thought.depth);
            }
        });
        said?;
        match thought {
            Ok(thought) => {
                if deepest != Some(thought.depth) {
                    report(self.out, &thought, count, one)?;
                }
                self.say(&Reply::Nodes(thought.nodes, thought.elapsed))
            }
            Err(BotError::NoMove) => self.complain("the game is over"),
            Err(error) => self.complain(&error.to_string()),
        }
    }

    /// Judges every position of the game, the last one first.
    fn analyze(&mut self) -> io::Result<()> {
        let rules = Arc::clone(self.game.rules());
        let (start, moves) = (self.session().start_position(), self.session().history());
        for made in (0..=moves.len()).rev() {
            if self.interruption.is_asked_for() {
                break;
            }
            let discs = match rules.open(Some(&start), &moves[..made]) {
                Ok(session) if session.outcome().is_some() => final_discs(&*session),
                Ok(session) => {
                    let depth = self.depth.unwrap_or(ANALYSIS_DEPTH).min(ANALYSIS_DEPTH);
                    let mut budget =
                        agon_erased::Budget::new(Limits { depth: Some(depth), ..Limits::default() });
                    budget.stop = Arc::clone(&self.interruption.stop);
                    budget.keeps_own_limits = false;
                    let thought = self.bot.think(&*session, &budget, &mut |_| {});
                    thought.ok().and_then(|thought| self.discs(thought.score))
                }
                Err(_) => None,
            };
            // A search that was cut short by a ping has nothing to say.
            if let Some(discs) = discs.filter(|_| !self.interruption.is_asked_for()) {
                self.say(&Reply::Analysis { made, discs })?;
            }
        }
        Ok(())
    }

    /// How much of the bot's score is a disc, if it counts in discs.
    fn one(&self) -> Option<f64> {
        match self.bot.unit() {
            Some(Unit::Amount { one, .. }) => Some(one),
            _ => None,
        }
    }

    fn discs(&self, score: Option<f64>) -> Option<f64> {
        Some(in_discs(score?, self.one()?))
    }

    fn complain(&mut self, fault: &str) -> io::Result<()> {
        self.say(&Reply::Status(format!("error: {fault}")))
    }

    fn say(&mut self, reply: &Reply) -> io::Result<()> {
        say(self.out, reply)
    }
}

fn say(out: &mut impl Write, reply: &Reply) -> io::Result<()> {
    writeln!(out, "{reply}")?;
    out.flush()
}

/// No position is worth more discs than this, and no proven score less.
fn in_discs(score: f64, one: f64) -> f64 {
    const ALL: f64 = 64.0;
    (score / one).clamp(-ALL, ALL)
}

/// The best moves of a thought as far as their scores are known.
fn report(out: &mut impl Write, thought: &Thought<String>, count: usize, one: Option<f64>) -> io::Result<()> {
    let Some(one) = one else { return Ok(()) };
    let known = thought.moves.iter().filter(|known| known.bound == Bound::Exact).take(count);
    for ScoredMove { mv, score, is_proven, .. } in known {
        let line = if thought.line.first() == Some(mv) { thought.line.clone() } else { vec![mv.clone()] };
        let depth = if *is_proven { Depth::Solved } else { Depth::Plies(thought.depth) };
        say(out, &Reply::Search { line, discs: in_discs(*score, one), depth })?;
    }
    Ok(())
}

/// The result of a finished game for the side whose turn it would be.
fn final_discs(session: &dyn Session) -> Option<f64> {
    let position = session.position();
    let (rows, side) = position.split_once(' ')?;
    let squares = expand(rows).concat();
    let count = |disc| squares.iter().filter(|square| **square == disc).count() as f64;
    let (lead, empty) = (count('x') - count('o'), count('.'));
    // Empty squares go to the winner.
    let lead = if lead == 0.0 { 0.0 } else { lead + empty.copysign(lead) };
    Some(if side == "o" { -lead } else { lead })
}
