//! How squares are named in the dialogue: as the game names them, or by numbers for rows and columns.

use std::str::FromStr;

use agon_core::text::quote;
use agon_core::view::{Board, Spot, Step, Token};
use agon_erased::Session;

/// How squares are named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Coordinates {
    /// As the game writes its moves.
    #[default]
    Letters,
    /// By row and column: `(4,2)`.
    Numbers,
}

impl FromStr for Coordinates {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "letters" => Ok(Self::Letters),
            "numbers" => Ok(Self::Numbers),
            _ => Err(format!("{} is not letters or numbers", quote(text))),
        }
    }
}

impl Coordinates {
    /// A move, written `token`, as it is shown on `board`.
    pub(super) fn move_text(self, board: &Board, token: &str, step: &Step) -> String {
        if self == Self::Letters {
            return token.to_owned();
        }
        let place = |spot: Spot| {
            let [row, column] = [(&board.rows, spot.row), (&board.columns, spot.column)]
                .map(|(names, index)| number(names, usize::from(index)));
            format!("({row},{column})")
        };
        match (step.block(), step.from, step.to) {
            (Some(corner), _, _) => format!("@{}", place(corner)),
            (None, Some(from), Some(to)) => format!("{}-{}", place(from), place(to)),
            (None, None, Some(to)) => place(to),
            _ => token.to_owned(),
        }
    }

    /// The legal moves of `session` as they are written and as they are shown.
    pub(super) fn moves(self, session: &dyn Session) -> Vec<(String, String)> {
        if self == Self::Letters {
            return session.legal().into_iter().map(|token| (token.clone(), token)).collect();
        }
        let board = session.board();
        let shown = |(token, step): (String, Step)| {
            let text = self.move_text(&board, &token, &step);
            (token, text)
        };
        session.steps().into_iter().map(shown).collect()
    }

    /// The board of `session` drawn in plain text.
    pub(super) fn diagram(self, session: &dyn Session) -> String {
        let diagram = session.diagram();
        let columns = session.board().columns;
        let Some((header, rest)) = diagram.split_once('\n') else { return diagram };
        if self == Self::Letters || !header.split_whitespace().eq(columns.iter().copied()) {
            return diagram;
        }
        // Every name stands over its column; a number of two digits stands upright.
        let digits = |show: fn(usize) -> Option<usize>| {
            let mut index = 0;
            let digit = |char: char| {
                if char == ' ' {
                    return ' ';
                }
                let digit =
                    show(number(&columns, index)).and_then(|digit| char::from_digit(digit as u32, 10));
                index += 1;
                digit.unwrap_or(' ')
            };
            header.chars().map(digit).collect::<String>().trim_end().to_owned()
        };
        let tens = digits(|number| Some(number / 10).filter(|tens| *tens > 0));
        let tens = if tens.trim().is_empty() { String::new() } else { tens + "\n" };
        format!("{tens}{}\n{rest}", digits(|number| Some(number % 10)))
    }
}

/// The number of a row or column: its name if that is one, else its place from 1.
fn number(names: &[Token], index: usize) -> usize {
    names.get(index).and_then(|name| name.parse().ok()).unwrap_or(index + 1)
}

#[cfg(test)]
mod tests {
    use agon_registry::GAMES;

    use super::*;

    fn start(game: &str, options: &str) -> Box<dyn Session> {
        GAMES.find(game).expect(game).rules(options).expect(options).start()
    }

    fn shown(game: &str, options: &str) -> Vec<String> {
        Coordinates::Numbers.moves(&*start(game, options)).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn moves_are_shown_by_numbers() {
        assert_eq!(shown("othello", ""), ["(4,3)", "(3,4)", "(6,5)", "(5,6)"]);
        assert!(shown("tablut", "").contains(&"(1,4)-(3,4)".to_owned()));
        let loa = shown("loa", "");
        assert!(loa.contains(&"(7,6)-(5,6)".to_owned()) && loa.contains(&"@(0,0)".to_owned()), "{loa:?}");
        let letters = Coordinates::Letters.moves(&*start("othello", ""));
        assert_eq!(letters[0], ("c4".to_owned(), "c4".to_owned()));
    }

    #[test]
    fn columns_are_numbered_above_the_board() {
        let diagram = Coordinates::Numbers.diagram(&*start("othello", "size=12"));
        let lines: Vec<&str> = diagram.lines().collect();
        assert_eq!(lines[0].trim(), "1 1 1");
        assert!(lines[1].trim().ends_with("8 9 0 1 2"), "{diagram}");
        assert_eq!(lines[0].len(), lines[1].len());
        let small = Coordinates::Numbers.diagram(&*start("othello", ""));
        assert_eq!(small.lines().next(), Some("  1 2 3 4 5 6 7 8"));
        let plain = start("othello", "");
        assert_eq!(Coordinates::Letters.diagram(&*plain), plain.diagram());
    }
}
