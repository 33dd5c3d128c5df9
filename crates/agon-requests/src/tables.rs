//! Tables as browsers ask for them: new ones, records that are played on, and plies of those that are there.

use agon_erased::{Games, Rules};
use agon_match::{Goal, Match, Millis, Policy, Seat, Setup, TimeControl, TimePolicy};
use agon_messages::{Refused, names, reasons};
use agon_protocol::web::api::{NewSeat, NewTable};
use agon_protocol::web::{RefusalCode, TableMode};
use agon_records::{Record, RecordError};
use agon_table::limits::{BotLimits, check_bot};
use agon_table::view::changes::PlyRange;
use agon_table::{MAX_PACE, TableSettings, stored};
use serde::Deserialize;

use crate::catalogue::rules;
use crate::check_moves;

/// How late a move may come without being late, for the way through the network.
const GRACE: Millis = Millis(100);
/// The pace of games in which only bots play, in milliseconds.
const WATCHED_PACE: u32 = 700;
/// The same in games for one, which are long and whose moves are small: eight a second.
const ALONE_PACE: u32 = 125;
/// The most plies that are sent at once, or the most moves with the draws of chance that follow them.
const MAX_PLIES: usize = 2000;

/// What is to be played at a table that somebody called `name` asks for; `seed` fixes all randomness.
///
/// # Errors
/// If anything about it does not hold.
pub fn prepare(
    games: Games,
    limits: &BotLimits,
    asked: NewTable,
    name: &str,
    seed: u64,
) -> Result<(Match, TableSettings), Refused> {
    let NewTable { game, options, mode, seats, clock, pace, position, moves } = asked;
    check_moves(&moves)?;
    let rules = rules(games, &game, &options)?;
    let mode = mode.unwrap_or(TableMode::Single);
    let titles = rules.titles();
    if mode == TableMode::Single && seats.len() != titles.len() {
        let count = ("n", (titles.len() as u64).into());
        return Err(Refused::new(RefusalCode::Invalid, "refused.seats", [count]).about("seats"));
    }
    let mut taken = Vec::with_capacity(seats.len());
    for (index, seat) in seats.into_iter().enumerate() {
        let title = titles.get(index).map_or("", String::as_str);
        let fallback = if name.is_empty() { title } else { name };
        let seat = self::seat(&*rules, limits, seat, fallback);
        taken.push(seat.map_err(|refused| refused.about(format!("seats.{index}")))?);
    }
    let bad_clock = |_| Refused::plain(RefusalCode::Invalid, "refused.clock").about("clock");
    let control = clock.map_or(Ok(TimeControl::None), |text| TimeControl::parse(&text)).map_err(bad_clock)?;
    let has_people = taken.iter().any(Seat::is_person);
    let usual = match (rules.seats().len(), has_people) {
        (1, false) => ALONE_PACE,
        (1, true) if mode == TableMode::InTurn => ALONE_PACE,
        (_, true) => TableSettings::default().pace,
        (_, false) => WATCHED_PACE,
    };
    let pace = pace.unwrap_or(usual);
    if pace > MAX_PACE {
        let most = ("n", u64::from(MAX_PACE).into());
        return Err(Refused::new(RefusalCode::Invalid, "refused.pace", [most]).about("pace"));
    }
    let policy = Policy { time: TimePolicy::new(control, GRACE), ..Policy::default() };
    let setup =
        Setup { position, moves: moves.into_iter().map(Into::into).collect(), policy, ..Setup::default() };
    let setups = match mode {
        TableMode::Single => vec![Setup { seats: taken, ..setup }],
        TableMode::Race | TableMode::InTurn => {
            taken.into_iter().map(|seat| Setup { seats: vec![seat], ..setup.clone() }).collect()
        }
    };
    let failed = |error| Refused::because(RefusalCode::Invalid, "refused.setup", error);
    let play = stored::start(rules, mode, Goal::Finish, setups, seed).map_err(failed)?;
    Ok((play, TableSettings { pace, ..TableSettings::default() }))
}

fn seat(rules: &dyn Rules, limits: &BotLimits, asked: NewSeat, fallback: &str) -> Result<Seat, Refused> {
    let occupant = check_bot(rules, &asked.occupant, limits)?;
    let given = asked.name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    let given = given.map(|name| names::name(&name)).transpose()?;
    let seat = Seat::of(occupant);
    let name = match given {
        Some(name) => name,
        None if seat.is_person() => fallback.to_owned(),
        None => seat.name.clone(),
    };
    Ok(Seat { name, ..seat })
}

/// What a record is of, played on by the people of a browser, called `name`: other people's programs are people here.
///
/// # Errors
/// If the record does not hold.
pub fn read_record(games: Games, limits: &BotLimits, bytes: &[u8], name: &str) -> Result<Match, Refused> {
    let fail = |error: RecordError| reasons::bad_record(games, bytes, &error);
    let record = Record::parse(bytes).map_err(fail)?;
    let rules = record.rules(games).map_err(fail)?;
    let adjust = |setup: &mut Setup| {
        for seat in &mut setup.seats {
            if check_bot(&*rules, &seat.occupant.to_string(), limits).is_err() {
                *seat = Seat::person(name);
            }
        }
    };
    record.to_match(games, Millis::ZERO, adjust).map_err(fail)
}

/// Which plies are asked for.
#[derive(Deserialize)]
pub struct PlyQuery {
    /// The board, from 0.
    #[serde(default)]
    pub board: usize,
    /// The first.
    #[serde(default)]
    pub from: usize,
    /// The one behind the last.
    pub to: Option<usize>,
    /// What these count.
    #[serde(default)]
    pub by: CountedBy,
}

/// What `from` and `to` count.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CountedBy {
    /// Plies, draws of chance included.
    #[default]
    Plies,
    /// Moves of players.
    Moves,
}

impl PlyQuery {
    /// The plies that are told.
    pub fn range(&self) -> PlyRange {
        let to = self.to.unwrap_or(usize::MAX).min(self.from.saturating_add(MAX_PLIES));
        match self.by {
            CountedBy::Plies => PlyRange::Plies(self.from..to),
            CountedBy::Moves => PlyRange::Moves(self.from..to),
        }
    }
}
