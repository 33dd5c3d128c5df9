//! Agon's libraries on WebAssembly: one request as JSON in, one answer as JSON out.
//!
//! A host writes a request into the room that [`request_room`] gives it, calls [`answer`], and reads the answer
//! from where [`answer_start`] says. It lends the module its clock.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use agon_answers::{Analyst, analyze};
use agon_core::Player;
use agon_erased::{Bot, BotSpec, Budget, Clock, Limits, Rules};
use agon_match::{Action, Match, Millis, Move, Occupant, Seat, Setup};
use agon_records::Record;
use agon_registry::GAMES;
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
                Ok(Record::of(&play(GAMES.rules(&game, "")?, &bot.parse()?, seed)?).to_string().into())
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

/// A whole game in which a bot of the same specification plays every seat.
fn play(rules: Arc<dyn Rules>, spec: &BotSpec, seed: u64) -> Result<Match, Failure> {
    let seats = vec![Seat::of(Occupant::Bot(spec.clone())); rules.seats().len()];
    let setup = Setup { seats, ..Setup::default() };
    let mut game = Match::start(Arc::clone(&rules), setup, seed, Millis::ZERO)?;
    let mut bots: Vec<Option<Box<dyn Bot>>> = rules.seats().iter().map(|_| None).collect();
    while let Some(seat) = game.board().to_move() {
        let mv = next_move(&game, seat, spec, &mut bots[seat.index()])?;
        game.apply(0, Action::Move(mv), Millis::ZERO)?;
    }
    Ok(game)
}

/// What the bot on `seat` plays; it is made when it is first asked.
fn next_move(
    game: &Match,
    seat: Player,
    spec: &BotSpec,
    bot: &mut Option<Box<dyn Bot>>,
) -> Result<Move, Failure> {
    let board = game.board();
    let seed = board.bot_seed(seat);
    let budget = Budget { seed: Some(seed), ..budget(board.limits(seat)) };
    let bot = match bot {
        Some(bot) => bot,
        none => none.insert(game.rules().bot(spec, seed)?),
    };
    let thought = bot.think(board.session(), &budget, &mut |_| {})?;
    Ok(Move::of_thought(seat, &thought, Millis::ZERO))
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
