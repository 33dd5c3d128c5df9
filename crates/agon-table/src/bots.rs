//! The bots of a table: when they are asked, and when their moves are played.

use std::collections::BTreeMap;
use std::time::Duration;

use agon_core::Player;
use agon_erased::Thought;
use agon_match::{Match, Occupant};

use crate::effect::{Effect, Effects};
use crate::time::Now;

/// How long bots play on among themselves when nobody looks.
const UNWATCHED: Duration = Duration::from_secs(60);
/// How often a bot that fails is asked again.
const TRIES: u32 = 3;
/// How often those who wait for a bot hear of its place in the line, and permission is asked for that was refused.
pub(crate) const ASK_AGAIN: Duration = Duration::from_millis(500);

/// The bots of a table. They are copied before every change: what is not going on takes no room.
#[derive(Clone, Debug)]
pub(crate) struct Bots {
    /// What is going on, by board.
    turns: BTreeMap<usize, BotTurn>,
    /// The bots that have failed and why, by board, while somebody has to decide what becomes of them.
    failures: BTreeMap<usize, (Player, String)>,
    /// How many moves they may still make although they are to wait.
    steps: u32,
    /// Whether they play on without waiting, unseen until it is nobody's turn of theirs.
    is_skipping: bool,
    permission: Permission,
    last_number: u64,
    tries: u32,
}

/// Whether the driver lets bots think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Permission {
    /// Nobody has asked.
    Unasked,
    /// It was asked for at this moment and has not been given.
    Asked(Duration),
    /// They may.
    Given,
}

/// A bot that has been asked.
#[derive(Clone, Debug)]
pub(crate) struct BotTurn {
    /// Which question it is.
    pub(crate) number: u64,
    /// Who is to move.
    pub(crate) seat: Player,
    /// Which bot that is.
    pub(crate) occupant: Occupant,
    /// After how many plies.
    pub(crate) ply: usize,
    /// The place in the line that was told last.
    pub(crate) place: usize,
    /// Its answer, while the pace holds it back.
    pub(crate) found: Option<(Thought<String>, Duration)>,
}

impl Bots {
    pub(crate) fn new() -> Self {
        Self {
            turns: BTreeMap::new(),
            failures: BTreeMap::new(),
            steps: 0,
            is_skipping: false,
            permission: Permission::Unasked,
            last_number: 0,
            tries: 0,
        }
    }

    /// A name for the next question.
    pub(crate) fn next_number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }

    /// Makes the next question to a bot that of a board.
    pub(crate) fn begin(&mut self, board: usize, turn: BotTurn) {
        self.turns.insert(board, turn);
    }

    /// What is going on at a board.
    pub(crate) fn turn(&self, board: usize) -> Option<&BotTurn> {
        self.turns.get(&board)
    }

    /// The turn that news with this number is about, and its board.
    pub(crate) fn turn_of(&mut self, number: u64) -> Option<(usize, &mut BotTurn)> {
        let mut turns = self.turns.iter_mut().map(|(board, turn)| (*board, turn));
        turns.find(|(_, turn)| turn.number == number)
    }

    /// Ends the turn of a board.
    pub(crate) fn end_turn(&mut self, board: usize) -> Option<BotTurn> {
        self.turns.remove(&board)
    }

    /// Gives up what is asked on boards whose position or player has changed.
    pub(crate) fn drop_stale(&mut self, game: &Match, out: &mut Effects) {
        self.turns.retain(|board, turn| {
            let board = &game.boards()[*board];
            let is_due = board.to_move() == Some(turn.seat) && !board.is_paused();
            let occupant = &board.seats()[turn.seat.index()].occupant;
            let holds = is_due && board.session().len() == turn.ply && *occupant == turn.occupant;
            if !holds {
                cancel(turn, out);
            }
            holds
        });
        self.failures.retain(|board, (seat, _)| {
            let board = &game.boards()[*board];
            board.to_move() == Some(*seat) && !board.seats()[seat.index()].is_person()
        });
    }

    /// Gives up everything that is asked.
    pub(crate) fn silence(&mut self, out: &mut Effects) {
        std::mem::take(&mut self.turns).values().for_each(|turn| cancel(turn, out));
    }

    /// They wait, or go on.
    pub(crate) fn reset_steps(&mut self) {
        self.steps = 0;
    }

    /// They may make one more move although they wait.
    pub(crate) fn add_step(&mut self) {
        self.steps += 1;
    }

    /// They play on without waiting, as long as it is the turn of any, or no longer.
    pub(crate) fn set_skipping(&mut self, is_skipping: bool) {
        self.is_skipping = is_skipping;
    }

    pub(crate) fn is_skipping(&self) -> bool {
        self.is_skipping
    }

    /// Whether all of them wait, given whether they are told to: a step is made nevertheless.
    pub(crate) fn are_paused(&self, is_paused: bool) -> bool {
        is_paused && self.steps == 0
    }

    /// Whether another one may move besides those that have been asked, given whether they are told to wait.
    pub(crate) fn may_another_move(&self, is_paused: bool) -> bool {
        !is_paused || self.turns.len() < self.steps as usize
    }

    /// Whether those of a board must not move before somebody says so, given whether all are to wait.
    pub(crate) fn is_held_up(&self, board: usize, is_paused: bool) -> bool {
        self.failures.contains_key(&board) || self.are_paused(is_paused)
    }

    /// Notes that a bot has moved.
    pub(crate) fn moved(&mut self) {
        self.tries = 0;
        self.steps = self.steps.saturating_sub(1);
    }

    /// Notes that a bot has failed, and says whether it is worth asking again. If not, whoever plays on has as
    /// many tries.
    pub(crate) fn may_try_again(&mut self) -> bool {
        self.tries = (self.tries + 1) % TRIES;
        self.tries > 0
    }

    /// Has a board wait until somebody has decided what becomes of its bot.
    pub(crate) fn fail(&mut self, board: usize, seat: Player, reason: String) {
        self.failures.insert(board, (seat, reason));
    }

    /// The bot that has failed on the first board where one has: the board, the seat and why.
    pub(crate) fn failure(&self) -> Option<(usize, Player, &str)> {
        let (board, (seat, reason)) = self.failures.first_key_value()?;
        Some((*board, *seat, reason))
    }

    /// Has the bot of a board that failed be asked again.
    pub(crate) fn forgive(&mut self, board: usize) {
        self.failures.remove(&board);
    }

    /// Whether they may think. If that has not been asked for, or was refused a while ago, it is asked for now.
    pub(crate) fn ask_permission(&mut self, now: Now, out: &mut Effects) -> bool {
        let is_due = match self.permission {
            Permission::Unasked => true,
            Permission::Asked(at) => now.monotonic.saturating_sub(at) >= ASK_AGAIN,
            Permission::Given => return true,
        };
        if is_due {
            self.permission = Permission::Asked(now.monotonic);
            out.push(Effect::ReserveBots);
        }
        false
    }

    /// When permission is asked for again that was refused.
    pub(crate) fn asks_again(&self) -> Option<Duration> {
        match self.permission {
            Permission::Asked(at) => Some(at + ASK_AGAIN),
            Permission::Unasked | Permission::Given => None,
        }
    }

    /// Hears whether they may think.
    pub(crate) fn note_permission(&mut self, is_given: bool) {
        if is_given {
            self.permission = Permission::Given;
        }
    }

    /// Gives the permission to think back, if there is one.
    pub(crate) fn give_back_permission(&mut self, out: &mut Effects) {
        if std::mem::replace(&mut self.permission, Permission::Unasked) == Permission::Given {
            out.push(Effect::ReleaseBots);
        }
    }
}

/// Cancels a question unless it has been answered.
fn cancel(turn: &BotTurn, out: &mut Effects) {
    if turn.found.is_none() {
        out.push(Effect::CancelBot(turn.number));
    }
}

/// Whether bots think at a table that has been left alone for so long, or is followed: among themselves they go on for a while.
pub(crate) fn go_on(is_followed: bool, only_bots: bool, left_for: Duration) -> bool {
    is_followed || (only_bots && left_for < UNWATCHED)
}

/// Whether any bot plays at the table.
pub(crate) fn has_bots(game: &Match) -> bool {
    game.boards().iter().flat_map(|board| board.seats()).any(|seat| !seat.is_person())
}

/// Whether only bots play at the table.
pub(crate) fn only_bots(game: &Match) -> bool {
    game.boards().iter().flat_map(|board| board.seats()).all(|seat| !seat.is_person())
}

/// Whether nobody plays on but bots, of several boards.
pub(crate) fn only_bots_play_on(game: &Match) -> bool {
    let mut open = game.boards().iter().filter(|board| board.end().is_none());
    game.is_race() && open.all(|board| board.seats().iter().all(|seat| !seat.is_person()))
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
