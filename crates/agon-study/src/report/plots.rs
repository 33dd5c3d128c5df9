//! The plots of a study.

use agon_plot::{Axis, Bar, BarChart, Cell, Dot, DotPlot, Drawing, HeatMap, LinePlot, Point, Series};

use crate::results::{ComparisonResult, ObservationResult, Results, SideResult};
use crate::summary::percent;

/// The most settings that a plot shows.
const MAX_SHOWN: usize = 40;
/// The most lines of a plot.
const MAX_LINES: usize = 8;

/// A plot with the name of its file.
pub struct Plot {
    /// The name without an ending.
    pub name: String,
    /// What it shows.
    pub heading: String,
    /// The plot.
    pub drawing: Drawing,
}

/// All plots of a study, those about strength first.
pub fn plots(results: &Results) -> Vec<Plot> {
    let mut plots = Vec::new();
    for index in 0..results.circumstances.len() {
        plots.extend(at(results, index));
    }
    plots.extend(over_values(results));
    plots.extend(results.observations.iter().enumerate().filter_map(|(number, observation)| {
        let drawing = observed(results, observation)?;
        Some(Plot { name: format!("observation-{}", number + 1), heading: observation.name.clone(), drawing })
    }));
    plots
}

/// What was measured under one circumstance.
fn at(results: &Results, index: usize) -> Vec<Plot> {
    let here: Vec<&ComparisonResult> = results
        .comparisons
        .iter()
        .filter(|comparison| comparison.circumstance == index && comparison.games > 0)
        .take(MAX_SHOWN)
        .collect();
    if here.is_empty() {
        return Vec::new();
    }
    let name = &results.circumstances[index].name;
    let heading = |what: &str| {
        if results.circumstances.len() > 1 { format!("{what}: {name}") } else { what.to_owned() }
    };
    let plot = |kind: &str, what: &str, drawing: Drawing| Plot {
        name: format!("{kind}-{}", index + 1),
        heading: heading(what),
        drawing,
    };
    let mut plots = Vec::new();
    if results.all_against_all {
        plots.push(plot("ratings", "Strength of all settings", ratings(results, index)));
        plots.push(plot("cross", "Scores of rows against columns", cross(results, &here)));
    } else {
        plots.push(plot("strength", "Score against the reference", strength(results, &here)));
        plots.extend(points(results, &here).map(|drawing| plot("points", "Points of a game", drawing)));
        plots.push(plot(
            "nodes",
            "Nodes per move",
            bars(results, &here, "nodes per move", 0, |side| side.nodes),
        ));
        plots.push(plot("depth", "Depth", bars(results, &here, "mean depth, plies", 2, |side| side.depth)));
        plots.extend(
            time_to_depth(results, &here).map(|drawing| plot("time-to-depth", "Time to depth", drawing)),
        );
    }
    plots
}

fn setting<'a>(results: &'a Results, comparison: &ComparisonResult) -> &'a str {
    &results.settings[comparison.setting].name
}

fn strength(results: &Results, here: &[&ComparisonResult]) -> Drawing {
    let dots = here.iter().map(|comparison| {
        let score = comparison.score.map(|share| 100.0 * share);
        Dot {
            label: setting(results, comparison).to_owned(),
            value: score.value,
            interval: (score.low, score.high),
        }
    });
    DotPlot {
        axis: Axis::new("score against the reference, % (above 50: stronger)"),
        reference: Some(50.0),
        dots: dots.collect(),
        ..DotPlot::default()
    }
    .draw()
}

/// The points of both sides, in games for one.
fn points(results: &Results, here: &[&ComparisonResult]) -> Option<Drawing> {
    let dot = |label: &str, side: &SideResult| {
        let points = side.points?;
        Some(Dot { label: label.to_owned(), value: points.value, interval: (points.low, points.high) })
    };
    let first = dot("reference", &here[0].sides[1]);
    let others = here.iter().filter_map(|comparison| dot(setting(results, comparison), &comparison.sides[0]));
    let dots: Vec<Dot> = first.into_iter().chain(others).collect();
    (!dots.is_empty())
        .then(|| DotPlot { axis: Axis::new("points of a game"), dots, ..DotPlot::default() }.draw())
}

/// A figure of every setting, and of the reference.
fn bars(
    results: &Results,
    here: &[&ComparisonResult],
    label: &str,
    digits: usize,
    value: impl Fn(&SideResult) -> f64,
) -> Drawing {
    let bar =
        |label: &str, side: &SideResult| Bar { label: label.to_owned(), value: value(side), interval: None };
    let first = bar("reference", &here[0].sides[1]);
    let others = here.iter().map(|comparison| bar(setting(results, comparison), &comparison.sides[0]));
    let bars = std::iter::once(first).chain(others).collect();
    BarChart { axis: Axis::new(label), digits, bars, ..BarChart::default() }.draw()
}

/// How long each depth took; `None` if nobody searched depth by depth.
fn time_to_depth(results: &Results, here: &[&ComparisonResult]) -> Option<Drawing> {
    /// Depths that were rarely finished say more about those positions than about the search.
    const OFTEN: f64 = 0.05;
    let line = |name: &str, side: &SideResult| {
        let depths = side.depths.iter().filter(|depth| depth.reached >= OFTEN && depth.seconds > 0.0);
        let points = depths.map(|depth| Point::new(depth.depth as f64, 1000.0 * depth.seconds));
        Series { name: name.to_owned(), points: points.collect() }
    };
    let first = line("reference", &here[0].sides[1]);
    let others = here.iter().map(|comparison| line(setting(results, comparison), &comparison.sides[0]));
    let series: Vec<Series> = std::iter::once(first)
        .chain(others)
        .filter(|series| series.points.len() > 1)
        .take(MAX_LINES)
        .collect();
    (!series.is_empty()).then(|| {
        LinePlot {
            x: Axis::whole("depth, plies"),
            y: Axis::logarithmic("time until it was finished, ms"),
            series,
            marks: true,
            ..LinePlot::default()
        }
        .draw()
    })
}

fn ratings(results: &Results, index: usize) -> Drawing {
    let ratings = &results.circumstances[index].ratings;
    let mut dots: Vec<Dot> = results
        .settings
        .iter()
        .zip(ratings)
        .map(|(setting, rating)| Dot {
            label: setting.name.clone(),
            value: rating.elo,
            interval: (rating.elo - rating.error, rating.elo + rating.error),
        })
        .collect();
    dots.sort_by(|one, other| other.value.total_cmp(&one.value));
    dots.truncate(MAX_SHOWN);
    DotPlot { axis: Axis::new("Elo relative to the mean"), reference: Some(0.0), dots, ..DotPlot::default() }
        .draw()
}

/// The scores of all against all.
fn cross(results: &Results, here: &[&ComparisonResult]) -> Drawing {
    let shown = results.settings.len().min(MAX_SHOWN);
    let cell = |row: usize, column: usize| {
        let (comparison, share) = here.iter().find_map(|comparison| {
            let value = comparison.score.value;
            match (comparison.setting, comparison.opponent) {
                pair if pair == (row, column) => Some((comparison, value)),
                pair if pair == (column, row) => Some((comparison, 1.0 - value)),
                _ => None,
            }
        })?;
        let [one, other] = [row, column].map(|index| &results.settings[index].name);
        let hint = format!("{one} against {other}: {} of {} games", percent(share), comparison.games);
        Some(Cell { shade: 2.0 * share - 1.0, text: percent(share), hint })
    };
    HeatMap {
        rows: (0..shown).map(|row| format!("{} {}", row + 1, results.settings[row].name)).collect(),
        columns: (1..=shown).map(|column| column.to_string()).collect(),
        cells: (0..shown).map(|row| (0..shown).map(|column| cell(row, column)).collect()).collect(),
        ..HeatMap::default()
    }
    .draw()
}

/// For every factor with several numbers as values: the score over the value, a line per circumstance.
fn over_values(results: &Results) -> Vec<Plot> {
    if results.all_against_all {
        return Vec::new();
    }
    let mut factors: Vec<&str> = Vec::new();
    for setting in &results.settings {
        if let [(factor, _)] = &setting.changes[..]
            && !factors.contains(&factor.as_str())
        {
            factors.push(factor);
        }
    }
    factors.into_iter().filter_map(|factor| over_value(results, factor)).collect()
}

fn over_value(results: &Results, factor: &str) -> Option<Plot> {
    let value = |comparison: &ComparisonResult| match &results.settings[comparison.setting].changes[..] {
        [(known, value)] if known == factor => value.parse::<f64>().ok(),
        _ => None,
    };
    let series: Vec<Series> = (0..results.circumstances.len())
        .map(|index| {
            let here = results.comparisons.iter().filter(|comparison| comparison.circumstance == index);
            let mut points: Vec<Point> = here
                .filter(|comparison| comparison.games > 0)
                .filter_map(|comparison| {
                    let score = comparison.score.map(|share| 100.0 * share);
                    Some(Point {
                        x: value(comparison)?,
                        y: score.value,
                        interval: Some((score.low, score.high)),
                    })
                })
                .collect();
            points.sort_by(|one, other| one.x.total_cmp(&other.x));
            let name = if results.circumstances.len() > 1 {
                results.circumstances[index].name.clone()
            } else {
                String::new()
            };
            Series { name, points }
        })
        .filter(|series| series.points.len() >= 3)
        .take(MAX_LINES)
        .collect();
    if series.is_empty() {
        return None;
    }
    let xs = || series.iter().flat_map(|series| series.points.iter().map(|point| point.x));
    let (low, high) = (xs().fold(f64::INFINITY, f64::min), xs().fold(0.0, f64::max));
    let is_wide = low > 0.0 && high / low >= 20.0;
    let x = if is_wide { Axis::logarithmic(factor) } else { Axis::new(factor) };
    let drawing = LinePlot {
        x,
        y: Axis::new("score against the reference, %"),
        series,
        reference: Some(50.0),
        marks: true,
        ..LinePlot::default()
    }
    .draw();
    let safe: String =
        factor.chars().map(|char| if char.is_ascii_alphanumeric() { char } else { '-' }).collect();
    Some(Plot { name: format!("over-{safe}"), heading: format!("Score over {factor}"), drawing })
}

/// How the seats did by what was seen; `None` if there are no games to speak of.
fn observed(results: &Results, observation: &ObservationResult) -> Option<Drawing> {
    if observation.bins.is_empty() {
        return None;
    }
    let rows = observation.bins.iter().map(|bin| match bin.to {
        None => format!("never ({} games)", bin.games),
        Some(to) if to == bin.from => format!("{to} ({} games)", bin.games),
        Some(to) => format!("{} to {to} ({} games)", bin.from, bin.games),
    });
    let cell = |share: &f64| {
        let even = 1.0 / observation.seats.len().max(1) as f64;
        Some(Cell {
            shade: (share - even) / even.max(1.0 - even),
            text: percent(*share),
            hint: String::new(),
        })
    };
    let place = if results.circumstances.len() > 1 {
        format!("{}: ", results.circumstances[observation.circumstance].name)
    } else {
        String::new()
    };
    Some(
        HeatMap {
            note: format!("{place}share of the points of each seat"),
            rows: rows.collect(),
            columns: observation.seats.clone(),
            cells: observation.bins.iter().map(|bin| bin.shares.iter().map(cell).collect()).collect(),
            ..HeatMap::default()
        }
        .draw(),
    )
}
