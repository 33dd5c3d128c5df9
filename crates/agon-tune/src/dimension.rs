//! What is tuned in matches: parameters of a bot's search and weights of its evaluation, each within a range.

use agon_core::text::{decimal, nearest, quote};
use agon_core::{OptionKind, OptionSpec};
use agon_erased::{BotSpec, Linear, MAX_WEIGHT, Rules};
use agon_study::bots::{Cast, LIMITS};

/// The most that is tuned at once.
const MAX_DIMENSIONS: usize = 40;
/// Parameters that are not tuned unless they are named: they limit, weaken or size a bot rather than steer it.
const NOT_BY_DEFAULT: [&str; 8] = ["tt", "memory", "multi", "noise", "solve", "start", "sight", "candidates"];

/// Whose value it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A parameter of the bot.
    Parameter,
    /// A weight of its evaluation.
    Weight,
}

/// Something that is tuned.
#[derive(Clone, Debug, PartialEq)]
pub struct Dimension {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// The smallest value.
    pub from: f64,
    /// The largest value.
    pub to: f64,
    /// What values are multiples of; 0 if they may have any fraction.
    pub step: f64,
    /// What the bot has now: a number or `off`.
    pub before: String,
}

impl Dimension {
    /// The width of its range.
    fn width(&self) -> f64 {
        self.to - self.from
    }

    /// Where the climb begins, of 0 to 1: at the present value if that is within the range, else in the middle.
    pub fn start(&self) -> f64 {
        let value = decimal(&self.before).ok().filter(|value| (self.from..=self.to).contains(value));
        value.map_or(0.5, |value| (value - self.from) / self.width())
    }

    /// The least perturbation, of 0 to 1, with which two whole numbers differ.
    pub fn least(&self) -> f64 {
        (self.step / 2.0 / self.width()).min(0.5)
    }

    /// The value at a place of 0 to 1, as it is written. Between two multiples of its step, `draw` (0 to 1) decides: at random it is right on
    /// average, and at a half it is the nearest one.
    pub fn value(&self, place: f64, draw: f64) -> String {
        let value = self.from + place.clamp(0.0, 1.0) * self.width();
        if self.step == 0.0 {
            return number_text(value);
        }
        let multiple = (value / self.step + draw).floor() * self.step;
        let (least, most) = ((self.from / self.step).ceil(), (self.to / self.step).floor());
        number_text(multiple.clamp(least * self.step, most * self.step))
    }

    /// A bot that has the value.
    ///
    /// # Errors
    /// If it cannot be set so.
    pub fn apply(&self, cast: &Cast, spec: &BotSpec, value: &str) -> Result<BotSpec, String> {
        match self.kind {
            Kind::Parameter => spec.with(&self.name, value).map_err(|error| error.to_string()),
            Kind::Weight => cast.with_weight(spec, &self.name, value),
        }
    }
}

/// A number as somebody would have written it.
pub(crate) fn number_text(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Reads `NAME=FROM..TO,NAME,…`; without a text, all parameters are taken that the bot has set.
///
/// # Errors
/// If a name is not known or a range does not hold, with the nearest name that there is.
pub(crate) fn dimensions(
    rules: &dyn Rules,
    spec: &BotSpec,
    linear: &Linear,
    text: Option<&str>,
) -> Result<Vec<Dimension>, String> {
    let scope = Scope { rules, cast: Cast::of(rules), spec, linear };
    let dimensions = match text {
        None => scope.usual()?,
        Some(text) => text.split(',').map(|item| scope.read(item.trim())).collect::<Result<Vec<_>, _>>()?,
    };
    for (index, dimension) in dimensions.iter().enumerate() {
        if dimensions[..index].iter().any(|known| known.name == dimension.name) {
            return Err(format!("{} is named twice", dimension.name));
        }
    }
    if dimensions.is_empty() {
        return Err(format!(
            "the bot {} sets no number that could be tuned; name some, as in quiescence=1..8",
            spec.name()
        ));
    }
    if dimensions.len() > MAX_DIMENSIONS {
        return Err(format!("at most {MAX_DIMENSIONS} parameters are tuned at once"));
    }
    Ok(dimensions)
}

/// The weights that are named: `NAME,NAME,…`; all without a text.
///
/// # Errors
/// If a name is not known, with the nearest one.
pub(crate) fn chosen_weights(linear: &Linear, text: Option<&str>) -> Result<Vec<bool>, String> {
    let Some(text) = text else { return Ok(vec![true; linear.weights.len()]) };
    let mut chosen = vec![false; linear.weights.len()];
    for name in text.split(',').map(str::trim) {
        if name.contains('=') {
            return Err(format!("{}: regression needs no ranges; name the weights only", quote(name)));
        }
        let place = linear.weights.iter().position(|weight| weight.name == name);
        let place = place.ok_or_else(|| unknown_weight(linear, name))?;
        if std::mem::replace(&mut chosen[place], true) {
            return Err(format!("{name} is named twice"));
        }
    }
    Ok(chosen)
}

fn unknown_weight(linear: &Linear, name: &str) -> String {
    let names: Vec<&str> = linear.weights.iter().map(|weight| weight.name.as_str()).collect();
    let hint = match nearest(name, names.iter().copied()) {
        Some(meant) => format!("did you mean {meant}?"),
        None => format!("its weights are {}", names.join(", ")),
    };
    format!("the evaluation {} has no weight {}; {hint}", linear.evaluation, quote(name))
}

/// The numbers that a parameter takes: the smallest, the largest, and what they are multiples of.
fn bounds(kind: &OptionKind) -> Option<(f64, f64, f64)> {
    match *kind {
        OptionKind::Integer { min, max, step } => Some((f64::from(min), f64::from(max), f64::from(step))),
        OptionKind::Decimal { min, max } => Some((min, max, 0.0)),
        OptionKind::OffOr(inner) => bounds(inner),
        OptionKind::Choice(_)
        | OptionKind::Switch
        | OptionKind::Duration { .. }
        | OptionKind::Text { .. } => None,
    }
}

/// The bot whose parameters are named.
struct Scope<'a> {
    rules: &'a dyn Rules,
    cast: Cast,
    spec: &'a BotSpec,
    linear: &'a Linear,
}

impl Scope<'_> {
    /// Every number that the bot or its preset sets.
    fn usual(&self) -> Result<Vec<Dimension>, String> {
        let is_usual = |parameter: &&OptionSpec| {
            let value = self.cast.value(self.spec, parameter.key);
            !LIMITS.contains(&parameter.key)
                && !NOT_BY_DEFAULT.contains(&parameter.key)
                && bounds(&parameter.kind).is_some()
                && value.is_some_and(|value| value != parameter.default && decimal(value).is_ok())
        };
        let parameters = self.cast.parameters(self.spec).iter().filter(is_usual);
        parameters.map(|parameter| self.read(parameter.key)).collect()
    }

    fn read(&self, item: &str) -> Result<Dimension, String> {
        let (name, range) = match item.split_once('=') {
            Some((name, range)) => (name.trim(), Some(range.trim())),
            None => (item, None),
        };
        let mut dimension = self.find(name)?;
        let (least, most) = (dimension.from, dimension.to);
        match range {
            Some(range) => {
                let fail = |what: &str| format!("{}: {what}; expected FROM..TO", quote(item));
                let (from, to) = range.split_once("..").ok_or_else(|| fail("there is no range"))?;
                let [from, to] = [from, to].map(|text| decimal(text.trim()));
                let from = from.map_err(|fault| fail(&fault))?;
                let to = to.map_err(|fault| fail(&fault))?;
                if from >= to {
                    return Err(fail("the range is empty"));
                }
                if from < least || to > most {
                    return Err(format!("{}: {name} must be {least} to {most}", quote(item)));
                }
                (dimension.from, dimension.to) = (from, to);
            }
            None => {
                let value = decimal(&dimension.before).ok().filter(|value| *value != 0.0);
                let value = value.ok_or_else(|| {
                    format!("{name} is {} now; give a range, as in {name}=1..8", dimension.before)
                })?;
                let (one, other) = (value / 2.0, value * 2.0);
                let room = 2.0 * dimension.step;
                dimension.from = one.min(other).min(value - room).max(least);
                dimension.to = one.max(other).max(value + room).min(most);
            }
        }
        if dimension.to - dimension.from < dimension.step {
            return Err(format!("{}: the range holds only one value", quote(item)));
        }
        Ok(dimension)
    }

    /// The parameter or weight of this name, with all that it may be as its range.
    fn find(&self, name: &str) -> Result<Dimension, String> {
        if LIMITS.contains(&name) {
            return Err(format!("{name} is a limit, which is the same for both sides, and cannot be tuned"));
        }
        let parameter = self.cast.parameters(self.spec).iter().find(|parameter| parameter.key == name);
        if let Some(parameter) = parameter {
            let (from, to, step) = bounds(&parameter.kind)
                .ok_or_else(|| format!("{name} is not a number: it takes {}", parameter.kind.allowed()))?;
            let before = self.cast.value(self.spec, name).unwrap_or_default().to_owned();
            return Ok(Dimension { name: name.to_owned(), kind: Kind::Parameter, from, to, step, before });
        }
        let weight = self.linear.weights.iter().find(|weight| weight.name == name);
        let weight = weight.ok_or_else(|| self.unknown(name))?;
        let step = if is_whole(self.rules, self.spec, name) { 1.0 } else { 0.0 };
        let (from, to) = (-MAX_WEIGHT, MAX_WEIGHT);
        let before = number_text(weight.value);
        Ok(Dimension { name: name.to_owned(), kind: Kind::Weight, from, to, step, before })
    }

    fn unknown(&self, name: &str) -> String {
        let parameters = self.cast.parameters(self.spec).iter().map(|parameter| parameter.key);
        let weights = self.linear.weights.iter().map(|weight| weight.name.as_str());
        let hint = match nearest(name, parameters.chain(weights)) {
            Some(meant) => format!("did you mean {meant}?"),
            None => "`agon bots GAME` lists the parameters".to_owned(),
        };
        format!("the bot {} has no parameter or weight {}; {hint}", self.spec.name(), quote(name))
    }
}

/// Whether a weight is rounded to whole numbers when it is set.
pub(crate) fn is_whole(rules: &dyn Rules, spec: &BotSpec, name: &str) -> bool {
    let half = Cast::of(rules).with_weight(spec, name, "0.5").ok().and_then(|spec| rules.linear(&spec).ok());
    half.is_some_and(|linear| {
        linear.weights.iter().any(|weight| weight.name == name && weight.value.fract() == 0.0)
    })
}

#[cfg(test)]
mod tests {
    use agon_registry::GAMES;

    use super::*;

    fn read(game: &str, bot: &str, text: Option<&str>) -> Result<Vec<Dimension>, String> {
        let rules = GAMES.find(game).expect("a game").rules("").expect("defaults");
        let spec: BotSpec = bot.parse().expect("a specification");
        let linear = rules.linear(&spec).expect("a bot");
        dimensions(&*rules, &spec, &linear, text)
    }

    #[test]
    fn parameters_and_weights_have_ranges() {
        let text = "quiescence=1..8, c=0.5..2,danger=4..40";
        let error = read("tablut", "s1", Some(text)).expect_err("c is for trees");
        assert!(error.contains("no parameter or weight 'c'"), "{error}");
        let found = read("tablut", "s1", Some("quiescence=1..8,danger")).expect("both are known");
        assert_eq!(
            (found[0].kind, found[0].from, found[0].to, found[0].step),
            (Kind::Parameter, 1.0, 8.0, 1.0)
        );
        assert_eq!((found[0].before.as_str(), found[0].start()), ("off", 0.5));
        assert_eq!(
            (found[1].kind, found[1].from, found[1].to, found[1].step),
            (Kind::Weight, 8.0, 32.0, 0.0)
        );
        let whole = read("tablut", "expert", Some("rhombus")).expect("a weight");
        assert_eq!((whole[0].from, whole[0].to, whole[0].step), (-326.0, -81.5, 1.0));
        assert_eq!(whole[0].value(1.0, 0.5), "-82", "within the range");
    }

    #[test]
    fn by_default_what_the_bot_sets_is_tuned() {
        let names = |game, bot| -> Vec<String> {
            read(game, bot, None).expect("some").into_iter().map(|dimension| dimension.name).collect()
        };
        let expert = names("tablut", "expert");
        for name in ["quiescence", "null", "lmr", "futility", "aspiration"] {
            assert!(expert.iter().any(|known| known == name), "{name} {expert:?}");
        }
        assert!(!expert.iter().any(|name| name == "tt"));
        assert!(read("tablut", "random", None).is_err());
    }

    #[test]
    fn what_does_not_hold_is_refused_with_the_nearest_name() {
        for (text, part) in [
            ("quiescense=1..4", "did you mean quiescence?"),
            ("rombus=1..4", "did you mean rhombus?"),
            ("quiescence=4..1", "the range is empty"),
            ("quiescence=4", "there is no range"),
            ("quiescence=a..4", "expected FROM..TO"),
            ("quiescence=1..4000", "must be"),
            ("window", "not a number"),
            ("nodes=1..4", "is a limit"),
            ("shallow", "give a range"),
            ("quiescence=1..4,quiescence=1..5", "named twice"),
            ("quiescence=1..1.5", "only one value"),
            ("", "no parameter or weight"),
        ] {
            let error = read("tablut", "expert", Some(text)).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
        let rules = GAMES.find("tablut").expect("a game").rules("").expect("defaults");
        let linear = rules.linear(&BotSpec::named("expert")).expect("a bot");
        let chosen = chosen_weights(&linear, Some("rhombus,mobility")).expect("weights");
        assert_eq!(chosen.iter().filter(|chosen| **chosen).count(), 2);
        for (text, part) in
            [("rhombu", "did you mean rhombus?"), ("rhombus=1..2", "no ranges"), ("turn,turn", "named twice")]
        {
            let error = chosen_weights(&linear, Some(text)).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn rounding_is_right_on_average_and_stays_in_the_range() {
        let dimension = Dimension {
            name: "lmr".to_owned(),
            kind: Kind::Parameter,
            from: 1.0,
            to: 5.0,
            step: 1.0,
            before: "2".to_owned(),
        };
        let mean: f64 = (0..100)
            .map(|draw| {
                dimension.value(0.3, (f64::from(draw) + 0.5) / 100.0).parse::<f64>().expect("a number")
            })
            .sum::<f64>()
            / 100.0;
        assert!((mean - 2.2).abs() < 0.011, "{mean}");
        assert_eq!([0.0, 1.0, 2.0].map(|place| dimension.value(place, 0.999)), ["1", "5", "5"]);
        assert_eq!(dimension.value(0.3, 0.5), "2");
        let rules = GAMES.find("tablut").expect("a game").rules("").expect("defaults");
        let spec = dimension.apply(&Cast::of(&*rules), &BotSpec::named("expert"), "3").expect("it fits");
        assert_eq!(spec.to_string(), "expert:lmr=3");
    }
}
