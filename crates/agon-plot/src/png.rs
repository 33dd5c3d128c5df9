//! Drawings as PNG.

use ab_glyph::{Font, FontRef, PxScale, ScaleFont};
use tiny_skia::{
    Color, FillRule, LineCap, Paint as Ink, PathBuilder, Pixmap, Rect, Stroke, StrokeDash, Transform,
};

use crate::{Anchor, Drawing, Paint, Shape, Theme};

/// The margin around a drawing.
const MARGIN: f64 = 12.0;

/// Why a drawing could not become a PNG.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PngError(String);

impl std::fmt::Display for PngError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(formatter, "cannot make a PNG: {}", self.0)
    }
}

impl std::error::Error for PngError {}

impl Drawing {
    /// The drawing as the bytes of a PNG file, `scale` pixels for each of its own; 2 suits today's screens.
    ///
    /// # Errors
    /// If it is empty or too large for an image.
    pub fn to_png(&self, theme: Theme, scale: f64) -> Result<Vec<u8>, PngError> {
        let pixels = |length: f64| ((length + 2.0 * MARGIN) * scale).ceil() as u32;
        let mut map = Pixmap::new(pixels(self.width), pixels(self.height))
            .ok_or_else(|| PngError("the plot is empty or too large".to_owned()))?;
        map.fill(colour(theme, Paint::Surface, 1.0));
        let mut canvas = Canvas { map, theme, scale, fonts: fonts()? };
        for shape in &self.shapes {
            canvas.draw(shape);
        }
        canvas.map.encode_png().map_err(|error| PngError(error.to_string()))
    }
}

/// The regular and the bold font.
fn fonts() -> Result<[FontRef<'static>; 2], PngError> {
    let font =
        |bytes: &'static [u8]| FontRef::try_from_slice(bytes).map_err(|error| PngError(error.to_string()));
    Ok([font(dejavu::sans::regular())?, font(dejavu::sans::bold())?])
}

fn colour(theme: Theme, paint: Paint, opacity: f64) -> Color {
    let number = u32::from_str_radix(&theme.colour(paint)[1..], 16).unwrap_or(0);
    let [_, red, green, blue] = number.to_be_bytes();
    Color::from_rgba8(red, green, blue, (opacity.clamp(0.0, 1.0) * 255.0).round() as u8)
}

struct Canvas {
    map: Pixmap,
    theme: Theme,
    scale: f64,
    fonts: [FontRef<'static>; 2],
}

impl Canvas {
    /// A place in pixels of the image.
    fn at(&self, (x, y): (f64, f64)) -> (f32, f32) {
        (((x + MARGIN) * self.scale) as f32, ((y + MARGIN) * self.scale) as f32)
    }

    fn ink(&self, paint: Paint, opacity: f64) -> Ink<'static> {
        let mut ink = Ink { anti_alias: true, ..Ink::default() };
        ink.set_color(colour(self.theme, paint, opacity));
        ink
    }

    fn draw(&mut self, shape: &Shape) {
        let scale = self.scale as f32;
        match shape {
            Shape::Line { points, paint, width, dashes } => {
                let mut path = PathBuilder::new();
                for (index, point) in points.iter().enumerate() {
                    let (x, y) = self.at(*point);
                    if index == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
                }
                let Some(path) = path.finish() else { return };
                let lengths = dashes.iter().map(|length| *length as f32 * scale).collect();
                let stroke = Stroke {
                    width: *width as f32 * scale,
                    line_cap: LineCap::Butt,
                    dash: StrokeDash::new(lengths, 0.0),
                    ..Stroke::default()
                };
                let ink = self.ink(*paint, 1.0);
                self.map.stroke_path(&path, &ink, &stroke, Transform::identity(), None);
            }
            Shape::Rectangle { corner, size, paint, opacity, .. } => {
                let (x, y) = self.at(*corner);
                let Some(rectangle) = Rect::from_xywh(x, y, size.0 as f32 * scale, size.1 as f32 * scale)
                else {
                    return;
                };
                let ink = self.ink(*paint, *opacity);
                self.map.fill_rect(rectangle, &ink, Transform::identity(), None);
            }
            Shape::Circle { centre, radius, paint, .. } => {
                let (x, y) = self.at(*centre);
                let Some(path) = PathBuilder::from_circle(x, y, *radius as f32 * scale) else { return };
                let ink = self.ink(*paint, 1.0);
                self.map.fill_path(&path, &ink, FillRule::Winding, Transform::identity(), None);
            }
            Shape::Text { at, text, anchor, size, paint, bold } => {
                self.write(*at, text, *anchor, *size, *paint, *bold);
            }
        }
    }

    fn write(&mut self, at: (f64, f64), text: &str, anchor: Anchor, size: f64, paint: Paint, bold: bool) {
        let (x, baseline) = self.at(at);
        let colour = colour(self.theme, paint, 1.0);
        let (width, height) = (self.map.width() as i32, self.map.height() as i32);
        let font = &self.fonts[usize::from(bold)];
        // Sizes of letters are told by the em; the font measures from its ascent to its descent.
        let per_em = font.units_per_em().unwrap_or(2048.0);
        let scale = PxScale::from((size * self.scale) as f32 * font.height_unscaled() / per_em);
        let scaled = font.as_scaled(scale);
        let advance: f32 = text.chars().map(|char| scaled.h_advance(scaled.glyph_id(char))).sum();
        let mut left = match anchor {
            Anchor::Start => x,
            Anchor::Middle => x - advance / 2.0,
            Anchor::End => x - advance,
        };
        let pixels = self.map.pixels_mut();
        for char in text.chars() {
            let glyph = scaled.glyph_id(char);
            let placed = glyph.with_scale_and_position(scale, ab_glyph::point(left, baseline));
            left += scaled.h_advance(glyph);
            let Some(outline) = font.outline_glyph(placed) else { continue };
            let bounds = outline.px_bounds();
            outline.draw(|across, down, coverage| {
                let (column, row) = (bounds.min.x as i32 + across as i32, bounds.min.y as i32 + down as i32);
                if (0..width).contains(&column) && (0..height).contains(&row) {
                    let pixel = &mut pixels[(row * width + column) as usize];
                    *pixel = blend(*pixel, colour, coverage.clamp(0.0, 1.0));
                }
            });
        }
    }
}

/// An opaque pixel under a colour that covers part of it.
fn blend(
    pixel: tiny_skia::PremultipliedColorU8,
    colour: Color,
    coverage: f32,
) -> tiny_skia::PremultipliedColorU8 {
    let mix = |under: u8, over: f32| {
        (f32::from(under) * (1.0 - coverage) + over * 255.0 * coverage).round().clamp(0.0, 255.0) as u8
    };
    let [red, green, blue] =
        [(pixel.red(), colour.red()), (pixel.green(), colour.green()), (pixel.blue(), colour.blue())]
            .map(|(under, over)| mix(under, over));
    tiny_skia::PremultipliedColorU8::from_rgba(red, green, blue, 255).unwrap_or(pixel)
}
