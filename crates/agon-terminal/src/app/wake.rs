//! What wakes the screens: keys, signals, the loss of the window.
//!
//! Each is heard by a thread of its own that hands on what it hears. Crossterm's reading of keys can block in the middle of an escape
//! sequence, and never returns from a terminal that has gone; in a thread it does no harm, because the program ends without it.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use crossterm::event::{self, Event};
use rustix::event::{PollFd, PollFlags, poll};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};

use super::tty::restore_by_name;

/// How long a program that was told to end may take to do so in order.
const ORDERLY: Duration = Duration::from_secs(2);

/// Something that has come from outside.
pub(super) enum Wake {
    /// The user has done something.
    Event(Event),
    /// The program was stopped and goes on.
    Resumed,
    /// A signal wants the program to end, or its window has gone, which is the same.
    Ended(i32),
    /// Nothing can be heard any more.
    Deaf(io::Error),
}

/// What all listeners know.
#[derive(Clone)]
struct Shared {
    sender: Sender<Wake>,
    /// The signal that has come, or 0.
    received: Arc<AtomicI32>,
    /// Whether the program has given the terminal back.
    ended: Arc<AtomicBool>,
}

impl Shared {
    /// Says that the program must end, and sees to it should the screens not.
    fn end(&self, number: i32) {
        self.received.store(number, Ordering::Relaxed);
        let _ = self.sender.send(Wake::Ended(number));
        std::thread::sleep(ORDERLY);
        if !self.ended.load(Ordering::Relaxed) {
            restore_by_name();
            // As shells have it. Games are safe, they are written down at every move.
            std::process::exit(128 + number);
        }
    }
}

/// The threads that listen.
pub(super) struct Listeners {
    shared: Shared,
    signals: Handle,
}

impl Listeners {
    /// Begins to listen.
    pub(super) fn new() -> io::Result<(Self, Receiver<Wake>)> {
        let (sender, wakes) = channel();
        let shared = Shared { sender, received: Arc::default(), ended: Arc::default() };
        let mut signals = Signals::new([SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGCONT])?;
        let handle = signals.handle();
        let ears = shared.clone();
        spawn("signals", move || {
            for number in signals.forever() {
                match number {
                    SIGCONT => drop(ears.sender.send(Wake::Resumed)),
                    _ => ears.end(number),
                }
            }
        })?;
        let ears = shared.clone();
        spawn("keys", move || read_events(&ears.sender))?;
        let ears = shared.clone();
        spawn("window", move || {
            if wait_for_loss() {
                ears.end(SIGHUP);
            }
        })?;
        Ok((Self { shared, signals: handle }, wakes))
    }

    /// Stops listening, and gives the signal that has come, if one has.
    pub(super) fn end(self) -> Option<i32> {
        self.shared.ended.store(true, Ordering::Relaxed);
        self.signals.close();
        Some(self.shared.received.load(Ordering::Relaxed)).filter(|number| *number != 0)
    }
}

fn spawn(name: &str, listen: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).spawn(listen).map(|_| ())
}

fn read_events(sender: &Sender<Wake>) {
    loop {
        let (wake, is_last) = match event::read() {
            Ok(event) => (Wake::Event(event), false),
            Err(error) => (Wake::Deaf(error), true),
        };
        if sender.send(wake).is_err() || is_last {
            return;
        }
    }
}

/// Waits until the terminal has gone: not everybody who loses it is sent a signal. `false` if that cannot be found out.
fn wait_for_loss() -> bool {
    let input = io::stdin();
    loop {
        // Without any flag only the loss is reported.
        let mut watched = [PollFd::new(&input, PollFlags::empty())];
        match poll(&mut watched, None) {
            Err(rustix::io::Errno::INTR) => {}
            Ok(_) => return watched[0].revents().intersects(PollFlags::HUP | PollFlags::ERR),
            Err(_) => return false,
        }
    }
}
