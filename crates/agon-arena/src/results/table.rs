//! The table: who has how many points, and who is ahead of whom.

use std::cmp::Ordering;
use std::collections::HashMap;

use crate::referee::Conduct;

use super::{GameResult, Player, Results, Standing};

/// The players in order, the best first.
///
/// Those who reached the finals of more rounds stand before the others. Then the order is by points, then by the points that players with equal points took from each other, then by games won (not counting
/// technical wins), then by name. Players whom only their names tell apart share a place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// One per player.
    pub rows: Vec<Row>,
}

/// A player's line in the table. Every game is counted in exactly one of the five kinds of result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// The index of the player in [`Results::players`](super::Results::players).
    pub player: usize,
    /// The player's name.
    pub name: String,
    /// The place, from 1; may be shared.
    pub place: usize,
    /// The points of all games.
    pub points: f64,
    /// The points in games with players who have as many points.
    pub direct: f64,
    /// Games that have ended.
    pub games: usize,
    /// Games won on the board.
    pub wins: usize,
    /// Games drawn.
    pub draws: usize,
    /// Games lost on the board.
    pub losses: usize,
    /// Games won by an offence of somebody else.
    pub technical_wins: usize,
    /// Games lost by an offence.
    pub technical_losses: usize,
    /// Pauses in Swiss rounds, whose points are among the points.
    pub byes: usize,
    /// How often the player has reached the finals of a round.
    pub finals: usize,
    /// Whether the player was disqualified.
    pub disqualified: bool,
    /// How the player behaved in all games together.
    pub conduct: Conduct,
}

impl Row {
    fn count(&mut self, game: &GameResult, seat: usize) {
        self.games += 1;
        self.points += game.points.get(seat).copied().unwrap_or(0.0);
        *match game.standing(seat) {
            Standing::Win => &mut self.wins,
            Standing::Draw => &mut self.draws,
            Standing::Loss => &mut self.losses,
            Standing::TechnicalWin => &mut self.technical_wins,
            Standing::TechnicalLoss => &mut self.technical_losses,
        } += 1;
        self.disqualified |= game.offences(seat).any(|offence| offence.disqualified);
        if let Some(conduct) = game.conduct.get(seat) {
            self.conduct.add(conduct);
        }
    }

    /// The order of the table, but for names.
    fn rank(&self, other: &Self) -> Ordering {
        let descending = |a: f64, b: f64| b.total_cmp(&a);
        other
            .finals
            .cmp(&self.finals)
            .then(descending(self.points, other.points))
            .then(descending(self.direct, other.direct))
            .then(other.wins.cmp(&self.wins))
    }
}

impl Table {
    /// The table of these results. Seats of players who are not listed are left out.
    pub fn new(results: &Results) -> Self {
        let Results { players, games, byes, rounds, .. } = results;
        let index: HashMap<&str, usize> =
            players.iter().enumerate().map(|(index, player)| (player.name.as_str(), index)).collect();
        let mut rows: Vec<Row> = players
            .iter()
            .enumerate()
            .map(|(player, Player { name, .. })| Row { player, name: name.clone(), ..Row::default() })
            .collect();
        // Who had which seat, by index.
        let seated: Vec<Vec<Option<usize>>> = games
            .iter()
            .map(|game| game.seats.iter().map(|name| index.get(name.as_str()).copied()).collect())
            .collect();
        for (game, seats) in games.iter().zip(&seated) {
            for (seat, player) in seats.iter().enumerate() {
                if let Some(player) = *player {
                    rows[player].count(game, seat);
                }
            }
        }
        for bye in byes {
            if let Some(player) = index.get(bye.player.as_str()) {
                rows[*player].byes += 1;
                rows[*player].points += bye.points;
            }
        }
        for name in rounds.iter().flat_map(|round| &round.finalists) {
            if let Some(player) = index.get(name.as_str()) {
                rows[*player].finals += 1;
            }
        }
        for (game, seats) in games.iter().zip(&seated) {
            for (seat, player) in seats.iter().enumerate() {
                let Some(player) = *player else { continue };
                let is_equal = |other: &usize| {
                    *other != player && rows[*other].points.total_cmp(&rows[player].points).is_eq()
                };
                if seats.iter().flatten().any(is_equal) {
                    rows[player].direct += game.points.get(seat).copied().unwrap_or(0.0);
                }
            }
        }
        rows.sort_by(|a, b| a.rank(b).then_with(|| a.name.cmp(&b.name)));
        for index in 0..rows.len() {
            let shares = index > 0 && rows[index - 1].rank(&rows[index]).is_eq();
            rows[index].place = if shares { rows[index - 1].place } else { index + 1 };
        }
        Self { rows }
    }
}
