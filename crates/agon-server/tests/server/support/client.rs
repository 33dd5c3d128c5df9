//! A client of the protocol as a page is one: it knows no rules, keeps what it is told, and checks that what it is told fits together.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::Duration;

use agon_protocol::web::PROTOCOL;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::{Error, Message};

/// How long anything may take before a test gives up. Nothing is measured by it.
const PATIENCE: Duration = Duration::from_secs(60);

/// The connection is gone.
#[derive(Debug)]
pub(crate) struct Gone(pub(crate) Option<u16>);

/// Why something was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    pub(crate) code: String,
    pub(crate) text: String,
}

pub(crate) struct Client {
    socket: WebSocketStream<TcpStream>,
    /// The tables that it follows, as their states and updates have told.
    pub(crate) tables: HashMap<String, Value>,
    /// The lobbies that it follows, as they were last told.
    pub(crate) lobbies: HashMap<String, Value>,
    /// What came that is neither state nor update, oldest first.
    pub(crate) heard: Vec<Value>,
    next_id: u64,
    name: String,
}

impl Client {
    /// A program that keeps this token, connected and welcomed.
    pub(crate) async fn connect(address: SocketAddr, token: &str) -> Self {
        Self::try_connect(address, token).await.expect("the server welcomes its client")
    }

    pub(crate) async fn try_connect(address: SocketAddr, token: &str) -> Result<Self, Gone> {
        let stream = TcpStream::connect(address).await.map_err(|_| Gone(None))?;
        Self::try_connect_on(stream, address, token).await
    }

    /// The same over a connection that there is already.
    pub(crate) async fn try_connect_on(
        stream: TcpStream,
        address: SocketAddr,
        token: &str,
    ) -> Result<Self, Gone> {
        stream.set_nodelay(true).map_err(|_| Gone(None))?;
        let bearer = format!("Bearer {token}");
        let upgraded = Self::upgrade_on(stream, address, &[("authorization", &bearer)]).await;
        let mut client = upgraded.map_err(|_| Gone(None))?;
        client.name = token[..token.len().min(8)].to_owned();
        let welcome = client.next().await?;
        assert_eq!(
            (&welcome["type"], &welcome["protocol"]),
            (&json!("welcome"), &json!(PROTOCOL)),
            "{welcome}"
        );
        client.send(&json!({"type": "hello", "protocol": PROTOCOL})).await?;
        Ok(client)
    }

    /// A connection that has heard and said nothing yet.
    pub(crate) async fn upgrade(address: SocketAddr, headers: &[(&str, &str)]) -> Result<Self, Error> {
        let stream = TcpStream::connect(address).await.map_err(Error::Io)?;
        stream.set_nodelay(true).map_err(Error::Io)?;
        Self::upgrade_on(stream, address, headers).await
    }

    pub(crate) async fn upgrade_on(
        stream: TcpStream,
        address: SocketAddr,
        headers: &[(&str, &str)],
    ) -> Result<Self, Error> {
        let mut request = format!("ws://{address}/ws").into_client_request()?;
        for (name, value) in headers {
            let name: tokio_tungstenite::tungstenite::http::HeaderName = name.parse().expect("a header");
            request.headers_mut().insert(name, value.parse().expect("a header"));
        }
        let (socket, _) = tokio_tungstenite::client_async(request, stream).await?;
        Ok(Self {
            socket,
            tables: HashMap::new(),
            lobbies: HashMap::new(),
            heard: Vec::new(),
            next_id: 0,
            name: "c".to_owned(),
        })
    }

    pub(crate) async fn send(&mut self, message: &Value) -> Result<(), Gone> {
        self.send_raw(Message::text(message.to_string())).await
    }

    pub(crate) async fn send_raw(&mut self, message: Message) -> Result<(), Gone> {
        match tokio::time::timeout(PATIENCE, self.socket.send(message)).await {
            Ok(sent) => sent.map_err(|_| Gone(None)),
            Err(_) => panic!("the server does not read"),
        }
    }

    /// The next message, whatever it is. Pings of the server are none: they come from a server that says nothing, too.
    pub(crate) async fn next(&mut self) -> Result<Value, Gone> {
        let deadline = tokio::time::Instant::now() + PATIENCE;
        loop {
            match tokio::time::timeout_at(deadline, self.socket.next()).await {
                Ok(Some(Ok(Message::Text(text)))) => {
                    return Ok(serde_json::from_str(&text).expect("the server speaks JSON"));
                }
                Ok(Some(Ok(Message::Close(frame)))) => {
                    return Err(Gone(frame.map(|frame| CloseCode::into(frame.code))));
                }
                Ok(Some(Ok(_))) => {}
                Ok(None | Some(Err(_))) => return Err(Gone(None)),
                Err(_) => panic!("{}: nothing is heard; before that: {:?}", self.name, self.heard.last()),
            }
        }
    }

    /// Takes in the next message and says what it was.
    pub(crate) async fn hear(&mut self) -> Result<Value, Gone> {
        let message = self.next().await?;
        match message["type"].as_str() {
            Some("state") => {
                let name = message["game"].as_str().expect("a game has an id").to_owned();
                self.tables.insert(name, message["state"].clone());
            }
            Some("event") => self.update(&message),
            Some("lobby") => {
                let id = message["lobby"]["id"].as_str().expect("a lobby has an id").to_owned();
                self.lobbies.insert(id, message.clone());
            }
            _ => self.heard.push(message.clone()),
        }
        Ok(message)
    }

    /// Applies an update, which must follow on what is known.
    fn update(&mut self, update: &Value) {
        let name = update["game"].as_str().expect("a game has an id");
        let table = self.tables.get_mut(name).expect("updates come for what was opened");
        assert_eq!(update["from"], table["seq"], "an update follows on what is known");
        assert!(update["seq"].as_u64() >= update["from"].as_u64(), "numbers never go back");
        for key in ["seq", "paused", "pace", "ranking"] {
            table[key] = update[key].clone();
        }
        for change in update["boards"].as_array().expect("boards") {
            let board = &mut table["boards"][number(&change["board"])];
            let skipped = number(&board["skipped"]);
            let plies = board["plies"].as_array_mut().expect("plies");
            let kept = number(&change["kept"]);
            assert!(kept <= skipped + plies.len(), "plies are kept that are known: {change}");
            plies.truncate(kept - skipped);
            plies.extend(change["plies"].as_array().expect("plies").iter().cloned());
            let cells = board["picture"]["cells"].as_array_mut().expect("cells");
            for new in change["changes"].as_array().expect("changes") {
                for spot in new["spots"].as_array().expect("spots") {
                    let mut now = new.clone();
                    let fields = now.as_object_mut().expect("an object");
                    fields.remove("spots");
                    fields.insert("at".to_owned(), spot.clone());
                    let same = |cell: &&mut Value| cell["at"] == *spot;
                    *cells.iter_mut().find(same).expect("a cell of this board") = now;
                }
            }
            board["facts"] = change["facts"].clone();
            let steps = change["steps"].as_array().expect("steps");
            let mut shown = change["plies"].as_array().expect("plies").iter().zip(steps);
            if let Some((ply, step)) = shown.rfind(|(ply, _)| ply["seat"].is_u64()) {
                assert!(change["facts"]["last"].is_null(), "what is shown is not told besides");
                board["facts"]["last"] = json!({"seat": ply["seat"], "token": ply["token"], "step": step});
            }
            let total = skipped + board["plies"].as_array().map_or(0, Vec::len);
            assert_eq!(number(&board["facts"]["ply"]), total, "plies and facts agree");
        }
    }

    /// A name for a message that no other message has.
    pub(crate) fn id(&mut self) -> String {
        self.next_id += 1;
        format!("{}-{}", self.name, self.next_id)
    }

    /// Sends a message under a new id and hears what is answered.
    pub(crate) async fn ask(&mut self, mut message: Value) -> Result<Value, Gone> {
        let id = self.id();
        message["id"] = json!(id);
        self.send(&message).await?;
        self.answer(&id).await
    }

    /// Waits for the answer to a message.
    pub(crate) async fn answer(&mut self, id: &str) -> Result<Value, Gone> {
        loop {
            if let Some(index) = self.heard.iter().position(|message| message["id"] == id) {
                return Ok(self.heard.remove(index));
            }
            self.hear().await?;
        }
    }

    /// Follows a table.
    pub(crate) async fn open(&mut self, table: &str) -> Result<u64, Refused> {
        let answer = self.ask(json!({"type": "watch", "game": table})).await.expect("connected");
        judged(&answer)
    }

    /// Takes a seat in a lobby.
    pub(crate) async fn sit(&mut self, lobby: &str, seat: usize, name: &str) -> Result<u64, Refused> {
        self.act(lobby, json!({"do": "sit", "seat": seat, "name": name})).await
    }

    /// Whether the game of a lobby has started.
    pub(crate) async fn until_started(&mut self, lobby: &str) {
        self.until("the game starts", |client| client.tables.contains_key(lobby)).await;
    }

    /// Does something at a table.
    pub(crate) async fn act(&mut self, table: &str, action: Value) -> Result<u64, Refused> {
        let answer = self.ask(asking(table, action)).await.expect("connected");
        judged(&answer)
    }

    /// Plays a move where the board stands as this client knows it.
    pub(crate) async fn play(&mut self, table: &str, token: &str) -> Result<u64, Refused> {
        let ply = number(&self.facts(table, 0)["ply"]);
        self.act(table, json!({"do": "move", "board": 0, "ply": ply, "move": token})).await
    }

    pub(crate) fn table(&self, table: &str) -> &Value {
        &self.tables[table]
    }

    pub(crate) fn facts(&self, table: &str, board: usize) -> &Value {
        &self.tables[table]["boards"][board]["facts"]
    }

    pub(crate) fn seq(&self, table: &str) -> u64 {
        self.tables[table]["seq"].as_u64().expect("a number")
    }

    /// Whether all boards of a table are over.
    pub(crate) fn is_over(&self, table: &str) -> bool {
        let boards = self.tables[table]["boards"].as_array().expect("boards");
        boards.iter().all(|board| board["facts"]["end"].is_object())
    }

    /// The board, ply and tokens where a person of this browser is to move.
    pub(crate) fn to_move(&self, table: &str) -> Option<(usize, usize, Vec<String>)> {
        let known = &self.tables[table];
        let boards = known["boards"].as_array().expect("boards");
        boards.iter().enumerate().find_map(|(board, state)| {
            let seat =
                if known["mode"] == "single" { state["facts"]["turn"].as_u64()? as usize } else { board };
            let moves =
                state["facts"]["moves"].as_array().filter(|_| known["seats"][seat]["mine"] == true)?;
            let tokens = moves.iter().map(|mv| mv["token"].as_str().expect("a token").to_owned());
            Some((board, number(&state["facts"]["ply"]), tokens.collect()))
        })
    }

    /// Hears until something holds.
    pub(crate) async fn until(&mut self, what: &str, mut holds: impl FnMut(&Self) -> bool) {
        while !holds(self) {
            if let Err(gone) = self.hear().await {
                panic!("the connection is gone before {what}: {gone:?}");
            }
        }
    }

    /// Hears until a message comes for which something holds.
    pub(crate) async fn until_heard(&mut self, what: &str, holds: impl Fn(&Value) -> bool) -> Value {
        loop {
            if let Some(index) = self.heard.iter().position(&holds) {
                return self.heard.remove(index);
            }
            if let Err(gone) = self.hear().await {
                panic!("the connection is gone before {what}: {gone:?}");
            }
        }
    }

    /// Hears until the connection is closed, and says with which code.
    pub(crate) async fn until_closed(&mut self) -> Option<u16> {
        loop {
            if let Err(Gone(code)) = self.hear().await {
                return code;
            }
        }
    }
}

/// The message that asks for an action; a move is a message of its own.
pub(crate) fn asking(table: &str, action: Value) -> Value {
    if action["do"] != "move" {
        return json!({"type": "act", "game": table, "action": action});
    }
    let mut message = action;
    if let Some(fields) = message.as_object_mut() {
        fields.remove("do");
    }
    message["type"] = json!("move");
    message["game"] = json!(table);
    message
}

/// What an acknowledgement or a refusal says.
pub(crate) fn judged(answer: &Value) -> Result<u64, Refused> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match answer["type"].as_str() {
        Some("ack") => Ok(answer["seq"].as_u64().unwrap_or(0)),
        Some("error") => Err(Refused { code: text(&answer["code"]), text: text(&answer["message"]["text"]) }),
        _ => panic!("neither an acknowledgement nor a refusal: {answer}"),
    }
}

pub(crate) fn number(value: &Value) -> usize {
    value.as_u64().unwrap_or_else(|| panic!("not a number: {value}")) as usize
}
