//! What lists show of a table, as it is stored beside its events.

use agon_core::Message;
use agon_match::Match;
use agon_protocol::web::api::TableSummary;
use agon_protocol::web::{EndState, SeatState, TableMode};
use serde::{Deserialize, Serialize};

use super::bots::due_person;
use super::picture::{end_of, seat_styles};
use super::play::Play;

/// What is played at a table, and who plays.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Place {
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
pub struct Course {
    /// How many moves players have made.
    pub moves: usize,
    /// Whether a person is to move.
    pub your_turn: bool,
    /// How it has ended.
    pub end: Option<EndState>,
    /// The seats from first place to last.
    pub ranking: Vec<Vec<usize>>,
    /// The points of each board in games for one.
    pub scores: Vec<u64>,
}

impl Place {
    /// What is played, and who plays.
    pub fn of(play: &Play) -> Self {
        let seat = |game: &Match, index: usize| {
            let seat = &game.seats()[index];
            Occupied {
                name: seat.name.clone(),
                occupant: seat.occupant.to_string(),
                person: seat.is_person(),
                forfeited: game.has_forfeited(agon_core::Player(index as u8)),
            }
        };
        let seats = |game: &Match| (0..game.seats().len()).map(|index| seat(game, index)).collect::<Vec<_>>();
        Self {
            game: play.rules().spec().id.to_owned(),
            options: play.rules().options(),
            mode: play.mode(),
            seats: play.boards().iter().flat_map(seats).collect(),
        }
    }

    /// What a list shows; `is_mine` says whether it is that of the browser that has opened the table. Name, dates and followers are left
    /// to whoever makes the list.
    pub fn summary(self, course: Course, is_mine: bool) -> TableSummary {
        let Self { game, options, mode, seats } = self;
        let Course { moves, your_turn, end, ranking, scores } = course;
        let rules = agon_registry::rules(&game, &options).ok();
        let (titles, styles) =
            rules.map(|rules| (rules.title_messages(), seat_styles(&*rules))).unwrap_or_default();
        let seat = |(index, seat): (usize, Occupied)| {
            // All boards of a race have the same single seat.
            let index = if mode == TableMode::Single { index } else { 0 };
            let nameless =
                || Message { key: String::new(), arguments: Default::default(), text: String::new() };
            SeatState {
                title: titles.get(index).cloned().unwrap_or_else(nameless),
                mine: is_mine && seat.person,
                name: seat.name,
                occupant: seat.occupant,
                person: seat.person,
                styles: styles.get(index).cloned().unwrap_or_default(),
                forfeited: seat.forfeited,
                stand_in: false,
                presence: None,
            }
        };
        TableSummary {
            id: String::new(),
            name: None,
            game,
            options,
            mode,
            seats: seats.into_iter().enumerate().map(seat).collect(),
            moves,
            your_turn: your_turn && is_mine,
            end,
            ranking,
            scores,
            created: String::new(),
            updated: String::new(),
            watchers: 0,
        }
    }
}

impl Course {
    /// How the game stands.
    pub fn of(play: &Play) -> Self {
        let boards = play.boards();
        let scores = boards.iter().filter_map(Match::standing).map(|standing| standing.score);
        let has_turn = |(index, game): (usize, &Match)| !play.waits(index) && due_person(game).is_some();
        Self {
            moves: boards.iter().map(Match::moves_made).max().unwrap_or(0),
            your_turn: boards.iter().enumerate().any(has_turn),
            end: if play.is_over() { end_of(&boards[0]) } else { None },
            ranking: play.ranking(),
            scores: scores.collect(),
        }
    }
}

/// A value as it is stored.
pub fn written(value: &impl Serialize) -> String {
    // Nothing that is stored so can fail to be written: no map has keys that are not text.
    serde_json::to_string(value).unwrap_or_default()
}
