//! What lists show of a table, as it is stored beside its events.

use std::sync::Arc;

use agon_core::Message;
use agon_erased::{Games, Rules};
use agon_match::{Board, Match};
use agon_protocol::web::api::TableSummary;
use agon_protocol::web::{EndState, SeatState, TableMode};
use serde::{Deserialize, Serialize};

use super::states::end_of;
use crate::stored::mode;

/// What is played at a table, and who plays.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TableHeader {
    /// The name of the lobby, if it is played online.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    game: String,
    options: String,
    mode: TableMode,
    seats: Vec<Occupied>,
}

/// A seat and who has taken it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Occupied {
    name: String,
    occupant: String,
    person: bool,
    forfeited: bool,
}

/// How the game at a table stands.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TableStatus {
    /// How many moves players have made.
    pub moves: usize,
    /// The seats of the people to move.
    pub due: Vec<usize>,
    /// How it has ended.
    pub end: Option<EndState>,
    /// The seats from first place to last.
    pub ranking: Vec<Vec<usize>>,
    /// The points of each board in games for one.
    pub scores: Vec<u64>,
    /// How far each board has come in games for one.
    pub alone: Vec<AloneStatus>,
    /// How many events the game has, so that it is noticed if the last ones are lost; 0 if that was not noted yet.
    pub events: usize,
}

/// How far a board of a game for one has come, besides its points.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct AloneStatus {
    /// The highest mark reached.
    pub mark: u64,
    /// How many moves were made.
    pub moves: usize,
    /// Whether it is over.
    pub over: bool,
    /// Whether a person has played all of it.
    pub played_through: bool,
}

impl TableHeader {
    /// The game's name.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// What is played, and who plays; `name` is that of the lobby.
    pub fn of(play: &Match, name: Option<&str>) -> Self {
        let seat = |game: &Board, index: usize| {
            let seat = &game.seats()[index];
            Occupied {
                name: seat.name.clone(),
                occupant: seat.occupant.to_string(),
                person: seat.is_person(),
                forfeited: game.has_forfeited(agon_core::Player(index as u8)),
            }
        };
        let seats = |game: &Board| (0..game.seats().len()).map(|index| seat(game, index)).collect::<Vec<_>>();
        Self {
            name: name.map(str::to_owned),
            game: play.rules().spec().id.to_owned(),
            options: play.rules().options(),
            mode: mode(play),
            seats: play.boards().iter().flat_map(seats).collect(),
        }
    }

    /// Whether it is played online.
    pub fn is_online(&self) -> bool {
        self.name.is_some()
    }

    /// The rules that are played by, if the server still knows the game.
    pub fn rules(&self, games: Games) -> Option<Arc<dyn Rules>> {
        games.rules(&self.game, &self.options).ok()
    }

    /// What a list shows; `rules` are those of the game, `is_mine` says which seats the browser holds that it is for. Id, dates and
    /// followers are left to whoever makes the list.
    pub fn summary(
        self,
        rules: Option<&dyn Rules>,
        status: TableStatus,
        is_mine: impl Fn(usize) -> bool,
    ) -> TableSummary {
        let Self { name, game, options, mode, seats } = self;
        let TableStatus { moves, due, end, ranking, scores, alone: _, events: _ } = status;
        let (titles, styles) =
            rules.map(|rules| (rules.title_messages(), rules.seat_styles())).unwrap_or_default();
        let seat = |(number, seat): (usize, Occupied)| {
            // All boards of a race have the same single seat.
            let index = if mode == TableMode::Single { number } else { 0 };
            let nameless = || Message::english("");
            SeatState {
                title: titles.get(index).cloned().unwrap_or_else(nameless),
                mine: is_mine(number) && seat.person,
                name: seat.name,
                occupant: seat.occupant,
                person: seat.person,
                styles: styles.get(index).cloned().unwrap_or_default(),
                forfeited: seat.forfeited,
                stand_in: false,
                program: false,
                presence: None,
            }
        };
        let seats = seats.into_iter().enumerate().map(seat).collect();
        TableSummary {
            id: String::new(),
            name,
            game,
            options,
            mode,
            seats,
            moves,
            your_turn: due.into_iter().any(is_mine),
            end,
            ranking,
            scores,
            created: String::new(),
            updated: String::new(),
            public: false,
            watchers: 0,
        }
    }
}

impl TableStatus {
    /// How the game stands.
    pub fn of(play: &Match) -> Self {
        let boards = play.boards();
        let scores = boards.iter().filter_map(Board::standing).map(|standing| standing.score);
        let alone = |board: &Board| {
            let (mark, moves) = (board.standing()?.mark, board.moves_made());
            let (over, played_through) = (board.end().is_some(), board.is_played_through());
            Some(AloneStatus { mark, moves, over, played_through })
        };
        let turn = |(board, game): (usize, &Board)| {
            let player = game.due_person().filter(|_| !play.is_waiting(board))?;
            Some(play.seat(board, player))
        };
        Self {
            moves: boards.iter().map(Board::moves_made).max().unwrap_or(0),
            due: boards.iter().enumerate().filter_map(turn).collect(),
            end: if play.is_over() { end_of(&boards[0]) } else { None },
            ranking: play.ranking(),
            scores: scores.collect(),
            alone: boards.iter().filter_map(alone).collect(),
            events: play.event_count(),
        }
    }
}

/// A value as it is stored.
pub fn stored_text(value: &impl Serialize) -> String {
    // Nothing that is stored so can fail to be written: no map has keys that are not text.
    serde_json::to_string(value).unwrap_or_default()
}
