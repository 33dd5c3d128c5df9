//! The server is killed again and again while every game is played. What was acknowledged must be there afterwards, what was not is
//! sent again under its name, and nothing may happen twice.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use tokio::sync::watch;

use crate::players::{Company, Dice, Tally, kill_again_and_again};
use crate::process::{Folder, start_on};

const KILLS: usize = 200;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_that_was_acknowledged_is_lost_however_often_the_server_is_killed() {
    let folder = Folder::new();
    let tally = Arc::new(Tally::default());
    let (publish, address) = watch::channel(None);
    let company = Company { address, tally: Arc::clone(&tally), seed: 1, may_be_refused: false };
    let players = company.play_alone();
    let server = start_on(&folder).expect("it starts");
    let with_moves_in_flight =
        kill_again_and_again(KILLS, Dice(2048), server, &folder, &tally, &publish, players).await;
    let [acknowledged, sent_again, finished] =
        [&tally.acknowledged, &tally.sent_again, &tally.finished].map(|count| count.load(Ordering::SeqCst));
    let seen = format!(
        "{KILLS} kills, {with_moves_in_flight} with moves in flight; {acknowledged} moves acknowledged, \
         {sent_again} sent again, {finished} games finished"
    );
    assert!(with_moves_in_flight >= KILLS * 9 / 10, "{seen}");
    assert!(sent_again >= KILLS / 2 && finished >= 7, "{seen}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_at_different_browsers_lose_nothing_either() {
    const KILLS: usize = 30;
    let folder = Folder::new();
    let tally = Arc::new(Tally::default());
    let (publish, address) = watch::channel(None);
    let server = start_on(&folder).expect("it starts");
    let company = Company { address, tally: Arc::clone(&tally), seed: 1, may_be_refused: false };
    let players = company.play_together(server.address).await;
    kill_again_and_again(KILLS, Dice(2048), server, &folder, &tally, &publish, players).await;
    let acknowledged = tally.acknowledged.load(Ordering::SeqCst);
    assert!(acknowledged >= KILLS, "{acknowledged} moves acknowledged");
}
