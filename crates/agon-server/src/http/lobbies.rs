//! Lobbies and invitations in the REST interface.

use std::sync::Arc;

use agon_protocol::web::api::Opened;
use agon_protocol::web::online::{Invitation, LobbyList, LobbyState, NewLobby};
use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use serde::Deserialize;

use super::App;
use super::api::{name_of, read};
use super::guard::Address;
use super::guard::HttpRefusal;
use super::identity::{Cookie, Visitor};
use crate::blocking::run_blocking;
use crate::lobby::Lobby;
use crate::networks::counted_address;

/// Which lobbies are asked for.
#[derive(Deserialize)]
pub(super) struct LobbyQuery {
    game: Option<String>,
}

pub(super) async fn list(State(app): State<Arc<App>>, Query(query): Query<LobbyQuery>) -> Json<LobbyList> {
    Json(app.tables.lobbies().list(query.game.as_deref()))
}

pub(super) async fn open(
    State(app): State<Arc<App>>,
    Address(address): Address,
    visitor: Visitor,
    body: Bytes,
) -> Result<(Cookie, (StatusCode, Json<Opened>)), HttpRefusal> {
    let mut asked: NewLobby = read(&body)?;
    if asked.player.trim().is_empty() {
        asked.player = name_of(&app, visitor.id).await?;
    }
    let (host, limits) = (visitor.id, app.tables.limits().bots);
    let games = app.tables.games();
    let now = app.tables.date();
    let (lobby, rules) =
        run_blocking(move || Lobby::new(games, asked, host, counted_address(address), now, &limits)).await?;
    let id = lobby.id.clone();
    app.tables.open_lobby(lobby, rules).await?;
    Ok((visitor.set_cookie(), (StatusCode::CREATED, Json(Opened { id }))))
}

pub(super) async fn lobby(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<Json<LobbyState>, HttpRefusal> {
    Ok(Json(app.tables.lobby(&id, visitor.id).await?))
}

pub(super) async fn invitation(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(key): Path<String>,
) -> Result<Json<Invitation>, HttpRefusal> {
    Ok(Json(app.tables.invitation(&key, visitor.id).await?))
}

pub(super) async fn redeem(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(key): Path<String>,
) -> Result<(Cookie, Json<Opened>), HttpRefusal> {
    let id = app.tables.redeem(&key, visitor.id).await?;
    Ok((visitor.set_cookie(), Json(Opened { id })))
}
