//! A disk that fails, for SQLite in this process: its own file system with some calls that fail while faults are wanted.
//!
//! SQLite's file system is a table of functions, and so is every open file. Both are copied here, with a few functions replaced that
//! fail or call the original.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use rusqlite::ffi;

use crate::players::Dice;

/// Which calls fail, and how often.
pub(crate) struct Faults {
    pub(crate) dice: Dice,
    /// One call in so many fails.
    pub(crate) one_in: usize,
    pub(crate) kind: Fault,
}

/// How the disk fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// There is no room left.
    Full,
    /// Nothing is written.
    Write,
    /// A part is written, and then no more.
    TornWrite,
    /// What was written does not reach the disk.
    Sync,
    /// Files cannot be cut.
    Truncate,
    /// Nothing is read.
    Read,
    /// A part is read, and then no more.
    ShortRead,
}

impl Fault {
    pub(crate) const ALL: [Self; 7] =
        [Self::Full, Self::Write, Self::TornWrite, Self::Sync, Self::Truncate, Self::Read, Self::ShortRead];
}

static WANTED: Mutex<Option<Faults>> = Mutex::new(None);
static INJECTED: AtomicU64 = AtomicU64::new(0);
/// The functions of files as SQLite has them, for each kind of file, and those that take their place.
static METHODS: Mutex<Vec<(&'static ffi::sqlite3_io_methods, &'static ffi::sqlite3_io_methods)>> =
    Mutex::new(Vec::new());
/// Those of the first file. Kinds of files differ in how they are locked, not in how they are read and written.
static USUAL: OnceLock<&'static ffi::sqlite3_io_methods> = OnceLock::new();
/// How SQLite opens files.
static OPEN: OnceLock<Open> = OnceLock::new();

type Open = unsafe extern "C" fn(
    *mut ffi::sqlite3_vfs,
    ffi::sqlite3_filename,
    *mut ffi::sqlite3_file,
    c_int,
    *mut c_int,
) -> c_int;

fn wanted() -> MutexGuard<'static, Option<Faults>> {
    WANTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on the disk fails so, or no longer.
pub(crate) fn inject(faults: Option<Faults>) {
    install();
    *wanted() = faults;
}

/// How many calls have failed so far.
pub(crate) fn injected() -> u64 {
    INJECTED.load(Ordering::SeqCst)
}

/// Makes this the file system of all databases that are opened from now on.
fn install() {
    OPEN.get_or_init(|| {
        // SAFETY: with a null pointer SQLite answers with its usual file system, which lives as long as the process. The copy is
        // leaked, so that it does too, and differs only in how files are opened.
        unsafe {
            let usual = ffi::sqlite3_vfs_find(std::ptr::null());
            let open_file = (*usual).xOpen.expect("files can be opened");
            let ours = Box::leak(Box::new(*usual));
            ours.zName = c"faulty".as_ptr();
            ours.pNext = std::ptr::null_mut();
            ours.xOpen = Some(open);
            assert_eq!(ffi::sqlite3_vfs_register(ours, 1), ffi::SQLITE_OK);
            open_file
        }
    });
}

/// Whether a call fails that could fail in one of these ways.
fn fault(kinds: &[Fault]) -> Option<Fault> {
    let mut wanted = wanted();
    let faults = wanted.as_mut()?;
    let fails = kinds.contains(&faults.kind) && faults.dice.roll(faults.one_in) == 0;
    fails.then(|| {
        INJECTED.fetch_add(1, Ordering::SeqCst);
        faults.kind
    })
}

unsafe extern "C" fn open(
    vfs: *mut ffi::sqlite3_vfs,
    name: ffi::sqlite3_filename,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    given: *mut c_int,
) -> c_int {
    let Some(usual) = OPEN.get() else { return ffi::SQLITE_CANTOPEN };
    // SAFETY: all of this is passed on as it came. A file that was opened has its table of functions, which is never freed.
    unsafe {
        let opened = usual(vfs, name, file, flags, given);
        if opened == ffi::SQLITE_OK && !(*file).pMethods.is_null() {
            let usual: &'static ffi::sqlite3_io_methods = &*(*file).pMethods;
            USUAL.get_or_init(|| usual);
            (*file).pMethods = replacing(usual);
        }
        opened
    }
}

/// The functions that take the place of these.
fn replacing(usual: &'static ffi::sqlite3_io_methods) -> &'static ffi::sqlite3_io_methods {
    let mut methods = METHODS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, ours)) = methods.iter().find(|(known, _)| std::ptr::eq(*known, usual)) {
        return ours;
    }
    let ours = Box::leak(Box::new(ffi::sqlite3_io_methods {
        // Without memory mapping, so that every read is a call.
        iVersion: usual.iVersion.min(2),
        xRead: Some(read),
        xWrite: Some(write),
        xSync: Some(sync),
        xTruncate: Some(truncate),
        ..*usual
    }));
    methods.push((usual, ours));
    ours
}

/// The functions that were replaced.
fn usual() -> &'static ffi::sqlite3_io_methods {
    USUAL.get().expect("a file was opened")
}

unsafe extern "C" fn read(file: *mut ffi::sqlite3_file, into: *mut c_void, bytes: c_int, at: i64) -> c_int {
    let fault = fault(&[Fault::Read, Fault::ShortRead]);
    if fault == Some(Fault::Read) {
        return ffi::SQLITE_IOERR_READ;
    }
    let part = if fault.is_some() { bytes / 2 } else { bytes };
    // SAFETY: passed on as it came, perhaps for fewer bytes.
    let read = unsafe { usual().xRead.expect("files are read")(file, into, part, at) };
    if fault.is_some() { ffi::SQLITE_IOERR_READ } else { read }
}

unsafe extern "C" fn write(
    file: *mut ffi::sqlite3_file,
    from: *const c_void,
    bytes: c_int,
    at: i64,
) -> c_int {
    let write = usual().xWrite.expect("files are written");
    match fault(&[Fault::Full, Fault::Write, Fault::TornWrite]) {
        Some(Fault::Full) => ffi::SQLITE_FULL,
        Some(Fault::TornWrite) => {
            // SAFETY: passed on as it came, but for fewer bytes.
            unsafe { write(file, from, bytes / 2, at) };
            ffi::SQLITE_IOERR_WRITE
        }
        Some(_) => ffi::SQLITE_IOERR_WRITE,
        // SAFETY: passed on as it came.
        None => unsafe { write(file, from, bytes, at) },
    }
}

unsafe extern "C" fn sync(file: *mut ffi::sqlite3_file, flags: c_int) -> c_int {
    if fault(&[Fault::Sync]).is_some() {
        return ffi::SQLITE_IOERR_FSYNC;
    }
    // SAFETY: passed on as it came.
    unsafe { usual().xSync.expect("files are synchronised")(file, flags) }
}

unsafe extern "C" fn truncate(file: *mut ffi::sqlite3_file, size: i64) -> c_int {
    if fault(&[Fault::Truncate]).is_some() {
        return ffi::SQLITE_IOERR_TRUNCATE;
    }
    // SAFETY: passed on as it came.
    unsafe { usual().xTruncate.expect("files are cut")(file, size) }
}
