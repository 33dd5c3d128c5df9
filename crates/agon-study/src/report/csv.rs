//! Results as CSV, for spreadsheets.

use agon_arena::report::{Csv, decimal};

use crate::count::Estimate;
use crate::results::{ComparisonResult, Results};

/// A row per main effect.
pub(super) fn effects(results: &Results) -> String {
    let mut csv = Csv::new(&[
        "setting",
        "opponent",
        "circumstances",
        "games",
        "pairs",
        "score",
        "score_low",
        "score_high",
        "elo",
        "elo_low",
        "elo_high",
        "verdict",
        "pair_deviation",
        "nodes_ratio",
        "nodes_ratio_low",
        "nodes_ratio_high",
        "seconds_ratio",
        "seconds_ratio_low",
        "seconds_ratio_high",
        "depth_difference",
        "depth_difference_low",
        "depth_difference_high",
    ]);
    for effect in &results.effects {
        let name = |setting: usize| results.settings[setting].name.clone();
        let counts = [results.circumstances.len() as u64, effect.games, effect.pairs];
        let mut cells = vec![name(effect.setting), name(effect.opponent)];
        cells.extend(counts.map(|count| count.to_string()));
        cells.extend(three(Some(effect.score), 4));
        cells.extend(effect.elo.map(|elo| decimal(elo, 1)));
        cells.push(super::text::verdict(effect.verdict).to_owned());
        cells.push(decimal(effect.deviation, 4));
        for estimate in [effect.nodes_ratio, effect.seconds_ratio, effect.depth_difference] {
            cells.extend(three(estimate, 4));
        }
        csv.row(cells);
    }
    csv.finish()
}

/// A row per comparison.
pub(super) fn comparisons(results: &Results) -> String {
    let mut header: Vec<String> = [
        "game",
        "options",
        "circumstance",
        "setting",
        "bot",
        "opponent",
        "opponent_bot",
        "games",
        "wins",
        "draws",
        "losses",
        "score",
        "score_low",
        "score_high",
        "elo",
        "elo_low",
        "elo_high",
        "verdict",
        "stopped_early",
        "plies",
        "nodes_ratio",
        "nodes_ratio_low",
        "nodes_ratio_high",
        "seconds_ratio",
        "seconds_ratio_low",
        "seconds_ratio_high",
        "depth_difference",
        "depth_difference_low",
        "depth_difference_high",
    ]
    .map(str::to_owned)
    .into();
    let measures = [
        "seconds",
        "nodes",
        "depth",
        "cutoff_rate",
        "first_move_cutoffs",
        "table_hits",
        "branching",
        "points",
    ];
    for side in ["", "opponent_"] {
        header.extend(measures.iter().map(|measure| format!("{side}{measure}")));
    }
    let counters = results.counters();
    for side in ["", "opponent_"] {
        header.push(format!("{side}late"));
        header.extend(counters.iter().map(|name| format!("{side}counter_{name}")));
    }
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let mut csv = Csv::new(&header);
    for comparison in &results.comparisons {
        csv.row(row(results, comparison, &counters));
    }
    csv.finish()
}

fn row(results: &Results, comparison: &ComparisonResult, counters: &[&str]) -> Vec<String> {
    let circumstance = &results.circumstances[comparison.circumstance];
    let [setting, opponent] = [comparison.setting, comparison.opponent];
    let mut cells = vec![
        circumstance.game.clone(),
        circumstance.options.clone(),
        circumstance.name.clone(),
        results.settings[setting].name.clone(),
        circumstance.bots[setting].clone(),
        results.settings[opponent].name.clone(),
        circumstance.bots[opponent].clone(),
    ];
    let ComparisonResult { games, wins, draws, losses, .. } = comparison;
    cells.extend([games, wins, draws, losses].map(ToString::to_string));
    cells.extend(three(Some(comparison.score), 4));
    cells.extend(comparison.elo.map(|elo| decimal(elo, 1)));
    cells.push(super::text::verdict(comparison.verdict).to_owned());
    cells.push(comparison.stopped_early.to_string());
    cells.push(decimal(Some(comparison.plies), 1));
    for estimate in [comparison.nodes_ratio, comparison.seconds_ratio, comparison.depth_difference] {
        cells.extend(three(estimate, 4));
    }
    for side in &comparison.sides {
        cells.extend([
            decimal(Some(side.seconds), 6),
            decimal(Some(side.nodes), 1),
            decimal(Some(side.depth), 3),
            decimal(side.cutoff_rate, 4),
            decimal(side.first_move_cutoffs, 4),
            decimal(side.table_hits, 4),
            decimal(side.branching, 3),
            decimal(side.points.map(|points| points.value), 1),
        ]);
    }
    for side in &comparison.sides {
        cells.push(side.late.to_string());
        cells.extend(counters.iter().map(|name| decimal(side.counters.get(*name).copied(), 6)));
    }
    cells
}

fn three(estimate: Option<Estimate>, digits: usize) -> [String; 3] {
    let part = |part: fn(Estimate) -> f64| decimal(estimate.map(part), digits);
    [part(|estimate| estimate.value), part(|estimate| estimate.low), part(|estimate| estimate.high)]
}

/// A row per comparison, side and depth: what it took to finish it.
pub(super) fn depths(results: &Results) -> String {
    let mut csv = Csv::new(&[
        "circumstance",
        "setting",
        "opponent",
        "side",
        "bot",
        "depth",
        "reached",
        "seconds",
        "nodes",
    ]);
    for comparison in &results.comparisons {
        let circumstance = &results.circumstances[comparison.circumstance];
        let players = [("setting", comparison.setting), ("opponent", comparison.opponent)];
        for ((word, player), side) in players.into_iter().zip(&comparison.sides) {
            for depth in &side.depths {
                csv.row([
                    circumstance.name.clone(),
                    results.settings[comparison.setting].name.clone(),
                    results.settings[comparison.opponent].name.clone(),
                    word.to_owned(),
                    circumstance.bots[player].clone(),
                    depth.depth.to_string(),
                    decimal(Some(depth.reached), 4),
                    decimal(Some(depth.seconds), 6),
                    decimal(Some(depth.nodes), 1),
                ]);
            }
        }
    }
    csv.finish()
}
