//! `agon play` and `agon watch`: games with people and games of bots.

use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use agon_erased::{BotSpec, Rules, Session};
use agon_files::save_record;
use agon_match::{BoardOrder, Occupant, TimeControl};
use agon_players::split_players;
use agon_terminal::driver::{Failure, read_player, seed_from_clock};
use agon_terminal::home::read_pace;
use agon_terminal::screens::{Mode, PlayScreen};
use agon_terminal::{MatchDriver, NewGame, words};
use anyhow::Context;

use crate::game_args::GameArgs;
use crate::screen_args::ScreenArgs;
use crate::weights;

/// Who plays where nobody is named.
const OPPONENT: &str = "easy";
const WATCHED: &str = "medium";

/// Who plays a seat, and what a person is called.
type Player = (Occupant, Option<String>);

/// What `agon play` and `agon watch` share.
#[derive(clap::Args)]
struct Common {
    #[command(flatten)]
    game: GameArgs,
    /// Who plays, in turn order: `human`, `human:NAME` or a bot for every seat
    #[arg(long, value_name = "LIST")]
    players: Option<String>,
    /// One player, in turn order; repeated for every seat, it replaces --players where commands contain commas
    #[arg(long, value_name = "SPEC", conflicts_with = "players")]
    player: Vec<String>,
    /// The clock: none, a time per move (15s), or a time per game plus an increment (5m+3s)
    #[arg(long, value_name = "CLOCK", default_value = "none", value_parser = TimeControl::parse)]
    clock: TimeControl,
    /// Fixes all randomness
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Minimum time between the moves of bots: off, or a time such as 400ms
    #[arg(long, value_name = "TIME", value_parser = read_pace)]
    pace: Option<Duration>,
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
Without --players, you play the first seat and `easy` plays all others.

Examples:
  agon play othello
  agon play tablut --players medium,human --clock 5m+3s
  agon play loa --players human,alphabeta:time=2s,tt=off
  agon play chinese-checkers --options seats=g/y/r --players human,easy,easy
  agon play tablut --players human:Dana,human:Avi
  agon play 2048 --against expert          the computer first, then you, with the same tiles
  agon play 2048 --race medium             side by side
  agon play 2048 --players random --seed 7 --save game.txt --plain"
)]
pub(crate) struct Args {
    #[command(flatten)]
    common: Common,
    /// In a one-player game: let a bot play first, then try to beat it with the same luck
    #[arg(long, value_name = "BOT", conflicts_with_all = ["players", "player"])]
    against: Option<String>,
    /// In a one-player game: race a bot side by side with the same luck
    #[arg(long, value_name = "BOT", conflicts_with_all = ["players", "player", "against"])]
    race: Option<String>,
}

/// `agon watch`
#[derive(clap::Args)]
#[command(after_help = "Without --players, `medium` plays all seats.

Examples:
  agon watch othello --players expert,hard
  agon watch 2048 --players expert --pace 20ms
  agon watch chinese-checkers --options seats=g/y/o/r/p/b --plain")]
pub(crate) struct WatchArgs {
    #[command(flatten)]
    common: Common,
}

impl Args {
    pub(crate) fn run(&self, input: &mut impl BufRead, out: &mut impl Write) -> anyhow::Result<()> {
        let (rules, session) = self.common.game.open()?;
        if let Some(bot) = self.against.as_ref().or(self.race.as_ref()) {
            let order = if self.race.is_some() { BoardOrder::Together } else { BoardOrder::InTurn };
            let bot = weights::occupant(read_player(bot)?.0, &*rules)?;
            return self.contest(rules, &*session, bot, order, input, out);
        }
        let mut usual = vec![Occupant::Bot(BotSpec::named(OPPONENT)); rules.seats().len()];
        usual[0] = Occupant::Person;
        let players = self.common.players(usual, &*rules)?;
        let start =
            |person: &str| MatchDriver::start(self.common.new_game(rules, &*session, players, person));
        if self.common.screen.fills() {
            let mut context = self.common.screen.context();
            let driver = start(context.home.person())?;
            let mut screen = PlayScreen::new(driver, Mode::Play, &context).saved_to(self.common.save.clone());
            if let Some(pace) = self.common.pace {
                screen = screen.at_pace(pace);
            }
            return self.common.screen.show(Box::new(screen), &mut context, out);
        }
        self.common.screen.converse(input, out, |dialogue| {
            let mut driver = start(dialogue.home.person())?;
            dialogue.pace = self.common.pace.unwrap_or(dialogue.pace);
            // A person who resigns among several leaves a bot behind, and is still there to say goodbye to.
            let has_people = driver.has_people();
            dialogue.play(&mut driver)?;
            self.common.save(&driver, dialogue.output())?;
            if has_people {
                dialogue.farewell()?;
            }
            failure_of(&driver)
        })
    }

    fn contest(
        &self,
        rules: Arc<dyn Rules>,
        session: &dyn Session,
        rival: Occupant,
        order: BoardOrder,
        input: &mut impl BufRead,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        let flag = if order == BoardOrder::Together { "--race" } else { "--against" };
        anyhow::ensure!(
            rival != Occupant::Person,
            "{flag} human: a race is against a bot; name one, such as {flag} medium"
        );
        anyhow::ensure!(
            rules.seats().len() == 1,
            "{flag} is for games of one player; in {} name the players by --players",
            rules.spec().title()
        );
        let start = |person: &str| {
            let new = self.common.new_game(rules, session, vec![(Occupant::Person, None)], person);
            MatchDriver::start(new.against(rival, order))
        };
        if self.common.screen.fills() {
            let mut context = self.common.screen.context();
            let screen = PlayScreen::new(start(context.home.person())?, Mode::Play, &context);
            return self.common.screen.show(Box::new(screen), &mut context, out);
        }
        self.common.screen.converse(input, out, |dialogue| {
            let mut driver = start(dialogue.home.person())?;
            dialogue.play(&mut driver)?;
            Ok(dialogue.farewell()?)
        })
    }
}

impl WatchArgs {
    pub(crate) fn run(&self, input: &mut impl BufRead, out: &mut impl Write) -> anyhow::Result<()> {
        let (rules, session) = self.common.game.open()?;
        let usual = vec![Occupant::Bot(BotSpec::named(WATCHED)); rules.seats().len()];
        let players = self.common.players(usual, &*rules)?;
        let has_people = players.iter().any(|(player, _)| *player == Occupant::Person);
        anyhow::ensure!(!has_people, "agon watch is for bots; people play with agon play");
        let mut driver = MatchDriver::start(self.common.new_game(rules, &*session, players, ""))?;
        if self.common.screen.fills() {
            let mut context = self.common.screen.context();
            let mut screen = PlayScreen::new(driver, Mode::Play, &context).saved_to(self.common.save.clone());
            if let Some(pace) = self.common.pace {
                screen = screen.at_pace(pace);
            }
            return self.common.screen.show(Box::new(screen), &mut context, out);
        }
        driver.set_pace(self.common.pace.unwrap_or_default());
        self.common.screen.converse(input, out, |dialogue| {
            write!(dialogue.output(), "{}", driver.told(driver.own()).diagram())?;
            dialogue.watch(&mut driver)?;
            self.common.save(&driver, dialogue.output())?;
            failure_of(&driver)
        })
    }
}

impl Common {
    /// Who plays, with the names of people who were given one: those on the command line, or the usual ones.
    fn players(&self, usual: Vec<Occupant>, rules: &dyn Rules) -> anyhow::Result<Vec<Player>> {
        let named = match &self.players {
            Some(list) => split_players(list),
            None if self.player.is_empty() => return Ok(usual.into_iter().map(|bot| (bot, None)).collect()),
            None => self.player.clone(),
        };
        named
            .iter()
            .map(|text| {
                let (player, name) = read_player(text)?;
                Ok((weights::occupant(player, rules)?, name))
            })
            .collect()
    }

    /// The game that goes on where `session` stands.
    fn new_game(
        &self,
        rules: Arc<dyn Rules>,
        session: &dyn Session,
        players: Vec<Player>,
        person: &str,
    ) -> NewGame {
        let seed = self.seed.unwrap_or_else(seed_from_clock);
        let (players, names): (_, Vec<_>) = players.into_iter().unzip();
        NewGame::new(rules, players, person, seed)
            .with_names(&names)
            .continuing(session)
            .with_clock(self.clock)
    }

    fn save(&self, driver: &MatchDriver, out: &mut dyn Write) -> anyhow::Result<()> {
        if let Some(path) = &self.save {
            let saved = save_record(&driver.record(), path);
            saved.with_context(|| format!("the record could not be written to {}", path.display()))?;
            writeln!(out, "Saved to {}.", path.display())?;
        }
        Ok(())
    }
}

/// The failure of a bot that has ended the game.
fn failure_of(driver: &MatchDriver) -> anyhow::Result<()> {
    match driver.failure() {
        Some(Failure { board, seat, reason }) => {
            anyhow::bail!("{} has failed: {reason}", words::seat_text(&driver.game().boards()[board], seat))
        }
        None => Ok(()),
    }
}
