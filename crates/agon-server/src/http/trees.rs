//! Search trees and evaluations, for people who want to see how machines play.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use agon_erased::{Budget, Limits};
use agon_messages::Refused;
use agon_protocol::web::RefusalCode;
use agon_protocol::web::tree::{FeatureAnswer, TreeAnswer};
use agon_requests::read;
use agon_requests::thinking::{FeatureTask, TreeTask};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::App;
use super::api::Answer;
use super::guard::Address;
use super::identity::Visitor;
use crate::blocking::run_blocking;
use crate::bots::Requester;

pub(super) async fn tree(
    State(app): State<Arc<App>>,
    Address(address): Address,
    visitor: Visitor,
    body: Bytes,
) -> Answer<TreeAnswer> {
    let question = read(&body)?;
    let (games, limits) = (app.tables.games(), app.tables.limits().bots);
    let task = run_blocking(move || TreeTask::new(games, &limits, question)).await?;
    let requester = Requester::new(address, visitor.id);
    let under_way = app.tables.begin_analysis(requester)?;
    let (done, answer) = oneshot::channel();
    let runtime = Handle::current();
    let ticket = app.tables.pool().submit(requester, move |worker| {
        worker.forget_bot();
        let time = worker.allowed.map_or(limits.time, |allowed| allowed.min(limits.time));
        let stop = Arc::clone(&worker.stop);
        let alarm = runtime.spawn(async move {
            tokio::time::sleep(time).await;
            stop.store(true, Ordering::Relaxed);
        });
        let budget = Budget { stop: Arc::clone(&worker.stop), ..Budget::new(Limits::default()) };
        let _ = done.send(task.run(budget));
        alarm.abort();
    });
    let answer = answer.await.map_err(|_| Refused::plain(RefusalCode::State, "refused.busy"))?;
    drop((ticket, under_way));
    Ok(Json(answer?))
}

pub(super) async fn features(State(app): State<Arc<App>>, body: Bytes) -> Answer<FeatureAnswer> {
    let question = read(&body)?;
    let (games, limits) = (app.tables.games(), app.tables.limits().bots);
    Ok(Json(run_blocking(move || FeatureTask::new(games, &limits, question)?.run()).await?))
}
