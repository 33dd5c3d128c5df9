//! The record of a match, and the match of a record.

use agon_core::Player;
use agon_core::text::{decimal, number, quote};
use agon_erased::{Games, Rules};
use agon_match::{
    Action, Board, End, Fault, Forfeit, Match, Millis, Occupant, PastPly, Policy, Remark, Seat, Setup,
    TimeControl, TimePolicy,
};

use crate::boards::{own_board, recorded_board};
use crate::record::{AGREEMENT, Record, RecordError, RecordResult};

/// Who takes the seats: a person or a bot.
const SEATS: &str = "x-seats";
/// What is left on the clocks of a game that goes on.
const CLOCKS: &str = "x-clocks";
/// Seats that bots play on, from which ply, and why.
const FORFEITS: &str = "x-forfeits";
/// Why the game was forfeited, in a sentence.
const FAULT: &str = "x-fault";
/// One value a ply, [`NOTHING`] for none.
const TIMES: &str = "x-times";
const SCORES: &str = "x-scores";
const DEPTHS: &str = "x-depths";
/// Mistakes: a sign such as `??` and the better move, without a space between them.
const MARKS: &str = "x-marks";
const NOTHING: &str = "-";
/// What stands between the values of a list.
const SEPARATOR: &str = " | ";

impl Record {
    /// The record of a match up to where it stands, without a date. Of several boards, the record itself is that of the players' own: the
    /// first one, or the last where boards are played in turn and the computer goes first. The others stand in further lines.
    pub fn of(game: &Match) -> Self {
        let mut record = Self::of_board(recorded_board(game));
        record.push_rivals(game);
        record
    }

    /// The record of one board alone, without a date.
    pub fn of_board(game: &Board) -> Self {
        let rules = &**game.rules();
        let names = rules.titles();
        let mut record = Self {
            players: game.seats().iter().zip(names).map(|(seat, title)| player_name(seat, title)).collect(),
            seed: Some(game.seed()),
            result: Some(RecordResult::of_end(rules, game.end())),
            ..Self::of_session(rules, game.session())
        };
        let control = game.policy().time.common().filter(|control| **control != TimeControl::None);
        record.clock = control.map(TimeControl::to_string);
        let seats: Vec<String> =
            game.seats().iter().map(|seat| seat.occupant.to_string().replace('|', "||")).collect();
        record.push(SEATS, seats.join(SEPARATOR));
        let clocks: Vec<String> =
            game.clocks().carried().iter().map(|left| format!("{}ms", left.0)).collect();
        if game.end().is_none() {
            record.push(CLOCKS, clocks.join(SEPARATOR));
        }
        let seats = rules.seats();
        let forfeits = game
            .forfeits()
            .map(|Forfeit { seat, ply, reason }| format!("{} {ply} ({reason})", seats[seat.index()]));
        record.push(FORFEITS, forfeits.collect::<Vec<_>>().join(SEPARATOR));
        if let Some(End::Forfeit { detail, .. }) = game.end() {
            record.push(FAULT, detail.clone());
        }
        record.push_values(TIMES, game.plies().map(|ply| Some(format!("{}ms", ply.spent?.0))));
        record.push_values(SCORES, game.plies().map(|ply| score_text(ply.remark?.score?)));
        record.push_values(DEPTHS, game.plies().map(|ply| Some(ply.remark?.depth?.to_string())));
        record
    }

    /// Adds a further line, unless it would be empty.
    pub(crate) fn push(&mut self, name: &str, value: String) {
        if !value.trim().is_empty() {
            self.extra.push((name.to_owned(), value));
        }
    }

    /// Adds a line with a value for every ply, unless there is none.
    fn push_values(&mut self, name: &str, values: impl Iterator<Item = Option<String>>) {
        let values: Vec<Option<String>> = values.collect();
        if values.iter().any(Option::is_some) {
            let texts: Vec<String> =
                values.into_iter().map(|value| value.unwrap_or_else(|| NOTHING.to_owned())).collect();
            self.push(name, texts.join(" "));
        }
    }

    /// Notes what was found wrong with each ply.
    pub fn set_marks(&mut self, marks: impl Iterator<Item = Option<String>>) {
        self.extra.retain(|(name, _)| name != MARKS);
        self.push_values(MARKS, marks);
    }

    /// What was found wrong with each ply; nothing if nobody has looked, or the notes are not one a ply.
    pub fn marks(&self) -> Vec<Option<&str>> {
        let marks = self.values(MARKS).unwrap_or_default();
        marks.into_iter().map(|mark| Some(mark).filter(|mark| *mark != NOTHING)).collect()
    }

    /// The values of a line with one for every ply. Notes that are not one a ply are as good as none.
    fn values(&self, name: &str) -> Option<Vec<&str>> {
        let values: Vec<&str> = self.header(name)?.split(' ').collect();
        (values.len() == self.moves.len()).then_some(values)
    }

    /// The match that the record is of, as it stands, on a new time line that begins at `now`. Its game is one of `games`. `adjust` may
    /// change who plays the record's own board and, for all boards, what holds outside the rules, about which records say little.
    ///
    /// # Errors
    /// If the record does not hold.
    pub fn to_match(
        &self,
        games: Games,
        now: Millis,
        adjust: impl FnOnce(&mut Setup),
    ) -> Result<Match, RecordError> {
        let rules = self.rules(games)?;
        let mut own = self.setup(&*rules)?;
        adjust(&mut own);
        let setup = self.with_rivals(own)?;
        let board = own_board(setup.order, setup.boards.len());
        let mut game = Match::start(rules, setup, self.seed.unwrap_or_default(), now)?;
        self.check_result(&**game.rules(), game.boards()[board].session())?;
        if let Some(end) = self.end(&**game.rules())? {
            // The result was checked: the game is open.
            let _ = game.apply(board, Action::Conclude(end), now);
        }
        Ok(game)
    }

    /// What its own board would be started with.
    pub(crate) fn setup(&self, rules: &dyn Rules) -> Result<Setup, RecordError> {
        let control = self.clock.as_deref().and_then(|text| TimeControl::parse(text).ok());
        let time = TimePolicy::new(control.unwrap_or_default(), Millis::ZERO);
        let carries = matches!(control, Some(TimeControl::Game { .. }));
        let fits = |clocks: &Vec<Millis>| carries && clocks.len() == rules.seats().len();
        let clocks = self.header(CLOCKS).and_then(|text| {
            text.split(SEPARATOR).map(|part| Millis::parse(part).ok()).collect::<Option<Vec<Millis>>>()
        });
        Ok(Setup {
            position: self.start.clone(),
            moves: self.plies(),
            seats: self.seats(rules)?,
            policy: Policy { time, ..Policy::default() },
            // Clocks that do not fit are as good as none.
            clocks: clocks.filter(fits).unwrap_or_default(),
            forfeits: self.forfeits(rules)?,
        })
    }

    /// The moves with what is noted about them.
    fn plies(&self) -> Vec<PastPly> {
        let (times, scores, depths) = (self.values(TIMES), self.values(SCORES), self.values(DEPTHS));
        let value =
            |values: &Option<Vec<&str>>, index: usize| values.as_ref().map(|values| values[index].to_owned());
        let ply = |(index, token): (usize, &String)| {
            let spent = value(&times, index).and_then(|text| Millis::parse(&text).ok());
            let score = value(&scores, index).and_then(|text| decimal(&text).ok());
            let depth = value(&depths, index).and_then(|text| number(&text, 0..=u64::from(u32::MAX)).ok());
            let remark = Remark { score, depth: depth.map(|depth| depth as u32), ..Remark::default() };
            let remark = Some(remark).filter(|remark| *remark != Remark::default());
            PastPly { token: token.clone(), spent, remark }
        };
        self.moves.iter().enumerate().map(ply).collect()
    }

    /// Who took the seats of the game, which has these rules; `None` if nobody noted it, or what was noted does not hold. Where only names were noted, those of the game's
    /// bots are bots, and all others people.
    pub fn seated(&self, rules: &dyn Rules) -> Option<Vec<Seat>> {
        if self.header(SEATS).is_some() {
            return self.seats(rules).ok();
        }
        let bots = rules.bots();
        let occupant = |name: &str| match name.parse() {
            Ok(Occupant::Bot(spec)) if bots.iter().any(|bot| bot.name == spec.name()) => Occupant::Bot(spec),
            _ => Occupant::Person,
        };
        let seat = |name: &String| Seat { name: name.clone(), ..Seat::of(occupant(name)) };
        (!self.players.is_empty()).then(|| self.players.iter().map(seat).collect())
    }

    /// Who took the seats; people if nobody noted it.
    fn seats(&self, rules: &dyn Rules) -> Result<Vec<Seat>, RecordError> {
        let names = if self.players.is_empty() { rules.titles() } else { self.players.clone() };
        let occupants = match self.header(SEATS) {
            None => vec![Occupant::Person; names.len()],
            Some(text) => text
                .split(SEPARATOR)
                .map(|part| part.replace("||", "|").parse())
                .collect::<Result<Vec<Occupant>, _>>()
                .map_err(|error| RecordError::Setup(format!("{SEATS}: {error}")))?,
        };
        if occupants.len() != names.len() {
            let fault = format!("{SEATS}: {} given for {} seats", occupants.len(), names.len());
            return Err(RecordError::Setup(fault));
        }
        let seat = |(name, occupant)| Seat { name, ..Seat::of(occupant) };
        Ok(names.into_iter().zip(occupants).map(seat).collect())
    }

    fn forfeits(&self, rules: &dyn Rules) -> Result<Vec<Forfeit>, RecordError> {
        let Some(text) = self.header(FORFEITS) else { return Ok(Vec::new()) };
        let forfeit = |part: &str| {
            let (head, reason) = part.strip_suffix(')')?.split_once(" (")?;
            let (seat, ply) = head.split_once(' ')?;
            let ply = number(ply, 0..=self.moves.len() as u64).ok()? as usize;
            Some(Forfeit { seat: player(rules, seat)?, ply, reason: reason.parse().ok()? })
        };
        let forfeits = text.split(SEPARATOR).map(|part| {
            let fault = || format!("{FORFEITS}: {} is not of the form 'SEAT PLY (reason)'", quote(part));
            forfeit(part).ok_or_else(|| RecordError::Setup(fault()))
        });
        forfeits.collect()
    }

    /// The end outside the rules, if there was one.
    fn end(&self, rules: &dyn Rules) -> Result<Option<End>, RecordError> {
        Ok(match &self.result {
            Some(RecordResult::Drawn { reason }) if reason == AGREEMENT => Some(End::Agreed),
            Some(RecordResult::Forfeit { seat, reason }) => {
                let reason: Fault =
                    reason.parse().map_err(|error| RecordError::Setup(format!("result: {error}")))?;
                let detail = self.header(FAULT).unwrap_or_default().to_owned();
                player(rules, seat).map(|seat| End::Forfeit { seat, reason, detail })
            }
            _ => None,
        })
    }
}

/// A score as far as anybody wants to know it; `None` if it is no number that people write.
fn score_text(score: f64) -> Option<String> {
    let rounded = (score * 1000.0).round() / 1000.0;
    (rounded.abs() < 1e12).then(|| format!("{}", rounded + 0.0))
}

/// A name that can stand in a record: one that is empty would be no value, and bars stand between names.
fn player_name(seat: &Seat, title: String) -> String {
    let name = seat.name.trim().replace('|', "/");
    if name.is_empty() { title } else { name }
}

fn player(rules: &dyn Rules, seat: &str) -> Option<Player> {
    let index = rules.seats().iter().position(|name| name == seat)?;
    Some(Player(index as u8))
}
