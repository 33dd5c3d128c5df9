//! Programs for Othello that speak the NBoard protocol: NBoard's own engines, NTest, Edax, Egaroucid.
//!
//! They keep no game between moves: each time they are told the whole game so far, and its board stays as it is until the next.

use std::time::Duration;

use agon_core::{Player, text::quote};
use agon_erased::{Session, Thought};
use agon_formats::ggf::{GgfGame, GgfMove, Side};
use agon_formats::grid::expand;
use agon_protocol::nboard::{Reply, VERSION};

use super::{Dialogue, Failure, KnownGame, Talk, Wait};

/// The most lines that a program may say before it answers.
const MAX_LINES: usize = 100_000;

/// The dialogue with an NBoard program.
#[derive(Default)]
pub(super) struct Nboard {
    is_greeted: bool,
    pings: u64,
    depth: Option<u32>,
}

impl Nboard {
    /// Waits until the program has done all that it was told.
    fn synchronize(&mut self, talk: &mut Talk) -> Result<(), Failure> {
        self.pings += 1;
        let number = self.pings.to_string();
        talk.process.send(&format!("ping {number}"))?;
        let mut wait = Wait::until(talk.setup_deadline());
        for _ in 0..MAX_LINES {
            let line = talk.receive(&mut wait)?;
            // The answer to a question that has been withdrawn may still come.
            if Reply::parse(&line).ok().flatten() == Some(Reply::Pong(number.clone())) {
                return Ok(());
            }
        }
        Err(Failure::protocol("it talks without answering ping"))
    }
}

impl Dialogue for Nboard {
    fn serves(&self, _session: &dyn Session, _player: Player) -> bool {
        true
    }

    fn prepare(&mut self, talk: &mut Talk) -> Result<(), Failure> {
        if !self.is_greeted {
            talk.process.send(&format!("nboard {VERSION}"))?;
            self.is_greeted = true;
        }
        if let Some(depth) = talk.budget.limits.depth.filter(|depth| self.depth != Some(*depth)) {
            talk.process.send(&format!("set depth {depth}"))?;
            self.depth = Some(depth);
        }
        let game = game_of(&KnownGame::of(talk.session), talk.budget.limits.time);
        talk.process.send(&format!("set game {game}"))?;
        self.synchronize(talk)
    }

    fn ask(
        &mut self,
        talk: &mut Talk,
        _observe: &mut dyn FnMut(&Thought<String>),
    ) -> Result<Thought<String>, Failure> {
        if talk.session.legal() == ["pass"] {
            return Ok(Thought::instinct("pass".to_owned()));
        }
        talk.process.send("go")?;
        let mut wait = Wait::until(talk.move_deadline());
        let mut nodes = 0;
        for _ in 0..MAX_LINES {
            let line = talk.receive(&mut wait)?;
            let said = Reply::parse(&line)
                .map_err(|fault| Failure::protocol(format!("it answered {}: {fault}", quote(&line))))?;
            match said {
                Some(Reply::Nodes(counted, _)) => nodes = counted,
                Some(Reply::Move { square, .. }) => {
                    // What a disc is worth in the scores of a bot is the business of our own.
                    let best = square.unwrap_or_else(|| "pass".to_owned());
                    return Ok(Thought { nodes, ..Thought::instinct(best) });
                }
                _ => {}
            }
        }
        Err(Failure::protocol("it talks without moving"))
    }

    fn farewell(&self) -> Option<&'static str> {
        Some("quit")
    }
}

/// A game as the program is told of it. With a limit of time for a move, its side has so much for each move that it may have to make.
fn game_of(known: &KnownGame, per_move: Option<Duration>) -> GgfGame {
    let (rows, side) = known.start.rsplit_once(' ').unwrap_or((&known.start, "x"));
    let rows = expand(rows);
    let first = if side == "o" { Side::White } else { Side::Black };
    let mut mover = first;
    let moves: Vec<GgfMove> = known
        .history
        .iter()
        .map(|token| {
            let side = mover;
            mover = mover.other();
            GgfMove { side, square: (token != "pass").then(|| token.clone()), time: None }
        })
        .collect();
    let squares = rows.concat();
    let empty = squares.iter().filter(|square| **square == '.').count();
    let left = empty.saturating_sub(moves.iter().filter(|mv| mv.square.is_some()).count());
    GgfGame {
        players: [None, None],
        time: per_move.map(|time| time * (left as u32).div_ceil(2).max(1)),
        result: None,
        size: rows.len(),
        squares,
        first,
        moves,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_told_the_game_with_its_passes_and_the_time_for_all_moves() {
        let known = KnownGame {
            start: "4/1ox1/1xo1/4 o".to_owned(),
            history: ["b1", "pass"].map(str::to_owned).to_vec(),
        };
        let game = game_of(&known, Some(Duration::from_secs(2)));
        // Twelve squares were empty, and one has been taken.
        assert_eq!(
            game.to_string(),
            "(;GM[Othello]PB[?]PW[?]RE[?]TI[00:12]TY[4]BO[4 -----O*--*O----- O]W[B1]B[PA];)"
        );
    }
}
