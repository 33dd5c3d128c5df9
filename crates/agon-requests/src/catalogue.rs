//! The games as browsers are told about them.

use std::sync::Arc;

use agon_core::view::Lesson;
use agon_core::{OptionKind, OptionSpec};
use agon_erased::{GameEntry, Games, Rules, Session};
use agon_protocol::web::api::{BotGroup, BotInfo, GameInfo, OptionInfo, OptionInfoKind, RulePicture};
use agon_protocol::web::tree::TreeExample;
use agon_protocol::web::{BoardPicture, SeatState};
use agon_records::Record;

use agon_messages::Refused;
use agon_messages::reasons;
use agon_table::view::states::position_facts;

/// The one of `games` of this name.
///
/// # Errors
/// If there is none.
pub fn entry(games: Games, game: &str) -> Result<&'static GameEntry, Refused> {
    games.find(game).map_err(|_| reasons::unknown_game(games, game).about("game"))
}

/// The rules of one of `games` with these options.
///
/// # Errors
/// If there is no such game, or the options do not hold.
pub fn rules(games: Games, game: &str, options: &str) -> Result<Arc<dyn Rules>, Refused> {
    let entry = entry(games, game)?;
    entry.rules(options).map_err(|error| reasons::bad_options(entry, options, error).about("options"))
}

/// The bots that are levels, weakest first.
const LEVELS: [&str; 5] = ["novice", "easy", "medium", "hard", "expert"];

/// A game with these rules.
pub fn game_info(entry: &GameEntry, rules: &Arc<dyn Rules>) -> GameInfo {
    let mut start = rules.start().board();
    let sample = sample(entry, rules).unwrap_or_else(|| rules.start());
    let mut sampled = sample.board();
    let suggested = rules.suggested_options().iter().map(|(key, value)| format!("{key}={value}"));
    let example = rules.tree_example();
    GameInfo {
        game: entry.spec.id.to_owned(),
        options: rules.options(),
        suggested: suggested.collect::<Vec<_>>().join(","),
        choices: entry.spec.options.iter().map(option_info).collect(),
        seats: open_seats(&**rules),
        chance: rules.has_chance(),
        bots: bots(&**rules),
        styles: entry.spec.styles.to_vec(),
        start: BoardPicture::of(&mut start),
        sample: BoardPicture::of(&mut sampled),
        sample_facts: position_facts(&**rules, &*sample, sampled),
        imports: entry.imports.iter().map(|import| import.name.to_owned()).collect(),
        tree: TreeExample {
            options: example.options.to_owned(),
            position: example.position.map(str::to_owned),
            depth: example.depth,
            evaluation: example.evaluation.map(str::to_owned),
        },
    }
}

/// The boards that show a game's rules, in the order in which they are told.
pub fn rule_pictures(entry: &GameEntry) -> Vec<RulePicture> {
    // Lessons are constants of the games, whose tests say that all of them can be shown.
    entry.spec.lessons.iter().filter_map(|lesson| rule_picture(entry, lesson)).collect()
}

fn rule_picture(entry: &GameEntry, lesson: &Lesson) -> Option<RulePicture> {
    let rules = entry.rules(lesson.options).ok()?;
    let moves: Vec<String> = lesson.example.iter().map(|&example| example.to_owned()).collect();
    let session = rules.open(lesson.position, &moves).ok()?;
    let mut board = session.board();
    let picture = BoardPicture::of(&mut board);
    let mut facts = position_facts(&*rules, &*session, board);
    facts.moves.retain(|legal| lesson.piece.is_some() && legal.from == lesson.piece);
    Some(RulePicture { picture, facts, piece: lesson.piece, part: lesson.part })
}

/// The middle of the game's sample, if that is one of these rules.
fn sample(entry: &GameEntry, rules: &Arc<dyn Rules>) -> Option<Box<dyn Session>> {
    let record = Record::parse(entry.sample.as_bytes()).ok()?;
    let is_same = entry.rules(&record.options).ok()?.options() == rules.options();
    let moves = &record.moves[..record.moves.len() / 3];
    if is_same { rules.open(record.start.as_deref(), moves).ok() } else { None }
}

fn open_seats(rules: &dyn Rules) -> Vec<SeatState> {
    let titles = rules.title_messages().into_iter();
    let seat = |(title, styles)| SeatState {
        title,
        name: String::new(),
        occupant: String::new(),
        person: false,
        mine: false,
        styles,
        forfeited: false,
        stand_in: false,
        program: false,
        presence: None,
    };
    titles.zip(rules.seat_styles()).map(seat).collect()
}

fn bots(rules: &dyn Rules) -> Vec<BotInfo> {
    let info = |bot: agon_erased::BotListing| BotInfo {
        name: bot.name.to_owned(),
        group: group(bot.name),
        algorithm: bot.algorithm.to_owned(),
        settings: bot.settings.to_owned(),
    };
    rules.bots().into_iter().map(info).collect()
}

/// Levels go by their names, originals by the program that they come from: `s1`, `s3-hard`; a course's yardsticks, `course-1`, stand
/// beside them.
fn group(name: &str) -> BotGroup {
    let program = name.strip_prefix('s').and_then(|rest| rest.split('-').next());
    match program {
        _ if LEVELS.contains(&name) => BotGroup::Level,
        _ if name.starts_with("course-") => BotGroup::Original,
        Some(number) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            BotGroup::Original
        }
        _ => BotGroup::Algorithm,
    }
}

fn option_info(option: &OptionSpec) -> OptionInfo {
    OptionInfo {
        key: option.key.to_owned(),
        default: option.default.to_owned(),
        kind: option_kind(&option.kind, false),
    }
}

fn option_kind(kind: &OptionKind, off: bool) -> OptionInfoKind {
    match *kind {
        OptionKind::Integer { min, max, step } => OptionInfoKind::Integer { min, max, step, off },
        OptionKind::Choice(words) => {
            OptionInfoKind::Choice { words: words.iter().map(|word| (*word).to_owned()).collect() }
        }
        OptionKind::Switch => OptionInfoKind::Switch,
        OptionKind::OffOr(within @ &OptionKind::Integer { .. }) => option_kind(within, true),
        OptionKind::Text { suggestions, .. } => OptionInfoKind::Text {
            expected: kind.allowed(),
            suggestions: suggestions.iter().map(|word| (*word).to_owned()).collect(),
        },
        OptionKind::OffOr(_) | OptionKind::Decimal { .. } | OptionKind::Duration { .. } => {
            OptionInfoKind::Text { expected: kind.allowed(), suggestions: Vec::new() }
        }
    }
}

#[cfg(test)]
mod tests {
    use agon_registry::GAMES;

    use super::*;

    #[test]
    fn among_more_than_two_a_goal_is_suggested_that_nobody_can_prevent() {
        let entry = GAMES.find("chinese-checkers").expect("a game");
        let suggested = |options: &str| {
            let rules = entry.rules(options).expect("options");
            assert!(
                options.contains("goal=") || rules.options().contains("goal=strict"),
                "the rules' default stays"
            );
            let suggested = entry.suggested_rules(options).expect("they go together").options();
            (game_info(entry, &rules).suggested, suggested.contains("goal=fill"))
        };
        assert_eq!(suggested(""), (String::new(), false));
        assert_eq!(suggested("seats=gy/rp"), (String::new(), false), "two with two sets each");
        assert_eq!(suggested("seats=g/o/p"), ("goal=fill".to_owned(), true));
        assert_eq!(suggested("seats=g/o/p,goal=strict"), ("goal=fill".to_owned(), false), "as was chosen");
    }

    #[test]
    fn every_game_tells_about_itself() {
        for entry in GAMES {
            let rules = entry.rules("").expect("the defaults hold");
            let info = game_info(entry, &rules);
            assert_eq!(info.seats.len(), rules.seats().len());
            assert_ne!(info.sample, info.start, "{}: the sample is in the middle of a game", info.game);
            let levels = info.bots.iter().filter(|bot| bot.group == BotGroup::Level);
            assert_eq!(levels.map(|bot| bot.name.as_str()).collect::<Vec<_>>(), LEVELS, "{}", info.game);
            let drawn = rule_pictures(entry);
            assert_eq!(drawn.len(), entry.spec.lessons.len(), "{}: every rule has its board", info.game);
            for (number, rule) in (1..).zip(&drawn) {
                let moves = rule.facts.moves.len();
                assert_eq!(moves > 0, rule.piece.is_some(), "{}: moves of rule {number}", info.game);
            }
        }
    }
}
