//! The server: takes two players in, drives the match between them, and tells both its state after every move.

use std::io;
use std::net::{IpAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

use agon_core::Player;
use agon_core::text::quote;
use agon_erased::Games;
use agon_match::{
    Action, End, Event, Fault, LogEvent, Match, Millis, Move, Policy, Seat, Setup, TimeControl, TimePolicy,
};
use agon_protocol::bologna::{self, parse_name};
use agon_records::Record;

use super::{Colour, Wire, rules, state};

/// What players are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// The time for a move, illegal attempts included, and for a name.
    pub time: Duration,
    /// How many illegal moves each player may send before losing.
    pub errors: u32,
}

impl Default for Conditions {
    fn default() -> Self {
        Self { time: Duration::from_secs(60), errors: 0 }
    }
}

/// A server for one game.
#[derive(Debug)]
pub struct Server {
    white: TcpListener,
    black: TcpListener,
}

impl Server {
    /// Waits for players at two ports of `address`, white's first; port 0 is any free one.
    ///
    /// # Errors
    /// If a port is not free.
    pub fn bind(address: IpAddr, [white, black]: [u16; 2]) -> io::Result<Self> {
        let bind = |port: u16| {
            let named = |error: io::Error| io::Error::new(error.kind(), format!("port {port}: {error}"));
            TcpListener::bind((address, port)).map_err(named)
        };
        Ok(Self { white: bind(white)?, black: bind(black)? })
    }

    /// The ports for white and for black.
    ///
    /// # Errors
    /// If the system does not know.
    pub fn ports(&self) -> io::Result<[u16; 2]> {
        Ok([self.white.local_addr()?.port(), self.black.local_addr()?.port()])
    }

    /// Takes in both players, white first, and plays their game, which is the Tablut of `games`; `progress` hears what happens.
    ///
    /// # Errors
    /// If the system takes no connections. What players do is no error: it is in the record.
    pub fn run(
        &self,
        games: Games,
        conditions: Conditions,
        progress: &mut dyn FnMut(&str),
    ) -> io::Result<Record> {
        let rules = rules(games)?;
        let [white_port, black_port] = self.ports()?;
        progress(&format!("waiting for white on port {white_port}"));
        let (white, white_name) = admit(&self.white, Colour::White, conditions, progress)?;
        progress(&format!("waiting for black on port {black_port}"));
        let (black, black_name) = admit(&self.black, Colour::Black, conditions, progress)?;
        let time = TimePolicy::new(TimeControl::PerMove(conditions.time.into()), Millis::ZERO);
        let seats = (0..).zip([white_name, black_name]);
        let setup = Setup {
            seats: seats.map(|(controller, name)| Seat { controller, ..Seat::person(name) }).collect(),
            policy: Policy { time, ..Policy::default() },
            ..Setup::default()
        };
        let game = Match::start(rules, setup, 0, Millis::ZERO).map_err(io::Error::other)?;
        let mut contest = Contest {
            game,
            wires: [white, black],
            errors: [0; 2],
            began: Instant::now(),
            allowed_errors: conditions.errors,
        };
        contest.play(progress);
        let mut record = Record::of(&contest.game);
        // There is no chance in Tablut.
        record.seed = None;
        contest.wires.into_iter().for_each(Wire::close);
        Ok(record)
    }
}

/// Takes in the player of a colour. Somebody who does not say a name is sent away, and the next one is awaited.
fn admit(
    listener: &TcpListener,
    colour: Colour,
    conditions: Conditions,
    progress: &mut dyn FnMut(&str),
) -> io::Result<(Wire, String)> {
    loop {
        let (stream, address) = match listener.accept() {
            // A player that left before it was let in.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => continue,
            accepted => accepted?,
        };
        match greet(stream, conditions) {
            Ok((wire, name)) => {
                let name = if name.is_empty() { colour.name().to_owned() } else { name };
                progress(&format!("{} is {name}, from {address}", colour.name()));
                return Ok((wire, name));
            }
            Err(error) => progress(&format!("a client at {address} did not send its name: {error}")),
        }
    }
}

fn greet(stream: TcpStream, conditions: Conditions) -> io::Result<(Wire, String)> {
    let mut wire = Wire::new(stream)?;
    let name = parse_name(&wire.receive(Instant::now() + conditions.time)?);
    Ok((wire, name))
}

/// A match and the wires to its players.
struct Contest {
    game: Match,
    wires: [Wire; 2],
    /// How many illegal moves each player has sent, and how many each may send.
    errors: [u32; 2],
    allowed_errors: u32,
    /// The beginning of the match's time line.
    began: Instant,
}

impl Contest {
    /// Plays the game to its end.
    fn play(&mut self, progress: &mut dyn FnMut(&str)) {
        loop {
            let absent = self.tell();
            let Some(seat) = self.game.board().to_move() else { return };
            match absent {
                Some(absent) => self.fail(absent.player(), Fault::Crash, String::new()),
                None => self.take_move(seat, progress),
            }
            if let Some(End::Forfeit { seat, reason, .. }) = self.game.board().end() {
                progress(&format!("{} loses: {reason}", name(*seat)));
            }
        }
    }

    /// Sends the state to both; a player who is not there any more, if there is one.
    fn tell(&mut self) -> Option<Colour> {
        let message = state(&self.game).message();
        let sent = self.wires.each_mut().map(|wire| wire.send(&message));
        [Colour::White, Colour::Black]
            .into_iter()
            .zip(sent)
            .find(|(_, sent)| sent.is_err())
            .map(|(colour, _)| colour)
    }

    /// Has the player to move send a move and plays it, or counts an error that is allowed.
    fn take_move(&mut self, seat: Player, progress: &mut dyn FnMut(&str)) {
        let message = loop {
            let due = self.game.board().due().unwrap_or_default();
            match self.wires[seat.index()].receive(self.began + Duration::from(due)) {
                Ok(message) => break message,
                Err(error) if error.kind() == io::ErrorKind::TimedOut => self.tick(),
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    self.fail(seat, Fault::Protocol, error.to_string());
                }
                Err(_) => self.fail(seat, Fault::Crash, String::new()),
            }
            if self.game.board().end().is_some() {
                return;
            }
        };
        let (now, known) = (self.now(), self.game.event_count());
        let played = bologna::Action::parse(&message).map_err(|error| error.to_string()).and_then(|action| {
            let mv = Move::new(seat, action.from + &action.to);
            self.game.apply(0, Action::Move(mv), now).map_err(|refusal| refusal.to_string())
        });
        match played {
            Ok(()) => {
                if let Some(LogEvent { event: Event::Played(played), .. }) = self.game.events(known).next() {
                    progress(&format!("{}: {}", name(seat), played.token));
                }
            }
            Err(fault) => {
                progress(&format!("{} erred: {}", name(seat), quote(&fault)));
                let errors = &mut self.errors[seat.index()];
                *errors += 1;
                if *errors > self.allowed_errors {
                    self.fail(seat, Fault::Illegal, fault);
                }
            }
        }
    }

    /// Has the flag fall if the time is up.
    fn tick(&mut self) {
        let ticked = self.game.apply(0, Action::Tick, self.now());
        debug_assert!(ticked.is_ok(), "time always passes");
    }

    fn fail(&mut self, seat: Player, reason: Fault, detail: String) {
        let failed = self.game.apply(0, Action::Fault { seat, reason, detail }, self.now());
        debug_assert!(failed.is_ok(), "a match that goes on can be lost");
    }

    /// The present moment on the match's time line.
    fn now(&self) -> Millis {
        self.began.elapsed().into()
    }
}

/// What people call a seat.
fn name(seat: Player) -> &'static str {
    Colour::of(seat).name()
}
