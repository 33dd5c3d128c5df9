//! Two players, many games, one result.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::bout::{Entrants, PlayedGame, Seeds, Variant};
use crate::in_order::in_order;
use crate::referee::{Conduct, Ending, Fault, Terms};
use crate::schedule::{Fixture, Schedule, Side};
use crate::statistics::{Decision, Score, Sprt, Tally};

/// What is played, and until when.
pub struct Duel<'a> {
    /// What pairs of games are played of, in turn.
    pub variants: Vec<Variant>,
    /// The two players.
    pub entrants: Entrants<'a>,
    /// The most games.
    pub games: usize,
    /// Fixes openings, luck and the players' randomness.
    pub seed: u64,
    /// Games played at once.
    pub jobs: usize,
    /// Ends the duel as soon as the interval of the score lies wholly above or below this.
    pub until: Option<f64>,
    /// Ends the duel as soon as this test is decided.
    pub sprt: Option<Sprt>,
}

/// Why a duel ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All games were played.
    AllPlayed,
    /// The interval of the score left out the score that was asked for.
    Until,
    /// The sequential test was decided.
    Sprt(Decision),
    /// It was stopped from outside.
    Stopped,
}

/// How a duel stands.
#[derive(Clone, Debug)]
pub struct Standings {
    /// The games, seen from the first player.
    pub tally: Tally,
    /// The same by rule set.
    pub by_rule_set: Vec<Tally>,
    /// The same by the name of the seat that the first player had; in games of two seats only.
    pub by_seat: BTreeMap<String, Tally>,
    /// How the players behaved.
    pub conduct: [Conduct; 2],
    /// Games that each player forfeited.
    pub forfeits: [u64; 2],
    /// The first fault of each player.
    pub faults: [Option<Fault>; 2],
    /// Games that were cut at the limit of plies and count as draws.
    pub unfinished: u64,
    /// Plies of all games, openings included.
    pub plies: u64,
    /// Why it ended; `None` while it goes on.
    pub end: Option<End>,
}

impl Standings {
    fn new(rule_sets: usize) -> Self {
        Self {
            tally: Tally::default(),
            by_rule_set: vec![Tally::default(); rule_sets],
            by_seat: BTreeMap::new(),
            conduct: Default::default(),
            forfeits: Default::default(),
            faults: Default::default(),
            unfinished: 0,
            plies: 0,
            end: None,
        }
    }

    fn add(&mut self, bout: &Bout, score: Score, seats: &[String]) {
        self.tally.push(score);
        self.by_rule_set[bout.fixture.rule_set].push(score);
        if let [first, _] = bout.fixture.seats[..] {
            self.by_seat.entry(seats[first.index()].clone()).or_default().push(score);
        }
        for side in Side::BOTH {
            self.conduct[side.index()].add(&bout.conduct[side.index()]);
        }
        for game in &bout.games {
            self.plies += game.record.moves.len() as u64;
            match &game.ending {
                Ending::Forfeit(player, fault) => {
                    let side = game.seats[player.index()].index();
                    self.forfeits[side] += 1;
                    self.faults[side].get_or_insert_with(|| fault.clone());
                }
                Ending::Unfinished => self.unfinished += 1,
                Ending::Finished(_) | Ending::Stopped => {}
            }
        }
    }
}

/// One game of the schedule as it was played; two, one a player with the same luck, where games are played alone.
#[derive(Clone, Debug)]
pub struct Bout {
    /// What was to be played.
    pub fixture: Fixture,
    /// What was.
    pub games: Vec<PlayedGame>,
    /// How each player behaved.
    pub conduct: [Conduct; 2],
}

/// Why a duel came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum DuelError {
    /// Neither player can play.
    #[error("neither player gets through a game: {a}; {b}")]
    BothFail {
        /// What is wrong with the first.
        a: String,
        /// What is wrong with the second.
        b: String,
    },
    /// Threads could not be started.
    #[error("the games could not be started: {0}")]
    Threads(#[from] std::io::Error),
}

impl Duel<'_> {
    /// Plays the duel on the given terms, whose `stop` is set at the end. `observe` sees every game that counts in the order of
    /// the schedule and may end the duel.
    ///
    /// Games are independent of each other and looked at in order: neither the number of jobs nor the order in which games end
    /// changes the result.
    ///
    /// # Errors
    /// If both players fail in the first pair, or threads cannot be started.
    pub fn run(
        &self,
        terms: &Terms,
        observe: &mut dyn FnMut(&Standings, &Bout) -> ControlFlow<()>,
    ) -> Result<Standings, DuelError> {
        let seats: Vec<usize> = self.variants.iter().map(|variant| variant.rules.seats().len()).collect();
        let schedule = Schedule::new(&seats, self.games, self.seed);
        let mut standings = Standings::new(self.variants.len());
        let mut both_fail = None;
        in_order(
            schedule,
            self.jobs,
            &terms.stop,
            |fixture| self.play(fixture, terms),
            |bout| {
                let Some(score) = bout.score() else { return ControlFlow::Break(()) };
                let seats = self.variants[bout.fixture.rule_set].rules.seats();
                standings.add(&bout, score, &seats);
                let observed = observe(&standings, &bout);
                if let [Some(a), Some(b)] = &standings.faults
                    && standings.tally.games() == 2
                {
                    both_fail = Some(DuelError::BothFail {
                        a: format!("{}: {}", self.entrants.entrants[0].name, a.detail),
                        b: format!("{}: {}", self.entrants.entrants[1].name, b.detail),
                    });
                    return ControlFlow::Break(());
                }
                standings.end = self.end(&standings.tally);
                if standings.end.is_some() { ControlFlow::Break(()) } else { observed }
            },
        )?;
        if let Some(error) = both_fail {
            return Err(error);
        }
        standings.end.get_or_insert(End::Stopped);
        Ok(standings)
    }

    /// Whether enough is known: asked after whole pairs, which favour nobody.
    fn end(&self, tally: &Tally) -> Option<End> {
        if tally.games() == self.games as u64 {
            return Some(End::AllPlayed);
        }
        if !tally.is_paired() {
            return None;
        }
        let (low, high) = tally.interval();
        if self.until.is_some_and(|until| low > until || high < until) {
            return Some(End::Until);
        }
        self.sprt.and_then(|sprt| sprt.decision(tally)).map(End::Sprt)
    }

    fn play(&self, fixture: Fixture, terms: &Terms) -> Bout {
        let mut conduct = [Conduct::default(); 2];
        let variant = &self.variants[fixture.rule_set];
        // Where nobody sits opposite, each player has a board of their own, with the same luck, which is another in every bout.
        let boards = match fixture.seats.len() {
            1 => Side::BOTH.map(|side| vec![side]).to_vec(),
            _ => vec![fixture.seats.clone()],
        };
        let mut games = Vec::new();
        for seats in boards {
            let luck = if seats.len() == 1 { fixture.game_seed } else { fixture.pair_seed };
            let seeds = Seeds { luck, players: fixture.game_seed };
            games.push(self.entrants.play_game(variant, seats, seeds, terms, &mut conduct));
        }
        Bout { fixture, games, conduct }
    }
}

impl Bout {
    /// How it ended for the first player; `None` if it was stopped.
    ///
    /// Whose seats have the first place to themselves has won; a shared first place is a draw, as is a game that was cut.
    /// Alone, more points win.
    fn score(&self) -> Option<Score> {
        let of_order = |order: std::cmp::Ordering| match order {
            std::cmp::Ordering::Less => Score::Loss,
            std::cmp::Ordering::Equal => Score::Draw,
            std::cmp::Ordering::Greater => Score::Win,
        };
        if self.games.iter().any(|game| game.ending == Ending::Stopped) {
            return None;
        }
        if let [one, other] = &self.games[..] {
            // Who fails has lost, whatever the board says.
            let points = |game: &PlayedGame| match game.ending {
                Ending::Forfeit(..) => None,
                _ => game.standing.map(|standing| standing.score),
            };
            return Some(of_order(points(one).cmp(&points(other))));
        }
        let game = self.games.first()?;
        Some(match &game.ending {
            Ending::Forfeit(player, _) => match game.seats[player.index()] {
                Side::A => Score::Loss,
                Side::B => Score::Win,
            },
            _ => {
                let has_first = |side| game.first_place.contains(&side);
                of_order(has_first(Side::A).cmp(&has_first(Side::B)))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use agon_core::{Outcome, Player, Standing};

    use super::*;
    use crate::record::Record;

    #[test]
    fn alone_more_points_win_unless_who_has_them_has_failed() {
        let fixture = Fixture { number: 0, rule_set: 0, seats: vec![Side::A], pair_seed: 0, game_seed: 0 };
        let game = |side, ending, score| PlayedGame {
            seats: vec![side],
            ending,
            first_place: Vec::new(),
            standing: Some(Standing { score, mark: 4 }),
            record: Record::default(),
        };
        let finished = || Ending::Finished(Outcome::lost("no move"));
        let failed = || Ending::Forfeit(Player(0), Fault { reason: "crash", detail: String::new() });
        let score = |a: Ending, points_a, b: Ending, points_b| {
            let games = vec![game(Side::A, a, points_a), game(Side::B, b, points_b)];
            Bout { fixture: fixture.clone(), games, conduct: Default::default() }.score()
        };
        assert_eq!(score(finished(), 8, finished(), 4), Some(Score::Win));
        assert_eq!(score(finished(), 4, finished(), 8), Some(Score::Loss));
        assert_eq!(score(finished(), 4, finished(), 4), Some(Score::Draw));
        assert_eq!(score(failed(), 800, finished(), 4), Some(Score::Loss));
        assert_eq!(score(finished(), 0, failed(), 4), Some(Score::Win));
        assert_eq!(score(failed(), 800, failed(), 4), Some(Score::Draw));
        assert_eq!(score(finished(), 8, Ending::Stopped, 4), None);
    }
}
