use std::fmt;

/// A place for a document in an identity review.
///
/// ```
/// use kyc_core::{Slot, Slots};
///
/// let slots: Slots = [Slot::Selfie, Slot::PhotoId].into_iter().collect();
/// assert_eq!(slots.iter().collect::<Vec<_>>(), [Slot::PhotoId, Slot::Selfie]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slot {
    /// The identity document.
    PhotoId,
    /// The selfie.
    Selfie,
    /// The proof of address.
    AddressProof,
}

impl Slot {
    /// Every slot, in the order of the interface.
    pub const ALL: [Self; 3] = [Self::PhotoId, Self::Selfie, Self::AddressProof];

    /// One word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::PhotoId => "photo-id",
            Self::Selfie => "selfie",
            Self::AddressProof => "address-proof",
        }
    }

    fn bit(self) -> u8 {
        match self {
            Self::PhotoId => 1,
            Self::Selfie => 2,
            Self::AddressProof => 4,
        }
    }
}

/// A set of [`Slot`]s.
///
/// ```
/// use kyc_core::{Slot, Slots};
///
/// assert!(Slots::NONE.is_empty());
/// assert!(!Slots::NONE.contains(Slot::Selfie));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Slots(u8);

impl Slots {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// Whether the set has a slot.
    pub fn contains(self, slot: Slot) -> bool {
        self.0 & slot.bit() != 0
    }

    /// Whether there is no slot in it.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// This set without one slot.
    #[must_use]
    pub fn without(self, slot: Slot) -> Self {
        Self(self.0 & !slot.bit())
    }

    /// The slots, in the order of the interface.
    pub fn iter(self) -> impl Iterator<Item = Slot> {
        Slot::ALL.into_iter().filter(move |slot| self.contains(*slot))
    }
}

impl FromIterator<Slot> for Slots {
    fn from_iter<I: IntoIterator<Item = Slot>>(slots: I) -> Self {
        Self(slots.into_iter().fold(0, |bits, slot| bits | slot.bit()))
    }
}

impl fmt::Debug for Slots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
