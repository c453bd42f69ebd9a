//! The secret beside the database, and what is derived from it.

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::error::Unspecified;
use aws_lc_rs::hmac::{self, HMAC_SHA256};
use kyc_core::{ClientId, DocumentId, Email, KeyedRequest, PersonKey, SubmissionId, UserId};

/// 32 random bytes that are kept outside the database, or in it as the master key has wrapped them.
///
/// Whoever has the database alone can neither test guesses of e-mail addresses against its lookup
/// columns nor make use of its credential hashes: all of them are HMAC-SHA256 under this key.
///
/// Digests of 64 bits collide now and then. They only narrow a search: a record that is found by
/// one is compared with what was asked for.
#[derive(Clone)]
pub(crate) struct Pepper(hmac::Key);

/// The checksum of a document's content.
pub(crate) type Checksum = [u8; 16];

impl Pepper {
    pub(crate) const BYTES: usize = 32;

    pub(crate) fn new(secret: &[u8; Self::BYTES]) -> Self {
        Self(hmac::Key::new(HMAC_SHA256, secret))
    }

    /// Tells which pepper a database was written with.
    pub(crate) fn fingerprint(&self) -> [u8; 32] {
        self.tag(b'p', &[])
    }

    pub(crate) fn credential(&self, text: &str) -> [u8; 32] {
        self.tag(b'c', &[text.as_bytes()])
    }

    pub(crate) fn email(&self, client: ClientId, email: &Email) -> i64 {
        self.digest(b'e', client, email.canonical())
    }

    pub(crate) fn user(&self, client: ClientId, user_id: &UserId) -> i64 {
        self.digest(b'u', client, user_id.as_str())
    }

    pub(crate) fn person(&self, client: ClientId, person: &PersonKey) -> i64 {
        self.digest(b'n', client, person.as_str())
    }

    /// Makes the record of an erased submission one that only this store can have written.
    pub(crate) fn certificate(
        &self,
        client: ClientId,
        submission: SubmissionId,
        record: &[u8],
    ) -> [u8; 32] {
        self.tag(b'z', &[&client.get().to_le_bytes(), &submission.to_bytes(), record])
    }

    /// As [`certificate`](Self::certificate), of one document.
    pub(crate) fn document_certificate(
        &self,
        client: ClientId,
        document: DocumentId,
        record: &[u8],
    ) -> [u8; 32] {
        self.tag(b'o', &[&client.get().to_le_bytes(), &document.to_bytes(), record])
    }

    /// Of who asks and the key.
    pub(crate) fn idempotency_key(&self, request: &KeyedRequest) -> [u8; 16] {
        // No scope has a line break.
        let scope = request.caller.scope();
        self.half(b'i', &[scope.as_bytes(), b"\n", request.key.as_str().as_bytes()])
    }

    /// Of what is asked for.
    pub(crate) fn request(&self, request: &KeyedRequest) -> [u8; 16] {
        self.half(b'r', &[&request.fingerprint.0])
    }

    /// The tag of AES-256-GCM over the content: it takes a tenth of the time of SHA-256, which would
    /// be a third of an upload. Without the pepper nobody can make one that fits another content.
    pub(crate) fn checksum(
        &self,
        client: ClientId,
        id: DocumentId,
        content: &[u8],
    ) -> Result<Checksum, Unspecified> {
        let key = LessSafeKey::new(UnboundKey::new(&AES_256_GCM, &self.tag(b'k', &[]))?);
        // A document's own: what shares a nonce can be compared, and more.
        let own = self.tag(b'd', &[&client.get().to_le_bytes(), &id.to_bytes()]);
        let nonce = own.first_chunk::<NONCE_LEN>().ok_or(Unspecified)?;
        let nonce = Nonce::assume_unique_for_key(*nonce);
        let tag = key.seal_in_place_separate_tag(nonce, Aad::from(content), &mut [])?;
        tag.as_ref().try_into().map_err(|_| Unspecified)
    }

    /// A key for one purpose of the audit.
    pub(crate) fn audit_key(&self, purpose: &[u8]) -> [u8; 32] {
        self.tag(b'a', &[purpose])
    }

    /// The client is part of what is digested, so equal values of two clients look unrelated.
    fn digest(&self, label: u8, client: ClientId, text: &str) -> i64 {
        let number = client.get().to_le_bytes();
        let tag = self.tag(label, &[&number, text.as_bytes()]);
        tag.first_chunk().map_or(0, |first| i64::from_le_bytes(*first))
    }

    fn half(&self, label: u8, parts: &[&[u8]]) -> [u8; 16] {
        self.tag(label, parts).first_chunk().copied().unwrap_or_default()
    }

    fn tag(&self, label: u8, parts: &[&[u8]]) -> [u8; 32] {
        let mut context = hmac::Context::with_key(&self.0);
        context.update(&[label]);
        for part in parts {
            context.update(part);
        }
        let tag = context.sign();
        let mut bytes = [0; 32];
        // An HMAC-SHA256 tag has exactly that length.
        bytes.copy_from_slice(tag.as_ref());
        bytes
    }
}

impl std::fmt::Debug for Pepper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Pepper(***)")
    }
}
