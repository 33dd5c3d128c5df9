//! What must hold whatever happens.

use agon_core::Player;
use agon_match::Match;
use agon_protocol::web::{PlyState, ServerMessage};
use agon_table::{BotQuestion, ConnectionId, Purpose, TableSettings, VisitorId, scoped, stored};

use std::time::Duration;

use crate::bots::Asked;
use crate::clients::{Answer, Message};
use crate::picture;
use crate::scenario::visitor;
use crate::world::World;

/// A message is told only of what is stored, and says nothing that its readers must not know.
pub(crate) fn message(world: &mut World, to: &[ConnectionId], message: &ServerMessage) {
    let stored = world.store.events.len() as u64;
    let told = match message {
        ServerMessage::State { state, .. } => Some(state.seq),
        ServerMessage::Event(update) => Some(update.seq),
        ServerMessage::Ack { seq, .. } => *seq,
        _ => None,
    };
    assert!(told.is_none_or(|told| told <= stored), "event {told:?} is told, and {stored} are stored");
    let table = world.table();
    let online = table.settings().online.as_ref();
    if online.is_some_and(|online| !online.terms.help) && !table.game().is_over() {
        let is_bare = |ply: &PlyState| ply.score.is_none() && ply.depth.is_none() && ply.nodes.is_none();
        let hides = match message {
            ServerMessage::Thinking(_) | ServerMessage::Hinted { .. } => false,
            ServerMessage::State { state, .. } => {
                state.boards.iter().flat_map(|board| &board.plies).all(is_bare)
            }
            ServerMessage::Event(update) => update.boards.iter().flat_map(|board| &board.plies).all(is_bare),
            _ => true,
        };
        assert!(hides, "help is told in a game without: {message:?}");
    }
    if let ServerMessage::Chat { lines, .. } = message {
        for line in lines {
            let (_, body) = &world.store.chat[line.seq as usize - 1];
            let speaker = speaker(body);
            let muted = online.map_or(&[][..], |online| &online.muted);
            let is_muted =
                |to: &ConnectionId| muted.contains(&(visitor(world.clients.here[to].visitor), speaker));
            assert!(!to.iter().any(is_muted), "somebody is heard who is muted");
        }
    }
    if world.dice.percent(2) {
        let seed = world.seed.to_string();
        let text = serde_json::to_string(message).expect("JSON");
        assert!(!text.contains(&seed), "the seed is told");
    }
}

/// Who has said a line, as it is stored.
pub(crate) fn speaker(body: &str) -> VisitorId {
    let value: serde_json::Value = serde_json::from_str(body).expect("JSON");
    serde_json::from_value(value["visitor"].clone()).expect("a visitor")
}

/// A bot is asked only what it may think about.
pub(crate) fn question(world: &World, question: &BotQuestion) {
    let table = world.table();
    let board = &table.game().boards()[question.board];
    assert_eq!(question.session.len(), board.session().len(), "a bot is asked about the past");
    assert_eq!(board.to_move(), Some(question.seat), "a bot is asked whose turn it is not");
    assert!(!table.game().is_over() && !board.is_paused(), "a bot is asked when nobody can move");
    assert!(!table.game().is_waiting(question.board), "a bot is asked on a board that waits");
    let seat = &board.seats()[question.seat.index()];
    if question.purpose == Purpose::Hint {
        assert!(seat.is_person(), "only people need hints");
        return;
    }
    assert!(!seat.is_person() && seat.occupant == question.occupant, "somebody else plays there");
    assert!(world.bots.may_think, "a bot is asked without permission");
    assert!(!is_held(world), "a bot is asked that is to wait");
    assert!(world.clock >= world.model.rests_until, "a bot is asked although nothing can be stored");
    assert!(world.model.is_observed(table.game(), &world.clients, world.clock), "nobody looks");
    let mut open = world.bots.open.values().filter(|asked| asked.purpose == Purpose::Move);
    assert!(open.all(|asked| asked.board != question.board), "two bots are asked on one board");
}

/// Whether all bots are to wait. What a command sets counts as soon as it has been acknowledged.
fn is_held(world: &World) -> bool {
    world.table().settings().paused && world.model.steps == 0
}

fn is_still_asked(game: &Match, asked: &Asked) -> bool {
    let board = &game.boards()[asked.board];
    let occupant = |seat: Player| &board.seats()[seat.index()].occupant;
    board.session().len() == asked.ply
        && board.to_move() == Some(asked.seat)
        && !board.is_paused()
        && (asked.purpose == Purpose::Hint || *occupant(asked.seat) == asked.occupant)
}

/// What holds whenever all effects of a command have been performed.
pub(crate) fn at_rest(world: &mut World, is_tick: bool) {
    let table = world.table.as_ref().expect("open");
    let game = table.game();
    assert_eq!(game.event_count(), world.store.events.len(), "something has happened that is not stored");
    assert_eq!(table.stored(), world.store.events.len());
    let is_observed = world.model.is_observed(game, &world.clients, world.clock);
    let is_held = is_held(world);
    for asked in world.bots.open.values() {
        assert!(is_still_asked(game, asked), "a question is open that has become void");
        if asked.purpose == Purpose::Move {
            assert!(!is_held, "a question is open although the bots are to wait");
            let may_be_asked = is_observed || !is_tick;
            assert!(may_be_asked && world.bots.may_think, "a question is open although nobody looks");
        }
    }
    let mut seats = game.boards().iter().flat_map(|board| board.seats());
    if !is_observed || game.is_over() || seats.all(|seat| seat.is_person()) {
        assert!(!world.bots.may_think || !is_tick, "permission for bots is kept that is not needed");
        world.model.asked_permission = None;
    }
    // What bots have found is forgotten when they are made to wait.
    let is_paused = table.settings().paused;
    let keeps = !is_held && is_observed && (!is_paused || world.model.was_paused);
    world.model.was_paused = is_paused;
    world.bots.found.retain(|_, asked| keeps && is_still_asked(game, asked));
    let rests = world.clock < world.model.rests_until;
    if world.bots.may_think && is_observed && !rests {
        let moves = || world.bots.open.values().filter(|asked| asked.purpose == Purpose::Move);
        let is_asked = |board: &usize| {
            world.bots.found.contains_key(board) || moves().any(|asked| asked.board == *board)
        };
        let (asked, others): (Vec<usize>, Vec<usize>) = (0..game.boards().len()).partition(is_asked);
        let steps = if table.settings().paused { world.model.steps as usize } else { usize::MAX };
        assert!(asked.len() <= steps, "more bots are asked than may move");
        let is_idle = |board: &usize| table.bot_to_move(*board).is_some();
        assert!(asked.len() >= steps || !others.iter().any(is_idle), "a bot is not asked to move");
    }
    check_wake(world);
    if is_tick && !rests {
        nothing_is_due(world);
    }
    let answered = |connection: &ConnectionId| {
        let hints = world.bots.open.values().filter(|asked| asked.purpose == Purpose::Hint).count();
        world.clients.here[connection].waiting.len() <= hints
    };
    assert!(world.clients.here.keys().all(answered), "a message is not answered");
    let is_told = |connection: &ConnectionId| {
        let picture = world.clients.here[connection].picture.as_ref();
        picture.is_none_or(|picture| picture.seq() == game.event_count() as u64)
    };
    if world.clients.here.keys().all(is_told) {
        if world.dice.percent(6) {
            let here: Vec<ConnectionId> = world.clients.here.keys().copied().collect();
            if !here.is_empty() {
                let connection = *world.dice.pick(&here);
                picture_is_true(world, connection);
            }
        }
    } else if !world.table().is_skipping() {
        // What is skipped is told once it is over.
        assert!(world.wake <= world.clock + Duration::from_millis(40) || rests, "news are not told soon");
        assert!(!is_tick || rests || told_late(world), "news are not told");
    }
}

/// Whether the last events are so new that they need not have been told with the last tick.
fn told_late(world: &World) -> bool {
    world.wake <= world.clock + Duration::from_millis(40)
}

/// What a page shows that has been told everything is what there is.
pub(crate) fn picture_is_true_if_told(world: &World, connection: ConnectionId) {
    let picture = world.clients.here.get(&connection).and_then(|client| client.picture.as_ref());
    if picture.is_some_and(|picture| picture.seq() == world.table().game().event_count() as u64) {
        picture_is_true(world, connection);
    }
}

/// What a page shows is what there is.
pub(crate) fn picture_is_true(world: &World, connection: ConnectionId) {
    let client = &world.clients.here[&connection];
    if let Some(picture) = &client.picture {
        world.summary.pictures.set(world.summary.pictures.get() + 1);
        let real = world.table().state(visitor(client.visitor), world.now());
        picture::compare(picture.shown(world.clock), real);
    }
}

/// The table is woken early enough for everything that happens by itself.
fn check_wake(world: &World) {
    let now = world.clock;
    let rests_until = world.model.rests_until;
    if now < rests_until {
        assert_eq!(world.wake, rests_until, "the table is not woken when it has rested");
        return;
    }
    assert!(world.wake <= now + Duration::from_secs(20), "the table is not looked after");
    if let Some(due) = next_due(world) {
        assert!(world.wake <= due.max(now), "the table sleeps too long: until {:?}, not {due:?}", world.wake);
    }
    if let Some(asked) = world.model.asked_permission.filter(|_| !world.bots.may_think && !is_held(world)) {
        assert!(world.wake <= asked + Duration::from_millis(500), "permission is not asked for again");
    }
}

/// When something happens by itself: a pass, the end of somebody's time, of an absence or of a bot's waiting.
fn next_due(world: &World) -> Option<Duration> {
    let table = world.table();
    let game = table.game();
    let time = table.time(world.now());
    let at = |due: agon_match::Millis| world.clock + Duration::from(due.minus(time));
    let boards = game.boards().iter().filter(|board| board.due_person().is_some());
    let clocks = boards.filter_map(|board| board.due()).chain(game.deadline());
    let clocks = clocks.map(at).min().filter(|_| !world.model.rests());
    let online = table.settings().online.as_ref();
    let absence = online.and_then(|online| world.model.absence_ends(game, online, world.clock));
    let pace = Duration::from_millis(if table.is_skipping() { 0 } else { table.settings().pace.into() });
    let held =
        world.bots.found.keys().map(|board| world.clock + game.boards()[*board].time_until(pace, time));
    clocks.into_iter().chain(absence).chain(held).min()
}

/// What was due has happened when the table was woken.
fn nothing_is_due(world: &World) {
    if let Some(due) = next_due(world) {
        assert!(due > world.clock, "something was due at {due:?} and has not happened");
    }
    let decision = world.model.decision(world.table(), &world.clients, world.clock);
    assert_eq!(decision, None, "those present have agreed, and nothing has happened");
}

/// All that was acknowledged is stored, and what is stored is the match that was played.
pub(crate) fn nothing_is_lost(world: &World) {
    for sent in &world.clients.sent {
        if let (Message::Move(_), Some(Answer::Done(Some(seq)))) = (&sent.message, &sent.answer) {
            let stored = world.store.messages.get(&scoped(&visitor(sent.visitor), &sent.id));
            assert_eq!(stored, Some(seq), "a move that was acknowledged is lost");
        }
    }
    let Some(table) = &world.table else { return };
    let replayed = stored::replay(agon_registry::GAMES, &world.store.events).expect("a game");
    assert!(replayed.events(0).eq(table.game().events(0)), "another match is stored than is played");
    let positions = |game: &Match| -> Vec<String> {
        game.boards().iter().map(|board| board.session().position()).collect()
    };
    assert_eq!(positions(&replayed), positions(table.game()));
    let settings: TableSettings = serde_json::from_str(&world.store.settings).expect("settings");
    assert_eq!(settings, *table.settings(), "other settings are stored than hold");
    if !table.game().is_over() {
        assert!(!table.record().contains(&world.seed.to_string()), "the record tells the seed");
    }
}
