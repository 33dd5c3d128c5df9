//! Whether the players of an online game play again.

use std::sync::Arc;

use agon_messages::Refused;
use agon_protocol::web::{RefusalCode, ServerMessage};

use crate::VisitorId;
use crate::effect::Effects;
use crate::online::{Online, Start};
use crate::stored::mode;
use crate::table::{Asker, Table};
use crate::time::Now;

impl Table {
    /// Notes that a player wants to play again, or no longer. Once all do, the next game is opened.
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
        if online.misses_players() {
            return Err(Refused::plain(RefusalCode::State, "refused.player-gone"));
        }
        let own = online.seats_of(&by);
        online.rematch.wanted.retain(|seat| !own.contains(seat));
        if accept {
            online.rematch.wanted.extend(own);
            online.rematch.wanted.sort_unstable();
        }
        let mut change = self.begin(out).asked_by(asker);
        if online.holders().all(|(seat, _)| online.rematch.wanted.contains(&seat)) {
            let start = self.next_game(&online);
            online.rematch.next = Some(start.id.clone());
            change.opens = Some(Box::new(start));
        }
        let rematch = online.rematch.clone();
        self.set_settings(self.with_online(online), &mut change);
        self.commit(change, None, now, out);
        self.tell_all(ServerMessage::Rematch { game: self.id.clone(), rematch }, out);
        Ok(())
    }

    /// The next game: everybody moves on by one seat, so that two players swap sides.
    fn next_game(&mut self, online: &Online) -> Start {
        let mut players = online.players.clone();
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
        }
    }
}
