//! The bots of a table: when they are asked, and when their moves are played.

use std::time::Duration;

use agon_core::Player;
use agon_erased::Thought;
use agon_match::Match;
use tokio::time::Instant;

use crate::bots::Ticket;

/// How long bots play on among themselves when nobody looks.
const UNWATCHED: Duration = Duration::from_secs(60);
/// How long bots rest when a move could not be stored: whatever is wrong, asking them at once again would not help.
pub(super) const REST: Duration = Duration::from_secs(1);
/// How often a bot that fails is asked again.
const TRIES: u32 = 3;

/// The bots of a table.
#[derive(Default)]
pub(super) struct Bots {
    /// What is going on at each board.
    pub(super) turns: Vec<Option<BotTurn>>,
    /// How many moves they may still make although they are to wait.
    pub(super) steps: u32,
    /// Boards whose bots play without waiting, to the end.
    pub(super) skipping: Vec<bool>,
    /// Until when nobody is asked, because nothing could be stored.
    pub(super) rests_until: Option<Instant>,
    next_number: u64,
    failures: u32,
}

/// A bot that has been asked.
pub(super) struct BotTurn {
    /// Its place in the line; gone once it has answered.
    pub(super) ticket: Option<Ticket>,
    /// Which question it is.
    pub(super) number: u64,
    /// Who is to move.
    pub(super) seat: Player,
    /// After how many plies.
    pub(super) ply: usize,
    /// The place in the line that was told last.
    pub(super) place: usize,
    /// Its answer, while the pace holds it back.
    pub(super) found: Option<(Thought<String>, Duration)>,
}

impl Bots {
    pub(super) fn new(boards: usize) -> Self {
        Self { turns: (0..boards).map(|_| None).collect(), skipping: vec![false; boards], ..Self::default() }
    }

    /// A name for the next question.
    pub(super) fn number(&mut self) -> u64 {
        self.next_number += 1;
        self.next_number
    }

    /// The turn that news with this number is about.
    pub(super) fn turn(&mut self, board: usize, number: u64) -> Option<&mut BotTurn> {
        self.turns.get_mut(board)?.as_mut().filter(|turn| turn.number == number)
    }

    /// Gives up what is asked on a board whose position has changed.
    pub(super) fn drop_stale(&mut self, play: &Match) {
        for (turn, game) in self.turns.iter_mut().zip(play.boards()) {
            turn.take_if(|turn| game.due_bot() != Some(turn.seat) || game.session().len() != turn.ply);
        }
    }

    /// Gives up everything that is asked.
    pub(super) fn silence(&mut self) {
        self.turns.iter_mut().for_each(|turn| *turn = None);
    }

    /// Notes that a bot has failed, and says whether it is worth asking again.
    pub(super) fn may_try_again(&mut self) -> bool {
        self.failures += 1;
        self.failures < TRIES
    }

    /// Notes that a bot has moved.
    pub(super) fn moved(&mut self) {
        self.failures = 0;
        self.steps = self.steps.saturating_sub(1);
    }
}

/// Whether bots think at a table that has been left alone for so long, or is followed: among themselves they go on for a while.
pub(super) fn go_on(is_followed: bool, only_bots: bool, left_for: Duration) -> bool {
    is_followed || (only_bots && left_for < UNWATCHED)
}

/// Whether any bot plays at the table.
pub(super) fn has_bots(play: &Match) -> bool {
    play.boards().iter().flat_map(|game| game.seats()).any(|seat| !seat.is_person())
}

/// Whether only bots play at the table.
pub(super) fn only_bots(play: &Match) -> bool {
    play.boards().iter().flat_map(|game| game.seats()).all(|seat| !seat.is_person())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bots_stop_a_minute_after_the_last_one_has_looked() {
        let seconds = Duration::from_secs;
        assert!(go_on(true, true, seconds(9999)) && go_on(true, false, seconds(9999)));
        assert!(go_on(false, true, seconds(59)));
        assert!(!go_on(false, true, seconds(60)));
        assert!(!go_on(false, false, seconds(0)), "a person who has left is not played against");
    }
}
