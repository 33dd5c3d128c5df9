//! Bodies of requests while they come in: none may be slow for long, and together they take only so much memory.

use std::collections::HashMap;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use futures_util::future::FutureExt;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use tokio::time::Sleep;

use super::MAX_BODY;
use super::pace::Pace;
use super::slots::Slot;

/// How many bytes of bodies are held of all requests together.
const ALL: usize = 64 << 20;
/// How many of one address: two of the largest.
const PER_ADDRESS: usize = 2 * MAX_BODY;

/// Why a body is not read to its end.
#[derive(Debug, thiserror::Error)]
enum BodyError {
    #[error("it comes too slowly")]
    Slow,
    #[error("too much is being sent at the same time")]
    TooMuch,
    #[error(transparent)]
    Broken(#[from] axum::Error),
}

/// What is held of bodies.
#[derive(Debug, Default)]
pub(super) struct Bodies(Mutex<Counts>);

#[derive(Debug, Default)]
struct Counts {
    all: usize,
    by_address: HashMap<IpAddr, usize>,
}

/// What is held of the body of one request, until it is dropped.
#[derive(Debug)]
pub(super) struct Held {
    bodies: Arc<Bodies>,
    /// Who has sent it; `None` if it does not count.
    address: Option<IpAddr>,
    bytes: Mutex<usize>,
}

impl Bodies {
    /// Nothing yet, of a request from this address, or of one that does not count.
    pub(super) fn hold(self: &Arc<Self>, address: Option<IpAddr>) -> Arc<Held> {
        Arc::new(Held { bodies: Arc::clone(self), address, bytes: Mutex::new(0) })
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    /// Whether so much more may be held.
    fn add(&self, bytes: usize) -> bool {
        let Some(address) = self.address else { return true };
        let mut counts = self.bodies.counts();
        let own = counts.by_address.get(&address).copied().unwrap_or(0);
        if counts.all + bytes > ALL || own + bytes > PER_ADDRESS {
            return false;
        }
        counts.all += bytes;
        counts.by_address.insert(address, own + bytes);
        *self.bytes.lock().unwrap_or_else(PoisonError::into_inner) += bytes;
        true
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let bytes = *self.bytes.get_mut().unwrap_or_else(PoisonError::into_inner);
        let Some(address) = self.address.filter(|_| bytes > 0) else { return };
        let mut counts = self.bodies.counts();
        counts.all -= bytes;
        if let Some(own) = counts.by_address.get_mut(&address) {
            *own -= bytes;
            if *own == 0 {
                counts.by_address.remove(&address);
            }
        }
    }
}

/// A body of a request, as long as it comes fast enough and there is room for it.
pub(super) struct Received {
    body: Body,
    held: Arc<Held>,
    pace: Pace,
    timer: Option<Pin<Box<Sleep>>>,
}

impl Received {
    /// The body of a request, of which nothing has been read.
    pub(super) fn new(body: Body, held: Arc<Held>) -> Self {
        Self { body, held, pace: Pace::begin(), timer: None }
    }

    fn take_in(&mut self, frame: Frame<Bytes>) -> Result<Frame<Bytes>, BodyError> {
        let bytes = frame.data_ref().map_or(0, Bytes::len);
        self.pace.add(bytes);
        self.timer = None;
        if self.held.add(bytes) { Ok(frame) } else { Err(BodyError::TooMuch) }
    }
}

impl HttpBody for Received {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let next = match Pin::new(&mut self.body).poll_frame(context) {
            Poll::Ready(None) => return Poll::Ready(None),
            Poll::Ready(Some(Ok(frame))) => self.take_in(frame),
            Poll::Ready(Some(Err(error))) => Err(error.into()),
            Poll::Pending => {
                let deadline = self.pace.deadline();
                let timer = self.timer.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(deadline)));
                if timer.poll_unpin(context).is_pending() {
                    return Poll::Pending;
                }
                Err(BodyError::Slow)
            }
        };
        Poll::Ready(Some(next.map_err(axum::Error::new)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The body of an answer, which counts as a connection until it has been sent.
pub(super) struct Counted {
    body: Body,
    _slot: Slot,
}

impl Counted {
    /// An answer for which this slot was taken.
    pub(super) fn new(body: Body, slot: Slot) -> Self {
        Self { body, _slot: slot }
    }
}

impl HttpBody for Counted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
