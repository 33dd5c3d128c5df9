//! Which moves of a finished game gave something away.

use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_answers::review::{Fault, Mark, faults, review_limits, reviewer};
use agon_erased::Budget;
use agon_match::Occupant;
use agon_messages::Refused;
use agon_players::player;
use agon_protocol::web::RefusalCode;
use agon_protocol::web::api::{FaultMark, FaultState, ReviewPart};
use axum::Json;
use axum::extract::{Path, Query, State};
use serde::Deserialize;
use tokio::sync::oneshot;

use super::App;
use super::api::Answer;
use super::guard::Address;
use super::identity::Visitor;
use crate::bots::Requester;
use crate::catalogue::entry;
use crate::table::TaskCommand;

/// For how long moves are judged before what has been found is answered.
const PART: Duration = Duration::from_millis(1200);

/// Which moves are to be judged.
#[derive(Deserialize)]
pub(super) struct ReviewQuery {
    #[serde(default)]
    board: usize,
    #[serde(default)]
    from: usize,
}

pub(super) async fn review(
    State(app): State<Arc<App>>,
    Path(table): Path<String>,
    Query(ReviewQuery { board, from }): Query<ReviewQuery>,
    Address(address): Address,
    visitor: Visitor,
) -> Answer<ReviewPart> {
    let game = app.tables.ask(&table, |reply| TaskCommand::Finished { board, reply }).await?;
    let (rules, session) = game?;
    let plies = session.len();
    if from >= plies {
        return Ok(Json(ReviewPart { to: plies, plies, faults: Vec::new() }));
    }
    let yardstick = entry(app.tables.games(), rules.spec().id)?.yardstick;
    let limits = app.tables.limits().bots;
    let requester = Requester::new(address, visitor.id);
    let under_way = app.tables.begin_analysis(requester)?;
    let (done, answer) = oneshot::channel();
    let ticket = app.tables.pool().submit(requester, move |worker| {
        worker.forget_bot();
        let began = Instant::now();
        let part = worker.allowed.map_or(PART, |allowed| allowed.min(PART));
        let budget = Budget { stop: Arc::clone(&worker.stop), ..Budget::analysis(review_limits()) };
        let bot = limits.fitted(&*rules, Occupant::Bot(reviewer(&*rules)));
        let judged = player(&*rules, &bot, 0).map_err(|error| error.to_string()).and_then(|mut bot| {
            let goes_on = || began.elapsed() < part;
            let judged = faults(&*rules, yardstick, &*session, from, &mut *bot, &budget, goes_on);
            judged.map_err(|error| error.to_string())
        });
        let _ = done.send(judged);
    });
    let answer = answer.await.map_err(|_| Refused::plain(RefusalCode::State, "refused.busy"))?;
    drop((ticket, under_way));
    let (found, to) =
        answer.map_err(|error| Refused::because(RefusalCode::State, "refused.analysis", error))?;
    let state = |Fault { ply, mark, better }: Fault| FaultState { ply, mark: mark_state(mark), better };
    Ok(Json(ReviewPart { to, plies, faults: found.into_iter().map(state).collect() }))
}

fn mark_state(mark: Mark) -> FaultMark {
    match mark {
        Mark::Dubious => FaultMark::Dubious,
        Mark::Mistake => FaultMark::Mistake,
        Mark::Blunder => FaultMark::Blunder,
    }
}
