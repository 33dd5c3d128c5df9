//! What a study varies: a list or a range of values for a parameter, a weight, a whole bot, a game option or a limit.

use std::ops::Range;

use agon_arena::reader::Section;
use agon_core::text::{or_list, quote};
use toml::Spanned;
use toml::de::DeValue;

use crate::bots::LIMITS;
use crate::players::NamedPlayer;

/// The most values of one factor.
const MAX_VALUES: usize = 200;

/// The most characters of a label.
const MAX_LABEL: usize = 40;

/// What a factor changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A parameter of the bot.
    Parameter(String),
    /// A weight of its evaluation.
    Weight(String),
    /// The bot itself.
    Bot,
    /// An option of the game.
    Option(String),
    /// A limit for both sides.
    Limit(&'static str),
}

impl Kind {
    /// What it is called where its values are shown.
    pub(crate) fn label(&self) -> &str {
        match self {
            Self::Parameter(name) | Self::Weight(name) | Self::Option(name) => name,
            Self::Bot => "bot",
            Self::Limit(name) => name,
        }
    }
}

/// Something that is varied.
pub(crate) struct Factor<'s, 'a, 't> {
    /// Where it stands in the file.
    pub(crate) section: &'s Section<'a, 't>,
    pub(crate) kind: Kind,
    /// Its values, each with its place.
    pub(crate) values: Vec<(String, Range<usize>)>,
    /// What some of the values are called.
    labels: Vec<(String, String)>,
    /// The players that the values name, if it is the bot that is varied.
    pub(crate) players: Vec<NamedPlayer>,
}

impl Factor<'_, '_, '_> {
    /// What a value is called, if its author says so.
    fn label_of(&self, value: usize) -> Option<&str> {
        let (text, _) = &self.values[value];
        self.labels.iter().find(|(known, _)| known == text).map(|(_, label)| label.as_str())
    }

    /// What a setting that has this value is called.
    pub(crate) fn name_of(&self, value: usize) -> String {
        let (text, _) = &self.values[value];
        match (self.label_of(value), &self.kind) {
            (Some(label), _) => label.to_owned(),
            (None, Kind::Bot) => text.clone(),
            (None, kind) => format!("{}={text}", kind.label()),
        }
    }

    /// Notes that one of its values does not hold.
    pub(crate) fn wrong(&self, value: usize, what: impl std::fmt::Display) {
        let (text, span) = &self.values[value];
        self.section.doc.wrong(span.clone(), format!("{} = {text}: {what}", self.kind.label()));
    }
}

/// Reads one of the tables `[[vary]]`.
pub(crate) fn vary<'s, 'a, 't>(section: &'s Section<'a, 't>, is_quick: bool) -> Option<Factor<'s, 'a, 't>> {
    let parameter = section.text("parameter", "tt").map(|name| Kind::Parameter(name.to_owned()));
    let weight = section.text("weight", "danger").map(|name| Kind::Weight(name.to_owned()));
    let bots = section.value("bots").is_some();
    let given = [
        (section.value("parameter").is_some(), "parameter"),
        (section.value("weight").is_some(), "weight"),
        (bots, "bots"),
    ];
    only_one(section, &given)?;
    let kind = parameter.or(weight).or(bots.then_some(Kind::Bot))?;
    read(section, kind, is_quick)
}

/// Reads one of the tables `[[across]]`.
pub(crate) fn across<'s, 'a, 't>(section: &'s Section<'a, 't>, is_quick: bool) -> Option<Factor<'s, 'a, 't>> {
    let option = section.text("option", "size").map(|name| Kind::Option(name.to_owned()));
    let limit = section.choice("limit", &LIMITS.map(|name| (name, name))).map(Kind::Limit);
    let given = [(section.value("option").is_some(), "option"), (section.value("limit").is_some(), "limit")];
    only_one(section, &given)?;
    read(section, option.or(limit)?, is_quick)
}

/// Checks that exactly one of several keys is set.
fn only_one(section: &Section, given: &[(bool, &str)]) -> Option<()> {
    let set = given.iter().filter(|(is_set, _)| *is_set).count();
    if set != 1 {
        let keys = or_list(given.iter().map(|(_, key)| *key));
        let found = if set == 0 { "nothing says what is varied" } else { "several keys say what is varied" };
        section.doc.wrong(section.span(), format!("{found}; expected one of {keys}"));
        return None;
    }
    Some(())
}

fn read<'s, 'a, 't>(section: &'s Section<'a, 't>, kind: Kind, is_quick: bool) -> Option<Factor<'s, 'a, 't>> {
    if kind == Kind::Bot {
        return read_players(section, is_quick);
    }
    let labels = labels(section);
    let (has_list, has_range) = (section.value("values").is_some(), section.value("range").is_some());
    let quick = section.value("quick").map(|value| scalars(section, "quick", value));
    let values = match (has_list, has_range) {
        (true, true) => {
            section.wrong("range", "expected either values or a range, not both");
            None
        }
        (false, false) => {
            let what = "there are no values; expected values = […] or range = { from = …, to = …, step = … }";
            section.doc.wrong(section.span(), what);
            None
        }
        (true, false) => section.value("values").and_then(|value| scalars(section, "values", value)),
        (false, true) => range(section),
    };
    section.close();
    let labels = labelled(section, labels, values.as_deref())?;
    let is_time = kind.label() == "time" && matches!(kind, Kind::Parameter(_) | Kind::Limit(_));
    let (kind, values) = match quick {
        // Quick studies count nodes: what a file lists for them in place of times are numbers of nodes.
        Some(quick) if is_quick && is_time => (nodes(&kind), quick?),
        Some(quick) if is_quick => (kind, quick?),
        None if is_quick && is_time => {
            let what = "a quick study counts nodes instead of time; expected quick = [numbers of nodes]";
            section.doc.wrong(section.span(), what);
            return None;
        }
        _ => (kind, values?),
    };
    Some(Factor { section, kind, values, labels, players: Vec::new() })
}

/// What the values of a table are called: `labels`, as many as there are values, or `label` for a single one.
fn labels(section: &Section) -> Option<Vec<(String, Range<usize>)>> {
    let one = section.parsed("label", "no table", label).map(|text| vec![(text, section.span_of("label"))]);
    let list = section.value("labels").and_then(|value| {
        let items = items(section, "labels", value, "[\"no table\", \"a small table\"]")?;
        let read = |item: &Spanned<DeValue>| {
            let read = item.get_ref().as_str().ok_or_else(|| "expected a text".to_owned()).and_then(label);
            read.map(|text| (text, item.span()))
                .map_err(|fault| section.doc.wrong(item.span(), format!("labels: {fault}")))
        };
        items.iter().map(|item| read(item).ok()).collect()
    });
    one.or(list)
}

/// A name that people give to something, on a line of its own.
pub(crate) fn label(text: &str) -> Result<String, String> {
    crate::file::short(text, MAX_LABEL)
}

/// Which value has which label.
fn labelled(
    section: &Section,
    labels: Option<Vec<(String, Range<usize>)>>,
    values: Option<&[(String, Range<usize>)]>,
) -> Option<Vec<(String, String)>> {
    let (Some(labels), Some(values)) = (labels, values) else { return Some(Vec::new()) };
    if labels.len() != values.len() {
        let [found, expected] = [labels.len(), values.len()];
        let key = if section.value("labels").is_some() { "labels" } else { "label" };
        section.wrong(key, format!("expected a label for each value, {expected} in all, found {found}"));
        return None;
    }
    for (index, (label, place)) in labels.iter().enumerate() {
        if labels[..index].iter().any(|(known, _)| known == label) {
            section.doc.wrong(place.clone(), format!("labels: {} is listed twice", quote(label)));
            return None;
        }
    }
    Some(values.iter().zip(labels).map(|((value, _), (label, _))| (value.clone(), label)).collect())
}

/// Reads a list of whole players: specifications of bots, and tables of programs.
fn read_players<'s, 'a, 't>(section: &'s Section<'a, 't>, is_quick: bool) -> Option<Factor<'s, 'a, 't>> {
    let usual = section.value("bots").map(|value| players(section, "bots", value));
    let quick = section.value("quick").map(|value| players(section, "quick", value));
    let labels = labels(section);
    section.close();
    let named = usual.as_ref().and_then(Option::as_ref);
    let named: Option<Vec<_>> = named.map(|players| players.iter().map(|(value, _)| value.clone()).collect());
    let labels = labelled(section, labels, named.as_deref())?;
    let found = quick.filter(|_| is_quick).or(usual)??;
    let (values, players) = found.into_iter().unzip();
    Some(Factor { section, kind: Kind::Bot, values, labels, players })
}

/// What a player is called, where it stands, and who it is.
type ListedPlayer = ((String, Range<usize>), NamedPlayer);

fn players(section: &Section, key: &'static str, value: &Spanned<DeValue>) -> Option<Vec<ListedPlayer>> {
    let mut found: Vec<ListedPlayer> = Vec::new();
    for item in items(section, key, value, "[\"greedy\", \"alphabeta:depth=3\"]")? {
        let span = item.span();
        let wrong = |what: String| section.doc.wrong(span.clone(), format!("{key}: {what}"));
        let (name, player) = match item.get_ref() {
            DeValue::String(text) => {
                let player =
                    NamedPlayer::parse(text, &span).map_err(|fault| wrong(format!("bot = {text}: {fault}")));
                (text.to_string(), player.ok()?)
            }
            DeValue::Table(table) => {
                let section = Section::new(section.doc, "the table of a program", table, span.clone());
                let name = section.text("name", "second version").map(str::to_owned);
                if name.as_ref().is_none_or(|name| name.trim().is_empty() || name.contains(char::is_control))
                {
                    wrong("expected a name, by which the report calls the program".to_owned());
                }
                let player = NamedPlayer::table(&section);
                (name?, player?)
            }
            _ => {
                wrong("expected a text, or a table with a command".to_owned());
                return None;
            }
        };
        if found.iter().any(|((known, _), _)| *known == name) {
            wrong(format!("{} is listed twice", quote(&name)));
            return None;
        }
        found.push(((name, span), player));
    }
    Some(found)
}

/// The items of a list that is neither empty nor too long.
fn items<'v, 't>(
    section: &Section,
    key: &str,
    value: &'v Spanned<DeValue<'t>>,
    example: &str,
) -> Option<&'v [Spanned<DeValue<'t>>]> {
    let wrong = |what: String| section.doc.wrong(value.span(), format!("{key}: {what}"));
    let Some(array) = value.get_ref().as_array() else {
        wrong(format!("expected a list of values, such as {example}"));
        return None;
    };
    if array.is_empty() || array.len() > MAX_VALUES {
        wrong(format!("expected 1 to {MAX_VALUES} values, found {}", array.len()));
        return None;
    }
    Some(array)
}

/// The same factor with nodes instead of time.
fn nodes(kind: &Kind) -> Kind {
    match kind {
        Kind::Limit(_) => Kind::Limit("nodes"),
        _ => Kind::Parameter("nodes".to_owned()),
    }
}

/// The values of a list: texts, numbers, and `true` and `false` for `on` and `off`.
fn scalars(section: &Section, key: &str, value: &Spanned<DeValue>) -> Option<Vec<(String, Range<usize>)>> {
    let wrong = |span: Range<usize>, what: &str| section.doc.wrong(span, format!("{key}: {what}"));
    let array = items(section, key, value, "[\"off\", 1, 32]")?;
    let mut values: Vec<(String, Range<usize>)> = Vec::new();
    for item in array {
        let text = match item.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Boolean(true) => "on".to_owned(),
            DeValue::Boolean(false) => "off".to_owned(),
            DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str().replace('_', ""),
            DeValue::Float(float) => float.as_str().replace('_', ""),
            _ => {
                wrong(item.span(), "expected a text, a number, true or false");
                return None;
            }
        };
        if values.iter().any(|(known, _)| *known == text) {
            wrong(item.span(), &format!("{} is listed twice", quote(&text)));
            return None;
        }
        values.push((text, item.span()));
    }
    Some(values)
}

/// The values of `range = { from = 0, to = 32, step = 8 }`, or with `factor = 2` instead of a step.
fn range(section: &Section) -> Option<Vec<(String, Range<usize>)>> {
    const MOST: f64 = 1e9;
    let span = section.span_of("range");
    let inner = section.table("range", "range")?;
    let [from, to, step, factor] = ["from", "to", "step", "factor"].map(|key| inner.number(key, MOST));
    inner.close();
    let wrong = |what: &str| {
        section.doc.wrong(span.clone(), format!("range: {what}"));
        None
    };
    let (Some(from), Some(to)) = (from, to) else {
        return wrong("expected { from = …, to = …, step = … }");
    };
    let next: Box<dyn Fn(usize) -> f64> = match (step, factor) {
        (Some(step), None) if step > 0.0 => Box::new(move |index| from + step * index as f64),
        (None, Some(factor)) if factor > 1.0 && from > 0.0 => {
            Box::new(move |index| from * factor.powi(index as i32))
        }
        (Some(_), None) => return wrong("expected a step above 0"),
        (None, Some(_)) => return wrong("expected a factor above 1, and a range from a number above 0"),
        _ => return wrong("expected either a step or a factor"),
    };
    if from > to {
        return wrong("it is empty: expected from to be at most to");
    }
    // A sum of many steps may miss the end by a hair.
    let tolerance = 1e-9 * from.abs().max(to.abs()).max(1.0);
    let values: Vec<f64> = (0..=MAX_VALUES).map(next).take_while(|value| *value <= to + tolerance).collect();
    if values.len() > MAX_VALUES {
        return wrong(&format!("it has more than {MAX_VALUES} values"));
    }
    Some(values.into_iter().map(|value| (number_text(value), span.clone())).collect())
}

/// A number as somebody would have written it.
fn number_text(value: f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
