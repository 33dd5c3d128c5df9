//! Tournaments as browsers are sent them. Names and sentences come from strangers: they are cut and made harmless here.

use std::collections::BTreeMap;

use agon_arena::report::words::plain;
use agon_arena::results::{self, GameResult, Offence, Outcome, Row};
use agon_core::Message;
use agon_files::date_text;
use agon_messages::MESSAGES;
use agon_protocol::web::arena::{
    CrossCell, MAX_CROSS, MAX_TECHNICAL, SeatResult, Standing, TechnicalLoss, Tournament, TournamentGame,
    TournamentGames, TournamentList, TournamentResult, TournamentRound, TournamentState, TournamentSummary,
};
use serde::Deserialize;

use super::folder::{Running, Snapshot};
use super::secret::Secret;
use super::shown;

/// How many games are sent at once.
const GAMES: usize = 100;
/// How many of the players in first place are named.
const MAX_LEADERS: usize = 4;
/// How many games are named.
const MAX_GAMES: usize = 10;
/// How many rounds are sent.
const MAX_ROUNDS: usize = 1000;
/// How many remarks are sent.
const MAX_NOTES: usize = 50;

/// Which games of a tournament are asked for.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct GameQuestion {
    /// Those of this round, from 1.
    pub round: Option<usize>,
    /// Those of this player.
    pub player: Option<String>,
    /// Those in which this player takes part too.
    pub opponent: Option<String>,
    /// Those that are being played.
    pub running: bool,
    /// How many to leave out, for long lists.
    pub skip: usize,
}

/// The id of a game, by its number from 0.
pub(super) fn game_id(tournament: &str, number: usize) -> String {
    format!("{tournament}-{}", number + 1)
}

/// The tournament and the number, from 0, of the game with this id.
pub(super) fn parse_game_id(id: &str) -> Option<(&str, usize)> {
    let (tournament, shown) = id.split_once('-')?;
    let number: usize = shown.parse().ok()?;
    // A game has one name.
    let is_its_name = Secret::is_id(tournament) && number.to_string() == shown;
    number.checked_sub(1).filter(|_| is_its_name).map(|number| (tournament, number))
}

pub(super) fn list(mut tournaments: Vec<TournamentSummary>, more: bool, uploads: bool) -> TournamentList {
    let is_quiet = |tournament: &TournamentSummary| tournament.state != TournamentState::Running;
    tournaments.sort_by(|one, other| {
        (is_quiet(one).cmp(&is_quiet(other)))
            .then_with(|| other.updated.cmp(&one.updated))
            .then_with(|| one.name.cmp(&other.name))
    });
    TournamentList { tournaments, more, uploads }
}

pub(super) fn summary(id: &str, snapshot: &Snapshot) -> TournamentSummary {
    let results = &snapshot.results;
    let mut games: Vec<String> = Vec::new();
    for round in results.rounds.iter().take(MAX_ROUNDS) {
        if !games.contains(&round.game) && games.len() < MAX_GAMES {
            games.push(plain(&round.game));
        }
    }
    let leaders = snapshot.table.rows.iter().filter(|row| row.place == 1 && row.games > 0);
    TournamentSummary {
        id: id.to_owned(),
        name: shown(&results.name),
        state: snapshot.state,
        games,
        played: results.games.len(),
        planned: results.scheduled(),
        running: snapshot.running.len(),
        players: results.players.len(),
        leaders: leaders.take(MAX_LEADERS).map(|row| shown(&row.name)).collect(),
        updated: date_text(snapshot.updated),
        web: snapshot.is_web,
    }
}

pub(super) fn tournament(id: &str, snapshot: &Snapshot) -> Tournament {
    let results = &snapshot.results;
    let technical = results.games.iter().rev().flat_map(|game| technical_losses(id, game));
    Tournament {
        summary: summary(id, snapshot),
        rounds: rounds(results),
        standings: snapshot.table.rows.iter().map(|row| standing(snapshot, row)).collect(),
        cross: cross(snapshot),
        technical: technical.take(MAX_TECHNICAL).collect(),
        technical_count: results.games.iter().map(|game| game.outcome.offences().len()).sum(),
        running: snapshot.running.iter().rev().map(|game| running_game(id, snapshot, game)).collect(),
        seconds_left: snapshot.left.map(|left| left.as_secs().max(1)),
        notes: results.notes.iter().take(MAX_NOTES).map(|note| plain(note)).collect(),
        files: snapshot.files.iter().map(|name| (*name).to_owned()).collect(),
    }
}

fn rounds(results: &results::Results) -> Vec<TournamentRound> {
    let mut played: BTreeMap<usize, usize> = BTreeMap::new();
    for game in &results.games {
        *played.entry(game.round).or_default() += 1;
    }
    let round = |(number, round): (usize, &results::Round)| TournamentRound {
        number,
        game: plain(&round.game),
        options: plain(&round.options),
        time: plain(&round.time),
        setup: plain(&round.setup),
        format: plain(&round.format),
        played: played.get(&number).copied().unwrap_or(0),
        planned: round.games,
    };
    (1..).zip(&results.rounds).take(MAX_ROUNDS).map(round).collect()
}

pub(super) fn standing(snapshot: &Snapshot, row: &Row) -> Standing {
    let strength = snapshot.strengths.get(row.player).copied().unwrap_or_default();
    let moved = |value: f64| (row.conduct.moves > 0).then_some(value);
    Standing {
        place: row.place,
        name: shown(&row.name),
        kind: snapshot.results.players.get(row.player).map_or_else(String::new, |player| plain(&player.kind)),
        points: row.points,
        games: row.games,
        wins: row.wins,
        draws: row.draws,
        losses: row.losses,
        technical_wins: row.technical_wins,
        technical_losses: row.technical_losses,
        disqualified: row.disqualified,
        elo: strength.elo,
        elo_error: strength.error,
        mean_time: moved(row.conduct.mean_time()),
        slowest: moved(row.conduct.slowest.as_secs_f64()),
        mean_depth: moved(row.conduct.mean_depth()).filter(|depth| *depth > 0.0),
    }
}

fn cross(snapshot: &Snapshot) -> Vec<Vec<Option<CrossCell>>> {
    let rows = &snapshot.table.rows;
    if rows.len() > MAX_CROSS {
        return Vec::new();
    }
    let table = snapshot.results.cross_table();
    let cell = |row: &Row, other: &Row| {
        let results::Cross { games, points, wins, draws, losses } = table[row.player][other.player];
        (games > 0).then_some(CrossCell { games, points, wins, draws, losses })
    };
    rows.iter().map(|row| rows.iter().map(|other| cell(row, other)).collect()).collect()
}

/// What a player did that cost it a game.
fn fault(offence: &Offence, name: &str) -> Message {
    MESSAGES.say(format!("fault.{}", offence.reason.word()), [("player", shown(name).into())])
}

pub(super) fn technical_losses(id: &str, game: &GameResult) -> impl Iterator<Item = TechnicalLoss> {
    game.outcome.offences().iter().filter_map(move |offence| {
        let name = game.seats.get(offence.seat)?;
        let others = game.seats.iter().enumerate().filter(|(seat, _)| *seat != offence.seat);
        Some(TechnicalLoss {
            player: shown(name),
            opponents: others.map(|(_, name)| shown(name)).collect(),
            number: game.shown_number(),
            round: game.round,
            game: game.was_played().then(|| game_id(id, game.number)),
            fault: offence.reason.word().to_owned(),
            reason: fault(offence, name),
            detail: plain(&offence.sentence),
            ply: offence.ply,
            disqualified: offence.disqualified,
        })
    })
}

fn running_game(id: &str, snapshot: &Snapshot, game: &Running) -> TournamentGame {
    // Games are numbered through all rounds. Of rounds to come the number of games may not be known.
    let mut ends = 0;
    let rounds = &snapshot.results.rounds;
    let is_in = |round: &results::Round| {
        ends += round.games;
        game.number < ends
    };
    let round = rounds.iter().position(is_in).unwrap_or(rounds.len().saturating_sub(1));
    TournamentGame {
        id: Some(game_id(id, game.number)),
        number: game.number + 1,
        round: round + 1,
        game: plain(&game.game),
        options: plain(&game.options),
        players: game.seats.iter().map(|name| shown(name)).collect(),
        result: None,
    }
}

pub(super) fn ended_game(id: &str, snapshot: &Snapshot, game: &GameResult) -> TournamentGame {
    let round = game.round.checked_sub(1).and_then(|round| snapshot.results.rounds.get(round));
    let of_round =
        |text: fn(&results::Round) -> &String| round.map_or_else(String::new, |round| plain(text(round)));
    TournamentGame {
        id: game.was_played().then(|| game_id(id, game.number)),
        number: game.shown_number(),
        round: game.round,
        game: of_round(|round| &round.game),
        options: of_round(|round| &round.options),
        players: game.seats.iter().map(|name| shown(name)).collect(),
        result: Some(result(game)),
    }
}

fn result(game: &GameResult) -> TournamentResult {
    let seat = |seat: usize| match game.standing(seat) {
        results::Standing::Win => SeatResult::Win,
        results::Standing::Draw => SeatResult::Draw,
        results::Standing::Loss => SeatResult::Loss,
        results::Standing::TechnicalWin => SeatResult::TechnicalWin,
        results::Standing::TechnicalLoss => SeatResult::TechnicalLoss,
    };
    let (reason, detail) = match &game.outcome {
        Outcome::Technical { offences } => {
            let first = offences.first().and_then(|offence| Some((offence, game.seats.get(offence.seat)?)));
            first
                .map(|(offence, name)| (fault(offence, name), plain(&offence.sentence)))
                .unwrap_or_else(|| (said(""), String::new()))
        }
        Outcome::Placed { reason, sentence, .. } => {
            (said(if sentence.is_empty() { reason } else { sentence }), String::new())
        }
    };
    TournamentResult {
        seats: (0..game.seats.len()).map(seat).collect(),
        points: game.points.clone(),
        scores: game.scores.clone(),
        reason,
        detail,
        fault: game.is_technical().then(|| game.outcome.reason().to_owned()),
        plies: game.plies,
    }
}

/// What was written down in English only.
fn said(text: &str) -> Message {
    Message::english(plain(text))
}

pub(super) fn games(id: &str, snapshot: &Snapshot, question: &GameQuestion) -> TournamentGames {
    let is_wanted = |round: usize, players: &[String]| {
        let plays = |wanted: &Option<String>| {
            wanted.as_ref().is_none_or(|wanted| players.iter().any(|name| shown(name) == *wanted))
        };
        question.round.is_none_or(|wanted| wanted == round)
            && plays(&question.player)
            && plays(&question.opponent)
    };
    let running = snapshot.running.iter().rev().filter_map(|game| {
        let shown = running_game(id, snapshot, game);
        is_wanted(shown.round, &game.seats).then_some(shown)
    });
    let ended = snapshot
        .results
        .games
        .iter()
        .rev()
        .filter(|game| !question.running && is_wanted(game.round, &game.seats));
    let running: Vec<TournamentGame> = running.collect();
    let ended: Vec<&GameResult> = ended.collect();
    let total = running.len() + ended.len();
    let behind = question.skip.saturating_sub(running.len());
    let games = running.into_iter().skip(question.skip);
    let games = games.chain(ended.into_iter().skip(behind).map(|game| ended_game(id, snapshot, game)));
    TournamentGames { games: games.take(GAMES).collect(), total }
}
