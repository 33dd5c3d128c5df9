//! The contract of a table by example: which effects a command has, in which order, and what a driver may
//! rely on.
//!
//! Effects are written as short words here: `store 1`, `tell ann event 2`, `ask 1`, `cancel 1`, `wake 400`.

use std::time::Duration;

use agon_core::Player;
use agon_erased::Thought;
use agon_match::{
    Action, End, Fault, Goal, Millis, MoveRequest, Occupant, Policy, Seat, Setup, TakeBackTo, TimeControl,
    TimePolicy,
};
use agon_messages::Refused;
use agon_protocol::web::online::{AbsenceChoice, Leavers, Terms};
use agon_protocol::web::{ClientAction, EndKind, RefusalCode, ServerMessage, TableMode};
use agon_table::chat::Chat;
use agon_table::online::{Participant, Start};
use agon_table::{
    BotNews, Command, ConnectionId, Effect, Follower, HouseRules, MoveAttempt, Now, Opening, Question,
    Setting, StoreFailure, Table, TableSettings, VisitorId, stored,
};

const ANN: VisitorId = [1; 32];
const BEN: VisitorId = [2; 32];
const CID: VisitorId = [3; 32];

fn at(millis: u64) -> Now {
    Now { monotonic: Duration::from_millis(millis), seconds: 1_790_000_000 + millis / 1000 }
}

/// A table that was stored as it is, and what it says at first.
fn open(game: agon_match::Match, settings: TableSettings, now: Now) -> (Table, Vec<String>) {
    let mut names = 0;
    let opening = Opening {
        id: "table".to_owned(),
        owner: ANN,
        created: 0,
        stored: game.event_count(),
        game,
        settings,
        messages: Vec::new(),
        chat: Chat::default(),
        deadline: None,
        time: None,
        house: HouseRules::default(),
        new_name: Box::new(move || {
            names += 1;
            format!("name {names}")
        }),
    };
    let (table, effects) = Table::open(opening, now);
    (table, words(effects))
}

fn occupant(text: &str) -> Occupant {
    text.parse().expect("an occupant")
}

fn seat(text: &str) -> Seat {
    match occupant(text) {
        Occupant::Person => Seat::person("Ann"),
        bot => Seat::of(bot),
    }
}

/// A game on Ann's screen.
fn offline(game: &str, options: &str, mode: TableMode, seats: &[&str], clock: &str) -> Table {
    let rules = agon_registry::GAMES.rules(game, options).expect("a game");
    let control = TimeControl::parse(clock).expect("a clock");
    let policy = Policy { time: TimePolicy::new(control, Millis(0)), ..Policy::default() };
    let seats: Vec<Seat> = seats.iter().map(|text| seat(text)).collect();
    let boards = match mode {
        TableMode::Single => vec![Setup { seats, policy, ..Setup::default() }],
        _ => seats
            .into_iter()
            .map(|seat| Setup { seats: vec![seat], policy: policy.clone(), ..Setup::default() })
            .collect(),
    };
    let game = stored::start(rules, mode, Goal::Finish, boards, 7).expect("a game");
    open(game, TableSettings { pace: 400, ..TableSettings::default() }, at(0)).0
}

fn othello(seats: [&str; 2]) -> Table {
    offline("othello", "size=4", TableMode::Single, &seats, "none")
}

/// Ann plays black and Ben white, each at a browser of their own.
fn online(terms: Terms) -> Table {
    let (game, settings) = online_game(terms);
    open(game, settings, at(0)).0
}

fn online_game(terms: Terms) -> (agon_match::Match, TableSettings) {
    game_of(&[("Ann", ANN), ("Ben", BEN)], "othello", "size=4", terms)
}

/// Ann, Ben and Cid play, each at a browser of their own, and follow the game.
fn three(terms: Terms) -> Table {
    let people = [("Ann", ANN), ("Ben", BEN), ("Cid", CID)];
    let (game, settings) = game_of(&people, "chinese-checkers", "seats=g/y/p", terms);
    let mut table = open(game, settings, at(0)).0;
    for (connection, (_, visitor)) in (1..).zip(people) {
        handle(&mut table, join(connection, visitor, None), 0);
    }
    table
}

fn game_of(
    people: &[(&str, VisitorId)],
    game: &str,
    options: &str,
    terms: Terms,
) -> (agon_match::Match, TableSettings) {
    let player = |name: &str, holder| Participant {
        name: name.to_owned(),
        occupant: Occupant::Person,
        holder: Some(holder),
        program: false,
    };
    let start = Start {
        id: "table".to_owned(),
        key: None,
        name: "Lobby".to_owned(),
        owner: ANN,
        rules: agon_registry::GAMES.rules(game, options).expect("a game"),
        mode: TableMode::Single,
        players: people.iter().map(|(name, holder)| player(name, *holder)).collect(),
        terms,
        muted: Vec::new(),
        lines: Vec::new(),
    };
    let settings = TableSettings { online: Some(start.online()), ..TableSettings::default() };
    (start.game(7).expect("a game"), settings)
}

fn join(id: ConnectionId, visitor: VisitorId, since: Option<u64>) -> Command {
    Command::Join { follower: Follower { id, visitor }, id: "join".to_owned(), since }
}

fn mv(from: ConnectionId, id: &str, ply: usize, token: &str) -> Command {
    let attempt =
        MoveAttempt { board: 0, ply, request: MoveRequest::Token(token.to_owned()), delay: Millis::ZERO };
    Command::Move { from, id: id.to_owned(), attempt }
}

fn act(from: ConnectionId, id: &str, action: ClientAction) -> Command {
    Command::Act { from, id: id.to_owned(), action }
}

fn answer(number: u64, token: &str) -> Command {
    let thought = Thought::instinct(token.to_owned());
    Command::BotNews { number, news: BotNews::Answer(thought, Duration::ZERO) }
}

fn words(effects: Vec<Effect>) -> Vec<String> {
    effects.iter().map(word).collect()
}

fn word(effect: &Effect) -> String {
    match effect {
        Effect::Store(write) => {
            let events = write.events.as_ref().map_or(0, |append| append.events.len());
            let settings = if write.change.is_some() { " and settings" } else { "" };
            let line = if write.line.is_some() { " and a line" } else { "" };
            format!("store {events}{settings}{line}")
        }
        Effect::OpenTable(start) => format!("open {}", start.id),
        Effect::Tell(to, message) => {
            let to: Vec<String> = to.iter().map(ToString::to_string).collect();
            format!("tell {} {}", to.join("+"), told(message))
        }
        Effect::SeatTaken(done) => format!("seat taken: {}", done.is_ok()),
        Effect::ReserveBots => "reserve bots".to_owned(),
        Effect::ReleaseBots => "release bots".to_owned(),
        Effect::AskBot(question) => format!("ask {} on board {}", question.number, question.board),
        Effect::CancelBot(number) => format!("cancel {number}"),
        Effect::WakeAt(moment) => format!("wake {}", moment.as_millis()),
    }
}

fn told(message: &ServerMessage) -> String {
    match message {
        ServerMessage::Ack { id, .. } => format!("ack {id}"),
        ServerMessage::Error { code, .. } => format!("{code:?}"),
        ServerMessage::State { state, .. } => format!("state {}", state.seq),
        ServerMessage::Event(update) => format!("event {}..{}", update.from, update.seq),
        ServerMessage::Watchers { count, .. } => format!("watchers {count}"),
        ServerMessage::Presence { .. } => "presence".to_owned(),
        ServerMessage::Chat { lines, .. } => format!("chat {}", lines.len()),
        ServerMessage::Rematch { rematch, .. } => format!("rematch {:?}", rematch.wanted),
        ServerMessage::Notice { .. } => "notice".to_owned(),
        ServerMessage::Looked { .. } => "looked".to_owned(),
        other => format!("{other:?}"),
    }
}

fn handle(table: &mut Table, command: Command, millis: u64) -> Vec<String> {
    words(table.handle(command, at(millis)))
}

/// Has bots be allowed to think.
fn allow_bots(table: &mut Table, millis: u64) -> Vec<String> {
    handle(table, Command::BotsReserved(true), millis)
}

#[test]
fn who_joins_is_told_everything_and_who_comes_back_what_is_new() {
    let mut table = othello(["human", "human"]);
    let first = handle(&mut table, join(1, ANN, None), 0);
    assert_eq!(first, ["tell 1 state 1", "tell 1 ack join", "tell 1 watchers 1", "wake 20000"]);
    handle(&mut table, mv(1, "m1", 0, "a2"), 0);
    let back = handle(&mut table, join(2, BEN, Some(1)), 5);
    assert_eq!(back[..2], ["tell 2 event 1..2", "tell 2 ack join"]);
}

#[test]
fn what_has_happened_is_stored_before_anybody_hears_of_it() {
    let mut table = othello(["human", "human"]);
    handle(&mut table, join(1, ANN, None), 0);
    handle(&mut table, join(2, BEN, None), 0);
    let moved = handle(&mut table, mv(1, "m1", 0, "a2"), 100);
    assert_eq!(moved, ["store 1", "tell 1+2 event 1..2", "tell 1 ack m1", "wake 20100"]);
    let refused = handle(&mut table, mv(2, "m1", 1, "a1"), 100);
    assert_eq!(refused, ["tell 2 Forbidden", "wake 20100"], "Ann plays both sides");
    let stale = handle(&mut table, mv(1, "m2", 0, "a1"), 100);
    assert_eq!(stale, ["tell 1 Stale", "wake 20100"]);
}

#[test]
fn a_message_that_is_sent_again_is_answered_again_and_does_nothing() {
    let mut table = othello(["human", "human"]);
    handle(&mut table, join(1, ANN, None), 0);
    handle(&mut table, mv(1, "m1", 0, "a2"), 0);
    assert_eq!(handle(&mut table, mv(1, "m1", 0, "a2"), 0), ["tell 1 ack m1", "wake 20000"]);
    assert_eq!(table.game().event_count(), 2);
}

#[test]
fn if_nothing_can_be_stored_all_is_as_before_and_the_table_rests() {
    let mut table = othello(["human", "human"]);
    handle(&mut table, join(1, ANN, None), 0);
    let before = table.state(ANN, at(50));
    handle(&mut table, mv(1, "m1", 0, "a2"), 50);
    // The driver drops what is behind the store, and performs this instead.
    let instead = words(table.store_failed(StoreFailure::Unavailable, at(50)));
    assert_eq!(instead, ["tell 1 Storage", "wake 1050"]);
    assert_eq!(table.state(ANN, at(50)), before);
    let again = handle(&mut table, mv(1, "m1", 0, "a2"), 60);
    assert_eq!(again[..3], ["store 1", "tell 1 event 1..2", "tell 1 ack m1"], "it was not done before");
}

#[test]
fn bots_are_asked_with_permission_and_play_at_their_pace() {
    let mut table = othello(["human", "random"]);
    let joined = handle(&mut table, join(1, ANN, None), 0);
    assert_eq!(joined[3..], ["reserve bots", "wake 500"]);
    assert_eq!(handle(&mut table, Command::BotsReserved(false), 0), ["wake 500"], "not now");
    assert_eq!(handle(&mut table, Command::Tick, 500), ["reserve bots", "wake 1000"], "may they now?");
    assert_eq!(allow_bots(&mut table, 500), ["wake 20500"]);
    let moved = handle(&mut table, mv(1, "m1", 0, "a2"), 600);
    assert_eq!(moved[3..], ["ask 1 on board 0", "wake 1100"]);
    let reply = table.game().board().session().legal().swap_remove(0);
    assert_eq!(handle(&mut table, answer(1, &reply), 700), ["wake 1000"], "the pace holds it back");
    let played = handle(&mut table, Command::Tick, 1000);
    assert_eq!(played, ["store 1", "tell 1 event 2..3", "wake 21000"]);
    assert_eq!(handle(&mut table, Command::Leave(1), 1000), ["release bots", "wake 21000"], "nobody looks");
}

/// Answers whatever the bot of a board is asked until `is_enough`, and returns what is told meanwhile.
fn answer_all(
    table: &mut Table,
    mut said: Vec<String>,
    board: usize,
    is_enough: impl Fn(&Table) -> bool,
) -> Vec<String> {
    let asked = |said: &[String]| {
        let number = |word: &String| word.strip_prefix("ask ")?.split(' ').next()?.parse().ok();
        said.iter().find_map(number)
    };
    let mut told = Vec::new();
    while !is_enough(table) {
        let number = asked(&said).expect("the bot is asked at once");
        let token = table.game().boards()[board].session().legal().swap_remove(0);
        // Much time passes: whatever could be told from time to time would be.
        said = handle(table, answer(number, &token), 1000 * number);
        told.extend(said.iter().filter(|word| word.starts_with("tell")).cloned());
    }
    told
}

#[test]
fn what_is_skipped_is_told_once_as_it_stands_in_the_end() {
    let mut table = offline("2048", "", TableMode::InTurn, &["random", "human"], "none");
    handle(&mut table, join(1, ANN, None), 0);
    allow_bots(&mut table, 0);
    let said = handle(&mut table, act(1, "m1", ClientAction::Pause), 0);
    assert!(said.contains(&"tell 1 ack m1".to_owned()), "{said:?}");
    let said = handle(&mut table, act(1, "m2", ClientAction::Skip), 0);
    assert!(table.state(ANN, at(0)).skipping, "nobody waits any more");
    let told = answer_all(&mut table, said, 0, |table| table.game().boards()[0].end().is_some());
    let count = table.game().event_count();
    assert!(count > 100, "a game of some length");
    assert_eq!(told, [format!("tell 1 state {count}")]);
    assert!(!table.state(ANN, at(0)).skipping, "it is the person's turn");
}

#[test]
fn moves_that_come_fast_are_told_together() {
    let mut table = offline("2048", "", TableMode::Single, &["random"], "none");
    handle(&mut table, join(1, ANN, None), 0);
    let mut said = allow_bots(&mut table, 0);
    handle(&mut table, act(1, "m1", ClientAction::Pace { millis: 20 }), 0);
    let (mut told, mut moves) = (0, 0);
    for millis in (1000..2000).step_by(10) {
        let asked = said.iter().find_map(|word| word.strip_prefix("ask ")?.split(' ').next()?.parse().ok());
        let made = table.game().board().moves_made();
        said = match asked {
            Some(number) => {
                let token = table.game().board().session().legal().swap_remove(0);
                handle(&mut table, answer(number, &token), millis)
            }
            None => handle(&mut table, Command::Tick, millis),
        };
        moves += table.game().board().moves_made() - made;
        told += said.iter().filter(|word| word.starts_with("tell 1 event")).count();
    }
    assert!(moves >= 45 && told <= 26, "{told} messages about {moves} moves");
}

#[test]
fn pausing_ends_what_is_skipped() {
    let mut table = offline("2048", "", TableMode::Single, &["random"], "none");
    handle(&mut table, join(1, ANN, None), 0);
    let said = allow_bots(&mut table, 0);
    handle(&mut table, act(1, "m1", ClientAction::Skip), 0);
    let told = answer_all(&mut table, said, 0, |table| table.game().board().moves_made() == 10);
    assert_eq!(told, [""; 0]);
    let (known, made) = (3, table.game().event_count());
    let paused = handle(&mut table, act(1, "m2", ClientAction::Pause), 20_000);
    assert!(paused.contains(&format!("tell 1 event {known}..{made}")), "{paused:?}");
    assert!(!table.state(ANN, at(0)).skipping);
}

#[test]
fn a_watched_bot_wins_by_what_the_game_calls_a_feat_of_bots() {
    let full = |largest: u32, seat: Seat| {
        let rules = agon_registry::GAMES.rules("2048", "").expect("a game");
        let position = Some(format!("{largest},4,2,4/4,2,4,2/2,4,2,4/4,2,4,2 8"));
        let setup = Setup { seats: vec![seat], position, ..Setup::default() };
        let game = agon_match::Match::start(rules, setup, 7, Millis::ZERO).expect("a game");
        let table = open(game, TableSettings::default(), at(0)).0;
        table.state(ANN, at(0)).boards[0].facts.end.clone().map(|end| end.kind)
    };
    assert_eq!(full(4096, seat("expert")), Some(EndKind::Lost));
    assert_eq!(full(32_768, seat("expert")), Some(EndKind::Won));
    assert_eq!(full(2048, seat("human")), Some(EndKind::Won));
    assert_eq!(full(1024, seat("human")), Some(EndKind::Lost));
}

#[test]
fn answers_that_are_not_wanted_any_more_are_cancelled_and_not_heard() {
    let mut table = othello(["human", "random"]);
    handle(&mut table, join(1, ANN, None), 0);
    allow_bots(&mut table, 0);
    handle(&mut table, mv(1, "m1", 0, "a2"), 0);
    let back = handle(&mut table, act(1, "m2", ClientAction::TakeBack { board: 0 }), 10);
    assert_eq!(back, ["store 2", "cancel 1", "tell 1 event 2..4", "tell 1 ack m2", "wake 20010"]);
    assert_eq!(handle(&mut table, answer(1, "a1"), 20), ["wake 20020"], "it comes nevertheless");
    assert_eq!(table.game().board().session().len(), 0);
}

#[test]
fn a_flag_falls_when_the_table_is_woken() {
    let mut table = offline("othello", "size=4", TableMode::Single, &["human", "human"], "5s");
    let joined = handle(&mut table, join(1, ANN, None), 0);
    assert_eq!(joined[3..], ["wake 5001"]);
    let fallen = handle(&mut table, Command::Tick, 5001);
    assert_eq!(fallen, ["store 1", "tell 1 event 1..2", "wake 25001"]);
    assert!(table.game().is_over());
}

#[test]
fn whoever_leaves_a_game_with_a_clock_is_waited_for_and_then_played_for() {
    let mut table = online(Terms { clock: "1m+1s".to_owned(), grace: 5, ..Terms::default() });
    handle(&mut table, join(1, ANN, None), 0);
    handle(&mut table, join(2, BEN, None), 0);
    let left = handle(&mut table, Command::Leave(2), 1000);
    assert_eq!(left, ["tell 1 watchers 1", "tell 1 presence", "wake 6000"]);
    let given_up = handle(&mut table, Command::Tick, 6000);
    assert_eq!(given_up[..4], ["store 1", "tell 1 state 2", "tell 1 notice", "tell 1 presence"]);
    let back = handle(&mut table, join(3, BEN, None), 7000);
    assert!(back.contains(&"store 1".to_owned()) && back.contains(&"tell 1+3 notice".to_owned()), "{back:?}");
}

fn choose(from: ConnectionId, id: &str, choice: AbsenceChoice) -> Command {
    act(from, id, ClientAction::DecideAbsence { choice })
}

fn end(table: &Table) -> Option<&End> {
    table.game().board().end()
}

#[test]
fn in_a_game_of_three_without_a_clock_those_present_decide_about_the_absent() {
    let mut table = three(Terms::default());
    handle(&mut table, Command::Leave(3), 1000);
    let early = handle(&mut table, choose(1, "m1", AbsenceChoice::Bot), 120_000);
    assert_eq!(early[0], "tell 1 State", "two minutes have not passed");
    let asked = handle(&mut table, Command::Tick, 121_000);
    assert_eq!(asked[0], "tell 1+2 presence", "they may decide now");
    let half = handle(&mut table, choose(1, "m2", AbsenceChoice::Bot), 122_000);
    assert_eq!(half[..2], ["tell 1+2 presence", "tell 1 ack m2"], "nothing happens before both have agreed");
    handle(&mut table, choose(2, "m1", AbsenceChoice::Wait), 123_000);
    assert!(table.game().board().seats()[2].is_person());
    let agreed = handle(&mut table, choose(2, "m2", AbsenceChoice::Bot), 124_000);
    assert!(agreed.contains(&"tell 1+2 notice".to_owned()), "{agreed:?}");
    assert!(!table.game().board().seats()[2].is_person(), "a bot plays for Cid");
    handle(&mut table, join(4, CID, None), 130_000);
    assert!(table.game().board().seats()[2].is_person(), "Cid has the seat again");
}

#[test]
fn those_present_may_end_the_game_or_agree_on_a_draw_without_the_absent() {
    for by_draw in [false, true] {
        let mut table = three(Terms::default());
        handle(&mut table, Command::Leave(3), 0);
        handle(&mut table, Command::Tick, 120_000);
        let (ask, answer) = if by_draw {
            (ClientAction::OfferDraw, ClientAction::AnswerDraw { accept: true })
        } else {
            let end = ClientAction::DecideAbsence { choice: AbsenceChoice::End };
            (end.clone(), end)
        };
        handle(&mut table, act(1, "m1", ask), 121_000);
        assert_eq!(end(&table), None, "Ann alone decides nothing");
        handle(&mut table, act(2, "m1", answer), 122_000);
        let ended = end(&table).expect("an end");
        assert!(
            if by_draw { *ended == End::Agreed } else { matches!(ended, End::Aborted { .. }) },
            "{ended:?}"
        );
    }
}

#[test]
fn a_draw_needs_those_who_have_left_only_a_moment_ago() {
    let mut table = three(Terms::default());
    handle(&mut table, Command::Leave(3), 0);
    handle(&mut table, act(1, "m1", ClientAction::OfferDraw), 60_000);
    handle(&mut table, act(2, "m1", ClientAction::AnswerDraw { accept: true }), 61_000);
    assert_eq!(end(&table), None);
    handle(&mut table, Command::Tick, 120_000);
    assert_eq!(end(&table), Some(&End::Agreed), "all who are present have agreed by then");
}

#[test]
fn one_of_two_without_a_clock_decides_after_ten_minutes() {
    for choice in [AbsenceChoice::Bot, AbsenceChoice::End] {
        let mut table = online(Terms { grace: 5, ..Terms::default() });
        handle(&mut table, join(1, ANN, None), 0);
        handle(&mut table, join(2, BEN, None), 0);
        handle(&mut table, Command::Leave(2), 0);
        handle(&mut table, Command::Tick, 599_999);
        assert_eq!(handle(&mut table, choose(1, "m1", choice), 599_999)[0], "tell 1 State");
        handle(&mut table, Command::Tick, 600_000);
        handle(&mut table, choose(1, "m2", choice), 600_000);
        let is_stood_in = !table.game().board().seats()[1].is_person();
        assert_eq!(
            (is_stood_in, end(&table).is_some()),
            (choice == AbsenceChoice::Bot, choice == AbsenceChoice::End)
        );
    }
}

#[test]
fn nobody_has_to_be_there_where_a_move_may_take_days() {
    let mut table = online(Terms { days: Some(3), ..Terms::default() });
    handle(&mut table, join(1, ANN, None), 0);
    handle(&mut table, join(2, BEN, None), 0);
    handle(&mut table, Command::Leave(2), 0);
    handle(&mut table, Command::Tick, 3_600_000);
    assert_eq!(handle(&mut table, choose(1, "m1", AbsenceChoice::End), 3_600_000)[0], "tell 1 State");
}

#[test]
fn who_stays_away_has_not_resigned() {
    let mut table = three(Terms { leavers: Some(Leavers::Resign), ..Terms::default() });
    handle(&mut table, Command::Leave(3), 0);
    handle(&mut table, Command::Tick, 120_000);
    let forfeits: Vec<Fault> = table.game().board().forfeits().map(|forfeit| forfeit.reason).collect();
    assert_eq!(forfeits, [Fault::Absent]);
}

#[test]
fn who_asked_is_told_who_declined_and_everybody_who_has_agreed() {
    let mut table = three(Terms::default());
    handle(&mut table, act(1, "m1", ClientAction::OfferDraw), 0);
    handle(&mut table, act(2, "m1", ClientAction::AnswerDraw { accept: true }), 0);
    let offer = table.state(ANN, at(0)).boards[0].facts.offer.clone().expect("an offer");
    assert_eq!((offer.seat, offer.agreed), (0, vec![1]));
    let declined = handle(&mut table, act(3, "m1", ClientAction::AnswerDraw { accept: false }), 0);
    assert!(declined.contains(&"tell 1+2+3 notice".to_owned()), "{declined:?}");
    handle(&mut table, act(1, "m2", ClientAction::OfferDraw), 0);
    let withdrawn = handle(&mut table, act(1, "m3", ClientAction::AnswerDraw { accept: false }), 0);
    assert!(!withdrawn.iter().any(|word| word.contains("notice")), "{withdrawn:?}");
}

#[test]
fn a_rematch_opens_the_next_table_before_it_is_stored_and_told() {
    let mut table = online(Terms { leavers: Some(Leavers::Resign), ..Terms::default() });
    handle(&mut table, join(1, ANN, None), 0);
    handle(&mut table, join(2, BEN, None), 0);
    handle(&mut table, act(1, "m1", ClientAction::Resign { board: 0 }), 0);
    handle(&mut table, act(1, "m2", ClientAction::Rematch { accept: true }), 0);
    let opened = handle(&mut table, act(2, "m1", ClientAction::Rematch { accept: true }), 0);
    let expected =
        ["open name 1", "store 0 and settings", "tell 1+2 rematch [0, 1]", "tell 2 ack m1", "wake 20000"];
    assert_eq!(opened, expected);
    let failed = words(table.store_failed(StoreFailure::Unavailable, at(0)));
    assert_eq!(failed, ["tell 2 Storage", "wake 1000"], "the next table could not be opened");
    assert_eq!(
        handle(&mut table, act(2, "m2", ClientAction::Rematch { accept: true }), 1000)[0],
        "open name 2"
    );
    let full = Refused::plain(RefusalCode::Limit, "refused.stored-total");
    let failed = words(table.store_failed(StoreFailure::Refused(full), at(1000)));
    assert_eq!(failed[0], "tell 2 Limit", "whoever asks is told why");
    assert_eq!(table.settings().online.as_ref().map(|online| online.rematch.wanted.clone()), Some(vec![0]));
}

/// The table that is opened by what a command leads to, if one is.
fn opened(table: &mut Table, command: Command, millis: u64) -> Option<Start> {
    let effects = table.handle(command, at(millis)).into_iter();
    effects
        .filter_map(|effect| if let Effect::OpenTable(start) = effect { Some(*start) } else { None })
        .next()
}

/// A game of three that is over, with a line in its chat; Cid has left a second ago.
fn over_without_cid() -> Table {
    let mut table = three(Terms::default());
    handle(&mut table, act(3, "m1", ClientAction::Say { text: "Bye".to_owned(), name: None }), 0);
    handle(&mut table, act(1, "m1", ClientAction::Resign { board: 0 }), 0);
    handle(&mut table, act(2, "m1", ClientAction::Resign { board: 0 }), 0);
    handle(&mut table, Command::Leave(3), 0);
    handle(&mut table, act(1, "m2", ClientAction::Rematch { accept: true }), 1000);
    table
}

#[test]
fn a_rematch_waits_for_those_who_load_the_page_again_but_not_for_those_who_have_left() {
    let mut table = over_without_cid();
    assert!(opened(&mut table, Command::Tick, 60_000).is_none(), "nobody plays alone with bots of the house");
    let mut table = over_without_cid();
    let given_up = table.state(ANN, at(1000));
    assert_eq!(
        (given_up.seats[0].mine, given_up.online.expect("online").held),
        (false, vec![0]),
        "it is still hers"
    );
    let second = act(2, "m2", ClientAction::Rematch { accept: true });
    let effects = handle(&mut table, second, 1000);
    assert_eq!(effects.last().map(String::as_str), Some("wake 10000"), "{effects:?}");
    assert!(opened(&mut table, Command::Tick, 9_999).is_none());
    let start = opened(&mut table, Command::Tick, 10_000).expect("he has left");
    let seats: Vec<_> = start.players.iter().map(|player| (player.holder, &player.occupant)).collect();
    let bot = occupant("medium");
    assert_eq!(seats, [(Some(CID), &bot), (Some(ANN), &Occupant::Person), (Some(BEN), &Occupant::Person)]);

    let settings = TableSettings { online: Some(start.online()), ..TableSettings::default() };
    let (mut next, _) = open(start.game(7).expect("a game"), settings, at(0));
    assert!(next.state(ANN, at(0)).seats[0].stand_in, "a bot plays for him");
    handle(&mut next, join(3, CID, None), 0);
    let back = next.state(CID, at(0));
    assert!(back.seats[0].mine && back.seats[0].person, "who comes back has the seat again");
}

#[test]
fn a_rematch_waits_for_everybody_who_is_there() {
    let mut table = over_without_cid();
    handle(&mut table, join(3, CID, None), 1000);
    assert!(opened(&mut table, act(2, "m2", ClientAction::Rematch { accept: true }), 20_000).is_none());
    assert!(opened(&mut table, Command::Tick, 60_000).is_none(), "Cid is there");
    let start = opened(&mut table, act(3, "m2", ClientAction::Rematch { accept: true }), 60_000);
    let players = start.expect("all want to").players;
    assert!(players.iter().all(|player| player.occupant == Occupant::Person && player.holder.is_some()));
}

#[test]
fn what_was_said_comes_along_into_the_rematch() {
    let mut table = over_without_cid();
    handle(&mut table, act(2, "m2", ClientAction::Rematch { accept: true }), 1000);
    let start = opened(&mut table, Command::Tick, 11_000).expect("he has left");
    let lines = start.lines.into_iter().map(|line| (line.message, line.body));
    let heard = Chat::of(lines).heard_by(&ANN, &[]);
    assert_eq!(heard.iter().map(|line| (line.seq, line.text.as_str())).collect::<Vec<_>>(), [(1, "Bye")]);
}

#[test]
fn a_seat_is_taken_by_a_key_once() {
    let mut table = online(Terms::default());
    handle(&mut table, join(1, ANN, None), 0);
    let phone = [3; 32];
    let take = || Command::TakeSeat { seat: 0, visitor: phone, key: [9; 32] };
    let taken = handle(&mut table, take(), 0);
    assert_eq!(taken.first().map(String::as_str), Some("store 0 and settings"));
    assert!(taken.contains(&"seat taken: true".to_owned()), "{taken:?}");
    handle(&mut table, take(), 0);
    let used = words(table.store_failed(StoreFailure::Conflict, at(0)));
    assert_eq!(used.first().map(String::as_str), Some("seat taken: false"));
}

#[test]
fn questions_about_the_rules_are_answered_at_once() {
    let mut table = othello(["human", "human"]);
    handle(&mut table, join(1, ANN, None), 0);
    let ask = |question| Command::Ask { from: 1, id: "q".to_owned(), board: 0, question };
    assert_eq!(handle(&mut table, ask(Question::Look(0)), 0), ["tell 1 looked", "wake 20000"]);
    assert_eq!(handle(&mut table, ask(Question::Look(1)), 0), ["tell 1 Unknown", "wake 20000"]);
    assert_eq!(handle(&mut table, ask(Question::Hint), 0), ["ask 1 on board 0", "wake 20000"]);
}

#[test]
fn who_comes_back_after_a_restart_hears_that_the_clocks_stand() {
    let (game, settings) = online_game(Terms { clock: "1m".to_owned(), ..Terms::default() });
    let (mut table, _) = open(game, settings, at(0));
    let effects = table.handle(join(1, ANN, Some(1)), at(0));
    let Some(Effect::Tell(_, message)) = effects.first() else { panic!("an answer") };
    let ServerMessage::Event(update) = &**message else { panic!("what is new: {message:?}") };
    assert!(update.boards[0].facts.stopped, "nothing has been played, but the clocks wait for Ben");
}

#[test]
fn who_comes_back_hears_that_the_seat_was_taken_meanwhile() {
    let mut table = online(Terms::default());
    handle(&mut table, join(1, ANN, None), 0);
    handle(&mut table, Command::Leave(1), 0);
    handle(&mut table, Command::TakeSeat { seat: 0, visitor: [3; 32], key: [9; 32] }, 0);
    let back = handle(&mut table, join(2, ANN, Some(1)), 0);
    assert_eq!(back[0], "tell 2 state 1");
    handle(&mut table, mv(2, "m1", 0, "a2"), 0);
    handle(&mut table, join(3, [3; 32], None), 0);
    handle(&mut table, mv(3, "m1", 0, "a2"), 0);
    let back = handle(&mut table, join(4, ANN, Some(2)), 0);
    assert_eq!(back[0], "tell 4 event 2..2", "once that is known, nothing has to be told again");
}

#[test]
fn what_was_withheld_is_withheld_again_when_the_end_is_taken_back() {
    let mut table = online(Terms { help: false, ..Terms::default() });
    handle(&mut table, join(1, ANN, None), 0);
    handle(&mut table, join(2, BEN, None), 0);
    handle(&mut table, act(1, "m1", ClientAction::Resign { board: 0 }), 0);
    handle(&mut table, act(1, "m2", ClientAction::TakeBack { board: 0 }), 0);
    let granted = handle(&mut table, act(2, "m1", ClientAction::AnswerTakeBack { accept: true }), 100);
    assert_eq!(granted[..3], ["store 2", "tell 1 state 5", "tell 2 state 5"]);
    assert_eq!(table.state(ANN, at(100)).online.map(|online| online.hidden), Some(true));
}

#[test]
fn a_bot_that_plays_on_for_another_and_fails_is_not_asked_for_ever() {
    let seats = ["random", "human", "human"];
    let mut table = offline("chinese-checkers", "seats=g/r/y", TableMode::Single, &seats, "none");
    handle(&mut table, join(1, ANN, None), 0);
    allow_bots(&mut table, 0);
    // Three times before another bot takes the seat over, and three times after that.
    for number in 1..=6 {
        assert!(!table.game().is_over(), "after {number} questions");
        let news = BotNews::Failed("it is broken".to_owned());
        handle(&mut table, Command::BotNews { number, news }, 0);
    }
    assert!(table.game().is_over());
}

#[test]
fn a_board_that_was_given_up_before_its_turn_waits_for_nothing() {
    let mut table = offline("2048", "", TableMode::InTurn, &["human", "human"], "none");
    handle(&mut table, join(1, ANN, None), 0);
    let waits = |table: &Table| table.state(ANN, at(0)).boards[1].facts.waits;
    assert!(waits(&table), "the first board is played first");
    handle(&mut table, act(1, "m1", ClientAction::Resign { board: 1 }), 0);
    assert!(!waits(&table));
}

#[test]
fn a_player_who_comes_back_by_a_take_back_is_told() {
    let seats = ["human", "human", "human"];
    let mut table = offline("chinese-checkers", "seats=g/r/y", TableMode::Single, &seats, "none");
    handle(&mut table, join(1, ANN, None), 0);
    table.apply(0, Action::Resign(Player(0)), at(0)).expect("a bot plays on");
    let back = Action::RequestTakeBack(Player(0), TakeBackTo::Choice);
    table.apply(0, back, at(0)).expect("the others are asked");
    let granted = table.apply(0, Action::GrantTakeBack(Player(1)), at(100)).expect("they agree");
    assert_eq!(
        words(granted)[..2],
        ["store 2", "tell 1 state 5"],
        "who sits there is a part of the state only"
    );
}

#[test]
fn a_step_is_one_move_on_the_board_that_is_behind() {
    let mut table = offline("2048", "", TableMode::Race, &["random", "random"], "none");
    handle(&mut table, join(1, ANN, None), 0);
    assert_eq!(allow_bots(&mut table, 0)[..2], ["ask 1 on board 0", "ask 2 on board 1"]);
    let step = words(table.set(Setting::Step, at(500)));
    assert_eq!(
        step,
        [
            "store 0 and settings",
            "cancel 1",
            "cancel 2",
            "tell 1 event 7..7",
            "ask 3 on board 0",
            "wake 1000"
        ]
    );
    let legal = table.game().board().session().legal().swap_remove(0);
    let moved = handle(&mut table, answer(3, &legal), 500);
    assert!(!moved.iter().any(|effect| effect.starts_with("ask")), "{moved:?}");
    let next = words(table.set(Setting::Step, at(600)));
    assert_eq!(next[..1], ["ask 4 on board 1"]);
}

#[test]
fn a_table_whose_bots_wait_sleeps_although_permission_was_refused() {
    let mut table = othello(["random", "random"]);
    handle(&mut table, join(1, ANN, None), 0);
    handle(&mut table, Command::BotsReserved(false), 0);
    handle(&mut table, act(1, "m1", ClientAction::Pause), 100);
    assert_eq!(handle(&mut table, Command::Tick, 20_000), ["wake 40000"]);
}

#[test]
fn what_is_no_part_of_the_game_is_done_once_under_its_name_too() {
    let mut table = online(Terms::default());
    handle(&mut table, join(1, ANN, None), 0);
    let mute = |muted| ClientAction::Mute { seat: 1, muted };
    handle(&mut table, act(1, "m1", mute(true)), 0);
    handle(&mut table, act(1, "m2", mute(false)), 0);
    assert_eq!(handle(&mut table, act(1, "m1", mute(true)), 0), ["tell 1 ack m1", "wake 20000"]);
    handle(&mut table, act(1, "m3", mute(true)), 0);
    assert_eq!(words(table.store_failed(StoreFailure::Unavailable, at(0)))[0], "tell 1 Storage");
    let again = handle(&mut table, act(1, "m3", mute(true)), 0);
    assert_eq!(again[..2], ["store 0 and settings", "tell 1 ack m3"], "it was not done before");
}

#[test]
fn lines_that_could_not_be_stored_do_not_count_as_said() {
    let mut table = online(Terms::default());
    handle(&mut table, join(1, ANN, None), 0);
    let say = |number: usize| {
        act(1, &format!("m{number}"), ClientAction::Say { text: "Hello".to_owned(), name: None })
    };
    for number in 0..5 {
        handle(&mut table, say(number), 0);
        table.store_failed(StoreFailure::Unavailable, at(0));
    }
    assert_eq!(handle(&mut table, say(5), 0)[0], "store 0 and a line");
}

#[test]
fn those_who_look_on_may_write_where_the_terms_allow_it() {
    let say = |from, id: &str, name: Option<&str>| {
        act(from, id, ClientAction::Say { text: "Hello".to_owned(), name: name.map(str::to_owned) })
    };
    let mut quiet = online(Terms::default());
    handle(&mut quiet, join(3, CID, None), 0);
    assert_eq!(handle(&mut quiet, say(3, "m1", Some("Cid")), 0)[0], "tell 3 Forbidden");
    let mut table = online(Terms { spectators_chat: true, ..Terms::default() });
    handle(&mut table, join(1, ANN, None), 0);
    handle(&mut table, join(3, CID, None), 0);
    assert_eq!(handle(&mut table, say(3, "m1", None), 0)[0], "tell 3 Invalid", "a name is needed");
    assert_eq!(handle(&mut table, say(3, "m2", Some("ben")), 0)[0], "tell 3 Taken", "that is a player's");
    assert_eq!(
        handle(&mut table, say(3, "m3", Some("Cid")), 0)[..2],
        ["store 0 and a line", "tell 1+3 chat 1"]
    );
    handle(&mut table, join(4, [4; 32], None), 0);
    assert_eq!(
        handle(&mut table, say(4, "m1", Some("CID")), 0)[0],
        "tell 4 Taken",
        "somebody else goes by it"
    );
    assert_eq!(handle(&mut table, say(1, "m1", Some("Cid")), 0)[0], "store 0 and a line");
    let spoken = table.handle(join(5, BEN, None), at(0)).into_iter().find_map(|effect| match effect {
        Effect::Tell(_, message) => match *message {
            ServerMessage::Chat { lines, .. } => Some(lines),
            _ => None,
        },
        _ => None,
    });
    let spoken: Vec<_> = spoken.expect("the chat").into_iter().map(|line| (line.seat, line.name)).collect();
    assert_eq!(spoken, [(None, "Cid".to_owned()), (Some(0), "Ann".to_owned())], "players go by their names");
    // However many there are.
    let mut refused = 0;
    for number in 5..=25_u8 {
        let connection = ConnectionId::from(number) + 100;
        handle(&mut table, join(connection, [number; 32], None), 0);
        let said = handle(&mut table, say(connection, "m1", Some(&format!("Guest {number}"))), 0);
        refused += usize::from(said[0].ends_with("TooFast"));
    }
    assert_eq!(refused, 12, "nine more, with the one of Cid");
    assert_eq!(handle(&mut table, say(1, "m2", None), 0)[0], "store 0 and a line", "players are not held up");
}

#[test]
fn among_three_everybody_is_shown_what_the_others_have_played() {
    let mut table = three(Terms::default());
    let mut moves = Vec::new();
    for ply in 0..4 {
        let state = table.state(ANN, at(0));
        let facts = &state.boards[0].facts;
        let shown: Vec<(usize, String)> =
            facts.earlier.iter().chain(&facts.last).map(|last| (last.seat, last.token.clone())).collect();
        let since = moves.len().saturating_sub(2);
        assert_eq!(shown, moves[since..], "after {ply} moves");
        let (seat, token) = (facts.turn.expect("a seat"), facts.moves[0].token.clone());
        let told = table.handle(mv(seat as u64 + 1, &format!("m{ply}"), ply, &token), at(0));
        moves.push((seat, token));
        let earlier = told.into_iter().find_map(|effect| match effect {
            Effect::Tell(_, message) => match *message {
                ServerMessage::Event(update) => Some(update.boards[0].facts.earlier.clone()),
                _ => None,
            },
            _ => None,
        });
        let earlier: Vec<usize> = earlier.expect("an update").iter().map(|last| last.seat).collect();
        let before = moves.len().saturating_sub(2)..moves.len() - 1;
        assert_eq!(earlier, moves[before].iter().map(|(seat, _)| *seat).collect::<Vec<_>>());
    }
    let two = online(Terms::default());
    assert!(two.state(ANN, at(0)).boards[0].facts.earlier.is_empty());
}

#[test]
fn refusals_say_why() {
    let mut table = othello(["human", "human"]);
    handle(&mut table, join(1, ANN, None), 0);
    let effects = table.handle(mv(1, "m1", 0, "d4"), at(0));
    let Some(Effect::Tell(_, message)) = effects.first() else { panic!("an answer") };
    assert!(matches!(&**message, ServerMessage::Error { code: RefusalCode::Illegal, .. }), "{message:?}");
}
