//! Looking back at a game: what each position promised, and which moves gave something away.
//!
//! A move is measured against the best one by its game's [`Yardstick`]. What it is worth the bot has told of the moves that it has compared;
//! one that is not among them is worth no more than the least of those, nor, in games of two, than the position after it is, seen by the other
//! side. Two searches of two positions differ by their depths, too, so that is the second choice.

use std::time::Duration;

use agon_core::{Player, Turn, Verdict};
use agon_erased::{
    Bot, BotError, BotSpec, Bound, Budget, Limits, Rules, Session, Thought, Yardstick, default_bot,
    proven_in, with_several_moves,
};

pub use crate::score::{chances, expectation};

/// What is said about a move that gave something away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// `?!`
    Dubious,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl Mark {
    /// All of them, longer signs before their beginnings.
    const ALL: [Self; 3] = [Self::Blunder, Self::Dubious, Self::Mistake];

    /// A mark and the better move, as records note them: `??d3`.
    pub fn note(self, better: &str) -> String {
        format!("{}{better}", self.sign())
    }

    /// Reads a [`note`](Mark::note).
    pub fn parse_note(text: &str) -> Option<(Self, &str)> {
        Self::ALL.into_iter().find_map(|mark| Some((mark, text.strip_prefix(mark.sign())?)))
    }

    /// The sign behind the move.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Dubious => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// The mark of a loss, by the least losses that earn each mark.
    fn of(loss: f64, steps: [f64; 3]) -> Option<Self> {
        match loss {
            _ if loss >= steps[2] => Some(Self::Blunder),
            _ if loss >= steps[1] => Some(Self::Mistake),
            _ if loss >= steps[0] => Some(Self::Dubious),
            _ => None,
        }
    }
}

/// Points, expected result and share of the score that earn a mark.
const POINTS: [f64; 3] = [2.0, 6.0, 12.0];
const EXPECTATIONS: [f64; 3] = [0.05, 0.10, 0.15];
const SHARES: [f64; 3] = [0.02, 0.05, 0.15];
/// Who keeps so much has not done anything wrong.
const SAFE: f64 = 0.95;

/// How many moves of a position are compared.
const KNOWN_MOVES: usize = 6;
/// How much is searched in each position of a finished game: nodes are counted instead of time, so that the answer is the same each time.
const NODES: u64 = 200_000;
/// On a slow machine the clock stops the search instead.
const PATIENCE: Duration = Duration::from_secs(1);

/// The bot that looks back at games of `rules`. It must be a fresh one: what it learnt during a game would influence it.
pub fn reviewer(rules: &dyn Rules) -> BotSpec {
    with_several_moves(rules, default_bot(rules), KNOWN_MOVES)
}

/// How long it thinks of each position.
pub fn review_limits() -> Limits {
    Limits { nodes: Some(NODES), ..Limits::of_time(PATIENCE) }
}

/// A move that gave something away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// How many plies had been played before it.
    pub ply: usize,
    /// How much.
    pub mark: Mark,
    /// The better move.
    pub better: String,
}

/// The moves of `session`, a game of `rules` that is over, that gave something away, from the ply `from` on, and up to which ply they have been
/// looked for. `bot` is the [`reviewer`]; at least one move is judged, and further ones as long as `goes_on`.
///
/// # Errors
/// If the bot fails.
pub fn faults(
    rules: &dyn Rules,
    yardstick: Yardstick,
    session: &dyn Session,
    from: usize,
    bot: &mut dyn Bot,
    budget: &Budget,
    mut goes_on: impl FnMut() -> bool,
) -> Result<(Vec<Fault>, usize), BotError> {
    let mut assess = |ply: usize| {
        let mut past = session.fork();
        past.rewind(ply);
        Assessment::ask(bot, &*past, budget)
    };
    let mut found = Vec::new();
    let mut before = assess(from)?;
    for ply in from..session.len() {
        let next = ply + 1;
        let after = if next < session.len() { assess(next)? } else { None };
        let worth = if next < session.len() {
            after.as_ref().map(Assessment::for_first)
        } else {
            final_score(session)
        };
        if let (Some(before), Some(token)) = (&before, session.token_at(ply))
            && let Some(mark) = mark(rules, yardstick, before, &token, worth)
        {
            found.push(Fault { ply, mark, better: before.best.clone() });
        }
        if !goes_on() {
            return Ok((found, next));
        }
        before = after;
    }
    Ok((found, session.len()))
}

/// What a bot makes of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment {
    /// Who is to move.
    pub mover: Player,
    /// What the position is worth to that player, in the unit of the evaluation.
    pub score: f64,
    /// The best move.
    pub best: String,
    /// What each move is worth, as far as the bot has found it out.
    pub moves: Vec<(String, f64)>,
}

impl Assessment {
    /// The opinion that a thought of `mover` holds; `None` if the bot does not judge.
    pub fn of(thought: &Thought<String>, mover: Player) -> Option<Self> {
        let score = thought.score?;
        // A bound says too little of what a move is worth.
        let known = thought.moves.iter().filter(|known| known.bound == Bound::Exact);
        let moves = known.map(|known| (known.mv.clone(), known.score)).collect();
        Some(Self { mover, score, best: thought.best.clone(), moves })
    }

    /// Asks `bot` about `session`; `None` if nobody is to move or the bot does not judge.
    ///
    /// # Errors
    /// If the bot fails.
    pub fn ask(bot: &mut dyn Bot, session: &dyn Session, budget: &Budget) -> Result<Option<Self>, BotError> {
        let Turn::Player(mover) = session.turn() else { return Ok(None) };
        if session.outcome().is_some() {
            return Ok(None);
        }
        let thought = bot.think(session, budget, &mut |_| {})?;
        Ok(Self::of(&thought, mover))
    }

    /// The score as the first player sees it, in games of two.
    pub fn for_first(&self) -> f64 {
        if self.mover == Player(0) { self.score } else { -self.score }
    }
}

/// The score, for the first player, of a game of two that is over, in the unit of the best evaluation: where that counts points, a
/// game that is won by more is worth more.
pub fn final_score(session: &dyn Session) -> Option<f64> {
    session.outcome()?;
    match session.prospects()[..] {
        [first, _] => Some(first),
        _ => None,
    }
}

/// What the first player got from a game that is over: 1 for a win, a half for a draw, 0 for a loss.
pub fn final_result(session: &dyn Session) -> Option<f64> {
    Some(match session.outcome()?.verdict {
        Verdict::Won(Player(0)) => 1.0,
        Verdict::Won(_) | Verdict::Lost => 0.0,
        Verdict::Drawn => 0.5,
    })
}

/// The mark of a `played` move in a position that was assessed as `before`; `after` is what the position after it is worth to the first
/// player in a game of two.
pub fn mark(
    rules: &dyn Rules,
    yardstick: Yardstick,
    before: &Assessment,
    played: &str,
    after: Option<f64>,
) -> Option<Mark> {
    if before.best == played {
        return None;
    }
    let known = |token: &str| before.moves.iter().find(|(name, _)| name == token).map(|(_, score)| *score);
    if yardstick == Yardstick::Share {
        let (best, worth) = (before.score, known(played)?);
        return if best > 0.0 { Mark::of((best - worth) / best, SHARES) } else { None };
    }
    let scale = rules.scale()?;
    let least = before.moves.last().map(|(_, least)| *least);
    let seen_after = match (rules.seats().len(), before.mover) {
        (2, Player(0)) => Some(after?),
        (2, _) => Some(-after?),
        _ => least,
    };
    let worth = known(played).or(seen_after.map(|worth| worth.min(least.unwrap_or(worth))))?;
    let (promised, kept) = (expectation(before.score, scale), expectation(worth, scale));
    // A result that was certain and no longer is.
    let proven = |score: f64| proven_in(score).is_some();
    if proven(before.score) && promised == 1.0 && kept < SAFE {
        return Some(Mark::Blunder);
    }
    if kept > SAFE {
        return None;
    }
    match yardstick {
        Yardstick::Points(unit) if !proven(before.score) && !proven(worth) => {
            Mark::of((before.score - worth) / unit, POINTS)
        }
        _ => Mark::of(promised - kept, EXPECTATIONS),
    }
}

#[cfg(test)]
mod tests {
    use agon_erased::WIN;
    use agon_registry::GAMES;

    use super::*;

    fn assessment(mover: u8, score: f64) -> Assessment {
        Assessment { mover: Player(mover), score, best: "best".to_owned(), moves: Vec::new() }
    }

    #[test]
    fn among_many_a_move_is_measured_by_what_the_bot_knows() {
        let checkers = GAMES.find("chinese-checkers").expect("chinese-checkers");
        let rules = checkers.rules("seats=g/y/r").expect("seats");
        let scale = rules.scale().expect("there are opponents");
        let mut before = assessment(2, 0.0);
        before.moves = [("best", 0.0), ("good", -0.01), ("bad", -0.6)]
            .map(|(name, worth)| (name.to_owned(), worth * scale))
            .to_vec();
        let judge = |played| mark(&*rules, Yardstick::Expectation, &before, played, Some(9999.0));
        assert_eq!(judge("best"), None);
        assert_eq!(judge("good"), None);
        assert_eq!(judge("bad"), Some(Mark::Blunder));
        assert_eq!(judge("unknown"), Some(Mark::Blunder), "no better than the worst that is known");
    }

    #[test]
    fn moves_are_marked_by_what_they_cost_their_own_side() {
        let othello = GAMES.find("othello").expect("othello");
        let rules = othello.rules("size=4").expect("a board");
        let judge = |before: &Assessment, after: f64| {
            mark(&*rules, Yardstick::Points(100.0), before, "played", Some(after))
        };
        assert_eq!(judge(&assessment(0, 300.0), 250.0), None);
        assert_eq!(judge(&assessment(0, 300.0), 100.0), Some(Mark::Dubious));
        assert_eq!(judge(&assessment(0, 300.0), -300.0), Some(Mark::Mistake));
        assert_eq!(judge(&assessment(0, 300.0), -900.0), Some(Mark::Blunder));
        // The second player is glad of what hurts the first.
        assert_eq!(judge(&assessment(1, 300.0), -300.0), None);
        assert_eq!(judge(&assessment(1, 300.0), 300.0), Some(Mark::Mistake));
        let best = mark(&*rules, Yardstick::Points(100.0), &assessment(0, 300.0), "best", Some(-900.0));
        assert_eq!(best, None);
        // What the bot has compared itself goes before what it says of the next position.
        let mut compared = assessment(0, 300.0);
        compared.moves = vec![("best".to_owned(), 300.0), ("played".to_owned(), 290.0)];
        assert_eq!(judge(&compared, -900.0), None);
        compared.moves[1].0 = "another".to_owned();
        assert_eq!(judge(&compared, -900.0), Some(Mark::Blunder));
        // A win that was proven and thrown away; one that is merely slower.
        let win = f64::from(WIN - 9);
        assert_eq!(judge(&assessment(0, win), 0.0), Some(Mark::Blunder));
        assert_eq!(judge(&assessment(0, win), f64::from(WIN - 30)), None);
        let expected = |before: f64, after: f64| {
            mark(&*rules, Yardstick::Expectation, &assessment(0, before), "played", Some(after))
        };
        assert_eq!(expected(0.0, -2000.0), Some(Mark::Blunder));
    }

    #[test]
    fn the_last_move_is_judged_in_discs_too() {
        let rules = GAMES.find("othello").expect("othello").rules("").expect("a board");
        // Black has 31 discs, White 33.
        let board = "xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxo/oooooooo/oooooooo/oooooooo/oooooooo x";
        let end = rules.start_from(board).expect("a board");
        assert_eq!((final_score(&*end), final_result(&*end)), (Some(-200.0), Some(0.0)));
        let judge = |before: f64| {
            mark(&*rules, Yardstick::Points(100.0), &assessment(0, before), "played", final_score(&*end))
        };
        assert_eq!(judge(-200.0), None, "it was lost by two discs already");
        assert_eq!(judge(0.0), Some(Mark::Dubious));
        assert_eq!(judge(1600.0), Some(Mark::Blunder));
        let going_on = rules.start();
        assert_eq!((final_score(&*going_on), final_result(&*going_on)), (None, None));

        let loa = GAMES.find("loa").expect("loa").rules("").expect("a board");
        let end = loa.start_from("8/2b5/3b4/8/4ww2/5w2/1b6/8 b 40").expect("a board");
        assert_eq!((final_score(&*end), final_result(&*end)), (Some(f64::from(-WIN)), Some(0.0)));
    }

    #[test]
    fn marks_are_noted_with_the_better_move() {
        for mark in Mark::ALL {
            assert_eq!(Mark::parse_note(&mark.note("d3")), Some((mark, "d3")));
        }
        assert_eq!(Mark::parse_note("d3"), None);
    }

    #[test]
    fn luck_is_not_blamed() {
        let rules = GAMES.find("2048").expect("2048").rules("").expect("it has no options");
        let mut before = assessment(0, 1000.0);
        before.moves =
            vec![("left".to_owned(), 1000.0), ("up".to_owned(), 900.0), ("down".to_owned(), 990.0)];
        before.best = "left".to_owned();
        let judge = |played| mark(&*rules, Yardstick::Share, &before, played, None);
        assert_eq!(judge("up"), Some(Mark::Mistake));
        assert_eq!(judge("down"), None);
        assert_eq!(judge("left"), None);
        assert_eq!(judge("right"), None, "nobody knows");
    }
}
