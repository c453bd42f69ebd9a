//! Screens people against sanctions lists, and explains every hit.
//!
//! Readers take the public formats and operators' own CSV, whole or not at all. An [`Engine`] holds
//! lists ready to be searched and is immutable. A [`Library`] is the folder in which imported lists
//! live. [`SanctionsScreener`] puts an engine behind the port [`Screener`](kyc_core::Screener) and
//! refuses a result that would rest on missing or old lists (D34).
//!
//! This crate downloads nothing, reads no clock and keeps no result: files come from the operator,
//! times from the caller, and what is found goes back to it. It brings no list along but
//! [`SAMPLE_LIST`], whose people are invented.
//!
//! ```
//! use kyc_core::{RiskLevel, Subject, Timestamp};
//! use kyc_screening::{Engine, Options, Snapshot, read_plain};
//!
//! let text = "id,name,aliases,birth_date\n7,Mira Kole,Mirjana Kole,1971\n";
//! let list = read_plain(text.as_bytes())?;
//! let engine = Engine::new(vec![Snapshot::new("watch", list.into_entities())], Options::default());
//!
//! let subject = Subject {
//!     birth_date: Some(time::macros::date!(1971 - 03 - 18)),
//!     ..Subject::named("KOLE Mirjanna")
//! };
//! let screening = engine.screen(&subject, Timestamp::EARLIEST)?;
//! assert_eq!(screening.risk(), RiskLevel::High);
//! let hit = &screening.hits[0];
//! assert_eq!((hit.name.as_str(), hit.matched.as_str()), ("Mira Kole", "Mirjana Kole"));
//! let similar = "the name is similar (0.994): 1 equal, 1 in another spelling";
//! assert_eq!(hit.reasons, [similar, "year of birth agrees"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | topic | types |
//! |---|---|
//! | what lists say | [`Entity`], [`EntityKind`], [`Category`], [`Person`], [`Birth`], [`Alias`], [`Document`] |
//! | reading | [`read_un`], [`read_eu`], [`read_uk`], [`OfacReader`], [`read_us_csl`], [`read_open_sanctions_targets`], [`read_open_sanctions_entities`], [`read_plain`], [`Format`], [`List`], [`ReadError`] |
//! | keeping | [`Library`], [`Imported`], [`ListStatus`], [`Revision`], [`LibraryError`] |
//! | searching | [`Engine`], [`ImageError`], [`Query`], [`QueryKind`], [`Snapshot`], [`Options`], [`NameKey`] |
//! | screening again | [`Delta`], [`ListDelta`], [`Applicants`] |
//! | explaining | [`Explanation`], [`WordMatch`], [`Relation`], [`Deduction`], [`Attribute`], [`Identifier`] |
//! | the port | [`SanctionsScreener`], [`Policy`], [`Mode`] |

mod align;
mod applicants;
mod catalogue;
mod codec;
mod common;
mod compound;
mod country;
mod delta;
mod digest;
mod distance;
mod doubt;
mod engine;
mod entities;
mod entity;
mod evidence;
mod explanation;
mod fact;
mod finding;
mod glance;
mod hangul;
mod identifier;
mod image;
mod index;
mod legal;
mod letters;
mod library;
mod mates;
mod name;
mod names;
mod numbers;
mod options;
mod pair;
mod plain_hash;
mod query;
mod rank;
mod reader;
mod risk;
mod sample;
mod screener;
mod script;
mod slab;
mod snapshot;
mod sound;
mod tally;
mod variant;
mod wallet;
mod word;
mod words;

pub use applicants::Applicants;
pub use delta::{Delta, ListDelta};
pub use engine::Engine;
pub use entity::{Alias, AliasKind, Birth, Category, Document, Entity, EntityKind, Person};
pub use explanation::{Attribute, Deduction, Explanation, Missing, Relation, WordMatch};
pub use identifier::Identifier;
pub use image::ImageError;
pub use library::{Imported, Library, LibraryError, PUBLISHED_LISTS, Revision, Shrinkage};
pub use name::NameKey;
pub use options::Options;
pub use query::{Query, QueryKind};
pub use reader::{
    Counts, ENTITIES_MAX, FILE_BYTES_MAX, Format, List, OfacReader, Place, ReadError, read_eu,
    read_open_sanctions_entities, read_open_sanctions_targets, read_plain, read_uk, read_un,
    read_us_csl,
};
pub use sample::SAMPLE_LIST;
pub use screener::{Mode, Policy, SanctionsScreener};
pub use snapshot::{ListStatus, Snapshot};

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
