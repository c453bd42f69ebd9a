//! Records what a folder is told, by standing between this program and the C library.
//!
//! The standard library and SQLite call the C library by name, and what this program defines under
//! that name is taken first. So databases and documents are recorded alike, in one order, and the
//! store that is tried is the one that ships. What memory maps write is not seen: of the store that
//! is the index of the log (`-shm`), which is made anew after a crash.

#![expect(unsafe_code, reason = "the C library is called through pointers")]

use std::collections::HashMap;
use std::ffi::{CStr, OsStr};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use faults::{Event, FileNumber};
use libc::{c_char, c_int, c_long, c_void, mode_t, off_t, size_t, ssize_t};

/// What happened in a folder, and what was noted in between.
#[derive(Debug, Default)]
pub(crate) struct Recording<N> {
    pub(crate) events: Vec<Event>,
    /// Notes, each with the number of events before it.
    pub(crate) notes: Vec<(usize, N)>,
}

struct Recorder {
    root: PathBuf,
    events: Vec<Event>,
    /// The files by their number in the file system, which may be given again.
    known: HashMap<u64, FileNumber>,
    next: FileNumber,
}

static RECORDS: AtomicBool = AtomicBool::new(false);
static RECORDER: Mutex<Option<Recorder>> = Mutex::new(None);

/// One recording at a time.
static TURN: Mutex<()> = Mutex::new(());

/// A recording that goes on until it is ended.
pub(crate) struct Session(MutexGuard<'static, ()>);

/// Begins to record what happens in a folder. `known` are the files that are there.
pub(crate) fn begin(
    root: &Path,
    known: impl IntoIterator<Item = (PathBuf, FileNumber)>,
) -> Session {
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let number = |path: &Path| fs::metadata(root.join(path)).unwrap().ino();
    let known: HashMap<_, _> =
        known.into_iter().map(|(path, file)| (number(&path), file)).collect();
    let next = FileNumber(known.values().map(|file| file.0 + 1).max().unwrap_or(0));
    *recorder() = Some(Recorder { root: root.to_owned(), events: Vec::new(), known, next });
    RECORDS.store(true, Ordering::SeqCst);
    Session(turn)
}

impl Session {
    /// What has happened.
    pub(crate) fn end(self) -> Vec<Event> {
        let Self(_turn) = self;
        RECORDS.store(false, Ordering::SeqCst);
        recorder().take().unwrap().events
    }
}

/// How much has happened so far.
pub(crate) fn so_far() -> usize {
    recorder().as_ref().map_or(0, |recorder| recorder.events.len())
}

fn recorder() -> MutexGuard<'static, Option<Recorder>> {
    RECORDER.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Recorder {
    /// The path in the folder. `None` for what lies elsewhere or does not outlive a crash.
    fn inside(&self, path: &Path) -> Option<PathBuf> {
        let inside = path.strip_prefix(&self.root).ok()?;
        let is_index = inside.extension().is_some_and(|end| end == "sqlite-shm");
        (!is_index).then(|| inside.to_owned())
    }

    /// The file that is open, which is new if nobody has met it.
    fn open_file(&mut self, descriptor: c_int) -> Option<FileNumber> {
        let link = fs::read_link(format!("/proc/self/fd/{descriptor}")).ok()?;
        let path = self.inside(&link)?;
        let number = fs::metadata(&link).ok()?.ino();
        if let Some(file) = self.known.get(&number) {
            return Some(*file);
        }
        let file = self.next;
        self.next = FileNumber(file.0 + 1);
        self.known.insert(number, file);
        self.events.push(Event::Made { file, path });
        Some(file)
    }
}

/// Does something that changes a folder, and records it if it is done. One at a time, so that the
/// order of the record is the order of the deeds.
fn recorded<T: PartialOrd + Default>(
    act: impl Fn() -> T,
    record: impl FnOnce(&mut Recorder, &T) -> Option<Event>,
) -> T {
    if !RECORDS.load(Ordering::SeqCst) {
        return act();
    }
    let mut recorder = recorder();
    let Some(recorder) = recorder.as_mut() else { return act() };
    let done = act();
    if done >= T::default() {
        // A failure that is asked for right after must be that of the act.
        let event = record(recorder, &done);
        recorder.events.extend(event);
    }
    done
}

fn text<'a>(path: *const c_char) -> &'a Path {
    // SAFETY: callers of the C library give it a text that ends with a zero.
    Path::new(OsStr::from_bytes(unsafe { CStr::from_ptr(path) }.to_bytes()))
}

fn written(descriptor: c_int, from: *const c_void, count: size_t, at: Option<off_t>) -> ssize_t {
    // SAFETY: the arguments are those of the caller.
    let act = || unsafe {
        match at {
            None => libc::syscall(libc::SYS_write, descriptor, from, count),
            Some(at) => libc::syscall(libc::SYS_pwrite64, descriptor, from, count, at),
        }
    };
    let done: c_long = recorded(act, |recorder, done| {
        let file = recorder.open_file(descriptor)?;
        // SAFETY: so many bytes were read from there just now.
        let bytes =
            unsafe { std::slice::from_raw_parts(from.cast::<u8>(), usize::try_from(*done).ok()?) };
        // SAFETY: asks for the place alone.
        let end = || unsafe { libc::lseek(descriptor, 0, libc::SEEK_CUR) };
        let offset = at.unwrap_or_else(|| end() - done);
        Some(Event::Written { file, offset: u64::try_from(offset).ok()?, bytes: bytes.to_vec() })
    });
    ssize_t::try_from(done).unwrap_or(-1)
}

/// What a call gives that gives a whole number.
fn code(done: c_long) -> c_int {
    c_int::try_from(done).unwrap_or(-1)
}

#[unsafe(no_mangle)]
extern "C" fn write(descriptor: c_int, from: *const c_void, count: size_t) -> ssize_t {
    written(descriptor, from, count, None)
}

#[unsafe(no_mangle)]
extern "C" fn pwrite64(d: c_int, from: *const c_void, count: size_t, at: off_t) -> ssize_t {
    written(d, from, count, Some(at))
}

#[unsafe(no_mangle)]
extern "C" fn pwrite(d: c_int, from: *const c_void, count: size_t, at: off_t) -> ssize_t {
    written(d, from, count, Some(at))
}

/// The mode is given only where a file may be made; where it is not, it is not looked at either.
#[unsafe(no_mangle)]
extern "C" fn open64(path: *const c_char, flags: c_int, mode: mode_t) -> c_int {
    // SAFETY: the arguments are those of the caller.
    let act = || unsafe { libc::syscall(libc::SYS_openat, libc::AT_FDCWD, path, flags, mode) };
    if flags & (libc::O_CREAT | libc::O_TRUNC) == 0 {
        return code(act());
    }
    code(recorded(act, |recorder, descriptor| {
        let file = recorder.open_file(c_int::try_from(*descriptor).ok()?)?;
        (flags & libc::O_TRUNC != 0).then_some(Event::Cut { file, length: 0 })
    }))
}

#[unsafe(no_mangle)]
extern "C" fn ftruncate64(descriptor: c_int, length: off_t) -> c_int {
    // SAFETY: the arguments are those of the caller.
    let act = || unsafe { libc::syscall(libc::SYS_ftruncate, descriptor, length) };
    code(recorded(act, |recorder, _| {
        let file = recorder.open_file(descriptor)?;
        Some(Event::Cut { file, length: u64::try_from(length).ok()? })
    }))
}

#[unsafe(no_mangle)]
extern "C" fn ftruncate(descriptor: c_int, length: off_t) -> c_int {
    ftruncate64(descriptor, length)
}

/// Others go on meanwhile: what they do after this began is not durable by it.
fn synced(descriptor: c_int, call: c_long) -> c_int {
    let from = so_far();
    // SAFETY: the argument is that of the caller.
    let act = || unsafe { libc::syscall(call, descriptor) };
    code(recorded(act, |recorder, _| {
        let link = fs::read_link(format!("/proc/self/fd/{descriptor}")).ok()?;
        if link.is_dir() {
            let folder = recorder.inside(&link)?;
            return Some(Event::FolderSynced { folder, from });
        }
        let file = recorder.open_file(descriptor)?;
        Some(Event::Synced { file, from })
    }))
}

#[unsafe(no_mangle)]
extern "C" fn fsync(descriptor: c_int) -> c_int {
    synced(descriptor, libc::SYS_fsync)
}

#[unsafe(no_mangle)]
extern "C" fn fdatasync(descriptor: c_int) -> c_int {
    synced(descriptor, libc::SYS_fdatasync)
}

#[unsafe(no_mangle)]
extern "C" fn rename(from: *const c_char, to: *const c_char) -> c_int {
    let here = libc::AT_FDCWD;
    let gone = fs::metadata(text(to)).map(|file| file.ino());
    // SAFETY: the arguments are those of the caller.
    let act = || unsafe { libc::syscall(libc::SYS_renameat2, here, from, here, to, 0) };
    code(recorded(act, |recorder, _| {
        let (from, to) = (recorder.inside(text(from))?, recorder.inside(text(to))?);
        let number = fs::metadata(recorder.root.join(&to)).ok()?.ino();
        if let Some(gone) = gone.ok().filter(|gone| *gone != number) {
            recorder.known.remove(&gone);
        }
        Some(Event::Renamed { file: *recorder.known.get(&number)?, from, to })
    }))
}

#[unsafe(no_mangle)]
extern "C" fn unlink(path: *const c_char) -> c_int {
    let gone = fs::symlink_metadata(text(path)).map(|file| file.ino());
    // SAFETY: the arguments are those of the caller.
    let act = || unsafe { libc::syscall(libc::SYS_unlinkat, libc::AT_FDCWD, path, 0) };
    code(recorded(act, |recorder, _| {
        recorder.known.remove(&gone.ok()?);
        Some(Event::Removed { path: recorder.inside(text(path))? })
    }))
}

#[unsafe(no_mangle)]
extern "C" fn mkdir(path: *const c_char, mode: mode_t) -> c_int {
    // SAFETY: the arguments are those of the caller.
    let act = || unsafe { libc::syscall(libc::SYS_mkdirat, libc::AT_FDCWD, path, mode) };
    code(recorded(act, |recorder, _| {
        let path = recorder.inside(text(path))?;
        Some(Event::FolderMade { path })
    }))
}
