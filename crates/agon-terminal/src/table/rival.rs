//! The other table of a race: a bot at the same game of one, with the same luck.
//!
//! Both tables draw the k-th tile from the k-th number. The higher score wins.

use std::cmp::Ordering;

use agon_arena::Record;
use agon_core::Turn;
use agon_registry::Session;

use super::{Setup, SetupError, Table};

/// Who plays when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RaceOrder {
    /// Both at once, side by side; the bot moves when the person does.
    Together,
    /// The computer's whole game first, then the person's.
    ComputerFirst,
}

/// The headers of a record that is kept of a race: its order, the rival, and the rival's moves and tiles.
const ORDER_HEADER: &str = "x-race";
const RIVAL_HEADER: &str = "x-rival";
const MOVES_HEADER: &str = "x-rival-moves";
const TOGETHER: &str = "together";
const FIRST: &str = "first";

/// The bot that a person races, at its table.
pub struct Rival {
    /// Its game.
    pub table: Table,
    /// Who plays when.
    pub order: RaceOrder,
}

impl Rival {
    /// A bot at the game of `setup`.
    ///
    /// # Errors
    /// If the game or the bot does not exist, or the game is not one for a single player.
    pub fn new(setup: &Setup, bot: &str, order: RaceOrder) -> Result<Self, SetupError> {
        let table = Table::new(&Setup { seats: vec![bot.to_owned()], ..setup.clone() })?;
        Ok(Self::at(table, order))
    }

    fn at(mut table: Table, order: RaceOrder) -> Self {
        if order == RaceOrder::Together {
            table.set_paused(true);
        }
        table.draw_all();
        Self { table, order }
    }

    /// The rival of a race that was interrupted; `None` if the record is not one of a race.
    ///
    /// # Errors
    /// If it cannot be taken up.
    pub fn resume(record: &Record) -> Option<Result<Self, SetupError>> {
        let header = |name: &str| {
            let found = record.extra.iter().find(|(key, _)| key == name);
            found.map(|(_, value)| value.as_str())
        };
        let order =
            if header(ORDER_HEADER)? == TOGETHER { RaceOrder::Together } else { RaceOrder::ComputerFirst };
        let bot = header(RIVAL_HEADER)?;
        let moves = header(MOVES_HEADER)?.split_whitespace().map(str::to_owned).collect();
        let own = Record { moves, result: None, ..record.clone() };
        Some(Table::resume_seated(&own, vec![bot.to_owned()], bot).map(|table| Self::at(table, order)))
    }

    /// The record of a race whose person sits at `table`, from which it can be taken up.
    pub fn record(&self, table: &Table) -> Record {
        let mut record = table.record();
        let order = if self.order == RaceOrder::Together { TOGETHER } else { FIRST };
        let moves = self.table.session().history().join(" ");
        for (key, value) in [(ORDER_HEADER, order), (RIVAL_HEADER, self.bot()), (MOVES_HEADER, &moves)] {
            record.extra.push((key.to_owned(), value.to_owned()));
        }
        record
    }

    /// What the bot is called.
    pub fn bot(&self) -> &str {
        &self.table.seats()[0].specification
    }

    /// Whether it is the person's time to play.
    pub fn lets_play(&self) -> bool {
        self.order == RaceOrder::Together || self.table.is_over()
    }

    /// Who has won, said to the person at `table`.
    pub fn verdict(&self, table: &Table) -> String {
        let (mine, theirs) = (score(table), score(&self.table));
        match mine.cmp(&theirs) {
            Ordering::Greater => format!("You beat the computer: {mine} to {theirs}."),
            Ordering::Less => format!("The computer won: {theirs} to {mine}."),
            Ordering::Equal => format!("A draw: {mine} each."),
        }
    }
}

/// The score at the table of a game of one.
pub fn score(table: &Table) -> u64 {
    table.session().standing().map_or(0, |standing| standing.score)
}

/// How many moves the players of a game have made; what chance draws does not count.
pub fn moves_made(session: &dyn Session) -> usize {
    session.movers().iter().filter(|mover| matches!(mover, Turn::Player(_))).count()
}

/// The bot that is raced in a record, if it is one of a race.
pub fn rival_in(record: &Record) -> Option<&str> {
    header(record, RIVAL_HEADER)
}

fn header<'a>(record: &'a Record, name: &str) -> Option<&'a str> {
    record.extra.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
}
