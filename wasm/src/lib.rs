//! Agon's libraries on WebAssembly: one request as JSON in, one answer as JSON out.
//!
//! A host writes a request into the room that [`request_room`] gives it, calls [`answer`], and reads the answer
//! from where [`answer_start`] says. It lends the module its clock.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use agon_answers::{Analyst, analyze};
use agon_erased::{Bot, BotSpec, Budget, Clock, Limits, Rules, Thought};
use agon_match::{Match, Millis, Occupant, Seat, Setup};
use agon_protocol::web::ServerMessage;
use agon_records::Record;
use agon_registry::GAMES;
use agon_table::chat::Chat;
use agon_table::{
    BotNews, BotQuestion, Command, Effect, Follower, HouseRules, Now, Opening, Table, TableSettings,
};
use serde::Deserialize;
use serde_json::{Value, json};

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since some fixed moment.
    safe fn now() -> f64;
}

/// The host's clock.
struct HostClock;

impl Clock for HostClock {
    fn now(&self) -> Duration {
        Duration::from_secs_f64(now() / 1000.0)
    }
}

/// What a host can ask for.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Request {
    /// The names of all games, and how many seats each has.
    Games,
    /// The record of a game in which `bot` plays every seat.
    Play { game: String, bot: String, seed: u64 },
    /// What `bot` thinks of the first position.
    Analyze { game: String, bot: String, seed: u64 },
    /// A record, read, replayed, and written again.
    Record { text: String },
}

type Failure = Box<dyn std::error::Error>;

impl Request {
    fn answer(self) -> Result<Value, Failure> {
        match self {
            Self::Games => {
                let of_game = |entry: &agon_erased::GameEntry| -> Result<Value, Failure> {
                    let seats = entry.rules("")?.seats().len();
                    Ok(json!({ "name": entry.spec.id, "seats": seats }))
                };
                GAMES.into_iter().map(of_game).collect()
            }
            Self::Play { game, bot, seed } => {
                let table = play(GAMES.rules(&game, "")?, &bot.parse()?, seed)?;
                Ok(Record::of(table.game()).to_string().into())
            }
            Self::Analyze { game, bot, seed } => {
                let rules = GAMES.rules(&game, "")?;
                let mut analyst = Analyst::of_spec(&*rules, &bot.parse()?, seed)?;
                let budget = budget(Limits::default());
                let analysis =
                    analyze(&*rules, &mut *rules.start(), &mut analyst, seed, budget, &mut |_| {})?;
                Ok(serde_json::to_value(analysis)?)
            }
            Self::Record { text } => {
                let record = Record::parse(text.as_bytes())?;
                let position = record.replay(GAMES)?.position();
                Ok(json!({ "text": record.to_string(), "position": position }))
            }
        }
    }
}

fn budget(limits: Limits) -> Budget {
    Budget::on_clock(limits, Arc::new(HostClock))
}

/// Whoever looks on, so that the bots play.
const FOLLOWER: Follower = Follower { id: 0, visitor: [0; 32] };

/// A whole game at a table at which a bot of the same specification plays every seat, as its follower is told of it.
fn play(rules: Arc<dyn Rules>, spec: &BotSpec, seed: u64) -> Result<Table, Failure> {
    let seats = vec![Seat::of(Occupant::Bot(spec.clone())); rules.seats().len()];
    let mut bots: Vec<Option<Box<dyn Bot>>> = seats.iter().map(|_| None).collect();
    let game = Match::start(rules, Setup { seats, ..Setup::default() }, seed, Millis::ZERO)?;
    let opening = Opening {
        id: "wasm".to_owned(),
        owner: FOLLOWER.visitor,
        created: 0,
        stored: game.event_count(),
        game,
        settings: TableSettings { pace: 0, ..TableSettings::default() },
        messages: Vec::new(),
        chat: Chat::default(),
        deadline: None,
        time: None,
        house: HouseRules::default(),
        new_name: Box::new(String::new),
    };
    let now = Now { monotonic: Duration::ZERO, seconds: 0 };
    let (mut table, first) = Table::open(opening, now);
    let mut effects = VecDeque::from(first);
    effects
        .extend(table.handle(Command::Join { follower: FOLLOWER, id: "join".to_owned(), since: None }, now));
    let mut told = 0;
    while let Some(effect) = effects.pop_front() {
        match effect {
            Effect::ReserveBots => effects.extend(table.handle(Command::BotsReserved(true), now)),
            Effect::AskBot(question) => {
                let thought = think(&question, &mut bots[question.seat.index()])?;
                let (number, news) = (question.number, BotNews::Answer(thought, Duration::ZERO));
                effects.extend(table.handle(Command::BotNews { number, news }, now));
            }
            Effect::Tell(_, message) => {
                told = match *message {
                    ServerMessage::Event(update) => update.seq,
                    ServerMessage::State { state, .. } => state.seq,
                    _ => told,
                }
            }
            _ => {}
        }
    }
    if told != table.game().event_count() as u64 || !table.game().is_over() {
        return Err("the follower was not told the end".into());
    }
    Ok(table)
}

/// What a bot answers; it is made when it is first asked.
fn think(question: &BotQuestion, bot: &mut Option<Box<dyn Bot>>) -> Result<Thought<String>, Failure> {
    let Occupant::Bot(spec) = &question.occupant else { return Err("nobody else plays here".into()) };
    let bot = match bot {
        Some(bot) => bot,
        none => none.insert(question.rules.bot(spec, question.seed)?),
    };
    let budget = Budget { seed: Some(question.seed), ..budget(question.limits) };
    Ok(bot.think(&*question.session, &budget, &mut |_| {})?)
}

thread_local! {
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Where the host writes a request of so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn request_room(length: usize) -> *mut u8 {
    REQUEST.with_borrow_mut(|request| {
        *request = vec![0; length];
        request.as_mut_ptr()
    })
}

/// Answers the request that was written, and says how many bytes the answer has: `{"ok": …}` or `{"error": …}`.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    let request = REQUEST.take();
    let answered = serde_json::from_slice(&request).map_err(Failure::from).and_then(Request::answer);
    let answer = match answered {
        Ok(value) => json!({ "ok": value }),
        Err(error) => json!({ "error": error.to_string() }),
    };
    let bytes = answer.to_string().into_bytes();
    let length = bytes.len();
    ANSWER.set(bytes);
    length
}

/// Where the last answer begins.
#[unsafe(no_mangle)]
pub extern "C" fn answer_start() -> *const u8 {
    ANSWER.with_borrow(Vec::as_ptr)
}
