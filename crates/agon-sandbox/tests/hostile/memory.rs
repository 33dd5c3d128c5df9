//! Memory beyond the limit, also where a process does not seem to have it.

use std::fs;
use std::os::unix::fs::chown;
use std::path::PathBuf;

use agon_erased::Offence;
use agon_sandbox::{Limits, Mechanism, Sandbox};

use crate::stage::{Agent, has_group, helper, in_all_modes, modes, wait_until};

/// A control group below our own that another user may divide up. Dropped, it is removed.
pub(crate) struct Delegated(pub(crate) PathBuf);

impl Delegated {
    /// `None` if there is no control group of version 1 for memory that we can divide up.
    pub(crate) fn to(user: u32) -> Option<Self> {
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        let own = groups.lines().find_map(|line| line.split_once(":memory:/"))?.1.to_owned();
        let folder = PathBuf::from("/sys/fs/cgroup/memory")
            .join(own)
            .join(format!("agon-test-{}", std::process::id()));
        fs::create_dir(&folder).ok()?;
        let group = Self(folder);
        for part in [group.0.clone(), group.0.join("cgroup.procs")] {
            chown(part, Some(user), Some(user)).expect("it is ours");
        }
        Some(group)
    }
}

impl Drop for Delegated {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

#[test]
fn a_group_that_is_left_to_us_is_used() {
    if std::env::var_os(crate::GROUP).is_some() {
        let mechanisms = Sandbox::default().helper(helper()).mechanisms().expect("helpers can be started");
        assert!(mechanisms.contains(&Mechanism::MemoryGroup), "{mechanisms:?}");
    }
}

#[test]
fn a_group_bounds_processes_and_processor_time_as_well() {
    let limits = Limits { threads: 3, ..Limits::default() };
    let mut agent = Agent::python(&[], limits, "print('up', flush=True)\ninput()\n");
    assert_eq!(agent.hear(), "up");
    let groups = fs::read_to_string(format!("/proc/{}/cgroup", agent.processes()[0])).expect("it is running");
    let mounts = [("pids", "pids.max"), ("cpu", "cpu.cfs_quota_us"), ("", "pids.max"), ("", "cpu.max")];
    let bounds: Vec<String> = mounts
        .into_iter()
        .filter_map(|(controller, file)| {
            let path = groups.lines().find_map(|line| line.split_once(&format!(":{controller}:/")))?.1;
            let folder = PathBuf::from("/sys/fs/cgroup").join(controller).join(path);
            folder
                .file_name()?
                .to_str()?
                .starts_with("agon-")
                .then(|| fs::read_to_string(folder.join(file)).ok())?
        })
        .collect();
    // Whoever is not root may have been left memory alone.
    if crate::is_root() && has_group(&[]) {
        assert_eq!(bounds.len(), 2, "{groups}");
    }
    for bound in bounds {
        assert!(["4\n", "310000\n", "310000 100000\n"].contains(&bound.as_str()), "{bound}");
    }
    assert_eq!(agent.end_now().offence, None);
}

#[test]
fn too_much_memory_is_an_offence() {
    let limits = Limits { memory: 100 << 20, threads: 4, ..Limits::default() };
    let alone = "hog = bytearray(b'x') * (400 << 20)\nprint('full')\nimport time; time.sleep(1000)\n";
    let together = "import os, time\nfor _ in range(2):\n    if os.fork() == 0: break\n\
        hog = bytearray(b'x') * (50 << 20)\ntime.sleep(1000)\n";
    // Whoever measures must not be kept busy with something else.
    let busy =
        "import os\nhog = bytearray(b'x') * (400 << 20)\nwhile True: os.close(os.open('/dev/null', 0))\n";
    for script in [alone, together, busy] {
        in_all_modes(limits, script, |fate, _| {
            assert_eq!((fate.offence, fate.output.as_str()), (Some(Offence::Memory), ""), "{fate:?}");
        });
    }
}

#[test]
fn the_most_that_an_agent_has_used_is_known_in_the_end() {
    let script = "hog = bytearray(b'x') * (60 << 20)\nprint('full', flush=True)\ninput()\n";
    for mode in modes() {
        let mut agent = Agent::python(mode, Limits::default(), script);
        assert_eq!(agent.hear(), "full");
        let fate = agent.end_now();
        assert!(fate.memory.is_some_and(|used| (60 << 20..200 << 20).contains(&used)), "{fate:?}");
    }
}

#[test]
fn memory_that_is_only_reserved_does_not_count() {
    let script = "import mmap\n\
        reserved = mmap.mmap(-1, 8 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000)\n\
        reserved[0] = 1\nprint(len(reserved) >> 30)\n";
    let limits = Limits { memory: 100 << 20, ..Limits::default() };
    in_all_modes(limits, script, |fate, _| {
        assert_eq!((fate.offence, fate.output.as_str()), (None, "8"), "{fate:?}");
    });
}

/// Maps memory that could be shared, and lets go of what it has touched, which is not given back.
const RELEASED: &str = "import ctypes, mmap, time\n\
    libc = ctypes.CDLL(None)\n\
    libc.mmap.restype = ctypes.c_void_p\n\
    libc.mmap.argtypes = libc.madvise.argtypes = None\n\
    def touch(size, keep):\n\
    \x20   start = libc.mmap(None, ctypes.c_size_t(size), 3, 0x21, -1, ctypes.c_long(0))\n\
    \x20   if start in (None, 2 ** 64 - 1): return False\n\
    \x20   step = 16 << 20\n\
    \x20   for at in range(0, size, step):\n\
    \x20       place = ctypes.c_void_p(start + at)\n\
    \x20       ctypes.memset(place, 1, min(step, size - at))\n\
    \x20       libc.madvise(place, ctypes.c_size_t(min(step, size - at)), 4)\n\
    \x20   libc.munmap(ctypes.c_void_p(start + keep), ctypes.c_size_t(size - keep))\n\
    \x20   return True\n";

#[test]
fn shared_memory_that_nobody_holds_on_to_counts() {
    let limits = Limits { memory: 200 << 20, ..Limits::default() };
    // One large piece, of which never more than a small part seems to be in use.
    let large =
        format!("{RELEASED}print('worked' if touch(800 << 20, 800 << 20) else 'failed', flush=True)\n");
    // Many small ones, of which only a page each is kept.
    let small = format!("{RELEASED}print(sum(touch(40 << 20, 4096) for _ in range(20)), flush=True)\n");
    for (script, refused) in [(large, "failed"), (small, "5")] {
        for mode in modes() {
            let fate = Agent::python(mode, limits, &script).fate();
            let is_ended = fate.offence == Some(Offence::Memory);
            // Where it is not counted while it is used, it cannot be had.
            let is_refused = fate.offence.is_none() && fate.output == refused && fate.notes.len() == 1;
            assert!(is_ended || is_refused && !has_group(mode), "{fate:?}");
        }
    }
}

#[test]
fn tables_of_pages_count() {
    // A page in every two megabytes needs another page to find it. Read but never written, it is the same page of zeros everywhere.
    let script = "import ctypes, time\n\
        libc = ctypes.CDLL(None)\n\
        libc.mmap.restype = ctypes.c_void_p\n\
        start = libc.mmap(None, ctypes.c_size_t(1 << 40), 1, 0x4022, -1, ctypes.c_long(0))\n\
        libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(1 << 40), 15)\n\
        for at in range(start, start + (100 << 30), 2 << 20): ctypes.c_char.from_address(at).value\n\
        print('done', flush=True)\ntime.sleep(1000)\n";
    let limits = Limits { memory: 100 << 20, ..Limits::default() };
    for mode in modes() {
        let mut agent = Agent::python(mode, limits, script);
        wait_until("it is an offence", || agent.life.offence().is_some());
        assert_eq!(agent.end_now().offence, Some(Offence::Memory));
    }
}
