//! What a game between people at different browsers is made of: who holds which seat, and what they agreed on.

use std::sync::Arc;
use std::time::Duration;

use agon_erased::Rules;
use agon_match::{Interruptions, Match, Millis, Occupant, Policy, Seat, Setup, TimeControl, TimePolicy};
use agon_messages::Refused;
use agon_protocol::web::online::{Goal, RematchState, Terms};
use agon_protocol::web::{RefusalCode, TableMode};
use serde::{Deserialize, Serialize};

use crate::effect::NewLine;
use crate::settings::HouseRules;
use crate::time::Now;
use crate::{NOBODY, TableId, VisitorId, stored};

/// The most of the way through the network that is given back with every move, and how long a move that is under way is waited for.
pub const NETWORK_DELAY: Millis = Millis(100);
const DAY: Duration = Duration::from_secs(24 * 3600);
/// How long a player may be away, in seconds.
const GRACE: std::ops::RangeInclusive<u32> = 5..=3600;
/// How much players get back for an interruption, in seconds.
const INTERRUPTION: std::ops::RangeInclusive<u32> = 0..=60;
/// How much they get back in a game, in seconds.
const INTERRUPTIONS: std::ops::RangeInclusive<u32> = 0..=600;
/// How many days a player may have for a move.
const DAYS: std::ops::RangeInclusive<u32> = 1..=30;
/// After how many moves a race may be decided.
const MOVES: std::ops::RangeInclusive<u32> = 1..=10_000;
/// After how many seconds a race may be decided.
const SECONDS: std::ops::RangeInclusive<u32> = 10..=86_400;

/// Somebody who plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Participant {
    /// The name that is shown.
    pub name: String,
    /// A person, or which bot.
    pub occupant: Occupant,
    /// Whose browser holds the seat; nobody's if a bot plays.
    pub holder: Option<VisitorId>,
    /// Whether the holder is a program, which is shown as a bot.
    #[serde(default)]
    pub program: bool,
}

impl Participant {
    /// A bot of the house.
    pub fn bot(occupant: Occupant) -> Self {
        Self { name: occupant.to_string(), occupant, holder: None, program: false }
    }
}

/// What online play adds to a table, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Online {
    /// The name of the lobby.
    pub name: String,
    /// What was agreed on.
    pub terms: Terms,
    /// Who has begun the game, one for each seat. Where a bot has begun it for a holder who was away, that is the occupant.
    pub players: Vec<Participant>,
    /// Who does not want to hear whom.
    #[serde(default)]
    pub muted: Vec<(VisitorId, VisitorId)>,
    /// Who wants to play again.
    #[serde(default)]
    pub rematch: RematchState,
    /// How many events there were when a seat last moved to another browser. Who knows of no later ones may not
    /// know of that.
    #[serde(default)]
    pub seat_moved: u64,
}

impl Online {
    /// Whether a visitor holds a seat.
    pub fn holds(&self, visitor: &VisitorId, seat: usize) -> bool {
        self.players.get(seat).is_some_and(|player| player.holder == Some(*visitor))
    }

    /// The seats of a visitor.
    pub fn seats_of(&self, visitor: &VisitorId) -> Vec<usize> {
        (0..self.players.len()).filter(|seat| self.holds(visitor, *seat)).collect()
    }

    /// The seats that browsers hold, and which ones.
    pub fn holders(&self) -> impl Iterator<Item = (usize, VisitorId)> {
        self.players.iter().enumerate().filter_map(|(seat, player)| Some((seat, player.holder?)))
    }

    /// Whether a player has left this game for good: somebody played there whom nobody knows any more.
    pub fn misses_players(&self) -> bool {
        self.players.iter().any(|player| player.occupant == Occupant::Person && player.holder.is_none())
    }

    /// Forgets who a visitor was: their seats are nobody's, and their name is gone, from the lobby's name too if it is a part of that.
    pub fn forget(&mut self, visitor: &VisitorId) {
        for seat in self.seats_of(visitor) {
            let player = &mut self.players[seat];
            player.holder = None;
            let name = std::mem::take(&mut player.name);
            if !name.is_empty() && self.name.contains(&name) {
                self.name.clear();
            }
            self.rematch.wanted.retain(|other| *other != seat);
        }
        self.muted.retain(|(by, _)| by != visitor);
        // Whoever did not want to hear them still does not.
        for (_, muted) in self.muted.iter_mut().filter(|(_, muted)| muted == visitor) {
            *muted = NOBODY;
        }
    }

    /// Until when something must happen in the game if it goes on now, in seconds since 1970.
    pub fn deadline(&self, house: &HouseRules, now: Now) -> u64 {
        let time = self.terms.days.map_or(house.abandoned_after, |days| DAY * days);
        now.seconds.saturating_add(time.as_secs())
    }

    /// How many different browsers hold seats.
    pub fn browsers(&self) -> usize {
        let mut holders: Vec<VisitorId> = self.holders().map(|(_, holder)| holder).collect();
        holders.sort_unstable();
        holders.dedup();
        holders.len()
    }
}

/// How much of a player's clock a move costs that took `thought`, of which `delay` was spent on the way; `None` if that is more than
/// is `left`.
pub fn charged(thought: Millis, delay: Millis, left: Option<Millis>) -> Option<Millis> {
    let spent = thought.minus(delay.min(NETWORK_DELAY));
    left.is_none_or(|left| spent <= left).then_some(spent)
}

/// Whether what is to be agreed on holds.
///
/// # Errors
/// What does not.
pub fn check_terms(terms: &Terms, mode: TableMode) -> Result<(), Refused> {
    let control = TimeControl::parse(&terms.clock).map_err(|fault| {
        Refused::because(RefusalCode::Invalid, "refused.clock", fault).about("terms.clock")
    })?;
    let within = |value: u32, range: std::ops::RangeInclusive<u32>, field: &str| {
        let bounds = [("n", u64::from(*range.start()).into()), ("m", u64::from(*range.end()).into())];
        let refused = || Refused::new(RefusalCode::Invalid, "refused.range", bounds).about(field);
        if range.contains(&value) { Ok(()) } else { Err(refused()) }
    };
    within(terms.grace, GRACE, "terms.grace")?;
    within(terms.interruption, INTERRUPTION, "terms.interruption")?;
    within(terms.interruptions, INTERRUPTIONS, "terms.interruptions")?;
    if let Some(days) = terms.days {
        within(days, DAYS, "terms.days")?;
        if control != TimeControl::None {
            return Err(Refused::plain(RefusalCode::Invalid, "refused.days-or-clock").about("terms.days"));
        }
    }
    match terms.goal {
        None => Ok(()),
        Some(_) if mode != TableMode::Race => {
            Err(Refused::plain(RefusalCode::Invalid, "refused.no-race").about("terms.goal"))
        }
        Some(Goal::Score) => Ok(()),
        Some(Goal::Moves { moves }) => within(moves, MOVES, "terms.goal"),
        Some(Goal::Time { seconds }) => within(seconds, SECONDS, "terms.goal"),
    }
}

/// A game that is to start.
#[derive(Clone)]
pub struct Start {
    /// Its id.
    pub id: TableId,
    /// The key of the link to its lobby, if it comes from one.
    pub key: Option<String>,
    /// The name of the lobby.
    pub name: String,
    /// Who has opened it.
    pub owner: VisitorId,
    /// What is played.
    pub rules: Arc<dyn Rules>,
    /// How the boards belong together.
    pub mode: TableMode,
    /// Who plays, one for each seat.
    pub players: Vec<Participant>,
    /// What was agreed on.
    pub terms: Terms,
    /// Who does not want to hear whom.
    pub muted: Vec<(VisitorId, VisitorId)>,
    /// What was said before, which comes along.
    pub lines: Vec<NewLine>,
}

impl Start {
    /// The game at its beginning; `seed` fixes all randomness.
    ///
    /// # Errors
    /// If it cannot be set up.
    pub fn game(&self, seed: u64) -> Result<Match, Refused> {
        let control = TimeControl::parse(&self.terms.clock).unwrap_or_default();
        let seconds = |count: u32| Millis(u64::from(count) * 1000);
        let interruptions = match control {
            TimeControl::None => Interruptions::default(),
            _ => Interruptions {
                each: seconds(self.terms.interruption),
                all: seconds(self.terms.interruptions),
            },
        };
        let time = TimePolicy { interruptions, ..TimePolicy::new(control, NETWORK_DELAY) };
        let policy = Policy { time, ..Policy::default() };
        let mut holders: Vec<VisitorId> = Vec::new();
        let mut seats = Vec::with_capacity(self.players.len());
        for player in &self.players {
            // People at one screen decide together, those at different browsers ask one another.
            let controller = player.holder.map_or(0, |holder| {
                let known = holders.iter().position(|known| *known == holder);
                known.unwrap_or_else(|| {
                    holders.push(holder);
                    holders.len() - 1
                }) as u32
            });
            seats.push(Seat { name: player.name.clone(), occupant: player.occupant.clone(), controller });
        }
        let setup = Setup { policy, ..Setup::default() };
        let setups = match self.mode {
            TableMode::Single => vec![Setup { seats, ..setup }],
            TableMode::Race | TableMode::InTurn => {
                seats.into_iter().map(|seat| Setup { seats: vec![seat], ..setup.clone() }).collect()
            }
        };
        let failed = |error| Refused::because(RefusalCode::Invalid, "refused.setup", error);
        let goal = match self.terms.goal {
            None | Some(Goal::Score) => agon_match::Goal::Finish,
            Some(Goal::Moves { moves }) => agon_match::Goal::Moves(moves),
            Some(Goal::Time { seconds }) => agon_match::Goal::Time(Millis(u64::from(seconds) * 1000)),
        };
        stored::start(Arc::clone(&self.rules), self.mode, goal, setups, seed).map_err(failed)
    }

    /// What online play adds to the table.
    pub fn online(&self) -> Online {
        Online {
            name: self.name.clone(),
            terms: self.terms.clone(),
            players: self.players.clone(),
            muted: self.muted.clone(),
            rematch: RematchState::default(),
            seat_moved: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_through_the_network_is_given_back() {
        let left = Some(Millis(5000));
        assert_eq!(charged(Millis(3000), Millis(40), left), Some(Millis(2960)));
        assert_eq!(charged(Millis(5060), Millis(60), left), Some(Millis(5000)), "in time when it was sent");
        assert_eq!(charged(Millis(5060), Millis(0), left), None, "late");
        assert_eq!(charged(Millis(5100), Millis(900), left), Some(Millis(5000)), "at most 100 ms");
        assert_eq!(charged(Millis(5101), Millis(900), left), None, "and no more");
        assert_eq!(charged(Millis(10), Millis(80), left), Some(Millis::ZERO), "nobody gains time");
        assert_eq!(charged(Millis(1 << 40), Millis(0), None), Some(Millis(1 << 40)), "without a clock");
    }

    #[test]
    fn terms_are_bounded() {
        let with = |change: &dyn Fn(&mut Terms), mode| {
            let mut terms = Terms::default();
            change(&mut terms);
            check_terms(&terms, mode).map_err(|refused| refused.field.unwrap_or_default())
        };
        let single = |change: &dyn Fn(&mut Terms)| with(change, TableMode::Single);
        assert_eq!(single(&|_| {}), Ok(()));
        assert_eq!(single(&|terms| terms.days = Some(14)), Ok(()));
        assert_eq!(with(&|terms| terms.goal = Some(Goal::Moves { moves: 100 }), TableMode::Race), Ok(()));
        type Case<'a> = (&'a dyn Fn(&mut Terms), &'static str);
        let bad: [Case; 8] = [
            (&|terms| terms.interruption = 61, "terms.interruption"),
            (&|terms| terms.interruptions = 601, "terms.interruptions"),
            (&|terms| terms.grace = 4, "terms.grace"),
            (&|terms| terms.grace = u32::MAX, "terms.grace"),
            (&|terms| terms.days = Some(31), "terms.days"),
            (&|terms| (terms.days, terms.clock) = (Some(3), "5m+3s".to_owned()), "terms.days"),
            (&|terms| terms.clock = "soon".to_owned(), "terms.clock"),
            (&|terms| terms.goal = Some(Goal::Score), "terms.goal"),
        ];
        for (change, field) in bad {
            assert_eq!(single(change), Err(field.to_owned()));
        }
        for goal in [Goal::Moves { moves: 0 }, Goal::Time { seconds: 9 }, Goal::Time { seconds: u32::MAX }] {
            assert!(with(&|terms| terms.goal = Some(goal), TableMode::Race).is_err(), "{goal:?}");
        }
    }
}
