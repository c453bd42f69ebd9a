use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kyc_core::{ClientId, DocumentId};
use rustix::fs::{Advice, OFlags, fadvise};

use super::sealed_file::EXTRA_BYTES;
use crate::folder::{DataFolder, make_folder, private, sync_folder};

/// The files of documents.
#[derive(Debug)]
pub(crate) struct Files {
    pub(super) documents: PathBuf,
    pub(super) uploads: PathBuf,
    /// Makes the names of unfinished files different.
    written: AtomicU64,
    /// What is being written, from before its file appears until after its row does.
    under_way: Mutex<HashSet<(ClientId, DocumentId)>>,
}

impl Files {
    pub(crate) fn new(folder: &DataFolder) -> Self {
        Self {
            documents: folder.documents(),
            uploads: folder.uploads(),
            written: AtomicU64::new(0),
            under_way: Mutex::default(),
        }
    }

    /// Claims an id until the claim is dropped. `None` while somebody else has it.
    pub(super) fn begin(&self, client: ClientId, id: DocumentId) -> Option<UnderWay<'_>> {
        let key = (client, id);
        // Lazily: a claim that is made in vain must not be dropped, which would end the other one.
        self.lock().insert(key).then(|| UnderWay { files: self, key })
    }

    pub(super) fn is_under_way(&self, client: ClientId, id: DocumentId) -> bool {
        self.lock().contains(&(client, id))
    }

    /// Writes a file. When this returns, file and name survive a crash.
    pub(super) fn write(&self, client: ClientId, id: DocumentId, bytes: &[u8]) -> io::Result<()> {
        let number = self.written.fetch_add(1, Ordering::Relaxed);
        let unfinished = self.uploads.join(format!("{id}.{}.{number}", process::id()));
        let written = self.write_through(&unfinished, client, id, bytes);
        if written.is_err() {
            // If that fails too, the sweep of the next start removes it.
            let _ = fs::remove_file(&unfinished);
        }
        written
    }

    fn write_through(
        &self,
        unfinished: &PathBuf,
        client: ClientId,
        id: DocumentId,
        bytes: &[u8],
    ) -> io::Result<()> {
        let mut file = private().write(true).create_new(true).open(unfinished)?;
        file.write_all(bytes)?;
        // Content and size; the time stamps may be lost.
        file.sync_data()?;
        // Nobody reads it soon: its pages are better used for the next one, and by the database.
        // Advice only, so a file system that does not take it changes nothing.
        let _ = fadvise(&file, 0, None, Advice::DontNeed);
        let path = self.path(client, id);
        let folder = path.parent().unwrap_or(&self.documents);
        match fs::rename(unfinished, &path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                make_folder(folder)?;
                fs::rename(unfinished, &path)?;
            }
            renamed => renamed?,
        }
        sync_folder(folder)
    }

    /// Reads a file, at most a byte more than it should have, sealed or not.
    pub(super) fn read(
        &self,
        client: ClientId,
        id: DocumentId,
        size_bytes: u32,
    ) -> io::Result<Vec<u8>> {
        let file = open_file(&self.path(client, id))?;
        let size_max = usize::try_from(size_bytes).unwrap_or(0) + EXTRA_BYTES + 1;
        let mut bytes = Vec::with_capacity(size_max);
        file.take(size_max as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Removes a file that will have no row, or has none any more. If that fails, the sweep of the next
    /// start removes it.
    pub(super) fn remove(&self, client: ClientId, id: DocumentId) {
        let _ = fs::remove_file(self.path(client, id));
    }

    /// Removes a file, if it is there. When this returns, it is gone also after a crash.
    pub(crate) fn erase(&self, client: ClientId, id: DocumentId) -> io::Result<()> {
        let path = self.path(client, id);
        match fs::remove_file(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed.and_then(|()| path.parent().map_or(Ok(()), sync_folder)),
        }
    }

    pub(crate) fn path(&self, client: ClientId, id: DocumentId) -> PathBuf {
        self.documents.join(DocumentFile { client, id }.below_documents())
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<(ClientId, DocumentId)>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Opens what should be a file. A pipe in its place would wait for somebody to write.
fn open_file(path: &Path) -> io::Result<File> {
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "no file"));
    }
    Ok(file)
}

/// The file of one document.
///
/// ```
/// use kyc_store_sqlite::DocumentFile;
///
/// let path = "documents/7/w/01jd3v9k8m2q4r5s6t7v8w9x0w";
/// let file = DocumentFile::of_path(path).ok_or("no file of a document")?;
/// assert_eq!((file.client.get(), file.path().as_str()), (7, path));
/// assert_eq!(DocumentFile::of_path("documents/7/w/../../../etc/passwd"), None);
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentFile {
    /// Whose document it is.
    pub client: ClientId,
    /// Which one.
    pub id: DocumentId,
}

impl DocumentFile {
    /// Where it lies in a data folder, with `/` between the parts.
    pub fn path(&self) -> String {
        format!("{DOCUMENTS}{}", self.below_documents())
    }

    /// The document whose file lies there. `None` for every other path.
    pub fn of_path(path: &str) -> Option<Self> {
        let (client, rest) = path.strip_prefix(DOCUMENTS)?.split_once('/')?;
        let (_, id) = rest.split_once('/')?;
        let file = Self { client: ClientId::new(client.parse().ok()?)?, id: id.parse().ok()? };
        (file.path() == path).then_some(file)
    }

    /// The last character of an id is random, so the folders fill evenly. Few folders, since the
    /// first file of each costs the disk a folder more; each holds a hundred thousand with ease.
    fn below_documents(&self) -> String {
        let text = self.id.text();
        let (_, last) = text.as_str().split_at(text.as_str().len() - 1);
        format!("{}/{last}/{}", self.client.get(), text.as_str())
    }
}

const DOCUMENTS: &str = "documents/";

/// The claim to an id.
pub(super) struct UnderWay<'f> {
    files: &'f Files,
    key: (ClientId, DocumentId),
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.files.lock().remove(&self.key);
    }
}
