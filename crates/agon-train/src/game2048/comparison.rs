//! Whether what was learnt is better: two networks play the same games.
//!
//! Both look one tile ahead: a slide, every tile that may come, and the slide after it. That is enough for 2048's late boards to be
//! reached, and quick. The games of both begin with the same seeds.

use agon_2048::expertise::sight::Sight;
use agon_2048::expertise::weights::Network;
use agon_2048::{Board, Direction};
use agon_core::cpu::{self, Level, Root};
use agon_core::random::{RandomSource, mix, seeded};

/// The scores of `network` in the games with these numbers.
pub fn scores(network: &Network, seed: u64, games: impl Iterator<Item = u64>) -> Vec<u64> {
    games.map(|number| cpu::dispatch(Match { network, seed: mix(seed, number) })).collect()
}

/// The mean of some numbers, and half the width of its 95% interval.
pub fn mean(numbers: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = numbers.clone().count() as f64;
    let mean = numbers.clone().sum::<f64>() / count;
    let variance = numbers.map(|number| (number - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    (mean, 1.96 * (variance / count).sqrt())
}

struct Match<'a> {
    network: &'a Network,
    seed: u64,
}

impl Root for Match<'_> {
    type Output = u64;

    fn at<L: Level>(self, level: L) -> u64 {
        level.run(
            #[inline(always)]
            || {
                let mut rng = seeded(self.seed);
                let mut board = Board::EMPTY.with_new(Board::EMPTY.draw(rng.next_u64()));
                board = board.with_new(board.draw(rng.next_u64()));
                let mut score = 0;
                while let Some((_, after, gained)) =
                    best(board, |after| ahead(self.network, Sight::of(board), after))
                {
                    score += u64::from(gained);
                    board = after.with_new(after.draw(rng.next_u64()));
                }
                score
            },
        )
    }
}

/// The slide after which most is to be scored if boards are worth what `worth` says: how much that is, the board and what the slide
/// itself scores. `None` if there is no slide.
#[inline(always)]
fn best(board: Board, mut worth: impl FnMut(Board) -> f64) -> Option<(f64, Board, u32)> {
    let slides = Direction::ALL.into_iter().map(|direction| board.slide(direction));
    let judged = slides
        .filter(|(after, _)| *after != board)
        .map(|(after, gained)| (f64::from(gained) + worth(after), after, gained));
    judged.reduce(|one, other| if other.0 > one.0 { other } else { one })
}

/// What a board is worth by the mean over all tiles that may come.
#[inline(always)]
fn ahead(network: &Network, sight: Sight, after: Board) -> f64 {
    let mut sum = 0.0;
    after.for_each_empty(|cell| {
        for (exponent, share) in [(1, 0.9), (2, 0.1)] {
            let next = best(after.with_tile(cell, exponent), |board| network.value(board, sight));
            sum += share * next.map_or(0.0, |(worth, ..)| worth);
        }
    });
    sum / after.count_empty() as f64
}
