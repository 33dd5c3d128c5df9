//! Text that nobody would write.

use agon_2048::Game2048;

agon_testkit::hostile_text! {
    game2048: Game2048;
}
