//! Weights of evaluations: what a bot's are, and sets of them that have a name.

use agon_core::text::{advice, quote};
use agon_core::{Options, OptionsError};
use agon_search::Weight;
use agon_search::parameters::WEIGHTS;

use crate::expertise::WeightSet;

/// The evaluation by which a bot judges, and the weights that can be set.
#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    /// The evaluation's name; empty if the bot does not judge.
    pub evaluation: String,
    /// Its weights as the bot has them; none unless it is a sum of named features.
    pub weights: Vec<Weight>,
    /// The lead that wins about three games in four.
    pub scale: f64,
}

/// The `options` of a bot that judges by `evaluation`, with a named set of weights replaced by what is in it: `tuned+danger:4` is the set
/// `tuned`, except for one weight.
///
/// # Errors
/// If the evaluation has no set of that name.
pub(crate) fn resolve(
    options: Options,
    evaluation: &str,
    sets: &'static [WeightSet],
) -> Result<Options, OptionsError> {
    let Some(text) = options.declares(WEIGHTS.key).then(|| options.value(WEIGHTS.key)).flatten() else {
        return Ok(options);
    };
    let (name, rest) = text.split_once('+').unwrap_or((text, ""));
    let fitting = || sets.iter().filter(|set| set.evaluation == evaluation);
    // Without a set, what is no weight is refused where weights are set.
    if name.contains(':') || name.is_empty() || fitting().next().is_none() {
        return Ok(options);
    }
    let Some(set) = fitting().find(|set| set.name == name) else {
        let advice = advice(name, fitting().map(|set| set.name));
        let fault = format!(
            "weights: {} is neither of the form NAME:NUMBER nor a set of weights for {evaluation}; {advice}",
            quote(name)
        );
        return Err(OptionsError::new(fault));
    };
    let changed = |weight: &str| weight.split(':').next().unwrap_or_default().to_owned();
    let given: Vec<String> = rest.split('+').map(changed).collect();
    let kept = set.weights.split('+').filter(|weight| !given.contains(&changed(weight)));
    let all: Vec<&str> = kept.chain(rest.split('+').filter(|weight| !weight.is_empty())).collect();
    let all = all.join("+");
    Ok(options.with(WEIGHTS.key, all))
}
