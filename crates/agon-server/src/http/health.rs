//! How the server is, for those who look after it.

use std::net::SocketAddr;
use std::sync::Arc;

use agon_messages::Refused;
use agon_protocol::web::RefusalCode;
use agon_protocol::web::api::Health;
use axum::Json;
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};

use super::App;
use super::guard::HttpRefusal;
use super::identity::bearer;

/// Whether the server can do its work.
pub(super) async fn healthz(State(app): State<Arc<App>>) -> Response {
    let health = Health {
        storage: app.tables.store().is_well(),
        damaged_games: app.checkup.damaged(),
        waiting: app.tables.pool().waiting(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let status = if health.storage { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(health)).into_response()
}

/// What was counted: for this machine, and for whoever has the token. What a proxy passes on comes from elsewhere.
pub(super) async fn metrics(
    State(app): State<Arc<App>>,
    ConnectInfo(address): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
) -> Response {
    let is_near = address.ip().is_loopback()
        && !headers.contains_key("x-forwarded-for")
        && !headers.contains_key("forwarded");
    if !is_near && !app.is_admin(bearer(&headers)) {
        return HttpRefusal::from(Refused::plain(RefusalCode::Forbidden, "refused.path")).into_response();
    }
    metrics::gauge!("agon_tables").set(app.tables.len() as f64);
    metrics::gauge!("agon_damaged_games").set(app.checkup.damaged() as f64);
    metrics::gauge!("agon_bots_waiting").set(app.tables.pool().waiting() as f64);
    app.metrics.as_ref().map_or_else(String::new, |handle| handle.render()).into_response()
}
