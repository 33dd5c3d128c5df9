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

#[cfg(test)]
mod tests {
    use agon_search::ALGORITHMS;

    use super::*;

    const SETS: &[WeightSet] = &[
        WeightSet { name: "tuned", evaluation: "s1", summary: "", weights: "danger:12+guards:8" },
        WeightSet { name: "tuned", evaluation: "tafl", summary: "", weights: "turn:5" },
        WeightSet { name: "old", evaluation: "tafl", summary: "", weights: "turn:4" },
    ];

    fn resolved(weights: &str, evaluation: &str) -> Result<String, String> {
        let greedy = ALGORITHMS.iter().find(|algorithm| algorithm.name == "greedy").expect("an algorithm");
        let options = Options::parse_declared("greedy", greedy.parameters, &format!("weights={weights}"));
        let options = resolve(options.expect("declared"), evaluation, SETS);
        options.map(|options| options.text("weights").to_owned()).map_err(|error| error.to_string())
    }

    #[test]
    fn sets_go_by_name_and_evaluation_and_can_be_changed() {
        for (text, evaluation, weights) in [
            ("tuned", "s1", "danger:12+guards:8"),
            ("tuned", "tafl", "turn:5"),
            ("old", "tafl", "turn:4"),
            ("tuned+guards:3", "s1", "danger:12+guards:3"),
            ("tuned+guards:3+squares:1", "s1", "danger:12+guards:3+squares:1"),
            ("danger:4", "s1", "danger:4"),
            // Refused where weights are set.
            ("tuned", "discs", "tuned"),
            ("", "s1", ""),
            ("danger:4+tuned", "s1", "danger:4+tuned"),
        ] {
            assert_eq!(resolved(text, evaluation).as_deref(), Ok(weights), "{text} {evaluation}");
        }
        let error = resolved("tund", "s1").expect_err("there is no such set");
        assert!(error.contains("'tund'") && error.contains("did you mean tuned?"), "{error}");
        for path in ["/etc/passwd", "../weights.toml", "weights.toml"] {
            assert!(resolved(path, "s1").is_err(), "{path}");
        }
    }
}
