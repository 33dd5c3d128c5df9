//! One plot of each kind, as SVG (snapshots, to be looked at in a browser) and as PNG; and what hostile input does to them.

use agon_plot::{
    Axis, Bar, BarChart, Cell, Dot, DotPlot, Drawing, HeatMap, LinePlot, Point, Series, Theme, Tone,
};

fn dots() -> Drawing {
    let dot = |label: &str, value: f64, error: f64| Dot {
        label: label.to_owned(),
        value,
        interval: (value - error, value + error),
        ..Dot::default()
    };
    DotPlot {
        title: "Strength of the players".to_owned(),
        note: "with 95% intervals, relative to the mean of all".to_owned(),
        axis: Axis::new("Elo"),
        reference: Some(0.0),
        dots: vec![
            dot("deep-lines", 212.0, 61.0),
            dot("house hard", 118.0, 54.0),
            dot("quiet-storm", 64.0, 52.0),
            dot("spinner", -31.0, 55.0),
            dot("first-try", -140.0, 63.0),
            dot("random", -223.0, 70.0),
        ],
        ..DotPlot::default()
    }
    .draw()
}

fn bars() -> Drawing {
    let bar = |label: &str, value: f64, interval: Option<(f64, f64)>| Bar {
        label: label.to_owned(),
        value,
        interval,
    };
    BarChart {
        title: "What each extension is worth".to_owned(),
        note: "against plain alpha-beta, 500 ms per move".to_owned(),
        axis: Axis::new("Elo"),
        digits: 0,
        bars: vec![
            bar("transposition table", 83.0, Some((51.0, 116.0))),
            bar("move ordering", 141.0, Some((104.0, 180.0))),
            bar("quiescence", 12.0, Some((-18.0, 42.0))),
            bar("selective search", -25.0, Some((-57.0, 6.0))),
            bar("none", 0.0, None),
        ],
        ..BarChart::default()
    }
    .draw()
}

fn lines() -> Drawing {
    let series = |name: &str, heights: [f64; 5], error: f64| Series {
        name: name.to_owned(),
        points: [0.1, 0.3, 1.0, 3.0, 10.0]
            .into_iter()
            .zip(heights)
            .map(|(x, y)| Point { x, y, interval: Some((y - error, y + error)) })
            .collect(),
    };
    LinePlot {
        title: "Alpha-beta against Monte Carlo".to_owned(),
        x: Axis::logarithmic("time per move, s"),
        y: Axis::new("score, %"),
        series: vec![
            series("6×6", [71.0, 66.0, 60.0, 55.0, 52.0], 4.0),
            series("8×8", [64.0, 57.0, 51.0, 47.0, 44.0], 4.0),
            series("12×12", [52.0, 45.0, 41.0, 37.0, 36.0], 4.0),
        ],
        reference: Some(50.0),
        marks: true,
        ..LinePlot::default()
    }
    .draw()
}

fn heat() -> Drawing {
    let shares = [[None, Some(0.75), Some(1.0)], [Some(0.25), None, Some(0.5)], [Some(0.0), Some(0.5), None]];
    let cell = |share: f64| Cell {
        shade: 2.0 * share - 1.0,
        text: format!("{:.0}%", 100.0 * share),
        hint: "of the points".to_owned(),
    };
    HeatMap {
        title: "Who beats whom".to_owned(),
        note: String::new(),
        rows: ["1 deep-lines", "2 house hard", "3 random"].map(String::from).to_vec(),
        columns: ["1", "2", "3"].map(String::from).to_vec(),
        cells: shares.iter().map(|row| row.iter().map(|share| share.map(cell)).collect()).collect(),
    }
    .draw()
}

#[test]
fn svgs_stay_as_they_were_looked_at() {
    insta::assert_snapshot!("dots", dots().to_svg());
    insta::assert_snapshot!("bars", bars().to_svg());
    insta::assert_snapshot!("lines", lines().to_svg());
    insta::assert_snapshot!("heat", heat().to_svg());
    // To look at them: AGON_GALLERY=FOLDER cargo test -p agon-plot.
    if let Some(folder) = std::env::var_os("AGON_GALLERY") {
        let folder = std::path::PathBuf::from(folder);
        for (name, drawing) in [("dots", dots()), ("bars", bars()), ("lines", lines()), ("heat", heat())] {
            std::fs::write(folder.join(format!("{name}.svg")), drawing.to_svg()).expect("a file");
            for (theme, suffix) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
                let png = drawing.to_png(theme, 2.0).expect("a PNG");
                std::fs::write(folder.join(format!("{name}-{suffix}.png")), png).expect("a file");
            }
        }
    }
}

#[test]
fn pngs_have_the_size_of_the_drawing_and_something_on_them() {
    for drawing in [dots(), bars(), lines(), heat()] {
        let png = drawing.to_png(Theme::Light, 0.5).expect("a PNG");
        assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
        let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
        assert_eq!(f64::from(number(16)), ((drawing.width + 24.0) * 0.5).ceil());
        assert_eq!(f64::from(number(20)), ((drawing.height + 24.0) * 0.5).ceil());
        // The other theme differs, and without its shapes a drawing is much smaller.
        assert_ne!(drawing.to_png(Theme::Dark, 0.5).expect("a PNG"), png);
        let empty = Drawing { shapes: Vec::new(), ..drawing }.to_png(Theme::Light, 0.5).expect("a PNG");
        assert!(png.len() > 2 * empty.len(), "{} {}", png.len(), empty.len());
    }
    let nothing = Drawing { title: String::new(), width: 1e9, height: 1e9, shapes: Vec::new() };
    assert!(nothing.to_png(Theme::Light, 2.0).is_err());
}

#[test]
fn hostile_names_and_numbers_do_no_harm() {
    let names =
        ["</text><script>alert(1)</script>", "\"'&<>", "\0\u{1b}[31m", "\u{202e}evil", "", &"長".repeat(500)];
    let values = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -1e300, 1e300];
    let all = || names.iter().zip(values);
    let dot = |(label, value): (&&str, f64)| Dot {
        label: (*label).to_owned(),
        value,
        interval: (value, f64::NAN),
        tone: Tone::Open,
        parts: values.to_vec(),
        notes: Some([(*label).to_owned(), (*label).to_owned()]),
    };
    let bar = |(label, value): (&&str, f64)| Bar {
        label: (*label).to_owned(),
        value,
        interval: Some((value, 1.0)),
    };
    let series = |(label, value): (&&str, f64)| Series {
        name: (*label).to_owned(),
        points: vec![Point::new(value, value), Point::new(1.0, value), Point::new(value, 1.0)],
    };
    let cell = |(label, value): (&&str, f64)| {
        vec![None, Some(Cell { shade: value, text: (*label).to_owned(), hint: (*label).to_owned() })]
    };
    let list = || names.map(String::from).to_vec();
    let axis = Axis::new(names[0]);
    let drawings = [
        DotPlot {
            title: names[0].to_owned(),
            axis: axis.clone(),
            dots: all().map(dot).collect(),
            ..DotPlot::default()
        }
        .draw(),
        BarChart {
            note: names[0].to_owned(),
            axis: axis.clone(),
            bars: all().map(bar).collect(),
            ..BarChart::default()
        }
        .draw(),
        LinePlot {
            x: Axis::logarithmic("x"),
            y: axis.clone(),
            series: all().map(series).collect(),
            ..LinePlot::default()
        }
        .draw(),
        HeatMap { rows: list(), columns: list(), cells: all().map(cell).collect(), ..HeatMap::default() }
            .draw(),
        DotPlot::default().draw(),
        BarChart::default().draw(),
        LinePlot::default().draw(),
        HeatMap::default().draw(),
    ];
    for drawing in drawings {
        let svg = drawing.to_svg();
        assert!(!svg.contains("<script") && !svg.contains('\0') && !svg.contains('\u{202e}'), "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf\""), "{svg}");
        assert!(svg.len() < 200_000 && drawing.width < 20_000.0 && drawing.height < 20_000.0);
        assert!(drawing.to_png(Theme::Light, 0.25).is_ok());
    }
}
