//! The data folder: its files, their permissions, its lock.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use kyc_core::ClientId;
use zeroize::Zeroizing;

use crate::OpenError;
use crate::pepper::Pepper;

/// A data folder.
///
/// | name | what it is |
/// |---|---|
/// | `kyc.sqlite`, `-wal`, `-shm` | the database |
/// | `pepper` | the secret of the lookup digests and credential hashes, if there is no vault |
/// | `pepper.new` | that secret, until the database is written with it |
/// | `sealed` | tells that there is a vault: the folder has been in use |
/// | `master.key` | the master key, unless it is kept elsewhere |
/// | `documents/<client>/<1 character>/<id>` | the uploaded files |
/// | `tmp/` | uploads on their way |
/// | `backup/` | copies of the database from before upgrades |
/// | `lock` | locked by the one process that serves |
/// | `lock.setup` | locked while somebody opens the folder |
/// | `lock.backup` | locked while a backup is made, or its left-overs are removed |
#[derive(Debug, Clone)]
pub(crate) struct DataFolder {
    path: PathBuf,
}

impl DataFolder {
    /// The folder as it is.
    pub(crate) fn at(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// Makes what is missing of the folder, for the eyes of its owner alone.
    pub(crate) fn make(path: &Path) -> Result<Self, OpenError> {
        let folder = Self::at(path);
        folder.check_parts()?;
        make_folder(path).map_err(OpenError::folder("make files"))?;
        for part in [folder.documents(), folder.uploads(), folder.backups()] {
            let name = part.file_name().unwrap_or_default().display();
            let action = format!("make the folder {name}");
            make_folder(&part).map_err(OpenError::folder(action))?;
        }
        Ok(folder)
    }

    /// Refuses parts that are elsewhere: what is removed below them would be somebody else's (D129).
    fn check_parts(&self) -> Result<(), OpenError> {
        for name in ["documents", "tmp", "backup", "lists"] {
            let there = fs::symlink_metadata(self.path.join(name));
            if there.is_ok_and(|there| !there.is_dir()) {
                return Err(OpenError::NoFolder { name });
            }
        }
        Ok(())
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.path.join("kyc.sqlite")
    }

    pub(crate) fn documents(&self) -> PathBuf {
        self.path.join("documents")
    }

    pub(crate) fn uploads(&self) -> PathBuf {
        self.path.join("tmp")
    }

    pub(crate) fn backups(&self) -> PathBuf {
        self.path.join("backup")
    }

    /// Waits until nobody else opens the folder.
    pub(crate) fn lock_setup(&self) -> Result<File, OpenError> {
        let file = self.lock_file("lock.setup")?;
        file.lock().map_err(OpenError::folder("lock lock.setup"))?;
        Ok(file)
    }

    /// The lock of the one process that serves. `None` while another one has it.
    pub(crate) fn lock_serving(&self) -> Result<Option<File>, OpenError> {
        let file = self.lock_file("lock")?;
        let is_locked = lock_in_time(&file).map_err(OpenError::folder("lock lock"))?;
        Ok(is_locked.then_some(file))
    }

    /// The lock of the one who makes a backup. `None` while somebody else has it.
    pub(crate) fn lock_backup(&self) -> io::Result<Option<File>> {
        let mut options = private();
        let file = options.write(true).create(true).truncate(false);
        let file = file.open(self.path.join("lock.backup"))?;
        Ok(lock_in_time(&file)?.then_some(file))
    }

    /// Where the database is copied to for a backup.
    pub(crate) fn database_copy(&self) -> PathBuf {
        self.uploads().join(DATABASE_COPY)
    }

    /// Writes to the lock file and says when that was, on the clock of the file system.
    pub(crate) fn touch(serving: &File) -> Result<SystemTime, OpenError> {
        let write = || {
            let mut file = serving;
            file.set_len(0)?;
            writeln!(file, "{}", std::process::id())?;
            file.metadata()?.modified()
        };
        write().map_err(OpenError::folder("write lock"))
    }

    fn lock_file(&self, name: &str) -> Result<File, OpenError> {
        let opened = private().write(true).create(true).truncate(false).open(self.path.join(name));
        opened.map_err(OpenError::folder(format!("open {name}")))
    }

    /// Whether the database file has a content. SQLite takes a single byte for none.
    pub(crate) fn has_content(&self) -> Result<bool, OpenError> {
        match fs::metadata(self.database()) {
            Ok(file) => Ok(file.len() > 1),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(OpenError::folder("look at kyc.sqlite")(error)),
        }
    }

    /// Refuses a folder that has been in use. Without its database it would be taken for a new one,
    /// and its documents for left-overs.
    pub(crate) fn check_unused(&self) -> Result<(), OpenError> {
        let look = || {
            Ok(self.pepper_file().try_exists()?
                || self.sealed_file().try_exists()?
                || self.has_documents()?)
        };
        if look().map_err(OpenError::folder("look around"))? {
            return Err(OpenError::DatabaseMissing);
        }
        Ok(())
    }

    fn has_documents(&self) -> io::Result<bool> {
        let entries = match fs::read_dir(self.documents()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            entries => entries?,
        };
        for entry in entries {
            // What has another name is not ours.
            if client_of(&entry?.file_name()).is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Makes an empty database file, so that SQLite gives its companions the same permissions.
    ///
    /// A file that is there is not opened: to close it again would let go of the locks that SQLite
    /// has on it elsewhere in this process.
    pub(crate) fn make_database(&self) -> Result<(), OpenError> {
        let make = || match private().write(true).create_new(true).open(self.database()) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(error),
            Ok(_) => sync_folder(&self.path),
        };
        make().map_err(OpenError::folder("make kyc.sqlite"))
    }

    /// Reads the pepper.
    ///
    /// One that was not kept yet counts: a crash ended the run that made it after the database was
    /// written with it.
    pub(crate) fn pepper(&self) -> Result<Pepper, OpenError> {
        Ok(Pepper::new(&*self.pepper_secret()?))
    }

    /// The bytes of the pepper.
    pub(crate) fn pepper_secret(&self) -> Result<Zeroizing<[u8; Pepper::BYTES]>, OpenError> {
        match read_pepper(&self.pepper_file())? {
            Some(pepper) => Ok(pepper),
            None => read_pepper(&self.unkept_pepper_file())?.ok_or(OpenError::PepperMissing),
        }
    }

    /// Makes a pepper, which is [kept](Self::keep_pepper) once the database is written with it.
    pub(crate) fn make_pepper(&self) -> Result<(), OpenError> {
        let mut secret = Zeroizing::new([0; Pepper::BYTES]);
        fill_random(secret.as_mut_slice()).map_err(OpenError::folder("get randomness"))?;
        let write = || {
            // A crash may have left a part of one, which others may be able to read.
            let path = self.unkept_pepper_file();
            remove(&path)?;
            let mut file = private().write(true).create_new(true).open(path)?;
            file.write_all(secret.as_slice())?;
            file.sync_all()?;
            sync_folder(&self.path)
        };
        write().map_err(OpenError::folder("make pepper"))
    }

    /// Gives the pepper its name. A folder that has one has a database with a content.
    pub(crate) fn keep_pepper(&self) -> Result<(), OpenError> {
        let keep = || {
            if self.pepper_file().try_exists()? {
                return Ok(());
            }
            fs::rename(self.unkept_pepper_file(), self.pepper_file())?;
            sync_folder(&self.path)
        };
        keep().map_err(OpenError::folder("make pepper"))
    }

    /// Marks the folder as one with a vault, whose pepper is in the database.
    pub(crate) fn mark_sealed(&self) -> Result<(), OpenError> {
        let mark = || {
            if self.sealed_file().try_exists()? {
                return Ok(());
            }
            private().write(true).create(true).truncate(true).open(self.sealed_file())?;
            sync_folder(&self.path)
        };
        mark().map_err(OpenError::folder("make sealed"))
    }

    /// Whether the folder has been marked so.
    pub(crate) fn is_marked_sealed(&self) -> Result<bool, OpenError> {
        self.sealed_file().try_exists().map_err(OpenError::folder("look for sealed"))
    }

    /// Removes the pepper's file, once the database has it sealed.
    pub(crate) fn remove_pepper(&self) -> Result<(), OpenError> {
        for path in [self.pepper_file(), self.unkept_pepper_file()] {
            overwrite_and_remove(&path).map_err(OpenError::folder("remove pepper"))?;
        }
        Ok(())
    }

    fn sealed_file(&self) -> PathBuf {
        self.path.join("sealed")
    }

    fn pepper_file(&self) -> PathBuf {
        self.path.join("pepper")
    }

    fn unkept_pepper_file(&self) -> PathBuf {
        self.path.join("pepper.new")
    }
}

/// `None` where there is no such file.
fn read_pepper(path: &Path) -> Result<Option<Zeroizing<[u8; Pepper::BYTES]>>, OpenError> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(OpenError::folder("open pepper")(error)),
    };
    let read = OpenError::folder("read pepper");
    let permissions = match file.metadata() {
        Ok(metadata) => metadata.permissions(),
        Err(error) => return Err(read(error)),
    };
    if permissions.mode() & 0o077 != 0 {
        return Err(OpenError::PepperReadable);
    }
    // A byte more than it should have tells one that is too long.
    let mut bytes = Zeroizing::new([0; Pepper::BYTES + 1]);
    let mut length = 0;
    while let Some(rest) = bytes.get_mut(length..).filter(|rest| !rest.is_empty()) {
        match file.read(rest) {
            Ok(0) => break,
            Ok(count) => length += count,
            Err(error) => return Err(read(error)),
        }
    }
    match (length, bytes.first_chunk()) {
        (Pepper::BYTES, Some(secret)) => Ok(Some(Zeroizing::new(*secret))),
        _ => Err(OpenError::PepperWrong),
    }
}

/// Removes a file so that its blocks keep nothing of it, as far as the file system goes along.
pub(crate) fn overwrite_and_remove(path: &Path) -> io::Result<()> {
    let mut file = match OpenOptions::new().write(true).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    overwrite(&mut file)?;
    remove(path)?;
    path.parent().map_or(Ok(()), sync_folder)
}

/// Removes a file, if it is there.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Overwrites the content of a file with zeros, durably.
pub(crate) fn overwrite(file: &mut File) -> io::Result<()> {
    let length = file.metadata()?.len();
    io::copy(&mut io::repeat(0).take(length), file)?;
    file.sync_data()
}

/// The client whose documents lie in a folder of that name.
pub(crate) fn client_of(name: &OsStr) -> Option<ClientId> {
    name.to_str()?.parse().ok().and_then(ClientId::new)
}

/// The name of the copy of the database, and how the names of its companions begin.
pub(crate) const DATABASE_COPY: &str = "backup.sqlite";

/// Locks a file, unless somebody else keeps it locked.
///
/// Has a little patience: a process that is about to end, or a child of it that is about to become
/// another program, may have the lock a moment longer.
fn lock_in_time(file: &File) -> io::Result<bool> {
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) => thread::sleep(LOCK_PAUSE),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Ok(false)
}

const LOCK_TRIES: u32 = 20;
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// Randomness of the operating system, for secrets.
pub(crate) fn fill_random(bytes: &mut [u8]) -> io::Result<()> {
    aws_lc_rs::rand::fill(bytes).map_err(|_| io::Error::other("there is no randomness"))
}

/// Options for a file that its owner alone may open.
pub(crate) fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}

/// Makes a folder and those above it, durably, for its owner alone.
pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    let above = path.parent().filter(|above| !above.as_os_str().is_empty());
    if let Some(above) = above {
        make_folder(above)?;
    }
    match DirBuilder::new().mode(0o700).create(path) {
        // Somebody else was faster.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        Err(error) => Err(error),
        Ok(()) => sync_folder(above.unwrap_or(Path::new("."))),
    }
}

/// Makes the entries of a folder durable: new names, and old ones gone.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}
