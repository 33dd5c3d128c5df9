//! What all reports show, computed once.

use std::collections::HashMap;

use agon_core::text::counted;
use agon_match::Fault;

use super::words::name_text;
use crate::results::json::Strength;
use crate::results::{Cross, GameResult, Offence, Results, Table, compared};
use crate::statistics::rating::{self, Encounter, Prior, Ratings};

/// What one player has done wrong in one way, however often.
pub(super) struct Failing<'a> {
    pub(super) name: &'a str,
    pub(super) reason: Fault,
    /// The first time.
    pub(super) game: &'a GameResult,
    pub(super) offence: &'a Offence,
    /// In how many games it happened.
    pub(super) played: usize,
    /// How many more games it cost that were not played.
    pub(super) unplayed: usize,
}

impl Failing<'_> {
    /// How often, and where first, in words: what stands before the names of opponents, the names, and what stands behind them.
    pub(super) fn extent(&self) -> [String; 3] {
        let was_played = self.game.was_played();
        let before = if !was_played {
            "not played, against ".to_owned()
        } else if self.played > 1 {
            format!("in {} games, first after {} against ", self.played, plies_text(self.offence.ply))
        } else {
            format!("after {} against ", plies_text(self.offence.ply))
        };
        let opponents = self.game.seats.iter().filter(|other| *other != self.name);
        let names = opponents.map(|name| name_text(name)).collect::<Vec<_>>().join(", ");
        let more = self.unplayed - usize::from(!was_played);
        let after =
            if more == 0 { String::new() } else { format!("; {} not played", counted(more, "more game")) };
        [before, names, after]
    }
}

fn plies_text(plies: usize) -> String {
    counted(plies, "ply").replace("plys", "plies")
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
            cross: results.cross_table(),
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

    /// Takes a game as encounters if it says something about strength: it must have been played, and not all have failed.
    fn compare(&self, game: &GameResult, encounters: &mut Vec<Encounter>) {
        if !game.was_played() {
            return;
        }
        let seats: Vec<Option<usize>> = game.seats.iter().map(|name| self.player(name)).collect();
        for (one, player) in seats.iter().enumerate() {
            for (other, opponent) in seats.iter().enumerate().skip(one + 1) {
                let (Some(first), Some(second)) = (*player, *opponent) else { continue };
                if let Some(score) = compared(game, one, other).filter(|_| first != second) {
                    let group = game.round.saturating_sub(1);
                    let is_ordered = seats.len() == 2 && game.scores.is_empty();
                    encounters.push(Encounter { first, second, group, score, is_ordered });
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
    pub(super) fn offences(&self) -> impl Iterator<Item = (&'a GameResult, &'a str, &'a Offence)> {
        self.results.games.iter().flat_map(|game| {
            game.outcome
                .offences()
                .iter()
                .filter_map(move |offence| Some((game, game.seats.get(offence.seat)?.as_str(), offence)))
        })
    }

    /// The same with what repeats counted instead of told again, in the order of the first times.
    pub(super) fn failings(&self) -> Vec<Failing<'a>> {
        let mut found: Vec<Failing> = Vec::new();
        let mut known: HashMap<(&str, Fault), usize> = HashMap::new();
        for (game, name, offence) in self.offences() {
            let reason = offence.reason;
            let index = *known.entry((name, reason)).or_insert(found.len());
            if index == found.len() {
                found.push(Failing { name, reason, game, offence, played: 0, unplayed: 0 });
            }
            let failing = &mut found[index];
            *if game.was_played() { &mut failing.played } else { &mut failing.unplayed } += 1;
        }
        found
    }
}
