//! Hot loops that use what the processor has, chosen at run time.
//!
//! The program is compiled for the plainest processor of its kind. A loop that is worth it (perft,
//! playouts) is compiled once more for each [`Level`] above that, and [`dispatch`] picks the best
//! one that the machine supports, once, at the loop's root. Inside, every recursive step runs
//! within [`Level::run`]: what is inlined into it is compiled with the level's instructions.

/// A set of processor instructions that code can be compiled for.
pub trait Level: Copy + 'static {
    /// Runs `body`, inlined and compiled for this level.
    ///
    /// Only [`dispatch`] hands out levels, and only those that the machine has.
    fn run<T>(self, body: impl FnOnce() -> T) -> T;
}

/// What every processor of the compilation target has.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Level for Portable {
    #[inline(always)]
    fn run<T>(self, body: impl FnOnce() -> T) -> T {
        body()
    }
}

/// x86-64-v3: AVX2, bit manipulation, population count. The private field keeps the promise that
/// a value exists only where the instructions do.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct X86V3(());

#[cfg(target_arch = "x86_64")]
impl X86V3 {
    fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt"))
        .then_some(Self(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl Level for X86V3 {
    #[inline(always)]
    fn run<T>(self, body: impl FnOnce() -> T) -> T {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn compiled<T>(body: impl FnOnce() -> T) -> T {
            body()
        }
        // SAFETY: `self` exists only if `detect` found every feature named above.
        unsafe { compiled(body) }
    }
}

/// A computation to be compiled for every level.
pub trait Root {
    /// What it yields.
    type Output;
    /// Runs it with the instructions of `level`.
    fn at<L: Level>(self, level: L) -> Self::Output;
}

/// Runs `body` in a function of its own, compiled for every level, at the best one that this machine has. For steps that take
/// far longer than a call and that many loops contain: inlined, such a step is compiled again in each of them, which costs minutes
/// of compilation and gains nothing.
#[inline(never)]
pub fn run_outlined<T>(body: impl FnOnce() -> T) -> T {
    #[cfg(target_arch = "x86_64")]
    if let Some(level) = X86V3::detect() {
        return level.run(body);
    }
    body()
}

/// Runs `root` like [`dispatch`] in release builds. With debug assertions only the portable version exists: a search is compiled
/// for so many games and algorithms that tests would spend more time on compiling it twice than on running it.
#[inline]
pub fn dispatch_in_release<R: Root>(root: R) -> R::Output {
    #[cfg(debug_assertions)]
    return root.at(Portable);
    #[cfg(not(debug_assertions))]
    dispatch(root)
}

/// Runs `root` at the best level that this machine has.
#[inline]
pub fn dispatch<R: Root>(root: R) -> R::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(level) = X86V3::detect() {
        return root.at(level);
    }
    root.at(Portable)
}
