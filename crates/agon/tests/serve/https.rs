//! `agon serve` and `agon join` over https.

use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::join::Joined;
use crate::process::{Failed, Folder, Running, serve, start};
use crate::request::Answer;

const HOST: &str = "a-host-who-only-looks-on-and-waits";

/// An authority that only whoever is told of it trusts.
struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).expect("parameters");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        Self(CertifiedIssuer::self_signed(params, key).expect("an authority"))
    }

    /// A new certificate for this machine, and its key.
    fn issue(&self) -> (rcgen::Certificate, KeyPair) {
        let names = ["127.0.0.1".to_owned(), "localhost".to_owned()];
        let (params, key) = (CertificateParams::new(names), KeyPair::generate().expect("a key"));
        (params.expect("parameters").signed_by(&key, &self.0).expect("a certificate"), key)
    }

    /// A connection to a server that this authority vouches for.
    async fn connect(&self, address: SocketAddr) -> std::io::Result<TlsStream<TcpStream>> {
        let mut trusted = RootCertStore::empty();
        trusted.add(self.0.der().clone()).expect("a certificate");
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_root_certificates(trusted)
            .with_no_client_auth();
        let stream = TcpStream::connect(address).await?;
        TlsConnector::from(Arc::new(config)).connect(ServerName::from(address.ip()), stream).await
    }

    async fn ask(&self, address: SocketAddr, method: &str, path: &str, body: &str) -> Answer {
        let mut stream = self.connect(address).await.expect("a connection");
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-type: application/json\r\n\
             authorization: Bearer {HOST}\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).await.expect("it is sent");
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).await.expect("it ends well");
        Answer::parse(&bytes).expect("an answer")
    }
}

/// The files of a certificate.
struct Files {
    certificate: PathBuf,
    key: PathBuf,
}

impl Files {
    fn new(folder: &Folder) -> Self {
        Self { certificate: folder.0.join("cert.pem"), key: folder.0.join("key.pem") }
    }

    fn write(&self, (certificate, key): &(rcgen::Certificate, KeyPair)) {
        fs::write(&self.certificate, certificate.pem()).expect("written");
        fs::write(&self.key, key.serialize_pem()).expect("written");
    }

    fn start(&self, folder: &Folder) -> Result<Running, Failed> {
        let mut command = serve(&folder.0);
        command.args(["--listen", "127.0.0.1:0", "--data"]).arg(folder.data());
        command.arg("--tls-cert").arg(&self.certificate).arg("--tls-key").arg(&self.key);
        start(command, &folder.0)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn programs_join_over_https_and_play() {
    let folder = Folder::new();
    let (authority, files) = (Authority::new(), Files::new(&folder));
    files.write(&authority.issue());
    let server = files.start(&folder).expect("it starts");
    assert!(server.said.starts_with("Agon is at https://127.0.0.1:"), "{}", server.said);
    // Somebody who says nothing keeps nobody waiting.
    let _silent = TcpStream::connect(server.address).await.expect("a connection");
    let lobby = json!({"name": "Programs", "game": "othello", "options": "size=4",
        "seats": [{"occupant": "open"}, {"occupant": "open"}]});
    let opened =
        authority.ask(server.address, "POST", "/api/v1/lobbies", &lobby.to_string()).await.expect(201);
    let page = format!("https://{}/lobby/{}", server.address, opened.json()["id"].as_str().expect("an id"));
    let trusted = folder.0.join("authority.pem");
    fs::write(&trusted, authority.0.pem()).expect("written");
    let join = |trusted: &PathBuf| {
        Joined::at(&page, &["--bot", "random"], &[("SSL_CERT_FILE", trusted.to_str().expect("a path"))])
    };
    let stranger = folder.0.join("stranger.pem");
    fs::write(&stranger, Authority::new().0.pem()).expect("written");
    let (succeeded, said) = join(&stranger).ended().await;
    assert!(!succeeded && said.contains("certificate"), "a server that nobody vouches for: {said}");
    let programs = [join(&trusted), join(&trusted)];
    for program in programs {
        let (succeeded, said) = program.ended().await;
        assert!(succeeded && said.contains("The game is over"), "{said}");
    }
}

#[tokio::test]
async fn browsers_are_told_to_stay_with_https() {
    let folder = Folder::new();
    let (authority, files) = (Authority::new(), Files::new(&folder));
    files.write(&authority.issue());
    let server = files.start(&folder).expect("it starts");
    let page = authority.ask(server.address, "GET", "/", "").await.expect(200);
    assert_eq!(page.header("strict-transport-security"), Some("max-age=31536000"));
    // Whoever speaks http is not answered, and nobody else suffers from it.
    let mut plain = TcpStream::connect(server.address).await.expect("a connection");
    plain.write_all(b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n").await.expect("it is sent");
    let mut bytes = Vec::new();
    let _ = plain.read_to_end(&mut bytes).await;
    assert!(!bytes.starts_with(b"HTTP"), "{bytes:?}");
    authority.ask(server.address, "GET", "/healthz", "").await.expect(200);
}

#[tokio::test]
async fn a_new_certificate_is_used_without_a_restart() {
    let folder = Folder::new();
    let (authority, files) = (Authority::new(), Files::new(&folder));
    files.write(&authority.issue());
    let server = files.start(&folder).expect("it starts");
    let shown = || async {
        let stream = authority.connect(server.address).await.expect("a connection");
        stream.get_ref().1.peer_certificates().expect("a certificate")[0].to_vec()
    };
    let before = shown().await;
    // Whoever is connected stays so.
    let mut connected = authority.connect(server.address).await.expect("a connection");
    let new = authority.issue();
    files.write(&new);
    let changed = async {
        let mut after = before.clone();
        while after == before {
            after = shown().await;
        }
        after
    };
    let after = timeout(Duration::from_secs(60), changed).await.expect("it is noticed");
    assert_eq!(after, new.0.der().to_vec());
    let request = format!("GET /healthz HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", server.address);
    connected.write_all(request.as_bytes()).await.expect("it is sent");
    let mut bytes = Vec::new();
    connected.read_to_end(&mut bytes).await.expect("an answer");
    let health: Value = Answer::parse(&bytes).expect("an answer").expect(200).json();
    assert_eq!(health["storage"], true);
}

#[test]
fn certificates_that_cannot_be_used_are_named() {
    let folder = Folder::new();
    let (authority, files) = (Authority::new(), Files::new(&folder));
    let fails = |words: &[&str]| {
        let Err(Failed { errors, said, .. }) = files.start(&folder) else { panic!("it must not start") };
        assert_eq!(said, "");
        for word in words {
            assert!(errors.contains(word), "{word}: {errors}");
        }
    };
    fails(&["cert.pem"]);
    let (one, other) = (authority.issue(), authority.issue());
    files.write(&(one.0, other.1));
    fails(&["cert.pem", "key.pem"]);
    let mut command = serve(&folder.0);
    command.args(["--listen", "127.0.0.1:0", "--tls-cert"]).arg(&files.certificate);
    let Err(Failed { errors, .. }) = start(command, &folder.0) else { panic!("it must not start") };
    assert!(errors.contains("--tls-key"), "{errors}");
    assert!(!folder.data().exists(), "nothing was begun");
}
