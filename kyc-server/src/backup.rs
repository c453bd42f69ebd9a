//! Backups: one file that holds a working data folder, but for its master key (D110–D112).
//!
//! | module | what is there |
//! |---|---|
//! | `member` | the files in a backup, in their order |
//! | `archive` | writing and reading them as a tar whose every byte is known |
//! | `manifest` | what a backup says about itself |
//! | `age` | backups that only their recipients can open |
//! | `target` | a file that is whole or not there |
//! | `shelf` | the folder of backups that the service makes by itself |
//! | `make` | from a store to a backup |
//! | `unpack` | from a backup to a folder, checking on the way |
//! | `restore` | from that folder to a data folder |

mod age;
mod archive;
mod make;
mod manifest;
mod member;
mod restore;
mod shelf;
mod target;
mod unpack;

#[cfg(test)]
mod tests;

pub(crate) use age::{Identities, Recipient};
pub(crate) use make::{Made, Pace, make};
pub(crate) use manifest::Manifest;
pub(crate) use restore::{Scratch, restore};
pub(crate) use shelf::{Shelf, is_too_old};
