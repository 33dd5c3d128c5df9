//! What the outside sees: the web app, the REST interface, and WebSockets.

mod api;
mod arena;
mod assets;
mod bodies;
mod files;
mod guard;
mod health;
mod identity;
mod lobbies;
mod openapi;
mod pace;
mod pulse;
mod qr;
mod refusals;
mod review;
mod serving;
mod slots;
mod socket;
mod studies;
mod trees;

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post, put};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

pub use assets::{PAGE, WebApp, WebFile};
pub use guard::{CONTENT_POLICY, Site};
pub use serving::answer;

use crate::admin::AdminToken;
use crate::arena::MAX_UPLOAD;
use crate::checkup::Checkup;
use crate::networks::{Network, WIDER};
use crate::studies::Studies;
use crate::tables::Tables;
use bodies::Bodies;
use refusals::RefusalLog;
use slots::Slots;

/// The largest body of a request, in bytes: a long record.
const MAX_BODY: usize = 4 << 20;

/// How many times as much as in a second may come at once.
const BURST: NonZeroU32 = NonZeroU32::new(4).expect("four is not zero");

/// What visitors may use of the connections.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// Connections in all.
    pub total: usize,
    /// Connections from one address, whatever they are for.
    pub per_address: usize,
    /// Messages a second over one connection, and requests a second from one address that change something.
    pub messages_per_second: u32,
}

impl ConnectionLimits {
    /// So many a second, times `factor`, and four times as many at once.
    fn quota(&self, factor: u32) -> Quota {
        let per_second = self.messages_per_second.saturating_mul(factor);
        let per_second = NonZeroU32::new(per_second).unwrap_or(NonZeroU32::MIN);
        Quota::per_second(per_second).allow_burst(per_second.saturating_mul(BURST))
    }
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        // A class of 60 behind one address: a browser has a WebSocket, and for a moment six more while a page loads.
        Self { total: 10_000, per_address: 512, messages_per_second: 30 }
    }
}

/// What all requests share.
pub struct App {
    /// All tables.
    pub tables: Arc<Tables>,
    /// The studies that are shown.
    pub studies: Arc<Studies>,
    /// The pages that browsers are shown.
    pub web_app: WebApp,
    /// By which names the server goes.
    pub site: Site,
    /// What visitors may use.
    pub limits: ConnectionLimits,
    /// What was counted, as Prometheus reads it.
    pub metrics: Option<metrics_exporter_prometheus::PrometheusHandle>,
    /// What is known about damaged games.
    pub checkup: Arc<Checkup>,
    /// The token of whoever looks after the server.
    pub admin: Option<AdminToken>,
    connections: Arc<Slots>,
    bodies: Arc<Bodies>,
    refusals: RefusalLog,
    requests: DefaultKeyedRateLimiter<Network>,
    /// The same for larger networks.
    wide_requests: DefaultKeyedRateLimiter<Network>,
    next_connection: AtomicU64,
}

impl App {
    /// What requests to the server of these tables share.
    pub fn new(tables: Arc<Tables>, site: Site, limits: ConnectionLimits) -> Self {
        Self {
            tables,
            studies: Arc::default(),
            web_app: WebApp::NONE,
            site,
            limits,
            metrics: None,
            checkup: Arc::default(),
            admin: None,
            connections: Slots::new(limits.total, limits.per_address),
            bodies: Arc::default(),
            refusals: RefusalLog::default(),
            requests: RateLimiter::keyed(limits.quota(1)),
            wide_requests: RateLimiter::keyed(limits.quota(WIDER)),
            next_connection: AtomicU64::new(1),
        }
    }

    /// Whether this is the admin token.
    fn is_admin(&self, token: Option<&str>) -> bool {
        self.admin.as_ref().zip(token).is_some_and(|(admin, token)| admin.is(token))
    }
}

/// All that can be asked of the server.
pub fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/api", get(openapi::document))
        .route("/api/v1/catalogue", get(api::catalogue))
        .route("/api/v1/catalogue/{game}", get(api::catalogue_game))
        .route("/api/v1/catalogue/{game}/rules", get(api::catalogue_rules))
        .route("/api/v1/messages/{language}/{game}", get(api::messages))
        .route("/api/v1/games", get(api::tables).post(api::open_table))
        .route("/api/v1/games/{id}", get(api::table).delete(api::delete_table))
        .route("/api/v1/games/{id}/record", get(api::table_record))
        .route("/api/v1/games/{id}/plies", get(api::table_plies))
        .route("/api/v1/games/{id}/review", get(review::review))
        .route("/api/v1/records", post(api::upload_record))
        .route("/api/v1/positions", post(api::position))
        .route("/api/v1/analysis", post(api::analysis))
        .route("/api/v1/me", get(api::me).put(api::set_me))
        .route("/api/v1/me/statistics/{game}", get(api::statistics))
        .route("/api/v1/lobbies", get(lobbies::list).post(lobbies::open))
        .route("/api/v1/lobbies/{id}", get(lobbies::lobby))
        .route("/api/v1/invitations/{key}", get(lobbies::invitation).post(lobbies::redeem))
        .route("/api/v1/qr", get(qr::code))
        .route("/api/v1/arena", get(arena::list).post(arena::start))
        .route("/api/v1/arena/desk", get(arena::desk))
        .route(
            "/api/v1/arena/agents/{name}",
            put(arena::upload).delete(arena::remove_agent).layer(DefaultBodyLimit::max(MAX_UPLOAD)),
        )
        .route("/api/v1/arena/{id}/stop", post(arena::stop))
        .route("/api/v1/arena/{id}/resume", post(arena::resume))
        .route("/api/v1/arena/{id}", get(arena::tournament))
        .route("/api/v1/arena/{id}/games", get(arena::games))
        .route("/api/v1/arena/{id}/files/{name}", get(arena::file))
        .route("/api/v1/arena/{id}/files/games/{record}", get(arena::record))
        .route("/api/v1/arena/{id}/keys", get(arena::keys))
        .route("/api/v1/arena/{id}/authors/{key}", get(arena::author))
        .route("/api/v1/arena/{id}/authors/{key}/logs/{number}", get(arena::log))
        .route("/api/v1/studies", get(studies::list))
        .route("/api/v1/studies/{id}", get(studies::study))
        .route("/api/v1/studies/{id}/files/{name}", get(studies::file))
        .route("/api/v1/tree", post(trees::tree))
        .route("/api/v1/features", post(trees::features))
        .route("/ws", get(socket::upgrade))
        .route("/healthz", get(health::healthz))
        .route("/metrics", get(health::metrics))
        .fallback(assets::serve)
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(from_fn_with_state(Arc::clone(&app), guard::guard))
        .with_state(app)
}
