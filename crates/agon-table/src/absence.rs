//! What becomes of the seats of those who are away from an online game, and what those who are present may do without them.

use agon_core::{Message, Player};
use agon_match::{Abort, Action, End, Event, Fault, LogEvent, Occupant, Seat};
use agon_messages::{MESSAGES, Refused};
use agon_protocol::web::RefusalCode;
use agon_protocol::web::online::{AbsenceChoice, Leavers};

use crate::VisitorId;
use crate::effect::Effects;
use crate::presence::{Attendance, is_stood_in, stand_in};
use crate::table::{Asker, Table};
use crate::time::Now;

impl Table {
    /// Gives those their seats again who have come back, and returns what is to be said about it.
    pub(crate) fn welcome_back(&mut self, now: Now) -> Vec<Message> {
        let back = self.live.presences.take_returning();
        let back =
            back.into_iter().filter(|seat| is_stood_in(&self.game, self.settings.online.as_ref(), *seat));
        let back: Vec<usize> = back.collect();
        let seat_person = |seat: usize| {
            let (board, player) = self.game.locate(seat)?;
            let known = self.game.boards()[board].seats()[player.index()].clone();
            self.replace(board, player, Seat { occupant: Occupant::Person, ..known }, "notice.back", now)
        };
        back.into_iter().filter_map(seat_person).collect()
    }

    /// Does what the lobby chose for those who have been away for too long, and returns what is to be said about it.
    pub(crate) fn give_up_left_seats(&mut self, now: Now) -> Vec<Message> {
        let overdue = self.attendance(now).map(|attendance| self.live.presences.overdue(attendance));
        overdue.unwrap_or_default().into_iter().filter_map(|seat| self.give_up_seat(seat, now)).collect()
    }

    /// Has a bot play for the holder of a seat, or has the seat forfeit the game, as the lobby chose. Where those present were to
    /// decide but need not be there, a bot plays.
    pub(crate) fn give_up_seat(&mut self, seat: usize, now: Now) -> Option<Message> {
        let online = self.settings.online.as_ref()?;
        match online.terms.leavers_among(online.players.len()) {
            Leavers::Resign => {
                let (board, seat) = self.game.locate(seat)?;
                let absent = Action::Fault { seat, reason: Fault::Absent, detail: String::new() };
                // Refused only if the game is over already.
                let _ = self.game.apply(board, absent, self.time(now));
                None
            }
            Leavers::Bot | Leavers::Ask => self.seat_bot(seat, now),
        }
    }

    /// Has a bot play for the holder of a seat, who may come back.
    fn seat_bot(&mut self, seat: usize, now: Now) -> Option<Message> {
        let (board, player) = self.game.locate(seat)?;
        let by = stand_in(&self.game, board, player);
        self.replace(board, player, by, "notice.bot", now)
    }

    /// Ends the game without a result.
    pub(crate) fn break_off(&mut self, now: Now) {
        for board in 0..self.game.boards().len() {
            let abort = Action::Conclude(End::Aborted { reason: Abort::Stopped });
            // Refused only where the game of a board is over.
            let _ = self.game.apply(board, abort, self.time(now));
        }
    }

    /// Notes what a player has chosen to become of the absent, and does it once all who are present have chosen the same.
    pub(crate) fn decide_absence(
        &mut self,
        by: VisitorId,
        asker: Asker,
        choice: AbsenceChoice,
        now: Now,
        out: &mut Effects,
    ) -> Result<(), Refused> {
        self.online_of(&by)?;
        let change = self.begin(out).asked_by(asker);
        let Some(online) = &self.settings.online else { return Ok(()) };
        let attendance = Attendance { online, followers: &self.followers, game: &self.game, now };
        if !self.live.presences.choose(by, choice, attendance) {
            return Err(Refused::plain(RefusalCode::State, "refused.nobody-absent"));
        }
        let notices = self.do_without_absent(now);
        self.finish(change, None, now, out);
        self.tell_notices(notices, now, out);
        Ok(())
    }

    /// Whether those present have agreed on something that has not been done yet.
    pub(crate) fn is_agreed_without_absent(&self, now: Now) -> bool {
        let Some(attendance) = self.attendance(now) else { return false };
        self.live.presences.decision(attendance).is_some() || self.has_drawn_without_absent(attendance)
    }

    /// Does what all who are present have agreed on, and returns what is to be said about it.
    pub(crate) fn do_without_absent(&mut self, now: Now) -> Vec<Message> {
        let Some(attendance) = self.attendance(now) else { return Vec::new() };
        let absent = self.live.presences.absent(attendance);
        match self.live.presences.decision(attendance) {
            Some(AbsenceChoice::Bot) => {
                absent.into_iter().filter_map(|seat| self.seat_bot(seat, now)).collect()
            }
            Some(AbsenceChoice::End) => {
                let names: Vec<&str> =
                    absent.iter().map(|seat| attendance.online.players[*seat].name.as_str()).collect();
                let said = MESSAGES.say("notice.ended", [("name", names.join(", ").into())]);
                self.break_off(now);
                vec![said]
            }
            Some(AbsenceChoice::Wait) | None => {
                if self.has_drawn_without_absent(attendance) {
                    // Refused only if the game is over already.
                    let _ = self.game.apply(0, Action::Conclude(End::Agreed), self.time(now));
                }
                Vec::new()
            }
        }
    }

    /// Whether everybody who is present has agreed to a draw that was offered, and at least one other person is.
    fn has_drawn_without_absent(&self, attendance: Attendance) -> bool {
        let absent = self.live.presences.absent(attendance);
        let board = &self.game.boards()[0];
        let Some(by) = board.draw_offer().filter(|_| !absent.is_empty()) else { return false };
        let agreed: Vec<Player> = board.agreed().collect();
        let asker = &board.seats()[by.index()];
        let mut people = (0..board.seats().len() as u8).map(Player).filter(|player| {
            let seat = &board.seats()[player.index()];
            seat.is_person() && seat.controller != asker.controller
        });
        !agreed.is_empty()
            && people.all(|player| agreed.contains(&player) || absent.contains(&self.game.seat(0, player)))
    }

    /// Who has offered a draw or asked to take something back, and waits for the answers.
    pub(crate) fn asker(&self) -> Option<Player> {
        let board = self.game.boards().first()?;
        board.draw_offer().or_else(|| board.take_back_request().map(|(seat, _)| seat))
    }

    /// Who has declined what `asker` asked for since there were so many events; to withdraw an offer is not to decline it.
    pub(crate) fn refusals(&self, known: usize, asker: Option<Player>) -> Vec<Message> {
        let refusal = |entry: LogEvent| {
            let (seat, notice) = match entry.event {
                Event::DrawDeclined { seat, .. } => (seat, "notice.draw-declined"),
                Event::TakeBackDeclined { seat, .. } => (seat, "notice.take-back-declined"),
                _ => return None,
            };
            let name = self.game.boards().get(entry.board)?.seats()[seat.index()].name.clone();
            (Some(seat) != asker).then(|| MESSAGES.say(notice, [("name", name.into())]))
        };
        self.game.events(known).filter_map(refusal).collect()
    }

    fn replace(
        &mut self,
        board: usize,
        player: Player,
        by: Seat,
        notice: &'static str,
        now: Now,
    ) -> Option<Message> {
        let name = by.name.clone();
        let replaced = self.game.apply(board, Action::ReplaceSeat(player, by), self.time(now));
        replaced.is_ok().then(|| MESSAGES.say(notice, [("name", name.into())]))
    }
}
