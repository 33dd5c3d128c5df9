//! Colours and glyphs: what the terminal can show, and how we say things in it.

use std::env;

use ratatui::style::{Color, Modifier, Style};

/// How many colours a terminal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// None: everything is said by letters and attributes.
    None,
    /// The sixteen that every terminal with colours has.
    Sixteen,
    /// The 256 of xterm.
    Many,
    /// All of them.
    True,
}

/// What the terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Its colours.
    pub depth: Depth,
    /// Whether only ASCII can be shown.
    pub ascii: bool,
}

/// Colours that mean something wherever they are used, as `0xRRGGBB`.
pub mod palette {
    /// What can be chosen, and what is chosen.
    pub const ACCENT: u32 = 0x78_B8_F4;
    /// What goes wrong or presses.
    pub const DANGER: u32 = 0xFF_6B_61;
    /// What goes well.
    pub const OK: u32 = 0x4F_BF_86;
    /// What needs attention.
    pub const WARN: u32 = 0xF0_B8_49;
    /// The last move.
    pub const LAST: u32 = 0xFF_E1_4D;
    /// A threat.
    pub const THREAT: u32 = 0xFF_4D_42;
    /// A hint.
    pub const HINT: u32 = 0x7F_D4_FF;
    /// What is chosen now.
    pub const NOW: u32 = 0xFF_FF_FF;
    /// Ink on light things.
    pub const INK: u32 = 0x0A_0E_12;
}

impl Theme {
    /// What the environment says about the terminal; `ascii` and `colourless` are the user's wishes.
    pub fn detect(ascii: bool, colourless: bool) -> Self {
        let variable = |name: &str| env::var(name).unwrap_or_default();
        let term = variable("TERM");
        let locale =
            ["LC_ALL", "LC_CTYPE", "LANG"].iter().map(|name| variable(name)).find(|text| !text.is_empty());
        // A locale that names no encoding at all says nothing; one that names another says no.
        let narrow = locale.is_some_and(|locale| {
            let locale = locale.to_lowercase();
            locale == "c" || locale == "posix" || (locale.contains('.') && !locale.contains("utf"))
        });
        let depth = match variable("COLORTERM").as_str() {
            _ if colourless || !variable("NO_COLOR").is_empty() || term == "dumb" => Depth::None,
            "truecolor" | "24bit" => Depth::True,
            _ if term.contains("256") || term.contains("kitty") || term.contains("alacritty") => Depth::Many,
            _ => Depth::Sixteen,
        };
        Self { depth, ascii: ascii || narrow || matches!(term.as_str(), "dumb" | "linux" | "vt100") }
    }

    /// Whether pieces are letters.
    pub fn letters(&self) -> bool {
        self.ascii || self.depth == Depth::None
    }

    /// The nearest colour that the terminal has.
    pub fn colour(&self, rgb: u32) -> Color {
        let [_, red, green, blue] = rgb.to_be_bytes();
        match self.depth {
            Depth::None => Color::Reset,
            Depth::True => Color::Rgb(red, green, blue),
            Depth::Many => Color::Indexed(nearest_of_256(red, green, blue)),
            Depth::Sixteen => nearest_of_16(red, green, blue),
        }
    }

    /// Text of one colour on another; where there are no colours, plain.
    pub fn on(&self, text: u32, ground: u32) -> Style {
        if self.depth == Depth::None {
            return Style::new();
        }
        Style::new().fg(self.colour(text)).bg(self.colour(ground))
    }

    /// Text of a colour on the terminal's own ground.
    pub fn text(&self, text: u32) -> Style {
        if self.depth == Depth::None { Style::new() } else { Style::new().fg(self.colour(text)) }
    }

    /// Text that matters less.
    pub fn muted(&self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    /// What the user has chosen.
    pub fn chosen(&self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED | Modifier::BOLD)
    }

    /// One of two texts: the second where only ASCII can be shown.
    pub fn either<T>(&self, rich: T, plain: T) -> T {
        if self.ascii { plain } else { rich }
    }
}

/// A colour between two, `share` of 255 of the way to the second.
pub fn blend(one: u32, other: u32, share: u32) -> u32 {
    let mix = |shift: u32| {
        let (one, other) = (one >> shift & 255, other >> shift & 255);
        ((one * (255 - share) + other * share) / 255) << shift
    };
    mix(16) | mix(8) | mix(0)
}

/// The colour of xterm's cube or grey ramp that is nearest.
fn nearest_of_256(red: u8, green: u8, blue: u8) -> u8 {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let nearest = |value: u8| (0..6).min_by_key(|&level| LEVELS[level].abs_diff(value)).unwrap_or(0);
    let cube = [red, green, blue].map(nearest);
    let distance = |colour: [u8; 3]| -> u32 {
        let parts = [(red, colour[0]), (green, colour[1]), (blue, colour[2])];
        parts.iter().map(|(one, other)| u32::from(one.abs_diff(*other)).pow(2)).sum()
    };
    let grey = (0..24u8).min_by_key(|&step| distance([8 + 10 * step; 3])).unwrap_or(0);
    if distance([8 + 10 * grey; 3]) < distance(cube.map(|level| LEVELS[level])) {
        232 + grey
    } else {
        (16 + 36 * cube[0] + 6 * cube[1] + cube[2]) as u8
    }
}

/// The nearest of the sixteen colours, as most terminals show them.
fn nearest_of_16(red: u8, green: u8, blue: u8) -> Color {
    const COLOURS: [(Color, [u8; 3]); 16] = [
        (Color::Black, [0, 0, 0]),
        (Color::Red, [170, 0, 0]),
        (Color::Green, [0, 140, 0]),
        (Color::Yellow, [150, 100, 30]),
        (Color::Blue, [0, 0, 190]),
        (Color::Magenta, [160, 0, 160]),
        (Color::Cyan, [0, 150, 150]),
        (Color::Gray, [180, 180, 180]),
        (Color::DarkGray, [90, 90, 90]),
        (Color::LightRed, [255, 90, 90]),
        (Color::LightGreen, [90, 255, 140]),
        (Color::LightYellow, [255, 240, 80]),
        (Color::LightBlue, [100, 140, 255]),
        (Color::LightMagenta, [240, 130, 255]),
        (Color::LightCyan, [100, 240, 255]),
        (Color::White, [255, 255, 255]),
    ];
    let distance = |colour: &[u8; 3]| -> u32 {
        [red, green, blue].iter().zip(colour).map(|(one, other)| u32::from(one.abs_diff(*other)).pow(2)).sum()
    };
    COLOURS.iter().min_by_key(|(_, colour)| distance(colour)).map_or(Color::Reset, |(colour, _)| *colour)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_fall_back_to_the_nearest() {
        assert_eq!(nearest_of_256(255, 255, 255), 231);
        assert_eq!(nearest_of_256(128, 128, 128), 244);
        assert_eq!(nearest_of_256(255, 0, 0), 196);
        assert_eq!(nearest_of_16(250, 250, 250), Color::White);
        assert_eq!(nearest_of_16(20, 20, 20), Color::Black);
        assert_eq!(blend(0x00_00_00, 0xFF_FF_FF, 255), 0xFF_FF_FF);
        assert_eq!(blend(0x10_20_30, 0xFF_FF_FF, 0), 0x10_20_30);
        let plain = Theme { depth: Depth::None, ascii: false };
        assert_eq!(plain.on(0, 0xFF_FF_FF), Style::new());
    }
}
