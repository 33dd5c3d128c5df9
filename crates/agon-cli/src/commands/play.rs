//! `agon play` and `agon watch`: games with people and games of bots.

use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use agon_core::random::mix;
use agon_players::split_players;
use agon_registry::{Rules, Session, SystemClock};
use agon_terminal::screens::{Mode, PlayScreen, RaceScreen};
use agon_terminal::{HUMAN, RaceOrder, Setup, Table, TimeControl, words};
use anyhow::Context;

use crate::game_args::GameArgs;
use crate::screen_args::{ScreenArgs, converse};

/// Who plays where nobody is named.
const OPPONENT: &str = "easy";
const WATCHED: &str = "medium";

/// What `agon play` and `agon watch` share.
#[derive(clap::Args)]
struct Common {
    #[command(flatten)]
    game: GameArgs,
    /// Who plays, in turn order: `human` or a bot for every seat
    #[arg(long, value_name = "LIST")]
    players: Option<String>,
    /// One player, in turn order; given once for every seat instead of --players, where commands have commas in them
    #[arg(long, value_name = "SPEC", conflicts_with = "players")]
    player: Vec<String>,
    /// The clock: none, a time for each move (15s), or for the game and an increment (5m+3s)
    #[arg(long, value_name = "CLOCK", default_value = "none", value_parser = TimeControl::parse)]
    clock: TimeControl,
    /// Fixes all randomness
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Where to write the record of the game when it is over or left
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    #[command(flatten)]
    screen: ScreenArgs,
}

/// `agon play`
#[derive(clap::Args)]
#[command(
    after_help = "On a terminal the game fills the screen; in a pipe or with --plain it is a conversation.
Without --players you play the first seat and easy all others.

Examples:
  agon play othello
  agon play tablut --players medium,human --clock 5m+3s
  agon play loa --players human,alphabeta:time=2s,tt=off
  agon play chinese-checkers --options seats=g/y/r --players human,easy,easy
  agon play 2048 --against expert          the computer first, then you, with the same tiles
  agon play 2048 --race medium             side by side
  agon play 2048 --players random --seed 7 --save game.txt --plain"
)]
pub(crate) struct Args {
    #[command(flatten)]
    common: Common,
    /// In a game of one: let a bot play first, then do better with the same luck
    #[arg(long, value_name = "BOT", conflicts_with_all = ["players", "player"])]
    against: Option<String>,
    /// In a game of one: race a bot side by side with the same luck
    #[arg(long, value_name = "BOT", conflicts_with_all = ["players", "player", "against"])]
    race: Option<String>,
}

/// `agon watch`
#[derive(clap::Args)]
#[command(after_help = "Without --players medium plays all seats.

Examples:
  agon watch othello --players expert,hard
  agon watch 2048 --players expert --pace 20ms
  agon watch chinese-checkers --options seats=g/y/o/r/p/b --plain")]
pub(crate) struct WatchArgs {
    #[command(flatten)]
    common: Common,
    /// The least time from one move to the next
    #[arg(long, value_name = "TIME", value_parser = agon_core::text::duration)]
    pace: Option<Duration>,
}

impl Args {
    pub(crate) fn run(&self, input: &mut impl BufRead, out: &mut impl Write) -> anyhow::Result<()> {
        let (rules, session) = self.common.game.open()?;
        if let Some(bot) = self.against.as_ref().or(self.race.as_ref()) {
            let order = if self.race.is_some() { RaceOrder::Together } else { RaceOrder::ComputerFirst };
            return self.contest(&*rules, bot, order, input, out);
        }
        let mut seats = vec![OPPONENT.to_owned(); rules.seats().len()];
        HUMAN.clone_into(&mut seats[0]);
        let table = |person: &str| self.common.table(rules, session, seats, person);
        if self.common.screen.fills() {
            let mut context = self.common.screen.context();
            let table = table(context.home.person())?;
            let screen = PlayScreen::new(table, Mode::Play, &context).saved_to(self.common.save.clone());
            return self.common.screen.show(Box::new(screen), &mut context, out);
        }
        converse(input, out, |dialogue| {
            let mut table = table(dialogue.home.person())?;
            dialogue.play(&mut table)?;
            self.common.save(&table, dialogue.output())?;
            if table.has_people() {
                dialogue.farewell()?;
            }
            failure_of(&table)
        })
    }

    fn contest(
        &self,
        rules: &dyn Rules,
        bot: &str,
        order: RaceOrder,
        input: &mut impl BufRead,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        let flag = if order == RaceOrder::Together { "--race" } else { "--against" };
        anyhow::ensure!(
            rules.seats().len() == 1,
            "{flag} is for games of one player; in {} name the players by --players",
            rules.spec().title
        );
        let setup = |person: &str| self.common.setup(rules, vec![HUMAN.to_owned()], person);
        if self.common.screen.fills() {
            let mut context = self.common.screen.context();
            let screen = RaceScreen::new(&setup(context.home.person()), bot, order, &context)?;
            return self.common.screen.show(Box::new(screen), &mut context, out);
        }
        converse(input, out, |dialogue| {
            let setup = setup(dialogue.home.person());
            dialogue.contest(&setup, bot, order)?;
            Ok(dialogue.farewell()?)
        })
    }
}

impl WatchArgs {
    pub(crate) fn run(&self, input: &mut impl BufRead, out: &mut impl Write) -> anyhow::Result<()> {
        let (rules, session) = self.common.game.open()?;
        let seats = vec![WATCHED.to_owned(); rules.seats().len()];
        let mut table = self.common.table(rules, session, seats, HUMAN)?;
        anyhow::ensure!(!table.has_people(), "people play by agon play; agon watch is for bots");
        if self.common.screen.fills() {
            let mut context = self.common.screen.context();
            let mut screen = PlayScreen::new(table, Mode::Play, &context).saved_to(self.common.save.clone());
            if let Some(pace) = self.pace {
                screen = screen.at_pace(pace);
            }
            return self.common.screen.show(Box::new(screen), &mut context, out);
        }
        table.pace = self.pace.unwrap_or_default();
        converse(input, out, |dialogue| {
            write!(dialogue.output(), "{}", table.session().diagram())?;
            dialogue.watch(&mut table)?;
            self.common.save(&table, dialogue.output())?;
            failure_of(&table)
        })
    }
}

impl Common {
    fn setup(&self, rules: &dyn Rules, seats: Vec<String>, person: &str) -> Setup {
        let seats = match &self.players {
            Some(list) => split_players(list),
            None if self.player.is_empty() => seats,
            None => self.player.clone(),
        };
        Setup {
            game: rules.spec().id.to_owned(),
            options: rules.options(),
            position: self.game.position.clone(),
            moves: Vec::new(),
            seats,
            person: person.to_owned(),
            clock: self.clock,
            seed: self.seed.unwrap_or_else(seed_from_clock),
        }
    }

    fn table(
        &self,
        rules: Arc<dyn Rules>,
        session: Box<dyn Session>,
        seats: Vec<String>,
        person: &str,
    ) -> anyhow::Result<Table> {
        let setup = self.setup(&*rules, seats, person);
        Ok(Table::around(rules, session, &setup, Arc::new(SystemClock::default()))?)
    }

    fn save(&self, table: &Table, out: &mut dyn Write) -> anyhow::Result<()> {
        if let Some(path) = &self.save {
            let saved = table.record().save(path);
            saved.with_context(|| format!("the record could not be written to {}", path.display()))?;
            writeln!(out, "Saved to {}.", path.display())?;
        }
        Ok(())
    }
}

/// The failure of a bot that has ended the game.
fn failure_of(table: &Table) -> anyhow::Result<()> {
    match table.failure() {
        Some((player, reason)) => anyhow::bail!("{} has failed: {reason}", words::seat_text(table, player)),
        None => Ok(()),
    }
}

pub(crate) fn seed_from_clock() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| mix(0, elapsed.as_nanos() as u64))
}
