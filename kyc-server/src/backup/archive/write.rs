use std::io::{self, Read, Write};

use aws_lc_rs::digest::{Context, SHA256};

use super::{BLOCK, Member, header, is_list_due, line, padding};
use crate::backup::manifest::Manifest;

/// Writes a backup, member after member.
pub(in crate::backup) struct ArchiveWriter<W> {
    out: W,
    /// The checksums since the last list of them.
    sums: String,
    members: usize,
    lists: u32,
    buffer: Vec<u8>,
}

impl<W: Write> ArchiveWriter<W> {
    pub(in crate::backup) fn new(out: W) -> Self {
        let buffer = vec![0; BUFFER_BYTES];
        Self { out, sums: String::new(), members: 0, lists: 0, buffer }
    }

    /// Adds a member of which exactly `size` bytes are read.
    pub(in crate::backup) fn add(
        &mut self,
        member: &Member,
        size: u64,
        content: &mut dyn Read,
    ) -> io::Result<()> {
        self.write_header(member, size)?;
        let mut hash = Context::new(&SHA256);
        let mut left = size;
        while left > 0 {
            let most = usize::try_from(left).unwrap_or(usize::MAX).min(self.buffer.len());
            let (room, _) = self.buffer.split_at_mut(most);
            let read = content.read(room)?;
            if read == 0 {
                return Err(io::Error::new(
                    io::ErrorKind::UnexpectedEof,
                    format!("{} became shorter while it was read", member.path()),
                ));
            }
            let (bytes, _) = room.split_at(read);
            hash.update(bytes);
            self.out.write_all(bytes)?;
            left -= read as u64;
        }
        self.pad(size)?;
        self.sums.push_str(&line(&hash.finish(), member));
        self.members += 1;
        if is_list_due(Some(member), self.members) { self.write_sums() } else { Ok(()) }
    }

    /// Adds the manifest and the end.
    pub(in crate::backup) fn finish(mut self, manifest: &Manifest) -> io::Result<W> {
        let manifest = manifest.to_bytes();
        self.add(&Member::Manifest, manifest.len() as u64, &mut manifest.as_slice())?;
        self.out.write_all(&[0; 2 * BLOCK])?;
        Ok(self.out)
    }

    fn write_sums(&mut self) -> io::Result<()> {
        self.lists += 1;
        self.members = 0;
        let sums = std::mem::take(&mut self.sums);
        self.write_header(&Member::Sums(self.lists), sums.len() as u64)?;
        self.out.write_all(sums.as_bytes())?;
        self.pad(sums.len() as u64)
    }

    fn write_header(&mut self, member: &Member, size: u64) -> io::Result<()> {
        let too_long = || io::Error::other(format!("the path {} is too long", member.path()));
        self.out.write_all(header(member, size).ok_or_else(too_long)?.as_bytes())
    }

    fn pad(&mut self, size: u64) -> io::Result<()> {
        let block = [0; BLOCK];
        let (zeros, _) = block.split_at(padding(size));
        self.out.write_all(zeros)
    }
}

const BUFFER_BYTES: usize = 256 << 10;
