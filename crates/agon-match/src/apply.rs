//! How actions become events.

use agon_core::{Outcome, Player, Turn};

use crate::action::{Action, Move, MoveRequest, Refusal};
use crate::board::{Board, Offer, OfferKind};
use crate::clock::{Late, Millis};
use crate::end::{End, Fault, Forfeit};
use crate::event::{Event, Played};
use crate::seats::{MAX_TEXT, Occupant, Seat, is_text};
use crate::setup::{Faults, Remark};

/// After this many events only ends are taken.
pub(crate) const MAX_EVENTS: usize = 1 << 20;

impl Board {
    /// Does what `action` says at the moment `now`. Nothing has changed if that is refused.
    pub(crate) fn act(&mut self, action: Action, now: Millis) -> Result<(), Refusal> {
        let ends =
            matches!(action, Action::Conclude(_) | Action::Fault { .. } | Action::Resign(_) | Action::Tick);
        if self.log.len() >= MAX_EVENTS && !ends {
            return Err(Refusal::TooLong);
        }
        match action {
            Action::Move(mv) => self.play(mv, now),
            Action::Resign(seat) => self.fail(seat, Fault::Resigned, String::new(), now),
            Action::Fault { seat, reason, detail } => self.fail(seat, reason, detail, now),
            Action::OfferDraw(seat) => self.offer_draw(seat, now),
            Action::AcceptDraw(seat) => self.agree(seat, now, |kind| kind == OfferKind::Draw),
            Action::DeclineDraw(seat) => self.decline(seat, now, |kind| kind == OfferKind::Draw),
            Action::RequestTakeBack(seat, to) => self.request_take_back(seat, to, now),
            Action::GrantTakeBack(seat) => self.agree(seat, now, |kind| kind != OfferKind::Draw),
            Action::DeclineTakeBack(seat) => self.decline(seat, now, |kind| kind != OfferKind::Draw),
            Action::Tick => self.tick(now),
            Action::Pause => self.pause(now),
            Action::Resume => self.resume(now),
            Action::Interrupt(seat, since) => self.interrupt(seat, since, now),
            Action::Reconnect(seat) => self.reconnect(seat, now),
            Action::ReplaceSeat(seat, by) => self.replace(seat, by, now),
            Action::Conclude(end) => self.conclude(end, now),
        }
    }

    pub(crate) fn play(&mut self, mv: Move, now: Millis) -> Result<(), Refusal> {
        let Move { seat, request, spent, remark } = mv;
        self.check_ongoing()?;
        if self.is_paused {
            return Err(Refusal::Paused);
        }
        if self.to_move() != Some(seat) {
            return Err(Refusal::NotYourTurn);
        }
        let spent = spent.unwrap_or_else(|| self.thinking_time(now));
        let has_clock = !self.has_forfeited(seat);
        let late = has_clock && self.clocks.allowance(seat).is_some_and(|allowance| spent > allowance);
        if late && self.setup.policy.time.late == Late::Loses {
            self.forfeit(seat, Fault::Time, String::new(), now);
            return Ok(());
        }
        self.count_returned(now);
        let token = match request {
            MoveRequest::Token(token) => self.session.play(&token)?,
            MoveRequest::Typed(text) => self.session.play_typed(&text)?,
            MoveRequest::Gesture(gesture) => self.session.play_gesture(&gesture)?,
        };
        if has_clock {
            self.clocks.spend(seat, spent);
        }
        let clocks = self.clocks.carried().to_vec();
        let remark = remark.map(Remark::bounded);
        self.played(Played { at: now, seat: Some(seat), token, spent, clocks, late, remark });
        self.settle(now);
        Ok(())
    }

    fn played(&mut self, played: Played) {
        self.played.push(self.log.len() as u32);
        self.offer = None;
        self.turn_began = played.at;
        self.note(Event::Played(played));
    }

    /// Adds an event to what has happened.
    pub(crate) fn note(&mut self, event: Event) {
        self.last_time = event.at();
        self.forced_pass.take();
        self.log.push(event);
    }

    /// Lets chance act as long as it is its turn, and notices the end of the game.
    pub(crate) fn settle(&mut self, now: Millis) {
        loop {
            if let Some(Outcome { verdict, reason }) = self.session.outcome() {
                return self.finish(End::Rules { verdict, reason: reason.to_owned() }, now);
            }
            if self.session.turn() != Turn::Chance {
                return;
            }
            let number = self.luck.number(self.draws.len());
            let Some(token) = self.session.draw(number) else { return };
            self.draws.push(self.session.len() as u32 - 1);
            let clocks = self.clocks.carried().to_vec();
            let spent = Millis::ZERO;
            self.played(Played { at: now, seat: None, token, spent, clocks, late: false, remark: None });
        }
    }

    fn finish(&mut self, end: End, now: Millis) {
        self.offer = None;
        self.stopped.get_or_insert(now);
        self.end = Some(end.clone());
        self.note(Event::Ended { at: now, end });
    }

    /// Ends the game where it stands, if it goes on: the match has reached its goal.
    pub(crate) fn reach_goal(&mut self, now: Millis) {
        if self.end.is_none() {
            self.finish(End::Goal, now);
        }
    }

    fn conclude(&mut self, end: End, now: Millis) -> Result<(), Refusal> {
        self.check_ongoing()?;
        let end = match end {
            End::Rules { .. } | End::Goal => return Err(Refusal::NotByRules),
            End::Forfeit { seat, reason, detail } => {
                self.seat(seat)?;
                End::Forfeit { seat, reason, detail: bounded(detail) }
            }
            End::Agreed | End::Aborted { .. } => end,
        };
        self.finish(end, now);
        Ok(())
    }

    fn fail(&mut self, seat: Player, reason: Fault, detail: String, now: Millis) -> Result<(), Refusal> {
        self.check_ongoing()?;
        self.check_playing(seat)?;
        self.forfeit(seat, reason, detail, now);
        Ok(())
    }

    /// Has a player lose. Where at least two others still play, a bot may play on instead.
    pub(crate) fn forfeit(&mut self, seat: Player, reason: Fault, detail: String, now: Millis) {
        let detail = bounded(detail);
        let others = self.seats.len() - self.forfeits.len() - 1;
        let has_left = matches!(reason, Fault::Resigned | Fault::Absent);
        let plays_on = has_left || self.setup.policy.faults == Faults::PlayOn;
        if others < 2 || !plays_on {
            return self.finish(End::Forfeit { seat, reason, detail }, now);
        }
        self.count_returned(now);
        let stand_in = Occupant::Bot(self.setup.policy.stand_in.clone());
        let place = &mut self.seats[seat.index()];
        let before = place.clone();
        place.occupant = stand_in;
        self.forfeits.push((Forfeit { seat, ply: self.session.len(), reason }, before));
        self.seat_changed(seat, now);
        self.note(Event::Forfeited { at: now, seat, reason, detail });
    }

    fn replace(&mut self, seat: Player, by: Seat, now: Millis) -> Result<(), Refusal> {
        self.check_ongoing()?;
        self.seat(seat)?;
        if !is_text(&by.name) {
            return Err(Refusal::Name);
        }
        self.count_returned(now);
        self.seats[seat.index()] = by.clone();
        self.seat_changed(seat, now);
        self.note(Event::SeatChanged { at: now, seat, by });
        Ok(())
    }

    /// A player who takes over a seat starts thinking now; what was asked of others before is void.
    fn seat_changed(&mut self, seat: Player, now: Millis) {
        self.offer = None;
        self.has_changed_hands = true;
        if self.to_move() == Some(seat) {
            self.begin_turn(now);
        }
    }

    pub(crate) fn begin_turn(&mut self, now: Millis) {
        self.turn_began = now;
        self.stopped = self.is_paused.then_some(now);
    }

    fn pause(&mut self, now: Millis) -> Result<(), Refusal> {
        self.check_ongoing()?;
        if self.is_paused {
            return Err(Refusal::Paused);
        }
        self.is_paused = true;
        self.stopped = Some(now);
        self.note(Event::Paused { at: now });
        Ok(())
    }

    fn resume(&mut self, now: Millis) -> Result<(), Refusal> {
        self.check_ongoing()?;
        if !self.is_paused {
            return Err(Refusal::NotPaused);
        }
        self.count_returned(now);
        self.turn_began = now.minus(self.thinking_time(now));
        self.count_interruptions_from(now);
        self.is_paused = false;
        self.stopped = None;
        self.note(Event::Resumed { at: now });
        Ok(())
    }

    fn offer_draw(&mut self, seat: Player, now: Millis) -> Result<(), Refusal> {
        self.check_ongoing()?;
        self.check_playing(seat)?;
        if self.seats.len() < 2 {
            return Err(Refusal::NoOpponent);
        }
        self.make_offer(OfferKind::Draw, seat)?;
        self.note(Event::DrawOffered { at: now, seat });
        let declines = |other: &Player| {
            *other != seat && !self.seats[other.index()].is_person() && !self.has_forfeited(*other)
        };
        if let Some(bot) = self.players().find(declines) {
            self.offer = None;
            self.note(Event::DrawDeclined { at: now, seat: bot });
        }
        self.carry_out_offer(now);
        Ok(())
    }

    pub(crate) fn make_offer(&mut self, kind: OfferKind, by: Player) -> Result<(), Refusal> {
        if self.offer.is_some() {
            return Err(Refusal::OfferPending);
        }
        self.offer = Some(Offer { kind, by, agreed: Vec::new() });
        Ok(())
    }

    /// The controllers whose people must agree to what `by` has offered.
    fn others(&self, by: Player) -> impl Iterator<Item = u32> {
        let asking =
            Some(&self.seats[by.index()]).filter(|seat| seat.is_person()).map(|seat| seat.controller);
        let people = self.seats.iter().filter(|seat| seat.is_person());
        people.map(|seat| seat.controller).filter(move |controller| Some(*controller) != asking)
    }

    fn agree(&mut self, seat: Player, now: Millis, is_meant: fn(OfferKind) -> bool) -> Result<(), Refusal> {
        let person = self.seat(seat)?;
        let offer = self.offer.as_ref().filter(|offer| is_meant(offer.kind)).ok_or(Refusal::NoOffer)?;
        let controller = person.controller;
        let is_asked = person.is_person()
            && self.others(offer.by).any(|other| other == controller)
            && !offer.agreed.contains(&controller);
        if !is_asked {
            return Err(Refusal::NoOffer);
        }
        self.note(match offer.kind {
            OfferKind::Draw => Event::DrawAccepted { at: now, seat },
            OfferKind::TakeBack(_) => Event::TakeBackGranted { at: now, seat },
        });
        if let Some(offer) = &mut self.offer {
            offer.agreed.push(controller);
        }
        self.carry_out_offer(now);
        Ok(())
    }

    fn decline(&mut self, seat: Player, now: Millis, is_meant: fn(OfferKind) -> bool) -> Result<(), Refusal> {
        let may_answer = self.seat(seat)?.is_person();
        let is_offered = |offer: &Offer| is_meant(offer.kind) && (may_answer || offer.by == seat);
        let offer = self.offer.take_if(|offer| is_offered(offer)).ok_or(Refusal::NoOffer)?;
        self.note(match offer.kind {
            OfferKind::Draw => Event::DrawDeclined { at: now, seat },
            OfferKind::TakeBack(_) => Event::TakeBackDeclined { at: now, seat },
        });
        Ok(())
    }

    /// Does what was offered if all who must agree have done so.
    pub(crate) fn carry_out_offer(&mut self, now: Millis) {
        let Some(Offer { kind, by, agreed }) = &self.offer else { return };
        if !self.others(*by).all(|other| agreed.contains(&other)) {
            return;
        }
        let (kind, by) = (*kind, *by);
        self.offer = None;
        match kind {
            OfferKind::Draw => self.finish(End::Agreed, now),
            OfferKind::TakeBack(to) => self.take_back(by, to, now),
        }
    }

    pub(crate) fn check_ongoing(&self) -> Result<(), Refusal> {
        if self.end.is_some() { Err(Refusal::Over) } else { Ok(()) }
    }

    fn check_playing(&self, seat: Player) -> Result<(), Refusal> {
        self.seat(seat)?;
        if self.has_forfeited(seat) { Err(Refusal::NotPlaying) } else { Ok(()) }
    }

    pub(crate) fn seat(&self, seat: Player) -> Result<&Seat, Refusal> {
        self.seats.get(seat.index()).ok_or(Refusal::NoSeat)
    }
}

/// The text, or as much of it as is kept.
fn bounded(mut text: String) -> String {
    text.truncate(text.floor_char_boundary(MAX_TEXT));
    text
}
