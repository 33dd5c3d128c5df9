//! Who asks: browsers are known by a cookie, programs by a bearer token.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::{self, HeaderName};
use axum::http::request::Parts;
use axum::response::AppendHeaders;

use super::App;
use crate::random;
use crate::store::VisitorId;

/// The name of the cookie.
const COOKIE: &str = "agon";
/// How long browsers keep it, in seconds.
const COOKIE_AGE: u32 = 5 * 365 * 24 * 3600;

/// Whoever asks.
pub(super) struct Visitor {
    /// By what the server knows them.
    pub(super) id: VisitorId,
    /// The cookie to be set, if there was none.
    pub(super) cookie: Option<String>,
}

/// The field of an answer that sets a cookie.
pub(super) type Cookie = AppendHeaders<Option<(HeaderName, String)>>;

impl Visitor {
    /// Sets the cookie of a browser that had none.
    pub(super) fn set_cookie(self) -> Cookie {
        AppendHeaders(self.cookie.map(|cookie| (header::SET_COOKIE, cookie)))
    }
}

impl FromRequestParts<Arc<App>> for Visitor {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        let known = bearer(&parts.headers).or_else(|| cookie(&parts.headers));
        if let Some(token) = known {
            return Ok(Self { id: random::visitor(token), cookie: None });
        }
        let token = random::name();
        let secure = if app.site.is_https { "; Secure" } else { "" };
        let cookie =
            format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Lax; Max-Age={COOKIE_AGE}{secure}");
        Ok(Self { id: random::visitor(&token), cookie: Some(cookie) })
    }
}

/// The token of a program.
pub(super) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    value.strip_prefix("Bearer ").filter(|token| random::is_token(token))
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = all.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, value)| *name == COOKIE && random::is_token(value)).map(|(_, value)| value)
}
