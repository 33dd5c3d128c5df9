//! Taking moves back.

use agon_core::{Player, Turn};

use crate::action::{Refusal, TakeBackTo};
use crate::board::{Board, OfferKind};
use crate::clock::Millis;
use crate::end::{End, Fault};
use crate::event::{Event, Played};

impl Board {
    pub(crate) fn request_take_back(
        &mut self,
        seat: Player,
        to: TakeBackTo,
        now: Millis,
    ) -> Result<(), Refusal> {
        self.seat(seat)?;
        let left = self.forfeits().find(|forfeit| forfeit.seat == seat);
        if left.is_some_and(|forfeit| forfeit.reason != Fault::Resigned) {
            return Err(Refusal::NotPlaying);
        }
        // A player who has resigned and whose seat a bot plays on goes back at least to the resignation.
        let most = left.map_or(self.session.len(), |forfeit| forfeit.ply);
        let to = match to {
            TakeBackTo::Ply(to) => Some(to),
            TakeBackTo::Choice if left.is_some() => Some(most),
            TakeBackTo::Choice => self.last_choice(seat),
        };
        let undoes_something = |to: usize| to < self.session.len() || self.end.is_some() || left.is_some();
        let to = to.filter(|to| *to <= most && undoes_something(*to)).ok_or(Refusal::NothingToTakeBack)?;
        // Taking back the end alone leads nowhere if it follows from the rules.
        if to == self.session.len() && matches!(self.end, Some(End::Rules { .. })) {
            return Err(Refusal::NothingToTakeBack);
        }
        self.make_offer(OfferKind::TakeBack(to), seat)?;
        self.note(Event::TakeBackRequested { at: now, seat, to });
        self.carry_out_offer(now);
        Ok(())
    }

    /// The last ply at which the holder of `seat` had a choice.
    fn last_choice(&self, seat: Player) -> Option<usize> {
        if let Some(End::Forfeit { reason: Fault::Resigned, .. }) = self.end {
            return Some(self.session.len());
        }
        let asking = &self.seats[seat.index()];
        let has_people = self.seats.iter().any(|seat| seat.is_person());
        let is_own = |mover: Turn| match mover {
            Turn::Player(player) => {
                let mover = &self.seats[player.index()];
                let is_same = !asking.is_person() || mover.controller == asking.controller;
                !has_people || (mover.is_person() && is_same)
            }
            Turn::Chance => false,
        };
        // A pass is nobody's choice: going back to it would lead here again.
        let (mut fork, movers) = (self.session.fork(), self.session.movers());
        for (index, mover) in movers.iter().enumerate().rev() {
            fork.undo();
            if is_own(*mover) && fork.legal().len() > 1 {
                return Some(index);
            }
        }
        movers.into_iter().rposition(is_own)
    }

    /// Goes back to where `to` plies were left, as `by` has asked for.
    pub(crate) fn take_back(&mut self, by: Player, to: usize, now: Millis) {
        self.count_returned(now);
        self.draws.truncate(to - self.moves_before(to));
        self.session.rewind(to);
        let clocks = self.clocks_at(to);
        self.clocks.restore(&clocks);
        self.note(Event::TakenBack { at: now, to, clocks });
        self.played.truncate(to.saturating_sub(self.past_plies));
        self.past_plies = self.past_plies.min(to);
        if let Some(index) = self.forfeits.iter().position(|(forfeit, _)| forfeit.seat == by) {
            let (_, before) = self.forfeits.remove(index);
            self.seats[by.index()] = before;
        }
        for (forfeit, _) in &mut self.forfeits {
            forfeit.ply = forfeit.ply.min(to);
        }
        self.end = None;
        self.begin_turn(now);
        self.settle(now);
    }

    /// What was left on the clocks after this many plies.
    fn clocks_at(&self, ply: usize) -> Vec<Millis> {
        let last = (ply.checked_sub(1)).and_then(|last| self.played.get(last.checked_sub(self.past_plies)?));
        match last.and_then(|event| self.log.get(*event as usize)) {
            Some(Event::Played(Played { clocks, .. })) => clocks,
            // Nobody knows what the clocks showed before the match.
            _ => self.setup.clocks.clone(),
        }
    }
}
