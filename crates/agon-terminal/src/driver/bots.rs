//! The bots of a board, in their threads.

use std::time::Duration;

use agon_core::Player;
use agon_erased::{Budget, SpecificationError, Thought};
use agon_match::{Board, Move, Occupant};
use agon_players::{News, Thinker, player};

use super::time::TimeLine;

/// What a bot has come to.
pub(super) enum Progress {
    /// It moves.
    Move(Move),
    /// It has found out more.
    Thought,
    /// It has failed.
    Failed,
}

/// The bots of a board.
pub(super) struct Bots {
    /// One for each seat; none for people, and for bots that have not been asked yet.
    thinkers: Vec<Option<Thinker>>,
    /// What the bot that thinks, or thought last, knows.
    pub(super) live: Option<Thought<String>>,
    /// A move held back by the pace, and the time it took.
    held: Option<(Thought<String>, Duration)>,
    /// The seat whose bot has failed, and why.
    pub(super) failure: Option<(Player, String)>,
    /// Whether they have been told that the game is over.
    is_concluded: bool,
}

impl Bots {
    /// The bots that play on `board`, ready to be asked.
    pub(super) fn new(board: &Board) -> Result<Self, SpecificationError> {
        let mut thinkers = Vec::with_capacity(board.seats().len());
        for (index, seat) in board.seats().iter().enumerate() {
            let seed = board.bot_seed(Player(index as u8));
            thinkers.push(match &seat.occupant {
                Occupant::Person => None,
                other => {
                    let bot = player(&**board.rules(), other, seed)?;
                    Some(Thinker::ready(board.rules().clone(), other.clone(), seed, bot))
                }
            });
        }
        Ok(Self { thinkers, live: None, held: None, failure: None, is_concluded: false })
    }

    /// Lets the bot on `seat`, who is to move, think, or gives what it has found. It is waited for no longer
    /// than `patience`, and does not move sooner than `pace` after the move before.
    pub(super) fn consult(
        &mut self,
        board: &Board,
        seat: Player,
        time: &TimeLine,
        pace: Duration,
        patience: Duration,
    ) -> Option<Progress> {
        self.is_concluded = false;
        if let Some(found) = self.held.take() {
            return self.release(seat, found, board.time_until(pace, time.now()), patience);
        }
        let thinker = self.thinker(board, seat);
        if !thinker.is_thinking() {
            // The rest of a question that nobody asks any more.
            let _ = thinker.news(Duration::ZERO);
            if thinker.is_free() {
                let budget = Budget {
                    clock: time.clock(),
                    seed: Some(board.bot_seed(seat)),
                    ..Budget::new(board.limits(seat))
                };
                thinker.ask(board.session(), seat, budget);
                self.live = None;
            }
        }
        match self.thinker(board, seat).news(patience)? {
            News::Thought(thought) => {
                self.live = Some(thought);
                Some(Progress::Thought)
            }
            News::Answer(thought, spent) => {
                self.live = Some(thought.clone());
                let left = board.time_until(pace, time.now());
                self.release(seat, (thought, spent), left, Duration::ZERO)
            }
            News::Failure(reason) => {
                self.failure = Some((seat, reason));
                Some(Progress::Failed)
            }
        }
    }

    /// The thinker of a seat that no person holds, another one if somebody else sits there now.
    fn thinker(&mut self, board: &Board, seat: Player) -> &mut Thinker {
        let occupant = &board.seats()[seat.index()].occupant;
        let slot = &mut self.thinkers[seat.index()];
        slot.take_if(|thinker| thinker.occupant() != occupant);
        slot.get_or_insert_with(|| {
            Thinker::lazy(board.rules().clone(), occupant.clone(), board.bot_seed(seat))
        })
    }

    /// Gives a move that has been found, or holds it for as long as the pace still asks for.
    fn release(
        &mut self,
        seat: Player,
        (thought, spent): (Thought<String>, Duration),
        left: Duration,
        patience: Duration,
    ) -> Option<Progress> {
        if !left.is_zero() {
            self.held = Some((thought, spent));
            std::thread::sleep(left.min(patience));
            return None;
        }
        Some(Progress::Move(Move::of_thought(seat, &thought, spent.into())))
    }

    /// Cancels their questions.
    pub(super) fn silence(&mut self) {
        (self.held, self.live, self.failure) = (None, None, None);
        for thinker in self.thinkers.iter_mut().flatten() {
            thinker.cancel();
        }
    }

    /// Makes the bot that is thinking answer at once.
    pub(super) fn hurry(&self) {
        for thinker in self.thinkers.iter().flatten() {
            thinker.hurry();
        }
    }

    /// Rebuilds the one that failed.
    pub(super) fn retry(&mut self) {
        if let Some((seat, _)) = self.failure.take()
            && let Some(thinker) = &mut self.thinkers[seat.index()]
        {
            thinker.renew();
        }
    }

    /// Removes the bot of a seat.
    pub(super) fn dismiss(&mut self, seat: Player) {
        self.thinkers[seat.index()] = None;
    }

    /// Tells them once that the game on `board` is over.
    pub(super) fn conclude(&mut self, board: &Board) {
        if std::mem::replace(&mut self.is_concluded, true) {
            return;
        }
        for (index, thinker) in self.thinkers.iter_mut().enumerate() {
            if let Some(thinker) = thinker {
                thinker.conclude(board.session(), Player(index as u8));
            }
        }
    }
}
