//! Restarts under a supervisor that keeps the socket, as systemd does: nobody is turned away in between.

use std::net::TcpListener;
use std::os::unix::net::UnixDatagram;
use std::process::Command;
use std::time::Duration;

use crate::client::Client;
use crate::process::{Folder, Running, new_table, serve, start};
use crate::request::Request;

const ANNA: &str = "anna-keeps-this-token-to-herself";

/// `agon serve` with a socket as its third descriptor.
fn activated(folder: &Folder, socket: &TcpListener) -> Command {
    let plain = serve(&folder.0);
    let mut command = Command::new("sh");
    command.args(["-c", "LISTEN_PID=$$ LISTEN_FDS=1 exec \"$0\" \"$@\" 3<&0 </dev/null"]);
    command.arg(plain.get_program()).args(plain.get_args());
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.stdin(std::os::fd::OwnedFd::from(socket.try_clone().expect("a copy")));
    // A port that is not free, to show that it does not matter.
    command.arg("--listen").arg(socket.local_addr().expect("an address").to_string());
    command.arg("--data").arg(folder.data());
    command
}

fn start_activated(folder: &Folder, socket: &TcpListener) -> Running {
    start(activated(folder, socket), &folder.0).expect("it starts")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_turned_away_while_the_server_is_restarted() {
    let folder = Folder::new();
    let socket = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = socket.local_addr().expect("an address");
    let server = start_activated(&folder, &socket);
    assert_eq!(server.address, address);
    let table = server.open(ANNA, &new_table("othello", "size=4", &["human", "human"])).await;
    let mut client = Client::connect(address, ANNA).await;
    client.open(&table).await.expect("it opens");
    assert!(server.terminate().success());
    client.until_closed().await;
    // There is no server now. Whoever connects waits.
    let requests: Vec<_> =
        (0..20).map(|_| tokio::spawn(Request::new(address, "GET", "/healthz").send())).collect();
    let coming = tokio::spawn(async move { Client::connect(address, ANNA).await });
    tokio::net::TcpStream::connect(address).await.expect("nobody is refused");
    let _server = start_activated(&folder, &socket);
    for request in requests {
        request.await.expect("an answer").expect(200);
    }
    let mut client = coming.await.expect("a connection");
    client.open(&table).await.expect("the game goes on");
}

#[test]
fn a_supervisor_is_told_when_the_server_can_be_asked() {
    let folder = Folder::new();
    let path = folder.0.join("notify");
    let heard = UnixDatagram::bind(&path).expect("a socket");
    heard.set_read_timeout(Some(Duration::from_secs(60))).expect("it waits only so long");
    let mut command = serve(&folder.0);
    command.args(["--listen", "127.0.0.1:0", "--data"]).arg(folder.data()).env("NOTIFY_SOCKET", &path);
    let _server = start(command, &folder.0).expect("it starts");
    let mut bytes = [0; 100];
    let length = heard.recv(&mut bytes).expect("a message");
    assert_eq!(&bytes[..length], b"READY=1");
}
