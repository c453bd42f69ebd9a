//! E-mail addresses: echoed as sent, looked up by one canonical form (D14).

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use unicode_normalization::UnicodeNormalization;

/// An applicant's e-mail address.
///
/// # Syntax
///
/// One `@` with a local part before it and a domain behind it, at most
/// [`BYTES_MAX`](Self::BYTES_MAX) bytes. The address is a path segment of the interface and its
/// lookup key, so everything that could confuse either is refused: control characters, white
/// space, `/ ? # % \`, quoted local parts, addresses in brackets, and domains that are no host
/// names. The domain needs a dot.
///
/// # Equality
///
/// Two addresses are equal when their [canonical forms](Self::canonical) are.
/// [`as_str`](Self::as_str) keeps the spelling that was sent.
///
/// `Debug` is masked and there is no `Display`.
///
/// ```
/// use kyc_core::Email;
///
/// let email: Email = "Mira.Kole@Example.ORG".parse()?;
/// assert_eq!(email.as_str(), "Mira.Kole@Example.ORG");
/// assert_eq!(email.canonical(), "mira.kole@example.org");
/// assert_eq!(email, "mira.kole@example.org".parse()?);
/// assert_eq!(format!("{email:?}"), "Email(***)");
/// # Ok::<(), kyc_core::InvalidEmail>(())
/// ```
#[derive(Clone)]
pub struct Email {
    sent: Box<str>,
    /// `None` when the address was sent in its canonical form already.
    canonical: Option<Box<str>>,
}

impl Email {
    /// The most bytes that an address may have, as sent and in its canonical form.
    pub const BYTES_MAX: usize = 254;

    /// The address as it was sent.
    pub fn as_str(&self) -> &str {
        &self.sent
    }

    /// The lookup form: NFC, the domain as a lower-case A-label, the local part in lower case, the
    /// two small sigmas as one.
    ///
    /// Canonicalising twice changes nothing.
    ///
    /// ```
    /// use kyc_core::Email;
    ///
    /// let email: Email = "ZOË@Bücher.Example".parse()?;
    /// assert_eq!(email.canonical(), "zoë@xn--bcher-kva.example");
    /// # Ok::<(), kyc_core::InvalidEmail>(())
    /// ```
    pub fn canonical(&self) -> &str {
        self.canonical.as_deref().unwrap_or(&self.sent)
    }
}

impl FromStr for Email {
    type Err = InvalidEmail;

    fn from_str(text: &str) -> Result<Self, InvalidEmail> {
        if text.len() > Self::BYTES_MAX {
            return Err(InvalidEmail::TooLong);
        }
        // Composed first: what is refused may come of it, as a semicolon does of a Greek question
        // mark.
        let composed: Cow<'_, str> =
            if text.is_ascii() { text.into() } else { text.nfc().collect() };
        if composed.chars().any(is_refused) {
            return Err(InvalidEmail::RefusedCharacter);
        }
        let (local, domain) = match composed.split_once('@') {
            Some(("", _) | (_, "")) => return Err(InvalidEmail::EmptyPart),
            Some((_, domain)) if domain.contains('@') => return Err(InvalidEmail::NotOneAt),
            Some(parts) => parts,
            None => return Err(InvalidEmail::NotOneAt),
        };
        let canonical: Option<Box<str>> = match (canonical_local(local)?, canonical_domain(domain)?)
        {
            (Cow::Borrowed(_), Cow::Borrowed(_)) if composed == text => None,
            (local, domain) => Some(format!("{local}@{domain}").into()),
        };
        if canonical.as_ref().is_some_and(|canonical| canonical.len() > Self::BYTES_MAX) {
            return Err(InvalidEmail::TooLong);
        }
        Ok(Self {
            sent: text.into(),
            canonical: canonical.filter(|canonical| **canonical != *text),
        })
    }
}

/// Characters that would make the address something else in a path, a header or a log.
fn is_refused(c: char) -> bool {
    c.is_control()
        || c.is_whitespace()
        || matches!(c, '/' | '?' | '#' | '%' | '\\' | '"' | '<' | '>' | '(' | ')' | '[' | ']')
        || matches!(c, ',' | ';' | ':')
        || is_invisible(c)
}

/// Zero-width and direction-changing characters: two addresses that look the same must not differ
/// by these alone.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fff8}' | '\u{e0000}'..='\u{e0fff}')
}

/// Borrowed only if it is canonical already.
fn canonical_local(local: &str) -> Result<Cow<'_, str>, InvalidEmail> {
    if local.starts_with('.') || local.ends_with('.') || local.contains("..") {
        return Err(InvalidEmail::Dots);
    }
    if local.is_ascii() {
        return Ok(ascii_lowercase(local));
    }
    // Letter by letter, because the lower case of a capital sigma depends on its neighbours in a
    // whole text; so both small sigmas count as one. Lower case can decompose (a dotted capital I).
    let lower = local.chars().flat_map(char::to_lowercase);
    Ok(lower.map(|letter| if letter == 'ς' { 'σ' } else { letter }).nfc().collect())
}

fn ascii_lowercase(text: &str) -> Cow<'_, str> {
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        text.to_ascii_lowercase().into()
    } else {
        text.into()
    }
}

/// Borrowed only if it is canonical already.
fn canonical_domain(domain: &str) -> Result<Cow<'_, str>, InvalidEmail> {
    if !domain.contains('.') {
        return Err(InvalidEmail::Domain);
    }
    let ascii =
        if is_plain_host(domain) { ascii_lowercase(domain) } else { mapped(domain)?.into() };
    let is_address = ascii.rsplit('.').next().is_some_and(is_number);
    if is_address { Err(InvalidEmail::Domain) } else { Ok(ascii) }
}

/// Whether IDNA has nothing to say about a domain but that it is a host name, as about most. Sparing
/// its tables makes parsing three times as fast.
fn is_plain_host(domain: &str) -> bool {
    domain.len() <= 253
        && domain.split('.').all(|label| {
            let bytes = label.as_bytes();
            matches!(bytes.len(), 1..=63)
                && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
                && bytes.first() != Some(&b'-')
                && bytes.last() != Some(&b'-')
                // Where two hyphens follow two letters, the label is an encoded one or reserved.
                && bytes.get(2..4) != Some(b"--")
        })
}

fn mapped(domain: &str) -> Result<String, InvalidEmail> {
    let lower: String = domain.chars().flat_map(char::to_lowercase).collect();
    // Strict: the labels are those of a host name, of letters, digits and inner hyphens.
    let ascii = idna::domain_to_ascii_strict(&lower).map_err(|_| InvalidEmail::Domain)?;
    // Mapping may only have changed case and composition. What else it maps (full-width letters,
    // ligatures, other dots) are look-alikes of another domain.
    let (unicode, valid) = idna::domain_to_unicode(&ascii);
    let mut labels = lower.split('.').zip(ascii.split('.').zip(unicode.split('.')));
    let is_mapped = labels.any(|(lower, (ascii, unicode))| lower != ascii && lower != unicode);
    if valid.is_err() || is_mapped { Err(InvalidEmail::Domain) } else { Ok(ascii) }
}

/// A last label of digits alone makes a domain an IPv4 address.
fn is_number(label: &str) -> bool {
    label.bytes().all(|b| b.is_ascii_digit())
}

impl PartialEq for Email {
    fn eq(&self, other: &Self) -> bool {
        self.canonical() == other.canonical()
    }
}

impl Eq for Email {}

impl std::hash::Hash for Email {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.canonical().hash(state);
    }
}

impl fmt::Debug for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Email(***)")
    }
}

/// Why a text is not an [`Email`].
///
/// ```
/// use kyc_core::{Email, InvalidEmail};
///
/// assert_eq!("mira".parse::<Email>(), Err(InvalidEmail::NotOneAt));
/// assert_eq!("mira@localhost".parse::<Email>(), Err(InvalidEmail::Domain));
/// assert_eq!("mira kole@example.org".parse::<Email>(), Err(InvalidEmail::RefusedCharacter));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidEmail {
    /// More than [`Email::BYTES_MAX`] bytes.
    #[error("must be at most 254 bytes long")]
    TooLong,
    /// White space, a control character, or one that has a meaning in paths or lists.
    #[error(
        "must not contain spaces, control characters, quotes, brackets or any of / ? # % \\ , ; :"
    )]
    RefusedCharacter,
    /// No `@`, or more than one.
    #[error("must contain one @")]
    NotOneAt,
    /// Nothing before or behind the `@`.
    #[error("must have a text on both sides of the @")]
    EmptyPart,
    /// The local part starts or ends with a dot, or has two in a row.
    #[error("must not start or end the part before the @ with a dot, nor double one")]
    Dots,
    /// The domain is no host name.
    #[error("must have a host name with a dot behind the @")]
    Domain,
}
