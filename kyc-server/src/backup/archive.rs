//! Backups as tar files of which every byte is known.
//!
//! Any `tar` can unpack one, and `sha256sum -c SHA256SUMS.*` checks it. This reader takes nothing
//! but what the writer writes: of each member the content is covered by a checksum, its header has
//! to be the one that the writer makes of its path and size, and what is between them is zero. So
//! there are no links, no sparse files and no long names to be careful with, and every changed bit
//! is noticed.

mod read;
mod write;

pub(super) use read::{ArchiveReader, Content, Damage};
pub(super) use write::ArchiveWriter;

use aws_lc_rs::digest::Digest;
use tar::{EntryType, Header};

use super::member::Member;

pub(super) const BLOCK: usize = 512;

/// So many members are covered by one list of checksums, so that neither side keeps more.
const MEMBERS_A_LIST: usize = 10_000;

/// Whether a list of checksums follows now: where as many members as one covers have come, behind the
/// database, so that nobody opens it before it is known to be whole, and at the end.
fn is_list_due(last: Option<&Member>, members: usize) -> bool {
    members == MEMBERS_A_LIST || matches!(last, Some(Member::Database | Member::Manifest))
}

/// The header of a member. `None` for a path that is too long.
fn header(member: &Member, size: u64) -> Option<Header> {
    let mut header = Header::new_ustar();
    header.set_path(member.path()).ok()?;
    header.set_entry_type(EntryType::Regular);
    header.set_mode(0o600);
    header.set_uid(0);
    header.set_gid(0);
    header.set_mtime(0);
    header.set_size(size);
    header.set_cksum();
    Some(header)
}

/// How many zeros stand behind a content, up to the next block.
fn padding(size: u64) -> usize {
    let over = usize::try_from(size % BLOCK as u64).unwrap_or(0);
    if over == 0 { 0 } else { BLOCK - over }
}

/// A line as `sha256sum` writes it.
fn line(digest: &Digest, member: &Member) -> String {
    use std::fmt::Write;
    let mut line = String::with_capacity(128);
    for byte in digest.as_ref() {
        // Writing to a text cannot fail.
        let _ = write!(line, "{byte:02x}");
    }
    line.push_str("  ");
    line.push_str(&member.path());
    line.push('\n');
    line
}

#[cfg(test)]
mod tests;
