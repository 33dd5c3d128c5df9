//! What a new game needs, and why it may fail to start.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use agon_core::random::mix;
use agon_core::{Player, Turn};
use agon_erased::{BotSpec, Rules, Session, SpecificationError};
use agon_match::{
    BoardOrder, MatchSetup, Millis, Occupant, OccupantError, Policy, Refusal, Seat, Setup, StartError,
    TimeControl, TimePolicy,
};
use agon_records::{Record, RecordError};

use crate::home::valid_name;

/// How far a clock may be overdrawn: nobody is late because the machine was busy.
const GRACE: Millis = Millis(100);

/// The bot that a newcomer plays against.
pub(crate) const FIRST_OPPONENT: &str = "easy";

/// The bot that takes the other side when a game branches off from a record.
const OPPONENT: &str = "medium";

/// Who plays as people write it: as everywhere, and `human:NAME` for a person with a name.
///
/// # Errors
/// If it names nobody who could play.
pub fn read_player(text: &str) -> Result<(Occupant, Option<String>), OccupantError> {
    match text.strip_prefix("human:") {
        Some(name) => Ok((Occupant::Person, valid_name(name))),
        None => Ok((text.parse()?, None)),
    }
}

/// A seed from the clock, for games without a chosen one.
pub fn seed_from_clock() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |elapsed| mix(0, elapsed.as_nanos() as u64))
}

/// A game that is to be started.
#[derive(Clone)]
pub struct NewGame {
    /// The rules.
    pub rules: Arc<dyn Rules>,
    /// Where it begins, who plays, and what holds outside the rules; there is always a first board.
    pub setup: MatchSetup,
    /// What fixes all randomness.
    pub seed: u64,
}

impl NewGame {
    /// A game from the usual start and without clocks. `person` is what the only person is called; several
    /// people at one screen are told apart by what they play.
    pub fn new(rules: Arc<dyn Rules>, players: Vec<Occupant>, person: &str, seed: u64) -> Self {
        let is_alone = players.iter().filter(|player| **player == Occupant::Person).count() == 1;
        let mut titles = rules.titles().into_iter();
        let seat = |player: Occupant| {
            let title = titles.next().unwrap_or_default();
            match player {
                Occupant::Person => Seat::person(if is_alone { person.to_owned() } else { title }),
                other => Seat::of(other),
            }
        };
        let seats = players.into_iter().map(seat).collect();
        Self { setup: Setup { seats, ..Setup::default() }.into(), rules, seed }.with_clock(TimeControl::None)
    }

    /// A game that goes on from where `session`, which stands somewhere in the game of `record`, stands.
    /// Everybody keeps their seats; if nobody noted who sat there, or only bots played, `person` plays the
    /// side to move. A record may come from a stranger, so no program that it names is started: a bot takes
    /// its seat.
    pub fn branching_off(
        rules: Arc<dyn Rules>,
        session: &dyn Session,
        record: &Record,
        person: &str,
        seed: u64,
    ) -> Self {
        let mover = match session.turn() {
            Turn::Player(player) => player,
            Turn::Chance => Player(0),
        };
        let bot = || Seat::of(Occupant::Bot(BotSpec::named(OPPONENT)));
        let mut seats = record.seated(&*rules).unwrap_or_else(|| vec![bot(); rules.seats().len()]);
        for seat in &mut seats {
            if let Occupant::Program(_) = seat.occupant {
                *seat = bot();
            }
        }
        match seats.iter().filter(|seat| seat.is_person()).count() {
            0 => seats[mover.index()] = Seat::person(person),
            1 => seats
                .iter_mut()
                .filter(|seat| seat.is_person())
                .for_each(|seat| person.clone_into(&mut seat.name)),
            _ => {}
        }
        Self { setup: Setup { seats, ..Setup::default() }.into(), rules, seed }
            .with_clock(TimeControl::None)
            .continuing(session)
    }

    /// A game to be studied from where `session` stands: `person` plays for all.
    pub fn for_study(rules: Arc<dyn Rules>, session: &dyn Session, person: &str, seed: u64) -> Self {
        let players = vec![Occupant::Person; rules.seats().len()];
        Self::new(rules, players, person, seed).continuing(session)
    }

    /// The same game with these names of people, one per seat; seats without one keep theirs.
    #[must_use]
    pub fn with_names(mut self, names: &[Option<String>]) -> Self {
        for board in &mut self.setup.boards {
            for (seat, name) in board.seats.iter_mut().zip(names) {
                if let (true, Some(name)) = (seat.is_person(), name) {
                    name.clone_into(&mut seat.name);
                }
            }
        }
        self
    }

    /// The same game with this time control.
    #[must_use]
    pub fn with_clock(mut self, control: TimeControl) -> Self {
        for board in &mut self.setup.boards {
            board.policy = Policy { time: TimePolicy::new(control, GRACE), ..Policy::default() };
        }
        self
    }

    /// The same game, begun where `session` began and after what was played there.
    #[must_use]
    pub fn continuing(mut self, session: &dyn Session) -> Self {
        for board in &mut self.setup.boards {
            board.position = Some(session.start_position());
            board.moves = session.history().into_iter().map(Into::into).collect();
        }
        self
    }

    /// The same game from the position that `text` describes.
    #[must_use]
    pub fn from_position(mut self, text: &str) -> Self {
        for board in &mut self.setup.boards {
            board.position = Some(text.to_owned());
        }
        self
    }

    /// The same game for one as a race against `rival`, who has a board of its own and the same luck. Whoever
    /// plays the game so far comes last if one plays after the other.
    #[must_use]
    pub fn against(mut self, rival: Occupant, order: BoardOrder) -> Self {
        let boards = &mut self.setup.boards;
        let rival = Setup { seats: vec![Seat::of(rival)], ..boards[0].clone() };
        let place = match order {
            BoardOrder::Together => boards.len(),
            BoardOrder::InTurn => boards.len() - 1,
        };
        boards.insert(place, rival);
        self.setup.order = order;
        self
    }
}

/// Seats `person` where the only person of a recorded game sat, names bots as anywhere else (records allow no
/// bar in names), and judges lateness as in any other game.
pub(super) fn seat_again(setup: &mut Setup, person: &str) {
    setup.policy.time.grace = GRACE;
    let is_alone = setup.seats.iter().filter(|seat| seat.is_person()).count() == 1;
    for (index, seat) in setup.seats.iter_mut().enumerate() {
        // A bot that plays on for somebody who has left still bears that person's name.
        let is_left = setup.forfeits.iter().any(|forfeit| forfeit.seat.index() == index);
        match &seat.occupant {
            Occupant::Person if is_alone => person.clone_into(&mut seat.name),
            Occupant::Person => {}
            bot if !is_left => seat.name = bot.to_string(),
            _ => {}
        }
    }
}

/// A game that cannot be started or resumed.
#[derive(Debug, thiserror::Error)]
pub enum DriveError {
    /// The setup is invalid.
    #[error(transparent)]
    Setup(#[from] StartError),
    /// A bot does not exist.
    #[error(transparent)]
    Bot(#[from] SpecificationError),
    /// A record does not hold.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The match refuses it.
    #[error(transparent)]
    Refused(Refusal),
    /// Somebody else is playing it.
    #[error("the game is being played elsewhere")]
    Taken,
}
