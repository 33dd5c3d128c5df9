//! What an evaluation sees in a position: the reasons for an opinion, one by one.

use agon_core::Turn;
use agon_erased::{BotSpec, Feature, Rules, Session, SpecificationError};
use agon_match::Occupant;
use agon_protocol::web::tree::{FeatureAnswer, FeatureState, FeatureWorth};

use crate::score::ScoreScale;

/// The simplest bot that judges.
const PLAIN: &str = "greedy";

/// Whose reasons are wanted.
#[derive(Clone, Copy, Debug)]
pub enum Judge<'a> {
    /// Those of the game's best evaluation that people can read.
    Best,
    /// Those of the evaluation of this name.
    Evaluation(&'a str),
    /// Those of the evaluation of this bot, with its weights.
    Bot(&'a BotSpec),
}

/// The evaluation that is asked about, and the bot that tells its reasons, or those of another one where nobody could read them.
///
/// # Errors
/// If the game has no such evaluation or bot.
pub fn judging_bot(rules: &dyn Rules, judge: Judge) -> Result<(String, BotSpec), SpecificationError> {
    let plain = |evaluation: &str| BotSpec::named(PLAIN).with("eval", evaluation);
    Ok(match judge {
        Judge::Best => {
            let best = rules.evaluations().first().map_or("", |best| best.name);
            (best.to_owned(), plain(rules.readable_evaluation(best))?)
        }
        Judge::Evaluation(name) => (name.to_owned(), plain(name)?),
        Judge::Bot(spec) => {
            let linear = rules.linear(spec)?;
            let readable = rules.readable_evaluation(&linear.evaluation);
            let mut bot = plain(readable)?;
            if readable == linear.evaluation && !linear.weights.is_empty() {
                let weights = linear.weights.iter().map(|weight| format!("{}:{}", weight.name, weight.value));
                bot = bot.with("weights", weights.collect::<Vec<_>>().join("+"))?;
            }
            (linear.evaluation, bot)
        }
    })
}

/// What a judge sees in `session`, a game of `rules`. Where nobody could read the reasons of a bot, those of another evaluation are shown,
/// and the answer says so. What has no weight is left out.
///
/// # Errors
/// If the game has no such evaluation or bot.
pub fn features(
    rules: &dyn Rules,
    session: &dyn Session,
    judge: Judge,
) -> Result<FeatureAnswer, SpecificationError> {
    let names: Vec<String> = rules.evaluations().iter().map(|known| known.name.to_owned()).collect();
    let (own, bot) = judging_bot(rules, judge)?;
    let evaluation = bot.value("eval").unwrap_or_default().to_owned();
    let seat = match session.turn() {
        Turn::Player(player) if session.outcome().is_none() => Some(player.index()),
        _ => None,
    };
    // A bot that does not judge has no reasons either.
    let has_reasons = seat.is_some() && !own.is_empty();
    let found = if has_reasons { rules.bot(&bot, 0)?.features(session) } else { Vec::new() };
    let state = |Feature { name, value, weight }: Feature| FeatureState {
        name: rules.spec().messages.say(feature_key(name), []),
        value,
        weight,
        product: value * weight,
    };
    let counted = found.into_iter().filter(|feature| feature.weight != 0.0);
    let mut features: Vec<FeatureState> = counted.map(state).collect();
    features.sort_by(|one, other| other.product.abs().total_cmp(&one.product.abs()));
    let total = features.iter().map(|feature| feature.product).sum();
    let scale = ScoreScale::of(rules, &Occupant::Bot(bot));
    Ok(FeatureAnswer {
        stands_for: Some(own).filter(|own| *own != evaluation && !own.is_empty()),
        evaluation,
        evaluations: names,
        seat,
        features,
        total,
        worth: has_reasons.then(|| FeatureWorth {
            value: scale.value(total),
            unit: scale.name(),
            one: scale.one(),
        }),
    })
}

/// The key of the message that says what the feature called `name` is: `feature.` and the name in small letters, its words joined by
/// hyphens.
pub fn feature_key(name: &str) -> String {
    let word = |word: &str| word.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
    let words: Vec<String> = name.to_lowercase().split([' ', '-']).map(word).collect();
    format!("feature.{}", words.join("-"))
}
