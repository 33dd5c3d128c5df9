//! Large tables that are read here and there: how they are laid out and fetched.
//!
//! A read at a random place of a table of many megabytes waits for memory, and before that for the translation of its
//! address. Large pages make the second short, fetching ahead hides the first; both are hints, and where a system does
//! not take them everything works, only slower.

use std::ops::{Deref, DerefMut};

/// There is not that much memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is not that much memory left")]
pub struct OutOfMemory;

/// A table of its own memory, on large pages where the system has them: the system has all of it back as soon as the table is dropped.
/// On the heap its pages would stay large for whatever comes to lie there next.
#[derive(Debug)]
pub struct Table<T>(room::Room<T>);

impl<T> Table<T> {
    /// Whether there is room for so many entries now, for those who fill a table later.
    ///
    /// # Errors
    /// If there is not.
    pub fn check_room(length: usize) -> Result<(), OutOfMemory> {
        let bytes = length.checked_mul(size_of::<T>()).ok_or(OutOfMemory)?;
        let is_too_much = available().is_some_and(|available| bytes as u64 > available);
        if is_too_much { Err(OutOfMemory) } else { Ok(()) }
    }

    /// So many entries, each as `make` makes it. They need no dropping: for numbers, and atomic ones.
    ///
    /// # Errors
    /// If there is not that much memory.
    pub fn try_made(make: impl Fn() -> T, length: usize) -> Result<Self, OutOfMemory> {
        Self::check_room(length)?;
        room::Room::made(make, length).map(Self).ok_or(OutOfMemory)
    }

    /// The same for a table that is known to be small beside what any machine has.
    pub fn made(make: impl Fn() -> T, length: usize) -> Self {
        let layout = || std::alloc::Layout::array::<T>(length).unwrap_or(std::alloc::Layout::new::<T>());
        Self(room::Room::made(make, length).unwrap_or_else(|| std::alloc::handle_alloc_error(layout())))
    }

    /// A table without entries.
    pub fn empty() -> Self {
        Self(room::Room::default())
    }
}

impl<T> Deref for Table<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> DerefMut for Table<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

/// Memory from the system.
#[cfg(target_os = "linux")]
mod room {
    use std::marker::PhantomData;
    use std::ops::{Deref, DerefMut};
    use std::ptr::{NonNull, null_mut};

    use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};

    #[derive(Debug)]
    pub(super) struct Room<T> {
        start: NonNull<T>,
        length: usize,
        owned: PhantomData<T>,
    }

    // SAFETY: the entries belong to the room alone, as those of a vector do.
    unsafe impl<T: Send> Send for Room<T> {}
    // SAFETY: as above.
    unsafe impl<T: Sync> Sync for Room<T> {}

    impl<T> Default for Room<T> {
        fn default() -> Self {
            Self { start: NonNull::dangling(), length: 0, owned: PhantomData }
        }
    }

    impl<T> Room<T> {
        /// So many entries; `None` if there is no room.
        pub(super) fn made(make: impl Fn() -> T, length: usize) -> Option<Self> {
            const {
                assert!(align_of::<T>() <= 4096, "a mapping begins with a page");
                assert!(!std::mem::needs_drop::<T>(), "entries are not dropped");
            };
            let bytes = length.checked_mul(size_of::<T>())?;
            if bytes == 0 {
                return Some(Self { length, ..Self::default() });
            }
            // SAFETY: the system chooses a place where nothing is.
            let mapped = unsafe {
                mmap_anonymous(null_mut(), bytes, ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE)
            };
            let start = NonNull::new(mapped.ok()?.cast::<T>())?;
            super::prefer_large_pages(start.cast(), bytes);
            for index in 0..length {
                // SAFETY: there is room for so many entries.
                unsafe { start.add(index).write(make()) };
            }
            Some(Self { start, length, owned: PhantomData })
        }
    }

    impl<T> Drop for Room<T> {
        fn drop(&mut self) {
            let bytes = self.length * size_of::<T>();
            if bytes > 0 {
                // SAFETY: it was mapped with this length, and nobody refers to it any more. It does not fail for what was mapped.
                let _ = unsafe { munmap(self.start.as_ptr().cast(), bytes) };
            }
        }
    }

    impl<T> Deref for Room<T> {
        type Target = [T];

        #[inline(always)]
        fn deref(&self) -> &[T] {
            // SAFETY: so many entries were written.
            unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) }
        }
    }

    impl<T> DerefMut for Room<T> {
        #[inline(always)]
        fn deref_mut(&mut self) -> &mut [T] {
            // SAFETY: so many entries were written, and nobody else refers to them.
            unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.length) }
        }
    }
}

/// Memory from the heap, where the system is not known.
#[cfg(not(target_os = "linux"))]
mod room {
    use std::ops::{Deref, DerefMut};

    #[derive(Debug)]
    pub(super) struct Room<T>(Vec<T>);

    impl<T> Default for Room<T> {
        fn default() -> Self {
            Self(Vec::new())
        }
    }

    impl<T> Room<T> {
        pub(super) fn made(make: impl Fn() -> T, length: usize) -> Option<Self> {
            let mut table = Vec::new();
            table.try_reserve_exact(length).ok()?;
            table.resize_with(length, make);
            Some(Self(table))
        }
    }

    impl<T> Deref for Room<T> {
        type Target = [T];

        #[inline(always)]
        fn deref(&self) -> &[T] {
            &self.0
        }
    }

    impl<T> DerefMut for Room<T> {
        #[inline(always)]
        fn deref_mut(&mut self) -> &mut [T] {
            &mut self.0
        }
    }
}

/// So many times `value` on the heap, for tables that are never dropped; on large pages where the system has them.
pub fn filled<T: Clone>(value: T, length: usize) -> Vec<T> {
    let mut table = Vec::with_capacity(length);
    #[cfg(target_os = "linux")]
    {
        let room: &mut [std::mem::MaybeUninit<T>] = table.spare_capacity_mut();
        prefer_large_pages(std::ptr::NonNull::from(&mut *room).cast(), size_of_val(room));
    }
    table.resize(length, value);
    table
}

/// How many bytes of memory can still be used, where the system says so.
pub fn available() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

/// Asks for large pages under memory whose contents do not matter yet.
#[cfg(target_os = "linux")]
fn prefer_large_pages(start: std::ptr::NonNull<u8>, bytes: usize) {
    use rustix::mm::{Advice, madvise};
    /// Below that a large page is not worth it.
    const LARGE_PAGE: usize = 2 << 20;
    if bytes < LARGE_PAGE {
        return;
    }
    let skipped = start.addr().get().next_multiple_of(rustix::param::page_size()) - start.addr().get();
    // SAFETY: the range lies within the caller's own memory, and this advice changes no contents.
    // That the system may refuse it does no harm.
    let _ = unsafe { madvise(start.as_ptr().add(skipped).cast(), bytes - skipped, Advice::LinuxHugepage) };
}

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

    #[cfg(target_os = "linux")]
    #[test]
    fn a_table_that_is_dropped_leaves_nothing_behind() {
        let resident = || {
            let text = std::fs::read_to_string("/proc/self/statm").expect("Linux says how large we are");
            text.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).expect("a number") * 4096
        };
        let before = resident();
        let table = Table::made(|| 7u64, 8 << 20);
        assert!(resident() > before + (60 << 20));
        drop(table);
        // Other tests take some memory meanwhile.
        assert!(resident() < before + (30 << 20));
    }

    #[test]
    fn tables_are_filled_and_those_beyond_all_memory_refused() {
        // Some pages more than a large one, so that the advice is given.
        let length = (5 << 20) / size_of::<u64>();
        assert!(filled(7u64, length).iter().all(|&value| value == 7));
        let mut table = Table::try_made(|| 7u64, length).expect("a few megabytes");
        assert!(table.len() == length && table.iter().all(|&value| value == 7));
        table[length - 1] = 8;
        assert_eq!(table.iter().sum::<u64>(), 7 * length as u64 + 1);
        prefetch(&table[length / 2]);
        assert_eq!(Table::made(|| 7u64, 3)[..], [7; 3]);
        assert!(Table::made(|| 7u64, 0).is_empty() && Table::<u64>::empty().is_empty());
        for length in [usize::MAX / 16, usize::MAX] {
            assert_eq!(Table::try_made(|| 0u64, length).err(), Some(OutOfMemory));
        }
    }
}
