//! A browser, as far as the server can tell.

use std::net::SocketAddr;

use agon_protocol::web::api::NewTable;
use agon_protocol::web::{ClientMessage, PROTOCOL};
use anyhow::{Context, bail, ensure};
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use serde::de::IgnoredAny;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// Somebody with a token of their own.
#[derive(Clone)]
pub(super) struct Visitor {
    address: SocketAddr,
    token: String,
}

impl Visitor {
    pub(super) fn new(address: SocketAddr, number: usize) -> Self {
        Self { address, token: format!("a-visitor-who-measures-{number:08}") }
    }

    /// Opens a table and returns its name.
    pub(super) async fn open_table(&self, table: &NewTable) -> anyhow::Result<String> {
        let Self { address, token } = self;
        let body = serde_json::to_string(table)?;
        let length = body.len();
        let request = format!(
            "POST /api/v1/games HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
        let mut stream = TcpStream::connect(address).await?;
        stream.write_all(request.as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        let (head, body) = answer.split_once("\r\n\r\n").context("the server's answer has no end")?;
        ensure!(head.starts_with("HTTP/1.1 201"), "no table was opened: {answer}");
        let opened: serde_json::Value = serde_json::from_str(body)?;
        Ok(opened["id"].as_str().context("the game has no id")?.to_owned())
    }

    /// Connects, says hello and follows a table.
    pub(super) async fn follow(&self, table: &str) -> anyhow::Result<(Socket, Facts)> {
        let Self { address, token } = self;
        let mut request = format!("ws://{address}/ws").into_client_request()?;
        request.headers_mut().insert("authorization", format!("Bearer {token}").parse()?);
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let (stream, _) = tokio_tungstenite::client_async(request, stream).await?;
        let mut socket = Socket { stream, received: 0 };
        socket.say(&ClientMessage::Hello { protocol: PROTOCOL }).await?;
        socket
            .say(&ClientMessage::Watch { id: "watch".to_owned(), game: table.to_owned(), since: None })
            .await?;
        let mut facts = None;
        loop {
            match socket.hear().await? {
                Heard::State { state } => facts = state.facts(),
                Heard::Ack { .. } => break,
                Heard::Event(_) | Heard::Other => {}
            }
        }
        Ok((socket, facts.context("the server did not say how the table stands")?))
    }
}

/// A connection.
pub(super) struct Socket {
    stream: WebSocketStream<TcpStream>,
    /// The bytes of the messages that have come.
    pub(super) received: usize,
}

/// A message of the server, as far as it matters here.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(super) enum Heard {
    Ack {
        id: String,
        seq: Option<u64>,
    },
    State {
        state: Table,
    },
    Event(Table),
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
pub(super) struct Table {
    pub(super) seq: u64,
    boards: Vec<Board>,
}

#[derive(Deserialize)]
struct Board {
    facts: Facts,
}

/// What there is to play.
#[derive(Deserialize)]
pub(super) struct Facts {
    pub(super) ply: usize,
    pub(super) turn: Option<usize>,
    #[serde(default)]
    pub(super) moves: Vec<Move>,
    pub(super) end: Option<IgnoredAny>,
}

#[derive(Deserialize)]
pub(super) struct Move {
    pub(super) token: String,
}

impl Table {
    /// What is said about the first board, if anything is.
    pub(super) fn facts(self) -> Option<Facts> {
        self.boards.into_iter().next().map(|board| board.facts)
    }
}

impl Socket {
    pub(super) async fn say(&mut self, message: &ClientMessage) -> anyhow::Result<()> {
        Ok(self.stream.send(Message::text(serde_json::to_string(message)?)).await?)
    }

    /// The next message. A refusal is an error: nothing that is done here should be refused.
    pub(super) async fn hear(&mut self) -> anyhow::Result<Heard> {
        loop {
            match self.stream.next().await.context("the server has closed the connection")?? {
                Message::Text(text) => {
                    self.received += text.len();
                    ensure!(!text.starts_with(r#"{"type":"error""#), "the server refuses: {text}");
                    return Ok(serde_json::from_str(&text)?);
                }
                Message::Close(reason) => bail!("the server closes the connection: {reason:?}"),
                _ => {}
            }
        }
    }
}
