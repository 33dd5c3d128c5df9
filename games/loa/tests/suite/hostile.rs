//! Text that nobody would write, on boards of all three kinds.

use agon_loa::{AnyLoa, SPEC};
use agon_testkit::options;

fn loa(text: &str) -> AnyLoa {
    AnyLoa::new(&options(&SPEC, text)).expect("good options")
}

/// The game of a size that has just been named.
macro_rules! sized {
    ($variant:path, $game:expr) => {
        match $game {
            $variant(game) => game,
            _ => unreachable!("another size"),
        }
    };
}

agon_testkit::hostile_text! {
    small: sized!(AnyLoa::Small, loa("size=5,turns=20"));
    medium: sized!(AnyLoa::Medium, loa("size=11,rules=standard"));
    large: sized!(AnyLoa::Large, loa("size=30,first=white"));
}
