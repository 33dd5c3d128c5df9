//! What people are told: results, passes, scores, compliments.

use std::cmp::Ordering;

use agon_core::random::mix;
use agon_core::{Player, Verdict};
use agon_match::{End, Fault, Match};
use agon_registry::{Thought, proven_in};

use crate::driver::{RaceDriver, Racer};

/// How a game ended, in a sentence; empty while it goes on.
pub fn result_text(game: &Match) -> String {
    // Against one opponent, a loss is the opponent's win.
    let other = |loser: Player| match game.seats().len() {
        2 => format!(" {} wins.", seat_text(game, Player(1 - loser.0))),
        _ => String::new(),
    };
    match game.end() {
        None => String::new(),
        Some(End::Forfeit { seat, reason, detail }) => {
            format!("{}{}", forfeit_text(game, *seat, *reason, detail), other(*seat))
        }
        Some(End::Agreed) => "Draw by agreement.".to_owned(),
        Some(End::Aborted { .. }) => "The game was broken off.".to_owned(),
        Some(End::Rules { verdict, reason }) => {
            let why = game.session().end_message().map_or_else(|| reason.clone(), |why| why.text);
            match verdict {
                Verdict::Won(_) if game.seats().len() == 1 => format!("Won: {why}."),
                Verdict::Won(player) => format!("{} wins: {why}.", seat_text(game, *player)),
                Verdict::Drawn => format!("Draw: {why}."),
                Verdict::Lost => format!("Game over: {why}."),
            }
        }
    }
}

/// Why a player has forfeited the game, in a sentence.
pub fn forfeit_text(game: &Match, seat: Player, reason: Fault, detail: &str) -> String {
    let name = seat_text(game, seat);
    match reason {
        Fault::Time => format!("Time is up for {name}."),
        Fault::Resigned => format!("{name} gave up."),
        _ if detail.is_empty() => format!("{name} forfeits the game: {reason}."),
        _ => format!("{name} forfeits the game: {detail}."),
    }
}

/// That a player has left a game of three or more, why, and who plays on.
pub fn leaving_text(game: &Match, seat: Player, reason: Fault, detail: &str) -> String {
    let stand_in = &game.seats()[seat.index()].occupant;
    format!("{} {stand_in} plays on.", forfeit_text(game, seat, reason, detail))
}

/// Who has won a race, said to the person.
pub fn race_text(driver: &RaceDriver) -> String {
    let (mine, theirs) = (driver.score(Racer::Person), driver.score(Racer::Rival));
    match driver.place(Racer::Rival).cmp(&driver.place(Racer::Person)) {
        Ordering::Greater => format!("You beat the computer: {mine} to {theirs}."),
        Ordering::Less => format!("The computer won: {theirs} to {mine}."),
        Ordering::Equal => format!("A draw: {mine} each."),
    }
}

/// A player by name and by what they play: `Dana (Black)`.
pub fn seat_text(game: &Match, player: Player) -> String {
    let title = game.rules().titles().swap_remove(player.index());
    let name = &game.seats()[player.index()].name;
    if *name == title || game.seats().len() == 1 { name.clone() } else { format!("{name} ({title})") }
}

/// What is counted for the players, in one line: `discs: Black 40, White 24`.
pub fn counts_text(game: &Match) -> String {
    let titles = game.rules().titles();
    let counts = game.session().board().counts;
    let Some(first) = counts.first() else { return String::new() };
    let figures: Vec<String> = counts
        .iter()
        .map(|count| {
            let of = count.of.map(|of| format!(" of {of}")).unwrap_or_default();
            if titles.len() == 1 {
                format!("{}{of}", count.value)
            } else {
                format!("{} {}{of}", titles[count.owner.index()], count.value)
            }
        })
        .collect();
    format!("{}: {}", first.name, figures.join(", "))
}

/// The places of all players after a game of more than two; empty otherwise.
pub fn ranking_text(game: &Match) -> String {
    let titles = game.rules().titles();
    let ranking = game.ranking();
    if titles.len() < 3 || ranking.is_empty() {
        return String::new();
    }
    let mut place = 1;
    let mut places = Vec::new();
    for group in &ranking {
        let names: Vec<&str> = group.iter().map(|player| titles[player.index()].as_str()).collect();
        places.push(format!("{place}. {}", names.join(" = ")));
        place += group.len();
    }
    places.join("  ")
}

/// A score for people: in words where the end has been found. Games of one are counted in points.
pub fn score_text(score: f64, players: usize) -> String {
    match proven_in(score).filter(|_| players > 1) {
        Some(plies) if score > 0.0 => format!("win in {}", plies.abs()),
        Some(plies) => format!("loss in {}", plies.abs()),
        None if players == 1 => format!("{score:.0}"),
        None => format!("{score:+.0}"),
    }
}

/// What a bot thinks, in one line.
pub fn thought_text(thought: &Thought<String>, players: usize) -> String {
    let mut parts = Vec::new();
    if thought.depth > 0 {
        parts.push(format!("depth {}", thought.depth));
    }
    parts.extend(thought.score.map(|score| score_text(score, players)));
    let seconds = thought.elapsed.as_secs_f64();
    if thought.nodes > 0 && seconds > 0.001 {
        parts.push(format!("{} nodes/s", short_number(thought.nodes as f64 / seconds)));
    }
    parts.join(", ")
}

/// A number in three digits and a unit.
pub fn short_number(number: f64) -> String {
    match number {
        _ if number >= 1e9 => format!("{:.1}G", number / 1e9),
        _ if number >= 1e6 => format!("{:.1}M", number / 1e6),
        _ if number >= 1e3 => format!("{:.0}k", number / 1e3),
        _ => format!("{number:.0}"),
    }
}

/// Now and then a player is told that a move was good.
pub fn compliment(person: &str, number: u64) -> String {
    const PRAISE: [&str; 6] = [
        "Well played, {}!",
        "A fine move, {}.",
        "I would have played that too, {}.",
        "Nicely done, {}.",
        "You see more than most, {}.",
        "That is the best move there was, {}.",
    ];
    PRAISE[(mix(0, number) % PRAISE.len() as u64) as usize].replace("{}", person)
}
