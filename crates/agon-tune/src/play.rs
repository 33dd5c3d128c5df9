//! Games of a tuning, played by the arena's runner.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use agon_arena::bout::Bout;
use agon_arena::entrants::{Chair, Entrant, Entrants};
use agon_arena::folder::Ledger;
use agon_arena::in_order::Crew;
use agon_arena::referee::{Contestant, Terms};
use agon_arena::runner::{Runner, Variant};
use agon_arena::schedule::Fixture;
use agon_arena::statistics::Score;
use agon_match::{End, Late, Occupant, Seat, TimeControl};
use agon_registry::BotSpec;
use serde::{Deserialize, Serialize};

use crate::openings::{Part, split_opening};
use crate::run::{Host, TuneError};

/// A game as it is remembered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// Its number.
    pub(crate) game: usize,
    /// How it ended for the first of the two bots: 0 lost, 1 drawn, 2 won.
    pub(crate) score: u8,
    /// Plies played, the opening included.
    pub(crate) plies: usize,
    /// How many of them are the opening.
    pub(crate) opening: usize,
    /// Its moves, where they are looked at again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) moves: Vec<String>,
    /// What the search said before each of them, rounded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) scores: Vec<Option<i64>>,
    /// Why one side lost by a fault of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) fault: Option<String>,
}

impl Entry {
    pub(crate) fn score(&self) -> Score {
        match self.score {
            0 => Score::Loss,
            1 => Score::Draw,
            _ => Score::Win,
        }
    }
}

/// A game that is to be played, or was. Its opening is decided by its luck.
pub(crate) struct Pairing {
    pub(crate) fixture: Fixture,
    pub(crate) bots: Arc<[BotSpec; 2]>,
}

/// Where games are played and noted down.
pub(crate) struct Hall<'a> {
    pub(crate) variants: &'a [Variant],
    pub(crate) host: &'a Host,
    pub(crate) max_plies: usize,
    /// Whose openings the games begin with.
    pub(crate) part: Part,
    /// Whether moves are noted down.
    pub(crate) keeps_moves: bool,
}

/// Games that have been played, and where new ones are noted down.
pub(crate) struct Book {
    pub(crate) ledger: Ledger,
    pub(crate) known: HashMap<usize, Entry>,
}

impl Hall<'_> {
    /// Plays those of so many games that `book` does not hold yet and gives all of them to `consume` in order, each with what `look` made of it and whether
    /// it is new. Says whether all were played.
    pub(crate) fn play_all<T: Send>(
        &self,
        book: &mut Book,
        wanted: usize,
        pairings: impl Iterator<Item = Pairing> + Send,
        look: impl Fn(&Entry, &Fixture) -> T + Sync,
        consume: &mut dyn FnMut(Entry, T, bool),
    ) -> Result<bool, TuneError> {
        let Book { ledger, known } = book;
        let items = pairings.map(|pairing| {
            let entry = known.remove(&pairing.fixture.number);
            (pairing, entry)
        });
        let (mut done, mut failure) = (0, None);
        // The crew sets this when it has finished, and there are several crews in a tuning.
        let finished = AtomicBool::new(false);
        let crew = Crew { jobs: self.host.jobs, drain: &self.host.stops.drain, abort: &finished };
        crew.in_order(
            items,
            |(pairing, entry)| {
                let is_new = entry.is_none();
                let entry = match entry {
                    Some(entry) => Some(entry),
                    None => self.play(&pairing)?,
                };
                Ok::<_, TuneError>(entry.map(|entry| {
                    let seen = look(&entry, &pairing.fixture);
                    (entry, seen, is_new)
                }))
            },
            |played| match played {
                Ok(Some((entry, seen, is_new))) => {
                    if is_new && let Err(error) = ledger.enter(&entry) {
                        failure = Some(error.into());
                        return ControlFlow::Break(());
                    }
                    done += 1;
                    consume(entry, seen, is_new);
                    ControlFlow::Continue(())
                }
                Ok(None) => ControlFlow::Break(()),
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            },
        )?;
        if let Some(error) = failure {
            return Err(error);
        }
        ledger.sync()?;
        Ok(done == wanted)
    }

    /// Plays a game; `None` if it was stopped.
    fn play(&self, pairing: &Pairing) -> Result<Option<Entry>, TuneError> {
        let Pairing { fixture, bots } = pairing;
        let Variant { rules, opening_plies } = &self.variants[fixture.variant];
        let opening = split_opening(&**rules, *opening_plies, self.part, fixture.luck_seed)
            .ok_or(TuneError::Openings(*opening_plies))?;
        let opening_length = opening.moves.len();
        let fixture = Fixture { opening: Some(opening), ..fixture.clone() };
        let make = |chair: Chair| {
            let bot = chair.rules.bot(&bots[chair.entrant], chair.seed).map_err(|error| error.to_string())?;
            Ok(Contestant::house(bot, chair.seed))
        };
        let entrant = |bot: &BotSpec| Entrant {
            seat: Seat::of(Occupant::Bot(bot.clone())),
            control: TimeControl::None,
        };
        let runner = Runner {
            variants: self.variants.to_vec(),
            entrants: Entrants { entrants: bots.iter().map(entrant).collect(), make: &make },
            late: Late::Counted,
        };
        let terms = Terms {
            clock: Arc::clone(&self.host.clock),
            stop: Arc::clone(&self.host.stops.abort),
            max_plies: self.max_plies,
        };
        let played = runner.play(&fixture, &terms, None)?;
        let scores: Vec<Option<i64>> = played.play.boards()[0]
            .plies()
            .map(|ply| ply.remark.and_then(|remark| remark.score).map(|score| score.round() as i64))
            .collect();
        let game = fixture.number;
        let bout = Bout::of(fixture, played);
        let Some(score) = bout.score() else { return Ok(None) };
        let fault = bout.games.iter().find_map(|game| match &game.end {
            End::Forfeit { detail, .. } => Some(detail.clone()),
            _ => None,
        });
        let moves = bout.games[0].record.moves.clone();
        let plies = moves.len();
        let (moves, scores) = if self.keeps_moves { (moves, scores) } else { Default::default() };
        let score = match score {
            Score::Loss => 0,
            Score::Draw => 1,
            Score::Win => 2,
        };
        Ok(Some(Entry { game, score, plies, opening: opening_length, moves, scores, fault }))
    }
}
