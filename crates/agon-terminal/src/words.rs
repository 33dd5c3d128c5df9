//! What people are told: results, passes, scores, compliments.

use agon_answers::score::ScoreScale;
use agon_core::Player;
use agon_core::random::mix;
use agon_erased::{Games, Thought};
use agon_match::{Board, End, Fault, fault_message};
use agon_records::{Record, RecordResult};

use crate::driver::MatchDriver;

/// How a game ended, in a sentence; empty while it goes on.
pub fn result_text(board: &Board) -> String {
    if board.end().is_none() { String::new() } else { format!("{}.", board.result_message()) }
}

/// Why a player has forfeited the game, in a sentence.
pub fn forfeit_text(board: &Board, seat: Player, reason: Fault, detail: &str) -> String {
    format!("{}.", fault_message(&**board.rules(), reason, detail, board.player_name(seat)))
}

/// That a player has left a game of three or more, why, and who plays on.
pub fn leaving_text(board: &Board, seat: Player, reason: Fault, detail: &str) -> String {
    let fault = fault_message(&**board.rules(), reason, detail, board.player_name(seat));
    let bot = board.seats()[seat.index()].occupant.to_string();
    board
        .rules()
        .spec()
        .messages
        .say("fault.leaves", [("fault", fault.into()), ("bot", bot.into())])
        .text
        .into_owned()
}

/// The points on a board of a game for one.
pub fn score(board: &Board) -> u64 {
    board.standing().map_or(0, |standing| standing.score)
}

/// Who has won a race, said to the person, who needs more points than the computer.
pub fn race_text(driver: &MatchDriver) -> String {
    let (game, own) = (driver.game(), driver.own());
    let ranking = game.race_ranking();
    let best_rival = ranking.iter().flatten().find(|board| **board != own);
    let (mine, theirs) = (score(driver.board()), best_rival.map_or(0, |board| score(&game.boards()[*board])));
    let has_forfeited = matches!(driver.board().end(), Some(End::Forfeit { .. }));
    if ranking.first().is_some_and(|first| *first == [own]) {
        format!("You beat the computer: {mine} points to {theirs}.")
    } else if mine == theirs && !has_forfeited {
        format!("The computer won: a tie at {mine} points goes to the computer.")
    } else {
        format!("The computer won: {theirs} points to {mine}.")
    }
}

/// How a recorded game ended, in a few words for lists.
pub fn recorded_result(games: Games, record: &Record) -> String {
    let rules = games.rules(&record.game, &record.options).ok();
    let title = |seat: &str| {
        let rules = rules.as_ref()?;
        let index = rules.seats().iter().position(|name| name == seat)?;
        rules.titles().into_iter().nth(index).filter(|_| rules.seats().len() > 1)
    };
    match &record.result {
        Some(RecordResult::Won { seat, .. }) => {
            title(seat).map_or_else(|| "won".to_owned(), |title| format!("{title} won"))
        }
        Some(RecordResult::Drawn { .. }) => "drawn".to_owned(),
        Some(RecordResult::Lost { .. }) => "lost".to_owned(),
        Some(RecordResult::Forfeit { seat, .. }) => {
            title(seat).map_or_else(|| "forfeited".to_owned(), |title| format!("{title} forfeited"))
        }
        Some(RecordResult::Unfinished) | None => "unfinished".to_owned(),
    }
}

/// The date of a record to the minute: `2026-11-16 16:14 UTC`; empty without one.
pub fn recorded_date(record: &Record) -> String {
    let date = record.date.as_deref().unwrap_or_default();
    match date.get(..16) {
        Some(minute) => format!("{} UTC", minute.replace('T', " ")),
        None => String::new(),
    }
}

/// A player by name and by what they play: `Dana (Black)`.
pub fn seat_text(board: &Board, player: Player) -> String {
    board.player_name(player).to_string()
}

/// What is counted for the players, in one line: `discs: Black 40, White 24`.
pub fn counts_text(board: &Board) -> String {
    let titles = board.rules().titles();
    let counts = board.session().board().counts;
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
pub fn ranking_text(board: &Board) -> String {
    let titles = board.rules().titles();
    let ranking = board.ranking();
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

/// What a bot thinks, in one line: how deep it looked and what it expects.
pub fn thought_text(thought: &Thought<String>, scale: ScoreScale) -> String {
    let depth = (thought.depth > 0).then(|| format!("depth {}", thought.depth));
    let score = thought.score.map(|score| scale.text(score));
    depth.into_iter().chain(score).collect::<Vec<_>>().join(", ")
}

/// How fast a bot thinks; `None` if nobody can tell.
pub fn speed_text(thought: &Thought<String>) -> Option<String> {
    let seconds = thought.elapsed.as_secs_f64();
    let is_known = thought.nodes > 0 && seconds > 0.001;
    is_known.then(|| format!("{} nodes/s", short_number(thought.nodes as f64 / seconds)))
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

/// Every move of a person earns a compliment, one of several; `number` chooses it.
pub fn compliment(person: &str, number: u64) -> String {
    const PRAISE: [&str; 6] = [
        "Well played, {}!",
        "A fine move, {}.",
        "Nicely done, {}.",
        "An interesting choice, {}.",
        "You make this hard, {}.",
        "Good thinking, {}.",
    ];
    PRAISE[(mix(0, number) % PRAISE.len() as u64) as usize].replace("{}", person)
}
