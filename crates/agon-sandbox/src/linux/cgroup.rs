//! A control group that limits memory, processes and processor time, where we may make one.
//!
//! Memory is what a group is needed for, and nothing else limits it exactly. Threads are counted by the filter of system calls as well; that
//! their number and the processor time are limited once more here is for the case that something is wrong there.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use rustix::fs::{Access, access};

use crate::limits::Limits;

/// How often the removal of a group is tried, a millisecond apart: the kernel forgets ended processes a little later.
const TRIES: u32 = 200;
/// The period in which processor time is counted, in microseconds.
const PERIOD: u64 = 100_000;

/// A control group for one helper's program. Dropped, it is removed.
#[derive(Debug)]
pub(super) struct ControlGroup {
    memory: Part,
    version: Version,
    /// Further folders of version 1, which has one for each thing that it limits.
    others: Vec<Part>,
}

/// A folder of a control group. Dropped, it is removed.
#[derive(Debug)]
struct Part(PathBuf);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

impl ControlGroup {
    /// Makes a group for the program of the helper with this number.
    pub(super) fn new(helper: u32, limits: Limits) -> io::Result<Self> {
        let (parent, version) = parent().ok_or(io::ErrorKind::NotFound)?;
        let memory = Part::make(&parent, helper)?;
        let most = limits.memory.to_string();
        // The first process of a namespace is in the group as well.
        let processes = (u64::from(limits.threads) + 1).to_string();
        // A tenth more, so that nobody is held up who uses the cores that he may.
        let time = PERIOD * u64::from(limits.threads) + PERIOD / 10;
        let mut others = Vec::new();
        match version {
            Version::One => {
                memory.write("memory.limit_in_bytes", &most)?;
                // Only there if swap is counted.
                let _ = memory.write("memory.memsw.limit_in_bytes", &most);
                let other = |controller, settings: &[(&str, &str)]| {
                    let part = Part::make(&own_folder(controller)?, helper).ok()?;
                    settings.iter().all(|(file, value)| part.write(file, value).is_ok()).then_some(part)
                };
                others.extend(other("pids", &[("pids.max", &processes)]));
                let (period, quota) = (PERIOD.to_string(), time.to_string());
                others.extend(other("cpu", &[("cpu.cfs_period_us", &period), ("cpu.cfs_quota_us", &quota)]));
            }
            Version::Two => {
                memory.write("memory.max", &most)?;
                let _ = memory.write("memory.swap.max", "0");
                // Only there if the group above passes them on.
                let _ = memory.write("pids.max", &processes);
                let _ = memory.write("cpu.max", &format!("{time} {PERIOD}"));
            }
        }
        Ok(Self { memory, version, others })
    }

    /// The group of a helper that could not remove it, if there is one.
    pub(super) fn of_helper(helper: u32) -> Option<Self> {
        let (parent, version) = parent()?;
        let existing = |parent: PathBuf| {
            let folder = parent.join(name(helper));
            folder.is_dir().then_some(Part(folder))
        };
        let others = ["pids", "cpu"].into_iter().filter_map(own_folder).filter_map(existing).collect();
        Some(Self { memory: existing(parent)?, version, others })
    }

    /// Puts a process into the group, and whatever it will start.
    pub(super) fn add(&self, pid: i32) -> io::Result<()> {
        for part in &self.others {
            // Whoever may make a group may still not be allowed to move processes into it.
            let _ = part.write("cgroup.procs", &pid.to_string());
        }
        self.memory.write("cgroup.procs", &pid.to_string())
    }

    /// Whether the kernel has ended a process of the group because it wanted too much.
    pub(super) fn has_run_out(&self) -> bool {
        let file = match self.version {
            Version::One => "memory.oom_control",
            Version::Two => "memory.events",
        };
        fs::read_to_string(self.memory.0.join(file)).is_ok_and(|text| killed(&text) > 0)
    }
}

impl ControlGroup {
    /// The most memory that was in use in the group at a time, in bytes; `None` where the kernel does not say.
    pub(super) fn most_used(&self) -> Option<u64> {
        let file = match self.version {
            Version::One => "memory.max_usage_in_bytes",
            Version::Two => "memory.peak",
        };
        fs::read_to_string(self.memory.0.join(file)).ok()?.trim().parse().ok()
    }
}

impl Part {
    fn make(parent: &Path, helper: u32) -> io::Result<Self> {
        let folder = parent.join(name(helper));
        fs::create_dir(&folder)?;
        Ok(Self(folder))
    }

    fn write(&self, file: &str, value: &str) -> io::Result<()> {
        fs::write(self.0.join(file), value)
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        for _ in 0..TRIES {
            match fs::remove_dir(&self.0) {
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
    find(&groups, &mounts, "memory").into_iter().find_map(|(folder, version)| match version {
        Version::One => Some((folder, version)),
        Version::Two => delegated(&folder).map(|folder| (folder, version)),
    })
}

/// The folder of our own group of version 1 for this controller.
fn own_folder(controller: &str) -> Option<PathBuf> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    let mut found = find(&groups, &mounts, controller).into_iter();
    found.find_map(|(folder, version)| (version == Version::One).then_some(folder))
}

/// The folders of our groups that may account for what this controller does.
fn find(groups: &str, mounts: &str, controller: &str) -> Vec<(PathBuf, Version)> {
    let mut found = Vec::new();
    for line in mounts.lines() {
        let Some((place, kind)) = line.split_once(" - ") else { continue };
        let (place, kind): (Vec<_>, Vec<_>) = (place.split(' ').collect(), kind.split(' ').collect());
        let (&[_, _, _, root, folder, ..], &[kind, _, options]) = (&place[..], &kind[..]) else { continue };
        let version = match kind {
            "cgroup" if options.split(',').any(|option| option == controller) => Version::One,
            "cgroup2" => Version::Two,
            _ => continue,
        };
        let own = groups.lines().find_map(|line| {
            let mut parts = line.splitn(3, ':').skip(1);
            let (controllers, path) = (parts.next()?, parts.next()?);
            let is_it = match version {
                Version::One => controllers.split(',').any(|listed| listed == controller),
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
/// it, so it is the one above ours, provided that we do not escape a limit in that way; or our own, which is then divided up.
fn delegated(folder: &Path) -> Option<PathBuf> {
    if accounts(folder) {
        return Some(folder.to_owned());
    }
    let is_free = fs::read_to_string(folder.join("memory.max")).is_ok_and(|limit| limit.trim() == "max");
    let may_write = |above: &Path| access(above, Access::WRITE_OK).is_ok();
    let above = folder.parent().filter(|above| is_free && accounts(above) && may_write(above));
    above.map(Path::to_owned).or_else(|| divide(folder))
}

/// Whether a group accounts for the memory of groups in it.
fn accounts(folder: &Path) -> bool {
    let controllers = fs::read_to_string(folder.join("cgroup.subtree_control"));
    controllers.is_ok_and(|text| text.split_whitespace().any(|controller| controller == "memory"))
}

/// Makes room in our own group, if it was left to us (`Delegate=yes` of systemd): whatever runs in it moves to a group below.
fn divide(own: &Path) -> Option<PathBuf> {
    // Root has the groups above, and must not rearrange what is not his alone.
    if rustix::process::geteuid().is_root() {
        return None;
    }
    let rest = own.join("agon-rest");
    match fs::create_dir(&rest) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return None,
        _ => {}
    }
    for pid in fs::read_to_string(own.join("cgroup.procs")).ok()?.lines() {
        // It may have ended by now.
        let _ = fs::write(rest.join("cgroup.procs"), pid);
    }
    let enable = |controller| fs::write(own.join("cgroup.subtree_control"), controller);
    for controller in ["+pids", "+cpu"] {
        // Only there if they were left to us, too.
        let _ = enable(controller);
    }
    enable("+memory").ok().map(|()| own.to_owned())
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
        assert_eq!(find(groups, mounts, "memory"), expected);
        let of_cpu = find(groups, mounts, "cpu");
        assert_eq!(of_cpu[0], (PathBuf::from("/sys/fs/cgroup/cpu"), Version::One));
        assert_eq!(find("", mounts, "memory"), []);
        assert_eq!(find(groups, "nonsense\n- -\n", "memory"), []);
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
