//! The content: chunks of 64 KiB, each sealed, the last one marked.

use std::io::{self, ErrorKind, Read, Write};

use aws_lc_rs::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::error::Unspecified;
use aws_lc_rs::rand;

use super::header::{FileKey, HeaderError, derive};

/// Seals what is written. Without [`finish`](Self::finish) the content counts as cut off.
pub(in crate::backup) struct Sealing<W> {
    out: W,
    chunks: Chunks,
    buffer: Vec<u8>,
}

impl<W: Write> Sealing<W> {
    pub(super) fn new(mut out: W, key: &FileKey) -> io::Result<Self> {
        let mut salt = [0; SALT_BYTES];
        rand::fill(&mut salt).map_err(io::Error::other)?;
        out.write_all(&salt)?;
        let chunks = Chunks::new(key, &salt).map_err(io::Error::other)?;
        Ok(Self { out, chunks, buffer: Vec::with_capacity(SEALED_BYTES) })
    }

    pub(super) fn finish(mut self) -> io::Result<W> {
        self.seal(true)?;
        Ok(self.out)
    }

    fn seal(&mut self, is_last: bool) -> io::Result<()> {
        let Chunks { key, .. } = &self.chunks;
        let sealed = key.seal_in_place_append_tag(
            self.chunks.nonce(is_last),
            Aad::empty(),
            &mut self.buffer,
        );
        sealed.map_err(io::Error::other)?;
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        self.chunks.done += 1;
        Ok(())
    }
}

impl<W: Write> Write for Sealing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A full chunk is sealed when more comes: the last one has to be known as such.
        if self.buffer.len() == CHUNK_BYTES && !bytes.is_empty() {
            self.seal(false)?;
        }
        let (taken, _) = bytes.split_at(bytes.len().min(CHUNK_BYTES - self.buffer.len()));
        self.buffer.extend_from_slice(taken);
        Ok(taken.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Opens what was sealed.
pub(in crate::backup) struct Unsealing<R> {
    input: R,
    chunks: Chunks,
    /// What was opened, and how much of it was read.
    chunk: Vec<u8>,
    read: usize,
    /// The byte behind the chunk, which tells that it is not the last.
    ahead: Option<u8>,
    is_over: bool,
}

impl<R: Read> Unsealing<R> {
    pub(super) fn new(mut input: R, key: &FileKey) -> Result<Self, HeaderError> {
        let mut salt = [0; SALT_BYTES];
        input.read_exact(&mut salt)?;
        let chunks = Chunks::new(key, &salt)?;
        Ok(Self { input, chunks, chunk: Vec::new(), read: 0, ahead: None, is_over: false })
    }

    fn next_chunk(&mut self) -> io::Result<()> {
        self.chunk.clear();
        self.chunk.extend(self.ahead.take());
        // One more than a chunk has.
        let most = (SEALED_BYTES + 1 - self.chunk.len()) as u64;
        self.input.by_ref().take(most).read_to_end(&mut self.chunk)?;
        if self.chunk.len() > SEALED_BYTES {
            self.ahead = self.chunk.pop();
        }
        self.is_over = self.ahead.is_none();
        let nonce = self.chunks.nonce(self.is_over);
        let opened = self.chunks.key.open_in_place(nonce, Aad::empty(), &mut self.chunk);
        let length = opened.map_err(|_| changed())?.len();
        // An empty chunk is the last one of nothing alone.
        if length == 0 && self.chunks.done > 0 {
            return Err(changed());
        }
        self.chunk.truncate(length);
        self.chunks.done += 1;
        self.read = 0;
        Ok(())
    }
}

impl<R: Read> Read for Unsealing<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if self.read == self.chunk.len() && !self.is_over {
            self.next_chunk()?;
        }
        let (_, mut rest) = self.chunk.split_at(self.read);
        let read = rest.read(room)?;
        self.read += read;
        Ok(read)
    }
}

/// The key of a content, and how many chunks it has sealed or opened.
struct Chunks {
    key: LessSafeKey,
    done: u64,
}

impl Chunks {
    fn new(key: &FileKey, salt: &[u8]) -> Result<Self, Unspecified> {
        let key = derive(salt, key.as_slice(), b"payload")?;
        let key = LessSafeKey::new(UnboundKey::new(&CHACHA20_POLY1305, key.as_slice())?);
        Ok(Self { key, done: 0 })
    }

    /// The number of the chunk, in 11 bytes, and whether it is the last.
    fn nonce(&self, is_last: bool) -> Nonce {
        let number = (u128::from(self.done) << 8) | u128::from(is_last);
        let bytes = number.to_be_bytes();
        let nonce = bytes.last_chunk::<NONCE_LEN>().copied().unwrap_or_default();
        Nonce::assume_unique_for_key(nonce)
    }
}

fn changed() -> io::Error {
    io::Error::new(ErrorKind::InvalidData, "a sealed chunk was changed or cut off")
}

const SALT_BYTES: usize = 16;
const CHUNK_BYTES: usize = 64 << 10;
const SEALED_BYTES: usize = CHUNK_BYTES + 16;
