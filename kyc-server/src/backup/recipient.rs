//! Backups that only their recipients can open, as files of age.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::str::FromStr;

use age::stream::{StreamReader, StreamWriter};
use age::{DecryptError, Decryptor, Encryptor, x25519};

use crate::exit::{Code, Failure};

/// The public key of somebody who can open a backup: `age1…`, as `age-keygen` shows it.
#[derive(Debug, Clone)]
pub(crate) struct Recipient {
    key: x25519::Recipient,
    /// Two recipients are the same if their texts are.
    text: String,
}

impl PartialEq for Recipient {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Recipient {}

impl FromStr for Recipient {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let key = text.parse().map_err(|_| "expected a public key of age, such as age1…")?;
        Ok(Self { key, text: text.to_owned() })
    }
}

/// The secret keys that can open a backup.
pub(crate) struct Identities(Vec<x25519::Identity>);

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
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(|error| failed(&error))?;
        let lines = text.lines().map(str::trim);
        let keys = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        let keys: Result<Vec<_>, _> = keys.map(x25519::Identity::from_str).collect();
        match keys {
            Ok(keys) if !keys.is_empty() => Ok(Self(keys)),
            Ok(_) | Err(_) => {
                let sentence = format!("{} holds no secret key of age", path.display());
                Err(Failure::new(Code::Usage, sentence))
            }
        }
    }
}

/// Where a backup goes: in clear without recipients.
pub(super) enum Sealer<W: Write> {
    Clear(W),
    Sealed(Box<StreamWriter<W>>),
}

impl<W: Write> Sealer<W> {
    pub(super) fn new(out: W, recipients: &[Recipient]) -> io::Result<Self> {
        if recipients.is_empty() {
            return Ok(Self::Clear(out));
        }
        let keys = recipients.iter().map(|recipient| &recipient.key as &dyn age::Recipient);
        let encryptor = Encryptor::with_recipients(keys).map_err(io::Error::other)?;
        Ok(Self::Sealed(Box::new(encryptor.wrap_output(out)?)))
    }

    pub(super) fn finish(self) -> io::Result<W> {
        match self {
            Self::Clear(out) => Ok(out),
            Self::Sealed(stream) => stream.finish(),
        }
    }
}

impl<W: Write> Write for Sealer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Clear(out) => out.write(bytes),
            Self::Sealed(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Clear(out) => out.flush(),
            Self::Sealed(stream) => stream.flush(),
        }
    }
}

/// A backup as it was before it was sealed.
pub(super) enum Opener<R: Read> {
    Clear(io::Chain<io::Cursor<Vec<u8>>, R>),
    Sealed(Box<StreamReader<io::Chain<io::Cursor<Vec<u8>>, R>>>),
}

impl<R: Read> Opener<R> {
    /// Looks how the backup begins.
    pub(super) fn new(mut input: R, identities: Option<&Identities>) -> Result<Self, Failure> {
        let mut begin = Vec::new();
        let failed = |error: io::Error| Failure::because("cannot read the backup", &error);
        input.by_ref().take(MAGIC.len() as u64).read_to_end(&mut begin).map_err(failed)?;
        let is_sealed = begin == MAGIC;
        let whole = io::Cursor::new(begin).chain(input);
        if !is_sealed {
            return Ok(Self::Clear(whole));
        }
        let Some(Identities(keys)) = identities else {
            let sentence = "the backup is sealed for a recipient: name the file of the secret key \
                            with --identity";
            return Err(Failure::new(Code::Usage, sentence));
        };
        let keys = keys.iter().map(|key| key as &dyn age::Identity);
        let opened = Decryptor::new(whole).and_then(|decryptor| decryptor.decrypt(keys));
        match opened {
            Ok(stream) => Ok(Self::Sealed(Box::new(stream))),
            Err(DecryptError::Io(error)) if error.kind() != io::ErrorKind::UnexpectedEof => {
                Err(failed(error))
            }
            Err(DecryptError::NoMatchingKeys) => {
                Err(Failure::new(Code::Failed, "the backup is sealed for somebody else"))
            }
            Err(_) => {
                Err(Failure::new(Code::Fault, "the backup cannot be used: its seal is damaged"))
            }
        }
    }
}

impl<R: Read> Read for Opener<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Clear(input) => input.read(room),
            Self::Sealed(stream) => stream.read(room),
        }
    }
}

const MAGIC: &[u8] = b"age-encryption.org/v1\n";
