//! Options by example; properties of the parsers and of the repetition rule, each against a model too simple
//! to be wrong.
//!
//! `PROPTEST_CASES=1000000 cargo test -p agon-core --test properties` looks longer. What has ever failed
//! is kept in `properties.proptest-regressions` and tried first.

use agon_core::line::Repetition;
use agon_core::text::{number, quote};
use agon_core::{GameSpec, OptionKind, OptionSpec, Options};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

fn config() -> ProptestConfig {
    ProptestConfig {
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))),
        ..ProptestConfig::default()
    }
}

/// One option of every kind.
static SPEC: GameSpec = GameSpec {
    id: "toy",
    options: &[
        OptionSpec::of_game("size", OptionKind::Integer { min: 4, max: 26, step: 2 }, "8"),
        OptionSpec::of_game("limit", OptionKind::Integer { min: 1, max: u32::MAX, step: 1 }, "100"),
        OptionSpec::of_game("rules", OptionKind::Choice(&["old", "new"]), "old"),
        OptionSpec::of_game("seats", OptionKind::Text { expected: "anything", suggestions: &[] }, "g/r"),
    ],
    lessons: &[],
    styles: &[],
    messages: &agon_core::message::COMMON,
};

#[test]
fn good_options_are_read_in_any_order() {
    let options = Options::parse(&SPEC, "rules=new,size=10").expect("both are allowed");
    assert_eq!(options.integer("size"), 10);
    assert_eq!(options.value("rules"), Some("new"));
    assert_eq!(Options::parse(&SPEC, "").expect("none is fine").integer("size"), 8);
}

#[test]
fn all_faults_are_named_at_once() {
    let error = Options::parse(&SPEC, "size=9,colour=red,rules=new,rules=old,x").expect_err("four faults");
    assert_eq!(
        error.to_string(),
        "options: size=9 is not allowed: size must be even, 4 to 26; toy has no option 'colour'; \
         it takes size, limit, rules or seats; rules is given twice; 'x' is not of the form key=value"
    );
}

#[test]
fn sloppy_text_is_refused() {
    for bad in ["size=08", "size=+8", " size=8", "size=8,", ",", "size", "=8", "size=8=8", "SIZE=8", "size=٨"]
    {
        assert!(Options::parse(&SPEC, bad).is_err(), "{bad:?} was taken");
    }
}

/// Whether a value is allowed, in the words of the rules.
fn is_allowed(key: &str, value: &str) -> bool {
    let whole = |range: std::ops::RangeInclusive<u64>| {
        value.parse::<u64>().ok().filter(|number| number.to_string() == value && range.contains(number))
    };
    match key {
        "size" => whole(4..=26).is_some_and(|size| size % 2 == 0),
        "limit" => whole(1..=u64::from(u32::MAX)).is_some(),
        "rules" => value == "old" || value == "new",
        "seats" => true,
        _ => false,
    }
}

/// Numbers as people and attackers write them: plain, decorated, at the edges, huge, and no numbers.
fn number_like() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<u64>().prop_map(|number| number.to_string()),
        (0u64..30).prop_map(|number| number.to_string()),
        "[ +-]?0{0,2}[0-9]{0,24}[ .]?",
        Just((u128::from(u64::MAX) + 1).to_string()),
        "[0-9٠-٩０-９]{1,3}",
        any::<String>(),
    ]
}

fn key_like() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => prop::sample::select(vec!["size", "limit", "rules", "seats"]).prop_map(str::to_owned),
        1 => prop::sample::select(vec!["Size", "size ", "", "sizes", "\0"]).prop_map(str::to_owned),
        1 => "[^=,]{0,6}",
    ]
}

fn value_like() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec!["8", "26", "28", "9", "4", "'8'", "old", "new", "New", "g/r"])
            .prop_map(str::to_owned),
        number_like().prop_map(|text| text.replace(',', "")),
        "[^,]{0,6}",
    ]
}

/// What every error message is: one line, bounded, without anything a terminal would obey.
fn check_message(message: &str) {
    assert!(!message.is_empty());
    assert!(!message.contains(|char: char| char.is_control()), "{message:?}");
    assert!(message.chars().count() < 8 * 600, "{} characters", message.chars().count());
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_number_is_what_it_writes_back_to(
        text in number_like(), ends in (any::<u64>(), any::<u64>()), small in 0u64..30
    ) {
        let (low, high) = (ends.0.min(ends.1), ends.0.max(ends.1));
        for range in [0..=u64::MAX, 0..=small, small..=30, low..=high] {
            let expected = text
                .parse::<u64>()
                .ok()
                .filter(|number| number.to_string() == text && range.contains(number));
            let read = number(&text, range);
            assert_eq!(read.as_ref().ok().copied(), expected, "{text:?}");
            if let Err(fault) = read {
                check_message(&fault);
            }
        }
    }

    #[test]
    fn quoted_text_is_bounded_and_harmless(text in prop_oneof![any::<String>(), "\\PC{0,60}", "[ -~]{0,45}"]) {
        let quoted = quote(&text);
        check_message(&quoted);
        assert!(quoted.starts_with('\'') && quoted.ends_with('\'') && quoted.len() >= 2);
        let printable = text.chars().all(|char| char == ' ' || char.is_ascii_graphic());
        if printable {
            let kept: String = text.chars().take(40).collect();
            let cut = if text.chars().count() > 40 { "…" } else { "" };
            assert_eq!(quoted, format!("'{kept}{cut}'"));
        }
    }

    #[test]
    fn options_are_taken_if_each_is_known_allowed_and_single(
        pairs in prop::collection::vec((key_like(), value_like()), 0..6)
    ) {
        let text = pairs.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(",");
        let is_single = |key: &str| pairs.iter().filter(|(other, _)| other == key).count() == 1;
        let expected = pairs.iter().all(|(key, value)| is_allowed(key, value) && is_single(key));
        match Options::parse(&SPEC, &text) {
            Ok(options) => {
                assert!(expected, "{text:?} was taken");
                for option in SPEC.options {
                    let given = pairs.iter().find(|(key, _)| key == option.key);
                    assert_eq!(options.value(option.key), given.map(|(_, value)| value.as_str()));
                }
                let size = pairs.iter().find(|(key, _)| key == "size");
                let size = size.map_or(8, |(_, value)| value.parse().expect("an allowed size"));
                assert_eq!(options.integer("size"), size);
            }
            Err(error) => {
                assert!(!expected, "{text:?}: {error}");
                check_message(&error.to_string());
                let is_plain =
                    |value: &str| (1..=40).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_graphic());
                for (key, value) in &pairs {
                    let known = SPEC.options.iter().any(|option| option.key == key);
                    if known && is_single(key) && is_plain(value) && !is_allowed(key, value) {
                        let named = format!("{key}={value} is not allowed: {key} must be ");
                        assert!(error.faults.iter().any(|fault| fault.starts_with(&named)), "{named}: {error}");
                    }
                }
            }
        }
    }

    #[test]
    fn any_text_of_options_is_taken_or_refused(
        text in prop_oneof![any::<String>(), "([a-z]{0,3}[=,]?){0,30}", "(size|rules|[=,]|[0-9]|old|\\PC){0,30}"]
    ) {
        if let Err(error) = Options::parse(&SPEC, &text) {
            assert!((1..=8).contains(&error.faults.len()), "{} faults of {text:?}", error.faults.len());
            check_message(&error.to_string());
        }
    }

    #[test]
    fn repetition_agrees_with_looking_through_the_list(
        steps in prop::collection::vec(prop_oneof![
            // Few keys, so that they come again; taking back half as often as going on.
            4 => (0u64..5, prop::bool::weighted(0.15)).prop_map(Some),
            2 => Just(None),
        ], 0..60)
    ) {
        let mut repetition = Repetition::default();
        let mut list: Vec<(u64, bool)> = Vec::new();
        for step in steps {
            match step {
                Some((key, irreversible)) => {
                    repetition.push(key, irreversible);
                    list.push((key, irreversible));
                }
                None => {
                    repetition.pop();
                    list.pop();
                }
            }
            let since = list.iter().rposition(|&(_, irreversible)| irreversible).unwrap_or(0);
            let expected = list[since.min(list.len())..]
                .split_last()
                .is_some_and(|((last, _), earlier)| earlier.iter().any(|(key, _)| key == last));
            assert_eq!(repetition.has_repeated(), expected, "{list:?}");
        }
    }
}
