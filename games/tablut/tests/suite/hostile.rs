//! Text that nobody would write, under both rule sets.

use agon_tablut::{SPEC, Tablut};
use agon_testkit::options;

fn tablut(text: &str) -> Tablut {
    Tablut::new(&options(&SPEC, text)).expect("good options")
}

agon_testkit::hostile_text! {
    ashton: tablut("limit=40");
    bologna: tablut("rules=bologna");
}
