//! Searches where a position that arises again ends the game, against the value by definition.

use std::ops::ControlFlow;
use std::sync::Arc;

use agon_core::random::{mix, scale};
use agon_core::{Game, Line, Options, Outcome, Payoffs, Player, Ply, Turn, Verdict};
use agon_search::{ALGORITHMS, Budget, Evaluation, Feature, Limits, Tactics, build, proven_in};

/// Two players move one piece in turn between the places of a small graph full of circles; some places end the game.
#[derive(Clone, Copy, Debug)]
struct Circles {
    seed: u64,
}

const PLACES: u64 = 5;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    place: u8,
    mover: u8,
}

impl Game for Circles {
    type Position = Place;
    type Move = u8;
    type Chance = std::convert::Infallible;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Place {
        Place { place: 0, mover: 0 }
    }

    fn turn(&self, position: &Place) -> Turn {
        Turn::Player(Player(position.mover))
    }

    fn try_for_each_move<T>(
        &self,
        position: &Place,
        visit: impl FnMut(u8) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        if self.outcome(position).is_none() {
            let ways = |to: &u8| {
                let hash = mix(mix(self.seed, u64::from(position.place)), u64::from(*to) + 10);
                *to != position.place
                    && (scale(hash, 2) == 0 || u64::from(*to) == (u64::from(position.place) + 1) % PLACES)
            };
            (0..PLACES as u8).filter(ways).try_for_each(visit)?;
        }
        ControlFlow::Continue(())
    }

    fn play_unchecked(&self, position: &mut Place, mv: u8) {
        *position = Place { place: mv, mover: 1 - position.mover };
    }

    fn outcome(&self, position: &Place) -> Option<Outcome> {
        // The last place is lost for the player who has to move there.
        (u64::from(position.place) == PLACES - 1).then(|| Outcome::won(Player(1 - position.mover), "corner"))
    }

    fn key(&self, position: &Place) -> u64 {
        mix(u64::from(position.place), u64::from(position.mover))
    }

    fn repetition(&self) -> Option<Outcome> {
        // As a win of one side it has to be reckoned with, more than as a draw.
        Some(match self.seed % 3 {
            0 => Outcome::drawn("repetition"),
            winner => Outcome::won(Player(winner as u8 - 1), "repetition"),
        })
    }
}

#[derive(Clone, Copy, Debug)]
struct Nothing;

impl Evaluation<Circles> for Nothing {
    type State = ();

    fn state(&self, _: &Circles, _: &Place) {}

    fn advance(&self, _: &Circles, _: &mut (), _: &Place, _: u8, _: &Place) {}

    fn payoffs(&self, _: &Circles, _: &Place, _: &()) -> Payoffs {
        Payoffs::default()
    }

    fn features(&self, _: &Circles, _: &Place, _: Player) -> Vec<Feature> {
        Vec::new()
    }
}

impl Tactics<Circles> for Nothing {
    fn slots(&self, _: &Circles) -> usize {
        PLACES as usize
    }

    fn slot(&self, _: &Circles, mv: u8) -> usize {
        usize::from(mv)
    }
}

/// The result of perfect play for the first player: 1, 0 or -1.
fn result(line: &mut Line<Circles>) -> i64 {
    if let Some(outcome) = line.outcome() {
        return match outcome.verdict {
            Verdict::Won(Player(0)) => 1,
            Verdict::Won(_) => -1,
            _ => 0,
        };
    }
    let sign = if line.turn() == Turn::Player(Player(0)) { 1 } else { -1 };
    let results = line.legal().into_iter().map(|ply| {
        assert!(line.play(ply));
        let result = result(line);
        line.undo();
        sign * result
    });
    sign * results.max().expect("a move")
}

#[test]
fn results_by_repetition_are_found_from_any_moment_of_a_game() {
    let mut seen = std::collections::HashSet::new();
    for seed in 0..30 {
        let game = Circles { seed };
        let mut line = Line::new(Arc::new(game));
        // The past matters: what arose before the search began must not arise again in it.
        for step in 0..4 {
            if line.legal().len() > 1 {
                let sign = if line.turn() == Turn::Player(Player(0)) { 1 } else { -1 };
                let expected = sign * result(&mut line.clone());
                for (algorithm, settings) in [
                    ("mcts", "nodes=200000,memory=1"),
                    ("maxn", "depth=11,tt=off"),
                    ("paranoid", "depth=11,tt=off"),
                    ("best-reply", "depth=11,tt=off"),
                ] {
                    let parameters =
                        ALGORITHMS.iter().find(|known| known.name == algorithm).expect("it").parameters;
                    let options = Options::parse_declared(algorithm, parameters, settings).expect("settings");
                    let mut bot = build(algorithm, &game, Nothing, &options, 1).expect("a bot");
                    let thought =
                        bot.think(&line, &Budget::new(Limits::default()), &mut |_| {}).expect("a move");
                    let found = thought.score.and_then(proven_in).map_or(0, i64::signum);
                    assert_eq!(found, expected, "{algorithm} with seed {seed} after {step} plies");
                    assert!(algorithm != "mcts" || thought.nodes < 200_000, "it is solved");
                    let mut after = line.clone();
                    assert!(after.play(Ply::Move(thought.best)));
                    assert_eq!(
                        sign * result(&mut after),
                        expected,
                        "{algorithm} with seed {seed} after {step} plies"
                    );
                }
                seen.insert((expected, seed % 3));
            }
            let plies = line.legal();
            let Some(&ply) = plies.get(seed as usize % plies.len().max(1)) else { break };
            assert!(line.play(ply));
        }
    }
    assert!(seen.len() >= 6, "{seen:?}");
}
