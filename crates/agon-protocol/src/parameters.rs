//! Parameters of programs: what they declare, and whether values that somebody has set fit.

use std::collections::BTreeMap;

use agon_core::text::{nearest, or_list, quote};
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

/// The most parameters of one program.
pub const MAX_PARAMETERS: usize = 64;
/// The longest name of a parameter, in characters.
pub const MAX_NAME: usize = 64;
/// The longest text that a parameter is set to, in bytes.
pub const MAX_VALUE: usize = 1000;
/// The most choices of one parameter.
const MAX_CHOICES: usize = 100;

/// The parameters that a program declares, by name.
pub type Parameters = BTreeMap<String, Parameter>;
/// What parameters are set to, by name: numbers, texts, `true` and `false`.
pub type ParameterValues = BTreeMap<String, Value>;

/// A parameter as a program declares it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
pub enum Parameter {
    /// A whole number.
    Int {
        /// Its value if nobody sets it.
        default: i64,
        /// The smallest value.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        min: Option<i64>,
        /// The largest value.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max: Option<i64>,
    },
    /// A number.
    Float {
        /// Its value if nobody sets it.
        default: f64,
        /// The smallest value.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        min: Option<f64>,
        /// The largest value.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max: Option<f64>,
    },
    /// Yes or no.
    Bool {
        /// Its value if nobody sets it.
        default: bool,
    },
    /// One of a few words.
    Choice {
        /// Its value if nobody sets it.
        default: String,
        /// The words.
        choices: Vec<String>,
    },
    /// Any text on one line.
    Text {
        /// Its value if nobody sets it.
        default: String,
    },
}

/// A parameter that cannot be set as somebody wants it: its name and what is wrong, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct ParameterFault {
    /// The name that was given.
    pub name: String,
    /// Whether there is such a parameter: then its value is wrong.
    pub is_known: bool,
    /// What is wrong, and what is expected.
    pub what: String,
}

/// Whether a text can name a parameter.
pub fn is_name(name: &str) -> bool {
    let is_bad = |char: char| char.is_control() || "=,()\"\\".contains(char);
    name.trim() == name && !name.is_empty() && name.chars().count() <= MAX_NAME && !name.contains(is_bad)
}

impl Parameter {
    /// Its value if nobody sets it.
    pub fn default(&self) -> Value {
        match self {
            Self::Int { default, .. } => (*default).into(),
            Self::Float { default, .. } => (*default).into(),
            Self::Bool { default } => (*default).into(),
            Self::Choice { default, .. } | Self::Text { default } => default.clone().into(),
        }
    }

    /// What it takes, in words.
    pub fn expected(&self) -> String {
        fn range<T: std::fmt::Display>(what: &str, min: Option<T>, max: Option<T>) -> String {
            match (min, max) {
                (Some(min), Some(max)) => format!("{what} from {min} to {max}"),
                (Some(min), None) => format!("{what} of at least {min}"),
                (None, Some(max)) => format!("{what} of at most {max}"),
                (None, None) => what.to_owned(),
            }
        }
        match self {
            Self::Int { min, max, .. } => range("a whole number", *min, *max),
            Self::Float { min, max, .. } => range("a number", *min, *max),
            Self::Bool { .. } => "true or false".to_owned(),
            Self::Choice { choices, .. } => or_list(choices),
            Self::Text { .. } => format!("a text on one line of at most {MAX_VALUE} bytes"),
        }
    }

    /// The value that is meant, in the type of the parameter: people write `on` for `true`, and numbers without quotation marks where
    /// a program wants text.
    ///
    /// # Errors
    /// If the value does not fit; what is expected.
    pub fn settle(&self, value: &Value) -> Result<Value, String> {
        let text = value_text(value);
        let settled = match self {
            Self::Int { min, max, .. } => {
                let whole = text.parse::<i64>().ok();
                let is_within = |number: &i64| {
                    min.is_none_or(|min| *number >= min) && max.is_none_or(|max| *number <= max)
                };
                whole.filter(is_within).map(Value::from)
            }
            Self::Float { min, max, .. } => {
                let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
                let is_within = |number: &f64| {
                    min.is_none_or(|min| *number >= min) && max.is_none_or(|max| *number <= max)
                };
                number.filter(is_within).and_then(Number::from_f64).map(Value::Number)
            }
            Self::Bool { .. } => match text.as_str() {
                "true" | "on" => Some(true.into()),
                "false" | "off" => Some(false.into()),
                _ => None,
            },
            Self::Choice { choices, .. } => choices.contains(&text).then(|| text.clone().into()),
            Self::Text { .. } => {
                (text.len() <= MAX_VALUE && !text.contains(char::is_control)).then(|| text.clone().into())
            }
        };
        settled.ok_or_else(|| {
            let advice = match self {
                Self::Choice { choices, .. } => nearest(&text, choices.iter().map(String::as_str)),
                _ => None,
            };
            match advice {
                Some(meant) => format!("{} does not fit; did you mean {meant}?", quote(&text)),
                None => format!("{} does not fit; expected {}", quote(&text), self.expected()),
            }
        })
    }

    /// What is wrong with the declaration itself.
    fn fault(&self) -> Option<String> {
        if let Self::Choice { choices, .. } = self
            && (choices.is_empty() || choices.len() > MAX_CHOICES)
        {
            return Some(format!("expected 1 to {MAX_CHOICES} choices, found {}", choices.len()));
        }
        self.settle(&self.default()).err().map(|fault| format!("its default {fault}"))
    }
}

/// A value as people write it: text without quotation marks.
pub fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Checks what a program declares.
///
/// # Errors
/// If it cannot be so; the fault in words.
pub fn check_declaration(declared: &Parameters) -> Result<(), String> {
    if declared.len() > MAX_PARAMETERS {
        return Err(format!("it declares {} parameters; expected at most {MAX_PARAMETERS}", declared.len()));
    }
    declared.iter().try_for_each(|(name, parameter)| check_one(name, parameter))
}

/// Checks one parameter that a program declares.
///
/// # Errors
/// If it cannot be so; the fault in words.
pub fn check_one(name: &str, parameter: &Parameter) -> Result<(), String> {
    if !is_name(name) {
        return Err(format!(
            "it declares a parameter {}, which is no name of 1 to {MAX_NAME} characters",
            quote(name)
        ));
    }
    match parameter.fault() {
        Some(fault) => Err(format!("it declares the parameter {} badly: {fault}", quote(name))),
        None => Ok(()),
    }
}

/// The values that are meant, in the types that a program declares.
///
/// # Errors
/// The first one that the program does not declare, or that does not fit, with the nearest one that would do.
pub fn settle(declared: &Parameters, set: &ParameterValues) -> Result<ParameterValues, ParameterFault> {
    let one = |(name, value): (&String, &Value)| {
        let Some(parameter) = declared.get(name) else {
            let advice = match nearest(name, declared.keys().map(String::as_str)) {
                Some(meant) => format!("did you mean {meant}?"),
                None if declared.is_empty() => "it declares none".to_owned(),
                None => format!("expected {}", or_list(declared.keys())),
            };
            let what = format!("the program has no parameter {}; {advice}", quote(name));
            return Err(ParameterFault { name: name.clone(), is_known: false, what });
        };
        let settled = parameter.settle(value).map_err(|fault| ParameterFault {
            name: name.clone(),
            is_known: true,
            what: format!("{name} = {fault}"),
        })?;
        Ok((name.clone(), settled))
    };
    set.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn declared() -> Parameters {
        let text = r#"{"tt": {"type": "int", "default": 20, "min": 0, "max": 26}, "share": {"type": "float", "default": 0.7, "min": 0},
            "quiet": {"type": "bool", "default": true}, "label": {"type": "text", "default": ""},
            "ordering": {"type": "choice", "default": "none", "choices": ["none", "history"]}}"#;
        serde_json::from_str(text).expect("the example of the protocol")
    }

    #[test]
    fn values_take_the_type_that_is_declared() {
        check_declaration(&declared()).expect("it holds");
        for (name, given, meant) in [
            ("tt", json!(22), json!(22)),
            ("tt", json!("22"), json!(22)),
            ("share", json!(1), json!(1.0)),
            ("quiet", json!("off"), json!(false)),
            ("label", json!(22), json!("22")),
            ("ordering", json!("history"), json!("history")),
        ] {
            let set = ParameterValues::from([(name.to_owned(), given.clone())]);
            let settled = settle(&declared(), &set).unwrap_or_else(|fault| panic!("{name} {given}: {fault}"));
            assert_eq!(settled[name], meant, "{name} {given}");
        }
    }

    #[test]
    fn what_does_not_fit_is_named_with_what_would() {
        for (name, given, expected) in [
            ("tt", json!(27), "tt = '27' does not fit; expected a whole number from 0 to 26"),
            ("tt", json!(1.5), "a whole number from 0 to 26"),
            ("share", json!(-1), "a number of at least 0"),
            ("quiet", json!("maybe"), "true or false"),
            ("ordering", json!("histroy"), "did you mean history?"),
            ("ordering", json!("best"), "none or history"),
            ("orderin", json!("none"), "has no parameter 'orderin'; did you mean ordering?"),
            ("depth", json!(1), "expected label, ordering, quiet, share or tt"),
            ("label", json!("a\nb"), "on one line"),
        ] {
            let set = ParameterValues::from([(name.to_owned(), given.clone())]);
            let fault = settle(&declared(), &set).expect_err("it does not fit");
            assert!(fault.what.contains(expected) && fault.name == name, "{name} {given}: {fault}");
            assert_eq!(fault.is_known, declared().contains_key(name));
        }
        let none = settle(&Parameters::new(), &ParameterValues::from([("tt".to_owned(), json!(1))]));
        assert!(none.is_err_and(|fault| fault.what.ends_with("it declares none")));
    }

    #[test]
    fn bad_declarations_are_refused() {
        for (text, expected) in [
            (r#"{"a=b": {"type": "bool", "default": true}}"#, "is no name"),
            (r#"{"a": {"type": "int", "default": 9, "max": 3}}"#, "its default '9' does not fit"),
            (r#"{"a": {"type": "choice", "default": "x", "choices": []}}"#, "1 to 100 choices"),
        ] {
            let fault = check_declaration(&serde_json::from_str(text).expect(text)).expect_err(text);
            assert!(fault.contains(expected), "{fault}");
        }
        let many = (0..65).map(|index| (format!("p{index}"), Parameter::Bool { default: true })).collect();
        assert!(check_declaration(&many).is_err_and(|fault| fault.contains("65")));
        for text in [
            r#"{"a": {"type": "int"}}"#,
            r#"{"a": {"type": "int", "default": 1, "mx": 2}}"#,
            r#"{"a": {"type": "whole", "default": 1}}"#,
        ] {
            assert!(serde_json::from_str::<Parameters>(text).is_err(), "{text}");
        }
    }
}
