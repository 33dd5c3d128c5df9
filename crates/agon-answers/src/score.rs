//! What the scores of a bot mean to people: one place turns the numbers of an evaluation into numbers with a unit.

use agon_core::maths;
use agon_core::text::grouped;
pub use agon_erased::Unit;
use agon_erased::{Rules, proven_in};
use agon_match::Occupant;

/// The result that a score promises to its player, 0 to 1, in a game of two: `scale` is the lead that wins three games in four.
pub fn expectation(score: f64, scale: f64) -> f64 {
    match proven_in(score) {
        // A loss on the spot is zero plies away, which has no sign.
        Some(_) if score > 0.0 => 1.0,
        Some(_) => 0.0,
        None => 1.0 / (1.0 + maths::pow(3.0, -score / scale)),
    }
}

/// How likely each player is to win, by what the position is worth to each; the chances add up to 1. With two players they are
/// their [`expectation`]s.
pub fn chances(prospects: &[f64], scale: f64) -> Vec<f64> {
    let most = prospects.iter().copied().fold(f64::MIN, f64::max);
    let weights: Vec<f64> =
        prospects.iter().map(|worth| maths::pow(3.0, (worth - most) / (2.0 * scale))).collect();
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

/// A score in words if it says that the end has been found, in games of several `players`.
pub fn proven_text(score: f64, players: usize) -> Option<String> {
    let plies = proven_in(score).filter(|_| players > 1)?;
    let word = if score > 0.0 { "win" } else { "loss" };
    Some(format!("{word} in {}", plies.abs()))
}

/// A share of 0 to 1 in per cent, such as `62.3%`.
pub fn percent_text(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// In games for one, no evaluation of a position on which somebody can still move is as low as this: such scores mean the end.
const DEAD_END: f64 = -1e6;

/// How the scores of one bot in one game are shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoreScale {
    /// The unit; `None` if nobody knows it, as with other people's programs.
    pub unit: Option<Unit>,
    /// How many players the game has.
    pub players: usize,
}

impl ScoreScale {
    /// The scale of the scores that `bot` gives in a game of `rules`.
    pub fn of(rules: &dyn Rules, bot: &Occupant) -> Self {
        let unit = match bot {
            Occupant::Bot(spec) => rules.unit(spec),
            _ => None,
        };
        Self { unit, players: rules.seats().len() }
    }

    /// What the unit is called: `discs`, `points`, or `percent` for an expected result.
    pub fn name(&self) -> Option<&'static str> {
        self.unit.map(|unit| match unit {
            Unit::Expectation { .. } => "percent",
            Unit::Amount { name, .. } => name,
        })
    }

    /// How much of the score is one of the unit, where that is an amount.
    pub fn one(&self) -> Option<f64> {
        match self.unit {
            Some(Unit::Amount { one, .. }) => Some(one),
            _ => None,
        }
    }

    /// A score of the evaluation as a number of its unit: discs, points, or per cent.
    pub fn value(&self, score: f64) -> f64 {
        match self.unit {
            Some(Unit::Expectation { scale }) => 100.0 * self.expected(score, scale),
            Some(Unit::Amount { one, .. }) => score / one,
            None => score,
        }
    }

    /// Whether a score only says that the only player has no move left, or may soon have none: how bad that is, is no amount of
    /// anything.
    pub fn is_dead_end(&self, score: f64) -> bool {
        self.players == 1 && score < DEAD_END
    }

    /// A score for people, always with its unit: `+11.1 discs`, `62.3%`, `12,345 points`, or `win in 5` if the end has been found.
    pub fn text(&self, score: f64) -> String {
        if self.is_dead_end(score) {
            return "no move left".to_owned();
        }
        if let Some(proven) = proven_text(score, self.players) {
            return proven;
        }
        match self.unit {
            Some(Unit::Expectation { scale }) => percent_text(self.expected(score, scale)),
            Some(Unit::Amount { name, one }) => self.amount_text(score / one, name),
            None => self.amount_text(score, "points of its own"),
        }
    }

    fn amount_text(&self, amount: f64, name: &str) -> String {
        // One decimal is all that people read; the sum does away with a negative zero.
        let amount = (amount * 10.0).round() / 10.0 + 0.0;
        let number = match amount {
            _ if self.players == 1 && amount >= 0.0 => grouped(amount.round() as u64),
            0.0 => "0".to_owned(),
            _ if amount.fract() == 0.0 => format!("{amount:+.0}"),
            _ => format!("{amount:+.1}"),
        };
        let name = if amount.abs() == 1.0 { name.strip_suffix('s').unwrap_or(name) } else { name };
        format!("{number} {name}")
    }

    /// The result that a score promises to its player. Among three or more the others are taken to share what that player lacks.
    fn expected(&self, score: f64, scale: f64) -> f64 {
        if self.players <= 2 || proven_in(score).is_some() {
            return expectation(score, scale);
        }
        let others = self.players - 1;
        let mut prospects = vec![-score / others as f64; others];
        prospects.insert(0, score);
        chances(&prospects, scale)[0]
    }
}

#[cfg(test)]
mod tests {
    use agon_erased::WIN;
    use agon_registry::GAMES;

    use super::*;

    const DISCS: Option<Unit> = Some(Unit::Amount { name: "discs", one: 100.0 });
    const LEAD: Option<Unit> = Some(Unit::Expectation { scale: 100.0 });

    #[test]
    fn expectations_follow_the_scale() {
        assert_eq!(expectation(0.0, 100.0), 0.5);
        assert!((expectation(100.0, 100.0) - 0.75).abs() < 1e-9);
        assert!((expectation(-100.0, 100.0) - 0.25).abs() < 1e-9);
        assert_eq!(expectation(f64::from(WIN - 5), 100.0), 1.0);
        assert_eq!(expectation(f64::from(5 - WIN), 100.0), 0.0);
        assert_eq!(expectation(f64::from(WIN), 100.0), 1.0);
        assert_eq!(expectation(f64::from(-WIN), 100.0), 0.0);
    }

    #[test]
    fn a_dead_end_is_no_amount_of_points() {
        let rules = GAMES.rules("2048", "").expect("2048");
        let mut bot = rules.bot(&"s3-medium".parse().expect("a bot"), 1).expect("S3's");
        // One slide is left, and after it no move if a 2 appears.
        let last =
            rules.start_from("4,8,16,32/8,16,32,64/16,32,64,128/0,64,128,256 900").expect("a position");
        let budget = agon_erased::Budget::new(agon_erased::Limits::default());
        let thought = bot.think(&*last, &budget, &mut |_| {}).expect("a move");
        let scale = ScoreScale::of(&*rules, &Occupant::Bot("s3-medium".parse().expect("a bot")));
        let score = thought.score.expect("a score");
        assert!(score < -1e9, "{score}: S3 calls it minus infinity");
        assert!(scale.is_dead_end(score));
        assert_eq!(scale.text(score), "no move left");
        assert!(!scale.is_dead_end(-3000.0), "an ordinary evaluation");
        assert!(
            !ScoreScale { players: 2, ..scale }.is_dead_end(-1e12),
            "where games are lost, that is proven"
        );
    }

    #[test]
    fn chances_follow_the_prospects_of_all() {
        let sum: f64 = chances(&[300.0, -100.0, -200.0], 100.0).iter().sum();
        assert!((sum - 1.0).abs() < 1e-9);
        assert_eq!(chances(&[7.0, 7.0, 7.0, 7.0], 100.0), [0.25; 4]);
        let two = chances(&[150.0, -150.0], 100.0);
        assert!((two[0] - expectation(150.0, 100.0)).abs() < 1e-9);
        let win = f64::from(WIN);
        assert_eq!(chances(&[-win, win, -win], 100.0), [0.0, 1.0, 0.0]);
    }

    #[test]
    fn amounts_are_shown_with_their_unit() {
        let scale = ScoreScale { unit: DISCS, players: 2 };
        assert_eq!(scale.text(1111.0), "+11.1 discs");
        assert_eq!(scale.text(-1600.0), "-16 discs");
        assert_eq!(scale.text(100.0), "+1 disc");
        assert_eq!(scale.text(-104.0), "-1 disc");
        assert_eq!(scale.text(-3.0), "0 discs");
        assert_eq!(scale.text(f64::from(WIN - 5)), "win in 5");
        assert_eq!(scale.value(1111.0), 11.11);
        assert_eq!(scale.name(), Some("discs"));
        let alone = ScoreScale { unit: Some(Unit::Amount { name: "points", one: 1.0 }), players: 1 };
        assert_eq!(alone.text(12_345.6), "12,346 points");
        let unknown = ScoreScale { unit: None, players: 2 };
        assert_eq!(unknown.text(35.0), "+35 points of its own");
        assert_eq!(unknown.name(), None);
    }

    #[test]
    fn leads_are_shown_as_expected_results() {
        let two = ScoreScale { unit: LEAD, players: 2 };
        assert_eq!(two.text(0.0), "50.0%");
        assert_eq!(two.text(100.0), "75.0%");
        assert_eq!(two.text(f64::from(8 - WIN)), "loss in 8");
        assert_eq!(two.name(), Some("percent"));
        assert_eq!(two.value(f64::from(WIN - 3)), 100.0);
        let three = ScoreScale { unit: LEAD, players: 3 };
        assert_eq!(three.text(0.0), "33.3%", "nobody leads");
        assert!(three.value(50.0) > three.value(49.0));
    }

    #[test]
    fn only_the_fitted_evaluation_claims_a_result() {
        let scale = |game: &str, options: &str, bot: &str| {
            let rules = GAMES.find(game).expect(game).rules(options).expect("options");
            ScoreScale::of(&*rules, &bot.parse().expect("a bot"))
        };
        assert_eq!(scale("othello", "", "expert").name(), Some("discs"));
        assert_eq!(scale("loa", "", "expert").name(), Some("percent"));
        assert_eq!(scale("tablut", "", "expert").name(), Some("percent"));
        assert_eq!(scale("chinese-checkers", "seats=g/y/r", "expert").players, 3);
        assert_eq!(scale("2048", "", "expert").name(), Some("points"));
        for (game, bot) in [("tablut", "s1"), ("tablut", "expert:eval=s1"), ("chinese-checkers", "s2-ab")] {
            let name = scale(game, "", bot).name();
            assert!(!matches!(name, None | Some("percent")), "{bot}: {name:?}");
        }
        assert_eq!(scale("othello", "", "gtp:somebody").unit, None);
        assert_eq!(scale("othello", "", "random").unit, None);
        // A bot says the same of itself once it has been made.
        for entry in agon_registry::GAMES {
            let rules = entry.rules("").expect("the defaults hold");
            for listing in rules.bots() {
                let spec = agon_erased::BotSpec::named(listing.name);
                assert_eq!(rules.unit(&spec), rules.bot(&spec, 0).expect("a bot").unit(), "{spec}");
            }
        }
    }
}
