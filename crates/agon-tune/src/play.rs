//! Games of a tuning.

use std::sync::Arc;

use agon_arena::bout::Bout;
use agon_arena::experiment::{Job, JobOpening, JobPlayer, ScheduledGame};
use agon_arena::runner::{Played, Variant};
use agon_arena::schedule::Fixture;
use agon_arena::statistics::Score;
use agon_erased::{BotSpec, Rules};
use agon_match::{End, Late, Occupant};
use serde::{Deserialize, Serialize};

use crate::fit::Sample;
use crate::openings::{Part, split_opening};
use crate::plan::{MAX_PLIES, Plan};
use crate::run::TuneError;
use crate::sample::Lens;

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

/// A game between two bots.
pub(crate) struct TuningGame<'a> {
    plan: &'a Plan,
    fixture: Fixture,
    job: Job,
    /// How many plies of it are the opening.
    opening: usize,
    /// How its positions are looked at, if they are; then moves are noted down too.
    sampling: Option<Sampling>,
}

/// How positions of a game are chosen.
#[derive(Clone, Copy)]
pub(crate) struct Sampling {
    /// The most of a game.
    pub(crate) positions: usize,
    pub(crate) seed: u64,
}

impl<'a> TuningGame<'a> {
    /// A game between `bots` with an opening of one part, which its luck decides.
    pub(crate) fn new(
        plan: &'a Plan,
        fixture: Fixture,
        bots: &[BotSpec; 2],
        part: Part,
        sampling: Option<Sampling>,
    ) -> Result<Self, TuneError> {
        let Variant { rules, opening_plies } = &plan.variants[fixture.variant];
        let opening = split_opening(&**rules, *opening_plies, part, fixture.luck_seed)
            .ok_or(TuneError::Openings(*opening_plies))?;
        let plies = opening.moves.len();
        let player = |side: &usize| JobPlayer::of(Occupant::Bot(bots[*side].clone()), *side);
        let job = Job {
            game: rules.spec().id.to_owned(),
            options: rules.options(),
            opening: JobOpening::At(opening),
            players: fixture.seats.iter().map(player).collect(),
            late: Late::Counted,
            tolerates_printing: false,
            max_plies: MAX_PLIES,
            luck_seed: fixture.luck_seed,
            player_seed: fixture.player_seed,
        };
        Ok(Self { plan, fixture, job, opening: plies, sampling })
    }
}

impl ScheduledGame for TuningGame<'_> {
    type Result = Entry;
    /// The positions that are worth learning from.
    type Examined = Vec<Sample>;
    type Error = TuneError;

    fn key(&self) -> usize {
        self.fixture.number
    }

    fn number(&self) -> usize {
        self.fixture.number
    }

    fn job(&self) -> &Job {
        &self.job
    }

    fn rules(&self) -> &Arc<dyn Rules> {
        &self.plan.variants[self.fixture.variant].rules
    }

    fn result(&self, played: Played) -> Result<Option<Entry>, TuneError> {
        let scores: Vec<Option<i64>> = played.game.boards()[0]
            .plies()
            .map(|ply| ply.remark.and_then(|remark| remark.score).map(|score| score.round() as i64))
            .collect();
        let bout = Bout::of(self.fixture.clone(), played);
        let Some(score) = bout.score() else { return Ok(None) };
        let fault = bout.games.iter().find_map(|game| match &game.end {
            End::Forfeit { detail, .. } => Some(detail.clone()),
            _ => None,
        });
        let moves = bout.games[0].record.moves.clone();
        let plies = moves.len();
        let (moves, scores) = if self.sampling.is_some() { (moves, scores) } else { Default::default() };
        let score = match score {
            Score::Loss => 0,
            Score::Draw => 1,
            Score::Win => 2,
        };
        let (game, opening) = (self.fixture.number, self.opening);
        Ok(Some(Entry { game, score, plies, opening, moves, scores, fault }))
    }

    fn examine(&self, entry: &Entry) -> Vec<Sample> {
        let Some(Sampling { positions, seed }) = self.sampling else { return Vec::new() };
        let rules = &**self.rules();
        // Whether it can be asked was found out before anything was played.
        Lens::new(rules, &self.plan.linear, &self.plan.bot)
            .map_or_else(|_| Vec::new(), |lens| lens.samples(rules, entry, positions, seed))
    }
}
