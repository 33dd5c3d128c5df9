//! What a study will cost, from games of its reference against itself.

use std::fmt;
use std::time::Duration;

use agon_core::text::{counted, grouped};

use crate::plan::{Against, Circumstance, Study};
use crate::power::{Power, USUAL_DEVIATION};

/// What a study costs at most: comparisons that end early save games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forecast {
    /// How many comparisons there are.
    pub comparisons: usize,
    /// The most games of one of them.
    pub games_each: usize,
    /// The most games of all.
    pub games: usize,
    /// How long they take.
    pub time: Duration,
}

impl Forecast {
    /// The forecast for a study whose games take so long under each circumstance, so many being played at once.
    pub fn of(study: &Study, per_game: &[Duration], jobs: usize) -> Self {
        let comparisons = study.comparisons();
        let one = |circumstance: usize| per_game.get(circumstance).copied().unwrap_or_default().as_secs_f64();
        let pass: f64 = comparisons.iter().map(|comparison| one(comparison.circumstance)).sum();
        let seconds = pass * study.games as f64 / jobs.max(1) as f64;
        Self {
            comparisons: comparisons.len(),
            games_each: study.games,
            games: study.planned_games(),
            time: Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX),
        }
    }
}

impl fmt::Display for Forecast {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let Self { comparisons, games_each, games, time } = self;
        let each = if *comparisons == 1 { "" } else { " each" };
        write!(
            formatter,
            "{} of at most {} games{each}",
            counted(*comparisons, "comparison"),
            grouped(*games_each as u64)
        )?;
        if *comparisons > 1 {
            write!(formatter, ", {} games in all", grouped(*games as u64))?;
        }
        write!(formatter, ": at most {}", span_text(*time))
    }
}

/// A span of time as people say it.
pub(crate) fn span_text(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds / 60.0 {
        minutes if minutes <= 1.0 => "about a minute".to_owned(),
        minutes if minutes < 90.0 => format!("about {minutes:.0} minutes"),
        minutes if minutes < 48.0 * 60.0 => format!("about {:.1} hours", minutes / 60.0),
        minutes => format!("about {:.0} days", minutes / (24.0 * 60.0)),
    }
}

impl Study {
    /// What its games can show, and what it takes to show less, before anything is known about how they spread.
    pub fn promise(&self) -> String {
        /// Differences of which it is said how many games they take, in percent.
        const STEPS: [u32; 4] = [10, 5, 2, 1];
        let power = Power::new(self.circumstances.len(), self.shares(), USUAL_DEVIATION);
        let each = self.games as u64;
        let games = each * self.circumstances.len() as u64;
        let many = self.circumstances.len();
        let played = match many {
            1 => format!("{} games of each setting", grouped(games)),
            _ => format!(
                "{} games of each setting, {} under each of {many} circumstances",
                grouped(games),
                grouped(each)
            ),
        };
        let percent = |distance: f64| format!("{:.1}%", 100.0 * distance);
        let Some(distance) = power.distance(games) else {
            let needed = power.games_for(0.5).map_or_else(String::new, |games| {
                format!(", and to show that a setting wins every game takes {}", grouped(games))
            });
            return format!("With {played}, nothing can be shown{needed}.");
        };
        let single = match power.distance_for_each(games) {
            _ if many == 1 => String::new(),
            Some(single) => format!(" ({} under a single one)", percent(single)),
            None => " (nothing under a single one)".to_owned(),
        };
        let over = if many == 1 { String::new() } else { format!(" over all {many}") };
        let smaller = STEPS.into_iter().find(|step| f64::from(*step) / 100.0 < 0.8 * distance);
        let smaller = smaller.and_then(|step| Some((step, power.games_for(f64::from(step) / 100.0)?)));
        let smaller = smaller.map_or_else(String::new, |(step, games)| {
            format!(" For {step}%, {} games of each setting are needed.", grouped(games))
        });
        format!(
            "With {played}, only scores at least {} from even{over}{single} are likely to be shown.{smaller}",
            percent(distance)
        )
    }

    /// How many games are played at once if nobody says so: both programs of a game may keep a core busy, and whoever has to wait for one
    /// is late.
    pub fn usual_jobs(&self, cores: usize) -> usize {
        let per_game = if self.has_timed_programs() { 2 } else { 1 };
        (cores / per_game).max(1)
    }

    /// A pair of games of the reference against itself under one circumstance, by which it can be seen how long games take.
    pub fn rehearsal(&self, circumstance: &Circumstance) -> Self {
        let twice = |all: &[_]| all.first().into_iter().cycle().take(2).cloned().collect();
        let bots = circumstance.bots.iter().take(1).cycle().take(2).cloned().collect();
        Self {
            games: 2,
            stops_early: false,
            against: Against::Reference,
            settings: twice(&self.settings),
            circumstances: vec![Circumstance { bots, ..circumstance.clone() }],
            observations: Vec::new(),
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use agon_registry::GAMES;

    use super::*;

    fn study() -> Study {
        let text = r#"
            game = "othello"
            games = 60
            reference = "alphabeta:nodes=100"
            [[vary]]
            parameter = "tt"
            values = ["off", 1]
            [[vary]]
            bots = ["random"]
            [[across]]
            option = "size"
            values = [6, 8]
        "#;
        Study::parse(GAMES, "test.toml", text, "test", Path::new("."), false)
            .unwrap_or_else(|mistakes| panic!("{mistakes}"))
    }

    #[test]
    fn games_of_every_circumstance_take_their_own_time() {
        let per_game = [Duration::from_secs(2), Duration::from_secs(10)];
        let forecast = Forecast::of(&study(), &per_game, 1);
        // Three settings on two boards, 60 games each.
        let expected =
            Forecast { comparisons: 6, games_each: 60, games: 360, time: Duration::from_secs(3 * 60 * 12) };
        assert_eq!(forecast, expected);
        assert_eq!(
            forecast.to_string(),
            "6 comparisons of at most 60 games each, 360 games in all: at most about 36 minutes"
        );
        assert_eq!(Forecast::of(&study(), &per_game, 4).time, expected.time / 4);
        let one = Forecast { comparisons: 1, games: 60, time: Duration::from_secs(9), ..expected };
        assert_eq!(one.to_string(), "1 comparison of at most 60 games: at most about a minute");
    }

    #[test]
    fn spans_are_told_as_people_say_them() {
        for (seconds, expected) in [
            (0, "about a minute"),
            (89 * 60, "about 89 minutes"),
            (5400, "about 1.5 hours"),
            (4 * 86_400, "about 4 days"),
        ] {
            assert_eq!(span_text(Duration::from_secs(seconds)), expected);
        }
    }

    #[test]
    fn what_games_can_show_is_said_before_they_are_played() {
        let mut study = study();
        assert_eq!(
            study.promise(),
            "With 120 games of each setting, 60 under each of 2 circumstances, only scores at least 17.6% from even over all 2 \
             (28.1% under a single one) are likely to be shown. For 10%, 436 games of each setting are needed."
        );
        study.games = 8;
        assert!(
            study
                .promise()
                .contains("nothing can be shown, and to show that a setting wins every game takes")
        );
        study.games = 5000;
        study.circumstances.truncate(1);
        assert!(
            study
                .promise()
                .starts_with("With 5,000 games of each setting, only scores at least 3.7% from even")
        );
    }

    #[test]
    fn a_rehearsal_is_one_pair_of_games_of_the_reference() {
        let study = study();
        let rehearsal = study.rehearsal(&study.circumstances[1]);
        assert_eq!((rehearsal.planned_games(), rehearsal.comparisons().len()), (2, 1));
        let circumstance = &rehearsal.circumstances[0];
        assert_eq!(circumstance.rules.options(), study.circumstances[1].rules.options());
        let reference = &study.circumstances[1].bots[0];
        assert_eq!(circumstance.bots, [reference.clone(), reference.clone()]);
    }

    #[test]
    fn a_core_is_kept_for_each_program_that_has_a_clock() {
        let mut study = study();
        assert_eq!([0, 1, 4].map(|cores| study.usual_jobs(cores)), [1, 1, 4]);
        study.circumstances[0].bots[0].time = Some(Duration::from_secs(1));
        assert_eq!([0, 1, 4].map(|cores| study.usual_jobs(cores)), [1, 1, 2]);
    }
}
