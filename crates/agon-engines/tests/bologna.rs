//! The Bologna challenge over loopback: our client at our server, and players and servers that misbehave.

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, TcpListener, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use agon_engines::Casting;
use agon_engines::bologna::{Client, ClientError, Colour, Conditions, Server};
use agon_protocol::bologna::{Cell, State, Turn, read_message, write_message};
use agon_records::{Record, RecordResult};
use agon_registry::GAMES;

const LOCAL: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

fn client(colour: Colour, bot: &str, seed: u64) -> Client {
    Client {
        colour,
        name: format!("{} {bot}!", colour.name()),
        time: Duration::from_secs(60),
        patience: Duration::from_secs(60),
        casting: Casting { games: GAMES, bot: Some(bot.parse().expect("a specification")), seed, threads: 1 },
    }
}

/// A server at work, and its ports.
fn serve(conditions: Conditions) -> ([u16; 2], JoinHandle<Record>) {
    let server = Server::bind(LOCAL, [0, 0]).expect("there are free ports");
    let ports = server.ports().expect("the ports are known");
    (ports, thread::spawn(move || server.run(GAMES, conditions, &mut |_| {}).expect("it serves")))
}

/// A player that does what the test says.
struct Puppet(TcpStream);

impl Puppet {
    fn join(port: u16, name: &str) -> Self {
        let mut puppet = Self(TcpStream::connect((LOCAL, port)).expect("the server is there"));
        puppet.say(name);
        puppet
    }

    fn say(&mut self, message: &str) {
        write_message(&mut self.0, message).expect("the server listens");
    }

    fn hear(&mut self) -> State {
        State::parse(&read_message(&mut self.0).expect("the server speaks")).expect("it tells a state")
    }
}

/// Two puppets at a server.
fn puppets(conditions: Conditions) -> (Puppet, Puppet, JoinHandle<Record>) {
    let ([white, black], server) = serve(conditions);
    let (mut white, mut black) =
        (Puppet::join(white, "\"Weiß 1!\""), Puppet::join(black, "BlackPlayerWithALongName"));
    let (one, other) = (white.hear(), black.hear());
    assert_eq!(one, other, "both hear the same");
    assert_eq!((one.turn, one.board[4][4]), (Turn::White, Cell::King));
    (white, black, server)
}

fn forfeit(seat: &str, reason: &str) -> Option<RecordResult> {
    Some(RecordResult::Forfeit { seat: seat.to_owned(), reason: reason.to_owned() })
}

#[test]
fn whole_games_are_played_and_their_records_hold() {
    for (seed, white, black) in
        [(1, "random", "greedy"), (2, "greedy", "random"), (3, "plain:nodes=200", "random")]
    {
        let ([white_port, black_port], server) = serve(Conditions::default());
        let play = |colour, bot: &str, port| {
            let client = client(colour, bot, seed);
            thread::spawn(move || {
                let stream = TcpStream::connect((LOCAL, port)).expect("the server is there");
                client.play(stream, &mut |_| {}).expect("the game is played to its end")
            })
        };
        // White is handled first also if black was there first.
        let black_player = play(Colour::Black, black, black_port);
        let white_player = play(Colour::White, white, white_port);
        let ends = [white_player, black_player].map(|player| player.join().expect("no panic"));
        let record = server.join().expect("no panic");
        assert_eq!(ends[0], ends[1]);
        let session = record.replay(GAMES).expect("the record holds");
        assert!(session.outcome().is_some(), "the game was played to its end");
        let won = match ends[0] {
            Turn::WhiteWin => "won w",
            Turn::BlackWin => "won b",
            _ => "drawn",
        };
        assert!(record.result.as_ref().is_some_and(|result| result.to_string().starts_with(won)));
        assert!(record.players[0].starts_with("white") && record.players[1].starts_with("black"));
        assert_eq!(record.clock.as_deref(), Some("1m"));
    }
}

#[test]
fn states_follow_moves_and_capital_letters_are_taken() {
    let (mut white, mut black, server) = puppets(Conditions::default());
    white.say(r#"{"from": "E4", "to": "F4", "turn": "BLACK"}"#);
    let state = white.hear();
    assert_eq!(black.hear(), state);
    assert_eq!(state.turn, Turn::Black);
    assert_eq!((state.board[3][4], state.board[3][5]), (Cell::Empty, Cell::White));
    black.say(r#"{"from": "d1", "to": "d3"}"#);
    let state = black.hear();
    assert_eq!(state.board[2][3], Cell::Black);
    assert_eq!(white.hear().turn, Turn::White);
    // The king leaves the castle, which is then called the throne.
    white.say(r#"{"from": "e5", "to": "e4", "turn": "WHITE"}"#);
    let state = white.hear();
    assert_eq!((state.board[3][4], state.board[4][4]), (Cell::King, Cell::Throne));
    black.hear();
    drop(black);
    assert_eq!(white.hear().turn, Turn::WhiteWin, "who leaves has lost");
    let record = server.join().expect("no panic");
    assert_eq!(record.players, ["Weiß1", "BlackPlaye"]);
    assert_eq!(record.moves, ["e4f4", "d1d3", "e5e4"]);
    assert_eq!(record.result, forfeit("b", "crash"));
}

#[test]
fn an_illegal_move_loses_at_once() {
    for message in [r#"{"from": "e4", "to": "e5"}"#, r#"{"from": "d1", "to": "d2"}"#, "nonsense", "{}", ""] {
        let (mut white, mut black, server) = puppets(Conditions::default());
        white.say(message);
        assert_eq!(white.hear().turn, Turn::BlackWin, "{message}");
        assert_eq!(black.hear().turn, Turn::BlackWin, "{message}");
        let record = server.join().expect("no panic");
        assert_eq!(record.result, forfeit("w", "illegal"));
        record.replay(GAMES).expect("a forfeited record holds");
    }
}

#[test]
fn where_errors_are_allowed_the_same_state_is_sent_again() {
    let (mut white, mut black, server) = puppets(Conditions { errors: 1, ..Conditions::default() });
    white.say("nonsense");
    let again = white.hear();
    assert_eq!(black.hear(), again);
    assert_eq!(again.turn, Turn::White);
    white.say(r#"{"from": "e4", "to": "f4"}"#);
    assert_eq!((white.hear().turn, black.hear().turn), (Turn::Black, Turn::Black));
    black.say(r#"{"from": "a1", "to": "a2"}"#);
    assert_eq!((white.hear().turn, black.hear().turn), (Turn::Black, Turn::Black));
    black.say(r#"{"from": "a1", "to": "a2"}"#);
    assert_eq!((white.hear().turn, black.hear().turn), (Turn::WhiteWin, Turn::WhiteWin));
    assert_eq!(server.join().expect("no panic").result, forfeit("b", "illegal"));
}

#[test]
fn on_a_time_out_both_hear_the_result() {
    let ([white, black], server) = serve(Conditions { time: Duration::from_secs(2), errors: 0 });
    let (mut white, mut black) = (Puppet::join(white, "w"), Puppet::join(black, "b"));
    assert_eq!((white.hear().turn, black.hear().turn), (Turn::White, Turn::White));
    // Half a message is no message.
    white.0.write_all(&[0, 0, 0, 40, b'{']).expect("the server listens");
    assert_eq!((white.hear().turn, black.hear().turn), (Turn::BlackWin, Turn::BlackWin));
    assert_eq!(server.join().expect("no panic").result, forfeit("w", "late"));
}

#[test]
fn endless_messages_and_nameless_guests_are_refused() {
    let ([white_port, black_port], server) = serve(Conditions::default());
    // Somebody who says no name does not take the seat.
    let mut guest = TcpStream::connect((LOCAL, white_port)).expect("the server is there");
    guest.write_all(&[0xff; 4]).expect("the server listens");
    drop(TcpStream::connect((LOCAL, white_port)).expect("the server is there"));
    let (mut white, mut black) = (Puppet::join(white_port, "\u{1}"), Puppet::join(black_port, "b"));
    assert_eq!((white.hear().turn, black.hear().turn), (Turn::White, Turn::White));
    white.0.write_all(&[0xff; 8]).expect("the server listens");
    assert_eq!((white.hear().turn, black.hear().turn), (Turn::BlackWin, Turn::BlackWin));
    let record = server.join().expect("no panic");
    assert_eq!(record.result, forfeit("w", "protocol"));
    assert_eq!(record.players, ["white", "b"], "a name without letters is replaced");
}

/// What our client makes of a server that sends `bytes` and then `closes` the connection or keeps it.
fn at_server(bytes: Vec<u8>, closes: bool) -> Result<Turn, ClientError> {
    let listener = TcpListener::bind((LOCAL, 0)).expect("there are free ports");
    let address = listener.local_addr().expect("the port is known");
    let server = thread::spawn(move || -> io::Result<TcpStream> {
        let (mut stream, _) = listener.accept()?;
        read_message(&mut stream)?;
        stream.write_all(&bytes)?;
        if closes {
            // A client that has seen enough may have left already.
            let _ = stream.shutdown(std::net::Shutdown::Write);
        }
        Ok(stream)
    });
    let patience = Duration::from_millis(if closes { 60_000 } else { 300 });
    let client = Client { patience, ..client(Colour::White, "random", 1) };
    let result = client.play(TcpStream::connect(address).expect("the server is there"), &mut |_| {});
    server.join().expect("no panic").expect("the connection holds");
    result
}

fn framed(message: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_message(&mut bytes, message).expect("a buffer takes everything");
    bytes
}

#[test]
fn the_client_names_what_is_wrong_with_a_server() {
    let error = |bytes, closes| at_server(bytes, closes).expect_err("the server is bad").to_string();
    assert!(error(Vec::new(), true).contains("it has closed the connection"));
    assert!(error(vec![0, 0], false).contains("has been silent for 300ms"));
    assert!(error(vec![0xff; 9], true).contains("a message of 4294967295 bytes was announced"));
    assert!(error(framed("hello"), true).contains("expected a state"));
    let kings = State { board: [[Cell::King; 9]; 9], turn: Turn::White };
    assert!(error(framed(&kings.message()), true).contains("81 kings where at most 1 can be"));
    let mut odd = State { board: [[Cell::Empty; 9]; 9], turn: Turn::White };
    odd.board[4][4] = Cell::King;
    odd.board[0][3] = Cell::Black;
    let refusing = framed(&odd.message()).repeat(4);
    assert!(error(refusing, true).contains("refused 3 moves in a row"));
    odd.turn = Turn::Draw;
    assert_eq!(at_server(framed(&odd.message()), true).expect("the game is over"), Turn::Draw);
}
