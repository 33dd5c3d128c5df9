//! Who may ask: only pages of this server, by a name of this server.
//!
//! A browser sends the page's origin with every request that changes something and with every WebSocket. It must be the host that was
//! asked, so that no other site can act for its visitors. The host must be `localhost`, an address or the server's public name,
//! so that nobody can have a name of their own point here. Programs that are no browsers send a bearer token instead of an
//! origin.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use agon_protocol::web::RefusalCode;
use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use ipnet::IpNet;

use super::{App, WIDER};
use agon_messages::Refused;

/// What pages may load: only what this server sends.
const CONTENT_POLICY: &str = "default-src 'self'; img-src 'self' data:; connect-src 'self'; object-src 'none'; \
                              base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// After so many addresses those are forgotten that have not been heard of for a while.
const REMEMBERED: usize = 10_000;

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
    let refusal = check(&app.site, &request).or_else(|| too_fast(&app, &request));
    let mut response = match refusal {
        None => worded(next.run(request).await).await,
        Some(refused) => {
            tracing::warn!(
                path = request.uri().path(),
                reason = %refused.message,
                "a request was refused"
            );
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
    for (name, value) in fixed {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
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
fn too_fast(app: &App, request: &Request) -> Option<Refused> {
    let ConnectInfo(address) = request.extensions().get::<ConnectInfo<SocketAddr>>()?;
    if !changes(request) {
        return None;
    }
    let address = client_address(&app.site.proxies, address.ip(), request.headers());
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

/// The address of whoever asks. Proxies that are trusted say for whom they ask, each in turn.
pub(super) fn client_address(proxies: &[IpNet], address: IpAddr, headers: &HeaderMap) -> IpAddr {
    let mut address = address.to_canonical();
    let forwarded = headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok());
    let named: Vec<&str> = forwarded.flat_map(|all| all.split(',')).collect();
    // The last one was added by the proxy that we hear from.
    for name in named.into_iter().rev() {
        let is_trusted = proxies.iter().any(|proxy| proxy.contains(&address));
        match name.trim().parse::<IpAddr>() {
            Ok(named) if is_trusted => address = named.to_canonical(),
            _ => break,
        }
    }
    address
}

/// A network, by its address and how many bits of that count.
pub(super) type Network = (IpAddr, u8);

/// The networks by which limits count that an address belongs to, and how many times as much as an address each may use. Whoever has
/// one IPv6 address has a network of 64 bits, and many get one of 80, whose limits are looser.
pub(super) fn counted_networks(address: IpAddr) -> Vec<(Network, u32)> {
    match address {
        IpAddr::V4(_) => vec![((address, 32), 1)],
        IpAddr::V6(_) => vec![((network(address, 64), 64), 1), ((network(address, 48), 48), WIDER)],
    }
}

/// The address that stands for all those with which it shares turns.
pub(super) fn counted_address(address: IpAddr) -> IpAddr {
    network(address, 64)
}

fn network(address: IpAddr, bits: u32) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => {
            IpAddr::V6(std::net::Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << (128 - bits))))
        }
    }
}

/// The address of whoever asks, as far as it is known, by which limits count.
pub(super) struct Address(pub(super) IpAddr);

impl FromRequestParts<Arc<App>> for Address {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        let unknown = IpAddr::from([0, 0, 0, 0]);
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map_or(unknown, |ConnectInfo(address)| address.ip());
        Ok(Self(counted_address(client_address(&app.site.proxies, peer, &parts.headers))))
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
    fn addresses_of_one_network_count_together() {
        let address = |text: &str| text.parse::<IpAddr>().expect("an address");
        let (one, other) = (address("2001:db8:1:2:3::4"), address("2001:db8:1:2:ffff::1"));
        assert_eq!(counted_networks(one), counted_networks(other));
        let of_next = counted_networks(address("2001:db8:1:3::1"));
        assert_ne!(counted_networks(one)[0], of_next[0]);
        assert_eq!(counted_networks(one)[1], of_next[1], "but a larger network has looser limits");
        assert_ne!(counted_networks(one)[1], counted_networks(address("2001:db8:2:2::1"))[1]);
        // The first network of a larger one has the same address, and is counted apart.
        let first = counted_networks(address("2001:db8:1::1"));
        assert!(first[0].0.0 == first[1].0.0 && first[0].0 != first[1].0);
        assert_ne!(counted_networks(address("192.0.2.1")), counted_networks(address("192.0.2.2")));
    }

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
