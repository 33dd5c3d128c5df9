//! The web app, whose files the program hands in.

use std::borrow::Cow;
use std::sync::Arc;

use agon_messages::Refused;
use agon_protocol::web::RefusalCode;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};

use super::App;
use super::guard::HttpRefusal;
use super::identity::Visitor;

/// The built web app: finds its files by their paths.
#[derive(Clone, Copy, Debug)]
pub struct WebApp(fn(&str) -> Option<WebFile>);

/// A file of the web app.
#[derive(Clone, Debug)]
pub struct WebFile {
    /// What is in it.
    pub data: Cow<'static, [u8]>,
    /// The hash of that.
    pub sha256: [u8; 32],
}

impl WebApp {
    /// For servers without a web app.
    pub const NONE: Self = Self(|_| None);

    /// The app whose files `find` finds.
    pub const fn new(find: fn(&str) -> Option<WebFile>) -> Self {
        Self(find)
    }

    fn find(self, path: &str) -> Option<WebFile> {
        (self.0)(path)
    }

    /// Which build of the app this is: another one has another page.
    pub(super) fn build(self) -> String {
        self.find(PAGE).map_or_else(|| "none".to_owned(), |page| hex(&page.sha256[..8]))
    }
}

/// The page that all paths of the app lead to.
const PAGE: &str = "index.html";
/// Where files are whose names change with their content.
const HASHED: &str = "assets/";
const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Agon</title>\
    <h1>The web app is not part of this build</h1>\
    <p>Build it and then Agon: <code>npm --prefix web install &amp;&amp; npm --prefix web run build &amp;&amp; cargo build --release</code>, \
    or start Agon with <code>make run</code>. The interface for programs is at <a href=\"/api\">/api</a>.</p></html>";

/// Sends a file of the app, or its page for every path that is none.
///
/// A page brings the browser's cookie: what the page asks for next it asks all at once, and must not get a different one each time.
pub(super) async fn serve(
    State(app): State<Arc<App>>,
    method: Method,
    uri: Uri,
    visitor: Visitor,
    headers: HeaderMap,
) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return HttpRefusal::from(Refused::plain(RefusalCode::Unknown, "refused.path")).into_response();
    }
    let path = uri.path().trim_start_matches('/');
    let last = path.rsplit('/').next().unwrap_or_default();
    let is_page = !last.contains('.') && !path.starts_with("api/");
    let path = if is_page { PAGE } else { path };
    let response = match find(app.web_app, path, &headers) {
        Some((file, is_compressed)) => send(path, file, is_compressed, &headers),
        None if is_page => Html(NOT_BUILT).into_response(),
        None => HttpRefusal::from(Refused::plain(RefusalCode::Unknown, "refused.path")).into_response(),
    };
    if is_page { (visitor.set_cookie(), response).into_response() } else { response }
}

/// A file, compressed if the browser takes it so.
fn find(app: WebApp, path: &str, headers: &HeaderMap) -> Option<(WebFile, bool)> {
    let accepted =
        headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let takes_gzip = accepted.split(',').any(|part| part.trim().split(';').next() == Some("gzip"));
    let compressed = if takes_gzip { app.find(&format!("{path}.gz")) } else { None };
    compressed.map(|file| (file, true)).or_else(|| app.find(path).map(|file| (file, false)))
}

fn send(path: &str, file: WebFile, is_compressed: bool, headers: &HeaderMap) -> Response {
    let tag = format!("\"{}\"", hex(&file.sha256[..12]));
    let cache = if path.starts_with(HASHED) { "public, max-age=31536000, immutable" } else { "no-cache" };
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, [(header::ETAG, tag), (header::CACHE_CONTROL, cache.to_owned())])
            .into_response();
    }
    // A file that is part of the program is not copied.
    let body = match file.data {
        Cow::Borrowed(bytes) => Body::from(bytes),
        Cow::Owned(bytes) => Body::from(bytes),
    };
    let mut response = Response::new(body);
    let fields = response.headers_mut();
    let mut set = |name, value: &str| {
        if let Ok(value) = value.parse() {
            fields.insert(name, value);
        }
    };
    set(header::CONTENT_TYPE, content_type(path));
    set(header::CACHE_CONTROL, cache);
    set(header::ETAG, &tag);
    set(header::VARY, "accept-encoding");
    if is_compressed {
        set(header::CONTENT_ENCODING, "gzip");
    }
    response
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("json" | "webmanifest" | "map") => "application/json",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
