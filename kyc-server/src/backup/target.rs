//! A file that is whole or not there.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process;

use aws_lc_rs::digest::{Context, SHA256};
use rustix::fs::{Advice, fadvise};

/// A file under another name, until it is whole. Dropped before, it is removed.
///
/// The other name has the number of this process, and the file is locked: so it is told from those of
/// others, who may have any name, and from what a kill left over, which nobody has locked (D118).
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
        let name = whole.file_name().unwrap_or_default();
        // What cannot be removed is no reason to make no backup.
        let _ = remove_left_overs(folder_of(whole), |of| name == of);
        let mut unfinished = name.to_owned();
        unfinished.push(format!(".{}{UNFINISHED}", process::id()));
        let unfinished = whole.with_file_name(unfinished);
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create_new(true).mode(0o600).open(&unfinished)?;
        // Some file systems know no locks. There, left-overs stay.
        let _ = file.try_lock();
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
        File::open(folder_of(&self.whole))?.sync_all()?;
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

/// Removes what killed processes left over of files whose names are wanted.
pub(super) fn remove_left_overs(folder: &Path, is_wanted: impl Fn(&str) -> bool) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        if name.and_then(name_when_whole).is_some_and(&is_wanted)
            && path.symlink_metadata().is_ok_and(|it| it.is_file())
            && File::open(&path).is_ok_and(|file| file.try_lock().is_ok())
        {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

/// What an unfinished file is called when it is whole. `None` for a name that nobody gives here.
fn name_when_whole(name: &str) -> Option<&str> {
    let (whole, process) = name.strip_suffix(UNFINISHED)?.rsplit_once('.')?;
    process.parse::<u32>().is_ok().then_some(whole)
}

fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// How the name of a backup ends until it is whole, behind the number of a process.
const UNFINISHED: &str = ".unfinished";
