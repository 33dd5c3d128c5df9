//! The state of one board of a match: how its game begins, and what it tells its drivers.

use std::fmt;
use std::sync::{Arc, OnceLock};

use agon_core::{Player, Standing, Turn};
use agon_erased::{Limits, OpenError, Rules, Session};

use crate::clock::{Clocks, Millis};
use crate::end::{End, Fault, Forfeit};
use crate::event::Event;
use crate::interruption::Interrupted;
use crate::luck::Luck;
use crate::packed::{PackedLog, PackedPlies};
use crate::seats::Seat;
use crate::setup::{PastPly, Policy, Remark, Setup, StartError};

/// A board of a [`Match`](crate::Match): one game with those who play it, their clocks and their luck. Only its match changes it.
pub struct Board {
    pub(crate) rules: Arc<dyn Rules>,
    pub(crate) session: Box<dyn Session>,
    /// What the game began with, without its moves.
    pub(crate) setup: Setup,
    /// The moves that it began with.
    past: PackedPlies,
    pub(crate) seats: Vec<Seat>,
    /// Whether anybody has taken over a seat.
    pub(crate) has_changed_hands: bool,
    pub(crate) clocks: Clocks,
    pub(crate) luck: Luck,
    /// What has happened on this board since the start of the match.
    pub(crate) log: PackedLog,
    /// How many plies of the session were made before the match.
    pub(crate) past_plies: usize,
    /// The events of all others.
    pub(crate) played: Vec<u32>,
    /// Which plies of the session are draws of chance, in their order.
    pub(crate) draws: Vec<u32>,
    /// When the player to move began to think, pauses left out.
    pub(crate) turn_began: Millis,
    /// When the clocks were stopped, by a pause or the end.
    pub(crate) stopped: Option<Millis>,
    pub(crate) is_paused: bool,
    /// The interruptions of each player.
    pub(crate) interruptions: Vec<Interrupted>,
    pub(crate) offer: Option<Offer>,
    /// Forfeited seats in the order of forfeiting, and who sat there.
    pub(crate) forfeits: Vec<(Forfeit, Seat)>,
    pub(crate) end: Option<End>,
    /// The moment of the last event.
    pub(crate) last_time: Millis,
    /// The only move of the person to move, if that is a pass; found when somebody asks, and forgotten with every change.
    pub(crate) forced_pass: OnceLock<Option<String>>,
}

/// An offer or request that waits for answers.
#[derive(Debug)]
pub(crate) struct Offer {
    pub(crate) kind: OfferKind,
    pub(crate) by: Player,
    /// The controllers that have agreed.
    pub(crate) agreed: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OfferKind {
    Draw,
    /// So many plies would be left.
    TakeBack(usize),
}

/// What is known about a ply.
#[derive(Clone, Debug, PartialEq)]
pub struct PlyNote<'a> {
    /// Who made it.
    pub mover: Turn,
    /// The move.
    pub token: &'a str,
    /// How long it took; `None` for draws of chance, and where nobody noted it.
    pub spent: Option<Millis>,
    /// Whether it came too late.
    pub late: bool,
    /// What its player thought of it.
    pub remark: Option<Remark>,
}

impl fmt::Debug for Board {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let mut debug = formatter.debug_struct("Board");
        debug.field("game", &self.rules.spec().id).field("position", &self.session.position());
        debug.field("seats", &self.seats).field("end", &self.end).finish_non_exhaustive()
    }
}

impl Board {
    /// Sets up a board at the moment `now`, before anything happens on it.
    pub(crate) fn new(
        rules: Arc<dyn Rules>,
        mut setup: Setup,
        seed: u64,
        now: Millis,
    ) -> Result<Self, StartError> {
        setup.check(&*rules)?;
        let mut session = match &setup.position {
            Some(position) => rules.start_from(position).map_err(OpenError::from)?,
            None => rules.start(),
        };
        let usual = setup.position.is_none() || rules.start().position() == session.position();
        setup.position = (!usual).then(|| session.position());
        let (mut past, mut draws) = (PackedPlies::default(), Vec::new());
        for (index, PastPly { token, spent, remark }) in
            std::mem::take(&mut setup.moves).into_iter().enumerate()
        {
            let mover = session.turn();
            let played = session.play(&token);
            let token = played.map_err(|error| OpenError::Move { number: index + 1, error })?;
            if mover == Turn::Chance {
                draws.push(index as u32);
            }
            let remark = remark.map(Remark::bounded);
            past.push(&PlyNote { mover, token: &token, spent, late: false, remark });
        }
        past.shrink();
        let mut clocks = Clocks::new(setup.policy.time.clone(), setup.seats.len());
        if !setup.clocks.is_empty() && !clocks.restore(&setup.clocks) {
            return Err(StartError::Clocks { given: setup.clocks.len(), seats: setup.seats.len() });
        }
        setup.clocks = clocks.carried().to_vec();
        let forfeits = setup.forfeits.iter();
        Ok(Self {
            seats: setup.seats.clone(),
            has_changed_hands: false,
            clocks,
            luck: Luck::new(seed),
            draws,
            past_plies: past.len(),
            past,
            played: Vec::new(),
            turn_began: now,
            stopped: None,
            is_paused: false,
            interruptions: vec![Interrupted::default(); setup.seats.len()],
            offer: None,
            forfeits: forfeits
                .map(|forfeit| (forfeit.clone(), setup.seats[forfeit.seat.index()].clone()))
                .collect(),
            end: None,
            log: PackedLog::default(),
            last_time: now,
            forced_pass: OnceLock::new(),
            setup,
            session,
            rules,
        })
    }

    /// The rules.
    pub fn rules(&self) -> &Arc<dyn Rules> {
        &self.rules
    }

    /// The game as it stands.
    pub fn session(&self) -> &dyn Session {
        &*self.session
    }

    /// Who sits where.
    pub fn seats(&self) -> &[Seat] {
        &self.seats
    }

    /// What holds outside the rules.
    pub fn policy(&self) -> &Policy {
        &self.setup.policy
    }

    /// What the game began with: who sat where, and what had been played before.
    pub fn setup(&self) -> Setup {
        let past = (0..self.past.len()).filter_map(|index| self.past.note(index));
        let ply =
            |note: PlyNote| PastPly { token: note.token.to_owned(), spent: note.spent, remark: note.remark };
        Setup { moves: past.map(ply).collect(), ..self.setup.clone() }
    }

    /// What fixes all randomness; not to be shown before the end.
    pub fn seed(&self) -> u64 {
        self.luck.seed()
    }

    /// What has happened on this board, without how the match began.
    pub fn events(&self) -> impl DoubleEndedIterator<Item = Event> {
        (0..self.log.len()).filter_map(|index| self.log.get(index))
    }

    /// The moment of the last event on this board.
    pub fn last_time(&self) -> Millis {
        self.last_time
    }

    /// Whether the people who sit there now have played all of the game, from its usual start on.
    pub fn is_played_through(&self) -> bool {
        let is_usual = self.setup.position.is_none() && self.past.len() == 0;
        is_usual && !self.has_changed_hands && self.seats.iter().any(Seat::is_person)
    }

    /// How the game has ended; `None` while it goes on.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// Whether the clocks are stopped by a pause.
    pub fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// The player to move; `None` if the game has ended.
    pub fn to_move(&self) -> Option<Player> {
        match self.session.turn() {
            Turn::Player(seat) if self.end.is_none() => Some(seat),
            _ => None,
        }
    }

    /// The seats that bots play on because their players have left the game, in the order of leaving.
    pub fn forfeits(&self) -> impl Iterator<Item = &Forfeit> {
        self.forfeits.iter().map(|(forfeit, _)| forfeit)
    }

    /// Whether the player of a seat has left the game.
    pub fn has_forfeited(&self, seat: Player) -> bool {
        self.forfeits().any(|forfeit| forfeit.seat == seat)
    }

    /// Who has offered a draw that still stands.
    pub fn draw_offer(&self) -> Option<Player> {
        self.offer.as_ref().filter(|offer| offer.kind == OfferKind::Draw).map(|offer| offer.by)
    }

    /// Who has asked for moves to be taken back, and how many plies would be left, if that is still to be answered.
    pub fn take_back_request(&self) -> Option<(Player, usize)> {
        match self.offer {
            Some(Offer { kind: OfferKind::TakeBack(to), by, .. }) => Some((by, to)),
            _ => None,
        }
    }

    /// The people who have agreed to what was offered or asked for.
    pub fn agreed(&self) -> impl Iterator<Item = Player> {
        let agreed = self.offer.as_ref().map_or(&[][..], |offer| &offer.agreed);
        let has_agreed = |seat: &Seat| seat.is_person() && agreed.contains(&seat.controller);
        self.players().filter(move |player| has_agreed(&self.seats[player.index()]))
    }

    /// How long the player to move has been thinking; what is given back for an interruption does not count.
    pub fn thinking_time(&self, now: Millis) -> Millis {
        let end = self.stopped.unwrap_or(now.max(self.last_time));
        end.minus(self.turn_began).minus(self.returned(end))
    }

    /// What is left on a player's clock; `None` without one.
    pub fn time_left(&self, seat: Player, now: Millis) -> Option<Millis> {
        let is_mover = self.session.turn() == Turn::Player(seat);
        let spent = if is_mover { self.thinking_time(now) } else { Millis::ZERO };
        let left = self.clocks.left(seat, spent).filter(|_| !self.has_forfeited(seat))?;
        let is_up =
            matches!(self.end, Some(End::Forfeit { seat: loser, reason: Fault::Time, .. }) if loser == seat);
        Some(if is_up { Millis::ZERO } else { left })
    }

    /// The clocks as they were when the player to move began to think.
    pub fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    /// What a bot should use for its next move. No clock runs for those who play on for others.
    pub fn limits(&self, seat: Player) -> Limits {
        if self.has_forfeited(seat) { Limits::default() } else { self.clocks.limits(seat) }
    }

    /// What is to fix the randomness of the bot on `seat` for the next ply: the same however often it is asked, and after
    /// the match was resumed.
    pub fn bot_seed(&self, seat: Player) -> u64 {
        self.luck.bot_seed(seat, self.session.len())
    }

    /// What is known about the ply with this index.
    pub fn ply(&self, index: usize) -> Option<PlyNote<'_>> {
        let Some(played) = index.checked_sub(self.past_plies) else { return self.past.note(index) };
        let note = self.log.note(*self.played.get(played)? as usize)?;
        Some(PlyNote { spent: note.spent.filter(|_| note.mover != Turn::Chance), ..note })
    }

    /// What is known about every ply, from the first on.
    pub fn plies(&self) -> impl DoubleEndedIterator<Item = PlyNote<'_>> {
        (0..self.session.len()).filter_map(|index| self.ply(index))
    }

    /// How many moves players have made; what chance drew does not count.
    pub fn moves_made(&self) -> usize {
        self.session.len() - self.draws.len()
    }

    /// How many of the first `ply` plies were moves of players.
    pub fn moves_before(&self, ply: usize) -> usize {
        let ply = ply.min(self.session.len());
        ply - self.draws.partition_point(|draw| (*draw as usize) < ply)
    }

    /// After how many plies the move with this index was made; how many there are if there are fewer moves.
    pub fn ply_of_move(&self, index: usize) -> usize {
        let (mut from, mut to) = (0, self.session.len());
        while from < to {
            let middle = from.midpoint(to);
            if self.moves_before(middle + 1) > index { to = middle } else { from = middle + 1 }
        }
        from
    }

    /// How far the only player has come; `None` where games are won and lost.
    pub fn standing(&self) -> Option<Standing> {
        self.session.standing()
    }

    /// The seats from first place to last, those that share a place together; empty while the game goes on and after one
    /// without a result. Players who have left the game are ranked behind all who have not, and behind those who left later.
    pub fn ranking(&self) -> Vec<Vec<Player>> {
        let mut left: Vec<Player> = self.forfeits().map(|forfeit| forfeit.seat).collect();
        let mut places = match &self.end {
            None | Some(End::Aborted { .. }) => return Vec::new(),
            Some(End::Rules { .. }) => self.session.ranking(),
            Some(End::Agreed | End::Goal) => vec![self.players().collect()],
            Some(End::Forfeit { seat, .. }) => {
                left.retain(|known| known != seat);
                left.push(*seat);
                vec![self.players().collect()]
            }
        };
        for place in &mut places {
            place.retain(|seat| !left.contains(seat));
        }
        places.retain(|place| !place.is_empty());
        places.extend(left.into_iter().rev().map(|seat| vec![seat]));
        places
    }

    /// Gives back the room that more events could have taken.
    pub(crate) fn shrink(&mut self) {
        self.log.shrink();
        self.played.shrink_to_fit();
        self.draws.shrink_to_fit();
    }

    pub(crate) fn players(&self) -> impl Iterator<Item = Player> + use<> {
        (0..self.seats.len() as u8).map(Player)
    }
}
