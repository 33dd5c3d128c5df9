//! The REST interface.

use std::sync::Arc;
use std::time::Duration;

use agon_answers::{AnalysisError, Analyst, analyze};
use agon_erased::{Budget, GameEntry, Games, Limits, Rules, default_bot};
use agon_match::{Goal, Match, Millis, Occupant, Policy, Seat, Setup, TimeControl, TimePolicy};
use agon_messages::Refused;
use agon_messages::names;
use agon_players::player;
use agon_protocol::web::api::{
    AnalysisQuestion, GameInfo, Me, MessageTexts, NewSeat, NewTable, Opened, PlyList, PositionAnswer,
    PositionRequest, RulePicture, Statistics, TableList,
};
use agon_protocol::web::{BoardPicture, RefusalCode, TableMode, TableState};
use agon_table::limits::check_bot;
use agon_table::view::changes::PlyRange;
use agon_table::view::states::position_facts;
use agon_table::{MAX_PACE, TableSettings};
use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::sync::oneshot;

use super::App;
use super::guard::{Address, HttpRefusal};
use super::identity::{Cookie, Visitor};
use crate::blocking::run_blocking;
use crate::bots::Requester;
use crate::catalogue::{
    STUDIES, entry, game_info, messages as texts, rule_pictures, rules, study_messages as study_texts,
};
use crate::random;
use crate::store::VisitorId;
use crate::table::TaskCommand;
use crate::tables::NEW_GAME_BYTES;

/// How late a move may come without being late, for the way through the network.
const GRACE: Millis = Millis(100);
/// The pace of games in which only bots play, in milliseconds.
const WATCHED_PACE: u32 = 700;
/// The same in games for one, which are long and whose moves are small: eight a second.
const ALONE_PACE: u32 = 125;
/// The most plies that are sent at once, or the most moves with the draws of chance that follow them.
const MAX_PLIES: usize = 2000;
/// The most moves that a game can be opened with by a request; longer ones come as records.
const MAX_MOVES: usize = 10_000;
/// How long an analysis takes unless the question says so.
const ANALYSIS_TIME: Duration = Duration::from_secs(1);

/// How many times as much room as in a record a game takes that is stored, about.
const RECORD_FACTOR: usize = 4;
pub(super) type Answer<T> = Result<Json<T>, HttpRefusal>;

/// The body of a request.
pub(super) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refused> {
    serde_json::from_slice(body)
        .map_err(|error| Refused::because(RefusalCode::Malformed, "refused.body", error))
}

fn check_moves(moves: &[String]) -> Result<(), Refused> {
    let most = ("n", (MAX_MOVES as u64).into());
    let refused = || Refused::new(RefusalCode::TooLarge, "refused.moves", [most]).about("moves");
    if moves.len() > MAX_MOVES { Err(refused()) } else { Ok(()) }
}

/// The options that are asked about.
#[derive(Deserialize)]
pub(super) struct GameQuery {
    #[serde(default)]
    options: String,
}

pub(super) async fn catalogue(State(app): State<Arc<App>>) -> Answer<Vec<GameInfo>> {
    let games = app.tables.games();
    let info = |entry: &'static GameEntry| Ok(game_info(entry, &rules(games, entry.spec.id, "")?));
    Ok(Json(games.iter().map(info).collect::<Result<_, Refused>>()?))
}

pub(super) async fn catalogue_game(
    State(app): State<Arc<App>>,
    Path(game): Path<String>,
    Query(query): Query<GameQuery>,
) -> Answer<GameInfo> {
    let games = app.tables.games();
    let rules = rules(games, &game, &query.options)?;
    Ok(Json(game_info(entry(games, &game)?, &rules)))
}

pub(super) async fn catalogue_rules(
    State(app): State<Arc<App>>,
    Path(game): Path<String>,
) -> Answer<Vec<RulePicture>> {
    Ok(Json(rule_pictures(entry(app.tables.games(), &game)?)))
}

pub(super) async fn messages(
    State(app): State<Arc<App>>,
    Path((language, game)): Path<(String, String)>,
) -> Answer<MessageTexts> {
    let known = if game == STUDIES {
        study_texts(&language)
    } else {
        texts(entry(app.tables.games(), &game)?, &language)
    };
    let unknown = || Refused::plain(RefusalCode::Unknown, "refused.language");
    Ok(Json(known.ok_or_else(unknown)?))
}

/// Which tables are asked for.
#[derive(Deserialize)]
pub(super) struct TableQuery {
    #[serde(default)]
    mine: bool,
    #[serde(default)]
    watch: bool,
    #[serde(default)]
    skip: usize,
}

pub(super) async fn tables(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Query(query): Query<TableQuery>,
) -> Result<(Cookie, Json<TableList>), HttpRefusal> {
    let list = match (query.mine, query.watch) {
        (true, _) => app.tables.owned(visitor.id, query.skip).await?,
        (false, true) => app.tables.running(visitor.id).await,
        (false, false) => TableList { games: Vec::new(), more: false },
    };
    Ok((visitor.set_cookie(), Json(list)))
}

pub(super) async fn open_table(
    State(app): State<Arc<App>>,
    Address(address): Address,
    visitor: Visitor,
    body: Bytes,
) -> Result<(Cookie, (StatusCode, Json<Opened>)), HttpRefusal> {
    let asked: NewTable = read(&body)?;
    let name = name_of(&app, visitor.id).await?;
    let host = Arc::clone(&app);
    let (play, settings) = run_blocking(move || prepare(&host, asked, &name)).await?;
    let by = Requester::new(address, visitor.id);
    app.tables.count_stored(by, NEW_GAME_BYTES)?;
    let id = app.tables.open(by, play, settings, false).await?;
    Ok((visitor.set_cookie(), (StatusCode::CREATED, Json(Opened { id }))))
}

/// What is to be played at a table that somebody called `name` asks for.
fn prepare(app: &App, asked: NewTable, name: &str) -> Result<(Match, TableSettings), Refused> {
    let NewTable { game, options, mode, seats, clock, pace, position, moves } = asked;
    check_moves(&moves)?;
    let rules = rules(app.tables.games(), &game, &options)?;
    let mode = mode.unwrap_or(TableMode::Single);
    let titles = rules.titles();
    if mode == TableMode::Single && seats.len() != titles.len() {
        let count = ("n", (titles.len() as u64).into());
        return Err(Refused::new(RefusalCode::Invalid, "refused.seats", [count]).about("seats"));
    }
    let mut taken = Vec::with_capacity(seats.len());
    for (index, seat) in seats.into_iter().enumerate() {
        let title = titles.get(index).map_or("", String::as_str);
        let fallback = if name.is_empty() { title } else { name };
        let seat = self::seat(app, &*rules, seat, fallback);
        taken.push(seat.map_err(|refused| refused.about(format!("seats.{index}")))?);
    }
    let bad_clock = |_| Refused::plain(RefusalCode::Invalid, "refused.clock").about("clock");
    let control = clock.map_or(Ok(TimeControl::None), |text| TimeControl::parse(&text)).map_err(bad_clock)?;
    let has_people = taken.iter().any(Seat::is_person);
    let usual = match (rules.seats().len(), has_people) {
        (1, false) => ALONE_PACE,
        (1, true) if mode == TableMode::InTurn => ALONE_PACE,
        (_, true) => TableSettings::default().pace,
        (_, false) => WATCHED_PACE,
    };
    let pace = pace.unwrap_or(usual);
    if pace > MAX_PACE {
        let most = ("n", u64::from(MAX_PACE).into());
        return Err(Refused::new(RefusalCode::Invalid, "refused.pace", [most]).about("pace"));
    }
    let policy = Policy { time: TimePolicy::new(control, GRACE), ..Policy::default() };
    let setup =
        Setup { position, moves: moves.into_iter().map(Into::into).collect(), policy, ..Setup::default() };
    let setups = match mode {
        TableMode::Single => vec![Setup { seats: taken, ..setup }],
        TableMode::Race | TableMode::InTurn => {
            taken.into_iter().map(|seat| Setup { seats: vec![seat], ..setup.clone() }).collect()
        }
    };
    let failed = |error| Refused::because(RefusalCode::Invalid, "refused.setup", error);
    let play =
        agon_table::stored::start(rules, mode, Goal::Finish, setups, random::seed()).map_err(failed)?;
    Ok((play, TableSettings { pace, ..TableSettings::default() }))
}

fn seat(app: &App, rules: &dyn Rules, asked: NewSeat, fallback: &str) -> Result<Seat, Refused> {
    let occupant = check_bot(rules, &asked.occupant, &app.tables.limits().bots)?;
    let given = asked.name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    let given = given.map(|name| names::name(&name)).transpose()?;
    let seat = Seat::of(occupant);
    let name = match given {
        Some(name) => name,
        None if seat.is_person() => fallback.to_owned(),
        None => seat.name.clone(),
    };
    Ok(Seat { name, ..seat })
}

pub(super) async fn name_of(app: &App, visitor: VisitorId) -> Result<String, Refused> {
    Ok(app.tables.store().name(visitor).await?.unwrap_or_default())
}

pub(super) async fn table(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(table): Path<String>,
) -> Answer<Box<TableState>> {
    Ok(Json(app.tables.ask(&table, |reply| TaskCommand::State(visitor.id, reply)).await?))
}

pub(super) async fn table_record(
    State(app): State<Arc<App>>,
    Path(table): Path<String>,
) -> Result<Response, HttpRefusal> {
    let record = app.tables.ask(&table, TaskCommand::Record).await?;
    let name = format!("attachment; filename=\"agon-{table}.txt\"");
    let fields =
        [(header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((fields, record).into_response())
}

/// Which plies are asked for.
#[derive(Deserialize)]
pub(super) struct PlyQuery {
    #[serde(default)]
    board: usize,
    #[serde(default)]
    from: usize,
    to: Option<usize>,
    #[serde(default)]
    by: CountedBy,
}

/// What `from` and `to` count.
#[derive(Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum CountedBy {
    #[default]
    Plies,
    Moves,
}

pub(super) async fn table_plies(
    State(app): State<Arc<App>>,
    Path(table): Path<String>,
    Query(query): Query<PlyQuery>,
) -> Answer<PlyList> {
    let PlyQuery { board, from, to, by } = query;
    let to = to.unwrap_or(usize::MAX).min(from.saturating_add(MAX_PLIES));
    let range = match by {
        CountedBy::Plies => PlyRange::Plies(from..to),
        CountedBy::Moves => PlyRange::Moves(from..to),
    };
    let plies = app.tables.ask(&table, |reply| TaskCommand::Plies { board, range, reply }).await?;
    Ok(Json(plies?))
}

pub(super) async fn delete_table(
    State(app): State<Arc<App>>,
    Path(table): Path<String>,
    visitor: Visitor,
) -> Result<StatusCode, HttpRefusal> {
    app.tables.delete(&table, visitor.id).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn upload_record(
    State(app): State<Arc<App>>,
    Address(address): Address,
    visitor: Visitor,
    body: Bytes,
) -> Result<(Cookie, (StatusCode, Json<Opened>)), HttpRefusal> {
    let by = Requester::new(address, visitor.id);
    app.tables.count_stored(by, RECORD_FACTOR * body.len())?;
    let name = name_of(&app, visitor.id).await?;
    let reader = Arc::clone(&app);
    let play = run_blocking(move || reader.tables.read_record(&body, &name)).await?;
    let id = app.tables.open(by, play, TableSettings::default(), true).await?;
    Ok((visitor.set_cookie(), (StatusCode::CREATED, Json(Opened { id }))))
}

pub(super) fn opened(
    games: Games,
    game: &str,
    options: &str,
    position: Option<&str>,
    moves: &[String],
) -> Result<agon_erased::Opened, Refused> {
    check_moves(moves)?;
    let rules = rules(games, game, options)?;
    let failed = |error| Refused::because(RefusalCode::Invalid, "refused.setup", error);
    let session = rules.open(position, moves).map_err(failed)?;
    Ok((rules, session))
}

pub(super) async fn position(State(app): State<Arc<App>>, body: Bytes) -> Answer<PositionAnswer> {
    let PositionRequest { game, options, position, moves } = read(&body)?;
    let (rules, session) = opened(app.tables.games(), &game, &options, position.as_deref(), &moves)?;
    let mut seen = session.board();
    let picture = BoardPicture::of(&mut seen);
    Ok(Json(PositionAnswer { picture, facts: position_facts(&*rules, &*session, seen) }))
}

pub(super) async fn analysis(
    State(app): State<Arc<App>>,
    Address(address): Address,
    visitor: Visitor,
    body: Bytes,
) -> Result<Response, HttpRefusal> {
    let AnalysisQuestion { game, options, position, moves, bot, millis } = read(&body)?;
    let (rules, mut session) = opened(app.tables.games(), &game, &options, position.as_deref(), &moves)?;
    let limits = app.tables.limits().bots;
    let bot = bot.map(|text| check_bot(&*rules, &text, &limits)).transpose();
    let bot = bot.map_err(|refused| refused.about("bot"))?;
    let requester = Requester::new(address, visitor.id);
    let under_way = app.tables.begin_analysis(requester)?;
    let time = millis.map_or(ANALYSIS_TIME, |millis| Duration::from_millis(millis.into())).min(limits.time);
    let (done, answer) = oneshot::channel();
    let ticket = app.tables.pool().submit(requester, move |worker| {
        worker.forget_bot();
        let time = worker.allowed.map_or(time, |allowed| allowed.min(time));
        let budget = Budget { stop: Arc::clone(&worker.stop), ..Budget::analysis(Limits::of_time(time)) };
        let bot = bot.unwrap_or_else(|| Occupant::Bot(default_bot(&*rules)));
        let bot = limits.fitted(&*rules, bot);
        let analysis = Analyst::of_occupant(&*rules, &bot, 0, player)
            .map_err(AnalysisError::from)
            .and_then(|mut analyst| analyze(&*rules, &mut *session, &mut analyst, 0, budget, &mut |_| {}));
        let _ = done.send(analysis);
    });
    let answer = answer.await.map_err(|_| Refused::plain(RefusalCode::State, "refused.busy"))?;
    drop((ticket, under_way));
    let failed = |error| Refused::because(RefusalCode::Invalid, "refused.analysis", error);
    Ok(Json(answer.map_err(failed)?).into_response())
}

pub(super) async fn me(
    State(app): State<Arc<App>>,
    visitor: Visitor,
) -> Result<(Cookie, Json<Me>), HttpRefusal> {
    let name = name_of(&app, visitor.id).await?;
    Ok((visitor.set_cookie(), Json(Me { name })))
}

pub(super) async fn statistics(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(game): Path<String>,
) -> Result<(Cookie, Json<Statistics>), HttpRefusal> {
    entry(app.tables.games(), &game)?;
    let statistics = app.tables.statistics(visitor.id, &game).await?;
    Ok((visitor.set_cookie(), Json(statistics)))
}

pub(super) async fn set_me(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    body: Bytes,
) -> Result<(Cookie, Json<Me>), HttpRefusal> {
    let Me { name } = read(&body)?;
    // Nobody need have a name.
    let name = if name.trim().is_empty() { String::new() } else { names::name(&name)? };
    app.tables.store().set_name(visitor.id, name.clone()).await?;
    Ok((visitor.set_cookie(), Json(Me { name })))
}
