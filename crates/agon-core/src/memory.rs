//! Large tables that are read here and there: how they are laid out and fetched.
//!
//! A read at a random place of a table of many megabytes waits for memory, and before that for the translation of its
//! address. Large pages make the second short, fetching ahead hides the first; both are hints, and where a system does
//! not take them everything works, only slower.

/// There is not that much memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is not that much memory left")]
pub struct OutOfMemory;

/// So many times `value`, on large pages where the system has them.
///
/// # Errors
/// If there is not that much memory.
pub fn try_filled<T: Clone>(value: T, length: usize) -> Result<Vec<T>, OutOfMemory> {
    let bytes = length.checked_mul(size_of::<T>()).ok_or(OutOfMemory)?;
    if available().is_some_and(|available| bytes as u64 > available) {
        return Err(OutOfMemory);
    }
    let mut table = Vec::new();
    table.try_reserve_exact(length).map_err(|_| OutOfMemory)?;
    prefer_large_pages(&mut table);
    table.resize(length, value);
    Ok(table)
}

/// The same for a table that is known to be small beside what any machine has.
pub fn filled<T: Clone>(value: T, length: usize) -> Vec<T> {
    let mut table = Vec::with_capacity(length);
    prefer_large_pages(&mut table);
    table.resize(length, value);
    table
}

/// How many bytes of memory can still be used, where the system says so.
pub fn available() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

/// Asks for large pages under the room that a vector has not used yet.
#[cfg(target_os = "linux")]
fn prefer_large_pages<T>(table: &mut Vec<T>) {
    use rustix::mm::{Advice, madvise};
    /// Below that a large page is not worth it.
    const LARGE_PAGE: usize = 2 << 20;
    let room = table.spare_capacity_mut();
    let (start, bytes) = (room.as_mut_ptr(), size_of_val(room));
    if bytes < LARGE_PAGE {
        return;
    }
    let skipped = start.addr().next_multiple_of(rustix::param::page_size()) - start.addr();
    // SAFETY: the range lies within the vector's own room, and this advice changes no contents.
    // That the system may refuse it does no harm.
    let _ = unsafe { madvise(start.byte_add(skipped).cast(), bytes - skipped, Advice::LinuxHugepage) };
}

#[cfg(not(target_os = "linux"))]
fn prefer_large_pages<T>(_: &mut Vec<T>) {}

/// Has the line of memory fetched in which `target` begins.
#[inline(always)]
pub fn prefetch<T>(target: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has the instruction, and it faults on no address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(target).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = target;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_filled_and_those_beyond_all_memory_refused() {
        // Some pages more than a large one, so that the advice is given.
        let length = (5 << 20) / size_of::<u64>();
        assert!(filled(7u64, length).iter().all(|&value| value == 7));
        let table = try_filled(7u64, length).expect("a few megabytes");
        assert!(table.len() == length && table.iter().all(|&value| value == 7));
        prefetch(&table[length / 2]);
        assert_eq!(try_filled(0u64, usize::MAX / 16), Err(OutOfMemory));
        assert_eq!(try_filled(0u64, usize::MAX), Err(OutOfMemory));
    }
}
