//! From a store to a backup.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use kyc_core::{AuditActor, AuditEntry, AuditEvent, AuditLog, Clock, SystemClock};
use kyc_store_sqlite::{CopyError, DatabaseCopy, DocumentFile, DocumentState, SqliteStore};

use super::age::{Recipient, Sealer};
use super::archive::ArchiveWriter;
use super::manifest::{Absent, Manifest};
use super::member::{EditionFile, Member};
use super::target::Target;
use crate::exit::{Code, Failure};

/// A backup that was made.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) bytes: u64,
    pub(crate) manifest: Manifest,
}

/// How a backup that is made is watched.
#[derive(Clone, Copy)]
pub(crate) struct Pace<'a> {
    /// Is told how many bytes there are, and how many of them are done.
    pub(crate) bar: &'a ProgressBar,
    /// Whether it is to be given up.
    pub(crate) stops: &'a dyn Fn() -> bool,
}

/// Makes a backup of a data folder beside whoever works on it, at first under another name. The
/// audit keeps that it was made, and by whom.
pub(crate) fn make(
    store: &SqliteStore,
    data: &Path,
    to: &Path,
    recipients: &[Recipient],
    by: AuditActor,
    pace: Pace<'_>,
) -> Result<Made, Failure> {
    let at = SystemClock.now();
    let copy = store.copy_database(&mut |_, _| ())?;
    let written = unwritable(to);
    let target = Target::create(to).map_err(&written)?;
    let sealer = Sealer::new(target, recipients).map_err(&written)?;
    let counts = copy.counts()?;
    let mut making = Making {
        store,
        copy: &copy,
        archive: ArchiveWriter::new(sealer),
        manifest: Manifest::new(copy.schema(), counts, at),
        to,
        pace,
    };
    let database_bytes = fs::metadata(copy.path()).map_or(0, |file| file.len());
    pace.bar.set_length(database_bytes + counts.document_bytes);
    making.add_file(&Member::Database, copy.path())?;
    for member in [Member::Pepper, Member::Sealed] {
        let path = data.join(member.path());
        if path.exists() {
            making.add_file(&member, &path)?;
        }
    }
    making.add_lists(&data.join("lists"))?;
    making.add_documents()?;
    let Making { archive, manifest, .. } = making;
    let sealer = archive.finish(&manifest).map_err(&written)?;
    let bytes = sealer.finish().and_then(Target::finish).map_err(&written)?;
    let entry =
        AuditEntry { at: SystemClock.now(), by, event: AuditEvent::BackupMade, about: None };
    store.append(&[(None, entry)])?;
    Ok(Made { bytes, manifest })
}

struct Making<'a> {
    store: &'a SqliteStore,
    copy: &'a DatabaseCopy,
    archive: ArchiveWriter<Sealer<Target>>,
    manifest: Manifest,
    to: &'a Path,
    pace: Pace<'a>,
}

impl Making<'_> {
    fn add_file(&mut self, member: &Member, path: &Path) -> Result<(), Failure> {
        let unreadable = unreadable(path);
        let file = File::open(path).map_err(&unreadable)?;
        let size = file.metadata().map_err(&unreadable)?.len();
        self.add(member, size, file)
    }

    fn add(&mut self, member: &Member, size: u64, content: impl Read) -> Result<(), Failure> {
        let content = self.pace.bar.wrap_read(content);
        let mut content = Stoppable { content, stops: self.pace.stops };
        self.archive.add(member, size, &mut content).map_err(unwritable(self.to))
    }

    /// The manifest of the lists first: the editions that it names are there before it is.
    fn add_lists(&mut self, lists: &Path) -> Result<(), Failure> {
        let path = lists.join("manifest.json");
        match fs::read(&path) {
            Ok(bytes) => self.add(&Member::Lists, bytes.len() as u64, bytes.as_slice())?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(unreadable(&path)(error)),
        }
        let mut editions = editions(lists).map_err(unreadable(lists))?;
        editions.sort();
        self.manifest.lists = editions.len() as u64;
        for (edition, path) in editions {
            self.add_file(&Member::Edition(edition), &path)?;
        }
        Ok(())
    }

    fn add_documents(&mut self) -> Result<(), Failure> {
        let copy = self.copy;
        copy.documents(|document| self.add_document(document))
    }

    fn add_document(&mut self, document: DocumentFile) -> Result<(), Failure> {
        let file = match self.store.open_document(document)? {
            DocumentState::There(file) => file,
            state @ (DocumentState::Erased | DocumentState::Missing) => {
                let erased = matches!(state, DocumentState::Erased);
                self.manifest.absent.push(Absent { path: document.path(), erased });
                return Ok(());
            }
        };
        let path = document.path();
        let size = file.metadata().map_err(unreadable(Path::new(&path)))?.len();
        self.manifest.documents += 1;
        self.add(&Member::Document(document), size, file)
    }
}

/// What is read until it is to be given up.
struct Stoppable<'a, R> {
    content: R,
    stops: &'a dyn Fn() -> bool,
}

impl<R: Read> Read for Stoppable<'_, R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if (self.stops)() {
            return Err(io::Error::other("the service stops"));
        }
        self.content.read(room)
    }
}

/// The files of all editions, current or not: results rest on them.
fn editions(lists: &Path) -> io::Result<Vec<(EditionFile, PathBuf)>> {
    let mut found = Vec::new();
    for list in folders(lists)? {
        for edition in folders(&list)? {
            for file in fs::read_dir(&edition)? {
                let path = file?.path();
                let (list, edition, file) = (name(&list), name(&edition), name(&path));
                // What has another name is not ours, or on its way.
                if let Some(edition) = EditionFile::new(&list, &edition, &file) {
                    found.push((edition, path));
                }
            }
        }
    }
    Ok(found)
}

fn folders(path: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(path)?;
    let paths: Vec<PathBuf> =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>()?;
    Ok(paths.into_iter().filter(|path| path.is_dir()).collect())
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn unreadable(path: &Path) -> impl Fn(io::Error) -> Failure {
    move |error| Failure::because(&format!("cannot read {}", path.display()), &error)
}

fn unwritable(path: &Path) -> impl Fn(io::Error) -> Failure {
    move |error| Failure::because(&format!("cannot write the backup {}", path.display()), &error)
}

impl From<CopyError> for Failure {
    fn from(error: CopyError) -> Self {
        Self::of(Code::Failed, &error)
    }
}
