//! Memory that processes share and that belongs to no file, counted where no control group does.
//!
//! What of it has been touched belongs to none of the processes any more once they have let go of it, and yet stays in use until the last part of
//! the mapping is gone. Nothing shows that to an ordinary user. So a mapping counts with its whole length from when it is made until no process
//! has any part of it.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;

use libc::c_int;

/// What the kernel calls the file behind such a mapping.
const NAMELESS: &str = "/dev/zero (deleted)";

/// The shared memory of an agent.
#[derive(Debug, Default)]
pub(super) struct SharedMemory {
    /// The sizes of all mappings in bytes, by the numbers of their nameless files.
    sizes: HashMap<u64, u64>,
    /// How much each thread wanted the last time.
    wanted: HashMap<u32, u64>,
}

impl SharedMemory {
    /// Takes note that a thread is about to map so many bytes. What it wanted before must have been counted.
    pub(super) fn expect(&mut self, thread: u32, length: u64) {
        self.wanted.insert(thread, length);
    }

    /// How much there is, in bytes, and whether we have seen all of it: a process can hide from us.
    pub(super) fn count(&mut self, processes: &[u32]) -> (u64, bool) {
        // Nobody has ever wanted any.
        if self.wanted.is_empty() {
            return (0, true);
        }
        let mut maps = String::new();
        let mut sees_all = true;
        for pid in processes {
            match fs::read_to_string(format!("/proc/{pid}/maps")) {
                Ok(text) => maps += &text,
                Err(error) => sees_all &= error.kind() != io::ErrorKind::PermissionDenied,
            }
        }
        if !sees_all {
            // As much as before.
            return (self.sizes.values().sum(), false);
        }
        (self.update(maps.lines()), true)
    }

    /// The same by lines of `/proc/PID/maps`.
    fn update<'a>(&mut self, lines: impl Iterator<Item = &'a str>) -> u64 {
        let files: HashSet<u64> = lines.filter_map(nameless_file).collect();
        self.sizes.retain(|file, _| files.contains(file));
        // Whoever maps memory may have given a part of it back before we look, but has asked for the whole.
        let largest = self.wanted.values().copied().max().unwrap_or(0);
        for file in files {
            self.sizes.entry(file).or_insert(largest);
        }
        self.sizes.values().sum()
    }
}

/// The number of the nameless file that a mapping is a part of.
fn nameless_file(line: &str) -> Option<u64> {
    let line = line.strip_suffix(NAMELESS)?;
    line.split_whitespace().nth(4)?.parse().ok()
}

/// How many bytes of shared memory without a file a process is about to map; `None` if it maps something else.
pub(super) fn mapped(pid: u32, arguments: [u64; 6]) -> Option<u64> {
    let [_, length, _, flags, descriptor, _] = arguments;
    let is_zero = || {
        let file = fs::metadata(format!("/proc/{pid}/fd/{}", descriptor as c_int));
        let zero = fs::metadata("/dev/zero");
        file.ok().zip(zero.ok()).is_some_and(|(file, zero)| {
            use std::os::unix::fs::MetadataExt;
            file.rdev() == zero.rdev()
        })
    };
    (flags as c_int & libc::MAP_ANONYMOUS != 0 || is_zero()).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PART: &str =
        "7f51c0000000-7f51c0001000 rw-s 00000000 00:01 1077                       /dev/zero (deleted)";
    const FILE: &str =
        "7f51c0000000-7f51c0001000 r--p 00000000 fe:00 1077                       /usr/lib/libc.so.6";

    #[test]
    fn a_mapping_counts_whole_until_its_last_part_is_gone() {
        let mut memory = SharedMemory::default();
        memory.expect(1, 1 << 30);
        assert_eq!(memory.update([FILE].into_iter()), 0, "there is none yet");
        assert_eq!(memory.update([PART].into_iter()), 1 << 30, "a page of it is left");
        // A second, small one.
        memory.expect(1, 4096);
        let other = PART.replace("1077", "1078");
        assert_eq!(memory.update([PART, &other].into_iter()), (1 << 30) + 4096);
        assert_eq!(memory.update([other.as_str(), FILE, "nonsense", NAMELESS].into_iter()), 4096);
        assert_eq!(memory.update([].into_iter()), 0);
    }
}
