//! One byte for each value of the closed sets, the same in both directions.

use kyc_core::{DocumentKind, Gender, HitVerdict, IdType, RiskLevel, Slot, Spelling, Stall};

macro_rules! codes {
    ($module:ident, $type:ident { $($variant:ident = $code:literal),+ $(,)? }) => {
        pub(super) mod $module {
            use super::$type;

            pub(in super::super) fn encode(value: $type) -> u8 {
                match value {
                    $($type::$variant => $code,)+
                }
            }

            pub(in super::super) fn decode(code: u8) -> Option<$type> {
                Some(match code {
                    $($code => $type::$variant,)+
                    _ => return None,
                })
            }
        }
    };
}

codes!(gender, Gender { Female = 0, Male = 1 });
codes!(id_type, IdType { Passport = 1, GovernmentId = 2, DriversLicense = 3 });
codes!(risk, RiskLevel { NotApplicable = 0, Low = 1, Medium = 2, High = 3 });
codes!(verdict, HitVerdict { TruePositive = 1, FalsePositive = 2 });
codes!(stall, Stall { ListMissing = 0, ListTooOld = 1, NoUsableName = 2, Failed = 3 });
codes!(slot, Slot { PhotoId = 1, Selfie = 2, AddressProof = 4 });
codes!(kind, DocumentKind {
    Passport = 0,
    GovernmentId = 1,
    DriversLicense = 2,
    Selfie = 3,
    Address = 4,
    Other = 5,
});
codes!(spelling, Spelling { Underscored = 0, Joined = 8 });

/// Stands where a verdict could: a decision was taken back.
pub(super) const NO_VERDICT: u8 = 0;

/// Bits beside [`gender`] in its byte.
pub(super) const ID_TYPE_SHIFT: u32 = 1;
pub(super) const HAS_IP_ADDRESS: u8 = 8;

/// The state of review and screening: what lists show of it in one byte.
pub(super) mod state {
    pub(in super::super) const PENDING: u8 = 0;
    pub(in super::super) const INCOMPLETE: u8 = 1;
    pub(in super::super) const REJECTED: u8 = 2;
    pub(in super::super) const QUEUED: u8 = 3;
    pub(in super::super) const STALLED: u8 = 4;
    /// And the code of the risk.
    pub(in super::super) const SCREENED: u8 = 8;
}

pub(super) mod level {
    pub(in super::super) const L1: u8 = 1;
    pub(in super::super) const L2: u8 = 2;
}

pub(super) mod basis {
    pub(in super::super) const DECLARED: u8 = 0;
    pub(in super::super) const INSPECTED: u8 = 1;
}

pub(super) mod actor {
    pub(in super::super) const CLIENT: u8 = 0;
    pub(in super::super) const SERVICE: u8 = 1;
    pub(in super::super) const INSPECTOR: u8 = 2;
    pub(in super::super) const OPERATOR: u8 = 3;
}

pub(super) mod event {
    pub(in super::super) const APPROVED: u8 = 0;
    pub(in super::super) const REJECTED: u8 = 1;
    pub(in super::super) const RETAKE_ASKED: u8 = 2;
    pub(in super::super) const SUPPLIED: u8 = 3;
    pub(in super::super) const REOPENED: u8 = 4;
    pub(in super::super) const SCREENED: u8 = 5;
    pub(in super::super) const RESCREENED: u8 = 6;
    pub(in super::super) const HIT_DECIDED: u8 = 7;
    pub(in super::super) const ACKNOWLEDGED: u8 = 8;
    pub(in super::super) const ENDED: u8 = 9;
    pub(in super::super) const HELD: u8 = 10;
    pub(in super::super) const RELEASED: u8 = 11;
    pub(in super::super) const DOCUMENT_ERASED: u8 = 12;
}
