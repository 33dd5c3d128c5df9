//! The plots of a study.

use agon_plot::{Axis, Bar, BarChart, Cell, Dot, DotPlot, Drawing, HeatMap, LinePlot, Point, Series, Tone};

use super::text::{place, setting_name};
use crate::count::Estimate;
use crate::power::{Outlook, Reach};
use crate::results::{ComparisonResult, EffectResult, ObservationResult, Results, SideResult, Verdict};
use crate::summary::{depth_text, percent};

/// The most settings that a plot shows.
const MAX_SHOWN: usize = 40;
/// The most circumstances whose plots the page has.
const MAX_PANELS: usize = 12;
/// The most lines of a plot.
const MAX_LINES: usize = 8;
/// Where numbers stand on axes of scores.
const TENTHS: [f64; 11] = [0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 100.0];
const QUARTERS: [f64; 5] = [0.0, 25.0, 50.0, 75.0, 100.0];

/// A plot with the name of its file.
pub struct Plot {
    /// The name without an ending.
    pub name: String,
    /// What it shows.
    pub heading: String,
    /// The plot.
    pub drawing: Drawing,
    /// Where the page has it, if it does.
    pub part: Option<Part>,
}

/// A part of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What settings are worth over all circumstances.
    Main,
    /// What they are worth under each of them.
    Circumstances,
    /// What so many games can show.
    Outlook,
    /// Everything else that is measured.
    Further,
}

/// All plots of a study, those about strength first.
pub fn plots(results: &Results) -> Vec<Plot> {
    let mut plots = Vec::new();
    plots.extend(main_effects(results));
    for index in 0..results.circumstances.len() {
        plots.extend(at(results, index));
    }
    plots.extend(over_values(results));
    plots.extend(results.observations.iter().enumerate().filter_map(|(number, observation)| {
        let drawing = observed(results, observation)?;
        let name = format!("observation-{}", number + 1);
        Some(Plot { name, heading: observation.name.clone(), drawing, part: Some(Part::Further) })
    }));
    plots.extend(power(results));
    plots
}

fn tone(verdict: Verdict) -> Tone {
    match verdict {
        Verdict::Stronger => Tone::Above,
        Verdict::Weaker => Tone::Below,
        Verdict::Open => Tone::Open,
    }
}

/// A score as a dot, in percent.
fn score_dot(label: String, score: Estimate, verdict: Verdict) -> Dot {
    let score = score.map(|share| 100.0 * share);
    let interval = (score.low, score.high);
    Dot { label, value: score.value, interval, tone: tone(verdict), ..Dot::default() }
}

/// What lies on both sides of a score of a half.
fn score_sides(results: &Results) -> [String; 3] {
    let name = if results.all_against_all { "even".to_owned() } else { setting_name(results, 0) };
    [name, "weaker ←".to_owned(), "→ stronger".to_owned()]
}

/// The main effects, and the circumstances of which they are the means.
fn main_effects(results: &Results) -> Option<Plot> {
    let is_one = results.circumstances.len() == 1;
    let dot = |effect: &EffectResult| {
        let mut label = setting_name(results, effect.setting);
        if results.all_against_all {
            label = format!("{label} : {}", setting_name(results, effect.opponent));
        }
        let parts = results.parts_of(effect).filter(|part| part.games > 0 && !is_one);
        let Estimate { value, low, high } = effect.score;
        let line = format!("{} ({} to {})", percent(value), percent(low), percent(high));
        let depth = effect.depth_difference.map(|depth| depth_text(depth.value).text.into_owned());
        Dot {
            parts: parts.map(|part| 100.0 * part.score.value).collect(),
            notes: Some([line, depth.unwrap_or_default()]),
            ..score_dot(label, effect.score, effect.verdict)
        }
    };
    let played = results.effects.iter().filter(|effect| effect.games > 0);
    let dots: Vec<Dot> = played.take(MAX_SHOWN).map(dot).collect();
    if dots.is_empty() {
        return None;
    }
    let drawing = DotPlot {
        axis: Axis { ticks: TENTHS.to_vec(), ..Axis::new("score, %") },
        reference: Some(50.0),
        sides: score_sides(results),
        dots,
        width: 900.0,
        ..DotPlot::default()
    }
    .draw();
    Some(Plot {
        name: "main-effects".to_owned(),
        heading: "Main effects".to_owned(),
        drawing,
        part: Some(Part::Main),
    })
}

/// What so many games can show.
fn power(results: &Results) -> Option<Plot> {
    let Outlook { games, curve, .. } = results.outlook();
    let line = |name: &str, distance: fn(&Reach) -> Option<f64>| Series {
        name: name.to_owned(),
        points: curve
            .iter()
            .filter_map(|reach| Some(Point::new(reach.games as f64, 100.0 * distance(reach)?)))
            .collect(),
    };
    let mut series =
        vec![line("main effect", |reach| reach.main), line("every circumstance", |reach| reach.each)];
    series.retain(|series| series.points.len() > 1);
    let ticks = [1, 3, 10].map(|times| (games * times) as f64).to_vec();
    let drawing = LinePlot {
        x: Axis { ticks, ..Axis::logarithmic("games of each setting, beginning with those of this study") },
        y: Axis::new("smallest difference from even that is likely to be shown, %").including(0.0),
        series,
        width: 520.0,
        ..LinePlot::default()
    };
    let heading = "What these games could show".to_owned();
    let name = "power".to_owned();
    (!drawing.series.is_empty()).then(|| Plot {
        name,
        heading,
        drawing: drawing.draw(),
        part: Some(Part::Outlook),
    })
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
    let is_one = results.circumstances.len() == 1;
    let name = place(results, index);
    let plot = |kind: &str, what: &str, part: Option<Part>, drawing: Drawing| Plot {
        name: format!("{kind}-{}", index + 1),
        heading: match part {
            Some(Part::Circumstances) => name.clone(),
            _ if is_one => what.to_owned(),
            _ => format!("{what}: {name}"),
        },
        drawing,
        part,
    };
    // Where there are many circumstances, the page would become a book.
    let further = is_one.then_some(Part::Further);
    let circumstances = (!is_one && index < MAX_PANELS).then_some(Part::Circumstances);
    let mut plots = Vec::new();
    if results.all_against_all {
        let part = circumstances.or(further);
        plots.push(plot("ratings", "Strength of all settings", part, ratings(results, index)));
        plots.push(plot("cross", "Scores of rows against columns", further, cross(results, &here)));
        return plots;
    }
    plots.push(plot("strength", "Score against the reference", circumstances, strength(results, &here)));
    let points = points(results, &here);
    plots.extend(points.map(|drawing| plot("points", "Points of a game", further, drawing)));
    let nodes = bars(results, &here, "nodes per move", 0, |side| side.nodes);
    plots.push(plot("nodes", "Nodes per move", further, nodes));
    let depth = bars(results, &here, "mean depth, plies", 2, |side| side.depth);
    plots.push(plot("depth", "Depth", further, depth));
    let time = time_to_depth(results, &here);
    plots.extend(time.map(|drawing| plot("time-to-depth", "Time to depth", further, drawing)));
    plots
}

fn setting(results: &Results, comparison: &ComparisonResult) -> String {
    setting_name(results, comparison.setting)
}

/// Scores under one circumstance. All have the same axis and the same order.
fn strength(results: &Results, here: &[&ComparisonResult]) -> Drawing {
    let dot = |comparison: &&ComparisonResult| {
        score_dot(setting(results, comparison), comparison.score, comparison.verdict)
    };
    let ends = [0.0, 100.0];
    DotPlot {
        axis: Axis { ticks: QUARTERS.to_vec(), ..Axis::new("score, %") }.spanning(ends),
        reference: Some(50.0),
        sides: score_sides(results),
        dots: here.iter().map(dot).collect(),
        width: 480.0,
        ..DotPlot::default()
    }
    .draw()
}

/// The points of both sides, in games for one.
fn points(results: &Results, here: &[&ComparisonResult]) -> Option<Drawing> {
    let dot = |label: &str, side: &SideResult| {
        let points = side.points?;
        let interval = (points.low, points.high);
        Some(Dot { label: label.to_owned(), value: points.value, interval, ..Dot::default() })
    };
    let first = dot(&setting_name(results, 0), &here[0].sides[1]);
    let others =
        here.iter().filter_map(|comparison| dot(&setting(results, comparison), &comparison.sides[0]));
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
    let first = bar(&setting_name(results, 0), &here[0].sides[1]);
    let others = here.iter().map(|comparison| bar(&setting(results, comparison), &comparison.sides[0]));
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
    let first = line(&setting_name(results, 0), &here[0].sides[1]);
    let others = here.iter().map(|comparison| line(&setting(results, comparison), &comparison.sides[0]));
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
            ..Dot::default()
        })
        .collect();
    dots.sort_by(|one, other| other.value.total_cmp(&one.value));
    dots.truncate(MAX_SHOWN);
    DotPlot {
        axis: Axis::new("Elo relative to the mean"),
        reference: Some(0.0),
        dots,
        width: 480.0,
        ..DotPlot::default()
    }
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

/// For every factor with several numbers as values: the score over the value, as a main effect and under each circumstance.
fn over_values(results: &Results) -> Vec<Plot> {
    if results.all_against_all {
        return Vec::new();
    }
    let mut factors: Vec<&str> = Vec::new();
    for setting in results.settings.iter().skip(1) {
        if let [(factor, _)] = &setting.changes[..]
            && !factors.contains(&factor.as_str())
        {
            factors.push(factor);
        }
    }
    factors.into_iter().filter_map(|factor| over_value(results, factor)).collect()
}

fn over_value(results: &Results, factor: &str) -> Option<Plot> {
    let value = |setting: usize| match &results.settings[setting].changes[..] {
        [(known, value)] if known == factor => value.parse::<f64>().ok(),
        _ => None,
    };
    // The reference scores a half against itself, wherever it stands.
    let own = results.settings[0].changes.iter().find(|(known, _)| known == factor);
    let own = own.and_then(|(_, value)| value.parse::<f64>().ok());
    let line = |name: &str, scores: &mut dyn Iterator<Item = (usize, Estimate)>| {
        let point = |(setting, score): (usize, Estimate)| {
            let score = score.map(|share| 100.0 * share);
            Some(Point { x: value(setting)?, y: score.value, interval: Some((score.low, score.high)) })
        };
        let mut points: Vec<Point> = scores.filter_map(point).collect();
        points.extend(own.map(|own| Point::new(own, 50.0)));
        points.sort_by(|one, other| one.x.total_cmp(&other.x));
        Series { name: name.to_owned(), points }
    };
    let is_one = results.circumstances.len() == 1;
    let played = results.effects.iter().filter(|effect| effect.games > 0);
    let mut mains = played.map(|effect| (effect.setting, effect.score));
    let mut series = vec![line(if is_one { "" } else { "main effect" }, &mut mains)];
    if !is_one {
        series.extend((0..results.circumstances.len()).map(|index| {
            let here = results.comparisons.iter().filter(|comparison| comparison.circumstance == index);
            let mut scores = here
                .filter(|comparison| comparison.games > 0)
                .map(|comparison| (comparison.setting, comparison.score));
            let mut series = line(&place(results, index), &mut scores);
            // Their intervals are in the plots of the circumstances; here they would hide the main effect.
            series.points.iter_mut().for_each(|point| point.interval = None);
            series
        }));
    }
    series.retain(|series| series.points.len() >= 3);
    series.truncate(MAX_LINES);
    let mut values: Vec<f64> = series.first()?.points.iter().map(|point| point.x).collect();
    values.dedup();
    let (low, high) = (*values.first()?, *values.last()?);
    let is_wide = low > 0.0 && high / low >= 20.0;
    let x = if is_wide { Axis::logarithmic(factor) } else { Axis::new(factor) };
    let drawing = LinePlot {
        x: Axis { ticks: values, ..x },
        y: Axis::new("score, %"),
        series,
        reference: Some(50.0),
        marks: true,
        ..LinePlot::default()
    }
    .draw();
    let safe: String =
        factor.chars().map(|char| if char.is_ascii_alphanumeric() { char } else { '-' }).collect();
    let heading = format!("Score over {factor}");
    Some(Plot { name: format!("over-{safe}"), heading, drawing, part: Some(Part::Further) })
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
