//! Key texts in files that their owner alone can read.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
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

/// Where a key waits until it is in use.
pub(crate) fn waiting(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    name.into()
}

/// Writes a key text that waits. When this returns, it survives a crash.
pub(crate) fn write_waiting(path: &Path, text: &str) -> Result<(), SourceError> {
    let waiting = waiting(path);
    let write = || {
        // What is there was never in use; it may have other permissions.
        match fs::remove_file(&waiting) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
        let mut file =
            OpenOptions::new().write(true).create_new(true).mode(0o600).open(&waiting)?;
        file.write_all(text.as_bytes())?;
        file.write_all(b"\n")?;
        file.sync_all()?;
        sync_folder_of(&waiting)
    };
    write().map_err(failed(&waiting))
}

/// Gives the key that waits its name, in the place of the one before.
pub(crate) fn keep(path: &Path) -> Result<(), SourceError> {
    let waiting = waiting(path);
    let rename = || match fs::rename(&waiting, path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(()) => sync_folder_of(path),
    };
    rename().map_err(failed(path))
}

fn sync_folder_of(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> SourceError + use<> {
    let path = path.to_owned();
    move |source| SourceError::File { path, source }
}
