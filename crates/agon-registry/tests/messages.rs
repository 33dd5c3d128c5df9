//! What games say: in all languages, about every move, and as a browser is sent it.

use std::collections::BTreeSet;

use agon_core::message::{COMMON, Catalogue, ENGLISH, Value};
use agon_core::random::{RandomSource, below, seeded};
use agon_core::view::Step;
use agon_core::{Message, Messages, Turn};
use agon_erased::{Rules, Session};
use agon_registry::GAMES;
use agon_testkit::pointing_is_explained;
use serde_json::json;

/// The keys of a catalogue, each with the arguments that its text asks for.
fn shape(catalogue: &Catalogue) -> Vec<(&str, Vec<&str>)> {
    catalogue.iter().map(|(key, _)| (key, catalogue.placeholders(key))).collect()
}

fn all_messages() -> impl Iterator<Item = (&'static str, &'static Messages)> {
    let games = GAMES.iter().map(|entry| (entry.spec.id, entry.spec.messages));
    games.chain([("all games", &COMMON)])
}

#[test]
fn every_language_says_the_same_things_with_the_same_arguments() {
    let languages: Vec<&str> = COMMON.languages().collect();
    for (name, messages) in all_messages() {
        messages.check().unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(messages.languages().collect::<Vec<_>>(), languages, "{name}");
        let english = messages.own(ENGLISH).expect("English");
        for language in &languages {
            let catalogue = messages.own(language).expect("a catalogue");
            assert_eq!(shape(catalogue), shape(english), "{name} in {language}");
        }
        for (key, _) in english.iter() {
            if let Some(base) = key.strip_suffix(".one") {
                // The form for one thing spells the number out and has all else.
                let mut rest = english.placeholders(base);
                assert!(rest.contains(&"n"), "{name}: {key}");
                rest.retain(|name| *name != "n");
                assert_eq!(english.placeholders(key), rest, "{name}: {key}");
            }
            let is_shared =
                !std::ptr::eq(messages, &COMMON) && COMMON.own(ENGLISH).expect("English").get(key).is_some();
            assert!(!is_shared, "{name}: {key} is said by all games already");
        }
    }
}

/// Whether a message can be said in every language, with all its arguments.
fn check(rules: &dyn Rules, message: &Message, said: &mut BTreeSet<String>) {
    for language in COMMON.languages() {
        let text = rules.text(language, message);
        assert!(!text.is_empty() && !text.contains(['{', '}']) && text != message.key, "{message:?}: {text}");
        assert_eq!(language == ENGLISH, text == message.text, "{language}: {message:?}");
    }
    for (_, value) in message.arguments.iter() {
        if let Value::Message(inner) = value {
            check(rules, inner, said);
        }
    }
    said.insert(message.key.to_string());
}

/// All that is said about a moment of a game.
fn messages(session: &dyn Session) -> Vec<Message> {
    let board = session.board();
    let mut messages = Vec::new();
    messages.extend(board.counts.into_iter().flat_map(|count| [count.name, count.text]));
    messages.extend(board.progress.map(|progress| progress.text));
    messages.extend(board.threats.into_iter().map(|threat| threat.message));
    messages.extend(board.milestone.into_iter().flat_map(|milestone| [milestone.text, milestone.what]));
    messages.extend(board.mark.map(|mark| mark.name));
    messages.extend(session.end_message());
    messages.extend(session.chance_message());
    messages
}

#[test]
fn whatever_is_said_is_in_every_catalogue() {
    for entry in GAMES {
        let mut said = BTreeSet::new();
        let mut rng = seeded(11);
        let lessons = entry.spec.lessons.iter().map(|lesson| (lesson.options, lesson.position));
        for (options, position) in lessons.chain([("", None); 3]) {
            let rules = entry.rules(options).expect(options);
            rules.title_messages().iter().for_each(|title| check(&*rules, title, &mut said));
            let mut session = rules.open(position, &[]).expect("lessons hold");
            for _ in 0..600 {
                messages(&*session).iter().for_each(|message| check(&*rules, message, &mut said));
                let legal = session.legal();
                assert_eq!(session.end_message().is_some(), legal.is_empty());
                if legal.is_empty() {
                    break;
                }
                if session.turn() == Turn::Chance {
                    session.draw(rng.next_u64());
                } else {
                    session.play(&legal[below(&mut rng, legal.len() as u64) as usize]).expect("a legal move");
                }
            }
        }
        // Reasons have tests of their own in each game.
        assert!(said.iter().any(|key| key.starts_with("end.")), "{}: no end was reached", entry.spec.id);
    }
}

#[test]
fn games_options_lessons_and_bots_are_explained_in_every_language() {
    for entry in GAMES {
        let mut keys = entry.spec.keys();
        for options in entry.variants {
            let bots = entry.rules(options).expect(options).bots();
            keys.extend(bots.into_iter().map(|bot| bot.summary.key.into_owned()));
        }
        for level in ["novice", "easy", "medium", "hard", "expert"] {
            keys.extend([format!("level.{level}"), format!("level.{level}.text"), format!("bot.{level}")]);
        }
        for language in COMMON.languages() {
            let [own, common] = [entry.spec.messages, &COMMON].map(|messages| messages.own(language));
            for key in &keys {
                let text = own.and_then(|own| own.get(key)).or_else(|| common?.get(key));
                assert!(text.is_some(), "{} has no {key} in {language}", entry.spec.id);
                assert_eq!(text, entry.spec.messages.catalogue(language).get(key.as_str()).copied());
            }
            // What no option, lesson or bot asks for has been left behind.
            for (key, _) in own.expect("a catalogue").iter() {
                let asked = ["title", "summary", "option.", "choice.", "lesson.", "bot."];
                let is_stale = asked.iter().any(|start| key.starts_with(start))
                    && !keys.iter().any(|known| known == key);
                assert!(!is_stale, "{}: nobody says {key}", entry.spec.id);
            }
        }
        for index in 0..entry.spec.lessons.len() {
            let paragraphs = |language: &str| {
                let key = format!("lesson.{}.text", index + 1);
                entry.spec.messages.find(language, &key).map(|text| text.lines().count())
            };
            assert!(COMMON.languages().all(|language| paragraphs(language) == paragraphs(ENGLISH)));
        }
    }
}

#[test]
fn no_way_of_pointing_is_left_unexplained() {
    for entry in GAMES {
        let rules = entry.rules("").expect("the defaults hold");
        let mut rng = seeded(5);
        let mut session = rules.start();
        for ply in 0..60 {
            if ply % 12 == 0 {
                pointing_is_explained(&*session);
            }
            let legal = session.legal();
            if legal.is_empty() {
                break;
            }
            session.play(&legal[below(&mut rng, legal.len() as u64) as usize]).expect("a legal move");
        }
    }
}

#[test]
fn refusals_name_the_rule_and_then_what_is_legal() {
    for entry in GAMES {
        let rules = entry.rules("").expect("the defaults hold");
        let mut session = rules.start();
        while session.turn() == Turn::Chance {
            session.draw(0);
        }
        // A pass is never legal at the start, and where the whole board slides some direction is not.
        for token in ["pass", "left", "right", "up", "down"] {
            let Err(error) = session.fork().play(token) else { continue };
            if error.messages.is_empty() {
                continue;
            }
            let [rule, instead] = &error.messages[..] else { panic!("{error}") };
            assert_eq!(error.reason, format!("{rule} {instead}"));
            assert!(instead.text.contains(&rules.titles()[0]), "{error}");
            assert!(instead.text.contains(&session.legal()[0]), "{error}");
        }
        assert!(session.is_empty() || rules.has_chance());
    }
}

/// The form that browsers rely on.
#[test]
fn views_are_sent_as_plain_json() {
    let rules = agon_registry::GAMES.find("othello").expect("a game").rules("size=4").expect("options");
    let session = rules.open(None, &["a2".to_owned()]).expect("a game");
    let step: Step = session.last_step().expect("a step");
    assert_eq!(
        serde_json::to_value(&step).expect("JSON"),
        json!({
            "kind": "place",
            "to": [1, 0],
            "effects": [
                { "kind": "place", "at": [1, 0], "piece": { "style": "black", "owner": 0 } },
                { "kind": "flip", "spots": [[1, 1]], "piece": { "style": "black", "owner": 0 } },
            ],
        })
    );
    let board = serde_json::to_value(session.board()).expect("JSON");
    assert_eq!(board["layout"], "squares");
    assert_eq!(board["surface"], "felt");
    assert_eq!(board["cells"][0], json!({ "at": [0, 0] }));
    assert_eq!(
        board["counts"][1]["text"],
        json!({ "key": "count.discs", "arguments": { "n": 1 }, "text": "1 disc" })
    );
    let styles = serde_json::to_value(rules.spec().styles).expect("JSON");
    assert_eq!(
        styles[0],
        json!({
            "token": "black", "name": "piece.black", "piece": "disc", "colour": "black",
            "sign": "ring", "ornament": null, "letter": "x",
        })
    );
    let error = session.fork().play("d4").expect_err("it encloses nothing");
    let message: Message =
        serde_json::from_value(serde_json::to_value(&error.messages[0]).expect("JSON")).expect("a message");
    assert_eq!(message, error.messages[0], "messages can be read again");
}
