//! Lists fetched from their publishers (D75–D78).
//!
//! A file is asked for with what names the edition in use, so that an unchanged one costs an answer
//! without a body. What comes is bounded in size and time, kept when it breaks off, unpacked, and
//! then handed to the library, which parses all of it before it takes it. Whatever goes wrong, the
//! edition in use stays.
//!
//! | module | what is there |
//! |---|---|
//! | `feed`, `address` | which list comes from where |
//! | `update` | lists brought up to date, one after the other |
//! | `download`, `partial`, `unpack` | one file: asked for, gone on with, unpacked |
//! | `connect`, `limits` | connections and whom they trust; what a publisher may cost |
//! | `record` | what came of it, kept beside the lists |

mod address;
mod connect;
mod download;
mod error;
mod feed;
mod limits;
mod partial;
mod record;
mod unpack;
mod update;

pub(crate) use connect::Connector;
pub(crate) use error::FetchError;
pub(crate) use feed::{Feed, is_own_name};
pub(crate) use limits::Limits;
pub(crate) use record::{Attempts, Record};
pub(crate) use update::{Manner, Outcome, Update, Updater, folder_of, forget};

#[cfg(test)]
mod tests;
