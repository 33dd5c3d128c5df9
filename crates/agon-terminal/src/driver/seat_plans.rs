//! Who can play instead of those who do.

use agon_erased::BotSpec;
use agon_match::{Board, Occupant, Seat};

use super::new_game::FIRST_OPPONENT;

/// A way to fill the seats of a game that is being played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatPlan {
    /// What it is, as a sentence without its full stop.
    pub label: String,
    /// Who would play.
    pub seats: Vec<Seat>,
}

/// The ways to fill the seats of `board`: `person` against bots on each side, people at one screen, bots
/// only. Bots keep their seats where they can, and take others at the level that is played already.
pub fn seat_plans(board: &Board, person: &str) -> Vec<SeatPlan> {
    let titles = board.rules().titles();
    let level = board.seats().iter().find(|seat| !seat.is_person()).map(|seat| seat.occupant.clone());
    let level = level.unwrap_or_else(|| Occupant::Bot(BotSpec::named(FIRST_OPPONENT)));
    let as_bot = |seat: &Seat| if seat.is_person() { Seat::of(level.clone()) } else { seat.clone() };
    let bots: Vec<Seat> = board.seats().iter().map(as_bot).collect();
    let mut plans = Vec::new();
    for (own, title) in titles.iter().enumerate() {
        let mut seats = bots.clone();
        seats.remove(own);
        let label = match names(&seats) {
            rivals if rivals.is_empty() => "You play".to_owned(),
            rivals => format!("You play {title} against {rivals}"),
        };
        seats.insert(own, Seat::person(person));
        plans.push(SeatPlan { label, seats });
    }
    if titles.len() > 1 {
        let as_person = |(seat, title): (&Seat, &String)| {
            if seat.is_person() { seat.clone() } else { Seat::person(title) }
        };
        let seats = board.seats().iter().zip(&titles).map(as_person).collect();
        plans.push(SeatPlan { label: "People at one screen".to_owned(), seats });
    }
    plans.push(SeatPlan { label: format!("You watch {}", names(&bots)), seats: bots });
    plans
}

/// The names of neighbours, those who share one named once.
fn names(seats: &[Seat]) -> String {
    let mut names: Vec<&str> = seats.iter().map(|seat| seat.name.as_str()).collect();
    names.dedup();
    names.join(" and ")
}
