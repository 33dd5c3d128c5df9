//! Who can play instead of those who do.

use agon_match::{Match, Occupant, Seat};
use agon_registry::BotSpec;

use super::new_game::FIRST_OPPONENT;

/// A way to fill the seats of a game that is being played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatPlan {
    /// What it is, as a sentence without its full stop.
    pub label: String,
    /// Who would play.
    pub seats: Vec<Seat>,
}

/// The ways to fill the seats of `game`: `person` against bots on each side, people at one screen, bots only. Bots keep their seats
/// where they can, and take others at the level that is played already.
pub fn seat_plans(game: &Match, person: &str) -> Vec<SeatPlan> {
    let (seats, titles) = (game.seats(), game.rules().titles());
    let level = seats.iter().find(|seat| !seat.is_person()).map(|seat| seat.occupant.clone());
    let level = level.unwrap_or_else(|| Occupant::Bot(BotSpec::named(FIRST_OPPONENT)));
    let bot = |index: usize| match &seats[index] {
        seat if seat.is_person() => Seat::of(level.clone()),
        seat => seat.clone(),
    };
    let bots: Vec<Seat> = (0..seats.len()).map(bot).collect();
    let names = |of: &[Seat]| {
        let mut names: Vec<&str> = of.iter().map(|seat| seat.name.as_str()).collect();
        names.dedup();
        names.join(" and ")
    };
    let against_bots = (0..seats.len()).map(|own| {
        let mut seats = bots.clone();
        let rivals: Vec<Seat> = seats
            .iter()
            .enumerate()
            .filter(|(index, _)| *index != own)
            .map(|(_, seat)| seat.clone())
            .collect();
        seats[own] = Seat::person(person);
        let label = if rivals.is_empty() {
            "You play".to_owned()
        } else {
            format!("You play {} against {}", titles[own], names(&rivals))
        };
        SeatPlan { label, seats }
    });
    let mut plans: Vec<SeatPlan> = against_bots.collect();
    if seats.len() > 1 {
        let seated = seats.iter().zip(&titles);
        let people =
            seated.map(|(seat, title)| if seat.is_person() { seat.clone() } else { Seat::person(title) });
        plans.push(SeatPlan { label: "People at one screen".to_owned(), seats: people.collect() });
    }
    let verb = if seats.len() > 1 && bots.windows(2).any(|pair| pair[0].name != pair[1].name) {
        "play"
    } else {
        "plays"
    };
    let alone = if verb == "plays" && seats.len() > 1 { " all sides" } else { "" };
    plans.push(SeatPlan { label: format!("{} {verb}{alone} while you watch", names(&bots)), seats: bots });
    plans
}
