//! Tournaments in the REST interface.

use std::sync::Arc;

use agon_messages::Refused;
use agon_protocol::web::RefusalCode;
use agon_protocol::web::api::Opened;
use agon_protocol::web::arena::{
    ArenaDesk, AuthorKeys, AuthorPage, NewTournament, Tournament, TournamentGames, TournamentList,
    UploadedAgent,
};
use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequestParts, Path, Query, State};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::App;
use super::guard::{Address, HttpRefusal, asking};
use super::identity::bearer;
use super::refusals::excerpt;
use crate::arena::{GRADES, GameQuestion, MAX_UPLOAD, PUBLIC_FILES, UploadTerms, unknown};
use crate::folders::Contents;
use agon_requests::read;

/// Reports are pages that need nothing else; nothing in them is run or fetched, whoever has written them.
const REPORT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; sandbox allow-popups";

type Answer<T> = Result<Json<T>, HttpRefusal>;

/// Whoever has the admin token.
pub(super) struct Admin;

impl FromRequestParts<Arc<App>> for Admin {
    type Rejection = HttpRefusal;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, HttpRefusal> {
        if app.is_admin(bearer(&parts.headers)) {
            return Ok(Self);
        }
        refuse(app, parts, Refused::plain(RefusalCode::Forbidden, "refused.not-admin"))
    }
}

/// Somebody who has the admin token, on a server where agents can be uploaded.
pub(super) struct Teacher;

impl FromRequestParts<Arc<App>> for Teacher {
    type Rejection = HttpRefusal;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, HttpRefusal> {
        if !app.tables.arena().takes_uploads() {
            return refuse(app, parts, Refused::plain(RefusalCode::Disabled, "refused.uploads-off"));
        }
        Admin::from_request_parts(parts, app).await.map(|Admin| Self)
    }
}

/// Refuses what only an admin may ask for. Whoever looks after the server should hear of it.
fn refuse<T>(app: &App, parts: &Parts, refused: Refused) -> Result<T, HttpRefusal> {
    let address = asking(app, &parts.extensions, &parts.headers);
    app.refusals.note(address, |left_out| {
        let (method, path, reason) = (&parts.method, excerpt(parts.uri.path()), &*refused.message.text);
        tracing::warn!(%address, %method, path, reason, left_out, "a request for an admin was refused");
    });
    Err(refused.into())
}

/// Notes what the admin token was used for: at this level, so that a quiet log has it, too.
fn note(Address(address): Address, done: &'static str, what: &str) {
    tracing::warn!(%address, what = excerpt(what), "{done}");
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
    mut parts: Parts,
    Path((id, name)): Path<(String, String)>,
) -> Result<Response, HttpRefusal> {
    let known = PUBLIC_FILES.into_iter().chain([GRADES]).find(|known| *known == name).ok_or_else(unknown)?;
    if known == GRADES {
        Admin::from_request_parts(&mut parts, &app).await?;
    }
    let bytes = app.tables.arena().file(&id, known).await?;
    Ok(report(known, bytes))
}

/// A file of results, by its name.
pub(super) fn report(name: &str, contents: Contents) -> Response {
    let kind = match name.rsplit_once('.') {
        Some((_, "html")) => "text/html; charset=utf-8",
        Some((_, "csv")) => "text/csv; charset=utf-8",
        Some((_, "json")) => "application/json",
        _ => "text/plain; charset=utf-8",
    };
    let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, REPORT_POLICY)];
    (headers, contents).into_response()
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
    address: Address,
    Path(name): Path<String>,
    Query(terms): Query<UploadTerms>,
    body: Result<Bytes, BytesRejection>,
) -> Answer<UploadedAgent> {
    let body = body.map_err(|error| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            let most = ("n", (MAX_UPLOAD as u64).into());
            Refused::new(RefusalCode::TooLarge, "refused.too-large", [most])
        }
        // It has broken off, or came too slowly.
        _ => Refused::because(RefusalCode::Malformed, "refused.body", error.body_text()),
    })?;
    let uploaded = app.tables.arena().upload(name, terms, body.into()).await?;
    note(address, "an agent was uploaded", &uploaded.name);
    Ok(Json(uploaded))
}

pub(super) async fn remove_agent(
    State(app): State<Arc<App>>,
    _teacher: Teacher,
    address: Address,
    Path(name): Path<String>,
) -> Result<StatusCode, HttpRefusal> {
    app.tables.arena().remove_agent(name.clone()).await?;
    note(address, "an agent was removed", &name);
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn start(
    State(app): State<Arc<App>>,
    _teacher: Teacher,
    address: Address,
    body: Bytes,
) -> Result<(StatusCode, Json<Opened>), HttpRefusal> {
    let asked: NewTournament = read(&body)?;
    let id = app.tables.arena().start(app.tables.games(), asked, app.tables.limits().bots).await?;
    note(address, "a tournament was started", &id);
    Ok((StatusCode::CREATED, Json(Opened { id })))
}

pub(super) async fn stop(
    State(app): State<Arc<App>>,
    _teacher: Teacher,
    address: Address,
    Path(id): Path<String>,
) -> Result<StatusCode, HttpRefusal> {
    app.tables.arena().stop(&id).await?;
    note(address, "a tournament was stopped", &id);
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn resume(
    State(app): State<Arc<App>>,
    _teacher: Teacher,
    address: Address,
    Path(id): Path<String>,
) -> Result<StatusCode, HttpRefusal> {
    app.tables.arena().resume(&id).await?;
    note(address, "a tournament was resumed", &id);
    Ok(StatusCode::NO_CONTENT)
}
