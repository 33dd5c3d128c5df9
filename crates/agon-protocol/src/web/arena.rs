//! The arena on the web: tournaments as they are played, their games and results, the pages of authors, and what a teacher with the
//! admin token can do.
//!
//! A tournament has an id, as a game has. A game of a tournament is followed like any other one, with `watch` and the id that
//! [`TournamentGame::id`] gives; nobody can act in it.

use agon_core::Message;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The tournaments that the server shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TournamentList {
    /// The tournaments: running ones first, then the most recently updated one first.
    pub tournaments: Vec<TournamentSummary>,
    /// Whether there are more than are listed.
    pub more: bool,
    /// Whether agents can be uploaded and tournaments started here, with the admin token.
    pub uploads: bool,
}

/// A tournament in a list.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TournamentSummary {
    /// Its name in links, `/arena/ID`.
    pub id: String,
    /// Its name.
    pub name: String,
    /// How far it has come.
    pub state: TournamentState,
    /// The names of the games played, such as `othello`, each once.
    pub games: Vec<String>,
    /// The number of games that have ended.
    pub played: usize,
    /// The number of games in all, as far as that is known.
    pub planned: usize,
    /// The number of games being played now.
    pub running: usize,
    /// The number of players.
    pub players: usize,
    /// The players in first place; empty before the first game has ended.
    pub leaders: Vec<String>,
    /// When its results last changed, `2026-11-15T18:00:00Z`.
    pub updated: String,
    /// Whether it was started on the web, so that the admin can stop and resume it here.
    pub web: bool,
}

/// How far a tournament has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentState {
    /// Games are being played.
    Running,
    /// It was stopped or cut off before its end, and can be resumed.
    Stopped,
    /// All games have been played.
    Finished,
    /// Its results cannot be read.
    Damaged,
}

/// A tournament as it stands.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tournament {
    /// What lists show of it.
    pub summary: TournamentSummary,
    /// What is played.
    pub rounds: Vec<TournamentRound>,
    /// The table, best player first.
    pub standings: Vec<Standing>,
    /// The cross table: what the player of each row has done against the player of each column, both in the order of the table; `null` where
    /// they have not met. Empty with more than [`MAX_CROSS`] players: `crosstable.csv` has it then.
    pub cross: Vec<Vec<Option<CrossCell>>>,
    /// Technical losses, latest first; at most [`MAX_TECHNICAL`].
    pub technical: Vec<TechnicalLoss>,
    /// The number of technical losses in all.
    pub technical_count: usize,
    /// The games being played now, at most [`MAX_RUNNING`].
    pub running: Vec<TournamentGame>,
    /// About how many seconds are left; left out if nobody can tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds_left: Option<u64>,
    /// Remarks that readers of the results should know, such as limits that the machine could not enforce. In English.
    pub notes: Vec<String>,
    /// The names of the files that can be had at `/api/v1/arena/ID/files/NAME`: `report.html`, `table.csv` and so on.
    pub files: Vec<String>,
}

/// With more players than this there is no cross table.
pub const MAX_CROSS: usize = 60;
/// The most technical losses that are listed.
pub const MAX_TECHNICAL: usize = 100;
/// The most running games that are listed.
pub const MAX_RUNNING: usize = 64;

/// A round of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TournamentRound {
    /// Its number, from 1.
    pub number: usize,
    /// The game's name, such as `othello`.
    pub game: String,
    /// All its options, as `key=value` separated by commas.
    pub options: String,
    /// Time per move (`1s`), or for the whole game with an increment (`10s+100ms`).
    pub time: String,
    /// Time for setup.
    pub setup: String,
    /// Who meets whom: `round-robin`, `swiss`, `gauntlet`, `knock-out` or `groups`.
    pub format: String,
    /// The number of games that have ended.
    pub played: usize,
    /// The number of games in all; 0 while that is not known.
    pub planned: usize,
}

/// A player's line in the table. Every game counts as one of won, drawn, lost, technical win and technical loss.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Standing {
    /// The place, from 1; may be shared.
    pub place: usize,
    /// The player's name.
    pub name: String,
    /// What kind of player it is, in a word: `bot`, `python`, `java`, `person`.
    pub kind: String,
    /// The points of all games.
    pub points: f64,
    /// Games that have ended.
    pub games: usize,
    /// Games won on the board.
    pub wins: usize,
    /// Games drawn.
    pub draws: usize,
    /// Games lost on the board.
    pub losses: usize,
    /// Games won because another player failed.
    pub technical_wins: usize,
    /// Games lost because this player failed.
    pub technical_losses: usize,
    /// Whether the player was disqualified.
    pub disqualified: bool,
    /// The Elo rating; `null` before the first game.
    pub elo: Option<f64>,
    /// Half of the width of its 95% interval.
    pub elo_error: Option<f64>,
    /// The mean time per move in seconds; `null` if no move was timed.
    pub mean_time: Option<f64>,
    /// The slowest move in seconds.
    pub slowest: Option<f64>,
    /// The mean search depth, where the player reports it.
    pub mean_depth: Option<f64>,
}

/// What one player has done against another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CrossCell {
    /// The number of games.
    pub games: usize,
    /// The points that the player of the row got in them.
    pub points: f64,
    /// Games won, technical wins included.
    pub wins: usize,
    /// Games drawn.
    pub draws: usize,
    /// Games lost, technical losses included.
    pub losses: usize,
}

/// A game lost because a player failed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TechnicalLoss {
    /// Who failed.
    pub player: String,
    /// The other players of the game.
    pub opponents: Vec<String>,
    /// The number of the game, from 1.
    pub number: usize,
    /// The round, from 1.
    pub round: usize,
    /// The id by which the game can be watched; `null` if it was not played because the player had been disqualified.
    pub game: Option<String>,
    /// The offence in a word: `illegal`, `late`, `setup`, `crash`, `protocol`, `printing`, `memory`, `threads`, `network` or `files`.
    pub fault: String,
    /// What happened: a phrase without a full stop.
    pub reason: Message,
    /// What exactly happened, in English; may be empty.
    pub detail: String,
    /// The number of plies that had been played.
    pub ply: usize,
    /// Whether the player was disqualified for it.
    pub disqualified: bool,
}

/// A game of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TournamentGame {
    /// Its name in links (`/game/ID`), in `watch` and in `/api/v1/games/ID`; `null` if it was not played, because a player had been disqualified.
    pub id: Option<String>,
    /// Its number, from 1.
    pub number: usize,
    /// The round it belongs to, from 1.
    pub round: usize,
    /// The game's name, such as `othello`.
    pub game: String,
    /// All its options.
    pub options: String,
    /// Who plays, in turn order.
    pub players: Vec<String>,
    /// How it ended; left out while it is played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<TournamentResult>,
}

/// How a game of a tournament ended.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TournamentResult {
    /// How each seat has done.
    pub seats: Vec<SeatResult>,
    /// What each seat gets.
    pub points: Vec<f64>,
    /// What each seat scored, in games that everybody plays alone, such as 2048; otherwise empty.
    pub scores: Vec<u64>,
    /// Why: a phrase without a full stop.
    pub reason: Message,
    /// What exactly happened if it ended by an offence, in English; may be empty.
    pub detail: String,
    /// The offence in a word if it ended by one, as [`TechnicalLoss::fault`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// The number of plies played.
    pub plies: usize,
}

/// How a seat has done in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SeatResult {
    /// Won on the board.
    Win,
    /// Drawn.
    Draw,
    /// Lost on the board.
    Loss,
    /// Won because another player failed.
    TechnicalWin,
    /// Lost because this player failed.
    TechnicalLoss,
}

/// Games of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TournamentGames {
    /// The games, latest first: those being played, then those that have ended.
    pub games: Vec<TournamentGame>,
    /// The number of games that match the question.
    pub total: usize,
}

/// What the author of a player sees, and nobody else.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuthorPage {
    /// The tournament.
    pub tournament: TournamentSummary,
    /// The author's line in the table.
    pub standing: Standing,
    /// What has cost the player games, in plain words.
    pub verdicts: Vec<Verdict>,
    /// Lines printed against the protocol where the tournament only counts them.
    pub warnings: u64,
    /// The player's games, latest first; at most [`MAX_AUTHOR_GAMES`].
    pub games: Vec<AuthorGame>,
    /// The number of the player's games that have ended.
    pub games_count: usize,
}

/// The most games that an author's page lists.
pub const MAX_AUTHOR_GAMES: usize = 500;

/// What has cost a player games, why, and what to do about it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// The offence in a word, as [`TechnicalLoss::fault`].
    pub fault: String,
    /// The rule that was broken: one or two sentences.
    pub rule: Message,
    /// How to fix it: one or two sentences.
    pub fix: Message,
    /// The number of games that it cost.
    pub count: usize,
    /// The latest of them, at most 20.
    pub cases: Vec<TechnicalLoss>,
}

/// A game as the author of one of its players sees it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuthorGame {
    /// The game.
    pub game: TournamentGame,
    /// The author's seat, from 0.
    pub seat: usize,
    /// The size of what the player's program wrote, in bytes; it can be had at `/api/v1/arena/ID/authors/KEY/logs/NUMBER`. Left out if there is no log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log: Option<u64>,
}

/// The keys of the authors of a tournament, for the teacher to hand out. Each author's page is `/arena/ID/KEY`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuthorKeys {
    /// One for each player that is a program, in the order of the table.
    pub keys: Vec<AuthorKey>,
}

/// The key of an author.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuthorKey {
    /// The player's name.
    pub player: String,
    /// The key.
    pub key: String,
}

/// What a teacher can work with.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ArenaDesk {
    /// Whether agents can be uploaded and tournaments started here (`--arena-uploads`).
    pub uploads: bool,
    /// The interpreters by which agents can be run.
    pub interpreters: Vec<Interpreter>,
    /// The agents that have been uploaded, by name.
    pub agents: Vec<UploadedAgent>,
    /// The id of the tournament started here that is being played; `null` if none is. One runs at a time.
    pub running: Option<String>,
    /// The largest upload, in bytes.
    pub max_upload: u64,
}

/// An interpreter by which agents can be run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Interpreter {
    /// Its name, such as `python3`.
    pub name: String,
    /// How files that it runs end, such as `.py`.
    pub endings: Vec<String>,
}

/// An agent that was uploaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadedAgent {
    /// The name of the player that it becomes.
    pub name: String,
    /// The interpreter that runs it.
    pub interpreter: String,
    /// The file that the interpreter is given.
    pub file: String,
    /// The number of files.
    pub files: usize,
    /// The size of all files, in bytes.
    pub bytes: u64,
    /// When it was uploaded.
    pub uploaded: String,
}

/// A tournament to be started. Players are uploaded agents and bots of the house.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewTournament {
    /// Its name, which no other tournament may have.
    pub name: String,
    /// The names of the uploaded agents that take part.
    #[serde(default)]
    pub agents: Vec<String>,
    /// The bots that take part.
    #[serde(default)]
    pub bots: Vec<NewBot>,
    /// What is played.
    pub rounds: Vec<NewRound>,
    /// Fixes openings, luck and the randomness of the bots; 1 if left out.
    #[serde(default)]
    pub seed: Option<u64>,
    /// What it costs an agent to print anything but its answers; the game if left out.
    #[serde(default)]
    pub printing: Option<Printing>,
}

/// What it costs an agent to print anything but its answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Printing {
    /// Nothing; it is counted.
    Warn,
    /// The game.
    Loss,
    /// The game and all that remain.
    Disqualify,
}

/// A bot that takes part in a tournament.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewBot {
    /// The player's name; that of the bot if left out.
    #[serde(default)]
    pub name: Option<String>,
    /// The specification of the bot, such as `medium`.
    pub bot: String,
}

/// A round of a tournament to be started.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewRound {
    /// The game's name.
    pub game: String,
    /// Its options; the defaults if left out.
    #[serde(default)]
    pub options: String,
    /// Time per move from `100ms` to `20s`, or for the whole game with an increment (`10s+100ms`); `5s` if left out.
    #[serde(default)]
    pub time: Option<String>,
    /// Time for setup, from `100ms` to `10m`; `10s` if left out.
    #[serde(default)]
    pub setup: Option<String>,
    /// Who meets whom: `round-robin` (if left out), `swiss`, `gauntlet`, `knock-out` or `groups`.
    #[serde(default)]
    pub format: Option<String>,
    /// How often each pair or group is played; once if left out.
    #[serde(default)]
    pub repetitions: Option<u32>,
    /// Whether games begin with random openings.
    #[serde(default)]
    pub random_openings: bool,
}
