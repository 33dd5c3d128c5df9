//! Work done by several threads at once and looked at in its order, so that what comes of it does not depend on how many
//! threads there were.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::{io, thread};

/// Searches recurse, and boards of many hundred squares make long lists of moves.
const STACK_BYTES: usize = 16 << 20;
/// How many finishers there are, and how much may wait for them. They only wait for the disk, and the more of them wait together,
/// the more of their files it writes at once.
const FINISHERS: usize = 64;
const WAITING: usize = 256;
/// They do little themselves.
const FINISHER_STACK_BYTES: usize = 256 << 10;

/// How work is done.
pub struct Crew<'a> {
    /// So many threads.
    pub jobs: usize,
    /// Set by others to have no more items begun.
    pub drain: &'a AtomicBool,
    /// Set at the end, to have work that is no longer wanted end soon. Set by others, it does the same, and no more items are begun.
    pub abort: &'a AtomicBool,
}

impl Crew<'_> {
    fn is_stopped(&self) -> bool {
        self.drain.load(Ordering::Relaxed) || self.abort.load(Ordering::Relaxed)
    }

    /// Does `work` on every item and gives the results to `consume` in the order of the items, until that has enough.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn in_order<I: Send, R: Send>(
        &self,
        items: impl Iterator<Item = I> + Send,
        work: impl Fn(I) -> R + Sync,
        consume: impl FnMut(R) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let items = Mutex::new(items.enumerate());
        let (sender, results) = mpsc::channel();
        thread::scope(|scope| {
            let worker = || {
                let sender = sender.clone();
                let (items, work) = (&items, &work);
                move || {
                    while let Some((index, item)) = self.next(items) {
                        if sender.send((index, work(item))).is_err() {
                            return;
                        }
                    }
                }
            };
            let started = (0..self.jobs.max(1)).try_for_each(|_| start(scope, STACK_BYTES, worker()));
            drop(sender);
            self.consume(started, &results, consume)
        })
    }

    /// The same with work in two parts: `finish`, which mostly waits for a disk, is done by threads of its own, so that many wait for
    /// it at once while the others go on.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn in_order_finished<I: Send, H: Send, R: Send>(
        &self,
        items: impl Iterator<Item = I> + Send,
        work: impl Fn(I) -> H + Sync,
        finish: impl Fn(H) -> R + Sync,
        consume: impl FnMut(R) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let items = Mutex::new(items.enumerate());
        let (half_sender, halves) = mpsc::sync_channel(WAITING);
        let halves = Mutex::new(halves);
        let (sender, results) = mpsc::channel();
        thread::scope(|scope| {
            let worker = || {
                let half_sender = half_sender.clone();
                let (items, work) = (&items, &work);
                move || {
                    while let Some((index, item)) = self.next(items) {
                        if half_sender.send((index, work(item))).is_err() {
                            return;
                        }
                    }
                }
            };
            let finisher = || {
                let sender = sender.clone();
                let (halves, finish) = (&halves, &finish);
                move || loop {
                    let half = halves.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((index, half)) = half else { return };
                    // Nobody may want it any more, but it has to be finished all the same.
                    let _ = sender.send((index, finish(half)));
                }
            };
            let started =
                (0..self.jobs.max(1)).try_for_each(|_| start(scope, STACK_BYTES, worker())).and_then(|()| {
                    (0..FINISHERS).try_for_each(|_| start(scope, FINISHER_STACK_BYTES, finisher()))
                });
            drop((sender, half_sender));
            self.consume(started, &results, consume)
        })
    }

    /// The next item, unless no more are to be begun.
    fn next<I>(&self, items: &Mutex<impl Iterator<Item = (usize, I)>>) -> Option<(usize, I)> {
        if self.is_stopped() {
            return None;
        }
        items.lock().unwrap_or_else(PoisonError::into_inner).next()
    }

    fn consume<R>(
        &self,
        started: io::Result<()>,
        results: &mpsc::Receiver<(usize, R)>,
        mut consume: impl FnMut(R) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let _abort = SetOnDrop(self.abort);
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        if started.is_ok() {
            'results: for (index, result) in results {
                waiting.insert(index, result);
                while let Some(result) = waiting.remove(&next) {
                    next += 1;
                    if consume(result).is_break() {
                        break 'results;
                    }
                }
            }
        }
        started
    }
}

/// Sets a flag when it is dropped, also by a panic: threads that wait for the flag would otherwise be waited for forever.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn start<'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    stack: usize,
    work: impl FnOnce() + Send + 'scope,
) -> io::Result<()> {
    thread::Builder::new().stack_size(stack).spawn_scoped(scope, work).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crew<'a>(jobs: usize, drain: &'a AtomicBool, abort: &'a AtomicBool) -> Crew<'a> {
        Crew { jobs, drain, abort }
    }

    #[test]
    fn results_come_in_order_and_end_where_enough_were_seen() {
        for jobs in [1, 2, 7] {
            for finishes in [false, true] {
                let (drain, abort) = (AtomicBool::new(false), AtomicBool::new(false));
                let mut seen = Vec::new();
                let consume = |result| {
                    seen.push(result);
                    if seen.len() == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                };
                let crew = crew(jobs, &drain, &abort);
                let done = if finishes {
                    crew.in_order_finished(0..100, |item| item, |item| item * item, consume)
                } else {
                    crew.in_order(0..100, |item| item * item, consume)
                };
                assert!(done.is_ok());
                assert_eq!(seen, [0, 1, 4, 9, 16, 25, 36, 49, 64, 81], "{jobs} jobs");
                assert!(abort.into_inner());
            }
        }
    }

    #[test]
    fn what_has_begun_is_completed_when_no_more_is_to_begin() {
        let (drain, abort) = (AtomicBool::new(false), AtomicBool::new(false));
        let mut seen = Vec::new();
        let work = |item: usize| {
            if item == 3 {
                drain.store(true, Ordering::Relaxed);
            }
            item
        };
        let done = crew(1, &drain, &abort).in_order_finished(
            0..100,
            work,
            |item| item,
            |item| {
                seen.push(item);
                ControlFlow::Continue(())
            },
        );
        assert!(done.is_ok());
        assert_eq!(seen, [0, 1, 2, 3]);
    }

    #[test]
    fn a_slow_first_is_waited_for() {
        let (drain, abort) = (AtomicBool::new(false), AtomicBool::new(false));
        let others = std::sync::atomic::AtomicUsize::new(0);
        let work = |item: usize| {
            if item == 0 {
                // Until all others are done.
                while others.load(Ordering::Acquire) < 4 {
                    thread::yield_now();
                }
            } else {
                others.fetch_add(1, Ordering::Release);
            }
            item
        };
        let mut seen = Vec::new();
        let done = crew(2, &drain, &abort).in_order(0..5, work, |item| {
            seen.push(item);
            ControlFlow::Continue(())
        });
        assert!(done.is_ok());
        assert_eq!(seen, [0, 1, 2, 3, 4]);
    }
}
