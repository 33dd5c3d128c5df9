//! Our side: games opened by name, and the work that is timed on them.
//!
//! Everything goes through the same public functions that the rest of the project calls; what is
//! dynamic about a game is settled here, once, before the clock runs.

use std::hint::black_box;

use agon_2048::{Board, Direction, Game2048};
use agon_chinese_checkers::ChineseCheckers;
use agon_core::cpu::{self, Level, Root};
use agon_core::perft::perft;
use agon_core::playout::{Tally, finish, playouts};
use agon_core::random::{Rng, below, seeded};
use agon_core::{Game, GameSpec, Notation, Options};
use agon_loa::AnyLoa;
use agon_othello::AnyOthello;
use agon_tablut::Tablut;
use anyhow::{Result, bail, ensure};

/// Games in a batch of playouts.
const BATCH: u64 = 16;
/// Where a playout would be cut off; every game that is played here ends long before.
const MAX_PLIES: u64 = 1_000_000;

/// A game of any type, with everything that is timed on it.
pub trait Subject {
    /// Counts the positions `depth` plies after `position`, by default the start.
    ///
    /// # Errors
    /// If there are not exactly `nodes`.
    fn perft(&self, position: Option<&str>, depth: u32, nodes: u64) -> Result<u64>;

    /// Plays a batch of random games from the start.
    fn playouts(&self, rng: &mut Rng) -> Tally;

    /// Bytes of a position.
    fn position_bytes(&self) -> usize;
}

impl<G: Notation> Subject for G {
    fn perft(&self, position: Option<&str>, depth: u32, nodes: u64) -> Result<u64> {
        let position = match position {
            Some(text) => self.parse_position(text)?,
            None => self.start(),
        };
        let counted = perft(self, &position, depth, u64::MAX)?;
        ensure!(counted == nodes, "perft {depth} counted {counted} nodes instead of {nodes}");
        Ok(counted)
    }

    fn playouts(&self, rng: &mut Rng) -> Tally {
        playouts(self, &self.start(), BATCH, MAX_PLIES, rng)
    }

    fn position_bytes(&self) -> usize {
        size_of::<G::Position>()
    }
}

/// The game `id` with `options`.
pub fn open(id: &str, options: &str) -> Result<Box<dyn Subject>> {
    let read = |spec: &'static GameSpec| Options::parse(spec, options);
    Ok(match id {
        "othello" => match AnyOthello::new(&read(&agon_othello::SPEC)?)? {
            AnyOthello::Small(game) => Box::new(game),
            AnyOthello::Medium(game) => Box::new(game),
            AnyOthello::Large(game) => Box::new(game),
        },
        "tablut" => Box::new(Tablut::new(&read(&agon_tablut::SPEC)?)?),
        "loa" => match AnyLoa::new(&read(&agon_loa::SPEC)?)? {
            AnyLoa::Small(game) => Box::new(game),
            AnyLoa::Medium(game) => Box::new(game),
            AnyLoa::Large(game) => Box::new(game),
        },
        "chinese-checkers" => Box::new(ChineseCheckers::new(&read(&agon_chinese_checkers::SPEC)?)?),
        "2048" => Box::new(Game2048::new(&read(&agon_2048::SPEC)?)?),
        _ => bail!("there is no game {id}"),
    })
}

/// Boards of 2048 as they come up in random games, to be slid in all four directions.
#[derive(Debug)]
pub struct Slides {
    boards: Vec<Board>,
}

impl Slides {
    /// How many boards: enough that no branch can be learnt by heart.
    const BOARDS: usize = 10_000;

    /// The same boards in every run.
    pub fn new() -> Result<Self> {
        let game = Game2048::new(&Options::parse(&agon_2048::SPEC, "")?)?;
        let mut rng = seeded(2048);
        let boards = (0..Self::BOARDS).map(|_| {
            let mut position = game.start();
            let plies = below(&mut rng, 200);
            finish(&game, &mut position, plies, &mut rng);
            position.board()
        });
        Ok(Self { boards: boards.collect() })
    }

    /// Slides every board every way; says how many slides that were.
    pub fn slide_all(&self) -> u64 {
        cpu::dispatch(self)
    }
}

impl Root for &Slides {
    type Output = u64;

    fn at<L: Level>(self, level: L) -> u64 {
        level.run(
            #[inline(always)]
            || {
                for board in &self.boards {
                    for direction in Direction::ALL {
                        black_box(board.slide(direction));
                    }
                }
                (self.boards.len() * Direction::ALL.len()) as u64
            },
        )
    }
}
