//! What a bot specification comes to, the game's presets and the algorithm's defaults taken into account.

use agon_core::OptionSpec;
use agon_erased::{BotListing, BotSpec, EVAL, Rules, WEIGHTS, nearest};

/// The parameters that limit how long a bot thinks.
pub const LIMITS: [&str; 3] = ["time", "nodes", "depth"];

/// The bots of a game.
pub struct Cast(Vec<BotListing>);

impl Cast {
    /// Those that play a game with its options as they are.
    pub fn of(rules: &dyn Rules) -> Self {
        Self(rules.bots())
    }

    fn listing(&self, spec: &BotSpec) -> Option<&BotListing> {
        self.0.iter().find(|bot| bot.name == spec.name())
    }

    /// The parameters of a bot; none if there is no such bot.
    pub fn parameters(&self, spec: &BotSpec) -> &'static [OptionSpec] {
        self.listing(spec).map_or(&[], |bot| bot.parameters)
    }

    /// Whether a bot has a parameter.
    pub fn declares(&self, spec: &BotSpec, key: &str) -> bool {
        self.parameters(spec).iter().any(|parameter| parameter.key == key)
    }

    /// What to tell somebody who asked for a parameter that a bot does not have.
    pub fn advice(&self, spec: &BotSpec, key: &str) -> String {
        let known = self.parameters(spec).iter().map(|parameter| parameter.key);
        match nearest(key, known) {
            Some(meant) => format!("did you mean {meant}?"),
            None => "`agon bots GAME` lists the parameters".to_owned(),
        }
    }

    /// What a parameter is set to, by the specification, the preset or the algorithm.
    pub fn value<'a>(&'a self, spec: &'a BotSpec, key: &str) -> Option<&'a str> {
        let preset = || {
            let settings = self.listing(spec)?.settings.split(',');
            settings.filter_map(|setting| setting.split_once('=')).find(|(known, _)| *known == key)
        };
        let default = || self.parameters(spec).iter().find(|parameter| parameter.key == key);
        spec.value(key)
            .or_else(|| preset().map(|(_, value)| value))
            .or_else(|| default().map(|parameter| parameter.default))
    }

    /// Whether a bot that could think for ever has nothing that stops it.
    pub fn is_unlimited(&self, spec: &BotSpec) -> bool {
        let is_off = |key| self.value(spec, key).is_none_or(|value| value == "off");
        LIMITS.iter().any(|key| self.declares(spec, key))
            && LIMITS.iter().all(|key| is_off(key))
            // A rule of the game that sets the depth is a limit too.
            && is_off("adapt")
    }

    /// The weights that a bot is given by its specification or its preset; `None` if its evaluation has its own.
    pub fn weights<'a>(&'a self, spec: &'a BotSpec) -> Option<&'a str> {
        // Those of a preset are for the preset's evaluation.
        let is_set = spec.sets(WEIGHTS.key) || !spec.sets(EVAL.key);
        is_set.then(|| self.value(spec, WEIGHTS.key)).flatten().filter(|weights| *weights != WEIGHTS.default)
    }

    /// A specification with one weight of its evaluation set.
    ///
    /// # Errors
    /// If that is no name of a weight, or the specification grows too long.
    pub fn with_weight(&self, spec: &BotSpec, name: &str, value: &str) -> Result<BotSpec, String> {
        if name.is_empty() || name.contains([':', '+', ',', '=']) {
            return Err("it is not the name of a weight".to_owned());
        }
        let mine = format!("{name}:");
        let others = self.weights(spec).into_iter().flat_map(|weights| weights.split('+'));
        let mut weights: Vec<String> =
            others.filter(|weight| !weight.starts_with(&mine)).map(str::to_owned).collect();
        weights.push(format!("{mine}{value}"));
        spec.with(WEIGHTS.key, weights.join("+")).map_err(|error| error.to_string())
    }
}

/// What a weight of a bot's evaluation is set to.
pub fn weight_of(rules: &dyn Rules, spec: &BotSpec, name: &str) -> Option<String> {
    let weights = rules.linear(spec).ok()?.weights;
    weights.iter().find(|weight| weight.name == name).map(|weight| weight.value.to_string())
}

#[cfg(test)]
mod tests {
    use agon_registry::GAMES;

    use super::*;

    #[test]
    fn values_come_from_the_specification_the_preset_or_the_algorithm() {
        let rules = GAMES.find("tablut").expect("a game").rules("").expect("options");
        let cast = Cast::of(&*rules);
        let bot = |text: &str| text.parse::<BotSpec>().expect("a specification");
        assert_eq!(cast.value(&bot("s1:depth=3"), "depth"), Some("3"));
        assert_eq!(cast.value(&bot("s1"), "depth"), Some("5"));
        assert_eq!(cast.value(&bot("alphabeta"), "depth"), Some("off"));
        assert_eq!(cast.value(&bot("alphabeta"), "no-such"), None);
        assert!(cast.is_unlimited(&bot("expert")));
        assert!(!cast.is_unlimited(&bot("expert:nodes=10")));
        assert!(!cast.is_unlimited(&bot("s1")));
        assert!(!cast.is_unlimited(&bot("random")), "it does not think");
        assert_eq!(cast.advice(&bot("expert"), "quiescense"), "did you mean quiescence?");
    }

    #[test]
    fn weights_are_set_one_by_one() {
        let spec: BotSpec = "s1:weights=danger:12+guards:8".parse().expect("a specification");
        let rules = GAMES.find("tablut").expect("a game").rules("").expect("options");
        let cast = Cast::of(&*rules);
        let set = cast.with_weight(&spec, "danger", "4").expect("it fits");
        assert_eq!(set.to_string(), "s1:weights=guards:8+danger:4");
        let bare: BotSpec = "s1".parse().expect("a specification");
        assert_eq!(
            cast.with_weight(&bare, "danger", "-4.5").expect("it fits").to_string(),
            "s1:weights=danger:-4.5"
        );
        assert!(cast.with_weight(&bare, "a:b", "1").is_err());
        assert_eq!(weight_of(&*rules, &spec, "danger").as_deref(), Some("12"));
        assert_ne!(weight_of(&*rules, &bare, "danger").as_deref(), Some("12"));
        assert_eq!(weight_of(&*rules, &bare, "no-such"), None);
        // Those of a preset stay, as long as its evaluation does.
        let rules = GAMES.find("othello").expect("a game").rules("size=10").expect("options");
        let cast = Cast::of(&*rules);
        let spec: BotSpec = "expert".parse().expect("a specification");
        let set = cast.with_weight(&spec, "corners", "4").expect("it fits");
        assert_eq!(set.to_string(), "expert:weights=tuned+corners:4");
        let other: BotSpec = "expert:eval=s5-advanced".parse().expect("a specification");
        let set = cast.with_weight(&other, "corners", "4").expect("it fits");
        assert_eq!(set.to_string(), "expert:eval=s5-advanced,weights=corners:4");
    }
}
