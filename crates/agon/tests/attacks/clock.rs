//! The system's clock jumps back and forth, by hours and by years, while people play and the server looks for games that are to end or to
//! go. No game ends for that, none goes, and no move is lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use agon_server::dates::Shown;
use serde_json::json;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use crate::client::Client;
use crate::players::{Company, Dice, Tally};
use crate::rounds::{Outcome, Round, block_on};
use crate::support::{Options, Server, new_lobby, new_table};

/// What the clock shows when it is right.
const RIGHT: u64 = 1_800_000_000;
/// The longest jump, in seconds: longer than any game is kept.
const FAR: usize = 800 * 24 * 3600;
/// How long anything may take before the attack has succeeded.
const PATIENCE: Duration = Duration::from_secs(60);
const HOST: &str = "somebody-who-waits-for-an-opponent";
const GUEST: &str = "somebody-who-has-opened-it-and-left";

pub(crate) fn attack(round: &Round) -> Outcome {
    let jumps = round.either(20, 200);
    let tally = Arc::new(Tally::default());
    block_on(async {
        let clock = Arc::new(AtomicU64::new(RIGHT));
        let began = Instant::now();
        let offset = Arc::clone(&clock);
        let shown: Shown = Arc::new(move || offset.load(Ordering::SeqCst) + began.elapsed().as_secs());
        let server = Server::with(Options { clock: Some(shown), ..Options::default() }).await;
        let (publish, address) = watch::channel(Some(server.address));
        let company = Company { address, tally: Arc::clone(&tally), seed: round.seed, may_be_refused: false };
        // One game with nobody there, which may be taken for abandoned, and those of people who play.
        let waiting = online_game(&server).await;
        let together = company.play_together(server.address).await;
        let players: Vec<_> = together.into_iter().chain(company.play_alone()).collect();
        let mut dice = Dice(round.seed);
        let mut opened = Vec::new();
        for jump in 0..jumps {
            let by = 7200 + dice.roll(FAR) as u64;
            clock.store(if dice.roll(2) == 0 { RIGHT + by } else { RIGHT - by }, Ordering::SeqCst);
            opened.push(server.open(&new_table("othello", "size=6", &["human", "human"])).await);
            server.app.tables.sweep(server.app.tables.date()).await;
            let goal = tally.count(|tally| &tally.acknowledged) + 5;
            let began = Instant::now();
            while tally.count(|tally| &tally.acknowledged) < goal {
                assert!(!players.iter().any(|player| player.is_finished()), "a player has failed");
                assert!(began.elapsed() < PATIENCE, "nobody can play on after jump {jump}");
                sleep(Duration::from_millis(2)).await;
            }
            clock.store(RIGHT, Ordering::SeqCst);
            server.app.tables.sweep(server.app.tables.date()).await;
        }
        tally.is_done.store(true, Ordering::SeqCst);
        for player in players {
            player.await.expect("nobody has lost anything");
        }
        let acknowledged = tally.count(|tally| &tally.acknowledged);
        assert_eq!(tally.verify(server.address).await, acknowledged);
        for id in opened.iter().chain([&waiting]) {
            let end = &server.table(id).await["boards"][0]["facts"]["end"];
            assert!(end.is_null(), "{id} has ended: {end}");
        }
        drop(publish);
    });
    let acknowledged = tally.count(|tally| &tally.acknowledged) as u64;
    Outcome { faults: 2 * jumps as u64, acknowledged, ..Outcome::default() }
}

/// A game of two people who have left.
async fn online_game(server: &Server) -> String {
    let lobby = new_lobby("Later", "othello", "", &["human", "open"]);
    let id = server.open_lobby(HOST, &lobby).await;
    let mut host = Client::connect(server.address, HOST).await;
    host.open(&id).await.expect("the host may");
    let mut guest = Client::connect(server.address, GUEST).await;
    guest.open(&id).await.expect("anybody may come");
    guest.sit(&id, 1, "Guest").await.expect("it is open");
    host.until_started(&id).await;
    guest.until_started(&id).await;
    host.ask(json!({"type": "unwatch", "game": id})).await.expect("connected");
    guest.ask(json!({"type": "unwatch", "game": id})).await.expect("connected");
    id
}
