//! Time as the processor spends it.

use std::time::Duration;

use agon_erased::{Clock, SystemClock};

/// A clock that runs while the thread that reads it has the processor. A bot that thinks by it has its time on a busy machine, too:
/// what others do takes nothing from it. It says nothing about what other threads do, and where a system does not measure threads, it is
/// the machine's own clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProcessorClock(SystemClock);

impl Clock for ProcessorClock {
    fn now(&self) -> Duration {
        thread_time().unwrap_or_else(|| self.0.now())
    }
}

#[cfg(target_os = "linux")]
fn thread_time() -> Option<Duration> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes to `time`, which is alive and ours, and keeps nothing of it.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    (result == 0).then(|| Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32))
}

#[cfg(not(target_os = "linux"))]
fn thread_time() -> Option<Duration> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn it_goes_on_with_what_its_thread_does_alone() {
        let clock = ProcessorClock::default();
        let began = clock.now();
        let mut sum = 0_u64;
        while clock.now() < began + Duration::from_millis(2) {
            sum = std::hint::black_box(sum + 1);
        }
        // A thread that is new has done nothing, however much others have.
        let other = std::thread::spawn(move || clock.now()).join().expect("it reads a clock");
        assert!(other < Duration::from_millis(2) + began, "{other:?} {began:?}");
    }
}
