//! https: certificates that are read again when their files change, and a door through which connections
//! come, with or without them.

use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::task::{Context, Poll, ready};
use std::time::SystemTime;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{self, ServerConfig};
use tokio_rustls::server::TlsStream;
use tokio_rustls::{Accept, TlsAcceptor};

use crate::serve::set_nodelay;

/// Where the certificate of a server and its key are, in PEM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate, followed by those that lead to one that browsers know.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

/// Why a certificate cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read, or does not hold what it should.
    #[error("{}: {reason}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// Certificate and key do not go together, or the certificate is none.
    #[error("the certificate {} and the key {}: {error}", .files.certificate.display(), .files.key.display())]
    Pair {
        /// The files.
        files: TlsFiles,
        /// What is wrong.
        error: rustls::Error,
    },
}

/// Tells whether a file has changed: when it was written, and its size.
type Stamp = Option<(SystemTime, u64)>;

impl TlsFiles {
    fn stamps(&self) -> [Stamp; 2] {
        [&self.certificate, &self.key].map(|path| {
            let data = std::fs::metadata(path).ok()?;
            Some((data.modified().ok()?, data.len()))
        })
    }

    fn load(&self, provider: &CryptoProvider) -> Result<CertifiedKey, TlsError> {
        let at = |path: &Path, reason: String| TlsError::File { path: path.to_owned(), reason };
        let chain =
            CertificateDer::pem_file_iter(&self.certificate).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let chain = chain.map_err(|error| at(&self.certificate, error.to_string()))?;
        if chain.is_empty() {
            return Err(at(&self.certificate, "it holds no certificate in PEM".to_owned()));
        }
        let key =
            PrivateKeyDer::from_pem_file(&self.key).map_err(|error| at(&self.key, error.to_string()))?;
        let pair = CertifiedKey::from_der(chain, key, provider);
        pair.map_err(|error| TlsError::Pair { files: self.clone(), error })
    }
}

/// The certificate of a server, as its files were when they last made sense.
#[derive(Debug)]
pub struct Certificate {
    files: TlsFiles,
    provider: CryptoProvider,
    current: RwLock<Arc<CertifiedKey>>,
    seen: Mutex<[Stamp; 2]>,
}

impl Certificate {
    /// Reads a certificate and its key.
    ///
    /// # Errors
    /// If they cannot be read, or do not go together.
    pub fn load(files: TlsFiles) -> Result<Self, TlsError> {
        let (seen, provider) = (files.stamps(), ring::default_provider());
        let current = files.load(&provider)?;
        Ok(Self { files, provider, current: RwLock::new(Arc::new(current)), seen: Mutex::new(seen) })
    }

    /// Reads the files again if they have changed, and says whether they were. Until both go together, the
    /// old ones are used.
    ///
    /// # Errors
    /// If they make no sense. That is said once for every change.
    pub fn reload(&self) -> Result<bool, TlsError> {
        let stamps = self.files.stamps();
        let seen = std::mem::replace(&mut *self.seen.lock().unwrap_or_else(PoisonError::into_inner), stamps);
        if seen == stamps {
            return Ok(false);
        }
        let new = Arc::new(self.files.load(&self.provider)?);
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = new;
        Ok(true)
    }

    /// What is used at the moment.
    pub fn current(&self) -> Arc<CertifiedKey> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _: ClientHello) -> Option<Arc<CertifiedKey>> {
        Some(self.current())
    }
}

/// Where connections come in.
pub struct Door {
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
}

impl Door {
    /// A door behind which connections are encrypted if there is a certificate.
    ///
    /// # Errors
    /// If the library does not take it.
    pub fn new(listener: TcpListener, certificate: Option<Arc<Certificate>>) -> Result<Self, rustls::Error> {
        let secured = |certificate: Arc<Certificate>| {
            let mut config = ServerConfig::builder_with_provider(Arc::new(certificate.provider.clone()))
                .with_safe_default_protocol_versions()?
                .with_no_client_auth()
                .with_cert_resolver(certificate);
            config.alpn_protocols = vec![b"http/1.1".to_vec()];
            Ok::<_, rustls::Error>(TlsAcceptor::from(Arc::new(config)))
        };
        Ok(Self { listener, tls: certificate.map(secured).transpose()? })
    }
}

impl Listener for Door {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        let (mut stream, address) = Listener::accept(&mut self.listener).await;
        set_nodelay(&mut stream);
        let connection = match &self.tls {
            None => Connection::Plain(stream),
            Some(tls) => Connection::Agreeing(Box::new(tls.accept(stream))),
        };
        (connection, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection. Keys are agreed on when it is first read from, by whoever reads: nobody at the door waits
/// for a client that takes its time, and the limits of headers hold for that as well.
pub enum Connection {
    /// Without encryption.
    Plain(TcpStream),
    /// One whose keys are not agreed on yet.
    Agreeing(Box<Accept<TcpStream>>),
    /// With encryption.
    Secure(Box<TlsStream<TcpStream>>),
    /// One on whose keys nobody agreed.
    Failed,
}

impl Connection {
    /// Has keys agreed on, and does something with what is below.
    fn poll_with<T>(
        &mut self,
        context: &mut Context,
        work: impl FnOnce(Pin<&mut dyn Stream>, &mut Context) -> Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if let Self::Agreeing(agreeing) = self {
            *self = match ready!(Pin::new(agreeing).poll(context)) {
                Ok(stream) => Self::Secure(Box::new(stream)),
                Err(error) => {
                    tracing::debug!(%error, "a connection could not be encrypted");
                    Self::Failed
                }
            };
        }
        match self {
            Self::Plain(stream) => work(Pin::new(stream as &mut dyn Stream), context),
            Self::Secure(stream) => work(Pin::new(&mut **stream as &mut dyn Stream), context),
            Self::Agreeing(_) | Self::Failed => Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into())),
        }
    }
}

trait Stream: AsyncRead + AsyncWrite + Unpin {}
impl<S: AsyncRead + AsyncWrite + Unpin> Stream for S {}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context,
        buffer: &mut ReadBuf,
    ) -> Poll<io::Result<()>> {
        self.poll_with(context, |stream, context| stream.poll_read(context, buffer))
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_with(context, |stream, context| stream.poll_write(context, bytes))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context,
        parts: &[IoSlice],
    ) -> Poll<io::Result<usize>> {
        self.poll_with(context, |stream, context| stream.poll_write_vectored(context, parts))
    }

    fn is_write_vectored(&self) -> bool {
        match self {
            Self::Plain(stream) => stream.is_write_vectored(),
            // An encrypted connection gathers what it is given.
            _ => true,
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<io::Result<()>> {
        self.poll_with(context, |stream, context| stream.poll_flush(context))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<io::Result<()>> {
        if matches!(*self, Self::Agreeing(_)) {
            // Nothing has been said that could be ended well.
            *self = Self::Failed;
            return Poll::Ready(Ok(()));
        }
        self.poll_with(context, |stream, context| stream.poll_shutdown(context))
    }
}
