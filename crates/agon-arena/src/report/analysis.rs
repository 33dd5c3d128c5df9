//! What all reports show, computed once.

use std::collections::HashMap;

use crate::results::json::Strength;
use crate::results::{GameResult, Outcome, Results, Standing, Table};
use crate::statistics::Score;
use crate::statistics::rating::{self, Encounter, Prior, Ratings};

/// What one player has done against another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Cross {
    pub(super) games: usize,
    /// Points that the player got in these games.
    pub(super) points: f64,
    /// Wins, draws and losses, technical ones included.
    pub(super) wins: usize,
    pub(super) draws: usize,
    pub(super) losses: usize,
}

impl Cross {
    /// The share of games won, a draw being a half.
    pub(super) fn share(&self) -> f64 {
        (self.wins as f64 + self.draws as f64 / 2.0) / self.games.max(1) as f64
    }
}

/// A tournament and what follows from its games. Players are numbered as in [`Results::players`].
pub(super) struct Analysis<'a> {
    pub(super) results: &'a Results,
    pub(super) table: Table,
    pub(super) ratings: Ratings,
    /// What each player has done against each other one.
    pub(super) cross: Vec<Vec<Cross>>,
    /// The points of each player after each round, or after parts of the only round.
    pub(super) progress: Vec<Vec<f64>>,
    index: HashMap<&'a str, usize>,
}

impl<'a> Analysis<'a> {
    pub(super) fn new(results: &'a Results) -> Self {
        let players = results.players.len();
        let index: HashMap<&str, usize> =
            results.players.iter().enumerate().map(|(index, player)| (player.name.as_str(), index)).collect();
        let rounds = results.games.iter().map(|game| game.round).max().unwrap_or(0).max(results.rounds.len());
        let mut analysis = Self {
            results,
            table: results.table(),
            ratings: Ratings::default(),
            cross: vec![vec![Cross::default(); players]; players],
            progress: vec![Vec::new(); players],
            index,
        };
        let mut encounters = Vec::new();
        for game in &results.games {
            analysis.compare(game, &mut encounters);
        }
        analysis.ratings = rating::fit(players, rounds, &encounters, &Prior::default());
        analysis.follow(rounds);
        analysis
    }

    /// The number of a player; `None` for a name that is not listed.
    pub(super) fn player(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    /// The rating of a player and the half-width of its interval; `None` for who has not played.
    pub(super) fn strength(&self, player: usize) -> Option<(f64, f64)> {
        (self.ratings.encounters[player] > 0).then(|| (self.ratings.elo[player], self.ratings.error[player]))
    }

    /// The strengths of all players, with as many digits as they are worth.
    pub(super) fn strengths(&self) -> Vec<Strength> {
        let rounded = |value: f64| (value * 10.0).round() / 10.0 + 0.0;
        (0..self.results.players.len())
            .map(|player| match self.strength(player) {
                Some((elo, error)) => Strength { elo: Some(rounded(elo)), error: Some(rounded(error)) },
                None => Strength::default(),
            })
            .collect()
    }

    /// Counts a game in the cross table, and as encounters if it says something about strength: it must have been played, and not
    /// all have failed.
    fn compare(&mut self, game: &GameResult, encounters: &mut Vec<Encounter>) {
        let seats: Vec<Option<usize>> = game.seats.iter().map(|name| self.player(name)).collect();
        for (one, player) in seats.iter().enumerate() {
            for (other, opponent) in seats.iter().enumerate() {
                let (Some(player), Some(opponent)) = (*player, *opponent) else { continue };
                if player == opponent {
                    continue;
                }
                let score = compared(game, one, other);
                let cross = &mut self.cross[player][opponent];
                cross.games += 1;
                cross.points += game.points.get(one).copied().unwrap_or(0.0);
                match score {
                    Some(Score::Win) => cross.wins += 1,
                    Some(Score::Draw) => cross.draws += 1,
                    // Who fails together with the other has lost too.
                    Some(Score::Loss) => cross.losses += 1,
                    None if game.standing(one) == Standing::TechnicalLoss => cross.losses += 1,
                    None => cross.draws += 1,
                }
                if let Some(score) = score
                    && one < other
                    && game.was_played()
                {
                    let group = game.round.saturating_sub(1);
                    let is_ordered = seats.len() == 2 && game.scores.is_empty();
                    encounters.push(Encounter { first: player, second: opponent, group, score, is_ordered });
                }
            }
        }
    }

    /// Adds up points in the order of the schedule.
    fn follow(&mut self, rounds: usize) {
        /// How many parts a single round has.
        const PARTS: usize = 40;
        let games = &self.results.games;
        let parts = if rounds > 1 { rounds } else { games.len().min(PARTS) };
        let part = |index: usize, game: &GameResult| {
            if rounds > 1 { game.round.saturating_sub(1) } else { index * parts / games.len().max(1) }
        };
        let mut gained = vec![vec![0.0; parts]; self.results.players.len()];
        let mut last = 0;
        for (index, game) in games.iter().enumerate() {
            let part = part(index, game);
            last = last.max(part + 1);
            for (seat, name) in game.seats.iter().enumerate() {
                if let Some(player) = self.player(name) {
                    gained[player][part] += game.points.get(seat).copied().unwrap_or(0.0);
                }
            }
        }
        for (player, gained) in gained.into_iter().enumerate() {
            let mut sum = 0.0;
            let sums = gained.into_iter().take(last).map(|points| {
                sum += points;
                sum
            });
            self.progress[player] = sums.collect();
        }
    }

    /// The offences of all games, with the game and the player's name.
    pub(super) fn offences(
        &self,
    ) -> impl Iterator<Item = (&'a GameResult, &'a str, &'a crate::results::Offence)> {
        self.results.games.iter().flat_map(|game| {
            game.outcome
                .offences()
                .iter()
                .filter_map(move |offence| Some((game, game.seats.get(offence.seat)?.as_str(), offence)))
        })
    }
}

/// How one seat did against another; `None` if the game does not tell them apart.
fn compared(game: &GameResult, one: usize, other: usize) -> Option<Score> {
    match &game.outcome {
        Outcome::Placed { places, .. } => Some(match places.get(one)?.cmp(places.get(other)?) {
            std::cmp::Ordering::Less => Score::Win,
            std::cmp::Ordering::Equal => Score::Draw,
            std::cmp::Ordering::Greater => Score::Loss,
        }),
        Outcome::Technical { .. } => match (game.standing(one), game.standing(other)) {
            (Standing::TechnicalWin, Standing::TechnicalLoss) => Some(Score::Win),
            (Standing::TechnicalLoss, Standing::TechnicalWin) => Some(Score::Loss),
            _ => None,
        },
    }
}
