//! An engine in a file: lists that are ready to be searched, without reading and preparing them again.

use aws_lc_rs::digest::{SHA256, digest};
use kyc_core::{ListVersion, Timestamp};
use serde::{Deserialize, Serialize};
use time::Date;

use crate::Counts;
use crate::slab::{Slab, pack};

/// Why bytes are no image that can be searched. The lists have to be read and prepared again.
///
/// ```
/// use kyc_screening::{Engine, ImageError, Options};
///
/// let bytes = Engine::sample(Options::default()).to_image();
/// assert!(Engine::of_image(bytes.clone(), Options::default()).is_ok());
///
/// let cut_off = bytes[..bytes.len() - 1].to_vec();
/// let error = Engine::of_image(cut_off, Options::default()).unwrap_err();
/// assert_eq!(error, ImageError::Damaged);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImageError {
    /// It was made by another version of this crate, or is something else.
    #[error("this is no image of prepared lists, or that of another version")]
    Foreign,
    /// It was made with other options.
    #[error("the image was prepared with other options")]
    OtherOptions,
    /// It is not what was written.
    #[error("the image is damaged")]
    Damaged,
}

/// What an image holds besides what is searched.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Head {
    pub(crate) configuration: String,
    pub(crate) lists: Vec<ListHead>,
}

/// One list of an image.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ListHead {
    list: String,
    version: String,
    source_date: Option<i32>,
    sample: bool,
    imported_ms: Option<i64>,
    checked_ms: Option<i64>,
    counts: [usize; 4],
}

impl ListHead {
    pub(crate) fn new(
        version: &ListVersion,
        [imported_at, checked_at]: [Option<Timestamp>; 2],
        counts: Counts,
    ) -> Self {
        let Counts { persons, others, names, wallets } = counts;
        Self {
            list: version.list.clone(),
            version: version.version.clone(),
            source_date: version.source_date.map(Date::to_julian_day),
            sample: version.sample,
            imported_ms: imported_at.map(Timestamp::unix_millis),
            checked_ms: checked_at.map(Timestamp::unix_millis),
            counts: [persons, others, names, wallets],
        }
    }

    pub(crate) fn version(&self) -> ListVersion {
        ListVersion {
            list: self.list.clone(),
            version: self.version.clone(),
            source_date: self.source_date.and_then(|day| Date::from_julian_day(day).ok()),
            sample: self.sample,
        }
    }

    pub(crate) fn imported_at(&self) -> Option<Timestamp> {
        self.imported_ms.and_then(Timestamp::from_unix_millis)
    }

    pub(crate) fn checked_at(&self) -> Option<Timestamp> {
        self.checked_ms.and_then(Timestamp::from_unix_millis)
    }

    pub(crate) fn counts(&self) -> Counts {
        let [persons, others, names, wallets] = self.counts;
        Counts { persons, others, names, wallets }
    }
}

/// Raised whenever the same lists give other bytes, and the mark of each release.
const MAGIC: &[u8] = concat!("KYCLIST7 ", env!("CARGO_PKG_VERSION"), "\n").as_bytes();
const DIGEST_BYTES: usize = 32;

/// Joins head and catalogue: a mark, the SHA-256 of the rest, and the rest.
pub(crate) fn write(head: &Head, catalogue: &[u8]) -> Vec<u8> {
    // A head is numbers and texts: writing it cannot fail.
    let head = serde_json::to_vec(head).unwrap_or_default();
    let rest = pack([&head, catalogue]);
    [MAGIC, digest(&SHA256, &rest).as_ref(), &rest].concat()
}

/// The head and the catalogue of an image.
pub(crate) fn read(image: &Slab) -> Result<(Head, Slab), ImageError> {
    let rest = image.bytes().strip_prefix(MAGIC).ok_or(ImageError::Foreign)?;
    let (expected, rest) = rest.split_first_chunk::<DIGEST_BYTES>().ok_or(ImageError::Damaged)?;
    if digest(&SHA256, rest).as_ref() != expected {
        return Err(ImageError::Damaged);
    }
    let [head, catalogue] = image.behind(MAGIC.len() + DIGEST_BYTES).parts();
    let head = serde_json::from_slice(head.bytes()).map_err(|_| ImageError::Damaged)?;
    Ok((head, catalogue))
}

#[cfg(test)]
mod tests {
    use kyc_core::Timestamp;
    use proptest::prelude::*;

    use super::*;
    use crate::{Engine, Options, Query, QueryKind};

    #[test]
    fn a_head_gives_back_what_it_was_made_from() {
        let version = ListVersion {
            list: "UN".to_owned(),
            version: "2026-11-20".to_owned(),
            source_date: Date::from_calendar_date(2026, time::Month::November, 20).ok(),
            sample: true,
        };
        let times = [1_000, 2_000].map(Timestamp::from_unix_millis);
        let counts = Counts { persons: 1, others: 2, names: 3, wallets: 4 };
        let head = ListHead::new(&version, times, counts);
        assert_eq!(head.version(), version);
        assert_eq!([head.imported_at(), head.checked_at()], times);
        assert_eq!(head.counts(), counts);
    }

    proptest! {
        /// Whoever can make the digest can make anything: it may find nothing, and must not panic.
        #[test]
        fn a_forged_catalogue_is_survived(
            noise in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..40),
        ) {
            let engine = Engine::sample(Options::default());
            let slab = Slab::of(engine.to_image());
            let (head, catalogue) = read(&slab).unwrap();
            let mut bytes = catalogue.bytes().to_vec();
            for (at, byte) in noise {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            let forged = Engine::of_image(write(&head, &bytes), Options::default()).unwrap();
            for kind in [QueryKind::Person, QueryKind::Other] {
                let query = Query { kind, ..Query::named("Tormund Vexley") };
                prop_assert!(forged.search(&query, Timestamp::EARLIEST).is_ok());
                forged.explain(&query);
            }
        }
    }
}
