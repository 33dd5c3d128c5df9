//! What moves a match forward without a person: bots in their threads, and forced passes.

use std::time::Duration;

use agon_core::Player;
use agon_erased::{Budget, SpecificationError, Thought};
use agon_match::{Action, Match, Millis, Move, Occupant};
use agon_players::{News, Thinker, player};

use super::time::TimeLine;

/// What moves a match on without a person.
pub(super) enum Initiative {
    /// Something is to be done.
    Act(Action),
    /// The bot that is thinking has found out more.
    Thought,
    /// A bot has failed.
    Failed(Player),
}

/// The bots of a match.
pub(super) struct Bots {
    /// One for each seat; none for people, and for bots that have not been asked yet.
    thinkers: Vec<Option<Thinker>>,
    /// What the bot that thinks, or thought last, knows.
    pub(super) live: Option<Thought<String>>,
    /// A move held back by the pace, and the time it took.
    held: Option<(Thought<String>, Duration)>,
    /// The seat whose bot has failed, and why.
    pub(super) failure: Option<(Player, String)>,
    /// Whether they have been told that the game is over.
    is_concluded: bool,
    /// The least time from one move to the next.
    pub(super) pace: Duration,
    /// How long a person who can only pass is given to notice it.
    pub(super) pass_pause: Duration,
    /// Whether they are to wait, and how many moves they may make nevertheless.
    pub(super) pause: Option<u32>,
}

impl Bots {
    /// The bots that play in `game`, ready to be asked.
    pub(super) fn new(game: &Match) -> Result<Self, SpecificationError> {
        let mut thinkers = Vec::with_capacity(game.seats().len());
        for (index, seat) in game.seats().iter().enumerate() {
            let seed = game.bot_seed(Player(index as u8));
            thinkers.push(match &seat.occupant {
                Occupant::Person => None,
                other => {
                    let bot = player(&**game.rules(), other, seed)?;
                    Some(Thinker::ready(game.rules().clone(), other.clone(), seed, bot))
                }
            });
        }
        Ok(Self {
            thinkers,
            live: None,
            held: None,
            failure: None,
            is_concluded: false,
            pace: Duration::ZERO,
            pass_pause: Duration::ZERO,
            pause: None,
        })
    }

    /// Stops the clocks while a bot is to move that waits or has failed, and lets them run otherwise.
    pub(super) fn clock_action(&self, game: &Match) -> Option<Action> {
        let is_bot = !game.seats()[game.to_move()?.index()].is_person();
        match (is_bot && self.waits(), game.is_paused()) {
            (true, false) => Some(Action::Pause),
            (false, true) => Some(Action::Resume),
            _ => None,
        }
    }

    /// How `game` goes on by itself, waiting for a bot no longer than `patience`; `None` if it does not now.
    pub(super) fn next(&mut self, game: &Match, time: &TimeLine, patience: Duration) -> Option<Initiative> {
        let Some(seat) = game.to_move() else {
            self.conclude(game);
            return None;
        };
        self.is_concluded = false;
        if game.seats()[seat.index()].is_person() {
            return attend(game, time.now(), self.pass_pause).map(Initiative::Act);
        }
        // Nobody moves while the clocks are stopped.
        if self.waits() || game.is_paused() { None } else { self.consult(game, seat, time, patience) }
    }

    /// Whether they do not go on before somebody says so.
    fn waits(&self) -> bool {
        self.failure.is_some() || self.pause == Some(0)
    }

    /// Lets a bot think, or plays what it has found.
    fn consult(
        &mut self,
        game: &Match,
        seat: Player,
        time: &TimeLine,
        patience: Duration,
    ) -> Option<Initiative> {
        if let Some((thought, spent)) = self.held.take() {
            return self.release(game, seat, (thought, spent), time, patience);
        }
        let thinker = self.thinker(game, seat);
        if !thinker.is_thinking() {
            // The rest of a question that nobody asks any more.
            let _ = thinker.news(Duration::ZERO);
            if thinker.is_free() {
                let budget = Budget {
                    clock: time.clock(),
                    seed: Some(game.bot_seed(seat)),
                    ..Budget::new(game.limits(seat))
                };
                thinker.ask(game.session(), seat, budget);
                self.live = None;
            }
        }
        match self.thinker(game, seat).news(patience)? {
            News::Thought(thought) => {
                self.live = Some(thought);
                Some(Initiative::Thought)
            }
            News::Answer(thought, spent) => {
                self.live = Some(thought.clone());
                self.release(game, seat, (thought, spent), time, Duration::ZERO)
            }
            News::Failure(reason) => Some(self.fail(seat, reason)),
        }
    }

    /// The thinker of a seat that no person holds, another one if somebody else sits there now.
    fn thinker(&mut self, game: &Match, seat: Player) -> &mut Thinker {
        let occupant = &game.seats()[seat.index()].occupant;
        let slot = &mut self.thinkers[seat.index()];
        slot.take_if(|thinker| thinker.occupant() != occupant);
        slot.get_or_insert_with(|| Thinker::lazy(game.rules().clone(), occupant.clone(), game.bot_seed(seat)))
    }

    /// Plays a move that has been found, or holds it until the pace allows it.
    fn release(
        &mut self,
        game: &Match,
        seat: Player,
        (thought, spent): (Thought<String>, Duration),
        time: &TimeLine,
        patience: Duration,
    ) -> Option<Initiative> {
        let left = self.pace.saturating_sub(game.thinking_time(time.now()).into());
        if !left.is_zero() {
            self.held = Some((thought, spent));
            std::thread::sleep(left.min(patience));
            return None;
        }
        if let Some(steps) = &mut self.pause {
            *steps = steps.saturating_sub(1);
        }
        Some(Initiative::Act(Action::Move(Move::of_thought(seat, &thought, spent.into()))))
    }

    /// Notes that the bot on `seat` cannot go on.
    pub(super) fn fail(&mut self, seat: Player, reason: String) -> Initiative {
        self.failure = Some((seat, reason));
        Initiative::Failed(seat)
    }

    /// Cancels their questions.
    pub(super) fn silence(&mut self) {
        (self.held, self.live, self.failure) = (None, None, None);
        for thinker in self.thinkers.iter_mut().flatten() {
            thinker.cancel();
        }
    }

    /// Makes the bot that is thinking answer at once.
    pub(super) fn hurry(&self) {
        for thinker in self.thinkers.iter().flatten() {
            thinker.hurry();
        }
    }

    /// Rebuilds the one that failed.
    pub(super) fn retry(&mut self) {
        if let Some((seat, _)) = self.failure.take()
            && let Some(thinker) = &mut self.thinkers[seat.index()]
        {
            thinker.renew();
        }
    }

    /// Removes the bot of a seat.
    pub(super) fn dismiss(&mut self, seat: Player) {
        self.thinkers[seat.index()] = None;
    }

    /// Tells them once that the game is over.
    fn conclude(&mut self, game: &Match) {
        if std::mem::replace(&mut self.is_concluded, true) {
            return;
        }
        for (index, thinker) in self.thinkers.iter_mut().enumerate() {
            if let Some(thinker) = thinker {
                thinker.conclude(game.session(), Player(index as u8));
            }
        }
    }
}

/// Waits for the person to move: one who can only pass does so after `pass_pause`, and one who has no time left has lost.
pub(super) fn attend(game: &Match, now: Millis, pass_pause: Duration) -> Option<Action> {
    let seat = game.to_move()?;
    let is_due = game.due().is_some_and(|due| due <= now);
    let has_noticed = Duration::from(game.thinking_time(now)) >= pass_pause;
    // Nobody loses on time for having been shown that there is no move.
    let pass = if has_noticed || is_due { forced_pass(game, seat) } else { None };
    pass.or(is_due.then_some(Action::Tick))
}

/// The pass of a player who has no other move; it takes no time on the clock.
pub(super) fn forced_pass(game: &Match, seat: Player) -> Option<Action> {
    // Cheap unless there is just one move.
    if game.is_paused() || game.session().legal().len() != 1 {
        return None;
    }
    let (token, _) = game.session().steps().pop().filter(|(_, step)| step.is_pass())?;
    Some(Action::Move(Move { spent: Some(Millis::ZERO), ..Move::new(seat, token) }))
}
