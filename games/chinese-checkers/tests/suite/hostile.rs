//! Text that nobody would write, with few and many seats.

use agon_chinese_checkers::{ChineseCheckers, SPEC};
use agon_testkit::options;

fn chinese_checkers(text: &str) -> ChineseCheckers {
    ChineseCheckers::new(&options(&SPEC, text)).expect("good options")
}

agon_testkit::hostile_text! {
    two: chinese_checkers("rounds=20");
    six: chinese_checkers("seats=b/p/r/o/y/g,goal=fill");
    sets: chinese_checkers("seats=gyo/rp");
}
