//! Studies in the REST interface.

use std::sync::Arc;

use agon_protocol::web::studies::{Study, StudyList};
use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;

use super::App;
use super::api::Answer;
use super::arena::report;
use super::guard::HttpRefusal;

pub(super) async fn list(State(app): State<Arc<App>>) -> Json<StudyList> {
    Json(app.studies.list().await)
}

pub(super) async fn study(State(app): State<Arc<App>>, Path(id): Path<String>) -> Answer<Study> {
    Ok(Json(app.studies.study(id).await?))
}

pub(super) async fn file(
    State(app): State<Arc<App>>,
    Path((id, name)): Path<(String, String)>,
) -> Result<Response, HttpRefusal> {
    let contents = app.studies.file(id, name.clone()).await?;
    Ok(report(&name, contents))
}
