use std::io::{self, ErrorKind, Read};

use aws_lc_rs::digest::{Context, SHA256};
use tar::Header;

use super::{BLOCK, Member, header, is_list_due, line, padding};
use crate::backup::manifest::Manifest;

/// Why a backup cannot be used.
#[derive(Debug, thiserror::Error)]
pub(in crate::backup) enum Damage {
    #[error("it is no backup of this service")]
    NotOurs,
    #[error("it ends too early")]
    Truncated,
    #[error("it goes on behind its end")]
    TooLong,
    #[error("the bytes from {at} on are not those of a backup")]
    Strange { at: u64 },
    #[error("{member} does not belong at byte {at}")]
    Misplaced { member: String, at: u64 },
    #[error("{member} has {size} bytes, more than it may")]
    TooLarge { member: String, size: u64 },
    #[error("{member} has changed")]
    Changed { member: String },
    #[error("its manifest cannot be read")]
    Manifest(#[source] serde_json::Error),
    #[error("a later release wrote it")]
    Later,
    #[error("it cannot be read")]
    Unreadable(#[source] io::Error),
}

impl From<io::Error> for Damage {
    fn from(error: io::Error) -> Self {
        if error.kind() == ErrorKind::UnexpectedEof {
            Self::Truncated
        } else {
            Self::Unreadable(error)
        }
    }
}

/// Reads a backup from its beginning to its end.
pub(in crate::backup) struct ArchiveReader<R> {
    input: Counted<R>,
    /// The checksums since the last list of them.
    sums: String,
    members: usize,
    lists: u32,
    last: Option<Member>,
}

/// What a member holds, as far as it was not read yet.
pub(in crate::backup) struct Content<'a> {
    input: &'a mut dyn Read,
    left: u64,
    hash: Context,
}

impl<R: Read> ArchiveReader<R> {
    pub(in crate::backup) fn new(input: R) -> Self {
        let input = Counted { input, at: 0 };
        Self { input, sums: String::new(), members: 0, lists: 0, last: None }
    }

    /// Shows every member but the manifest, which it gives at the end. What was shown may be used
    /// only when this has succeeded.
    pub(in crate::backup) fn read<E: From<Damage>>(
        mut self,
        visit: &mut dyn FnMut(&Member, u64, &mut Content<'_>) -> Result<(), E>,
    ) -> Result<Manifest, E> {
        let mut manifest: Option<Vec<u8>> = None;
        loop {
            let (member, size) = self.member()?;
            let mut content = Content::new(&mut self.input, size);
            match &member {
                Member::Sums(_) => {
                    let sums = content.rest()?;
                    self.padding(size)?;
                    self.check_sums(&sums)?;
                    if let Some(manifest) = &manifest {
                        return Ok(self.end(manifest)?);
                    }
                    continue;
                }
                Member::Manifest => manifest = Some(content.rest()?),
                Member::Database
                | Member::Pepper
                | Member::Sealed
                | Member::Lists
                | Member::Edition(_)
                | Member::Document(_) => {
                    visit(&member, size, &mut content)?;
                    content.skip()?;
                }
            }
            let Content { hash, .. } = content;
            self.padding(size)?;
            self.sums.push_str(&line(&hash.finish(), &member));
            self.members += 1;
            self.last = Some(member);
        }
    }

    /// Reads a header, and says what follows.
    fn member(&mut self) -> Result<(Member, u64), Damage> {
        let at = self.input.at;
        let mut block = [0; BLOCK];
        self.input.read_exact(&mut block)?;
        let stranger = if at == 0 { Damage::NotOurs } else { Damage::Strange { at } };
        let found = Header::from_byte_slice(&block);
        let path = found.path_bytes();
        let member = std::str::from_utf8(&path).ok().and_then(Member::of_path);
        let (Some(member), Ok(size)) = (member, found.entry_size()) else { return Err(stranger) };
        let is_ours = header(&member, size).is_some_and(|ours| ours.as_bytes() == &block);
        if !is_ours || (at == 0 && member != Member::Database) {
            return Err(stranger);
        }
        if !self.is_next(&member) {
            return Err(Damage::Misplaced { member: member.path(), at });
        }
        if size > member.bytes_max() {
            return Err(Damage::TooLarge { member: member.path(), size });
        }
        Ok((member, size))
    }

    fn is_next(&self, member: &Member) -> bool {
        let last = self.last.as_ref();
        let is_list_due = self.members > 0 && is_list_due(last, self.members);
        if let Member::Sums(number) = member {
            return is_list_due && *number == self.lists + 1;
        }
        !is_list_due && last.is_none_or(|last| last < member)
    }

    fn padding(&mut self, size: u64) -> Result<(), Damage> {
        let at = self.input.at;
        let mut block = [0; BLOCK];
        let (padding, _) = block.split_at_mut(padding(size));
        self.input.read_exact(padding)?;
        if padding.iter().all(|byte| *byte == 0) { Ok(()) } else { Err(Damage::Strange { at }) }
    }

    fn check_sums(&mut self, found: &[u8]) -> Result<(), Damage> {
        let sums = std::mem::take(&mut self.sums);
        self.members = 0;
        self.lists += 1;
        if found == sums.as_bytes() {
            return Ok(());
        }
        let lines = found.split_inclusive(|byte| *byte == b'\n').map(Some);
        let ours = sums.split_inclusive('\n');
        let changed = ours.zip(lines.chain(std::iter::repeat(None)));
        let changed = changed.into_iter().find(|(own, line)| *line != Some(own.as_bytes()));
        let member = changed.and_then(|(own, _)| own.trim_end().split("  ").nth(1));
        Err(Damage::Changed { member: member.unwrap_or("a list of checksums").to_owned() })
    }

    /// Reads what stands behind the last checksums.
    fn end(mut self, manifest: &[u8]) -> Result<Manifest, Damage> {
        let at = self.input.at;
        let mut last = [0; 2 * BLOCK];
        self.input.read_exact(&mut last)?;
        if last.iter().any(|byte| *byte != 0) {
            return Err(Damage::Strange { at });
        }
        if self.input.read(&mut [0])? != 0 {
            return Err(Damage::TooLong);
        }
        let manifest: Manifest = serde_json::from_slice(manifest).map_err(Damage::Manifest)?;
        if manifest.is_of_this_format() { Ok(manifest) } else { Err(Damage::Later) }
    }
}

impl<'a> Content<'a> {
    fn new(input: &'a mut dyn Read, size: u64) -> Self {
        Self { input, left: size, hash: Context::new(&SHA256) }
    }

    fn rest(&mut self) -> Result<Vec<u8>, Damage> {
        let mut bytes = Vec::new();
        self.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn skip(&mut self) -> Result<(), Damage> {
        io::copy(self, &mut io::sink())?;
        Ok(())
    }
}

/// A content that ends too early is an error, never a short content.
impl Read for Content<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(room.len());
        if most == 0 {
            return Ok(0);
        }
        let (room, _) = room.split_at_mut(most);
        let read = self.input.read(room)?;
        if read == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        let (bytes, _) = room.split_at(read);
        self.hash.update(bytes);
        self.left -= read as u64;
        Ok(read)
    }
}

struct Counted<R> {
    input: R,
    at: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(room)?;
        self.at += read as u64;
        Ok(read)
    }
}
