//! Requests that take effect once, however often they are sent (D98).

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::{Client, ClientId, Inspector, Timestamp};

/// A request that is answered once: sent again, it gets the first answer, and changes nothing.
///
/// ```
/// use kyc_core::conformance::fixture::client;
/// use kyc_core::{Caller, Fingerprint, KeyedRequest};
///
/// let request = KeyedRequest {
///     caller: Caller::Client(client(1)),
///     key: "b0c5f3d2-4a18".parse()?,
///     fingerprint: Fingerprint([7; 32]),
/// };
/// assert!(!format!("{request:?}").contains("b0c5"), "whoever knows a key could ask with it");
/// # Ok::<(), kyc_core::InvalidIdempotencyKey>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyedRequest {
    /// Who asks. Keys of two callers have nothing to do with each other.
    pub caller: Caller,
    /// What the caller calls the request.
    pub key: IdempotencyKey,
    /// What is asked for.
    pub fingerprint: Fingerprint,
}

/// Who asks for a change.
///
/// ```
/// use kyc_core::Caller;
/// use kyc_core::conformance::fixture::{client, inspector};
///
/// let (own, inspector) = (Caller::Client(client(1)), Caller::Inspector(inspector().into()));
/// assert!(own.sees(client(1)) && !own.sees(client(2)));
/// assert!(inspector.sees(client(1)) && inspector.sees(client(2)));
/// assert_eq!(inspector.scope(), "inspector/ines");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Caller {
    /// A client, whichever of its API keys it uses.
    Client(ClientId),
    /// An inspector.
    Inspector(Arc<Inspector>),
}

impl From<&Arc<Client>> for Caller {
    fn from(client: &Arc<Client>) -> Self {
        Self::Client(client.id)
    }
}

impl From<&Arc<Inspector>> for Caller {
    fn from(inspector: &Arc<Inspector>) -> Self {
        Self::Inspector(Arc::clone(inspector))
    }
}

impl Caller {
    /// Whether the caller may see what belongs to `client`.
    pub fn sees(&self, client: ClientId) -> bool {
        match self {
            Self::Client(own) => *own == client,
            Self::Inspector(inspector) => inspector.sees(client),
        }
    }

    /// A text that no other caller has.
    pub fn scope(&self) -> String {
        match self {
            Self::Client(client) => format!("client/{}", client.get()),
            Self::Inspector(inspector) => format!("inspector/{}", inspector.name),
        }
    }
}

/// What a caller calls a request, so that a repetition is recognised. `Debug` is masked.
///
/// # Syntax
///
/// 1 to 255 visible ASCII characters, compared exactly.
///
/// ```
/// use kyc_core::{IdempotencyKey, InvalidIdempotencyKey};
///
/// assert_eq!("order-17".parse::<IdempotencyKey>()?.as_str(), "order-17");
/// for text in ["", "order 17", "ordré", &"x".repeat(256)] {
///     assert_eq!(text.parse::<IdempotencyKey>(), Err(InvalidIdempotencyKey));
/// }
/// # Ok::<(), InvalidIdempotencyKey>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdempotencyKey(Box<str>);

impl IdempotencyKey {
    /// The most characters of a key.
    pub const CHARS_MAX: usize = 255;

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for IdempotencyKey {
    type Err = InvalidIdempotencyKey;

    fn from_str(text: &str) -> Result<Self, InvalidIdempotencyKey> {
        let is_valid = (1..=Self::CHARS_MAX).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_graphic());
        if is_valid { Ok(Self(text.into())) } else { Err(InvalidIdempotencyKey) }
    }
}

impl fmt::Debug for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("IdempotencyKey(***)")
    }
}

/// The text is no [`IdempotencyKey`].
///
/// ```
/// use kyc_core::{IdempotencyKey, InvalidIdempotencyKey};
///
/// assert_eq!("a\tb".parse::<IdempotencyKey>(), Err(InvalidIdempotencyKey));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to 255 visible ASCII characters")]
pub struct InvalidIdempotencyKey;

/// A digest of everything that a request asks for, by which a repetition is told from another
/// request. `Debug` is masked: what it was made from may be guessed and tried.
///
/// ```
/// use kyc_core::Fingerprint;
///
/// assert_eq!(format!("{:?}", Fingerprint([7; 32])), "Fingerprint(***)");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint(pub [u8; 32]);

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Fingerprint(***)")
    }
}

/// What a caller was told. Means something to the transport alone. `Debug` is masked.
///
/// ```
/// use kyc_core::Answer;
///
/// let answer = Answer { status: 200, body: b"Mira".to_vec() };
/// assert_eq!(format!("{answer:?}"), "Answer(200, ***)");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Answer {
    /// Status code.
    pub status: u16,
    /// Body, byte for byte.
    pub body: Vec<u8>,
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Answer({}, ***)", self.status)
    }
}

/// The answer to a request, to be kept with the effect of it.
///
/// ```
/// use kyc_core::Replay;
/// use kyc_core::conformance::fixture::{replay, time};
///
/// let replay = replay("order-17", time(0));
/// let last = time(0).plus_millis(Replay::KEPT_MILLIS - 1);
/// assert!(replay.is_kept(last) && !replay.is_kept(last.plus_millis(1)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    /// What was asked.
    pub request: KeyedRequest,
    /// What is answered.
    pub answer: Answer,
    /// When.
    pub at: Timestamp,
}

impl Replay {
    /// So long an answer is kept: a day. Its key is free again then.
    pub const KEPT_MILLIS: u32 = 24 * 60 * 60 * 1_000;

    /// Whether the answer is still kept.
    pub fn is_kept(&self, now: Timestamp) -> bool {
        now < self.at.plus_millis(Self::KEPT_MILLIS)
    }
}

/// What a store kept under the key of a request.
///
/// ```
/// use kyc_core::conformance::fixture::{client, replay, sample, time};
/// use kyc_core::memory::MemorySubmissions;
/// use kyc_core::{AnswerStore, Beside, Fingerprint, Kept, KeyedRequest, SubmissionStore};
///
/// let (store, replay) = (MemorySubmissions::default(), replay("order-17", time(0)));
/// let beside = Beside::answer(replay.clone());
/// store.insert_with(client(1), &sample(), beside)?;
///
/// let kept = store.find_answer(&replay.request, time(1))?;
/// assert_eq!(kept, Some(Kept::Answer { client: client(1), answer: replay.answer }));
/// let other = KeyedRequest { fingerprint: Fingerprint([2; 32]), ..replay.request };
/// assert_eq!(store.find_answer(&other, time(1))?, Some(Kept::OtherRequest));
/// # Ok::<(), kyc_core::StoreError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept {
    /// The answer to the same request.
    Answer {
        /// The client whose data it tells.
        client: ClientId,
        /// What was answered.
        answer: Answer,
    },
    /// The answer to another request.
    OtherRequest,
    /// There was one to the same request, and what it told of was erased since.
    Erased,
}
