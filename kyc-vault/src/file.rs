//! Key texts in files that their owner alone can read.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use crate::source::SourceError;

/// More than any key text has.
const TEXT_BYTES_MAX: u64 = 1_024;

/// Reads a key text. `None` where there is no such file.
pub(crate) fn read(path: &Path) -> Result<Option<Zeroizing<String>>, SourceError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(path)(error)),
    };
    let permissions = file.metadata().map_err(failed(path))?.permissions();
    if permissions.mode() & 0o077 != 0 {
        return Err(SourceError::ReadableByOthers { path: path.to_owned() });
    }
    let mut text = Zeroizing::new(String::with_capacity(1_024));
    file.take(TEXT_BYTES_MAX).read_to_string(&mut text).map_err(failed(path))?;
    Ok(Some(text))
}

/// Reads the key text that waits. `None` where none does.
pub(crate) fn read_waiting(path: &Path) -> Result<Option<Zeroizing<String>>, SourceError> {
    let waiting = waiting(path);
    // To read a pipe would wait for whoever writes.
    refuse_special(&waiting).map_err(failed(&waiting))?;
    read(&waiting)
}

/// Where a key waits until it is in use: beside the file that a link leads to, whose place it takes
/// (D130).
pub(crate) fn waiting(path: &Path) -> PathBuf {
    let mut name = real(path).unwrap_or_else(|_| path.to_owned()).into_os_string();
    name.push(".new");
    name.into()
}

/// The file that a link leads to, or the path where nothing is.
fn real(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        // A link that leads nowhere is something.
        Err(error) if error.kind() == io::ErrorKind::NotFound && !path.is_symlink() => {
            Ok(path.to_owned())
        }
        found => found,
    }
}

fn refuse_special(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(found) if found.is_file() => Ok(()),
        Ok(_) => Err(io::Error::other("what waits beside it, `.new`, is no plain file")),
    }
}

/// Writes a key text where there is none. When this returns, it survives a crash, and was read back.
pub(crate) fn write_new(path: &Path, text: &str) -> Result<(), SourceError> {
    // One that waits would take its place.
    let waiting = waiting(path);
    if waiting.try_exists().map_err(unwritable(path))? {
        return Err(SourceError::Exists { path: waiting });
    }
    match write(path, text, None) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Err(SourceError::Exists { path: path.to_owned() })
        }
        written => written.map_err(unwritable(path)),
    }
}

/// Writes a key text that waits. When this returns, it survives a crash, and was read back.
pub(crate) fn write_waiting(path: &Path, text: &str) -> Result<(), SourceError> {
    let waiting = waiting(path);
    let write = || {
        let path = &real(path)?;
        refuse_special(&waiting)?;
        // What is there was never in use; it may have other permissions.
        remove(&waiting)?;
        // A file that is mounted by itself is never replaced, and its folder may go with a container.
        match fs::hard_link(path, &waiting) {
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => return Err(error),
            // There is none yet, or the file system knows no links.
            Err(_) => {}
            Ok(()) => remove(&waiting)?,
        }
        // Root rotates for the user of the service, too, who has to be able to read it.
        write(&waiting, text, fs::metadata(path).ok().map(|it| (it.uid(), it.gid())))
    };
    write().map_err(unwritable(path))
}

fn write(path: &Path, text: &str, owner: Option<(u32, u32)>) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    let mut write = || {
        file.write_all(text.as_bytes())?;
        file.write_all(b"\n")?;
        if let Some((user, group)) = owner
            && user != file.metadata()?.uid()
        {
            fchown(&file, Some(user), Some(group))?;
        }
        file.sync_all()?;
        sync_folder_of(path)?;
        let mut written = Zeroizing::new(String::with_capacity(text.len() + 1));
        File::open(path)?.read_to_string(&mut written)?;
        if written.trim_end() == text {
            return Ok(());
        }
        Err(io::Error::other("the disk does not give back what was written"))
    };
    let written = write();
    if written.is_err() {
        // Half a key is none.
        let _ = remove(path);
    }
    written
}

/// Removes a file, if it is there.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Gives the key that waits its name, in the place of the one before.
pub(crate) fn keep(path: &Path) -> Result<(), SourceError> {
    let waiting = waiting(path);
    let rename = || {
        let path = real(path)?;
        match fs::rename(&waiting, &path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
            Ok(()) => sync_folder_of(&path),
        }
    };
    rename().map_err(|source| SourceError::Waits { path: path.to_owned(), source })
}

fn sync_folder_of(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> SourceError + use<> {
    let path = path.to_owned();
    move |source| SourceError::File { path, source }
}

fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> SourceError + use<> {
    let path = path.to_owned();
    move |source| SourceError::Unwritable { path, source }
}
