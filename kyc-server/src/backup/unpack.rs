//! From a backup to a folder, checking on the way.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use kyc_core::StoreError;
use kyc_store_sqlite::{DatabaseCopy, DocumentFile};

use super::archive::{ArchiveReader, Content, Damage};
use super::manifest::Manifest;
use super::member::Member;
use crate::exit::{Code, Failure, chain};
use crate::folder;

/// Unpacks a backup into an empty folder. Everything is as the backup says, and rows and files
/// belong together, if it succeeds; else the folder is of no use.
pub(super) fn unpack(input: impl Read, into: &Path) -> Result<Manifest, Failure> {
    let mut unpacking = Unpacking { into, copy: None, documents: 0, lists: 0, folder: None };
    let manifest = ArchiveReader::new(input)
        .read(&mut |member, _size, content| unpacking.take(member, content))?;
    unpacking.finish(&manifest)?;
    Ok(manifest)
}

struct Unpacking<'a> {
    into: &'a Path,
    copy: Option<DatabaseCopy>,
    documents: u64,
    lists: u64,
    /// The folder that was made last: most files lie in the one of the file before.
    folder: Option<String>,
}

impl Unpacking<'_> {
    fn take(&mut self, member: &Member, content: &mut Content<'_>) -> Result<(), Failure> {
        match member {
            Member::Document(document) => {
                if !self.copy()?.has_document(*document).map_err(database)? {
                    return Err(stray(member));
                }
                self.documents += 1;
            }
            Member::Edition(_) => self.lists += 1,
            Member::Database
            | Member::Pepper
            | Member::Sealed
            | Member::Lists
            | Member::Manifest
            | Member::Sums(_) => {}
        }
        self.write(member, content)
    }

    /// The database, which is looked at when its checksum was: before anything else comes.
    fn copy(&mut self) -> Result<&mut DatabaseCopy, Failure> {
        if self.copy.is_none() {
            self.copy = Some(DatabaseCopy::open(&self.into.join(Member::Database.path()))?);
        }
        self.copy.as_mut().ok_or_else(|| Damage::NotOurs.into())
    }

    fn write(&mut self, member: &Member, content: &mut Content<'_>) -> Result<(), Failure> {
        let path = member.path();
        let folder = path.rsplit_once('/').map(|(folder, _)| folder.to_owned());
        if let Some(folder) = &folder
            && self.folder.as_ref() != Some(folder)
        {
            folder::make(&self.into.join(folder))?;
        }
        self.folder = folder;
        let at = self.into.join(&path);
        let mut options = OpenOptions::new();
        let file = options.write(true).create_new(true).mode(0o600).open(&at);
        let mut file = file.map_err(|error| unwritable(&at, &error))?;
        let mut buffer = vec![0; 256 << 10];
        loop {
            let read = content.read(&mut buffer).map_err(Damage::from)?;
            if read == 0 {
                return Ok(());
            }
            let (bytes, _) = buffer.split_at(read);
            file.write_all(bytes).map_err(|error| unwritable(&at, &error))?;
        }
    }

    /// Each row has its file, or was said to have none.
    fn finish(mut self, manifest: &Manifest) -> Result<(), Failure> {
        let (documents, lists, into) = (self.documents, self.lists, self.into);
        let copy = self.copy()?;
        let counts = copy.counts().map_err(database)?;
        let are_told = counts.submissions == manifest.submissions
            && documents == manifest.documents
            && lists == manifest.lists
            && copy.schema() == manifest.schema
            && counts.documents == documents + manifest.absent.len() as u64;
        if !are_told {
            return Err(fault("its manifest tells of other contents"));
        }
        let erased = manifest.absent(true);
        let absent: BTreeSet<DocumentFile> =
            manifest.absent(false).into_iter().chain(erased.iter().copied()).collect();
        copy.documents::<NotThere>(|document| {
            if absent.contains(&document) || into.join(document.path()).is_file() {
                return Ok(());
            }
            Err(NotThere::File(document))
        })?;
        copy.forget_documents(&erased).map_err(database)
    }
}

/// Why a document of the database was not found.
enum NotThere {
    File(DocumentFile),
    Unknown(StoreError),
}

impl From<StoreError> for NotThere {
    fn from(error: StoreError) -> Self {
        Self::Unknown(error)
    }
}

impl From<NotThere> for Failure {
    fn from(not_there: NotThere) -> Self {
        match not_there {
            NotThere::File(document) => fault(&format!("{} is not in it", document.path())),
            NotThere::Unknown(error) => database(error),
        }
    }
}

/// What is wrong with a database that has the right checksum was wrong before.
#[expect(clippy::needless_pass_by_value, reason = "it is the shape of `map_err`")]
fn database(error: StoreError) -> Failure {
    fault(&format!("its database cannot be read: {}", chain(&error)))
}

/// Waits until the disk has everything of the file system that a folder is on.
pub(super) fn sync_all(folder: &Path) -> io::Result<()> {
    rustix::fs::syncfs(File::open(folder)?)?;
    Ok(())
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::because(&format!("cannot write {}", path.display()), error)
}

fn stray(member: &Member) -> Failure {
    fault(&format!("{} belongs to nothing in its database", member.path()))
}

fn fault(what: &str) -> Failure {
    Failure::new(Code::Fault, format!("the backup cannot be used: {what}"))
}

impl From<Damage> for Failure {
    fn from(damage: Damage) -> Self {
        let code = if matches!(damage, Damage::Later) {
            Code::Configuration
        } else if let Damage::Unreadable(error) = &damage
            && error.kind() != io::ErrorKind::InvalidData
        {
            Code::Failed
        } else {
            Code::Fault
        };
        let said = Self::of(code, &damage);
        Self::new(code, format!("the backup cannot be used: {}", said.sentence.unwrap_or_default()))
    }
}
