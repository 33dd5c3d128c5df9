//! A server of Agon as a program sees it: requests and WebSockets, over http or https, with a bearer token.

use std::sync::Arc;
use std::time::Duration;

use agon_protocol::web::{ClientMessage, PROTOCOL};
use anyhow::{Context, bail, ensure};
use futures_util::{SinkExt, StreamExt};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::{Request, StatusCode, header};
use hyper_util::rt::TokioIo;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// The largest answer to a request, in bytes.
const MAX_ANSWER: usize = 16 << 20;
/// How long a connection may take to be made or to answer.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long a server may stay silent: it asks every twenty seconds whether we are still there.
const SILENCE: Duration = Duration::from_secs(60);

/// A server, and who we are there.
#[derive(Clone)]
pub(crate) struct Remote {
    /// `HOST:PORT`.
    host: String,
    token: String,
    /// How connections are encrypted, if they are.
    tls: Option<Tls>,
}

/// What is needed for https.
#[derive(Clone)]
struct Tls {
    connector: TlsConnector,
    /// The name that the server's certificate must bear.
    name: ServerName<'static>,
}

/// A connection, encrypted or not.
trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// The certificates that this machine trusts.
fn trusted() -> anyhow::Result<RootCertStore> {
    let found = rustls_native_certs::load_native_certs();
    let mut trusted = RootCertStore::empty();
    let (added, _) = trusted.add_parsable_certificates(found.certs);
    if added == 0 {
        let reason = found.errors.first().map_or_else(String::new, |error| format!(" ({error})"));
        bail!(
            "this machine knows no certificates to trust{reason}: install the package ca-certificates, or name a file with SSL_CERT_FILE"
        );
    }
    Ok(trusted)
}

/// The server has said no, and why.
#[derive(Debug, Deserialize, thiserror::Error)]
#[error("{}", .message.text)]
pub(crate) struct Refusal {
    /// Why, for programs.
    pub(crate) code: String,
    /// Why, for people.
    pub(crate) message: Text,
}

/// The server cannot be reached at the moment; it may be later.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the server cannot be reached")]
pub(crate) struct Lost;

/// A message for people.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Text {
    /// In English.
    pub(crate) text: String,
    /// What the text is about.
    #[serde(default)]
    arguments: serde_json::Map<String, serde_json::Value>,
}

impl Text {
    /// The name that the text is about: if a name is taken, a free one.
    pub(crate) fn name(&self) -> Option<&str> {
        self.arguments.get("name")?.as_str()
    }
}

impl Remote {
    pub(crate) fn new(host: impl Into<String>, token: impl Into<String>) -> Self {
        Self { host: host.into(), token: token.into(), tls: None }
    }

    /// The same over https.
    ///
    /// # Errors
    /// If this machine trusts nobody, or the host has no name that a certificate could bear.
    pub(crate) fn secure(self) -> anyhow::Result<Self> {
        let name = self.host.rsplit_once(':').map_or(self.host.as_str(), |(name, _)| name);
        let name = name.trim_start_matches('[').trim_end_matches(']').to_owned();
        let name = ServerName::try_from(name).with_context(|| self.host.clone())?;
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_root_certificates(trusted()?)
            .with_no_client_auth();
        let connector = TlsConnector::from(Arc::new(config));
        Ok(Self { tls: Some(Tls { connector, name }), ..self })
    }

    async fn open(&self) -> anyhow::Result<Box<dyn Stream>> {
        let stream = TcpStream::connect(&self.host).await?;
        stream.set_nodelay(true)?;
        Ok(match &self.tls {
            None => Box::new(stream),
            Some(tls) => Box::new(tls.connector.connect(tls.name.clone(), stream).await?),
        })
    }

    /// Asks for something.
    ///
    /// # Errors
    /// A [`Refusal`], or whatever is wrong with the connection.
    pub(crate) async fn get<T: DeserializeOwned>(&self, path: &str) -> anyhow::Result<T> {
        self.request("GET", path, Bytes::new()).await
    }

    /// Sends something.
    ///
    /// # Errors
    /// A [`Refusal`], or whatever is wrong with the connection.
    pub(crate) async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> anyhow::Result<T> {
        self.request("POST", path, serde_json::to_vec(body)?.into()).await
    }

    async fn request<T: DeserializeOwned>(&self, method: &str, path: &str, body: Bytes) -> anyhow::Result<T> {
        let exchange = async {
            let stream = self.open().await?;
            let (mut sender, connection) =
                hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
            // It ends with the exchange.
            tokio::spawn(connection);
            let request = Request::builder()
                .method(method)
                .uri(path)
                .header(header::HOST, &self.host)
                .header(header::AUTHORIZATION, format!("Bearer {}", self.token))
                .header(header::CONTENT_TYPE, "application/json")
                .body(Full::new(body))?;
            let (head, body) = sender.send_request(request).await?.into_parts();
            let body = Limited::new(body, MAX_ANSWER).collect().await;
            let body = body.map_err(|error| anyhow::anyhow!("the answer cannot be read: {error}"))?;
            anyhow::Ok((head.status, body.to_bytes()))
        };
        let (status, body) = timeout(PATIENCE, exchange).await.context(Lost)?.context(Lost)?;
        if !status.is_success() {
            if let Ok(refusal) = serde_json::from_slice::<Refusal>(&body) {
                return Err(refusal.into());
            }
            ensure!(status != StatusCode::NOT_FOUND, "{}{path} is not a server of Agon", self.host);
            bail!("{} answers {status}", self.host);
        }
        serde_json::from_slice(&body).context("the answer is not what a server of Agon says")
    }

    /// Connects and says hello.
    ///
    /// # Errors
    /// If there is no such server, or it speaks another version.
    pub(crate) async fn connect(&self) -> anyhow::Result<Socket> {
        // What is below is connected already; the address only names the host.
        let mut request = format!("ws://{}/ws", self.host).into_client_request()?;
        request.headers_mut().insert("authorization", format!("Bearer {}", self.token).parse()?);
        let connecting = async {
            let stream = self.open().await?;
            anyhow::Ok(tokio_tungstenite::client_async(request, stream).await?.0)
        };
        let stream = timeout(PATIENCE, connecting).await.context(Lost)?.context(Lost)?;
        let mut socket = Socket { stream, received: 0 };
        socket.say(&ClientMessage::Hello { protocol: PROTOCOL }).await?;
        Ok(socket)
    }
}

/// A WebSocket.
pub(crate) struct Socket {
    stream: WebSocketStream<Box<dyn Stream>>,
    /// The bytes of the messages that have come.
    pub(crate) received: usize,
}

impl Socket {
    pub(crate) async fn say(&mut self, message: &ClientMessage) -> anyhow::Result<()> {
        self.stream.send(Message::text(serde_json::to_string(message)?)).await.context(Lost)
    }

    /// The next message.
    ///
    /// # Errors
    /// [`Lost`], or what cannot be read.
    pub(crate) async fn hear(&mut self) -> anyhow::Result<Heard> {
        loop {
            let next = timeout(SILENCE, self.stream.next()).await.context(Lost)?;
            match next.context(Lost)?.context(Lost)? {
                Message::Text(text) => {
                    self.received += text.len();
                    return Ok(serde_json::from_str(&text)?);
                }
                Message::Close(_) => return Err(Lost.into()),
                _ => {}
            }
        }
    }

    /// The next message. A refusal is an error: for those who do nothing that should be refused.
    ///
    /// # Errors
    /// If something was refused, or the connection is lost.
    pub(crate) async fn expect(&mut self) -> anyhow::Result<Heard> {
        match self.hear().await? {
            Heard::Error { code, message, .. } => Err(Refusal { code, message }.into()),
            heard => Ok(heard),
        }
    }

    /// Follows a game, and returns how it stands.
    ///
    /// # Errors
    /// If the server refuses, or the connection is lost.
    pub(crate) async fn watch(&mut self, game: &str) -> anyhow::Result<GameState> {
        let watch = ClientMessage::Watch { id: "watch".to_owned(), game: game.to_owned(), since: None };
        self.say(&watch).await?;
        let mut known = None;
        loop {
            match self.expect().await? {
                Heard::State { state } => known = Some(state),
                Heard::Ack { .. } => return known.context("the server did not say how the game stands"),
                _ => {}
            }
        }
    }
}

/// A message of the server, as far as it matters to programs.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum Heard {
    Ack {
        id: String,
    },
    Error {
        id: Option<String>,
        code: String,
        message: Text,
        field: Option<String>,
    },
    State {
        state: GameState,
    },
    Event(GameEvent),
    Lobby(Lobby),
    Lobbies {
        lobbies: Vec<LobbyId>,
    },
    Gone {
        message: Text,
    },
    #[serde(other)]
    Other,
}

/// A game as it stands.
#[derive(Debug, Deserialize)]
pub(crate) struct GameState {
    pub(crate) id: String,
    pub(crate) seq: u64,
    pub(crate) game: String,
    pub(crate) options: String,
    pub(crate) clock: String,
    pub(crate) seats: Vec<SeatState>,
    pub(crate) boards: Vec<BoardState>,
}

/// A seat.
#[derive(Debug, Deserialize)]
pub(crate) struct SeatState {
    pub(crate) name: String,
    pub(crate) mine: bool,
}

/// A board as it stands.
#[derive(Debug, Deserialize)]
pub(crate) struct BoardState {
    pub(crate) skipped: usize,
    pub(crate) plies: Vec<Ply>,
    pub(crate) facts: Facts,
}

/// A ply.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Ply {
    pub(crate) token: String,
}

/// What has changed in a game.
#[derive(Debug, Deserialize)]
pub(crate) struct GameEvent {
    pub(crate) from: u64,
    pub(crate) seq: u64,
    pub(crate) boards: Vec<BoardChange>,
}

/// What has changed on a board.
#[derive(Debug, Deserialize)]
pub(crate) struct BoardChange {
    pub(crate) board: usize,
    pub(crate) kept: usize,
    pub(crate) plies: Vec<Ply>,
    pub(crate) facts: Facts,
}

/// What there is to play.
#[derive(Debug, Deserialize)]
pub(crate) struct Facts {
    pub(crate) ply: usize,
    pub(crate) turn: Option<usize>,
    #[serde(default)]
    pub(crate) moves: Vec<Ply>,
    #[serde(default)]
    pub(crate) clocks: Vec<Option<u64>>,
    pub(crate) offer: Option<Offer>,
    pub(crate) end: Option<End>,
}

/// An offer that waits for an answer.
#[derive(Debug, Deserialize)]
pub(crate) struct Offer {
    pub(crate) kind: String,
    pub(crate) seat: usize,
}

/// How a game has ended.
#[derive(Debug, Deserialize)]
pub(crate) struct End {
    pub(crate) reason: Text,
}

/// A lobby as we see it.
#[derive(Debug, Deserialize)]
pub(crate) struct Lobby {
    pub(crate) lobby: LobbyInfo,
    pub(crate) mine: Vec<usize>,
}

/// A lobby as everybody sees it.
#[derive(Debug, Deserialize)]
pub(crate) struct LobbyInfo {
    pub(crate) name: String,
    pub(crate) seats: Vec<LobbySeat>,
}

/// A seat in a lobby.
#[derive(Debug, Deserialize)]
pub(crate) struct LobbySeat {
    pub(crate) occupant: String,
}

/// A lobby in the list.
#[derive(Debug, Deserialize)]
pub(crate) struct LobbyId {
    pub(crate) id: String,
}
