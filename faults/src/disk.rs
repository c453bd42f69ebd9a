use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::file::{Change, Fate, File};
use crate::{Chance, Event, FileNumber};

/// A folder on a disk: what is durable of it, and what came since.
///
/// See the [crate] for an example.
#[derive(Debug, Clone, Default)]
pub struct Disk {
    files: BTreeMap<FileNumber, File>,
    /// The names that are durable.
    names: Names,
    /// Changes of names since the last sync of their folder, with their number.
    since: Vec<(usize, NameChange)>,
}

/// What there is after a power cut.
///
/// ```
/// use faults::{Chance, Disk};
///
/// let image = Disk::default().cut(&mut Chance::new(1));
/// assert!(image.files.is_empty() && image.folders.is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Image {
    /// The files and their content.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    /// The folders, those above before those below.
    pub folders: BTreeSet<PathBuf>,
}

#[derive(Debug, Clone, Default)]
struct Names {
    files: BTreeMap<PathBuf, FileNumber>,
    folders: BTreeSet<PathBuf>,
}

#[derive(Debug, Clone)]
enum NameChange {
    File(PathBuf, FileNumber),
    Folder(PathBuf),
    Renamed { from: PathBuf, to: PathBuf, file: FileNumber },
    Removed(PathBuf),
}

impl Disk {
    /// Takes note of an event, whose number is that of the one before and one more.
    pub fn take(&mut self, number: usize, event: Event) {
        let name = match event {
            Event::Made { file, path } => {
                self.files.entry(file).or_default();
                NameChange::File(path, file)
            }
            Event::FolderMade { path } => NameChange::Folder(path),
            Event::Renamed { file, from, to } => NameChange::Renamed { from, to, file },
            Event::Removed { path } => NameChange::Removed(path),
            Event::Written { file, offset, bytes } => {
                let offset = usize::try_from(offset).unwrap_or(usize::MAX);
                return self.file(file).change(number, Change::Write { offset, bytes });
            }
            Event::Cut { file, length } => {
                let length = usize::try_from(length).unwrap_or(usize::MAX);
                return self.file(file).change(number, Change::Length(length));
            }
            Event::Synced { file, from } => return self.file(file).sync(from),
            Event::FolderSynced { folder, from } => return self.sync_folder(&folder, from),
        };
        self.since.push((number, name));
    }

    /// What can be read as long as there is power.
    pub fn whole(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut names = self.names.clone();
        self.since.iter().for_each(|(_, change)| names.apply(change));
        names.files.iter().map(|(path, file)| (path.clone(), self.files[file].whole())).collect()
    }

    /// What may be there after a power cut at this moment.
    pub fn cut(&self, chance: &mut Chance) -> Image {
        let mut names = self.names.clone();
        let fate = Fate::of(chance);
        let percent = match fate {
            Fate::Nothing => 0,
            Fate::Everything => 100,
            Fate::Beginning | Fate::Some | Fate::Torn => chance.below(101),
        };
        for (_, change) in &self.since {
            if chance.percent(percent) {
                names.apply(change);
            }
        }
        names.drop_what_has_no_folder();
        let content = |file: &FileNumber, chance: &mut Chance| {
            // Mostly the same for all files, so that each fate is met by several at once.
            let fate = if chance.percent(70) { fate } else { Fate::of(chance) };
            self.files[file].cut(fate, chance)
        };
        let files = names.files.iter();
        let files = files.map(|(path, file)| (path.clone(), content(file, chance))).collect();
        Image { files, folders: names.folders }
    }

    /// A disk on which everything is durable that an image has.
    pub fn of_image(image: &Image) -> (Self, BTreeMap<PathBuf, FileNumber>) {
        let mut disk = Self::default();
        disk.names.folders.clone_from(&image.folders);
        for (number, (path, content)) in (0..).zip(&image.files) {
            let file = FileNumber(number);
            disk.names.files.insert(path.clone(), file);
            let bytes = content.clone();
            disk.file(file).change(0, Change::Write { offset: 0, bytes });
            disk.file(file).sync(1);
        }
        let numbers = disk.names.files.clone();
        (disk, numbers)
    }

    fn file(&mut self, file: FileNumber) -> &mut File {
        self.files.entry(file).or_default()
    }

    /// Makes the names of a folder durable. A renaming is so with the sync of either folder.
    fn sync_folder(&mut self, folder: &Path, from: usize) {
        let is_of = |path: &Path| path.parent() == Some(folder);
        let (durable, since) = std::mem::take(&mut self.since).into_iter().partition(|change| {
            let (number, change) = change;
            let is_here = match change {
                NameChange::File(path, _)
                | NameChange::Folder(path)
                | NameChange::Removed(path) => is_of(path),
                NameChange::Renamed { from, to, .. } => is_of(from) || is_of(to),
            };
            is_here && *number < from
        });
        self.since = since;
        let durable: Vec<(usize, NameChange)> = durable;
        for (number, change) in &durable {
            self.names.apply(change);
            if let NameChange::Renamed { from, .. } = change {
                // The name before is gone, whether or not its own folder was synced.
                let is_before = |change: &NameChange| match change {
                    NameChange::File(path, _) => path == from,
                    _ => false,
                };
                self.since.retain(|(other, change)| other > number || !is_before(change));
            }
        }
    }
}

impl Names {
    fn apply(&mut self, change: &NameChange) {
        match change {
            NameChange::File(path, file) => {
                self.files.insert(path.clone(), *file);
            }
            NameChange::Folder(path) => {
                self.folders.insert(path.clone());
            }
            NameChange::Renamed { from, to, file } => {
                if self.files.get(from) == Some(file) {
                    self.files.remove(from);
                }
                self.files.insert(to.clone(), *file);
            }
            NameChange::Removed(path) => {
                self.files.remove(path);
            }
        }
    }

    fn drop_what_has_no_folder(&mut self) {
        let all = self.folders.clone();
        let is_there = |path: &Path| {
            path.ancestors().skip(1).all(|above| above == Path::new("") || all.contains(above))
        };
        self.folders.retain(|path| is_there(path));
        self.files.retain(|path, _| is_there(path));
    }
}
