//! A study file for an agent, proposed from the parameters that it declares.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;

use agon_core::text::{duration_text, quote};
use agon_protocol::parameters::{Parameter, Parameters};

use crate::file::{MAX_QUESTION, MAX_TABLES};

/// The time for a move of an agent that cannot be limited otherwise, unless somebody asks for another.
const USUAL_TIME: Duration = Duration::from_millis(200);
/// Parameters by which an agent counts what it may do for a move, and what they are set to if their default is no limit.
const COUNTED_LIMITS: [(&str, i64); 2] = [("nodes", 1000), ("depth", 3)];
/// The most values that are proposed for one parameter.
const MAX_VALUES: usize = 4;
/// A range of so many whole numbers is tried out from one end to the other; a wider one only around the default.
const NARROW: i64 = 64;
const NARROW_FLOAT: f64 = 1e6;
/// The column in which comments begin.
const COMMENTS_AT: usize = 40;
/// The most characters of a comment that an agent's own words are in.
const MAX_NOTE: usize = 200;

/// What a study file is proposed for.
#[derive(Clone, Debug)]
pub struct Proposal<'a> {
    /// The game, by its id.
    pub game: &'a str,
    /// Its options; may be empty.
    pub options: &'a str,
    /// The agent's command, with paths relative to the file.
    pub command: &'a [String],
    /// The protocol that it speaks.
    pub protocol: &'a str,
    /// The threads that its program needs.
    pub threads: u32,
    /// The most games of a comparison.
    pub games: usize,
    /// The time for a move, if somebody asked for one.
    pub time: Option<Duration>,
    /// The parameters that it declares.
    pub declared: &'a Parameters,
}

/// What limits the moves of both sides.
#[derive(Debug, PartialEq)]
enum Limit {
    /// A parameter that counts.
    Counted(&'static str, i64),
    /// Time, and nodes in the quick version.
    TimeOrNodes(Duration, i64),
    /// Nothing but time: there is no quick version.
    Time(Duration),
}

impl Proposal<'_> {
    /// Whether there can be a quick version: it counts, and is never limited by time.
    pub fn has_quick(&self) -> bool {
        !matches!(self.limit(), Limit::Time(_))
    }

    /// The names of the parameters that are varied.
    pub fn varied(&self) -> Vec<&str> {
        self.proposed().into_iter().map(|(name, _)| name).collect()
    }

    /// The text of the file. `costs` are lines for people about what the study costs.
    ///
    /// # Errors
    /// If the agent declares nothing that could be varied; what it should do, in words.
    pub fn text(&self, costs: &[String]) -> Result<String, String> {
        let proposed = self.proposed();
        if proposed.is_empty() {
            return Err("it declares no parameters that a study could vary. Declare what you want to know about, in \
                        Python parameters = {\"ordering\": Choice(\"history\", \"none\")} in the class of your agent"
                .to_owned());
        }
        let mut text = String::from(
            "# A study of the agent in this folder: what is each of its parameters worth?\n\
             # Each other value of a parameter plays against the agent as it is, the reference. Change whatever you like;\n\
             # docs/studies.md describes the file. Lines that begin with # are comments.\n",
        );
        for line in costs {
            text += format!("# {line}").trim_end();
            text.push('\n');
        }
        let limit = self.limit();
        let mut lines = Lines(text);
        lines.plain("");
        lines.plain(&format!("question = {}", literal(&question(&proposed))));
        lines.plain(&format!("game = {}", literal(self.game)));
        if !self.options.is_empty() {
            lines.plain(&format!("options = {}", literal(self.options)));
        }
        lines.noted(
            &format!("games = {}", self.games),
            "the most games of a comparison, an even number; more show smaller differences",
        );
        lines.plain("");
        lines.noted("[reference]", "your agent as it is: everything is compared with it");
        let words: Vec<String> = self.command.iter().map(|word| literal(word)).collect();
        lines.plain(&format!("command = [{}]", words.join(", ")));
        if self.protocol != "jsonl" {
            lines.plain(&format!("protocol = {}", literal(self.protocol)));
        }
        if self.threads > 1 {
            lines.noted(
                &format!("threads = {}", self.threads),
                "what runs your agent needs threads of its own",
            );
        }
        let settings: Vec<String> = proposed
            .iter()
            .map(|(name, _)| format!("{} = {}", key(name), default(&self.declared[*name])))
            .collect();
        lines.plain(&format!("parameters = {{ {} }}", settings.join(", ")));
        if let Limit::Time(time) = limit {
            let time = format!("time = {}", literal(&duration_text(time)));
            lines.noted(&time, "for each move; with a parameter nodes, studies can be repeated exactly");
        }
        for (name, values) in &proposed {
            lines.plain("");
            lines.noted("[[vary]]", &format!("it takes {}", on_one_line(&self.declared[*name].expected())));
            lines.plain(&format!("parameter = {}", literal(name)));
            lines.plain(&format!("values = [{}]", values.join(", ")));
        }
        self.left_out(&proposed, &mut lines);
        let (limit, values, quick) = match limit {
            Limit::Counted(name, value) => (name, value.to_string(), None),
            Limit::TimeOrNodes(time, nodes) => ("time", literal(&duration_text(time)), Some(nodes)),
            Limit::Time(_) => return Ok(lines.0),
        };
        lines.plain("");
        lines.noted("[[across]]", "the same for both sides; several values make several studies in one");
        lines.plain(&format!("limit = {}", literal(limit)));
        let note = if quick.is_none() { "what each side may use up for a move" } else { "for each move" };
        lines.noted(&format!("values = [{values}]"), note);
        if let Some(nodes) = quick {
            lines.noted(&format!("quick = [{nodes}]"), "nodes instead of time in the quick version");
        }
        Ok(lines.0)
    }

    /// What is not varied, and why.
    fn left_out(&self, proposed: &[(&str, Vec<String>)], lines: &mut Lines) {
        let is_proposed = |name: &str| proposed.iter().any(|(known, _)| *known == name);
        let mut is_first = true;
        for (name, parameter) in self.declared.iter().filter(|(name, _)| !is_proposed(name)) {
            let why = match parameter {
                _ if self.is_the_limit(name) => continue,
                _ if is_limit(name) => "it limits the search as well",
                Parameter::Text { .. } => "it takes any text, so that no values can be proposed",
                _ if proposed_values(parameter).is_empty() => "it has only one value",
                _ => "a study has at most 20 tables [[vary]]",
            };
            if is_first {
                lines.plain("");
            }
            is_first = false;
            lines.plain(&format!("# {} is not varied: {why}.", quote(name)));
        }
    }

    fn limit(&self) -> Limit {
        let counted =
            || COUNTED_LIMITS.iter().find_map(|(name, usual)| Some((*name, self.count(name, *usual)?)));
        match (self.time, counted()) {
            (None, Some((name, value))) => Limit::Counted(name, value),
            (Some(time), Some(("nodes", nodes))) => Limit::TimeOrNodes(time, nodes),
            (time, _) => Limit::Time(time.unwrap_or(USUAL_TIME)),
        }
    }

    /// What a parameter that counts limits a move to: its default, or the usual number if its default is no limit.
    fn count(&self, name: &str, usual: i64) -> Option<i64> {
        let Some(Parameter::Int { default, min, max }) = self.declared.get(name) else { return None };
        let value =
            if *default > 0 { *default } else { usual.max(min.unwrap_or(1)).min(max.unwrap_or(i64::MAX)) };
        (value > 0).then_some(value)
    }

    fn is_the_limit(&self, name: &str) -> bool {
        match self.limit() {
            Limit::Counted(limit, _) => name == limit,
            Limit::TimeOrNodes(..) => name == "nodes",
            Limit::Time(_) => false,
        }
    }

    /// The parameters that are varied, with their values as TOML.
    fn proposed(&self) -> Vec<(&str, Vec<String>)> {
        let named = self.declared.iter().filter(|(name, _)| !is_limit(name));
        let proposed = named.map(|(name, parameter)| (name.as_str(), proposed_values(parameter)));
        proposed.filter(|(_, values)| !values.is_empty()).take(MAX_TABLES).collect()
    }
}

/// Whether a parameter says how long a move may take.
fn is_limit(name: &str) -> bool {
    name == "time" || COUNTED_LIMITS.iter().any(|(limit, _)| *limit == name)
}

/// The lines of a file.
struct Lines(String);

impl Lines {
    fn plain(&mut self, line: &str) {
        self.0 += line;
        self.0.push('\n');
    }

    /// A line with a comment, in a column of its own.
    fn noted(&mut self, line: &str, note: &str) {
        let padding = COMMENTS_AT.saturating_sub(line.chars().count()).max(1);
        // Writing to a text cannot fail.
        let _ = writeln!(self.0, "{line}{:padding$}# {note}", "");
    }
}

fn question(proposed: &[(&str, Vec<String>)]) -> String {
    let names: Vec<&str> = proposed.iter().map(|(name, _)| *name).collect();
    let question = match names.split_last() {
        Some((last, [])) => format!("What is {last} worth?"),
        Some((last, others)) => format!("What are {} and {last} worth?", others.join(", ")),
        None => String::new(),
    };
    if question.chars().count() > MAX_QUESTION {
        "What are the agent's parameters worth?".to_owned()
    } else {
        question
    }
}

/// The beginning of a text without what a comment cannot hold.
fn on_one_line(text: &str) -> String {
    text.chars().map(|char| if char.is_control() { ' ' } else { char }).take(MAX_NOTE).collect()
}

/// A text as TOML, always on one line.
fn literal(text: &str) -> String {
    let mut literal = String::from("\"");
    for char in text.chars() {
        match char {
            '"' | '\\' => literal.extend(['\\', char]),
            char if char.is_control() => {
                let _ = write!(literal, "\\u{:04X}", char as u32);
            }
            char => literal.push(char),
        }
    }
    literal.push('"');
    literal
}

/// A key of TOML, in quotation marks where it needs them.
fn key(name: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if name.bytes().all(is_bare) { name.to_owned() } else { literal(name) }
}

/// What a parameter is set to if nobody sets it, as TOML.
fn default(parameter: &Parameter) -> String {
    match parameter {
        Parameter::Int { default, .. } => default.to_string(),
        Parameter::Float { default, .. } => format!("{default:?}"),
        Parameter::Bool { default } => default.to_string(),
        Parameter::Choice { default, .. } | Parameter::Text { default } => literal(default),
    }
}

/// Other values of a parameter than its default, as TOML.
fn proposed_values(parameter: &Parameter) -> Vec<String> {
    let own = default(parameter);
    let all: Vec<String> = match parameter {
        Parameter::Int { default, min, max } => {
            whole_numbers(*default, *min, *max).iter().map(ToString::to_string).collect()
        }
        Parameter::Float { default, min, max } => {
            numbers(*default, *min, *max).iter().map(|value| format!("{value:?}")).collect()
        }
        Parameter::Bool { .. } => vec!["false".to_owned(), "true".to_owned()],
        Parameter::Choice { choices, .. } => choices.iter().map(|choice| literal(choice)).collect(),
        Parameter::Text { .. } => Vec::new(),
    };
    let mut seen = BTreeSet::from([own]);
    all.into_iter().filter(|value| seen.insert(value.clone())).take(MAX_VALUES).collect()
}

/// A few whole numbers over a range that is narrow, or around the default.
fn whole_numbers(default: i64, min: Option<i64>, max: Option<i64>) -> Vec<i64> {
    let span = min.zip(max).and_then(|(min, max)| max.checked_sub(min).map(|span| (min, span, max)));
    let within = |value: i64| value.max(min.unwrap_or(i64::MIN)).min(max.unwrap_or(i64::MAX));
    match (span, max) {
        (Some((min, span, max)), _) if span <= NARROW => vec![min, min + span / 2, max],
        _ if default != 0 => vec![within(default / 2), within(default.saturating_mul(2))],
        (_, Some(max)) if max > 0 => vec![within(max.isqrt())],
        _ => vec![within(1), within(4)],
    }
}

/// The same for numbers that may have a fraction.
fn numbers(default: f64, min: Option<f64>, max: Option<f64>) -> Vec<f64> {
    let within = |value: f64| value.max(min.unwrap_or(f64::MIN)).min(max.unwrap_or(f64::MAX));
    match (min, max) {
        (Some(min), Some(max)) if max - min <= NARROW_FLOAT => {
            vec![min, within(rounded((min + max) / 2.0)), max]
        }
        _ if default != 0.0 => vec![within(rounded(default / 2.0)), within(rounded(default * 2.0))],
        _ => vec![within(0.5), within(1.0)],
    }
}

/// A number without the last digits of a sum.
fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_arena::program_keys::Program;
    use agon_erased::Rules;
    use agon_registry::GAMES;

    use crate::plan::Study;

    fn declared(text: &str) -> Parameters {
        let declared = serde_json::from_str(text).expect("a declaration");
        agon_protocol::parameters::check_declaration(&declared).expect("it holds");
        declared
    }

    fn proposal<'a>(declared: &'a Parameters, command: &'a [String]) -> Proposal<'a> {
        Proposal {
            game: "loa",
            options: "size=6",
            command,
            protocol: "jsonl",
            threads: 1,
            games: 100,
            time: None,
            declared,
        }
    }

    /// The study that a proposal describes, as `agon study run` reads it.
    fn read(proposal: &Proposal, is_quick: bool) -> (String, Result<Study, String>) {
        let text = proposal
            .text(&["It costs \"nothing\".".to_owned(), String::new()])
            .expect("there is something to vary");
        let ask = |_: &dyn Rules, _: &Program| Ok(proposal.declared.clone());
        let base = std::path::Path::new(".");
        let study = Study::parse_asking(GAMES, "study.toml", &text, "study", base, is_quick, &ask);
        (text, study.map_err(|mistakes| mistakes.to_string()))
    }

    fn sh() -> Vec<String> {
        vec!["sh".to_owned(), "-c".to_owned(), "exit \"now\"".to_owned()]
    }

    #[test]
    fn every_kind_of_parameter_gets_other_values_than_its_default() {
        let declared = declared(
            r#"{"tt": {"type": "int", "default": 20, "min": 0, "max": 26}, "share": {"type": "float", "default": 0.5, "min": 0, "max": 1},
            "quiet": {"type": "bool", "default": true}, "label": {"type": "text", "default": "x"}, "one": {"type": "int", "default": 1, "min": 1, "max": 1},
            "ordering": {"type": "choice", "default": "history", "choices": ["none", "history", "best \"first\""]},
            "Hash Size": {"type": "int", "default": 64, "min": 1, "max": 1000000}, "bonus": {"type": "float", "default": -0.7},
            "entries": {"type": "int", "default": 0, "min": 0, "max": 1000000}, "offset": {"type": "int", "default": 0}}"#,
        );
        let (text, study) = read(&proposal(&declared, &sh()), false);
        let study = study.unwrap_or_else(|mistakes| panic!("{mistakes}\n{text}"));
        let names: Vec<&str> = study.settings.iter().map(|setting| setting.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "reference",
                "Hash Size=32",
                "Hash Size=128",
                "bonus=-0.35",
                "bonus=-1.4",
                "entries=1000",
                "offset=1",
                "offset=4",
                "ordering=none",
                "ordering=best \"first\"",
                "quiet=off",
                "share=0.0",
                "share=1.0",
                "tt=0",
                "tt=13",
                "tt=26"
            ]
        );
        assert_eq!(study.circumstances[0].bots[0].time, Some(USUAL_TIME));
        assert!(text.contains("# 'label' is not varied: it takes any text"), "{text}");
        assert!(text.contains("# 'one' is not varied: it has only one value."), "{text}");
        assert!(text.contains("\n# It costs \"nothing\".\n#\n"), "{text}");
        assert_eq!(study.games, 100);
        assert!(
            study.question.starts_with("What are Hash Size, bonus, ")
                && study.question.ends_with(" and tt worth?")
        );
    }

    #[test]
    fn an_agent_that_counts_is_limited_by_that() {
        let nodes = r#""nodes": {"type": "int", "default": 0, "min": 0, "max": 700}"#;
        let depth = r#""depth": {"type": "int", "default": 2, "min": 1}"#;
        let quiet = r#""quiet": {"type": "bool", "default": true}"#;
        for (declaration, time, limit) in [
            (format!("{{{nodes}, {quiet}}}"), None, Limit::Counted("nodes", 700)),
            (format!("{{{nodes}, {depth}, {quiet}}}"), None, Limit::Counted("nodes", 700)),
            (format!("{{{depth}, {quiet}}}"), None, Limit::Counted("depth", 2)),
            (format!("{{{quiet}}}"), None, Limit::Time(USUAL_TIME)),
            (
                format!("{{{quiet}, \"nodes\": {{\"type\": \"int\", \"default\": 0, \"max\": 0}}}}"),
                None,
                Limit::Time(USUAL_TIME),
            ),
            (format!("{{{nodes}, {quiet}}}"), Some(1), Limit::TimeOrNodes(Duration::from_secs(1), 700)),
            (format!("{{{depth}, {quiet}}}"), Some(1), Limit::Time(Duration::from_secs(1))),
        ] {
            let declared = declared(&declaration);
            let command = sh();
            let proposal = Proposal { time: time.map(Duration::from_secs), ..proposal(&declared, &command) };
            assert_eq!(proposal.limit(), limit, "{declaration}");
            let (text, study) = read(&proposal, false);
            let study = study.unwrap_or_else(|mistakes| panic!("{mistakes}\n{text}"));
            assert_eq!(study.settings.len(), 2, "limits are not varied: {text}");
            let is_timed = !matches!(limit, Limit::Counted(..));
            assert_eq!(study.has_timed_programs(), is_timed, "{text}");
            let (text, quick) = read(&proposal, true);
            assert_eq!(quick.is_ok(), proposal.has_quick(), "{:?}\n{text}", quick.err());
        }
    }

    #[test]
    fn an_agent_with_nothing_to_vary_is_told_what_to_do() {
        for text in
            ["{}", r#"{"nodes": {"type": "int", "default": 9}, "name": {"type": "text", "default": ""}}"#]
        {
            let declared = declared(text);
            let fault = proposal(&declared, &sh()).text(&[]).expect_err("nothing to vary");
            assert!(fault.contains("Declare what you want to know about"), "{fault}");
        }
    }

    #[test]
    fn whatever_an_agent_declares_becomes_a_file_that_can_be_read() {
        let many: Vec<String> = (0..64)
            .map(|n| {
                format!(
                    r#""a rather long name of a parameter, number {n}": {{"type": "bool", "default": false}}"#
                )
            })
            .collect();
        let many = many.join(",").replace("parameter, number", "parameter with the number");
        for text in [
            format!("{{{many}}}"),
            r##"{"c": {"type": "choice", "default": "a", "choices": ["a", "a", "b\nc", "[[vary]]", "\u007f", "#", "א"]}}"##.to_owned(),
            r#"{"i": {"type": "int", "default": 9223372036854775807}, "j": {"type": "int", "default": -9223372036854775808}}"#.to_owned(),
            r#"{"f": {"type": "float", "default": 1e300}, "g": {"type": "float", "default": 1e-300, "min": -1.7e308, "max": 1.7e308}}"#.to_owned(),
            r#"{"time": {"type": "int", "default": 5}, "x#y": {"type": "bool", "default": true}}"#.to_owned(),
        ] {
            let declared = declared(&text);
            let (file, study) = read(&proposal(&declared, &sh()), false);
            if let Err(mistakes) = study {
                panic!("{mistakes}\n{file}");
            }
        }
    }
}
