//! HTTP by hand, so that tests can say anything: wrong hosts, wrong origins, bodies of any kind.

use std::net::{IpAddr, SocketAddr};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

/// A request to be sent.
pub(crate) struct Request {
    address: SocketAddr,
    source: Option<IpAddr>,
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    /// A request as a page of the server sends it.
    pub(crate) fn new(address: SocketAddr, method: &str, path: &str) -> Self {
        let headers = vec![
            ("host".to_owned(), address.to_string()),
            ("origin".to_owned(), format!("http://{address}")),
        ];
        let (method, path) = (method.to_owned(), path.to_owned());
        Self { address, source: None, method, path, headers, body: Vec::new() }
    }

    /// The same from an address of the visitor's own.
    #[allow(dead_code)]
    pub(crate) fn from(mut self, source: IpAddr) -> Self {
        self.source = Some(source);
        self
    }

    /// The same with a header set; one that has no value is left out.
    pub(crate) fn header<'a>(mut self, name: &str, value: impl Into<Option<&'a str>>) -> Self {
        self.headers.retain(|(known, _)| known != name);
        if let Some(value) = value.into() {
            self.headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    /// The same by a program that keeps this token.
    pub(crate) fn token(self, token: &str) -> Self {
        self.header("authorization", format!("Bearer {token}").as_str())
    }

    pub(crate) fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    pub(crate) fn json(self, body: &Value) -> Self {
        self.header("content-type", "application/json").body(body.to_string())
    }

    pub(crate) async fn send(self) -> Answer {
        self.try_send().await.expect("the server answers")
    }

    pub(crate) async fn try_send(self) -> std::io::Result<Answer> {
        let Self { address, source, method, path, headers, body } = self;
        let mut stream = connect(address, source).await?;
        let mut head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
        for (name, value) in &headers {
            head += &format!("{name}: {value}\r\n");
        }
        if !body.is_empty() {
            head += &format!("content-length: {}\r\n", body.len());
        }
        head += "\r\n";
        stream.write_all(head.as_bytes()).await?;
        // A server that refuses a large body does not read it to its end.
        let _ = stream.write_all(&body).await;
        let mut bytes = Vec::new();
        let read = stream.read_to_end(&mut bytes).await;
        let parsed = Answer::parse(&bytes);
        match (parsed, read) {
            (Some(answer), _) => Ok(answer),
            (None, Err(error)) => Err(error),
            (None, Ok(_)) => Err(std::io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

/// A connection from any address, or from this one.
pub(crate) async fn connect(address: SocketAddr, source: Option<IpAddr>) -> std::io::Result<TcpStream> {
    let Some(source) = source else { return TcpStream::connect(address).await };
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::new(source, 0))?;
    socket.connect(address).await
}

impl Answer {
    /// What an answer says, if it is one.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
        let head = std::str::from_utf8(&bytes[..end]).ok()?;
        let mut lines = head.split("\r\n");
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let pair = |line: &str| {
            let (name, value) = line.split_once(':')?;
            Some((name.to_ascii_lowercase(), value.trim().to_owned()))
        };
        Some(Self { status, headers: lines.filter_map(pair).collect(), body: bytes[end + 4..].to_vec() })
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// What came back, which must have this status.
    pub(crate) fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.text());
        self
    }

    /// The sentence of a refusal, which must have this code and be a sentence.
    pub(crate) fn refusal(&self, status: u16, code: &str) -> String {
        assert_eq!(self.status, status, "{}", self.text());
        let problem = self.json();
        assert_eq!(problem["code"], code, "{problem}");
        let text = problem["message"]["text"].as_str().unwrap_or_default().to_owned();
        assert!(text.len() > 5 && !text.contains("{reason}"), "a sentence for people: {problem}");
        text
    }
}
