//! A file that is whole or not there.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use aws_lc_rs::digest::{Context, SHA256};
use rustix::fs::{Advice, fadvise};

/// A file under another name, until it is whole. Dropped before, it is removed.
pub(super) struct Target {
    whole: PathBuf,
    unfinished: PathBuf,
    file: BufWriter<File>,
    hash: Context,
    bytes: u64,
    is_kept: bool,
}

impl Target {
    pub(super) fn create(whole: &Path) -> io::Result<Self> {
        let mut name = whole.file_name().unwrap_or_default().to_owned();
        name.push(UNFINISHED);
        let unfinished = whole.with_file_name(name);
        // A left-over of one that was killed may have another mode.
        match fs::remove_file(&unfinished) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create_new(true).mode(0o600).open(&unfinished)?;
        Ok(Self {
            whole: whole.to_owned(),
            unfinished,
            file: BufWriter::with_capacity(1 << 20, file),
            hash: Context::new(&SHA256),
            bytes: 0,
            is_kept: false,
        })
    }

    /// Gives the file its name once the disk has it and gives it back as it was written. Tells how
    /// many bytes it has.
    pub(super) fn finish(mut self) -> io::Result<u64> {
        self.file.flush()?;
        let file = self.file.get_mut();
        file.sync_all()?;
        // What is read now should come from the disk.
        let _ = fadvise(&*file, 0, None, Advice::DontNeed);
        file.rewind()?;
        let mut hash = Context::new(&SHA256);
        let mut buffer = vec![0; 256 << 10];
        loop {
            let read = file.read(&mut buffer)?;
            if read == 0 {
                break;
            }
            let (bytes, _) = buffer.split_at(read);
            hash.update(bytes);
        }
        if hash.finish().as_ref() != self.hash.clone().finish().as_ref() {
            return Err(io::Error::other("the disk does not give back what was written"));
        }
        fs::rename(&self.unfinished, &self.whole)?;
        self.is_kept = true;
        let folder = self.whole.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?;
        Ok(self.bytes)
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        let (bytes, _) = bytes.split_at(written);
        self.hash.update(bytes);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        if !self.is_kept {
            // What is left over, the next backup of that name removes.
            let _ = fs::remove_file(&self.unfinished);
        }
    }
}

/// How the name of a backup ends until it is whole.
pub(super) const UNFINISHED: &str = ".unfinished";
