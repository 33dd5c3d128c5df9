//! A bot's move, from the question to the answer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_core::Player;
use agon_erased::{Bot, Budget, Limits, Rules, Session, Thought};
use agon_match::Occupant;
use agon_players::{guarded, player};
use agon_table::BotNews;

use super::pool::Worker;

/// How often a table hears what its bot thinks.
const NEWS_EVERY: Duration = Duration::from_millis(200);
/// What a bot is given to think in any case, so that it looks at its moves at all.
const SHORTEST: Duration = Duration::from_millis(5);

/// For whom a bot thinks. One that has thought for the same before still knows what it found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotKey {
    /// The table.
    pub table: String,
    /// The board.
    pub board: usize,
    /// The seat.
    pub seat: Player,
    /// Who plays there.
    pub occupant: Occupant,
}

/// What a bot is asked.
pub struct Question {
    /// For whom.
    pub key: BotKey,
    /// The rules.
    pub rules: Arc<dyn Rules>,
    /// The game as it stands.
    pub session: Box<dyn Session>,
    /// What fixes its randomness.
    pub seed: u64,
    /// The most time that it may take.
    pub time: Duration,
    /// Whether a judgement is wanted rather than a move to be played.
    pub is_analysis: bool,
}

/// Answers a question in a thread of the pool; `tell` hears of it at most five times a second.
pub fn think(worker: &mut Worker, question: &Question, mut tell: impl FnMut(BotNews)) {
    tell(BotNews::Waiting(0));
    let began = Instant::now();
    let answer = answer(worker, question, began, &mut tell);
    tell(match answer {
        Ok(thought) => BotNews::Answer(thought, began.elapsed()),
        Err(reason) => BotNews::Failed(reason),
    });
}

fn answer(
    worker: &mut Worker,
    question: &Question,
    began: Instant,
    tell: &mut impl FnMut(BotNews),
) -> Result<Thought<String>, String> {
    let Question { key, rules, session, seed, time, is_analysis } = question;
    // The memory of the last bot is given back before another one takes its own.
    let kept = worker.kept.take().filter(|(known, _)| known == key);
    let mut bot: Box<dyn Bot> = match kept {
        Some((_, bot)) => bot,
        None => player(&**rules, &key.occupant, *seed).map_err(|error| error.to_string())?,
    };
    let budget = Budget {
        stop: Arc::clone(&worker.stop),
        seed: Some(*seed),
        is_analysis: *is_analysis,
        ..Budget::new(Limits::of_time(time_to_think(*time, worker.allowed, began.elapsed())))
    };
    let mut told = began;
    let thought = guarded(|| {
        bot.think(&**session, &budget, &mut |thought| {
            if is_news(&mut told, Instant::now()) {
                tell(BotNews::Thought(thought.clone()));
            }
        })
    });
    let thought = thought.map_err(|error| error.to_string())?;
    // One that has failed is not asked again.
    worker.kept = Some((key.clone(), bot));
    Ok(thought)
}

/// How long a bot may think that may take `time` on its own. Where others wait it gets what is left of its turn after making the bot,
/// which took `spent`: those who wait do not care what a thread is busy with.
fn time_to_think(time: Duration, allowed: Option<Duration>, spent: Duration) -> Duration {
    allowed.map_or(time, |allowed| allowed.saturating_sub(spent).max(SHORTEST).min(time))
}

/// Whether what is thought `now` is to be told, which was done last at `told`.
fn is_news(told: &mut Instant, now: Instant) -> bool {
    let is_due = now.duration_since(*told) >= NEWS_EVERY;
    if is_due {
        *told = now;
    }
    is_due
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_includes_making_the_bot() {
        let millis = Duration::from_millis;
        assert_eq!(time_to_think(millis(900), None, millis(40)), millis(900), "nobody waits");
        assert_eq!(time_to_think(millis(900), Some(millis(90)), millis(40)), millis(50));
        assert_eq!(time_to_think(millis(900), Some(millis(90)), millis(200)), SHORTEST);
        assert_eq!(
            time_to_think(millis(10), Some(millis(90)), millis(40)),
            millis(10),
            "its own limit holds"
        );
    }

    #[test]
    fn thoughts_are_told_five_times_a_second() {
        let began = Instant::now();
        let mut told = began;
        let moments = (0..3000).map(|millis| began + Duration::from_millis(millis));
        let heard = moments.filter(|now| is_news(&mut told, *now)).count();
        assert_eq!(heard, 14, "after 0.2, 0.4, ... 2.8 seconds");
    }
}
