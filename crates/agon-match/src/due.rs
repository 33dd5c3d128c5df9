//! What a board waits for: who is to do something, and what happens by itself when time passes.

use std::time::Duration;

use agon_core::Player;

use crate::action::{Move, Refusal};
use crate::board::Board;
use crate::clock::{Late, Millis};
use crate::end::Fault;
use crate::seats::Occupant;

/// How long somebody who can only pass is given to notice it, before the pass is played for them.
pub const PASS_PAUSE: Millis = Millis(1500);

impl Board {
    /// The person to move; nobody while the clocks are stopped.
    pub fn due_person(&self) -> Option<Player> {
        self.due_seat().filter(|seat| self.seats[seat.index()].is_person())
    }

    /// The bot to move; nobody while the clocks are stopped.
    pub fn due_bot(&self) -> Option<Player> {
        self.due_seat().filter(|seat| matches!(self.seats[seat.index()].occupant, Occupant::Bot(_)))
    }

    fn due_seat(&self) -> Option<Player> {
        self.to_move().filter(|_| !self.is_paused)
    }

    /// The pass of the person to move who has no other move. It takes no time on the clock.
    pub fn forced_pass(&self) -> Option<Move> {
        let seat = self.due_person()?;
        let token = self.forced_pass.get_or_init(|| {
            let (token, step) = self.session.only_move()?;
            step.is_pass().then_some(token)
        });
        let token = token.as_deref()?;
        Some(Move { spent: Some(Millis::ZERO), ..Move::new(seat, token) })
    }

    /// The first moment at which a [tick](crate::Action::Tick) changes anything: a person who can only pass does so, or the time of the
    /// player to move is up. `None` if nothing happens by itself.
    pub fn due(&self) -> Option<Millis> {
        let pass = self.forced_pass().map(|_| self.turn_began.plus(PASS_PAUSE));
        pass.into_iter().chain(self.flag_falls()).min()
    }

    /// The first moment at which the time of the player to move is up.
    pub(crate) fn flag_falls(&self) -> Option<Millis> {
        let seat = self.to_move().filter(|seat| !self.has_forfeited(*seat) && self.stopped.is_none())?;
        let loses = self.setup.policy.time.late == Late::Loses;
        let allowance = self.clocks.allowance(seat).filter(|_| loses)?;
        let falls = self.turn_began.plus(allowance).plus(Millis(1));
        match self.returnable(seat) {
            // A clock that had run out before the interruption began does not stand.
            Some((from, most)) if from < falls => Some(falls.plus(most)),
            _ => Some(falls),
        }
    }

    /// Has happen what is due.
    pub(crate) fn tick(&mut self, now: Millis) -> Result<(), Refusal> {
        if self.due().is_none_or(|due| now < due) {
            return Ok(());
        }
        // Nobody loses time, let alone the game, for having been shown that there is no move.
        if let Some(pass) = self.forced_pass() {
            return self.play(pass, now);
        }
        if let Some(seat) = self.to_move() {
            self.forfeit(seat, Fault::Time, String::new(), now);
        }
        Ok(())
    }

    /// How long until the player to move has thought for at least `span`.
    pub fn time_until(&self, span: Duration, now: Millis) -> Duration {
        span.saturating_sub(self.thinking_time(now).into())
    }
}
