//! The processes that a program has started, as `/proc` shows them.

use std::fs;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitOptions, kill_process, wait};

/// The children of a process, and theirs, and so on.
pub(super) fn descendants(root: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let mut unseen = vec![root];
    while let Some(pid) = unseen.pop() {
        for thread in numbers_in(&format!("/proc/{pid}/task")) {
            let children = fs::read_to_string(format!("/proc/{pid}/task/{thread}/children"));
            let children = children.unwrap_or_default();
            unseen.extend(children.split_whitespace().filter_map(|child| child.parse::<u32>().ok()));
        }
        if pid != root {
            found.push(pid);
        }
    }
    found
}

/// How many threads these processes have.
pub(super) fn threads(processes: &[u32]) -> usize {
    processes.iter().map(|pid| numbers_in(&format!("/proc/{pid}/task")).count()).sum()
}

/// How much memory these processes use, in bytes, with the tables of their pages, and without what they share that has no file.
pub(super) fn memory(processes: &[u32], limit: u64) -> u64 {
    let read = |pid: &u32, file: &str| fs::read_to_string(format!("/proc/{pid}/{file}")).ok();
    let known: Vec<(u32, String)> =
        processes.iter().filter_map(|pid| Some((*pid, read(pid, "status")?))).collect();
    let tables: u64 = known.iter().map(|(_, status)| bytes(status, "VmPTE:")).sum();
    let resident = |status: &str| bytes(status, "VmRSS:").saturating_sub(bytes(status, "RssShmem:"));
    let sum = tables + known.iter().map(|(_, status)| resident(status)).sum::<u64>();
    if sum <= limit || known.len() < 2 {
        return sum;
    }
    // That counts shared pages once per process; what follows counts them once, but takes longer, and processes can hide it.
    let proportional = |(pid, status): &(u32, String)| {
        let pages = read(pid, "smaps_rollup");
        pages
            .map_or_else(|| resident(status), |pages| bytes(&pages, "Pss_Anon:") + bytes(&pages, "Pss_File:"))
    };
    tables + known.iter().map(proportional).sum::<u64>()
}

/// An entry of a file about a process, in bytes; none counts as zero.
fn bytes(text: &str, entry: &str) -> u64 {
    let value = text.lines().find_map(|line| line.strip_prefix(entry)?.trim().strip_suffix(" kB"));
    value.and_then(|value| value.parse::<u64>().ok()).unwrap_or(0) << 10
}

/// Ends every child of this process, and whatever it has started, and waits until nothing is left. Those whose parent has ended are
/// children of ours, see `PR_SET_CHILD_SUBREAPER`.
pub(super) fn end_all() {
    loop {
        for pid in descendants(std::process::id()) {
            // It may have ended by now.
            let _ = kill_process(pid_of(pid), Signal::KILL);
        }
        while let Ok(Some(_)) = wait(WaitOptions::NOHANG) {}
        if wait(WaitOptions::NOHANG).is_err() {
            return;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

fn pid_of(number: u32) -> Pid {
    Pid::from_raw(number as i32).expect("a process that was listed has a number")
}

fn numbers_in(folder: &str) -> impl Iterator<Item = u32> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}
