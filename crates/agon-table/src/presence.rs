//! Who is there in a game that is played online, and what becomes of the seats of those who are not.
//!
//! Somebody who leaves is given a grace period that everybody sees; then a bot stands in, the seat is forfeited, or those present
//! decide, as the lobby chose. Coming back takes the seat back. After a restart the clocks rest until the players are back. In a game
//! without a clock nobody is waited for while nobody is there: friends may go on tomorrow.

use std::collections::BTreeMap;
use std::time::Duration;

use agon_core::Player;
use agon_match::{Match, Occupant, Seat};
use agon_protocol::web::online::{AbsenceChoice, Leavers, Presence};

use crate::VisitorId;
use crate::followers::Followers;
use crate::online::Online;
use crate::time::Now;

/// How long the clocks rest for those who are not back yet, once the first player is.
const RETURN: Duration = Duration::from_secs(10);
/// After how long those who are away when others want to play again count as gone: a page that is loaded again is back by then.
const RELOAD: Duration = Duration::from_secs(10);
/// How long the one who is present in a game of two without a clock waits before deciding what becomes of it.
const PATIENCE: Duration = Duration::from_secs(600);

/// Who is there.
#[derive(Clone, Debug)]
pub(crate) struct Presences {
    /// Since when the holder of each seat is away.
    away: Vec<Option<Duration>>,
    rest: Rest,
    /// The seats whose holders have come back and are to have them again.
    returning: Vec<usize>,
    /// What players have chosen to become of the seats of the absent.
    choices: BTreeMap<VisitorId, AbsenceChoice>,
    /// Who was there as it was last told, without how long they would be waited for, and how many looked on.
    told: Option<(Vec<Option<Presence>>, usize)>,
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

    /// Whether the holder of this seat is there.
    pub(crate) fn is_here(&self, seat: usize) -> bool {
        self.here().get(seat) == Some(&Some(true))
    }

    /// After how long something becomes of the seats of those who are away, and what; `None` if nothing does.
    fn absence(&self) -> Option<(Duration, Leavers)> {
        let (terms, seats) = (&self.online.terms, self.online.players.len());
        if terms.days.is_some() {
            None
        } else if seats == 2 && !self.game.has_clock() {
            Some((PATIENCE, Leavers::Ask))
        } else {
            Some((Duration::from_secs(terms.grace.into()), terms.leavers_among(seats)))
        }
    }

    /// Whether a person plays on this seat.
    fn is_played(&self, seat: usize) -> bool {
        let place = self.game.locate(seat);
        place.is_some_and(|(board, player)| self.game.boards()[board].seats()[player.index()].is_person())
    }

    /// Whether somebody is waited for on this seat: a person who still plays.
    fn is_waited_for(&self, seat: usize) -> bool {
        let is_ongoing = |(board, _): (usize, Player)| self.game.boards()[board].end().is_none();
        self.is_played(seat) && self.game.locate(seat).is_some_and(is_ongoing)
    }

    /// Those who are there and play. Programs decide nothing: what becomes of a game is for people to say.
    fn present(&self) -> impl Iterator<Item = VisitorId> {
        let decides = |seat: usize| self.is_played(seat) && !self.online.players[seat].program;
        let holders = self.online.holders().filter(move |(seat, _)| decides(*seat));
        holders.map(|(_, holder)| holder).filter(|holder| self.followers.is_here(holder))
    }
}

impl Presences {
    /// At a table with so many seats whose clocks rest at first, or not.
    pub(crate) fn new(seats: usize, rests: bool) -> Self {
        let rest = if rests { Rest::Nobody } else { Rest::Over };
        Self { away: vec![None; seats], rest, returning: Vec::new(), choices: BTreeMap::new(), told: None }
    }

    /// Whether the clocks rest.
    pub(crate) fn rests(&self) -> bool {
        self.rest != Rest::Over
    }

    /// Who is there, seat by seat; `None` where nobody holds the seat.
    pub(crate) fn of_seats(&self, attendance: Attendance) -> Vec<Option<Presence>> {
        let presence = |(seat, here): (usize, Option<bool>)| {
            let leaves_in = self.leaves_in(seat, attendance).map(|left| left.as_millis() as u64);
            let then = leaves_in.and_then(|_| Some(self.absence_of(seat, attendance)?.1));
            let holder = attendance.online.players[seat].holder;
            let choice = holder.and_then(|holder| self.choices.get(&holder).copied());
            let absent = self.is_absent(seat, attendance);
            here.map(|here| Presence { here, leaves_in, then, absent, choice })
        };
        attendance.here().into_iter().enumerate().map(presence).collect()
    }

    /// How long until something happens to the seat of somebody who is away; `None` if nothing will.
    fn leaves_in(&self, seat: usize, attendance: Attendance) -> Option<Duration> {
        let (left, leavers) = self.absence_of(seat, attendance)?;
        (leavers != Leavers::Ask || !left.is_zero()).then_some(left)
    }

    /// How long the absence of somebody who is waited for has left, and what becomes of the seat then.
    fn absence_of(&self, seat: usize, attendance: Attendance) -> Option<(Duration, Leavers)> {
        let since = (*self.away.get(seat)?)?;
        let (time, leavers) = attendance.absence().filter(|_| attendance.is_waited_for(seat))?;
        let gone_for = attendance.now.monotonic.saturating_sub(since);
        Some((time.saturating_sub(gone_for), leavers))
    }

    /// Whether those present may decide what becomes of a seat.
    fn is_absent(&self, seat: usize, attendance: Attendance) -> bool {
        let absence = self.absence_of(seat, attendance);
        absence.is_some_and(|(left, leavers)| leavers == Leavers::Ask && left.is_zero())
    }

    /// How long until the holder of a seat, who is away, counts as gone after the end of the game; `None` if they are there.
    pub(crate) fn leaves_for_good_in(&self, seat: usize, attendance: Attendance) -> Option<Duration> {
        let since = (*self.away.get(seat)?)?;
        Some(RELOAD.saturating_sub(attendance.now.monotonic.saturating_sub(since)))
    }

    /// The seats whose holders have been away for so long that those present may decide what becomes of them.
    pub(crate) fn absent(&self, attendance: Attendance) -> Vec<usize> {
        (0..self.away.len()).filter(|seat| self.is_absent(*seat, attendance)).collect()
    }

    /// Notes what a player has chosen to become of the absent, and says whether there is such a choice.
    pub(crate) fn choose(&mut self, by: VisitorId, choice: AbsenceChoice, attendance: Attendance) -> bool {
        let is_asked =
            attendance.present().any(|present| present == by) && !self.absent(attendance).is_empty();
        if is_asked {
            self.choices.insert(by, choice);
        }
        is_asked
    }

    /// What all who are present have chosen to become of the absent; `None` if they wait.
    pub(crate) fn decision(&self, attendance: Attendance) -> Option<AbsenceChoice> {
        let mut chosen = attendance.present().map(|present| self.choices.get(&present).copied());
        let first = chosen.next()?.filter(|choice| *choice != AbsenceChoice::Wait)?;
        let is_agreed = chosen.all(|choice| choice == Some(first)) && !self.absent(attendance).is_empty();
        is_agreed.then_some(first)
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
            let is_counted = attendance.game.has_clock() || here.contains(&Some(true));
            for (away, here) in self.away.iter_mut().zip(&here) {
                let is_away = is_counted && *here == Some(false);
                *away = if is_away { Some(away.unwrap_or(now)) } else { None };
            }
        }
        if self.absent(attendance).is_empty() {
            self.choices.clear();
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
            presence.map(|presence| Presence { leaves_in: presence.leaves_in.map(|_| 0), ..presence })
        };
        let news = Some((seats.iter().map(known).collect(), spectators));
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
