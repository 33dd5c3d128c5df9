//! The Go Text Protocol, version 2, as programs for Othello speak it: a command a line, an answer that begins with
//! `=` or `?` and ends with an empty line. See <http://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2/gtp2-spec.html>.

use std::fmt;

/// The game that is played in GTP.
pub const GAME: &str = "othello";

/// A command to an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The number that the answer repeats.
    pub id: Option<u32>,
    /// The command; empty if the line held a number alone.
    pub name: String,
    /// What follows it.
    pub arguments: Vec<String>,
}

impl Request {
    /// Reads a line as the protocol says: control characters count for nothing, a tab is a space, `#` begins a
    /// comment. `None` if nothing is left.
    pub fn parse(line: &str) -> Option<Self> {
        let text: String = line
            .chars()
            .map(|char| if char == '\t' { ' ' } else { char })
            .filter(|char| !char.is_control())
            .take_while(|char| *char != '#')
            .collect();
        let mut words = text.split_whitespace().map(str::to_owned).peekable();
        let id = words.peek()?.parse().ok();
        if id.is_some() {
            words.next();
        }
        Some(Self { id, name: words.next().unwrap_or_default(), arguments: words.collect() })
    }
}

/// What an engine answers: the result, or what was wrong.
pub type Answer = Result<String, String>;

/// The answer to the request `id` as it is sent, the empty line included.
pub fn response(id: Option<u32>, answer: &Answer) -> String {
    let (sign, text) = match answer {
        Ok(text) => ('=', text),
        Err(text) => ('?', text),
    };
    let id = id.map_or_else(String::new, |id| id.to_string());
    let space = if text.is_empty() { "" } else { " " };
    // An empty line would end the answer too soon.
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    format!("{sign}{id}{space}{}\n\n", lines.join("\n"))
}

/// Puts an answer together from the lines that an engine sends.
#[derive(Debug, Default)]
pub struct Reader {
    begun: Option<(bool, String)>,
}

/// A line that begins no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected an answer that starts with = or ?")]
pub struct NoAnswer;

impl Reader {
    /// Takes the next line; the answer once it is whole.
    ///
    /// # Errors
    /// If the line is no part of an answer.
    pub fn line(&mut self, line: &str) -> Result<Option<Answer>, NoAnswer> {
        let line = line.trim_end();
        match &mut self.begun {
            // Some engines end their answers with more than one empty line.
            None if line.is_empty() => Ok(None),
            None => {
                let (is_good, rest) = match (line.strip_prefix('='), line.strip_prefix('?')) {
                    (Some(rest), _) => (true, rest),
                    (None, Some(rest)) => (false, rest),
                    (None, None) => return Err(NoAnswer),
                };
                let text = rest.trim_start_matches(|char: char| char.is_ascii_digit()).trim_start();
                self.begun = Some((is_good, text.to_owned()));
                Ok(None)
            }
            Some((_, text)) if !line.is_empty() => {
                text.push('\n');
                text.push_str(line);
                Ok(None)
            }
            Some(_) => {
                Ok(self.begun.take().map(|(is_good, text)| if is_good { Ok(text) } else { Err(text) }))
            }
        }
    }

    /// How much of an answer is kept so far, in bytes.
    pub fn length(&self) -> usize {
        self.begun.as_ref().map_or(0, |(_, text)| text.len())
    }
}

/// A side as the protocol names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Moves first.
    Black,
    /// Moves second.
    White,
}

impl Colour {
    /// Reads `black`, `b`, `white` or `w`, in any case.
    pub fn parse(word: &str) -> Option<Self> {
        match word.to_ascii_lowercase().as_str() {
            "black" | "b" => Some(Self::Black),
            "white" | "w" => Some(Self::White),
            _ => None,
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(match self {
            Self::Black => "black",
            Self::White => "white",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_have_numbers_comments_and_odd_spaces() {
        let request = |id, name: &str, arguments: &[&str]| {
            Some(Request {
                id,
                name: name.to_owned(),
                arguments: arguments.iter().map(|word| (*word).to_owned()).collect(),
            })
        };
        assert_eq!(
            Request::parse(" 13  play\tblack \u{7}d3 # a good move"),
            request(Some(13), "play", &["black", "d3"])
        );
        assert_eq!(Request::parse("name"), request(None, "name", &[]));
        assert_eq!(Request::parse("12"), request(Some(12), "", &[]));
        assert_eq!(Request::parse("99999999999 name"), request(None, "99999999999", &["name"]));
        assert_eq!(Request::parse("  # nothing"), None);
        assert_eq!(Request::parse("\r\n"), None);
    }

    #[test]
    fn answers_are_written_and_read_alike() {
        assert_eq!(response(None, &Ok(String::new())), "=\n\n");
        assert_eq!(response(Some(5), &Err("syntax error".to_owned())), "?5 syntax error\n\n");
        for answer in [Ok("a\nb".to_owned()), Ok(String::new()), Err("unknown command".to_owned())] {
            let mut reader = Reader::default();
            let text = response(Some(7), &answer);
            let answers: Vec<Answer> =
                text.lines().filter_map(|line| reader.line(line).expect("it is an answer")).collect();
            assert_eq!(answers, [answer]);
        }
        assert_eq!(Reader::default().line("hello"), Err(NoAnswer));
        assert_eq!(Reader::default().line(""), Ok(None));
    }
}
