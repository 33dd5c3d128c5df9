//! What people are told: results, passes, scores, compliments.

use agon_core::random::mix;
use agon_core::{Outcome, Player, Verdict};
use agon_registry::{Rules, Session, Thought, proven_in};

use crate::table::{Forfeit, Table};

/// How a game ended, in a sentence; empty while it goes on.
pub fn result_text(table: &Table) -> String {
    let seat = |player: Player| seat_text(table, player);
    // Against one opponent, a loss is the opponent's win.
    let other = |player: Player| match table.seats().len() {
        2 => format!(" {} wins.", seat(Player(1 - player.0))),
        _ => String::new(),
    };
    match (table.forfeit(), table.session().outcome()) {
        (Some(Forfeit::Time(player)), _) => format!("Time is up for {}.{}", seat(player), other(player)),
        (Some(Forfeit::Resigned(player)), _) => format!("{} gave up.{}", seat(player), other(player)),
        (None, None) => String::new(),
        (None, Some(Outcome { verdict, reason })) => {
            let why = table.session().end_message().map_or_else(|| reason.to_owned(), |why| why.text);
            match verdict {
                Verdict::Won(_) if table.seats().len() == 1 => format!("Won: {why}."),
                Verdict::Won(player) => format!("{} wins: {why}.", seat(player)),
                Verdict::Drawn => format!("Draw: {why}."),
                Verdict::Lost => format!("Game over: {why}."),
            }
        }
    }
}

/// A player by name and by what they play: `Dana (Black)`.
pub fn seat_text(table: &Table, player: Player) -> String {
    let title = table.rules().titles().swap_remove(player.index());
    let name = &table.seats()[player.index()].name;
    if *name == title || table.seats().len() == 1 { name.clone() } else { format!("{name} ({title})") }
}

/// What is counted for the players, in one line: `discs: Black 40, White 24`.
pub fn counts_text(rules: &dyn Rules, session: &dyn Session) -> String {
    let titles = rules.titles();
    let counts = session.board().counts;
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
pub fn ranking_text(rules: &dyn Rules, session: &dyn Session) -> String {
    let titles = rules.titles();
    let ranking = session.ranking();
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
