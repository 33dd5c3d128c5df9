//! Tournaments in the REST interface.

use std::sync::Arc;

use agon_protocol::web::RefusalCode;
use agon_protocol::web::api::Opened;
use agon_protocol::web::arena::{
    ArenaDesk, AuthorKeys, AuthorPage, NewTournament, Tournament, TournamentGames, TournamentList,
    UploadedAgent,
};
use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequestParts, Path, Query, State};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::App;
use super::api::read;
use super::guard::HttpRefusal;
use super::identity::bearer;
use crate::arena::{GRADES, GameQuestion, MAX_UPLOAD, PUBLIC_FILES, UploadTerms, unknown};
use agon_messages::Refused;

/// Reports are pages that need nothing else; nothing in them is run or fetched, whoever has written them.
const REPORT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; sandbox allow-popups";

type Answer<T> = Result<Json<T>, HttpRefusal>;

/// Whoever has the admin token.
pub(super) struct Admin;

impl FromRequestParts<Arc<App>> for Admin {
    type Rejection = HttpRefusal;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, HttpRefusal> {
        let refused = || Refused::plain(RefusalCode::Forbidden, "refused.not-admin");
        if app.is_admin(bearer(&parts.headers)) { Ok(Self) } else { Err(refused().into()) }
    }
}

/// Somebody who has the admin token, on a server where agents can be uploaded.
pub(super) struct Teacher;

impl FromRequestParts<Arc<App>> for Teacher {
    type Rejection = HttpRefusal;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, HttpRefusal> {
        if !app.tables.arena().takes_uploads() {
            return Err(Refused::plain(RefusalCode::Disabled, "refused.uploads-off").into());
        }
        Admin::from_request_parts(parts, app).await.map(|Admin| Self)
    }
}

pub(super) async fn list(State(app): State<Arc<App>>) -> Json<TournamentList> {
    Json(app.tables.arena().list().await)
}

pub(super) async fn tournament(State(app): State<Arc<App>>, Path(id): Path<String>) -> Answer<Tournament> {
    let tournament = app.tables.arena().tournament(&id).await?;
    Ok(Json(Tournament::clone(&tournament)))
}

pub(super) async fn games(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Query(question): Query<GameQuestion>,
) -> Answer<TournamentGames> {
    Ok(Json(app.tables.arena().games(&id, question).await?))
}

pub(super) async fn file(
    State(app): State<Arc<App>>,
    admin: Result<Admin, HttpRefusal>,
    Path((id, name)): Path<(String, String)>,
) -> Result<Response, HttpRefusal> {
    let known = PUBLIC_FILES.into_iter().chain([GRADES]).find(|known| *known == name).ok_or_else(unknown)?;
    if known == GRADES {
        admin?;
    }
    let bytes = app.tables.arena().file(&id, known).await?;
    Ok(report(known, bytes))
}

/// A file of results, by its name.
pub(super) fn report(name: &str, contents: impl Into<Body>) -> Response {
    let kind = match name.rsplit_once('.') {
        Some((_, "html")) => "text/html; charset=utf-8",
        Some((_, "csv")) => "text/csv; charset=utf-8",
        Some((_, "json")) => "application/json",
        _ => "text/plain; charset=utf-8",
    };
    let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, REPORT_POLICY)];
    (headers, contents.into()).into_response()
}

/// The record of a game, by the name that reports link to.
pub(super) async fn record(
    State(app): State<Arc<App>>,
    Path((id, record)): Path<(String, String)>,
) -> Result<Response, HttpRefusal> {
    let bytes = app.tables.arena().record(&id, record).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], bytes).into_response())
}

pub(super) async fn keys(
    State(app): State<Arc<App>>,
    _admin: Admin,
    Path(id): Path<String>,
) -> Answer<AuthorKeys> {
    Ok(Json(app.tables.arena().keys(&id).await?))
}

pub(super) async fn author(
    State(app): State<Arc<App>>,
    Path((id, key)): Path<(String, String)>,
) -> Answer<AuthorPage> {
    Ok(Json(app.tables.arena().author(&id, key).await?))
}

pub(super) async fn log(
    State(app): State<Arc<App>>,
    Path((id, key, number)): Path<(String, String, usize)>,
) -> Result<Response, HttpRefusal> {
    let bytes = app.tables.arena().log(&id, key, number).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], bytes).into_response())
}

pub(super) async fn desk(State(app): State<Arc<App>>, _admin: Admin) -> Answer<ArenaDesk> {
    Ok(Json(app.tables.arena().overview().await?))
}

pub(super) async fn upload(
    State(app): State<Arc<App>>,
    _teacher: Teacher,
    Path(name): Path<String>,
    Query(terms): Query<UploadTerms>,
    body: Result<Bytes, BytesRejection>,
) -> Answer<UploadedAgent> {
    let body = body.map_err(|_| {
        let most = ("n", (MAX_UPLOAD as u64).into());
        Refused::new(RefusalCode::TooLarge, "refused.too-large", [most])
    })?;
    Ok(Json(app.tables.arena().upload(name, terms, body.into()).await?))
}

pub(super) async fn remove_agent(
    State(app): State<Arc<App>>,
    _teacher: Teacher,
    Path(name): Path<String>,
) -> Result<StatusCode, HttpRefusal> {
    app.tables.arena().remove_agent(name).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn start(
    State(app): State<Arc<App>>,
    _teacher: Teacher,
    body: Bytes,
) -> Result<(StatusCode, Json<Opened>), HttpRefusal> {
    let asked: NewTournament = read(&body)?;
    let id = app.tables.arena().start(app.tables.games(), asked, app.tables.limits().bots).await?;
    Ok((StatusCode::CREATED, Json(Opened { id })))
}

pub(super) async fn stop(
    State(app): State<Arc<App>>,
    _teacher: Teacher,
    Path(id): Path<String>,
) -> Result<StatusCode, HttpRefusal> {
    app.tables.arena().stop(&id).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn resume(
    State(app): State<Arc<App>>,
    _teacher: Teacher,
    Path(id): Path<String>,
) -> Result<StatusCode, HttpRefusal> {
    app.tables.arena().resume(&id).await?;
    Ok(StatusCode::NO_CONTENT)
}
