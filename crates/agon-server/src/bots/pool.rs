//! A few threads, and a fair line in front of them: addresses take turns, within an address browsers do, and within one browser first come,
//! first served. A browser can have a new name every time; an address is harder to come by.
//!
//! The longer the line, the less time each is allowed, so that nobody waits for longer than [`PATIENCE`]. If all threads work for one
//! address when another one comes, one of them is told to answer with what it has.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use agon_erased::Bot;
use agon_players::guarded;

use super::think::BotKey;
use crate::networks::counted_address;
use crate::store::VisitorId;

/// How long anybody may have to wait.
const PATIENCE: Duration = Duration::from_secs(9);
/// The least time that anybody is allowed.
const LEAST: Duration = Duration::from_millis(20);
/// By how much the threads give way to the server's own.
const NICENESS: i32 = 10;

/// What is done when it is somebody's turn.
type Work = Box<dyn FnOnce(&mut Worker) + Send>;

/// For whom work is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requester {
    /// Where they are.
    pub address: IpAddr,
    /// Whose browser it is.
    pub visitor: VisitorId,
}

impl Requester {
    /// Somebody at this address, or at another one of the same network.
    pub fn new(address: IpAddr, visitor: VisitorId) -> Self {
        Self { address: counted_address(address), visitor }
    }
}

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
    /// Addresses in the order of their turns, none without work.
    addresses: VecDeque<(IpAddr, VecDeque<Queue>)>,
    /// What is being done, the oldest first.
    running: Vec<(u64, IpAddr, Arc<AtomicBool>)>,
    next_number: u64,
    is_closed: bool,
}

/// The work of one browser, never empty.
struct Queue {
    visitor: VisitorId,
    jobs: VecDeque<Job>,
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
    /// Set once nobody wants to know any more, or somebody else has waited for too long.
    pub stop: Arc<AtomicBool>,
}

impl Worker {
    /// Gives back the memory of the bot that thought last here, before something else takes its own.
    pub fn forget_bot(&mut self) {
        self.kept = None;
    }
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

    /// Has `work` done for somebody as soon as it is their turn.
    pub fn submit(&self, by: Requester, work: impl FnOnce(&mut Worker) + Send + 'static) -> Ticket {
        let stop = Arc::new(AtomicBool::new(false));
        let mut line = self.shared.line();
        line.next_number += 1;
        let number = line.next_number;
        line.push(by, Job { number, stop: Arc::clone(&stop), work: Box::new(work) });
        line.make_room(by.address, self.shared.workers);
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
        line.addresses.clear();
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
        self.addresses.iter().map(|(_, queues)| jobs_in(queues)).sum()
    }

    fn push(&mut self, by: Requester, job: Job) {
        let Requester { address, visitor } = by;
        let index = self.addresses.iter().position(|(known, _)| *known == address).unwrap_or_else(|| {
            self.addresses.push_back((address, VecDeque::new()));
            self.addresses.len() - 1
        });
        let queues = &mut self.addresses[index].1;
        match queues.iter_mut().find(|queue| queue.visitor == visitor) {
            Some(queue) => queue.jobs.push_back(job),
            None => queues.push_back(Queue { visitor, jobs: VecDeque::from([job]) }),
        }
    }

    /// If all threads work for one other address, has the oldest of their works end soon.
    fn make_room(&self, newcomer: IpAddr, workers: usize) {
        let is_one_address = self.running.windows(2).all(|pair| pair[0].1 == pair[1].1);
        if let Some((_, address, stop)) = self.running.first()
            && self.running.len() >= workers
            && is_one_address
            && *address != newcomer
        {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// Takes the first job of the browser and the address whose turn it is, which then stand behind the others; and how many wait that
    /// it has to share the threads with: its own address's, and one of each other.
    fn pop(&mut self) -> Option<(IpAddr, Job, usize)> {
        let (address, mut queues) = self.addresses.pop_front()?;
        let mut queue = queues.pop_front()?;
        let job = queue.jobs.pop_front()?;
        if !queue.jobs.is_empty() {
            queues.push_back(queue);
        }
        let sharing = jobs_in(&queues) + self.addresses.len();
        if !queues.is_empty() {
            self.addresses.push_back((address, queues));
        }
        Some((address, job, sharing))
    }

    /// The place of a job: how often others are taken before it, by the same rules, and one.
    fn place(&self, number: u64) -> usize {
        let queued = |queue: &Queue| queue.jobs.iter().map(|job| job.number).collect::<VecDeque<u64>>();
        let mut addresses: VecDeque<VecDeque<VecDeque<u64>>> =
            self.addresses.iter().map(|(_, queues)| queues.iter().map(queued).collect()).collect();
        let mut place = 0;
        while let Some(mut queues) = addresses.pop_front() {
            let Some(mut queue) = queues.pop_front() else { continue };
            place += 1;
            if queue.pop_front() == Some(number) {
                return place;
            }
            if !queue.is_empty() {
                queues.push_back(queue);
            }
            if !queues.is_empty() {
                addresses.push_back(queues);
            }
        }
        0
    }

    fn remove(&mut self, number: u64) {
        for (_, queues) in &mut self.addresses {
            for queue in &mut *queues {
                queue.jobs.retain(|job| job.number != number);
            }
            queues.retain(|queue| !queue.jobs.is_empty());
        }
        self.addresses.retain(|(_, queues)| !queues.is_empty());
    }
}

fn jobs_in(queues: &VecDeque<Queue>) -> usize {
    queues.iter().map(|queue| queue.jobs.len()).sum()
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
        while let Some((job, sharing)) = self.next() {
            worker.allowed = allowed(sharing, self.workers);
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
            self.line().running.retain(|(number, ..)| *number != job.number);
        }
    }

    /// The next job, and how many wait that it shares the threads with; `None` once the pool is closed.
    fn next(&self) -> Option<(Job, usize)> {
        let mut line = self.line();
        loop {
            if line.is_closed {
                return None;
            }
            if let Some((address, job, sharing)) = line.pop() {
                line.running.push((job.number, address, Arc::clone(&job.stop)));
                return Some((job, sharing));
            }
            line = self.changed.wait(line).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// How long one of `workers` may take while so many share them; `None` for as long as it likes.
fn allowed(waiting: usize, workers: usize) -> Option<Duration> {
    let share = PATIENCE.saturating_mul(workers as u32) / (waiting + workers) as u32;
    (waiting > 0).then(|| share.max(LEAST))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    const HOME: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));
    const AWAY: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(198, 51, 100, 1));
    const ANNA: Requester = Requester { address: HOME, visitor: [1; 32] };
    const BENNO: Requester = Requester { address: HOME, visitor: [2; 32] };
    const CLARA: Requester = Requester { address: AWAY, visitor: [3; 32] };

    /// Work that goes on until it is told to stop, or is let go.
    fn busy(pool: &Pool, by: Requester) -> (Ticket, std::sync::mpsc::Receiver<()>) {
        let (begin, begun) = channel();
        let ticket = pool.submit(by, move |worker| {
            begin.send(()).expect("somebody listens");
            while !worker.stop.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
        });
        (ticket, begun)
    }

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
    fn addresses_take_turns_however_many_names_one_has() {
        let pool = Pool::new(1);
        let (begin, begun) = channel();
        let (go, wait) = channel::<()>();
        // One that does not listen when it is told to make room, so that all others wait until it may end.
        let _first = pool.submit(ANNA, move |_| {
            begin.send(()).expect("somebody listens");
            let _ = wait.recv();
        });
        begun.recv().expect("it begins");
        let (done, order) = channel();
        let submit = |by: Requester, name: String| {
            let done = done.clone();
            pool.submit(by, move |_| done.send(name).expect("somebody listens"))
        };
        let stranger = |index: u8| Requester { address: HOME, visitor: [100 + index; 32] };
        let mut tickets: Vec<Ticket> =
            (0..20).map(|index| submit(stranger(index), format!("s{index}"))).collect();
        tickets.push(submit(CLARA, "clara".to_owned()));
        assert_eq!(tickets[20].place(), 2, "after one of the other address");
        drop(go);
        drop(done);
        let order: Vec<String> = (0..21).map(|_| order.recv().expect("it is done")).collect();
        assert_eq!(order[..3], ["s0", "clara", "s1"]);
    }

    #[test]
    fn an_address_that_has_all_threads_makes_room_for_another_one() {
        let pool = Pool::new(2);
        let held: Vec<_> = [ANNA, BENNO].into_iter().map(|by| busy(&pool, by)).collect();
        held.iter().for_each(|(_, begun)| begun.recv().expect("it begins"));
        // Others of the same address wait.
        let waits = pool.submit(ANNA, |_| {});
        assert_eq!(waits.place(), 1);
        let (done, heard) = channel();
        let _clara = pool.submit(CLARA, move |_| done.send(()).expect("somebody listens"));
        heard.recv().expect("one of the first two was told to answer");
        assert!(held[0].0.stop.load(Ordering::Relaxed) && !held[1].0.stop.load(Ordering::Relaxed));
    }

    #[test]
    fn nobody_waits_for_too_long() {
        assert_eq!(allowed(0, 2), None);
        let each = allowed(198, 2).expect("others wait");
        assert!(each * 198 / 2 <= PATIENCE && each >= LEAST, "{each:?}");
        assert_eq!(allowed(100_000, 2), Some(LEAST));
    }
}
