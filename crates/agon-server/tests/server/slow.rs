//! Clients that are slow or silent, many at a time, and what is written about them.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use agon_server::http::ConnectionLimits;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{pause, resume, sleep};
use tracing_subscriber::fmt::MakeWriter;

use crate::support::tournament::{COURSE, play};
use crate::support::{ADMIN, ANNA, Client, Options, Server, pass};

/// What the server logs in this thread.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// Listens from now on, as long as the guard lives.
    fn listen() -> (Self, tracing::subscriber::DefaultGuard) {
        let log = Self::default();
        let lines = tracing_subscriber::fmt().with_writer(log.clone()).with_ansi(false);
        let guard = tracing::subscriber::set_default(lines.with_max_level(tracing::Level::WARN).finish());
        (log, guard)
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }

    /// The lines about something.
    fn lines(&self, about: &str) -> Vec<String> {
        self.text().lines().filter(|line| line.contains(about)).map(str::to_owned).collect()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

async fn connected(server: &Server, first: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server.address).await.expect("connected");
    stream.write_all(first.replace("HOST", &server.address.to_string()).as_bytes()).await.expect("sent");
    stream
}

/// Whether the server closes this connection, and what it says before that.
async fn farewell(mut stream: TcpStream) -> String {
    let mut said = Vec::new();
    // A connection that is reset is closed as well.
    let closed = tokio::time::timeout(Duration::from_secs(600), stream.read_to_end(&mut said)).await;
    assert!(closed.is_ok(), "the server waits for ever: {}", String::from_utf8_lossy(&said));
    String::from_utf8_lossy(&said).into_owned()
}

const POST: &str = "POST /api/v1/positions HTTP/1.1\r\nhost: HOST\r\norigin: http://HOST\r\n\
                    content-type: application/json\r\ncontent-length: 1000\r\n\r\n{";

#[tokio::test]
async fn headers_and_bodies_that_do_not_come_are_not_waited_for() {
    let server = Server::start().await;
    let silent = connected(&server, "").await;
    let headless = connected(&server, "GET / HTTP/1.1\r\nhost: HOST\r\n").await;
    let bodiless = connected(&server, POST).await;
    let idle = connected(&server, "GET /healthz HTTP/1.1\r\nhost: HOST\r\n\r\n").await;
    pause();
    assert_eq!(farewell(silent).await, "");
    assert!(!farewell(headless).await.contains("200 OK"));
    let said = farewell(bodiless).await;
    assert!(said.contains(" 400 ") && said.contains("too slowly"), "{said}");
    assert!(farewell(idle).await.contains("200 OK"), "an answer comes before the silence");
    resume();
}

#[tokio::test]
async fn a_body_may_take_its_time_as_long_as_it_comes() {
    let server = Server::start().await;
    let question = json!({"game": "othello", "padding": " ".repeat(200_000)}).to_string();
    let head =
        POST.replace("content-length: 1000\r\n\r\n{", &format!("content-length: {}\r\n\r\n", question.len()));
    let mut steady = connected(&server, &head).await;
    pause();
    // 10 kB a second is slow, but not too slow.
    for piece in question.as_bytes().chunks(10_000) {
        sleep(Duration::from_secs(1)).await;
        steady.write_all(piece).await.expect("the server listens");
        tokio::task::yield_now().await;
    }
    resume();
    let mut said = [0; 12];
    steady.read_exact(&mut said).await.expect("an answer");
    // The padding is refused, which shows that everything was read.
    assert_eq!(&said, b"HTTP/1.1 422");
}

#[tokio::test]
async fn bodies_take_only_so_much_memory_together() {
    let server = Server::with(Options { proxies: &["127.0.0.0/8"], ..Options::default() }).await;
    let mut sending = Vec::new();
    // Addresses of one network count as one.
    for number in 1..=3 {
        let fields = format!("content-length: 4000000\r\nx-forwarded-for: 2001:db8::{number}");
        let mut stream = connected(&server, &POST.replace("content-length: 1000", &fields)).await;
        sending.push(Box::pin(async move {
            // All but the last byte; who is refused is not read to the end.
            let _ = stream.write_all(&vec![b' '; 3_999_998]).await;
            farewell(stream).await
        }));
    }
    let (said, _, _) = futures_util::future::select_all(sending).await;
    assert!(said.contains(" 400 ") && said.contains("too much is being sent"), "{said}");
}

#[tokio::test]
async fn an_answer_that_nobody_reads_is_given_up_and_takes_no_memory() {
    let server = Server::start().await;
    let dir = play(&server.folder.0, "course", COURSE);
    let report = vec![b'a'; 60 << 20];
    std::fs::write(dir.join("report.html"), &report).expect("it can be written");
    let listed = server.get("/api/v1/arena").send().await.expect(200).json();
    let id = listed["tournaments"][0]["id"].as_str().expect("an id").to_owned();
    let before = resident();
    let mut deaf = Vec::new();
    for _ in 0..20 {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_recv_buffer_size(4096).expect("a small buffer");
        let mut stream = socket.connect(server.address).await.expect("connected");
        let request = format!(
            "GET /api/v1/arena/{id}/files/report.html HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n",
            server.address
        );
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut first = [0; 15];
        stream.read_exact(&mut first).await.expect("an answer");
        assert_eq!(&first, b"HTTP/1.1 200 OK");
        deaf.push(stream);
    }
    let grown = resident().saturating_sub(before);
    assert!(grown < 400 << 20, "20 readers of 60 MB have taken {} MB", grown >> 20);
    pass(60).await;
    for stream in deaf {
        let read = farewell(stream).await.len();
        assert!(read < report.len(), "the answer was not given up");
    }
    let whole = server.get(&format!("/api/v1/arena/{id}/files/report.html")).send().await.expect(200);
    assert_eq!(whole.body, report, "whoever reads gets everything");
}

/// The memory of this process, in bytes.
fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("Linux says how large we are");
    statm.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).expect("a number") * 4096
}

#[tokio::test]
async fn every_connection_counts_whether_it_asks_or_not() {
    let limits = ConnectionLimits { per_address: 3, ..Options::default().connections };
    let server = Server::with(Options { connections: limits, ..Options::default() }).await;
    let silent = connected(&server, "").await;
    let headless = connected(&server, "GET / HTTP/1.1\r\n").await;
    let client = server.client(ANNA).await;
    let refused = server.get("/healthz").send().await;
    refused.refusal(429, "limit");
    assert!(Client::try_connect(server.address, ANNA).await.is_err(), "nor can they play");
    drop((silent, headless));
    while server.get("/healthz").send().await.status != 200 {
        tokio::task::yield_now().await;
    }
    drop(client);
}

#[tokio::test]
async fn behind_a_proxy_visitors_are_counted_and_the_proxy_is_not() {
    let limits = ConnectionLimits { per_address: 1, ..Options::default().connections };
    let server =
        Server::with(Options { connections: limits, proxies: &["127.0.0.0/8"], ..Options::default() }).await;
    let _idle = [connected(&server, "").await, connected(&server, "").await];
    let bearer = format!("Bearer {ANNA}");
    let from = |address| [("authorization", bearer.as_str()), ("x-forwarded-for", address)];
    let _first = Client::upgrade(server.address, &from("203.0.113.1")).await.expect("the first connection");
    assert!(Client::upgrade(server.address, &from("203.0.113.1")).await.is_err(), "one is all they may have");
    let asks = |address| server.get("/healthz").header("x-forwarded-for", address).send();
    asks("203.0.113.1").await.refusal(429, "limit");
    asks("203.0.113.2").await.expect(200);
    asks("203.0.113.2").await.expect(200);
}

#[tokio::test]
async fn the_log_says_who_was_refused_and_stays_short() {
    let server = Server::start().await;
    let (log, _listening) = Log::listen();
    let long = "x".repeat(5000);
    for number in 0..1000 {
        let path = format!("/{long}/{number}");
        let mut request = server.get(&path).header("host", "evil.example");
        if number % 2 == 0 {
            request = request.header("upgrade", "websocket");
        }
        request.send().await.expect(403);
    }
    let text = log.text();
    assert!(text.contains("address=127.0.0.1"), "{text}");
    assert!(text.len() < 200_000, "a thousand refusals have taken {} bytes", text.len());
    // Messages over a WebSocket are no different.
    for _ in 0..50 {
        let mut client = server.client(ANNA).await;
        for _ in 0..25 {
            let _ = client.send(&json!({"type": long})).await;
        }
        client.until_closed().await;
    }
    let text = log.text();
    assert!(text.len() < 200_000, "refused messages have taken {} bytes", text.len());
}

#[tokio::test]
async fn what_is_asked_of_an_admin_leaves_a_line() {
    let server = Server::with(Options { uploads: Some("/bin/false".into()), ..Options::default() }).await;
    let (log, _listening) = Log::listen();
    server.get("/api/v1/arena/desk").token(ANNA).send().await.expect(403);
    let refused = log.lines("a request for an admin was refused");
    assert_eq!(refused.len(), 1, "{}", log.text());
    assert!(
        refused[0].contains("address=127.0.0.1") && refused[0].contains("/api/v1/arena/desk"),
        "{refused:?}"
    );
    let agent = "/api/v1/arena/agents/Ann?interpreter=python3&file=agent.py";
    let put = server.send("PUT", agent, ANNA, &json!(null)).body("print()");
    put.token(ADMIN).send().await.expect(200);
    assert_eq!(log.lines("an agent was uploaded").len(), 1, "{}", log.text());
    server
        .send("DELETE", "/api/v1/arena/agents/Ann", ANNA, &json!(null))
        .token(ADMIN)
        .send()
        .await
        .expect(204);
    let removed = log.lines("an agent was removed");
    assert!(removed.len() == 1 && removed[0].contains("Ann"), "{}", log.text());
}
