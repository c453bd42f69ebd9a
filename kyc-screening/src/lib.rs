//! Screens people against sanctions lists, and explains every hit.
#![doc = ""]
mod align;
mod country;
mod digest;
mod engine;
mod entity;
mod evidence;
mod finding;
mod index;
mod library;
mod name;
mod options;
mod pair;
mod pattern;
mod reader;
mod risk;
mod sample;
mod screener;
mod snapshot;
mod wallet;
mod word;

pub use engine::Engine;
pub use entity::{Alias, AliasKind, Birth, Document, Entity, EntityKind, Person};
pub use library::{Imported, Library, LibraryError, Revision, Shrinkage};
pub use name::NameKey;
pub use options::Options;
pub use reader::{
    Counts, ENTITIES_MAX, FILE_BYTES_MAX, Format, List, OfacReader, Place, ReadError, read_plain,
    read_un,
};
pub use sample::SAMPLE_LIST;
pub use screener::{Mode, Policy, SanctionsScreener};
pub use snapshot::{ListStatus, Snapshot};
