//! A game against its plain twin: the same positions, seats, moves, endings, refusals and counts, in random games and from
//! positions that no game reaches.
//!
//! Each set of options gets one round by default, which takes seconds in all. `AGON_TWIN_GAMES=N` plays N rounds of each, every one
//! with another seed: `AGON_TWIN_GAMES=200 cargo test twin`.

use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::Arc;

use agon_core::cpu::{Portable, Root};
use agon_core::line::PlyOf;
use agon_core::perft::{Perft, perft};
use agon_core::random::{RandomSource, below, seeded};
use agon_core::{Game, Line, Notation, Ply, Rng, Turn};

use super::{Standing, Twin};
use crate::options_text;

/// How many rounds each set of options gets.
///
/// # Panics
/// If `AGON_TWIN_GAMES` is set to something else than a number.
pub fn rounds() -> u64 {
    match std::env::var("AGON_TWIN_GAMES") {
        Ok(text) => text.parse().expect("AGON_TWIN_GAMES is a number"),
        Err(_) => 1,
    }
}

/// Compares `game`, made from the `given` options, with its twin `T`.
///
/// # Panics
/// Where the two differ.
pub fn compare<G: Game + Notation, T: Twin>(game: G, given: &str, rounds: u64) {
    let game = Arc::new(game);
    for seed in 0..rounds {
        let mut comparison = Comparison::<G, T> {
            game: Arc::clone(&game),
            // With what was given the twin takes its own defaults, with what is printed the game's.
            options: if seed % 2 == 0 { given.to_owned() } else { options_text(&*game) },
            rng: seeded(seed),
            essences: HashMap::new(),
            tokens: Vec::new(),
            twin: PhantomData,
        };
        comparison.whole_game();
        comparison.samples();
    }
}

/// One round.
struct Comparison<G: Game, T> {
    game: Arc<G>,
    options: String,
    rng: Rng,
    /// The position that each key has stood for, ply count left out.
    essences: HashMap<u64, String>,
    /// Moves that were legal somewhere.
    tokens: Vec<String>,
    twin: PhantomData<T>,
}

impl<G: Game + Notation, T: Twin> Comparison<G, T> {
    /// The longest game that is played out.
    const MAX_PLIES: usize = 300;
    /// How many sampled positions are tried, and how many plies are played from each.
    const SAMPLES: usize = 40;
    const SAMPLE_PLIES: usize = 10;
    /// How many of them are counted from, and drawn in.
    const COUNTS: usize = 3;
    /// How often each move may be expected in drawing.
    const DRAWS: u64 = 100;

    fn random(&mut self, bound: usize) -> usize {
        below(&mut self.rng, bound as u64) as usize
    }

    fn whole_game(&mut self) {
        let line = Line::new(Arc::clone(&self.game));
        self.walk(line, T::start(&self.options), Self::MAX_PLIES);
    }

    /// Plays at random, often back to where a piece came from, and compares at every step.
    fn walk(&mut self, mut line: Line<G>, mut twin: T, max_plies: usize) {
        let mut played: Vec<String> = Vec::new();
        let start = twin.position();
        for _ in 0..max_plies {
            let context = format!("{}: {start} {}", self.options, played.join(" "));
            let legal = self.check(&line, &twin, &context);
            if legal.is_empty() {
                return;
            }
            let back = played.iter().rev().nth(1).map(|token| reversed(token));
            let token = match back.filter(|token| legal.contains(token)) {
                Some(token) if self.random(3) == 0 => token,
                _ => legal[self.random(legal.len())].clone(),
            };
            let ply = read_ply(&line, &token).unwrap_or_else(|| panic!("{context}: {token} is not read"));
            assert!(line.play(ply), "{context}: {token} is not played");
            twin.play(&token);
            played.push(token);
        }
    }

    /// All that can be asked of a position; the moves that are legal in it.
    fn check(&mut self, line: &Line<G>, twin: &T, context: &str) -> Vec<String> {
        let game = Arc::clone(&self.game);
        let text = game.position_text(line.position());
        assert_eq!(text, twin.position(), "{context}: position");
        assert_eq!(game.parse_position(&text).as_ref(), Ok(line.position()), "{context}: read back");
        let to_move = match line.turn() {
            Turn::Player(player) => game.seat(player),
            Turn::Chance => "chance",
        };
        assert_eq!(to_move, twin.to_move(), "{context}: to move");
        assert_eq!(Standing::of(&*game, line.outcome()), twin.standing(), "{context}: standing");
        let mut legal: Vec<String> = line.legal().into_iter().map(|ply| ply_text(&*game, ply)).collect();
        legal.sort();
        assert_eq!(legal, twin.legal(), "{context}: legal");

        if !legal.is_empty() {
            assert_eq!(count(line, 2), count_by_playing(line), "{context}: perft 2");
        }
        let essence = match game.ply(line.position()) {
            Some(ply) => text.strip_suffix(&format!(" {ply}")).expect("the ply count comes last"),
            None => &text,
        };
        let known = self.essences.entry(game.key(line.position())).or_insert_with(|| essence.to_owned());
        assert_eq!(known, essence, "{context}: key");

        for _ in 0..10 {
            let made_up = self.made_up(&legal);
            let accepted = read_ply(line, &made_up).is_some_and(|ply| line.is_legal(ply));
            assert_eq!(accepted, legal.contains(&made_up), "{context}: {made_up} is legal");
        }
        self.tokens.extend(legal.iter().take(5).cloned());
        legal
    }

    /// A move that is legal here or elsewhere, or one misspelt.
    fn made_up(&mut self, legal: &[String]) -> String {
        let source = if self.random(2) == 0 || self.tokens.is_empty() { legal } else { &self.tokens };
        if source.is_empty() {
            return "pass".to_owned();
        }
        let token = source[below(&mut self.rng, source.len() as u64) as usize].clone();
        if self.random(3) == 0 { misspelt(&token, &mut self.rng) } else { token }
    }

    /// Positions that no game need reach, and texts that are hardly positions.
    fn samples(&mut self) {
        for index in 0..Self::SAMPLES {
            let position = T::sample(&self.options, &mut self.rng);
            let context = format!("{}: {position}", self.options);
            let line = self.line(&position).unwrap_or_else(|| panic!("{context} is refused"));
            let twin = T::read(&self.options, &position).expect("samples are possible");
            if index < Self::COUNTS {
                self.count(&line, &position);
                self.draw_moves(&line, &context);
                self.draw_chances(&line, &context);
            }
            self.walk(line, twin, Self::SAMPLE_PLIES);
            for _ in 0..3 {
                self.misspell(&position);
            }
        }
    }

    fn line(&self, position: &str) -> Option<Line<G>> {
        let position = self.game.parse_position(position).ok()?;
        Some(Line::from_position(Arc::clone(&self.game), position))
    }

    fn misspell(&mut self, position: &str) {
        let text = misspelt(position, &mut self.rng);
        let context = format!("{}: {text:?}", self.options);
        match (self.line(&text), T::read(&self.options, &text)) {
            (Some(line), Some(twin)) => drop(self.check(&line, &twin, &context)),
            (None, None) => {}
            (accepted, _) => {
                panic!("{context} is {}", if accepted.is_some() { "accepted" } else { "refused" })
            }
        }
    }

    fn count(&self, line: &Line<G>, position: &str) {
        let depth = if line.legal().len() <= 12 { 3 } else { 2 };
        for depth in 0..=depth {
            let nodes = perft(&*self.game, line.position(), depth, u64::MAX);
            let expected = super::perft::<T>(&self.options, position, depth);
            assert_eq!(nodes, Ok(expected), "{}: {position}: perft {depth}", self.options);
        }
    }

    /// Chance draws what it may as often as it should: six standard deviations are not to be seen.
    fn draw_chances(&mut self, line: &Line<G>, context: &str) {
        let mut counts: HashMap<G::Chance, u64> = HashMap::new();
        let draws = Self::DRAWS * self.game.count_chances(line.position());
        for _ in 0..draws {
            let draw = self.game.draw(line.position(), self.rng.next_u64());
            *counts.entry(draw.expect("chance acts")).or_default() += 1;
        }
        self.game.for_each_chance(line.position(), |draw, probability| {
            let expected = probability * draws as f64;
            let count = counts.remove(&draw).unwrap_or_default() as f64;
            let token = self.game.chance_text(draw);
            assert!(
                (count - expected).abs() <= 6.0 * expected.sqrt(),
                "{context}: {token} is drawn {count} times of {expected}"
            );
        });
        assert!(counts.is_empty(), "{context}: only possible draws are made");
    }

    /// Random moves are legal, and none is much more likely than another: for an even choice the count
    /// of a move leaves these bounds (six standard deviations) once in a hundred million.
    fn draw_moves(&mut self, line: &Line<G>, context: &str) {
        let mut counts: HashMap<G::Move, u64> = HashMap::new();
        let moves = self.game.count_moves(line.position());
        for _ in 0..moves * Self::DRAWS {
            let mv = self.game.random_move(line.position(), &mut self.rng);
            *counts.entry(mv.expect("there are moves")).or_default() += 1;
        }
        assert_eq!(counts.len() as u64, moves, "{context}: every move is drawn");
        let bounds = Self::DRAWS * 2 / 5..=Self::DRAWS * 8 / 5;
        for (mv, count) in counts {
            let token = self.game.move_text(mv);
            assert!(self.game.is_legal(line.position(), mv), "{context}: {token} is drawn");
            assert!(bounds.contains(&count), "{context}: {token} is drawn {count} times of {}", Self::DRAWS);
        }
    }
}

/// Perft in the portable code; the other is taken from sampled positions.
fn count<G: Game>(line: &Line<G>, depth: u32) -> u64 {
    let perft = Perft { game: &**line.game(), position: line.position(), depth, limit: u64::MAX };
    perft.at(Portable).expect("no limit")
}

/// Perft 2, one ply of it played.
fn count_by_playing<G: Game>(line: &Line<G>) -> u64 {
    let after = |ply| {
        let mut next = line.clone();
        assert!(next.play(ply), "a listed ply can be played");
        count(&next, 1)
    };
    line.legal().into_iter().map(after).sum()
}

fn ply_text<G: Game + Notation>(game: &G, ply: PlyOf<G>) -> String {
    match ply {
        Ply::Move(mv) => game.move_text(mv),
        Ply::Chance(draw) => game.chance_text(draw),
    }
}

fn read_ply<G: Game + Notation>(line: &Line<G>, token: &str) -> Option<PlyOf<G>> {
    match line.turn() {
        Turn::Player(_) => line.game().parse_move(token).ok().map(Ply::Move),
        Turn::Chance => line.game().parse_chance(token).ok().map(Ply::Chance),
    }
}

/// The move back, in the games in which a move is a start and an end.
fn reversed(token: &str) -> String {
    match token.split_once('-') {
        Some((from, to)) => format!("{to}-{from}"),
        None => {
            let (from, to) = token.split_at(token.len() / 2);
            format!("{to}{from}")
        }
    }
}

/// `text` with one to three of its characters changed, there or everywhere, lost, doubled, swapped or added.
fn misspelt(text: &str, rng: &mut Rng) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let alphabet: Vec<char> = format!("{text}0123456789 /,+-@=xobwkgyrpBé").chars().collect();
    for _ in 0..=below(rng, 3) {
        let at = below(rng, chars.len().max(1) as u64) as usize;
        let char = alphabet[below(rng, alphabet.len() as u64) as usize];
        match below(rng, 6) {
            0 if !chars.is_empty() => chars[at] = char,
            1 if !chars.is_empty() => drop(chars.remove(at)),
            2 if !chars.is_empty() => chars.insert(at, chars[at]),
            3 if at + 1 < chars.len() => chars.swap(at, at + 1),
            4 if !chars.is_empty() => {
                let old = chars[at];
                chars.iter_mut().filter(|other| **other == old).for_each(|other| *other = char);
            }
            _ => chars.insert(at, char),
        }
    }
    chars.into_iter().collect()
}
