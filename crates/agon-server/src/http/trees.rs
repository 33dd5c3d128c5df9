//! Search trees and evaluations, for people who want to see how machines play.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use agon_answers::{
    Judge, TREE_DEPTHS, TREE_PLAYOUTS, TreeError, TreeRequest, default_tree_bot, explore,
    features as features_of,
};
use agon_erased::{Budget, Limits};
use agon_match::Occupant;
use agon_messages::Refused;
use agon_protocol::web::RefusalCode;
use agon_protocol::web::tree::{FeatureAnswer, FeatureQuestion, TreeAnswer, TreeQuestion};
use agon_table::limits::check_bot;
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::App;
use super::api::{Answer, opened, read};
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
    let TreeQuestion { game, options, position, moves, bot, depth, playouts } = read(&body)?;
    check_range("depth", depth, TREE_DEPTHS)?;
    check_range("playouts", playouts, TREE_PLAYOUTS)?;
    let (rules, mut session) = opened(app.tables.games(), &game, &options, position.as_deref(), &moves)?;
    let limits = app.tables.limits().bots;
    let asked = Arc::clone(&rules);
    let bot = run_blocking(move || {
        let text = bot.unwrap_or_else(|| default_tree_bot(&*asked).to_owned());
        match check_bot(&*asked, &text, &limits).map(|bot| limits.fitted(&*asked, bot)) {
            Ok(Occupant::Bot(spec)) => Ok(spec),
            Ok(_) => Err(no_tree()),
            Err(refused) => Err(refused.about("bot")),
        }
    });
    let bot = Some(bot.await?);
    let requester = Requester::new(address, visitor.id);
    let under_way = app.tables.begin_analysis(requester)?;
    let (done, answer) = oneshot::channel();
    let runtime = Handle::current();
    let ticket = app.tables.pool().submit(requester, move |worker| {
        worker.forget_bot();
        let time = worker.allowed.map_or(limits.time, |allowed| allowed.min(limits.time));
        let stop = Arc::clone(&worker.stop);
        // Not a limit of time for the search itself, which would make it deepen step by step instead of as it was asked to.
        let alarm = runtime.spawn(async move {
            tokio::time::sleep(time).await;
            stop.store(true, Ordering::Relaxed);
        });
        let budget = Budget { stop: Arc::clone(&worker.stop), ..Budget::new(Limits::default()) };
        let request = TreeRequest { bot, depth, playouts, seed: 0 };
        let _ = done.send(explore(&*rules, &mut *session, &request, budget));
        alarm.abort();
    });
    let answer = answer.await.map_err(|_| Refused::plain(RefusalCode::State, "refused.busy"))?;
    drop((ticket, under_way));
    let answer = answer.map_err(|error| match error {
        TreeError::NoTree(_) => no_tree(),
        TreeError::Stopped => Refused::plain(RefusalCode::Limit, "refused.tree-limit").about("depth"),
        TreeError::Analysis(error) => Refused::because(RefusalCode::Invalid, "refused.tree", error),
    })?;
    Ok(Json(answer))
}

/// The bot does not search by a tree.
fn no_tree() -> Refused {
    Refused::plain(RefusalCode::Invalid, "refused.no-tree").about("bot")
}

pub(super) async fn features(State(app): State<Arc<App>>, body: Bytes) -> Answer<FeatureAnswer> {
    let FeatureQuestion { game, options, position, moves, evaluation, bot } = read(&body)?;
    let (rules, session) = opened(app.tables.games(), &game, &options, position.as_deref(), &moves)?;
    let limits = app.tables.limits().bots;
    let features = run_blocking(move || {
        let bot = match bot.map(|bot| check_bot(&*rules, &bot, &limits)) {
            Some(Ok(Occupant::Bot(spec))) => Some(spec),
            Some(Ok(_)) => return Err(Refused::plain(RefusalCode::Invalid, "refused.no-judge").about("bot")),
            Some(Err(refused)) => return Err(refused.about("bot")),
            None => None,
        };
        let judge = match (&bot, &evaluation) {
            (Some(bot), _) => Judge::Bot(bot),
            (None, Some(name)) => Judge::Evaluation(name),
            (None, None) => Judge::Best,
        };
        let failed =
            |error| Refused::because(RefusalCode::Invalid, "refused.evaluation", error).about("evaluation");
        features_of(&*rules, &*session, judge).map_err(failed)
    });
    Ok(Json(features.await?))
}

fn check_range(field: &str, value: Option<u32>, allowed: RangeInclusive<u32>) -> Result<(), Refused> {
    if value.is_none_or(|value| allowed.contains(&value)) {
        return Ok(());
    }
    let ends = [("n", (*allowed.start()).into()), ("m", (*allowed.end()).into())];
    Err(Refused::new(RefusalCode::Invalid, "refused.range", ends).about(field))
}
