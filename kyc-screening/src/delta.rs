//! What one set of editions says otherwise than another.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;

use crate::digest::{Digest, Sha256Hasher};
use crate::{Entity, Snapshot};

/// What the lists of one day say otherwise than those of another.
///
/// Who is screened against the changed records alone, with [`Applicants`](crate::Applicants), has the
/// result of a screening against whole lists.
///
/// ```
/// use kyc_screening::{Delta, Snapshot, read_plain};
///
/// let edition = |rows: &str| {
///     let list = read_plain(format!("id,name\n{rows}").as_bytes())?;
///     Ok::<_, kyc_screening::ReadError>([Snapshot::new("watch", list.into_entities())])
/// };
/// let (old, new) = (edition("1,Mira Kole\n2,Tobin Ashgrove\n")?, edition("1,Mira Kohl\n")?);
/// let delta = Delta::between(&old, &new);
/// let list = &delta.lists()[0];
/// assert_eq!((list.list.as_str(), list.changed[0].name.as_str()), ("watch", "Mira Kohl"));
/// assert_eq!((list.added.len(), list.removed.as_slice()), (0, ["2".to_owned()].as_slice()));
/// assert!(Delta::between(&new, &new).is_empty());
/// # Ok::<(), kyc_screening::ReadError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Delta {
    lists: Vec<ListDelta>,
}

/// What one list says otherwise. The example is at [`Delta`].
///
/// Records belong together by their id. Where an id occurs more than once, its records are
/// compared as one, in their order.
///
/// ```
/// use kyc_screening::ListDelta;
///
/// let list = ListDelta { list: "UN".into(), ..ListDelta::default() };
/// assert!(list.is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListDelta {
    /// The list's short name.
    pub list: String,
    /// The records of ids that were not there.
    pub added: Vec<Entity>,
    /// The records, as they are now, of ids that had others.
    pub changed: Vec<Entity>,
    /// Ids that are gone.
    pub removed: Vec<String>,
}

impl Delta {
    /// Compares editions. A list that is in one set alone is new or gone as a whole.
    pub fn between(old: &[Snapshot], new: &[Snapshot]) -> Self {
        let of = |snapshots: &[Snapshot], list: &str| {
            let snapshots = snapshots.iter().filter(|snapshot| snapshot.version.list == list);
            snapshots.flat_map(|snapshot| snapshot.entities.clone()).collect::<Vec<_>>()
        };
        let names: BTreeSet<&str> =
            old.iter().chain(new).map(|snapshot| snapshot.version.list.as_str()).collect();
        let delta = |name| ListDelta::between(name, &Records::of(&of(old, name)), of(new, name));
        Self::of(names.into_iter().map(delta))
    }

    /// What lists say otherwise, without those that say nothing otherwise.
    pub(crate) fn of(lists: impl Iterator<Item = ListDelta>) -> Self {
        Self { lists: lists.filter(|list| !list.is_empty()).collect() }
    }

    /// The lists that say something otherwise, by name.
    pub fn lists(&self) -> &[ListDelta] {
        &self.lists
    }

    /// Whether both sets say the same.
    pub fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }
}

impl ListDelta {
    /// Whether nothing is different.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }

    pub(crate) fn between(list: &str, old: &Records, new: Vec<Entity>) -> Self {
        let current = Records::of(&new);
        let removed = old.0.keys().filter(|id| !current.0.contains_key(*id)).cloned().collect();
        let mut delta = Self { list: list.to_owned(), removed, ..Self::default() };
        for entity in new {
            match old.0.get(&entity.id) {
                None => delta.added.push(entity),
                Some(records) if current.0.get(&entity.id) != Some(records) => {
                    delta.changed.push(entity);
                }
                Some(_) => {}
            }
        }
        delta
    }

    /// The records that are not as they were, as they are now.
    pub(crate) fn current(&self) -> impl Iterator<Item = &Entity> {
        self.added.iter().chain(&self.changed)
    }

    /// The ids of records that were there and are not as they were.
    pub(crate) fn former_ids(&self) -> impl Iterator<Item = &str> {
        let changed = self.changed.iter().map(|entity| entity.id.as_str());
        changed.chain(self.removed.iter().map(String::as_str))
    }
}

/// What an edition says of each id, as hashes: much smaller than the edition, and enough to see
/// what another one says otherwise.
#[derive(Default)]
pub(crate) struct Records(BTreeMap<String, Vec<Digest>>);

impl Records {
    pub(crate) fn of(entities: &[Entity]) -> Self {
        let mut records: BTreeMap<String, Vec<Digest>> = BTreeMap::new();
        for entity in entities {
            let mut hasher = Sha256Hasher::default();
            entity.hash(&mut hasher);
            records.entry(entity.id.clone()).or_default().push(hasher.digest());
        }
        Self(records)
    }
}
