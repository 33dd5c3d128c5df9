//! Whether the players of an online game play again, with those who have left or without them.

use std::sync::Arc;
use std::time::Duration;

use agon_match::Occupant;
use agon_messages::Refused;
use agon_protocol::web::{RefusalCode, ServerMessage};

use crate::VisitorId;
use crate::effect::Effects;
use crate::online::{Online, Participant, Start};
use crate::presence::Attendance;
use crate::stored::mode;
use crate::table::{Asker, Table, Transaction};
use crate::time::Now;

/// So many people must want to play again before they do without those who have left.
const FEWEST: usize = 2;

impl Table {
    /// Notes that a player wants to play again, or no longer. Once all do who have not left, the next game is opened.
    pub(crate) fn want_rematch(
        &mut self,
        by: VisitorId,
        asker: Asker,
        accept: bool,
        now: Now,
        out: &mut Effects,
    ) -> Result<(), Refused> {
        let mut online = self.online_of(&by)?.clone();
        if !self.game.is_over() {
            return Err(Refused::plain(RefusalCode::State, "refused.not-over"));
        }
        if online.rematch.next.is_some() {
            return Ok(());
        }
        if online.misses_players() && online.browsers() < FEWEST {
            return Err(Refused::plain(RefusalCode::State, "refused.player-gone"));
        }
        let own = online.seats_of(&by);
        online.rematch.wanted.retain(|seat| !own.contains(seat));
        if accept {
            online.rematch.wanted.extend(own);
            online.rematch.wanted.sort_unstable();
        }
        let mut change = self.begin(out).asked_by(asker);
        self.set_rematch(online, &mut change, now);
        self.commit(change, None, now, out);
        self.tell_rematch(out);
        Ok(())
    }

    /// Opens the next game, as a part of `change`, if nobody is waited for any longer who has not said yes, and says whether it does.
    pub(crate) fn rematch_without_absent(&mut self, change: &mut Transaction, now: Now) -> bool {
        let is_due = self.rematch_wait(now).is_some_and(|wait| wait.is_zero());
        let Some(online) = self.settings.online.clone().filter(|_| is_due) else { return false };
        self.set_rematch(online, change, now);
        true
    }

    /// How long until those who have left are waited for no longer; `None` if somebody is there who has not said yes.
    pub(crate) fn rematch_wait(&self, now: Now) -> Option<Duration> {
        let online = self.settings.online.as_ref().filter(|_| self.game.is_over())?;
        self.wait_for_absent(online, now)
    }

    /// Tells everybody who wants to play again.
    pub(crate) fn tell_rematch(&self, out: &mut Effects) {
        let Some(online) = &self.settings.online else { return };
        let rematch = online.rematch.clone();
        self.tell_all(ServerMessage::Rematch { game: self.id.clone(), rematch }, out);
    }

    /// Makes `online` what holds, and opens the next game if it is time for that.
    fn set_rematch(&mut self, mut online: Online, change: &mut Transaction, now: Now) {
        if self.wait_for_absent(&online, now).is_some_and(|wait| wait.is_zero()) {
            let start = self.next_game(&online, now);
            online.rematch.next = Some(start.id.clone());
            change.opens = Some(Box::new(start));
        }
        self.set_settings(self.with_online(online), change);
    }

    /// As [`rematch_wait`](Self::rematch_wait), if `online` holds.
    fn wait_for_absent(&self, online: &Online, now: Now) -> Option<Duration> {
        let wanted = &online.rematch.wanted;
        if wanted.is_empty() || online.rematch.next.is_some() {
            return None;
        }
        let attendance = Attendance { online, followers: &self.followers, game: &self.game, now };
        let missing = online.holders().filter(|(seat, _)| !wanted.contains(seat));
        let waits: Option<Vec<Duration>> =
            missing.map(|(seat, _)| self.live.presences.leaves_for_good_in(seat, attendance)).collect();
        let waits = waits?;
        let is_without = !waits.is_empty() || online.misses_players();
        let wants = |(seat, holder)| (wanted.contains(&seat) && attendance.is_here(seat)).then_some(holder);
        let mut people: Vec<VisitorId> = online.holders().filter_map(wants).collect();
        people.sort_unstable();
        people.dedup();
        (!is_without || people.len() >= FEWEST).then(|| waits.into_iter().max().unwrap_or_default())
    }

    /// The next game: everybody moves on by one seat, so that two players swap sides. A bot plays for those who have left; whoever
    /// only was away and comes back has the seat again.
    fn next_game(&mut self, online: &Online, now: Now) -> Start {
        let attendance = Attendance { online, followers: &self.followers, game: &self.game, now };
        let stand_in = Occupant::Bot(self.game.boards()[0].policy().stand_in.clone());
        let again = |(seat, player): (usize, &Participant)| {
            let was_person = player.holder.is_some() || player.occupant == Occupant::Person;
            let stays = online.rematch.wanted.contains(&seat) || attendance.is_here(seat);
            match (was_person, player.holder) {
                (false, _) => Participant::bot(player.occupant.clone()),
                (true, None) => Participant::bot(stand_in.clone()),
                (true, Some(_)) if stays => Participant { occupant: Occupant::Person, ..player.clone() },
                (true, Some(_)) => Participant { occupant: stand_in.clone(), ..player.clone() },
            }
        };
        let mut players: Vec<Participant> = online.players.iter().enumerate().map(again).collect();
        players.rotate_right(1);
        Start {
            id: (self.new_name)(),
            key: None,
            name: online.name.clone(),
            owner: self.owner,
            rules: Arc::clone(self.game.rules()),
            mode: mode(&self.game),
            players,
            terms: online.terms.clone(),
            muted: online.muted.clone(),
            lines: self.chat.stored(),
        }
    }
}
