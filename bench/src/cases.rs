//! What is measured: positions, depths, known counts, floors and aims.

/// The games that are measured, by the names that programs call them.
pub const GAMES: [&str; 5] = ["othello", "tablut", "loa", "chinese-checkers", "2048"];

/// A position, and how many positions lie a number of plies after it.
#[derive(Clone, Copy, Debug)]
pub struct PerftCase {
    /// The game, by the name that programs call it.
    pub game: &'static str,
    /// Its options.
    pub options: &'static str,
    /// Which position, in a word or two.
    pub label: &'static str,
    /// The position, if it is not the start.
    pub position: Option<&'static str>,
    /// How many plies deep.
    pub depth: u32,
    /// The count that must come out: a fast wrong one is worth nothing.
    pub nodes: u64,
    /// The least ratio to the peer that is accepted.
    pub floor: f64,
    /// The ratio that is aimed at.
    pub aim: f64,
}

/// A game that OpenSpiel has too.
#[derive(Clone, Copy, Debug)]
pub struct PlayoutCase {
    /// The game, by the name that programs call it.
    pub game: &'static str,
    /// Its options.
    pub options: &'static str,
    /// Which board, in a word or two.
    pub label: &'static str,
    /// The game in OpenSpiel's terms, its limit on plies the same as ours.
    pub open_spiel: &'static str,
}

/// A board far beyond the usual size: timed without a peer.
#[derive(Clone, Copy, Debug)]
pub struct LargeCase {
    /// The game, by the name that programs call it.
    pub game: &'static str,
    /// Its options.
    pub options: &'static str,
    /// Which board, in a word or two.
    pub label: &'static str,
    /// How many plies deep perft goes.
    pub depth: u32,
    /// The count that must come out.
    pub nodes: u64,
}

/// Slides a second that 2048 must reach.
pub const SLIDES_FLOOR: f64 = 50e6;

/// How many times as many playouts as OpenSpiel's must be reached.
pub const PLAYOUTS_FLOOR: f64 = 30.0;

/// How many times as many are aimed at.
pub const PLAYOUTS_AIM: f64 = 100.0;

/// Perft against magpie. The counts are those of each game's `data/perft.txt`, or were confirmed by a naive count;
/// only Ashton's Tablut goes a ply deeper than what was confirmed.
pub const PERFT: &[PerftCase] = &[
    PerftCase {
        game: "othello",
        options: "",
        label: "8x8",
        position: None,
        depth: 10,
        nodes: 24_571_056,
        floor: 2.0,
        aim: 3.0,
    },
    PerftCase {
        game: "tablut",
        options: "rules=bologna",
        label: "bologna",
        position: None,
        depth: 5,
        nodes: 1_074_150_880,
        floor: 1.7,
        aim: 3.0,
    },
    PerftCase {
        game: "tablut",
        options: "rules=ashton",
        label: "ashton",
        position: None,
        depth: 5,
        nodes: 1_403_051_448,
        floor: 1.7,
        aim: 3.0,
    },
    PerftCase {
        game: "loa",
        options: "rules=standard",
        label: "8x8 standard",
        position: None,
        depth: 5,
        nodes: 55_963_132,
        floor: 1.2,
        aim: 2.0,
    },
    PerftCase {
        game: "loa",
        options: "rules=rotating",
        label: "8x8 rotating",
        position: None,
        depth: 4,
        nodes: 6_517_580,
        floor: 1.2,
        aim: 2.0,
    },
    PerftCase {
        game: "chinese-checkers",
        options: "seats=g/r",
        label: "2 seats",
        position: None,
        depth: 5,
        nodes: 3_188_520,
        floor: 0.5,
        aim: 1.0,
    },
    PerftCase {
        game: "chinese-checkers",
        options: "seats=g/r",
        label: "2 seats, mid-game",
        position: Some("1/2/2g/4/4g2g5/12/2gggg5/3g1g4/3r5/2rr6/4gr2rr1/12/6rr5/r3/1r1/2/1 g 36"),
        depth: 4,
        nodes: 22_609_086,
        floor: 0.5,
        aim: 1.0,
    },
];

/// Playouts against OpenSpiel.
pub const PLAYOUTS: &[PlayoutCase] = &[
    PlayoutCase { game: "othello", options: "", label: "8x8", open_spiel: "othello" },
    PlayoutCase {
        game: "loa",
        options: "rules=standard",
        label: "8x8 standard",
        open_spiel: "lines_of_action(max_game_length=200)",
    },
    PlayoutCase { game: "2048", options: "", label: "4x4", open_spiel: "2048" },
];

/// Large boards.
pub const LARGE: &[LargeCase] = &[
    LargeCase { game: "othello", options: "size=26", label: "26x26", depth: 10, nodes: 25_178_976 },
    LargeCase {
        game: "loa",
        options: "size=30,rules=standard",
        label: "30x30 standard",
        depth: 3,
        nodes: 4_800_612,
    },
    LargeCase {
        game: "loa",
        options: "size=30,rules=rotating",
        label: "30x30 rotating",
        depth: 3,
        nodes: 11_804_600,
    },
];
