//! Files and folders that are the operator's alone.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use crate::exit::{Code, Failure};

/// Makes a folder that nobody but its owner may enter, unless it is there.
pub(crate) fn make(path: &Path) -> Result<(), Failure> {
    try_make(path)
        .map_err(|error| Failure::because(&format!("cannot make {}", path.display()), &error))
}

/// As [`make`], for callers with a sentence of their own.
pub(crate) fn try_make(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Fails where a folder is not there.
pub(crate) fn existing(path: &Path) -> Result<(), Failure> {
    if path.is_dir() {
        return Ok(());
    }
    let sentence = format!(
        "there is no data folder {}: name it with --data, KYC_DATA or --config; `kyc serve` alone \
         makes one",
        path.display()
    );
    Err(Failure::new(Code::Failed, sentence))
}

/// Replaces a file at once by one that nobody but its owner may read.
pub(crate) fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let temporary = path.with_file_name(name);
    // A left-over of an interrupted write may have another mode.
    match fs::remove_file(&temporary) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&temporary, path)?;
    match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[track_caller]
    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn t6_secrets_are_the_owners_alone_from_the_start() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("a/b");
        make(&folder).unwrap();
        assert_eq!(mode(&folder), 0o700);

        let path = folder.join("server.key");
        fs::write(folder.join("server.key.new"), "left over").unwrap();
        write_private(&path, "one").unwrap();
        write_private(&path, "two").unwrap();
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), mode(&path)), ("two", 0o600));
        assert!(!folder.join("server.key.new").exists());
    }
}
