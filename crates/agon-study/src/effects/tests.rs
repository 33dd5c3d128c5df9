//! Whole studies, simulated: how often they claim what is not so, and how much they find out.
//!
//! `AGON_SIMULATED_STUDIES=5000 cargo test -p agon-study simulated -- --nocapture` simulates more of them and prints the figures.

use std::path::Path;

use agon_core::random::{seeded, unit};
use agon_registry::GAMES;

use super::*;
use crate::results::{Results, State, Verdict};

/// How many studies of each kind are simulated.
fn studies() -> u64 {
    std::env::var("AGON_SIMULATED_STUDIES").ok().and_then(|text| text.parse().ok()).unwrap_or(100)
}

/// A study of six settings, under six circumstances or one, with so many games of each comparison.
fn study(has_many: bool, games: usize) -> Study {
    let across = if has_many {
        "[[across]]\noption = \"size\"\nvalues = [4, 6, 8]\n[[across]]\nlimit = \"nodes\"\nvalues = [1, 2]\n"
    } else {
        "[[across]]\nlimit = \"nodes\"\nvalues = [1]\n"
    };
    let text = format!(
        "game = \"othello\"\ngames = {games}\nreference = \"alphabeta\"\n{across}[[vary]]\nparameter = \"tt\"\n\
         values = [1, 2, 3, 4, 5, 6]\n"
    );
    Study::parse(GAMES, "test.toml", &text, "test", Path::new("."), false)
        .unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

fn game(comparison: usize, number: usize, score: u8) -> GameResult {
    GameResult {
        comparison,
        game: number,
        score,
        plies: 9,
        first_seats: Vec::new(),
        seats: Vec::new(),
        points: None,
        is_cut: false,
        fault: None,
        sides: Default::default(),
        late: [0; 2],
        seen: Vec::new(),
    }
}

/// A result of a game with this mean, of which one in ten is drawn.
fn luck(rng: &mut agon_core::Rng, mean: f64) -> u8 {
    let drawn = 0.1_f64.min(2.0 * mean.min(1.0 - mean));
    let chance = unit(rng);
    match chance {
        _ if chance < drawn => 1,
        _ if chance < drawn + mean - drawn / 2.0 => 2,
        _ => 0,
    }
}

/// Plays a study in which settings have these scores under each circumstance.
fn play(study: &Study, score: &dyn Fn(usize, usize) -> f64, seed: u64) -> Counts {
    let mut counts = Counts::new(study);
    let comparisons = study.comparisons();
    let mut rng = seeded(seed);
    for pair in 0..study.games / 2 {
        for (index, comparison) in comparisons.iter().enumerate() {
            for number in [2 * pair, 2 * pair + 1] {
                let score = luck(&mut rng, score(comparison.setting, comparison.circumstance));
                if !counts.has_ended(index) {
                    counts.push(&game(index, number, score));
                }
            }
        }
    }
    counts
}

/// Whether anything is claimed that is not so: about a main effect, about a comparison, or about how the two differ.
fn claims_falsely(study: &Study, score: &dyn Fn(usize, usize) -> f64, seed: u64) -> bool {
    let counts = play(study, score, seed);
    let results = Results::of(study, &counts, &[], State::Finished);
    let circumstances = study.circumstances.len();
    let main = |setting: usize| {
        (0..circumstances).map(|place| score(setting, place)).sum::<f64>() / circumstances as f64
    };
    let is_false = |verdict: Verdict, truth: f64| match verdict {
        Verdict::Stronger => truth <= 0.5 + 1e-9,
        Verdict::Weaker => truth >= 0.5 - 1e-9,
        Verdict::Open => false,
    };
    let effects = results.effects.iter().any(|effect| is_false(effect.verdict, main(effect.setting)));
    let singles = results.comparisons.iter().any(|comparison| {
        let truth = score(comparison.setting, comparison.circumstance);
        let effect = results.effect_of(comparison).expect("its main effect");
        let above = comparison.score.low > effect.score.high && truth <= main(comparison.setting);
        let below = comparison.score.high < effect.score.low && truth >= main(comparison.setting);
        is_false(comparison.verdict, truth) || above || below
    });
    effects || singles
}

/// What a setting scores on average under a circumstance.
type Truth = Box<dyn Fn(usize, usize) -> f64>;

/// What is played in the simulations of false claims.
fn truths() -> [(&'static str, Truth); 4] {
    [
        ("all are equal", Box::new(|_, _| 0.5)),
        // Each is better in half of the circumstances and worse in the others, so that nothing is true over all.
        ("worth something here, nothing overall", Box::new(|_, place| [0.9, 0.1][place % 2])),
        (
            "a little here and there",
            Box::new(|setting, place| 0.5 + 0.1 * [1.0, -1.0][(setting + place) % 2]),
        ),
        // The same everywhere, so that no circumstance differs from the main effect.
        ("some are worse", Box::new(|setting, _| if setting > 3 { 0.35 } else { 0.5 })),
    ]
}

#[test]
#[expect(
    clippy::print_stdout,
    reason = "who asks for the output of a test wants to know how often a study is wrong"
)]
fn simulated_studies_claim_falsely_in_one_of_twenty_at_most() {
    let number = studies();
    for (has_many, games) in [(true, 50), (false, 120)] {
        let study = study(has_many, games);
        for (name, truth) in truths() {
            let wrong = (0..number).filter(|seed| claims_falsely(&study, &*truth, 77 + seed)).count();
            println!("{}, {name}: {wrong} of {number}", if has_many { "six circumstances" } else { "one" });
            assert!(wrong as f64 <= 0.05 * number as f64, "{name}: {wrong} of {number}");
        }
    }
}

/// The scores of six settings in Lines of Action, about as they have been measured, with a little more and a little less in places.
fn measured(setting: usize, place: usize) -> f64 {
    let mean = [0.5, 0.29, 0.37, 0.42, 0.44, 0.46, 0.51][setting];
    mean + [0.03, -0.03, 0.01, -0.01, 0.02, -0.02][place]
}

/// Which of these means a sequence of its own shows, given the scores of pairs by setting, circumstance and pair.
fn shown_by(pairs: &[Vec<Vec<f64>>], is_shown: impl Fn(&[Vec<f64>]) -> bool) -> usize {
    pairs.iter().filter(|places| is_shown(places)).count()
}

#[test]
#[expect(
    clippy::print_stdout,
    reason = "who asks for the output of a test wants to know what each method finds"
)]
fn simulated_studies_find_out_more_than_with_other_methods() {
    let study = study(true, 50);
    let number = studies();
    let (mut by_blocks, mut by_means, mut by_itself) = (0, 0, 0);
    for seed in 0..number {
        let counts = play(&study, &measured, 900_000 + seed);
        by_blocks += counts.effects.iter().filter(|effect| effect.verdict().is_some()).count();
        // The same luck, judged by the mean of each block and, as earlier versions did, by each comparison alone.
        let mut rng = seeded(900_000 + seed);
        let mut pairs = vec![vec![Vec::new(); 6]; 6];
        for _ in 0..25 {
            for place in 0..6 {
                for (setting, places) in pairs.iter_mut().enumerate() {
                    let mut one = || f64::from(luck(&mut rng, measured(setting + 1, place)));
                    places[place].push((one() + one()) / 4.0);
                }
            }
        }
        by_means += shown_by(&pairs, |places| {
            let mut sequence = ConfidenceSequence::new(study.shares().main);
            (0..25).any(|pair| {
                sequence.push(places.iter().map(|scores| scores[pair]).sum::<f64>() / 6.0);
                sequence.side_of(0.5).is_some()
            })
        });
        by_itself += shown_by(&pairs, |places| {
            places.iter().any(|scores| {
                let mut sequence = ConfidenceSequence::new(0.05 / 36.0);
                scores.iter().any(|score| {
                    sequence.push(*score);
                    sequence.side_of(0.5).is_some()
                })
            })
        });
    }
    let per_study = |shown: usize| shown as f64 / number as f64;
    let [blocks, means, itself] = [by_blocks, by_means, by_itself].map(per_study);
    println!(
        "settings shown a study: {blocks:.2} by blocks, {means:.2} by their means, {itself:.2} by single comparisons"
    );
    assert!(blocks > 1.5 && blocks > means + 0.5 && blocks > itself + 0.5, "{blocks} {means} {itself}");
}

#[test]
fn a_setting_ends_under_all_circumstances_at_once() {
    let study = study(true, 200);
    // The first loses everything everywhere, the second under the first circumstance alone.
    let score = |setting: usize, place: usize| match setting {
        1 => 0.0,
        2 if place == 0 => 0.0,
        _ => 0.5,
    };
    let counts = play(&study, &score, 5);
    let games = |contrast: usize| -> Vec<u64> {
        counts.of_contrast(contrast).map(|count| count.tally.games()).collect()
    };
    let first = games(0);
    assert!(first.iter().all(|games| *games == first[0] && *games < 60), "{first:?}");
    assert_eq!(games(1), [200; 6], "what is clear under one circumstance goes on with the others");
    assert!(counts.ended.iter().all(|ended| *ended));
    let results = Results::of(&study, &counts, &[], State::Finished);
    assert!(results.comparisons[0].stopped_early && !results.comparisons[1].stopped_early);
    assert_eq!(results.effects[0].games, 6 * first[0]);
    assert_eq!((results.effects[0].verdict, results.effects[0].pairs), (Verdict::Weaker, 3 * first[0]));
}

#[test]
fn the_whole_error_goes_to_one_circumstance_and_is_halved_for_more() {
    let one = study(false, 10).shares();
    assert!((one.main - 0.05 / 6.0).abs() < 1e-12 && one.single == one.main);
    let many = study(true, 10).shares();
    assert!((many.main - 0.025 / 6.0).abs() < 1e-12 && (many.single - 0.025 / 36.0).abs() < 1e-12);
}

#[test]
fn blocks_that_are_not_whole_do_not_count() {
    let mut effect = Effect::new(0.05, 2, false);
    let pair = |score: f64, depth: Option<f64>| Pair { score, nodes: None, time: None, depth };
    effect.push(pair(1.0, Some(1.0)));
    assert_eq!((effect.scores.count(), effect.is_whole()), (0, false));
    effect.push(pair(0.5, Some(2.0)));
    effect.push(pair(0.0, Some(1.0)));
    assert_eq!((effect.scores.count(), effect.scores.mean()), (2, Some(0.75)));
    assert_eq!((effect.depth.count(), effect.depth.mean()), (1, Some(1.5)));
    // A measure that a circumstance lacks is left out of the block.
    effect.push(pair(0.0, None));
    assert_eq!((effect.scores.count(), effect.depth.count()), (4, 1));
}

#[test]
fn pairs_with_the_same_opening_are_one_observation() {
    let block = [1.0; 6].map(|score| Pair { score, nodes: None, time: None, depth: None });
    let shown = |is_bound: bool| {
        let mut effect = Effect::new(0.05, 6, is_bound);
        (1..20).find(|_| {
            block.into_iter().for_each(|pair| effect.push(pair));
            effect.verdict().is_some()
        })
    };
    assert_eq!((shown(false), shown(true)), (Some(2), Some(7)));
}
