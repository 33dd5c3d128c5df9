//! How a game goes on by itself: chance draws, people who can only pass do so, bots think and move, clocks run out.

use std::sync::Arc;
use std::time::Duration;

use agon_core::random::RandomSource;
use agon_core::{MoveError, Player, Turn};
use agon_match::Millis;
use agon_players::News;
use agon_registry::{Budget, Thought};

use super::{Event, Forfeit, Note, Table};

/// A bot is not late if the machine was busy for so long.
const LATENESS: Duration = Duration::from_millis(100);

impl Table {
    /// Does what can be done now, waiting for a bot no longer than `patience`.
    pub fn advance(&mut self, patience: Duration) -> Option<Event> {
        if self.is_over() {
            self.conclude();
            return None;
        }
        match self.session.turn() {
            Turn::Chance => self.draw(),
            Turn::Player(player) if self.seats[player.index()].is_human() => self.attend(player),
            Turn::Player(player) => self.consult(player, patience),
        }
    }

    /// Lets chance act as long as it is its turn, so that a quick player's next key finds the game ready.
    pub fn draw_all(&mut self) {
        while !self.is_over() && self.session.turn() == Turn::Chance && self.draw().is_some() {}
    }

    fn draw(&mut self) -> Option<Event> {
        let number =
            self.number(self.session.movers().iter().filter(|mover| **mover == Turn::Chance).count());
        let note = self.note(None);
        let token = self.session.draw(number)?;
        self.notes.push(note);
        self.turn_began = self.clock.now();
        Some(Event::Played { mover: Turn::Chance, token, is_pass: false })
    }

    /// The number from which the draw with this index is made.
    fn number(&mut self, index: usize) -> u64 {
        let (known, source) = &mut self.numbers;
        while known.len() <= index {
            known.push(source.next_u64());
        }
        known[index]
    }

    /// Waits on a person: who can only pass does so, and who has no time left has lost.
    fn attend(&mut self, player: Player) -> Option<Event> {
        if self.is_late(player) {
            return Some(self.time_up(player));
        }
        // Cheap unless there is just one move.
        if self.session.legal().len() != 1 {
            return None;
        }
        let (token, step) = self.session.steps().pop()?;
        if !step.is_pass() {
            return None;
        }
        self.commit(&token, None, Duration::ZERO).ok()?;
        Some(Event::Played { mover: Turn::Player(player), token, is_pass: true })
    }

    fn is_late(&self, player: Player) -> bool {
        self.time_left(player).is_some_and(|left| left.is_zero())
    }

    fn time_up(&mut self, player: Player) -> Event {
        self.forfeit = Some(Forfeit::Time(player));
        self.silence();
        Event::TimeUp(player)
    }

    /// Lets a bot think, or plays what it has found.
    fn consult(&mut self, player: Player, patience: Duration) -> Option<Event> {
        if self.failure.is_some() || self.pause == Some(0) {
            return None;
        }
        if let Some((thought, time)) = self.held.take() {
            if self.spent() < self.pace {
                self.held = Some((thought, time));
                return None;
            }
            return self.answer(player, thought, time);
        }
        let limits = self.clocks.limits(player);
        let session = &*self.session;
        let thinker = self.seats[player.index()].thinker.as_mut()?;
        if !thinker.is_thinking() {
            // The rest of a question that nobody asks any more.
            let _ = thinker.news(Duration::ZERO);
            if thinker.is_free() {
                let budget = Budget { clock: Arc::clone(&self.clock), ..Budget::new(limits) };
                self.live = None;
                self.turn_began = self.clock.now();
                thinker.ask(session, player, budget);
            }
        }
        match thinker.news(patience)? {
            News::Thought(thought) => {
                self.live = Some(thought);
                Some(Event::Thought)
            }
            News::Answer(thought, time) => {
                if self
                    .clocks
                    .left(player, time.saturating_sub(LATENESS).into())
                    .is_some_and(|left| left == Millis::ZERO)
                {
                    return Some(self.time_up(player));
                }
                if self.spent() < self.pace {
                    self.live = Some(thought.clone());
                    self.held = Some((thought, time));
                    return Some(Event::Thought);
                }
                self.answer(player, thought, time)
            }
            News::Failure(reason) => {
                self.failure = Some((player, reason));
                Some(Event::Failed(player))
            }
        }
    }

    fn answer(&mut self, player: Player, thought: Thought<String>, time: Duration) -> Option<Event> {
        let token = thought.best.clone();
        let before = self.session.steps();
        let is_pass = before.iter().any(|(name, step)| *name == token && step.is_pass());
        self.live = Some(thought.clone());
        if let Err(error) = self.commit(&token, Some(thought), time) {
            self.failure = Some((player, error.to_string()));
            return Some(Event::Failed(player));
        }
        if let Some(steps) = &mut self.pause {
            *steps = steps.saturating_sub(1);
        }
        Some(Event::Played { mover: Turn::Player(player), token, is_pass })
    }

    pub(super) fn note(&self, thought: Option<Thought<String>>) -> Note {
        Note { time: Duration::ZERO, thought, clocks: self.clocks.clone() }
    }

    pub(super) fn commit(
        &mut self,
        token: &str,
        thought: Option<Thought<String>>,
        time: Duration,
    ) -> Result<(), MoveError> {
        let mover = self.session.turn();
        let note = Note { time, ..self.note(thought) };
        self.session.play(token)?;
        self.notes.push(note);
        if let Turn::Player(player) = mover {
            self.clocks.spend(player, time.into());
        }
        self.turn_began = self.clock.now();
        Ok(())
    }
}
