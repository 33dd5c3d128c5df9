//! The Tablut Challenge of the University of Bologna: a [`Server`] that referees two players of it, and a client that
//! joins such a server with one of our bots.

mod client;
mod server;

use std::io::{self, Read};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_core::{Player, Verdict};
use agon_erased::{Games, Rules, Session};
use agon_formats::grid::{compress, expand};
use agon_match::{End, Match};
use agon_protocol::bologna::{Cell, SIZE, State, Turn, read_message, write_message};

pub use client::{Client, ClientError};
pub use server::{Conditions, Server};

/// The two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// The defenders and their king, who move first.
    White,
    /// The attackers.
    Black,
}

impl Colour {
    /// The seat as positions name it.
    fn seat(self) -> &'static str {
        match self {
            Self::White => "w",
            Self::Black => "b",
        }
    }

    /// The seat in playing order.
    fn player(self) -> Player {
        Player(self as u8)
    }

    /// The side that has a seat.
    fn of(seat: Player) -> Self {
        if seat == Self::White.player() { Self::White } else { Self::Black }
    }

    /// The side as people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
        }
    }

    fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    fn turn(self) -> Turn {
        match self {
            Self::White => Turn::White,
            Self::Black => Turn::Black,
        }
    }

    fn win(self) -> Turn {
        match self {
            Self::White => Turn::WhiteWin,
            Self::Black => Turn::BlackWin,
        }
    }

    /// The side to move in `session`, which is one of Tablut.
    fn to_move(session: &dyn Session) -> Self {
        if session.turn_name() == Self::White.seat() { Self::White } else { Self::Black }
    }
}

/// The rules of the challenge.
fn rules(games: Games) -> io::Result<Arc<dyn Rules>> {
    games.find("tablut").map_err(io::Error::other)?.rules("rules=bologna").map_err(io::Error::other)
}

/// Where `game` stands, in the words of the protocol.
fn state(game: &Match) -> State {
    let turn = match game.board().end() {
        None => Colour::to_move(game.board().session()).turn(),
        Some(End::Rules { verdict: Verdict::Won(winner), .. }) => Colour::of(*winner).win(),
        Some(End::Forfeit { seat, .. }) => Colour::of(*seat).other().win(),
        Some(End::Rules { .. } | End::Agreed | End::Goal | End::Aborted { .. }) => Turn::Draw,
    };
    let mut board = [[Cell::Empty; SIZE]; SIZE];
    let position = game.board().session().position();
    let squares = expand(position.split(' ').next().unwrap_or_default());
    for (cells, letters) in board.iter_mut().zip(squares) {
        for (cell, letter) in cells.iter_mut().zip(letters) {
            *cell = match letter {
                'w' => Cell::White,
                'b' => Cell::Black,
                'k' => Cell::King,
                _ => Cell::Empty,
            };
        }
    }
    let castle = &mut board[SIZE / 2][SIZE / 2];
    if *castle == Cell::Empty {
        *castle = Cell::Throne;
    }
    State { board, turn }
}

/// The board of `state` as positions write it.
fn rows(state: &State) -> String {
    let letter = |cell: &Cell| match cell {
        Cell::White => 'w',
        Cell::Black => 'b',
        Cell::King => 'k',
        Cell::Empty | Cell::Throne => '.',
    };
    let squares: Vec<Vec<char>> = state.board.iter().map(|row| row.iter().map(letter).collect()).collect();
    compress(squares.iter().map(Vec::as_slice))
}

/// How long somebody may take to read what was sent to them.
const WRITE_TIME: Duration = Duration::from_secs(5);
/// How long a connection that is being closed may still send.
const LAST_WAIT: Duration = Duration::from_millis(300);

/// A connection that neither side can hold up.
struct Wire {
    stream: TcpStream,
}

impl Wire {
    fn new(stream: TcpStream) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(WRITE_TIME))?;
        Ok(Self { stream })
    }

    fn send(&mut self, message: &str) -> io::Result<()> {
        write_message(&mut self.stream, message)
    }

    /// The next message, if it is whole before `deadline`; an error of the kind `TimedOut` if it is not.
    fn receive(&mut self, deadline: Instant) -> io::Result<Vec<u8>> {
        read_message(&mut Punctual { stream: &self.stream, deadline })
    }

    /// Closes the connection so that what was sent last arrives: bytes that nobody reads would cut it off.
    fn close(self) {
        if self.stream.shutdown(Shutdown::Write).is_ok() {
            let mut rest = Punctual { stream: &self.stream, deadline: Instant::now() + LAST_WAIT };
            let _ = io::copy(&mut rest, &mut io::sink());
        }
    }
}

/// Reads until a deadline, however slowly the bytes come.
struct Punctual<'a> {
    stream: &'a TcpStream,
    deadline: Instant,
}

impl Read for Punctual<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        (&mut &*self.stream).read(buffer).map_err(|error| match error.kind() {
            // What a time-out is called differs between systems.
            io::ErrorKind::WouldBlock => io::ErrorKind::TimedOut.into(),
            _ => error,
        })
    }
}
