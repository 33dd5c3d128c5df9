//! Bodies of REST requests and answers.

use std::collections::BTreeMap;

use agon_core::Message;
use agon_core::view::{Spot, Style};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::server::RefusalCode;
use super::state::{BoardFacts, BoardPicture, EndState, PlyState, SeatState, TableMode};
use super::tree::TreeExample;

/// A refusal.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// Why, for programs.
    pub code: RefusalCode,
    /// Why, for people.
    pub message: Message,
    /// The field of the request that is wrong, where one is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// A game that Agon knows, with options fixed.
///
/// All texts are keys of the messages of the game: `title`, `summary`, `option.KEY`, `option.KEY.help`, `choice.KEY.WORD`, `bot.NAME` (what a bot is
/// like), `level.NAME` and `level.NAME.text`, `algorithm.NAME`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GameInfo {
    /// The name by which programs call it, and its path in the web app.
    pub game: String,
    /// All its options as they are fixed here.
    pub options: String,
    /// Options that go well with these, for people who have not chosen them, such as `goal=fill`; the defaults are what the rules say.
    pub suggested: String,
    /// What can be chosen.
    pub choices: Vec<OptionInfo>,
    /// The seats in playing order; who plays there is left open.
    pub seats: Vec<SeatState>,
    /// Whether chance takes part.
    pub chance: bool,
    /// The bots that play it, weakest first.
    pub bots: Vec<BotInfo>,
    /// How grounds and pieces are drawn.
    pub styles: Vec<Style>,
    /// The board at the start.
    pub start: BoardPicture,
    /// The board in the middle of a game, with that position's facts, to be looked at.
    pub sample: BoardPicture,
    /// The facts of the sample.
    pub sample_facts: BoardFacts,
    /// Notations of other programs that games can be read from.
    pub imports: Vec<String>,
    /// A position whose search tree can be gone through step by step.
    pub tree: TreeExample,
}

/// One of a game's rules, drawn. The n-th of them is called `lesson.n.title` and explained by `lesson.n.text` in the
/// messages of the game, a paragraph a line.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RulePicture {
    /// The board that shows it.
    pub picture: BoardPicture,
    /// What has just been played there, what is in danger, and the moves of the piece that is shown.
    pub facts: BoardFacts,
    /// The piece of which is shown where it can go.
    pub piece: Option<Spot>,
    /// The first and the last place of the part that matters; the whole board if there is none.
    pub part: Option<[Spot; 2]>,
}

/// An option of a game or a parameter of a bot.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OptionInfo {
    /// Its name.
    pub key: String,
    /// The default, in words where it depends on other options.
    pub default: String,
    /// Which values it takes.
    pub kind: OptionInfoKind,
}

/// The values that an option takes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum OptionInfoKind {
    /// A whole number.
    Integer {
        /// The smallest.
        min: u32,
        /// The largest.
        max: u32,
        /// What it must be a multiple of.
        step: u32,
        /// Whether it may be `off` too.
        off: bool,
    },
    /// One of a few words.
    Choice {
        /// The words.
        words: Vec<String>,
    },
    /// `on` or `off`.
    Switch,
    /// Text of a form of its own; numbers with a fraction and spans of time are given so too.
    Text {
        /// What it must look like.
        expected: String,
        /// Usual values.
        suggestions: Vec<String>,
    },
}

/// A bot.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BotInfo {
    /// The name by which it is called everywhere.
    pub name: String,
    /// Where pickers show it.
    pub group: BotGroup,
    /// Its algorithm.
    pub algorithm: String,
    /// What the algorithm's parameters are set to.
    pub settings: String,
}

/// Where pickers show a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BotGroup {
    /// One of the levels `novice`, `easy`, `medium`, `hard`, `expert`.
    Level,
    /// The player of one of the programs that Agon grew out of.
    Original,
    /// A plain algorithm.
    Algorithm,
}

/// The messages of a game in one language, by key, with those that all games and the server share.
pub type MessageTexts = BTreeMap<String, String>;

/// A game to be opened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewTable {
    /// The game's name.
    pub game: String,
    /// Its options; the defaults if left out.
    #[serde(default)]
    pub options: String,
    /// How boards belong together; `single` if left out.
    #[serde(default)]
    pub mode: Option<TableMode>,
    /// Who plays: one for each seat, or one for each board of a race. `human` or the specification of a bot.
    pub seats: Vec<NewSeat>,
    /// The time control: `none` if left out, `15s` or `5m+3s`.
    #[serde(default)]
    pub clock: Option<String>,
    /// The least time from one move of a bot to the next, in milliseconds; 400 if a person plays and it is left out.
    #[serde(default)]
    pub pace: Option<u32>,
    /// The position to begin with; the usual start if left out.
    #[serde(default)]
    pub position: Option<String>,
    /// Moves that have been made before.
    #[serde(default)]
    pub moves: Vec<String>,
}

/// Who is to play a seat.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewSeat {
    /// `human` or the specification of a bot.
    pub occupant: String,
    /// The name that is shown; that of the browser's user, or of the bot, if left out.
    #[serde(default)]
    pub name: Option<String>,
}

/// A game that was opened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Opened {
    /// Its name in links.
    pub id: String,
}

/// Which moves of a finished game gave something away.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewPart {
    /// The ply up to which moves have been judged; ask for the rest from there on.
    pub to: usize,
    /// How many plies the game has.
    pub plies: usize,
    /// The moves that did, in their order.
    pub faults: Vec<FaultState>,
}

/// A move that gave something away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FaultState {
    /// How many plies had been played before it.
    pub ply: usize,
    /// How much it gave away.
    pub mark: FaultMark,
    /// The better move.
    pub better: String,
}

/// How much a move gave away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FaultMark {
    /// `?!`
    Dubious,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TableSummary {
    /// Its name in links.
    pub id: String,
    /// The name of the lobby that it comes from, if it is played online.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The game's name.
    pub game: String,
    /// All its options.
    pub options: String,
    /// How its boards belong together.
    pub mode: TableMode,
    /// Who plays.
    pub seats: Vec<SeatState>,
    /// How many moves players have made.
    pub moves: usize,
    /// Whether it is the turn of somebody at this browser.
    pub your_turn: bool,
    /// How it has ended; left out while it goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<EndState>,
    /// The seats from first place to last; empty while the game goes on.
    pub ranking: Vec<Vec<usize>>,
    /// The points of each board in games for one.
    pub scores: Vec<u64>,
    /// When it was opened.
    pub created: String,
    /// When something happened last.
    pub updated: String,
    /// Whether it is played online and anybody may find it.
    pub public: bool,
    /// How many browsers follow it.
    pub watchers: usize,
}

/// Games in a list.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TableList {
    /// The games, the one in which something happened last first.
    pub games: Vec<TableSummary>,
    /// Whether there are more.
    pub more: bool,
}

/// Plies of a long game.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlyList {
    /// The number of plies before the first one.
    pub from: usize,
    /// How many of those are moves of players.
    pub moves_before: usize,
    /// The plies.
    pub plies: Vec<PlyState>,
}

/// What somebody has reached in a game for one: games that were played from the usual start to the end, and nothing else.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Statistics {
    /// How many games.
    pub games: usize,
    /// The most points of one of them.
    pub best: u64,
    /// What marks are called in the game, such as "largest tile"; left out if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<Message>,
    /// In how many games each mark was the highest, the highest mark first.
    pub marks: Vec<MarkCount>,
    /// The games, the latest first; of many only the last ones.
    pub history: Vec<PlayedAlone>,
}

/// In how many games a mark was the highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MarkCount {
    /// The mark.
    pub mark: u64,
    /// How many.
    pub games: usize,
}

/// A game for one that somebody has played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PlayedAlone {
    /// The table's name in links.
    pub id: String,
    /// When something happened there last.
    pub updated: String,
    /// The points.
    pub score: u64,
    /// The highest mark.
    pub mark: u64,
    /// How many moves were made.
    pub moves: usize,
}

/// Who sits at this browser.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Me {
    /// The name; empty if nobody has said it yet.
    pub name: String,
}

/// A question about a position: what it looks like and what can be played.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PositionRequest {
    /// The game's name.
    pub game: String,
    /// Its options.
    #[serde(default)]
    pub options: String,
    /// The position; the usual start if left out.
    #[serde(default)]
    pub position: Option<String>,
    /// Moves that are made from there.
    #[serde(default)]
    pub moves: Vec<String>,
}

/// A position.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PositionAnswer {
    /// What is seen.
    pub picture: BoardPicture,
    /// Everything else, legal moves included.
    pub facts: BoardFacts,
}

/// A position that a bot is to think about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AnalysisQuestion {
    /// The game's name.
    pub game: String,
    /// Its options.
    #[serde(default)]
    pub options: String,
    /// The position; the usual start if left out.
    #[serde(default)]
    pub position: Option<String>,
    /// Moves that are made from there.
    #[serde(default)]
    pub moves: Vec<String>,
    /// The specification of the bot; our best one if left out.
    #[serde(default)]
    pub bot: Option<String>,
    /// How long it thinks, in milliseconds; a second if left out.
    #[serde(default)]
    pub millis: Option<u32>,
}

/// How the server is.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Health {
    /// Whether moves can be stored.
    pub storage: bool,
    /// How many stored games were found to be damaged.
    pub damaged_games: usize,
    /// How many bots wait for their turn.
    pub waiting: usize,
    /// The version of Agon.
    pub version: String,
}
