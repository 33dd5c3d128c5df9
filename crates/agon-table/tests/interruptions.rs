//! A dead connection at a table: who hears of it, and what becomes of the clock.

use std::time::Duration;

use agon_match::{Event, MoveRequest};
use agon_protocol::web::online::{Presence, Terms};
use agon_protocol::web::{ServerMessage, TableMode};
use agon_registry::GAMES;
use agon_table::chat::Chat;
use agon_table::online::{Participant, Start};
use agon_table::{
    Command, ConnectionId, Effect, Follower, HouseRules, MoveAttempt, Now, Opening, StoreFailure, Table,
    TableSettings, VisitorId,
};

const ANNA: VisitorId = [1; 32];
const BENNO: VisitorId = [2; 32];

/// A game of Anna and Benno, in which Anna is to move first.
struct Game {
    table: Table,
    /// The moment that the driver's clock shows, in seconds.
    now: u64,
    /// What was told, to whom.
    told: Vec<(ConnectionId, ServerMessage)>,
    wake: Duration,
}

impl Game {
    fn new(clock: &str, terms: Terms) -> Self {
        let player = |name: &str, holder| Participant {
            name: name.to_owned(),
            occupant: "human".parse().expect("a person"),
            holder: Some(holder),
            program: false,
        };
        let start = Start {
            id: "game".to_owned(),
            key: None,
            name: "A game".to_owned(),
            owner: ANNA,
            rules: GAMES.rules("othello", "").expect("othello"),
            mode: TableMode::Single,
            players: vec![player("Anna", ANNA), player("Benno", BENNO)],
            terms: Terms { clock: clock.to_owned(), ..terms },
            muted: Vec::new(),
            lines: Vec::new(),
        };
        let opening = Opening {
            id: start.id.clone(),
            owner: ANNA,
            created: 0,
            game: start.game(1).expect("a game"),
            settings: TableSettings { online: Some(start.online()), ..TableSettings::default() },
            messages: Vec::new(),
            stored: 0,
            chat: Chat::default(),
            deadline: None,
            time: None,
            house: HouseRules::default(),
            new_name: Box::new(|| "name".to_owned()),
        };
        let (table, effects) = Table::open(opening, at(0));
        let mut game = Self { table, now: 0, told: Vec::new(), wake: Duration::ZERO };
        game.perform(effects);
        let both = [(1, ANNA), (2, BENNO)].map(|(id, visitor)| Follower { id, visitor });
        game.tell(Command::Begin(both.to_vec()));
        game
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Tell(to, message) => {
                    self.told.extend(to.into_iter().map(|to| (to, (*message).clone())))
                }
                Effect::WakeAt(moment) => self.wake = moment,
                _ => {}
            }
        }
    }

    fn tell(&mut self, command: Command) {
        let effects = self.table.handle(command, at(self.now));
        self.perform(effects);
    }

    /// Lets time pass, and wakes the table whenever it wants to be woken.
    fn pass(&mut self, seconds: u64) {
        let until = self.now + seconds;
        while self.wake <= Duration::from_secs(until) {
            let moment = self.wake;
            let effects =
                self.table.handle(Command::Tick, Now { monotonic: moment, seconds: moment.as_secs() });
            self.perform(effects);
            assert!(self.wake > moment, "the table is woken without end");
        }
        self.now = until;
    }

    fn fall_silent(&mut self, connection: ConnectionId, silent_for: u64) {
        self.tell(Command::Silent { connection, silent_for: Duration::from_secs(silent_for) });
    }

    /// What is left on the clock of the player to move, in whole seconds, and whether it stands.
    fn clock(&self) -> (u64, bool) {
        let state = self.table.state(ANNA, at(self.now));
        let facts = &state.boards[0].facts;
        let turn = facts.turn.expect("somebody is to move");
        (facts.clocks[turn].expect("a clock") / 1000, facts.stopped)
    }

    /// Who is there, as Benno was told last.
    fn presence(&self) -> Vec<Option<Presence>> {
        let mut told = self.told.iter().rev().filter(|(to, _)| *to == 2);
        told.find_map(|(_, message)| match message {
            ServerMessage::Presence { seats, .. } => Some(seats.clone()),
            _ => None,
        })
        .expect("Benno was told")
    }

    fn moves(&mut self, from: ConnectionId) {
        let board = self.table.game().board();
        let (ply, token) = (board.session().len(), board.session().legal().remove(0));
        let attempt =
            MoveAttempt { board: 0, ply, request: MoveRequest::Token(token), delay: Default::default() };
        self.tell(Command::Move { from, id: format!("{from}-{ply}"), attempt });
    }
}

fn at(seconds: u64) -> Now {
    Now { monotonic: Duration::from_secs(seconds), seconds }
}

fn is_here(presence: &[Option<Presence>], seat: usize) -> bool {
    presence[seat].as_ref().expect("a player").here
}

#[test]
fn the_opponent_hears_of_a_dead_connection_and_the_clock_stands() {
    let mut game = Game::new("1m+0s", Terms::default());
    game.pass(20);
    assert_eq!(game.clock(), (40, false));
    game.fall_silent(1, 4);
    assert!(!is_here(&game.presence(), 0), "Benno is told that Anna is away");
    assert!(game.presence()[0].as_ref().expect("Anna").leaves_in.is_some(), "and how long she is waited for");
    assert_eq!(game.clock(), (44, true), "since nothing was heard");
    game.pass(6);
    game.told.clear();
    game.tell(Command::Heard(1));
    assert_eq!(game.clock(), (44, false));
    assert!(is_here(&game.presence(), 0));
    game.pass(10);
    assert_eq!(game.clock(), (34, false));
}

#[test]
fn a_clock_runs_on_after_what_the_lobby_allows_and_all_are_told() {
    let mut game = Game::new("1m+0s", Terms { interruption: 10, interruptions: 12, ..Terms::default() });
    game.pass(20);
    game.fall_silent(1, 4);
    game.pass(5);
    assert_eq!(game.clock(), (44, true));
    game.told.clear();
    game.pass(5);
    assert_eq!(game.clock(), (40, false), "10 s are given back");
    let told = game.told.iter().any(|(_, message)| match message {
        ServerMessage::Event(update) => update.boards.iter().any(|board| !board.facts.stopped),
        _ => false,
    });
    assert!(told, "pages are told that the clock runs: {:?}", game.told);
    game.tell(Command::Heard(1));
    game.fall_silent(1, 0);
    game.pass(5);
    assert_eq!(game.clock(), (37, false), "2 s more, and 12 s in all");
}

#[test]
fn a_new_connection_ends_the_interruption_and_a_second_one_prevents_it() {
    let mut game = Game::new("1m+0s", Terms::default());
    game.fall_silent(1, 0);
    game.pass(5);
    let join =
        |id| Command::Join { follower: Follower { id, visitor: ANNA }, id: format!("w{id}"), since: None };
    game.tell(join(3));
    assert_eq!(game.clock(), (60, false));
    assert!(is_here(&game.presence(), 0));
    game.pass(5);
    // The dead connection is given up at last.
    game.tell(Command::Leave(1));
    assert_eq!(game.clock(), (55, false));
    game.tell(join(4));
    game.fall_silent(3, 4);
    assert!(is_here(&game.presence(), 0) && !game.clock().1, "she is there by another connection");
    // Whoever closes the page has left, and the clock runs.
    game.tell(Command::Leave(3));
    game.tell(Command::Leave(4));
    assert!(!is_here(&game.presence(), 0));
    assert_eq!(game.clock(), (55, false));
}

#[test]
fn the_time_of_the_silent_is_up_later() {
    let mut game = Game::new("30s", Terms { grace: 600, ..Terms::default() });
    game.pass(28);
    game.fall_silent(1, 4);
    game.pass(16);
    assert!(!game.table.game().is_over(), "30 s, and 15 s that are given back");
    game.pass(2);
    assert!(game.table.game().is_over());
}

#[test]
fn a_dead_connection_of_somebody_who_is_not_to_move_costs_nothing() {
    let mut game = Game::new("1m+0s", Terms::default());
    game.fall_silent(2, 4);
    game.pass(10);
    assert_eq!(game.clock(), (50, false), "Anna's clock runs");
    game.moves(1);
    assert_eq!(game.clock(), (60, true), "Benno's does not");
    game.pass(15);
    game.pass(5);
    assert_eq!(game.clock(), (55, false));
}

#[test]
fn without_a_clock_somebody_silent_is_away_and_nothing_is_stored() {
    let mut game = Game::new("none", Terms::default());
    let events = game.table.game().event_count();
    game.fall_silent(1, 4);
    assert!(!is_here(&game.presence(), 0));
    game.tell(Command::Heard(1));
    assert!(is_here(&game.presence(), 0));
    assert_eq!(game.table.game().event_count(), events);
}

#[test]
fn an_interruption_that_cannot_be_stored_has_not_happened() {
    let mut game = Game::new("1m+0s", Terms::default());
    game.pass(10);
    game.fall_silent(1, 4);
    let is_interruption = |event: &Event| matches!(event, Event::Interrupted { .. });
    assert!(game.table.game().events(0).any(|entry| is_interruption(&entry.event)));
    let effects = game.table.store_failed(StoreFailure::Unavailable, at(game.now));
    game.perform(effects);
    assert!(!game.table.game().events(0).any(|entry| is_interruption(&entry.event)));
    assert_eq!(game.clock(), (50, false));
}
