//! The server is killed at any moment, while people play alone and with one another.

use std::sync::Arc;

use tokio::sync::watch;

use crate::players::{Company, Dice, Tally, kill_again_and_again};
use crate::process::{Folder, start_on};
use crate::rounds::{Outcome, Round, block_on};

pub(crate) fn attack(round: &Round) -> Outcome {
    let kills = round.either(8, 60);
    let tally = Arc::new(Tally::default());
    block_on(async {
        let folder = Folder::new();
        let (publish, address) = watch::channel(None);
        let server = start_on(&folder).expect("it starts");
        let company = Company { address, tally: Arc::clone(&tally), seed: round.seed, may_be_refused: false };
        let mut players = company.play_together(server.address).await;
        players.extend(company.play_alone());
        kill_again_and_again(kills, Dice(round.seed), server, &folder, &tally, &publish, players).await;
    });
    let acknowledged = tally.count(|tally| &tally.acknowledged) as u64;
    assert!(acknowledged >= kills as u64, "{acknowledged} moves acknowledged");
    Outcome { attacks: kills as u64, acknowledged, ..Outcome::default() }
}
