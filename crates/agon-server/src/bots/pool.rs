//! A few threads, and a fair line in front of them: browsers take turns, and within one browser first come, first served.
//!
//! The longer the line, the less time each is allowed, so that nobody waits for longer than [`PATIENCE`].

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use agon_erased::Bot;
use agon_players::guarded;

use super::think::BotKey;
use crate::store::VisitorId;

/// How long anybody may have to wait.
const PATIENCE: Duration = Duration::from_secs(9);
/// The least time that anybody is allowed.
const LEAST: Duration = Duration::from_millis(20);
/// By how much the threads give way to the server's own.
const NICENESS: i32 = 10;

/// What is done when it is somebody's turn.
type Work = Box<dyn FnOnce(&mut Worker) + Send>;

/// The threads and the line in front of them.
pub struct Pool {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

struct Shared {
    line: Mutex<Line>,
    changed: Condvar,
    workers: usize,
}

#[derive(Default)]
struct Line {
    /// Browsers in the order of their turns, none without work.
    visitors: VecDeque<(VisitorId, VecDeque<Job>)>,
    next_number: u64,
    is_closed: bool,
}

struct Job {
    number: u64,
    stop: Arc<AtomicBool>,
    work: Work,
}

/// A thread as its work sees it.
pub struct Worker {
    /// The bot that thought last here, and for whom. Another one takes its place and its memory.
    pub kept: Option<(BotKey, Box<dyn Bot>)>,
    /// How long the work may take, where others wait.
    pub allowed: Option<Duration>,
    /// Set once nobody wants to know any more.
    pub stop: Arc<AtomicBool>,
}

/// A place in the line, which is given up when this is dropped; work that has begun is told to stop.
pub struct Ticket {
    number: u64,
    stop: Arc<AtomicBool>,
    shared: Arc<Shared>,
}

impl Pool {
    /// So many threads, at least one.
    pub fn new(workers: usize) -> Self {
        let workers = workers.max(1);
        let shared = Arc::new(Shared { line: Mutex::default(), changed: Condvar::new(), workers });
        let spawn = |index: usize| {
            let shared = Arc::clone(&shared);
            let name = format!("{} {index}", agon_players::THREAD);
            std::thread::Builder::new().name(name).spawn(move || shared.work())
        };
        let threads = (0..workers).filter_map(|index| spawn(index).ok()).collect();
        Self { shared, threads }
    }

    /// Has `work` done for a browser as soon as it is its turn.
    pub fn submit(&self, visitor: VisitorId, work: impl FnOnce(&mut Worker) + Send + 'static) -> Ticket {
        let stop = Arc::new(AtomicBool::new(false));
        let mut line = self.shared.line();
        line.next_number += 1;
        let number = line.next_number;
        let job = Job { number, stop: Arc::clone(&stop), work: Box::new(work) };
        match line.visitors.iter_mut().find(|(known, _)| *known == visitor) {
            Some((_, jobs)) => jobs.push_back(job),
            None => line.visitors.push_back((visitor, VecDeque::from([job]))),
        }
        drop(line);
        self.shared.changed.notify_one();
        Ticket { number, stop, shared: Arc::clone(&self.shared) }
    }

    /// How many wait.
    pub fn waiting(&self) -> usize {
        self.shared.line().len()
    }
}

impl Drop for Pool {
    /// Stops what is being done, forgets what waits, and lets the threads end.
    fn drop(&mut self) {
        let mut line = self.shared.line();
        line.is_closed = true;
        line.visitors.clear();
        drop(line);
        self.shared.changed.notify_all();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

impl Ticket {
    /// The place in the line, from 1; 0 if it is its turn or was.
    pub fn place(&self) -> usize {
        self.shared.line().place(self.number)
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.shared.line().remove(self.number);
    }
}

impl Line {
    fn len(&self) -> usize {
        self.visitors.iter().map(|(_, jobs)| jobs.len()).sum()
    }

    /// Takes the first job of the browser whose turn it is, which then stands behind the others.
    fn pop(&mut self) -> Option<Job> {
        let (visitor, mut jobs) = self.visitors.pop_front()?;
        let job = jobs.pop_front();
        if !jobs.is_empty() {
            self.visitors.push_back((visitor, jobs));
        }
        job
    }

    fn place(&self, number: u64) -> usize {
        let found = self.visitors.iter().enumerate().find_map(|(turn, (_, jobs))| {
            jobs.iter().position(|job| job.number == number).map(|round| (turn, round))
        });
        let Some((own_turn, round)) = found else { return 0 };
        // Before it come those of earlier rounds, and those of its own round whose turn is earlier.
        let before = self.visitors.iter().enumerate().map(|(turn, (_, jobs))| {
            let rounds = if turn < own_turn { round + 1 } else { round };
            jobs.len().min(rounds)
        });
        before.sum::<usize>() + 1
    }

    fn remove(&mut self, number: u64) {
        for (_, jobs) in &mut self.visitors {
            jobs.retain(|job| job.number != number);
        }
        self.visitors.retain(|(_, jobs)| !jobs.is_empty());
    }
}

impl Shared {
    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a thread does until the pool is closed.
    fn work(&self) {
        // Where the system refuses, bots think at full priority.
        let _ = rustix::process::setpriority_process(None, NICENESS);
        let mut worker = Worker { kept: None, allowed: None, stop: Arc::default() };
        while let Some((job, waiting)) = self.next() {
            worker.allowed = allowed(waiting, self.workers);
            worker.stop = job.stop;
            let work = job.work;
            let done = guarded(|| {
                work(&mut worker);
                Ok(())
            });
            if done.is_err() {
                // Nobody knows in what state it is.
                worker.kept = None;
            }
        }
    }

    /// The next job, and how many still wait behind it; `None` once the pool is closed.
    fn next(&self) -> Option<(Job, usize)> {
        let mut line = self.line();
        loop {
            if line.is_closed {
                return None;
            }
            if let Some(job) = line.pop() {
                return Some((job, line.len()));
            }
            line = self.changed.wait(line).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// How long one of `workers` may take while so many wait; `None` for as long as it likes.
fn allowed(waiting: usize, workers: usize) -> Option<Duration> {
    let share = PATIENCE.saturating_mul(workers as u32) / (waiting + workers) as u32;
    (waiting > 0).then(|| share.max(LEAST))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    const ANNA: VisitorId = [1; 32];
    const BENNO: VisitorId = [2; 32];

    #[test]
    fn browsers_take_turns() {
        let pool = Pool::new(1);
        let (begin, begun) = channel();
        let (go, wait) = channel::<()>();
        let first = pool.submit(ANNA, move |_| {
            begin.send(()).expect("somebody listens");
            wait.recv().expect("somebody lets it go");
        });
        begun.recv().expect("it begins");
        assert_eq!(first.place(), 0);
        let (done, order) = channel();
        let tickets =
            [(ANNA, "a1"), (ANNA, "a2"), (BENNO, "b1"), (ANNA, "a3"), (BENNO, "b2")].map(|(who, name)| {
                let done = done.clone();
                pool.submit(who, move |_| done.send(name).expect("somebody listens"))
            });
        assert_eq!(tickets.each_ref().map(Ticket::place), [1, 3, 2, 5, 4]);
        assert_eq!(pool.waiting(), 5);
        let [a1, a2, b1, a3, b2] = tickets;
        drop(b1);
        assert_eq!([&a1, &a2, &a3, &b2].map(Ticket::place), [1, 3, 4, 2], "one has left the line");
        go.send(()).expect("it waits");
        drop(done);
        assert_eq!(order.iter().collect::<Vec<_>>(), ["a1", "b2", "a2", "a3"]);
    }

    #[test]
    fn a_dropped_ticket_stops_its_work_and_a_panic_stops_nobody() {
        let pool = Pool::new(1);
        let (begin, begun) = channel();
        let ticket = pool.submit(ANNA, move |worker| {
            begin.send(()).expect("somebody listens");
            while !worker.stop.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
        });
        begun.recv().expect("it begins");
        drop(ticket);
        let (done, heard) = channel();
        let _panics = pool.submit(ANNA, |_| panic!("a bot has failed"));
        let _other = pool.submit(BENNO, move |_| done.send(()).expect("somebody listens"));
        heard.recv().expect("others go on");
    }

    #[test]
    fn nobody_waits_for_too_long() {
        assert_eq!(allowed(0, 2), None);
        let each = allowed(198, 2).expect("others wait");
        assert!(each * 198 / 2 <= PATIENCE && each >= LEAST, "{each:?}");
        assert_eq!(allowed(100_000, 2), Some(LEAST));
    }
}
