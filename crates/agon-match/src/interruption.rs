//! Interruptions: whoever cannot move because their connection is dead gets back the time that this takes on their clock, within the
//! bounds of the match's policy. The driver says who has fallen silent, and since when; the clock of that player then stands for a while.

use agon_core::{Player, Turn};
use serde::{Deserialize, Serialize};

use crate::action::Refusal;
use crate::board::Board;
use crate::clock::Millis;
use crate::event::Event;

/// How much time is given back to players whose connection was dead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interruptions {
    /// For one interruption, at most.
    pub each: Millis,
    /// In the whole game, at most, for each player.
    pub all: Millis,
}

impl Interruptions {
    /// Whether nothing is given back.
    pub fn is_none(&self) -> bool {
        self.each.min(self.all) == Millis::ZERO
    }

    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// The interruptions of one player.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Interrupted {
    /// The one that goes on.
    current: Option<Silence>,
    /// How much has been given back for all that were counted.
    returned: Millis,
}

#[derive(Clone, Copy, Debug)]
struct Silence {
    /// Since when it has not been counted.
    since: Millis,
    /// How much has been given back for what has been counted of it.
    returned: Millis,
}

impl Board {
    /// Whether a player's connection is dead, as the driver said last.
    pub fn is_interrupted(&self, seat: Player) -> bool {
        self.interruptions.get(seat.index()).is_some_and(|player| player.current.is_some())
    }

    /// Until when the clock of the player to move stands because of an interruption; `None` if it does not.
    pub fn clock_stands_until(&self) -> Option<Millis> {
        let (from, most) = self.to_move().and_then(|seat| self.returnable(seat))?;
        (most > Millis::ZERO && self.stopped.is_none()).then(|| from.plus(most))
    }

    /// From when on the clock of a player who is to move stands, and for how long at most.
    pub(crate) fn returnable(&self, seat: Player) -> Option<(Millis, Millis)> {
        let player = self.interruptions.get(seat.index())?;
        let silence = player.current.filter(|_| self.seats[seat.index()].is_person())?;
        let Interruptions { each, all } = self.setup.policy.time.interruptions;
        let most = each.minus(silence.returned).min(all.minus(player.returned));
        Some((silence.since.max(self.turn_began), most))
    }

    /// How much of the time since the player to move began to think is given back at the moment `end`.
    pub(crate) fn returned(&self, end: Millis) -> Millis {
        let Turn::Player(seat) = self.session.turn() else { return Millis::ZERO };
        self.returnable(seat).map_or(Millis::ZERO, |(from, most)| end.minus(from).min(most))
    }

    /// Counts what is given back so far to the player to move, whose turn may end now. It changes no clock by itself.
    pub(crate) fn count_returned(&mut self, now: Millis) {
        let end = self.stopped.unwrap_or(now);
        let returned = self.returned(end);
        let Turn::Player(seat) = self.session.turn() else { return };
        let player = &mut self.interruptions[seat.index()];
        if let Some(silence) = &mut player.current {
            silence.returned = silence.returned.plus(returned);
            silence.since = silence.since.max(end);
            player.returned = player.returned.plus(returned);
            self.turn_began = self.turn_began.plus(returned);
        }
    }

    /// Nothing is given back for the time before `now`, in which clocks stood anyway.
    pub(crate) fn count_interruptions_from(&mut self, now: Millis) {
        for silence in self.interruptions.iter_mut().filter_map(|player| player.current.as_mut()) {
            silence.since = silence.since.max(now);
        }
    }

    /// A player has been silent `since` a moment. Nothing happens where nothing would be given back.
    pub(crate) fn interrupt(&mut self, seat: Player, since: Millis, now: Millis) -> Result<(), Refusal> {
        self.check_ongoing()?;
        self.seat(seat)?;
        if self.is_interrupted(seat) || self.setup.policy.time.interruptions.is_none() {
            return Ok(());
        }
        let since = since.min(now);
        self.interruptions[seat.index()].current = Some(Silence { since, returned: Millis::ZERO });
        self.note(Event::Interrupted { at: now, seat, since });
        Ok(())
    }

    /// A player is heard again.
    pub(crate) fn reconnect(&mut self, seat: Player, now: Millis) -> Result<(), Refusal> {
        self.check_ongoing()?;
        self.seat(seat)?;
        if !self.is_interrupted(seat) {
            return Ok(());
        }
        self.count_returned(now);
        self.interruptions[seat.index()].current = None;
        self.note(Event::Reconnected { at: now, seat });
        Ok(())
    }
}
