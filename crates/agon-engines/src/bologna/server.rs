//! The referee: takes two players in, tells both the state after every move, and ends the game by the rules or by what
//! a player has done.

use std::io;
use std::net::{IpAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

use agon_arena::{Record, RecordResult};
use agon_core::text::{duration_text, quote};
use agon_protocol::bologna::{Action, State, parse_name};
use agon_registry::Session;

use super::{Colour, Wire, rules, state};

/// How strict the referee is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Referee {
    /// The time for a move, and for a name.
    pub time: Duration,
    /// How many illegal moves each player may send before losing.
    pub errors: u32,
}

impl Default for Referee {
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

/// Why a player has lost outside of the rules, in the words of records.
type Offence = &'static str;

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

    /// Takes in both players, white first, and plays their game; `progress` hears what happens.
    ///
    /// # Errors
    /// If the system takes no connections. What players do is no error: it is in the record.
    pub fn run(&self, referee: Referee, progress: &mut dyn FnMut(&str)) -> io::Result<Record> {
        let rules = rules()?;
        let [white_port, black_port] = self.ports()?;
        progress(&format!("waiting for white on port {white_port}"));
        let (white, white_name) = admit(&self.white, Colour::White, referee, progress)?;
        progress(&format!("waiting for black on port {black_port}"));
        let (black, black_name) = admit(&self.black, Colour::Black, referee, progress)?;
        let mut game = Game { session: rules.start(), wires: [white, black], errors: [0; 2] };
        let forfeit = game.play(referee, |session| state(&*rules, session), progress);
        let mut record = Record::of_session(&*rules, &*game.session);
        record.players = vec![white_name, black_name];
        record.clock = Some(format!("{} a move", duration_text(referee.time)));
        if let Some((loser, offence)) = forfeit {
            let (seat, reason) = (loser.seat().to_owned(), offence.to_owned());
            record.result = Some(RecordResult::Forfeit { seat, reason });
        }
        game.wires.into_iter().for_each(Wire::close);
        Ok(record)
    }
}

/// Takes in the player of a colour. Somebody who does not say a name is sent away, and the next one is awaited.
fn admit(
    listener: &TcpListener,
    colour: Colour,
    referee: Referee,
    progress: &mut dyn FnMut(&str),
) -> io::Result<(Wire, String)> {
    loop {
        let (stream, address) = match listener.accept() {
            // Somebody who has gone before being let in.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => continue,
            accepted => accepted?,
        };
        match greet(stream, referee) {
            Ok((wire, name)) => {
                let name = if name.is_empty() { colour.name().to_owned() } else { name };
                progress(&format!("{} is {name}, from {address}", colour.name()));
                return Ok((wire, name));
            }
            Err(error) => progress(&format!("somebody from {address} said no name: {error}")),
        }
    }
}

fn greet(stream: TcpStream, referee: Referee) -> io::Result<(Wire, String)> {
    let mut wire = Wire::new(stream)?;
    let name = parse_name(&wire.receive(Instant::now() + referee.time)?);
    Ok((wire, name))
}

struct Game {
    session: Box<dyn Session>,
    wires: [Wire; 2],
    errors: [u32; 2],
}

impl Game {
    /// Plays the game to its end; if a player loses outside of the rules, who and why.
    fn play(
        &mut self,
        referee: Referee,
        state: impl Fn(&dyn Session) -> State,
        progress: &mut dyn FnMut(&str),
    ) -> Option<(Colour, Offence)> {
        loop {
            let now = state(&*self.session);
            let absent = self.tell(&now);
            if self.session.outcome().is_some() {
                return None;
            }
            let mover = Colour::to_move(&*self.session);
            let offence = match absent {
                Some(absent) => Err((absent, "crash")),
                None => self.take_move(mover, referee, progress).map_err(|offence| (mover, offence)),
            };
            if let Err((loser, offence)) = offence {
                progress(&format!("{} loses: {offence}", loser.name()));
                self.tell(&State { turn: loser.other().win(), ..now });
                return Some((loser, offence));
            }
        }
    }

    /// Sends the state to both; a player who is not there any more, if there is one.
    fn tell(&mut self, state: &State) -> Option<Colour> {
        let message = state.message();
        let sent = self.wires.each_mut().map(|wire| wire.send(&message));
        [Colour::White, Colour::Black]
            .into_iter()
            .zip(sent)
            .find(|(_, sent)| sent.is_err())
            .map(|(colour, _)| colour)
    }

    /// Has `mover` send a move and plays it, or counts an error that is allowed.
    fn take_move(
        &mut self,
        mover: Colour,
        referee: Referee,
        progress: &mut dyn FnMut(&str),
    ) -> Result<(), Offence> {
        let received = self.wires[mover as usize].receive(Instant::now() + referee.time);
        let message = received.map_err(|error| match error.kind() {
            io::ErrorKind::TimedOut => "late",
            io::ErrorKind::InvalidData => "protocol",
            _ => "crash",
        })?;
        let played = Action::parse(&message).map_err(|error| error.to_string()).and_then(|action| {
            let token = action.from + &action.to;
            self.session.play(&token).map_err(|error| error.to_string())
        });
        match played {
            Ok(token) => progress(&format!("{}: {token}", mover.name())),
            Err(fault) => {
                progress(&format!("{} erred: {}", mover.name(), quote(&fault)));
                let errors = &mut self.errors[mover as usize];
                *errors += 1;
                if *errors > referee.errors {
                    return Err("illegal");
                }
            }
        }
        Ok(())
    }
}
