//! What a game looks like: who sits there, and the boards as they stand.

use agon_core::Message;
use agon_core::view::{Board, Effect, Token};
use agon_core::view::{
    Cell, Count, Heading, Layout, Mark, Milestone, Piece, Progress, Spot, Step, StepKind, Style, Threat,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::online::{OnlineState, Presence};

/// A game that is played, watched or replayed, as one browser sees it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TableState {
    /// Its name in links.
    pub id: String,
    /// The number of the last event.
    pub seq: u64,
    /// The game's name, such as `othello`.
    pub game: String,
    /// All its options, as `key=value` separated by commas.
    pub options: String,
    /// How its boards belong together.
    pub mode: TableMode,
    /// When it was opened, `2026-11-15T18:00:00Z`.
    pub created: String,
    /// Whether this browser has opened it, so that it may pause, pace and change seats.
    pub owner: bool,
    /// Who plays. In a race every board has one seat, and the seats are those of the boards in their order.
    pub seats: Vec<SeatState>,
    /// The time control: `none`, `15s` a move or `5m+3s` a game.
    pub clock: String,
    /// The least time from one move of a bot to the next, in milliseconds.
    pub pace: u32,
    /// Whether the bots wait.
    pub paused: bool,
    /// Whether they play on as fast as they can, to be shown once none of them is to move.
    pub skipping: bool,
    /// The boards: one, or several in a race.
    pub boards: Vec<BoardState>,
    /// The seats from first place to last, those that share a place together; empty before that is decided. A race may be decided although
    /// somebody plays on.
    pub ranking: Vec<Vec<usize>>,
    /// How many browsers follow it.
    pub watchers: usize,
    /// How many of them hold no seat.
    pub spectators: usize,
    /// What online play adds; left out in games at one browser.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub online: Option<OnlineState>,
    /// How grounds and pieces are drawn.
    pub styles: Vec<Style>,
}

/// How the boards of a game belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TableMode {
    /// One board.
    Single,
    /// Several boards with the same luck, played at the same time.
    Race,
    /// The same, played one after the other.
    InTurn,
}

/// A seat.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SeatState {
    /// What the game calls it: "Black", "Attackers".
    pub title: Message,
    /// The name of whoever plays.
    pub name: String,
    /// `human`, or the specification of a bot.
    pub occupant: String,
    /// Whether a person plays.
    pub person: bool,
    /// Whether that person sits at this browser.
    pub mine: bool,
    /// The styles of its pieces at the start.
    pub styles: Vec<Token>,
    /// Whether the player has left for good and a bot plays on.
    pub forfeited: bool,
    /// Whether a bot plays for somebody who is away and may come back.
    pub stand_in: bool,
    /// Whether a program of its holder plays: it is shown as a bot.
    pub program: bool,
    /// Whether the player is there; left out where no person holds the seat, and in games at one browser.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presence: Option<Presence>,
}

/// A board as it stands.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoardState {
    /// What is seen.
    pub picture: BoardPicture,
    /// The number of plies before the first of `plies`: of long games only the last ones are sent.
    pub skipped: usize,
    /// The plies, oldest first.
    pub plies: Vec<PlyState>,
    /// Everything else.
    pub facts: BoardFacts,
}

/// What is seen of a board.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoardPicture {
    /// How cells lie to one another.
    pub layout: Layout,
    /// What the board is made of: `felt`, `wood`, `tray`.
    pub surface: Token,
    /// How moves name a place, `{row}` and `{column}` standing for the names of its row and column.
    pub places: &'static str,
    /// The names of the rows, from the top.
    pub rows: Vec<Token>,
    /// The names of the columns, from the left.
    pub columns: Vec<Token>,
    /// Crossings of the lines between squares that are marked with a dot, each named by the place to its upper left.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dots: Vec<Spot>,
    /// Every place that exists, row by row.
    pub cells: Vec<Cell>,
}

/// What is to be said about a board besides what is seen.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoardFacts {
    /// How many plies have been played, draws of chance included.
    pub ply: usize,
    /// How many of them are moves of players.
    pub moves_made: usize,
    /// The position as text.
    pub position: String,
    /// What is counted for each player.
    pub counts: Vec<Count>,
    /// How far the game has gone towards its limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<Progress>,
    /// Pieces that could fall at once and decide the game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub threats: Vec<Threat>,
    /// What has been achieved for good although the game goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub milestone: Option<Milestone>,
    /// The highest mark reached, such as the largest tile, in games for one that have such.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
    /// What chance has brought last, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<Message>,
    /// The seat to move; `null` once the game is over.
    pub turn: Option<usize>,
    /// The legal moves, where a person is to move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<MoveState>,
    /// What they put on the board at their `to`, where that is the same for all that have no `from`; their effects leave it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placed: Option<Piece>,
    /// The last move of a player; left out of an update whose steps show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<LastMove>,
    /// Where three or more play, the moves before the last one, oldest first, as far as nobody has moved twice since. Players
    /// find here what the others have played since their own last move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<LastMove>,
    /// Whether the clocks are stopped.
    pub stopped: bool,
    /// Whether the board waits until the boards before it are done.
    pub waits: bool,
    /// What is left on the clock of each seat, in milliseconds, when this was sent; empty without clocks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clocks: Vec<Option<u64>>,
    /// An offer or request that waits for an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offer: Option<OfferState>,
    /// Whether there is something to take back.
    pub can_take_back: bool,
    /// The points of a game for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<u64>,
    /// Whether the people who sit there now have played all of the game, so that its points are theirs.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub played_through: bool,
    /// How the game has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<EndState>,
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MoveState {
    /// The move as records have it.
    pub token: String,
    /// What it is.
    pub kind: StepKind,
    /// Where the piece that moves stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Spot>,
    /// Where a piece arrives or appears.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<Spot>,
    /// The places that the piece visits, both ends included; left out if it goes straight.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<Spot>,
    /// Where the whole board slides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading: Option<Heading>,
    /// The top left cell of the block that turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<Spot>,
    /// Sequences of places, any of which makes the move when somebody points at its places in order; left out if pointing at `from`
    /// and then at `to` does, or at `to` alone where there is no `from`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Vec<Spot>>,
    /// All that changes; left out where there are so many moves that this would be too much.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<Effect>,
}

/// The last move of a player.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LastMove {
    /// Who made it.
    pub seat: usize,
    /// The move as records have it.
    pub token: String,
    /// What it has done.
    pub step: Step,
}

/// A ply of the game: a move, or a draw of chance.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlyState {
    /// The move as records have it.
    pub token: String,
    /// Who made it; left out for draws of chance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<usize>,
    /// How long it took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub millis: Option<u64>,
    /// What a bot thought it was worth to itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<ScoreState>,
    /// How deep it looked, in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// How many moves it made in its search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// What something is worth to a player.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScoreState {
    /// How much.
    pub value: f64,
    /// Of what: `discs`, `points`, `percent` for an expected result, or a unit of the bot's own; `null` if nobody knows.
    pub unit: Option<&'static str>,
    /// In how many plies the game is won (or lost, if negative), where that has been found out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proven: Option<i32>,
    /// Whether it says only that no move is left, or may soon be: then `value` is what a bot reckons with, and nothing to be read.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dead_end: bool,
}

/// An offer or request that waits for an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfferState {
    /// What.
    pub kind: OfferKind,
    /// Who made it.
    pub seat: usize,
    /// Who has agreed so far.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub agreed: Vec<usize>,
}

/// What is offered or asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OfferKind {
    /// A draw.
    Draw,
    /// That moves be taken back.
    TakeBack,
}

/// How a game has ended.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EndState {
    /// In what way.
    pub kind: EndKind,
    /// Who has won, or whose fault it was where `kind` is `forfeit`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<usize>,
    /// Why: a phrase that can follow a colon, without a full stop.
    pub reason: Message,
}

/// In what way a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EndKind {
    /// A seat has won by the rules.
    Won,
    /// Nobody has won, by the rules or by agreement.
    Drawn,
    /// The only player has come to the end of the game.
    Lost,
    /// A seat has lost for a reason outside the rules.
    Forfeit,
    /// The game was broken off and has no result.
    Aborted,
}

impl BoardPicture {
    /// What is seen of `board`; the rest of it is left behind.
    pub fn of(board: &mut Board) -> Self {
        Self {
            layout: board.layout,
            surface: board.surface,
            places: board.places,
            rows: std::mem::take(&mut board.rows),
            columns: std::mem::take(&mut board.columns),
            dots: std::mem::take(&mut board.dots),
            cells: std::mem::take(&mut board.cells),
        }
    }
}

impl MoveState {
    /// The legal move `token`, which does what `step` says.
    pub fn new(token: String, step: Step, with_effects: bool) -> Self {
        let block = step.block();
        let Step { kind, from, to, path, heading, places, mut effects } = step;
        if !with_effects {
            effects = Vec::new();
        }
        for effect in &mut effects {
            if let Effect::Flip { piece, .. } = effect {
                *piece = None;
            }
        }
        Self { token, kind, from, to, path, heading, block, places, effects }
    }

    /// Takes what these moves put on the board out of their effects, if all that arrive from nowhere put the same piece where they arrive.
    pub fn take_placed(moves: &mut [Self]) -> Option<Piece> {
        let arrives = |legal: &&Self| legal.to.is_some() && legal.from.is_none();
        let mut placed = moves.iter().filter(arrives).map(|legal| {
            let mut effects = legal.effects.iter();
            effects.find_map(|effect| match effect {
                Effect::Place { at, piece } if Some(*at) == legal.to => Some(*piece),
                _ => None,
            })
        });
        let common = placed.next()??;
        if placed.any(|piece| piece != Some(common)) {
            return None;
        }
        for legal in moves.iter_mut().filter(|legal| arrives(&&**legal)) {
            let to = legal.to;
            legal.effects.retain(|effect| !matches!(effect, Effect::Place { at, .. } if Some(*at) == to));
        }
        Some(common)
    }
}

#[cfg(test)]
mod tests {
    use agon_core::Player;

    use super::*;

    fn placing(token: &str, owner: u8) -> MoveState {
        let piece = Piece { style: "disc", owner: Player(owner), number: None };
        MoveState::new(token.to_owned(), Step::place(Spot::new(0, 0), piece), true)
    }

    #[test]
    fn what_all_moves_place_is_told_once() {
        let pass = || MoveState::new("pass".to_owned(), Step::pass(), true);
        let mut alike = vec![placing("a1", 1), pass(), placing("b1", 1)];
        assert_eq!(MoveState::take_placed(&mut alike).map(|piece| piece.owner), Some(Player(1)));
        assert!(alike.iter().all(|legal| legal.effects.is_empty()));
        let without = || MoveState { effects: Vec::new(), ..placing("a1", 0) };
        for mut different in [vec![placing("a1", 0), placing("a1", 1)], vec![placing("a1", 0), without()]] {
            let before = different.clone();
            assert_eq!(MoveState::take_placed(&mut different), None);
            assert_eq!(different, before, "nothing is left out");
        }
        assert_eq!(MoveState::take_placed(&mut [pass()]), None);
    }
}
