//! The bots of a board, in their threads.

use std::sync::Arc;
use std::time::Duration;

use agon_core::Player;
use agon_erased::{Budget, Clock, SpecificationError, Thought};
use agon_match::{Board, Occupant};
use agon_players::{News, Thinker, player};
use agon_table::{BotNews, BotQuestion};

/// The bots of a board.
pub(super) struct Bots {
    /// One for each seat; none for people, and for bots that have not been asked yet.
    thinkers: Vec<Option<Thinker>>,
    /// What the table wants to know.
    question: Option<BotQuestion>,
    /// Whether a bot has been asked that.
    is_asked: bool,
    /// What the bot that thinks, or thought last, knows.
    pub(super) live: Option<Thought<String>>,
    /// Whether they have been told that the game is over.
    is_concluded: bool,
}

impl Bots {
    /// The bots that play on `board`, ready to be asked.
    pub(super) fn new(board: &Board) -> Result<Self, SpecificationError> {
        let mut thinkers = Vec::with_capacity(board.seats().len());
        for (index, seat) in board.seats().iter().enumerate() {
            let seed = board.bot_seed(Player(index as u8));
            thinkers.push(match &seat.occupant {
                Occupant::Person => None,
                other => {
                    let bot = player(&**board.rules(), other, seed)?;
                    Some(Thinker::ready(board.rules().clone(), other.clone(), seed, bot))
                }
            });
        }
        Ok(Self { thinkers, question: None, is_asked: false, live: None, is_concluded: false })
    }

    /// Takes a question of the table.
    pub(super) fn take(&mut self, question: BotQuestion) {
        self.question = Some(question);
        self.is_asked = false;
        self.is_concluded = false;
    }

    /// Forgets the question of this number.
    pub(super) fn cancel(&mut self, number: u64) {
        if let Some(question) = self.question.take_if(|question| question.number == number) {
            self.live = None;
            if let Some(thinker) = &mut self.thinkers[question.seat.index()] {
                thinker.cancel();
            }
        }
    }

    /// Whether there is a question to be answered.
    pub(super) fn is_asked(&self) -> bool {
        self.question.is_some()
    }

    /// Lets the bot think that is asked, and gives what is heard of it and the number of the question. It is waited for no longer than
    /// `patience`.
    pub(super) fn news(&mut self, clock: &Arc<dyn Clock>, patience: Duration) -> Option<(u64, BotNews)> {
        let question = self.question.as_ref()?;
        let number = question.number;
        let slot = &mut self.thinkers[question.seat.index()];
        // Another one if somebody else sits there now.
        slot.take_if(|thinker| *thinker.occupant() != question.occupant);
        let thinker = slot.get_or_insert_with(|| {
            Thinker::lazy(Arc::clone(&question.rules), question.occupant.clone(), question.seed)
        });
        if !self.is_asked {
            // The rest of a question that nobody asks any more.
            let _ = thinker.news(Duration::ZERO);
            let clock = Arc::clone(clock);
            let budget = Budget { clock, seed: Some(question.seed), ..Budget::new(question.limits) };
            self.is_asked = thinker.is_free() && thinker.ask(&*question.session, question.seat, budget);
            if self.is_asked {
                self.live = None;
            }
        }
        let news = match thinker.news(patience)? {
            News::Thought(thought) => BotNews::Thought(thought),
            News::Answer(thought, spent) => BotNews::Answer(thought, spent),
            News::Failure(reason) => BotNews::Failed(reason),
        };
        if let BotNews::Thought(thought) | BotNews::Answer(thought, _) = &news {
            self.live = Some(thought.clone());
        }
        if matches!(news, BotNews::Answer(..) | BotNews::Failed(_)) {
            self.question = None;
        }
        Some((number, news))
    }

    /// Makes the bot that is thinking answer at once.
    pub(super) fn hurry(&self) {
        for thinker in self.thinkers.iter().flatten() {
            thinker.hurry();
        }
    }

    /// Has the bot of a seat be built anew.
    pub(super) fn renew(&mut self, seat: Player) {
        if let Some(thinker) = &mut self.thinkers[seat.index()] {
            thinker.renew();
        }
    }

    /// Removes the bot of a seat.
    pub(super) fn dismiss(&mut self, seat: Player) {
        self.thinkers[seat.index()] = None;
    }

    /// Tells them once that the game on `board` is over.
    pub(super) fn conclude(&mut self, board: &Board) {
        if std::mem::replace(&mut self.is_concluded, true) {
            return;
        }
        for (index, thinker) in self.thinkers.iter_mut().enumerate() {
            if let Some(thinker) = thinker {
                thinker.conclude(board.session(), Player(index as u8));
            }
        }
    }
}
