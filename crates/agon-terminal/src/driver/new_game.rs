//! What a game is begun with, and why it cannot be.

use std::sync::Arc;

use agon_core::{Player, Turn};
use agon_match::{Millis, Occupant, Policy, Seat, Setup, StartError, TimeControl, TimePolicy};
use agon_records::RecordError;
use agon_registry::{BotSpec, Rules, Session, SpecificationError};

/// How far a clock may be overdrawn: nobody is late because the machine was busy.
const GRACE: Millis = Millis(100);

/// Against whom a game goes on that branches off from a record.
const OPPONENT: &str = "medium";

/// A game that is to be started.
#[derive(Clone)]
pub struct NewGame {
    /// The rules.
    pub rules: Arc<dyn Rules>,
    /// Where it begins, who plays, and what holds outside the rules.
    pub setup: Setup,
    /// What fixes all randomness.
    pub seed: u64,
}

impl NewGame {
    /// A game from the usual start and without clocks. `person` is what the only person is called; several people at one screen
    /// are told apart by what they play.
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
        Self { setup: Setup { seats, ..Setup::default() }, rules, seed }.with_clock(TimeControl::None)
    }

    /// A game that goes on from where `session` stands: `person` plays for whoever is to move, bots play for the others.
    pub fn branching_off(rules: Arc<dyn Rules>, session: &dyn Session, person: &str, seed: u64) -> Self {
        let mut players = vec![Occupant::Bot(BotSpec::named(OPPONENT)); rules.seats().len()];
        let mover = match session.turn() {
            Turn::Player(player) => player,
            Turn::Chance => Player(0),
        };
        players[mover.index()] = Occupant::Person;
        Self::new(rules, players, person, seed).continuing(session)
    }

    /// A game to be studied from where `session` stands: `person` plays for all.
    pub fn for_study(rules: Arc<dyn Rules>, session: &dyn Session, person: &str, seed: u64) -> Self {
        let players = vec![Occupant::Person; rules.seats().len()];
        Self::new(rules, players, person, seed).continuing(session)
    }

    /// The same game with time given so.
    #[must_use]
    pub fn with_clock(mut self, control: TimeControl) -> Self {
        self.setup.policy = Policy { time: TimePolicy::new(control, GRACE), ..Policy::default() };
        self
    }

    /// The same game, begun where `session` began and after what was played there.
    #[must_use]
    pub fn continuing(mut self, session: &dyn Session) -> Self {
        self.setup.position = Some(session.start_position());
        self.setup.moves = session.history().into_iter().map(Into::into).collect();
        self
    }
}

/// Seats `person` where the only person of a recorded game sat, names bots as anywhere else (records allow no bar in names),
/// and judges lateness as in any other game.
pub(super) fn seat_again(setup: &mut Setup, person: &str) {
    setup.policy.time.grace = GRACE;
    let is_alone = setup.seats.iter().filter(|seat| seat.is_person()).count() == 1;
    for (index, seat) in setup.seats.iter_mut().enumerate() {
        // Where a bot plays on for somebody who has left, the name is still that of whoever left.
        let is_left = setup.forfeits.iter().any(|forfeit| forfeit.seat.index() == index);
        match &seat.occupant {
            Occupant::Person if is_alone => person.clone_into(&mut seat.name),
            Occupant::Person => {}
            bot if !is_left => seat.name = bot.to_string(),
            _ => {}
        }
    }
}

/// A game that cannot be started or taken up.
#[derive(Debug, thiserror::Error)]
pub enum DriveError {
    /// It cannot be set up so.
    #[error(transparent)]
    Setup(#[from] StartError),
    /// A bot does not exist.
    #[error(transparent)]
    Bot(#[from] SpecificationError),
    /// A record does not hold.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Somebody else is playing it.
    #[error("the game is being played elsewhere")]
    Taken,
}
