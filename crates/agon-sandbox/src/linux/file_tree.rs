//! Builds an agent's own file tree, which contains only what the agent may see, from read-only bind mounts of the machine's files.

use std::ffi::CString;
use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, open};
use rustix::mount::{
    MountFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags, UnmountFlags, mount, mount_change,
    move_mount, open_tree, unmount,
};
use rustix::process::{chdir, pivot_root};

use super::{User, sys};
use crate::order::Order;
use crate::program::SYSTEM;

/// The scratch folder in the agent's file tree.
pub(crate) const SCRATCH: &str = "/tmp";
/// Where the new tree is put together; every system has this folder.
const BASE: &str = "/tmp";
/// Files may not be so many that their names alone fill the memory.
const SCRATCH_FILES: u32 = 4096;

/// Devices that every program may use.
pub(super) const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Settings that libraries and interpreters read. None of them is secret.
const SETTINGS: [&str; 14] = [
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/nsswitch.conf",
    "/etc/os-release",
    "/etc/ssl/openssl.cnf",
    "/etc/mime.types",
    "/etc/locale.alias",
    "/etc/perl",
    "/etc/ruby",
];
/// How the names of more such settings begin.
const SETTINGS_OF: [&str; 2] = ["java", "python"];

/// Every file and folder of the machine that an agent may read, its own folder not among them.
pub(super) fn readable(order: &Order) -> Vec<PathBuf> {
    let of_interpreters = fs::read_dir("/etc").into_iter().flatten().flatten().filter(|entry| {
        entry.file_name().to_str().is_some_and(|name| SETTINGS_OF.iter().any(|start| name.starts_with(start)))
    });
    let mut all: Vec<PathBuf> = SYSTEM.iter().chain(&SETTINGS).map(PathBuf::from).collect();
    all.extend(of_interpreters.map(|entry| entry.path()));
    all.extend(order.readable.iter().cloned());
    let is_own = |path: &Path| order.folder.as_ref().is_some_and(|folder| path.starts_with(folder));
    all.retain(|path| path.exists() && !is_own(path));
    all.sort();
    let mut kept: Vec<PathBuf> = Vec::new();
    for path in all {
        // What lies in a folder that is there already is there already.
        if !kept.iter().any(|folder| path.starts_with(folder) && !folder.is_symlink()) {
            kept.push(path);
        }
    }
    kept
}

/// A file or folder of the machine that is mounted at the same path in the agent's file tree.
struct BindMount {
    path: PathBuf,
    tree: OwnedFd,
    is_folder: bool,
}

/// Builds the file tree and makes it the root of this process, which must be in a mount namespace of its own and be the first process
/// of its process namespace.
pub(super) fn build_and_enter(order: &Order, user: User) -> io::Result<()> {
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    // Everything must be open before the new tree hides what lies at its place.
    let mut links = Vec::new();
    let mut mounts = Vec::new();
    for path in readable(order) {
        // Links of the system lead to places within it; others may lead anywhere, so that what they lead to takes their place.
        match fs::read_link(&path) {
            Ok(target) if !order.readable.contains(&path) => links.push((path, target)),
            _ => mounts.push(BindMount::open(path, false)?),
        }
    }
    for device in DEVICES {
        if Path::new(device).exists() {
            mounts.push(BindMount::open(PathBuf::from(device), true)?);
        }
    }
    if let Some(folder) = &order.folder {
        mounts.push(BindMount::open(folder.clone(), false)?);
    }
    // A folder comes before what lies in it.
    mounts.sort_by_key(|mount| mount.path.components().count());

    let plain = MountFlags::NOSUID | MountFlags::NODEV;
    mount("agon", BASE, "tmpfs", plain, c"mode=0755,size=1m")?;
    let base = Path::new(BASE);
    let inside = |path: &Path| base.join(path.strip_prefix("/").unwrap_or(path));
    for folder in [SCRATCH, "/proc", "/dev", "/etc"] {
        fs::create_dir(inside(Path::new(folder)))?;
    }
    let User { uid, gid, .. } = user;
    let size = order.limits.scratch.max(4096);
    let options = format!("mode=0700,uid={uid},gid={gid},size={size},nr_inodes={SCRATCH_FILES}");
    mount("agon", inside(Path::new(SCRATCH)), "tmpfs", plain, CString::new(options)?.as_c_str())?;
    let quiet = plain | MountFlags::NOEXEC;
    mount("proc", inside(Path::new("/proc")), "proc", quiet, None)?;
    for (path, target) in links {
        make_parents(&inside(&path))?;
        symlink(target, inside(&path))?;
    }
    for bind_mount in &mounts {
        let place = inside(&bind_mount.path);
        make_parents(&place)?;
        if !bind_mount.is_folder {
            fs::write(&place, "")?;
        } else if !place.is_dir() {
            fs::create_dir(&place)?;
        }
        move_mount(&bind_mount.tree, "", CWD, &place, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)?;
    }
    symlink(SCRATCH, inside(Path::new("/dev/shm")))?;
    fs::write(inside(Path::new("/etc/passwd")), format!("agent:x:{uid}:{gid}:agent:{SCRATCH}:/bin/sh\n"))?;
    fs::write(inside(Path::new("/etc/group")), format!("agent:x:{gid}:\n"))?;

    // The old tree is put on top of the new one and taken away.
    chdir(BASE)?;
    pivot_root(".", ".")?;
    unmount(".", UnmountFlags::DETACH)?;
    chdir("/")?;
    let root = open("/", OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    sys::make_read_only(root.as_fd(), false, false)
}

impl BindMount {
    /// Opens a file or folder as a detached mount, read-only.
    fn open(path: PathBuf, is_device: bool) -> io::Result<Self> {
        let flags =
            OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC | OpenTreeFlags::AT_RECURSIVE;
        let fail = |error: io::Error| io::Error::other(format!("{}: {error}", path.display()));
        let tree = open_tree(CWD, &path, flags).map_err(|error| fail(error.into()))?;
        sys::make_read_only(tree.as_fd(), is_device, true).map_err(fail)?;
        let is_folder = path.is_dir();
        Ok(Self { path, tree, is_folder })
    }
}

/// Makes the folders above a path, each readable by everybody.
fn make_parents(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}
