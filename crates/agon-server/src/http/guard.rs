//! Who may ask: only pages of this server, by a name of this server.
//!
//! A browser sends the page's origin with every request that changes something and with every WebSocket. It must be the host that was
//! asked, so that no other site can act for its visitors. The host must be `localhost`, an address or the server's public name,
//! so that nobody can have a name of their own point here. Programs that are no browsers send a bearer token instead of an
//! origin.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use agon_messages::Refused;
use agon_protocol::web::RefusalCode;
use axum::body::Body;
use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use ipnet::IpNet;

use super::App;
use super::bodies::{Counted, Received};
use super::refusals::excerpt;
use super::slots::Slot;
use crate::networks::{counted_address, counted_networks};

/// What pages may load: only what this server sends.
const CONTENT_POLICY: &str = "default-src 'self'; img-src 'self' data:; connect-src 'self'; object-src 'none'; \
                              base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// For a year, browsers ask this server by https only.
const STRICT_TRANSPORT: &str = "max-age=31536000";

/// After so many addresses those are forgotten that have not been heard of for a while.
pub(super) const REMEMBERED: usize = 10_000;

const JSON: &str = "application/json";
/// The longest reason that is passed on from the framework, in bytes.
const LONGEST_REASON: usize = 4 << 10;

/// By which names the server goes.
#[derive(Clone, Debug, Default)]
pub struct Site {
    /// The name in its public address, if it has one.
    pub public_host: Option<String>,
    /// Whether its public address begins with `https`.
    pub is_https: bool,
    /// The proxies that are trusted to say for whom they ask.
    pub proxies: Vec<IpNet>,
}

impl Site {
    /// The site with this public address, such as `https://agon.example.org`, behind these proxies.
    ///
    /// # Errors
    /// What is wrong with the address.
    pub fn new(public_url: Option<&str>, proxies: Vec<IpNet>) -> Result<Self, String> {
        let Some(url) = public_url else { return Ok(Self { proxies, ..Self::default() }) };
        let expected = || format!("public address {url:?}: expected one such as https://agon.example.org");
        let (scheme, rest) = url.split_once("://").ok_or_else(expected)?;
        let host = rest.strip_suffix('/').unwrap_or(rest);
        let is_https = match scheme {
            "https" => true,
            "http" => false,
            _ => return Err(expected()),
        };
        let is_host =
            |char: char| char.is_ascii_alphanumeric() || matches!(char, '.' | '-' | ':' | '[' | ']');
        if host.is_empty() || !host.chars().all(is_host) {
            return Err(expected());
        }
        Ok(Self { public_host: Some(host.to_ascii_lowercase()), is_https, proxies })
    }

    /// Whether the server may be asked by this name, port included.
    fn knows(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        let name = without_port(&host);
        let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        self.public_host.as_deref().is_some_and(|known| known == host || without_port(known) == name)
            || name == "localhost"
            || address.parse::<IpAddr>().is_ok()
    }
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.ends_with(':') => name,
        _ => host,
    }
}

/// Lets a request through, or refuses it; adds what browsers are to know about the answer.
pub(super) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    // Whoever tries https at home does not want to lose http on every other port of `localhost`.
    let is_strict =
        app.site.is_https && text(request.headers(), header::HOST).map(without_port) != Some("localhost");
    let address = asking(&app, request.extensions(), request.headers());
    let mut response = match admit(&app, address, &request) {
        Ok(slot) => {
            // The body is held as long as somebody works on it. Only an admin uploads large ones.
            let is_admin = app.is_admin(super::identity::bearer(request.headers()));
            let held = app.bodies.hold((!is_admin).then(|| counted_address(address)));
            let request = request.map(|body| Body::new(Received::new(body, Arc::clone(&held))));
            let response = worded(next.run(request).await).await;
            match slot {
                Some(slot) => response.map(|body| Body::new(Counted::new(body, slot))),
                None => response,
            }
        }
        Err(refused) => {
            app.refusals.note(address, |left_out| {
                let (method, path) = (request.method(), excerpt(request.uri().path()));
                let reason = excerpt(&refused.message.text);
                tracing::warn!(%address, %method, path, reason, left_out, "a request was refused");
            });
            metrics::counter!("agon_refusals_total").increment(1);
            HttpRefusal::from(refused).into_response()
        }
    };
    let headers = response.headers_mut();
    let fixed = [
        (header::CONTENT_SECURITY_POLICY, CONTENT_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    let strict = is_strict.then_some((header::STRICT_TRANSPORT_SECURITY, STRICT_TRANSPORT));
    for (name, value) in fixed.into_iter().chain(strict) {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Whether a request may be answered; if a proxy passes it on, it counts as a connection of whoever asks until it has been answered.
fn admit(app: &App, address: IpAddr, request: &Request) -> Result<Option<Slot>, Refused> {
    check(&app.site, request).or_else(|| too_fast(app, address, request)).map_or(Ok(()), Err)?;
    let upgrades = request.headers().contains_key(header::UPGRADE);
    if upgrades { Ok(None) } else { forwarded_slot(app, request.extensions(), address) }
}

/// One of the connections of an address for which a proxy asks. Whoever asks for themselves has one already.
pub(super) fn forwarded_slot(
    app: &App,
    extensions: &Extensions,
    address: IpAddr,
) -> Result<Option<Slot>, Refused> {
    if !peer(extensions).is_some_and(|peer| is_proxy(&app.site.proxies, peer)) {
        return Ok(None);
    }
    let slot = app.connections.take(Some(address));
    slot.map(Some).ok_or_else(|| Refused::plain(RefusalCode::Limit, "refused.too-many-connections"))
}

/// What is refused before anybody of ours has seen it, such as a query that cannot be read, is refused in the same form as all else.
async fn worded(response: Response) -> Response {
    let status = response.status();
    let is_ours = response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == JSON);
    if !status.is_client_error() || is_ours {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let refused = match status {
        StatusCode::PAYLOAD_TOO_LARGE => {
            let most = ("n", (super::MAX_BODY as u64).into());
            Refused::new(RefusalCode::TooLarge, "refused.too-large", [most])
        }
        StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED => {
            Refused::plain(RefusalCode::Unknown, "refused.path")
        }
        _ => {
            let reason = axum::body::to_bytes(body, LONGEST_REASON).await.unwrap_or_default();
            Refused::because(RefusalCode::Malformed, "refused.body", String::from_utf8_lossy(&reason))
        }
    };
    let text = serde_json::to_vec(&refused.problem()).unwrap_or_default();
    parts.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(JSON));
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, text.into())
}

fn check(site: &Site, request: &Request) -> Option<Refused> {
    let forbidden = |key| Some(Refused::plain(RefusalCode::Forbidden, key));
    let headers = request.headers();
    let Some(host) = text(headers, header::HOST).filter(|host| site.knows(host)) else {
        return forbidden("refused.host");
    };
    let upgrades = headers.contains_key(header::UPGRADE);
    if !changes(request) && !upgrades {
        return None;
    }
    let may = match text(headers, header::ORIGIN) {
        Some(origin) => origin.split_once("://").is_some_and(|(_, named)| named.eq_ignore_ascii_case(host)),
        None => super::identity::bearer(headers).is_some(),
    };
    if may { None } else { forbidden("refused.origin") }
}

/// Refuses requests that change something if too many of them come from one address.
fn too_fast(app: &App, address: IpAddr, request: &Request) -> Option<Refused> {
    if !changes(request) || peer(request.extensions()).is_none() {
        return None;
    }
    let mut refused = false;
    for (network, factor) in counted_networks(address) {
        let limit = if factor == 1 { &app.requests } else { &app.wide_requests };
        refused |= limit.check_key(&network).is_err();
        if limit.len() > REMEMBERED {
            limit.retain_recent();
        }
    }
    refused.then(|| Refused::plain(RefusalCode::TooFast, "refused.too-fast"))
}

fn changes(request: &Request) -> bool {
    !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS)
}

/// Who the server speaks with, a browser or a proxy; `None` if there is no connection, as in tests.
fn peer(extensions: &Extensions) -> Option<IpAddr> {
    extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip().to_canonical())
}

/// Whether this is one of the proxies that are trusted.
pub(super) fn is_proxy(proxies: &[IpNet], address: IpAddr) -> bool {
    proxies.iter().any(|proxy| proxy.contains(&address))
}

/// The address of whoever asks, as far as it is known.
pub(super) fn asking(app: &App, extensions: &Extensions, headers: &HeaderMap) -> IpAddr {
    let peer = peer(extensions).unwrap_or(IpAddr::from([0, 0, 0, 0]));
    client_address(&app.site.proxies, peer, headers)
}

/// The address of whoever asks. Proxies that are trusted say for whom they ask, each in turn.
pub(super) fn client_address(proxies: &[IpNet], address: IpAddr, headers: &HeaderMap) -> IpAddr {
    let mut address = address.to_canonical();
    let forwarded = headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok());
    let named: Vec<&str> = forwarded.flat_map(|all| all.split(',')).collect();
    // The last one was added by the proxy that we hear from.
    for name in named.into_iter().rev() {
        let is_trusted = is_proxy(proxies, address);
        match name.trim().parse::<IpAddr>() {
            Ok(named) if is_trusted => address = named.to_canonical(),
            _ => break,
        }
    }
    address
}

/// The address of whoever asks, as far as it is known.
pub(super) struct Address(pub(super) IpAddr);

impl FromRequestParts<Arc<App>> for Address {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        Ok(Self(asking(app, &parts.extensions, &parts.headers)))
    }
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// A refusal as the answer to a request.
pub(super) struct HttpRefusal(Refused);

impl<T: Into<Refused>> From<T> for HttpRefusal {
    fn from(refused: T) -> Self {
        Self(refused.into())
    }
}

impl IntoResponse for HttpRefusal {
    fn into_response(self) -> Response {
        let status = match self.0.code {
            RefusalCode::Unknown | RefusalCode::Gone => StatusCode::NOT_FOUND,
            RefusalCode::Forbidden | RefusalCode::Disabled => StatusCode::FORBIDDEN,
            RefusalCode::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            RefusalCode::TooFast | RefusalCode::Limit => StatusCode::TOO_MANY_REQUESTS,
            RefusalCode::State
            | RefusalCode::Stale
            | RefusalCode::NotYourTurn
            | RefusalCode::Taken
            | RefusalCode::Full
            | RefusalCode::Started => StatusCode::CONFLICT,
            RefusalCode::Storage | RefusalCode::Stopping => StatusCode::SERVICE_UNAVAILABLE,
            RefusalCode::Malformed | RefusalCode::Illegal | RefusalCode::Invalid | RefusalCode::Version => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
        };
        (status, axum::Json(self.0.problem())).into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_the_server_are_known() {
        let site = Site::new(Some("https://agon.example.org"), Vec::new()).expect("an address");
        for good in [
            "localhost",
            "localhost:8048",
            "127.0.0.1:1",
            "[::1]:80",
            "192.168.1.7",
            "agon.example.org",
            "AGON.example.org:443",
        ] {
            assert!(site.knows(good), "{good}");
        }
        for bad in [
            "",
            "evil.example",
            "localhost.evil.example",
            "agon.example.org.evil.example",
            "127.0.0.1.evil.example",
        ] {
            assert!(!site.knows(bad), "{bad}");
        }
        assert!(!Site::default().knows("agon.example.org"));
        let proxies: Vec<IpNet> =
            ["10.0.0.0/8", "127.0.0.1/32"].map(|net| net.parse().expect("a network")).into();
        let asks = |peer: [u8; 4], forwarded: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("x-forwarded-for", forwarded.parse().expect("a header"));
            client_address(&proxies, peer.into(), &headers).to_string()
        };
        assert_eq!(asks([127, 0, 0, 1], "203.0.113.9"), "203.0.113.9");
        assert_eq!(
            asks([127, 0, 0, 1], "1.2.3.4, 203.0.113.9"),
            "203.0.113.9",
            "what the visitor says does not count"
        );
        assert_eq!(asks([127, 0, 0, 1], "203.0.113.9, 10.1.2.3"), "203.0.113.9", "one proxy behind another");
        assert_eq!(asks([203, 0, 113, 7], "1.2.3.4"), "203.0.113.7", "not a proxy of ours");
        assert_eq!(asks([127, 0, 0, 1], "nonsense"), "127.0.0.1");
        for bad in ["agon.example.org", "ftp://x", "https://", "https://a/b", "https://a b"] {
            assert!(Site::new(Some(bad), Vec::new()).is_err(), "{bad}");
        }
    }
}
