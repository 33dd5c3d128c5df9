//! How long a tournament takes: at most, by its limits; and likely, by how long games of its kind are.

use std::time::Duration;

use agon_core::Turn;
use agon_core::random::{RandomSource, below, mix, seeded};
use agon_erased::{Bot, BotSpec, Budget, Limits, Rules};
use agon_match::TimeControl;

use super::pairing::planned_games;
use super::plan::{Finals, Format, Kind, Round, Tournament};

/// How many games are played to see how long games are.
const SAMPLES: u64 = 2;
/// The bot that plays them: quick, and better than chance. Where there is none such, chance plays.
const SAMPLER: &str = "greedy";
/// No sample is longer.
const MAX_PLIES: usize = 3000;
/// What players likely take of their time.
const LIKELY_SHARE: f64 = 0.5;

/// How long a round takes, its games played one after the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// If every game is as long as it can be, and every move takes all of its time; `None` if somebody has no clock.
    pub at_most: Option<Duration>,
    /// If games are as long as those of quick bots, and players take half of their time.
    pub likely: Duration,
    /// How many plies such a game has.
    pub plies: usize,
    /// How many games there are.
    pub games: usize,
}

impl Tournament {
    /// How long each round takes.
    pub fn forecast(&self) -> Vec<Forecast> {
        self.rounds.iter().map(|round| self.forecast_of(round)).collect()
    }

    /// How long a round would take in formats with fewer games, with what is to be written into the file for them.
    pub fn shorter(&self, round: &Round) -> Vec<(&'static str, Forecast)> {
        let players = self.players.len();
        let is_for_two = round.rules.seats().len() <= 2;
        if round.format != Format::RoundRobin || !is_for_two || players < 8 {
            return Vec::new();
        }
        let swiss = Format::Swiss { turns: (players as f64).log2().ceil() as usize };
        let groups = Format::Groups { groups: (players / 5).max(2), qualify: 2, finals: Finals::KnockOut };
        let of = |format| self.forecast_of(&Round { format, ..round.clone() });
        vec![("format = \"swiss\"", of(swiss)), ("format = \"groups\"", of(groups))]
    }

    fn forecast_of(&self, round: &Round) -> Forecast {
        let games = planned_games(round, self.players.len());
        let session = round.rules.start();
        // In a race everybody plays on a board of his own.
        let boards = if round.rules.seats().len() == 1 { 2.0 } else { 1.0 };
        let longest = session.plies_left().map_or(round.max_plies, |left| round.max_plies.min(left as usize));
        let plies = usual_length(&*round.rules).min(longest);
        let seats = round.rules.seats().len().max(2) as f64;
        let people = self.players.iter().filter_map(|player| match player.kind {
            Kind::Person(time) => Some(time),
            _ => None,
        });
        // Of the clocks at the board, the one that allows most.
        let time = |plies: f64| {
            let mut each = people.clone().chain([round.time]).map(|control| time_of(control, plies, seats));
            each.try_fold(0.0, |most: f64, time| Some(most.max(time?)))
        };
        let setup = seats * round.setup.as_secs_f64();
        let count = games as f64;
        let at_most = time(longest as f64 * boards).map(|time| seconds(count * (time + setup)));
        let likely = time_of(round.time, plies as f64 * boards, seats).unwrap_or(0.0) * LIKELY_SHARE;
        Forecast { at_most, likely: seconds(count * likely), plies, games }
    }
}

/// The seconds that a game of so many plies takes on this clock; `None` without one.
fn time_of(control: TimeControl, plies: f64, seats: f64) -> Option<f64> {
    match control {
        TimeControl::None => None,
        TimeControl::PerMove(time) => Some(plies * time.0 as f64 / 1000.0),
        TimeControl::Game { base, increment } => {
            Some((seats * base.0 as f64 + plies * increment.0 as f64) / 1000.0)
        }
    }
}

fn seconds(seconds: f64) -> Duration {
    // Sums of such times are times, too.
    Duration::from_secs_f64(seconds.clamp(0.0, 1e12))
}

/// How many plies games have in which nobody thinks long.
fn usual_length(rules: &dyn Rules) -> usize {
    let length = |seed: u64| {
        let sampler = SAMPLER.parse::<BotSpec>().ok();
        let mut bots: Vec<Option<Box<dyn Bot>>> = (0..rules.seats().len())
            .map(|seat| rules.bot(sampler.as_ref()?, mix(seed, seat as u64)).ok())
            .collect();
        let mut session = rules.start();
        let mut random = seeded(seed);
        while session.outcome().is_none() && session.len() < MAX_PLIES {
            let Turn::Player(player) = session.turn() else {
                session.draw(random.next_u64());
                continue;
            };
            let budget = Budget { seed: Some(random.next_u64()), ..Budget::new(Limits::default()) };
            let bot = bots.get_mut(player.index()).and_then(Option::as_mut);
            let thought = bot.and_then(|bot| bot.think(&*session, &budget, &mut |_| {}).ok());
            let legal = session.legal();
            let any = || legal.get(below(&mut random, legal.len() as u64) as usize).cloned();
            let Some(token) = thought.map(|thought| thought.best).or_else(any) else { break };
            if session.play(&token).is_err() {
                break;
            }
        }
        session.len()
    };
    (0..SAMPLES).map(length).sum::<usize>() / SAMPLES as usize
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use agon_registry::GAMES;

    use super::*;

    fn tournament(players: usize, round: &str, more: &str) -> Tournament {
        let player = |number| format!("[[players]]\nname = \"p{number}\"\nbot = \"random\"\n");
        let players: String = (0..players).map(player).collect();
        let text = format!("{players}{more}[[rounds]]\n{round}\n");
        Tournament::parse(GAMES, "f", &text, "f", Path::new(".")).expect(round)
    }

    #[test]
    fn a_round_of_a_hundred_takes_days() {
        let course =
            tournament(100, "game = \"loa\"\noptions = \"turns=30\"\ntime = \"1s\"\nsetup = \"5s\"", "");
        let forecast = course.forecast()[0];
        assert_eq!(forecast.games, 9900);
        // 60 plies of a second, and two programs that take all of their time to get ready.
        assert_eq!(forecast.at_most, Some(Duration::from_secs(9900 * (60 + 10))));
        assert!((10..=60).contains(&forecast.plies), "{forecast:?}");
        assert_eq!(forecast.likely, Duration::from_secs_f64(9900.0 * forecast.plies as f64 / 2.0));
        let shorter = course.shorter(&course.rounds[0]);
        let games: Vec<usize> = shorter.iter().map(|(_, forecast)| forecast.games).collect();
        assert_eq!(games, [7 * 50 * 2, (20 * 10 + 39) * 2]);
        assert!(shorter.iter().all(|(_, other)| other.likely < forecast.likely));
        // What is proposed is taken.
        for (key, forecast) in shorter {
            let other = tournament(100, &format!("game = \"loa\"\n{key}"), "");
            assert_eq!(other.planned_games(), [forecast.games]);
        }
    }

    #[test]
    fn clocks_for_the_whole_game_bound_it() {
        let course = tournament(2, "game = \"othello\"\ntime = \"10s+100ms\"\nsetup = \"1s\"", "");
        let forecast = course.forecast()[0];
        let most = session_most("othello") as f64;
        assert_eq!(forecast.at_most, Some(Duration::from_secs_f64(2.0 * (20.0 + most / 10.0 + 2.0))));
    }

    fn session_most(game: &str) -> u32 {
        let rules = GAMES.find(game).expect("a game").rules("").expect("the defaults hold");
        rules.start().plies_left().unwrap_or(10_000).min(10_000)
    }

    #[test]
    fn nobody_knows_how_long_people_without_a_clock_take() {
        let person = "[[players]]\nname = \"me\"\nbot = \"human\"\n";
        let round = "game = \"othello\"\noptions = \"size=4\"";
        assert_eq!(tournament(1, round, person).forecast()[0].at_most, None);
        let timed = format!("{person}time = \"1m\"\n");
        let forecast = tournament(1, round, &timed).forecast()[0];
        assert!(
            forecast.at_most.is_some_and(|most| most >= Duration::from_secs(2 * 12 * 60)),
            "{forecast:?}"
        );
    }

    #[test]
    fn every_game_can_be_foretold() {
        for entry in GAMES {
            let rules = entry.rules("").expect("the defaults hold");
            assert!(usual_length(&*rules) > 5, "{}", entry.spec.id);
        }
    }
}
