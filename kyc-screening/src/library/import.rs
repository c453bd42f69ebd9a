//! From paths to lists: which files belong together, what they are, and what is in them.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use kyc_core::Timestamp;
use serde::{Deserialize, Serialize};

use super::LibraryError;
use super::manifest::Entry;
use crate::digest::sha256_hex;
use crate::{
    FILE_BYTES_MAX, Format, List, OfacReader, ReadError, SAMPLE_LIST, read_eu,
    read_open_sanctions_entities, read_open_sanctions_targets, read_plain, read_uk, read_un,
    read_us_csl,
};

const UN: &str = "UN";
const EU: &str = "EU";
const UK: &str = "UK";
const US_CSL: &str = "US-CSL";
const OFAC_SDN: &str = "OFAC-SDN";
const OFAC_CONS: &str = "OFAC-CONS";

/// What the published lists are called. Operators' own have lower-case names.
pub const PUBLISHED_LISTS: [&str; 6] = [UN, EU, UK, US_CSL, OFAC_SDN, OFAC_CONS];

/// One list, read whole, with the files that it came from.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) files: Vec<SourceFile>,
    /// The files of the set that were not there.
    pub(super) absent: Vec<&'static str>,
    pub(super) list: List,
}

#[derive(Debug)]
pub(super) struct SourceFile {
    pub(super) role: Role,
    pub(super) bytes: Vec<u8>,
    path: PathBuf,
}

/// What a file is for its list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Role {
    Un,
    Eu,
    Uk,
    UsCsl,
    Targets,
    Entities,
    Plain,
    Primary,
    Aliases,
    Addresses,
    Comments,
}

impl Role {
    /// What the file is called in the library.
    pub(super) fn file_name(self) -> &'static str {
        match self {
            Self::Un => "list.xml",
            Self::Eu | Self::Uk | Self::UsCsl | Self::Targets | Self::Plain => "list.csv",
            Self::Entities => "list.json",
            Self::Primary => "primary.csv",
            Self::Aliases => "aliases.csv",
            Self::Addresses => "addresses.csv",
            Self::Comments => "comments.csv",
        }
    }

    /// What the file of a list is that has no other one; `None` for those of sets.
    pub(super) fn of_list(format: Format) -> Option<Self> {
        match format {
            Format::Un => Some(Self::Un),
            Format::Eu => Some(Self::Eu),
            Format::Uk => Some(Self::Uk),
            Format::UsCsl => Some(Self::UsCsl),
            Format::OpenSanctionsTargets => Some(Self::Targets),
            Format::OpenSanctionsEntities => Some(Self::Entities),
            Format::Plain => Some(Self::Plain),
            Format::OfacPrimary
            | Format::OfacAliases
            | Format::OfacAddresses
            | Format::OfacComments => None,
        }
    }

    /// Reads a file that is a list by itself; `None` for those of sets.
    fn read(self, bytes: &[u8]) -> Option<Result<List, ReadError>> {
        match self {
            Self::Un => Some(read_un(bytes)),
            Self::Eu => Some(read_eu(bytes)),
            Self::Uk => Some(read_uk(bytes)),
            Self::UsCsl => Some(read_us_csl(bytes)),
            Self::Targets => Some(read_open_sanctions_targets(bytes)),
            Self::Entities => Some(read_open_sanctions_entities(bytes)),
            Self::Plain => Some(read_plain(bytes)),
            Self::Primary | Self::Aliases | Self::Addresses | Self::Comments => None,
        }
    }
}

/// Reads everything that these paths name, and the siblings of OFAC sets beside them (D54).
pub(super) fn sources(paths: &[PathBuf]) -> Result<Vec<Source>, LibraryError> {
    let mut sources: Vec<Source> = Vec::new();
    let mut siblings = Vec::new();
    for path in paths {
        let bytes = read(path)?;
        let source = match Format::detect(&bytes) {
            None => return Err(LibraryError::UnknownFormat { file: path.clone() }),
            Some(Format::OfacAliases | Format::OfacAddresses | Format::OfacComments) => {
                siblings.push(path);
                continue;
            }
            Some(Format::Un) => Source::single(UN, Role::Un, path, bytes)?,
            Some(Format::Eu) => Source::single(EU, Role::Eu, path, bytes)?,
            Some(Format::Uk) => Source::single(UK, Role::Uk, path, bytes)?,
            Some(Format::UsCsl) => Source::single(US_CSL, Role::UsCsl, path, bytes)?,
            Some(Format::OpenSanctionsTargets) => {
                Source::single(&name_of(path)?, Role::Targets, path, bytes)?
            }
            Some(Format::OpenSanctionsEntities) => {
                Source::single(&name_of(path)?, Role::Entities, path, bytes)?
            }
            Some(Format::Plain) => Source::single(&name_of(path)?, Role::Plain, path, bytes)?,
            Some(Format::OfacPrimary) => Source::set(path, bytes)?,
        };
        if sources.iter().any(|other| other.name == source.name) {
            return Err(LibraryError::Twice { list: source.name });
        }
        sources.push(source);
    }
    let is_taken = |path: &&PathBuf| {
        sources.iter().flat_map(|source| &source.files).any(|file| file.path == **path)
    };
    match siblings.into_iter().find(|path| !is_taken(path)) {
        Some(stray) => Err(LibraryError::Sibling { file: stray.clone() }),
        None => Ok(sources),
    }
}

impl Source {
    fn single(name: &str, role: Role, path: &Path, bytes: Vec<u8>) -> Result<Self, LibraryError> {
        let file = SourceFile { role, bytes, path: path.to_owned() };
        Self::new(name, vec![file], Vec::new())
    }

    fn set(path: &Path, bytes: Vec<u8>) -> Result<Self, LibraryError> {
        let is_cons = stem(path).starts_with("cons");
        let (name, siblings) = if is_cons { (OFAC_CONS, CONS) } else { (OFAC_SDN, SDN) };
        let mut files = vec![SourceFile { role: Role::Primary, bytes, path: path.to_owned() }];
        let mut absent = Vec::new();
        for (role, file_name) in siblings {
            match beside(path, file_name)? {
                Some(path) => files.push(SourceFile { role, bytes: read(&path)?, path }),
                None => absent.push(file_name),
            }
        }
        Self::new(name, files, absent)
    }

    /// An edition as it was imported into `folder`, where its files are these.
    pub(super) fn stored(
        folder: &Path,
        list: &str,
        expected: &str,
        files: &[Role],
    ) -> Result<Self, LibraryError> {
        let files = files.iter().map(|role| SourceFile::read(folder, *role));
        let files = files.collect::<Result<Vec<_>, LibraryError>>()?;
        if version(&files) != expected {
            return Err(LibraryError::Changed { list: list.to_owned() });
        }
        Self::new(list, files, Vec::new())
    }

    fn new(
        name: &str,
        files: Vec<SourceFile>,
        absent: Vec<&'static str>,
    ) -> Result<Self, LibraryError> {
        let list = parse(&files)?;
        Ok(Self { name: name.to_owned(), version: version(&files), files, absent, list })
    }

    /// What the manifest keeps of it.
    pub(super) fn entry(&self, at: Timestamp) -> Entry {
        let files = self.files.iter().map(|file| file.role).collect();
        let (date, counts) = (self.list.source_date(), self.list.counts());
        Entry::new(&self.name, &self.version, date, at, files, counts)
    }
}

/// The siblings of `sdn.csv` and of `cons_prim.csv`, under the names that OFAC publishes.
const SDN: [(Role, &str); 3] = [
    (Role::Aliases, "alt.csv"),
    (Role::Addresses, "add.csv"),
    (Role::Comments, "sdn_comments.csv"),
];
const CONS: [(Role, &str); 3] = [
    (Role::Aliases, "cons_alt.csv"),
    (Role::Addresses, "cons_add.csv"),
    (Role::Comments, "cons_comments.csv"),
];

/// One file: its SHA-256. Several: the SHA-256 of what `sha256sum` prints for them.
fn version(files: &[SourceFile]) -> String {
    if let [file] = files {
        return sha256_hex(&file.bytes);
    }
    let line =
        |file: &SourceFile| format!("{}  {}\n", sha256_hex(&file.bytes), file.role.file_name());
    sha256_hex(files.iter().map(line).collect::<String>().as_bytes())
}

fn parse(files: &[SourceFile]) -> Result<List, LibraryError> {
    let find = |role| files.iter().find(|file| file.role == role);
    if let [file] = files
        && let Some(list) = file.role.read(&file.bytes)
    {
        return list.map_err(file.fault());
    }
    let Some(primary) = find(Role::Primary) else {
        return Err(LibraryError::Manifest("expected the files of a list".into()));
    };
    let mut set = OfacReader::primary(&*primary.bytes).map_err(primary.fault())?;
    if let Some(file) = find(Role::Aliases) {
        set = set.aliases(&*file.bytes).map_err(file.fault())?;
    }
    if let Some(file) = find(Role::Addresses) {
        set = set.addresses(&*file.bytes).map_err(file.fault())?;
    }
    if let Some(file) = find(Role::Comments) {
        set = set.comments(&*file.bytes).map_err(file.fault())?;
    }
    set.finish().map_err(primary.fault())
}

impl SourceFile {
    /// The file of this role in an edition's folder.
    pub(super) fn read(folder: &Path, role: Role) -> Result<Self, LibraryError> {
        let path = folder.join(role.file_name());
        Ok(Self { role, bytes: read(&path)?, path })
    }

    fn fault(&self) -> impl FnOnce(ReadError) -> LibraryError {
        LibraryError::unreadable(&self.path)
    }
}

/// The whole file, unless it is larger than any list.
fn read(path: &Path) -> Result<Vec<u8>, LibraryError> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(LibraryError::io(path))?;
    file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(LibraryError::io(path))?;
    if bytes.len() as u64 > FILE_BYTES_MAX {
        return Err(LibraryError::unreadable(path)(ReadError::TooLarge));
    }
    Ok(bytes)
}

/// The file of this name in the folder of `path`, in any letter case.
fn beside(path: &Path, file_name: &str) -> Result<Option<PathBuf>, LibraryError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let listed = if folder == Path::new("") { Path::new(".") } else { folder };
    let entries = fs::read_dir(listed).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let names =
        entries.map_err(LibraryError::io(listed))?.into_iter().map(|entry| entry.file_name());
    let found = names.filter(|name| name.eq_ignore_ascii_case(file_name)).min();
    Ok(found.map(|name| folder.join(name)))
}

/// A list without a name of its own is called like its file, lower case: `targets.simple.csv` is
/// `targets-simple`.
fn name_of(path: &Path) -> Result<String, LibraryError> {
    let name = stem(path).replace('.', "-");
    let is_folder_name = (1..=64).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    // Also where a file system takes both cases for one folder.
    let own = [UN, EU, UK, US_CSL, OFAC_SDN, OFAC_CONS, SAMPLE_LIST];
    let is_reserved = own.iter().any(|own| own.eq_ignore_ascii_case(&name));
    if is_folder_name && !is_reserved {
        return Ok(name);
    }
    Err(LibraryError::UnusableName { file: path.to_owned() })
}

fn stem(path: &Path) -> String {
    path.file_stem().and_then(OsStr::to_str).unwrap_or_default().to_lowercase()
}
