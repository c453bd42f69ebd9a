//! Editions that results rest on, whether they are still current or not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::import::{Role, Source, SourceFile};
use super::{Library, LibraryError, manifest};
use crate::delta::{ListDelta, Records};
use crate::{Delta, Entity, Format, sample};

impl Library {
    /// What the editions `to` say otherwise than `from`; both are the version of each list, under
    /// its name. Reads what is in one of them alone, one edition after the other.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    ///
    /// use kyc_core::Timestamp;
    /// use kyc_screening::{Library, Shrinkage};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let library = Library::new(folder.path().join("lists"));
    /// let import = |rows: &str| -> Result<_, Box<dyn std::error::Error>> {
    ///     let file = folder.path().join("watch.csv");
    ///     std::fs::write(&file, format!("id,name\n{rows}"))?;
    ///     let mut imported = library.import(&[file], Timestamp::EARLIEST, Shrinkage::Accept)?;
    ///     let edition = imported.remove(0).version;
    ///     Ok(BTreeMap::from([(edition.list, edition.version)]))
    /// };
    /// let (old, new) = (import("1,Mira Kole\n")?, import("1,Mira Kole\n2,Tobin Ashgrove\n")?);
    /// assert_eq!(library.delta(&old, &new)?.lists()[0].added[0].id, "2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LibraryError::EarlierEdition`] when an edition of `from` is not there any more, or not
    /// readable: then nobody knows what changed. Other [`LibraryError`]s for those of `to`.
    pub fn delta(
        &self,
        from: &BTreeMap<String, String>,
        to: &BTreeMap<String, String>,
    ) -> Result<Delta, LibraryError> {
        let mut deltas = Vec::new();
        for list in from.keys().chain(to.keys()).collect::<BTreeSet<_>>() {
            let (old, new) = (from.get(list), to.get(list));
            if old == new {
                continue;
            }
            let old = match old {
                Some(version) => {
                    let earlier = |source| LibraryError::EarlierEdition {
                        list: list.clone(),
                        version: version.clone(),
                        source: Box::new(source),
                    };
                    Records::of(&self.edition(list, version).map_err(earlier)?)
                }
                None => Records::default(),
            };
            let new = new.map_or_else(|| Ok(Vec::new()), |version| self.edition(list, version))?;
            deltas.push(ListDelta::between(list, &old, new));
        }
        Ok(Delta::of(deltas.into_iter()))
    }

    /// What an edition lists, current or not.
    fn edition(&self, list: &str, version: &str) -> Result<Vec<Entity>, LibraryError> {
        let built_in = sample::snapshot();
        if (built_in.version.list.as_str(), built_in.version.version.as_str()) == (list, version) {
            return Ok(built_in.entities);
        }
        if !manifest::is_folder_name(list) || !manifest::is_folder_name(version) {
            return Err(LibraryError::NoSuchList { list: list.to_owned() });
        }
        let folder = self.folder.join(list).join(version);
        Ok(Source::stored(&folder, list, version, &roles(&folder)?)?.list.into_entities())
    }
}

/// What the files of an edition are: its entry in the manifest may be gone.
fn roles(folder: &Path) -> Result<Vec<Role>, LibraryError> {
    let is_there = |role: &Role| folder.join(role.file_name()).exists();
    let set = [Role::Primary, Role::Aliases, Role::Addresses, Role::Comments];
    let found: Vec<Role> = set.into_iter().filter(is_there).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    // Several formats have one file name, so the content says which it is.
    let single = [Role::Un, Role::Entities, Role::Plain].into_iter().find(is_there);
    let file = SourceFile::read(folder, single.unwrap_or(Role::Plain))?;
    let format = Format::detect(&file.bytes).and_then(Role::of_list);
    Ok(vec![
        format.ok_or(LibraryError::UnknownFormat { file: folder.join(file.role.file_name()) })?,
    ])
}
