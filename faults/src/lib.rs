//! What is written to a disk, and what a power cut may leave of it.
//!
//! A recorder (see `tests/power`) tells a [`Disk`] of every write, sync and renaming in a folder, in
//! the order in which they happened. At any moment the disk can [lose its power](Disk::cut): what
//! was synced is there, and of the rest each [`Chance`] keeps something else.
//!
//! ```
//! use std::path::Path;
//!
//! use faults::{Chance, Disk, Event, FileNumber};
//!
//! let (file, path) = (FileNumber(1), Path::new("letter").to_owned());
//! let mut disk = Disk::default();
//! disk.take(0, Event::Made { file, path: path.clone() });
//! disk.take(1, Event::Written { file, offset: 0, bytes: b"Dear".to_vec() });
//! assert_eq!(disk.whole()[&path], b"Dear", "as long as there is power");
//!
//! // Neither the content nor the name was synced, so either may be gone.
//! let after: Vec<_> = (0..100).map(|seed| disk.cut(&mut Chance::new(seed))).collect();
//! assert!(after.iter().any(|image| !image.files.contains_key(&path)));
//! assert!(after.iter().any(|image| image.files.get(&path).is_some_and(Vec::is_empty)));
//!
//! disk.take(2, Event::Synced { file, from: 2 });
//! disk.take(3, Event::FolderSynced { folder: "".into(), from: 3 });
//! let after: Vec<_> = (0..100).map(|seed| disk.cut(&mut Chance::new(seed))).collect();
//! assert!(after.iter().all(|image| image.files[&path] == b"Dear"));
//! ```
//!
//! # What is assumed of a disk
//!
//! * What was written before a sync began is there once the sync has ended; a sync of a file says
//!   nothing of its name, which the sync of its folder makes durable.
//! * Of what was not synced each sector of 512 bytes is there or not, whatever order it was written
//!   in. A sector is never half written, and a write does not harm the sectors beside it.
//! * A file may have got longer without its new content, which is then zeros.
//! * Each new, changed and removed name is there or not, but a renaming is one thing.

mod chance;
mod disk;
mod event;
mod file;

pub use chance::Chance;
pub use disk::{Disk, Image};
pub use event::{Event, FileNumber};
