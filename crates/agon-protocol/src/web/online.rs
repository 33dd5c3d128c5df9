//! Online play: lobbies, who is there, chat, and what was agreed on before the game.
//!
//! A lobby and the game that it becomes have the same id. Whoever watches the id hears of the lobby until its game starts, and of the
//! game from then on.

use agon_core::Message;
use agon_core::view::Token;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::api::NewSeat;
use super::state::TableMode;

/// The most characters that the name of a lobby or a guest has.
pub const MAX_NAME: usize = 24;
/// The most characters of a line of chat.
pub const MAX_CHAT: usize = 300;
/// How a seat is written that nobody has taken yet.
pub const OPEN: &str = "open";

/// What becomes of the seat of somebody who leaves a running game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Leavers {
    /// A bot plays on until they come back.
    Bot,
    /// They have forfeited the game.
    Resign,
    /// Those present decide: a bot plays on, they wait, or the game ends without a result.
    Ask,
}

/// What a player wants to become of the seats of those who have been away for too long. It happens once all who are present want it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AbsenceChoice {
    /// Nothing yet.
    Wait,
    /// A bot plays on until they come back.
    Bot,
    /// The game ends without a result.
    End,
}

/// What decides a race.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Goal {
    /// The scores when no board can be played on.
    #[default]
    Score,
    /// The scores after so many moves on each board.
    Moves {
        /// How many.
        moves: u32,
    },
    /// The scores after a fixed time.
    Time {
        /// How long, in seconds.
        seconds: u32,
    },
}

/// What the people in a lobby agree on by sitting down, and what holds in their game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Terms {
    /// The time control: `none`, `15s` for each move, or `5m+3s` for the game.
    pub clock: String,
    /// In a game without a clock, how many days a player has for a move; as long as they like if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub days: Option<u32>,
    /// What decides a race.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<Goal>,
    /// What becomes of the seats of players who leave, or who exceed their days. If left out, those present decide where three or more
    /// play without days for a move, and a bot plays on otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leavers: Option<Leavers>,
    /// How long a player may be away before that, in seconds. In a game of two without a clock it is ten minutes, and the one
    /// present decides; with days for each move nobody has to be there.
    pub grace: u32,
    /// In a game with a clock, how many seconds players get back at most whenever their connection was dead.
    pub interruption: u32,
    /// How many seconds that may be in the whole game, for each player.
    pub interruptions: u32,
    /// Whether the lobby is listed. Those that are not are joined by a link.
    pub public: bool,
    /// Whether hints, evaluations and the thinking of bots are shown before the end.
    pub help: bool,
    /// Whether those who look on may write in the chat, by a name that they give.
    pub spectators_chat: bool,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            clock: "none".to_owned(),
            days: None,
            goal: None,
            leavers: None,
            grace: 120,
            interruption: 15,
            interruptions: 60,
            public: true,
            help: false,
            spectators_chat: false,
        }
    }
}

impl Terms {
    /// What becomes of those who leave a game with so many seats. Where a move may take days, nobody is there to decide.
    pub fn leavers_among(&self, seats: usize) -> Leavers {
        let is_decided = seats >= 3 && self.days.is_none();
        self.leavers.unwrap_or(if is_decided { Leavers::Ask } else { Leavers::Bot })
    }
}

/// A lobby to be opened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewLobby {
    /// Its name: 1 to 24 characters, unlike those of all other public lobbies. A private one goes by its host's name if it is empty.
    #[serde(default)]
    pub name: String,
    /// The name of the host, by which seats without a name of their own go; optional in private lobbies.
    #[serde(default)]
    pub player: String,
    /// The game's name.
    pub game: String,
    /// Its options; the defaults if left out.
    #[serde(default)]
    pub options: String,
    /// How boards belong together: `single`, or `race`; `single` if left out.
    #[serde(default)]
    pub mode: Option<TableMode>,
    /// Who plays: one for each seat, or one for each board of a race. `open`, `human` for somebody at the host's browser, or the
    /// specification of a bot.
    pub seats: Vec<NewSeat>,
    /// Whether players are dealt to the seats at random when the game starts.
    #[serde(default)]
    pub shuffle: bool,
    /// What holds in the game.
    #[serde(default)]
    pub terms: Terms,
}

/// A lobby as everybody sees it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LobbyInfo {
    /// Its id, and that of the game that it becomes.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The game's name.
    pub game: String,
    /// All its options.
    pub options: String,
    /// How boards belong together.
    pub mode: TableMode,
    /// The seats. In a race every board has one.
    pub seats: Vec<LobbySeat>,
    /// Whether players are dealt to the seats at random when the game starts.
    pub shuffle: bool,
    /// What holds in the game.
    pub terms: Terms,
    /// When it was opened, `2026-11-15T18:00:00Z`.
    pub created: String,
    /// How many browsers look on that hold no seat.
    pub spectators: usize,
}

/// A seat in a lobby.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LobbySeat {
    /// What the game calls it: "Black", "Attackers".
    pub title: Message,
    /// The styles of its pieces at the start.
    pub styles: Vec<Token>,
    /// `open`, `human`, or the specification of a bot.
    pub occupant: String,
    /// The name of whoever has taken it; empty if it is open.
    pub name: String,
    /// Whether a program of its holder plays there: it is shown as a bot.
    pub program: bool,
    /// Whether it is a seat of the host.
    pub host: bool,
    /// Whether whoever holds it is connected; bots always are.
    pub here: bool,
}

/// A lobby as one browser sees it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LobbyState {
    /// The lobby.
    pub lobby: LobbyInfo,
    /// Whether this browser is the host's, who may remove guests and seat bots.
    pub host: bool,
    /// The seats of this browser.
    pub mine: Vec<usize>,
    /// The key of the link by which others join (`/join/KEY`), told to those who have taken a seat and to the host.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// For how many seconds the seats of this browser are kept while it is away.
    pub kept: u64,
    /// In how many milliseconds the game starts; left out as long as a seat is open or somebody is away.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub starts_in: Option<u64>,
}

/// Open lobbies.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LobbyList {
    /// The lobbies, the newest first.
    pub lobbies: Vec<LobbyInfo>,
    /// Whether there are more.
    pub more: bool,
}

/// What the key in a link `/join/KEY` is good for. A `POST` to the same address takes the seat of a game.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Invitation {
    /// The lobby or game.
    pub id: String,
    /// What it is good for.
    pub kind: InvitationKind,
    /// The name of the lobby, or of the player whose seat moves to this device.
    pub name: String,
}

/// The most bytes of a text that is made a QR code.
pub const MAX_QR_TEXT: usize = 512;

/// A text, such as a link, as a QR code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct QrCode {
    /// Its rows from above, without the margin of four squares around it: `1` for each dark square, `0` for each light one.
    pub rows: Vec<String>,
}

/// What an invitation is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum InvitationKind {
    /// A seat may be taken in a lobby. If its game has started, the id is that of the game, which may be watched.
    Lobby,
    /// A seat of a running game moves to the browser that takes it, once.
    Seat,
}

/// What online play adds to the state of a game.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OnlineState {
    /// The name of the lobby that it comes from.
    pub name: String,
    /// What was agreed on.
    pub terms: Terms,
    /// Whether hints, evaluations and the thinking of bots are withheld at the moment.
    pub hidden: bool,
    /// The seats that belong to this browser, also where a bot plays because their holder has given up: whoever holds one talks and plays again
    /// as a player.
    pub held: Vec<usize>,
    /// The seats whose chat is not told to this browser.
    pub muted: Vec<usize>,
    /// Who wants to play again.
    pub rematch: RematchState,
}

/// Who wants to play again after the end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct RematchState {
    /// The seats that do. Once all people do, the next game starts, with sides swapped or seats rotated.
    pub wanted: Vec<usize>,
    /// The next game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// Whether the player of a seat is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Presence {
    /// Whether they are connected.
    pub here: bool,
    /// In how many milliseconds a bot takes over, the seat is forfeited, or those present may decide; left out if nothing will happen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leaves_in: Option<u64>,
    /// What happens then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub then: Option<Leavers>,
    /// Whether those present may decide now what becomes of the seat.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub absent: bool,
    /// What this player has chosen to become of the seats of the absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<AbsenceChoice>,
}

/// A line of chat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatLine {
    /// Its number. A line that is told again after a reconnection has the same one.
    pub seq: u64,
    /// When it was said, `2026-11-15T18:00:00Z`.
    pub at: String,
    /// The seat of whoever said it, at that time; `null` for those who look on, and for a host without a seat.
    pub seat: Option<usize>,
    /// Their name.
    pub name: String,
    /// What they said: plain text.
    pub text: String,
}
