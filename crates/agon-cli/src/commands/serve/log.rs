//! The server's log, of which there is never more than a disk can bear, whatever visitors do.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tracing::{Level, Metadata};
use tracing_subscriber::fmt::MakeWriter;

/// How many bytes are written a second in the long run.
const PER_SECOND: u64 = 64 << 10;
/// How many are written at once.
const AT_ONCE: u64 = 1 << 20;

/// A log that leaves out lines when too many come. Errors of the server have room of their own, so that nothing else hides them.
pub(super) struct BoundedLog<W> {
    inner: Mutex<Inner<W>>,
    now: Box<dyn Fn() -> Duration + Send + Sync>,
}

struct Inner<W> {
    out: W,
    errors: Room,
    others: Room,
}

/// Room for lines.
struct Room {
    /// How many bytes can be written at the moment.
    bytes: u64,
    /// When that was counted.
    counted: Duration,
    /// How many lines were left out since the last one that was written.
    left_out: u64,
}

impl BoundedLog<io::Stderr> {
    /// The log on standard error.
    pub(super) fn to_stderr() -> Self {
        let start = Instant::now();
        Self::new(io::stderr(), Box::new(move || start.elapsed()))
    }
}

impl<W: Write> BoundedLog<W> {
    fn new(out: W, now: Box<dyn Fn() -> Duration + Send + Sync>) -> Self {
        let room = || Room { bytes: AT_ONCE, counted: now(), left_out: 0 };
        Self { inner: Mutex::new(Inner { out, errors: room(), others: room() }), now }
    }
}

impl Room {
    /// Whether there is room for so many bytes at this moment; if so, it is taken.
    fn take(&mut self, bytes: u64, now: Duration) -> bool {
        let millis = u64::try_from(now.saturating_sub(self.counted).as_millis()).unwrap_or(u64::MAX);
        let freed = millis.saturating_mul(PER_SECOND) / 1000;
        if freed > 0 {
            self.bytes = self.bytes.saturating_add(freed).min(AT_ONCE);
            self.counted = now;
        }
        let fits = bytes <= self.bytes;
        if fits {
            self.bytes -= bytes;
        } else {
            self.left_out += 1;
        }
        fits
    }
}

/// A line that is being written.
pub(super) struct Line<'a, W> {
    log: &'a BoundedLog<W>,
    is_error: bool,
}

impl<W: Write> Write for Line<'_, W> {
    /// Takes a whole line, as the log formats it.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut inner = self.log.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let Inner { out, errors, others } = &mut *inner;
        let room = if self.is_error { errors } else { others };
        if room.take(line.len() as u64, (self.log.now)()) {
            let left_out = std::mem::take(&mut room.left_out);
            if left_out > 0 {
                // JSON, which people can read as well.
                writeln!(out, "{{\"message\":\"lines were left out of the log\",\"lines\":{left_out}}}")?;
            }
            out.write_all(line)?;
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.log.inner.lock().unwrap_or_else(PoisonError::into_inner).out.flush()
    }
}

impl<'a, W: Write + 'a> MakeWriter<'a> for BoundedLog<W> {
    type Writer = Line<'a, W>;

    fn make_writer(&'a self) -> Self::Writer {
        Line { log: self, is_error: false }
    }

    fn make_writer_for(&'a self, about: &Metadata<'_>) -> Self::Writer {
        Line { log: self, is_error: *about.level() == Level::ERROR }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn a_flood_of_lines_is_cut_and_errors_still_come_through() {
        let clock = Arc::new(AtomicU64::new(0));
        let seconds = Arc::clone(&clock);
        let log = BoundedLog::new(
            Vec::new(),
            Box::new(move || Duration::from_secs(seconds.load(Ordering::Relaxed))),
        );
        let write = |is_error, text: &str| {
            Line { log: &log, is_error }.write_all(text.as_bytes()).expect("memory takes everything");
        };
        let text = || String::from_utf8(log.inner.lock().expect("alone").out.clone()).expect("text");
        let line = format!("{}\n", "x".repeat(999));
        for _ in 0..400_000 {
            write(false, &line);
        }
        assert!(text().len() as u64 <= AT_ONCE, "400 MB have become {} bytes", text().len());
        write(true, "the disk is full\n");
        assert!(text().contains("the disk is full"));
        clock.store(1, Ordering::Relaxed);
        write(false, "later\n");
        let left_out = 400_000 - AT_ONCE / 1000;
        assert!(text().contains(&format!("\"lines\":{left_out}}}\nlater\n")), "it says how many are missing");
        for _ in 0..1000 {
            write(false, &line);
        }
        assert!(text().len() as u64 <= AT_ONCE + PER_SECOND + 1000, "a second brings room for a second");
    }
}
