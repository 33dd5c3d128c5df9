//! Text that nobody would write, on boards of all three kinds.

use agon_board::Rows;
use agon_othello::Othello;

agon_testkit::hostile_text! {
    small: Othello::<u64>::new(6);
    medium: Othello::<u128>::new(10);
    large: Othello::<Rows>::new(26);
}
