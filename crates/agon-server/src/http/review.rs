//! Which moves of a finished game gave something away.

use std::sync::Arc;

use agon_erased::{Budget, Limits};
use agon_messages::Refused;
use agon_players::player;
use agon_protocol::web::RefusalCode;
use agon_protocol::web::api::ReviewPart;
use agon_requests::thinking::{ReviewQuery, ReviewTask};
use axum::Json;
use axum::extract::{Path, Query, State};
use tokio::sync::oneshot;

use super::App;
use super::api::Answer;
use super::guard::Address;
use super::identity::Visitor;
use crate::bots::Requester;
use crate::table::TaskCommand;

pub(super) async fn review(
    State(app): State<Arc<App>>,
    Path(table): Path<String>,
    Query(ReviewQuery { board, from }): Query<ReviewQuery>,
    Address(address): Address,
    visitor: Visitor,
) -> Answer<ReviewPart> {
    let game = app.tables.ask(&table, |reply| TaskCommand::Finished { board, reply }).await?;
    let task = ReviewTask::new(&app.tables.limits().bots, game?, from);
    if let Some(part) = task.done() {
        return Ok(Json(part));
    }
    let requester = Requester::new(address, visitor.id);
    let under_way = app.tables.begin_analysis(requester)?;
    let (done, answer) = oneshot::channel();
    let games = app.tables.games();
    let ticket = app.tables.pool().submit(requester, move |worker| {
        worker.forget_bot();
        let budget = Budget { stop: Arc::clone(&worker.stop), ..Budget::new(Limits::default()) };
        let _ = done.send(task.run(games, worker.allowed, budget, player));
    });
    let answer = answer.await.map_err(|_| Refused::plain(RefusalCode::State, "refused.busy"))?;
    drop((ticket, under_way));
    Ok(Json(answer?))
}
