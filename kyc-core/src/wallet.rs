//! Addresses of digital currencies (D22).

use std::fmt;
use std::str::FromStr;

/// An address of a digital currency: at most 128 visible ASCII characters (D22).
///
/// Kept as sent; what two spellings of one address have in common is a matter of its currency and
/// so of the screening engine. `Debug` is masked.
///
/// ```
/// use kyc_core::WalletAddress;
///
/// assert_eq!("0x00AB".parse::<WalletAddress>()?.as_str(), "0x00AB");
/// assert!("0x00 AB".parse::<WalletAddress>().is_err());
/// # Ok::<(), kyc_core::InvalidWallet>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WalletAddress(Box<str>);

impl WalletAddress {
    /// The most characters of an address.
    pub const CHARS_MAX: usize = 128;

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for WalletAddress {
    type Err = InvalidWallet;

    fn from_str(text: &str) -> Result<Self, InvalidWallet> {
        let text = text.trim();
        let is_valid = (1..=Self::CHARS_MAX).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_graphic());
        if is_valid { Ok(Self(text.into())) } else { Err(InvalidWallet) }
    }
}

impl fmt::Debug for WalletAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WalletAddress(***)")
    }
}

/// The text is no [`WalletAddress`].
///
/// ```
/// use kyc_core::{InvalidWallet, WalletAddress};
///
/// assert_eq!("my wallet".parse::<WalletAddress>(), Err(InvalidWallet));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be at most 128 visible ASCII characters")]
pub struct InvalidWallet;
