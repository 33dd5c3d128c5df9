//! Tournament files: the one place that knows their keys. `docs/arena-files.md` describes them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use agon_core::text::{duration, duration_text, quote};
use agon_erased::{Games, nearest};
use agon_match::{Millis, Occupant, TimeControl};
use agon_players::external::{Hosting, program_of};

use super::pairing::planned_games;
use super::plan::{
    Finals, Format, Kind, LateRule, OffenceRule, Participant, PrintingRule, Round, Seatings, Tournament,
};
use super::submission_rules::SubmissionRules;
use crate::authors::Author;
use crate::game_keys;
use crate::program_keys::{self, Ask, DEFAULT_MEMORY, Program, ProgramKeys};
use crate::reader::{self, Mistakes, Section, bounded};
use crate::results::Points;
use crate::statistics::Sprt;

/// The largest tournament file, in bytes.
const MAX_BYTES: u64 = 1 << 20;
const MAX_NAME: usize = 64;
const MAX_PLAYERS: usize = 1000;
const MAX_ROUNDS: usize = 1000;
/// The most games of a tournament.
pub(crate) const MAX_GAMES: usize = 1_000_000;
const TIME_PER_MOVE: (Millis, Millis) = (Millis(100), Millis(20_000));
const DEFAULT_TIME: TimeControl = TimeControl::PerMove(Millis(5000));
const SETUP: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(600));
const DEFAULT_SETUP: Duration = Duration::from_secs(10);
const MAX_POINTS: f64 = 1e6;
const MAX_REPETITIONS: u64 = 100_000;
const DEFAULT_SEED: u64 = 1;

impl Tournament {
    /// Reads the tournament file at `path`. Everything in it is checked: that its games are among `games`, that its bots exist and play its games, that the files of its
    /// agents are there, that its openings are legal.
    ///
    /// # Errors
    /// Every mistake in it.
    pub fn read(games: Games, path: &Path) -> Result<Self, Mistakes> {
        let base = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Self::read_in(games, path, base, None)
    }

    /// The same, with programs asked whether they take the parameters that are set.
    ///
    /// # Errors
    /// Every mistake in it.
    pub fn read_asking(games: Games, path: &Path, ask: &Ask) -> Result<Self, Mistakes> {
        let base = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Self::read_in(games, path, base, Some(ask))
    }

    /// The same for a copy of a file that was in `base`: paths in it are relative to that.
    ///
    /// # Errors
    /// Every mistake in it.
    pub(super) fn read_in(
        games: Games,
        path: &Path,
        base: &Path,
        ask: Option<&Ask>,
    ) -> Result<Self, Mistakes> {
        let file = path.display().to_string();
        let text = bounded(path, MAX_BYTES).map_err(|fault| Mistakes::whole(&file, fault))?;
        let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        reader::parse(&file, &text, |top| tournament(games, top, &stem, base, ask))
    }

    /// Reads the text of a tournament file. `file` names it in messages, `stem` is what the tournament is called if it does not say,
    /// and paths are relative to `base`.
    ///
    /// # Errors
    /// Every mistake in it.
    pub fn parse(games: Games, file: &str, text: &str, stem: &str, base: &Path) -> Result<Self, Mistakes> {
        reader::parse(file, text, |top| tournament(games, top, stem, base, None))
    }
}

fn tournament(games: Games, top: &Section, stem: &str, base: &Path, ask: Option<&Ask>) -> Option<Tournament> {
    let name = top.parsed("name", "course", name_of_tournament);
    let seed = top.whole("seed", 0..=u64::MAX);
    let memory = program_keys::memory(top);
    let threads = program_keys::threads(top);
    let printing = top.choice(
        "printing",
        &[
            ("loss", PrintingRule::Loss),
            ("warn", PrintingRule::Warn),
            ("disqualify", PrintingRule::Disqualify),
        ],
    );
    let offences =
        top.choice("offences", &[("loss", OffenceRule::Loss), ("disqualify", OffenceRule::Disqualify)]);
    let late = top.choice("late", &[("loss", LateRule::Loss), ("replay", LateRule::Replay)]);
    // By these an import judges.
    let _ = SubmissionRules::of(top);
    let points = top.table("points", "[points]").map_or_else(Points::default, |section| points(&section));
    let defaults = Defaults {
        memory: memory.unwrap_or(DEFAULT_MEMORY),
        threads: threads.unwrap_or(1),
        base: base.to_path_buf(),
    };
    let player_sections = top.tables("players", "[[players]]");
    let players = players(top, &player_sections, &defaults);
    let round_sections = top.tables("rounds", "[[rounds]]");
    if round_sections.is_empty() {
        top.doc.wrong(top.span(), "there is no round; expected a table [[rounds]] with a game");
    } else if round_sections.len() > MAX_ROUNDS {
        top.doc.wrong(top.span(), format!("there are more than {MAX_ROUNDS} rounds"));
    }
    let names: Vec<&str> = players.iter().flatten().map(|player| player.name.as_str()).collect();
    let rounds: Vec<Option<Round>> =
        round_sections.iter().take(MAX_ROUNDS).map(|section| round(games, section, &names, base)).collect();
    top.close();
    for (section, player) in player_sections.iter().zip(&players) {
        for (number, round) in (1..).zip(&rounds) {
            if let (Some(player), Some(round)) = (player, round) {
                check_fit(section, player, number, round);
            }
        }
        if let (Some(Participant { kind: Kind::Program(program), .. }), Some(Some(round)), Some(ask)) =
            (player, rounds.first(), ask)
        {
            let key = if section.value("bot").is_some() { "bot" } else { "parameters" };
            program_keys::check_parameters(section, key, &*round.rules, program, ask);
        }
    }
    let tournament = Tournament {
        name: name.unwrap_or_else(|| default_name(stem)),
        seed: seed.unwrap_or(DEFAULT_SEED),
        printing: printing.unwrap_or_default(),
        offences: offences.unwrap_or_default(),
        late: late.unwrap_or_default(),
        points,
        players: players.into_iter().collect::<Option<_>>()?,
        rounds: rounds.into_iter().collect::<Option<_>>()?,
    };
    let mut total = 0_usize;
    for (section, round) in round_sections.iter().zip(&tournament.rounds) {
        total = total.saturating_add(planned_games(round, tournament.players.len()));
        if total > MAX_GAMES {
            section
                .doc
                .wrong(section.span(), format!("with this round there are more than {MAX_GAMES} games"));
            return None;
        }
    }
    Some(tournament)
}

/// A name that can also be that of a folder.
fn name_of_tournament(text: &str) -> Result<String, String> {
    let is_bad = |char: char| char.is_control() || char == '/' || char == '\\';
    if text.trim() != text || text.is_empty() || text.chars().count() > MAX_NAME {
        return Err(format!("{} is not a name of 1 to {MAX_NAME} characters", quote(text)));
    }
    if text.starts_with('.') || text.contains(is_bad) {
        return Err(format!("{} cannot name a folder: no slashes, and no dot in front", quote(text)));
    }
    Ok(text.to_owned())
}

fn default_name(stem: &str) -> String {
    name_of_tournament(stem).unwrap_or_else(|_| "tournament".to_owned())
}

fn points(section: &Section) -> Points {
    let usual = Points::default();
    let amount = |key, usual| section.number(key, MAX_POINTS).unwrap_or(usual);
    let points = Points {
        win: amount("win", usual.win),
        draw: amount("draw", usual.draw),
        loss: amount("loss", usual.loss),
        technical_win: amount("technical_win", usual.technical_win),
        technical_loss: amount("technical_loss", usual.technical_loss),
    };
    section.close();
    points
}

/// What holds for players that do not say otherwise.
struct Defaults {
    memory: u64,
    threads: u32,
    base: PathBuf,
}

fn players(top: &Section, sections: &[Section], defaults: &Defaults) -> Vec<Option<Participant>> {
    if sections.len() < 2 {
        let count = if sections.is_empty() { "no player" } else { "only one player" };
        top.doc.wrong(
            sections.first().map_or(top.span(), Section::span),
            format!("there is {count}; expected at least two tables [[players]]"),
        );
    } else if sections.len() > MAX_PLAYERS {
        top.doc.wrong(top.span(), format!("there are more than {MAX_PLAYERS} players"));
    }
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut players = Vec::new();
    for (number, section) in (1..).zip(sections.iter().take(MAX_PLAYERS)) {
        let player = player(section, defaults);
        if let Some(player) = &player
            && let Some(first) = seen.insert(player.name.to_lowercase(), number)
        {
            section.wrong("name", format!("player {first} has this name already; names must differ"));
        }
        players.push(player);
    }
    players
}

fn player(section: &Section, defaults: &Defaults) -> Option<Participant> {
    if section.value("name").is_none() {
        section.doc.wrong(section.span(), "this player has no name; expected name = \"…\"");
    }
    let name = section.parsed("name", "mine", name_of_player);
    let bot = section.value("bot").map(|_| section.text("bot", "medium"));
    let command = section.value("command").is_some();
    let keys = ProgramKeys::read(section);
    let authors =
        section.parsed("authors", "authors.txt", |file| Author::read(file, &defaults.base.join(file)));
    let memory = program_keys::memory(section).unwrap_or(defaults.memory);
    let threads = program_keys::threads(section).unwrap_or(defaults.threads);
    let has_time = section.value("time").is_some();
    section.close();
    let kind = match (bot, command.then_some(keys)) {
        (Some(_), Some(_)) => {
            section.wrong("command", "a player has either a bot or a command, not both");
            return None;
        }
        (None, None) => {
            let what = "this player has neither a bot nor a command; expected bot = \"medium\" or command = [\"python3\", \"my_agent.py\"]";
            section.doc.wrong(section.span(), what);
            return None;
        }
        (Some(bot), None) => house(section, bot?, &defaults.base, (memory, threads))?,
        (None, Some(keys)) => Kind::Program(keys?.program(section, &defaults.base, memory, threads)?),
    };
    if section.value("bot").is_some() && section.value("parameters").is_some() {
        section.wrong(
            "parameters",
            "only players with a command have this; a bot has its own in its specification",
        );
    }
    if has_time && !matches!(kind, Kind::Person(_)) {
        section.wrong(
            "time",
            "only people, with bot = \"human\", have a clock of their own; that of others is the round's",
        );
    }
    if !matches!(kind, Kind::Program(_)) {
        for key in ["protocol", "memory", "threads"] {
            if section.value(key).is_some() {
                section.wrong(key, "only players with a command have this");
            }
        }
    }
    Some(Participant { name: name?, kind, authors: authors.unwrap_or_default() })
}

fn name_of_player(text: &str) -> Result<String, String> {
    let is_bad = |char: char| char.is_control() || char == '|';
    let is_name = !text.is_empty() && text.chars().count() <= MAX_NAME && text.trim() == text;
    if is_name && !text.contains(is_bad) {
        return Ok(text.to_owned());
    }
    Err(format!("{} is not a name of 1 to {MAX_NAME} characters without | and spaces around it", quote(text)))
}

/// A bot of the house, a person, or a program in the short form `ugi:CMD`.
fn house(section: &Section, text: &str, base: &Path, (memory, threads): (u64, u32)) -> Option<Kind> {
    match text.parse::<Occupant>() {
        Ok(Occupant::Person) => {
            Some(Kind::Person(section.parsed("time", "1m", time_of_person).unwrap_or(TimeControl::None)))
        }
        Ok(Occupant::Bot(spec)) => Some(Kind::Bot(spec)),
        Ok(Occupant::Program(spec)) => {
            let keys = ProgramKeys::short(spec, &section.span_of("bot"));
            let keys = keys.map_err(|fault| section.wrong("bot", fault)).ok()?;
            keys.program(section, base, memory, threads).map(Kind::Program)
        }
        Err(error) => {
            section.wrong("bot", error);
            None
        }
    }
}

/// Checks that a player can play a round.
fn check_fit(section: &Section, player: &Participant, number: usize, round: &Round) {
    let rules = &*round.rules;
    let (key, fault) = match &player.kind {
        Kind::Bot(spec) => ("bot", rules.bot(spec, 0).err()),
        Kind::Program(Program { spec, command, .. }) => {
            ("protocol", program_of(rules, spec, command.clone(), Hosting::default()).err())
        }
        Kind::Person(_) => return,
    };
    if let Some(fault) = fault {
        section.wrong(key, format!("{} cannot play round {number}: {fault}", player.name));
    }
}

fn round(games: Games, section: &Section, players: &[&str], base: &Path) -> Option<Round> {
    let game = game_keys::game(games, section);
    let time = section.parsed("time", "5s", time).unwrap_or(DEFAULT_TIME);
    let setup = section.parsed("setup", "10s", setup).unwrap_or(DEFAULT_SETUP);
    let repetitions = section.whole("repetitions", 1..=MAX_REPETITIONS).unwrap_or(1) as usize;
    let max_plies = game_keys::max_plies(section);
    let format = format(section, players);
    let openings = game_keys::openings(section, game.as_ref(), "start", base);
    let has_seatings = section.value("seatings").is_some();
    let seatings = section.choice("seatings", &[("rotations", Seatings::Rotations), ("all", Seatings::All)]);
    section.close();
    let (_, rules) = game?;
    let seats = rules.seats().len();
    if has_seatings && seats < 3 {
        section.wrong("seatings", "only games of three or more seats have this");
    }
    if seats > 2 {
        if players.len() < seats && !players.is_empty() {
            let what = format!("the game has {seats} seats, but there are only {} players", players.len());
            section.wrong("game", what);
        }
        if matches!(format, Format::Swiss { .. } | Format::KnockOut | Format::Groups { .. }) {
            section.wrong(
                "format",
                format!("{} is for games of two; expected round-robin or gauntlet", format.name()),
            );
        }
    }
    if seats != 2 && matches!(format, Format::Gauntlet { sprt: Some(_), .. }) && seats > 2 {
        section.wrong("sprt", "the test is for games of two");
    }
    let max_plies = max_plies.unwrap_or_else(|| game_keys::usual_max_plies(&*rules));
    Some(Round {
        rules,
        time,
        setup,
        format,
        repetitions,
        openings: openings?,
        seatings: seatings.unwrap_or_default(),
        max_plies,
    })
}

fn time(text: &str) -> Result<TimeControl, String> {
    let expected = || {
        let (least, most) = TIME_PER_MOVE;
        format!(
            "{} is not a time per move from {least} to {most}, such as \"500ms\", or a budget with an increment such as \"10s+100ms\"",
            quote(text)
        )
    };
    match TimeControl::parse(text).map_err(|_| expected())? {
        TimeControl::PerMove(time) if time < TIME_PER_MOVE.0 || time > TIME_PER_MOVE.1 => Err(expected()),
        TimeControl::None => Err(expected()),
        control => Ok(control),
    }
}

fn time_of_person(text: &str) -> Result<TimeControl, String> {
    match TimeControl::parse(text) {
        Ok(control @ (TimeControl::PerMove(_) | TimeControl::Game { .. })) => Ok(control),
        _ => Err(format!(
            "{} is not a time per move such as \"1m\", or a budget for the game with an increment such as \"10m+5s\"",
            quote(text)
        )),
    }
}

fn setup(text: &str) -> Result<Duration, String> {
    let time = duration(text)?;
    let (least, most) = SETUP;
    let fault =
        || format!("{} is not a time from {} to {}", quote(text), duration_text(least), duration_text(most));
    (least..=most).contains(&time).then_some(time).ok_or_else(fault)
}

fn format(section: &Section, players: &[&str]) -> Format {
    #[derive(Clone, Copy, PartialEq)]
    enum Word {
        RoundRobin,
        Swiss,
        Gauntlet,
        KnockOut,
        Groups,
    }
    let word = section.choice(
        "format",
        &[
            ("round-robin", Word::RoundRobin),
            ("swiss", Word::Swiss),
            ("gauntlet", Word::Gauntlet),
            ("knock-out", Word::KnockOut),
            ("groups", Word::Groups),
        ],
    );
    let word = word.unwrap_or(Word::RoundRobin);
    let turns = section.whole("turns", 1..=1000);
    let challenger = section.parsed("challenger", "mine", |text| {
        let found = players.iter().position(|name| *name == text);
        found.ok_or_else(|| match nearest(text, players.iter().copied()) {
            Some(meant) => format!("there is no player {}; did you mean {meant}?", quote(text)),
            None => format!("there is no player {}", quote(text)),
        })
    });
    let sprt = section.table("sprt", "sprt").map(|section| sprt(&section));
    let groups = section.whole("groups", 2..=1000);
    let qualify = section.whole("qualify", 1..=1000);
    let finals =
        section.choice("finals", &[("knock-out", Finals::KnockOut), ("round-robin", Finals::RoundRobin)]);
    let only = |key: &'static str, format: &str, is_so: bool| {
        if !is_so && section.value(key).is_some() {
            section.wrong(key, format!("only rounds with format = {format:?} have this"));
        }
    };
    only("turns", "swiss", word == Word::Swiss);
    only("challenger", "gauntlet", word == Word::Gauntlet);
    only("sprt", "gauntlet", word == Word::Gauntlet);
    for key in ["groups", "qualify", "finals"] {
        only(key, "groups", word == Word::Groups);
    }
    match word {
        Word::RoundRobin => Format::RoundRobin,
        Word::KnockOut => Format::KnockOut,
        Word::Groups => {
            // Of about five players each.
            let groups = groups.map_or((players.len() / 5).max(2), |groups| groups as usize);
            let least = players.len() / groups;
            let qualify = qualify.map_or(least.saturating_sub(1).clamp(1, 2), |qualify| qualify as usize);
            if least < 2 {
                let what = format!(
                    "{groups} groups need at least {} players, and there are {}",
                    2 * groups,
                    players.len()
                );
                section.wrong("groups", what);
            } else if qualify >= least {
                let what =
                    format!("expected fewer than the {least} players of the smallest group, found {qualify}");
                section.wrong("qualify", what);
            }
            Format::Groups { groups, qualify, finals: finals.unwrap_or_default() }
        }
        Word::Gauntlet => Format::Gauntlet { challenger: challenger.unwrap_or(0), sprt: sprt.flatten() },
        Word::Swiss => {
            // As many as a knock-out would need to find a winner.
            let usual = (players.len().max(2) as f64).log2().ceil() as usize;
            Format::Swiss { turns: turns.map_or(usual, |turns| turns as usize) }
        }
    }
}

fn sprt(section: &Section) -> Option<Sprt> {
    for key in ["elo0", "elo1"] {
        if section.value(key).is_none() {
            section.doc.wrong(
                section.span(),
                format!("sprt: {key} is missing; expected sprt = {{ elo0 = 0, elo1 = 10 }}"),
            );
        }
    }
    let [elo0, elo1] = ["elo0", "elo1"].map(|key| section.number(key, 2000.0));
    let [alpha, beta] = ["alpha", "beta"].map(|key| {
        let error = section.number(key, 1.0).unwrap_or(0.05);
        let is_error = error > 0.0 && error < 0.5;
        if !is_error {
            section.wrong(key, "expected a number between 0 and 0.5");
        }
        error
    });
    section.close();
    let (elo0, elo1) = (elo0?, elo1?);
    if elo0 >= elo1 {
        section.wrong("elo1", "expected a number above elo0");
        return None;
    }
    Some(Sprt { elo0, elo1, alpha, beta })
}
