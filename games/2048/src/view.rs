//! What people see of 2048, and what they are told.

use agon_core::view::{
    BY_NUMBER, Board, Cell, Count, Effect, Gesture, Heading, Layout, Mark, Milestone, Ornament, Piece, Shape,
    Spot, Step, Style, Token,
};
use agon_core::{Message, Messages, Outcome, Player, Verdict, View};

use super::notation::value;
use super::{Direction, Game2048, PLAYER, Position, Tile, WINNING, mark};

pub(super) static MESSAGES: Messages =
    Messages::new(&[("en", include_str!("messages/en.txt")), ("he", include_str!("messages/he.txt"))]);

/// The exponent of the tile that a bot must reach to have won: 2048 is nothing to a good one.
const WATCHED_PRIZE: u8 = 15;

const TILE: Token = "tile";
/// A tile that wins.
const PRIZE: Token = "prize";

pub(super) const STYLES: &[Style] = &[
    Style::piece(TILE, "piece.tile", Shape::Tile, BY_NUMBER),
    Style::piece(PRIZE, "piece.tile", Shape::Tile, BY_NUMBER).with(Ornament::Frame),
];

fn spot(cell: usize) -> Spot {
    Spot::new(cell / 4, cell % 4)
}

fn tile(exponent: u8) -> Piece {
    let style = if exponent < WINNING { TILE } else { PRIZE };
    Piece { style, owner: PLAYER, number: Some(value(exponent)) }
}

impl View for Game2048 {
    fn title(&self, _player: Player) -> Message {
        MESSAGES.say("seat.player", [])
    }

    fn seat_styles(&self, _player: Player) -> Vec<Token> {
        Vec::new()
    }

    fn board(&self, position: &Position) -> Board {
        let names = vec!["0", "1", "2", "3"];
        let cells = (0..16).map(|cell| Cell {
            spot: spot(cell),
            ground: None,
            piece: Some(position.board().exponent(cell)).filter(|&exponent| exponent > 0).map(tile),
        });
        let score = position.score();
        let text = MESSAGES.say("count.points", [("n", score.into())]);
        let points =
            Count { owner: PLAYER, name: MESSAGES.say("counted.points", []), value: score, of: None, text };
        let largest = position.board().largest();
        let tile = || [("tile", value(largest).into())];
        let milestone = || Milestone {
            text: MESSAGES.say("milestone", tile()),
            what: MESSAGES.say("milestone.what", tile()),
            counts_for_bots: largest >= WATCHED_PRIZE,
        };
        Board {
            cells: cells.collect(),
            counts: vec![points],
            milestone: (largest >= WINNING).then(milestone),
            mark: Some(Mark { name: MESSAGES.say("mark", []), value: mark(position) }),
            ..Board::new(Layout::Tiles, "tray", STYLES, "{row},{column}", names.clone(), names)
        }
    }

    fn step(&self, position: &Position, mv: Direction) -> Step {
        let (heading, vertical, backwards) = match mv {
            Direction::Left => (Heading::Left, false, false),
            Direction::Right => (Heading::Right, false, true),
            Direction::Up => (Heading::Up, true, false),
            Direction::Down => (Heading::Down, true, true),
        };
        let (after, _) = position.board().slide(mv);
        let mut effects = Vec::new();
        for line in 0..4 {
            let cell = |step: usize| {
                let along = if backwards { 3 - step } else { step };
                if vertical { 4 * along + line } else { 4 * line + along }
            };
            // Tiles arrive in the order in which they lie. Where the tile that results is larger than the one that
            // arrives, the next one merges into it.
            let (mut target, mut waiting) = (0, false);
            for step in 0..4 {
                let exponent = position.board().exponent(cell(step));
                if exponent == 0 {
                    continue;
                }
                let (from, to) = (spot(cell(step)), spot(cell(target)));
                let result = after.exponent(cell(target));
                if waiting {
                    effects.push(Effect::Merge { from, to, piece: tile(result) });
                    (target, waiting) = (target + 1, false);
                } else {
                    effects.push(Effect::Slide { from, to });
                    waiting = result != exponent;
                    target += usize::from(!waiting);
                }
            }
        }
        Step::slide(heading, effects)
    }

    fn chance_step(&self, _position: &Position, chance: Tile) -> Step {
        Step::appear(spot(chance.cell()), tile(chance.exponent()))
    }

    fn chance_message(&self, chance: Tile) -> Option<Message> {
        let Spot { row, column } = spot(chance.cell());
        // People count from one.
        let [row, column] = [row, column].map(|index| u32::from(index) + 1);
        let tile = value(chance.exponent());
        Some(
            MESSAGES
                .say("chance.tile", [("tile", tile.into()), ("row", row.into()), ("column", column.into())]),
        )
    }

    fn end_message(&self, position: &Position, outcome: &Outcome) -> Message {
        match outcome.verdict {
            Verdict::Won(_) => {
                let tile = value(position.board().largest());
                MESSAGES.say("end.no-move.won", [("tile", tile.into())])
            }
            Verdict::Lost | Verdict::Drawn => MESSAGES.say("end.no-move", []),
        }
    }

    fn broken_rule(&self, _position: &Position, _mv: Direction) -> Message {
        MESSAGES.say("illegal.slide", [])
    }

    fn gestured_move(&self, _position: &Position, gesture: &Gesture) -> Result<Direction, Message> {
        match gesture {
            Gesture::Slide { heading: Heading::Left } => Ok(Direction::Left),
            Gesture::Slide { heading: Heading::Right } => Ok(Direction::Right),
            Gesture::Slide { heading: Heading::Up } => Ok(Direction::Up),
            Gesture::Slide { heading: Heading::Down } => Ok(Direction::Down),
            Gesture::Point { .. } | Gesture::Turn { .. } => Err(MESSAGES.say("illegal.pointed", [])),
        }
    }
}
