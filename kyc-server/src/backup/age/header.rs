//! The header: the key of the file, wrapped for each recipient, under a tag.

use std::io::{self, Read};

use aws_lc_rs::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::agreement::{PrivateKey, UnparsedPublicKey, X25519, agree};
use aws_lc_rs::error::Unspecified;
use aws_lc_rs::hkdf::{HKDF_SHA256, KeyType, Salt};
use aws_lc_rs::{hmac, rand};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use zeroize::Zeroizing;

use super::{KEY_BYTES, Recipient};

/// The key of a file, of which the others are derived.
pub(super) type FileKey = Zeroizing<[u8; 16]>;

/// How a file begins.
pub(super) const MAGIC: &[u8] = b"age-encryption.org/v1\n";

/// Why a header was not opened.
#[derive(Debug)]
pub(super) enum HeaderError {
    Read(io::Error),
    Damaged,
    NotForUs,
}

impl From<io::Error> for HeaderError {
    fn from(error: io::Error) -> Self {
        Self::Read(error)
    }
}

impl From<Unspecified> for HeaderError {
    fn from(_: Unspecified) -> Self {
        Self::Damaged
    }
}

/// Makes a key, and the header from which each recipient gets it.
pub(super) fn seal(recipients: &[Recipient]) -> Result<(Vec<u8>, FileKey), Unspecified> {
    let mut key = FileKey::default();
    rand::fill(key.as_mut_slice())?;
    let mut header = MAGIC.to_vec();
    for Recipient(public) in recipients {
        let ephemeral = PrivateKey::generate(&X25519)?;
        let share = ephemeral.compute_public_key()?;
        let wrapping = wrapping_key(&ephemeral, public, share.as_ref(), public)?;
        let mut wrapped = key.to_vec();
        wrapping.seal_in_place_append_tag(zero_nonce(), Aad::empty(), &mut wrapped)?;
        let (share, wrapped) = (STANDARD_NO_PAD.encode(share), STANDARD_NO_PAD.encode(wrapped));
        header.extend(format!("-> X25519 {share}\n{wrapped}\n").into_bytes());
    }
    header.extend_from_slice(END);
    let tag = hmac::sign(&tag_key(&key)?, &header);
    header.extend(format!(" {}\n", STANDARD_NO_PAD.encode(tag)).into_bytes());
    Ok((header, key))
}

/// Reads what follows [`MAGIC`], up to the end of the header, and finds the key of the file.
pub(super) fn open(
    input: &mut impl Read,
    identities: &[PrivateKey],
) -> Result<FileKey, HeaderError> {
    let mut header = Lines { input, read: MAGIC.to_vec() };
    let mut key = None;
    let mut line = header.next()?;
    while let Some(stanza) = line.strip_prefix("-> ") {
        let mut body = header.next()?;
        let mut whole = body.clone();
        // A line that is not full is the last one of a body.
        while body.len() == FULL_LINE {
            body = header.next()?;
            whole.push_str(&body);
        }
        if let Some(share) = stanza.strip_prefix("X25519 ") {
            let share = decode(share)?;
            let wrapped = decode(&whole)?;
            if key.is_none() {
                key = identities.iter().find_map(|own| unwrap_key(own, &share, &wrapped));
            }
        }
        line = header.next()?;
    }
    let tag = line.strip_prefix("--- ").ok_or(HeaderError::Damaged)?;
    let key = key.ok_or(HeaderError::NotForUs)?;
    let signed = header.read.len() - line.len() - 1 + END.len();
    let signed = header.read.get(..signed).ok_or(HeaderError::Damaged)?;
    hmac::verify(&tag_key(&key)?, signed, &decode(tag)?)?;
    Ok(key)
}

/// `None` where the key is wrapped for somebody else.
fn unwrap_key(own: &PrivateKey, share: &[u8], wrapped: &[u8]) -> Option<FileKey> {
    let public = own.compute_public_key().ok()?;
    let public = public.as_ref().first_chunk::<KEY_BYTES>()?;
    let wrapping = wrapping_key(own, share, share, public).ok()?;
    let mut wrapped = Zeroizing::new(wrapped.to_vec());
    let opened = wrapping.open_in_place(zero_nonce(), Aad::empty(), &mut wrapped).ok()?;
    let mut key = FileKey::default();
    let opened: &[u8; 16] = (&*opened).try_into().ok()?;
    key.copy_from_slice(opened);
    Some(key)
}

/// What wraps the key of a file, from the secret that `own` and `other` share.
fn wrapping_key(
    own: &PrivateKey,
    other: &[u8],
    share: &[u8],
    recipient: &[u8; KEY_BYTES],
) -> Result<LessSafeKey, Unspecified> {
    let other = UnparsedPublicKey::new(&X25519, other);
    agree(own, other, Unspecified, |secret| {
        let salt = [share, recipient].concat();
        let key = derive(&salt, secret, b"age-encryption.org/v1/X25519")?;
        Ok(LessSafeKey::new(UnboundKey::new(&CHACHA20_POLY1305, key.as_slice())?))
    })
}

/// HKDF-SHA256.
pub(super) fn derive(
    salt: &[u8],
    secret: &[u8],
    info: &[u8],
) -> Result<Zeroizing<[u8; KEY_BYTES]>, Unspecified> {
    let mut key = Zeroizing::new([0; KEY_BYTES]);
    let extracted = Salt::new(HKDF_SHA256, salt).extract(secret);
    extracted.expand(&[info], Length)?.fill(key.as_mut_slice())?;
    Ok(key)
}

struct Length;

impl KeyType for Length {
    fn len(&self) -> usize {
        KEY_BYTES
    }
}

fn tag_key(key: &FileKey) -> Result<hmac::Key, Unspecified> {
    let key = derive(&[], key.as_slice(), b"header")?;
    Ok(hmac::Key::new(hmac::HMAC_SHA256, key.as_slice()))
}

/// Each wrapping key is used once.
fn zero_nonce() -> Nonce {
    Nonce::assume_unique_for_key([0; NONCE_LEN])
}

fn decode(text: &str) -> Result<Vec<u8>, HeaderError> {
    STANDARD_NO_PAD.decode(text).map_err(|_| HeaderError::Damaged)
}

/// The lines of a header, and everything that was read of it.
struct Lines<'r, R> {
    input: &'r mut R,
    read: Vec<u8>,
}

impl<R: Read> Lines<'_, R> {
    /// Byte by byte: what follows the header belongs to somebody else.
    fn next(&mut self) -> Result<String, HeaderError> {
        let mut line = Vec::new();
        loop {
            let mut byte = [0];
            self.input.read_exact(&mut byte)?;
            self.read.extend_from_slice(&byte);
            if self.read.len() > HEADER_MAX {
                return Err(HeaderError::Damaged);
            }
            if byte == *b"\n" {
                return String::from_utf8(line).map_err(|_| HeaderError::Damaged);
            }
            line.extend_from_slice(&byte);
        }
    }
}

const END: &[u8] = b"---";
/// How long all lines of a body are but the last.
const FULL_LINE: usize = 64;
/// Room for a thousand recipients, of whatever kind.
const HEADER_MAX: usize = 1 << 20;
