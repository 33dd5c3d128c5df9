//! Study files: the one place that knows their keys. `docs/studies.md` describes them.

use std::ops::Range;
use std::path::Path;

use agon_arena::game_keys::{self, Game};
use agon_arena::openings::Openings;
use agon_arena::program_keys::Ask;
use agon_arena::reader::{self, Mistakes, Section, bounded};
use agon_core::text::quote;
use agon_erased::{Games, Rules, advice};

use crate::casting::Casting;
use crate::factors::{self, Factor, Kind};
use crate::observe::{self, Observation, When};
use crate::plan::{Against, Asks, Circumstance, Study};
use crate::players::{NamedPlayer, Player, Programs};

/// The largest study file, in bytes.
pub(crate) const MAX_BYTES: u64 = 1 << 20;
const MAX_NAME: usize = 64;
pub(crate) const MAX_QUESTION: usize = 300;
/// The most factors, games and observations.
pub(crate) const MAX_TABLES: usize = 20;
pub(crate) const MAX_SETTINGS: usize = 500;
pub(crate) const MAX_COMPARISONS: usize = 2000;
pub(crate) const MAX_GAMES: usize = 1_000_000;
const DEFAULT_GAMES: usize = 100;
const DEFAULT_QUICK_GAMES: usize = 20;
const DEFAULT_SEED: u64 = 1;
const DEFAULT_ERROR: f64 = 0.05;

impl Study {
    /// Reads the study file at `path`, and returns its text too. Everything in it is checked: that every setting is a bot that plays under
    /// every circumstance, that nothing thinks for ever, that openings are legal, and, by asking programs, that they have the parameters
    /// that are set. `is_quick` asks for the quick version.
    ///
    /// # Errors
    /// Every mistake in it.
    pub fn read(games: Games, path: &Path, is_quick: bool, ask: &Ask) -> Result<(Self, String), Mistakes> {
        let file = path.display().to_string();
        let text = bounded(path, MAX_BYTES).map_err(|fault| Mistakes::whole(&file, format!("it {fault}")))?;
        let base = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let study = Self::parse_asking(games, &file, &text, &stem, base, is_quick, ask)?;
        Ok((study, text))
    }

    /// Reads the text of a study file of bots, without programs. `file` names it in messages, `stem` is what the study is called if it
    /// does not say, and paths are relative to `base`.
    ///
    /// # Errors
    /// Every mistake in it.
    pub fn parse(
        games: Games,
        file: &str,
        text: &str,
        stem: &str,
        base: &Path,
        is_quick: bool,
    ) -> Result<Self, Mistakes> {
        Self::parse_asking(games, file, text, stem, base, is_quick, &nobody_asks)
    }

    /// The same with programs, which are asked for their parameters.
    ///
    /// # Errors
    /// Every mistake in it.
    pub fn parse_asking(
        games: Games,
        file: &str,
        text: &str,
        stem: &str,
        base: &Path,
        is_quick: bool,
        ask: &Ask,
    ) -> Result<Self, Mistakes> {
        let programs = Programs::new(base, ask);
        reader::parse(file, text, |top| study(games, top, stem, programs, is_quick, true))
    }

    /// The same without building the bots, which takes far longer than everything else: for files that are known to hold.
    pub(crate) fn plan(
        games: Games,
        file: &str,
        text: &str,
        stem: &str,
        is_quick: bool,
    ) -> Result<Self, Mistakes> {
        let programs = Programs::new(Path::new("."), &nobody_asks);
        reader::parse(file, text, |top| study(games, top, stem, programs, is_quick, false))
    }
}

fn nobody_asks(
    _: &dyn Rules,
    _: &agon_arena::program_keys::Program,
) -> Result<agon_protocol::parameters::Parameters, String> {
    Err("programs are not run here".to_owned())
}

fn study(
    known: Games,
    top: &Section,
    stem: &str,
    programs: Programs,
    is_quick: bool,
    builds_bots: bool,
) -> Option<Study> {
    let name = top.parsed("name", "table-size", |text| short(text, MAX_NAME));
    let question = top.parsed("question", "How large should the table be?", |text| short(text, MAX_QUESTION));
    let seed = top.whole("seed", 0..=u64::MAX);
    let error = top.number("error", 1.0).unwrap_or(DEFAULT_ERROR);
    if !(0.001..=0.5).contains(&error) {
        top.wrong("error", "expected a number from 0.001 to 0.5");
    }
    let stops_early = top.choice("early_stopping", &[("on", true), ("off", false)]).unwrap_or(true);
    let is_crossed = top.choice("design", &[("one-at-a-time", false), ("crossed", true)]).unwrap_or(false);
    let against = top.choice("against", &[("reference", Against::Reference), ("all", Against::All)]);
    let against = against.unwrap_or(Against::Reference);
    let asks = top.choice(
        "asks",
        &[
            ("strength", Asks::Strength),
            ("nodes", Asks::Nodes),
            ("time", Asks::Time),
            ("observations", Asks::Observations),
        ],
    );
    let reference_label = top.parsed("reference_label", "the full search", factors::label);
    // What the list of studies shows; it has no bearing on the run.
    if let Some(takes) = top.table("takes", "[takes]") {
        let _ = (takes.text("quick", "3 minutes"), takes.text("full", "1 hour"));
        takes.close();
    }
    let usual_games = games_of(top);
    let quick = top.table("quick", "[quick]");
    let quick_games = quick.as_ref().and_then(games_of);
    let games = match is_quick {
        true => quick_games.unwrap_or_else(|| usual_games.unwrap_or(DEFAULT_GAMES).min(DEFAULT_QUICK_GAMES)),
        false => usual_games.unwrap_or(DEFAULT_GAMES),
    };
    if top.value("reference").is_none() {
        top.doc.wrong(top.span(), "there is no reference; expected reference = \"alphabeta:nodes=1000\"");
    }
    let usual_reference = reference_of(top);
    let quick_reference = quick.as_ref().and_then(reference_of);
    if let Some(quick) = &quick {
        quick.close();
    }
    let reference = match (is_quick, &quick) {
        (true, Some(section)) if quick_reference.is_some() => quick_reference.map(|named| (named, section)),
        _ => usual_reference.map(|named| (named, top)),
    };
    let vary_sections = tables(top, "vary", "[[vary]]");
    let factors: Vec<Factor> =
        vary_sections.iter().filter_map(|section| factors::vary(section, is_quick)).collect();
    let across_sections = tables(top, "across", "[[across]]");
    let conditions: Vec<Factor> =
        across_sections.iter().filter_map(|section| factors::across(section, is_quick)).collect();
    let game_sections = tables(top, "boards", "[[boards]]");
    let observe_sections = tables(top, "observe", "[[observe]]");
    let games_to_play = read_games(known, top, &game_sections, &conditions, programs.base());
    let observations: Vec<Option<Observation>> =
        observe_sections.iter().map(|section| observation(section, games_to_play.as_deref())).collect();
    top.close();
    let is_whole = factors.len() == vary_sections.len() && conditions.len() == across_sections.len();
    if vary_sections.is_empty() {
        top.doc.wrong(top.span(), "nothing is varied; expected a table [[vary]]");
    }
    let (reference, reference_section) = reference?;
    let games_to_play = games_to_play?;
    if !is_whole || vary_sections.is_empty() {
        return None;
    }
    let rules = &*games_to_play.first()?.game.1;
    let reference = found_reference(&programs, &reference, reference_section, rules)?;
    let players: Option<Vec<Vec<Player>>> =
        factors.iter().map(|factor| found_players(&programs, factor, rules)).collect();
    refuse_contradictions(&reference, reference_section, &factors, &conditions)?;
    let casting = Casting {
        reference,
        reference_section,
        factors,
        players: players?,
        reference_label,
        programs: &programs,
        is_crossed,
        is_quick,
        against,
        builds_bots,
    };
    let settings = casting.settings(&games_to_play)?;
    let circumstances = casting.circumstances(&settings, games_to_play)?;
    check_openings(top, &circumstances, games);
    let study = Study {
        name: name.unwrap_or_else(|| short(stem, MAX_NAME).unwrap_or_else(|_| "study".to_owned())),
        question: question.unwrap_or_default(),
        seed: seed.unwrap_or(DEFAULT_SEED),
        games,
        error,
        stops_early,
        asks: asks.unwrap_or_default(),
        is_quick,
        against,
        settings: settings.into_iter().map(|(setting, _)| setting).collect(),
        circumstances,
        programs: programs.into_list(),
        observations: observations.into_iter().collect::<Option<_>>()?,
    };
    if study.asks == Asks::Observations && study.observations.is_empty() {
        top.wrong("asks", "nothing is observed; expected a table [[observe]]");
    }
    let comparisons = study.comparisons().len();
    if comparisons > MAX_COMPARISONS || comparisons * games > MAX_GAMES {
        top.doc.wrong(
            top.span(),
            format!("there are {comparisons} comparisons of {games} games; at most {MAX_COMPARISONS} comparisons and {MAX_GAMES} games are played"),
        );
        return None;
    }
    Some(study)
}

/// A text on one line that is not too long.
pub(crate) fn short(text: &str, most: usize) -> Result<String, String> {
    let is_good = !text.trim().is_empty() && text.chars().count() <= most && !text.contains(char::is_control);
    is_good
        .then(|| text.trim().to_owned())
        .ok_or_else(|| format!("{} is not a text of 1 to {most} characters", quote(text)))
}

fn games_of(section: &Section) -> Option<usize> {
    let games = section.whole("games", 2..=100_000)? as usize;
    if !games.is_multiple_of(2) {
        section.wrong("games", format!("games are played in pairs; expected an even number, found {games}"));
        return None;
    }
    Some(games)
}

/// The reference that a section names: a bot, or a program.
fn reference_of(section: &Section) -> Option<NamedPlayer> {
    let value = section.value("reference")?;
    if value.get_ref().is_table() {
        return NamedPlayer::table(&section.table("reference", "reference")?);
    }
    section.parsed("reference", "alphabeta:nodes=1000", |text| NamedPlayer::parse(text, &value.span()))
}

/// The reference itself.
fn found_reference(
    programs: &Programs,
    named: &NamedPlayer,
    section: &Section,
    rules: &dyn Rules,
) -> Option<Player> {
    let place = section.span_of("reference");
    let table = section.value("reference").is_some_and(|value| value.get_ref().is_table());
    let table = if table { section.table("reference", "reference") } else { None };
    programs.find(named, table.as_ref().unwrap_or(section), &place, rules)
}

/// The players that a factor names.
fn found_players(programs: &Programs, factor: &Factor, rules: &dyn Rules) -> Option<Vec<Player>> {
    let found = factor.players.iter().zip(&factor.values);
    found.map(|(named, (_, place))| programs.find(named, factor.section, place, rules)).collect()
}

fn tables<'a, 't>(top: &Section<'a, 't>, key: &'static str, name: &'static str) -> Vec<Section<'a, 't>> {
    let sections = top.tables(key, name);
    if sections.len() > MAX_TABLES {
        top.wrong(key, format!("there are more than {MAX_TABLES} tables {name}"));
    }
    sections.into_iter().take(MAX_TABLES).collect()
}

/// A game to be played, with what was varied about it.
pub(crate) struct Ground {
    pub(crate) game: Game,
    pub(crate) openings: Openings,
    pub(crate) max_plies: usize,
    pub(crate) changes: Vec<(String, String)>,
    /// What that is called.
    pub(crate) names: Vec<String>,
    /// Limits that hold for both sides.
    pub(crate) limits: Vec<Limit>,
}

/// A limit that holds for both sides: `time`, `nodes` or `depth`.
#[derive(Clone)]
pub(crate) struct Limit {
    pub(crate) key: &'static str,
    pub(crate) value: String,
    /// Where the file says so.
    pub(crate) place: Range<usize>,
}

/// What has been varied about a game so far.
#[derive(Clone)]
struct Varied {
    options: String,
    changes: Vec<(String, String)>,
    names: Vec<String>,
    limits: Vec<Limit>,
}

impl Varied {
    /// The same under a further condition.
    fn with(&self, condition: &Factor, value: usize) -> Self {
        let Self { mut options, mut changes, mut names, mut limits } = self.clone();
        let (text, place) = &condition.values[value];
        let key = condition.kind.label();
        changes.push((key.to_owned(), text.clone()));
        names.push(condition.name_of(value));
        match &condition.kind {
            Kind::Limit(key) => {
                limits.push(Limit { key, value: text.clone(), place: place.clone() });
            }
            _ => {
                let comma = if options.is_empty() { "" } else { "," };
                options = format!("{options}{comma}{key}={text}");
            }
        }
        Self { options, changes, names, limits }
    }
}

/// Every game under every condition: the one at the top, or those of `[[boards]]`.
fn read_games(
    games: Games,
    top: &Section,
    sections: &[Section],
    conditions: &[Factor],
    base: &Path,
) -> Option<Vec<Ground>> {
    let has_several = !sections.is_empty();
    if has_several {
        for key in ["game", "options", "openings", "opening_plies", "max_plies"] {
            if top.value(key).is_some() {
                top.wrong(key, "it belongs into the tables [[boards]] if there are any");
            }
        }
    }
    let places: Vec<&Section> = if has_several { sections.iter().collect() } else { vec![top] };
    let mut grounds = Vec::new();
    let mut is_whole = true;
    for section in places {
        let found = grounds_of(games, section, has_several, conditions, base);
        if has_several {
            section.close();
        }
        match found {
            Some(found) => grounds.extend(found),
            None => is_whole = false,
        }
    }
    is_whole.then_some(grounds)
}

fn grounds_of(
    games: Games,
    section: &Section,
    is_named: bool,
    conditions: &[Factor],
    base: &Path,
) -> Option<Vec<Ground>> {
    // All keys are asked for, so that none of them seems to be unknown.
    let max_plies = game_keys::max_plies(section);
    let game = game_keys::game(games, section);
    let usual = |game: &Game| if game.1.seats().len() == 1 { "start" } else { "random" };
    let openings_here =
        |game: Option<&Game>| game_keys::openings(section, game, game.map_or("random", usual), base);
    let first = openings_here(game.as_ref());
    let (entry, rules) = game?;
    first?;
    let given = section.text("options", "size=6").unwrap_or_default();
    let title = entry.spec.title();
    let first = Varied {
        options: given.to_owned(),
        changes: if is_named { vec![("game".to_owned(), title.to_owned())] } else { Vec::new() },
        names: if is_named { vec![title.to_owned()] } else { Vec::new() },
        limits: Vec::new(),
    };
    let mut grounds = vec![first];
    for condition in conditions {
        if let Kind::Option(key) = &condition.kind {
            let known = || entry.spec.options.iter().map(|option| option.key);
            if !known().any(|known| known == key) {
                condition.section.wrong(
                    "option",
                    format!("{} has no option {}; {}", entry.spec.title(), quote(key), advice(key, known())),
                );
                return None;
            }
            let is_set = |pair: &str| pair.split_once('=').is_some_and(|(known, _)| known == key);
            if given.split(',').any(is_set) {
                condition.section.wrong("option", format!("{key} is set in options as well"));
                return None;
            }
        }
        grounds = grounds
            .into_iter()
            .flat_map(|ground| (0..condition.values.len()).map(move |value| ground.with(condition, value)))
            .collect();
        if grounds.len() > MAX_COMPARISONS {
            section.doc.wrong(section.span(), format!("there are more than {MAX_COMPARISONS} circumstances"));
            return None;
        }
    }
    let mut found = Vec::new();
    for Varied { options, changes, names, limits } in grounds {
        let rules = if options == given { Ok(std::sync::Arc::clone(&rules)) } else { entry.rules(&options) };
        let rules = match rules {
            Ok(rules) => rules,
            Err(error) => {
                let condition = conditions.iter().find(|condition| matches!(condition.kind, Kind::Option(_)));
                condition.unwrap_or(&conditions[0]).section.wrong("option", error);
                return None;
            }
        };
        let game = (entry, rules);
        let openings = openings_here(Some(&game))?;
        let max_plies = max_plies.unwrap_or_else(|| game_keys::usual_max_plies(&*game.1));
        found.push(Ground { game, openings, max_plies, changes, names, limits });
    }
    Some(found)
}

fn observation(section: &Section, grounds: Option<&[Ground]>) -> Option<Observation> {
    for key in ["name", "piece", "measure"] {
        if section.value(key).is_none() {
            section.doc.wrong(section.span(), format!("{key} is missing"));
        }
    }
    let name = section.parsed("name", "attackers left", |text| short(text, MAX_QUESTION));
    let piece = section.text("piece", "king").map(str::to_owned);
    let ground = section.text("ground", "castle").map(str::to_owned);
    let when =
        section.choice("measure", &[("count-at-end", When::AtEnd), ("plies-until-none", When::UntilNone)]);
    section.close();
    for Ground { game: (_, rules), .. } in grounds.into_iter().flatten() {
        for (key, name, is_piece) in [("piece", &piece, true), ("ground", &ground, false)] {
            if let Some(name) = name
                && let Err(fault) = observe::check(&**rules, name, is_piece)
            {
                section.wrong(key, fault);
            }
        }
    }
    Some(Observation { name: name?, piece: piece?, ground, when: when? })
}

/// Refuses what two parts of a file set to different values.
fn refuse_contradictions(
    reference: &Player,
    reference_section: &Section,
    factors: &[Factor],
    conditions: &[Factor],
) -> Option<()> {
    let mut is_fine = true;
    for condition in conditions {
        let Kind::Limit(limit) = condition.kind else { continue };
        let is_varied = factors.iter().any(|factor| factor.kind == Kind::Parameter(limit.to_owned()));
        if reference.sets(limit) || is_varied {
            let other = if is_varied { "[[vary]]" } else { "the reference" };
            condition
                .section
                .wrong("limit", format!("{other} sets {limit} as well; only one of them can hold"));
            is_fine = false;
        }
    }
    let all: Vec<&Factor> = factors.iter().chain(conditions).collect();
    for (index, factor) in all.iter().enumerate() {
        if all[..index].iter().any(|earlier| earlier.kind == factor.kind) {
            let what = format!("{} is varied by an earlier table as well", factor.kind.label());
            factor.section.doc.wrong(factor.section.span(), what);
            is_fine = false;
        }
    }
    if reference.sets("weights")
        && factors.iter().any(|factor| factor.kind == Kind::Parameter("weights".to_owned()))
    {
        reference_section
            .wrong("reference", "weights are varied as well; vary single weights by weight = \"NAME\"");
        is_fine = false;
    }
    is_fine.then_some(())
}

/// With listed openings, none may be played twice: games of bots limited by nodes would repeat.
fn check_openings(top: &Section, circumstances: &[Circumstance], games: usize) {
    for circumstance in circumstances {
        let is_alone = circumstance.rules.seats().len() == 1;
        match &circumstance.openings {
            Openings::Start if !is_alone => {
                top.wrong(
                    "openings",
                    "games from one position repeat each other; expected \"random\" or a file",
                );
            }
            Openings::Listed(list) if !is_alone && 2 * list.len() < games => {
                let most = 2 * list.len();
                top.wrong(
                    "openings",
                    format!(
                        "each opening is played twice, so {} are enough for {most} games, not for {games}",
                        list.len()
                    ),
                );
            }
            _ => {}
        }
    }
}
