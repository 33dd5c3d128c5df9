//! What visitors may ask of bots.

use std::time::Duration;

use agon_core::text::{duration, duration_text, number};
use agon_erased::{BotSpec, Rules};
use agon_match::Occupant;
use agon_messages::Refused;
use agon_messages::reasons::bad_bot;
use agon_protocol::web::RefusalCode;

/// The most that a visitor's bot may use.
#[derive(Clone, Copy, Debug)]
pub struct BotLimits {
    /// Time for a move.
    pub time: Duration,
    /// Memory of a transposition table or a search tree, in MB.
    pub memory: u32,
    /// Plies to look ahead.
    pub depth: u32,
    /// Moves that are given their exact scores.
    pub multi: u32,
    /// Threads that search together.
    pub threads: u32,
}

impl Default for BotLimits {
    fn default() -> Self {
        Self { time: Duration::from_secs(10), memory: 32, depth: 60, multi: 20, threads: 1 }
    }
}

impl BotLimits {
    /// How long `spec` may think about a move for which its game sets `given`: its own limit if it has one, a second if it has no limit
    /// at all, and never more than visitors may ask for.
    pub fn time(&self, rules: &dyn Rules, spec: &BotSpec, given: Option<Duration>) -> Duration {
        let own = |key: &str| setting(rules, spec, key);
        let time = own("time").and_then(|text| duration(&text).ok());
        let is_limited = ["depth", "nodes"].into_iter().any(|key| own(key).is_some());
        let usual = if is_limited { self.time } else { Duration::from_secs(1) };
        time.or(given).unwrap_or(usual).min(given.unwrap_or(self.time)).min(self.time)
    }

    /// The same player with no more memory and threads than visitors may ask for, also where its own settings are more generous.
    pub fn fitted(&self, rules: &dyn Rules, occupant: Occupant) -> Occupant {
        let Occupant::Bot(mut spec) = occupant else { return occupant };
        let most = MEMORY_KEYS.map(|key| (key, self.memory)).into_iter().chain([("threads", self.threads)]);
        for (key, most) in most {
            let own = setting(rules, &spec, key).and_then(|text| number(&text, 0..=u64::MAX).ok());
            if own.is_some_and(|own| own > u64::from(most))
                && let Ok(fitted) = spec.with(key, most)
            {
                spec = fitted;
            }
        }
        Occupant::Bot(spec)
    }
}

/// The settings of bots that say how much memory they take, in MB.
const MEMORY_KEYS: [&str; 2] = ["tt", "memory"];

/// What a bot is set to, by whoever asks for it or by its own settings; `None` if it is off, or neither says so.
fn setting(rules: &dyn Rules, spec: &BotSpec, key: &str) -> Option<String> {
    let bots = rules.bots();
    let preset = bots.iter().find(|bot| bot.name == spec.name()).map_or("", |bot| bot.settings);
    let set = preset.split(',').find_map(|pair| pair.strip_prefix(key)?.strip_prefix('='));
    spec.value(key).or(set).filter(|value| *value != "off").map(str::to_owned)
}

/// Whether a visitor may have `text` play a seat, and who that is.
///
/// # Errors
/// If there is no such bot, it is a program, or asks for too much.
pub fn check_bot(rules: &dyn Rules, text: &str, limits: &BotLimits) -> Result<Occupant, Refused> {
    let no_bot = |reason: String| Refused::because(RefusalCode::Invalid, "refused.bot", reason);
    let occupant: Occupant = text.parse().map_err(|error| no_bot(format!("{error}")))?;
    match &occupant {
        Occupant::Person => {}
        Occupant::Program(_) => return Err(Refused::plain(RefusalCode::Forbidden, "refused.program")),
        Occupant::Bot(spec) => {
            for (key, value) in spec.settings() {
                check_setting(key, value, limits)?;
            }
            rules.bot(spec, 0).map_err(|error| bad_bot(rules, spec, &error))?;
        }
    }
    Ok(occupant)
}

fn check_setting(key: &str, value: &str, limits: &BotLimits) -> Result<(), Refused> {
    let too_much = |limit: String| {
        Err(Refused::new(
            RefusalCode::Limit,
            "refused.setting",
            [("key", key.to_owned().into()), ("limit", limit.into())],
        ))
    };
    let most = match key {
        "time" if duration(value).is_ok_and(|time| time > limits.time) => {
            return too_much(duration_text(limits.time));
        }
        _ if MEMORY_KEYS.contains(&key) => limits.memory,
        "depth" => limits.depth,
        "multi" => limits.multi,
        "threads" => limits.threads,
        _ => return Ok(()),
    };
    // What is no number is refused by the bot itself.
    match number(value, 0..=u64::MAX) {
        Ok(value) if value > u64::from(most) => too_much(most.to_string()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn othello() -> std::sync::Arc<dyn Rules> {
        agon_registry::GAMES.rules("othello", "").expect("othello")
    }

    #[test]
    fn visitors_get_what_they_may_have() {
        let (rules, limits) = (othello(), BotLimits::default());
        for good in ["human", "easy", "expert:time=1s", "alphabeta:tt=32,depth=8", "s5-beginner"] {
            check_bot(&*rules, good, &limits).expect(good);
        }
        for (bad, code) in [
            ("jsonl:rm -rf x", RefusalCode::Forbidden),
            // Weights come from files on the command line only.
            ("alphabeta:eval=features,weights=/etc/passwd", RefusalCode::Invalid),
            ("alphabeta:eval=features,weights=weights.toml", RefusalCode::Invalid),
            ("gtp:gnugo", RefusalCode::Forbidden),
            ("expert:tt=33", RefusalCode::Limit),
            ("expert:time=11s", RefusalCode::Limit),
            ("alphabeta:depth=61", RefusalCode::Limit),
            ("mcts:memory=4096", RefusalCode::Limit),
            ("expert:multi=400", RefusalCode::Limit),
            ("expert:threads=2", RefusalCode::Limit),
            ("mcts:threads=4294967296", RefusalCode::Limit),
            ("mcts:threads=0", RefusalCode::Invalid),
            ("exprt", RefusalCode::Invalid),
            ("", RefusalCode::Invalid),
        ] {
            let refused = check_bot(&*rules, bad, &limits).expect_err(bad);
            assert_eq!(refused.code, code, "{bad}: {}", refused.message.text);
        }
        let near = check_bot(&*rules, "exprt", &limits).expect_err("there is no such bot");
        assert!(near.message.text.contains("expert"), "{}", near.message.text);
    }

    #[test]
    fn memory_and_threads_are_bounded_whatever_the_bot() {
        let (rules, limits) = (othello(), BotLimits::default());
        let fitted = |text: &str| limits.fitted(&*rules, text.parse().expect(text)).to_string();
        assert_eq!(fitted("expert"), "expert:tt=32", "its own settings say 64");
        assert_eq!(fitted("expert:tt=1"), "expert:tt=1");
        assert_eq!(fitted("alphabeta:tt=64"), "alphabeta:tt=32", "a game of an older version");
        assert_eq!(fitted("mcts:threads=8"), "mcts:threads=1", "a bound that was lowered since");
        for small in ["human", "easy", "expert:tt=off,threads=1"] {
            assert_eq!(fitted(small), small);
        }
    }

    #[test]
    fn time_is_bounded_whatever_the_bot() {
        let (rules, limits) = (othello(), BotLimits::default());
        let time = |spec: &str, given: Option<u64>| {
            let spec: BotSpec = spec.parse().expect(spec);
            limits.time(&*rules, &spec, given.map(Duration::from_secs)).as_secs_f64()
        };
        assert_eq!(time("alphabeta", None), 1.0, "a bot without any limit takes a second");
        assert_eq!(time("alphabeta:depth=20", None), 10.0);
        assert_eq!(time("alphabeta:time=2s", None), 2.0);
        assert_eq!(time("alphabeta:time=2s", Some(1)), 1.0, "the clock of the game comes first");
        assert_eq!(time("alphabeta", Some(5)), 5.0);
        assert_eq!(time("alphabeta", Some(60)), 10.0);
    }
}
