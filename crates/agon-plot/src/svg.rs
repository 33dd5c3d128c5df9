//! Drawings as SVG.

use std::fmt::Write;

use crate::markup::escape;
use crate::theme::COLOURS;
use crate::{Anchor, Drawing, Paint, Shape, Theme};

/// The style sheet of plots inside an HTML page; a stand-alone SVG contains it. It follows the reader's theme on the screen and is
/// always light in print.
pub const STYLE: &str = ".agon-plot{max-width:100%;height:auto;font-family:system-ui,\"Segoe UI\",Roboto,\"DejaVu Sans\",sans-serif}\
.agon-plot text{unicode-bidi:plaintext}";

/// The name of a role in style sheets.
fn variable(paint: Paint) -> String {
    match paint {
        Paint::Text => "text".to_owned(),
        Paint::Muted => "muted".to_owned(),
        Paint::Grid => "grid".to_owned(),
        Paint::Surface => "surface".to_owned(),
        Paint::Danger => "danger".to_owned(),
        Paint::Series(number) => format!("series-{}", number % COLOURS),
    }
}

fn variables(theme: Theme) -> String {
    let roles = [Paint::Text, Paint::Muted, Paint::Grid, Paint::Surface, Paint::Danger];
    let mut text = String::from(".agon-plot{");
    for paint in roles.into_iter().chain((0..COLOURS).map(Paint::Series)) {
        let _ = write!(text, "--plot-{}:{};", variable(paint), theme.colour(paint));
    }
    text.push('}');
    text
}

impl Drawing {
    /// The style sheet that SVGs of [`Drawing::to_svg_element`] need once per page.
    pub fn style() -> String {
        let (light, dark) = (variables(Theme::Light), variables(Theme::Dark));
        format!("{STYLE}{light}@media screen and (prefers-color-scheme:dark){{{dark}}}")
    }

    /// A stand-alone SVG file.
    pub fn to_svg(&self) -> String {
        let style = format!("<style>{}</style>", Self::style());
        let ground = "<rect width=\"100%\" height=\"100%\" style=\"fill:var(--plot-surface)\"/>";
        // Some room around it, since it stands alone.
        self.svg(12.0, &format!("{style}{ground}"))
    }

    /// The SVG as an element of an HTML page that contains [`Drawing::style`].
    pub fn to_svg_element(&self) -> String {
        self.svg(0.0, "")
    }

    fn svg(&self, margin: f64, before: &str) -> String {
        let (width, height) = (self.width + 2.0 * margin, self.height + 2.0 * margin);
        let title = escape(&self.title);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"agon-plot\" role=\"img\" aria-label=\"{title}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">{before}"
        );
        let _ = write!(svg, "<g transform=\"translate({margin:.0} {margin:.0})\">");
        for shape in &self.shapes {
            shape.write(&mut svg);
        }
        svg.push_str("</g></svg>\n");
        svg
    }
}

/// A coordinate with as many digits as show.
fn short(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
}

impl Shape {
    fn write(&self, svg: &mut String) {
        let closed = |name: &str, hint: &str| {
            if hint.is_empty() {
                "/>".to_owned()
            } else {
                format!("><title>{}</title></{name}>", escape(hint))
            }
        };
        // Writing to a string cannot fail.
        let _ = match self {
            Self::Line { points, paint, width, dashes } => {
                let points: Vec<String> =
                    points.iter().map(|(x, y)| format!("{},{}", short(*x), short(*y))).collect();
                let dashes: Vec<String> = dashes.iter().map(|dash| short(*dash)).collect();
                let dashes = if dashes.is_empty() {
                    String::new()
                } else {
                    format!(" stroke-dasharray=\"{}\"", dashes.join(" "))
                };
                write!(
                    svg,
                    "<polyline points=\"{}\" fill=\"none\" stroke-width=\"{}\"{dashes} stroke-linejoin=\"round\" \
                     style=\"stroke:var(--plot-{})\"/>",
                    points.join(" "),
                    short(*width),
                    variable(*paint)
                )
            }
            Self::Rectangle { corner, size, paint, opacity, hint } => write!(
                svg,
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"2\" fill-opacity=\"{opacity:.2}\" \
                 style=\"fill:var(--plot-{})\"{}",
                short(corner.0),
                short(corner.1),
                short(size.0.max(0.0)),
                short(size.1.max(0.0)),
                variable(*paint),
                closed("rect", hint)
            ),
            Self::Circle { centre, radius, paint, hint } => write!(
                svg,
                "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" style=\"fill:var(--plot-{})\"{}",
                short(centre.0),
                short(centre.1),
                short(*radius),
                variable(*paint),
                closed("circle", hint)
            ),
            Self::Text { at, text, anchor, size, paint, bold } => {
                let anchor = match anchor {
                    Anchor::Start => "start",
                    Anchor::Middle => "middle",
                    Anchor::End => "end",
                };
                let weight = if *bold { " font-weight=\"700\"" } else { "" };
                write!(
                    svg,
                    "<text x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\" font-size=\"{}\"{weight} \
                     style=\"fill:var(--plot-{})\">{}</text>",
                    short(at.0),
                    short(at.1),
                    short(*size),
                    variable(*paint),
                    escape(text)
                )
            }
        };
    }
}
