//! What a game makes of text that nobody would write: it is read or refused, never a panic, and what is read is
//! written back exactly as it came.
//!
//! A game gets these tests by one call of [`hostile_text!`](crate::hostile_text). `PROPTEST_CASES=1000000 cargo test hostile` looks
//! longer. What has ever failed is kept beside the test in a `.proptest-regressions` file and tried first.

use std::fmt::Debug;
use std::sync::Arc;

use agon_core::playout::finish;
use agon_core::random::seeded;
use agon_core::{Game, Line, Notation, Ply};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{FileFailurePersistence, TestRunner};

use crate::position_conforms;

/// Tries `property` on many values, and on those that failed before.
fn hold<S: Strategy>(source: &'static str, strategy: S, property: impl Fn(S::Value))
where
    S::Value: Debug,
{
    let mut runner = TestRunner::new(ProptestConfig {
        source_file: Some(source),
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))),
        ..ProptestConfig::default()
    });
    let tried = runner.run(&strategy, |value| {
        property(value);
        Ok(())
    });
    if let Err(error) = tried {
        panic!("{error}\n{runner}");
    }
}

/// Whatever comes from outside: bytes, characters of all planes, and those that notations are made of.
fn any_text() -> BoxedStrategy<String> {
    let strategy = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..200)
            .prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        any::<String>(),
        "[a-z0-9 /,=@+()-]{0,120}",
        "([a-i][0-9]|[0-9]{1,4}|[a-z]{1,5}|[ /,=@+-]|\\PC){0,12}",
    ];
    strategy.boxed()
}

/// A place in a game: some plies of a random one.
#[derive(Clone, Debug)]
struct Place {
    seed: u64,
    plies: u64,
}

impl Place {
    fn any() -> impl Strategy<Value = Self> {
        (any::<u64>(), 0..300u64).prop_map(|(seed, plies)| Self { seed, plies })
    }

    fn line<G: Game>(&self, game: &Arc<G>) -> Line<G> {
        let mut position = game.start();
        finish(&**game, &mut position, self.plies, &mut seeded(self.seed));
        Line::from_position(Arc::clone(game), position)
    }
}

/// Damage to a text. Some of it is blind, some respects what notations have in common - numbers, letters,
/// rows between slashes - so that enough of the results are positions after all, if strange ones.
#[derive(Clone, Debug)]
enum Edit {
    Insert(Index, char),
    Append(char),
    Delete(Index),
    Replace(Index, char),
    /// A piece of the text comes twice.
    Repeat(Index, Index),
    /// A whole number or a single other character gets a prefix.
    Prefix(Index, &'static str),
    /// It becomes another text.
    Put(Index, String),
    /// It is put in place of another one.
    Copy(Index, Index),
    /// Two of them change places.
    Swap(Index, Index),
    RepeatRow(Index),
    DropRow(Index),
    CopyRow(Index, Index),
}

impl Edit {
    // Boxed, as others here are: the types of unions of strategies fill screens of a failed test's backtrace.
    fn any() -> BoxedStrategy<Self> {
        let index = any::<Index>;
        let characters = prop_oneof![
            (index(), Self::character()).prop_map(|(at, char)| Self::Insert(at, char)),
            Self::character().prop_map(Self::Append),
            index().prop_map(Self::Delete),
            (index(), Self::character()).prop_map(|(at, char)| Self::Replace(at, char)),
            (index(), index()).prop_map(|(from, to)| Self::Repeat(from, to)),
        ];
        let tokens = prop_oneof![
            (index(), select(vec!["0", "00", "+", "-", " "]))
                .prop_map(|(at, prefix)| Self::Prefix(at, prefix)),
            (index(), Self::number()).prop_map(|(at, number)| Self::Put(at, number)),
            (index(), index()).prop_map(|(from, to)| Self::Copy(from, to)),
            (index(), index()).prop_map(|(one, other)| Self::Swap(one, other)),
        ];
        let rows = prop_oneof![
            index().prop_map(Self::RepeatRow),
            index().prop_map(Self::DropRow),
            (index(), index()).prop_map(|(from, to)| Self::CopyRow(from, to)),
        ];
        prop_oneof![2 => characters, 2 => tokens, 1 => rows].boxed()
    }

    /// Mostly characters that could pass, the rest what careless code stumbles over: NUL, white space, signs,
    /// digits of other scripts, characters of several bytes.
    fn character() -> impl Strategy<Value = char> {
        prop_oneof![
            4 => select("0123456789 /,=@+-abcdefghikxowgryp".chars().collect::<Vec<_>>()),
            1 => select("\0\n\t\r_.XB٣²½éß\u{a0}\u{301}\u{202e}\u{feff}𝟜🎲".chars().collect::<Vec<_>>()),
            1 => any::<char>(),
        ]
    }

    /// Small numbers, powers of two, numbers around the limits of positions and of machine words, huge ones.
    fn number() -> impl Strategy<Value = String> {
        prop_oneof![
            (0..40u32).prop_map(|number| number.to_string()),
            (0..20u32).prop_map(|exponent| (1u32 << exponent).to_string()),
            select(vec![31, 32, 63, 64, 127]).prop_map(|exponent| (1u128 << exponent).to_string()),
            select(vec!["", "100", "1000", "1000000", "1000001", "1000000000000", "1000000000001"])
                .prop_map(str::to_owned),
            any::<u128>().prop_map(|number| number.to_string()),
            Just("9".repeat(1000)),
        ]
    }

    fn apply(&self, text: &str) -> String {
        if text.is_empty() && !matches!(self, Self::Insert(..) | Self::Append(_)) {
            return String::new();
        }
        let by_chars = |edit: &dyn Fn(&mut Vec<char>)| {
            let mut chars: Vec<char> = text.chars().collect();
            edit(&mut chars);
            chars.into_iter().collect::<String>()
        };
        let by_tokens = |edit: &dyn Fn(&mut Vec<String>)| {
            let is_digit = char::is_ascii_digit;
            let chars: Vec<char> = text.chars().collect();
            let tokens = chars.chunk_by(|one, next| is_digit(one) && is_digit(next));
            let mut tokens: Vec<String> = tokens.map(|token| token.iter().collect()).collect();
            edit(&mut tokens);
            tokens.concat()
        };
        let by_rows = |edit: &dyn Fn(&mut Vec<&str>)| {
            let mut rows: Vec<&str> = text.split('/').collect();
            edit(&mut rows);
            rows.join("/")
        };
        match self {
            Self::Insert(at, char) => by_chars(&|chars| chars.insert(at.index(chars.len() + 1), *char)),
            Self::Append(char) => by_chars(&|chars| chars.push(*char)),
            Self::Delete(at) => by_chars(&|chars| _ = chars.remove(at.index(chars.len()))),
            Self::Replace(at, char) => by_chars(&|chars| *at.get_mut(chars) = *char),
            Self::Repeat(one, other) => by_chars(&|chars| {
                let (one, other) = (one.index(chars.len() + 1), other.index(chars.len() + 1));
                let piece = chars[one.min(other)..one.max(other)].to_vec();
                chars.splice(one..one, piece);
            }),
            Self::Prefix(at, prefix) => by_tokens(&|tokens| at.get_mut(tokens).insert_str(0, prefix)),
            Self::Put(at, number) => by_tokens(&|tokens| at.get_mut(tokens).clone_from(number)),
            Self::Copy(from, to) => by_tokens(&|tokens| *to.get_mut(tokens) = from.get(tokens).clone()),
            Self::Swap(one, other) => by_tokens(&|tokens| {
                let (one, other) = (one.index(tokens.len()), other.index(tokens.len()));
                tokens.swap(one, other);
            }),
            Self::RepeatRow(at) => {
                by_rows(&|rows| rows.insert(at.index(rows.len()), rows[at.index(rows.len())]))
            }
            Self::DropRow(at) => by_rows(&|rows| _ = rows.remove(at.index(rows.len()))),
            Self::CopyRow(from, to) => by_rows(&|rows| *to.get_mut(rows) = rows[from.index(rows.len())]),
        }
    }
}

/// One to three edits, one after another, most often one alone.
fn damage() -> BoxedStrategy<Vec<Edit>> {
    let (one, several) = (prop::collection::vec(Edit::any(), 1), prop::collection::vec(Edit::any(), 2..=3));
    prop_oneof![2 => one, 1 => several].boxed()
}

fn damaged(text: &str, edits: &[Edit]) -> String {
    edits.iter().fold(text.to_owned(), |text, edit| edit.apply(&text))
}

/// What every refusal is: one line of bounded length without anything a terminal would obey.
fn check_message(message: &str) {
    assert!(!message.is_empty());
    assert!(!message.contains(|char: char| char.is_control()), "{message:?}");
    assert!(message.chars().count() < 10_000, "{} characters", message.chars().count());
}

/// The text is refused, or it is how the game itself writes a position that keeps all promises.
fn check_position<G: Game + Notation>(game: &Arc<G>, text: &str, next: &Index) {
    let position = match game.parse_position(text) {
        Ok(position) => position,
        Err(error) => return check_message(&error.to_string()),
    };
    assert_eq!(game.position_text(&position), text, "what is read is written back");
    position_conforms(game, position);
    // One ply on: it can be written, and if it is within what can be read, it reads back.
    let mut line = Line::from_position(Arc::clone(game), position);
    let legal = line.legal();
    if !legal.is_empty() {
        assert!(line.play(legal[next.index(legal.len())]));
        let written = game.position_text(line.position());
        if let Ok(reread) = game.parse_position(&written) {
            assert_eq!(reread, *line.position(), "{written}");
        }
        game.outcome(line.position());
    }
}

/// The text is refused as a move and as a draw, or is written back; it is legal only if listed.
fn check_token<G: Game + Notation>(line: &Line<G>, token: &str) {
    let game = line.game();
    match game.parse_move(token) {
        Ok(mv) => {
            assert_eq!(game.move_text(mv), token, "what is read is written back");
            let ply = Ply::Move(mv);
            assert_eq!(line.is_legal(ply), line.legal().contains(&ply), "{token} is legal exactly if listed");
        }
        Err(error) => check_message(&error.to_string()),
    }
    match game.parse_chance(token) {
        Ok(chance) => assert_eq!(game.chance_text(chance), token, "what is read is written back"),
        Err(error) => check_message(&error.to_string()),
    }
}

/// Any text is refused or read as what it says; `source` is the file of the test.
///
/// # Panics
/// If not.
pub fn any_text_is_read_or_refused<G: Game + Notation>(source: &'static str, game: &Arc<G>) {
    hold(source, (any_text(), Place::any(), any::<Index>()), |(text, place, next)| {
        check_position(game, &text, &next);
        check_token(&place.line(game), &text);
    });
}

/// The same of positions with a few changes.
///
/// # Panics
/// If not.
pub fn damaged_positions_are_read_or_refused<G: Game + Notation>(source: &'static str, game: &Arc<G>) {
    hold(source, (Place::any(), damage(), any::<Index>()), |(place, edits, next)| {
        let text = game.position_text(place.line(game).position());
        check_position(game, &damaged(&text, &edits), &next);
    });
}

/// The same of moves with a few changes.
///
/// # Panics
/// If not.
pub fn damaged_moves_are_read_or_refused<G: Game + Notation>(source: &'static str, game: &Arc<G>) {
    hold(source, (Place::any(), any::<Index>(), damage()), |(place, which, edits)| {
        let line = place.line(game);
        let legal = line.legal();
        let token = match legal.get(which.index(legal.len().max(1))) {
            Some(Ply::Move(mv)) => game.move_text(*mv),
            Some(Ply::Chance(chance)) => game.chance_text(*chance),
            None => "pass".to_owned(),
        };
        check_token(&line, &token);
        check_token(&line, &damaged(&token, &edits));
    });
}

/// A module of tests for each `name: game;`, every game having the same ones.
#[macro_export]
macro_rules! hostile_text {
    ($($name:ident: $game:expr;)+) => {$(
        mod $name {
            use super::*;

            #[test]
            fn any_text_is_read_or_refused() {
                $crate::hostile::any_text_is_read_or_refused(file!(), &::std::sync::Arc::new($game));
            }

            #[test]
            fn damaged_positions_are_read_or_refused() {
                $crate::hostile::damaged_positions_are_read_or_refused(file!(), &::std::sync::Arc::new($game));
            }

            #[test]
            fn damaged_moves_are_read_or_refused() {
                $crate::hostile::damaged_moves_are_read_or_refused(file!(), &::std::sync::Arc::new($game));
            }
        }
    )+};
}
