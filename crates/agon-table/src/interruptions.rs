//! Connections that fall silent: who plays by them is away, and may get back the time that this takes. Only silence that the driver has
//! noticed counts; whoever closes a page has left.

use std::time::Duration;

use agon_core::Player;
use agon_match::{Action, Millis};

use crate::VisitorId;
use crate::effect::Effects;
use crate::table::Table;
use crate::time::Now;

impl Table {
    /// Notes that a visitor has been silent for so long, unless they are there by another connection.
    pub(crate) fn interrupt(
        &mut self,
        visitor: &VisitorId,
        silent_for: Duration,
        now: Now,
        out: &mut Effects,
    ) {
        if self.followers.is_here(visitor) || self.live.presences.rests() {
            return;
        }
        let since = self.time(now).minus(Millis::from(silent_for));
        self.act_for_seats(visitor, now, out, |seat| Action::Interrupt(seat, since));
    }

    /// A visitor whose connection was silent is heard again: their seats are theirs, also if a bot has stood in meanwhile.
    pub(crate) fn hear_again(&mut self, visitor: &VisitorId, now: Now, out: &mut Effects) {
        let own = self.settings.online.as_ref().map(|online| online.seats_of(visitor));
        self.live.presences.welcome(own.unwrap_or_default());
        self.note_presence(now, out);
        self.come_back(visitor, now, out);
    }

    /// Notes that the connection of a visitor is not dead any more.
    pub(crate) fn come_back(&mut self, visitor: &VisitorId, now: Now, out: &mut Effects) {
        self.act_for_seats(visitor, now, out, Action::Reconnect);
    }

    /// Does something on all seats that a visitor holds in an online game with a clock.
    fn act_for_seats(
        &mut self,
        visitor: &VisitorId,
        now: Now,
        out: &mut Effects,
        action: impl Fn(Player) -> Action,
    ) {
        let Some(online) = self.settings.online.as_ref().filter(|_| self.is_timed()) else { return };
        let seats: Vec<_> =
            online.seats_of(visitor).into_iter().filter_map(|seat| self.game.locate(seat)).collect();
        let change = self.begin(out);
        for (board, player) in seats {
            // Refused only where the game of a board is over.
            let _ = self.game.apply(board, action(player), self.time(now));
        }
        self.finish(change, None, now, out);
    }

    /// The clocks that stand because of an interruption: until when, on the time line of the match.
    pub(crate) fn standing_clocks(&self, now: Now) -> impl Iterator<Item = Millis> {
        let time = self.time(now);
        let boards = self.game.boards().iter();
        boards.filter_map(|board| board.clock_stands_until()).filter(move |until| *until > time)
    }
}
