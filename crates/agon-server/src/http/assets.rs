//! The web app, whose files the program hands in.

use std::borrow::Cow;
use std::sync::Arc;

use agon_erased::Games;
use agon_messages::Refused;
use agon_protocol::web::RefusalCode;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};

use super::App;
use super::guard::HttpRefusal;
use super::identity::Visitor;
use crate::weights::weight_files;

/// The built web app: finds its files by their paths, and lists them.
#[derive(Clone, Copy, Debug)]
pub struct WebApp {
    find: fn(&str) -> Option<WebFile>,
    list: fn() -> Vec<String>,
}

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
    pub const NONE: Self = Self { find: |_| None, list: Vec::new };

    /// The app whose files `find` finds and `list` names.
    pub const fn new(find: fn(&str) -> Option<WebFile>, list: fn() -> Vec<String>) -> Self {
        Self { find, list }
    }

    /// The file at a path.
    pub fn find(self, path: &str) -> Option<WebFile> {
        (self.find)(path)
    }

    /// The paths of all files.
    pub fn paths(self) -> Vec<String> {
        (self.list)()
    }

    /// Which build of the app this is: another one has another page.
    pub(super) fn build(self) -> String {
        self.find(PAGE).map_or_else(|| "none".to_owned(), |page| hex(&page.sha256[..8]))
    }
}

/// The page that all paths of the app lead to.
pub const PAGE: &str = "index.html";
/// Where files are whose names change with their content.
const HASHED: [&str; 3] = ["assets/", "modules/", WEIGHTS];
/// Where the trained weights are that bots in tabs need.
const WEIGHTS: &str = "weights/";
/// How a file can be compressed, the smallest first: as browsers call it, and how its name ends.
const ENCODINGS: [(&str, &str); 2] = [("br", "br"), ("gzip", "gz")];
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
    let found = match path.strip_prefix(WEIGHTS) {
        Some(name) => weights(app.tables.games(), name).map(|file| (file, None)),
        None => find(app.web_app, path, &headers),
    };
    let response = match found {
        Some((file, encoding)) => send(path, file, encoding, &headers),
        None if is_page => Html(NOT_BUILT).into_response(),
        None => HttpRefusal::from(Refused::plain(RefusalCode::Unknown, "refused.path")).into_response(),
    };
    if is_page { (visitor.set_cookie(), response).into_response() } else { response }
}

/// A file of trained weights, which is part of the program and compressed already.
fn weights(games: Games, name: &str) -> Option<WebFile> {
    let file = weight_files(games).iter().find(|file| file.name == name)?;
    Some(WebFile { data: Cow::Borrowed(file.content), sha256: file.sha256 })
}

/// A file, compressed if the browser takes it so, and how.
fn find(app: WebApp, path: &str, headers: &HeaderMap) -> Option<(WebFile, Option<&'static str>)> {
    let accepted =
        headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let takes = |name| accepted.split(',').any(|part| part.trim().split(';').next() == Some(name));
    let compressed = ENCODINGS.into_iter().filter(|(name, _)| takes(name)).find_map(|(name, end)| {
        let file = app.find(&format!("{path}.{end}"))?;
        Some((file, Some(name)))
    });
    compressed.or_else(|| app.find(path).map(|file| (file, None)))
}

fn send(path: &str, file: WebFile, encoding: Option<&'static str>, headers: &HeaderMap) -> Response {
    let tag = format!("\"{}\"", hex(&file.sha256[..12]));
    let cache = if HASHED.iter().any(|folder| path.starts_with(folder)) {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
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
    if let Some(encoding) = encoding {
        set(header::CONTENT_ENCODING, encoding);
    }
    response
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("webmanifest") => "application/manifest+json",
        Some("json" | "map") => "application/json",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
