//! The disk is full, or fails, while people play. What was acknowledged is there afterwards, what was refused can be done again, and as
//! soon as the disk works, so does the server, without being started again.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use agon_server::store::sqlite::SqliteStore;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use crate::faulty_disk::{Fault, Faults, inject, injected};
use crate::players::{Company, Dice, Tally};
use crate::rounds::{Outcome, Round, block_on};
use crate::support::{Folder, Options, Server, new_table};

/// How long anything may take before the attack has succeeded.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn attack(round: &Round) -> Outcome {
    let bursts = round.either(14, 140);
    let before = injected();
    // The file system has to be there before the first file is opened.
    inject(None);
    let tally = Arc::new(Tally::default());
    block_on(async {
        let server = Server::start().await;
        let (publish, address) = watch::channel(Some(server.address));
        let company = Company { address, tally: Arc::clone(&tally), seed: round.seed, may_be_refused: true };
        let players = company.play_alone();
        let mut dice = Dice(round.seed);
        for burst in 0..bursts {
            let kind = Fault::ALL[burst % Fault::ALL.len()];
            let faults = Faults { dice: Dice(dice.roll(1 << 30) as u64), one_in: 1 + dice.roll(6), kind };
            inject(Some(faults));
            sleep(Duration::from_millis(20 + dice.roll(100) as u64)).await;
            inject(None);
            // Everything works again before the next one.
            let goal = tally.count(|tally| &tally.acknowledged) + 5;
            let began = Instant::now();
            while tally.count(|tally| &tally.acknowledged) < goal {
                assert!(
                    !players.iter().any(|player| player.is_finished()),
                    "a player has failed after {kind:?}"
                );
                assert!(began.elapsed() < PATIENCE, "nobody can play on after {kind:?}");
                sleep(Duration::from_millis(2)).await;
            }
        }
        tally.is_done.store(true, Ordering::SeqCst);
        for player in players {
            player.await.expect("nobody has lost anything");
        }
        server.open(&new_table("othello", "", &["human", "human"])).await;
        server.get("/healthz").send().await.expect(200);
        let acknowledged = tally.count(|tally| &tally.acknowledged);
        assert_eq!(tally.verify(server.address).await, acknowledged);
        // The same from what is on the disk at this moment, as if the machine had been switched off.
        let copy = Folder::new();
        for name in ["agon.sqlite", "agon.sqlite-wal"] {
            std::fs::copy(server.folder.0.join(name), copy.0.join(name)).expect("copied");
        }
        let store = SqliteStore::open(&copy.0.join("agon.sqlite")).expect("it is sound");
        let copied = Server::on(Arc::new(store), copy, Options::default()).await;
        assert_eq!(tally.verify(copied.address).await, acknowledged);
        drop(publish);
    });
    let faults = injected() - before;
    let refused = tally.count(|tally| &tally.refused);
    assert!(faults > 0 && refused > 0, "{faults} faults, {refused} moves refused");
    let acknowledged = tally.count(|tally| &tally.acknowledged) as u64;
    Outcome { attacks: bursts as u64, faults, acknowledged, ..Outcome::default() }
}
