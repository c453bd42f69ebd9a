//! From a backup to a folder, checking on the way.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use kyc_store_sqlite::{DatabaseCopy, DocumentFile};

use super::archive::{ArchiveReader, Content, Damage};
use super::manifest::Manifest;
use super::member::Member;
use crate::exit::{Code, Failure};
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
                let is_known = match &self.copy {
                    Some(copy) => copy.has_document(*document)?,
                    None => false,
                };
                if !is_known {
                    return Err(stray(member));
                }
                self.documents += 1;
            }
            Member::Edition(_) => self.lists += 1,
            Member::Database
            | Member::Pepper
            | Member::Lists
            | Member::Manifest
            | Member::Sums(_) => {}
        }
        self.write(member, content)?;
        if *member == Member::Database {
            self.copy = Some(DatabaseCopy::open(&self.into.join(member.path()))?);
        }
        Ok(())
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
    fn finish(self, manifest: &Manifest) -> Result<(), Failure> {
        let Some(mut copy) = self.copy else { return Err(Damage::NotOurs.into()) };
        let counts = copy.counts()?;
        let are_told = counts.submissions == manifest.submissions
            && self.documents == manifest.documents
            && self.lists == manifest.lists
            && copy.schema() == manifest.schema
            && counts.documents == self.documents + manifest.absent.len() as u64;
        if !are_told {
            return Err(fault("its manifest tells of other contents"));
        }
        let erased = manifest.absent(true);
        let absent: BTreeSet<DocumentFile> =
            manifest.absent(false).into_iter().chain(erased.iter().copied()).collect();
        copy.documents(|document| {
            if absent.contains(&document) || self.into.join(document.path()).is_file() {
                return Ok(());
            }
            Err(fault(&format!("{} is not in it", document.path())))
        })?;
        Ok(copy.forget_documents(&erased)?)
    }
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
