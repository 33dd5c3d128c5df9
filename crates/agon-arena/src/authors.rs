//! Who has written a player: a line `name,id,email` for each author, as courses have students hand it in.
//!
//! What is in such a file is for whoever gives grades, and for nobody else: it goes into `grades.csv` only.

use std::path::Path;

use agon_core::text::quote;
use serde::{Deserialize, Serialize};

use crate::reader::bounded;

/// The largest file, in bytes.
const MAX_BYTES: u64 = 64 << 10;
/// The most authors of one player.
const MAX_AUTHORS: usize = 20;
/// The longest field, in characters.
const MAX_FIELD: usize = 100;
/// What a line looks like.
const EXAMPLE: &str = "Dana Cohen,123456789,dana@example.org";

/// One of those who have written a player.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Author {
    /// The author's name.
    pub name: String,
    /// The author's number with the school; may be empty.
    pub id: String,
    /// The author's address; may be empty.
    pub email: String,
}

impl Author {
    /// Reads a file of authors, which messages call `file`.
    ///
    /// # Errors
    /// What is wrong, with its line and column.
    pub fn read(file: &str, path: &Path) -> Result<Vec<Self>, String> {
        let text = bounded(path, MAX_BYTES).map_err(|fault| format!("{file} {fault}"))?;
        Self::parse(file, &text)
    }

    /// Reads the text of such a file.
    ///
    /// # Errors
    /// What is wrong, with its line and column.
    pub fn parse(file: &str, text: &str) -> Result<Vec<Self>, String> {
        let mut authors: Vec<Self> = Vec::new();
        let lines = text.strip_prefix('\u{feff}').unwrap_or(text).lines();
        for (number, line) in (1..).zip(lines) {
            let is_header = number == 1 && line.trim().eq_ignore_ascii_case("name,id,email");
            if line.trim().is_empty() || is_header {
                continue;
            }
            let author =
                author(line).map_err(|(column, fault)| format!("{file}:{number}:{column}: {fault}"))?;
            if authors.len() == MAX_AUTHORS {
                return Err(format!("{file}:{number}:1: there are more than {MAX_AUTHORS} authors"));
            }
            authors.push(author);
        }
        if authors.is_empty() {
            return Err(format!(
                "{file}:1:1: it names nobody; expected a line for each author, such as {EXAMPLE}"
            ));
        }
        Ok(authors)
    }

    /// A file of these authors.
    pub fn file(authors: &[Self]) -> String {
        let field = |text: &String| {
            if text.contains([',', '"']) {
                format!("\"{}\"", text.replace('"', "\"\""))
            } else {
                text.clone()
            }
        };
        let line = |Self { name, id, email }: &Self| [name, id, email].map(field).join(",") + "\n";
        authors.iter().map(line).collect()
    }
}

/// An author from a line; or in which column it is wrong, and how.
fn author(line: &str) -> Result<Author, (usize, String)> {
    let fields = fields(line)?;
    let [(_, name), (at_id, id), (at_email, email)] = &fields[..] else {
        let found = fields.len();
        return Err((1, format!("expected three fields, name,id,email, such as {EXAMPLE}; found {found}")));
    };
    if name.is_empty() {
        return Err((1, format!("the name is missing; expected a line such as {EXAMPLE}")));
    }
    for (column, field) in &fields {
        if field.chars().count() > MAX_FIELD || field.chars().any(char::is_control) {
            return Err((
                *column,
                format!("a field has at most {MAX_FIELD} characters, none of them invisible"),
            ));
        }
    }
    if id.contains(char::is_whitespace) || id.contains('@') {
        return Err((
            *at_id,
            format!("{} is not an id; the order is name,id,email, as in {EXAMPLE}", quote(id)),
        ));
    }
    let is_address =
        email.split('@').filter(|part| !part.is_empty()).count() == 2 && email.matches('@').count() == 1;
    if !email.is_empty() && (!is_address || email.contains(char::is_whitespace)) {
        return Err((
            *at_email,
            format!("{} is not an e-mail address; the order is name,id,email, as in {EXAMPLE}", quote(email)),
        ));
    }
    Ok(Author { name: name.clone(), id: id.clone(), email: email.clone() })
}

/// The fields of a line, each with its column from 1. One in quotation marks may hold commas.
fn fields(line: &str) -> Result<Vec<(usize, String)>, (usize, String)> {
    let mut fields = Vec::new();
    let mut chars = (1..).zip(line.chars()).peekable();
    loop {
        while chars.next_if(|(_, char)| *char == ' ' || *char == '\t').is_some() {}
        let column = chars.peek().map_or(line.chars().count() + 1, |(column, _)| *column);
        let mut field = String::new();
        if chars.next_if(|(_, char)| *char == '"').is_some() {
            loop {
                match chars.next() {
                    Some((_, '"')) if chars.next_if(|(_, char)| *char == '"').is_some() => field.push('"'),
                    Some((_, '"')) => break,
                    Some((_, char)) => field.push(char),
                    None => return Err((column, "a quotation mark is not closed".to_owned())),
                }
            }
        }
        while let Some((_, char)) = chars.next_if(|(_, char)| *char != ',') {
            field.push(char);
        }
        fields.push((column, field.trim().to_owned()));
        if chars.next().is_none() {
            return Ok(fields);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn author(name: &str, id: &str, email: &str) -> Author {
        Author { name: name.to_owned(), id: id.to_owned(), email: email.to_owned() }
    }

    #[test]
    fn a_line_is_an_author() {
        let text = "\u{feff}name,id,email\r\nדנה כהן, 012345678 ,dana@example.org\r\n\n\"Levi, Avi\",7,\n";
        let authors = vec![author("דנה כהן", "012345678", "dana@example.org"), author("Levi, Avi", "7", "")];
        assert_eq!(Author::parse("submissions.txt", text), Ok(authors.clone()));
        assert_eq!(Author::parse("f", &Author::file(&authors)), Ok(authors));
        let quoted = vec![author("Dana \"D\" Cohen", "", "")];
        assert_eq!(Author::parse("f", &Author::file(&quoted)), Ok(quoted));
    }

    #[test]
    fn what_is_wrong_is_shown_in_its_place() {
        for (text, expected) in [
            ("", "f:1:1: it names nobody"),
            ("name,id,email\n", "f:1:1: it names nobody"),
            ("Dana Cohen", "f:1:1: expected three fields, name,id,email, such as Dana Cohen,"),
            ("Dana Cohen,1,d@x,more", "found 4"),
            ("a,1,a@x\n ,2,b@x", "f:2:1: the name is missing"),
            ("Dana Cohen,dana@x.org,123", "f:1:12: 'dana@x.org' is not an id; the order is name,id,email"),
            ("Dana,1,dana at x", "f:1:8: 'dana at x' is not an e-mail address"),
            ("Dana,1,@", "is not an e-mail address"),
            ("Dana,1,a@b@c", "is not an e-mail address"),
            ("\"Dana,1,d@x", "f:1:1: a quotation mark is not closed"),
            ("Da\u{7}na,1,d@x", "f:1:1: a field has at most 100 characters"),
            (&"a,1,a@x\n".repeat(21), "f:21:1: there are more than 20 authors"),
        ] {
            let fault = Author::parse("f", text).expect_err(text);
            assert!(fault.contains(expected), "{text:?}: {fault}");
        }
    }
}
