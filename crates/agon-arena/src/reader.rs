//! Strict reading of TOML: every mistake is found, with its place and what is expected there.

use std::cell::RefCell;
use std::fmt;
use std::io::Read;
use std::ops::{Range, RangeInclusive};
use std::path::Path;

use agon_core::text::{or_list, quote};
use agon_erased::nearest;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

/// Everything that is wrong with a file, in the order of its lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistakes {
    file: String,
    list: Vec<Mistake>,
}

/// Something that is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong, and what is expected.
    pub what: String,
    /// The line itself, and how many of its characters are meant.
    source: (String, usize),
}

impl Mistakes {
    /// The mistakes, in the order of the lines.
    pub fn list(&self) -> &[Mistake] {
        &self.list
    }

    /// A file that is wrong as a whole.
    pub fn whole(file: &str, what: String) -> Self {
        let mistake = Mistake { line: 1, column: 1, what, source: (String::new(), 0) };
        Self { file: file.to_owned(), list: vec![mistake] }
    }
}

impl fmt::Display for Mistakes {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        for (index, Mistake { line, column, what, source: (text, marked) }) in self.list.iter().enumerate() {
            if index > 0 {
                writeln!(formatter)?;
            }
            write!(formatter, "{}:{line}:{column}: {what}", self.file)?;
            if *marked > 0 {
                let number = line.to_string();
                let margin = " ".repeat(number.len());
                let indent = " ".repeat(column - 1);
                write!(formatter, "\n  {number} | {text}\n  {margin} | {indent}{}", "^".repeat(*marked))?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Mistakes {}

/// Collects mistakes while a text is read.
#[derive(Debug)]
pub struct Doc<'t> {
    file: String,
    text: &'t str,
    mistakes: RefCell<Vec<(Range<usize>, String)>>,
}

/// The longest part of a line that is shown.
const SHOWN: usize = 100;

impl<'t> Doc<'t> {
    /// A text that is about to be read; `file` names it in messages.
    pub fn new(file: &str, text: &'t str) -> Self {
        Self { file: file.to_owned(), text, mistakes: RefCell::default() }
    }

    /// Notes that something is wrong at `span`.
    pub fn wrong(&self, span: Range<usize>, what: impl Into<String>) {
        self.mistakes.borrow_mut().push((span, what.into()));
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// The mistakes that were found, if any.
    pub fn finish(self) -> Result<(), Mistakes> {
        let mut found = self.mistakes.into_inner();
        if found.is_empty() {
            return Ok(());
        }
        found.sort_by_key(|(span, _)| span.start);
        // What several parts of a file have to do with is read for each of them.
        found.dedup();
        let list = found.into_iter().map(|(span, what)| mistake(self.text, span, what)).collect();
        Err(Mistakes { file: self.file, list })
    }
}

fn mistake(text: &str, span: Range<usize>, what: String) -> Mistake {
    let start = text.floor_char_boundary(span.start.min(text.len()));
    let before = &text[..start];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line_text = text[line_start..].lines().next().unwrap_or_default();
    let column = before[line_start..].chars().count() + 1;
    let end = text.floor_char_boundary(span.end.min(line_start + line_text.len())).max(start);
    let marked = text[start..end].chars().count().max(1);
    let is_shown = column + marked <= SHOWN && !line_text.contains(|char: char| char.is_control());
    Mistake {
        line: before.matches('\n').count() + 1,
        column,
        what,
        source: if is_shown { (line_text.chars().take(SHOWN).collect(), marked) } else { (String::new(), 0) },
    }
}

/// Reads a whole file of TOML by `read`, which is given its top-level table and notes mistakes there. `file` names it in messages.
///
/// # Errors
/// Every mistake in it.
pub fn parse<T>(file: &str, text: &str, read: impl FnOnce(&Section) -> Option<T>) -> Result<T, Mistakes> {
    let doc = Doc::new(file, text);
    let value = match DeTable::parse(text) {
        Ok(table) => read(&Section::new(&doc, "the file", table.get_ref(), 0..0)),
        Err(error) => {
            doc.wrong(error.span().unwrap_or(0..0), error.message().trim().replace('\n', "; "));
            None
        }
    };
    doc.finish()?;
    // What could not be read has been noted.
    value.ok_or_else(|| Mistakes::whole(file, "it could not be read".to_owned()))
}

/// The text of a file, or why there is none: it cannot be read, is not UTF-8, or has more than `most` bytes.
///
/// # Errors
/// A phrase that follows the name of the file.
pub fn bounded(path: &Path, most: u64) -> Result<String, String> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|error| format!("cannot be opened: {error}"))?;
    file.take(most + 1).read_to_end(&mut bytes).map_err(|error| format!("cannot be read: {error}"))?;
    if bytes.len() as u64 > most {
        return Err(format!("is too large: at most {most} bytes are read"));
    }
    String::from_utf8(bytes)
        .map_err(|error| format!("is not UTF-8 at byte {}", error.utf8_error().valid_up_to()))
}

/// A table of the file whose keys are taken one by one; what is left in the end is a mistake.
pub struct Section<'a, 't> {
    /// Where mistakes are noted.
    pub doc: &'a Doc<'t>,
    /// What it is called in messages, such as `[[rounds]]`.
    name: &'static str,
    table: &'a DeTable<'t>,
    span: Range<usize>,
    known: RefCell<Vec<&'static str>>,
}

impl<'a, 't> Section<'a, 't> {
    /// The table `table` at `span`, called `name` in messages.
    pub fn new(doc: &'a Doc<'t>, name: &'static str, table: &'a DeTable<'t>, span: Range<usize>) -> Self {
        Self { doc, name, table, span, known: RefCell::default() }
    }

    /// Where it stands.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The value of a key.
    pub fn value(&self, key: &'static str) -> Option<&'a Spanned<DeValue<'t>>> {
        self.known.borrow_mut().push(key);
        self.table.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value)
    }

    /// Where the value of a key stands, or else the section.
    pub fn span_of(&self, key: &'static str) -> Range<usize> {
        self.value(key).map_or(self.span(), Spanned::span)
    }

    /// Notes that something is wrong with the value of a key.
    pub fn wrong(&self, key: &'static str, what: impl fmt::Display) {
        self.doc.wrong(self.span_of(key), format!("{key}: {what}"));
    }

    fn expected(&self, value: &Spanned<DeValue>, key: &str, what: &str) {
        let found = value.get_ref().type_str();
        self.doc.wrong(value.span(), format!("{key}: expected {what}, found {} {found}", article(found)));
    }

    /// The text that a key is set to; `example` shows what it looks like.
    pub fn text(&self, key: &'static str, example: &str) -> Option<&'a str> {
        let value = self.value(key)?;
        let text = value.get_ref().as_str();
        if text.is_none() {
            self.expected(value, key, &format!("text in quotation marks, such as {example:?}"));
        }
        text
    }

    /// The value of a key whose text `parse` understands.
    pub fn parsed<T>(
        &self,
        key: &'static str,
        example: &str,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        let text = self.text(key, example)?;
        parse(text).map_err(|fault| self.wrong(key, fault)).ok()
    }

    /// The value of a key that is one of a few words.
    pub fn choice<T: Copy>(&self, key: &'static str, choices: &[(&'static str, T)]) -> Option<T> {
        let example = choices.first().map_or("", |(word, _)| word);
        self.parsed(key, example, |text| {
            let words = || choices.iter().map(|(word, _)| *word);
            let found = choices.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
            found.ok_or_else(|| match nearest(text, words()) {
                Some(meant) => format!("{} is not known; did you mean {meant:?}?", quote(text)),
                None => format!("{} is not known; expected {}", quote(text), or_list(words())),
            })
        })
    }

    /// A whole number within a range.
    pub fn whole(&self, key: &'static str, range: RangeInclusive<u64>) -> Option<u64> {
        let value = self.value(key)?;
        let what = format!("a whole number from {} to {}", range.start(), range.end());
        let Some(integer) = value.get_ref().as_integer() else {
            self.expected(value, key, &what);
            return None;
        };
        let number = u64::from_str_radix(&integer.as_str().replace('_', ""), integer.radix()).ok();
        let number = number.filter(|number| range.contains(number));
        if number.is_none() {
            self.wrong(key, format!("expected {what}, found {}", integer.as_str()));
        }
        number
    }

    /// A number that may have a fraction and a sign.
    pub fn number(&self, key: &'static str, most: f64) -> Option<f64> {
        self.number_of(key, self.value(key)?, most)
    }

    fn number_of(&self, key: &str, value: &Spanned<DeValue>, most: f64) -> Option<f64> {
        let text = match value.get_ref() {
            DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str(),
            DeValue::Float(float) => float.as_str(),
            _ => {
                self.expected(value, key, "a number");
                return None;
            }
        };
        let number = text.replace('_', "").parse::<f64>().ok().filter(|number| number.abs() <= most);
        if number.is_none() {
            let what = format!("{key}: expected a number from -{most} to {most}, found {}", quote(text));
            self.doc.wrong(value.span(), what);
        }
        number
    }

    /// Every key of the section, whatever it is called, with its number; those that have none are noted.
    pub fn numbers(&self, most: f64) -> Vec<(&'a str, Range<usize>, f64)> {
        let number = |(name, value): (&'a Spanned<DeString<'t>>, &'a Spanned<DeValue<'t>>)| {
            let number = self.number_of(name.get_ref(), value, most)?;
            Some((name.get_ref().as_ref(), name.span(), number))
        };
        let mut numbers: Vec<_> = self.table.iter().filter_map(number).collect();
        // As they stand in the file, not by name.
        numbers.sort_by_key(|(_, span, _)| span.start);
        numbers
    }

    /// Every key of the section, whatever it is called, with its value: a text, a number, `true` or `false`. Others are noted.
    pub fn scalars(&self) -> Vec<(&'a str, Range<usize>, serde_json::Value)> {
        let scalar = |(name, value): (&'a Spanned<DeString<'t>>, &'a Spanned<DeValue<'t>>)| {
            let key: &'a str = name.get_ref().as_ref();
            let found = match value.get_ref() {
                DeValue::String(text) => Some(text.to_string().into()),
                DeValue::Boolean(is_so) => Some((*is_so).into()),
                DeValue::Integer(integer) if integer.radix() == 10 => {
                    integer.as_str().replace('_', "").parse::<i64>().ok().map(Into::into)
                }
                DeValue::Float(float) => {
                    let number = float.as_str().replace('_', "").parse::<f64>().ok();
                    number.and_then(serde_json::Number::from_f64).map(Into::into)
                }
                _ => None,
            };
            if found.is_none() {
                self.expected(value, key, "a text, a number, true or false");
            }
            Some((key, name.span(), found?))
        };
        self.table.iter().filter_map(scalar).collect()
    }

    /// Where the value of a key stands that nobody may have asked for.
    pub fn place_of(&self, key: &str) -> Option<Range<usize>> {
        let found = self.table.iter().find(|(name, _)| name.get_ref() == key);
        found.map(|(name, value)| name.span().start..value.span().end)
    }

    /// A list of texts, each with its place.
    pub fn texts(&self, key: &'static str, example: &str) -> Option<Vec<(&'a str, Range<usize>)>> {
        let value = self.value(key)?;
        let what = format!("a list of texts, such as {example}");
        let Some(array) = value.get_ref().as_array() else {
            self.expected(value, key, &what);
            return None;
        };
        let texts: Option<Vec<_>> =
            array.iter().map(|item| Some((item.get_ref().as_str()?, item.span()))).collect();
        if texts.is_none() {
            self.wrong(key, format!("expected {what}"));
        }
        texts
    }

    /// The table that a key is set to.
    pub fn table(&self, key: &'static str, name: &'static str) -> Option<Section<'a, 't>> {
        let value = self.value(key)?;
        match value.get_ref().as_table() {
            Some(table) => Some(Section::new(self.doc, name, table, value.span())),
            None => {
                self.expected(value, key, &format!("a table {name}"));
                None
            }
        }
    }

    /// The tables of a list, such as all `[[rounds]]`.
    pub fn tables(&self, key: &'static str, name: &'static str) -> Vec<Section<'a, 't>> {
        let Some(value) = self.value(key) else { return Vec::new() };
        let array = value.get_ref().as_array();
        let tables: Option<Vec<Section>> = array.and_then(|array| {
            let section = |item: &'a Spanned<DeValue<'t>>| {
                Some(Section::new(self.doc, name, item.get_ref().as_table()?, item.span()))
            };
            array.iter().map(section).collect()
        });
        tables.unwrap_or_else(|| {
            self.expected(value, key, &format!("tables, each beginning with {name}"));
            Vec::new()
        })
    }

    /// Notes every key that was not asked for.
    pub fn close(&self) {
        let known = self.known.borrow();
        for name in self.table.keys().filter(|name| !known.contains(&name.get_ref().as_ref())) {
            let mut words = known.clone();
            words.sort_unstable();
            words.dedup();
            let advice = match nearest(name.get_ref(), words.iter().copied()) {
                Some(meant) => format!("did you mean {meant}?"),
                None => format!("expected {}", or_list(words)),
            };
            let key = quote(name.get_ref());
            self.doc.wrong(name.span(), format!("there is no key {key} in {}; {advice}", self.name));
        }
    }
}

fn article(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_have_a_place_and_show_it() {
        let doc = Doc::new("f.toml", "a = 1\nnäme = 3\n");
        doc.wrong(14..15, "three");
        doc.wrong(6..11, "a name");
        let mistakes = doc.finish().expect_err("there are some");
        assert_eq!(
            mistakes.list().iter().map(|mistake| (mistake.line, mistake.column)).collect::<Vec<_>>(),
            [(2, 1), (2, 8)]
        );
        let text = mistakes.to_string();
        assert!(text.starts_with("f.toml:2:1: a name\n  2 | näme = 3\n    | ^^^^\n"), "{text}");
        // Beyond the end, in the middle of a character, on an empty line.
        for span in [7..9, 900..901, 14..14] {
            let doc = Doc::new("f.toml", "a = 1\nnäme = 3\n");
            doc.wrong(span, "x");
            assert!(doc.finish().is_err());
        }
    }
}
