//! Envelope encryption with AES-256-GCM: who has the disk alone, or a backup, has nothing.
//!
//! ```text
//! master key          a file, the environment, or two custodians; never in the database
//!   └ client key      one for each client and version, wrapped by the master key
//!       └ data key    one for each thing that is sealed, random, wrapped by the client key
//!           └ content
//! ```
//!
//! Wrapped keys lie in the database, so keys are changed without touching what they protect: a new
//! master key wraps the client keys anew, a new client key the data keys. Destroying a data key
//! destroys its content, wherever copies of that lie.
//!
//! ```
//! use kyc_vault::{DataKey, MasterKey, Place, SealingKey};
//!
//! let master = MasterKey::random()?;
//! let (client_key, wrapped) = SealingKey::random(7, 1, &master)?;
//! client_key.allow(1_000);
//!
//! let place = Place { client: 7, table: "submission", row: b"s-1" };
//! let data_key = DataKey::random()?;
//! let wrapped_data_key = client_key.wrap(place, &data_key)?;
//! let sealed = data_key.seal(place, "record", b"Mira Kole")?;
//!
//! // Later, from what was stored.
//! let client_key = master.unwrap(7, 1, &wrapped)?;
//! let data_key = client_key.unwrap(place, &wrapped_data_key)?;
//! assert_eq!(data_key.open(place, "record", &sealed, &mut Vec::new())?, b"Mira Kole");
//!
//! // Bytes that were moved do not open.
//! let elsewhere = Place { row: b"s-2", ..place };
//! assert!(data_key.open(elsewhere, "record", &sealed, &mut Vec::new()).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What the types rule out
//!
//! * [`WrappedDataKey`] and [`WrappedClientKey`] are bytes: nothing can be opened with them.
//! * An [`OpeningKey`] belongs to a version that was replaced: it has no way to seal. Only a
//!   [`SealingKey`] has, and only as often as it was [allowed](SealingKey::allow) to.
//! * No key has `Display`, `Serialize` or a telling `Debug`; all are overwritten when dropped.
//!
//! # What is authenticated
//!
//! Every tag covers where the bytes belong: client, table, column and row, and for wrapped keys the
//! version of the key around them. Bytes that were swapped between rows, tables, columns, clients or
//! versions do not open, nor do bytes with a flipped bit.
//!
//! # What is not covered
//!
//! Whoever is root on the running host, reads its memory, or holds the master key. That a row
//! exists, when it was written and how long it is. A row that is put back as a whole to an earlier
//! state of itself. Keys are overwritten in memory, but not kept out of swap.

mod cipher;
mod client_key;
mod data_key;
mod file;
mod master;
mod place;
mod share;
mod source;
mod text;

pub use cipher::{DoesNotOpen, NoRandomness};
pub use client_key::{OpeningKey, SealError, SealingKey, USES_MAX, WrappedClientKey};
pub use data_key::{DataKey, SEALED_EXTRA_BYTES, WrappedDataKey};
pub use master::{Fingerprint, MasterKey};
pub use place::Place;
pub use share::{Share, SharesDiffer};
pub use source::{Source, SourceError};
pub use text::InvalidKeyText;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
