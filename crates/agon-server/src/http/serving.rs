//! Connections as they come in. Each counts, whether it ever asks for anything or not, and none may be slow for long: headers, bodies and
//! answers that nobody reads have their time.

use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use agon_messages::Refused;
use agon_protocol::web::RefusalCode;
use axum::Router;
use axum::extract::ConnectInfo;
use axum::response::IntoResponse;
use axum::serve::Listener;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Semaphore;
use tokio::time::Sleep;

use super::guard::{HttpRefusal, is_proxy};
use super::pace::Pace;
use super::slots::Slot;
use super::{App, router};

/// How long a browser may take to send the headers of a request, and how long a connection stays open between two requests.
const HEADER_TIME: Duration = Duration::from_secs(15);
/// How much of headers is kept of one connection, in bytes.
const HEADER_BYTES: usize = 64 << 10;
/// How many of those who are one too many are told so at a time; the rest are cut off.
const TURNED_AWAY: usize = 64;

/// Answers whoever connects, for ever.
pub async fn answer<L: Listener<Addr = SocketAddr>>(mut listener: L, app: Arc<App>) {
    let router = router(Arc::clone(&app));
    let turning_away = Arc::new(Semaphore::new(TURNED_AWAY));
    loop {
        let (io, peer) = listener.accept().await;
        let address = peer.ip().to_canonical();
        let counted = (!is_proxy(&app.site.proxies, address)).then_some(address);
        match app.connections.take(counted) {
            Some(slot) => {
                let io = Watched { io, writing: None, _slot: Some(slot) };
                tokio::spawn(converse(io, peer, router.clone()));
            }
            None => {
                metrics::counter!("agon_refusals_total").increment(1);
                app.refusals.note(address, |left_out| {
                    tracing::warn!(%address, left_out, "there are too many connections");
                });
                if let Ok(permit) = Arc::clone(&turning_away).try_acquire_owned() {
                    tokio::spawn(async move {
                        turn_away(Watched { io, writing: None, _slot: None }).await;
                        drop(permit);
                    });
                }
            }
        }
    }
}

fn protocol() -> http1::Builder {
    let mut protocol = http1::Builder::new();
    protocol.timer(TokioTimer::new()).header_read_timeout(HEADER_TIME).max_buf_size(HEADER_BYTES);
    protocol
}

/// Answers requests until the connection ends or becomes a WebSocket.
async fn converse<Io>(io: Watched<Io>, peer: SocketAddr, router: Router)
where
    Io: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let service = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        service.call(request)
    });
    // Connections fail all the time, and whoever is at the other end has gone.
    let _ = protocol().serve_connection(TokioIo::new(io), service).with_upgrades().await;
}

/// Tells somebody that there are too many connections.
async fn turn_away<Io>(io: Watched<Io>)
where
    Io: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let service = service_fn(|_: hyper::Request<Incoming>| async {
        let refused = Refused::plain(RefusalCode::Limit, "refused.too-many-connections");
        Ok::<_, std::convert::Infallible>(HttpRefusal::from(refused).into_response())
    });
    let _ = protocol().keep_alive(false).serve_connection(TokioIo::new(io), service).await;
}

/// A connection that counts as long as it is open, also as a WebSocket, and fails when what is sent is not read in time.
struct Watched<Io> {
    io: Io,
    /// What waits to be read at the other end.
    writing: Option<Writing>,
    _slot: Option<Slot>,
}

struct Writing {
    pace: Pace,
    timer: Pin<Box<Sleep>>,
}

impl<Io: AsyncWrite + Unpin> Watched<Io> {
    /// Passes on what became of writing, unless it has taken too long.
    fn wrote<T>(
        &mut self,
        written: Poll<io::Result<T>>,
        bytes: impl FnOnce(&T) -> usize,
        context: &mut Context,
    ) -> Poll<io::Result<T>> {
        match (&written, &mut self.writing) {
            (Poll::Ready(Ok(done)), Some(writing)) => writing.pace.add(bytes(done)),
            (Poll::Ready(_), _) => {}
            (Poll::Pending, writing) => {
                let Writing { pace, timer } = writing.get_or_insert_with(|| {
                    let pace = Pace::begin();
                    Writing { pace, timer: Box::pin(tokio::time::sleep_until(pace.deadline())) }
                });
                if timer.deadline() != pace.deadline() {
                    timer.as_mut().reset(pace.deadline());
                }
                ready!(timer.as_mut().poll(context));
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
        }
        written
    }
}

impl<Io: AsyncRead + Unpin> AsyncRead for Watched<Io> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context,
        buffer: &mut ReadBuf,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_read(context, buffer)
    }
}

impl<Io: AsyncWrite + Unpin> AsyncWrite for Watched<Io> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.io).poll_write(context, bytes);
        self.wrote(written, |count| *count, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context,
        parts: &[IoSlice],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.io).poll_write_vectored(context, parts);
        self.wrote(written, |count| *count, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.io).poll_flush(context);
        if flushed.is_ready() {
            // Everything is on its way.
            self.writing = None;
        }
        self.wrote(flushed, |()| 0, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<io::Result<()>> {
        let closed = Pin::new(&mut self.io).poll_shutdown(context);
        self.wrote(closed, |()| 0, context)
    }
}
