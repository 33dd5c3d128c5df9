//! What crosses the border of a module, as JSON: between a page's workers and the table, and between the table and the engine.

use std::time::Duration;

use agon_erased::{Bound, Limits, ScoredMove, Thought};
use agon_protocol::web::api::TableSummary;
use serde::{Deserialize, Serialize};

/// What a table's worker tells it.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Incoming {
    /// The first message.
    Open {
        /// 64 hexadecimal digits that nobody can guess.
        random: String,
        /// Which build of the web app this is.
        build: String,
        /// How much memory a bot may take for its tables, in MB.
        memory: u32,
    },
    /// A page has come.
    Connect {
        /// Its name.
        connection: u64,
    },
    /// A page has gone.
    Disconnect {
        /// Its name.
        connection: u64,
    },
    /// A page says something, as it would over a WebSocket.
    Message {
        /// Its name.
        connection: u64,
        /// The message.
        text: String,
    },
    /// A page asks something, as it would over HTTP.
    Request(Request),
    /// What was to be stored is stored.
    Stored {
        /// Which.
        number: u64,
    },
    /// It is not.
    StoreFailed {
        /// Which.
        number: u64,
        /// Whether the table had other events than were expected.
        #[serde(default)]
        conflict: bool,
    },
    /// A table as it is stored.
    Loaded {
        /// Which question this answers.
        number: u64,
        /// The table; `None` if there is none of that name.
        table: Option<StoredTable>,
    },
    /// The stored tables of a game, the one in which something happened last first.
    Rows {
        /// Which question this answers.
        number: u64,
        /// The tables.
        rows: Vec<StoredRow>,
    },
    /// What the engine says.
    News {
        /// As it has said it.
        news: News,
    },
    /// Time has passed.
    Tick,
}

/// A request as it would come over HTTP.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Names it.
    pub request: u64,
    /// `GET`, `POST` or `DELETE`.
    pub method: String,
    /// The path with its query.
    pub path: String,
    /// The body.
    #[serde(default)]
    pub body: Option<String>,
    /// The name that the browser's user has given.
    #[serde(default)]
    pub name: String,
    /// What fixes all randomness of a new game, for tests.
    #[serde(default)]
    pub seed: Option<String>,
}

/// A stored table.
#[derive(Debug, Deserialize)]
pub struct StoredTable {
    /// What lists show of it.
    pub row: StoredRow,
    /// What has been set, as JSON.
    pub settings: String,
    /// Its events.
    pub events: Vec<StoredEvent>,
}

/// As much of a stored row as is read again.
#[derive(Debug, Deserialize)]
pub struct StoredRow {
    /// The table.
    pub id: String,
    /// When it was opened, in seconds since 1970.
    pub created: u64,
    /// When something happened last.
    pub updated: u64,
    /// What is played and who plays, as JSON.
    pub head: String,
    /// How the game stands, as JSON.
    pub status: String,
}

/// An event as it is stored.
#[derive(Debug, Serialize, Deserialize)]
pub struct StoredEvent {
    /// The version of its form.
    pub schema: u32,
    /// The page's name for what led to it.
    pub message: Option<String>,
    /// The event as JSON.
    pub body: String,
}

/// What the worker of a table is to do, in this order.
#[derive(Debug, Serialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Outgoing {
    /// Tell pages something, as it would come over a WebSocket.
    Tell {
        /// The pages.
        to: Vec<u64>,
        /// The message.
        text: String,
    },
    /// Answer a request.
    Reply(Reply),
    /// Store this, all of it or nothing.
    Store {
        /// Names it.
        number: u64,
        /// What.
        write: Box<Write>,
    },
    /// Find a stored table.
    Load {
        /// Names the question.
        number: u64,
        /// The table.
        table: String,
    },
    /// Find the stored tables of a game.
    Rows {
        /// Names the question.
        number: u64,
        /// The game.
        game: String,
    },
    /// Ask the engine.
    Ask {
        /// Names the question.
        number: u64,
        /// Whether the game's trained weights are needed for the answer.
        weights: bool,
        /// What.
        question: Box<Question>,
    },
    /// Nobody wants to know that any more.
    Cancel {
        /// Which question.
        number: u64,
    },
    /// Have time pass at this moment at the latest.
    Wake {
        /// In milliseconds of the worker's clock.
        at: f64,
    },
}

/// An answer as it would come over HTTP.
#[derive(Debug, Serialize)]
pub struct Reply {
    /// Which request it answers.
    pub request: u64,
    /// The status.
    pub status: u16,
    /// The type of the body.
    #[serde(rename = "type")]
    pub content_type: &'static str,
    /// The body.
    pub body: String,
    /// By which name a browser would save it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filename: Option<String>,
}

/// What is stored together.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Write {
    /// Further events of a table, or all of a new one.
    Append {
        /// The table.
        table: String,
        /// What lists show of it from now on.
        row: Box<Row>,
        /// How many events it has already.
        known: u64,
        /// What comes behind them.
        events: Vec<StoredEvent>,
        /// What has been set, as JSON.
        settings: String,
        /// Whether these must survive a failure of power.
        ends: bool,
    },
    /// A table is forgotten with everything that belongs to it.
    Delete {
        /// The table.
        table: String,
        /// Always true.
        delete: bool,
    },
}

/// What lists show of a table.
#[derive(Debug, Serialize)]
pub struct Row {
    /// Its name.
    pub id: String,
    /// The game's name, which says which module knows it.
    pub game: String,
    /// When it was opened, in seconds since 1970.
    pub created: u64,
    /// When something happened last.
    pub updated: u64,
    /// Whether its game is over.
    pub over: bool,
    /// What is played and who plays, as JSON.
    pub head: String,
    /// How the game stands, as JSON.
    pub status: String,
    /// The same for lists.
    pub summary: TableSummary,
}

/// A question to the engine.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// Names it.
    pub number: u64,
    /// What.
    pub question: Question,
}

/// What the engine is asked.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Question {
    /// A bot's move, or a hint.
    Move(Box<MoveQuestion>),
    /// A request that is answered by thinking.
    Request {
        /// What is asked for: `analysis`, `tree` or `features`.
        what: Thinking,
        /// The body of the request.
        body: String,
        /// How much memory a bot may take, in MB.
        memory: u32,
    },
    /// A look back at a game that is over.
    Review {
        /// The game.
        game: Game,
        /// The first ply to be judged.
        from: usize,
        /// How much memory a bot may take, in MB.
        memory: u32,
    },
}

/// Requests that are answered by thinking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Thinking {
    /// What a bot thinks of a position.
    Analysis,
    /// The tree of a search.
    Tree,
    /// What an evaluation sees.
    Features,
}

/// A game as it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Game {
    /// Its name.
    pub game: String,
    /// Its options.
    #[serde(default)]
    pub options: String,
    /// Where it began; the usual start if left out.
    #[serde(default)]
    pub position: Option<String>,
    /// All plies, draws of chance included.
    #[serde(default)]
    pub moves: Vec<String>,
}

/// A question for a move.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveQuestion {
    /// For whom: a bot that has thought for the same before still knows what it found.
    pub seat: String,
    /// The game.
    pub game: Game,
    /// The specification of the bot.
    pub bot: String,
    /// The most time that it may take, in milliseconds.
    #[serde(default)]
    pub millis: Option<u64>,
    /// Other limits in place of all others, the bot's own included: for signatures and measurements.
    #[serde(default)]
    pub limits: Option<ExactLimits>,
    /// What fixes its randomness, in decimal digits.
    pub seed: String,
    /// Whether a judgement is wanted rather than a move to be played.
    #[serde(default)]
    pub is_hint: bool,
}

/// Limits that do not depend on the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExactLimits {
    /// Moves made.
    #[serde(default)]
    pub nodes: Option<u64>,
    /// Plies.
    #[serde(default)]
    pub depth: Option<u32>,
}

impl From<ExactLimits> for Limits {
    fn from(limits: ExactLimits) -> Self {
        Self { nodes: limits.nodes, depth: limits.depth, time: None }
    }
}

/// What the engine says about a question.
#[derive(Debug, Serialize, Deserialize)]
pub struct News {
    /// Which question.
    pub number: u64,
    /// What.
    #[serde(flatten)]
    pub what: NewsKind,
}

/// What the engine says.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NewsKind {
    /// What a bot has found so far.
    Thought(WireThought),
    /// Its move, and how long it took, in milliseconds.
    Answer(WireThought, f64),
    /// It cannot move, or the engine has broken down.
    Failed(String),
    /// The answer to a request: its status and its body.
    Reply(u16, String),
}

/// What a bot has thought.
#[derive(Debug, Serialize, Deserialize)]
pub struct WireThought {
    best: String,
    score: Option<f64>,
    depth: u32,
    nodes: u64,
    line: Vec<String>,
    moves: Vec<(String, f64, i8, bool)>,
    millis: f64,
}

impl From<Thought<String>> for WireThought {
    fn from(thought: Thought<String>) -> Self {
        let sign = |bound| match bound {
            Bound::Exact => 0,
            Bound::Lower => 1,
            Bound::Upper => -1,
        };
        let moves = thought.moves.into_iter();
        Self {
            best: thought.best,
            score: thought.score,
            depth: thought.depth,
            nodes: thought.nodes,
            line: thought.line,
            moves: moves.map(|known| (known.mv, known.score, sign(known.bound), known.is_proven)).collect(),
            millis: thought.elapsed.as_secs_f64() * 1000.0,
        }
    }
}

impl From<WireThought> for Thought<String> {
    fn from(thought: WireThought) -> Self {
        let moves = thought.moves.into_iter().map(|(mv, score, sign, is_proven)| {
            let bound = match sign {
                0 => Bound::Exact,
                1.. => Bound::Lower,
                _ => Bound::Upper,
            };
            ScoredMove { mv, score, bound, is_proven }
        });
        Self {
            best: thought.best,
            score: thought.score,
            depth: thought.depth,
            nodes: thought.nodes,
            line: thought.line,
            moves: moves.collect(),
            statistics: Vec::new(),
            elapsed: millis(thought.millis),
        }
    }
}

/// So many milliseconds; none if they are no number.
pub fn millis(millis: f64) -> Duration {
    Duration::try_from_secs_f64(millis / 1000.0).unwrap_or_default()
}
