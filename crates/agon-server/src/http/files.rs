//! Files as answers: a piece at a time, so that slow readers of large files take no memory.

use std::fs::File;
use std::io::{self, Read, Take};

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream::try_unfold;

use crate::folders::Contents;

/// How much of a file is read at a time, in bytes.
const PIECE: u64 = 64 << 10;

impl IntoResponse for Contents {
    fn into_response(self) -> Response {
        let (file, length) = match self {
            Self::Static(text) => return Body::from(text).into_response(),
            Self::Made(bytes) => return Body::from(bytes).into_response(),
            Self::File(file, length) => (file, length),
        };
        let headers = HeaderMap::from_iter([(header::CONTENT_LENGTH, HeaderValue::from(length))]);
        (headers, Body::from_stream(try_unfold(file.take(length), next_piece))).into_response()
    }
}

/// The next piece of a file, read where it holds up nobody else.
async fn next_piece(mut file: Take<File>) -> io::Result<Option<(Bytes, Take<File>)>> {
    let read = tokio::task::spawn_blocking(move || {
        let mut piece = Vec::with_capacity(PIECE.min(file.limit()) as usize);
        file.by_ref().take(PIECE).read_to_end(&mut piece)?;
        Ok((!piece.is_empty()).then(|| (piece.into(), file)))
    });
    read.await.map_err(io::Error::other)?
}
