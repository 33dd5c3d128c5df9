//! Two players, many games, one result.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use agon_match::{Abort, End};

use crate::bout::Bout;
use crate::in_order::Crew;
use crate::referee::{Conduct, Terms};
use crate::runner::{RunError, Runner};
use crate::schedule::Schedule;
use crate::statistics::{Decision, Score, Sprt, Tally};

/// What is played, and until when.
pub struct Duel<'a> {
    /// The two players, and the variants that pairs of games are played of, in turn.
    pub runner: Runner<'a>,
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
pub enum DuelEnd {
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
    /// The same by variant.
    pub by_variant: Vec<Tally>,
    /// The same by the title of the seat that the first player had; in games of two seats only.
    pub by_seat: BTreeMap<String, Tally>,
    /// How the players behaved.
    pub conduct: [Conduct; 2],
    /// Games that each player forfeited.
    pub forfeits: [u64; 2],
    /// What was wrong with each player the first time that it forfeited a game.
    pub faults: [Option<String>; 2],
    /// Games that were cut at the limit of plies and count as draws.
    pub unfinished: u64,
    /// Plies of all games, openings included.
    pub plies: u64,
    /// Why it ended; `None` while it goes on.
    pub end: Option<DuelEnd>,
}

impl Standings {
    fn new(variants: usize) -> Self {
        Self {
            tally: Tally::default(),
            by_variant: vec![Tally::default(); variants],
            by_seat: BTreeMap::new(),
            conduct: Default::default(),
            forfeits: Default::default(),
            faults: Default::default(),
            unfinished: 0,
            plies: 0,
            end: None,
        }
    }

    fn add(&mut self, bout: &Bout, score: Score, titles: &[String]) {
        self.tally.push(score);
        self.by_variant[bout.fixture.variant].push(score);
        if let ([_, _], [first, _]) = (titles, &bout.fixture.seats[..]) {
            self.by_seat.entry(titles[*first].clone()).or_default().push(score);
        }
        for (entrant, conduct) in bout.fixture.seats.iter().zip(&bout.conduct) {
            self.conduct[*entrant].add(conduct);
        }
        for game in &bout.games {
            self.plies += game.record.moves.len() as u64;
            match &game.end {
                End::Forfeit { seat, detail, .. } => {
                    let side = game.seats[seat.index()];
                    self.forfeits[side] += 1;
                    self.faults[side].get_or_insert_with(|| detail.clone());
                }
                End::Aborted { reason: Abort::TooLong | Abort::Void } => self.unfinished += 1,
                End::Rules { .. } | End::Agreed | End::Goal | End::Aborted { reason: Abort::Stopped } => {}
            }
        }
    }
}

/// Why a duel came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum DuelError {
    /// Neither player can play.
    #[error("neither player can complete a game: {a}; {b}")]
    BothFail {
        /// What is wrong with the first.
        a: String,
        /// What is wrong with the second.
        b: String,
    },
    /// A game could not be played.
    #[error(transparent)]
    Game(#[from] RunError),
    /// Threads could not be started.
    #[error("cannot start the games: {0}")]
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
    /// If a game cannot be set up, both players fail in the first pair, or threads cannot be started.
    pub fn run(
        &self,
        terms: &Terms,
        observe: &mut dyn FnMut(&Standings, &Bout) -> ControlFlow<()>,
    ) -> Result<Standings, DuelError> {
        let variants = &self.runner.variants;
        let seats: Vec<usize> = variants.iter().map(|variant| variant.rules.seats().len()).collect();
        let schedule = Schedule::new(&seats, self.games, self.seed);
        let mut standings = Standings::new(variants.len());
        let mut failure = None;
        let crew = Crew { jobs: self.jobs, drain: &terms.stop, abort: &terms.stop };
        crew.in_order(
            schedule,
            |fixture| {
                let played = self.runner.play(&fixture, terms)?;
                Ok(Bout::of(fixture, played))
            },
            |bout: Result<Bout, RunError>| {
                let bout = match bout {
                    Ok(bout) => bout,
                    Err(error) => {
                        failure = Some(error.into());
                        return ControlFlow::Break(());
                    }
                };
                let Some(score) = bout.score() else { return ControlFlow::Break(()) };
                let titles = self.runner.rules(&bout.fixture).titles();
                standings.add(&bout, score, &titles);
                let observed = observe(&standings, &bout);
                if let [Some(a), Some(b)] = &standings.faults
                    && standings.tally.games() == 2
                {
                    let [one, other] = [0, 1].map(|side| &self.runner.entrants[side].seat.name);
                    failure =
                        Some(DuelError::BothFail { a: format!("{one}: {a}"), b: format!("{other}: {b}") });
                    return ControlFlow::Break(());
                }
                standings.end = self.end(&standings.tally);
                if standings.end.is_some() { ControlFlow::Break(()) } else { observed }
            },
        )?;
        if let Some(error) = failure {
            return Err(error);
        }
        standings.end.get_or_insert(DuelEnd::Stopped);
        Ok(standings)
    }

    /// Whether enough is known: asked after whole pairs, which favour nobody.
    fn end(&self, tally: &Tally) -> Option<DuelEnd> {
        if tally.games() == self.games as u64 {
            return Some(DuelEnd::AllPlayed);
        }
        if !tally.is_paired() {
            return None;
        }
        let (low, high) = tally.interval();
        if self.until.is_some_and(|until| low > until || high < until) {
            return Some(DuelEnd::Until);
        }
        self.sprt.and_then(|sprt| sprt.decision(tally)).map(DuelEnd::Sprt)
    }
}
