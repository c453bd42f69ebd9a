//! Lists that are ready to be searched.

mod find;
mod report;

use std::fmt;
use std::sync::Arc;

use kyc_core::{Editions, Hit, ListVersion, ScreenError, Screening, Subject, Timestamp};

use crate::catalogue::{Catalogue, CatalogueBuilder};
use crate::image::{self, Head, ListHead};
use crate::slab::Slab;
use crate::{
    Counts, Explanation, ImageError, ListStatus, NameKey, Options, Query, Snapshot, sample,
};
use report::Found;

/// Lists that are ready to be searched. Immutable: a new edition makes a new engine.
///
/// ```
/// use kyc_core::{RiskLevel, Subject, Timestamp};
/// use kyc_screening::{Engine, Options};
///
/// let engine = Engine::sample(Options::default());
/// let screening = engine.screen(&Subject::named("Tormund Vexley"), Timestamp::EARLIEST)?;
/// assert_eq!(screening.risk(), RiskLevel::High);
/// assert_eq!(screening.hits[0].reasons, ["every word of the name agrees"]);
/// # Ok::<(), kyc_core::ScreenError>(())
/// ```
pub struct Engine {
    options: Options,
    configuration: String,
    lists: Vec<LoadedList>,
    catalogue: Catalogue,
}

struct LoadedList {
    version: ListVersion,
    imported_at: Option<Timestamp>,
    checked_at: Option<Timestamp>,
    counts: Counts,
}

impl Engine {
    /// Prepares lists for searching.
    pub fn new(snapshots: Vec<Snapshot>, options: Options) -> Self {
        let mut lists = Vec::new();
        let mut catalogue = CatalogueBuilder::new(options);
        for (number, snapshot) in snapshots.into_iter().enumerate() {
            let Snapshot { version, imported_at, checked_at, entities } = snapshot;
            let counts = Counts::of(&entities);
            lists.push(LoadedList { version, imported_at, checked_at, counts });
            for entity in &entities {
                catalogue.push(number, entity);
            }
        }
        let configuration = options.configuration();
        Self { options, configuration, lists, catalogue: catalogue.finish() }
    }

    /// The built-in list of invented people, for trying things out. Every result is marked.
    pub fn sample(options: Options) -> Self {
        Self::new(vec![sample::snapshot()], options)
    }

    /// The engine in bytes, so that it can be searched again without preparing the lists:
    /// [`of_image`](Self::of_image) reads it where it lies.
    pub fn to_image(&self) -> Vec<u8> {
        let lists = self.lists.iter();
        let lists = lists.map(|list| {
            ListHead::new(&list.version, [list.imported_at, list.checked_at], list.counts)
        });
        let configuration = self.configuration.clone();
        image::write(&Head { configuration, lists: lists.collect() }, self.catalogue.bytes())
    }

    /// An engine in bytes that [`to_image`](Self::to_image) made. They are searched where they lie, so
    /// `bytes` may also be a file that is mapped into memory; it must not change then. All of it is
    /// read once, to see that it is whole.
    ///
    /// ```
    /// use kyc_core::{Subject, Timestamp};
    /// use kyc_screening::{Engine, Options};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("lists.image");
    /// std::fs::write(&path, Engine::sample(Options::default()).to_image())?;
    ///
    /// let engine = Engine::of_image(std::fs::read(&path)?, Options::default())?;
    /// let screening = engine.screen(&Subject::named("Tormund Vexley"), Timestamp::EARLIEST)?;
    /// assert_eq!(screening.hits[0].name, "Tormund Vexley");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ImageError`] says why the lists have to be prepared again.
    pub fn of_image(
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
        options: Options,
    ) -> Result<Self, ImageError> {
        let configuration = options.configuration();
        let (head, catalogue) = image::read(&Slab::of_owner(Arc::new(bytes)))?;
        if head.configuration != configuration {
            return Err(ImageError::OtherOptions);
        }
        let lists = head.lists.iter().map(|list| LoadedList {
            version: list.version(),
            imported_at: list.imported_at(),
            checked_at: list.checked_at(),
            counts: list.counts(),
        });
        let (lists, catalogue) = (lists.collect(), Catalogue::new(catalogue));
        Ok(Self { options, configuration, lists, catalogue })
    }

    /// The engine with the times of these editions, if it holds them and no others.
    pub(crate) fn of_editions(
        mut self,
        editions: impl ExactSizeIterator<Item = (ListVersion, [Option<Timestamp>; 2])>,
    ) -> Option<Self> {
        if editions.len() != self.lists.len() {
            return None;
        }
        for (list, (version, [imported_at, checked_at])) in self.lists.iter_mut().zip(editions) {
            if list.version != version {
                return None;
            }
            (list.imported_at, list.checked_at) = (imported_at, checked_at);
        }
        Some(self)
    }

    /// The options it was made with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Whether it holds no list at all: it screens nobody.
    pub fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }

    /// Which editions of which lists it holds, and how old they are at `at`.
    pub fn status(&self, at: Timestamp) -> Vec<ListStatus> {
        let status = |list: &LoadedList| {
            let version = list.version.clone();
            ListStatus::new(version, list.imported_at, list.checked_at, list.counts, at)
        };
        self.lists.iter().map(status).collect()
    }

    /// What its results depend on besides the applicant.
    pub fn editions(&self) -> Editions {
        let versions = self.lists.iter().map(|list| list.version.clone());
        Editions {
            lists: versions.map(|edition| (edition.list, edition.version)).collect(),
            configuration: self.configuration.clone(),
        }
    }

    /// Screens one person as of `at`, whatever the age of the lists: a policy about that is
    /// [`SanctionsScreener`](crate::SanctionsScreener)'s.
    ///
    /// # Errors
    ///
    /// [`ScreenError::NoUsableName`] when the name has no letters to compare, even if a wallet is
    /// listed; [`ScreenError::ListMissing`] when there is no list at all.
    pub fn screen(&self, subject: &Subject<'_>, at: Timestamp) -> Result<Screening, ScreenError> {
        self.search(&Query::from(subject), at)
    }

    /// Screens whoever is looked for, in the way of [`screen`](Self::screen).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn search(&self, query: &Query, at: Timestamp) -> Result<Screening, ScreenError> {
        if self.is_empty() {
            return Err(ScreenError::ListMissing { list: "(any)".to_owned() });
        }
        let name = NameKey::of_kind(&query.name, query.kind, self.options);
        if !name.is_usable() {
            return Err(ScreenError::NoUsableName);
        }
        let (reported, unreported) = self.report(self.findings(&name, query));
        Ok(Screening {
            at,
            lists: self.lists.iter().map(|list| list.version.clone()).collect(),
            hits: reported.into_iter().filter_map(|found| found.into_hit(query)).collect(),
            unreported,
            configuration: self.configuration.clone(),
        })
    }

    /// Every hit for whoever is looked for, strongest first, with what its score is made of. None
    /// where [`search`](Self::search) has no result.
    ///
    /// The example is at [`Explanation`].
    pub fn explain(&self, query: &Query) -> Vec<(Hit, Explanation)> {
        let name = NameKey::of_kind(&query.name, query.kind, self.options);
        if !name.is_usable() {
            return Vec::new();
        }
        let places = NameKey::places(&query.name, query.kind, self.options);
        let explained = |found: Found<'_>| {
            let explanation = self.explanation(&places, query, &found)?;
            Some((found.into_hit(query)?, explanation))
        };
        let (reported, _) = self.report(self.findings(&name, query));
        reported.into_iter().filter_map(explained).collect()
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lists: Vec<&ListVersion> = self.lists.iter().map(|list| &list.version).collect();
        f.debug_struct("Engine").field("lists", &lists).finish_non_exhaustive()
    }
}
