//! Backups that only their recipients can open: files of age, version 1, for X25519 recipients.
//!
//! The format is that of <https://age-encryption.org/v1>, so that `age` and `rage` open a backup and
//! make its keys. It is written here because the cryptography of the service is aws-lc-rs alone; the
//! tests hold it against the library `age` in both directions.

mod bech32;
mod header;
mod stream;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::str::FromStr;

use aws_lc_rs::agreement::{PrivateKey, X25519};
use zeroize::Zeroizing;

use crate::exit::{Code, Failure};
use header::{HeaderError, MAGIC};
use stream::{Sealing, Unsealing};

/// The public key of somebody who can open a backup: `age1…`, as `age-keygen` shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Recipient([u8; KEY_BYTES]);

impl FromStr for Recipient {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        bech32::decode("age", text)
            .map(|key| Self(*key))
            .ok_or("expected a public key of age, such as age1…")
    }
}

/// The secret keys that can open a backup.
pub(crate) struct Identities(Vec<PrivateKey>);

impl Identities {
    /// Reads a file of `age-keygen`, which has to be its owner's alone.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let failed = |error: &io::Error| {
            Failure::because(&format!("cannot read the identity {}", path.display()), error)
        };
        let mut file = File::open(path).map_err(|error| failed(&error))?;
        let mode = file.metadata().map_err(|error| failed(&error))?.permissions().mode();
        if mode & 0o077 != 0 {
            let sentence = format!("{} is open to others: run `chmod 600` on it", path.display());
            return Err(Failure::new(Code::Configuration, sentence));
        }
        let mut text = Zeroizing::new(String::new());
        let read = Read::by_ref(&mut file).take(IDENTITY_BYTES_MAX).read_to_string(&mut text);
        read.map_err(|error| failed(&error))?;
        let lines = text.lines().map(str::trim);
        let keys = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        match keys.map(identity).collect::<Option<Vec<_>>>() {
            Some(keys) if !keys.is_empty() => Ok(Self(keys)),
            Some(_) | None => {
                let sentence = format!("{} holds no secret key of age", path.display());
                Err(Failure::new(Code::Usage, sentence))
            }
        }
    }
}

fn identity(line: &str) -> Option<PrivateKey> {
    let key = bech32::decode("age-secret-key-", line)?;
    PrivateKey::from_private_key(&X25519, key.as_slice()).ok()
}

/// Where a backup goes: in clear without recipients.
pub(super) enum Sealer<W: Write> {
    Clear(W),
    Sealed(Sealing<W>),
}

impl<W: Write> Sealer<W> {
    pub(super) fn new(mut out: W, recipients: &[Recipient]) -> io::Result<Self> {
        if recipients.is_empty() {
            return Ok(Self::Clear(out));
        }
        let (header, key) = header::seal(recipients).map_err(io::Error::other)?;
        out.write_all(&header)?;
        Ok(Self::Sealed(Sealing::new(out, &key)?))
    }

    pub(super) fn finish(self) -> io::Result<W> {
        match self {
            Self::Clear(out) => Ok(out),
            Self::Sealed(sealing) => sealing.finish(),
        }
    }
}

impl<W: Write> Write for Sealer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Clear(out) => out.write(bytes),
            Self::Sealed(sealing) => sealing.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Clear(out) => out.flush(),
            Self::Sealed(sealing) => sealing.flush(),
        }
    }
}

/// A backup as it was before it was sealed.
pub(super) enum Opener<R: Read> {
    Clear(io::Chain<io::Cursor<Vec<u8>>, R>),
    Sealed(Unsealing<R>),
}

impl<R: Read> Opener<R> {
    /// Looks how the backup begins.
    pub(super) fn new(mut input: R, identities: Option<&Identities>) -> Result<Self, Failure> {
        let mut begin = Vec::new();
        let failed = |error: io::Error| Failure::because("cannot read the backup", &error);
        input.by_ref().take(MAGIC.len() as u64).read_to_end(&mut begin).map_err(failed)?;
        if begin != MAGIC {
            return Ok(Self::Clear(io::Cursor::new(begin).chain(input)));
        }
        let Some(Identities(keys)) = identities else {
            let sentence = "the backup is sealed for a recipient: name the file of the secret key \
                            with --identity";
            return Err(Failure::new(Code::Usage, sentence));
        };
        let opened = header::open(&mut input, keys).and_then(|key| Unsealing::new(input, &key));
        opened.map(Self::Sealed).map_err(|error| match error {
            HeaderError::NotForUs => {
                Failure::new(Code::Failed, "the backup is sealed for somebody else")
            }
            HeaderError::Read(error) if error.kind() != io::ErrorKind::UnexpectedEof => {
                failed(error)
            }
            HeaderError::Read(_) | HeaderError::Damaged => {
                Failure::new(Code::Fault, "the backup cannot be used: its seal is damaged")
            }
        })
    }
}

impl<R: Read> Read for Opener<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Clear(input) => input.read(room),
            Self::Sealed(unsealing) => unsealing.read(room),
        }
    }
}

const KEY_BYTES: usize = 32;
/// A file of keys has a line for each.
const IDENTITY_BYTES_MAX: u64 = 64 << 10;
