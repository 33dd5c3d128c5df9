//! The web app, which is part of the program.

use std::sync::OnceLock;

use agon_protocol::web::RefusalCode;
use axum::body::Body;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use super::identity::Visitor;
use crate::words::Refused;

/// What `npm run build` makes; nothing if that was not run.
#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Dist;

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
pub(super) async fn serve(method: Method, uri: Uri, visitor: Visitor, headers: HeaderMap) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return Refused::plain(RefusalCode::Unknown, "refused.path").into_response();
    }
    let path = uri.path().trim_start_matches('/');
    let last = path.rsplit('/').next().unwrap_or_default();
    let is_page = !last.contains('.') && !path.starts_with("api/");
    let path = if is_page { PAGE } else { path };
    let response = match find(path, &headers) {
        Some((file, is_compressed)) => send(path, &file, is_compressed, &headers),
        None if is_page => Html(NOT_BUILT).into_response(),
        None => Refused::plain(RefusalCode::Unknown, "refused.path").into_response(),
    };
    if is_page { (visitor.set_cookie(), response).into_response() } else { response }
}

/// A file, compressed if the browser takes it so.
fn find(path: &str, headers: &HeaderMap) -> Option<(EmbeddedFile, bool)> {
    let accepted =
        headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let takes_gzip = accepted.split(',').any(|part| part.trim().split(';').next() == Some("gzip"));
    let compressed = if takes_gzip { Dist::get(&format!("{path}.gz")) } else { None };
    compressed.map(|file| (file, true)).or_else(|| Dist::get(path).map(|file| (file, false)))
}

fn send(path: &str, file: &EmbeddedFile, is_compressed: bool, headers: &HeaderMap) -> Response {
    let tag = format!("\"{}\"", hex(&file.metadata.sha256_hash()[..12]));
    let cache = if path.starts_with(HASHED) { "public, max-age=31536000, immutable" } else { "no-cache" };
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, [(header::ETAG, tag), (header::CACHE_CONTROL, cache.to_owned())])
            .into_response();
    }
    let mut response = Response::new(Body::from(file.data.clone().into_owned()));
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

/// Which build of the app this is: another one has another page.
pub(super) fn build() -> &'static str {
    static BUILD: OnceLock<String> = OnceLock::new();
    BUILD.get_or_init(|| {
        Dist::get(PAGE).map_or_else(|| "none".to_owned(), |page| hex(&page.metadata.sha256_hash()[..8]))
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
