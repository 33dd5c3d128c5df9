//! A control group that limits memory, where we may make one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// How often the removal of a group is tried, a millisecond apart: the kernel forgets ended processes a little later.
const TRIES: u32 = 200;

/// A control group for one helper's program. Dropped, it is removed.
#[derive(Debug)]
pub(super) struct MemoryGroup {
    folder: PathBuf,
    version: Version,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

impl MemoryGroup {
    /// Makes a group for the program of the helper with this number.
    pub(super) fn new(helper: u32, limit: u64) -> io::Result<Self> {
        let (parent, version) = parent().ok_or(io::ErrorKind::NotFound)?;
        let folder = parent.join(name(helper));
        fs::create_dir(&folder)?;
        let group = Self { folder, version };
        match version {
            Version::One => {
                group.write("memory.limit_in_bytes", &limit.to_string())?;
                // Only there if swap is counted.
                let _ = group.write("memory.memsw.limit_in_bytes", &limit.to_string());
            }
            Version::Two => {
                group.write("memory.max", &limit.to_string())?;
                let _ = group.write("memory.swap.max", "0");
            }
        }
        Ok(group)
    }

    /// The group of a helper that could not remove it, if there is one.
    pub(super) fn of_helper(helper: u32) -> Option<Self> {
        let (parent, version) = parent()?;
        let folder = parent.join(name(helper));
        folder.is_dir().then_some(Self { folder, version })
    }

    /// Puts a process into the group, and whatever it will start.
    pub(super) fn add(&self, pid: i32) -> io::Result<()> {
        self.write("cgroup.procs", &pid.to_string())
    }

    /// Whether the kernel has ended a process of the group because it wanted too much.
    pub(super) fn has_run_out(&self) -> bool {
        let file = match self.version {
            Version::One => "memory.oom_control",
            Version::Two => "memory.events",
        };
        fs::read_to_string(self.folder.join(file)).is_ok_and(|text| killed(&text) > 0)
    }

    fn write(&self, file: &str, value: &str) -> io::Result<()> {
        fs::write(self.folder.join(file), value)
    }
}

impl Drop for MemoryGroup {
    fn drop(&mut self) {
        for _ in 0..TRIES {
            match fs::remove_dir(&self.folder) {
                Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
                    thread::sleep(Duration::from_millis(1));
                }
                _ => return,
            }
        }
    }
}

fn name(helper: u32) -> String {
    format!("agon-{helper}")
}

/// How many processes were ended for want of memory.
fn killed(counters: &str) -> u64 {
    let count = counters.lines().find_map(|line| line.strip_prefix("oom_kill "));
    count.and_then(|count| count.trim().parse().ok()).unwrap_or(0)
}

/// The group in which ours can be made: our own one, so that whatever limits us limits our agents, too.
fn parent() -> Option<(PathBuf, Version)> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    find(&groups, &mounts).into_iter().find_map(|(folder, version)| match version {
        Version::One => Some((folder, version)),
        Version::Two => delegated(&folder).map(|folder| (folder, version)),
    })
}

/// The folders of our groups that may account for memory.
fn find(groups: &str, mounts: &str) -> Vec<(PathBuf, Version)> {
    let mut found = Vec::new();
    for line in mounts.lines() {
        let Some((place, kind)) = line.split_once(" - ") else { continue };
        let (place, kind): (Vec<_>, Vec<_>) = (place.split(' ').collect(), kind.split(' ').collect());
        let (&[_, _, _, root, folder, ..], &[kind, _, options]) = (&place[..], &kind[..]) else { continue };
        let version = match kind {
            "cgroup" if options.split(',').any(|option| option == "memory") => Version::One,
            "cgroup2" => Version::Two,
            _ => continue,
        };
        let own = groups.lines().find_map(|line| {
            let mut parts = line.splitn(3, ':').skip(1);
            let (controllers, path) = (parts.next()?, parts.next()?);
            let is_it = match version {
                Version::One => controllers.split(',').any(|controller| controller == "memory"),
                Version::Two => controllers.is_empty(),
            };
            is_it.then_some(path)
        });
        let Some(own) = own.and_then(|own| Path::new(own).strip_prefix(root).ok()) else { continue };
        found.push((Path::new(folder).join(own), version));
    }
    found.sort_by_key(|(_, version)| *version == Version::Two);
    found
}

/// The group of version 2 in which ours can be made, if our own is `folder`. A group that holds processes cannot account for groups in
/// it, so it is the one above ours, provided that we do not escape a limit in that way.
fn delegated(folder: &Path) -> Option<PathBuf> {
    let accounts = |folder: &Path| {
        let controllers = fs::read_to_string(folder.join("cgroup.subtree_control"));
        controllers.is_ok_and(|text| text.split_whitespace().any(|controller| controller == "memory"))
    };
    if accounts(folder) {
        return Some(folder.to_owned());
    }
    let is_free = fs::read_to_string(folder.join("memory.max")).is_ok_and(|limit| limit.trim() == "max");
    folder.parent().filter(|above| is_free && accounts(above)).map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_both_versions_are_found() {
        let groups = "9:name=systemd:/\n4:memory:/jobs/a\n1:cpu,cpuacct:/\n0::/other\n";
        let mounts = "30 25 0:26 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n\
            31 30 0:27 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu\n\
            32 30 0:28 / /sys/fs/cgroup/unified rw shared:4 - cgroup2 cgroup2 rw\n\
            33 30 0:29 /jobs /sys/fs/cgroup/memory rw shared:5 - cgroup cgroup rw,memory\n";
        let expected = vec![
            (PathBuf::from("/sys/fs/cgroup/memory/a"), Version::One),
            (PathBuf::from("/sys/fs/cgroup/unified/other"), Version::Two),
        ];
        assert_eq!(find(groups, mounts), expected);
        assert_eq!(find("", mounts), []);
        assert_eq!(find(groups, "nonsense\n- -\n"), []);
    }

    #[test]
    fn a_group_of_version_2_is_made_above_ours_only_if_no_limit_is_escaped() {
        let top = std::env::temp_dir().join(format!("agon-cgroup-{}", std::process::id()));
        let own = top.join("own");
        fs::create_dir_all(&own).expect("a folder can be made");
        let write = |file: &str, text: &str| fs::write(top.join(file), text).expect("a file can be written");
        write("cgroup.subtree_control", "cpu memory pids\n");
        write("own/cgroup.subtree_control", "");
        write("own/memory.max", "1000\n");
        assert_eq!(delegated(&own), None);
        write("own/memory.max", "max\n");
        assert_eq!(delegated(&own), Some(top.clone()));
        write("own/cgroup.subtree_control", "memory\n");
        assert_eq!(delegated(&own), Some(own.clone()));
        write("own/cgroup.subtree_control", "");
        write("cgroup.subtree_control", "cpu\n");
        assert_eq!(delegated(&own), None);
        fs::remove_dir_all(top).expect("the folder can be removed");
    }

    #[test]
    fn ended_processes_are_counted() {
        assert_eq!(killed("oom_kill_disable 0\nunder_oom 0\noom_kill 2\n"), 2);
        assert_eq!(killed("low 0\nhigh 0\nmax 3\noom 1\noom_kill 0\n"), 0);
        assert_eq!(killed(""), 0);
    }
}
