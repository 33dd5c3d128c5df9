//! Work done by several threads at once and looked at in its order, so that what comes of it does not depend on how many
//! threads there were.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::{io, thread};

/// Searches recurse, and boards of many hundred squares make long lists of moves.
const STACK_BYTES: usize = 16 << 20;

/// Does `work` on every item in up to `jobs` threads and gives the results to `consume` in the order of the items, until that
/// has enough. Sets `stop` at the end, to have work that is no longer wanted end soon.
///
/// # Errors
/// If the threads cannot be started.
pub(crate) fn in_order<I: Send, R: Send>(
    items: impl Iterator<Item = I> + Send,
    jobs: usize,
    stop: &AtomicBool,
    work: impl Fn(I) -> R + Sync,
    mut consume: impl FnMut(R) -> ControlFlow<()>,
) -> io::Result<()> {
    let items = Mutex::new(items.enumerate());
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        let mut started = Ok(());
        for _ in 0..jobs.max(1) {
            let (sender, items, work) = (sender.clone(), &items, &work);
            let worker = move || {
                while !stop.load(Ordering::Relaxed) {
                    let item = items.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some((index, item)) = item else { return };
                    if sender.send((index, work(item))).is_err() {
                        return;
                    }
                }
            };
            let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, worker);
            if let Err(error) = thread {
                started = Err(error);
                break;
            }
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        'results: for (index, result) in results {
            if started.is_err() {
                break;
            }
            waiting.insert(index, result);
            while let Some(result) = waiting.remove(&next) {
                next += 1;
                if consume(result).is_break() {
                    break 'results;
                }
            }
        }
        stop.store(true, Ordering::Relaxed);
        started
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_end_where_enough_were_seen() {
        for jobs in [1, 2, 7] {
            let stop = AtomicBool::new(false);
            let mut seen = Vec::new();
            let done = in_order(
                0..100,
                jobs,
                &stop,
                |item| item * item,
                |result| {
                    seen.push(result);
                    if seen.len() == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                },
            );
            assert!(done.is_ok());
            assert_eq!(seen, [0, 1, 4, 9, 16, 25, 36, 49, 64, 81], "{jobs} jobs");
            assert!(stop.into_inner());
        }
    }

    #[test]
    fn a_slow_first_is_waited_for() {
        let (stop, others) = (AtomicBool::new(false), std::sync::atomic::AtomicUsize::new(0));
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
        let done = in_order(0..5, 2, &stop, work, |item| {
            seen.push(item);
            ControlFlow::Continue(())
        });
        assert!(done.is_ok());
        assert_eq!(seen, [0, 1, 2, 3, 4]);
    }
}
