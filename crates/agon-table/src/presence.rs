//! Who is there in a game that is played online, and what becomes of the seats of those who are not.
//!
//! In a game with a clock somebody who leaves is given a grace period that everybody sees; then a bot stands in, or the seat resigns,
//! as the lobby chose. Coming back takes the seat back. After a restart the clocks rest until the players are back.

use std::time::Duration;

use agon_core::Player;
use agon_match::{Match, Occupant, Seat};
use agon_protocol::web::online::Presence;

use crate::followers::Followers;
use crate::online::Online;
use crate::time::Now;

/// How long the clocks rest for those who are not back yet, once the first player is.
const RETURN: Duration = Duration::from_secs(10);

/// Who is there.
#[derive(Clone, Debug)]
pub(crate) struct Presences {
    /// Since when the holder of each seat is away.
    away: Vec<Option<Duration>>,
    rest: Rest,
    /// The seats whose holders have come back and are to have them again.
    returning: Vec<usize>,
    told: Option<ToldPresence>,
}

/// Who was there as it was last told.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ToldPresence {
    /// For each seat that somebody holds, whether its holder was there and whether something was about to happen.
    seats: Vec<Option<(bool, bool)>>,
    /// How many looked on.
    spectators: usize,
}

/// Whether the clocks rest until the players are back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rest {
    /// No player has come yet.
    Nobody,
    /// Some have; the others are waited for.
    Until(Duration),
    /// The clocks run.
    Over,
}

/// A game that is played online, and who follows it at the moment.
#[derive(Clone, Copy)]
pub(crate) struct Attendance<'a> {
    pub(crate) online: &'a Online,
    pub(crate) followers: &'a Followers,
    pub(crate) game: &'a Match,
    pub(crate) now: Now,
}

impl Attendance<'_> {
    /// Whether the holder of each seat is there; `None` where nobody holds it.
    fn here(&self) -> Vec<Option<bool>> {
        let is_here = |holder| self.followers.is_here(&holder);
        self.online.players.iter().map(|player| player.holder.map(is_here)).collect()
    }

    /// Whether somebody is waited for on this seat: a person who still plays, in a game with a clock.
    fn is_waited_for(&self, seat: usize) -> bool {
        self.game.has_clock()
            && self.game.locate(seat).is_some_and(|(board, player)| {
                let board = &self.game.boards()[board];
                board.end().is_none() && board.seats()[player.index()].is_person()
            })
    }
}

impl Presences {
    /// At a table with so many seats whose clocks rest at first, or not.
    pub(crate) fn new(seats: usize, rests: bool) -> Self {
        let rest = if rests { Rest::Nobody } else { Rest::Over };
        Self { away: vec![None; seats], rest, returning: Vec::new(), told: None }
    }

    /// Whether the clocks rest.
    pub(crate) fn rests(&self) -> bool {
        self.rest != Rest::Over
    }

    /// Who is there, seat by seat; `None` where nobody holds the seat.
    pub(crate) fn of_seats(&self, attendance: Attendance) -> Vec<Option<Presence>> {
        let presence = |(seat, here): (usize, Option<bool>)| {
            let leaves_in = self.leaves_in(seat, attendance).map(|left| left.as_millis() as u64);
            here.map(|here| Presence { here, leaves_in })
        };
        attendance.here().into_iter().enumerate().map(presence).collect()
    }

    /// How long until something happens to the seat of somebody who is away; `None` if nothing will.
    fn leaves_in(&self, seat: usize, attendance: Attendance) -> Option<Duration> {
        let since = (*self.away.get(seat)?)?;
        let grace = Duration::from_secs(attendance.online.terms.grace.into());
        let gone_for = attendance.now.monotonic.saturating_sub(since);
        attendance.is_waited_for(seat).then(|| grace.saturating_sub(gone_for))
    }

    /// The seats of those who have been away for too long.
    pub(crate) fn overdue(&self, attendance: Attendance) -> Vec<usize> {
        let is_overdue = |seat: &usize| self.leaves_in(*seat, attendance).is_some_and(|left| left.is_zero());
        (0..self.away.len()).filter(is_overdue).collect()
    }

    /// How long until somebody's absence, or the rest of the clocks, is over.
    pub(crate) fn wait(&self, attendance: Attendance) -> Option<Duration> {
        let rest = match self.rest {
            Rest::Until(until) => Some(until.saturating_sub(attendance.now.monotonic)),
            Rest::Nobody | Rest::Over => None,
        };
        let seats = 0..self.away.len();
        seats.filter_map(|seat| self.leaves_in(seat, attendance)).chain(rest).min()
    }

    /// Has the holders of these seats have them again.
    pub(crate) fn welcome(&mut self, seats: Vec<usize>) {
        for seat in seats {
            if !self.returning.contains(&seat) {
                self.returning.push(seat);
            }
        }
    }

    /// The seats whose holders have come back since the last time.
    pub(crate) fn take_returning(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.returning)
    }

    /// Whether somebody has come back whose seat has not been given back.
    pub(crate) fn has_returning(&self) -> bool {
        !self.returning.is_empty()
    }

    /// Notices who is there, and says whether the clocks have begun to run by that.
    pub(crate) fn note(&mut self, attendance: Attendance) -> bool {
        let (now, here) = (attendance.now.monotonic, attendance.here());
        if self.rest == Rest::Nobody && here.contains(&Some(true)) {
            self.rest = Rest::Until(now + RETURN);
        }
        if self.rest != Rest::Nobody {
            for (away, here) in self.away.iter_mut().zip(&here) {
                *away = if *here == Some(false) { Some(away.unwrap_or(now)) } else { None };
            }
        }
        let rest_ends = match self.rest {
            Rest::Until(until) => until <= now || !here.contains(&Some(false)),
            Rest::Nobody | Rest::Over => false,
        };
        if rest_ends {
            self.rest = Rest::Over;
        }
        rest_ends
    }

    /// Who is there, if that has changed since it was last told; it counts as told from now on.
    pub(crate) fn news(
        &mut self,
        attendance: Attendance,
        spectators: usize,
    ) -> Option<Vec<Option<Presence>>> {
        let seats = self.of_seats(attendance);
        let known = |presence: &Option<Presence>| {
            presence.map(|presence| (presence.here, presence.leaves_in.is_some()))
        };
        let news = Some(ToldPresence { seats: seats.iter().map(known).collect(), spectators });
        if news == self.told {
            return None;
        }
        self.told = news;
        Some(seats)
    }
}

/// Whether a bot plays for the holder of a seat, who may come back.
pub(crate) fn is_stood_in(game: &Match, online: Option<&Online>, seat: usize) -> bool {
    let is_held =
        online.is_some_and(|online| online.players.get(seat).is_some_and(|player| player.holder.is_some()));
    is_held
        && game.locate(seat).is_some_and(|(board, player)| {
            let board = &game.boards()[board];
            !board.seats()[player.index()].is_person() && !board.has_forfeited(player)
        })
}

/// The seat of a player who is away, played by a bot of the house under the player's name.
pub(crate) fn stand_in(game: &Match, board: usize, player: Player) -> Seat {
    let board = &game.boards()[board];
    let occupant = Occupant::Bot(board.policy().stand_in.clone());
    Seat { occupant, ..board.seats()[player.index()].clone() }
}
