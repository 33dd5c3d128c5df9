use agon_core::random::{seeded, unit};

use super::*;

/// No knowledge of strengths; next to none of the rest, which must stay finite where no game tells anything about it.
const FLAT: Prior = Prior { strength: 0.0, first_move: 1e-6, draws: 1e-6 };

fn close(one: f64, other: f64, tolerance: f64) {
    assert!((one - other).abs() < tolerance, "{one} is not {other}");
}

fn times(count: u32, first: usize, second: usize, score: Score) -> impl Iterator<Item = Encounter> {
    (0..count).map(move |_| Encounter { first, second, group: 0, score, is_ordered: true })
}

/// The American League of 1987 (Agresti, "Categorical Data Analysis", chapter 10): who was at home against whom, games won at
/// home and away. 0 Baltimore, 1 Boston, 2 Cleveland, 3 Detroit, 4 Milwaukee, 5 New York, 6 Toronto.
const BASEBALL: [(usize, usize, u32, u32); 42] = [
    (4, 3, 4, 3),
    (4, 6, 4, 2),
    (4, 5, 4, 3),
    (4, 1, 6, 1),
    (4, 2, 4, 2),
    (4, 0, 6, 0),
    (3, 4, 3, 3),
    (3, 6, 4, 2),
    (3, 5, 4, 3),
    (3, 1, 6, 0),
    (3, 2, 6, 1),
    (3, 0, 4, 3),
    (6, 4, 2, 5),
    (6, 3, 4, 3),
    (6, 5, 2, 4),
    (6, 1, 4, 3),
    (6, 2, 4, 2),
    (6, 0, 6, 0),
    (5, 4, 3, 3),
    (5, 3, 5, 1),
    (5, 6, 2, 5),
    (5, 1, 4, 3),
    (5, 2, 4, 2),
    (5, 0, 6, 1),
    (1, 4, 5, 1),
    (1, 3, 2, 5),
    (1, 6, 3, 3),
    (1, 5, 4, 2),
    (1, 2, 5, 2),
    (1, 0, 6, 0),
    (2, 4, 2, 5),
    (2, 3, 3, 3),
    (2, 6, 3, 4),
    (2, 5, 4, 3),
    (2, 1, 4, 2),
    (2, 0, 2, 4),
    (0, 4, 2, 5),
    (0, 3, 1, 5),
    (0, 6, 1, 6),
    (0, 5, 2, 4),
    (0, 1, 1, 6),
    (0, 2, 3, 4),
];

fn baseball(is_ordered: bool) -> Ratings {
    let games: Vec<Encounter> = BASEBALL
        .iter()
        .flat_map(|&(home, away, won, lost)| {
            times(won, home, away, Score::Win).chain(times(lost, home, away, Score::Loss))
        })
        .map(|game| Encounter { is_ordered, ..game })
        .collect();
    fit(7, 1, &games, &FLAT)
}

#[test]
fn strengths_are_as_published() {
    // Turner and Firth, "Bradley-Terry Models in R" (2012): strengths relative to Baltimore, without and with the advantage at home.
    let without = [1.1077, 0.6839, 1.4364, 1.5814, 1.2476, 1.2945];
    let ratings = baseball(false);
    for (team, strength) in (1..).zip(without) {
        close((ratings.elo[team] - ratings.elo[0]) / ELO_PER_UNIT, strength, 1e-3);
    }
    // The standard error of the difference of Boston and Baltimore, 0.3339 there.
    let at = |row: usize, column: usize| ratings.covariance[row * 7 + column];
    close((at(0, 0) + at(1, 1) - 2.0 * at(0, 1)).sqrt() / ELO_PER_UNIT, 0.3339, 1e-3);

    let with = [1.1438, 0.7047, 1.4754, 1.6196, 1.2813, 1.3271];
    let ratings = baseball(true);
    // The home term makes a difference worth a little less, by which the scale is stretched.
    let stretch = 4.0 * ratings.groups[0].first_score * (1.0 - ratings.groups[0].first_score);
    for (team, strength) in (1..).zip(with) {
        close((ratings.elo[team] - ratings.elo[0]) / ELO_PER_UNIT / stretch, strength, 1e-3);
    }
    // The advantage is 0.3023 with a standard error of 0.1309.
    let odds = |score: f64| (score / (1.0 - score)).ln();
    close(odds(ratings.groups[0].first_score), 0.3023, 1e-3);
    let (low, high) = ratings.groups[0].first_interval;
    close((odds(high) - odds(low)) / 2.0 / Z, 0.1309, 1e-3);
}

#[test]
fn two_players_without_a_prior_have_exactly_the_odds_of_their_games() {
    let games: Vec<Encounter> = times(30, 0, 1, Score::Win)
        .chain(times(20, 0, 1, Score::Draw))
        .chain(times(10, 0, 1, Score::Loss))
        .map(|game| Encounter { is_ordered: false, ..game })
        .collect();
    let ratings = fit(2, 1, &games, &FLAT);
    // Davidson: the ratio of strengths is wins to losses, and ν is draws to their geometric mean.
    let nu = 20.0 / 300_f64.sqrt();
    close(ratings.groups[0].draws, nu / (2.0 + nu), 1e-6);
    let stretch = 2.0 / (2.0 + nu);
    close(ratings.elo[0] - ratings.elo[1], ELO_PER_UNIT * stretch * 3_f64.ln(), 1e-6);
    // Between near equals, the Elo difference is that of the score.
    close(ratings.elo[0] - ratings.elo[1], super::super::elo(40.0 / 60.0), 5.0);
}

#[test]
fn a_player_with_all_points_has_a_finite_rating_with_a_wide_interval() {
    let games: Vec<Encounter> = times(5, 0, 1, Score::Win).chain(times(5, 1, 0, Score::Loss)).collect();
    let ratings = fit(3, 1, &games, &Prior::default());
    assert!((200.0..900.0).contains(&(ratings.elo[0] - ratings.elo[1])), "{:?}", ratings.elo);
    assert!(ratings.error[0] > 150.0, "{:?}", ratings.error);
    assert!(ratings.superiority(0, 1) > 0.95);
    close(ratings.superiority(0, 1) + ratings.superiority(1, 0), 1.0, 1e-12);
    // Nobody knows anything about who has not played.
    assert_eq!(ratings.encounters, [10, 10, 0]);
    assert!(ratings.error[2] > 500.0, "{:?}", ratings.error);
    // Nor, without a game, about anybody.
    let none = fit(2, 1, &[], &Prior::default());
    assert!(none.elo.iter().all(|elo| elo.abs() < 1e-9) && none.error.iter().all(|error| error.is_finite()));
    assert_eq!(fit(0, 0, &[], &Prior::default()), Ratings::default());
}

#[test]
fn known_strengths_are_found_within_their_intervals() {
    // Six players, two kinds of games with different advantages and shares of draws.
    let strengths = [1.0, 0.6, 0.2, -0.2, -0.6, -1.0];
    let groups = [(0.3, 0.2_f64.ln()), (-0.5, 1.5_f64.ln())];
    let (mut held, mut all) = (0, 0);
    let mut firsts = [0.0; 2];
    for seed in 0..60 {
        let mut rng = seeded(seed);
        let mut games = Vec::new();
        for (group, (advantage, log_nu)) in groups.into_iter().enumerate() {
            for (first, second) in (0..6).flat_map(|first| (0..6).map(move |second| (first, second))) {
                if first == second {
                    continue;
                }
                let [win, draw, _] = chances(strengths[first] - strengths[second] + advantage, log_nu);
                for _ in 0..10 {
                    let drawn = unit(&mut rng);
                    let score = if drawn < win {
                        Score::Win
                    } else if drawn < win + draw {
                        Score::Draw
                    } else {
                        Score::Loss
                    };
                    games.push(Encounter { first, second, group, score, is_ordered: true });
                }
            }
        }
        let ratings = fit(6, 2, &games, &Prior::default());
        // The stretch of the true parameters: both groups have as many games.
        let stretch: f64 = groups
            .iter()
            .map(|(advantage, log_nu)| {
                let [win, draw, loss] = chances(*advantage, *log_nu);
                win - (win + draw / 2.0) * (win - loss)
            })
            .sum();
        for (player, strength) in strengths.iter().enumerate() {
            let truth = strength * ELO_PER_UNIT * stretch;
            held += usize::from((ratings.elo[player] - truth).abs() <= ratings.error[player]);
            all += 1;
        }
        for (sum, group) in firsts.iter_mut().zip(&ratings.groups) {
            *sum += group.first_score / 60.0;
        }
    }
    let share = f64::from(held as u32) / f64::from(all);
    assert!((0.91..=0.99).contains(&share), "95% intervals held {share}");
    for (found, (advantage, log_nu)) in firsts.into_iter().zip(groups) {
        let [win, draw, _] = chances(advantage, log_nu);
        close(found, win + draw / 2.0, 0.01);
    }
}

#[test]
fn comparisons_without_order_say_nothing_about_the_first_move() {
    let games: Vec<Encounter> =
        times(20, 0, 1, Score::Win).map(|game| Encounter { is_ordered: false, ..game }).collect();
    let ratings = fit(2, 1, &games, &Prior::default());
    close(ratings.groups[0].first_score, 0.5, 1e-9);
    assert_eq!(ratings.groups[0].encounters, 0);
}
