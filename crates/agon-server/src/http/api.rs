//! The REST interface.

use std::sync::Arc;

use agon_erased::{Budget, GameEntry, Limits};
use agon_messages::{Refused, names};
use agon_players::player;
use agon_protocol::analysis::Analysis;
use agon_protocol::web::api::{
    GameInfo, Me, MessageTexts, NewTable, Opened, PlyList, PositionAnswer, RulePicture, Statistics, TableList,
};
use agon_protocol::web::{RefusalCode, TableState};
use agon_requests::catalogue::{entry, game_info, rule_pictures, rules};
use agon_requests::read;
use agon_requests::tables::{PlyQuery, prepare, read_record};
use agon_requests::thinking::AnalysisTask;
use agon_table::TableSettings;
use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tokio::sync::oneshot;

use super::App;
use super::guard::{Address, HttpRefusal};
use super::identity::{Cookie, Visitor};
use crate::blocking::run_blocking;
use crate::bots::Requester;
use crate::random;
use crate::store::VisitorId;
use crate::table::TaskCommand;
use crate::tables::NEW_GAME_BYTES;
use crate::texts::{STUDIES, messages as texts, study_messages as study_texts};

/// How many times as much room as in a record a game takes that is stored, about.
const RECORD_FACTOR: usize = 4;
pub(super) type Answer<T> = Result<Json<T>, HttpRefusal>;

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
    let (games, limits) = (app.tables.games(), app.tables.limits().bots);
    let (play, settings) =
        run_blocking(move || prepare(games, &limits, asked, &name, random::seed())).await?;
    let by = Requester::new(address, visitor.id);
    app.tables.count_stored(by, NEW_GAME_BYTES)?;
    let id = app.tables.open(by, play, settings, false).await?;
    Ok((visitor.set_cookie(), (StatusCode::CREATED, Json(Opened { id }))))
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

pub(super) async fn table_plies(
    State(app): State<Arc<App>>,
    Path(table): Path<String>,
    Query(query): Query<PlyQuery>,
) -> Answer<PlyList> {
    let (board, range) = (query.board, query.range());
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
    let (games, limits) = (app.tables.games(), app.tables.limits().bots);
    let play = run_blocking(move || read_record(games, &limits, &body, &name)).await?;
    let id = app.tables.open(by, play, TableSettings::default(), true).await?;
    Ok((visitor.set_cookie(), (StatusCode::CREATED, Json(Opened { id }))))
}

pub(super) async fn position(State(app): State<Arc<App>>, body: Bytes) -> Answer<PositionAnswer> {
    Ok(Json(agon_requests::position(app.tables.games(), read(&body)?)?))
}

pub(super) async fn analysis(
    State(app): State<Arc<App>>,
    Address(address): Address,
    visitor: Visitor,
    body: Bytes,
) -> Answer<Analysis> {
    let task = AnalysisTask::new(app.tables.games(), &app.tables.limits().bots, read(&body)?)?;
    let requester = Requester::new(address, visitor.id);
    let under_way = app.tables.begin_analysis(requester)?;
    let (done, answer) = oneshot::channel();
    let ticket = app.tables.pool().submit(requester, move |worker| {
        worker.forget_bot();
        let budget = Budget { stop: Arc::clone(&worker.stop), ..Budget::new(Limits::default()) };
        let _ = done.send(task.run(worker.allowed, budget, player));
    });
    let answer = answer.await.map_err(|_| Refused::plain(RefusalCode::State, "refused.busy"))?;
    drop((ticket, under_way));
    Ok(Json(answer?))
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
