//! What is to be expected of a table, in the simplest way to say it.

use std::collections::BTreeMap;
use std::time::Duration;

use agon_match::{End, Event, Match, Occupant};
use agon_protocol::web::ClientAction;
use agon_protocol::web::online::{AbsenceChoice, Leavers};
use agon_table::Table;
use agon_table::online::Online;

use crate::clients::{Clients, Message};
use crate::scenario::visitor;

/// How long clocks rest for those who are not back yet, once the first player is.
const RETURN: Duration = Duration::from_secs(10);
/// How long the one who is there waits in a game of two without a clock.
const PATIENCE: Duration = Duration::from_secs(600);
/// How long nothing is done of its own accord after something could not be stored.
const REST: Duration = Duration::from_secs(1);

/// Whether the clocks rest until the players are back.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Rest {
    #[default]
    Over,
    Nobody,
    Until(Duration),
}

#[derive(Default)]
pub(crate) struct Model {
    rest: Rest,
    /// Since when the holder of each seat is away.
    away: Vec<Option<Duration>>,
    /// Until when the table does nothing of its own accord.
    pub(crate) rests_until: Duration,
    /// How many moves the bots may make although they wait.
    pub(crate) steps: u32,
    /// How many these were before what the driver does, should it turn out that it cannot be stored.
    pub(crate) steps_before: Option<u32>,
    /// Whether the bots were to wait after the last command.
    pub(crate) was_paused: bool,
    /// When the last follower left, or the table was opened.
    pub(crate) left_at: Duration,
    /// When permission for bots was asked for that is not given back.
    pub(crate) asked_permission: Option<Duration>,
    /// Who has said something, and when.
    pub(crate) spoke: Vec<(usize, Duration)>,
    /// What becomes of `steps` once this message has been acknowledged.
    expected: Option<(String, u32)>,
    /// What a visitor has chosen to become of the absent, once this message has been acknowledged.
    expected_choice: Option<(String, usize, AbsenceChoice)>,
    /// What visitors have chosen to become of the absent.
    choices: BTreeMap<usize, AbsenceChoice>,
    /// How a taking of a seat was answered.
    pub(crate) seat_taken: Option<bool>,
}

impl Model {
    pub(crate) fn open(&mut self, table: &Table, now: Duration) {
        let game = table.game();
        let online = table.settings().online.as_ref();
        let rests = online.is_some() && (game.has_clock() || game.deadline().is_some());
        *self = Self {
            rest: if rests { Rest::Nobody } else { Rest::Over },
            away: vec![None; online.map_or(0, |online| online.players.len())],
            left_at: now,
            ..Self::default()
        };
    }

    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    pub(crate) fn store_failed(&mut self, now: Duration) {
        self.rests_until = now + REST;
        self.steps = self.steps_before.take().unwrap_or(self.steps);
    }

    /// Whether the clocks rest.
    pub(crate) fn rests(&self) -> bool {
        self.rest != Rest::Over
    }

    /// Whether somebody follows the game, or has until a minute ago and only bots play.
    pub(crate) fn is_observed(&self, game: &Match, clients: &Clients, now: Duration) -> bool {
        let only_bots = game.boards().iter().flat_map(|board| board.seats()).all(|seat| !seat.is_person());
        !clients.here.is_empty() || (only_bots && now - self.left_at < crate::scenario::UNWATCHED)
    }

    /// Notices who is there. A table does so when somebody comes or goes, and whenever it is woken.
    pub(crate) fn note_presence(&mut self, table: &Table, clients: &Clients, now: Duration) {
        let (game, online) = (table.game(), table.settings().online.as_ref());
        let Some(online) = online else { return };
        let is_here = |holder| clients.here.values().any(|client| visitor(client.visitor) == holder);
        let here: Vec<Option<bool>> =
            online.players.iter().map(|player| player.holder.map(is_here)).collect();
        if self.rest == Rest::Nobody && here.contains(&Some(true)) {
            self.rest = Rest::Until(now + RETURN);
        }
        if self.rest == Rest::Nobody {
            return;
        }
        let is_anybody_here = game.has_clock() || here.contains(&Some(true));
        for (away, here) in self.away.iter_mut().zip(&here) {
            *away = (is_anybody_here && *here == Some(false)).then(|| away.unwrap_or(now));
        }
        if self.absent(game, online, now).is_empty() {
            self.choices.clear();
        }
        if let Rest::Until(until) = self.rest
            && (until <= now || !here.contains(&Some(false)))
        {
            self.rest = Rest::Over;
        }
    }

    /// When the absence of somebody who is waited for, or the rest of the clocks, is over.
    pub(crate) fn absence_ends(&self, game: &Match, online: &Online, now: Duration) -> Option<Duration> {
        let ends = self.absences(game, online).into_iter().map(|(_, ends)| ends);
        // What those present decide does not happen by itself.
        let ends = ends.filter(|ends| !is_asked(game, online) || *ends > now);
        let rest = if let Rest::Until(until) = self.rest { Some(until) } else { None };
        ends.chain(rest).min()
    }

    /// The seats of those who are away and waited for, and until when.
    fn absences(&self, game: &Match, online: &Online) -> Vec<(usize, Duration)> {
        let grace = Duration::from_secs(online.terms.grace.into());
        let is_quiet = online.players.len() == 2 && !game.has_clock();
        let patience = if is_quiet { PATIENCE } else { grace };
        let is_waited_for = |seat: usize| {
            let (board, player) = game.locate(seat).expect("a seat");
            let board = &game.boards()[board];
            online.terms.days.is_none() && board.end().is_none() && board.seats()[player.index()].is_person()
        };
        let seats = self.away.iter().enumerate().filter(|(seat, _)| is_waited_for(*seat));
        seats.filter_map(|(seat, away)| Some((seat, (*away)? + patience))).collect()
    }

    /// The seats about which those present may decide.
    pub(crate) fn absent(&self, game: &Match, online: &Online, now: Duration) -> Vec<usize> {
        let absences = self.absences(game, online).into_iter();
        absences.filter(|(_, ends)| is_asked(game, online) && *ends <= now).map(|(seat, _)| seat).collect()
    }

    /// What everybody who is there and plays has chosen to become of the absent.
    pub(crate) fn decision(&self, table: &Table, clients: &Clients, now: Duration) -> Option<AbsenceChoice> {
        let (game, online) = (table.game(), table.settings().online.as_ref()?);
        let plays = |by: usize| {
            online.seats_of(&visitor(by)).into_iter().any(|seat| {
                let (board, player) = game.locate(seat).expect("a seat");
                game.boards()[board].seats()[player.index()].is_person()
            })
        };
        let here = clients.here.values().map(|client| client.visitor).filter(|by| plays(*by));
        let chosen: Vec<Option<AbsenceChoice>> = here.map(|by| self.choices.get(&by).copied()).collect();
        let first = (*chosen.first()?)?;
        let is_open = !self.absent(game, online, now).is_empty() && first != AbsenceChoice::Wait;
        (is_open && chosen.iter().all(|choice| *choice == Some(first))).then_some(first)
    }

    /// Where those present decide, a bot sits down, or the game is broken off, only if somebody has chosen that.
    pub(crate) fn check_choices(&self, table: &Table, known: usize) {
        let Some(online) = table.settings().online.as_ref() else { return };
        if !is_asked(table.game(), online) || online.terms.days.is_some() {
            return;
        }
        let was_chosen = |choice| self.choices.values().any(|chosen| *chosen == choice);
        for entry in table.game().events(known) {
            match entry.event {
                Event::SeatChanged { by, .. } if matches!(by.occupant, Occupant::Bot(_)) => {
                    assert!(was_chosen(AbsenceChoice::Bot), "a bot is seated that nobody has chosen");
                }
                Event::Ended { end: End::Aborted { .. }, .. } => {
                    assert!(was_chosen(AbsenceChoice::End), "a game is broken off that nobody gave up");
                }
                _ => {}
            }
        }
    }

    /// Whether somebody has said so much lately that they may say no more.
    pub(crate) fn talks_much(&self, visitor: usize, now: Duration) -> bool {
        let is_lately = |(by, at): &&(usize, Duration)| *by == visitor && now - *at < Duration::from_secs(10);
        self.spoke.iter().filter(is_lately).count() >= 5
    }

    /// Expects a message to change how many moves the bots may make, unless it was done before.
    pub(crate) fn expect_setting(&mut self, message: &Message, by: usize, id: &str, was_done: bool) {
        self.expected_choice = match message {
            Message::Act(ClientAction::DecideAbsence { choice }) if !was_done => {
                Some((id.to_owned(), by, *choice))
            }
            _ => None,
        };
        let steps = match message {
            Message::Act(ClientAction::Step) => self.steps + 1,
            Message::Act(ClientAction::Pause | ClientAction::Resume) => 0,
            _ => self.steps,
        };
        self.expected = (!was_done).then(|| (id.to_owned(), steps));
    }

    pub(crate) fn expect_nothing(&mut self) {
        self.expected = None;
        self.expected_choice = None;
    }

    /// Notes that a message was acknowledged.
    pub(crate) fn acknowledged(&mut self, id: &str) {
        if let Some((_, steps)) = self.expected.take_if(|(expected, _)| expected == id) {
            self.steps = steps;
        }
        if let Some((_, by, choice)) = self.expected_choice.take_if(|(expected, ..)| expected == id) {
            self.choices.insert(by, choice);
        }
    }

    /// Counts the moves that bots have made since there were so many events.
    pub(crate) fn note_bot_moves(&mut self, table: &Table, known: usize) {
        for entry in table.game().events(known) {
            if let Event::Played(played) = entry.event
                && let Some(seat) = played.seat
                && !table.game().boards()[entry.board].seats()[seat.index()].is_person()
            {
                self.steps = self.steps.saturating_sub(1);
            }
        }
    }
}

/// Whether those present decide what becomes of the absent.
fn is_asked(game: &Match, online: &Online) -> bool {
    let seats = online.players.len();
    (seats == 2 && !game.has_clock()) || online.terms.leavers_among(seats) == Leavers::Ask
}
