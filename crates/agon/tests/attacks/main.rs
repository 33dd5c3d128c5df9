//! Attacks on the server: with `kill -9`, with damage, with failing disks, with a clock that jumps, and with more than it can bear.
//!
//! One round of each is a test. For as long as you like, against another build: `make soak`. A round is repeated by its seed.
//!
//! - `AGON_SOAK_MINUTES`: rounds are longer, and go on for so long.
//! - `AGON_SOAK_SEED`: the seed of the first round; the next one has the next number.
//! - `AGON_SOAK_ONLY`: attacks to be tried, separated by commas.
//! - `AGON_TEST_PROGRAM`: the program that is attacked.

mod attacker;
mod clock;
mod damage;
mod disk;
mod faulty_disk;
mod flood;
mod honest;
mod kills;
#[path = "../serve/players.rs"]
mod players;
// These are used by other tests too; not everything in them is needed here.
#[allow(dead_code)]
#[path = "../serve/process.rs"]
mod process;
mod rounds;
#[allow(dead_code, unused_imports)]
#[path = "../../../agon-server/tests/server/support/mod.rs"]
mod support;

pub(crate) use support::{client, request};

use rounds::{Attack, Plan};

/// Everything that is tried, in this order.
const ATTACKS: &[Attack] = &[
    Attack { name: "kills", run: kills::attack },
    Attack { name: "damage", run: damage::attack },
    Attack { name: "disk", run: disk::attack },
    Attack { name: "clock", run: clock::attack },
    Attack { name: "flood", run: flood::attack },
];

#[test]
fn the_server_withstands_every_attack() {
    Plan::from_environment().run(ATTACKS);
}
