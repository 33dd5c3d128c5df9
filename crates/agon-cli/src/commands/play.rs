//! `agon play`: a game on lines of text.

use std::io::{BufRead, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use agon_arena::player_list::split_players;
use agon_arena::players::player;
use agon_arena::{Record, RecordResult};
use agon_core::random::{RandomSource, mix, seeded};
use agon_core::text::quote;
use agon_core::{Player, Turn};
use agon_registry::{Bot, Budget, Limits, Rules, Session};
use anyhow::Context;

use crate::game_args::GameArgs;

/// `agon play`
#[derive(clap::Args)]
#[command(after_help = "Examples:
  agon play othello                                      you against a random mover
  agon play tablut --players greedy,human
  agon play loa --players human,alphabeta:time=2s,tt=off
  agon play chinese-checkers --options seats=g/y/r --players human,greedy,greedy
  agon play 2048 --players random --seed 7 --save game.txt")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Who plays, in turn order: `human` or a bot for every seat [default: human, then random]
    #[arg(long, value_name = "LIST")]
    players: Option<String>,
    /// One player, in turn order; given once for every seat instead of --players, where commands have commas in them
    #[arg(long, value_name = "SPEC", conflicts_with = "players")]
    player: Vec<String>,
    /// Fixes all randomness
    #[arg(long)]
    seed: Option<u64>,
    /// Where to write the record of the game when it is over or left
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

/// The longest line that a person may type.
const MAX_INPUT: u64 = 4096;

const HELP: &str = "Type a move as it is listed, or one of
  moves   list all legal moves
  board   draw the board again
  undo    take your last move back
  exit    leave the game";

enum Seat {
    Human,
    Bot(Box<dyn Bot>),
}

impl Args {
    pub(crate) fn run(&self, input: &mut impl BufRead, out: &mut impl Write) -> anyhow::Result<()> {
        let (rules, session) = self.game.open()?;
        let seed = self.seed.unwrap_or_else(seed_from_clock);
        let players = match &self.players {
            Some(list) => split_players(list),
            None if self.player.is_empty() => default_players(rules.seats().len()),
            None => self.player.clone(),
        };
        let mut table = Table::new(rules, session, players, seed)?;
        let played = table.play(input, out);
        if let Some(path) = &self.save {
            let saved = table.record().save(path);
            saved.with_context(|| format!("the record could not be written to {}", path.display()))?;
            writeln!(out, "Saved to {}.", path.display())?;
        }
        played
    }
}

/// A person first, random movers on all other seats.
fn default_players(seats: usize) -> Vec<String> {
    (0..seats).map(|seat| if seat == 0 { "human" } else { "random" }.to_owned()).collect()
}

pub(crate) fn seed_from_clock() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| mix(0, elapsed.as_nanos() as u64))
}

/// A game and those who play it.
pub(crate) struct Table {
    rules: Arc<dyn Rules>,
    session: Box<dyn Session>,
    names: Vec<String>,
    seats: Vec<Seat>,
    seed: u64,
    chance: agon_core::Rng,
    /// Bots think as long as their specifications say.
    budget: Budget,
}

impl Table {
    pub(crate) fn new(
        rules: Arc<dyn Rules>,
        session: Box<dyn Session>,
        names: Vec<String>,
        seed: u64,
    ) -> anyhow::Result<Self> {
        let seat_names = rules.seats();
        anyhow::ensure!(
            names.len() == seat_names.len(),
            "players: {} given for the {} seats {}",
            names.len(),
            seat_names.len(),
            seat_names.join(", ")
        );
        let seats = names
            .iter()
            .zip(1..)
            .map(|(name, number)| match name.as_str() {
                "human" => Ok(Seat::Human),
                bot => Ok(Seat::Bot(player(&*rules, bot, mix(seed, number))?)),
            })
            .collect::<anyhow::Result<_>>()?;
        let budget = Budget::new(Limits::default());
        Ok(Self { rules, session, names, seats, seed, chance: seeded(seed), budget })
    }

    /// Plays until the game is over, somebody leaves, or the input ends.
    pub(crate) fn play(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> anyhow::Result<()> {
        for (player, bot) in bots(&mut self.seats) {
            let ready = bot.prepare(&*self.session, player, &self.budget);
            ready.with_context(|| format!("{} cannot play", self.names[player.index()]))?;
        }
        while self.session.outcome().is_none() {
            match self.session.turn() {
                Turn::Chance => {
                    let number = self.chance.next_u64();
                    let drawn = self.session.draw(number).context("chance has nothing to draw")?;
                    writeln!(out, "chance: {drawn}")?;
                }
                Turn::Player(player) => match &mut self.seats[player.index()] {
                    Seat::Bot(bot) => {
                        let name = &self.names[player.index()];
                        let thought = bot.think(&*self.session, &self.budget, &mut |_| {});
                        let best = thought.with_context(|| format!("{name} has not moved"))?.best;
                        writeln!(out, "{} ({name}): {best}", self.session.turn_name())?;
                        self.session.play(&best)?;
                    }
                    Seat::Human => {
                        if !self.ask_for_move(input, out)? {
                            writeln!(out, "Goodbye.")?;
                            return Ok(());
                        }
                    }
                },
            }
        }
        for (player, bot) in bots(&mut self.seats) {
            bot.conclude(&*self.session, player);
        }
        self.announce(out)
    }

    /// The record of the game as it stands.
    pub(crate) fn record(&self) -> Record {
        let mut record = Record::of(&*self.rules, &*self.session);
        record.players.clone_from(&self.names);
        record.seed = Some(self.seed);
        record
    }

    /// Lets a person move; false if they leave.
    fn ask_for_move(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> anyhow::Result<bool> {
        write!(out, "\n{}", self.session.diagram())?;
        let legal = self.session.legal();
        writeln!(out, "Moves for {}: {}", self.session.turn_name(), shortened(&legal))?;
        loop {
            let prompt = format!("{}> ", self.session.turn_name());
            let Some(answer) = ask(&prompt, input, out)? else { return Ok(false) };
            match answer.as_str() {
                "" => {}
                "help" => writeln!(out, "{HELP}")?,
                "moves" => writeln!(out, "{}", legal.join(" "))?,
                "board" => write!(out, "{}", self.session.diagram())?,
                "undo" => {
                    if self.take_back() {
                        return Ok(true);
                    }
                    writeln!(out, "There is nothing to take back.")?;
                }
                text => match self.session.play_typed(text) {
                    Ok(()) => return Ok(true),
                    Err(error) => {
                        let reason = error.reason;
                        writeln!(out, "The input {} is invalid: {reason}. Type help for help.", quote(text))?;
                    }
                },
            }
        }
    }

    /// Takes plies back until a person is to move again; if there is no such moment, nothing changes.
    fn take_back(&mut self) -> bool {
        let history = self.session.history();
        while self.session.undo() {
            if let Turn::Player(player) = self.session.turn()
                && matches!(self.seats[player.index()], Seat::Human)
            {
                return true;
            }
        }
        for token in history {
            let replayed = self.session.play(&token);
            debug_assert!(replayed.is_ok(), "what was played can be played again");
        }
        false
    }

    fn announce(&self, out: &mut impl Write) -> anyhow::Result<()> {
        write!(out, "\n{}", self.session.diagram())?;
        writeln!(out, "Result: {}", RecordResult::of(&*self.rules, self.session.outcome()))?;
        let seats = self.rules.seats();
        if seats.len() > 2 {
            let places: Vec<String> = self
                .session
                .ranking()
                .iter()
                .map(|group| {
                    group.iter().map(|player| seats[player.index()].as_str()).collect::<Vec<_>>().join(" = ")
                })
                .collect();
            writeln!(out, "Ranking: {}", places.join(", "))?;
        }
        Ok(())
    }
}

/// The seats that are taken by bots.
fn bots(seats: &mut [Seat]) -> impl Iterator<Item = (Player, &mut Box<dyn Bot>)> {
    (0..).zip(seats).filter_map(|(number, seat)| match seat {
        Seat::Bot(bot) => Some((Player(number), bot)),
        Seat::Human => None,
    })
}

fn shortened(moves: &[String]) -> String {
    const SHOWN: usize = 20;
    let more = moves.len().saturating_sub(SHOWN);
    let shown = moves.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(" ");
    if more == 0 { shown } else { format!("{shown} … and {more} more (type moves)") }
}

/// Asks for one line of input, whatever bytes it has, and trims it; `None` if the user leaves, by a word or
/// by ending the input.
pub(crate) fn ask(
    prompt: &str,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> anyhow::Result<Option<String>> {
    write!(out, "{prompt}")?;
    out.flush()?;
    let mut line = Vec::new();
    if input.by_ref().take(MAX_INPUT).read_until(b'\n', &mut line)? == 0 {
        writeln!(out)?;
        return Ok(None);
    }
    let answer = String::from_utf8_lossy(&line).trim().to_owned();
    Ok(if matches!(answer.as_str(), "exit" | "EXIT" | "quit") { None } else { Some(answer) })
}
