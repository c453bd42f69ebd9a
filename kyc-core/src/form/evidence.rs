use std::fmt;

use crate::{AddressPart, Country, DocumentHandle, Level, Slot};

/// What the applicant handed in, by level. There is no level field to disagree with it.
///
/// ```
/// use kyc_core::conformance::fixture::form_l2;
/// use kyc_core::{Evidence, Level, Slot};
///
/// let form = form_l2();
/// let Some(known) = form.identification() else { unreachable!("an identity review") };
/// assert_eq!(known.evidence.level(), Level::L2);
/// assert!(known.evidence.document(Slot::AddressProof).is_some());
///
/// // At level 2 the address is whole, so its parts need no check.
/// let Evidence::L2 { address, .. } = &known.evidence else { unreachable!("level 2") };
/// assert_eq!(address.city.as_str(), "Vlorë");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// Identity document and selfie. An address and its proof may be given.
    L1 {
        /// The identity document.
        photo_id: DocumentHandle,
        /// The selfie.
        selfie: DocumentHandle,
        /// As much of an address as was given.
        address: PartialAddress,
        /// The proof of address, if one was given.
        proof: Option<DocumentHandle>,
    },
    /// Everything in `L1`; address and proof are complete.
    L2 {
        /// The identity document.
        photo_id: DocumentHandle,
        /// The selfie.
        selfie: DocumentHandle,
        /// Where the applicant lives.
        address: Address,
        /// The proof of address.
        proof: DocumentHandle,
    },
}

impl Evidence {
    /// The level that this evidence supports.
    pub fn level(&self) -> Level {
        match self {
            Self::L1 { .. } => Level::L1,
            Self::L2 { .. } => Level::L2,
        }
    }

    /// The document in a slot, if the applicant handed one in.
    pub fn document(&self, slot: Slot) -> Option<&DocumentHandle> {
        match (self, slot) {
            (Self::L1 { photo_id, .. } | Self::L2 { photo_id, .. }, Slot::PhotoId) => {
                Some(photo_id)
            }
            (Self::L1 { selfie, .. } | Self::L2 { selfie, .. }, Slot::Selfie) => Some(selfie),
            (Self::L1 { proof, .. }, Slot::AddressProof) => proof.as_ref(),
            (Self::L2 { proof, .. }, Slot::AddressProof) => Some(proof),
        }
    }

    /// As much of an address as there is.
    pub fn address(&self) -> AddressParts<'_> {
        match self {
            Self::L1 {
                address: PartialAddress { street, city, state, zipcode, country }, ..
            } => AddressParts {
                street: street.as_ref(),
                city: city.as_ref(),
                state: state.as_ref(),
                zipcode: zipcode.as_ref(),
                country: *country,
            },
            Self::L2 { address, .. } => AddressParts {
                street: Some(&address.street),
                city: Some(&address.city),
                state: Some(&address.state),
                zipcode: Some(&address.zipcode),
                country: Some(address.country),
            },
        }
    }

    /// Puts another document into a slot that has one.
    pub(crate) fn replace(&mut self, slot: Slot, handle: DocumentHandle) {
        match (self, slot) {
            (Self::L1 { photo_id, .. } | Self::L2 { photo_id, .. }, Slot::PhotoId) => {
                *photo_id = handle;
            }
            (Self::L1 { selfie, .. } | Self::L2 { selfie, .. }, Slot::Selfie) => *selfie = handle,
            (Self::L1 { proof, .. }, Slot::AddressProof) => *proof = Some(handle),
            (Self::L2 { proof, .. }, Slot::AddressProof) => *proof = handle,
        }
    }
}

/// A whole postal address.
///
/// ```
/// use kyc_core::Address;
///
/// let address = Address {
///     street: "12 Harbour Lane".parse()?,
///     city: "Vlorë".parse()?,
///     state: "Vlorë County".parse()?,
///     zipcode: "9401".parse()?,
///     country: "Albania, ALB".parse()?,
/// };
/// assert_eq!(format!("{:?}", address.street), "AddressPart(***)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "parts of an address need no explanation")]
pub struct Address {
    pub street: AddressPart,
    pub city: AddressPart,
    pub state: AddressPart,
    pub zipcode: AddressPart,
    pub country: Country,
}

/// As much of a postal address as was given.
///
/// ```
/// use kyc_core::PartialAddress;
///
/// let address = PartialAddress { city: Some("Vlorë".parse()?), ..PartialAddress::default() };
/// assert!(address.street.is_none());
/// # Ok::<(), kyc_core::InvalidText>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "parts of an address need no explanation")]
pub struct PartialAddress {
    pub street: Option<AddressPart>,
    pub city: Option<AddressPart>,
    pub state: Option<AddressPart>,
    pub zipcode: Option<AddressPart>,
    pub country: Option<Country>,
}

impl From<Address> for PartialAddress {
    fn from(address: Address) -> Self {
        let Address { street, city, state, zipcode, country } = address;
        Self {
            street: Some(street),
            city: Some(city),
            state: Some(state),
            zipcode: Some(zipcode),
            country: Some(country),
        }
    }
}

/// The parts of a whole or partial address, borrowed.
///
/// ```
/// use kyc_core::conformance::fixture::form_l2;
/// use kyc_core::{AddressPart, Country};
///
/// let form = form_l2();
/// let Some(known) = form.identification() else { unreachable!("an identity review") };
/// let address = known.evidence.address();
/// assert_eq!(address.zipcode.map(AddressPart::as_str), Some("9401"));
/// assert_eq!(address.country.map(Country::alpha3), Some("ALB"));
/// ```
#[derive(Clone, Copy, Default)]
#[expect(missing_docs, reason = "parts of an address need no explanation")]
pub struct AddressParts<'a> {
    pub street: Option<&'a AddressPart>,
    pub city: Option<&'a AddressPart>,
    pub state: Option<&'a AddressPart>,
    pub zipcode: Option<&'a AddressPart>,
    pub country: Option<Country>,
}

impl fmt::Debug for AddressParts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AddressParts(***)")
    }
}
