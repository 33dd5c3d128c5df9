//! `agon join`: a program takes a seat in an online game, by the same messages as a browser.

mod address;
mod agent;

use std::io::Write;
use std::time::Duration;

use agon_core::text::quote;
use agon_match::{Language, Occupant, ProgramSpec};
use agon_protocol::web::online::OPEN;
use agon_protocol::web::{ClientAction, ClientMessage};
use anyhow::{Context, bail};
use serde::Deserialize;
use tokio::time::{Instant, sleep, timeout};

use crate::remote::{Facts, GameState, Heard, Lobby, Lost, Ply, Refusal, Remote, Socket};
use address::{Address, Target};
use agent::{Agent, Found, place};

/// How long to wait before the connection is tried again: at first, and at most.
const RETRY: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(15));
/// How many plies are asked for at once.
const PLIES_AT_ONCE: usize = 500;
/// How long the server may take to answer a program that resigns.
const FAREWELL: Duration = Duration::from_secs(5);

/// The id of the message with which a program resigns.
const RESIGN: &str = "resign";

/// `agon join`
#[derive(clap::Args)]
#[command(
    after_help = "A program without a protocol before it speaks the agent protocol (jsonl). If the connection is lost, it is made again and the\ngame goes on. A program that fails resigns. If the name is taken, a number is added to it.\n\nExamples:\n  agon join https://agon.example.org/join/KEY --agent 'python3 my_agent.py'\n  agon join http://127.0.0.1:8048/lobby/ID --agent 'ugi:./engine' --name Engine --seat 2\n  agon join http://127.0.0.1:8048/lobby/ID --bot hard"
)]
pub(crate) struct Args {
    /// Address of a lobby, an invitation or a game, as the browser shows it
    #[arg(value_name = "URL", value_parser = parse_address)]
    url: Address,
    /// Command that runs the program: CMD, jsonl:CMD, ugi:CMD, gtp:CMD or nboard:CMD
    #[arg(long, value_name = "CMD", required_unless_present = "bot", value_parser = parse_program)]
    agent: Option<Occupant>,
    /// Play with one of Agon's own bots instead
    #[arg(long, value_name = "SPEC", conflicts_with = "agent")]
    bot: Option<Occupant>,
    /// Name to play under
    #[arg(long, value_name = "NAME", default_value = "agent")]
    name: String,
    /// Seat to take, counted from 1 [default: the first open one]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=6))]
    seat: Option<u8>,
    /// Token of an earlier run, to take its seat up again [default: a new one, which is printed]
    #[arg(long, value_name = "TOKEN", env = "AGON_TOKEN", hide_env_values = true)]
    token: Option<String>,
}

fn parse_address(text: &str) -> Result<Address, String> {
    Address::parse(text).map_err(|error| error.to_string())
}

fn parse_program(text: &str) -> Result<Occupant, String> {
    match text.parse() {
        Ok(program @ Occupant::Program(_)) => Ok(program),
        // A command is no specification of a bot, whatever it looks like.
        _ if !text.trim().is_empty() => {
            let (language, command) = (Language::Jsonl, text.to_owned());
            let program = ProgramSpec { language, command, parameters: Default::default() };
            program.to_string().parse().map_err(|error: agon_match::OccupantError| error.to_string())
        }
        _ => Err("a command is expected, such as 'python3 my_agent.py'".to_owned()),
    }
}

impl Args {
    pub(crate) fn run(self, out: &mut impl Write) -> anyhow::Result<()> {
        let player = self.agent.or(self.bot).context("name a program with --agent")?;
        let token = match self.token {
            Some(token) => token,
            None => {
                let token = random_hex::<16>()?;
                writeln!(out, "To take this seat up again: --token {token}")?;
                token
            }
        };
        out.flush()?;
        let remote = Remote::new(self.url.host, token);
        let remote = if self.url.is_https { remote.secure()? } else { remote };
        let visit = Visit { remote, player, name: self.name, seat: self.seat.map(usize::from) };
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        runtime.block_on(visit.run(self.url.target, out))
    }
}

/// Random bytes that nobody guesses, in hexadecimal.
fn random_hex<const N: usize>() -> anyhow::Result<String> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)
        .map_err(|error| anyhow::anyhow!("the system gives no random bytes: {error}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Who goes where.
struct Visit {
    remote: Remote,
    player: Occupant,
    name: String,
    seat: Option<usize>,
}

/// What an invitation is for.
#[derive(Deserialize)]
struct Invitation {
    id: String,
    kind: String,
}

/// What is known of a game while it is played.
struct JoinedGame<'a> {
    visit: &'a Visit,
    id: String,
    key: Option<String>,
    /// The name to sit down with.
    name: String,
    /// Whether a seat in the lobby has been ours.
    is_seated: bool,
    /// The program's board, once the game has started.
    board: Option<usize>,
    agent: Option<Agent>,
    /// What there is to play on the program's board.
    facts: Option<Facts>,
    /// A move that has not been acknowledged.
    pending: Option<ClientMessage>,
    /// The number of the last event that is known.
    seq: u64,
    /// Distinguishes the messages of this run from those of others.
    run: String,
    sent: usize,
}

impl Visit {
    async fn run(&self, target: Target, out: &mut impl Write) -> anyhow::Result<()> {
        let (id, key) = match target {
            Target::Id(id) => (id, None),
            Target::Key(key) => {
                let path = format!("/api/v1/invitations/{key}");
                let invitation: Invitation = self.remote.get(&path).await?;
                if invitation.kind == "seat" {
                    let _: serde_json::Value = self.remote.post(&path, &serde_json::json!({})).await?;
                }
                (invitation.id, Some(key))
            }
        };
        let joined = JoinedGame {
            visit: self,
            id,
            key,
            name: self.name.clone(),
            is_seated: false,
            board: None,
            agent: None,
            facts: None,
            pending: None,
            seq: 0,
            run: random_hex::<4>()?,
            sent: 0,
        };
        joined.run(out).await
    }
}

/// Whether it is worthwhile to connect again after an error: most of what the server refuses once, it refuses again.
fn is_passing(error: &anyhow::Error) -> bool {
    let code = error.downcast_ref::<Refusal>().map(|refusal| refusal.code.as_str());
    let is_busy = matches!(code, Some("storage" | "stopping" | "too-fast" | "limit"));
    is_busy || error.downcast_ref::<Lost>().is_some()
}

impl JoinedGame<'_> {
    /// Goes on until the game is over, however often the connection is lost.
    async fn run(mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let mut wait = RETRY.0;
        let mut has_connected = false;
        loop {
            let mut socket = match self.visit.remote.connect().await {
                Ok(socket) => socket,
                Err(error) if has_connected && is_passing(&error) => {
                    sleep(wait).await;
                    wait = (wait * 2).min(RETRY.1);
                    continue;
                }
                Err(error) => return Err(error),
            };
            has_connected = true;
            let connected = Instant::now();
            match self.play(&mut socket, out).await {
                Ok(result) => {
                    if let Some(agent) = self.agent.take() {
                        agent.conclude().await;
                    }
                    writeln!(out, "The game is over: {result}.")?;
                    return Ok(());
                }
                Err(error) if is_passing(&error) => {
                    writeln!(out, "Reconnecting: {error:#}.")?;
                    out.flush()?;
                    if connected.elapsed() > RETRY.1 {
                        wait = RETRY.0;
                    }
                    sleep(wait).await;
                    wait = (wait * 2).min(RETRY.1);
                }
                Err(error) => {
                    self.resign(&mut socket).await;
                    return Err(error);
                }
            }
        }
    }

    /// Whoever cannot go on says so, instead of letting the others wait.
    async fn resign(&self, socket: &mut Socket) {
        let Some(board) = self.board else { return };
        let action = ClientAction::Resign { board };
        let message = ClientMessage::Act { id: RESIGN.to_owned(), game: self.id.clone(), action };
        let resigned = async {
            socket.say(&message).await?;
            loop {
                match socket.hear().await? {
                    Heard::Ack { id } | Heard::Error { id: Some(id), .. } if id == RESIGN => return Ok(()),
                    _ => {}
                }
            }
        };
        // If it cannot be said, the others see that the program is gone.
        let _: Result<anyhow::Result<()>, _> = timeout(FAREWELL, resigned).await;
    }

    /// Plays over one connection until the game is over, and returns how it ended.
    async fn play(&mut self, socket: &mut Socket, out: &mut impl Write) -> anyhow::Result<String> {
        socket.say(&self.watch()).await?;
        loop {
            let heard = match &mut self.agent {
                None => socket.hear().await?,
                Some(agent) => tokio::select! {
                    heard = socket.hear() => heard?,
                    found = agent.found() => {
                        match found? {
                            Some(found) => self.submit(socket, found).await?,
                            // The position has changed meanwhile, and it may be the program's turn again.
                            None => if let Some(result) = self.go_on(socket).await? {
                                return Ok(result);
                            },
                        }
                        continue;
                    }
                },
            };
            if let Some(result) = self.obey(socket, heard, out).await? {
                return Ok(result);
            }
        }
    }

    /// Asks for the lobby or the game as it stands, and for every change from then on.
    fn watch(&self) -> ClientMessage {
        ClientMessage::Watch { id: "watch".to_owned(), game: self.id.clone(), since: None }
    }

    /// Sends a move.
    async fn submit(&mut self, socket: &mut Socket, found: Found) -> anyhow::Result<()> {
        let Found { board, ply, token } = found;
        let message = ClientMessage::Move {
            id: self.next_id("ply"),
            game: self.id.clone(),
            board,
            ply,
            token: Some(token),
            typed: false,
            gesture: None,
        };
        self.pending = Some(message.clone());
        socket.say(&message).await
    }

    /// An id for a message, different even from those of an earlier run with the same token.
    fn next_id(&mut self, what: &str) -> String {
        self.sent += 1;
        format!("{what}-{}-{}", self.run, self.sent)
    }

    /// Does what a message of the server calls for; returns how the game has ended, once it has.
    async fn obey(
        &mut self,
        socket: &mut Socket,
        heard: Heard,
        out: &mut impl Write,
    ) -> anyhow::Result<Option<String>> {
        match heard {
            Heard::Lobby(lobby) => self.sit(socket, &lobby, out).await?,
            Heard::Gone { message } => bail!("{}", message.text),
            Heard::State { state } => return self.take_up(socket, state, out).await,
            Heard::Event(event) if event.from > self.seq => {
                // Something was missed: the whole state tells everything.
                socket.say(&self.watch()).await?;
            }
            Heard::Event(event) => {
                self.seq = self.seq.max(event.seq);
                let Some(agent) = &mut self.agent else { return Ok(None) };
                let own = event.boards.into_iter().find(|change| change.board == agent.board());
                if let Some(change) = own {
                    agent.hear(&change)?;
                    self.facts = Some(change.facts);
                    return self.go_on(socket).await;
                }
            }
            Heard::Ack { id } => return self.settle(socket, &id).await,
            Heard::Error { id, code, message, field } => {
                let refusal = Refusal { code, message };
                match (id, refusal.code.as_str()) {
                    // The server offers a name that is free.
                    (Some(id), "taken") if id.starts_with("sit-") && field.as_deref() == Some("name") => {
                        self.name = refusal.message.name().context("the name is taken")?.to_owned();
                        socket.say(&self.watch()).await?;
                    }
                    // The position is another by now, and so is the next move.
                    (Some(id), "stale" | "not-your-turn") => return self.settle(socket, &id).await,
                    // Another seat may be free: the lobby is told again with every change.
                    (Some(id), "taken") if id.starts_with("sit-") && self.visit.seat.is_none() => {}
                    (Some(id), _) if id.starts_with("answer-") => {}
                    _ => return Err(refusal.into()),
                }
            }
            Heard::Lobbies { .. } | Heard::Other => {}
        }
        Ok(None)
    }

    /// A message was answered: if it was a move, the next one may be thought about.
    async fn settle(&mut self, socket: &mut Socket, id: &str) -> anyhow::Result<Option<String>> {
        let is_answered = |message: &mut ClientMessage| matches!(message, ClientMessage::Move { id: known, .. } if known == id);
        match self.pending.take_if(is_answered) {
            Some(_) => self.go_on(socket).await,
            None => Ok(None),
        }
    }

    /// Takes a seat in a lobby.
    async fn sit(&mut self, socket: &mut Socket, lobby: &Lobby, out: &mut impl Write) -> anyhow::Result<()> {
        if let Some(seat) = lobby.mine.first() {
            if !std::mem::replace(&mut self.is_seated, true) {
                let name = quote(&lobby.lobby.name);
                writeln!(out, "In {name} at seat {}. The game starts when all seats are taken.", seat + 1)?;
                out.flush()?;
            }
            return Ok(());
        }
        let seats = &lobby.lobby.seats;
        let is_open = |seat: &usize| seats[*seat].occupant == OPEN;
        let seat = match self.visit.seat {
            Some(number) if number > seats.len() => bail!("this lobby has {} seats", seats.len()),
            Some(number) => {
                Some(number - 1).filter(is_open).with_context(|| format!("seat {number} is taken"))?
            }
            None => (0..seats.len()).find(is_open).context("this lobby is full")?,
        };
        let (name, key) = (self.name.clone(), self.key.clone());
        let action = ClientAction::Sit { seat, name, key, program: true };
        self.act(socket, "sit", action).await
    }

    async fn act(&mut self, socket: &mut Socket, what: &str, action: ClientAction) -> anyhow::Result<()> {
        let message = ClientMessage::Act { id: self.next_id(what), game: self.id.clone(), action };
        socket.say(&message).await
    }

    /// Takes up the game as it stands.
    async fn take_up(
        &mut self,
        socket: &mut Socket,
        state: GameState,
        out: &mut impl Write,
    ) -> anyhow::Result<Option<String>> {
        self.seq = state.seq;
        let (_, board) = place(&state)?;
        self.board = Some(board);
        let plies = self.plies(&state, board).await?;
        match &mut self.agent {
            Some(agent) => agent.take_up(&plies)?,
            None => {
                let agent = Agent::new(&state, plies, &self.visit.player)?;
                let names: Vec<&str> = state.seats.iter().map(|seat| seat.name.as_str()).collect();
                writeln!(out, "Playing at seat {}: {}.", agent.seat() + 1, names.join(", "))?;
                out.flush()?;
                self.agent = Some(agent);
            }
        }
        self.facts = state.boards.into_iter().nth(board).map(|board| board.facts);
        // What was not acknowledged is sent again under its name, and done once.
        if let Some(message) = self.pending.clone() {
            socket.say(&message).await?;
        }
        self.go_on(socket).await
    }

    /// All plies of a board: those that the state has left out are asked for.
    async fn plies(&self, state: &GameState, board: usize) -> anyhow::Result<Vec<String>> {
        #[derive(Deserialize)]
        struct PlyList {
            plies: Vec<Ply>,
        }
        let shown = &state.boards[board];
        let mut plies = Vec::new();
        while plies.len() < shown.skipped {
            let (from, to) = (plies.len(), shown.skipped.min(plies.len() + PLIES_AT_ONCE));
            let path = format!("/api/v1/games/{}/plies?board={board}&from={from}&to={to}", state.id);
            let list: PlyList = self.visit.remote.get(&path).await?;
            if list.plies.is_empty() {
                bail!("the server does not know its own plies");
            }
            plies.extend(list.plies);
        }
        plies.truncate(shown.skipped);
        Ok(plies.into_iter().chain(shown.plies.iter().cloned()).map(|ply| ply.token).collect())
    }

    /// Goes on from a position: has the program think, and declines what others ask for.
    async fn go_on(&mut self, socket: &mut Socket) -> anyhow::Result<Option<String>> {
        let Some(facts) = &self.facts else { return Ok(None) };
        if let Some(end) = &facts.end {
            return Ok(Some(end.reason.text.clone()));
        }
        let Some(agent) = &self.agent else { return Ok(None) };
        if let Some(offer) = facts.offer.as_ref().filter(|offer| offer.seat != agent.seat()) {
            let action = match offer.kind.as_str() {
                "draw" => ClientAction::AnswerDraw { accept: false },
                _ => ClientAction::AnswerTakeBack { accept: false },
            };
            self.act(socket, "answer", action).await?;
        }
        if let (None, Some(facts), Some(agent)) = (&self.pending, &self.facts, &mut self.agent) {
            agent.think(facts);
        }
        Ok(None)
    }
}
