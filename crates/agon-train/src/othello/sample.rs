//! Samples: positions and what is known of their scores.

use agon_othello::Position;

/// A position with what a search says of it and what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The discs of the side to move.
    pub own: u64,
    /// The discs of the other side.
    pub opponent: u64,
    /// The disc difference for the side to move that a search expects.
    pub searched: i8,
    /// The final disc difference for the side to move.
    pub result: i8,
    /// Where it comes from.
    pub source: Source,
    /// Whether the sample is kept from training, to measure by.
    pub is_held_out: bool,
}

/// Where a sample comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A game of the program against itself.
    SelfPlay,
    /// A move that such a game did not take: no game went on from there, so that its result is what the search expects.
    Aside,
    /// A game between people.
    People,
}

const SOURCES: [Source; 3] = [Source::SelfPlay, Source::Aside, Source::People];

/// One game in this many is held out.
const HELD_OUT: u64 = 50;

impl Sample {
    /// A sample of the game with this `number`, by the scores for the side to move.
    pub(super) fn new(
        number: u64,
        position: &Position<u64>,
        searched: i32,
        result: i32,
        source: Source,
    ) -> Self {
        Self {
            own: position.own,
            opponent: position.opponent,
            searched: searched as i8,
            result: result as i8,
            source,
            is_held_out: number.is_multiple_of(HELD_OUT),
        }
    }

    /// How many discs are on the board.
    pub fn discs(&self) -> u32 {
        (self.own | self.opponent).count_ones()
    }

    /// The sample as bytes.
    pub fn to_bytes(&self) -> [u8; SAMPLE_BYTES] {
        let mut bytes = [0; SAMPLE_BYTES];
        bytes[..8].copy_from_slice(&self.own.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.opponent.to_le_bytes());
        bytes[16] = self.searched as u8;
        bytes[17] = self.result as u8;
        bytes[18] = u8::from(self.is_held_out) | (self.source as u8) << 1;
        bytes
    }

    /// The sample that [`Sample::to_bytes`] wrote; `None` if these bytes are none.
    pub fn from_bytes(bytes: &[u8; SAMPLE_BYTES]) -> Option<Self> {
        let word =
            |from: usize| (0..8).fold(0, |word, byte| word | u64::from(bytes[from + byte]) << (8 * byte));
        let (own, opponent) = (word(0), word(8));
        let (searched, result, flags) = (bytes[16] as i8, bytes[17] as i8, bytes[18]);
        let is_score = |score: i8| (-64..=64).contains(&score);
        let source = *SOURCES.get(usize::from(flags >> 1))?;
        let is_sample = own & opponent == 0 && is_score(searched) && is_score(result);
        let is_held_out = flags & 1 != 0;
        is_sample.then_some(Self { own, opponent, searched, result, source, is_held_out })
    }
}

/// How many bytes a sample takes in a file.
pub const SAMPLE_BYTES: usize = 19;
