//! `results.json`, and a game of it as a line of its own.
//!
//! The fields that other programs rely on come first and are documented in `docs/arena-results.md`; those after them are ours, and are
//! what [`Results`] is read back from.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Bye, GameResult, Offence, Outcome, Overhead, Player, Points, Results, Round, Row, State};
use crate::referee::Conduct;

/// Writes a duration as seconds.
pub(crate) mod seconds {
    use super::{Deserialize, Deserializer, Duration, Serializer};

    pub(crate) fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(time.as_secs_f64())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        let seconds = f64::deserialize(deserializer)?;
        Duration::try_from_secs_f64(seconds).map_err(serde::de::Error::custom)
    }
}

/// Writes points: whole numbers without a fraction.
pub(crate) fn amount<S: Serializer>(points: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    Amount(*points).serialize(serializer)
}

/// A number of points.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(transparent)]
pub struct Amount(f64);

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.fract() == 0.0 && self.0.abs() < 1e15 {
            serializer.serialize_i64(self.0 as i64)
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}

fn amounts(points: &[f64]) -> Vec<Amount> {
    points.iter().copied().map(Amount).collect()
}

/// The result of a game: who won, or what everybody got.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum ResultJson {
    Word(Word),
    Points(Vec<Amount>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Word {
    First,
    Second,
    Draw,
    /// Both failed.
    Void,
}

/// A game of `results.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GameJson {
    round: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    first: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    second: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seats: Option<Vec<String>>,
    result: ResultJson,
    technical: bool,
    reason: String,
    plies: usize,
    record: Option<String>,
    number: usize,
    points: Vec<Amount>,
    /// Of a game that is not technical.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    places: Vec<usize>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    sentence: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    offences: Vec<Offence>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    scores: Vec<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    conduct: Vec<Conduct>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    logs: Vec<Option<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    overhead: Option<Overhead>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    repeats: Vec<String>,
}

impl From<GameResult> for GameJson {
    fn from(game: GameResult) -> Self {
        let points = amounts(&game.points);
        let result = word(&game).map_or_else(|| ResultJson::Points(points.clone()), ResultJson::Word);
        let (technical, reason) = (game.is_technical(), game.outcome.reason().to_owned());
        let (places, sentence, offences) = match game.outcome {
            Outcome::Placed { places, sentence, .. } => (places, sentence, Vec::new()),
            Outcome::Technical { offences } => (Vec::new(), String::new(), offences),
        };
        let (first, second, seats) = match <[String; 2]>::try_from(game.seats) {
            Ok([first, second]) => (Some(first), Some(second), None),
            Err(seats) => (None, None, Some(seats)),
        };
        Self {
            round: game.round,
            first,
            second,
            seats,
            result,
            technical,
            reason,
            plies: game.plies,
            record: game.record,
            number: game.number,
            points,
            places,
            sentence,
            offences,
            scores: game.scores,
            conduct: game.conduct,
            logs: game.logs,
            overhead: game.overhead,
            repeats: game.repeats,
        }
    }
}

/// The word for the result of a game of two; `None` with more seats.
fn word(game: &GameResult) -> Option<Word> {
    if game.seats.len() != 2 {
        return None;
    }
    let [first, second] = [0, 1].map(|seat| game.standing(seat).share());
    Some(match (game.is_technical(), first.total_cmp(&second)) {
        (_, std::cmp::Ordering::Greater) => Word::First,
        (_, std::cmp::Ordering::Less) => Word::Second,
        (false, std::cmp::Ordering::Equal) => Word::Draw,
        (true, std::cmp::Ordering::Equal) => Word::Void,
    })
}

/// What is wrong with a game of a `results.json`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct GameJsonError(String);

impl TryFrom<GameJson> for GameResult {
    type Error = GameJsonError;

    fn try_from(json: GameJson) -> Result<Self, GameJsonError> {
        let wrong = |what: &str| Err(GameJsonError(format!("game {}: {what}", json.number)));
        let seats = match (json.first, json.second, json.seats) {
            (Some(first), Some(second), None) => vec![first, second],
            (None, None, Some(seats)) if seats.len() > 2 => seats,
            _ => return wrong("expected `first` and `second`, or `seats` with more than two names"),
        };
        let count = seats.len();
        let outcome = if json.technical {
            if json.offences.is_empty() || json.offences.iter().any(|offence| offence.seat >= count) {
                return wrong("a technical result needs `offences`, each with a seat of the game");
            }
            Outcome::Technical { offences: json.offences }
        } else {
            if json.places.len() != count || json.places.contains(&0) {
                return wrong("expected `places`, one from 1 on for each seat");
            }
            Outcome::Placed { places: json.places, reason: json.reason, sentence: json.sentence }
        };
        let fits = |length: usize| length == 0 || length == count;
        if json.points.len() != count || json.points.iter().any(|points| !points.0.is_finite()) {
            return wrong("expected `points`, one number for each seat");
        }
        if !fits(json.conduct.len()) || !fits(json.scores.len()) || !fits(json.logs.len()) {
            return wrong("expected `conduct`, `scores` and `logs` to have one entry for each seat, or none");
        }
        let game = Self {
            number: json.number,
            round: json.round,
            seats,
            outcome,
            points: json.points.iter().map(|points| points.0).collect(),
            plies: json.plies,
            conduct: json.conduct,
            record: json.record,
            logs: json.logs,
            scores: json.scores,
            overhead: json.overhead,
            repeats: json.repeats,
        };
        let told = word(&game).map_or(ResultJson::Points(json.points), ResultJson::Word);
        if json.result != told {
            return wrong("`result` does not follow from the other fields");
        }
        Ok(game)
    }
}

/// A player of `results.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct PlayerJson {
    name: String,
    points: Amount,
    games: usize,
    wins: usize,
    draws: usize,
    losses: usize,
    technical_wins: usize,
    technical_losses: usize,
    disqualified: bool,
    place: usize,
    kind: String,
    plays: String,
    /// `null` for players who have not played a game.
    #[serde(default)]
    elo: Option<f64>,
    /// The half-width of its 95% interval.
    #[serde(default)]
    elo_error: Option<f64>,
}

/// A player's strength, as `results.json` tells it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Strength {
    /// The Elo rating.
    pub elo: Option<f64>,
    /// The half-width of its 95% interval.
    pub error: Option<f64>,
}

/// The whole of `results.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct ResultsJson {
    players: Vec<PlayerJson>,
    games: Vec<GameResult>,
    name: String,
    state: State,
    seed: u64,
    scheduled: usize,
    points: Points,
    rounds: Vec<Round>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    byes: Vec<Bye>,
    #[serde(default)]
    notes: Vec<String>,
}

impl Results {
    /// The text of `results.json`: players in the order of the table, with their strengths (one per player, in the order of
    /// [`Results::players`], or none).
    ///
    /// # Errors
    /// Never, unless a number of points is not finite.
    pub fn to_json(&self, strengths: &[Strength]) -> serde_json::Result<String> {
        let player = |row: Row| {
            let Player { name, kind, plays, .. } = self.players[row.player].clone();
            let Strength { elo, error } = strengths.get(row.player).copied().unwrap_or_default();
            PlayerJson {
                name,
                points: Amount(row.points),
                games: row.games,
                wins: row.wins,
                draws: row.draws,
                losses: row.losses,
                technical_wins: row.technical_wins,
                technical_losses: row.technical_losses,
                disqualified: row.disqualified,
                place: row.place,
                kind,
                plays,
                elo,
                elo_error: error,
            }
        };
        let json = ResultsJson {
            players: self.table().rows.into_iter().map(player).collect(),
            games: self.games.clone(),
            name: self.name.clone(),
            state: self.state,
            seed: self.seed,
            scheduled: self.scheduled(),
            points: self.points,
            rounds: self.rounds.clone(),
            byes: self.byes.clone(),
            notes: self.notes.clone(),
        };
        serde_json::to_string_pretty(&json).map(|text| text + "\n")
    }

    /// Reads the text of a `results.json`. Players are in the order of the table then.
    ///
    /// # Errors
    /// If it is not one, with line and column.
    pub fn from_json(text: &str) -> serde_json::Result<Self> {
        Self::with_strengths(text).map(|(results, _)| results)
    }

    /// The same with the strengths of the players, in their order.
    ///
    /// # Errors
    /// If it is not one, with line and column.
    pub fn with_strengths(text: &str) -> serde_json::Result<(Self, Vec<Strength>)> {
        let json: ResultsJson = serde_json::from_str(text)?;
        let strength = |player: &PlayerJson| Strength { elo: player.elo, error: player.elo_error };
        let strengths = json.players.iter().map(strength).collect();
        let player = |PlayerJson { name, kind, plays, .. }| Player { name, kind, plays, ..Player::default() };
        let players = json.players.into_iter().map(player);
        let results = Self {
            name: json.name,
            state: json.state,
            seed: json.seed,
            points: json.points,
            players: players.collect(),
            rounds: json.rounds,
            games: json.games,
            byes: json.byes,
            notes: json.notes,
        };
        Ok((results, strengths))
    }
}
